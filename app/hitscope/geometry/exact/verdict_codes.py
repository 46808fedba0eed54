"""The verdict on one pair as filters and exact signs write it into arrays of uint8."""

MISS, HIT, UNSURE, STRICT = 0, 1, 2, 3
"""Surely apart, surely meeting, and what another, exact test has to decide; surely with interiors that meet."""

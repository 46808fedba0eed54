"""The verdict on one pair as compiled filters and predicates write it into arrays of uint8."""

MISS, HIT, UNSURE = 0, 1, 2
"""Surely apart, surely meeting, and what another, exact test has to decide."""

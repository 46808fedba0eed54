"""Calls that other programs logged: the exporters with which they do, and the scenes of those that are wrong."""

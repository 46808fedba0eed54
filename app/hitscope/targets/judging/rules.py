"""The conventions by which a target is judged."""

from typing import NamedTuple

from hitscope.scene.model import Boundary


class Rules(NamedTuple):
    """What counts as an error of a target."""

    boundary: Boundary = "closed"
    """Touching and coplanar pairs are hits if closed, misses if open; with either they count for neither side."""
    slack: float = 0.0
    """A wrong verdict counts only where the pair is further than so many of its ulps from the other answer."""
    t_ulps: float = 8.0
    """A t that is off by more ulps than this, and by more than `t_distance`, is wrong."""
    t_distance: float = 0.0
    """In scene units along the probe."""


DEFAULT_RULES = Rules()

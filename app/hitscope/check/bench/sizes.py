"""How much is measured: all of it, or so little that it only shows that everything runs."""

from typing import NamedTuple


class Sizes(NamedTuple):
    """How much is measured, and for how long."""

    primitives: int
    matrix: int
    """So many segments against so many boxes."""
    faces: int
    rays: int
    boxes: int
    box_rays: int
    bundle: int
    scaling: tuple[int, ...]
    seconds: float
    """The time that a figure's contenders share."""


FULL = Sizes(
    primitives=1_000_000,
    matrix=10_000,
    faces=1_300_000,
    rays=1_000_000,
    boxes=1_000_000,
    box_rays=100_000,
    bundle=10_000,
    scaling=(10**3, 10**4, 10**5, 10**6, 10**7),
    seconds=4,
)
QUICK = Sizes(
    primitives=5_000,
    matrix=300,
    faces=3_000,
    rays=1_000,
    boxes=1_000,
    box_rays=1_000,
    bundle=100,
    scaling=(10**3, 10**4),
    seconds=0.02,
)

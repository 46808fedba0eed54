"""How large a scene is: the bounds of its points, and the anchor and scale that make it drawable in float32.

Coordinates reach 1e308, so differences and sums of two of them are formed from halves or clipped.
"""

from typing import NamedTuple

import numpy as np

from hitscope.draw.items import Array

LARGEST = float(np.finfo(np.float64).max)
SMALLEST = float(np.finfo(np.float64).tiny)
FAR_OUT = 1e6
"""Probes more than so many times larger than the primitives count for the scale."""


class Extent(NamedTuple):
    """An axis-aligned span of space."""

    lo: Array  # (3,)
    hi: Array  # (3,)

    @property
    def center(self) -> Array:
        """The middle, without overflow."""
        return self.lo / 2 + self.hi / 2

    @property
    def half(self) -> Array:
        """Half of the size along each axis, without overflow."""
        return self.hi / 2 - self.lo / 2

    @property
    def scale(self) -> float:
        """The largest half size; of a single point, 1."""
        largest = float(self.half.max())
        return max(largest, SMALLEST) if largest > 0 else 1.0


def finite(values: Array) -> Array:
    """Give the values with everything beyond float64 at its largest number."""
    return np.clip(values, -LARGEST, LARGEST)


def extent_of(points: Array) -> Extent | None:
    """Give the bounds of points (n, 3), or None for no points."""
    if len(points) == 0:
        return None
    points = finite(points)
    return Extent(points.min(axis=0), points.max(axis=0))


def union(a: Extent | None, b: Extent | None) -> Extent | None:
    """Give the bounds of both."""
    if a is None or b is None:
        return b if a is None else a
    return Extent(np.minimum(a.lo, b.lo), np.maximum(a.hi, b.hi))


def stage_of(primitives: Extent | None, probes: Extent | None) -> Extent:
    """Give the bounds that anchor and scale are taken from.

    The primitives alone decide, so that dragging a probe leaves their uploaded arrays valid, unless the
    probes are so far out that float32 could not hold them.
    """
    both = union(primitives, probes)
    if both is None:
        return Extent(-np.ones(3), np.ones(3))
    if primitives is None or both.scale / FAR_OUT > primitives.scale:
        return both
    return primitives

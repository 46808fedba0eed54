"""The element that a linear probe enters first, as a ray caster reports it, by exact t."""

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import NamedTuple

import numpy as np

from hitscope.geometry import exact
from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Shape, is_linear, linear
from hitscope.geometry.traits import all_bounds

LOST = 2.0**-48
"""More than the relative rounding error of a t that is computed from bounds."""


class NearestHit(NamedTuple):
    """The exact t at which a probe enters a shape, and the shape's position; the lesser of two is the first."""

    t_enter: Fraction | float
    position: int


def nearest_hit(probe: Shape, shapes: Sequence[Shape]) -> NearestHit | None:
    """Return which of the shapes that a linear probe hits it enters first, the first of several; None of none.

    Exact t are computed in the order of bounds of t, up to the first bound beyond the least t.
    """
    found: NearestHit | None = None
    least = _least_t(probe, shapes)
    for k in np.argsort(least, kind="stable").tolist():
        if found is not None and least[k] > found.t_enter:
            break
        t = exact.relation(probe, shapes[k]).t_enter
        # A method may call a hit what is none; that has no t.
        hit = NearestHit(inf if t is None else t, k)
        found = hit if found is None else min(found, hit)
    return found


def _least_t(probe: Shape, shapes: Sequence[Shape]) -> Array:
    """A lower bound of the t at which a probe enters each shape, by the slabs of its bounds; (n,)."""
    assert is_linear(probe)
    line = linear(probe)
    direction = np.array(line.direction, float)
    bounds = all_bounds(shapes)
    with np.errstate(all="ignore"):
        ways = bounds - np.array(line.origin)
        # Where numbers overflow nothing is known.
        known = np.isfinite(direction) & (direction != 0) & np.isfinite(ways).all(axis=1)
        enters = np.where(known, (ways / direction).min(axis=1), -inf)
        least = np.nan_to_num(enters, nan=-inf, posinf=np.finfo(float).max, neginf=-inf).max(axis=1)
        bounds_of_t: Array = np.maximum(least - np.abs(least) * LOST - np.finfo(float).tiny, line.t_min)
    return bounds_of_t

"""The search along a drag for the last float64 at which something is accepted, and what guides it.

The guide is the gap between hulls of shapes, in floats, never a verdict: the widest along the axes that can
separate convex shapes, negative where the shapes overlap on all.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from hitscope.geometry.arrays import Array, numbers_of
from hitscope.geometry.exact import rounded
from hitscope.geometry.exact.feature_arrays import features as features_of_rows
from hitscope.geometry.exact.float64_points import last_accepted, of_ordinal, ordinal
from hitscope.geometry.features.shape_features import features
from hitscope.geometry.kinds import KINDS, Cell
from hitscope.geometry.shapes import Shape, Vec3

TRIES = 24
SHORT = 12
"""The number of significant digits of the short decimals at which boundaries often are."""


class StraightPath(NamedTuple):
    """The line segment of a drag, parametrized by the coordinate that changes most."""

    start: Vec3
    end: Vec3

    @property
    def axis(self) -> int:
        """The coordinate that changes most."""
        return max(range(3), key=lambda k: abs(Fraction(self.end[k]) - Fraction(self.start[k])))

    def at(self, value: float) -> Vec3:
        """The point where that coordinate has a value; each of the others is rounded once."""
        k = self.axis
        first = [Fraction(v) for v in self.start]
        way = [Fraction(v) - s for v, s in zip(self.end, first, strict=True)]
        part = (Fraction(value) - first[k]) / way[k]
        x, y, z = (value if i == k else rounded(first[i] + part * way[i]) for i in range(3))
        return x, y, z

    def around(self, step: float) -> tuple[float, float]:
        """The coordinate at a distance before the end and after it."""
        k = self.axis
        way = [g - s for g, s in zip(self.end, self.start, strict=True)]
        by = step * (way[k] / math.hypot(*way))
        return self.end[k] - by, self.end[k] + by


def bisected(near: float, far: float, accept: Callable[[float], bool], times: int) -> float:
    """The last accepted number between an accepted one and one that is not, found by halving `times` times."""
    for _ in range(times):
        middle = near / 2 + far / 2
        near, far = (middle, far) if accept(middle) else (near, middle)
    return near


def crossing(near: float, far: float, gap: Callable[[float], float]) -> float:
    """The approximate zero of a gap, between a number where it is negative (an overlap) and one where it is not.

    Regula falsi; the value at an end that stays counts half (Illinois method, Dowell and Jarratt 1971).
    """
    low, high = gap(near), gap(far)
    if not (low <= 0 < high and math.isfinite(low) and math.isfinite(high)):
        return near / 2 + far / 2
    middle, side = near, 0
    for _ in range(TRIES):
        middle = (near * high - far * low) / (high - low)
        value = gap(middle)
        if not value or not min(near, far) < middle < max(near, far):
            break
        if value <= 0:
            near, low, high, side = middle, value, high / 2 if side < 0 else high, -1
        else:
            far, high, low, side = middle, value, low / 2 if side > 0 else low, 1
    return middle


def last_accepted_near(guess: float, near: float, far: float, accept: Callable[[float], bool]) -> float:
    """The result of `last_accepted`, sooner where it is close to a guess or to a short decimal near the guess."""
    low, high = ordinal(near), ordinal(far)
    onward = 1 if high > low else -1

    def narrow(number: int) -> bool:
        """Move an end to the number with an ordinal, if it is between them; True if it is."""
        nonlocal low, high
        if not min(low, high) < number < max(low, high):
            return False
        low, high = (number, high) if accept(of_ordinal(number)) else (low, number)
        return True

    short, about = ordinal(round(guess, SHORT)), ordinal(guess)
    narrow(short)
    narrow(short + onward)
    if narrow(about):
        way = onward if low == about else -onward
        number = about + way
        while narrow(number) and (low == number) == (way == onward):
            number += 2 * (number - about)
    return last_accepted(near if low == ordinal(near) else of_ordinal(low), of_ordinal(high), accept)


SLIVER = 1e-6
"""The least length of a cross product of unit vectors that is used as an axis."""


class Hull(NamedTuple):
    """A bounded shape: corners (n, 3), and the unit directions (k, 3) of its faces' normals and of its edges."""

    corners: Array
    normals: Array
    edges: Array


def hull_of(shape: Shape) -> Hull | None:
    """The hull of a shape; None of an unbounded or round one."""
    kind = KINDS[type(shape)]
    if kind.cell is Cell.LINE or kind.radius is not None:
        return None
    if kind.spans is None:
        known = features(shape)
        ends = known.corners[np.array(known.edges, np.intp).reshape(-1, 2)]
        return Hull(known.corners, known.normals, _units(ends[:, 1] - ends[:, 0])) if len(known.corners) else None
    arrays = features_of_rows(type(shape), *kind.spans(np.array(numbers_of(shape), float)[:, None]))
    edges = arrays.directions[0]
    normals = np.cross(arrays.planes[0, :, 0], arrays.planes[0, :, 1])
    if kind.dimension == 2:
        normals = np.concatenate([normals, np.cross(edges, normals)])
    return Hull(arrays.vertices[0], _units(normals), _units(edges))


def gap_to(shape: Shape) -> Callable[[Hull], float] | None:
    """The function from a hull to its gap to a shape; None for a round one, and an unbounded one but a plane."""
    if (hull := hull_of(shape)) is not None:
        return partial(widest_gap, hull)
    flat = features(shape)
    if not flat.faces:
        return None
    (normal,), (anchor,) = flat.normals, flat.anchors

    def from_plane(hull: Hull) -> float:
        heights = (hull.corners - anchor) @ normal
        return float(max(heights.min(), -heights.max()))

    return from_plane


def widest_gap(a: Hull, b: Hull) -> float:
    """The widest gap between two hulls, in scene units; negative where they overlap."""
    crosses = np.cross(a.edges[:, None], b.edges[None]).reshape(-1, 3)
    lengths = np.linalg.norm(crosses, axis=1)
    kept = lengths > SLIVER
    axes = np.concatenate([a.normals, b.normals, crosses[kept] / lengths[kept, None]])
    p, q = axes @ a.corners.T, axes @ b.corners.T
    gaps = np.maximum(p.min(axis=1) - q.max(axis=1), q.min(axis=1) - p.max(axis=1))
    return float(gaps.max(initial=-np.inf))


def _units(vectors: Array) -> Array:
    """The unit vectors (m, 3) of vectors (n, 3), without those of length 0."""
    lengths = np.linalg.norm(vectors, axis=1)
    kept = lengths > 0
    return np.asarray(vectors[kept] / lengths[kept, None])

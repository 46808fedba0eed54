"""Where a point on its way first comes within a radius of the difference of two sets, in floats: a proposal.

The points b - a of two sets are nearest to a point outside in the hull of a few corners, found by support points
(Gilbert, Johnson and Keerthi 1988). As long as a plane across the shortest vector parts them, the point may move
up to that plane (van den Bergen 2004). Whether the corners found are right is for integers to prove.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Generic, NamedTuple

import numpy as np

from hitscope.geometry.exact.sides import Array
from hitscope.geometry.shapes import Vec3
from hitscope.geometry.vector import N, cross, dot, subtract

NOISE = 2.0**-50
"""About the error of a product of vectors that are no longer than 1."""
ROUNDS = 64
"""More rounds than are needed unless rounding makes corners alternate."""


class Moving(NamedTuple, Generic[N]):
    """Corners a + t * way of a set that moves, corners b of another, and the radius within which they meet."""

    starts: Sequence[tuple[N, N, N]]
    ends: Sequence[tuple[N, N, N]]
    way: tuple[N, N, N]
    radius: N


class Approach(NamedTuple):
    """The corners whose hull is nearest to a point on its way, with the weights of its nearest point."""

    is_apart: bool
    """Whether the point never comes within the radius."""
    t: float
    away: Vec3
    """The vector from the nearest point to the point on its way."""
    corners: Sequence[tuple[int, int]]
    """The indices of a and b of each corner b - a."""
    weights: Sequence[float]


def in_floats(pair: Moving[int]) -> Moving[float]:
    """Return the same seen from a corner, in units for which no number is above 1."""
    center = pair.ends[0]
    seen = [pair.way, *(subtract(point, center) for point in (*pair.starts, *pair.ends))]
    size = max(pair.radius, *(abs(number) for vector in seen for number in vector)) or 1
    way, *points = [(x / size, y / size, z / size) for x, y, z in seen]
    return Moving(points[: len(pair.starts)], points[len(pair.starts) :], way, pair.radius / size)


def approach(
    pair: Moving[float], first: float, last: float, corners: Sequence[tuple[int, int]]
) -> Approach | None:
    """Return where two sets come within their radius, from a first t on; None if rounding keeps it from an end.

    The search starts with some corners b - a. Of sets that do not move those that are nearest are found.
    """
    starts, ends, way, radius = pair
    moves, t = any(way), first
    for _ in range(ROUNDS):
        x, y, z = t * way[0], t * way[1], t * way[2]
        points = [
            (x - ends[j][0] + starts[i][0], y - ends[j][1] + starts[i][1], z - ends[j][2] + starts[i][2])
            for i, j in corners
        ]
        squared, away, kept, weights = _shortest(points)
        corners = [corners[k] for k in kept]
        if len(corners) == 4 or (t == first and squared <= radius * radius):
            return Approach(False, t, away, corners, weights)
        i, lowest = _foremost(starts, (-away[0], -away[1], -away[2]))
        j, highest = _foremost(ends, away)
        over = dot(away, (x, y, z)) - lowest - highest
        height = over - radius * sqrt(squared)
        is_nearest = squared - over <= NOISE
        if height > NOISE and moves:
            fall = -dot(away, way)
            if fall <= 0 or (t := t + height / fall) > last:
                return Approach(True, t, away, corners, weights)
        elif is_nearest:
            return Approach(height > NOISE, t, away, corners, weights)
        if not is_nearest:
            corners.append((i, j))
    return None


def _foremost(points: Sequence[Vec3] | Array, way: Vec3) -> tuple[int, float]:
    """Return which of some points is foremost along a way, and its height."""
    if isinstance(points, np.ndarray):
        rows: Array = points @ way
        return int(rows.argmax()), float(rows.max())
    u, v, w = way
    heights = [u * x + v * y + w * z for x, y, z in points]
    height = max(heights)
    return heights.index(height), height


def _shortest(points: Sequence[Vec3]) -> tuple[float, Vec3, Sequence[int], Sequence[float]]:
    """Return the point of the hull of 1 to 4 points nearest to the origin: squared, which points, and weights.

    It is that of the points' whole plane, or in the hull without a point that has no positive weight there.
    """
    weights = _weights(points)
    if weights and min(weights) > 0:
        x = y = z = 0.0
        for part, (p, q, r) in zip(weights, points, strict=True):
            x, y, z = x + part * p, y + part * q, z + part * r
        return x * x + y * y + z * z, (x, y, z), range(len(points)), weights
    found = []
    for left_out in range(len(points)):
        if not (weights and weights[left_out] > 0):
            rest = [k for k in range(len(points)) if k != left_out]
            squared, point, kept, of_kept = _shortest([points[k] for k in rest])
            found.append((squared, point, [rest[k] for k in kept], of_kept))
    return min(found, key=lambda each: each[0])


def _weights(points: Sequence[Vec3]) -> Sequence[float]:
    """Return the weights of the point nearest to the origin on the line or plane of points; () if it is none."""
    if len(points) == 1:
        return (1.0,)
    a, b = points[:2]
    e = subtract(b, a)
    if len(points) == 2:
        size = dot(e, e)
        others = [-dot(a, e)]
    else:
        f = subtract(points[2], a)
        normal = cross(e, f)
        if len(points) == 3:
            size = dot(normal, normal)
            others = [dot(cross(f, a), normal), dot(cross(a, e), normal)]
        else:
            g = subtract(points[3], a)
            size = dot(normal, g)
            others = [-dot(a, cross(f, g)), -dot(a, cross(g, e)), -dot(a, normal)]
    if not size:
        return ()
    others = [other / size for other in others]
    return 1 - sum(others), *others

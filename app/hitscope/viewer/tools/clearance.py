"""How far two shapes are apart, in floats: a guide for the search of an exact boundary, never itself a verdict.

It is the widest gap along the axes that can separate convex shapes, negative where all of them overlap.
"""

import math
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from hitscope.draw.items import Array
from hitscope.geometry.exact.float64_points import last_accepted, of_ordinal, ordinal
from hitscope.geometry.shapes import (
    Aabb,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Segment,
    Shape,
    Triangle,
)
from hitscope.viewer.tools.features import features

SLIVER = 1e-6
"""The cross product of unit vectors that is shorter is no axis: they are as good as parallel."""
TRIES = 24
SHORT = 12
"""Places are often at decimals that are no longer than this."""
CORNERS = np.array([*product((0.0, 1.0), repeat=3)])


class Hull(NamedTuple):
    """A bounded shape: corners (n, 3), and the unit directions (k, 3) of its faces' normals and of its edges."""

    corners: Array
    normals: Array
    edges: Array


def hull_of(shape: Shape) -> Hull | None:
    """Give the hull of a shape; what is unbounded has none."""
    return HULLS[type(shape)](shape)


def gap_to(shape: Shape) -> Callable[[Hull], float] | None:
    """Give what says how far a hull is from a shape; None where that is unbounded and no plane."""
    if (hull := hull_of(shape)) is not None:
        return partial(clearance, hull)
    flat = features(shape)
    if not flat.faces:
        return None
    (normal,), (anchor,) = flat.normals, flat.anchors

    def from_plane(hull: Hull) -> float:
        heights = (hull.corners - anchor) @ normal
        return float(max(heights.min(), -heights.max()))

    return from_plane


def clearance(a: Hull, b: Hull) -> float:
    """Give the widest gap between two hulls."""
    crosses = np.cross(a.edges[:, None], b.edges[None]).reshape(-1, 3)
    lengths = np.linalg.norm(crosses, axis=1)
    kept = lengths > SLIVER
    axes = np.concatenate([a.normals, b.normals, crosses[kept] / lengths[kept, None]])
    p, q = axes @ a.corners.T, axes @ b.corners.T
    gaps = np.maximum(p.min(axis=1) - q.max(axis=1), q.min(axis=1) - p.max(axis=1))
    return float(gaps.max(initial=-np.inf))


def crossing(near: float, far: float, gap: Callable[[float], float]) -> float:
    """Give about where a gap stops being an overlap, from a number where it is one to one where it is none.

    The chord is followed, and the end that stays is let count half (Dowell and Jarratt 1971).
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
    """Give what `last_accepted` gives, sooner where it is close to a guess, or a short decimal close to one."""
    low, high = ordinal(near), ordinal(far)
    onward = 1 if high > low else -1

    def ask(place: int) -> bool:
        """Narrow the ends down to a number between them; says whether it is between them."""
        nonlocal low, high
        if not min(low, high) < place < max(low, high):
            return False
        if accept(of_ordinal(place)):
            low = place
        else:
            high = place
        return True

    short, about = ordinal(round(guess, SHORT)), ordinal(guess)
    ask(short)
    ask(short + onward)
    if ask(about):
        way = onward if low == about else -onward
        place = about + way
        while ask(place) and (low == place) == (way == onward):
            place += 2 * (place - about)
    return last_accepted(near if low == ordinal(near) else of_ordinal(low), of_ordinal(high), accept)


def _box(origin: Array, edges: Array) -> Hull:
    units = _units(edges)
    normals = np.cross(units[[1, 2, 0]], units[[2, 0, 1]])
    return Hull(origin + CORNERS @ edges, _units(normals), units)


def _of_point(point: Point) -> Hull:
    return Hull(np.array([point.position]), np.empty((0, 3)), np.empty((0, 3)))


def _of_segment(segment: Segment) -> Hull:
    start, end = segment
    return Hull(np.array([start, end]), np.empty((0, 3)), _units(np.subtract([end], [start])))


def _of_triangle(triangle: Triangle) -> Hull:
    corners = np.array(triangle)
    edges = _units(np.roll(corners, -1, axis=0) - corners)
    normal = _units(np.cross(edges[:1], edges[1:2]))
    return Hull(corners, np.concatenate([normal, np.cross(edges, normal)]), edges)


def _of_aabb(box: Aabb) -> Hull:
    return _box(np.array(box.lo), np.diag(np.subtract(box.hi, box.lo)))


def _of_obb(box: Obb) -> Hull:
    edges = 2 * np.array(box.half_extents)[:, None] * np.array(box.axes)
    return _box(np.array(box.center) - edges.sum(axis=0) / 2, edges)


def _of_parallelepiped(body: Parallelepiped) -> Hull:
    return _box(np.array(body.origin), np.array(body.edges))


def _of_polyhedron(body: Polyhedron) -> Hull | None:
    known = features(body)
    ends = known.corners[np.array(known.edges, np.intp).reshape(-1, 2)]
    return Hull(known.corners, known.normals, _units(ends[:, 1] - ends[:, 0])) if len(known.corners) else None


def _no_hull(_: Shape) -> None:
    return None


HULLS: dict[type[Shape], Callable[[Any], Hull | None]] = {
    Point: _of_point,
    Segment: _of_segment,
    Ray: _no_hull,
    Line: _no_hull,
    Triangle: _of_triangle,
    Aabb: _of_aabb,
    Obb: _of_obb,
    Parallelepiped: _of_parallelepiped,
    Plane: _no_hull,
    Polyhedron: _of_polyhedron,
}
"""The function that gives the hull of each type of shape."""


def _units(vectors: Array) -> Array:
    """Give unit vectors, of those without a length none."""
    lengths = np.linalg.norm(vectors, axis=1)
    kept = lengths > 0
    return np.asarray(vectors[kept] / lengths[kept, None])

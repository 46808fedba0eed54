"""Hulls of shapes and the gap between two, in floats: a guide for the search of a boundary, never a verdict.

The gap is the widest along the axes that can separate convex shapes, negative where the shapes overlap on all.
"""

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from hitscope.geometry.arrays import Array
from hitscope.geometry.features.shape_features import features
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

SLIVER = 1e-6
"""The least length of a cross product of unit vectors that is used as an axis."""
CORNERS = np.array([*product((0.0, 1.0), repeat=3)])


class Hull(NamedTuple):
    """A bounded shape: corners (n, 3), and the unit directions (k, 3) of its faces' normals and of its edges."""

    corners: Array
    normals: Array
    edges: Array


def hull_of(shape: Shape) -> Hull | None:
    """The hull of a shape; None of an unbounded one."""
    return HULLS[type(shape)](shape)


def gap_to(shape: Shape) -> Callable[[Hull], float] | None:
    """The function from a hull to its gap to a shape; None for an unbounded shape other than a plane."""
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
"""The function that makes the hull, for each type of shape."""


def _units(vectors: Array) -> Array:
    """The unit vectors (m, 3) of vectors (n, 3), without those of length 0."""
    lengths = np.linalg.norm(vectors, axis=1)
    kept = lengths > 0
    return np.asarray(vectors[kept] / lengths[kept, None])

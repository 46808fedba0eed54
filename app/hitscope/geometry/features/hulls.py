"""Hulls of shapes and the gap between two, in floats: a guide for the search of a boundary, never a verdict.

The gap is the widest along the axes that can separate convex shapes, negative where the shapes overlap on all.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from hitscope.geometry.arrays import Array, numbers_of
from hitscope.geometry.exact.feature_arrays import features as features_of_rows
from hitscope.geometry.features.shape_features import features
from hitscope.geometry.kinds import KINDS, Cell
from hitscope.geometry.shapes import Shape

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

"""The corners, edges and faces of a shape that a handle can snap to, exact, and as floats to search by."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from hitscope.geometry.arrays import Array, finite
from hitscope.geometry.exact import corners, is_bounded, is_plane, rounded
from hitscope.geometry.exact.integers import ExactPoint, Homogeneous, Vector, exact_point, over_one_denominator
from hitscope.geometry.exact.sets import convex_set, radius_of
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.shapes import Shape, is_linear
from hitscope.geometry.traits import all_bounds
from hitscope.geometry.vector import cross, dot, subtract

BOX_FACES = ("-x", "+x", "-y", "+y", "-z", "+z")
"""A box's faces in the order of its exact set; of an obb or parallelepiped, along its own axes."""

SOLID = 4
"""A bounded shape of fewer faces is flat."""


class Face(NamedTuple):
    """The points with dot(normal, p) = offset within the polygon of these corners; of a plane, without end."""

    name: str
    corners: tuple[int, ...]
    normal: Vector
    offset: Fraction


@dataclass(frozen=True)
class Features:
    """Corners, exact and as floats (n, 3), edges (m, 2) by them, and faces; of a round shape those of its core."""

    exact_corners: tuple[ExactPoint, ...]
    corners: Array
    edges: tuple[tuple[int, int], ...]
    faces: tuple[Face, ...]
    normals: Array  # (k, 3) of the faces, unit
    anchors: Array  # (k, 3) a point of each face
    reaches: Array  # (k,) the largest distance of its polygon from there
    radius: float = 0.0
    """The distance of a round shape's surface from these."""

    @cached_property
    def half_spaces(self) -> tuple[Array, Array]:
        """The half-spaces that a bounded shape with faces fills, else none: outward normals and points (m, 3)."""
        if not self.faces or not self.faces[0].corners:
            return np.empty((0, 3)), np.empty((0, 3))
        normals, anchors = self.normals, self.anchors
        if len(self.faces) < SOLID:
            corners = self.corners[list(self.faces[0].corners)]
            sides = np.cross(np.roll(corners, -1, axis=0) - corners, normals[0])
            normals, anchors = np.concatenate([normals[:1], sides]), np.concatenate([anchors[:1], corners])
        inward = np.einsum("ni,ni->n", normals, self.corners.mean(axis=0) - anchors)
        normals = np.where(inward > 0, -1.0, 1.0)[:, None] * normals
        if len(self.faces) < SOLID:
            normals, anchors = np.concatenate([normals, -normals[:1]]), np.concatenate([anchors, anchors[:1]])
        return normals, anchors


@lru_cache(maxsize=1 << 12, typed=True)  # A drag needs the same features with every move.
def features(shape: Shape) -> Features:
    """The features of a shape; an unbounded polyhedron has none."""
    if is_linear(shape):
        ends = [exact_point(end) for end in corners(shape)]
        return _features(ends, [(0, 1)] if is_bounded(shape) else [], [])
    if KINDS[type(shape)].dimension == 2 and is_plane(shape):
        (slab, *_) = convex_set(shape).planes
        return _features([], [], [Face("", (), slab.normal, Fraction(slab.hi or 0))])
    body = convex_set(shape)
    if not body.bounded:
        return _features([], [], [])
    points = body.vertices
    index = {point: i for i, point in enumerate(points)}
    cycles = [tuple(index[point] for point in face) for face in body.faces]
    sides = {(min(i, j), max(i, j)) for cycle in cycles for i, j in pairwise((*cycle, cycle[0])) if i != j}
    names = [str(i + 1) for i in range(len(cycles))] if len(cycles) > 1 else [""]
    if KINDS[type(shape)].axis_names and len(cycles) == len(BOX_FACES):
        names = list(BOX_FACES)
    faces = [face for name, cycle in zip(names, cycles, strict=True) if (face := _face(name, cycle, points))]
    found = _features([exact_point(point) for point in points], sorted(sides), faces)
    return replace(found, radius=rounded(radius_of(shape)))


def bounding_spheres(shapes: Sequence[Shape]) -> tuple[Array, Array]:
    """Spheres around shapes: centers (n, 3) and radii (n,), infinite around unbounded shapes."""
    bounds = all_bounds(shapes)
    bounded = ~np.isinf(bounds).all(axis=(1, 2))
    lo, hi = (finite(bounds[bounded, end]) / 2 for end in (0, 1))
    centers, radii = np.zeros((len(shapes), 3)), np.full(len(shapes), np.inf)
    centers[bounded] = lo + hi
    with np.errstate(over="ignore"):
        radii[bounded] = finite(np.linalg.norm(hi - lo, axis=1)) * (1 + 1e-9)
    return centers, radii


def direction(vector: Vector) -> Array:
    """The unit vector (3,) of integers of any size."""
    largest = max(map(abs, vector))
    scaled = np.array([float(Fraction(value, largest)) for value in vector])
    return np.asarray(scaled / np.linalg.norm(scaled))


def _face(name: str, cycle: Sequence[int], points: Sequence[Homogeneous]) -> Face | None:
    """The face whose corners are the points of a cycle, with its plane; None of a polygon without area."""
    (first, *others), w = over_one_denominator(points[i] for i in cycle)
    for a, b in pairwise(others):
        normal = cross(subtract(a, first), subtract(b, first))
        if any(normal):
            return Face(name, tuple(cycle), normal, Fraction(dot(normal, first), w))
    return None


def _features(
    exact_corners: Sequence[ExactPoint], edges: Sequence[tuple[int, int]], faces: Sequence[Face]
) -> Features:
    corners = finite(np.array([[rounded(value) for value in corner] for corner in exact_corners]).reshape(-1, 3))
    normals = np.array([direction(face.normal) for face in faces]).reshape(-1, 3)
    anchors = [corners[face.corners[0]] if face.corners else _foot(face) for face in faces]
    reaches = [
        np.linalg.norm(corners[list(face.corners)] - anchor, axis=1).max() if face.corners else np.inf
        for face, anchor in zip(faces, anchors, strict=True)
    ]
    around = np.array(anchors).reshape(-1, 3), np.array(reaches) * (1 + 1e-9)
    return Features(tuple(exact_corners), corners, tuple(edges), tuple(faces), normals, *around)


def _foot(face: Face) -> list[float]:
    """The point of a plane that is nearest to the origin."""
    squared = dot(face.normal, face.normal)
    return [rounded(face.offset * n / squared) for n in face.normal]

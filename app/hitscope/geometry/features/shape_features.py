"""The corners, edges and faces of a shape that a handle can snap to, exact, and as floats to search by."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hitscope.geometry.arrays import Array, finite
from hitscope.geometry.exact import rounded
from hitscope.geometry.exact.integers import Homogeneous, Vector, over_one_denominator
from hitscope.geometry.exact.sets import convex_set
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
from hitscope.geometry.vector import cross, dot, subtract

ExactPoint: TypeAlias = tuple[Fraction, Fraction, Fraction]
"""A point in exact fractions."""

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
    """Corners as exact points and as floats (n, 3), edges (m, 2) by their corners, and faces."""

    exact_corners: tuple[ExactPoint, ...]
    corners: Array
    edges: tuple[tuple[int, int], ...]
    faces: tuple[Face, ...]
    normals: Array  # (k, 3) of the faces, unit
    anchors: Array  # (k, 3) a point of each face
    reaches: Array  # (k,) the largest distance of its polygon from there

    @cached_property
    def half_spaces(self) -> tuple[Array, Array]:
        """The half-spaces that a bounded shape with faces fills: outward normals and points of planes (m, 3).

        A flat one fills its polygon; other shapes have none.
        """
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
    return SHAPE_FEATURES[type(shape)].features(shape)


def bounding_spheres(shapes: Sequence[Shape]) -> tuple[Array, Array]:
    """Spheres around shapes: centers (n, 3) and radii (n,), infinite around unbounded shapes."""
    points = [SHAPE_FEATURES[type(shape)].extremes(shape) for shape in shapes]
    sizes = [len(found) for found in points]
    if not any(sizes):
        return np.zeros((len(shapes), 3)), np.full(len(shapes), np.inf)
    flat = finite(np.array([point for found in points for point in found], dtype=float)) / 2
    bounded = np.array(sizes) > 0
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])[bounded]
    lo, hi = np.minimum.reduceat(flat, starts), np.maximum.reduceat(flat, starts)
    centers, radii = np.zeros((len(shapes), 3)), np.full(len(shapes), np.inf)
    centers[bounded] = lo + hi
    radii[bounded] = finite(np.linalg.norm(hi - lo, axis=1)) * (1 + 1e-9)
    return centers, radii


def direction(vector: Vector) -> Array:
    """The unit vector (3,) of integers of any size."""
    largest = max(map(abs, vector))
    scaled = np.array([float(Fraction(value, largest)) for value in vector])
    return np.asarray(scaled / np.linalg.norm(scaled))


def _of_plane(plane: Plane) -> Features:
    (slab,) = convex_set(plane).slabs
    assert slab.hi is not None
    return _features([], [], [Face("", (), slab.normal, Fraction(slab.hi))])


def _of_segment(segment: Segment) -> Features:
    return _features([_exact_point(segment.start), _exact_point(segment.end)], [(0, 1)], [])


def _of_ray(ray: Ray | Line) -> Features:
    return _features([_exact_point(ray.origin)], [], [])


def _of_box(box: Aabb | Obb | Parallelepiped) -> Features:
    return _of_solid(box, BOX_FACES)


def _of_solid(shape: Shape, box_faces: Sequence[str] = ()) -> Features:
    """The features of a convex set; its faces have the names of a box's faces if they are as many."""
    body = convex_set(shape)
    if not body.bounded:
        return _features([], [], [])
    points = body.vertices
    index = {point: i for i, point in enumerate(points)}
    cycles = [tuple(index[point] for point in face) for face in body.faces]
    sides = {(min(i, j), max(i, j)) for cycle in cycles for i, j in pairwise((*cycle, cycle[0])) if i != j}
    numbers = [str(i + 1) for i in range(len(cycles))] if len(cycles) > 1 else [""]
    names = box_faces if len(cycles) == len(box_faces) else numbers
    faces = [face for name, cycle in zip(names, cycles, strict=True) if (face := _face(name, cycle, points))]
    return _features([_of_homogeneous(point) for point in points], sorted(sides), faces)


def _own_points(shape: Shape) -> Sequence[Any]:
    return shape


def _no_points(_: Shape) -> Sequence[Any]:
    return ()


def _obb_extremes(box: Obb) -> Sequence[Any]:
    center, half_extents, axes = box
    reach = [sum(e * abs(u[k]) for e, u in zip(half_extents, axes, strict=True)) for k in range(3)]
    return [
        [c - r for c, r in zip(center, reach, strict=True)],
        [c + r for c, r in zip(center, reach, strict=True)],
    ]


def _parallelepiped_extremes(body: Parallelepiped) -> Sequence[Any]:
    return [
        [o + sum(pick(edge[k], 0.0) for edge in body.edges) for k, o in enumerate(body.origin)]
        for pick in (min, max)
    ]


def _polyhedron_corners(body: Polyhedron) -> Sequence[Any]:
    return features(body).corners.tolist() if body.planes else body.vertices


class ShapeFeatures(NamedTuple):
    """The functions that find the features of one type of shape."""

    features: Callable[[Any], Features]
    extremes: Callable[[Any], Sequence[Any]]
    """Points that bound a shape; none where it is unbounded."""
    corner_names: tuple[str, ...] = ()
    """The names of the corners, if they have names; a corner with the name "" has that of the shape."""


SHAPE_FEATURES: dict[type[Shape], ShapeFeatures] = {
    Point: ShapeFeatures(_of_solid, _own_points, ("",)),
    Segment: ShapeFeatures(_of_segment, _own_points, ("start", "end")),
    Ray: ShapeFeatures(_of_ray, _no_points, ("origin",)),
    Line: ShapeFeatures(_of_ray, _no_points, ("origin",)),
    Triangle: ShapeFeatures(_of_solid, _own_points),
    Aabb: ShapeFeatures(_of_box, _own_points),
    Obb: ShapeFeatures(_of_box, _obb_extremes),
    Parallelepiped: ShapeFeatures(_of_box, _parallelepiped_extremes),
    Plane: ShapeFeatures(_of_plane, _no_points),
    Polyhedron: ShapeFeatures(_of_solid, _polyhedron_corners),
}
"""The entry of each type of shape."""


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


def _exact_point(point: Sequence[float]) -> ExactPoint:
    x, y, z = map(Fraction, point)
    return x, y, z


def _of_homogeneous(point: Homogeneous) -> ExactPoint:
    x, y, z, w = point
    return Fraction(x, w), Fraction(y, w), Fraction(z, w)

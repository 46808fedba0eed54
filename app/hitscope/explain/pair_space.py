"""The space that a pair of shapes takes up, in which the values of its methods are drawn."""

import math
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeGuard

import numpy as np

from hitscope.geometry import shapes
from hitscope.geometry.arrays import Array, finite
from hitscope.geometry.exact import radius_of
from hitscope.geometry.features.shape_features import Face, features
from hitscope.geometry.polyhedron import planes_of
from hitscope.geometry.traits import Bounds, bounds_of

Polygon = tuple[Array, ...]
"""The corners of a face in order; two of an edge."""

MARGIN = 0.3
"""The length of an axis beyond the shadows, in radii of the primitive."""
ARC = (0.0, 0.25, 0.5, 0.75)
"""The points at which half of an arc is drawn, as parts of it."""
PATCH = 0.95
"""Half of the side of a plane's patch, in radii of what it is drawn around."""


class NoPictureError(Exception):
    """Raised of a value that stands for nothing in the scene."""


class PairSpace:
    """The middle and the size of a pair, and the primitive's faces."""

    def __init__(self, probe: shapes.Shape, primitive: shapes.Shape) -> None:
        self._bounds = [bounds for shape in (probe, primitive) if (bounds := _finite_bounds(shape)) is not None]
        self._shapes = probe, primitive
        self.primitive = primitive
        self.line: shapes.Linear | None = shapes.linear(probe) if shapes.is_linear(probe) else None
        """The probe, if it is linear, or the way of its middle, if it moves."""
        if isinstance(probe, shapes.Cast) and (bounds := _finite_bounds(probe.inner)) is not None:
            middle: Any = (bounds[0] / 2 + bounds[1] / 2).tolist()
            self.line = shapes.Linear(tuple(middle), probe[-1], 0.0, 1.0)
        self._bounded_primitive = _finite_bounds(primitive)

    @cached_property
    def middle(self) -> Array:
        """The middle (3,) of the space that the bounds of both have in common, or that is between them."""
        if not self._bounds:
            assert self.line is not None or isinstance(self.primitive, shapes.Plane | shapes.Polyhedron)
            return np.zeros(3) if self.line is None else np.array(self.line.origin, float)
        lo = np.max([lo for lo, _ in self._bounds], axis=0)
        hi = np.min([hi for _, hi in self._bounds], axis=0)
        return np.asarray(lo / 2 + hi / 2)

    @cached_property
    def bounds(self) -> Bounds:
        """The bounds (3,), (3,) of both, as far as they are bounded, with the origin of an endless probe."""
        ends = [end for bounds in self._bounds for end in bounds]
        if self.line is not None:
            ends.append(np.array(self.line.origin, float))
        return (np.min(ends, axis=0), np.max(ends, axis=0)) if ends else (np.zeros(3), np.zeros(3))

    @cached_property
    def reach(self) -> float:
        """The radius of a sphere around both, as far as they are bounded."""
        return _half_diagonal(self.bounds) or (math.hypot(*self.line.direction) if self.line else 0.0) or 1.0

    @cached_property
    def size(self) -> float:
        """The radius of the primitive, or of the probe, whichever is bounded."""
        bounds = self._bounded_primitive or (self._bounds[0] if self._bounds else None)
        return (_half_diagonal(bounds) if bounds else 0.0) or self.reach

    def span(self, unit: Array) -> tuple[Array, Array]:
        """The ends of a line through the middle along a unit vector, beyond the shadows of both on it."""
        ends: list[float] = []
        for shape in self._shapes:
            with np.errstate(all="ignore"):
                heights, radius = finite((features(shape).corners - self.middle) @ unit), float(radius_of(shape))
            if len(heights):
                ends += [float(heights.min()) - radius, float(heights.max()) + radius]
        margin = MARGIN * self.size
        low, high = min(ends, default=0.0) - margin, max(ends, default=0.0) + margin
        return self.middle + low * unit, self.middle + high * unit

    def patch(self, normal: Array, offset: float) -> Polygon:
        """The corners of a square of a plane dot(normal, p) = offset, the normal unit, around the primitive."""
        bounds = self._bounded_primitive
        around = self.middle if bounds is None else bounds[0] / 2 + bounds[1] / 2
        center = around + (offset - float(normal @ around)) * normal
        across = np.eye(3)[np.abs(normal).argmin()]
        u = np.cross(normal, across)
        u *= PATCH * self.size / float(np.linalg.norm(u))
        v = np.cross(normal, u)
        return center + u + v, center - u + v, center - u - v, center + u - v

    def sum_outline(self, radius: float) -> list[tuple[Array, Array]]:
        """Return the strokes around the Minkowski sum of the primitive, if it has faces, and a sphere."""
        known = features(self.primitive)
        sides: dict[frozenset[int], list[Array]] = {}
        for face, normal in zip(known.faces, known.normals, strict=True):
            for side in pairwise((*face.corners, *face.corners[:1])):
                sides.setdefault(frozenset(side), []).append(normal)
        middle, strokes = known.corners.mean(axis=0), []
        for edge, normals in sides.items():
            first, last = normals[0], normals[-1] if len(normals) > 1 else -normals[0]
            p, q = known.corners[list(edge)]
            between = first + last
            if not between.any():  # a flat shape, whose other side has no face of its own
                between = np.cross(q - p, first) / math.dist(p, q)
                between *= np.sign(between @ (p - middle)) or 1.0
            ways = [part * b + (1 - part) * a for a, b in ((first, between), (between, last)) for part in ARC]
            offsets = [radius / float(np.linalg.norm(way)) * way for way in (*ways, last)]
            strokes += [(p + offset, q + offset) for offset in (offsets[0], offsets[-1])]
            strokes += [(end + a, end + b) for end in (p, q) for a, b in pairwise(offsets)]
        return strokes

    def slab(self, axis: int) -> Iterator[tuple[str, Polygon]]:
        """Yield the two faces across an axis of the primitive, by their names."""
        faces = features(self.primitive).faces
        if isinstance(self.primitive, shapes.BoxShape) and len(faces) == 6 and 0 <= axis < 3:
            for face in faces[2 * axis : 2 * axis + 2]:
                yield f"face {face.name}", self._corners(face)

    def feature(self, index: int) -> Iterator[tuple[str, Polygon]]:
        """Yield the faces, or the edge, of the primitive that an index of `answers` stands for."""
        primitive = self.primitive
        if index < 0:
            return
        if isinstance(primitive, shapes.Triangle):
            a, b, c = (np.array(corner, float) for corner in primitive)
            names = ("edge 0-1", (a, b)), ("edge 1-2", (b, c)), ("edge 0-2", (c, a)), ("plane", (a, b, c))
            yield from names[index : index + 1]
        elif isinstance(primitive, shapes.Aabb | shapes.Obb):
            faces = features(primitive).faces
            if index >= 6:
                yield from self.slab(index - 6)
            elif len(faces) == 6:
                yield f"face {faces[index].name}", self._corners(faces[index])
        elif isinstance(primitive, shapes.Parallelepiped | shapes.Polyhedron):
            own = isinstance(primitive, shapes.Polyhedron) and primitive.planes
            planes = own or planes_of(primitive)
            if index < len(planes):
                yield from self.face_in(planes[index], str(index))
            else:
                yield from self.slab(index - len(planes))

    def face_in(self, plane: shapes.Plane, name: str = "") -> Iterator[tuple[str, Polygon]]:
        """Yield the face of the primitive in a plane; where it has none there, a patch of the plane."""
        length = math.hypot(*map(float, plane.normal))
        if not 0 < length < math.inf:
            return
        normal, offset = np.array(plane.normal, float) / length, float(plane.offset) / length
        known = features(self.primitive)
        for face, own, anchor in zip(known.faces, known.normals, known.anchors, strict=True):
            if face.corners and abs(own @ normal) > 1 - 1e-9 and abs(normal @ anchor - offset) < 1e-6 * self.size:
                yield name, self._corners(face)
                return
        yield name, self.patch(normal, offset)

    def named_face(self, name: str) -> Iterator[tuple[str, Polygon]]:
        """Yield the face of the primitive that has a name, e.g. "face +x"."""
        for face in features(self.primitive).faces:
            if face.corners and name == f"face {face.name}":
                yield name, self._corners(face)

    def _corners(self, face: Face) -> Polygon:
        return tuple(features(self.primitive).corners[list(face.corners)])


def middle_of(value: Any) -> Array:
    """The point that a value stands for: a vector itself, a shape its middle; else raises NoPictureError."""
    if hasattr(value, "center"):
        value = value.center
    elif isinstance(value, shapes.Aabb):
        value = [lo / 2 + hi / 2 for lo, hi in zip(*value, strict=True)]
    elif isinstance(value, shapes.Triangle):
        value = [sum(parts) / 3 for parts in zip(*value, strict=True)]
    elif hasattr(value, "origin"):
        value = value.origin
    return vector(value)


def is_plane(value: Any) -> TypeGuard[shapes.Plane]:
    return isinstance(value, shapes.Plane)


def vector(value: Any) -> Array:
    """Three numbers as an array (3,); raises NoPictureError where it is anything else, or they are not finite."""
    numbers = list(map(number, value)) if isinstance(value, (tuple, list)) else []
    if len(numbers) != 3 or any(map(math.isinf, numbers)):
        raise NoPictureError
    return np.array(numbers)


def number(value: Any) -> float:
    """A real number as a float, which may be infinite; raises NoPictureError of anything else, and of a NaN."""
    try:
        found = math.nan if isinstance(value, (bool, np.bool_, str)) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if math.isnan(found):
        raise NoPictureError
    return found


def _finite_bounds(shape: shapes.Shape) -> Bounds | None:
    bounds = bounds_of(shape)
    return bounds if np.isfinite(bounds).all() else None


def _half_diagonal(points: Bounds) -> float:
    half = finite(np.max(points, axis=0) / 2 - np.min(points, axis=0) / 2)
    return min(math.hypot(*half.tolist()), 1e300)

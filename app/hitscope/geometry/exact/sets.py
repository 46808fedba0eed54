"""A shape as the exact convex set that its float64 numbers define.

Caches of shapes are typed, since a line and a ray of the same numbers are equal as tuples.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from typing import TypeAlias

from hitscope.geometry.exact.hull import Slab, convex_cycle, edge_slabs, hull
from hitscope.geometry.exact.integers import (
    Homogeneous,
    Vector,
    over_one_denominator,
    over_power_of_two,
    reduced,
    times,
)
from hitscope.geometry.shapes import Aabb, Obb, Parallelepiped, Plane, Point, Polyhedron, Shape, Triangle
from hitscope.geometry.vector import cross, dot, subtract

Cycle: TypeAlias = tuple[Homogeneous, ...]
"""A convex polygon by its corners in turn; two corners are a segment, one is a point."""

BEYOND_FLOAT64 = 1100
"""An exponent of two beyond every coordinate of a bounded shape of float64 numbers."""


@dataclass(frozen=True)
class ConvexSet:
    """The intersection of `slabs`, and the polygons that bound it; a flat set is its own face.

    `planes` are the slabs without thickness: a flat set lies in each of them. `walls` are the others: a point of
    the set is in its relative interior if it is strictly inside each. An unbounded polyhedron's `faces` end far
    out; a plane has none.
    """

    slabs: tuple[Slab, ...]
    planes: tuple[Slab, ...]
    walls: tuple[Slab, ...]
    make_faces: Callable[[], Iterable[Cycle]] = field(repr=False)
    bounded: bool = True

    @cached_property
    def faces(self) -> tuple[Cycle, ...]:
        """The polygons, computed on first use: tests of linear probes do not need them."""
        return tuple(self.make_faces())

    @property
    def vertices(self) -> list[Homogeneous]:
        """The corners of the faces, each once."""
        return list(dict.fromkeys(point for face in self.faces for point in face))


@lru_cache(maxsize=1 << 16, typed=True)  # A drag changes one shape; all others are found in the cache.
def convex_set(shape: Shape) -> ConvexSet:
    """Return the exact set of a shape other than a segment, ray or line; raises TypeError for those."""
    match shape:
        case Point(position):
            points, w = over_power_of_two([position])
            return _of_points(points, w)
        case Triangle():
            return _triangle(shape)
        case Aabb():
            return _aabb(shape)
        case Obb():
            return _obb(shape)
        case Parallelepiped():
            return _parallelepiped(shape)
        case Plane(normal, offset):
            plane = _half_space(normal, offset)
            plane = Slab(plane.normal, plane.hi, plane.hi)
            return ConvexSet((plane,), (plane,), (), tuple, bounded=False)
        case Polyhedron((), vertices):
            points, w = over_power_of_two(vertices)
            return _of_points(points, w)
        case Polyhedron(planes):
            return _of_half_spaces([_half_space(*plane) for plane in planes])
    raise TypeError(f"{shape} is no convex set with faces")


def clip_cycle(cycle: Sequence[Homogeneous], slabs: Iterable[Slab]) -> list[Homogeneous]:
    """Return the part of a polygon inside all slabs (Sutherland and Hodgman 1974); empty if there is none."""
    kept = list(cycle)
    for slab in slabs:
        if slab.hi is not None:
            kept = _clip_half_space(kept, slab.normal, slab.hi)
        if slab.lo is not None:
            kept = _clip_half_space(kept, times(slab.normal, -1), -slab.lo)
        if not kept:
            break
    return kept


def _clip_half_space(cycle: Sequence[Homogeneous], normal: Vector, bound: int) -> list[Homogeneous]:
    excess = [dot(normal, point) - bound * point[3] for point in cycle]
    kept = []
    for k, (p, over) in enumerate(zip(cycle, excess, strict=True)):
        following = (k + 1) % len(cycle)
        q, next_over = cycle[following], excess[following]
        if over <= 0:
            kept.append(p)
        if (over < 0 < next_over) or (next_over < 0 < over):
            # A positive combination of the two ends, so w stays positive.
            a, b = abs(next_over), abs(over)
            kept.append(reduced(*(a * s + b * t for s, t in zip(p, q, strict=True))))
    return kept


def _set(slabs: Sequence[Slab], make_faces: Callable[[], Iterable[Cycle]]) -> ConvexSet:
    planes = tuple(slab for slab in slabs if slab.lo == slab.hi)
    walls = tuple(slab for slab in slabs if slab.lo != slab.hi)
    return ConvexSet(tuple(slabs), planes, walls, make_faces)


def _of_points(points: Sequence[Vector], w: int) -> ConvexSet:
    """Return the convex hull of points, which are given times w."""
    found = hull(points)
    return _set(_over(found.slabs, w), lambda: [_cycle(face, w) for face in found.faces])


def _over(slabs: Iterable[Slab], w: int) -> list[Slab]:
    """Return the slabs of a set from those of the set times w."""
    return [Slab(times(slab.normal, w), slab.lo, slab.hi) for slab in slabs]


def _cycle(points: Iterable[Vector], w: int) -> Cycle:
    return tuple(reduced(*point, w) for point in points)


def _triangle(triangle: Triangle) -> ConvexSet:
    """Return the set of the plane, whose front sees the vertices counter-clockwise, and a half-space per edge."""
    points, w = over_power_of_two(triangle)
    a, b, c = points
    normal = cross(subtract(b, a), subtract(c, a))
    if not any(normal):
        return _of_points(points, w)
    offset = dot(normal, a)
    slabs = [Slab(normal, offset, offset), *edge_slabs(points, normal)]
    return _set(_over(slabs, w), lambda: [_cycle(points, w)])


def _aabb(box: Aabb) -> ConvexSet:
    (lo, hi), w = over_power_of_two(box)
    slabs = [Slab(unit, a, b) for unit, a, b in zip(((w, 0, 0), (0, w, 0), (0, 0, w)), lo, hi, strict=True)]
    return _set(slabs, lambda: _box_faces([(x, y, z) for x, y, z in product(*zip(lo, hi, strict=True))], w))


def _obb(box: Obb) -> ConvexSet:
    """Return the set of three slabs, whose normals are the dual basis: rounded axes are not quite orthonormal."""
    (center,), p = over_power_of_two([box.center])
    (half_extents,), q = over_power_of_two([box.half_extents])
    axes, r = over_power_of_two(box.axes)
    w = p * q * r
    middle = times(center, q * r)
    slabs = []
    for i in range(3):
        normal = cross(axes[(i + 1) % 3], axes[(i + 2) % 3])
        # |normal . (x - center)| <= half_extent * |normal . axis|, times the denominators.
        radius = half_extents[i] * abs(dot(normal, axes[i])) * p
        if dot(normal, axes[i]) < 0:
            normal = times(normal, -1)
        slabs.append(Slab(times(normal, w), dot(normal, middle) - radius, dot(normal, middle) + radius))

    def make_faces() -> list[Cycle]:
        half_edges = [times(axis, extent * p) for axis, extent in zip(axes, half_extents, strict=True)]
        return _box_faces(_corners(middle, half_edges, (-1, 1)), w)

    return _set(slabs, make_faces)


def _parallelepiped(box: Parallelepiped) -> ConvexSet:
    """Return the set of three slabs between opposite faces, or without volume the hull of the corners."""
    (origin,), p = over_power_of_two([box.origin])
    edges, q = over_power_of_two(box.edges)
    w = p * q
    origin, edges = times(origin, q), [times(edge, p) for edge in edges]
    slabs = []
    for i in range(3):
        normal = cross(edges[(i + 1) % 3], edges[(i + 2) % 3])
        volume = dot(normal, edges[i])
        if volume == 0:
            return _of_points(_corners(origin, edges, (0, 1)), w)
        if volume < 0:
            normal, volume = times(normal, -1), -volume
        slabs.append(Slab(times(normal, w), dot(normal, origin), dot(normal, origin) + volume))
    return _set(slabs, lambda: _box_faces(_corners(origin, edges, (0, 1)), w))


def _corners(start: Vector, edges: Sequence[Vector], ends: tuple[int, int]) -> list[Vector]:
    """Return the eight corners of a parallelepiped, the coefficient of the third edge varying fastest."""
    corners = []
    for i, j, k in product(ends, repeat=3):
        a, b, c = edges
        x, y, z = (o + i * s + j * t + k * u for o, s, t, u in zip(start, a, b, c, strict=True))
        corners.append((x, y, z))
    return corners


def _box_faces(corners: Sequence[Vector], w: int) -> list[Cycle]:
    """Return the six faces of a box whose corner k lies on side (k >> 2, k >> 1 & 1, k & 1) of its three slabs."""
    points = _cycle(corners, w)
    cycles = (0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)
    return [tuple(points[k] for k in cycle) for cycle in cycles]


def _half_space(normal: Sequence[float], offset: float) -> Slab:
    (vector, (bound, _, _)), _ = over_power_of_two([normal, (offset, 0.0, 0.0)])
    return Slab(vector, None, bound)


def _of_half_spaces(half_spaces: list[Slab]) -> ConvexSet:
    """Return the intersection of half-spaces: a cube beyond every vertex and every float64 shape, clipped by them.

    By Cramer's rule no vertex has a coordinate of more bits than a product of three of the largest numbers.
    """
    bits = max(number.bit_length() for n, _, bound in half_spaces for number in (*n, bound or 0))
    far = 1 << max(BEYOND_FLOAT64, 4 * bits + 8)
    faces = [list(face) for face in _box_faces(_corners((0, 0, 0), _FAR_EDGES, (-far, far)), 1)]
    for half_space in half_spaces:
        clipped = [kept for face in faces if (kept := clip_cycle(face, [half_space]))]
        points = dict.fromkeys(point for face in clipped for point in face)
        cut = [point for point in points if dot(half_space.normal, point) == (half_space.hi or 0) * point[3]]
        faces = [*clipped, _cap(cut, half_space.normal)] if cut else clipped
    if not faces:
        return ConvexSet(tuple(half_spaces), (), (), tuple)
    vectors, w = over_one_denominator(point for face in faces for point in face)
    found = hull(vectors)
    planes = [slab for slab in _over(found.slabs, w) if slab.lo == slab.hi]
    walls = [
        half_space
        for half_space in half_spaces
        if any(dot(half_space.normal, vector) != (half_space.hi or 0) * w for vector in vectors)
    ]
    bounded = all(abs(number) < far * w for vector in vectors for number in vector)
    cycles = tuple(_cycle(face, w) for face in found.faces)
    return ConvexSet((*half_spaces, *planes), tuple(planes), tuple(walls), lambda: cycles, bounded)


_FAR_EDGES: list[Vector] = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]


def _cap(points: list[Homogeneous], normal: Vector) -> list[Homogeneous]:
    vectors, w = over_one_denominator(points)
    return list(_cycle(convex_cycle(vectors, normal), w))

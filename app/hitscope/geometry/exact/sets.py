"""A shape as the exact convex set that its float64 numbers define.

Caches of shapes are typed, since a line and a ray of the same numbers are equal as tuples.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import chain, product
from math import ceil

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import Fault
from hitscope.geometry import shapes
from hitscope.geometry.checks import check_normal
from hitscope.geometry.exact.hull import ConvexHull, Cycle, Slab, edge_slabs, edges_of, hull, hull_of_half_spaces
from hitscope.geometry.exact.integers import (
    Homogeneous,
    Vector,
    over_one_denominator,
    over_power_of_two,
    reduced,
    times,
)
from hitscope.geometry.exact.sides import Sides, direction_rows
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.kinds.wrapped import Wrapped
from hitscope.geometry.vector import add, cross, dot, subtract

LARGE_FROM = 65
"""The slabs of a set from which it is worth while to leave some out."""
KEPT_SETS = 1 << 12
"""The most sets that are kept from one scene to the next, of 2 kB each."""
BEYOND_FLOAT64 = 1100
"""An exponent of two beyond every coordinate of a bounded shape of float64 numbers."""


@dataclass(frozen=True)
class ConvexSet:
    """The intersection of `slabs`, and the polygons that bound it; a flat set is its own face.

    All but the slabs is computed on first use: tests of linear probes do not need it. A plane has no faces.
    """

    slabs: Sequence[Slab]
    make_faces: Callable[[], Iterable[Cycle]] = field(default=tuple, repr=False)
    is_box: bool = False
    """Whether the first three slabs are those between opposite faces; a box along axes may have no volume."""

    @cached_property
    def planes(self) -> Sequence[Slab]:
        """The slabs without thickness: a flat set lies in each of them."""
        return [slab for slab in self.slabs if slab.lo == slab.hi]

    @cached_property
    def walls(self) -> Sequence[Slab]:
        """The other slabs: a point of the set is in its relative interior if it is strictly inside each."""
        return [slab for slab in self.slabs if slab.lo != slab.hi]

    @cached_property
    def bounded(self) -> bool:
        """Whether there is no point at infinity: a plane has but one slab, and what is bounded more."""
        return len(self.slabs) > 1

    @property
    def is_large(self) -> bool:
        """Whether floats choose the slabs and faces that integers have to look at."""
        return len(self.slabs) >= LARGE_FROM

    @cached_property
    def faces(self) -> tuple[Cycle, ...]:
        """The polygons; those of an unbounded polyhedron end far out."""
        return tuple(self.make_faces())

    @cached_property
    def sides(self) -> Sides:
        """The slabs in floats."""
        return Sides(self.slabs)

    @cached_property
    def corner_rows(self) -> NDArray[np.float64]:
        """The `vertices` in floats, as rows of `direction_rows`."""
        return direction_rows(self.vertices)

    @cached_property
    def corners_of_faces(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The corners of all faces in turn, as indices of `vertices`, and where each face starts among them."""
        index = {point: i for i, point in enumerate(self.vertices)}
        sizes = np.array([len(face) for face in self.faces], np.intp)
        return np.array([index[point] for face in self.faces for point in face], np.intp), np.cumsum(sizes) - sizes

    @cached_property
    def edges(self) -> list[tuple[Homogeneous, Homogeneous]]:
        """The sides of the faces by their ends, each once."""
        sides = chain.from_iterable(map(edges_of, self.faces))
        return list(dict.fromkeys((p, q) if p < q else (q, p) for p, q in sides))

    @cached_property
    def vertices(self) -> list[Homogeneous]:
        """The corners of the faces, each once."""
        return list(dict.fromkeys(chain.from_iterable(self.faces)))


@dataclass(frozen=True)
class Intersection(ConvexSet):
    """The intersection of half-spaces, cut off by a cube whose coordinates are at most `far` from 0."""

    far: int = 0

    @cached_property
    def planes(self) -> Sequence[Slab]:
        return [slab for slab in self._border.slabs if slab.lo == slab.hi]

    @cached_property
    def walls(self) -> Sequence[Slab]:
        return [
            slab for slab in self.slabs if any(dot(slab.normal, p) != (slab.hi or 0) * p[3] for p in self.vertices)
        ]

    @cached_property
    def bounded(self) -> bool:
        return all(abs(number) < self.far * corner[3] for corner in self.vertices for number in corner[:3])

    @cached_property
    def faces(self) -> tuple[Cycle, ...]:
        return tuple(map(tuple, self._border.faces))

    @cached_property
    def _border(self) -> ConvexHull:
        return hull_of_half_spaces(self.slabs, self.far)


@lru_cache(maxsize=1 << 16, typed=True)  # A drag changes one shape; all others are found in the cache.
def convex_set(shape: shapes.Shape) -> ConvexSet:
    """Return the exact set of a shape's core; raises TypeError for a segment, ray or line."""
    match shape:
        case shapes.Point(position):
            return of_points(*over_power_of_two([position]))
        case shapes.Triangle():
            return _triangle(shape)
        case shapes.Aabb():
            (lo, hi), w = over_power_of_two(shape)
            units = (w, 0, 0), (0, w, 0), (0, 0, w)
            slabs = [Slab(unit, a, b) for unit, a, b in zip(units, lo, hi, strict=True)]
            return ConvexSet(slabs, lambda: _box_faces([*product(*zip(lo, hi, strict=True))], w), is_box=True)
        case shapes.Obb():
            return _obb(shape)
        case shapes.Parallelepiped():
            return _parallelepiped(shape)
        case shapes.Plane(normal, offset):
            plane = _half_space(normal, offset)
            return ConvexSet([plane._replace(lo=plane.hi)])
        case shapes.Polyhedron((), vertices):
            return of_points(*over_power_of_two(vertices))
        case shapes.Polyhedron() | shapes.Frustum():
            return _of_half_spaces([_half_space(*plane) for plane in shape.planes])
        case shapes.Cast():
            return of_points(*over_one_denominator(hull_points(shape)))
    if (core := core_of(shape)) is shape:
        raise TypeError(f"{shape} is no convex set with faces")
    return convex_set(core)


def hull_points(shape: shapes.Shape) -> Sequence[Homogeneous]:
    """Return points whose hull is a shape's core: corners or given ones, of a cast at both ends of its way."""
    core = core_of(shape)
    if isinstance(core, shapes.Polyhedron) and core.vertices:
        vectors, w = over_power_of_two(core.vertices)
        return [(*vector, w) for vector in vectors]
    if not isinstance(shape, shapes.Cast):
        return convex_set(shape).vertices
    ((u, v, t),), w = over_power_of_two([shape[-1]])
    standing = hull_points(shape.inner)
    return [*standing, *((x * w + u * p, y * w + v * p, z * w + t * p, p * w) for x, y, z, p in standing)]


def sets_of(probe: shapes.Shape, primitive: shapes.Shape) -> tuple[ConvexSet, ConvexSet]:
    """Return the sets of two shapes, both cut off beyond all that the planes of the two have in common."""
    own, target = convex_set(probe), convex_set(primitive)
    if own.bounded or target.bounded:
        return own, target
    halves = [_half_spaces_of(body) for body in (own, target)]
    far = far_out(chain(*halves))
    return _of_half_spaces(halves[0], far), _of_half_spaces(halves[1], far)


def _half_spaces_of(body: ConvexSet) -> Sequence[Slab]:
    """Return the half-spaces of an unbounded set: those that it was given by, or both sides of a plane."""
    if isinstance(body, Intersection):
        return body.slabs
    (plane,) = body.planes
    return [Slab(normal, None, bound) for normal, bound in plane.sides]


def recession_cone(body: ConvexSet) -> ConvexSet:
    """Return the directions that leave no half-space of a set given by such, cut off by a cube."""
    return _of_half_spaces([Slab(normal, None, 0) for normal, _, _ in body.slabs])


def core_of(shape: shapes.Shape) -> shapes.Shape:
    """Return the shape without a radius around which another one is round; a shape without a radius itself."""
    core = KINDS[type(shape)].core
    return shape if core is None else core(shape)


def radius_of(shape: shapes.Shape) -> Fraction | int:
    """Return the distance from its core within which all points belong to a shape, 0 of all but round ones."""
    radius = KINDS[type(shape)].radius
    return 0 if radius is None else Fraction(radius(shape))


def forget_sets() -> None:
    """Empty the cache of sets where it holds many, of shapes that are not needed again."""
    if convex_set.cache_info().currsize > KEPT_SETS:
        convex_set.cache_clear()


def clip_cycle(cycle: Sequence[Homogeneous], slabs: Iterable[Slab]) -> list[Homogeneous]:
    """Return the part of a polygon inside all slabs (Sutherland and Hodgman 1974); empty if there is none."""
    kept = list(cycle)
    for slab in slabs:
        for normal, bound in slab.sides:
            points, excess = kept, [dot(normal, point) - bound * point[3] for point in kept]
            kept = []
            for k, (p, over) in enumerate(zip(points, excess, strict=True)):
                following = (k + 1) % len(points)
                q, next_over = points[following], excess[following]
                if over <= 0:
                    kept.append(p)
                if (over < 0 < next_over) or (next_over < 0 < over):
                    # A positive combination of the two ends, so w stays positive.
                    a, b = abs(next_over), abs(over)
                    kept.append(reduced(*(a * s + b * t for s, t in zip(p, q, strict=True))))
        if not kept:
            break
    return kept


def of_points(points: Sequence[Vector], w: int) -> ConvexSet:
    """Return the convex hull of points, which are given times w."""
    found = hull(points)
    return ConvexSet(_over(found.slabs, w), lambda: [_cycle(face, w) for face in found.faces])


def _over(slabs: Iterable[Slab], w: int) -> list[Slab]:
    """Return the slabs of a set from those of the set times w."""
    return [Slab(times(slab.normal, w), slab.lo, slab.hi) for slab in slabs]


def _cycle(points: Iterable[Sequence[int]], w: int) -> Cycle:
    return tuple(reduced(x, y, z, w) for x, y, z, *_ in points)


def _triangle(triangle: shapes.Triangle) -> ConvexSet:
    """Return the set of the plane, whose front sees the vertices counter-clockwise, and a half-space per edge."""
    points, w = over_power_of_two(triangle)
    a, b, c = points
    normal = cross(subtract(b, a), subtract(c, a))
    if not any(normal):
        return of_points(points, w)
    offset = dot(normal, a)
    slabs = [Slab(normal, offset, offset), *edge_slabs([(*point, 1) for point in points], normal)]
    return ConvexSet(_over(slabs, w), lambda: [_cycle(points, w)])


def _obb(box: shapes.Obb) -> ConvexSet:
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

    return ConvexSet(slabs, make_faces, is_box=True)


def _parallelepiped(box: shapes.Parallelepiped) -> ConvexSet:
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
            return of_points(_corners(origin, edges, (0, 1)), w)
        if volume < 0:
            normal, volume = times(normal, -1), -volume
        slabs.append(Slab(times(normal, w), dot(normal, origin), dot(normal, origin) + volume))
    return ConvexSet(slabs, lambda: _box_faces(_corners(origin, edges, (0, 1)), w), is_box=True)


def _corners(start: Vector, edges: Sequence[Vector], ends: tuple[int, int]) -> list[Vector]:
    """Return the eight corners of a parallelepiped, the coefficient of the third edge varying fastest."""
    a, b, c = ([times(edge, end) for end in ends] for edge in edges)
    return [add(add(start, p), add(q, r)) for p, q, r in product(a, b, c)]


def _box_faces(corners: Iterable[Sequence[int]], w: int) -> list[Cycle]:
    """Return the six faces of a box whose corner k lies on side (k >> 2, k >> 1 & 1, k & 1) of its three slabs."""
    points = _cycle(corners, w)
    cycles = (0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)
    return [tuple(points[k] for k in cycle) for cycle in cycles]


def _half_space(normal: Sequence[float], offset: float) -> Slab:
    (vector, (bound, _, _)), _ = over_power_of_two([normal, (offset, 0.0, 0.0)])
    return Slab(vector, None, bound)


@lru_cache(maxsize=1 << 6, typed=True)  # A drag changes the probe alone.
def _within_cube(shape: shapes.Shape, reach: int) -> ConvexSet:
    """Return the part of an unbounded set in the cube whose coordinates are at most so far from 0."""
    return _of_half_spaces(_half_spaces_of(convex_set(shape)), reach)


def target_of(probe: shapes.Cast, primitive: shapes.Shape) -> ConvexSet:
    """Return the set of a primitive, or the part of an unbounded polyhedron that is not surely out of reach."""
    target = convex_set(primitive)
    if target.bounded or isinstance(primitive, shapes.Plane):
        return target
    farthest = max(abs(Fraction(number, point[3])) for point in hull_points(probe) for number in point[:3])
    reach = ceil(farthest + radius_of(probe))
    # A power of two is the same for most positions of a drag.
    return _within_cube(primitive, 1 << (reach + 1).bit_length())


def _of_half_spaces(half_spaces: Sequence[Slab], far: int = 0) -> Intersection:
    """Return the intersection of half-spaces, cut off by a cube `far_out` or further."""
    return Intersection(half_spaces, far=far or far_out(half_spaces))


def far_out(half_spaces: Iterable[Slab]) -> int:
    """Return a coordinate beyond every vertex of half-spaces and every float64 shape.

    By Cramer's rule no vertex has a coordinate of more bits than a product of three of the largest numbers.
    """
    bits = max(number.bit_length() for n, _, bound in half_spaces for number in (*n, bound or 0))
    return 1 << max(BEYOND_FLOAT64, 4 * bits + 8)


def check_polyhedron(body: shapes.Polyhedron) -> None:
    """Refuse planes beside vertices, neither of them, and half-spaces that define no set."""
    given = [name for name, parts in body._asdict().items() if parts]
    if len(given) != 1:
        raise Fault((), "either planes or vertices", " and ".join(given) or "neither")
    if body.planes:
        check_half_spaces(shapes.replaced_numbers(body, float))


def check_half_spaces(body: shapes.Polyhedron) -> None:
    """Refuse a zero normal, and half-spaces of float64 numbers without a common point."""
    for i, (normal, _) in enumerate(body.planes):
        try:
            check_normal(normal)
        except Fault as fault:
            raise fault.below(("planes", i)) from None
    if not convex_set(body).faces:
        raise Fault(("planes",), "half-spaces with a common point", "none")


def check_frustum(frustum: shapes.Frustum) -> None:
    """Refuse half-spaces of float64 numbers without a common point, and the space without a border."""
    shape = shapes.replaced_numbers(frustum, float)
    if not shape.planes:
        raise Fault(("normals",), "a normal other than zero", "none")
    given = zip(shape.normals, shape.offsets, strict=True)
    if any(offset < 0 and not any(normal) for normal, offset in given) or not convex_set(shape).faces:
        raise Fault(("normals",), "half-spaces with a common point", "none")


def check_bounded(shape: shapes.Shape) -> None:
    """Refuse an unbounded polyhedron or frustum inside another shape."""
    if not isinstance(shape, shapes.Polyhedron | shapes.Frustum) or (
        isinstance(shape, shapes.Polyhedron) and shape.vertices
    ):
        return
    if not convex_set(shapes.replaced_numbers(shape, float)).bounded:
        name = "normals" if isinstance(shape, shapes.Frustum) else "planes"
        raise Fault((name,), "a bounded shape", "an unbounded one")


shapes.RULES[shapes.Polyhedron] = check_polyhedron
shapes.RULES[shapes.Frustum] = check_frustum
shapes.RULES[Wrapped] = check_bounded

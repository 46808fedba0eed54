"""A shape's faces, edges and vertices by name, and which of them a point is on.

A box's faces are «+x», «-x» and so on along its own axes, those of a parallelepiped «+0», «-0» along its `edges`;
vertices are numbered as in `vertices`, an edge by the vertices at its ends; a polyhedron of `planes` has a plane's
number for a face. A box that is flat has one face across an axis, without a sign.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import gcd
from typing import NamedTuple

from hitscope.geometry.exact.casts import where_it_starts
from hitscope.geometry.exact.clipping import linear_probe
from hitscope.geometry.exact.gaps import point_gap
from hitscope.geometry.exact.hull import edges_of
from hitscope.geometry.exact.integers import Homogeneous, Vector, over_one_denominator, over_power_of_two, reduced
from hitscope.geometry.exact.sets import ConvexSet, Intersection, convex_set, core_of, radius_of
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.shapes import Cast, Line, Plane, Point, Ray, Segment, Shape, Vec3, is_linear
from hitscope.geometry.vector import cross, dot, subtract

FEATURE_OF_SIDES = ("interior", "face", "edge", "vertex")
"""The feature that is common to 0, 1, 2 and 3 sides of a box."""


class Direction(NamedTuple):
    """A face's normal with the names of the faces `ahead` and `behind` along it, or an edge's direction."""

    vector: Vector
    ahead: str
    behind: str

    @classmethod
    def of(cls, vector: Vector, ahead: str, behind: str | None = None) -> "Direction":
        """Return the direction of a vector of any length, in the smallest integers."""
        size = gcd(*vector) or 1
        x, y, z = (number // size for number in vector)
        return cls((x, y, z), ahead, ahead if behind is None else behind)


@lru_cache(maxsize=1 << 8, typed=True)  # A drag changes one shape of a pair; the other is found in the cache.
def normals(shape: Shape) -> tuple[Direction, ...]:
    """Return the normals of a shape's faces; a segment or a point has none."""
    if is_linear(shape):
        return ()
    body, axes = convex_set(shape), box_axes(shape)
    if axes:
        boxed = zip(body.slabs, axes, strict=False)
        return tuple(Direction.of(slab.normal, f"face +{axis}", f"face -{axis}") for slab, axis in boxed)
    if isinstance(body, Intersection):
        return tuple(Direction.of(slab.normal, f"plane {i}") for i, slab in enumerate(body.slabs))
    if body.planes:
        return (Direction.of(body.planes[0].normal, "plane"),) if len(body.planes) == 1 else ()
    numbers, sides = _numbers(shape), zip(body.slabs, body.faces, strict=True)
    return tuple(Direction.of(slab.normal, f"face {_numbered(numbers, cycle)}".rstrip()) for slab, cycle in sides)


@lru_cache(maxsize=1 << 8, typed=True)
def edges(shape: Shape) -> tuple[Direction, ...]:
    """Return the directions of a shape's edges, parallel ones once; a linear probe is one itself."""
    if is_linear(shape):
        direction = linear_probe(shape).direction
        return (Direction.of(direction, "direction"),) if any(direction) else ()
    body, axes, numbers = convex_set(shape), box_axes(shape), _numbers(shape)

    def name_of(p: Homogeneous, q: Homogeneous, along: Vector) -> str:
        """Return an edge's name: of a box by its axis, else by its ends; "" where an unbounded set is cut off."""
        if axes:
            boxed = zip(body.slabs, axes, strict=False)
            return next(f"edge {axis}" for slab, axis in boxed if dot(slab.normal, along))
        if isinstance(body, Intersection):
            tight = _tight(body, p, q)
            between = _rank([body.slabs[i].normal for i in tight]) == 2
            return f"edge of planes {', '.join(map(str, tight))}" if between else ""
        return f"edge {_numbered(numbers, [p, q])}".rstrip()

    directions: dict[Vector, Direction] = {}
    for p, q in dict.fromkeys(side for cycle in body.faces for side in edges_of(cycle)):
        a, b = over_one_denominator([p, q])[0]
        x, y, z = along = Direction.of(subtract(b, a), "").vector
        if along in directions or (-x, -y, -z) in directions:
            continue
        if name := name_of(p, q, along):
            name = KINDS[type(shape)].core_features.get(name, name)
            directions[along] = Direction(along, name, name)
    return tuple(directions.values())


def feature_at(shape: Shape, point: Homogeneous) -> str:
    """Return the name of the smallest feature that a point of a shape is on: vertex before edge before face.

    Of a round shape it is that of the surface around the core's nearest feature.
    """
    if KINDS[type(shape)].radius is not None:
        is_inside = point_gap(point, convex_set(shape)).squared < radius_of(shape) ** 2
        return "interior" if is_inside else boundary_at(shape, point)
    if isinstance(shape, Point | Segment | Ray | Line):
        fields = zip(shape._fields, shape, strict=True)
        ends = {_homogeneous([position])[0]: name for name, position in fields if name != "direction"}
        return ends.get(point, "interior")
    body, axes = convex_set(shape), box_axes(shape)
    if isinstance(shape, Plane):
        return "plane"
    if axes:
        signs = [_signs(body, i, point) for i in range(len(axes))]
        on = [f"{sign}{axis}" for sign, axis in zip(signs, axes, strict=True) if sign is not None]
        return " ".join([FEATURE_OF_SIDES[len(on)], *on])
    if isinstance(body, Intersection):
        tight = _tight(body, point)
        kind = FEATURE_OF_SIDES[_rank([body.slabs[i].normal for i in tight])]
        listed = ", ".join(map(str, tight))
        return {"interior": kind, "face": f"plane {listed}"}.get(kind, f"{kind} of planes {listed}")
    return _hull_feature(shape, body, point)


def boundary_at(shape: Shape, point: Homogeneous) -> str:
    """Return the name of the smallest feature at a point of the boundary, rounded if that is round."""
    if KINDS[type(shape)].radius is None:
        return feature_at(shape, point)
    return surface_at(shape, point_gap(point, convex_set(shape)).on_core)


def surface_at(shape: Shape, on_core: Homogeneous) -> str:
    """Return the name of the surface of a shape around a point of its core; without a core of that point.

    Of a body that moves it is that of the body where it first is there.
    """
    if isinstance(shape, Cast):
        on_core, shape = where_it_starts(shape, on_core), shape.inner
    name = feature_at(core_of(shape), on_core)
    return KINDS[type(shape)].core_features.get(name, name)


def _hull_feature(shape: Shape, body: ConvexSet, point: Homogeneous) -> str:
    """Return the name of the smallest feature of a hull that a point is on, with its vertices' numbers if any."""
    cycles = body.faces
    if not body.planes:
        faces = body.sides.indices_at([point]) if body.is_large else range(len(cycles))
        slabs = body.slabs
        cycles = tuple(cycles[i] for i in faces if dot(slabs[i].normal, point) == (slabs[i].hi or 0) * point[3])
    if any(point in cycle for cycle in cycles):
        return f"vertex {_numbered(_numbers(shape), [point])}".rstrip()
    for cycle in cycles:
        for p, q in edges_of(cycle):
            (a, b, c), _ = over_one_denominator([p, q, point])
            if not any(cross(subtract(b, a), subtract(c, a))) and dot(subtract(c, a), subtract(c, b)) < 0:
                return f"edge {_numbered(_numbers(shape), [p, q])}".rstrip()
    return "interior" if body.planes or not cycles else f"face {_numbered(_numbers(shape), cycles[0])}"


def box_axes(shape: Shape) -> str:
    """Return the names of a box's axes, in the order of its first slabs; none if the shape is not such a box."""
    return KINDS[type(shape)].axis_names if convex_set(shape).is_box else ""


def _signs(body: ConvexSet, axis: int, point: Homogeneous) -> str | None:
    """Return the sign of the side of a slab that a point is on; "" of a flat slab, None strictly inside."""
    normal, lo, hi = body.slabs[axis]
    height = dot(normal, point)
    assert lo is not None and hi is not None
    if lo == hi:
        return ""
    return "+" if height == hi * point[3] else "-" if height == lo * point[3] else None


def _tight(body: ConvexSet, *points: Homogeneous) -> list[int]:
    """Return the indices of the planes that all the points are on."""
    indices = body.sides.indices_at(points[:1]) if body.is_large else range(len(body.slabs))
    sides = [(i, body.slabs[i].normal, body.slabs[i].hi or 0) for i in indices]
    return [i for i, normal, hi in sides if all(dot(normal, point) == hi * point[3] for point in points)]


def _numbered(numbers: Mapping[Homogeneous, int], points: Sequence[Homogeneous]) -> str:
    """Return those numbers of points that the scene file has, joined by hyphens."""
    return "-".join(str(number) for number in sorted(numbers[point] for point in points if point in numbers))


@lru_cache(maxsize=1 << 8, typed=True)
def _numbers(shape: Shape) -> dict[Homogeneous, int]:
    """Return the number of each vertex that the scene file numbers; the least number of those that coincide."""
    given = KINDS[type(shape)].points(shape)
    return {point: i for i, point in reversed(list(enumerate(_homogeneous(given))))}


def _homogeneous(positions: Sequence[Vec3]) -> list[Homogeneous]:
    if not positions:
        return []
    points, w = over_power_of_two(positions)
    return [reduced(*point, w) for point in points]


def _rank(vectors: Sequence[Vector]) -> int:
    """Return how many of the vectors are independent."""
    first = next((v for v in vectors if any(v)), None)
    if first is None:
        return 0
    across = next((n for v in vectors if any(n := cross(first, v))), None)
    if across is None:
        return 1
    return 3 if any(dot(across, v) for v in vectors) else 2

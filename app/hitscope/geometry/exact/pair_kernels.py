"""The functions that decide one pair of types: a filter's, and what the verdict on one pair needs beside them.

`prepare` and `decide` of a filter take any numbers. On integers, with errors of zero, their signs are exact: what
they do not find apart meets, except that a linear probe in a triangle's plane is decided here.
"""

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

from hitscope.geometry.exact import filters
from hitscope.geometry.exact.filters import LinearByBoxes, LinearByTriangles, ProbeBounds, TriangleByBoxes
from hitscope.geometry.registry import kernel
from hitscope.geometry.shapes import (
    COMMON_FORMS,
    PROBES,
    Aabb,
    Capsule,
    Line,
    Linear,
    Obb,
    Point,
    Ray,
    Segment,
    Shape,
    Sphere,
    Triangle,
    Vec3,
)
from hitscope.geometry.vector import chosen, cross, dot, greater, lesser, subtract

MISS, HIT, UNSURE, STRICT = 0, 1, 2, 3
"""Surely apart, surely meeting, and what another, exact test has to decide; surely with interiors that meet."""
LENGTH, EXTENT, DIRECTION, AXIS = range(4)
"""The meaning of a number of a pair, by which it is scaled: axes multiply extents, but no other lengths."""
CAST_SPHERE = PROBES["cast_sphere"]


@kernel
def bounds_of_box(box: Aabb) -> tuple[Vec3, Vec3]:
    """Return what a filter's `prepare` takes of boxes."""
    return box.lo, box.hi


@kernel
def bounds_of_triangle(triangle: Triangle) -> tuple[Vec3, Vec3, float]:
    """Return what a filter's `prepare` takes of triangles."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = triangle
    lo = lesser(lesser(ax, bx), cx), lesser(lesser(ay, by), cy), lesser(lesser(az, bz), cz)
    hi = greater(greater(ax, bx), cx), greater(greater(ay, by), cy), greater(greater(az, bz), cz)
    e, f = _largest(subtract(triangle.b, triangle.a)), _largest(subtract(triangle.c, triangle.a))
    return lo, hi, greater(e, f)


@kernel
def bounds_of_obb(box: Obb) -> tuple[Vec3, Vec3, tuple[float, float]]:
    """Return what a filter's `prepare` takes of oriented boxes."""
    u, v, w = box.axes
    axis = greater(greater(_largest(u), _largest(v)), _largest(w))
    return box.center, box.center, (_largest(box.half_extents), axis)


@kernel
def bounds_of_sphere(sphere: Sphere) -> tuple[Vec3, Vec3, float]:
    """Return what a filter's `prepare` takes of spheres."""
    return sphere.center, sphere.center, sphere.radius


@kernel
def bounds_of_capsule(capsule: Capsule) -> tuple[Vec3, Vec3, float]:
    """Return what a filter's `prepare` takes of capsules."""
    (ax, ay, az), (bx, by, bz), radius = capsule
    lo, hi = (lesser(ax, bx), lesser(ay, by), lesser(az, bz)), (greater(ax, bx), greater(ay, by), greater(az, bz))
    return lo, hi, radius


@kernel
def _largest(vector: Vec3) -> Any:
    return greater(greater(abs(vector[0]), abs(vector[1])), abs(vector[2]))


@kernel
def bounds_overlap(probe: LinearByBoxes | TriangleByBoxes | ProbeBounds, box: Aabb) -> bool:
    """Return whether the interiors of a box and of the probe's bounds meet."""
    (x0, y0, z0), (x1, y1, z1) = box
    least, greatest = probe.least, probe.greatest
    overlap = (x0 < greatest[0]) & (x1 > least[0]) & (y0 < greatest[1])
    return overlap & (y1 > least[1]) & (z0 < greatest[2]) & (z1 > least[2])


@kernel
def signs_are_strict(
    probe: LinearByTriangles | filters.LinearByObbs | filters.ByDistance | filters.RoundLinear, primitive: Shape
) -> bool:
    """Return whether a filter finds only pairs to meet whose interiors do: this one has strict signs alone."""
    return True


@kernel
def verdict(apart: bool, meets: bool, strict: bool) -> Any:
    """Return a filter's verdict code."""
    return chosen(apart, MISS, chosen(meets, chosen(strict, STRICT, HIT), UNSURE))


@kernel
def exact_verdict(apart: bool, meets: bool, strict: bool, is_solid: bool) -> Any:
    """Return the verdict code of exact signs: what is not apart touches, if the signs decide the pair."""
    return chosen(apart, MISS, chosen(is_solid, chosen(meets & strict, STRICT, HIT), UNSURE))


@kernel
def always_solid(primitive: Aabb | Triangle | Sphere | Capsule) -> bool:
    """Return whether the signs decide every pair with a primitive."""
    return True


@kernel
def axes_are_solid(box: Obb) -> bool:
    """Return whether the signs decide every pair with a box: whether its axes are independent."""
    u, v, w = box.axes
    return dot(cross(v, w), u) != 0


@kernel
def linear_and_triangle_exactly(probe: LinearByTriangles, triangle: Triangle) -> filters.Decision:
    """Decide by exact signs; a line that passes no edge on either side is in the plane, or has no direction."""
    apart, meets = filters.linear_and_triangle(probe, triangle)
    e, f = subtract(triangle.b, triangle.a), subtract(triangle.c, triangle.a)
    u = subtract(triangle.a, probe.origin)
    across, n = cross(probe.direction, u), cross(e, f)
    if (dot(e, across) == 0) & (dot(f, across) == 0) & (dot(n, probe.direction) == 0):
        return dot(n, u) != 0 or apart_in_plane(probe, triangle), False
    return apart, meets


@kernel
def apart_in_plane(probe: LinearByTriangles, triangle: Triangle) -> bool:
    """Return whether a linear probe and a triangle in one plane are apart seen along some coordinate axis.

    They are apart if one of these separates them: the normals of the probe and of the edges, and the coordinates.
    """
    a, b = subtract(triangle.a, probe.origin), subtract(triangle.b, probe.origin)
    c = subtract(triangle.c, probe.origin)
    d = probe.direction
    zero = d[0] - d[0]
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        au, av, bu, bv, cu, cv, p, q = a[i], a[j], b[i], b[j], c[i], c[j], d[i], d[j]
        for m, n in ((zero + 1, zero), (-q, p), (bv - av, au - bu), (cv - bv, bu - cu), (av - cv, cu - au)):
            x, y, z, end = m * au + n * av, m * bu + n * bv, m * cu + n * cv, m * p + n * q
            low, high = lesser(lesser(x, y), z), greater(greater(x, y), z)
            # The probe is from 0 to `end` and goes on beyond where it is not limited.
            first, last = lesser(end, zero), greater(end, zero)
            goes_up = ((end > 0) & (probe.end[1] < 0)) | ((end < 0) & (probe.start[1] < 0))
            goes_down = ((end < 0) & (probe.end[1] < 0)) | ((end > 0) & (probe.start[1] < 0))
            if ((low > last) & (not goes_up)) | ((high < first) & (not goes_down)):
                return True
    return False


class Stage(NamedTuple):
    """Integers of `bits` bits in which pairs are decided, and the powers of two below which a pair's own integers
    have to be so that all results fit."""

    bits: int
    length: int
    axis: int = 0


def _stages(degree: int, spare: int, *widths: int) -> tuple[Stage, ...]:
    """Return stages for polynomials of a degree whose results need `spare` bits more."""
    return tuple(Stage(bits, (bits - spare) // degree) for bits in widths)


class PairKernels(NamedTuple):
    """The functions of one pair of types: those of its filter, of its exact signs, and of one pair."""

    prepare: Callable[..., Any]
    prepared: type
    """The type that `prepare` returns."""
    decide: Callable[..., filters.Decision]
    decide_exactly: Callable[..., filters.Decision] | None
    """The decision on integers, in whose signs coplanar pairs are decided, too; None where they do not decide."""
    bounds: Callable[..., Any]
    """The bounds of one primitive, as `prepare` takes them."""
    interiors: Callable[..., bool]
    """Whether a pair that the signs find to meet surely has interiors that meet."""
    is_solid: Callable[..., bool]
    stages: tuple[Stage, ...]
    """The integers in which compiled code decides pairs, one after the other; the filter of none is exact."""
    prepare_exactly: Callable[..., Any] | None = None
    """The `prepare` of `decide_exactly`, if it has its own."""


def _by_boxes(prepare: Any, prepared: type, decide: Any, *stages: Stage) -> PairKernels:
    return PairKernels(prepare, prepared, decide, decide, bounds_of_box, bounds_overlap, always_solid, stages)


@kernel
def standing(shape: Any) -> Linear:
    """Return a point, or the center of a sphere, as a segment that ends where it starts."""
    return Linear(shape[0], subtract(shape[0], shape[0]), 0, 1)


def _of_linear(probe: type, prepare: Callable[..., Any]) -> Callable[..., Any]:
    """Return the `prepare` that takes a probe of a type in its common form."""
    form = standing if probe is Point else COMMON_FORMS[Linear][probe]

    @kernel
    def prepared(probe: Any, lo: Vec3, hi: Vec3, size: Any, arithmetic: filters.Arithmetic) -> Any:
        return prepare(form(probe), lo, hi, size, arithmetic)

    return prepared


def _by_triangles(probe: type) -> PairKernels:
    prepare, stages = _of_linear(probe, filters.linear_by_triangles), _stages(3, 10, 192, 320, 576)
    functions = (
        prepare,
        LinearByTriangles,
        filters.linear_and_triangle,
        linear_and_triangle_exactly,
        bounds_of_triangle,
    )
    return PairKernels(*functions, signs_are_strict, always_solid, stages)


def _by_obbs(probe: type) -> PairKernels:
    # The largest sums have length + 3 * axis + 6 bits, and those that are made wider less than twice as many.
    stages = Stage(192, 56, 42), Stage(256, 70, 56), Stage(512, 170, 110)
    decide = filters.linear_and_obb
    functions = _of_linear(probe, filters.linear_by_obbs), filters.LinearByObbs, decide, decide, bounds_of_obb
    return PairKernels(*functions, signs_are_strict, axes_are_solid, stages)


def _around(probe: type) -> Callable[[Any], filters.RoundLinear]:
    """Return the function that makes a probe of a type a linear one with a radius."""
    has_radius = "radius" in probe._fields  # type: ignore[attr-defined] # of a named tuple

    @kernel
    def ends_of(probe: Any) -> Linear:
        start, end = probe[0], probe[1]
        return Linear(start, subtract(end, start), 0, 1)

    @kernel
    def moving(probe: Any) -> Linear:
        return Linear(probe.center, probe.motion, 0, 1)

    own = {Point: standing, Sphere: standing, Capsule: ends_of, CAST_SPHERE: moving}
    linear = own[probe] if probe in own else COMMON_FORMS[Linear][probe]

    @kernel
    def around(probe: Any) -> filters.RoundLinear:
        origin, direction, t_min, t_max = linear(probe)
        radius = probe.radius if has_radius else origin[0] - origin[0]
        return filters.RoundLinear(origin, direction, t_min, t_max, radius)

    return around


def _by_distance(probe: type, primitive: type) -> PairKernels:
    """Return the kernels of a linear probe, a point or a round one: by where it is nearest to a primitive."""
    around, is_round = _around(probe), primitive in (Sphere, Capsule)

    @kernel
    def prepare(probe: Any, lo: Vec3, hi: Vec3, size: float, arithmetic: filters.Arithmetic) -> filters.ByDistance:
        return filters.by_distance(around(probe), lo, hi, size if is_round else 0.0, arithmetic)

    @kernel
    def prepare_for_boxes(probe: Any, lo: Vec3, hi: Vec3, arithmetic: filters.Arithmetic) -> filters.ByDistance:
        return filters.by_distance(around(probe), lo, hi, 0.0, arithmetic)

    @kernel
    def prepare_exactly(probe: Any, lo: Vec3, hi: Vec3, size: float, arithmetic: filters.Arithmetic) -> Any:
        return around(probe)

    kernels: dict[Any, tuple[Callable[..., filters.Decision], Callable[..., Any]]] = {
        Sphere: (filters.round_and_sphere, bounds_of_sphere),
        Capsule: (filters.round_and_capsule, bounds_of_capsule),
        Triangle: (filters.round_and_triangle, bounds_of_triangle),
        Aabb: (filters.round_and_box, bounds_of_box),
    }
    decide, bounds = kernels[primitive]
    first = prepare_for_boxes if primitive is Aabb else prepare
    exactly = filters.linear_and_sphere_exactly if primitive is Sphere else None
    stages = _stages(4, 12, 192, 320, 576) if exactly else ()
    others = bounds, signs_are_strict, always_solid, stages, prepare_exactly
    return PairKernels(first, filters.ByDistance, decide, exactly, *others)


_ROUND = Sphere, Capsule, CAST_SPHERE
_LINES, _PLANES = _stages(2, 4, 192, 512), _stages(3, 8, 192, 320, 576)
FILTERS: dict[tuple[type, type], PairKernels] = {
    (Segment, Aabb): _by_boxes(filters.segment_by_boxes, LinearByBoxes, filters.linear_and_box, *_LINES),
    (Ray, Aabb): _by_boxes(filters.ray_by_boxes, LinearByBoxes, filters.linear_and_box, *_LINES),
    (Line, Aabb): _by_boxes(filters.line_by_boxes, LinearByBoxes, filters.linear_and_box, *_LINES),
    (Point, Aabb): _by_boxes(filters.point_by_boxes, ProbeBounds, filters.bounds_and_box),
    (Aabb, Aabb): _by_boxes(filters.box_by_boxes, ProbeBounds, filters.bounds_and_box),
    (Triangle, Aabb): _by_boxes(filters.triangle_by_boxes, TriangleByBoxes, filters.triangle_and_box, *_PLANES),
    **{(probe, Triangle): _by_triangles(probe) for probe in (Segment, Ray, Line)},
    **{(probe, Obb): _by_obbs(probe) for probe in (Segment, Ray, Line, Point)},
    **{
        (probe, primitive): _by_distance(probe, primitive)
        for probe, primitive in product(_ROUND, (*_ROUND[:2], Aabb, Triangle))
    },
    **{(probe, kind): _by_distance(probe, kind) for probe in (Segment, Ray, Line, Point) for kind in _ROUND[:2]},
}

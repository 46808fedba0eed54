"""The shapes, as plain named tuples of numbers.

The same tuples hold float64 (as loaded) or `fractions.Fraction` (unrounded): nothing here rounds.
Every shape is a closed set. A point or vector is a tuple of three numbers, in the scene's length unit.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf, isfinite
from typing import Any, NamedTuple, TypeAlias

from hitscope.errors import HitscopeError

Vec3: TypeAlias = tuple[float, float, float]
Frame: TypeAlias = tuple[Vec3, Vec3, Vec3]


class Segment(NamedTuple):
    """The points start + t * (end - start), 0 <= t <= 1."""

    start: Vec3
    end: Vec3


class Ray(NamedTuple):
    """The points origin + t * direction, t >= 0; the direction need not be unit."""

    origin: Vec3
    direction: Vec3


class Line(NamedTuple):
    """The points origin + t * direction for every t."""

    origin: Vec3
    direction: Vec3


class Point(NamedTuple):
    """One point."""

    position: Vec3


class Triangle(NamedTuple):
    """The convex hull of three points; counter-clockwise is the front."""

    a: Vec3
    b: Vec3
    c: Vec3


class Aabb(NamedTuple):
    """The axis-aligned box lo <= p <= hi."""

    lo: Vec3
    hi: Vec3


class Obb(NamedTuple):
    """The points center + sum s_i * half_extents_i * axes_i, |s_i| <= 1, with the axes as they are stored."""

    center: Vec3
    half_extents: Vec3
    axes: Frame


class Parallelepiped(NamedTuple):
    """The points origin + sum s_i * edges_i, 0 <= s_i <= 1; the edges need not be orthogonal."""

    origin: Vec3
    edges: Frame


class Plane(NamedTuple):
    """The points with dot(normal, p) = offset; the normal is not zero and need not be unit."""

    normal: Vec3
    offset: float


class Polyhedron(NamedTuple):
    """A convex set: of `planes` the points with dot(normal, p) <= offset for each, else the hull of `vertices`."""

    planes: tuple[Plane, ...] = ()
    vertices: tuple[Vec3, ...] = ()


class Linear(NamedTuple):
    """What segments, rays and lines are to a method: origin + t * direction, t_min <= t <= t_max."""

    origin: Vec3
    direction: Vec3
    t_min: float
    t_max: float


class Box(NamedTuple):
    """What aabb, obb and parallelepiped are to a method: center + sum s_i * half_edges_i, |s_i| <= 1."""

    center: Vec3
    half_edges: Frame


Shape: TypeAlias = Point | Segment | Ray | Line | Triangle | Aabb | Obb | Parallelepiped | Plane | Polyhedron

PROBES: dict[str, type[Shape]] = {
    "point": Point,
    "segment": Segment,
    "ray": Ray,
    "line": Line,
    "triangle": Triangle,
    "aabb": Aabb,
    "obb": Obb,
    "parallelepiped": Parallelepiped,
}
PRIMITIVES: dict[str, type[Shape]] = {
    "aabb": Aabb,
    "obb": Obb,
    "parallelepiped": Parallelepiped,
    "triangle": Triangle,
    "plane": Plane,
    "polyhedron": Polyhedron,
}


def linear(probe: Segment | Ray | Line) -> Linear:
    """Give the probe's origin, direction and t range; a segment's direction is end - start, rounded."""
    if isinstance(probe, Segment):
        (sx, sy, sz), (ex, ey, ez) = probe
        return Linear(probe.start, (ex - sx, ey - sy, ez - sz), 0, 1)
    return Linear(probe.origin, probe.direction, 0 if isinstance(probe, Ray) else -inf, inf)


def box(shape: Aabb | Obb | Parallelepiped) -> Box:
    """Give the box's center and half edges; the center, and the edges but for an obb of unit axes, are rounded."""
    match shape:
        case Aabb(lo, hi):
            x, y, z = ((b - a) / 2 for a, b in zip(lo, hi, strict=True))
            center = (lo[0] + x, lo[1] + y, lo[2] + z)
            return Box(center, ((x, 0, 0), (0, y, 0), (0, 0, z)))
        case Obb(center, half_extents, axes):
            a, b, c = ((h * u[0], h * u[1], h * u[2]) for h, u in zip(half_extents, axes, strict=True))
            return Box(center, (a, b, c))
        case Parallelepiped(origin, edges):
            a, b, c = ((e[0] / 2, e[1] / 2, e[2] / 2) for e in edges)
            x, y, z = (o + p + q + r for o, p, q, r in zip(origin, a, b, c, strict=True))
            return Box((x, y, z), (a, b, c))


def rational(shape: Shape) -> Shape:
    """Give the same shape with every float64 replaced by the Fraction of exactly that value."""
    fractions: Shape = _with_numbers(shape, Fraction)
    return fractions


def in_floats(shape: Shape) -> Shape:
    """Give the same shape in tuples of Python floats, whatever numbers and sequences (lists, arrays) it was given.

    Raises HitscopeError for a number that is not finite.
    """
    if isinstance(shape, Polyhedron):
        shape = Polyhedron(tuple(Plane(*plane) for plane in shape.planes), shape.vertices)
    floats: Shape = _with_numbers(shape, _finite)
    return floats


def _with_numbers(value: Any, number: Callable[[Any], Any]) -> Any:
    if not isinstance(value, Iterable):
        return number(value)
    parts = (_with_numbers(part, number) for part in value)
    return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)


def _finite(value: Any) -> float:
    if not isfinite(value):
        raise HitscopeError(f"expected a finite number, found {value}")
    return float(value)


def word(shape: Shape) -> str:
    """Give the scene file's type word of a shape, e.g. "aabb"."""
    return type(shape).__name__.lower()

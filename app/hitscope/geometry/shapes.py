"""The shapes, as plain named tuples of numbers.

The same tuples hold float64 (as loaded) or `fractions.Fraction` (unrounded): nothing here rounds.
Every shape is a closed set. A point or vector is a tuple of three numbers, in the scene's length unit.
"""

from fractions import Fraction
from math import inf
from typing import Any, NamedTuple, TypeAlias

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


class Linear(NamedTuple):
    """What segments, rays and lines are to a method: origin + t * direction, t_min <= t <= t_max."""

    origin: Vec3
    direction: Vec3
    t_min: float
    t_max: float


Shape: TypeAlias = Segment | Ray | Line | Triangle | Aabb | Obb

PROBES: dict[str, type[Shape]] = {"segment": Segment, "ray": Ray, "line": Line, "triangle": Triangle}
PRIMITIVES: dict[str, type[Shape]] = {"aabb": Aabb, "obb": Obb, "triangle": Triangle}


def linear(probe: Segment | Ray | Line) -> Linear:
    """Give the probe's origin, direction and t range; a segment's direction is end - start, rounded."""
    if isinstance(probe, Segment):
        (sx, sy, sz), (ex, ey, ez) = probe
        return Linear(probe.start, (ex - sx, ey - sy, ez - sz), 0, 1)
    return Linear(probe.origin, probe.direction, 0 if isinstance(probe, Ray) else -inf, inf)


def rational(shape: Shape) -> Shape:
    """Give the same shape with every float64 replaced by the Fraction of exactly that value."""
    return type(shape)(*(_rational(field) for field in shape))


def _rational(value: Any) -> Any:
    return tuple(map(_rational, value)) if isinstance(value, tuple) else Fraction(value)


def word(shape: Shape) -> str:
    """Give the scene file's type word of a shape, e.g. "aabb"."""
    return type(shape).__name__.lower()

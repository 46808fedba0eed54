"""How a probe and a primitive meet, exactly: clipping by the primitive's slabs, in integers and fractions.

A linear probe is clipped to a t interval (Cyrus and Beck 1978), a polygon to a polygon (Sutherland and Hodgman
1974). Nothing is rounded, so touching, coplanar and degenerate input needs no case of its own.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import NamedTuple, TypeAlias

from hitscope.geometry.exact.sets import (
    ConvexSet,
    Homogeneous,
    Slab,
    Vector,
    convex_set,
    dot,
    homogeneous,
    over_one_denominator,
    reduced,
    subtract,
)
from hitscope.geometry.shapes import Line, Ray, Segment, Shape, Triangle

Bound: TypeAlias = Fraction | float
"""A t: a Fraction, or -inf or inf where there is no bound."""


class Course(NamedTuple):
    """A linear probe in integers: (origin + t * direction) / w, t_min <= t <= t_max."""

    origin: Vector
    direction: Vector
    w: int
    t_min: Bound
    t_max: Bound

    def at(self, t: Fraction) -> Homogeneous:
        """Give the point of a t."""
        n, d = t.numerator, t.denominator
        x, y, z = (d * o + n * v for o, v in zip(self.origin, self.direction, strict=True))
        return reduced(x, y, z, d * self.w)


class Interval(NamedTuple):
    """The t of the common part, and the face that the probe enters through."""

    t_enter: Bound
    t_exit: Bound
    normal: Vector | None


class Relation(NamedTuple):
    """How a probe and a primitive meet; t and normal (not unit) are those of a linear probe that hits."""

    hit: bool
    state: str
    side: str | None
    t_enter: Bound | None = None
    t_exit: Bound | None = None
    normal: Vector | None = None


@lru_cache(maxsize=1 << 10, typed=True)  # One probe is asked about every primitive in turn.
def course(probe: Segment | Ray | Line) -> Course:
    """Give a linear probe in integers; a segment's direction is its exact end - start."""
    first, second = (homogeneous([Fraction(number) for number in field]) for field in probe)
    (origin, other), w = over_one_denominator((first, second))
    match probe:
        case Segment():
            return Course(origin, subtract(other, origin), w, Fraction(0), Fraction(1))
        case Ray():
            return Course(origin, other, w, Fraction(0), inf)
        case Line():
            return Course(origin, other, w, -inf, inf)


def meet(probe: Shape, primitive: Shape) -> bool:
    """Say whether the two closed sets have a common point."""
    target = convex_set(primitive)
    if isinstance(probe, Segment | Ray | Line):
        return clip_course(course(probe), target.slabs) is not None
    return bool(_common_polygon(probe, target))


@lru_cache(maxsize=1 << 10, typed=True)  # A pair's answer and its state are asked for one after the other.
def relation(probe: Shape, primitive: Shape) -> Relation:
    """Say how the two sets meet; see Relation."""
    target = convex_set(primitive)
    if isinstance(probe, Segment | Ray | Line):
        return _linear_relation(probe, primitive, target)
    return _polygon_relation(probe, primitive, target)


def clip_course(line: Course, slabs: Sequence[Slab]) -> Interval | None:
    """Clip a linear probe by slabs; of faces entered at the same t the first gives the normal."""
    t_enter, t_exit, normal = line.t_min, line.t_max, None
    for slab in slabs:
        speed = dot(slab.normal, line.direction)
        place = dot(slab.normal, line.origin)
        if speed == 0:
            if not _within(slab, place, line.w):
                return None
            continue
        near, far = (slab.lo, slab.hi) if speed > 0 else (slab.hi, slab.lo)
        if near is not None:
            t = Fraction(near * line.w - place, speed)
            if t > t_enter:
                t_enter = t
                normal = _turned(slab.normal, -speed)
        if far is not None:
            t_exit = min(t_exit, Fraction(far * line.w - place, speed))
        if t_enter > t_exit:
            return None
    return Interval(t_enter, t_exit, normal)


def clip_polygon(cycle: Sequence[Homogeneous], slabs: Sequence[Slab]) -> list[Homogeneous]:
    """Clip a convex polygon (or segment, or point, as a cycle) by slabs; empty where nothing is common."""
    kept = list(cycle)
    for slab in slabs:
        if slab.hi is not None:
            kept = _clip_half_space(kept, slab.normal, slab.hi)
        if slab.lo is not None:
            x, y, z = slab.normal
            kept = _clip_half_space(kept, (-x, -y, -z), -slab.lo)
        if not kept:
            break
    return kept


def _clip_half_space(cycle: list[Homogeneous], normal: Vector, bound: int) -> list[Homogeneous]:
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


def _linear_relation(probe: Segment | Ray | Line, primitive: Shape, target: ConvexSet) -> Relation:
    line = course(probe)
    side = (
        _side([line.at(Fraction(0)), line.at(Fraction(1))], primitive, target)
        if isinstance(probe, Segment)
        else None
    )
    interval = clip_course(line, target.slabs)
    if interval is None:
        return Relation(False, "apart", side)
    planes = target.planes
    start = (*line.origin, line.w)
    if planes and all(_on(plane, start) and dot(plane.normal, line.direction) == 0 for plane in planes):
        state = "coplanar"
    elif not isinstance(probe, Line) and not planes and _strictly_inside(target.slabs, start):
        state = "inside"
    else:
        middle = _between(interval.t_enter, interval.t_exit)
        free = line.t_min < middle < line.t_max or not any(line.direction)
        state = "crossing" if free and _relatively_inside(target.slabs, line.at(middle)) else "touching"
    faceless = state == "coplanar" or (isinstance(primitive, Triangle) and len(planes) > 1)
    return Relation(
        True,
        state,
        side,
        interval.t_enter,
        interval.t_exit,
        None if faceless else interval.normal,
    )


def _polygon_relation(probe: Shape, primitive: Shape, target: ConvexSet) -> Relation:
    own = convex_set(probe)
    corners = [point for face in own.faces for point in face]
    side = _side(corners, primitive, target)
    common = _common_polygon(probe, target)
    if not common:
        return Relation(False, "apart", side)
    planes = target.planes
    if planes and all(_on(plane, corner) for plane in planes for corner in corners):
        return Relation(True, "coplanar", side)
    # The sum is a point between all corners of the common part, so it lies in the relative interior of it.
    x, y, z, w = (sum(numbers) for numbers in zip(*common, strict=True))
    free = _relatively_inside(own.slabs, (x, y, z, w)) and _relatively_inside(target.slabs, (x, y, z, w))
    return Relation(True, "crossing" if free else "touching", side)


def _common_polygon(probe: Shape, target: ConvexSet) -> list[Homogeneous]:
    (face,) = convex_set(probe).faces
    return clip_polygon(face, target.slabs)


def _side(points: Sequence[Homogeneous], primitive: Shape, target: ConvexSet) -> str | None:
    """On which side of a triangle's plane a bounded probe lies; a collinear triangle has no plane."""
    if not isinstance(primitive, Triangle) or len(target.planes) != 1:
        return None
    (plane,) = target.planes
    offset = plane.hi or 0
    heights = [dot(plane.normal, point) - offset * point[3] for point in points]
    front, back = max(heights) > 0, min(heights) < 0
    if front and back:
        return "both"
    return "front" if front else "back" if back else "on"


def _within(slab: Slab, place: int, w: int) -> bool:
    return (slab.lo is None or slab.lo * w <= place) and (slab.hi is None or place <= slab.hi * w)


def _strictly_within(slab: Slab, place: int, w: int) -> bool:
    return (slab.lo is None or slab.lo * w < place) and (slab.hi is None or place < slab.hi * w)


def _on(plane: Slab, point: Homogeneous) -> bool:
    return _within(plane, dot(plane.normal, point), point[3])


def _strictly_inside(slabs: Sequence[Slab], point: Homogeneous) -> bool:
    return all(_strictly_within(slab, dot(slab.normal, point), point[3]) for slab in slabs)


def _relatively_inside(slabs: Sequence[Slab], point: Homogeneous) -> bool:
    """Inside, for a point of the set, means strictly between the faces of each slab that has thickness."""
    return _strictly_inside([slab for slab in slabs if slab.lo != slab.hi], point)


def _between(a: Bound, b: Bound) -> Fraction:
    """Give a t strictly between two, or the one where they are equal."""
    # isinf would round a huge Fraction to a float first.
    if a == -inf:
        return Fraction(0) if b == inf else Fraction(b) - 1
    if b == inf:
        return Fraction(a) + 1
    return (Fraction(a) + Fraction(b)) / 2


def _turned(normal: Vector, sign: int) -> Vector:
    return normal if sign > 0 else (-normal[0], -normal[1], -normal[2])

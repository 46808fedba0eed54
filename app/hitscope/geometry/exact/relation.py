"""The exact relation of a probe and a primitive, by clipping with the primitive's slabs in integers and fractions.

A linear probe is clipped to a t interval (Cyrus and Beck 1978), the polygons that bound any other probe are
clipped to polygons (Sutherland and Hodgman 1974). Nothing is rounded, so touching, coplanar and degenerate input
needs no case of its own. Of a set of many slabs, floats with a proven error bound leave out those that surely
change nothing (`sides`).
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import NamedTuple, TypeAlias

import numpy as np

from hitscope.geometry.exact.hull import Cycle, Slab
from hitscope.geometry.exact.integers import Homogeneous, Vector, over_power_of_two, reduced, times
from hitscope.geometry.exact.sets import ConvexSet, clip_cycle, convex_set
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.shapes import Line, Point, Ray, Segment, Shape, is_linear
from hitscope.geometry.vector import dot, subtract

Bound: TypeAlias = Fraction | float
"""A t: a Fraction, or -inf or inf if unbounded."""


class LinearProbe(NamedTuple):
    """A linear probe in integers: (origin + t * direction) / w, t_min <= t <= t_max."""

    origin: Vector
    direction: Vector
    w: int
    t_min: Bound
    t_max: Bound

    def at(self, t: Fraction) -> Homogeneous:
        """Return the point at t."""
        n, d = t.numerator, t.denominator
        x, y, z = (d * o + n * v for o, v in zip(self.origin, self.direction, strict=True))
        return reduced(x, y, z, d * self.w)


class Interval(NamedTuple):
    """The t range of the common part, and the normal of the face entered; None if the probe starts inside."""

    t_enter: Bound
    t_exit: Bound
    normal: Vector | None


class Relation(NamedTuple):
    """The relation of a probe and a primitive; t and normal (not unit) are None unless a linear probe hits."""

    hit: bool
    state: str
    side: str | None
    t_enter: Bound | None = None
    t_exit: Bound | None = None
    normal: Vector | None = None


@lru_cache(maxsize=1 << 10, typed=True)  # One probe is tested against every primitive in turn.
def linear_probe(probe: Segment | Ray | Line) -> LinearProbe:
    """Return a segment, ray or line in integers; a segment's direction is its exact end - start."""
    (origin, other), w = over_power_of_two(probe)
    match probe:
        case Segment():
            return LinearProbe(origin, subtract(other, origin), w, Fraction(0), Fraction(1))
        case Ray():
            return LinearProbe(origin, other, w, Fraction(0), inf)
        case Line():
            return LinearProbe(origin, other, w, -inf, inf)


def meet(probe: Shape, primitive: Shape) -> bool:
    """Return whether the two closed sets have a common point."""
    target = convex_set(primitive)
    if is_linear(probe):
        return _clipped_linear(linear_probe(probe), target) is not None
    return next(_common_parts(convex_set(probe), target), None) is not None


@lru_cache(maxsize=1 << 10, typed=True)  # A pair's answer and its state are needed one after the other.
def relation(probe: Shape, primitive: Shape) -> Relation:
    """Return the relation of the two sets: hit, state, side and, for a linear probe, t and normal."""
    if is_linear(probe):
        return _linear_relation(probe, primitive)
    return _body_relation(probe, primitive)


def clip_linear(line: LinearProbe, slabs: Sequence[Slab]) -> Interval | None:
    """Return the part of a linear probe inside all slabs, None if there is none.

    Of the faces entered at the same t the first one gives the normal.
    """
    # Each t is a numerator and a denominator, 0 of what is unbounded: a Fraction would be reduced at every slab.
    (enter, over), (leave, under) = _ratio(line.t_min), _ratio(line.t_max)
    entered = left = None
    for slab in slabs:
        speed = dot(slab.normal, line.direction)
        height = dot(slab.normal, line.origin)
        if speed == 0:
            if not _within(slab, height, line.w):
                return None
            continue
        near, far, sign = (slab.lo, slab.hi, 1) if speed > 0 else (slab.hi, slab.lo, -1)
        speed *= sign
        if near is not None:
            way = (near * line.w - height) * sign
            if way * over > enter * speed:
                enter, over, entered = way, speed, times(slab.normal, -sign)
        if far is not None:
            way = (far * line.w - height) * sign
            if way * under < leave * speed:
                leave, under, left = way, speed, slab
        if enter * under > leave * over:
            return None
    t_enter = line.t_min if entered is None else Fraction(enter, over)
    return Interval(t_enter, line.t_max if left is None else Fraction(leave, under), entered)


def _ratio(t: Bound) -> tuple[int, int]:
    """Return a t as a numerator and a denominator, which is 0 for one that is unbounded."""
    return (t.numerator, t.denominator) if isinstance(t, Fraction) else (1 if t > 0 else -1, 0)


def _clipped_linear(line: LinearProbe, target: ConvexSet) -> Interval | None:
    """Return the part of a linear probe inside a set, None if there is none."""
    slabs: Sequence[Slab] = target.slabs
    if target.is_large:
        slabs = target.sides.along(*line[:3], float(line.t_min), float(line.t_max))
    return clip_linear(line, slabs)


def _linear_relation(probe: Segment | Ray | Line, primitive: Shape) -> Relation:
    target, line = convex_set(primitive), linear_probe(probe)
    start = (*line.origin, line.w)
    ends = [start, line.at(Fraction(1))] if isinstance(probe, Segment) else []
    side = _side(ends, primitive, target)
    interval = _clipped_linear(line, target)
    if interval is None:
        return Relation(False, "apart", side)
    planes = target.planes
    if planes and all(_on(plane, start) and dot(plane.normal, line.direction) == 0 for plane in planes):
        state = "coplanar"
    elif not isinstance(probe, Line) and not planes and _strictly_inside(target, start):
        state = "inside"
    else:
        middle = _between(interval.t_enter, interval.t_exit)
        free = line.t_min < middle < line.t_max or not any(line.direction)
        state = "crossing" if free and _strictly_inside(target, line.at(middle)) else "touching"
    # A segment or a point has no face, but a box that is flat keeps those of its own axes.
    faceless = state == "coplanar" or (len(planes) > 1 and not target.is_box)
    normal = None if faceless else interval.normal
    return Relation(True, state, side, interval.t_enter, interval.t_exit, normal)


def _body_relation(probe: Shape, primitive: Shape) -> Relation:
    own, target = convex_set(probe), convex_set(primitive)
    corners = own.vertices
    side = _side(corners, primitive, target)
    common = [point for part in _common_parts(own, target) for point in part]
    if not common:
        return Relation(False, "apart", side)
    planes = target.planes
    # The sum is a point between all corners of the common part, so it lies in the relative interior of it.
    x, y, z, w = (sum(numbers) for numbers in zip(*common, strict=True))
    middle = x, y, z, w
    if (
        KINDS[type(probe)].dimension < 3
        and planes
        and all(_on(plane, corner) for plane in planes for corner in corners)
    ):
        state = "coplanar"
    elif isinstance(probe, Point) and _strictly_inside(target, middle):
        state = "inside"
    elif _strictly_inside(own, middle) and _strictly_inside(target, middle):
        state = "crossing"
    else:
        state = "touching"
    return Relation(True, state, side)


def _common_parts(own: ConvexSet, target: ConvexSet) -> Iterator[Sequence[Homogeneous]]:
    """Yield polygons whose corners are all corners of the common part; none if the sets are apart."""
    for face in own.faces:
        if part := _clipped(face, target):
            yield part
    if not own.planes:
        # A solid may have faces of the other, or all of it, inside.
        yield from _faces_within(target, own)


def _clipped(face: Cycle, body: ConvexSet) -> Sequence[Homogeneous]:
    """Return the part of a polygon inside a set: of many slabs, only those are taken that cut off a corner."""
    slabs: Iterable[Slab] = body.slabs
    if body.is_large:
        inside: set[Homogeneous] = set()
        taken: set[Slab] = set()
        while corner := next((corner for corner in face if corner not in inside), None):
            slab = body.sides.farthest_behind(corner)
            if slab is None:
                inside.add(corner)
            else:
                taken.add(slab)
                face = clip_cycle(face, [slab])
        slabs = [slab for slab in body.sides.at(face) if slab not in taken]
    return clip_cycle(face, slabs) if face else []


def _faces_within(body: ConvexSet, limits: ConvexSet) -> Iterator[Sequence[Homogeneous]]:
    """Yield the parts of a set's faces inside another set of few slabs."""
    whole: set[int] = set()
    cut = list(range(len(body.faces)))
    if cut and body.is_large:
        heights, errors = limits.sides.heights_of(body.corner_rows)
        of_faces, starts = body.corners_of_faces
        is_within = np.asarray((heights < -errors).all(axis=0))
        is_inside = np.logical_and.reduceat(is_within[of_faces], starts)
        is_outside = np.logical_and.reduceat((heights > errors)[:, of_faces], starts, axis=1).any(axis=0)
        whole, cut = set(np.flatnonzero(is_inside).tolist()), np.flatnonzero(~is_outside).tolist()
    for i in cut:
        if part := body.faces[i] if i in whole else clip_cycle(body.faces[i], limits.slabs):
            yield part


def _side(points: Sequence[Homogeneous], primitive: Shape, target: ConvexSet) -> str | None:
    """Return the side of a plane, or of a triangle's plane, that the points are on: front, back, on or both.

    None without points, and for other primitives; a collinear triangle has no plane.
    """
    if not points or KINDS[type(primitive)].dimension != 2 or len(target.planes) != 1:
        return None
    (plane,) = target.planes
    offset = plane.hi or 0
    heights = [dot(plane.normal, point) - offset * point[3] for point in points]
    front, back = max(heights) > 0, min(heights) < 0
    if front and back:
        return "both"
    return "front" if front else "back" if back else "on"


def _within(slab: Slab, height: int, w: int) -> bool:
    return (slab.lo is None or slab.lo * w <= height) and (slab.hi is None or height <= slab.hi * w)


def _strictly_within(slab: Slab, height: int, w: int) -> bool:
    return (slab.lo is None or slab.lo * w < height) and (slab.hi is None or height < slab.hi * w)


def _on(plane: Slab, point: Homogeneous) -> bool:
    return _within(plane, dot(plane.normal, point), point[3])


def _strictly_inside(body: ConvexSet, point: Homogeneous) -> bool:
    walls = body.walls if body.planes or not body.is_large else body.sides.at([point])
    return all(_strictly_within(wall, dot(wall.normal, point), point[3]) for wall in walls)


def _between(a: Bound, b: Bound) -> Fraction:
    """Return a t strictly between two, or their value if they are equal."""
    # isinf would round a huge Fraction to a float first.
    if a == -inf:
        return Fraction(0) if b == inf else Fraction(b) - 1
    if b == inf:
        return Fraction(a) + 1
    return (Fraction(a) + Fraction(b)) / 2

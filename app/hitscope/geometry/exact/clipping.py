"""The common part of two convex sets, by clipping with slabs in integers and fractions.

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
from hitscope.geometry.exact.sets import ConvexSet, clip_cycle, convex_set, sets_of
from hitscope.geometry.shapes import Line, Ray, Segment, Shape, is_linear
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


def clipped_linear(line: LinearProbe, target: ConvexSet) -> Interval | None:
    """Return the part of a linear probe inside a set, None if there is none."""
    slabs: Sequence[Slab] = target.slabs
    if target.is_large:
        slabs = target.sides.along(*line[:3], float(line.t_min), float(line.t_max))
    return clip_linear(line, slabs)


def cores_meet(probe: Shape, primitive: Shape) -> bool:
    """Return whether the closed cores of two shapes have a common point."""
    if is_linear(probe):
        return clipped_linear(linear_probe(probe), convex_set(primitive)) is not None
    return next(common_parts(*sets_of(probe, primitive)), None) is not None


def common_parts(own: ConvexSet, target: ConvexSet) -> Iterator[Sequence[Homogeneous]]:
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


def _within(slab: Slab, height: int, w: int) -> bool:
    return (slab.lo is None or slab.lo * w <= height) and (slab.hi is None or height <= slab.hi * w)


def is_on(plane: Slab, point: Homogeneous) -> bool:
    return _within(plane, dot(plane.normal, point), point[3])

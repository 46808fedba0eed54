"""The exact relation of a probe and a primitive: of cores by clipping, of round shapes by the gap between cores.

All points within r of a core are those of a round shape, so that two shapes meet if the squared distance of their
cores is at most (r_a + r_b)^2: no root is taken, and touching is equality.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import NamedTuple

from hitscope.geometry.exact.casts import line_and_set
from hitscope.geometry.exact.clipping import Bound, LinearProbe, clipped_linear, common_parts, cores_meet, is_on
from hitscope.geometry.exact.gaps import core_gap
from hitscope.geometry.exact.hull import Slab
from hitscope.geometry.exact.integers import Homogeneous
from hitscope.geometry.exact.near_faces import ends_of
from hitscope.geometry.exact.roots import sign_of
from hitscope.geometry.exact.round_ranges import round_range
from hitscope.geometry.exact.sets import ConvexSet, convex_set, core_of, radius_of, sets_of
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.shapes import Cast, Line, Point, Ray, Segment, Shape, is_linear
from hitscope.geometry.vector import dot


class Relation(NamedTuple):
    """The relation of a probe and a primitive; t and normal (not unit) are None unless a linear probe hits.

    Those of a round primitive are approximated, far more accurately than anything that they are rounded to.
    """

    hit: bool
    state: str
    side: str | None
    t_enter: Bound | None = None
    t_exit: Bound | None = None
    normal: Sequence[Fraction | int] | None = None


def reach_of(probe: Shape, primitive: Shape) -> Fraction | int:
    """Return the distance of their cores within which two shapes meet: the sum of their radii."""
    return radius_of(probe) + radius_of(primitive)


def dimension_of_type(shape: Shape) -> int:
    """Return the dimension of a shape's type, of what is rounded by nothing that of the core's."""
    return KINDS[type(shape if radius_of(shape) else core_of(shape))].dimension


def meet(probe: Shape, primitive: Shape) -> bool:
    """Return whether the two closed sets have a common point."""
    reach = reach_of(probe, primitive)
    if reach and is_linear(probe):
        return round_range(probe, primitive) is not None
    if not reach and not isinstance(probe, Cast):
        return cores_meet(probe, primitive)
    gap = core_gap(probe, primitive)
    return gap is None or gap.squared <= reach**2


@lru_cache(maxsize=1 << 10, typed=True)  # A pair's answer and its state are needed one after the other.
def relation(probe: Shape, primitive: Shape) -> Relation:
    """Return the relation of the two sets: hit, state, side and, for a linear probe, t and normal."""
    if isinstance(probe, Segment | Ray | Line | Cast):
        return _line_relation(probe, primitive)
    if reach := reach_of(probe, primitive):
        side = _side(lambda: ends_of(probe), primitive, radius_of(probe))
        gap = core_gap(probe, primitive)
        # Open sets meet if their cores are within reach.
        if gap is None or gap.squared < reach**2:
            return Relation(True, "inside" if isinstance(probe, Point) else "crossing", side)
        touches = gap.squared == reach**2
        return Relation(touches, "touching" if touches else "apart", side)
    return _body_relation(probe, primitive)


def _line_relation(probe: Segment | Ray | Line | Cast, primitive: Shape) -> Relation:
    """Return the relation of a linear probe, or of the motion of a body to the difference of the two sets."""
    # An endless probe is on no side.
    side = _side(lambda: [] if isinstance(probe, Ray | Line) else ends_of(probe), primitive, radius_of(probe))
    if reach_of(probe, primitive):
        found = round_range(probe, primitive)
        if found is not None:
            return Relation(True, found.state, side, found.t_enter, found.t_exit, found.normal)
    else:
        line, target = line_and_set(probe, primitive)
        if target is not None:
            return _relation_to_set(line, target, side)
    return Relation(False, "apart", side)


def _relation_to_set(line: LinearProbe, target: ConvexSet, side: str | None) -> Relation:
    """Return the relation of a linear probe to a set without a radius, given the side that it is on."""
    start = (*line.origin, line.w)
    interval = clipped_linear(line, target)
    if interval is None:
        return Relation(False, "apart", side)
    planes = target.planes
    if planes and all(is_on(plane, start) and dot(plane.normal, line.direction) == 0 for plane in planes):
        state = "coplanar"
    elif line.t_min == 0 and not planes and _is_strictly_inside(target, start):
        state = "inside"
    else:
        middle = _between(interval.t_enter, interval.t_exit)
        free = line.t_min < middle < line.t_max or not any(line.direction)
        state = "crossing" if free and _is_strictly_inside(target, line.at(middle)) else "touching"
    # A segment or a point has no face, but a box that is flat keeps those of its own axes.
    faceless = state == "coplanar" or (len(planes) > 1 and not target.is_box)
    normal = None if faceless else interval.normal
    return Relation(True, state, side, interval.t_enter, interval.t_exit, normal)


def _body_relation(probe: Shape, primitive: Shape) -> Relation:
    own, target = sets_of(probe, primitive)
    side = _side(lambda: own.vertices, primitive)
    common = [point for part in common_parts(own, target) for point in part]
    if not common:
        return Relation(False, "apart", side)
    # The sum is a point between all corners of the common part, so it lies in the relative interior of it.
    x, y, z, w = (sum(numbers) for numbers in zip(*common, strict=True))
    middle, may_be_coplanar = (x, y, z, w), target.planes and dimension_of_type(probe) < 3
    if may_be_coplanar and all(is_on(plane, corner) for plane in target.planes for corner in own.vertices):
        state = "coplanar"
    elif isinstance(probe, Point) and _is_strictly_inside(target, middle):
        state = "inside"
    elif _is_strictly_inside(own, middle) and _is_strictly_inside(target, middle):
        state = "crossing"
    else:
        state = "touching"
    return Relation(True, state, side)


def _side(
    points_of: Callable[[], Sequence[Homogeneous]], primitive: Shape, radius: Fraction | int = 0
) -> str | None:
    """Return the side of a plane, or of a triangle's plane, that the points are on: front, back, on or both.

    What is within a radius of them counts, too. None without points, and for other primitives; a collinear
    triangle has no plane.
    """
    if dimension_of_type(primitive) != 2:
        return None
    planes = convex_set(primitive).planes
    if len(planes) != 1 or not (points := points_of()):
        return None
    (plane,) = planes
    squared = dot(plane.normal, plane.normal)
    r, q = radius.numerator, radius.denominator
    heights = [(q * (dot(plane.normal, point) - (plane.hi or 0) * point[3]), r * point[3]) for point in points]
    front = any(sign_of(height, reach, squared) > 0 for height, reach in heights)
    back = any(sign_of(-height, reach, squared) > 0 for height, reach in heights)
    if front and back:
        return "both"
    return "front" if front else "back" if back else "on"


def _strictly_within(slab: Slab, height: int, w: int) -> bool:
    return (slab.lo is None or slab.lo * w < height) and (slab.hi is None or height < slab.hi * w)


def _is_strictly_inside(body: ConvexSet, point: Homogeneous) -> bool:
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

"""Where a linear probe is within a radius of a polytope: over its faces, along its edges, and around its vertices.

All points within r of a polytope are between the planes of its faces moved outwards by r. Where a probe enters the
last of these it enters the round set, if the foot of that point is on the face. Else it enters the sphere around a
vertex, or the cylinder along an edge between its ends: the first of all. Each t solves a linear or a quadratic
equation: it is (a + b * sqrt(d)) / w of integers.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from math import inf, lcm
from typing import NamedTuple

from hitscope.geometry.exact.casts import line_and_set, way_of
from hitscope.geometry.exact.clipping import Bound, LinearProbe
from hitscope.geometry.exact.gaps import point_gap
from hitscope.geometry.exact.integers import Homogeneous, Vector, over_one_denominator, times
from hitscope.geometry.exact.roots import Root, compared, sign_of
from hitscope.geometry.exact.round_ends import End, ends_around, proven_ends
from hitscope.geometry.exact.sets import ConvexSet, radius_of
from hitscope.geometry.shapes import Cast, Line, Ray, Segment, Shape
from hitscope.geometry.vector import cross, dot, subtract


class RoundRange(NamedTuple):
    """The state and t range of a linear probe that meets a round set, the normal there and a point of the core.

    That point is inside the feature that the normal belongs to; what is cast needs none. Both are None where the
    probe starts in the set. Roots are approximated: within 2 ** -500 of their size.
    """

    state: str
    t_enter: Bound
    t_exit: Bound
    normal: Sequence[Fraction | int] | None = None
    on_core: Callable[[], Homogeneous] | None = None


Side = tuple[Vector, int]
"""The half-space dot(normal, p) <= bound."""


@lru_cache(maxsize=1 << 10, typed=True)  # A pair's relation and its witness need the same.
def round_range(probe: Segment | Ray | Line | Cast, primitive: Shape, endless: bool = False) -> RoundRange | None:
    """Return where a probe, or `endless` its whole line, is in a shape, of which one is round; None if nowhere."""
    radius = radius_of(probe) + radius_of(primitive)
    if isinstance(probe, Cast) and (proven := proven_ends(probe, primitive, radius)) is not None:
        return _between(way_of(probe), *proven) if proven else None
    line, body = line_and_set(probe, primitive)
    if body is None:
        return None
    if endless:
        line = line._replace(t_min=-inf, t_max=inf)
    if not any(dot(slab.normal, line.direction) for slab in body.slabs):
        excess = _squared_gap((*line.origin, line.w), body) - radius**2
        state = "touching" if excess == 0 else "crossing" if line.t_min else "inside"
        return RoundRange(state, line.t_min, line.t_max) if excess <= 0 else None
    # In one unit all numbers are integers, far faster than fractions; t stays as it is.
    scaled = _times(line, Fraction(radius * line.w).denominator)
    squared = int(radius * scaled.w) ** 2
    enter: End | None = None
    leave: End | None = None
    if len(body.planes) < 2:
        sides = [side for slab in body.slabs for side in slab.sides]
        found = _between_planes(scaled, sides, squared)
        if found is None or _span(line, *found) is None:
            return None
        enter, leave = (side if _is_over_face(scaled, side, sides) else None for side in found)
    if enter is None or leave is None:
        enter, leave = _around_corners(scaled, body, squared, enter, leave)
    if enter is None or leave is None:
        return None
    entered = _between(line, enter, leave)
    if entered is None or entered.normal is None:
        return entered
    return entered._replace(on_core=partial(enter.middle, body))


def _span(line: LinearProbe, enter: End, leave: End) -> tuple[Root, Root] | None:
    """Return the least and the greatest t of a line; None if all are before those of two ends, or behind."""
    start, end = (Root(t) if isinstance(t, Fraction) else Root(1 if t > 0 else -1, w=0) for t in line[3:])
    return None if compared(enter.t, end) > 0 or compared(start, leave.t) > 0 else (start, end)


def _between(line: LinearProbe, enter: End, leave: End) -> RoundRange | None:
    """Return the range of a line between two ends, None if that has none of its t."""
    span = _span(line, enter, leave)
    if span is None:
        return None
    start, end = span
    before, after = compared(start, enter.t), compared(leave.t, end)
    first, last = enter.t if before < 0 else start, leave.t if after < 0 else end
    # What is entered by a double root is only touched all the way.
    if not enter.t.d or compared(first, last) == 0:
        state = "touching"
    else:
        state = "inside" if line.t_min == 0 and before > 0 else "crossing"
    t_enter, t_exit = (t.approximated() for t in (first, last))
    return RoundRange(state, t_enter, t_exit, enter.normal if before < 0 else None)


def _squared_gap(point: Homogeneous, body: ConvexSet) -> Fraction:
    """Return the squared distance of a point from a bounded set, or from what is between two planes."""
    if body.faces:
        return point_gap(point, body).squared
    ((normal, lo, hi),) = body.slabs
    height = Fraction(dot(normal, point), point[3])
    return max((lo or 0) - height, height - (hi or 0), Fraction(0)) ** 2 / dot(normal, normal)


def _between_planes(line: LinearProbe, sides: Sequence[Side], squared: int) -> tuple[End, End] | None:
    """Return where a line is between the planes of sides that are moved outwards; None if nowhere."""
    enter, leave = End(Root(-1, w=0), (0, 0, 0)), End(Root(1, w=0), (0, 0, 0))
    for normal, bound in sides:
        over, speed = dot(normal, line.origin) - bound * line.w, dot(normal, line.direction)
        size = squared * dot(normal, normal)
        if speed < 0:
            t = Root(over, -1, size, -speed)
            if compared(t, enter.t) > 0:
                enter = End(t, normal, bound=bound)
        elif speed > 0:
            t = Root(-over, 1, size, speed)
            if compared(t, leave.t) < 0:
                leave = End(t, normal, bound=bound)
        elif sign_of(over, -1, size) > 0:
            return None
    return None if compared(enter.t, leave.t) > 0 else (enter, leave)


def _is_over_face(line: LinearProbe, end: End, sides: Sequence[Side]) -> bool:
    """Whether the foot of a point over the plane of a side is strictly in all others: inside the face there."""
    a, b, d, w, normal = end.t.a, end.t.b, end.t.d, end.t.w, end.offset
    size = dot(normal, normal)
    for other, bound in sides:
        height, speed = dot(other, line.origin) - bound * line.w, dot(other, line.direction)
        # The point is origin + t * direction - normal * sqrt(d) / size, t = (a + b * sqrt(d)) / w.
        sign = sign_of(size * (w * height + a * speed), b * size * speed - w * dot(other, normal), d)
        if sign > 0 or (sign == 0 and any(cross(other, normal))):
            return False
    return w != 0


def _around_corners(
    line: LinearProbe, body: ConvexSet, squared: int, enter: End | None, leave: End | None
) -> list[End | None]:
    """Return where a line enters and leaves what is around edges and vertices, where that is not known yet."""
    points, w = over_one_denominator(body.vertices)
    unit = lcm(w, line.w)
    squared *= (unit // line.w) ** 2
    line = _times(line, unit // line.w)
    corners = zip(body.vertices, points, strict=True)
    offsets = {corner: subtract(line.origin, times(point, unit // w)) for corner, point in corners}
    features = [*((corner,) for corner in body.vertices), *body.edges]
    return ends_around(line.direction, offsets, features, squared, (enter, leave))


def _times(line: LinearProbe, factor: int) -> LinearProbe:
    """Return the same line with all its integers times a factor."""
    return LinearProbe(times(line.origin, factor), times(line.direction, factor), line.w * factor, *line[3:])

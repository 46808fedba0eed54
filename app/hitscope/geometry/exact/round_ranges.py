"""Where a linear probe is within a radius of a polytope: on its vertices, along its edges, and over its faces.

All points within r of a polytope are its own, and those of a sphere around each vertex, a cylinder along each edge
and a prism over each face. Their union is convex: the probe enters it where it enters the first of these, by a
quadratic equation (vertex, edge) or a linear one (face), whose solutions are a + b * sqrt(d) of rational numbers.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import inf, lcm
from typing import NamedTuple, TypeAlias

from hitscope.geometry.exact.clipping import Bound, LinearProbe, clip_linear, linear_probe
from hitscope.geometry.exact.integers import Homogeneous, Vector, homogeneous, times
from hitscope.geometry.exact.roots import Root, compared
from hitscope.geometry.exact.sets import ConvexSet, convex_set, radius_of
from hitscope.geometry.shapes import Line, Ray, Segment, Shape
from hitscope.geometry.vector import cross, dot, subtract

End: TypeAlias = Root | float
"""A t, which may be infinite."""


class Range(NamedTuple):
    """The t from which and until which a probe is in a convex set."""

    enter: End
    leave: End

    def within(self, other: "Range") -> "Range | None":
        """Return the part in another range; None if there is none."""
        enter = other.enter if _is_before(self.enter, other.enter) else self.enter
        leave = other.leave if _is_before(other.leave, self.leave) else self.leave
        return None if _is_before(leave, enter) else Range(enter, leave)


class Piece(NamedTuple):
    """A part of a round set: the range of a probe in it, a point of its core, and its normal at a t."""

    range: Range | None
    on_core: Callable[[], Sequence[Fraction | int]]
    normal: Callable[[Root], list[Root]]


class RoundRange(NamedTuple):
    """The t range of a linear probe in a round set, the normal there and the point of the core that it belongs to.

    Both are None where the probe starts in the set. Roots are approximated: within 2 ** -500 of their size.
    """

    t_enter: Bound
    t_exit: Bound
    normal: tuple[Fraction, Fraction, Fraction] | None
    on_core: Homogeneous | None


EVERYWHERE = Range(-inf, inf)


@lru_cache(maxsize=1 << 10, typed=True)  # A pair's relation and its witness need the same.
def round_range(probe: Segment | Ray | Line, primitive: Shape, endless: bool = False) -> RoundRange | None:
    """Return where a probe, or `endless` its whole line, is in a shape with a radius; None if nowhere."""
    line = linear_probe(probe)
    if endless:
        line = line._replace(t_min=-inf, t_max=inf)
    return range_within(line, convex_set(primitive), radius_of(primitive))


def range_within(line: LinearProbe, body: ConvexSet, radius: Fraction | int) -> RoundRange | None:
    """Return where a linear probe is within a radius, which is not 0, of a set; None if nowhere."""
    own = Range(*(Root(t) if isinstance(t, Fraction) else t for t in line[3:]))
    found: Range | None = None
    entered: Piece | None = None
    # In one unit all numbers of both are integers, far faster than fractions; t stays as it is.
    w = lcm(line.w, Fraction(radius).denominator, *(point[3] for face in body.faces for point in face))
    for piece in _pieces(line, body, int(radius * w) ** 2, w):
        part = piece.range and piece.range.within(own)
        if part is None:
            continue
        if found is None or _is_before(part.enter, found.enter):
            entered = piece
        found = (
            part
            if found is None
            else Range(
                part.enter if _is_before(part.enter, found.enter) else found.enter,
                part.leave if _is_before(found.leave, part.leave) else found.leave,
            )
        )
    if found is None or entered is None:
        return None
    if isinstance(found.enter, float) or not _is_before(own.enter, found.enter):
        return RoundRange(_approximated(found.enter), _approximated(found.leave), None, None)
    x, y, z = (root.approximated() for root in entered.normal(found.enter))
    on_core = homogeneous(Fraction(number) / w for number in entered.on_core())
    return RoundRange(_approximated(found.enter), _approximated(found.leave), (x, y, z), on_core)


def _approximated(t: End) -> Bound:
    return t.approximated() if isinstance(t, Root) else t


def _is_before(s: End, t: End) -> bool:
    if isinstance(s, Root) and isinstance(t, Root):
        return compared(s, t) < 0
    return (s == -inf and t != -inf) or (t == inf and s != inf)


def _pieces(line: LinearProbe, body: ConvexSet, squared: int, w: int) -> Iterator[Piece]:
    """Yield the parts of what is within a squared radius of a set, in integers: w times the numbers of both."""
    origin, way = times(line.origin, w // line.w), times(line.direction, w // line.w)
    faces = [[times(point, w // point[3]) for point in face] for face in body.faces]
    edges = {frozenset((p, q)): (p, q) for face in faces for p, q in pairwise((*face, face[0])) if p != q}
    for vertex in dict.fromkeys(point for face in faces for point in face):
        yield _around_vertex(origin, way, vertex, squared)
    for start, end in edges.values():
        yield _along_edge(origin, way, start, end, squared)
    for face in faces:
        if len(face) > 2 and any(normal := cross(subtract(face[1], face[0]), subtract(face[2], face[0]))):
            yield _over_face(origin, way, face, normal, squared)
    if not body.planes and (inner := clip_linear(line._replace(t_min=-inf, t_max=inf), body.slabs)):
        ends = (Root(t) if isinstance(t, Fraction) else t for t in inner[:2])
        yield Piece(Range(*ends), lambda: origin, lambda t: [])


def _around_vertex(origin: Vector, way: Vector, vertex: Vector, squared: int) -> Piece:
    """Return the sphere: |origin + t * way - vertex|^2 <= squared."""
    offset = subtract(origin, vertex)
    found = _quadratic(dot(way, way), dot(offset, way), dot(offset, offset) - squared)
    return Piece(found, lambda: vertex, lambda t: _moved(t, offset, way))


def _along_edge(origin: Vector, way: Vector, start: Vector, end: Vector, squared: int) -> Piece:
    """Return the cylinder, clipped between the planes across the edge at its ends."""
    along, offset = subtract(end, start), subtract(origin, start)
    length = dot(along, along)
    across, turn = cross(offset, along), cross(way, along)
    found = _quadratic(dot(turn, turn), dot(across, turn), dot(across, across) - squared * length)
    height, speed = dot(offset, along), dot(way, along)
    between = found and _between([(-height, -speed), (height - length, speed)])
    found = found and between and found.within(between)

    def beside(vector: Vector) -> Vector:
        return subtract(times(vector, length), times(along, dot(vector, along)))

    return Piece(
        found,
        lambda: [Fraction(p + q, 2) for p, q in zip(start, end, strict=True)],
        lambda t: _moved(t, beside(offset), beside(way)),
    )


def _over_face(origin: Vector, way: Vector, face: Sequence[Vector], normal: Vector, squared: int) -> Piece:
    """Return the prism on both sides of a face."""
    height, climb = dot(normal, subtract(origin, face[0])), dot(normal, way)
    reach = squared * dot(normal, normal)
    sides = ((p, cross(subtract(q, p), normal)) for p, q in pairwise((*face, face[0])))
    found = _between((dot(out, subtract(origin, p)), dot(out, way)) for p, out in sides)
    if found is not None and climb:
        ends = (Root.of(Fraction(-height, climb), Fraction(sign, abs(climb)), reach) for sign in (-1, 1))
        found = found.within(Range(*ends))
    elif height**2 > reach:
        found = None
    sign = -1 if climb > 0 else 1
    return Piece(
        found,
        lambda: [Fraction(sum(numbers), len(face)) for numbers in zip(*face, strict=True)],
        lambda t: [Root(Fraction(sign * number)) for number in normal],
    )


def _between(sides: Iterable[tuple[int, int]]) -> Range | None:
    """Return where start + t * speed <= 0 for each of some pairs of both."""
    # Each bound is a quotient of integers, the divisor 0 of an infinite one.
    low, below, high, above = -1, 0, 1, 0
    for start, speed in sides:
        if speed > 0:
            if not above or -start * above < high * speed:
                high, above = -start, speed
        elif speed < 0:
            if not below or start * below > low * -speed:
                low, below = start, -speed
        elif start > 0:
            return None
    if below and above and low * above > high * below:
        return None
    return Range(*(Root(Fraction(t, w)) if w else t * inf for t, w in ((low, below), (high, above))))


def _moved(t: Root, offset: Vector, way: Vector) -> list[Root]:
    return [t.times_plus(d, o) for o, d in zip(offset, way, strict=True)]


def _quadratic(a: int, b: int, c: int) -> Range | None:
    """Return where a * t^2 + 2 * b * t + c <= 0; a is not negative, and b is 0 where a is."""
    if not a:
        return EVERYWHERE if c <= 0 else None
    discriminant = b * b - a * c
    if discriminant < 0:
        return None
    return Range(*(Root.of(Fraction(-b, a), Fraction(sign, a), discriminant) for sign in (-1, 1)))

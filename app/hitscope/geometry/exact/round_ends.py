"""Where what moves comes within a radius of a polytope and leaves it: a root each, at a vertex, an edge or a face.

The distance of two convex sets is convex along the way. So a root is right if the vector between nearest points of
two features is as long as the radius there, and no other corner of either set lies beyond them along it. Which
features these are is proposed by floats; then signs of a + b * sqrt(d) prove it, or all features are compared.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from hitscope.geometry.exact.approach import Moving, approach, in_floats
from hitscope.geometry.exact.casts import way_of
from hitscope.geometry.exact.integers import Homogeneous, Vector, over_one_denominator, reduced, times
from hitscope.geometry.exact.roots import Root, compared, sign_of
from hitscope.geometry.exact.sets import ConvexSet, hull_points, target_of
from hitscope.geometry.shapes import Cast, Shape
from hitscope.geometry.vector import add, cross, dot, subtract

C = TypeVar("C")
GRAIN = 1 << 30
"""How many parts a weight or a direction of floats has in integers."""


class End(NamedTuple):
    """A t at which a line enters or leaves a round set, and the normal offset + t * way there.

    That is around some corners of a vertex or edge; without a `way` it is the normal of a face, within `bound`.
    """

    t: Root
    offset: Vector
    way: Vector = (0, 0, 0)
    corners: Sequence[Any] = ()
    bound: int = 0

    @property
    def normal(self) -> Sequence[Fraction | int]:
        """The normal, approximated."""
        if not any(self.way):
            return self.offset
        t = self.t
        roots = [Root(o * t.w + v * t.a, v * t.b, t.d, t.w) for o, v in zip(self.offset, self.way, strict=True)]
        x, y, z = (Fraction(root.approximated()) for root in roots)
        return x, y, z

    def middle(self, body: ConvexSet) -> Homogeneous:
        """Return the middle of the feature's corners."""
        corners = self.corners or [p for p in body.vertices if dot(self.offset, p) == self.bound * p[3]]
        vectors, w = over_one_denominator(corners)
        x, y, z = (sum(numbers) for numbers in zip(*vectors, strict=True))
        return reduced(x, y, z, w * len(vectors))


def proven_ends(probe: Cast, primitive: Shape, radius: Fraction | int) -> Sequence[End] | None:
    """Return where a body that moves comes within a radius of a primitive and where it leaves it.

    That is at infinity if it is within at the start, or at the end; there are none if it surely misses. None if
    integers refuse what floats propose.
    """
    own, other, line = hull_points(probe.inner), target_of(probe, primitive).vertices, way_of(probe)
    if not other or not any(line.direction):
        return None
    vectors, w = over_one_denominator([(*line.direction, line.w), *own, *other])
    # In one unit all numbers are integers, far faster than fractions; t stays as it is.
    unit = (radius * w).denominator
    way, *points = [times(vector, unit) for vector in vectors]
    pair = Moving(points[: len(own)], points[len(own) :], way, int(radius * w * unit))
    about = in_floats(pair)
    corners: Sequence[tuple[int, int]] = [(0, 0)]
    ends = []
    for sign, first in ((-1, 0), (1, -1)):
        # Its last moment is the first one on the way back.
        back = about._replace(way=subtract((0.0, 0.0, 0.0), about.way)) if sign > 0 else about
        nearest = approach(back, first, first + 1, corners)
        if nearest is None:
            return None
        if nearest.is_apart:
            return [] if _are_apart(about, pair, corners) else None
        corners = nearest.corners
        points = [subtract(pair.ends[j], pair.starts[i]) for i, j in corners]
        if nearest.t == first:
            end = _at_first(times(way, -sign * first), points, nearest.weights, pair.radius, sign)
        else:
            offsets = [times(point, -1) for point in points]
            if len(offsets) == 3:
                end = _over_triangle(way, offsets, pair.radius**2, sign)
            else:
                around = ends_around(way, dict(enumerate(offsets)), [range(len(offsets))], pair.radius**2)
                end = around[0 if sign < 0 else 1]
            if end is not None and not _is_nearest(end, pair, *corners[0]):
                end = None
        if end is None:
            return None
        ends.append(end)
    return ends


def _are_apart(about: Moving[float], pair: Moving[int], corners: Sequence[tuple[int, int]]) -> bool:
    """Whether a plane surely parts all that two sets come to."""
    moved = [add(start, about.way) for start in about.starts]
    swept = about._replace(starts=[*about.starts, *moved], way=(0.0, 0.0, 0.0))
    nearest = approach(swept, 0.0, 0.0, corners)
    if nearest is None or not nearest.is_apart:
        return False
    x, y, z = nearest.away
    size = GRAIN / max(map(abs, nearest.away))
    away = int(x * size), int(y * size), int(z * size)
    lowest = min(dot(away, start) for start in pair.starts) + min(dot(away, pair.way), 0)
    gap = lowest - max(dot(away, end) for end in pair.ends)
    return sign_of(gap, -pair.radius, dot(away, away)) > 0


def _at_first(
    at: Vector, points: Sequence[Vector], weights: Sequence[float], radius: int, sign: int
) -> End | None:
    """Return an end at infinity if a point is surely nearer than a radius to one of the hull of some points."""
    parts = [int(weight * GRAIN) for weight in weights]
    total = sum(parts)
    away = times(at, total)
    for part, point in zip(parts, points, strict=True):
        away = subtract(away, times(point, part))
    return End(Root(sign, d=1, w=0), away) if dot(away, away) < (radius * total) ** 2 else None


def _is_nearest(end: End, pair: Moving[int], i: int, j: int) -> bool:
    """Whether no corners b - a lie beyond those of two indices along the normal of an end."""
    a, b, d, w = int(end.t.a), int(end.t.b), end.t.d, end.t.w
    # The normal is p + q * sqrt(d).
    p, q = add(times(end.offset, w), times(end.way, a)), times(end.way, b)
    for points, index, side in ((pair.starts, i, -1), (pair.ends, j, 1)):
        over, rise = dot(p, points[index]), dot(q, points[index])
        if any(sign_of(dot(p, point) - over, dot(q, point) - rise, d) == side for point in points):
            return False
    return True


def ends_around(
    way: Vector,
    offsets: Mapping[C, Vector],
    features: Iterable[Sequence[C]],
    squared: int,
    known: Sequence[End | None] = (None, None),
) -> list[End | None]:
    """Return where a point first comes within a radius of vertices and edges, and leaves them last, if not known.

    It is seen from their corners as offset + t * way.
    """
    a = dot(way, way)
    around = {
        corner: (offset, dot(offset, way), dot(offset, offset) - squared) for corner, offset in offsets.items()
    }
    ends = [*known]
    # A vertex is an edge without a direction; of those with the same foot it is the first.
    for corners in features:
        offset, b, c = around[corners[0]]
        along = subtract(offset, around[corners[-1]][0])
        height, speed, length = dot(offset, along), dot(way, along), dot(along, along) or 1
        p, q = a * length - speed**2, b * length - height * speed
        d = q * q - p * (c * length - height**2)
        # Parallel to an edge it enters and leaves around the ends.
        if d < 0 or not p:
            continue
        for k, sign in enumerate((-1, 1)):
            t = Root(-q, sign, d, p)
            if known[k] is None and ((nearest := ends[k]) is None or compared(t, nearest.t) == sign):
                foot = height * p - speed * q
                if sign_of(foot, sign * speed, d) >= 0 and sign_of(length * p - foot, -sign * speed, d) >= 0:
                    across = subtract(times(offset, length), times(along, height))
                    ends[k] = End(t, across, subtract(times(way, length), times(along, speed)), corners)
    return ends


def _over_triangle(way: Vector, offsets: Sequence[Vector], squared: int, sign: int) -> End | None:
    """Return where a point enters (sign -1) or leaves what is within a radius over a triangle.

    It is seen from the corners. None if its foot is not strictly inside.
    """
    first, second, third = offsets
    normal = cross(subtract(first, third), subtract(first, second))
    speed = dot(normal, way)
    if speed * sign < 0:
        normal, speed = times(normal, -1), -speed
    if not speed:
        return None
    t = Root(-sign * dot(normal, first), sign, squared * dot(normal, normal), sign * speed)
    sides = set()
    for start, end in ((first, second), (second, third), (third, first)):
        outwards = cross(subtract(start, end), normal)
        rise = dot(outwards, way)
        sides.add(sign_of(t.w * dot(outwards, start) + t.a * rise, t.b * rise, t.d))
    return End(t, normal) if sides in ({-1}, {1}) else None

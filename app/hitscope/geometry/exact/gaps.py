"""The squared distance of two cores, exact, with the nearest point of each.

The shortest vector between two convex sets is one between few corners, along which no others lie beyond (Gilbert,
Johnson and Keerthi 1988). The nearest points lie on the features (vertex, edge, face) of these, whose distance is
one of four formulas (Ericson 2005, 5.1).
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations, product, starmap
from math import ceil, floor
from typing import NamedTuple, TypeAlias

from hitscope.geometry.exact.approach import Moving, approach, in_floats
from hitscope.geometry.exact.clipping import Bound, cores_meet, linear_probe
from hitscope.geometry.exact.hull import Cycle, Slab, edges_of
from hitscope.geometry.exact.integers import (
    ExactPoint,
    Homogeneous,
    Vector,
    exact_point,
    homogeneous,
    over_one_denominator,
    times,
)
from hitscope.geometry.exact.near_faces import ends_of, has_many_corners, near_faces
from hitscope.geometry.exact.sets import ConvexSet, convex_set, hull_points, sets_of
from hitscope.geometry.shapes import Cast, Line, Plane, Ray, Segment, Shape, is_linear
from hitscope.geometry.vector import add, cross, dot, subtract


class ExactEdge(NamedTuple):
    """The points start + t * along, t_min <= t <= t_max, from 0 or without a start to 1 or without an end."""

    start: Vector
    along: Vector
    t_min: Bound = Fraction(0)
    t_max: Bound = Fraction(1)

    def at(self, numerator: int, denominator: int) -> "ScaledPoint":
        return _moved(self.start, Fraction(numerator, denominator), self.along)


class ExactFeatures(NamedTuple):
    """The vertices, edges and faces of a set, in integers over one denominator."""

    vertices: list[Vector]
    edges: list[ExactEdge]
    faces: list[list[Vector]]


ORIGIN = ExactFeatures([(0, 0, 0)], [], [])

ScaledPoint: TypeAlias = Sequence[Fraction | int]


class Gap(NamedTuple):
    """Two features' squared distance as a quotient, and a function that returns the nearest point of each.

    A Fraction would be reduced, which takes longer than to compare two.
    """

    numerator: int
    denominator: int
    points: Callable[[], tuple[ScaledPoint, ScaledPoint]]


class CoreGap(NamedTuple):
    """The squared distance of two cores that are apart, and a function that returns the nearest point of each."""

    squared: Fraction
    points: Callable[[], tuple[ExactPoint, ExactPoint]]


@lru_cache(maxsize=1 << 10, typed=True)  # The verdicts of all methods of a pair have the same distance.
def core_gap(probe: Shape, primitive: Shape) -> CoreGap | None:
    """Return the gap between the cores of two shapes; None if they meet."""
    # Few faces of a large set are left, which tell nothing of what is inside.
    if has_many_corners(convex_set(primitive)) and cores_meet(probe, primitive):
        return None
    if isinstance(primitive, Plane):
        (plane,) = convex_set(primitive).planes
        heights = {end: height_over(plane, end) for end in ends_of(probe)}
        # What is endless may meet it beyond its ends.
        crosses = min(heights.values()) <= 0 <= max(heights.values())
        if crosses if isinstance(probe, Cast) else cores_meet(probe, primitive):
            return None
        end = min(heights, key=lambda end: abs(heights[end]))
        squared = heights[end] ** 2 / dot(plane.normal, plane.normal)
        return CoreGap(squared, lambda: _with_foot(plane, end))
    t_min = linear_probe(probe).t_min if isinstance(probe, Ray | Line) else None
    way = _shortest_way(*_corners(probe, primitive), t_min)
    return CoreGap(way.squared, lambda: _nearest_points(probe, primitive, way.away)) if way else None


def _corners(probe: Shape, primitive: Shape) -> tuple[Sequence[Homogeneous], Sequence[Homogeneous]]:
    """Return the corners of two cores between which their shortest vector is; of a linear probe two points."""
    if is_linear(probe):
        line = linear_probe(probe)
        own: Sequence[Homogeneous] = [line.at(Fraction(0)), line.at(Fraction(1))]
    elif isinstance(probe, Cast) or convex_set(probe).bounded:
        own = hull_points(probe)
    else:
        own, other = (body.vertices for body in sets_of(probe, primitive))
        return own, other
    body, faces = convex_set(primitive), near_faces(probe, primitive)
    return own, body.vertices if faces is body.faces else list(dict.fromkeys(chain.from_iterable(faces)))


class PointGap(NamedTuple):
    """The squared distance from a point to a core, and the nearest point of that."""

    squared: Fraction
    on_core: Homogeneous


def point_gap(point: Homogeneous, body: ConvexSet) -> PointGap:
    """Return the gap between a point and a bounded set."""
    way = _shortest_way([point], body.vertices)
    if way is None:
        return PointGap(Fraction(0), point)
    part = way.length / dot(way.away, way.away)
    on_core = [p - part * d for p, d in zip(exact_point(point), way.away, strict=True)]
    return PointGap(way.squared, homogeneous(on_core))


class Way(NamedTuple):
    """The shortest way from one set to another: a vector, and its length times that of the vector."""

    away: Vector
    length: Fraction

    @property
    def squared(self) -> Fraction:
        """The squared distance."""
        return self.length**2 / dot(self.away, self.away)


def _shortest_way(
    own: Sequence[Homogeneous], other: Sequence[Homogeneous], t_min: Bound | None = None
) -> Way | None:
    """Return the shortest way from the hull of some corners to that of others, None if they meet.

    With `t_min` the first is an endless part of the line through both corners. The way is one between few corners,
    which floats propose: as long as others lie beyond these along it, the two that do so the most are among them.
    """
    vectors, w = over_one_denominator([*own, *other])
    starts, ends = vectors[: len(own)], vectors[len(own) :]
    if t_min is not None:
        # The part where the feet of all others are.
        first, along = starts[0], subtract(starts[1], starts[0])
        feet = [Fraction(dot(subtract(end, first), along), dot(along, along) or 1) for end in ends]
        starts = [add(first, times(along, t)) for t in (floor(max(min(feet), t_min)), ceil(max(*feet, t_min)))]
    nearest = approach(in_floats(Moving(starts, ends, (0, 0, 0), 0)), 0.0, 0.0, [(0, 0)])
    corners = [(0, 0)] if nearest is None else list(nearest.corners)
    while True:
        points = [subtract(starts[i], ends[j]) for i, j in corners]
        edges = [ExactEdge(p, subtract(q, p)) for p, q in combinations(points, 2) if p != q]
        few = ExactFeatures(points, edges, list(map(list, combinations(points, 3))))
        x, y, z, _ = homogeneous(map(Fraction, _least(_gaps(ORIGIN, few)).points()[1]))
        away = x, y, z
        levels = [dot(away, point) for point in points]
        level = min(levels)
        if level <= 0:
            return None
        heights, others = ([dot(away, point) for point in each] for each in (starts, ends))
        lowest, highest = min(heights), max(others)
        if lowest - highest == level:
            return Way(away, Fraction(level, w))
        corners = [pair for pair, height in zip(corners, levels, strict=True) if height == level]
        corners.append((heights.index(lowest), others.index(highest)))


def _nearest_points(probe: Shape, primitive: Shape, away: Vector) -> tuple[ExactPoint, ExactPoint]:
    """Return a nearest point of each of two cores, whose shortest vector has a direction."""
    a, b, w = _features(probe, primitive)
    lowest = min(dot(away, point) for point in (*a.vertices, *(edge.start for edge in a.edges)))
    highest = max(dot(away, point) for point in b.vertices)
    first, second = _least(_gaps(_at_height(a, away, lowest), _at_height(b, away, highest))).points()
    return _divided(first, w), _divided(second, w)


def nearest_pairs(a: ConvexSet, b: ConvexSet) -> list[tuple[ExactPoint, ExactPoint]]:
    """Return pairs of nearest points of two sets that are apart; their hulls are all such points.

    Both are bounded, or the second is a plane: then it is those of corners of the first.
    """
    if not b.faces:
        heights = [abs(height_over(b.planes[0], corner)) for corner in a.vertices]
        least = min(heights)
        pairs = zip(a.vertices, heights, strict=True)
        return [_with_foot(b.planes[0], corner) for corner, height in pairs if height == least]
    bodies, w = _in_one_unit(a.faces, b.faces)
    gaps = list(_gaps(*map(_features_of_faces, bodies)))
    nearest = _least(gaps)
    # Sets that were moved by an approximated root are as far apart as all but 2 ** -400 of the distance.
    most, over = nearest.numerator * ((1 << 400) + 1), nearest.denominator << 400
    found: dict[tuple[int, ...], tuple[ExactPoint, ExactPoint]] = {}
    size = max(abs(number) for faces in bodies for face in faces for point in face for number in point) or 1
    for gap in gaps:
        if gap.numerator * over <= most * gap.denominator:
            p, q = gap.points()
            place = tuple((number * (1 << 301) // size + 1) // 2 for number in (*p, *q))
            found.setdefault(place, (_divided(p, w), _divided(q, w)))
    return list(found.values())


def _divided(point: ScaledPoint, w: int) -> ExactPoint:
    x, y, z = (Fraction(number) / w for number in point)
    return x, y, z


def _with_foot(plane: Slab, point: Homogeneous) -> tuple[ExactPoint, ExactPoint]:
    """Return a point, and the nearest one of a plane."""
    at, part = exact_point(point), height_over(plane, point) / dot(plane.normal, plane.normal)
    x, y, z = (p - part * n for p, n in zip(at, plane.normal, strict=True))
    return at, (x, y, z)


def _least(gaps: Iterable[Gap]) -> Gap:
    """Return the gap of the shortest distance, the first of several."""
    gaps = iter(gaps)
    least = next(gaps)
    for gap in gaps:
        if gap.numerator * least.denominator < least.numerator * gap.denominator:
            least = gap
    return least


def _at_height(features: ExactFeatures, normal: Vector, height: int) -> ExactFeatures:
    """Return the features all of whose points are at a height along a normal."""
    vertices, edges, faces = features
    return ExactFeatures(
        [point for point in vertices if dot(normal, point) == height],
        [edge for edge in edges if dot(normal, edge.start) == height and not dot(normal, edge.along)],
        [face for face in faces if all(dot(normal, point) == height for point in face)],
    )


def height_over(plane: Slab, point: Homogeneous) -> Fraction:
    """Return the height of a point over a plane, times the length of its normal."""
    return Fraction(dot(plane.normal, point), point[3]) - (plane.hi or 0)


def _features(probe: Shape, primitive: Shape) -> tuple[ExactFeatures, ExactFeatures, int]:
    """Return the features of both shapes, in integers over one denominator, and that denominator."""
    if not is_linear(probe):
        if convex_set(probe).bounded:
            bodies, w = _in_one_unit(convex_set(probe).faces, near_faces(probe, primitive))
        else:
            bodies, w = _in_one_unit(*(body.faces for body in sets_of(probe, primitive)))
        return _features_of_faces(bodies[0]), _features_of_faces(bodies[1]), w
    line = linear_probe(probe)
    ends = (*line.origin, line.w), line.at(Fraction(1))
    (((first, second),), faces), w = _in_one_unit([ends], near_faces(probe, primitive))
    along = subtract(second, first)
    vertices = {Segment: [first, second], Ray: [first], Line: []}[type(probe)]
    edges = [ExactEdge(first, along, line.t_min, line.t_max)] if any(along) else []
    return ExactFeatures(vertices or ([] if edges else [first]), edges, []), _features_of_faces(faces), w


def _in_one_unit(*bodies: Sequence[Cycle]) -> tuple[list[list[list[Vector]]], int]:
    """Return the corners of the faces of bodies as integer vectors times a common denominator w, and w."""
    vectors, w = over_one_denominator(point for faces in bodies for face in faces for point in face)
    following = iter(vectors)
    return [[[next(following) for _ in face] for face in faces] for faces in bodies], w


def _features_of_faces(cycles: list[list[Vector]]) -> ExactFeatures:
    edges = {frozenset((p, q)): ExactEdge(p, subtract(q, p)) for cycle in cycles for p, q in edges_of(cycle)}
    return ExactFeatures(list({point for cycle in cycles for point in cycle}), list(edges.values()), cycles)


def _gaps(a: ExactFeatures, b: ExactFeatures) -> Iterable[Gap]:
    yield from starmap(_vertex_vertex, product(a.vertices, b.vertices))
    yield from _vertices_and(b, a.vertices)
    yield from map(_swapped, _vertices_and(a, b.vertices))
    for e, f in product(a.edges, b.edges):
        yield from _edge_edge(e, f)


def _vertices_and(features: ExactFeatures, vertices: list[Vector]) -> Iterable[Gap]:
    """Yield the gaps between vertices and the edges and faces of another set."""
    for point in vertices:
        for edge in features.edges:
            yield from _vertex_edge(point, edge)
        for face in features.faces:
            yield from _vertex_face(point, face)


def _swapped(gap: Gap) -> Gap:
    """Return a gap with its two features exchanged."""

    def points() -> tuple[ScaledPoint, ScaledPoint]:
        first, second = gap.points()
        return second, first

    return Gap(gap.numerator, gap.denominator, points)


def _vertex_vertex(p: Vector, q: Vector) -> Gap:
    between = subtract(p, q)
    return Gap(dot(between, between), 1, lambda: (p, q))


def _vertex_edge(point: Vector, edge: ExactEdge) -> Iterable[Gap]:
    from_start = subtract(point, edge.start)
    length, along = dot(edge.along, edge.along), dot(from_start, edge.along)
    if _has(edge, along, length):
        across = cross(from_start, edge.along)
        yield Gap(dot(across, across), length, lambda: (point, edge.at(along, length)))


def _vertex_face(point: Vector, face: list[Vector]) -> Iterable[Gap]:
    normal = cross(subtract(face[1], face[0]), subtract(face[2], face[0])) if len(face) > 2 else (0, 0, 0)
    if any(normal) and all(dot(cross(subtract(q, p), normal), subtract(point, p)) <= 0 for p, q in edges_of(face)):
        height, squared = dot(normal, subtract(point, face[0])), dot(normal, normal)
        yield Gap(height**2, squared, lambda: (point, _moved(point, Fraction(-height, squared), normal)))


def _edge_edge(e: ExactEdge, f: ExactEdge) -> Iterable[Gap]:
    normal = cross(e.along, f.along)
    squared = dot(normal, normal)
    if squared:
        between = subtract(f.start, e.start)
        s, t = dot(cross(between, f.along), normal), dot(cross(between, e.along), normal)
        if _has(e, s, squared) and _has(f, t, squared):
            yield Gap(dot(between, normal) ** 2, squared, lambda: (e.at(s, squared), f.at(t, squared)))


def _has(edge: ExactEdge, numerator: int, denominator: int) -> bool:
    """Whether an edge has the point at numerator / denominator; a Fraction would be reduced for each pair."""
    return (numerator >= 0 or edge.t_min != 0) and (numerator <= denominator or edge.t_max != 1)


def _moved(start: Vector, t: Fraction, along: Vector) -> ScaledPoint:
    return [p + t * d for p, d in zip(start, along, strict=True)]

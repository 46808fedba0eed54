"""The squared distance of two cores, exact, with the nearest point of each.

The nearest points of two convex sets that are apart lie on features (vertex, edge, face), whose distance is one of
four formulas; the least over all pairs of features is the distance (Ericson 2005, 5.1).
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.exact.clipping import Bound, cores_meet, linear_probe
from hitscope.geometry.exact.hull import Cycle, Slab
from hitscope.geometry.exact.integers import (
    ExactPoint,
    Homogeneous,
    Vector,
    exact_point,
    homogeneous,
    length_of,
    over_one_denominator,
)
from hitscope.geometry.exact.near_faces import TOLERANCE, ends_of, near_faces
from hitscope.geometry.exact.sets import ConvexSet, clip_cycle, convex_set, sets_of
from hitscope.geometry.shapes import Line, Plane, Ray, Segment, Shape, is_linear
from hitscope.geometry.vector import cross, dot, subtract


class ExactEdge(NamedTuple):
    """The points start + t * along, t_min <= t <= t_max, from 0 or without a start to 1 or without an end."""

    start: Vector
    along: Vector
    t_min: Bound = Fraction(0)
    t_max: Bound = Fraction(1)

    @property
    def end(self) -> Vector:
        """The point where t is 1."""
        return self.start[0] + self.along[0], self.start[1] + self.along[1], self.start[2] + self.along[2]


class ExactFeatures(NamedTuple):
    """The vertices, edges and faces of a set, in integers over one denominator."""

    vertices: list[Vector]
    edges: list[ExactEdge]
    faces: list[list[Vector]]


ScaledPoint: TypeAlias = Sequence[Fraction | int]


class Gap(NamedTuple):
    """Two features' squared distance as a quotient, and a function that returns the nearest point of each."""

    numerator: int
    denominator: int
    points: Callable[[], tuple[ScaledPoint, ScaledPoint]]

    @property
    def squared(self) -> Fraction:
        """The squared distance; most gaps are compared without it, since a Fraction would be reduced."""
        return Fraction(self.numerator, self.denominator)


class CoreGap(NamedTuple):
    """The squared distance of two cores that are apart, and a function that returns the nearest point of each."""

    squared: Fraction
    points: Callable[[], tuple[ExactPoint, ExactPoint]]


@lru_cache(maxsize=1 << 10, typed=True)  # The verdicts of all methods of a pair have the same distance.
def core_gap(probe: Shape, primitive: Shape) -> CoreGap | None:
    """Return the gap between the cores of two shapes; None if they meet."""
    if cores_meet(probe, primitive):
        return None
    if isinstance(primitive, Plane):
        (plane,) = convex_set(primitive).planes
        end = min(ends_of(probe), key=lambda end: abs(height_over(plane, end)))
        squared = height_over(plane, end) ** 2 / dot(plane.normal, plane.normal)
        return CoreGap(squared, lambda: _with_foot(plane, end))
    a, b, w = _features(probe, primitive)
    return _unscaled(_least(_gaps(*_nearer(a, b))), w)


class PointGap(NamedTuple):
    """The squared distance from a point to a core, and the nearest point of that."""

    squared: Fraction
    on_core: Homogeneous


def point_gap(point: Homogeneous, body: ConvexSet) -> PointGap:
    """Return the gap between a point and a bounded set."""
    if clip_cycle([point], body.slabs):
        return PointGap(Fraction(0), point)
    (((own,),), faces), w = _in_one_unit([[point]], body.faces)
    gap = _unscaled(_least(_gaps(ExactFeatures([own], [], []), _features_of_faces(faces))), w)
    return PointGap(gap.squared, homogeneous(gap.points()[1]))


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


def _unscaled(gap: Gap, w: int) -> CoreGap:
    def points() -> tuple[ExactPoint, ExactPoint]:
        first, second = gap.points()
        return _divided(first, w), _divided(second, w)

    return CoreGap(gap.squared / (w * w), points)


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


def _nearer(a: ExactFeatures, b: ExactFeatures) -> tuple[ExactFeatures, ExactFeatures]:
    """Return the features without those that are too far apart along some direction to be the nearest.

    No distance is shorter than its projection onto a unit vector. Starting with the direction between the nearest
    vertices, the features foremost along a direction give a nearer pair, whose own direction is a better one. A
    feature is left out if it lies behind the foremost by more than the pair's distance exceeds the projected gap.
    """
    if len(a.vertices) < 2 or len(b.vertices) < 2 or any(edge.t_max != 1 for edge in (*a.edges, *b.edges)):
        return a, b
    middle = b.vertices[0]
    centered = [[subtract(point, middle) for point in features.vertices] for features in (a, b)]
    size = max(abs(number) for points in centered for point in points for number in point)
    first, second = (np.array([[number / size for number in point] for point in points]) for points in centered)
    between = first[:, None] - second[None]
    i, j = np.unravel_index(np.argmin((between**2).sum(axis=2)), between.shape[:2])
    away, shortest = between[i, j], inf
    kept = a, b
    while (length := float(np.linalg.norm(away))) > 0:
        heights, others = first @ (away / length), second @ (away / length)
        behind, beyond = heights - heights.min(), others.max() - others
        gap = _least(_gaps(_of_vertices(a, behind <= TOLERANCE), _of_vertices(b, beyond <= TOLERANCE)))
        found = length_of(gap.squared / (size * size))
        if found >= shortest:
            break
        shortest = found
        most = found - float(heights.min() - others.max()) + TOLERANCE
        kept = _of_vertices(a, behind <= most), _of_vertices(b, beyond <= most)
        p, q = gap.points()
        away = np.array([float((x - y) / size) for x, y in zip(p, q, strict=True)])
    return kept


def _of_vertices(features: ExactFeatures, wanted: NDArray[np.bool_]) -> ExactFeatures:
    """Return the features that have at least one of the wanted vertices."""
    near = {point for point, is_wanted in zip(features.vertices, wanted.tolist(), strict=True) if is_wanted}
    return ExactFeatures(
        [point for point in features.vertices if point in near],
        [edge for edge in features.edges if edge.start in near or edge.end in near],
        [face for face in features.faces if any(point in near for point in face)],
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
    edges = {
        frozenset((p, q)): ExactEdge(p, subtract(q, p))
        for cycle in cycles
        for p, q in zip(cycle, cycle[1:] + cycle[:1], strict=True)
        if p != q
    }
    return ExactFeatures(list({point for cycle in cycles for point in cycle}), list(edges.values()), cycles)


def _gaps(a: ExactFeatures, b: ExactFeatures) -> Iterable[Gap]:
    for p in a.vertices:
        for q in b.vertices:
            yield _vertex_vertex(p, q)
    for point in a.vertices:
        for edge in b.edges:
            yield from _vertex_edge(point, edge)
        for face in b.faces:
            yield from _vertex_face(point, face)
    for point in b.vertices:
        for edge in a.edges:
            yield from map(_swapped, _vertex_edge(point, edge))
        for face in a.faces:
            yield from map(_swapped, _vertex_face(point, face))
    for e in a.edges:
        for f in b.edges:
            yield from _edge_edge(e, f)


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
        yield Gap(
            dot(across, across),
            length,
            lambda: (point, _moved(edge.start, Fraction(along, length), edge.along)),
        )


def _vertex_face(point: Vector, face: list[Vector]) -> Iterable[Gap]:
    normal = cross(subtract(face[1], face[0]), subtract(face[2], face[0])) if len(face) > 2 else (0, 0, 0)
    if any(normal) and all(
        dot(cross(subtract(q, p), normal), subtract(point, p)) <= 0
        for p, q in zip(face, face[1:] + face[:1], strict=True)
    ):
        height, squared = dot(normal, subtract(point, face[0])), dot(normal, normal)
        yield Gap(height**2, squared, lambda: (point, _moved(point, Fraction(-height, squared), normal)))


def _edge_edge(e: ExactEdge, f: ExactEdge) -> Iterable[Gap]:
    normal = cross(e.along, f.along)
    squared = dot(normal, normal)
    if squared:
        between = subtract(f.start, e.start)
        s, t = dot(cross(between, f.along), normal), dot(cross(between, e.along), normal)
        if _has(e, s, squared) and _has(f, t, squared):
            yield Gap(
                dot(between, normal) ** 2,
                squared,
                lambda: (
                    _moved(e.start, Fraction(s, squared), e.along),
                    _moved(f.start, Fraction(t, squared), f.along),
                ),
            )


def _has(edge: ExactEdge, numerator: int, denominator: int) -> bool:
    """Whether an edge has the point at numerator / denominator; a Fraction would be reduced for each pair."""
    return (numerator >= 0 or edge.t_min != 0) and (numerator <= denominator or edge.t_max != 1)


def _moved(start: Vector, t: Fraction, along: Vector) -> ScaledPoint:
    return [p + t * d for p, d in zip(start, along, strict=True)]

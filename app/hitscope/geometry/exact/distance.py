"""The Euclidean distance of two sets, exact up to the final square root, and their nearest points.

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

from hitscope.float_mode import in_default_mode
from hitscope.geometry.exact.hull import Slab
from hitscope.geometry.exact.integers import Homogeneous, Vector, over_one_denominator
from hitscope.geometry.exact.near_faces import TOLERANCE, near_faces
from hitscope.geometry.exact.relation import Bound, linear_probe, meet
from hitscope.geometry.exact.rounding import length_of, rounded
from hitscope.geometry.exact.sets import convex_set
from hitscope.geometry.shapes import Line, Plane, Point, Ray, Segment, Shape, Vec3
from hitscope.geometry.vector import cross, dot, subtract


class ExactEdge(NamedTuple):
    """The points start + t * along, t_min <= t <= t_max."""

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
    """Two features' squared distance, and a function that returns the nearest point of each."""

    squared: Fraction
    points: Callable[[], tuple[ScaledPoint, ScaledPoint]]


@lru_cache(maxsize=1 << 10, typed=True)  # The verdicts of all methods of a pair have the same distance.
def distance(probe: Shape, primitive: Shape) -> float:
    """Return the distance, right within an ulp, and 0 only if the sets meet.

    A point's distance is signed: negative behind a plane and inside a solid (there it is to the nearest face).
    """
    if isinstance(primitive, Plane):
        return _plane_distance(probe, primitive)
    if meet(probe, primitive):
        return _depth(probe, primitive) if isinstance(probe, Point) else 0.0
    gap, w = _nearest_features(probe, primitive)
    return length_of(gap.squared / (w * w))


@in_default_mode
def nearest(probe: Shape, primitive: Shape) -> tuple[Vec3, Vec3] | None:
    """Return the nearest point of each set to the other, rounded once; None if they meet."""
    if meet(probe, primitive):
        return None
    if isinstance(primitive, Plane):
        (plane,), ends = convex_set(primitive).planes, _ends(probe)
        end = min(ends, key=lambda end: abs(_height(plane, end)))
        part = _height(plane, end) / dot(plane.normal, plane.normal)
        at = [Fraction(value, end[3]) for value in end[:3]]
        return _rounded_point(at, 1), _rounded_point(
            [p - part * n for p, n in zip(at, plane.normal, strict=True)], 1
        )
    (first, second), w = exact_nearest(probe, primitive)
    return _rounded_point(first, w), _rounded_point(second, w)


def exact_nearest(probe: Shape, primitive: Shape) -> tuple[tuple[ScaledPoint, ScaledPoint], int]:
    """Return the nearest points of two sets that are apart, times a factor, and that factor; no set is a plane."""
    gap, w = _nearest_features(probe, primitive)
    return gap.points(), w


def _rounded_point(point: ScaledPoint, w: int) -> Vec3:
    x, y, z = (rounded(Fraction(value) / w) for value in point)
    return x, y, z


@lru_cache(maxsize=1 << 8, typed=True)
def _nearest_features(probe: Shape, primitive: Shape) -> tuple[Gap, int]:
    """Return the gap between the nearest features of two sets that are apart, and their common denominator."""
    a, b, w = _features(probe, primitive)
    return _least(*_nearer(a, b)), w


def _least(a: ExactFeatures, b: ExactFeatures) -> Gap:
    return min(_gaps(a, b), key=lambda gap: gap.squared)


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
        gap = _least(_of_vertices(a, behind <= TOLERANCE), _of_vertices(b, beyond <= TOLERANCE))
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


def _plane_distance(probe: Shape, primitive: Plane) -> float:
    (plane,) = convex_set(primitive).planes
    if not isinstance(probe, Point) and meet(probe, primitive):
        return 0.0
    heights = [_height(plane, end) for end in _ends(probe)]
    nearest = min(heights, key=abs)
    length = length_of(nearest**2 / dot(plane.normal, plane.normal))
    return -length if isinstance(probe, Point) and nearest < 0 else length


def _ends(probe: Shape) -> Sequence[Homogeneous]:
    """Return the points of a set one of which is the nearest to any plane that the set does not meet."""
    if isinstance(probe, Segment | Ray | Line):
        # A ray or line comes no nearer to it than its origin.
        line = linear_probe(probe)
        return [line.at(Fraction(t)) for t in ((0, 1) if isinstance(probe, Segment) else (0,))]
    return convex_set(probe).vertices


def _height(plane: Slab, point: Homogeneous) -> Fraction:
    return Fraction(dot(plane.normal, point), point[3]) - (plane.hi or 0)


def _depth(probe: Point, primitive: Shape) -> float:
    """Return minus the distance from a point inside a solid to its nearest face; 0 for a flat set."""
    target = convex_set(primitive)
    (point,) = convex_set(probe).vertices
    gaps: list[Fraction] = []
    walls: Sequence[Slab] = () if target.planes else target.walls
    if walls and target.is_large:
        walls = target.sides.nearest(point)
    for wall in walls:
        height = Fraction(dot(wall.normal, point), point[3])
        squared = dot(wall.normal, wall.normal)
        gaps += [(bound - height) ** 2 / squared for bound in (wall.lo, wall.hi) if bound is not None]
    return -length_of(min(gaps, default=Fraction(0))) + 0.0  # 0.0 rather than -0.0


def _features(probe: Shape, primitive: Shape) -> tuple[ExactFeatures, ExactFeatures, int]:
    """Return the features of both shapes, in integers over one denominator, and that denominator."""
    cycles = [_cycles(probe), near_faces(probe, primitive)]
    flat = [point for shape in cycles for cycle in shape for point in cycle]
    vectors, w = over_one_denominator(flat)
    following = iter(vectors)
    own, target = ([[next(following) for _ in cycle] for cycle in shape] for shape in cycles)
    return _features_of(probe, own), _features_of(primitive, target), w


def _cycles(shape: Shape) -> Sequence[Sequence[Homogeneous]]:
    if isinstance(shape, Segment | Ray | Line):
        line = linear_probe(shape)
        return (((*line.origin, line.w), line.at(Fraction(1))),)
    return convex_set(shape).faces


def _features_of(shape: Shape, cycles: list[list[Vector]]) -> ExactFeatures:
    if isinstance(shape, Segment | Ray | Line):
        ((first, second),) = cycles
        line = linear_probe(shape)
        along = subtract(second, first)
        ends = {Segment: [first, second], Ray: [first], Line: []}[type(shape)]
        edge = [ExactEdge(first, along, line.t_min, line.t_max)] if any(along) else []
        return ExactFeatures(ends or ([] if edge else [first]), edge, [])
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

    return Gap(gap.squared, points)


def _vertex_vertex(p: Vector, q: Vector) -> Gap:
    between = subtract(p, q)
    return Gap(Fraction(dot(between, between)), lambda: (p, q))


def _vertex_edge(point: Vector, edge: ExactEdge) -> Iterable[Gap]:
    from_start = subtract(point, edge.start)
    length = dot(edge.along, edge.along)
    t = Fraction(dot(from_start, edge.along), length)
    if edge.t_min <= t <= edge.t_max:
        across = cross(from_start, edge.along)
        yield Gap(Fraction(dot(across, across), length), lambda: (point, _moved(edge.start, t, edge.along)))


def _vertex_face(point: Vector, face: list[Vector]) -> Iterable[Gap]:
    normal = cross(subtract(face[1], face[0]), subtract(face[2], face[0])) if len(face) > 2 else (0, 0, 0)
    if any(normal) and all(
        dot(cross(subtract(q, p), normal), subtract(point, p)) <= 0
        for p, q in zip(face, face[1:] + face[:1], strict=True)
    ):
        height, squared = dot(normal, subtract(point, face[0])), dot(normal, normal)
        yield Gap(Fraction(height**2, squared), lambda: (point, _moved(point, Fraction(-height, squared), normal)))


def _edge_edge(e: ExactEdge, f: ExactEdge) -> Iterable[Gap]:
    normal = cross(e.along, f.along)
    squared = dot(normal, normal)
    if squared:
        between = subtract(f.start, e.start)
        s = Fraction(dot(cross(between, f.along), normal), squared)
        t = Fraction(dot(cross(between, e.along), normal), squared)
        if e.t_min <= s <= e.t_max and f.t_min <= t <= f.t_max:
            yield Gap(
                Fraction(dot(between, normal) ** 2, squared),
                lambda: (_moved(e.start, s, e.along), _moved(f.start, t, f.along)),
            )


def _moved(start: Vector, t: Fraction, along: Vector) -> ScaledPoint:
    return [p + t * d for p, d in zip(start, along, strict=True)]

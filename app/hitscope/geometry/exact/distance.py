"""The Euclidean distance of two sets, exactly up to the last square root, and the points that are nearest.

The nearest points of two convex sets that are apart lie on features (vertex, edge, face) whose distance is one
of four formulas; the least over all pairs of features is the distance (Ericson 2005, 5.1).
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.exact.hull import Slab
from hitscope.geometry.exact.integers import Homogeneous, Vector, cross, dot, over_one_denominator, subtract
from hitscope.geometry.exact.relation import Bound, linear_probe, meet
from hitscope.geometry.exact.rounding import length_of, rounded
from hitscope.geometry.exact.sets import convex_set
from hitscope.geometry.shapes import Line, Plane, Point, Ray, Segment, Shape, Vec3

DOUBT = 2.0**-40
"""In float64 a height is off by far less, as a part of the size of both sets."""


class Edge(NamedTuple):
    """The points start + t * along, t_min <= t <= t_max."""

    start: Vector
    along: Vector
    t_min: Bound = Fraction(0)
    t_max: Bound = Fraction(1)

    @property
    def end(self) -> Vector:
        """The point where t is 1."""
        return self.start[0] + self.along[0], self.start[1] + self.along[1], self.start[2] + self.along[2]


class Features(NamedTuple):
    """The vertices, edges and faces of a set, in integers over one denominator."""

    vertices: list[Vector]
    edges: list[Edge]
    faces: list[list[Vector]]


Place: TypeAlias = Sequence[Fraction | int]


class Gap(NamedTuple):
    """Two features' squared distance, and what gives the point of each that is nearest to the other."""

    squared: Fraction
    points: Callable[[], tuple[Place, Place]]


@lru_cache(maxsize=1 << 10, typed=True)  # Every method's verdict on a pair has the same distance beside it.
def distance(probe: Shape, primitive: Shape) -> float:
    """Give the distance, within an ulp and 0 only if the sets meet.

    A point's distance is signed: negative inside a solid, to the nearest face, and behind a plane.
    """
    if isinstance(primitive, Plane):
        return _plane_distance(probe, primitive)
    if meet(probe, primitive):
        return _depth(probe, primitive) if isinstance(probe, Point) else 0.0
    gap, w = _nearest_features(probe, primitive)
    return length_of(gap.squared / (w * w))


def nearest(probe: Shape, primitive: Shape) -> tuple[Vec3, Vec3] | None:
    """Give a point of each set that is nearest to the other, rounded once; None where they meet."""
    if meet(probe, primitive):
        return None
    if isinstance(primitive, Plane):
        (plane,), ends = convex_set(primitive).planes, _ends(probe)
        end = min(ends, key=lambda end: abs(_height(plane, end)))
        part = _height(plane, end) / dot(plane.normal, plane.normal)
        at = [Fraction(value, end[3]) for value in end[:3]]
        return _place(at, 1), _place([p - part * n for p, n in zip(at, plane.normal, strict=True)], 1)
    (first, second), w = nearest_places(probe, primitive)
    return _place(first, w), _place(second, w)


def nearest_places(probe: Shape, primitive: Shape) -> tuple[tuple[Place, Place], int]:
    """Give the nearest points of two sets that are apart, neither of them a plane, times a number, and that."""
    gap, w = _nearest_features(probe, primitive)
    return gap.points(), w


def _place(point: Place, w: int) -> Vec3:
    x, y, z = (rounded(Fraction(value) / w) for value in point)
    return x, y, z


@lru_cache(maxsize=1 << 8, typed=True)
def _nearest_features(probe: Shape, primitive: Shape) -> tuple[Gap, int]:
    """Give the features of two sets that are apart between which the distance is, and their denominator."""
    a, b, w = _features(probe, primitive)
    return _least(*_nearer(a, b)), w


def _least(a: Features, b: Features) -> Gap:
    return min(_gaps(a, b), key=lambda gap: gap.squared)


def _nearer(a: Features, b: Features) -> tuple[Features, Features]:
    """Leave out features that are too far apart along some direction to be the nearest ones.

    Along a unit vector no two points are farther apart than they are. So from the direction between the nearest
    vertices on, the features that are foremost along it give a nearer pair, and that a better direction; what lies
    behind the foremost by more than the pair found is longer than the sets are apart there is not the nearest.
    """
    if len(a.vertices) < 2 or len(b.vertices) < 2 or any(edge.t_max != 1 for edge in (*a.edges, *b.edges)):
        return a, b
    middle = b.vertices[0]
    places = [[subtract(point, middle) for point in features.vertices] for features in (a, b)]
    size = max(abs(number) for some in places for place in some for number in place)
    first, second = (np.array([[number / size for number in place] for place in some]) for some in places)
    between = first[:, None] - second[None]
    i, j = np.unravel_index(np.argmin((between**2).sum(axis=2)), between.shape[:2])
    away, shortest = between[i, j], inf
    kept = a, b
    while (length := float(np.linalg.norm(away))) > 0:
        heights, others = first @ (away / length), second @ (away / length)
        behind, beyond = heights - heights.min(), others.max() - others
        gap = _least(_of_vertices(a, behind <= DOUBT), _of_vertices(b, beyond <= DOUBT))
        found = length_of(gap.squared / (size * size))
        if found >= shortest:
            break
        shortest = found
        most = found - float(heights.min() - others.max()) + DOUBT
        kept = _of_vertices(a, behind <= most), _of_vertices(b, beyond <= most)
        p, q = gap.points()
        away = np.array([float((x - y) / size) for x, y in zip(p, q, strict=True)])
    return kept


def _of_vertices(features: Features, wanted: NDArray[np.bool_]) -> Features:
    """Give the features that have a vertex among those wanted."""
    near = {point for point, is_wanted in zip(features.vertices, wanted.tolist(), strict=True) if is_wanted}
    return Features(
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
    """Give the points of a set, apart from a plane, among which the nearest to it is."""
    if isinstance(probe, Segment | Ray | Line):
        # A ray or line comes no nearer to it than its origin.
        line = linear_probe(probe)
        return [line.at(Fraction(t)) for t in ((0, 1) if isinstance(probe, Segment) else (0,))]
    return convex_set(probe).vertices


def _height(plane: Slab, point: Homogeneous) -> Fraction:
    return Fraction(dot(plane.normal, point), point[3]) - (plane.hi or 0)


def _depth(probe: Point, primitive: Shape) -> float:
    """How far inside a solid a point is, as a negative number; 0 on a flat set."""
    target = convex_set(primitive)
    (point,) = convex_set(probe).vertices
    gaps: list[Fraction] = []
    for wall in () if target.planes else target.walls:
        height = Fraction(dot(wall.normal, point), point[3])
        squared = dot(wall.normal, wall.normal)
        gaps += [(bound - height) ** 2 / squared for bound in (wall.lo, wall.hi) if bound is not None]
    return -length_of(min(gaps, default=Fraction(0))) + 0.0  # 0.0 rather than -0.0


def _features(probe: Shape, primitive: Shape) -> tuple[Features, Features, int]:
    """Give both shapes' features over one denominator."""
    cycles = [_cycles(shape) for shape in (probe, primitive)]
    flat = [point for shape in cycles for cycle in shape for point in cycle]
    vectors, w = over_one_denominator(flat)
    following = iter(vectors)
    placed = [[[next(following) for _ in cycle] for cycle in shape] for shape in cycles]
    return _of(probe, placed[0]), _of(primitive, placed[1]), w


def _cycles(shape: Shape) -> Sequence[Sequence[Homogeneous]]:
    if isinstance(shape, Segment | Ray | Line):
        line = linear_probe(shape)
        return (((*line.origin, line.w), line.at(Fraction(1))),)
    return convex_set(shape).faces


def _of(shape: Shape, cycles: list[list[Vector]]) -> Features:
    if isinstance(shape, Segment | Ray | Line):
        ((first, second),) = cycles
        line = linear_probe(shape)
        along = subtract(second, first)
        ends = {Segment: [first, second], Ray: [first], Line: []}[type(shape)]
        edge = [Edge(first, along, line.t_min, line.t_max)] if any(along) else []
        return Features(ends or ([] if edge else [first]), edge, [])
    edges = {
        frozenset((p, q)): Edge(p, subtract(q, p))
        for cycle in cycles
        for p, q in zip(cycle, cycle[1:] + cycle[:1], strict=True)
        if p != q
    }
    return Features(list({point for cycle in cycles for point in cycle}), list(edges.values()), cycles)


def _gaps(a: Features, b: Features) -> Iterable[Gap]:
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
            yield from map(_turned, _vertex_edge(point, edge))
        for face in a.faces:
            yield from map(_turned, _vertex_face(point, face))
    for e in a.edges:
        for f in b.edges:
            yield from _edge_edge(e, f)


def _turned(gap: Gap) -> Gap:
    """Give the gap of two features that were taken the other way round."""

    def points() -> tuple[Place, Place]:
        first, second = gap.points()
        return second, first

    return Gap(gap.squared, points)


def _vertex_vertex(p: Vector, q: Vector) -> Gap:
    between = subtract(p, q)
    return Gap(Fraction(dot(between, between)), lambda: (p, q))


def _vertex_edge(point: Vector, edge: Edge) -> Iterable[Gap]:
    from_start = subtract(point, edge.start)
    length = dot(edge.along, edge.along)
    t = Fraction(dot(from_start, edge.along), length)
    if edge.t_min <= t <= edge.t_max:
        across = cross(from_start, edge.along)
        yield Gap(Fraction(dot(across, across), length), lambda: (point, _ahead(edge.start, t, edge.along)))


def _vertex_face(point: Vector, face: list[Vector]) -> Iterable[Gap]:
    normal = cross(subtract(face[1], face[0]), subtract(face[2], face[0])) if len(face) > 2 else (0, 0, 0)
    if any(normal) and all(
        dot(cross(subtract(q, p), normal), subtract(point, p)) <= 0
        for p, q in zip(face, face[1:] + face[:1], strict=True)
    ):
        height, squared = dot(normal, subtract(point, face[0])), dot(normal, normal)
        yield Gap(Fraction(height**2, squared), lambda: (point, _ahead(point, Fraction(-height, squared), normal)))


def _edge_edge(e: Edge, f: Edge) -> Iterable[Gap]:
    normal = cross(e.along, f.along)
    squared = dot(normal, normal)
    if squared:
        between = subtract(f.start, e.start)
        s = Fraction(dot(cross(between, f.along), normal), squared)
        t = Fraction(dot(cross(between, e.along), normal), squared)
        if e.t_min <= s <= e.t_max and f.t_min <= t <= f.t_max:
            yield Gap(
                Fraction(dot(between, normal) ** 2, squared),
                lambda: (_ahead(e.start, s, e.along), _ahead(f.start, t, f.along)),
            )


def _ahead(start: Vector, t: Fraction, along: Vector) -> Place:
    return [p + t * d for p, d in zip(start, along, strict=True)]

"""The Euclidean distance of two sets, exactly up to the last square root.

The nearest points of two convex sets that are apart lie on features (vertex, edge, face) whose distance is one
of four formulas; the least over all pairs of features is the distance (Ericson 2005, 5.1).
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from hitscope.geometry.exact.hull import Slab
from hitscope.geometry.exact.integers import Homogeneous, Vector, cross, dot, over_one_denominator, subtract
from hitscope.geometry.exact.relation import Bound, course, meet
from hitscope.geometry.exact.rounding import rounded, square_root
from hitscope.geometry.exact.sets import convex_set
from hitscope.geometry.shapes import Line, Plane, Point, Ray, Segment, Shape


class Edge(NamedTuple):
    """The points start + t * along, t_min <= t <= t_max."""

    start: Vector
    along: Vector
    t_min: Bound = Fraction(0)
    t_max: Bound = Fraction(1)


class Features(NamedTuple):
    """The vertices, edges and faces of a set, in integers over one denominator."""

    vertices: list[Vector]
    edges: list[Edge]
    faces: list[list[Vector]]


@lru_cache(maxsize=1 << 10, typed=True)  # Every method's verdict on a pair has the same distance beside it.
def distance(probe: Shape, primitive: Shape) -> float:
    """Give the distance, within an ulp and 0 only if the sets meet.

    A point's distance is signed: negative inside a solid, to the nearest face, and behind a plane.
    """
    if isinstance(primitive, Plane):
        return _plane_distance(probe, primitive)
    if meet(probe, primitive):
        return _depth(probe, primitive) if isinstance(probe, Point) else 0.0
    a, b, w = _features(probe, primitive)
    return _length(min(_squared_distances(a, b)) / (w * w))


def _length(squared: Fraction) -> float:
    """Give the root, never rounded to 0."""
    return max(rounded(square_root(squared)), 5e-324) if squared else 0.0


def _plane_distance(probe: Shape, primitive: Plane) -> float:
    (plane,) = convex_set(primitive).planes
    if isinstance(probe, Segment | Ray | Line):
        # Apart from the plane, a ray or line comes no nearer to it than its origin.
        line = course(probe)
        ends = [line.at(Fraction(t)) for t in ((0, 1) if isinstance(probe, Segment) else (0,))]
    else:
        ends = convex_set(probe).vertices
    if not isinstance(probe, Point) and meet(probe, primitive):
        return 0.0
    heights = [_height(plane, end) for end in ends]
    nearest = min(heights, key=abs)
    length = _length(nearest**2 / dot(plane.normal, plane.normal))
    return -length if isinstance(probe, Point) and nearest < 0 else length


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
    return -_length(min(gaps, default=Fraction(0))) + 0.0  # 0.0 rather than -0.0


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
        line = course(shape)
        return (((*line.origin, line.w), line.at(Fraction(1))),)
    return convex_set(shape).faces


def _of(shape: Shape, cycles: list[list[Vector]]) -> Features:
    if isinstance(shape, Segment | Ray | Line):
        ((first, second),) = cycles
        line = course(shape)
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


def _squared_distances(a: Features, b: Features) -> Iterable[Fraction]:
    for p in a.vertices:
        for q in b.vertices:
            between = subtract(p, q)
            yield Fraction(dot(between, between))
    for first, second in ((a, b), (b, a)):
        for point in first.vertices:
            for edge in second.edges:
                yield from _vertex_edge(point, edge)
            for face in second.faces:
                yield from _vertex_face(point, face)
    for e in a.edges:
        for f in b.edges:
            yield from _edge_edge(e, f)


def _vertex_edge(point: Vector, edge: Edge) -> Iterable[Fraction]:
    from_start = subtract(point, edge.start)
    length = dot(edge.along, edge.along)
    if edge.t_min <= Fraction(dot(from_start, edge.along), length) <= edge.t_max:
        across = cross(from_start, edge.along)
        yield Fraction(dot(across, across), length)


def _vertex_face(point: Vector, face: list[Vector]) -> Iterable[Fraction]:
    normal = cross(subtract(face[1], face[0]), subtract(face[2], face[0])) if len(face) > 2 else (0, 0, 0)
    if any(normal) and all(
        dot(cross(subtract(q, p), normal), subtract(point, p)) <= 0
        for p, q in zip(face, face[1:] + face[:1], strict=True)
    ):
        yield Fraction(dot(normal, subtract(point, face[0])) ** 2, dot(normal, normal))


def _edge_edge(e: Edge, f: Edge) -> Iterable[Fraction]:
    normal = cross(e.along, f.along)
    squared = dot(normal, normal)
    if squared:
        between = subtract(f.start, e.start)
        s = Fraction(dot(cross(between, f.along), normal), squared)
        t = Fraction(dot(cross(between, e.along), normal), squared)
        if e.t_min <= s <= e.t_max and f.t_min <= t <= f.t_max:
            yield Fraction(dot(between, normal) ** 2, squared)

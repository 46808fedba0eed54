"""Witnesses are right: checked by exact elimination, and by the shapes' own parameters."""

import math
import random
from fractions import Fraction
from itertools import combinations

import pytest

from hitscope.geometry.exact import Axis, EntryFeature, features, witness
from hitscope.geometry.shapes import (
    Aabb,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Segment,
    Triangle,
)
from tests.geometry.cases import FRAMES, WITHOUT_RADIUS, pair
from tests.geometry.oracle import (
    cross,
    image,
    interval,
    product_sum,
    projected,
    rank,
    shape_in_fractions,
    solutions,
    solved,
    sub,
    whole,
)

CASES = 40
INF = float("inf")
UNIT = Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
FLAT = Triangle((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 4.0, 0.0))


def reach(shape, vector):
    """Return the least and the greatest dot product of a vector with a shape, or infinities."""
    found = image(shape)
    slopes = [product_sum(vector, v) for v in found.vectors]
    rows = [whole((0, *cs), bound) for cs, bound in found.rows]
    least = product_sum(vector, found.origin)
    equation = whole((1, *(-slope for slope in slopes)), least)
    pivot = next((k for k in range(1, 1 + len(slopes)) if equation[0][k]), None)
    if pivot is None:
        return least, least
    rows = [(*solved(cs, bound, equation, pivot), False) for cs, bound in rows]
    rows = projected(rows, range(1, 1 + len(slopes)))
    return solutions([(cs[0], bound, tight) for cs, bound, tight in rows])


def gap_along(vector, probe, primitive):
    """Return how far the probe is ahead of the primitive along a vector, or behind it if that is farther."""
    (lo, hi), (near, far) = reach(probe, vector), reach(primitive, vector)
    gaps = [a - b for a, b in ((lo, far), (near, hi)) if a > -INF and b < INF]
    return max(gaps, default=-INF)


def squared_gap(axis, probe, primitive):
    gap = gap_along(axis.vector, probe, primitive)
    return gap**2 / product_sum(axis.vector, axis.vector)


def box_vectors(shape):
    """Return a box's edge vectors, exactly."""
    return image(shape).vectors


def named_directions(shape, name):
    """Return the vectors that an axis of this name is at right angles to."""
    kind, _, which = name.partition(" ")
    vertices = [tuple(map(Fraction, v)) for v in (shape if isinstance(shape, Triangle) else ())]
    if isinstance(shape, Polyhedron):
        vertices = [tuple(map(Fraction, v)) for v in shape.vertices]
    match shape:
        case Segment():
            return [sub(*shape_in_fractions(shape))]
        case Ray() | Line():
            return [fractions(shape.direction)]
        case Aabb() | Obb() | Parallelepiped() if which:
            axis = "xyz012".index(which[-1]) % 3
            units = image(Obb((0.0,) * 3, (1.0,) * 3, shape.axes)).vectors if isinstance(shape, Obb) else None
            units = units or ([(1, 0, 0), (0, 1, 0), (0, 0, 1)] if isinstance(shape, Aabb) else box_vectors(shape))
            return [units[axis]] if kind == "edge" else [v for i, v in enumerate(units) if i != axis]
        case Plane(normal):
            return [n for n in map(cross, [fractions(normal)] * 3, [(1, 0, 0), (0, 1, 0), (0, 0, 1)]) if any(n)]
        case Polyhedron(planes) if planes:
            normals = [fractions(planes[int(i)].normal) for i in which.removeprefix("of planes ").split(", ")]
            if kind == "edge":
                return [next(n for a, b in combinations(normals, 2) if any(n := cross(a, b)))]
            return named_directions(Plane(normals[0], 0.0), "plane")
    if name == "plane" or not which:
        return [sub(v, vertices[0]) for v in vertices[1:]]
    on = [vertices[int(i)] for i in which.split("-")]
    return [sub(v, on[0]) for v in on[1:]]


def fractions(vector):
    return tuple(map(Fraction, vector))


@pytest.mark.parametrize("name", WITHOUT_RADIUS)
def test_the_axis_of_a_miss_separates_and_the_gap_is_that_along_it(name):
    misses = 0
    for seed in range(CASES):
        probe, primitive = pair(name, seed)
        axis = witness(probe, primitive)
        if interval(probe, primitive) is not None:
            continue
        misses += 1
        assert isinstance(axis, Axis)
        assert reach(probe, axis.vector)[0] > reach(primitive, axis.vector)[1], (seed, axis)
        squared = squared_gap(axis, probe, primitive)
        assert axis.gap > 0
        if 1e-300 < squared < 1e300:
            assert math.isclose(axis.gap, math.sqrt(squared), rel_tol=1e-12), (seed, axis)
    assert misses > 2


@pytest.mark.parametrize("name", WITHOUT_RADIUS)
def test_an_axis_is_perpendicular_to_the_edges_or_the_face_that_it_names(name):
    for seed in range(CASES):
        probe, primitive = pair(name, seed)
        axis = witness(probe, primitive)
        if not isinstance(axis, Axis):
            continue
        named = [(shape, name) for shape, name in ((probe, axis.probe), (primitive, axis.primitive)) if name]
        assert len(named) == (1 if axis.kind == "face normal" else 2), (seed, axis)
        if axis.kind != "nearest points":
            for shape, feature in named:
                along = [product_sum(axis.vector, v) for v in named_directions(shape, feature)]
                assert not any(along), (seed, axis, shape)


def box_axes(shape):
    """Return the normals of a box's faces without hitscope."""
    if isinstance(shape, Aabb):
        return [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    if isinstance(shape, Obb):
        u, v, w = map(fractions, shape.axes)
        return [cross(v, w), cross(w, u), cross(u, v)]
    return []


@pytest.mark.parametrize("name", ["aabb_aabb", "obb_obb", "triangle_obb", "obb_aabb", "segment_obb"])
def test_a_cross_product_is_the_witness_only_where_no_face_separates(name):
    crosses = 0
    for seed in range(600):
        probe, primitive = pair(name, seed)
        axis = witness(probe, primitive)
        if isinstance(axis, Axis) and axis.gap > 0 and axis.kind != "face normal":
            crosses += axis.kind == "edge cross edge"
            for normal in (*box_axes(probe), *box_axes(primitive)):
                assert gap_along(normal, probe, primitive) <= 0
    assert crosses > 0 or name == "aabb_aabb"


@pytest.mark.parametrize("name", ["triangle_aabb", "aabb_obb", "obb_obb", "obb_triangle", "aabb_plane"])
def test_where_bodies_meet_no_axis_has_a_lesser_overlap_than_the_witness(name):
    overlaps = 0
    for seed in range(CASES):
        probe, primitive = pair(name, seed)
        axis = witness(probe, primitive)
        if interval(probe, primitive) is None:
            continue
        overlaps += 1
        assert isinstance(axis, Axis) and axis.gap <= 0
        overlap = gap_along(axis.vector, probe, primitive)
        assert overlap <= 0 and (overlap == 0) == (axis.gap == 0)
        squared = squared_gap(axis, probe, primitive)
        for normal in (*box_axes(probe), *box_axes(primitive)):
            if any(normal):
                assert gap_along(normal, probe, primitive) ** 2 / product_sum(normal, normal) >= squared
    assert overlaps > 5


def parameters(shape, point):
    """Return a box's parameters of a point, from -1 to 1; None along an axis without length."""
    found = image(shape)
    lo, hi = (-1, 1) if isinstance(shape, Obb) else (0, 1)
    a, b, c = found.vectors
    volume = product_sum(a, cross(b, c))
    if not volume:
        return None
    arm = sub(point, found.origin)
    along = [product_sum(arm, n) / volume for n in (cross(b, c), cross(c, a), cross(a, b))]
    return [(2 * s - lo - hi) / (hi - lo) for s in along]


def on_border(vertices, point):
    """Return whether a point of the hull of vertices is on a face of it, or on an edge if the hull is flat."""
    for a, b, c in combinations(vertices, 3):
        normal = cross(sub(b, a), sub(c, a))
        heights = [product_sum(normal, sub(v, a)) for v in (*vertices, point)]
        if any(heights):
            if min(heights) * max(heights) == 0 and heights[-1] == 0:
                return True
        elif any(normal) and rank([sub(v, a) for v in vertices]) == 2:
            sides = [cross(sub(q, p), normal) for p, q in ((a, b), (b, c), (c, a))]
            for p, side in zip((a, b, c), sides, strict=True):
                heights = [product_sum(side, sub(v, p)) for v in (*vertices, point)]
                if min(heights) * max(heights) == 0 and heights[-1] == 0:
                    return True
    return False


def assert_holds(shape, feature, point):
    """Assert that a point is on the named feature, and on no smaller one."""
    kind, *which = feature.split()
    match shape:
        case Plane(normal, offset):
            assert feature == "plane" and product_sum(fractions(normal), point) == Fraction(offset)
        case Aabb() | Obb() | Parallelepiped():
            at = parameters(shape, point)
            if at is None:
                return
            names = "012" if isinstance(shape, Parallelepiped) else "xyz"
            signs = {1: "+", -1: "-"}
            assert which == [f"{signs[s]}{axis}" for s, axis in zip(at, names, strict=True) if s in signs]
            assert kind == ("interior", "face", "edge", "vertex")[len(which)]
        case Polyhedron(planes) if planes:
            rows = image(shape).rows
            tight = [i for i, (n, offset) in enumerate(rows) if product_sum(n, point) == offset]
            assert [int(word.rstrip(",")) for word in which if word.rstrip(",").isdecimal()] == tight
            size = rank([rows[i][0] for i in tight])
            assert kind == ("interior", "plane", "edge", "vertex")[size]
        case _:
            given = shape.vertices if isinstance(shape, Polyhedron) else shape
            vertices = [fractions(v) for v in given]
            numbers = [int(i) for i in which[0].split("-")] if which else []
            on = [vertices[i] for i in numbers]
            if kind == "vertex":
                assert on == [point]
            elif kind == "edge":
                p, q = on
                assert not any(cross(sub(q, p), sub(point, p)))
                assert product_sum(sub(point, p), sub(point, q)) < 0
            elif kind == "face":
                normal = next(
                    n for a, b in combinations(on[1:], 2) if any(n := cross(sub(a, on[0]), sub(b, on[0])))
                )
                heights = [product_sum(normal, sub(v, on[0])) for v in vertices]
                assert product_sum(normal, sub(point, on[0])) == 0
                assert min(heights) == 0 or max(heights) == 0
            else:
                assert kind == "interior" and not on_border(vertices, point)


@pytest.mark.parametrize(
    "name", [name for name in WITHOUT_RADIUS if name.split("_")[0] in ("point", "segment", "ray", "line")]
)
def test_the_feature_of_a_hit_holds_the_entry_point(name):
    entries = set()
    for seed in range(3 * CASES):
        probe, primitive = pair(name, seed)
        found = witness(probe, primitive)
        common = interval(probe, primitive)
        if common is None:
            continue
        if isinstance(probe, Point):
            point = fractions(probe.position)
        elif common[0] == -INF:
            assert found is None
            continue
        else:
            start, other = map(fractions, probe)
            towards = sub(other, start) if isinstance(probe, Segment) else other
            t = common[0] if any(towards) else 0
            point = tuple(p + t * d for p, d in zip(start, towards, strict=True))
        assert isinstance(found, EntryFeature)
        entries.add(found.feature.split()[0])
        assert found.starts == (isinstance(probe, Point) or (not isinstance(probe, Line) and point == start))
        assert_holds(primitive, found.feature, point)
    assert len(entries) > 1 or "plane" in entries


BY_HAND = [
    (Segment((-1.0, 0.5, 0.5), (2.0, 0.5, 0.5)), UNIT, "face -x"),
    (Segment((-1.0, -1.0, 0.5), (2.0, 2.0, 0.5)), UNIT, "edge -x -y"),
    (Line((2.0, 2.0, 2.0), (1.0, 1.0, 1.0)), UNIT, "vertex -x -y -z"),
    (Ray((0.5, 0.5, 0.5), (1.0, 0.0, 0.0)), UNIT, "interior"),
    (Ray((1.0, 0.5, 0.5), (-1.0, 0.0, 0.0)), UNIT, "face +x"),
    (Segment((1.0, 1.0, 1.0), (1.0, 1.0, -1.0)), FLAT, "interior"),
    (Segment((2.0, 2.0, 1.0), (2.0, 2.0, -1.0)), FLAT, "edge 1-2"),
    (Segment((0.0, 4.0, 1.0), (0.0, 4.0, -1.0)), FLAT, "vertex 2"),
    (Point((0.0, 0.0, 0.5)), UNIT, "edge -x -y"),
    (Line((0.5, 0.5, 3.0), (0.0, 0.0, -1.0)), Aabb((0.0, 0.0, 1.0), (1.0, 1.0, 1.0)), "face z"),
    (Ray((0.0, 0.0, 3.0), (0.0, 0.0, -1.0)), Parallelepiped((0.0,) * 3, FRAMES[0]), "vertex -0 -1 +2"),
    (Ray((0.25, 0.25, 3.0), (0.0, 0.0, -1.0)), Polyhedron(planes=(Plane((0.0, 0.0, 1.0), 1.0),)), "plane 0"),
    (Line((1.0, 1.0, 0.0), (1.0, 0.0, 0.0)), Plane((0.0, 1.0, 0.0), 1.0), None),
]


@pytest.mark.parametrize(("probe", "primitive", "feature"), BY_HAND)
def test_the_witness_of_a_hit_in_hand_made_cases(probe, primitive, feature):
    found = witness(probe, primitive)
    assert found is None if feature is None else isinstance(found, EntryFeature) and found.feature == feature


APART = [
    (Aabb((2.0, 0.0, 0.0), (3.0, 1.0, 1.0)), UNIT, (None, "face +x", 1.0)),
    (Aabb((-3.0, 0.0, 0.0), (-2.0, 1.0, 1.0)), UNIT, (None, "face -x", 2.0)),
    (Segment((4.0, 2.0, 0.0), (6.0, 2.0, 0.0)), FLAT, ("start", "edge 1-2", math.sqrt(2))),
    (Point((-3.0, -4.0, 0.0)), FLAT, ("position", "vertex 0", 5.0)),
    (Point((1.0, 1.0, 2.0)), FLAT, (None, "plane", 2.0)),
    (Segment((2.0, 1.0, 3.0), (0.0, 2.0, 3.0)), FLAT, (None, "plane", 3.0)),
    (Line((-1.0, 0.0, 5.0), (0.0, 1.0, 0.0)), UNIT, (None, "face +z", 4.0)),
    (Line((2.0, -0.5, 0.5), (-1.0, -1.0, 0.0)), UNIT, ("direction", "edge z", math.sqrt(9 / 8))),
    (Ray((0.0, 0.0, 3.0), (1.0, 0.0, 0.0)), Plane((0.0, 0.0, 2.0), -2.0), (None, "plane", 4.0)),
    (
        Segment((0.0, 0.0, 3.0), (1.0, 0.0, 2.0)),
        Polyhedron(planes=(Plane((1.0, 0.0, 0.0), 9.0), Plane((0.0, 0.0, 1.0), 1.0))),
        (None, "plane 1", 1.0),
    ),
    (
        Point((1.0, 1.0, -1.0)),
        Polyhedron(vertices=((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 4.0, 0.0), (0.0, 0.0, 4.0))),
        (None, "face 0-1-2", 1.0),
    ),
]


@pytest.mark.parametrize(("probe", "primitive", "expected"), APART)
def test_the_witness_of_a_miss_in_hand_made_cases(probe, primitive, expected):
    axis = witness(probe, primitive)
    assert (axis.probe, axis.primitive) == expected[:2]
    assert math.isclose(axis.gap, expected[2], rel_tol=1e-15)


def a_hull(size, offset, seed, count):
    """Return the hull of points on a sphere, as integers of float64 numbers of any size."""
    rng = random.Random(seed)
    points = []
    for _ in range(count):
        way = [rng.gauss(0, 1) for _ in range(3)]
        points.append(tuple((offset + x / math.hypot(*way)) * size for x in way))
    return Polyhedron(vertices=tuple(points))


def all_axes(probe, primitive):
    """Return every axis of the separating axis test, of two bodies."""
    normals = [direction.vector for shape in (probe, primitive) for direction in features.normals(shape)]
    crosses = [cross(a.vector, b.vector) for a in features.edges(primitive) for b in features.edges(probe)]
    return [axis for axis in (*normals, *crosses) if any(axis)]


@pytest.mark.parametrize("size", [1.0, 1e-300, 1e300, 3e-310])
@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("way", [0.25, 1.9, 2.6])
def test_of_many_axes_the_best_is_the_witness_whatever_their_size(size, offset, way):
    probe, primitive = a_hull(size, offset, 1, 6), a_hull(size, offset, 2, 12)
    moved = Polyhedron(vertices=tuple((x + way * size, y, z) for x, y, z in probe.vertices))
    axis = witness(moved, primitive)
    vertices = [[fractions(v) for v in shape.vertices] for shape in (moved, primitive)]

    def signed_square(vector):
        (lo, hi), (near, far) = (
            (min(heights), max(heights))
            for heights in ([product_sum(vector, v) for v in body] for body in vertices)
        )
        gap = max(lo - far, near - hi)
        return gap * abs(gap) / product_sum(vector, vector)

    found, axes = signed_square(axis.vector), all_axes(moved, primitive)
    if axis.kind == "face normal" and axis.gap > 0:
        axes = axes[: len(features.normals(moved)) + len(features.normals(primitive))]
    assert axis.kind != "nearest points" and found == max(map(signed_square, axes))


def test_of_equal_axes_the_first_is_the_witness():
    sides = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
    cube = Polyhedron(vertices=tuple(sides))
    first = features.normals(cube)[0]
    axis = witness(Aabb((-0.5,) * 3, (0.5,) * 3), cube)
    assert (axis.kind, axis.primitive, axis.gap) == ("face normal", first.ahead, -1.5)

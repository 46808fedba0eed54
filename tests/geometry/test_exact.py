"""`exact` against the oracle: verdict, t, state and distance of every pair, on cases made to be hard."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitscope.geometry import exact
from hitscope.geometry.exact import integers
from hitscope.geometry.shapes import Aabb, Line, Obb, Plane, Point, Polyhedron, Ray, Segment, Triangle, rational
from tests.geometry import cases
from tests.geometry.oracle import interval, squared_distance, state

SEEDS = 125


def assert_as_the_oracle_says(probe, primitive):
    found = exact.relation(probe, primitive)
    expected = interval(probe, primitive)
    assert found.hit == exact.meet(probe, primitive) == (expected is not None)
    assert found.state == state(probe, primitive)
    if found.hit and isinstance(probe, Segment | Ray | Line):
        assert (found.t_enter, found.t_exit) == expected


@pytest.mark.parametrize("pair", cases.WITHOUT_RADIUS)
def test_verdict_t_and_state_are_those_of_the_oracle(pair):
    for seed in range(SEEDS):
        assert_as_the_oracle_says(*cases.pair(pair, seed))


@pytest.mark.parametrize("pair", cases.PAIRS)
def test_the_cases_reach_every_state_that_the_pair_has(pair):
    probe, primitive = pair.split("_")
    solid = primitive not in ("triangle", "plane")
    missing = {"apart"}
    if probe in ("point", "segment", "ray", "line", "triangle") and primitive != "sphere":
        missing |= {"coplanar"}
    if probe in ("point", "segment", "ray") and solid:
        missing |= {"inside"}
    if probe != "point":
        missing |= {"crossing", "touching"}
    if (probe, primitive) == ("line", "plane"):
        missing -= {"touching"}
    for seed in range(4 * SEEDS):
        if not missing:
            break
        missing.discard(exact.relation(*cases.pair(pair, seed)).state)
    assert not missing


DISTANCE_SEEDS = {"point": 60, "segment": 40, "ray": 40, "line": 40, "triangle": 8}


@pytest.mark.parametrize("pair", cases.WITHOUT_RADIUS)
def test_distance_is_that_of_the_oracle_to_1e_12_and_zero_only_on_a_hit(pair):
    for seed in range(DISTANCE_SEEDS.get(pair.split("_")[0], 2)):
        probe, primitive = cases.pair(pair, seed)
        found = Fraction(exact.distance(probe, primitive))
        if found < 0:
            continue
        squared = squared_distance(probe, primitive)
        assert (found == 0) == (squared == 0)
        assert abs(found**2 - squared) <= squared * Fraction(1, 10**12)


@pytest.mark.parametrize("pair", cases.PAIRS)
def test_the_nearest_points_are_in_both_sets_and_as_far_apart_as_these(pair):
    for seed in range(max(DISTANCE_SEEDS.get(pair.split("_")[0], 2) // 5, 2)):
        probe, primitive = cases.pair(pair, seed)
        found = exact.nearest(probe, primitive)
        assert (found is None) == exact.meet(probe, primitive)
        if found is None:
            continue
        on_probe, on_primitive = found
        away, size = abs(exact.distance(probe, primitive)), max(map(abs, (*on_probe, *on_primitive)))
        room = 1e-14 * size
        assert math.dist(*found) == pytest.approx(away, rel=1e-9, abs=room)
        assert abs(exact.distance(Point(on_primitive), primitive)) <= room
        assert exact.distance(probe, Aabb(on_probe, on_probe)) <= room


@pytest.mark.parametrize("kind", ["aabb", "obb", "parallelepiped", "polyhedron", "plane"])
def test_a_points_distance_is_negative_inside_and_behind_and_leads_to_the_surface(kind):
    inner = 0
    for seed in range(4 * SEEDS):
        point, body = cases.pair(f"point_{kind}", seed)
        state, depth = exact.relation(point, body).state, exact.distance(point, body)
        behind = isinstance(body, Plane) and exact.relation(point, body).side == "back"
        assert (depth < 0) == (state == "inside" or behind)
        if state == "inside" and 1e-3 < -depth < 1e3 and inner < 20:
            inner += 1
            # No step shorter than the depth leaves the body, and some step a little longer does.
            steps = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z]
            for step in steps:
                size = math.sqrt(sum(n * n for n in step))
                moved = tuple(p - 0.999 * depth * n / size for p, n in zip(point.position, step, strict=True))
                assert exact.meet(Point(moved), body)
    assert inner or kind == "plane"


coordinate = st.sampled_from([-2.0, -1.0, -0.5, 0.0, -0.0, 5e-324, 1e-300, 0.1, 1.0, 2.0, 1e16, 1e300, -1.7e308])
points = st.tuples(coordinate, coordinate, coordinate)
boxes = st.tuples(points, points).map(lambda ends: Aabb(tuple(map(min, *ends)), tuple(map(max, *ends))))
triangles = st.builds(Triangle, points, points, points)


@given(
    st.one_of(
        st.builds(Segment, points, points),
        st.builds(Ray, points, points),
        st.builds(Line, points, points),
        triangles,
    ),
    st.one_of(boxes, triangles),
)
def test_verdict_holds_for_any_mixture_of_denormal_and_huge_numbers(probe, primitive):
    assert_as_the_oracle_says(probe, primitive)


UNIT_BOX = Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
FACING_UP = Triangle((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
POINT = (0.25, 0.25, 0.0)


@pytest.mark.parametrize(
    ("probe", "primitive", "state", "t_enter", "t_exit", "normal"),
    [
        # along an edge, along a face, through a corner, ending at a face
        (Segment((-1.0, 0.0, 0.0), (2.0, 0.0, 0.0)), UNIT_BOX, "touching", "1/3", "2/3", (-1, 0, 0)),
        (Segment((-1.0, 0.5, 1.0), (2.0, 0.5, 1.0)), UNIT_BOX, "touching", "1/3", "2/3", (-1, 0, 0)),
        (Segment((-1.0, 1.0, 0.5), (1.0, -1.0, 0.5)), UNIT_BOX, "touching", "1/2", "1/2", (-1, 0, 0)),
        (Segment((0.5, 0.5, 3.0), (0.5, 0.5, 1.0)), UNIT_BOX, "touching", "1", "1", (0, 0, 1)),
        # of a corner's three faces the lowest axis gives the normal
        (Segment((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0)), UNIT_BOX, "crossing", "1/2", "1", (-1, 0, 0)),
        # starting inside, on a face, without direction
        (Ray((0.5, 0.5, 0.5), (0.0, 0.0, 2.0)), UNIT_BOX, "inside", "0", "1/4", None),
        (Ray((0.5, 0.5, 1.0), (0.0, 0.0, -1.0)), UNIT_BOX, "crossing", "0", "1", None),
        (Segment(POINT, POINT), UNIT_BOX, "touching", "0", "1", None),
        (Ray((0.5, 0.5, 0.5), (0.0, 0.0, 0.0)), UNIT_BOX, "inside", "0", "inf", None),
        (Line((0.5, 0.5, 0.5), (0.0, 0.0, 0.0)), UNIT_BOX, "crossing", "-inf", "inf", None),
        (Line((0.5, 0.5, 9.0), (0.0, 0.0, 3.0)), UNIT_BOX, "crossing", "-3", "-8/3", (0, 0, -1)),
        # a triangle from above and from below, in its plane, at a vertex, degenerate
        (Segment((0.25, 0.25, 1.0), (0.25, 0.25, -1.0)), FACING_UP, "crossing", "1/2", "1/2", (0, 0, 1)),
        (Segment((0.25, 0.25, -1.0), (0.25, 0.25, 1.0)), FACING_UP, "crossing", "1/2", "1/2", (0, 0, -1)),
        (Segment((-1.0, 0.25, 0.0), (3.0, 0.25, 0.0)), FACING_UP, "coplanar", "1/4", "7/16", None),
        (Segment((1.0, 0.0, 1.0), (1.0, 0.0, -1.0)), FACING_UP, "touching", "1/2", "1/2", (0, 0, 1)),
        (
            Segment((0.0, 0.0, -1.0), (0.0, 0.0, 1.0)),
            Triangle((-1.0, 0.0, 0.0), (0.5, 0.0, 0.0), (2.0, 0.0, 0.0)),
            "crossing",
            "1/2",
            "1/2",
            None,
        ),
        # a flat box has a face on either side
        (
            Segment((0.5, 0.5, 3.0), (0.5, 0.5, -1.0)),
            Aabb((0.0, 0.0, 1.0), (1.0, 1.0, 1.0)),
            "crossing",
            "1/2",
            "1/2",
            (0, 0, 1),
        ),
    ],
)
def test_hand_made_case(probe, primitive, state, t_enter, t_exit, normal):
    found = exact.relation(probe, primitive)
    ends = [float(t) if "inf" in t else Fraction(t) for t in (t_enter, t_exit)]
    assert (found.state, found.t_enter, found.t_exit) == (state, *ends)
    assert (found.normal and exact.unit(found.normal)) == normal


def test_an_obb_is_its_stored_axes_and_not_their_transpose():
    # The axes are orthonormal to 1e-6 only; the corner c + sum e_i * u_i belongs to the box all the same.
    skew = 2.0**-22
    axes = ((1.0, skew, 0.0), (0.0, 1.0, skew), (skew, 0.0, 1.0))
    box = Obb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), axes)
    corner = tuple(sum(column) for column in zip(*axes, strict=True))
    _, _, exact_axes = rational(box)
    assert corner == tuple(sum(column) for column in zip(*exact_axes, strict=True)), (
        "the corner is a float64 point"
    )
    assert exact.relation(Segment(corner, corner), box).state == "touching"
    outside = tuple(number * (1 + 2**-50) for number in corner)
    assert not exact.meet(Segment(outside, outside), box)


def test_a_line_is_not_mistaken_for_the_ray_of_the_same_numbers():
    numbers = (0.0, 0.0, 5.0), (0.0, 0.0, 1.0)
    assert not exact.meet(Ray(*numbers), UNIT_BOX)
    assert exact.meet(Line(*numbers), UNIT_BOX)
    assert exact.relation(Line(*numbers), UNIT_BOX).t_enter == -5


@pytest.mark.parametrize(
    ("probe", "side"),
    [
        (Segment((0.0, 0.0, 1.0), (9.0, 9.0, 2.0)), "front"),
        (Segment((0.0, 0.0, -1.0), (9.0, 9.0, 0.0)), "back"),
        (Segment((5.0, 5.0, 1.0), (5.0, 5.0, -1.0)), "both"),
        (Segment((0.0, 0.0, 0.0), (9.0, 9.0, 0.0)), "on"),
        (Triangle((0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (0.0, 0.0, -1.0)), "both"),
        (Ray((0.0, 0.0, 1.0), (0.0, 0.0, 1.0)), None),
    ],
)
def test_side_is_where_a_bounded_probe_lies_to_the_triangles_plane(probe, side):
    assert exact.relation(probe, FACING_UP).side == side


FLAT_BOX, HALF = Aabb((0.0, 0.0, 1.0), (1.0, 1.0, 1.0)), Polyhedron((Plane((0.0, 0.0, 1.0), 1.0),), ())
SHEET = Polyhedron((*HALF.planes, Plane((0.0, 0.0, -2.0), -2.0)), ())


@pytest.mark.parametrize(
    ("shape", "dimension", "is_bounded", "is_plane"),
    [
        (Ray((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), 0, False, False),
        (Segment((0.0, 0.0, 0.0), (0.0, 0.0, 1.0)), 1, True, False),
        (Triangle((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (3.0, 3.0, 3.0)), 1, True, False),
        (FLAT_BOX, 2, True, False),
        (FACING_UP, 2, True, False),
        (Plane((0.0, 0.0, 1.0), 1.0), 2, False, True),
        (SHEET, 2, False, True),
        (HALF, 3, False, False),
        (UNIT_BOX, 3, True, False),
    ],
)
def test_extent_of_a_set(shape, dimension, is_bounded, is_plane):
    found = exact.dimension(shape), exact.is_bounded(shape), exact.is_plane(shape)
    assert found == (dimension, is_bounded, is_plane)


def test_a_set_that_lies_in_another_may_touch_its_faces():
    assert exact.contains(UNIT_BOX, FLAT_BOX) and exact.contains(HALF, UNIT_BOX)
    assert not exact.contains(FLAT_BOX, UNIT_BOX) and not exact.contains(HALF, HALF)
    assert exact.contains_point(FLAT_BOX, (Fraction(1, 3), Fraction(1), Fraction(1)))
    assert not exact.contains_point(FLAT_BOX, (Fraction(1, 3), Fraction(1), 1 - Fraction(1, 10**40)))
    assert exact.are_in_a_plane(FLAT_BOX, SHEET) and not exact.are_in_a_plane(UNIT_BOX, SHEET)


def test_a_probe_that_enters_by_an_edge_has_both_normals():
    probe = Segment((-1.0, -1.0, 0.5), (1.0, 1.0, 0.5))
    assert exact.entry_normals(probe, UNIT_BOX) == [(-1.0, 0.0, 0.0), (0.0, -1.0, 0.0)]
    assert exact.entry_normals(Segment((0.5, 0.5, 0.5), (9.0, 9.0, 9.0)), UNIT_BOX) is None
    assert exact.line_range(Segment((-3.0, 0.5, 0.5), (-2.0, 0.5, 0.5)), UNIT_BOX) == (3, 4)


def test_a_collinear_triangle_has_no_sides():
    collinear = Triangle((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (3.0, 3.0, 3.0))
    assert exact.relation(Segment((0.0, 0.0, 1.0), (1.0, 0.0, 1.0)), collinear).side is None


@given(st.fractions(min_value=Fraction(1, 10**40), max_value=10**40))
def test_square_root_is_right_to_120_bits(value):
    root = integers.square_root(value)
    assert abs(root**2 - value) < value / 2**119


def test_rounding_keeps_beyond_float64_finite():
    assert exact.rounded(Fraction(10) ** 400) == 1.7976931348623157e308
    assert exact.rounded(-(Fraction(10) ** 400)) == -1.7976931348623157e308
    assert exact.unit((Fraction(10) ** 400, 0, Fraction(10) ** 400)) == (
        0.7071067811865476,
        0.0,
        0.7071067811865476,
    )

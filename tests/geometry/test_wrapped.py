"""Frusta, polyhedra as probes, what is rounded and what is cast: against the oracle, and by hand."""

import math
from fractions import Fraction
from importlib import import_module

import pytest

from hitscope.errors import HitscopeError
from hitscope.evaluate import intersect
from hitscope.evaluate.verdict_words import decider_of, sentence_of
from hitscope.geometry import exact
from hitscope.geometry.arrays import Shapes, has_width
from hitscope.geometry.exact import pairwise, sets
from hitscope.geometry.exact.casts import where_it_starts
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.kinds.wrapped import Wrapped
from hitscope.geometry.registry import KINDS_OF_PAIR, of_pair
from hitscope.geometry.shapes import (
    Aabb,
    Capsule,
    Cast,
    Frustum,
    Obb,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Rounded,
    Segment,
    Sphere,
    Triangle,
)
from hitscope.geometry.traits import bounds_of
from hitscope.scene.items import FrustumPrimitive
from tests.geometry import wrapped_pairs
from tests.judge.seeded_cases import generate

SOLIDS = ("aabb", "obb", "parallelepiped", "polyhedron", "frustum")
LIGHT = [pair for pair in wrapped_pairs.PAIRS if sum(map(pair.count, SOLIDS)) <= 1]
"""The pairs that the oracle decides in milliseconds: with at most one solid core."""
casts, gaps, round_ranges, relations = (
    import_module(f"hitscope.geometry.exact.{name}") for name in ("casts", "gaps", "round_ranges", "relation")
)
UNIT = Aabb((0, 0, 0), (1, 1, 1))
SAIL = Triangle((0, 0, 0), (4, 0, 0), (0, 4, 0))
GROUND = Plane((0, 0, 1), 0)
BALL = Sphere((0, 0, 3), 1)


@pytest.mark.parametrize(
    "pair", [pytest.param(pair, marks=[pytest.mark.thorough] * bool(i % 4)) for i, pair in enumerate(LIGHT)]
)
def test_verdict_state_t_and_distance_are_those_of_the_oracle(pair):
    wrapped_pairs.assert_right(*wrapped_pairs.pair(pair, 0))


@pytest.mark.parametrize("pair", ["cast_aabb_aabb", "frustum_aabb", "rounded_aabb_rounded_aabb", "polyhedron_obb"])
def test_two_solids_are_decided_as_the_oracle_does(pair):
    for seed in range(2):
        wrapped_pairs.assert_right(*wrapped_pairs.pair(pair, seed))


def test_many_pairs_are_decided_as_each_of_them():
    for pair in wrapped_pairs.PAIRS:
        kinds = KINDS_OF_PAIR[pair]
        if not all(map(has_width, kinds)):
            continue
        shapes = [KINDS[kind].example for kind in kinds]
        probes, primitives = (Shapes.of([shape] * 7) for shape in shapes)
        assert pairwise.decide(probes, primitives, compiled=False).hits.tolist() == [exact.meet(*shapes)] * 7, pair


def test_no_method_of_a_plain_pair_is_asked_of_what_is_rounded_or_cast():
    for pair, kinds in KINDS_OF_PAIR.items():
        if any(issubclass(kind, Wrapped) for kind in kinds):
            assert [name for name in of_pair(pair) if name.startswith("slab_") or name.startswith("sat")] == []


@pytest.mark.parametrize(
    ("probe", "primitive", "state"),
    [
        (Rounded(UNIT, 5), Point((4, 5, 1)), None),
        (Sphere((4, 5, 0.5), 0), Rounded(UNIT, 5), "touching"),
        (Sphere((4, 5, 0.5), 0), Rounded(UNIT, math.nextafter(5, 0)), "apart"),
        (Sphere((4, 5, 0.5), 0), Rounded(UNIT, math.nextafter(5, 9)), "crossing"),
        (Point((4, 5, 0.5)), Rounded(UNIT, math.nextafter(5, 9)), "inside"),
        (Cast(Sphere((-9, 4, 0), 3), (20, 0, 0)), Sphere((0, 0, 0), 1), "touching"),
        (Cast(Sphere((-9, 4, 0), 3), (20, 0, 0)), Sphere((0, 0, 0), math.nextafter(1, 0)), "apart"),
        (Cast(Sphere((-9, 4, 0), 3), (20, 0, 0)), Sphere((0, 0, 0), math.nextafter(1, 2)), "crossing"),
        (Cast(UNIT, (5, 0, 0)), Aabb((2, 1, 0), (3, 2, 1)), "touching"),
        (Cast(UNIT, (0, 0, 0)), Aabb((0.5, 0, 0), (3, 2, 1)), "inside"),
        (Cast(SAIL, (1, 1, 0)), GROUND, "coplanar"),
        (Rounded(SAIL, 0), GROUND, "coplanar"),
    ],
)
def test_touching_is_equality(probe, primitive, state):
    if state is None:
        with pytest.raises(HitscopeError, match="a primitive"):
            intersect(probe, primitive)
        return
    found = intersect(probe, primitive)
    assert (found.state, found.hit) == (state, state != "apart")


@pytest.mark.parametrize(
    ("probe", "primitive", "enter", "leave", "point", "normal"),
    [
        (Cast(BALL, (0, 0, -4)), GROUND, 0.5, 1.0, (0, 0, 0), (0, 0, 1)),
        (Cast(BALL, (0, 0, -8)), GROUND, 0.25, 0.5, (0, 0, 0), (0, 0, 1)),
        (Cast(BALL, (0, 0, 4)), Plane((0, 0, 1), 4), 0.0, 0.5, (0, 0, 4), None),
        (Cast(BALL, (0, 0, 4)), Plane((0, 0, 1), 2), 0.0, 0.0, (0, 0, 2), None),
        (Cast(Sphere((1, 1, 2), 1), (0, 0, -2)), SAIL, 0.5, 1.0, (1, 1, 0), (0, 0, 1)),
        (Cast(Sphere((-9, 4, 0), 3), (20, 0, 0)), Sphere((0, 0, 0), 1), 0.45, 0.45, (0, 1, 0), (0, 1, 0)),
        (Cast(Sphere((-9, 0, 0), 3), (20, 0, 0)), Sphere((0, 0, 0), 1), 0.25, 0.65, (-1, 0, 0), (-1, 0, 0)),
        (Cast(Aabb((-3, 0, 0), (-2, 1, 1)), (4, 0, 0)), UNIT, 0.5, 1.0, (0, 0.5, 0.5), (-1, 0, 0)),
        (Cast(Aabb((-3, -3, 0), (-2, -2, 1)), (4, 4, 0)), UNIT, 0.5, 1.0, (0, 0, 0.5), (-1, 0, 0)),
        (Cast(Rounded(Aabb((-4, 0, 0), (-3, 1, 1)), 1), (4, 0, 0)), UNIT, 0.5, 1.0, (0, 0.5, 0.5), (-1, 0, 0)),
        (
            Cast(Capsule((-3, 0, 3), (3, 0, 3), 1), (0, 0, -4)),
            Sphere((1, 0, 0), 1),
            0.25,
            1.0,
            (1, 0, 1),
            (0, 0, 1),
        ),
        (Cast(UNIT, (0, 0, 0)), Aabb((1, 0, 0), (2, 1, 1)), 0.0, 1.0, (1, 0.5, 0.5), None),
        (Cast(Sphere((0, 0, 0), 0), (0, 0, 0)), Sphere((3, 4, 0), 5), 0.0, 1.0, (0, 0, 0), None),
    ],
)
def test_t_point_and_normal_of_a_cast(probe, primitive, enter, leave, point, normal):
    found = intersect(probe, primitive)
    assert (found.t_enter, found.t_exit, found.point, found.normal) == (enter, leave, point, normal)


def test_a_cast_through_a_root_is_rounded_once():
    found = intersect(Cast(Sphere((0, 0, 0), 1), (4, 4, 4)), Sphere((3, 3, 3), 1))
    assert found.t_enter == exact.rounded(Fraction(3, 4) - exact.square_root(Fraction(1, 12), 1 << 9))
    assert found.normal == pytest.approx((-math.sqrt(1 / 3),) * 3, abs=1e-16)


def test_a_moving_edge_meets_an_edge_along_their_cross_product():
    probe = Cast(Polyhedron(vertices=[(-1, 0, 3), (1, 0, 3), (0, 0, 4)]), (0, 0, -4))
    found = intersect(probe, Triangle((0, -1, 0), (0, 1, 0), (0, 0, -1)))
    assert (found.t_enter, found.point, found.normal) == (0.75, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert decider_of(found).brief == "edge 0-1 \N{RIGHTWARDS ARROW} edge 0-1"


@pytest.mark.parametrize("pair", ["cast_aabb_obb", "cast_capsule_parallelepiped", "cast_polyhedron_triangle"])
def test_the_difference_of_two_bodies_is_the_hull_of_all_differences_of_corners(pair, monkeypatch):
    def answers(probe, primitive):
        for cached in (casts.line_and_set, round_ranges.round_range, relations.relation):
            cached.cache_clear()
        found = exact.relation(probe, primitive)
        ts = [t and exact.rounded(t) for t in (found.t_enter, found.t_exit)]
        return found[:3], ts, found.normal and exact.unit(found.normal), exact.entry_normals(probe, primitive)

    cases = [wrapped_pairs.pair(pair, seed) for seed in range(30)]
    found = [answers(*shapes) for shapes in cases]
    assert {hit for (hit, *_), *_ in found} == {True, False}
    monkeypatch.setattr(casts, "_of_supports", lambda *_: None)
    assert [answers(*shapes) for shapes in cases] == found


TURNED = Obb((0, 0, 0), (1, 1, 1), ((0.6, 0.8, 0), (-0.8, 0.6, 0), (0, 0, 1)))


@pytest.mark.parametrize("box", [Aabb((-1, -1, -1), (1, 1, 1)), TURNED])
@pytest.mark.parametrize("radius", [math.nextafter(0.25, 0), 0.25, math.nextafter(0.25, 1)])
def test_a_cast_beside_a_face_touches_at_its_radius_and_an_ulp_less_misses(box, radius):
    probe = Cast(Capsule((-8, 0.5, 1.25), (-8, 0.25, 1.25), radius), (16, 0, 0))
    states = {-1: "apart", 0: "touching", 1: "crossing"}
    assert exact.relation(probe, box).state == states[(radius > 0.25) - (radius < 0.25)]


def test_a_half_space_that_only_touches_a_polyhedron_has_no_face_for_a_cast():
    sides = [((1, 0, 0), 1), ((0, 1, 0), 1), ((0, 0, 1), 1), ((-1, 0, 0), 0), ((0, -1, 0), 0), ((0, 0, -1), 0)]
    cube = Polyhedron(planes=[((1, 1, 0), 2), *sides])
    for body in (Sphere((3, 3, 0.5), 0), Aabb((3, 3, 0), (4, 4, 1))):
        assert intersect(Cast(body, (-4, -4, 0)), cube).normal == (1.0, 0.0, 0.0)


def test_a_body_that_moves_along_a_plane_is_nowhere_nearer_to_it():
    for radius, state in ((2.5, "apart"), (3, "touching"), (3.5, "inside")):
        for body in (Sphere((0, 0, 3), radius), Capsule((0, 0, 3), (0, 1, 3), radius)):
            found = intersect(Cast(body, (4, 1, 0)), GROUND)
            assert (found.state, found.t_enter) == (state, None if state == "apart" else 0.0)


@pytest.mark.parametrize("pair", ["point_frustum", "segment_frustum", "ray_frustum", "line_frustum"])
def test_whether_a_point_or_line_meets_a_frustum_is_asked_without_its_corners(pair, monkeypatch):
    drawn = [wrapped_pairs.pair(pair, seed) for seed in range(20)]
    sets.convex_set.cache_clear()
    monkeypatch.setattr("hitscope.geometry.exact.cone.facets", None)
    assert {exact.meet(*shapes) for shapes in drawn} == {True, False}


def test_an_unbounded_primitive_is_met_far_out():
    wedge = Polyhedron(planes=[((0, 0, 1), 0), ((1, 0, -1), 0)])
    found = intersect(Cast(Sphere((-1e9, 5, 3), 1), (0, 0, -4)), wedge)
    assert (found.t_enter, found.point, found.normal) == (0.5, (-1e9, 5.0, 0.0), (0.0, 0.0, 1.0))
    assert intersect(Cast(UNIT, (0, 0, 4)), wedge).state == "touching"
    assert intersect(Polyhedron(planes=[((0, 0, -1), -1)]), wedge).state == "apart"
    assert intersect(Polyhedron(planes=[((0, 0, 1), 9)]), GROUND).state == "crossing"
    assert intersect(Polyhedron(planes=[((0, 0, 1), -9)]), GROUND).distance == 9
    assert intersect(Polyhedron(planes=[((-1e-300, 1, 0), 0)]), Plane((1e-300, 0, 1e300), 1e300)).hit


def test_a_huge_ball_meets_the_nearest_corner_of_a_small_box():
    # Seen from the ball all corners are as far away as 500 bits can tell.
    ball = Cast(Sphere((-1e292, -5e291, -5e291), 9e291), (5e291, 2e291, 5e291))
    found = intersect(ball, UNIT)
    assert found.point == (0.0, 0.0, 0.0)
    assert exact.witness(ball, UNIT).feature == "vertex -x -y -z"


def test_the_middle_of_two_parallel_edges_counts_each_end_once():
    pill = Cast(Capsule((-2.375, 0.75, 4.5), (-2.375, -1.5000000000000004, 2.25), 2.25), (1.125, -0.75, -1.5))
    assert intersect(pill, Aabb((1, -1, 0), (2, 1, 3))).point == (1.0, -0.5, 2.5)
    axes = ((0, -1, 0), (-1, 0, 0), (0, 0, 1))
    rounded = Rounded(Obb((8.0234375, -2.96484375, 4.96484375), (2, 1, 3), axes), 3.0)
    box = Obb((1, -3.0000000000000013, -1), (3, 1, 3), ((0, 0, 1), (0, 1, 0), (1, 0, 0)))
    found = intersect(Cast(rounded, (-0.046875, -0.0703125, 0.0703125)), box)
    assert (found.t_enter, found.point) == (0.5, (4.0, -3.0000000000000013, 2.0))


def test_both_features_of_a_contact_are_named():
    for probe, primitive, words in (
        (Cast(BALL, (0, 0, -4)), SAIL, "reaches vertex 0 with its surface at t = 0.5"),
        (Cast(Sphere((1, 1, 2), 1), (0, 0, -2)), SAIL, "reaches the triangle with its surface at t = 0.5"),
        (Cast(Aabb((-3, 0, 0), (-2, 1, 1)), (4, 0, 0)), UNIT, "reaches face −x with its face +x at t = 0.5"),
        (Cast(Sphere((-9, 4, 0), 3), (20, 0, 0)), Sphere((0, 0, 0), 1), "grazes the surface with its surface"),
        (Cast(BALL, (0, 0, 4)), Plane((0, 0, 1), 2), "touches the plane at the start, and leaves at once"),
        (Cast(BALL, (0, 0, 4)), Plane((0, 0, 1), 3), "overlaps it at the start"),
    ):
        found = intersect(probe, primitive)
        assert sentence_of(found, found, None).removeprefix("hit: ").startswith(words)


def test_a_miss_of_a_cast_names_the_nearest_features_on_the_way():
    found = intersect(Cast(BALL, (5, 0, 0)), UNIT)
    witness = exact.witness(*found.shapes)
    assert (found.distance, witness.probe, witness.primitive) == (
        1.0,
        "surface",
        "vertex -x -y +z",
    )


def test_a_point_of_the_way_is_traced_back_to_the_body():
    probe = Cast(UNIT, (4, 0, 0))
    assert where_it_starts(probe, (9, 1, 1, 2)) == (2, 1, 1, 2)
    assert where_it_starts(probe, (1, 1, 1, 2)) == (1, 1, 1, 2)


def test_bounds_hold_what_is_rounded_and_cast():
    lo, hi = bounds_of(Cast(Rounded(UNIT, 0.5), (4, 0, -1)))
    assert (lo <= (-0.5, -0.5, -1.5)).all() and (hi >= (5.5, 1.5, 1.5)).all()
    lo, hi = bounds_of(Cast(Rounded(Polyhedron(vertices=[(0, 0, 0), (1, 0, 0)]), 0.5), (4, 0, -1)))
    assert (lo <= (-0.5, -0.5, -1.5)).all() and (hi >= (5.5, 0.5, 0.5)).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: Rounded(Sphere((0, 0, 0), 1), 1),
            "Rounded: shape: expected a shape of one of the types Triangle",
        ),
        (lambda: Rounded(UNIT, -1), "RoundedAabb: radius: expected a number >= 0, found -1"),
        (lambda: Cast(Ray((0, 0, 0), (1, 0, 0)), (1, 0, 0)), "Cast: shape: expected a shape of one of the types"),
        (lambda: Rounded(Polyhedron(planes=[((0, 0, 1), 0)]), 1), "RoundedPolyhedron: planes: expected a bounded"),
        (lambda: Cast(UNIT, (1, 0, math.inf)), r"CastAabb: motion\[2\]: expected a finite number"),
        (lambda: Frustum([(0, 0, 0)] * 6, [0] * 6), "Frustum: normals: expected a normal other than zero"),
    ],
)
def test_what_cannot_be_rounded_or_cast_is_refused(call, message):
    with pytest.raises(HitscopeError, match=f"^{message}"):
        call()


PINHOLE = {"eye": (0.0, 0.0, 0.0), "target": (0.0, 0.0, -9.0), "up": (0.0, 1.0, 0.0)}


def test_a_frustum_of_a_camera_is_that_of_its_matrix():
    matrix = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, -1.0, -1.0), (0.0, 0.0, -1.0, 0.0))
    endless = FrustumPrimitive(matrix=matrix).shape
    camera = FrustumPrimitive(**PINHOLE, fov_deg=90.0, aspect=1.0, near=1.0).shape
    for point, state in (((0, 0, -1e9), "inside"), ((2, 2, -2), "touching"), ((0, 0, -1), "touching")):
        assert intersect(Point(point), endless).state == intersect(Point(point), camera).state == state
    assert intersect(Point((2, 0, math.nextafter(-2, 0))), camera).state == "apart"
    deep = (*matrix[:2], (0.0, 0.0, -1.0, -2.0), matrix[3])
    cut = FrustumPrimitive(matrix=deep, depth="minus_one_to_one").shape
    assert intersect(Point((0, 0, -0.5)), cut).state == "apart"
    assert intersect(Segment((0, 0, 0), (0, 0, -4)), cut).t_enter == 0.25


def test_each_coefficient_of_a_camera_is_rounded_once():
    shape = FrustumPrimitive(**PINHOLE, fov_deg=60.0, aspect=2.0, near=0.1, far=10.0).shape
    right = exact.rounded(exact.square_root(Fraction(3), 1 << 9))
    assert shape.normals[2:4] == ((0.0, -right, 1.0), (0.0, right, 1.0))
    assert shape.offsets == (0.0, 0.0, 0.0, 0.0, -0.1, 10.0)


def test_culling_keeps_what_a_corner_test_would_drop():
    camera = FrustumPrimitive(**PINHOLE, fov_deg=90.0, aspect=1.0, near=1.0, far=10.0).shape
    wall = Aabb((-99, -99, -6), (99, 99, -5))
    beside = Obb((12, 0, 1), (1, 1, 1), ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    assert [intersect(body, camera).hit for body in (wall, beside)] == [True, False]


def test_a_rounded_body_that_starts_in_a_half_space_hits_it():
    """Its way leaves the far end of the half-space by a face that no slab of the half-space has."""
    body = Cast(Rounded(Triangle((0, 1, -2), (-1, -2, 0), (1, -1, -2)), 1), (1, 2, -1))
    half_space = Polyhedron(planes=[((0, 1, 1), 3)])
    found = exact.relation(body, half_space)
    assert (found.hit, found.state, found.t_enter, found.t_exit) == (True, "inside", 0, 1)


ROUND_CASTS = [
    name
    for name, (kind, other) in KINDS_OF_PAIR.items()
    if issubclass(kind, Cast) and other is not Plane and (KINDS[kind].core or KINDS[other].core)
]


@pytest.mark.parametrize("generator", ["uniform", "edges"])
def test_what_integers_prove_is_what_comparing_all_features_finds(generator, monkeypatch):
    def found():
        round_ranges.round_range.cache_clear()
        ranges = [round_ranges.round_range(*pair) for pair in pairs]
        return [
            each and (each.state, *map(exact.rounded, each[1:3]), each.normal and exact.unit(each.normal))
            for each in ranges
        ]

    pairs = [generate(generator, name, seed) for name in ROUND_CASTS for seed in range(2)]
    proven = found()
    monkeypatch.setattr(round_ranges, "proven_ends", lambda *_: None)
    assert found() == proven


def test_of_nearly_all_casts_floats_propose_the_right_corners():
    pairs = [generate("uniform", name, seed) for name in ROUND_CASTS for seed in range(4)]
    ends = [
        round_ranges.proven_ends(*pair, exact.radius_of(pair[0]) + exact.radius_of(pair[1]))
        for pair in pairs
        if any(pair[0].motion)
    ]
    assert sum(end is None for end in ends) < len(ends) / 50


def test_gaps_are_the_same_without_any_corners_from_floats(monkeypatch):
    def found():
        gaps.core_gap.cache_clear()
        each = [gaps.core_gap(*pair) for pair in pairs]
        return [gap and (gap.squared, gap.points()) for gap in each]

    names = [name for name in wrapped_pairs.PAIRS if not name.startswith("cast")]
    pairs = [wrapped_pairs.pair(name, seed) for name in names[::6] for seed in range(2)]
    proposed = found()
    monkeypatch.setattr(gaps, "approach", lambda *_: None)
    assert found() == proposed
    assert 0 < proposed.count(None) < len(proposed) / 2

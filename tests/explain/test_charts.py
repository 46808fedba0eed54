"""The charts of a pair: their numbers against fractions, and the row that a step of the method is at."""

import json
import math
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest

from hitscope.explain import explain
from hitscope.explain.charts import AxisChart, FlatChart, RootChart, SlabChart, as_data, chart_of, row_at
from hitscope.explain.charts.axes import scene_shadows
from hitscope.geometry import exact
from hitscope.geometry.arrays import numbers_of
from hitscope.geometry.registry import choose, pair_of
from hitscope.geometry.shapes import (
    Aabb,
    Capsule,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Segment,
    Sphere,
    Triangle,
)
from hitscope.geometry.vector import cross, dot, subtract
from tests.geometry.cases import PAIRS

UNIT = Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
SLANTED = Segment((-1.0, 0.5, 0.2), (2.0, 0.7, 0.4))
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
TURNED = ((0.6, 0.8, 0.0), (-0.8, 0.6, 0.0), Z)
BESIDE = Triangle((1.2, 0.0, 0.0), (0.0, 1.5, 1.3), (3.0, 3.0, 3.0))


def random_shape(kind, random):
    """Return a shape of small numbers, often parallel, touching, flat or far away."""
    scale = 2.0 ** random.choice((0, 0, 0, 40, -40))
    numbers = random.choice((lambda: random.randint(-2, 2) * scale, lambda: random.uniform(-2, 2) * scale))

    def vector():
        return numbers(), numbers(), numbers()

    match kind:
        case "point":
            return Point(vector())
        case "segment" | "ray" | "line":
            return {"segment": Segment, "ray": Ray, "line": Line}[kind](vector(), vector())
        case "triangle":
            return Triangle(vector(), vector(), vector())
        case "aabb":
            sides = [sorted(side) for side in zip(vector(), vector(), strict=True)]
            return Aabb(tuple(lo for lo, _ in sides), tuple(hi for _, hi in sides))
        case "obb":
            return Obb(vector(), tuple(map(abs, vector())), random.choice((TURNED, (X, Y, Z))))
        case "parallelepiped":
            return Parallelepiped(vector(), (vector(), vector(), vector()))
        case "plane":
            return Plane(random.choice((X, TURNED[0], (1.0, -2.0, 2.0))), numbers())
        case "polyhedron":
            return Polyhedron((), tuple(vector() for _ in range(random.randint(1, 9))))
        case "sphere":
            return Sphere(vector(), abs(numbers()))
        case "capsule":
            return Capsule(vector(), vector(), abs(numbers()))


def chart(probe, primitive, name="exact", reading="interpreted"):
    explanation = explain(choose(pair_of(probe, primitive), name), probe, primitive, reading)
    return explanation, chart_of(explanation)


def rows_of_steps(probe, primitive, name):
    """Return the row of each step, repetitions left out."""
    explanation, found = chart(probe, primitive, name)
    rows = [row_at(explanation, found, k) for k in range(len(explanation.trace.steps))]
    return [row for k, row in enumerate(rows) if k == 0 or row != rows[k - 1]]


def fractions(vector):
    return tuple(map(Fraction, vector))


@pytest.mark.parametrize("name", ["slab_ericson", "slab_halfspaces", "exact", "slab_efficient"])
def test_each_slab_is_the_interval_of_t_between_its_two_faces(name):
    _, found = chart(SLANTED, UNIT, name)
    assert isinstance(found, SlabChart)
    for i, row in enumerate(found.rows):
        start, end = Fraction(SLANTED.start[i]), Fraction(SLANTED.end[i])
        near, far = -start / (end - start), (1 - start) / (end - start)
        assert row.near == pytest.approx(float(near), rel=1e-15)
        assert row.far == pytest.approx(float(far), rel=1e-15)
        assert row.face_names == (f"face -{'xyz'[i]}", f"face +{'xyz'[i]}")
        for polygon, bound in zip(row.faces, (0.0, 1.0), strict=True):
            assert len(polygon) == 4
            assert {corner[i] for corner in polygon} == {bound}
        for point, t in zip(row.points, (near, far), strict=True):
            ends = zip(*map(fractions, SLANTED), strict=True)
            assert point == pytest.approx([float(a + t * (b - a)) for a, b in ends])
    assert (found.exact_enter, found.exact_exit) == (Fraction(1, 3), Fraction(2, 3))
    assert (found.entry, found.exit, found.hit) == (0, 0, True)


def test_a_parallelepiped_on_a_line_has_no_slabs():
    skewer = Parallelepiped((0.0, 0.0, 0.0), (X, (2.0, 0.0, 0.0), (-1.0, 0.0, 0.0)))
    assert chart(SLANTED, skewer)[1] is None


def test_a_probe_that_goes_backwards_enters_by_the_upper_face():
    _, found = chart(Segment(SLANTED.end, SLANTED.start), UNIT, "slab_ericson")
    assert [row.face_names[0] for row in found.rows] == ["face +x", "face +y", "face +z"]
    assert {corner[0] for corner in found.rows[0].faces[0]} == {1.0}


def test_the_slab_that_leaves_nothing_is_the_one_at_which_the_method_ends():
    probe = Segment((-1.0, 0.5, 2.0), (3.0, 0.5, 0.0))
    explanation, found = chart(Segment((-1.0, -2.0, 0.5), (3.0, 2.5, 0.5)), UNIT, "slab_ericson")
    assert found.hit
    explanation, found = chart(probe, Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 0.4)), "slab_ericson")
    assert not explanation.hit
    assert (found.empty_at, found.entry, found.exit) == (2, 2, 0)
    assert found.last.t_enter > found.last.t_exit
    assert found.exact_enter > found.exact_exit
    assert row_at(explanation, found, len(explanation.trace.steps) - 1) == 2


@pytest.mark.parametrize(
    ("height", "near", "far", "parallel"),
    [
        (0.5, -math.inf, math.inf, "between"),
        (2.0, -math.inf, -math.inf, "outside"),
        (-1.0, math.inf, math.inf, "outside"),
        (0.0, math.nan, math.inf, "in a face"),
        (1.0, -math.inf, math.nan, "in a face"),
    ],
)
def test_a_parallel_probe_has_the_infinities_and_nan_of_ieee_arithmetic(height, near, far, parallel):
    _, found = chart(Ray((-1.0, height, 0.5), (1.0, 0.0, 0.0)), UNIT, "kay_kajiya")
    row = found.rows[1]
    assert [row.near, row.far] == pytest.approx([near, far], nan_ok=True)
    assert row.parallel == parallel
    assert row.points == (None, None)
    assert found.hit == (parallel != "outside")


@pytest.mark.parametrize("box", ["aabb", "obb", "parallelepiped"])
@pytest.mark.parametrize("probe", ["segment", "ray", "line"])
def test_the_exact_ends_of_the_slabs_are_those_of_the_exact_verdict(probe, box):
    random = Random(f"{probe} {box}")
    seen = set()
    for _ in range(150):
        pair = random_shape(probe, random), random_shape(box, random)
        _, found = chart(*pair)
        if found is None:
            assert box == "parallelepiped"
            continue
        truth = exact.relation(*pair)
        assert (found.exact_enter <= found.exact_exit) == truth.hit
        if truth.hit:
            assert (found.exact_enter, found.exact_exit) == (truth.t_enter, truth.t_exit)
        seen.add(truth.hit)
    assert seen == {True, False}


def test_the_plain_slabs_are_those_of_kay_kajiya_bit_by_bit_in_both_precisions():
    random = Random("bits")
    for reading in ("interpreted", "float32"):
        for _ in range(100):
            pair = random_shape("ray", random), random_shape("aabb", random)
            explanation, found = chart(*pair, "smits", reading)
            ends = [
                (float(step.values["near"]), float(step.values["far"]))
                for step in explanation.trace.steps
                if step.source.lstrip().startswith("near, far =")
            ]
            for (near, far), row in zip(ends, found.rows, strict=False):
                if not math.isnan(near + far) and near <= far:
                    assert (row.near, row.far) == (near, far)


@pytest.mark.parametrize("name", ["slab_ericson", "slab_halfspaces", "kay_kajiya", "smits", "slab_intervals"])
def test_a_step_of_a_slab_method_is_at_the_slab_of_its_pass(name):
    assert rows_of_steps(SLANTED, UNIT, name) == [None, 0, 1, 2, None]


def test_a_method_without_a_loop_is_at_no_slab():
    assert rows_of_steps(SLANTED, UNIT, "slab_efficient") == [None]


def test_a_box_without_volume_has_no_slabs():
    flat = Parallelepiped((0.0, 0.0, 0.0), (X, Y, (1.0, 1.0, 0.0)))
    assert chart(SLANTED, flat)[1] is None


def corners(shape):
    match shape:
        case Triangle():
            return [fractions(point) for point in shape]
        case Aabb(lo, hi):
            return [fractions(point) for point in product(*zip(lo, hi, strict=True))]
        case Obb(center, extents, axes):
            c, e, (u, v, w) = fractions(center), fractions(extents), map(fractions, axes)
            ways = product((-1, 1), repeat=3)
            return [
                tuple(c[k] + i * e[0] * u[k] + j * e[1] * v[k] + m * e[2] * w[k] for k in range(3))
                for i, j, m in ways
            ]


def assert_shadows_are_right(found, probe, primitive):
    for row in found.rows:
        squared = dot(row.vector, row.vector)
        if not squared:
            assert row.gap is None
            assert row.degenerate
            continue
        own = [dot(row.vector, point) for point in corners(probe)]
        theirs = [dot(row.vector, point) for point in corners(primitive)]
        gap = min(own) - max(theirs)
        # Turned towards the probe: the other way out is longer.
        assert gap >= min(theirs) - max(own)
        assert (row.gap > 0, row.gap == 0) == (gap > 0, gap == 0)
        for number, height in zip(
            (*row.probe_shadow, *row.primitive_shadow, row.gap),
            (min(own), max(own), min(theirs), max(theirs), gap),
            strict=True,
        ):
            shown = Fraction(number) ** 2 * squared
            assert abs(shown - height**2) <= height**2 * Fraction(1, 2**51)
            assert (number < 0) == (height < 0)
    separating = [k for k, row in enumerate(found.rows) if row.separates]
    assert bool(separating) == (not exact.meet(probe, primitive)) == (not found.hit)
    if separating:
        assert found.rows[found.marked].separates
    else:
        assert found.rows[found.marked].gap == max(row.gap for row in found.rows if row.gap is not None)


STRAIGHT = Obb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (X, Y, Z))
BOXES = [
    (BESIDE, UNIT, "sat13", 13),
    (Triangle((0.2, 0.2, 0.2), (2.0, 0.3, 0.1), (0.1, 2.0, 3.0)), UNIT, "sat13", 13),
    (BESIDE, Obb((0.0, 0.0, 0.0), (1.0, 0.5, 0.25), TURNED), "sat13_edges", 13),
    (UNIT, BESIDE, "sat13_intervals", 13),
    (Obb((1.6, 0.9, 0.2), (1.0, 0.5, 0.25), TURNED), UNIT, "sat15", 15),
    (
        Obb((1.1, 0.2, 0.2), (0.5, 0.5, 0.25), TURNED),
        Obb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (X, Y, Z)),
        "obb_tree",
        15,
    ),
    (Obb((5.1, 0.2, 0.2), (0.5, 0.5, 0.25), TURNED), UNIT, "exact", None),
    (BESIDE, Triangle((0.0, 0.0, 1.0), (2.0, 0.0, 1.0), (1.0, 3.0, 0.5)), "sat17", 17),
]


@pytest.mark.parametrize(("probe", "primitive", "name", "count"), BOXES)
def test_shadows_and_gaps_are_right_and_their_signs_exact(probe, primitive, name, count):
    _, found = chart(probe, primitive, name)
    assert isinstance(found, AxisChart)
    assert count in (None, len(found.rows))
    assert found.left_out == 0
    assert_shadows_are_right(found, probe, primitive)


def test_shadows_of_hard_triangles_and_boxes_are_right():
    random = Random("shadows")
    for _ in range(60):
        triangle, box = (random_shape(kind, random) for kind in ("triangle", "aabb"))
        assert_shadows_are_right(chart(triangle, box, "sat13")[1], triangle, box)


def test_the_sign_of_a_gap_far_below_the_numbers_around_it_is_exact():
    above = math.nextafter(1.0, 2.0)
    apart = Triangle((above, -1e9, 0.3), (above, 1e9, 0.3), (above, 0.0, 1e9))
    for x, sign in ((above, 1), (1.0, 0)):
        triangle = Triangle(*((x, y, z) for _, y, z in apart))
        _, found = chart(triangle, UNIT, "sat13")
        gap = found.rows[0].gap
        assert gap == (2.0**-52 if sign else 0.0)
        assert found.hit == (sign == 0)
        assert found.marked == 0


def test_no_axis_is_tried_after_the_first_that_separates():
    beside = Triangle((0.0, 1.5, 1.5), (0.5, 2.0, 3.0), (1.0, 3.0, 1.5))
    _, found = chart(beside, UNIT, "sat13")
    assert [row.separates for row in found.rows[:3]] == [False, True, True]
    assert (found.marked, found.tried) == (1, 2)
    _, found = chart(beside, UNIT)
    assert found.tried == len(found.rows)


def test_the_axes_of_sat13_have_the_names_and_the_order_of_its_loop():
    _, found = chart(BESIDE, UNIT, "sat13")
    assert [row.primitive for row in found.rows[:3]] == ["face +x", "face +y", "face +z"]
    crosses = [(row.primitive, row.probe) for row in found.rows[3:12]]
    assert crosses == [(f"edge {a}", f"edge {b}") for a in "xyz" for b in ("0-1", "1-2", "0-2")]
    assert (found.rows[12].probe, found.rows[12].kind) == ("plane", "face normal")


def test_the_marked_axis_of_exact_is_its_witness():
    for probe, primitive, *_ in BOXES:
        _, found = chart(probe, primitive)
        witness, row = exact.witness(probe, primitive), found.rows[found.marked]
        assert (row.kind, row.vector, row.probe, row.primitive) == witness[:4]
        assert row.gap == pytest.approx(witness.gap, rel=1e-15)


def test_coplanar_triangles_that_no_candidate_separates_have_the_axis_of_their_nearest_points():
    probe = Triangle((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    _, found = chart(probe, Triangle((3.0, 3.0, 0.0), (4.0, 3.0, 0.0), (3.0, 4.0, 0.0)))
    assert found.rows[found.marked].kind == "nearest points"
    assert found.rows[found.marked].separates


def test_cross_products_of_nearly_parallel_edges_are_degenerate():
    tilted = ((1.0, 1e-9, 0.0), (-1e-9, 1.0, 0.0), Z)
    _, found = chart(Obb((0.5, 0.5, 0.5), (1.0, 1.0, 1.0), tilted), UNIT, "sat15")
    names = {(row.probe, row.primitive): row for row in found.rows}
    assert names["edge z", "edge z"].degenerate
    assert names["edge z", "edge z"].gap is None
    assert names["edge x", "edge x"].degenerate
    assert names["edge x", "edge x"].gap < 0
    assert not names["edge x", "edge y"].degenerate


@pytest.mark.parametrize(
    ("probe", "primitive", "name", "count"),
    [(*case[:3], case[3]) for case in BOXES if case[2] in ("sat13", "sat15", "sat13_edges", "sat13_intervals")]
    + [(Obb((0.1, 0.2, 0.3), (1.0, 1.0, 0.7), TURNED), STRAIGHT, "obb_tree", 15)],
)
def test_each_pass_of_a_separating_axis_test_is_at_its_axis(probe, primitive, name, count):
    explanation, found = chart(probe, primitive, name)
    rows = [row for row in rows_of_steps(probe, primitive, name) if row is not None]
    assert rows == list(range(count if explanation.hit else found.marked + 1))
    for k, step in enumerate(explanation.trace.steps):
        row = row_at(explanation, found, k)
        axis = step.values.get("axis")
        if row is not None and axis is not None and any(axis):
            assert dot(cross(axis, found.rows[row].unit), cross(axis, found.rows[row].unit)) < 1e-20


def test_the_printed_slip_is_at_the_axis_that_it_takes_and_never_at_the_one_that_it_means():
    probe = Triangle((0.2, 0.2, 0.2), (2.0, 0.3, 0.1), (0.1, 2.0, 3.0))
    rows = [row for row in rows_of_steps(probe, UNIT, "sat13_printed") if row is not None]
    assert rows == [0, 1, 2, 3, 4, 8, 6, 7, 8, 9, 10, 11, 12]
    _, found = chart(probe, UNIT, "sat13_printed")
    assert (found.rows[5].primitive, found.rows[5].probe) == ("edge y", "edge 0-2")


def test_two_large_polyhedra_say_how_many_axes_are_left_out():
    ball = [
        (math.cos(k) * math.sin(j), math.sin(k) * math.sin(j), math.cos(j)) for j in range(1, 6) for k in range(6)
    ]
    far = Polyhedron((), tuple((x + 5.0, y, z) for x, y, z in ball))
    _, found = chart(UNIT, far)
    assert found.left_out > 100
    assert len(found.rows) <= 65
    assert found.rows[found.marked].separates


def test_shadows_in_the_scene_are_along_the_axis_beside_both_bodies():
    for probe, primitive, name, _ in BOXES:
        _, found = chart(probe, primitive, name)
        for row in found.rows:
            shadows = scene_shadows(row, probe, primitive)
            if row.unit is None:
                assert shadows is None
                continue
            assert shadows
            own, target = shadows
            aside = subtract(own.ends[0], target.ends[0])
            assert dot(aside, aside) > dot(aside, row.unit) ** 2 + 1e-3
            for shadow, (low, high), shape in zip(
                shadows, (row.probe_shadow, row.primitive_shadow), (probe, primitive), strict=True
            ):
                assert [dot(row.unit, point) for point in shadow.ends] == pytest.approx([low, high], abs=1e-12)
                for end, by in zip(shadow.ends, shadow.cast_by, strict=True):
                    assert dot(subtract(end, by), row.unit) == pytest.approx(0, abs=1e-12)
                    assert fractions(by) in [fractions(map(float, corner)) for corner in corners(shape)]


def test_the_ends_of_a_segment_have_their_exact_sides_and_distances():
    normal, offset = (1.0, 2.0, 2.0), 3.0
    probe = Segment((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    _, found = chart(probe, Plane(normal, offset))
    assert [(end.name, end.side, end.distance) for end in found.ends] == [
        ("start", "back", -1.0),
        ("end", "front", pytest.approx(2 / 3, rel=1e-16)),
    ]
    assert found.crossing.t == Fraction(3, 5)
    assert found.crossing.point == (0.6, 0.6, 0.6)
    assert found.crossing.is_on_probe
    assert found.crossing.is_inside is None


def test_a_side_is_exact_where_rounding_says_on():
    plane = Plane((1.0, 1.0, 0.0), 0.3)
    start = (0.1, 0.2, 0.0)
    height = Fraction(0.1) + Fraction(0.2) - Fraction(0.3)
    _, found = chart(Segment(start, (1.0, 1.0, 0.0)), plane)
    assert height > 0
    assert found.ends[0].side == "front"
    assert found.ends[0].distance == pytest.approx(float(height) / math.sqrt(2), rel=1e-15)
    assert not found.crossing.is_on_probe


@pytest.mark.parametrize(
    ("probe", "names", "sides"),
    [
        (Ray((0.0, -1.0, 0.0), Y), ["origin", "t = inf"], ["back", "front"]),
        (Line((0.0, -1.0, 0.0), Y), ["t = -inf", "origin", "t = inf"], ["back", "back", "front"]),
        (Ray((0.0, -1.0, 0.0), X), ["origin", "t = inf"], ["back", "back"]),
    ],
)
def test_an_end_at_infinity_has_a_side(probe, names, sides):
    _, found = chart(probe, Plane((0.0, 1.0, 0.0), 0.0))
    assert [end.name for end in found.ends] == names
    assert [end.side for end in found.ends] == sides
    assert (found.crossing is None) == (probe.direction == X)


def test_the_vertices_of_a_triangle_have_their_distances_from_a_plane():
    _, found = chart(BESIDE, Plane((0.0, 2.0, 0.0), 1.0))
    assert [(end.name, end.distance, end.side) for end in found.ends] == [
        ("vertex 0", -0.5, "back"),
        ("vertex 1", 1.0, "front"),
        ("vertex 2", 2.5, "front"),
    ]
    assert found.crossing is None


@pytest.mark.parametrize("seed", range(20))
def test_the_shadows_of_spheres_reach_as_far_as_their_radius(seed):
    random = Random(seed)
    ball = random_shape("sphere", random)
    other = random_shape(random.choice(("sphere", "aabb", "obb", "triangle", "polyhedron")), random)
    for probe, primitive in ((ball, ball), (ball, other), (UNIT, ball), (BESIDE, ball)):
        _, found = chart(probe, primitive)
        size = max(abs(number) for shape in (probe, primitive) for number in numbers_of(shape))
        for row in found.rows:
            if row.unit is None:
                continue
            square = dot(row.vector, row.vector)
            for shadow, shape in ((row.probe_shadow, probe), (row.primitive_shadow, primitive)):
                if isinstance(shape, Sphere):
                    middle = dot(row.vector, fractions(shape.center))
                    for end, radius in zip(shadow, (-shape.radius, shape.radius), strict=True):
                        wanted = float(middle) / math.sqrt(square) + radius
                        assert end == pytest.approx(wanted, rel=1e-12, abs=1e-12 * size)
            shadows = scene_shadows(row, probe, primitive)
            lengths = [math.dist(*shadow.ends) for shadow in shadows]
            ends = row.probe_shadow, row.primitive_shadow
            assert lengths == pytest.approx([high - low for low, high in ends], rel=1e-12, abs=1e-12 * size)


def quadratic(probe, sphere):
    """Return a, b and c of a*t^2 + 2*b*t + c in fractions, negative inside a sphere."""
    origin, direction = (
        (probe.start, subtract(fractions(probe.end), fractions(probe.start)))
        if isinstance(probe, Segment)
        else (probe.origin, fractions(probe.direction))
    )
    away = subtract(fractions(origin), fractions(sphere.center))
    return dot(direction, direction), dot(away, direction), dot(away, away) - Fraction(sphere.radius) ** 2


@pytest.mark.parametrize("kind", ["segment", "ray", "line"])
def test_roots_are_where_the_line_is_at_the_radius_from_the_center(kind):
    random, seen = Random(kind), set()
    for _ in range(300):
        probe, sphere = random_shape(kind, random), random_shape("sphere", random)
        name = random.choice(("exact", "quadratic", "haines", "closest_point"))
        explanation, found = chart(probe, sphere, name)
        a, b, c = quadratic(probe, sphere)
        if not a:
            assert found is None
            continue
        assert isinstance(found, RootChart)
        exactly = b * b - a * c
        scale = float(b * b + a * (c + 2 * Fraction(sphere.radius) ** 2)) or 1.0
        assert found.nearest == pytest.approx(float(-b / a), rel=1e-15)
        assert (found.lowest < 0) == (exactly > 0) == (found.gap < 0)
        if exactly > 1e-9 * scale:
            # The curve is 0 where the quadratic is.
            half = math.sqrt(exactly / a**2)
            for t, sign in zip(found.roots, (-1, 1), strict=True):
                assert t == pytest.approx(float(-b / a) + sign * half, rel=1e-6, abs=1e-6 * half)
            reached = found.lowest + (half / found.width) ** 2
            assert reached == pytest.approx(0, abs=1e-12)
        elif exactly < -1e-9 * scale:
            assert found.roots is None
        assert found.hit == explanation.hit
        assert (found.exact_enter is not None) == exact.meet(probe, sphere)
        seen.add((found.hit, found.roots is None))
    beyond = set() if kind == "line" else {(False, False)}
    assert seen >= {(True, False), (False, True)} | beyond


def test_a_wrong_hit_by_float32_is_beside_the_gap_that_there_is():
    ray, sphere = Ray((-4000.0, 1.05, 0.0), X), Sphere((0.0, 0.0, 0.0), 1.0)
    for name, reading in (("quadratic", "interpreted"), ("haines", "float32"), ("exact", "interpreted")):
        assert chart(ray, sphere, name, reading)[1].roots is None
    explanation, found = chart(ray, sphere, "quadratic", "float32")
    assert explanation.is_wrong and found.hit and found.roots == (4000.0, 4000.0)
    assert found.exact_enter is None and found.gap == float(Fraction(float(np.float32(1.05))) - 1)


def test_a_sphere_has_the_distances_of_its_lowest_and_highest_point_from_a_plane():
    plane = Plane((1.0, 2.0, 2.0), 3.0)
    _, found = chart(Sphere((0.0, 0.0, 3.0), 1.0), plane)
    assert [(end.name, end.distance, end.side) for end in found.ends] == [
        ("lowest", 0.0, "on"),
        ("center", 1.0, "front"),
        ("highest", 2.0, "front"),
    ]
    # The normal has no length in float64: the sides are those of fractions.
    third = Plane((1.0, 1.0, 1.0), 0.0)
    for up in (False, True):
        radius = math.nextafter(math.sqrt(3.0), math.inf if up else 0.0)
        _, found = chart(Sphere((1.0, 1.0, 1.0), radius), third)
        assert found.ends[0].side == ("back" if Fraction(radius) ** 2 > 3 else "front")
        assert found.hit == (found.ends[0].side == "back")


TRIANGLE = Triangle((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 4.0, 1.0))


@pytest.mark.parametrize(
    ("x", "y", "total"),
    [(1.0, 1.0, 360), (2.0, 0.0, 360), (5.0, 5.0, None), (-1.0, 0.5, None), (6.0, 0.0, None)],
)
def test_the_angles_make_360_degrees_exactly_where_the_crossing_is_inside(x, y, total):
    _, found = chart(Segment((x, y, -9.0), (x, y, 9.0)), TRIANGLE)
    assert isinstance(found, FlatChart)
    crossing = found.crossing
    assert crossing.is_inside == (total == 360) == found.hit
    assert math.fsum(corner.weight for corner in crossing.corners) == pytest.approx(1)
    weights = [Fraction(corner.weight) for corner in crossing.corners]
    for axis in range(3):
        there = sum(w * Fraction(v[axis]) for w, v in zip(weights, TRIANGLE, strict=True))
        assert float(there) == pytest.approx(crossing.point[axis], abs=1e-14)
    if total is None:
        assert crossing.angle_sum < 359
    else:
        assert crossing.angle_sum == pytest.approx(total, abs=1e-12)
    drawn = [
        (p.drawn, q.drawn)
        for p, q in zip(crossing.corners, crossing.corners[1:] + crossing.corners[:1], strict=True)
    ]
    for (p, q), (a, b) in zip(drawn, zip(TRIANGLE, TRIANGLE[1:] + TRIANGLE[:1], strict=True), strict=True):
        assert math.dist(p, q) == pytest.approx(math.dist(a, b))


def test_the_angles_at_a_vertex_are_nan_as_those_of_the_method_are():
    _, found = chart(Segment((4.0, 0.0, -1.0), (4.0, 0.0, 1.0)), TRIANGLE, "angle_sum")
    angles = [corner.angle for corner in found.crossing.corners]
    assert list(map(math.isnan, angles)) == [True, True, False]
    assert math.isnan(found.crossing.angle_sum)
    assert found.crossing.is_inside


def test_a_triangle_without_area_has_no_plane_to_show():
    assert chart(SLANTED, Triangle((0.0, 0.0, 0.0), X, (2.0, 0.0, 0.0)))[1] is None


@pytest.mark.parametrize("pair", PAIRS)
def test_every_chart_is_json_and_needs_no_special_shapes(pair):
    random = Random(pair)
    probe_word, primitive_word = pair.split("_")
    for _ in range(6):
        probe, primitive = random_shape(probe_word, random), random_shape(primitive_word, random)
        _, found = chart(probe, primitive)
        assert (found is None) or json.loads(json.dumps(as_data(found), allow_nan=False))["chart"]
    if isinstance(probe, Point) and primitive_word != "plane":
        assert found is None

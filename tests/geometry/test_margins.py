"""How far pairs are from the other answer: against distances in fractions, and by what a translation does."""

from fractions import Fraction
from functools import cache
from itertools import product
from math import cos, inf, pi, sin, sqrt
from random import Random

import numpy as np
import pytest

from hitscope.geometry import exact
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.exact.margins import depths, distances, margins, surely
from hitscope.geometry.exact.pair_kernels import MISS, STRICT
from hitscope.geometry.exact.separation import way_out
from hitscope.geometry.shapes import (
    Aabb,
    Cast,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Rounded,
    Segment,
    Triangle,
    rational,
)
from hitscope.judge.drawing import GENERATORS
from tests.geometry import cases, wrapped_pairs
from tests.judge.seeded_cases import generate

IN_ARRAYS = [pair for pair in cases.PAIRS if "polyhedron" not in pair]
CORNERED = "triangle", "aabb", "obb", "parallelepiped"
MOVING = [f"cast_{probe}_{primitive}" for probe, primitive in product(CORNERED, (*CORNERED, "plane"))]
ON_A_LINE = "segment_sphere", "ray_sphere", "line_sphere"
ROUND = [
    *(f"cast_{probe}_{primitive}" for probe, primitive in product(CORNERED[:3], ("sphere", "capsule"))),
    *(f"cast_{probe}_rounded_{primitive}" for probe, primitive in product(("sphere", "capsule"), CORNERED[:3])),
    *("rounded_triangle_obb", "rounded_aabb_rounded_obb", "cast_rounded_obb_capsule", "ray_rounded_aabb"),
    *("cast_rounded_triangle_rounded_triangle", "rounded_obb_plane", "cast_rounded_aabb_triangle"),
]
EVERY = *GENERATORS, "cases"


@cache
def judged(pair, generator, seed):
    """Return a pair, and whether it meets."""
    shapes = wrapped_pairs.any_pair(pair, seed) if generator == "cases" else generate(generator, pair, seed)
    return shapes, exact.meet(*shapes)


def drawn(pair, count, generators=EVERY):
    """Return pairs, those apart and those that meet."""
    found = [judged(pair, generator, seed) for generator in generators for seed in range(count)]
    return [[shapes for shapes, hit in found if hit == wanted] for wanted in (False, True)]


def columns(shapes) -> tuple[Shapes, Shapes]:
    probes, primitives = zip(*shapes, strict=True)
    return Shapes.of(probes), Shapes.of(primitives)


@pytest.mark.parametrize("pair", IN_ARRAYS)
def test_the_distance_of_pairs_that_are_apart_is_that_of_fractions(pair):
    apart, _ = drawn(pair, 6)
    found = distances(*columns(apart))
    for (probe, primitive), length in zip(apart, found.tolist(), strict=True):
        expected = abs(exact.distance(probe, primitive))
        # Where it is not within 1e-9, it is so small that the error is below 1e-11 of the pair's size.
        assert length == pytest.approx(expected, rel=1e-5, abs=0), (probe, primitive)
        assert length == pytest.approx(expected, rel=1e-9, abs=1e-11 * _size(probe, primitive)), (probe, primitive)


def _size(*shapes):
    found = [shape.rows for shape in columns([shapes])]
    return max(float(np.abs(rows).max()) for rows in found)


@pytest.mark.parametrize("pair", IN_ARRAYS)
def test_the_depth_of_pairs_that_meet_is_that_of_fractions(pair):
    _, meeting = drawn(pair, 6)
    for shapes, depth in zip(meeting, depths(*columns(meeting)).tolist(), strict=True):
        assert depth == pytest.approx(way_out(*shapes)[0], rel=1e-5, abs=0), shapes


@pytest.mark.parametrize("pair", cases.PAIRS)
def test_a_little_more_than_the_way_out_separates_and_half_of_it_does_not(pair):
    generators = "uniform", "integer_grid", "narrow_gap", "degenerate", "cases"
    _, meeting = drawn(pair, 6, generators)
    ways = [way_out(*shapes) for shapes in meeting]
    if pair in IN_ARRAYS:
        lengths = depths(*columns(meeting)).tolist()
        ways += [(length, way) for length, (_, way) in zip(lengths, ways, strict=True)]
    tried = _directions(6)
    for k, shapes in enumerate(meeting):
        of_pair = ways[k :: len(meeting)]
        probe, primitive = map(rational, shapes)
        longest = max(length for length, _ in of_pair)
        if longest == inf:
            assert all(length == inf for length, _ in of_pair)
            assert all(_meets_moved(probe, primitive, direction, 1e6) for direction in tried)
            continue
        for length, way in of_pair:
            unit = exact.unit([Fraction(number) for number in way])
            if unit is not None:
                assert not _meets_moved(probe, primitive, unit, length * 1.0001 or 1e-30), shapes
        if longest:
            assert all(_meets_moved(probe, primitive, d, longest / 2) for d in tried), shapes


def test_a_box_that_is_a_point_slips_off_a_parallelepiped_that_is_a_line():
    point = Aabb((-3.0, 1.0, -3.0), (-3.0, 1.0, -3.0))
    line = Parallelepiped((-2.0, 2.0, -2.0), ((-2.0, -2.0, -2.0), (-4.0, -4.0, -4.0), (0.0, 0.0, 0.0)))
    assert exact.meet(point, line) and not exact.meet(moved(point, (1e-9, 0.0, 0.0)), line)
    assert way_out(point, line) == (0.0, (0, 0, 0))


POINTS = {"position", "start", "end", "origin", "a", "b", "c", "lo", "hi", "center"}
"""The fields of probes that a translation moves."""


def moved(probe, by):
    """Return a probe moved by a vector."""
    points = {name: getattr(probe, name) for name in POINTS.intersection(probe._fields)}
    return probe._replace(**{name: tuple(map(sum, zip(at, by, strict=True))) for name, at in points.items()})


def _meets_moved(probe, primitive, direction, length):
    """Whether a pair in fractions meets when the probe is moved so far."""
    away = tuple(Fraction(number) * Fraction(length) for number in direction)
    return exact.meet(moved(probe, away), primitive)


def _directions(count):
    """Return unit vectors all around: the axes, and a spiral."""
    heights = [1 - (2 * i + 1) / count for i in range(count)]
    angles = [pi * (1 + sqrt(5)) * i for i in range(count)]
    around = [
        (cos(a) * sqrt(1 - z * z), sin(a) * sqrt(1 - z * z), z) for a, z in zip(angles, heights, strict=True)
    ]
    return [*around, *(tuple(s * float(i == k) for k in range(3)) for i in range(3) for s in (1, -1))]


def depth(probe, primitive):
    """Return the depth of a pair, the same in float64 and in fractions."""
    (found,) = depths(*columns([(probe, primitive)]))
    assert found == pytest.approx(way_out(probe, primitive)[0], rel=1e-9)
    return found


CUBE = Aabb((-1, -1, -1), (1, 1, 1))


def test_the_depth_of_probes_without_an_end_is_across_them():
    assert depth(Line((0, 0, 0.75), (1, 0, 0)), CUBE) == pytest.approx(0.25)
    assert depth(Line((0, 0, 0), (1, 1, 0)), CUBE) == pytest.approx(1.0)
    # A ray that starts inside leaves the way it goes; one that comes from outside does not.
    assert depth(Ray((0.75, 0, 0), (1, 0, 0)), CUBE) == pytest.approx(0.25)
    assert depth(Ray((-9, 0, 0), (1, 0, 0)), CUBE) == pytest.approx(1.0)
    assert depth(Ray((0.25, 0.25, 0.25), (1, 1, 1)), CUBE) == pytest.approx(0.75)
    assert depth(Line((0, 0, 0), (1, 1e-20, 0)), Obb((0, 0, 0), (1, 1, 1), cases.FRAMES[3])) > 1


def test_no_translation_takes_a_line_off_a_plane_that_it_crosses():
    assert depth(Line((0, 0, 5), (1, 0, 1)), Plane((0, 0, 1), 0)) == inf
    assert depth(Line((0, 0, 5), (1, 0, 1e-200)), Plane((0, 0, 1), 0)) == inf
    assert depth(Line((0, 0, 5), (1e300, 0, 5e-324)), Plane((0, 0, 1), 0)) == inf
    assert depth(Line((0, 0, 5), (1, 0, 1e-200)), Plane((1e-200, 1, 0), 0)) == inf
    assert depth(Ray((0, 0, -5), (1, 0, 1)), Plane((0, 0, 2), 0)) == pytest.approx(5)
    assert depth(Ray((0, 0, -5), (1, 0, 1e-200)), Plane((0, 0, 2), 0)) == pytest.approx(5)
    assert depth(Segment((0, 0, -5), (1, 0, 3)), Plane((0, 0, 2), 0)) == pytest.approx(3)
    half_space = Polyhedron(planes=(Plane((0, 0, 1), 0),))
    found = margins(
        [Line((0, 0, 5), (1, 0, 1)), Line((0, 0, -5), (1, 0, 0))], [half_space] * 2, np.array([True, True])
    )
    assert found.tolist() == [inf, 5]


def test_pairs_that_only_touch_and_flat_pairs_have_no_depth():
    flat = Triangle((0, 0, 0), (4, 0, 0), (0, 4, 0))
    for probe, primitive in (
        (Point((1, 1, 0)), flat),
        (Point((0, 1, 1)), CUBE),
        (flat, flat),
        (Segment((1, 1, 0), (9, 1, 0)), flat),
        (Segment((1, 1, 0), (1, 1, 2)), flat),
        (Line((0, 1, 0), (0, 1, 0)), flat),
        (Line((0, 0, 0), (1, 0, 0)), Plane((0, 0, 1), 0)),
        (Aabb((1, 0, 0), (2, 0.5, 0.5)), CUBE),
        (Segment((0, 0, 0), (3, 0, 0)), Triangle((1, 0, 0), (2, 0, 0), (3, 0, 0))),
        (Point((1, 1, 1)), Triangle((1, 1, 1), (1, 1, 1), (1, 1, 1))),
    ):
        assert depth(probe, primitive) == 0


def test_margins_take_each_pair_by_its_verdict():
    shapes = [generate("uniform", "triangle_aabb", seed) for seed in range(100)]
    hit = np.array([exact.meet(*pair) for pair in shapes])
    assert 0 < hit.sum() < 100
    found = margins(*columns(shapes), hit)
    for i, pair in enumerate(shapes):
        assert found[i] == pytest.approx(way_out(*pair)[0] if hit[i] else exact.distance(*pair), rel=1e-9)


def test_a_margin_of_numbers_of_float32_is_not_that_of_their_digits():
    random = Random(3)
    shapes = []
    for _ in range(200):
        probe, primitive = generate("far_from_origin", "segment_triangle", random.randrange(10**6))
        shapes.append((probe, primitive))
    probes, primitives = (
        Shapes(each.kind, each.rows.astype(np.float32).astype(np.float64)) for each in columns(shapes)
    )
    hit = np.array([exact.meet(*pair) for pair in zip(probes, primitives, strict=True)])
    found_margins = margins(probes, primitives, hit).tolist()
    for pair, meets, found in zip(zip(probes, primitives, strict=True), hit, found_margins, strict=True):
        expected = way_out(*pair)[0] if meets else exact.distance(*pair)
        assert found == pytest.approx(expected, rel=1e-5, abs=0)


def test_many_pairs_in_general_position_need_no_fractions(monkeypatch):
    def refused(*_):
        raise AssertionError("a pair in general position was left to fractions")

    apart, meeting = drawn("segment_triangle", 400, ("uniform",))
    monkeypatch.setattr("hitscope.geometry.exact.margins.way_out", refused)
    assert len(depths(*columns(meeting))) == len(meeting)
    left = []
    monkeypatch.setattr("hitscope.geometry.exact.margins.distance", lambda *pair: left.append(pair) or 1.0)
    distances(*columns(apart))
    assert len(left) * 50 < len(apart)


@pytest.mark.parametrize("pair", [*IN_ARRAYS, *MOVING, *ROUND])
def test_what_separating_axes_are_sure_of_in_floats_is_right(pair):
    apart, meeting = drawn(pair, 12)
    of_misses, of_hits = surely(*columns(apart)), surely(*columns(meeting))
    assert not np.any(of_misses == STRICT) and not np.any(of_hits == MISS)
    states = {exact.relation(*meeting[k]).state for k in np.flatnonzero(of_hits == STRICT).tolist()}
    assert not states & {"touching", "coplanar"}
    known = np.count_nonzero(of_misses == MISS) + np.count_nonzero(of_hits == STRICT)
    # A sphere's core is a point, which has no axes for what is on a line, and points touch in most cases.
    assert known > (len(apart) + len(meeting)) / 3 or pair.startswith("point_") or pair in ON_A_LINE


@pytest.mark.parametrize("seed", range(40))
def test_separating_axes_in_floats_leave_narrow_and_scaled_pairs_unsure_or_right(seed):
    """Boxes with edges all but parallel, a hair apart or overlapping, far, tiny by huge, flat, moving, round."""
    draw = Random(seed)
    angle, size, far = 10.0 ** draw.uniform(-18, 0), 10.0 ** draw.uniform(-150, 150), 10.0 ** draw.uniform(-300, 4)
    found = []
    for _ in range(30):
        gap = draw.choice((-1, 1)) * 10.0 ** draw.uniform(-17, -1)
        half = [size * draw.choice((1.0, draw.random(), 10.0 ** draw.uniform(-18, 0), 0.0)) for _ in range(3)]
        turn = (cos(angle), sin(angle), 0.0), (-sin(angle), cos(angle), 0.0), (0.0, 0.0, 1.0)
        k = draw.randrange(3)
        center = [size * draw.uniform(-1, 1) * draw.choice((0, 1, far)) for _ in range(3)]
        other = list(center)
        other[k] += (size + half[k]) * (1 + gap)
        found.append(
            (
                Obb(tuple(other), tuple(half), turn),
                Obb(tuple(center), (size,) * 3, ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))),
            )
        )
    moving = []
    for box, target in found:
        sizes = [size * draw.choice((0.0, 1.0, 10.0 ** draw.uniform(-18, 4))) for _ in range(3)]
        motion = tuple(draw.uniform(-1, 1) * most for most in sizes)
        start = tuple(end - way for end, way in zip(box.center, motion, strict=True))
        moving.append((Cast(box._replace(center=start), motion), target))
    round_ones = []
    for body, target in (*found, *moving):
        radius = abs(exact.distance(body, target)) * (1 + draw.choice((-1, 1)) * 10.0 ** draw.uniform(-17, -1))
        core, motion = (body.inner, body.motion) if isinstance(body, Cast) else (body, (0.0, 0.0, 0.0))
        round_ones.append((Cast(Rounded(core, radius), motion), target))
    for shapes in (found, moving, round_ones):
        hits = np.array([exact.meet(*pair) for pair in shapes])
        codes = surely(*columns(shapes))
        assert not np.any(codes[hits] == MISS) and not np.any(codes[~hits] == STRICT)

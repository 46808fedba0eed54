"""The exact t of many pairs at once: within an ulp of the t of fractions, pair by pair."""

from fractions import Fraction
from math import inf, isinf, nan, ulp

import numpy as np
import pytest

from hitscope.geometry import exact
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.exact import pairwise
from hitscope.geometry.exact.pairwise import ENTERED_AT_ONCE, entries, t_enter
from hitscope.geometry.shapes import T_RANGES, Aabb, Line, Obb, Plane, Point, Ray, Segment, Triangle
from hitscope.judge.drawing import GENERATORS
from tests.geometry import cases
from tests.judge.seeded_cases import generate

pytestmark = pytest.mark.xdist_group("exact filters")  # so that no two workers compile the same at a time

PRIMITIVES = ("aabb", "obb", "parallelepiped", "plane", "triangle")
PAIRS = [f"{probe}_{primitive}" for probe in ("segment", "ray", "line") for primitive in PRIMITIVES]
AXES = cases.FRAMES[0]


def t_enters(probes, primitives, hit, compiled=True):
    """Return the t of the pairs that hit: compiled ones that are right within an ulp, else the exact ones."""
    ts, errors = entries(probes, primitives, compiled)
    ts[~hit] = np.nan
    for i in np.flatnonzero(hit & (errors > 0)).tolist():
        ts[i] = t_enter(probes[i], primitives[i]) if type(probes[i]) in T_RANGES else np.nan
    return ts


def found(shapes, compiled=True):
    """Return the t of pairs, of which there are as often as needed for compiled code."""
    n = len(shapes)
    shapes = shapes * (-(-ENTERED_AT_ONCE // n))
    probes, primitives = (Shapes.of(column) for column in zip(*shapes, strict=True))
    hit = np.array([exact.meet(*pair) for pair in shapes])
    return t_enters(probes, primitives, hit, compiled)[:n].tolist()


def assert_as_fractions(shapes, ts):
    for (probe, primitive), t in zip(shapes, ts, strict=True):
        expected = exact.relation(probe, primitive).t_enter
        if expected is None:
            assert np.isnan(t), (probe, primitive, t)
        elif isinf(t):
            assert t == expected, (probe, primitive, expected)
        else:
            assert abs(Fraction(t) - Fraction(expected)) <= ulp(t), (probe, primitive, t, float(expected))
            assert expected != 0 or t == 0, (probe, primitive, t)


@pytest.mark.parametrize("pair", PAIRS)
def test_t_is_that_of_fractions_within_an_ulp(pair):
    shapes = [generate(generator, pair, seed) for generator in GENERATORS for seed in range(24)]
    shapes += [cases.pair(pair, seed) for seed in range(120)]
    assert_as_fractions(shapes, found(shapes))


@pytest.mark.parametrize("pair", ["ray_triangle", "segment_obb", "line_aabb", "line_plane"])
def test_t_of_float32_numbers_is_that_of_fractions_within_an_ulp(pair):
    rounded = [
        generate(generator, pair, seed) for generator in ("uniform", "far_from_origin") for seed in range(64)
    ]
    columns = [Shapes.of(column) for column in zip(*rounded, strict=True)]
    with np.errstate(over="ignore"):
        columns = [Shapes(each.kind, each.rows.astype(np.float32).astype(np.float64)) for each in columns]
    shapes = list(zip(*columns, strict=True))
    assert_as_fractions(shapes, found(shapes))


@pytest.mark.parametrize("primitive", PRIMITIVES)
def test_pairs_in_general_position_or_on_a_grid_need_no_fractions(primitive, monkeypatch):
    left = []
    clip = pairwise.clip_linear
    monkeypatch.setattr(pairwise, "clip_linear", lambda *given: left.append(given) or clip(*given))
    shapes = [generate("uniform", f"ray_{primitive}", seed) for seed in range(400)]
    found(shapes)
    assert not left
    if primitive != "parallelepiped":  # A flat one is left to fractions.
        found([pair for pair in _grid(f"ray_{primitive}") if exact.relation(*pair).state != "coplanar"])
        assert not left


def _grid(pair):
    shapes = [generate("integer_grid", pair, seed) for seed in range(300)]
    # A collinear triangle has no plane to enter through.
    return [each for each in shapes if not isinstance(each[1], Triangle) or exact.dimension(each[1]) == 2]


def test_t_is_right_within_an_ulp_where_the_probe_nearly_lies_in_the_plane():
    shapes = [cases.nearly_in_the_plane(seed) for seed in range(600)]
    assert_as_fractions(shapes, found(shapes))


def test_a_probe_parallel_to_a_turned_slab_enters_through_the_others():
    box = Obb((0, 0, 0), (1, 2, 3), cases.FRAMES[3])
    along = [tuple(s * x for x in cases.FRAMES[3][i]) for i in range(3) for s in (1.0, -3.0)]
    shapes = [(Line((0.125, 0.25, 0.0625), d), box) for d in along]
    shapes += [(Line((0.125 - 4 * d[0], 0.25 - 4 * d[1], 0.0625 - 4 * d[2]), d), box) for d in along]
    assert_as_fractions(shapes, found(shapes))


@pytest.mark.parametrize("compiled", [False, True])
def test_a_probe_that_starts_inside_enters_at_its_start(compiled):
    box, plane = Aabb((-1, -1, -1), (1, 1, 1)), Plane((0, 0, 1), 0)
    assert found([(Ray((0, 0, 0), (1, 2, 3)), box)], compiled) == [0.0]
    assert found([(Segment((0, 0, 0), (9, 9, 9)), box)], compiled) == [0.0]
    assert found([(Line((0, 0, 0), (1, 0, 0)), box)], compiled) == [-1.0]
    assert found([(Line((0, 0, 0), (0, 0, 0)), box)], compiled) == [-inf]
    assert found([(Line((0, 0, 0), (1, 0, 0)), plane)], compiled) == [-inf]


def test_pairs_that_do_not_hit_and_bodies_have_no_t():
    box = Aabb((0, 0, 0), (1, 1, 1))
    np.testing.assert_equal(found([(Ray((2, 2, 2), (1, 0, 0)), box)]), [nan])
    np.testing.assert_equal(found([(Point((0, 0, 0)), box)]), [nan])
    mixed = t_enters([Point((0, 0, 0)), Ray((-1, 0, 0), (2, 0, 0))], [box, box], np.array([True, True]))
    np.testing.assert_equal(mixed, [nan, 0.5])

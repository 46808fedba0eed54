"""`exact` of n pairs, compiled and in NumPy: the same verdicts as fractions give, decided without them."""

from collections import Counter
from fractions import Fraction

import cases
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitscope.geometry import exact
from hitscope.geometry.arrays import Shapes, width
from hitscope.geometry.exact import pairwise
from hitscope.geometry.exact.batch import FILTERS
from hitscope.geometry.exact.pair_loops import EXACT_SIGNS
from hitscope.geometry.shapes import Aabb, Line, Obb, Point, Ray, Segment, Triangle
from hitscope.judge.drawing import GENERATORS, generate

pytestmark = pytest.mark.xdist_group("exact filters")  # so that no two workers compile the same at a time

KINDS = {f"{probe.__name__}_{primitive.__name__}".lower(): (probe, primitive) for probe, primitive in FILTERS}
PAIRS = [*KINDS]
STAGES = {"segment_aabb": 3, "ray_triangle": 2, "triangle_aabb": 1, "segment_obb": 1}
"""The pairs that are compiled here, and how many of their stages: each function of signs, and each kind of number.

The others, which take minutes to compile, are tried by `make fuzz`.
"""
every_pair = pytest.mark.parametrize("pair", PAIRS)
compiled_pairs = pytest.mark.parametrize("pair", STAGES)


@pytest.fixture(autouse=True)
def few_stages(monkeypatch):
    for pair, count in STAGES.items():
        signs = EXACT_SIGNS[KINDS[pair]]
        monkeypatch.setitem(EXACT_SIGNS, KINDS[pair], signs._replace(stages=signs.stages[:count]))


@pytest.fixture(autouse=True)
def nothing_left_before(monkeypatch):
    """Count the pairs that are left to a stage from none, whatever else this process has decided."""
    monkeypatch.setattr(pairwise, "_left", Counter())


@pytest.fixture
def fractions(monkeypatch):
    """The pairs that fractions decided."""
    decided = []

    def meet(probe, primitive):
        decided.append((probe, primitive))
        return exact.meet(probe, primitive)

    monkeypatch.setattr(pairwise, "meet", meet)
    return decided


def arrays(pairs):
    return [Shapes.of(part) for part in zip(*pairs, strict=True)]


def in_single(shapes):
    """Return the shapes with their numbers rounded to float32."""
    with np.errstate(over="ignore"):
        rows = shapes.rows.astype(np.float32).astype(np.float64)
    return Shapes(shapes.kind, rows)


def decide(probes, primitives, compiled=True):
    """Decide pairs, and compile a stage for any that is left to it."""
    return pairwise.decide(probes, primitives, compiled, compiled_from=1)


def assert_right(probes, primitives, compiled=True):
    found = decide(probes, primitives, compiled)
    expected = [exact.meet(*pair) for pair in zip(probes, primitives, strict=True)]
    assert found.hits.tolist() == expected
    for n in np.flatnonzero(found.strict):
        assert exact.relation(probes[n], primitives[n]).state in ("crossing", "inside")


@pytest.mark.parametrize(
    ("pair", "compiled"), [*((pair, False) for pair in PAIRS), *((pair, True) for pair in STAGES)]
)
def test_hard_cases(pair, compiled):
    assert_right(*arrays([cases.pair(pair, seed) for seed in range(400)]), compiled)


@every_pair
@pytest.mark.parametrize("generator", GENERATORS)
def test_judged_cases_in_both_precisions(pair, generator):
    probes, primitives = arrays([generate(generator, pair, seed) for seed in range(60)])
    assert_right(probes, primitives, pair in STAGES)
    probes, primitives = in_single(probes), in_single(primitives)
    finite = np.isfinite(probes.rows).all(0) & np.isfinite(primitives.rows).all(0)
    kept = [np.ascontiguousarray(part.rows[:, finite]) for part in (probes, primitives)]
    if kept[0].size:
        assert_right(Shapes(probes.kind, kept[0]), Shapes(primitives.kind, kept[1]), pair in STAGES)


@compiled_pairs
@pytest.mark.parametrize("scale", [1.0, 2.0**900, 2.0**-1000])
def test_small_integers_of_any_unit_need_no_fractions(pair, scale, fractions):
    shapes = [generate("integer_grid", pair, seed) for seed in range(300)]
    probes, primitives = arrays(shapes)
    if primitives.kind is not Obb:
        probes, primitives = (Shapes(part.kind, part.rows * scale) for part in (probes, primitives))
    found = decide(probes, primitives)
    assert fractions == []
    assert found.hits.tolist() == [exact.meet(*pair) for pair in shapes]


@every_pair
def test_random_numbers_need_neither_fractions_nor_another_stage(pair, fractions, monkeypatch):
    monkeypatch.setattr(pairwise, "exact_loop", None)
    decide(*arrays([generate("uniform", pair, seed) for seed in range(300)]), pair in STAGES)
    assert fractions == []


@compiled_pairs
def test_a_verdict_does_not_depend_on_the_stage_that_finds_it(pair):
    probe, primitive = KINDS[pair]
    shapes = [cases.pair(pair, seed) for seed in range(400)]
    probes, primitives = arrays(shapes)
    expected = np.array([exact.meet(*pair) for pair in shapes])
    decided = 0
    for stage in EXACT_SIGNS[probe, primitive].stages:
        codes = np.full(len(shapes), pairwise.UNSURE, np.uint8)
        pairwise.exact_loop(probe, primitive, stage)(probes.rows, primitives.rows, np.arange(len(shapes)), codes)
        sure = codes != pairwise.UNSURE
        # A stage of two float64 relies on the filter for what the bounds alone keep apart.
        assert ((codes != pairwise.MISS) == expected)[sure].all()
        decided += int(sure.sum())
    assert decided > 0


@pytest.mark.parametrize(
    ("probe", "primitive", "hit", "strict"),
    [
        (Segment((0, 0, 0), (1, 0, 0)), Aabb((1, -1, -1), (2, 1, 1)), True, False),
        (Segment((0, 0, 0), (1.5, 0, 0)), Aabb((1, -1, -1), (2, 1, 1)), True, True),
        (Segment((0, 0, 0), (0, 0, 0)), Aabb((-1, -1, -1), (1, 1, 1)), True, True),
        (Segment((0, 0, 0), (4, 4, 0)), Triangle((1, 0, 0), (3, 0, 0), (1, 2, 0)), True, False),
        (Segment((0, 3, 0), (3, 3, 0)), Triangle((1, 0, 0), (3, 0, 0), (1, 2, 0)), False, False),
        (Segment((2, 2, 0), (2, 2, 0)), Triangle((1, 0, 0), (3, 0, 0), (1, 2, 0)), False, False),
        (Segment((2, 1, 0), (2, 1, 0)), Triangle((1, 0, 0), (3, 0, 0), (1, 2, 0)), True, False),
        (Ray((2, 1, 1), (0, 0, 0)), Triangle((1, 0, 0), (3, 0, 0), (1, 2, 0)), False, False),
        (Ray((5, 0, 0), (1, 0, 0)), Triangle((1, 0, 0), (3, 0, 0), (2, 0, 0)), False, False),
        (Line((5, 0, 0), (1, 0, 0)), Triangle((1, 0, 0), (3, 0, 0), (2, 0, 0)), True, False),
        (Line((0, 1, 0), (0, 0, 1)), Triangle((0, 1, 5), (0, 1, 5), (0, 1, 5)), True, False),
        (Point((1, 1, 1)), Aabb((1, 1, 1), (1, 1, 1)), True, False),
        (Triangle((0, 0, 0), (1, 1, 0), (2, 2, 0)), Aabb((1, 0, 0), (2, 1, 1)), True, False),
    ],
)
def test_touching_and_degenerate_pairs(probe, primitive, hit, strict):
    readings = [False, True] if (type(probe), type(primitive)) in map(KINDS.get, STAGES) else [False]
    for compiled in readings:
        found = decide(*arrays([(probe, primitive)]), compiled)
        assert (found.hits.tolist(), found.strict.tolist()) == ([hit], [strict])


def test_axes_in_one_plane_are_left_to_fractions(fractions):
    flat = Obb._make(((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.0))))
    probes, boxes = arrays([(Segment((x, 0.0, 0.0), (x, 0.0, 0.0)), flat) for x in (2.0, 2.5)])
    decide(probes, boxes)
    assert len(fractions) == 2


numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-3, 3).map(float)


@pytest.mark.parametrize("kinds", [(Ray, Triangle), (Segment, Aabb), (Triangle, Aabb)])
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_any_numbers(kinds, data):
    probe, primitive = (
        Shapes(kind, np.array(data.draw(st.lists(numbers, min_size=width(kind), max_size=width(kind))))[:, None])
        for kind in kinds
    )
    if primitive.kind is Aabb:
        primitive = Shapes(Aabb, np.vstack([np.sort(primitive.rows.reshape(2, 3), axis=0).reshape(6, 1)]))
    assert_right(probe, primitive)


def test_pairs_without_a_filter_are_decided_in_fractions(fractions):
    probes, boxes = arrays([cases.pair("obb_aabb", seed) for seed in range(20)])
    assert_right(probes, boxes)
    assert len(fractions) == 20


def test_a_few_unsure_pairs_wait_for_no_compiler(monkeypatch, fractions):
    monkeypatch.setattr("hitscope.geometry.compiled.is_compiled", lambda *_: False)
    found = pairwise.decide(*arrays([(Segment((0, 1, 0), (1, 0, 0)), Aabb((-1, -1, -1), (0.5, 0.5, 1)))]))
    assert found.hits.tolist() == [True]
    assert len(fractions) == 1


def test_fractions_count_as_the_numbers_they_are():
    half = Fraction(1, 2)
    assert_right(*arrays([(Segment((half, 0, 0), (1, 0, 0)), Aabb((0, 0, 0), (half, 1, 1)))]))

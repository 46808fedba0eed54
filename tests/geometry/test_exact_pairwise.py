"""`exact` of n pairs, compiled, in NumPy and in Python's integers: the verdicts of clipping, found without it."""

from collections import Counter
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitscope.geometry import exact
from hitscope.geometry.arrays import Shapes, width
from hitscope.geometry.exact import pairwise
from hitscope.geometry.exact.filters import ByDistance
from hitscope.geometry.exact.margins import surely
from hitscope.geometry.exact.pair_kernels import FILTERS, MISS, STRICT, UNSURE
from hitscope.geometry.kinds import word_of
from hitscope.geometry.registry import pairs
from hitscope.geometry.shapes import Aabb, Line, Obb, Point, Ray, Segment, Triangle
from hitscope.judge.drawing import GENERATORS
from tests.geometry import cases, fuzz, oracle, wrapped_pairs
from tests.geometry.oracle import meets
from tests.judge.seeded_cases import generate

pytestmark = pytest.mark.xdist_group("exact filters")  # so that no two workers compile the same at a time

KINDS = {f"{word_of(probe)}_{word_of(primitive)}": (probe, primitive) for probe, primitive in FILTERS}
IN_INTEGERS = [pair for pair, kinds in KINDS.items() if FILTERS[kinds].decide_exactly]
BY_DISTANCE = [pair for pair, kinds in KINDS.items() if FILTERS[kinds].prepared is ByDistance]
EVERY_STAGE = "line_aabb", "ray_triangle", "point_obb"
"""The pairs of which every stage is compiled, of the others the first: `make fuzz` tries all."""
every_pair = pytest.mark.parametrize("pair", KINDS)
every_pair_of_integers = pytest.mark.parametrize("pair", IN_INTEGERS)
readings = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])


@pytest.fixture(autouse=True)
def few_stages(monkeypatch):
    for pair in KINDS.keys() - set(EVERY_STAGE):
        kernels = FILTERS[KINDS[pair]]
        monkeypatch.setitem(FILTERS, KINDS[pair], kernels._replace(stages=kernels.stages[:1]))


@pytest.fixture(autouse=True)
def nothing_left_before(monkeypatch):
    """Count the pairs that are left to a stage from none, whatever else this process has decided."""
    monkeypatch.setattr(pairwise, "_left", Counter())


@pytest.fixture
def clipped(monkeypatch):
    """The pairs that clipping decided."""
    decided = []

    def meet(probe, primitive):
        decided.append((probe, primitive))
        return exact.meet(probe, primitive)

    monkeypatch.setattr(pairwise, "meet", meet)
    return decided


def arrays(pairs) -> tuple[Shapes, Shapes]:
    probes, primitives = zip(*pairs, strict=True)
    return Shapes.of(probes), Shapes.of(primitives)


def in_single(shapes):
    """Return the shapes with their numbers rounded to float32."""
    with np.errstate(over="ignore"):
        rows = shapes.rows.astype(np.float32).astype(np.float64)
    return Shapes(shapes.kind, rows)


def decide(probes, primitives, compiled):
    """Decide pairs, and compile a stage for any that is left to it."""
    return pairwise.decide(probes, primitives, compiled, compiled_from=1)


def codes_in_integers(probes, primitives):
    """Return the verdict codes of pairs that Python's integers find, whatever a filter would."""
    rows = np.vstack((probes.rows, primitives.rows))
    return np.array([pairwise.exact_code(probes.kind, primitives.kind, column) for column in rows.T.tolist()])


def assert_right(probes, primitives, readings=(False, True)):
    """Check the verdicts against clipping: interpreted, compiled, and by integers without a filter."""
    expected = [exact.meet(*pair) for pair in zip(probes, primitives, strict=True)]
    codes = codes_in_integers(probes, primitives)
    assert ((codes != MISS) == expected)[codes != UNSURE].all()
    strict = codes == STRICT
    for compiled in readings:
        found = decide(probes, primitives, compiled)
        assert found.hits.tolist() == expected, f"{compiled=}"
        strict |= found.strict
    for n in np.flatnonzero(strict):
        assert exact.relation(probes[n], primitives[n]).state in ("crossing", "inside")


@every_pair
def test_hard_cases(pair):
    assert_right(*arrays([cases.pair(pair, seed) for seed in range(200)]))


@pytest.mark.parametrize("pair", BY_DISTANCE)
def test_round_shapes_that_touch_or_are_an_ulp_apart(pair):
    touching = cases.round_pair if pair in cases.PAIRS else wrapped_pairs.pair
    assert_right(*arrays([touching(pair, seed) for seed in range(100)]))


def nearly_touching(pair, seed):
    """Return a pair whose distance is that of its radii but for 2**-55 to 2**-30 of it, and whether it meets."""
    random = Random(f"{pair} {seed}")
    shapes = generate("uniform", pair, seed)
    squared = oracle.squared_distance(*map(oracle.core, shapes))
    reach = float(oracle.length(squared)) * (1 + random.choice((-1, 1)) * 2.0 ** -random.randint(30, 55))
    both = all(hasattr(shape, "radius") for shape in shapes)
    radii = (reach / 4, reach * 3 / 4) if both else (reach, reach)
    found = [wrapped_pairs.with_radius(*of_one) for of_one in zip(shapes, radii, strict=True)]
    return found, squared <= oracle.reach(*found) ** 2


@pytest.mark.parametrize("pair", BY_DISTANCE)
def test_round_shapes_on_both_sides_of_the_bound_of_the_filter(pair, clipped):
    shapes, expected = zip(*(nearly_touching(pair, seed) for seed in range(60)), strict=True)
    for compiled in (False, True):
        assert decide(*arrays(shapes), compiled).hits.tolist() == list(expected)
    assert 0 < len(clipped) < 120 or pair in IN_INTEGERS


@every_pair
def test_judged_cases_in_both_precisions(pair):
    for generator in GENERATORS:
        probes, primitives = arrays([generate(generator, pair, seed) for seed in range(30)])
        assert_right(probes, primitives)
        doubles = np.vstack((probes.rows, primitives.rows))
        probes, primitives = in_single(probes), in_single(primitives)
        rows = np.vstack((probes.rows, primitives.rows))
        other = np.flatnonzero(np.isfinite(rows).all(0) & (rows != doubles).any(0))
        if other.size:
            assert_right(probes[other], primitives[other])


@every_pair_of_integers
def test_integers_find_what_elimination_finds(pair):
    shapes = [cases.pair(pair, seed) for seed in range(80)]
    shapes += [generate(generator, pair, seed) for generator in GENERATORS for seed in range(5)]
    found = codes_in_integers(*arrays(shapes)) != MISS
    assert found.tolist() == [meets(*pair) for pair in shapes]


@every_pair_of_integers
def test_small_integers_of_any_unit_need_no_clipping(pair, clipped):
    probes, primitives = arrays([generate("integer_grid", pair, seed) for seed in range(150)])
    # Axes of an oriented box have no unit.
    for scale in (1.0,) if primitives.kind is Obb else (1.0, 2.0**1000, 2.0**-1074):
        a, b = (Shapes(part.kind, part.rows * scale) for part in (probes, primitives))
        expected = [exact.meet(*pair) for pair in zip(a, b, strict=True)]
        for compiled in (False, True):
            found = decide(a, b, compiled)
            assert clipped == []
            assert found.hits.tolist() == expected, f"{scale=}, {compiled=}"


@readings
@every_pair
def test_random_numbers_are_decided_by_the_filter_alone(pair, compiled, monkeypatch):
    monkeypatch.setattr(pairwise, "decide_in_integers", None)
    monkeypatch.setattr(pairwise, "exact_code", None)
    decide(*arrays([generate("uniform", pair, seed) for seed in range(300)]), compiled)


@every_pair_of_integers
def test_a_verdict_does_not_depend_on_the_stage_that_finds_it(pair):
    shapes = [cases.pair(pair, seed) for seed in range(400)]
    probes, primitives = arrays(shapes)
    expected = codes_in_integers(probes, primitives)
    for stage in FILTERS[KINDS[pair]].stages:
        codes = np.full(len(shapes), UNSURE, np.uint8)
        pairwise.decide_in_integers(probes, primitives, stage, np.arange(len(shapes)), codes)
        sure = codes != UNSURE
        assert (codes == expected)[sure].all()
        assert sure.sum() > 100


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
    for compiled in (False, True):
        found = decide(*arrays([(probe, primitive)]), compiled)
        assert (found.hits.tolist(), found.strict.tolist()) == ([hit], [strict])


@readings
def test_axes_in_one_plane_are_left_to_clipping(compiled, clipped):
    flat = Obb._make(((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.0))))
    probes, boxes = arrays([(Segment((x, 0.0, 0.0), (x, 0.0, 0.0)), flat) for x in (2.0, 2.5)])
    decide(probes, boxes, compiled)
    assert len(clipped) == 2


numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-3, 3).map(float)


@every_pair
@settings(max_examples=30)
@given(data=st.data())
def test_any_numbers(pair, data):
    probe, primitive = (
        np.array(data.draw(st.lists(numbers, min_size=width(kind), max_size=width(kind))))[:, None]
        for kind in KINDS[pair]
    )
    for kind, rows in zip(KINDS[pair], (probe, primitive), strict=True):
        if kind is Aabb:
            rows[:] = np.sort(rows.reshape(2, 3), axis=0).reshape(6, 1)
        elif kind is Obb:
            rows[3:6] = abs(rows[3:6])
    kinds = KINDS[pair]
    assert_right(Shapes(kinds[0], probe), Shapes(kinds[1], primitive), readings=[False])


def test_pairs_without_a_filter_are_clipped_where_separating_axes_are_not_sure(clipped):
    probes, boxes = arrays([cases.pair("obb_aabb", seed) for seed in range(20)])
    expected = [exact.meet(*pair) for pair in zip(probes, boxes, strict=True)]
    assert decide(probes, boxes, True).hits.tolist() == expected
    unsure = np.flatnonzero(surely(probes, boxes) == UNSURE)
    assert clipped == [(probes[k], boxes[k]) for k in unsure.tolist()] and 0 < len(clipped) < 10


def test_the_bounds_of_a_tiny_oriented_box_hold_all_of_it():
    """Its reach along x is 2.4 times the smallest number; each product of a half-extent was rounded down."""
    tiny = 5e-324
    probe = Obb((0.0, 0.0, 0.0), (2 * tiny, tiny, tiny), cases.FRAMES[3])
    box = Aabb((2 * tiny, -9 * tiny, -9 * tiny), (3 * tiny, 9 * tiny, 9 * tiny))
    assert decide(*arrays([(probe, box)] * pairwise.FILTERED_FROM), False).hits.all()


def test_a_few_unsure_pairs_wait_for_no_compiler(monkeypatch, clipped):
    monkeypatch.setattr("hitscope.geometry.compiled.is_compiled", lambda *_: False)
    found = pairwise.decide(*arrays([(Segment((0, 1, 0), (1, 0, 0)), Aabb((-1, -1, -1), (0.5, 0.5, 1)))]))
    assert found.hits.tolist() == [True]
    assert clipped == []


def test_fractions_count_as_the_numbers_they_are():
    half = Fraction(1, 2)
    assert_right(*arrays([(Segment((half, 0, 0), (1, 0, 0)), Aabb((0, 0, 0), (half, 1, 1)))]), readings=[True])


def test_make_fuzz_names_every_pair_with_a_filter_as_the_registry_does():
    assert set(fuzz.FILTERED) <= set(pairs()) and len(fuzz.FILTERED) == len(FILTERS)

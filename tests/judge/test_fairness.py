"""What users' own code is judged by: its own numbers, its maker's conventions, and by how much it errs."""

from pathlib import Path

import numpy as np
import pytest

from hitscope.errors import HitscopeError
from hitscope.geometry import exact
from hitscope.geometry.shapes import Aabb, Ray
from hitscope.judge.campaign import Campaign
from hitscope.judge.drawing import GENERATORS, draw
from hitscope.judge.finding_scenes import scene_of
from hitscope.judge.findings import examples
from hitscope.judge.shrinking import shrunk_all
from hitscope.targets.cases import Cases
from hitscope.targets.judging.judged import CRASH, MISSING_T, WRONG_HIT, WRONG_MISS, WRONG_NORMAL, WRONG_T, judged
from hitscope.targets.judging.rules import Rules, meeting
from hitscope.targets.judging.truth import Truth
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.options import target_specs
from hitscope.targets.process import open_target
from tests.judge.campaigns import judge

SLAB = """
#include <math.h>
int f(const HITSCOPE_REAL *p, const HITSCOPE_REAL *b, HITSCOPE_REAL *t) {
    HITSCOPE_REAL lo = 0, hi = LIMIT;
    for (int i = 0; i < 3; i++) {
        HITSCOPE_REAL d = ALONG, x = b[i] - p[i], y = b[3 + i] - p[i];
        if (d == 0) {
            if (x OUT 0 || 0 OUT y) return 0;
            continue;
        }
        HITSCOPE_REAL s = x / d, e = y / d;
        if (s > e) { HITSCOPE_REAL other = s; s = e; e = other; }
        if (s > lo) lo = s;
        if (e < hi) hi = e;
    }
    if (lo OUT hi) return 0;
    SET_T;
    return 1;
}
"""
POINT = """
int f(const HITSCOPE_REAL *p, const HITSCOPE_REAL *b, HITSCOPE_REAL *t) {
    for (int i = 0; i < 3; i++)
        if (!(b[i] - @margin <@ p[i] && p[i] <@ b[3 + i] + @margin)) return 0;
    return 1;
}
"""
SPHERES = Path(__file__).with_name("linear_sphere.c")
SEEDS = range(300)


def slab(set_t="*t = lo", out=">", pair="ray_aabb"):
    along = "p[3 + i] - p[i]" if pair.startswith("segment") else "p[3 + i]"
    limit = "1" if pair.startswith("segment") else "INFINITY"
    return SLAB.replace("ALONG", along).replace("LIMIT", limit).replace("SET_T", set_t).replace("OUT", out)


def point(op="<=", margin="0"):
    return POINT.replace("<@", op).replace("@margin", margin)


def total(rows, kind):
    return sum(row.tally.wrong[kind] for row in rows)


def wrong(rows):
    return {kind: count for kind in rows[0].tally.wrong if (count := total(rows, kind))}


@pytest.mark.parametrize("real", ["float32", "float64"])
def test_code_that_is_exact_in_its_own_precision_is_right_in_all_generators(target, real):
    rows = judge([target(point(), "point_aabb", "mine.c", real=real)], SEEDS)
    assert [row.generator for row in rows] == list(GENERATORS)
    assert wrong(rows) == {}
    assert sum(row.tally.hits for row in rows) > 100


@pytest.mark.parametrize("kind", ["ray", "segment"])
def test_a_right_test_of_spheres_is_right_in_all_generators(kind):
    rows = judge(target_specs(f"{SPHERES}:{kind}", f"{kind}_sphere", real="float32"), SEEDS, Rules(slack=1e-3))
    assert [row.generator for row in rows] == list(GENERATORS)
    assert wrong(rows) == {}
    assert all(row.tally.hits > 60 for row in rows)


def test_the_quadratic_of_float32_errs_by_whole_radii_where_engines_are():
    (spec,) = target_specs(f"{SPHERES}:quadratic", "ray_sphere", real="float32")
    rows = judge([spec], SEEDS, Rules(slack=1), ["engine", "uniform"])
    engine, uniform = (row.tally.wrong for row in rows)
    assert min(engine[kind] for kind in (WRONG_HIT, WRONG_MISS, WRONG_T)) > 0
    assert uniform[WRONG_HIT] == uniform[WRONG_MISS] == 0
    with OpenTargets() as opened:
        small = shrunk_all(examples(rows, one_each=True), opened, Rules(slack=1))
    (worst,) = (finding for finding in small if finding.kind == WRONG_HIT)
    ray, sphere = worst.shapes
    assert worst.example.distance > sphere.radius and not exact.meet(ray, sphere)


def test_float32_is_judged_by_float32_numbers_down_to_the_simplest_pair(target):
    spec = target(slab(), "ray_aabb", "mine.c", real="float32")
    rows = judge([spec], SEEDS)
    found = examples(rows, one_each=False)
    assert found
    for finding in found:
        assert finding.example.numbers.dtype == np.float32
        numbers = [number for shape in finding.shapes for part in shape for number in part]
        assert all(float(np.float32(number)) == number for number in numbers)


def test_with_either_boundary_what_only_touches_counts_for_neither_side(target):
    spec = target(point("<"), "point_aabb", "mine.c")
    closed, either, opened = (
        judge([spec], SEEDS, Rules(boundary=boundary)) for boundary in ("closed", "either", "open")
    )
    assert total(closed, WRONG_MISS) > 100
    assert wrong(either) == {} and sum(row.tally.left_out for row in either) == total(closed, WRONG_MISS)
    assert wrong(opened) == {} and sum(row.tally.left_out for row in opened) == 0
    assert sum(row.tally.hits for row in closed) == sum(row.tally.hits for row in opened) + total(
        closed, WRONG_MISS
    )


def test_with_an_open_boundary_a_touching_pair_is_a_miss(target):
    rows = judge([target(point("<="), "point_aabb", "mine.c")], SEEDS, Rules(boundary="open"))
    assert set(wrong(rows)) == {WRONG_HIT} and total(rows, WRONG_HIT) > 100
    for finding in examples(rows, one_each=False):
        assert exact.relation(*finding.shapes).state in ("touching", "coplanar")
        assert finding.example.distance == 0


@pytest.mark.parametrize("real", ["float32", "float64"])
def test_slack_is_counted_in_ulps_of_the_pair(target, real):
    """A hit that is wrong by at most a margin counts with less slack than the margin has ulps."""
    margin = float(64 * np.finfo(real).eps)
    spec = target(point(margin=repr(margin)), "point_aabb", "mine.c", real=real)
    generators = ["nearly_touching", "faces", "edges", "vertices"]
    none = judge([spec], SEEDS, Rules(), generators)
    assert total(none, WRONG_HIT) > 10
    worst = max(row.tally.worst_ulps for row in none)
    within = judge([spec], SEEDS, Rules(slack=worst), generators)
    below = judge([spec], SEEDS, Rules(slack=np.nextafter(worst, 0)), generators)
    assert wrong(within) == {} and sum(row.tally.left_out for row in within) == total(none, WRONG_HIT)
    assert total(below, WRONG_HIT) > 0


def test_how_wrong_a_verdict_is_stands_beside_how_often(target):
    """A point beyond the box by a known distance, in units and in ulps of the largest number."""
    code = "int f(const double *p, const double *b, double *t) { return 1; }"
    rows = judge([target(code, "point_aabb", "mine.c")], range(50), generators=["integer_grid"])
    for finding in examples(rows, one_each=True):
        p, box = finding.shapes
        outside = [max(lo - x, 0, x - hi) for lo, x, hi in zip(box.lo, p.position, box.hi, strict=True)]
        assert finding.example.distance == pytest.approx(float(np.linalg.norm(outside)))
        largest = max(abs(number) for number in (*p.position, *box.lo, *box.hi))
        assert finding.example.ulps == pytest.approx(finding.example.distance / np.spacing(largest))
    assert rows[0].tally.worst_distance >= 3


def test_a_pair_outside_the_contract_is_left_out_and_counted(target):
    code = "int f(const double *p, const double *b, double *t) { return -1; }"
    (row,) = judge([target(code, "ray_aabb", "mine.c")], SEEDS, generators=["uniform"])
    assert wrong([row]) == {} and row.tally.left_out == row.tally.cases == len(SEEDS)


RAYS = [
    (Ray((0, 0, 0), (0.6, 0.8, 0)), Aabb((1, 1, 1), (2, 2, 2))),
    (Ray((0, 0, 0), (3, 4, 0)), Aabb((1, 1, 1), (2, 2, 2))),
    (Ray((0, 0, 0), (1, 0, 0)), Aabb((1, 1, 1), (2, 1, 2))),
    (Ray((0, -5, 0), (0, 0, 1)), Aabb((1, 1, 1), (2, 2, 2))),
]


@pytest.mark.parametrize("real", ["float32", "float64"])
@pytest.mark.parametrize(
    ("require", "met"),
    [
        ("unit-direction", [True, False, True, True]),
        ("non-degenerate", [True, True, False, True]),
        ("max-coordinate=4", [True, True, True, False]),
    ],
)
def test_a_precondition_is_of_directions_dimensions_or_coordinates(require, met, real):
    cases = Cases.of_shapes("ray_aabb", [ray for ray, _ in RAYS], [box for _, box in RAYS], real)
    assert meeting(cases, [require]).tolist() == met


def test_normalized_directions_are_unit_directions():
    for real in ("float32", "float64"):
        cases = draw("engine", "ray_aabb", 0, real)
        assert meeting(cases, ["unit-direction"]).all()
        assert not meeting(draw("uniform", "ray_aabb", 0, real), ["unit-direction"]).any()
    assert meeting(draw("uniform", "segment_aabb", 0), ["unit-direction"]).all()


def test_what_does_not_meet_a_precondition_is_not_called_and_left_out(target):
    code = """
def f(ray, box):
    if abs(sum(x * x for x in ray.direction) - 1) > 1e-9:
        raise ValueError("not a unit direction")
    return True
"""
    mine, rules = target(code, "ray_aabb"), Rules(require=("unit-direction", "max-coordinate=10"))
    engine, uniform = judge([mine], range(200), rules, ["engine", "uniform"])
    assert (engine.tally.counts[CRASH], uniform.tally.counts[CRASH]) == (0, 0)
    assert (uniform.tally.left_out, uniform.tally.cases) == (200, 200) and 0 < engine.tally.left_out < 200
    (finding,) = examples([engine], one_each=True)
    with OpenTargets() as opened:
        (small,) = shrunk_all([finding], opened, rules)
    assert small.example is not finding.example and meeting(small.cases, rules.require).all()
    assert scene_of(small, rules).judged.require == rules.require


def test_a_campaign_in_which_no_case_meets_a_precondition_is_no_success(target):
    campaign = Campaign(
        [target("def f(p, b): return True", "ray_aabb")], range(9), Rules(require=("max-coordinate=0",))
    )
    with (
        OpenTargets() as opened,
        pytest.raises(HitscopeError, match="that meet max-coordinate=0, found none of 126"),
    ):
        campaign.run(opened)
        campaign.require_judged()


def test_a_t_within_its_tolerance_is_right_and_one_beyond_is_a_finding(target):
    spec = target(slab("*t = lo * (1 + 64 * 2.2e-16)"), "ray_aabb", "mine.c")
    strict = judge([spec], SEEDS, Rules(), ["uniform"])
    assert set(wrong(strict)) == {WRONG_T}
    assert 32 < strict[0].tally.t_worst_ulps <= 140
    assert strict[0].tally.t_ulps.total() == strict[0].tally.hits
    assert wrong(judge([spec], SEEDS, Rules(t_ulps=140), ["uniform"])) == {}
    assert wrong(judge([spec], SEEDS, Rules(t_distance=1e-10), ["uniform"])) == {}


def test_a_target_without_any_t_is_judged_by_its_verdicts_alone(target):
    assert wrong(judge([target(slab(""), "ray_aabb", "mine.c")], SEEDS, generators=["uniform"])) == {}


PYTHON_SLAB = """
def f(ray, box):
    from hitscope import intersect
    found = intersect(ray, box)
    return found.hit, found.t_enter if found and found.t_enter < 1 else UNSAID
"""


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("mine.c", slab("if (lo < 1) *t = lo")),
        ("mine.c", slab("*t = lo < 1 ? lo : NAN")),
        ("mine.py", PYTHON_SLAB.replace("UNSAID", "None")),
        ("mine.py", PYTHON_SLAB.replace("UNSAID", "float('nan')")),
    ],
    ids=["C", "NAN in C", "Python", "nan in Python"],
)
def test_a_t_that_is_left_unsaid_is_counted_apart_and_not_wrong(target, name, code):
    (row,) = judge([target(code, "ray_aabb", name)], SEEDS, generators=["integer_grid"])
    assert wrong([row]) == {} and examples([row], one_each=True) == []
    assert 0 < row.tally.counts[MISSING_T] == row.tally.hits - row.tally.t_ulps.total() < row.tally.hits


NORMALS = """
from hitscope.geometry import exact
def f(probe, primitive):
    found = exact.relation(probe, primitive)
    if not found.hit:
        return False
    normal = None if found.normal is None else exact.unit(found.normal)
    CHANGE
    return True, float(found.t_enter), normal
"""


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        ("pass", set()),
        ("normal = normal and tuple(-x for x in normal)", {WRONG_NORMAL}),
        ("normal = normal and tuple(2 * x for x in normal)", set()),
        ("normal = normal and tuple(1e-200 * x for x in normal)", set()),
        ("normal = normal and tuple(0 * x for x in normal)", {WRONG_NORMAL}),
        ("normal = normal and tuple(x * (1 + 1e-15) for x in normal)", set()),
        ("normal = None", set()),
    ],
)
def test_normals_are_judged_where_they_are_given(target, change, kinds):
    rows = judge([target(NORMALS.replace("CHANGE", change), "ray_obb")], range(40))
    assert set(wrong(rows)) == kinds


@pytest.mark.parametrize("pair", ["cast_sphere_aabb", "cast_aabb_obb", "cast_sphere_capsule"])
@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        ("pass", set()),
        ("found = found._replace(t_enter=found.t_enter / 2)", {WRONG_T}),
        ("normal = normal and tuple(-x for x in normal)", {WRONG_NORMAL}),
    ],
)
def test_the_t_and_the_normal_of_a_cast_are_judged(target, pair, change, kinds):
    rows = judge([target(NORMALS.replace("CHANGE", change), pair)], range(20))
    assert set(wrong(rows)) == kinds


def test_the_normal_of_any_face_that_is_entered_at_the_same_t_is_right(target):
    code = """
def f(ray, box):
    axis = AXIS
    return True, 1.0, tuple(-1.0 if i == axis else 0.0 for i in range(3))
"""
    ray, box = Ray((-1.0, -1.0, 0.5), (1.0, 1.0, 0.0)), Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    cases = Cases.of_shapes("ray_aabb", [ray], [box])
    for axis, is_wrong in ((0, False), (1, False), (2, True)):
        with open_target(target(code.replace("AXIS", str(axis)), "ray_aabb", f"axis{axis}.py")) as opened:
            found = judged(Truth(cases), opened.answer(cases), Rules())
        assert (WRONG_NORMAL in found.wrong) == is_wrong


FAILS = {
    "crashes": ("if (p[0] > 0.9) *(volatile int *)0 = 1;", "signal 11"),
    "exits": ("if (p[0] > 0.9) exit(0);", "exit status 0"),
    "hangs": ("if (p[0] > 0.9) for (;;) ;", "no case finished"),
}


@pytest.mark.parametrize("how", FAILS)
def test_the_very_case_of_a_failure_is_named_and_the_others_are_judged(target, how):
    action, words = FAILS[how]
    code = f"#include <stdlib.h>\nint f(const double *p, const double *b, double *t) {{ {action} return 0; }}"
    spec = target(code, "point_aabb", "mine.c", timeout=0.5)
    (row,) = judge([spec], range(100), generators=["uniform"])
    (finding,) = [item for item in examples([row], one_each=True) if item.kind == CRASH]
    assert finding.shapes[0].position[0] > 0.9
    assert words in finding.example.words
    assert row.tally.cases + row.tally.not_run == 100
    assert row.tally.wrong[CRASH] <= 3 or how != "hangs"
    assert row.tally.wrong[WRONG_MISS] > 0 and row.tally.wrong[WRONG_HIT] == 0


def test_flags_are_columns_that_get_the_same_cases(targets):
    specs = targets(slab(), "ray_aabb", "mine.c", flags=["-O0", "-O2 -DLIMIT_OF_T=1"])
    first, second = judge(specs, range(50), generators=["uniform"])
    assert [row.target.flags for row in (first, second)] == ["-O0", "-O2 -DLIMIT_OF_T=1"]
    assert first.tally.hits == second.tally.hits and wrong([first]) == wrong([second])

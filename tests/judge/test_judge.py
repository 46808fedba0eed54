"""Findings: known flaws are caught, shrunk to readable numbers, and saved as scenes that pass their check."""

import numpy as np
import pytest

from hitscope.check import check
from hitscope.geometry import exact
from hitscope.geometry.registry import choose, methods
from hitscope.geometry.shapes import Aabb, Segment
from hitscope.geometry.vector import dot
from hitscope.judge.campaign import catalogue
from hitscope.judge.drawing import GENERATORS
from hitscope.judge.finding_scenes import save_findings, scene_of
from hitscope.judge.findings import cause_of, examples
from hitscope.judge.shrinking import distinct, shrunk_all
from hitscope.scene import load
from hitscope.targets.judging.judged import CRASH, WRONG_HIT, WRONG_MISS, WRONG_NORMAL, WRONG_T
from hitscope.targets.judging.rules import Rules
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.target import TargetSpec
from tests.judge.campaigns import judge

RULES = Rules()
OVERLAPPING = """
def f(a, b):
    return all(a.lo[i] < b.hi[i] and b.lo[i] < a.hi[i] for i in range(3))
"""
"""Miss where the boxes touch: strict comparisons."""
VERDICTS = {WRONG_HIT, WRONG_MISS, CRASH}


def findings(spec, seeds, generators=tuple(GENERATORS)):
    """Return the first of each kind of difference in hit and miss, of each generator."""
    found = examples(judge([spec], range(seeds), RULES, generators), one_each=False)
    return [finding for finding in found if finding.kind in VERDICTS]


def shrunk(found):
    with OpenTargets() as opened:
        return distinct(shrunk_all(found, opened, RULES))


def test_the_printed_listing_is_caught_and_shrunk_to_small_integers():
    spec = TargetSpec("sat13_printed", "triangle_aabb")
    rows = judge([spec], range(621, 622), RULES, ["integer_grid"])
    (found,) = [item for item in examples(rows, one_each=False) if item.kind == WRONG_HIT]
    (small,) = shrunk([found])
    triangle, box = small.shapes
    assert small.kind == WRONG_HIT and not exact.meet(triangle, box)
    assert cause_of(spec, (triangle, box)) == "its logic is wrong, not the rounding"
    # sat13 has the missing axis: the example is about that axis.
    assert not choose("triangle_aabb", "sat13").method.hit(triangle, box)
    numbers = [number for point in (*triangle, *box) for number in point]
    assert all(number.is_integer() and abs(number) <= 4 for number in numbers)


def test_exact_differs_nowhere():
    assert examples(judge([TargetSpec("exact", "aabb_obb")], range(10)), one_each=False) == []
    assert examples(judge([TargetSpec("exact", "ray_obb")], range(10)), one_each=False) == []


def test_a_function_cannot_change_the_exact_verdict(target):
    code = "from hitscope.geometry import exact\nexact.meet = lambda *pair: True\ndef f(point, box): return True"
    assert {finding.kind for finding in findings(target(code, "point_aabb"), 5, ["uniform"])} == {WRONG_HIT}


def test_a_methods_normal_of_any_length_is_no_error():
    rows = judge([TargetSpec("plane_equation", "ray_plane")], range(20), RULES, ["uniform"])
    assert rows[0].tally.hits > 0 and rows[0].tally.wrong[WRONG_NORMAL] == 0


def test_counts_add_up_and_are_the_same_again(target):
    strict = target(OVERLAPPING, "aabb_aabb")
    never = target("def f(a, b):\n    return False\n", "aabb_aabb", "never.py")

    def counted(seeds):
        rows = judge([strict, never], seeds)
        return [(row.target, row.generator, row.tally.cases, row.tally.hits, row.tally.wrong) for row in rows]

    rows = counted(range(5, 45))
    assert rows == counted(range(5, 45))
    assert [row[:2] for row in rows] == [(spec, generator) for spec in (strict, never) for generator in GENERATORS]
    for spec, generator, cases, hits, counts in rows:
        assert cases == 40 and counts[WRONG_HIT] == counts[CRASH] == 0
        # A function that never hits misses every hit; one that is too strict is right where nothing touches.
        if spec == never:
            assert counts[WRONG_MISS] == hits > 0
        else:
            assert (generator == "nearly_touching") <= (0 < counts[WRONG_MISS] < hits)
            assert generator not in ("uniform", "far_from_origin") or counts[WRONG_MISS] == 0


def test_a_functions_bug_is_shrunk_to_the_boxes_that_show_it(target):
    (small,) = shrunk(findings(target(OVERLAPPING, "aabb_aabb"), 40, ["faces"]))
    a, b = small.shapes
    assert small.kind == WRONG_MISS and exact.meet(a, b)
    assert any(a.lo[i] == b.hi[i] or b.lo[i] == a.hi[i] for i in range(3))
    assert {abs(number) for box in small.shapes for corner in box for number in corner} <= {0.0, 1.0, 2.0}


@pytest.mark.parametrize(
    ("code", "crash"),
    [
        ("def f(probe, primitive):\n    return 1 / 0\n", "ZeroDivisionError: division by zero"),
        ("def f(probe, primitive):\n    return ()\n", "expected a bool, None or a sequence"),
        ("def f(probe, primitive):\n    return 'yes'\n", "expected a bool, None or a sequence"),
        ("def f(probe):\n    return True\n", "TypeError: "),
    ],
)
def test_a_function_that_raises_or_returns_no_verdict_crashes_on_the_very_case(target, code, crash):
    found = findings(target(code, "segment_aabb"), 1)
    assert {item.kind for item in found} == {CRASH}
    assert all(item.example.words.startswith(crash) for item in found)
    assert [item.shapes for item in shrunk(found)] == [item.shapes for item in found]
    assert f"f crashes: {crash}" in scene_of(found[0], RULES).description


PADDED = """
import hitscope
def f(ray, box):
    found = hitscope.intersect(ray, box)
    return found.distance < 0.1, found.t_enter and found.t_enter * (1 + 1e-9)
"""


@pytest.mark.parametrize("real", ["float32", "float64"])
def test_a_simpler_pair_keeps_half_of_the_error_and_an_engines_unit_direction(target, real):
    spec = target(PADDED, "ray_aabb", real=real)
    rows = judge([spec], range(200), generators=["uniform", "engine"])
    for row in rows:
        for kind, example in row.tally.examples.items():
            worst = row.tally.t_worst_ulps if kind == WRONG_T else row.tally.worst_ulps
            assert example.ulps == worst > 0
    found = examples(rows, one_each=False)
    with OpenTargets() as opened:
        simple = shrunk_all(found, opened, Rules())
    ranks = [(finding.generator != "engine", -finding.example.ulps) for finding in simple]
    assert ranks == sorted(ranks) and {finding.generator for finding in simple} == {"uniform", "engine"}
    before = {(finding.generator, finding.kind): finding for finding in found}
    for finding in simple:
        first = before[finding.generator, finding.kind].example
        assert finding.example.ulps >= first.ulps / 2 and finding.example.distance >= first.distance / 2
        if finding.generator == "engine":
            ray, _ = finding.shapes
            assert dot(ray.direction, ray.direction) == pytest.approx(1, abs=8 * np.finfo(real).eps)


@pytest.mark.parametrize(
    ("text", "segment", "cause"),
    [
        ("slab_ericson", ((0, 0, 0), (2**-30, 0, 0)), "with no tolerance and without rounding it is right"),
        ("slab_ericson,epsilon=0", ((1 / 3, 0, 0), (0, 1 / 3, 0)), "without rounding it is right"),
    ],
)
def test_the_cause_distinguishes_tolerance_from_rounding(text, segment, cause):
    probe = Segment(*(tuple(map(float, end)) for end in segment))
    box = Aabb((2.0**-30, 0.0, 0.0), (1.0, 1.0, 1.0))
    assert cause_of(TargetSpec(text, "segment_aabb"), (probe, box)) == cause


def test_saved_scenes_pass_and_expect_what_the_method_answers(tmp_path):
    spec = TargetSpec("slab_ericson,epsilon=0.5", "segment_aabb")
    found = shrunk(findings(spec, 30))
    paths = save_findings(found, tmp_path / "new" / "folder", [spec], RULES)
    assert len(set(paths.values())) == len(found) > 1
    assert all(outcome.status == "passed" and len(outcome.names) == 2 for outcome in check(paths.values()))
    for finding, path in paths.items():
        scene = load(path)
        assert (scene.probes[0].shape, scene.primitives[0].shape) == finding.shapes
        truth, answer = scene.expect
        assert truth.hit == exact.meet(*finding.shapes) != answer.hit
        assert answer.method == {"name": "slab_ericson", "epsilon": 0.5} and finding.kind in str(answer.why)


def test_a_functions_scenes_expect_the_exact_verdict_only(target, tmp_path):
    spec = target(OVERLAPPING, "aabb_aabb")
    paths = save_findings(shrunk(findings(spec, 30)), tmp_path, [spec], RULES)
    assert all(outcome.status == "passed" and len(outcome.names) == 1 for outcome in check(paths.values()))


@pytest.mark.parametrize("probe", ["point", "ray", "triangle", "obb"])
def test_a_polyhedron_is_shrunk_no_further_than_to_one_that_a_scene_can_hold(probe, tmp_path, target):
    pair = f"{probe}_polyhedron"
    specs = [
        target(f"def f(a, b):\n    return {hit}\n", pair, f"{name}.py")
        for name, hit in (("always", True), ("never", False))
    ]
    found = shrunk([finding for spec in specs for finding in findings(spec, 3, ["uniform", "integer_grid"])])
    bodies = [finding.shapes[1] for finding in found]
    assert any(body.planes for body in bodies) and any(body.vertices for body in bodies)
    assert min(len(body.planes or body.vertices) for body in bodies) == 1
    paths = save_findings(found, tmp_path, specs, RULES)
    assert all(outcome.status == "passed" for outcome in check(paths.values()))


def test_the_catalogue_is_every_method_on_each_of_its_pairs():
    judged = {(spec.pair, spec.text) for spec in catalogue()}
    assert judged == {(pair, m.name) for m in methods() for pair in m.pairs if m.name != "exact"}

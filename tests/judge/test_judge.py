"""Findings: known flaws are caught, shrunk to readable numbers, and saved as scenes that pass their check."""

import pytest

from hitscope.check import check
from hitscope.check.judge import (
    CRASH,
    GENERATORS,
    WRONG_HIT,
    WRONG_MISS,
    JudgeTarget,
    catalogue,
    examples,
    judge,
    of_method,
    save_findings,
    scene_of,
    shrunk_all,
)
from hitscope.geometry import exact
from hitscope.geometry.registry import choose, methods
from hitscope.geometry.shapes import PROBES, Aabb, Segment
from hitscope.scene import load


def findings(pair, target, seeds):
    return examples(judge({pair: [target]}, range(seeds)), one_each=False)


def overlapping_boxes(a, b):
    """Miss where the boxes touch: strict comparisons."""
    return all(a.lo[i] < b.hi[i] and b.lo[i] < a.hi[i] for i in range(3))


def test_the_printed_listing_is_caught_and_shrunk_to_small_integers():
    target = of_method("triangle_aabb", "sat13_printed")
    (found,) = [item for item in findings("triangle_aabb", target, 60) if item.generator == "integer_grid"]
    (small,) = shrunk_all([found])
    triangle, box = small.shapes
    assert small.kind == WRONG_HIT and not exact.meet(triangle, box)
    assert target.cause(triangle, box) == "its logic errs, even without rounding"
    # sat13 has the missing axis: the example is about that axis.
    assert not choose("triangle_aabb", "sat13").method.hit(triangle, box)
    numbers = [number for point in (*triangle, *box) for number in point]
    assert all(number.is_integer() and abs(number) <= 3 for number in numbers)


def test_exact_differs_nowhere():
    assert findings("aabb_obb", of_method("aabb_obb", "exact"), 10) == []


def test_counts_add_up_and_are_the_same_again():
    def counted(seeds):
        tallies = judge(
            {"aabb_aabb": [JudgeTarget("strict", overlapping_boxes), JudgeTarget("never", lambda a, b: False)]},
            seeds,
        )
        return [(tally.target.name, tally.generator, tally.cases, tally.hits, tally.counts) for tally in tallies]

    rows = counted(range(5, 45))
    assert rows == counted(range(5, 45))
    assert [row[:2] for row in rows] == [
        (name, generator) for name in ("strict", "never") for generator in GENERATORS
    ]
    for name, generator, cases, hits, counts in rows:
        assert cases == 40 and counts[WRONG_HIT] == counts[CRASH] == 0
        # A function that never hits misses every hit; one that is too strict is right where nothing touches.
        if name == "never":
            assert counts[WRONG_MISS] == hits > 0
        else:
            assert (generator == "nearly_touching") <= (0 < counts[WRONG_MISS] < hits)
            assert generator not in ("uniform", "far_from_origin") or counts[WRONG_MISS] == 0


def test_a_functions_bug_is_shrunk_to_the_boxes_that_show_it():
    found = findings("aabb_aabb", JudgeTarget("strict", overlapping_boxes), 40)
    (small, *_) = shrunk_all(found)
    a, b = small.shapes
    assert small.kind == WRONG_MISS and exact.meet(a, b)
    assert any(a.lo[i] == b.hi[i] or b.lo[i] == a.hi[i] for i in range(3))
    assert {abs(number) for box in small.shapes for corner in box for number in corner} <= {0.0, 1.0, 2.0}


@pytest.mark.parametrize(
    ("answer", "crash"),
    [
        (lambda probe, primitive: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda probe, primitive: None, "expected a bool or a tuple that starts with one, found None"),
        (lambda probe, primitive: (), "expected a bool or a tuple that starts with one, found ()"),
        (lambda probe: True, "TypeError: "),
    ],
)
def test_a_function_that_raises_or_returns_no_verdict_crashes(answer, crash):
    found = findings("segment_aabb", JudgeTarget("mine", answer), 1)
    assert {item.kind for item in found} == {CRASH}
    assert all(item.crash.startswith(crash) for item in found)
    (small,) = shrunk_all(found)[:1]
    assert f"mine crashes: {crash}" in scene_of(small).description


@pytest.mark.parametrize(
    ("choice", "segment", "cause"),
    [
        ("slab_ericson", ((0, 0, 0), (2**-30, 0, 0)), "with no tolerance and without rounding it is right"),
        ({"name": "slab_ericson", "epsilon": 0.0}, ((1 / 3, 0, 0), (0, 1 / 3, 0)), "without rounding it is right"),
    ],
)
def test_the_cause_distinguishes_tolerance_from_rounding(choice, segment, cause):
    probe = Segment(*(tuple(map(float, end)) for end in segment))
    box = Aabb((2.0**-30, 0.0, 0.0), (1.0, 1.0, 1.0))
    target = of_method("segment_aabb", choice)
    assert target.cause(probe, box) == cause


def test_saved_scenes_pass_and_expect_what_the_method_answers(tmp_path):
    target = of_method("segment_aabb", {"name": "slab_ericson", "epsilon": 0.5})
    found = shrunk_all(findings("segment_aabb", target, 30))
    paths = save_findings(found, tmp_path / "new" / "folder", {"segment_aabb": [target]})
    assert len(set(paths.values())) == len(found) > 1
    assert all(outcome.ok and outcome.expectations == 2 for outcome in check(paths.values()))
    for finding, path in paths.items():
        scene = load(path)
        assert (scene.probes[0].shape, scene.primitives[0].shape) == finding.shapes
        truth, answer = scene.expect
        assert truth.hit == exact.meet(*finding.shapes) != answer.hit
        assert answer.method == {"name": "slab_ericson", "epsilon": 0.5} and finding.kind in answer.why


def test_a_functions_scenes_expect_the_exact_verdict_only(tmp_path):
    target = JudgeTarget("my.py:strict", overlapping_boxes)
    paths = save_findings(shrunk_all(findings("aabb_aabb", target, 30)), tmp_path, {"aabb_aabb": [target]})
    assert all(outcome.ok and outcome.expectations == 1 for outcome in check(paths.values()))


@pytest.mark.parametrize("probe", PROBES)
def test_a_polyhedron_is_shrunk_no_further_than_to_one_that_a_scene_can_hold(probe, tmp_path):
    pair = f"{probe}_polyhedron"
    targets = [JudgeTarget("always", lambda a, b: True), JudgeTarget("never", lambda a, b: False)]
    found = shrunk_all([finding for target in targets for finding in findings(pair, target, 3)])
    bodies = [finding.shapes[1] for finding in found]
    assert any(body.planes for body in bodies) and any(body.vertices for body in bodies)
    assert min(len(body.planes or body.vertices) for body in bodies) == 1
    paths = save_findings(found, tmp_path, {pair: targets})
    assert all(outcome.ok for outcome in check(paths.values()))


def test_the_catalogue_is_every_method_on_each_of_its_pairs():
    judged = {(pair, target.name) for pair, targets in catalogue().items() for target in targets}
    assert judged == {(pair, m.name) for m in methods() for pair in m.pairs if m.name != "exact"}

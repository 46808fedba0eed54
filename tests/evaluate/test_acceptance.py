"""Accepting what is found: the expectations that fail come to hold, the others stay as they are."""

import json

import pytest

from hitscope.evaluate import evaluate
from hitscope.evaluate.acceptance import accepted, expected_of, pinned, right_verdict
from hitscope.scene import loads
from hitscope.scene.edits import expect, replace_expectations

SCENE = {
    "version": 1,
    "primitives": [
        {"id": "near", "type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]},
        {"id": "far", "type": "aabb", "min": [4, 4, 4], "max": [5, 5, 5]},
        {
            "id": "row",
            "type": "aabbs",
            "center": [[2, 0.5, 0.5], [2, 9, 9]],
            "half_extents": [[0.25, 1, 1], [1, 1, 1]],
        },
    ],
    "probes": [
        {"id": "cut", "type": "segment", "start": [-1, 0.5, 0.5], "end": [3, 0.5, 0.5]},
        {"id": "off", "type": "point", "position": [9, 9, 9], "enabled": False},
    ],
}


def report_of(*expect):
    return evaluate(loads(json.dumps({**SCENE, "expect": expect}).encode(), "test.scene.json"))


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ({"primitive": "near", "hit": False}, {"hit": True}),
        ({"primitive": "near", "t_enter": 0.3, "t_exit": 0.5, "why": "w"}, {"t_enter": 0.25, "t_exit": 0.5}),
        ({"primitive": "far", "hit": True, "state": "crossing"}, {"hit": False, "state": "apart"}),
        ({"primitive": "far", "t_enter": 0.3, "tolerance": 0.1}, {"t_enter": None, "tolerance": 0.1}),
        ({"primitive": "row", "hit": False}, {"hit": True}),
        ({"hits": []}, {"hits": ("near", "row[0]")}),
        ({"hits": ["row", "far"]}, {"hits": ("row", "near")}),
        ({"hits": ["near", "row[1]"]}, {"hits": ("near", "row[0]")}),
    ],
)
def test_what_fails_is_rewritten_to_what_is_found(wrong, right):
    holds = {"probe": "cut", "primitive": "near", "hit": True}
    report = report_of(holds, {"probe": "cut", **wrong})
    changed = accepted(report)
    assert list(changed) == [1]
    assert {name: getattr(changed[1], name) for name in right} == right
    assert changed[1].why == report.scene.expect[1].why
    assert not evaluate(replace_expectations(report.scene, changed)).mismatches


@pytest.mark.parametrize(
    "expectation",
    [
        {"probe": "off", "primitive": "near", "hit": False},
        {"probe": "off", "hits": ["near"]},
        {"probe": "cut", "primitive": "near", "normal": [0, 1, 0], "method": "slab_ericson"},
    ],
)
def test_an_expectation_that_cannot_be_compared_is_left_as_it_is(expectation):
    assert accepted(report_of(expectation)) == {}


MISS = {"primitive": "box", "hit": False}


@pytest.mark.parametrize("right", [MISS, MISS | {"state": "apart"}, {"hits": []}])
def test_the_answer_of_a_wrong_method_is_expected_by_its_name_only(right):
    """A ray that Ericson's slab test takes for one parallel to y."""
    box = {"id": "box", "type": "aabb", "min": [-1, 0.5, -1], "max": [1, 1.5, 1]}
    ray = {"id": "ray", "type": "ray", "origin": [-6, 1, 0], "direction": [2e-9, 5e-10, 0]}
    scene = {"version": 1, "primitives": [box], "probes": [ray], "methods": {"ray_aabb": "slab_ericson"}}
    scene["expect"] = [{"probe": "ray", **right}]
    report = evaluate(loads(json.dumps(scene).encode(), "test.scene.json"))
    assert report.verdict(0, 0).hit and report.mismatches
    assert accepted(report) == {0: report.scene.expect[0]}, "it is right as it is"
    assert expected_of(right_verdict(report, 0, 0)).hit is False
    known = pinned(report, 0, 0)
    assert (known.method, known.hit, known.state) == ("slab_ericson", True, "apart")
    assert known.why == "slab_ericson is wrong here: the exact answer is a miss"
    both = expect(expect(report.scene, known), expected_of(right_verdict(report, 0, 0)))
    mismatches = evaluate(both).mismatches
    assert both.expect[1] == known and not any(mismatch.expectation_index == 1 for mismatch in mismatches)


def test_expecting_a_verdict_replaces_the_expectation_before():
    report = report_of(
        {"probe": "cut", "primitive": "near", "hit": True, "method": "smits"},
        {"probe": "cut", "primitive": "near", "hit": False, "tolerance": 0.5, "why": "w"},
    )
    scene = expect(report.scene, expected_of(report.verdict(0, 0)))
    assert scene.expect[0] == report.scene.expect[0] and len(scene.expect) == 2
    new = scene.expect[1]
    assert (new.hit, new.state, new.t_enter, new.normal) == (True, "crossing", 0.25, (-1.0, 0.0, 0.0))
    assert (new.tolerance, new.why) == (0.5, "w")
    more = expect(scene, expected_of(report.verdict(0, 2)))
    assert more.expect[2].primitive == "row[0]"
    assert not evaluate(more).mismatches

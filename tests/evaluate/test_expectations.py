"""A report against `expect`: the mismatch is found, and said in words."""

import json
from math import nextafter

import pytest

from hitscope.evaluate import evaluate
from hitscope.scene import loads

SCENE = {
    "version": 1,
    "primitives": [
        {"id": "near", "type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]},
        {"id": "far", "type": "aabb", "min": [4, 4, 4], "max": [5, 5, 5]},
    ],
    "probes": [{"id": "cut", "type": "segment", "start": [-1, 0.5, 0.5], "end": [3, 0.5, 0.5]}],
}
ON_NEAR = {"probe": "cut", "primitive": "near"}


def words(*expect):
    scene = loads(json.dumps({**SCENE, "expect": expect}).encode(), "test.scene.json")
    return [mismatch.words for mismatch in evaluate(scene).mismatches]


@pytest.mark.parametrize(
    "expectation",
    [
        {**ON_NEAR, "hit": True, "t_enter": 0.25, "t_exit": 0.5, "point": [0, 0.5, 0.5], "normal": [-1, 0, 0]},
        {**ON_NEAR, "state": "crossing", "side": None, "distance": 0},
        {"probe": "cut", "primitive": "far", "hit": False, "t_enter": None, "point": None, "state": "apart"},
        {"probe": "cut", "hits": ["near"]},
        {**ON_NEAR, "t_enter": 0.25 + 9e-10},
        {**ON_NEAR, "t_enter": 0.3, "tolerance": 0.06},
        {**ON_NEAR, "hit": True, "t_enter": 0.25, "normal": None, "method": "slab_ericson"},
    ],
)
def test_what_holds_gives_no_words(expectation):
    assert words(expectation) == []


@pytest.mark.parametrize(
    ("expectation", "said"),
    [
        ({**ON_NEAR, "hit": False}, "expected near to be missed by cut"),
        ({"probe": "cut", "primitive": "far", "hit": True}, "expected far to be hit by cut"),
        ({"probe": "cut", "hits": []}, "expected near to be missed by cut"),
        ({**ON_NEAR, "t_enter": 0.3}, "expected t_enter 0.3 of cut on near, found 0.25"),
        ({**ON_NEAR, "t_enter": 0.25 + 2e-9}, "expected t_enter 0.250000002 of cut on near, found 0.25"),
        ({**ON_NEAR, "t_exit": None}, "expected no t_exit of cut on near, found 0.5"),
        (
            {**ON_NEAR, "point": [0, 0.5, 0.6]},
            "expected point [0.0, 0.5, 0.6] of cut on near, found [0.0, 0.5, 0.5]",
        ),
        (
            {**ON_NEAR, "normal": [1, 0, 0]},
            "expected normal [1.0, 0.0, 0.0] of cut on near, found [-1.0, 0.0, 0.0]",
        ),
        ({**ON_NEAR, "state": "inside"}, "expected state inside of cut on near, found crossing"),
        (
            {**ON_NEAR, "hit": False, "method": "slab_ericson"},
            "expected near to be missed by cut as slab_ericson has it",
        ),
        (
            {"probe": "cut", "primitive": "far", "t_enter": 0.5},
            "expected t_enter 0.5 of cut on far, found none",
        ),
    ],
)
def test_a_mismatch_is_described_in_words(expectation, said):
    assert words(expectation) == [said]


def test_hits_names_every_primitive_that_differs():
    assert words({"probe": "cut", "hits": ["far"]}) == [
        "expected near to be missed by cut",
        "expected far to be hit by cut",
    ]


def test_hits_may_ask_a_method_of_its_own():
    parallel = {"name": "slab_ericson", "epsilon": 9}
    assert words({"probe": "cut", "hits": [], "method": parallel, "why": "all is parallel to it"}) == []
    assert words({"probe": "cut", "hits": ["near"], "method": parallel}) == [
        "expected near to be hit by cut as slab_ericson has it"
    ]


@pytest.mark.parametrize(
    "answer", [{"primitive": "near", "hit": True}, {"primitive": "near", "t_exit": 1}, {"hits": []}]
)
def test_an_expectation_of_a_disabled_probe_is_not_evaluated_and_no_failure(answer):
    disabled = [{**SCENE["probes"][0], "enabled": False}]
    scene = {**SCENE, "probes": disabled, "expect": [{"probe": "cut", **answer}]}
    report = evaluate(loads(json.dumps(scene).encode(), "x"))
    assert report.mismatches == ()
    (found,) = report.comparison
    assert (found.kind, found.words) == ("not evaluated", "expected cut to be evaluated, but it is disabled")


def test_four_ulp_of_the_expected_value_pass_whatever_the_tolerance():
    value = 0.25
    for _ in range(4):
        value = nextafter(value, 1)
    assert words({**ON_NEAR, "t_enter": value, "tolerance": 0}) == []
    assert words({**ON_NEAR, "t_enter": nextafter(value, 1), "tolerance": 0}) != []


@pytest.mark.parametrize(
    "expectation, contradicts",
    [
        ({**ON_NEAR, "normal": [-1, 0, 0], "method": "slab_ericson"}, False),
        ({**ON_NEAR, "point": [0, 0.5, 0.5], "method": "sat_segment"}, False),
        ({**ON_NEAR, "point": [0, 0.5, 0.25], "method": "slab_ericson"}, True),
        ({**ON_NEAR, "t_enter": None, "method": "slab_ericson"}, True),
        ({"probe": "cut", "primitive": "far", "t_enter": 0.5, "method": "slab_ericson"}, True),
        ({"probe": "cut", "primitive": "far", "normal": [1, 0, 0], "method": "slab_ericson"}, True),
        ({**ON_NEAR, "distance": 1, "method": "sat_segment"}, True),
        ({**ON_NEAR, "hit": False, "method": "sat_segment"}, True),
    ],
)
def test_a_part_that_the_method_never_answers_of_a_hit_is_no_mismatch(expectation, contradicts):
    report = evaluate(loads(json.dumps({**SCENE, "expect": [expectation]}).encode(), "test.scene.json"))
    assert [mismatch.kind for mismatch in report.comparison] == ["differs" if contradicts else "not answered"]
    assert report.mismatches == (report.comparison if contradicts else ())

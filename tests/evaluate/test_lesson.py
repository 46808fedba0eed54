"""A step of a lesson against a report: each part of its condition by itself."""

import json

import pytest

from hitscope.evaluate import evaluate
from hitscope.evaluate.lesson import unmet
from hitscope.scene import loads, remove_items
from hitscope.scene.model import Condition, LessonStep

SCENE = {
    "version": 1,
    "primitives": [
        {"id": "near", "type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]},
        {"id": "far", "type": "aabb", "min": [4, 4, 4], "max": [5, 5, 5]},
        {"id": "row", "type": "aabbs", "min": [[9, 0, 0], [2, 0, 0]], "max": [[10, 1, 1], [3, 1, 1]]},
        {"id": "none", "type": "aabbs", "min": [], "max": []},
    ],
    "probes": [
        {"id": "cut", "type": "segment", "start": [-1, 0.5, 0.5], "end": [3, 0.5, 0.5]},
        {"id": "over", "type": "segment", "start": [-1, 1.5, 0.5], "end": [1.5, 0.75, 3]},
        {"id": "off", "type": "point", "position": [0.5, 0.5, 0.5], "enabled": False},
        {"id": "dots", "type": "points", "position": [[7, 7, 7], [0, 0.5, 0.5]]},
    ],
    "methods": {"segment_aabb": {"name": "slab_ericson", "epsilon": 0.5}},
}


@pytest.fixture
def report():
    return evaluate(loads(json.dumps(SCENE).encode(), "test.scene.json"))


def left(report, chosen=(), partner=(), **asked):
    """The parts of a condition that do not hold."""
    return unmet(LessonStep(say="Do.", until=Condition(**asked)), report, chosen, partner)


ON_NEAR = {"probe": "cut", "primitive": "near"}
PAIR = ("probe", "cut"), ("primitive", "near")


def test_a_step_to_read_asks_for_nothing(report):
    assert unmet(LessonStep(say="Read.", until="continue"), report, ()) == ()


@pytest.mark.parametrize(
    "holds, fails",
    [
        ({**ON_NEAR, "hit": True}, {**ON_NEAR, "hit": False}),
        ({"probe": "cut", "primitive": "row", "hit": True}, {"probe": "cut", "primitive": "row[0]", "hit": True}),
        ({"probe": "dots", "primitive": "near", "hit": True}, {"probe": "dots", "primitive": "far", "hit": True}),
        (
            {"probe": "dots[1]", "primitive": "near", "hit": True},
            {"probe": "dots[0]", "primitive": "near", "hit": True},
        ),
        ({**ON_NEAR, "state": "crossing"}, {**ON_NEAR, "state": "touching"}),
        ({**ON_NEAR, "t_enter_between": [0.25, 0.25]}, {**ON_NEAR, "t_enter_between": [0.26, 1]}),
        (
            {"probe": "cut", "primitive": "far", "hit": False},
            {"probe": "cut", "primitive": "far", "t_enter_between": [0, 1]},
        ),
        ({**ON_NEAR, "decided_by": "face -x"}, {**ON_NEAR, "decided_by": "face +x"}),
        ({**ON_NEAR, "decided_by": "face"}, {**ON_NEAR, "decided_by": "face -"}),
        (
            {"probe": "over", "primitive": "near", "decided_by": "edge cross edge"},
            {"probe": "over", "primitive": "near", "decided_by": "face normal"},
        ),
        (
            {"probe": "over", "primitive": "near", "decided_by": "direction"},
            {"probe": "over", "primitive": "near", "decided_by": "nearest points"},
        ),
        ({**ON_NEAR, "method": "slab_ericson"}, {**ON_NEAR, "method": "exact"}),
        (
            {**ON_NEAR, "method": {"name": "slab_ericson", "epsilon": 0.5}},
            {**ON_NEAR, "method": {"name": "slab_ericson", "epsilon": 0.25}},
        ),
    ],
)
def test_a_part_of_a_condition_holds_or_not(report, holds, fails):
    (part,) = (name for name in fails if name not in ("probe", "primitive"))
    assert left(report, **holds) == ()
    assert left(report, **fails) == (part,)


def test_of_several_parts_those_are_unmet_that_do_not_hold(report):
    assert left(report, **ON_NEAR, hit=True, state="touching", method="exact") == ("state", "method")


def test_a_pair_is_selected_together_or_one_after_the_other(report):
    cut, near = ({half} for half in PAIR)
    both = {**ON_NEAR, "selected": True}
    assert left(report, PAIR, **both) == ()
    assert left(report, near, cut, **both) == ()
    assert left(report, near, **both) == ("selected",)
    assert left(report, (), cut | near, **both) == ("selected",)
    assert left(report, near, cut, primitive="near", selected=True) == ()
    assert left(report, near, cut, probe="cut", selected=True) == ("selected",), "only its partner is selected"
    assert left(report, near, cut, probe="cut", selected=False) == ()


def test_nothing_holds_of_a_probe_that_is_disabled_or_of_items_that_are_gone(report):
    for probe, primitive in (
        ("off", "near"),
        ("gone", "near"),
        ("cut", "gone"),
        ("cut", "row[7]"),
        ("cut", "none"),
    ):
        for hit in (True, False):
            assert left(report, probe=probe, primitive=primitive, hit=hit) == ("hit",)
    without = evaluate(remove_items(report.scene, "primitive", {0}))
    assert left(without, **ON_NEAR, hit=False, state="apart") == ("hit", "state")

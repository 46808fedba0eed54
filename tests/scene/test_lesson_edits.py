"""A lesson is kept through edits: it follows new ids, and loses the steps that ask for what is removed."""

import json

import pytest

from hitscope.errors import Fault
from hitscope.scene import add_items, dump, loads, remove_items, replace_items
from hitscope.scene.clipboard_text import copied
from hitscope.scene.edits import remove_elements, rename_item
from hitscope.scene.items import AabbPrimitive, PointProbe, RayProbe
from hitscope.scene.model import LessonStep, Scene
from hitscope.scene.save import compact_pieces

SCENE = {
    "version": 1,
    "primitives": [
        {"type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]},
        {"id": "row", "type": "aabbs", "center": [[2, 0, 0], [3, 0, 0]], "half_extents": [[1, 1, 1], [1, 1, 1]]},
    ],
    "probes": [
        {"id": "row", "type": "segment", "start": [0, 0, 0], "end": [1, 0, 0]},
        {"type": "point", "position": [0, 0, 0]},
    ],
    "lesson": [
        {"say": "Read.", "until": "continue", "select": {"probe": "row", "primitive": "row[0]"}},
        {"say": "Hit.", "until": {"probe": "row", "primitive": "row[1]", "hit": True}},
        {
            "say": "Let it decide.",
            "until": {"probe": "row", "primitive": "aabb-0", "method": "sat_segment"},
            "select": {"primitive": "row"},
        },
        {"say": "Select.", "until": {"probe": "point-1", "selected": True}},
    ],
}


@pytest.fixture
def scene():
    return loads(json.dumps(SCENE).encode(), "test.scene.json")


def says(scene):
    """What the steps say."""
    return [step.say for step in scene.lesson]


def names(scene):
    """The probe and primitive that each step asks for, and those that it selects."""
    found = []
    for step in scene.lesson:
        given = [part for part in (step.until, step.select) if part not in ("continue", None)]
        found.append([(part.probe or None, part.primitive or None) for part in given])
    return found


def test_a_lesson_reads_back_as_it_was_written(scene):
    assert json.loads(dump(scene))["lesson"] == SCENE["lesson"]
    compact = b"".join(compact_pieces(scene))
    assert loads(compact, "autosave").lesson == scene.lesson
    assert loads(dump(scene).encode(), "again") == scene


def test_a_lesson_made_in_python_is_checked_as_one_of_a_file(scene):
    with pytest.raises(Fault, match=r"\$\.until: expected a condition or a word \(continue\), found \"go\""):
        LessonStep(say="Go.", until="go")
    step = LessonStep(say="Go.", until={"probe": "p", "selected": True})
    with pytest.raises(Fault, match=r"\$\.lesson\[0\]\.until\.probe: expected the id of a probe"):
        Scene(version=1, primitives=(), probes=(), lesson=(step,))


def test_a_lesson_follows_a_new_id(scene):
    assert names(rename_item(scene, "probe", 0, "beam")) == [
        [("beam", "row[0]")], [("beam", "row[1]")], [("beam", "aabb-0"), (None, "row")], [("point-1", None)]
    ]  # fmt: skip
    assert names(rename_item(scene, "primitive", 1, "rank")) == [
        [("row", "rank[0]")], [("row", "rank[1]")], [("row", "aabb-0"), (None, "rank")], [("point-1", None)]
    ]  # fmt: skip


def test_the_steps_of_a_removed_item_are_removed_and_other_default_ids_stay(scene):
    left = remove_items(scene, "probe", {0})
    assert says(left) == ["Read.", "Select."]
    assert names(left) == [[(None, "row[0]")], [("point-1", None)]]
    left = remove_items(scene, "primitive", {1})
    assert says(left) == ["Read.", "Let it decide.", "Select."]
    assert names(left) == [[("row", None)], [("row", "aabb-0")], [("point-1", None)]]


def test_elements_that_a_lesson_names_keep_their_subject(scene):
    left = remove_elements(scene, "primitive", 1, {0})
    assert names(left) == [
        [("row", None)], [("row", "row[0]")], [("row", "aabb-0"), (None, "row")], [("point-1", None)]
    ]  # fmt: skip


def test_a_step_whose_method_no_longer_exists_is_removed(scene):
    ray = RayProbe(origin=(0.0, 0.0, 0.0), direction=(1.0, 0.0, 0.0))
    assert says(replace_items(scene, "probe", {0: ray})) == ["Read.", "Hit.", "Select."]
    more = add_items(scene, "primitive", [AabbPrimitive(min=(0.0, 0.0, 0.0), max=(1.0, 1.0, 1.0))])
    assert add_items(more, "probe", [PointProbe(position=(0.0, 0.0, 0.0))]).lesson == scene.lesson


def test_what_is_copied_has_no_lesson(scene):
    assert "lesson" not in json.loads(copied(scene, ["row"], ["row", "aabb-0"]))

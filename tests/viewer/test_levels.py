"""The levels of the hierarchy, walked by key: made behind the window, and no change until the view is kept."""

import pytest

from hitscope.draw.target import Target
from hitscope.resources import SCENES
from hitscope.scene import Scene, load, save
from hitscope.scene.edits import show_hierarchy
from hitscope.scene.model import AabbPrimitive, PlanePrimitive
from hitscope.viewer.actions.background import finish_job
from hitscope.viewer.actions.refresh import refresh
from hitscope.viewer.interface import keyboard
from hitscope.viewer.interface.open_state import open_state
from hitscope.viewer.panels import status
from hitscope.viewer.state.documents import Document, DocumentList


def press(state, keys):
    keyboard.press(state, keys)
    refresh(state)


TOWN = SCENES / "bulk" / "hierarchy-levels.scene.json"


def test_v_walks_down_the_levels_and_shift_v_up_again(tmp_path):
    path = tmp_path / "town.scene.json"
    save(show_hierarchy(load(TOWN), None), path)
    state = open_state(DocumentList([Document(path)]), (1280, 800))
    assert state.session.picture.level is None
    press(state, "V")
    assert state.display.viewpoint.hierarchy == 0
    finish_job(state, "preparing")
    assert len(state.session.picture.level.boxes) == len(state.session.picture.level.entered) == 1
    for _ in range(9):
        press(state, "V")
    deepest = state.session.picture.level
    assert deepest.number == deepest.deepest == state.display.viewpoint.hierarchy >= 2
    for number in range(deepest.deepest - 1, -1, -1):
        press(state, "Shift+V")
        assert state.session.picture.level.number == number
    press(state, "Shift+V")
    assert state.display.viewpoint.hierarchy is None
    assert state.session.picture.level is None
    assert not state.session.document.changed


def test_a_level_is_no_change_until_the_view_is_kept_in_the_scene(tmp_path):
    path = tmp_path / "town.scene.json"
    save(show_hierarchy(load(TOWN), None), path)
    state = open_state(DocumentList([Document(path)]), (1280, 800))
    press(state, "V")
    assert (state.session.document.changed, state.session.document.undo_name) == (False, None)
    press(state, "Ctrl+U")
    press(state, "Ctrl+S")
    assert load(path).view.hierarchy == 0


def test_escape_takes_the_hierarchy_away_after_the_selection(tmp_path):
    path = tmp_path / "town.scene.json"
    save(load(TOWN), path)
    state = open_state(DocumentList([Document(path)]), (1280, 800))
    finish_job(state, "preparing")
    state.selection.select(Target("probe", state.session.scene.probe_ids[0]))
    press(state, "Escape")
    assert (state.selection.targets, state.display.viewpoint.hierarchy) == ((), 2)
    press(state, "Escape")
    assert (state.display.viewpoint.hierarchy, state.session.picture.level) == (None, None)
    assert not state.session.document.changed


def test_another_document_has_its_own_level(tmp_path):
    path = tmp_path / "town.scene.json"
    save(show_hierarchy(load(TOWN), None), path)
    state = open_state(DocumentList([Document(path), Document(TOWN)]), (1280, 800))
    press(state, "V")
    press(state, "]")
    assert state.display.viewpoint.hierarchy == 2
    press(state, "Escape")
    press(state, "[")
    assert state.display.viewpoint.hierarchy == 0
    finish_job(state, "preparing")
    assert state.session.picture.level.number == 0


def test_a_scene_that_shows_a_level_opens_with_it():
    state = open_state(DocumentList([Document(TOWN)]), (1280, 800))
    finish_job(state, "preparing")
    assert state.session.picture.level.number == 2
    assert 0 < len(state.session.picture.level.entered) < len(state.session.picture.level.boxes)


@pytest.mark.parametrize(
    "primitive, says",
    [
        (
            AabbPrimitive(id="giant", min=(0.0, 0.0, 0.0), max=(1e300, 1.0, 1.0)),
            "no hierarchy: these primitives are too large for its boxes of float32",
        ),
        (
            PlanePrimitive(id="floor", normal=(0.0, 1.0, 0.0), offset=0.0),
            "no hierarchy: only boxes and triangles have one",
        ),
    ],
)
def test_where_there_can_be_no_hierarchy_v_says_why_however_often_it_is_pressed(tmp_path, primitive, says):
    path = tmp_path / "a.scene.json"
    save(Scene(version=1, primitives=(primitive,), probes=()), path)
    state = open_state(DocumentList([Document(path)]), (1280, 800))
    press(state, "V")
    assert (state.display.viewpoint.hierarchy, state.session.picture.level) == (0, None)
    finish_job(state, "preparing")
    assert status.status_text(state) == says
    press(state, "V")
    assert (state.display.viewpoint.hierarchy, status.status_text(state)) == (0, says)
    press(state, "Shift+V")
    assert (state.display.viewpoint.hierarchy, status.status_text(state)) == (None, "no hierarchy is shown")

"""The levels of the hierarchy, walked by key: built in the background, and no edit until the view is kept."""

import pytest

from hitscope.draw.target import Target
from hitscope.resources import SCENES
from hitscope.scene import Scene, load, save
from hitscope.scene.edits import show_hierarchy
from hitscope.scene.items import AabbPrimitive, PlanePrimitive
from tests.viewer.user import status_of

pytestmark = pytest.mark.without_panels

TOWN = SCENES / "bulk" / "hierarchy-levels.scene.json"


def test_v_walks_down_the_levels_and_shift_v_up_again(open_viewer, tmp_path):
    path = tmp_path / "town.scene.json"
    save(show_hierarchy(load(TOWN), None), path)
    user = open_viewer(path)
    state = user.state
    assert state.session.picture.level is None
    user.keys("V")
    assert state.display.viewpoint.hierarchy == 0
    assert len(state.session.picture.level.boxes) == len(state.session.picture.level.entered) == 1
    for _ in range(9):
        user.keys("V")
    deepest = state.session.picture.level
    assert deepest.number == deepest.deepest == state.display.viewpoint.hierarchy >= 2
    for number in range(deepest.deepest - 1, -1, -1):
        user.keys("Shift+V")
        assert state.session.picture.level.number == number
    user.keys("Shift+V")
    assert state.display.viewpoint.hierarchy is None
    assert state.session.picture.level is None
    assert not state.session.document.changed


def test_a_level_is_no_change_until_the_view_is_kept_in_the_scene(open_viewer, tmp_path):
    path = tmp_path / "town.scene.json"
    save(show_hierarchy(load(TOWN), None), path)
    user = open_viewer(path)
    state = user.state
    user.keys("V")
    assert (state.session.document.changed, state.session.document.undo_name) == (False, None)
    user.keys("Ctrl+U")
    user.keys("Ctrl+S")
    assert load(path).view.hierarchy == 0


def test_escape_takes_the_hierarchy_away_after_the_selection(open_viewer, tmp_path):
    path = tmp_path / "town.scene.json"
    save(load(TOWN), path)
    user = open_viewer(path)
    state = user.state
    state.selection.select(Target("probe", state.session.scene.probe_ids[0]))
    user.keys("Escape")
    assert (state.selection.targets, state.display.viewpoint.hierarchy) == ((), 2)
    user.keys("Escape")
    assert (state.display.viewpoint.hierarchy, state.session.picture.level) == (None, None)
    assert not state.session.document.changed


def test_another_document_has_its_own_level(open_viewer, tmp_path):
    path = tmp_path / "town.scene.json"
    save(show_hierarchy(load(TOWN), None), path)
    user = open_viewer(path, TOWN)
    state = user.state
    user.keys("V")
    user.keys("]")
    assert state.display.viewpoint.hierarchy == 2
    user.keys("Escape")
    user.keys("[")
    assert state.display.viewpoint.hierarchy == 0
    assert state.session.picture.level.number == 0


def test_a_scene_that_shows_a_level_opens_with_it(open_viewer):
    user = open_viewer(TOWN)
    state = user.state
    assert state.session.picture.level.number == 2
    assert 0 < len(state.session.picture.level.entered) < len(state.session.picture.level.boxes)


@pytest.mark.parametrize(
    "primitive, says",
    [
        (
            AabbPrimitive(id="giant", min=(0.0, 0.0, 0.0), max=(1e300, 1.0, 1.0)),
            "No hierarchy: these primitives are too large for its boxes of float32",
        ),
        (
            PlanePrimitive(id="floor", normal=(0.0, 1.0, 0.0), offset=0.0),
            "No hierarchy: only boxes and triangles have one",
        ),
    ],
)
def test_where_there_can_be_no_hierarchy_v_says_why_however_often_it_is_pressed(open_viewer, primitive, says):
    user = open_viewer(Scene(version=1, primitives=(primitive,), probes=()))
    state = user.state
    user.keys("V")
    assert (state.display.viewpoint.hierarchy, state.session.picture.level) == (0, None)
    assert status_of(state) == says
    user.keys("V")
    assert (state.display.viewpoint.hierarchy, status_of(state)) == (0, says)
    user.keys("Shift+V")
    assert (state.display.viewpoint.hierarchy, status_of(state)) == (None, "The hierarchy is hidden")

"""The levels of the hierarchy, walked by key: made behind the window, and no change until the view is kept."""

import pytest

from hitscope.draw.target import Target
from hitscope.resources import SCENES
from hitscope.scene import Scene, load, save
from hitscope.scene.edits import show_hierarchy
from hitscope.scene.model import AabbPrimitive, PlanePrimitive
from hitscope.viewer import keyboard
from hitscope.viewer.app import App
from hitscope.viewer.documents import Document, Shelf
from hitscope.viewer.panels import status

TOWN = SCENES / "bulk" / "hierarchy-levels.scene.json"


def test_v_walks_down_the_levels_and_shift_v_up_again(tmp_path):
    path = tmp_path / "town.scene.json"
    save(show_hierarchy(load(TOWN), None), path)
    app = App(Shelf([Document(path)]), (1280, 800))
    assert app.picture.level is None
    keyboard.press(app, "V")
    assert app.viewpoint.hierarchy == 0
    _ = app.report
    app.finish("preparing")
    assert len(app.picture.level.boxes) == len(app.picture.level.entered) == 1
    for _ in range(9):
        keyboard.press(app, "V")
    deepest = app.picture.level
    assert deepest.number == deepest.deepest == app.viewpoint.hierarchy >= 2
    for number in range(deepest.deepest - 1, -1, -1):
        keyboard.press(app, "Shift+V")
        assert app.picture.level.number == number
    keyboard.press(app, "Shift+V")
    assert app.viewpoint.hierarchy is None
    assert app.picture.level is None
    assert not app.document.changed


def test_a_level_is_no_change_until_the_view_is_kept_in_the_scene(tmp_path):
    path = tmp_path / "town.scene.json"
    save(show_hierarchy(load(TOWN), None), path)
    app = App(Shelf([Document(path)]), (1280, 800))
    keyboard.press(app, "V")
    assert (app.document.changed, app.document.undo_name) == (False, None)
    keyboard.press(app, "Ctrl+U")
    keyboard.press(app, "Ctrl+S")
    assert load(path).view.hierarchy == 0


def test_escape_takes_the_hierarchy_away_after_the_selection(tmp_path):
    path = tmp_path / "town.scene.json"
    save(load(TOWN), path)
    app = App(Shelf([Document(path)]), (1280, 800))
    app.finish("preparing")
    app.select(Target("probe", app.scene.probe_ids[0]))
    keyboard.press(app, "Escape")
    assert (app.selection, app.viewpoint.hierarchy) == ((), 2)
    keyboard.press(app, "Escape")
    assert (app.viewpoint.hierarchy, app.picture.level) == (None, None)
    assert not app.document.changed


def test_another_document_has_its_own_level(tmp_path):
    path = tmp_path / "town.scene.json"
    save(show_hierarchy(load(TOWN), None), path)
    app = App(Shelf([Document(path), Document(TOWN)]), (1280, 800))
    keyboard.press(app, "V")
    keyboard.press(app, "]")
    assert app.viewpoint.hierarchy == 2
    keyboard.press(app, "Escape")
    keyboard.press(app, "[")
    assert app.viewpoint.hierarchy == 0
    app.finish("preparing")
    assert app.picture.level.number == 0


def test_a_scene_that_shows_a_level_opens_with_it():
    app = App(Shelf([Document(TOWN)]), (1280, 800))
    app.finish("preparing")
    assert app.picture.level.number == 2
    assert 0 < len(app.picture.level.entered) < len(app.picture.level.boxes)


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
    app = App(Shelf([Document(path)]), (1280, 800))
    keyboard.press(app, "V")
    assert (app.viewpoint.hierarchy, app.picture.level) == (0, None)
    app.finish("preparing")
    assert status.status_text(app) == says
    keyboard.press(app, "V")
    assert (app.viewpoint.hierarchy, status.status_text(app)) == (0, says)
    keyboard.press(app, "Shift+V")
    assert (app.viewpoint.hierarchy, status.status_text(app)) == (None, "no hierarchy is shown")

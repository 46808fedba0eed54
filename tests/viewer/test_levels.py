"""The levels of the hierarchy, walked by key: made behind the window, kept in the scene, undone like any edit."""

from hitscope.resources import SCENES
from hitscope.scene import load, save
from hitscope.scene.edits import show_hierarchy
from hitscope.viewer import keyboard
from hitscope.viewer.app import App
from hitscope.viewer.documents import Document, Shelf

TOWN = SCENES / "bulk" / "hierarchy-levels.scene.json"


def test_v_walks_down_the_levels_and_shift_v_up_again(tmp_path):
    path = tmp_path / "town.scene.json"
    save(show_hierarchy(load(TOWN), None), path)
    app = App(Shelf([Document(path)]), (1280, 800))
    assert app.picture.level is None
    keyboard.press(app, "V")
    assert app.scene.view.hierarchy == 0
    _ = app.report
    app.finish("preparing")
    assert len(app.picture.level.boxes) == len(app.picture.level.entered) == 1
    for _ in range(9):
        keyboard.press(app, "V")
    deepest = app.picture.level
    assert deepest.number == deepest.deepest == app.scene.view.hierarchy >= 2
    for number in range(deepest.deepest - 1, -1, -1):
        keyboard.press(app, "Shift+V")
        assert app.picture.level.number == number
    keyboard.press(app, "Shift+V")
    assert app.scene.view.hierarchy is None
    assert app.picture.level is None
    keyboard.press(app, "Ctrl+Z")
    assert app.scene.view.hierarchy == 0


def test_a_scene_that_shows_a_level_opens_with_it():
    app = App(Shelf([Document(TOWN)]), (1280, 800))
    app.finish("preparing")
    assert app.picture.level.number == 2
    assert 0 < len(app.picture.level.entered) < len(app.picture.level.boxes)

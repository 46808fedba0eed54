"""What drags snap to is chosen by a click, and kept in the settings."""

import pytest
from imgui_bundle import imgui
from test_tools import BOX, NoRecorder, arrow, item, sit_down  # noqa: F401
from user import User

from hitscope.scene import Scene, save
from hitscope.scene.model import Camera as FileCamera
from hitscope.scene.model import SegmentProbe, View
from hitscope.viewer.app import App
from hitscope.viewer.documents import Document, Shelf
from hitscope.viewer.files.settings import PLAIN, SNAP_KINDS, Settings, SettingsFile
from hitscope.viewer.inputs import Refresh
from hitscope.viewer.panels import snap_panel

IT = SegmentProbe(id="it", start=(-3.0, 0.0, 2.0), end=(2.5, 0.0, 2.0))


@pytest.fixture
def places(monkeypatch):
    """Note where the words are."""
    seen = {}
    button = imgui.invisible_button

    def noted(name, size):
        clicked = button(name, size)
        lo, hi = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        seen[name] = ((lo.x + hi.x) / 2, (lo.y + hi.y) / 2)
        return clicked

    monkeypatch.setattr(snap_panel.imgui, "invisible_button", noted)
    return seen


def corner(user):
    """Drag the segment's end close to a corner of the box, and say what it is snapped to."""
    x, y = user.pixel((1.0, 1.0, 1.0))
    user.drag(user.pixel(item(user, "it").end), (x + 3, y - 2), release=False)
    said = user.app.drag.hint
    user.keys("Escape")
    user.release()
    return said


def test_a_click_on_a_word_lets_drags_snap_to_it_or_not(sit_down, places):  # noqa: F811
    user = sit_down(BOX, probes=(IT,))
    user.take(Refresh)
    assert not places.keys() & SNAP_KINDS, "without snapping there is nothing to choose"
    user.keys("S")
    assert "corner of box" in corner(user)
    user.click(places["vertex"])
    assert user.app.snap_to == frozenset(SNAP_KINDS) - {"vertex"}
    assert "corner of box" not in corner(user)
    for kind in SNAP_KINDS:
        if kind != "vertex":
            user.click(places[kind])
    assert user.app.snap_to == frozenset() and "of box" not in corner(user)
    user.click(places["vertex"])
    assert "corner of box" in corner(user)


def test_the_settings_say_what_is_snapped_to(tmp_path):
    camera = FileCamera(eye=(3.0, 4.0, 12.0), target=(0.0, 0.0, 0.0))
    save(Scene(version=1, primitives=(BOX,), probes=(IT,), view=View(camera=camera)), tmp_path / "it.scene.json")
    settings = Settings(snapping=True, snap_to=("edge",), first_start_seen=True)
    user = User(App(Shelf([Document(tmp_path / "it.scene.json")]), (1280, 800), settings=settings), NoRecorder())
    assert "edge of box" in corner(user)
    user.stand_up()
    assert PLAIN.snap_to == SNAP_KINDS


def test_a_kind_that_there_is_not_is_told_and_all_are_taken(tmp_path):
    (tmp_path / "settings.json").write_text('{"snap_to": ["vertex", "corner"]}')
    file = SettingsFile(tmp_path / "settings.json")
    assert file.settings.snap_to == SNAP_KINDS
    assert "expected an array with some of vertex, edge, parallel, boundary, face, grid" in file.problems[0]

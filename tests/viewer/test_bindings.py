"""The one table of bindings: complete, and free of clashes."""

from hitscope.viewer import keyboard, status
from hitscope.viewer.app import App
from hitscope.viewer.bindings import AXES, GESTURES, KEYS
from hitscope.viewer.documents import Shelf


def test_no_keys_are_bound_twice():
    written = [key.keys for key in KEYS] + list(AXES)
    assert len(set(written)) == len(written)


def test_no_sequence_begins_with_a_key_that_acts_at_once():
    acting = {key.keys for key in KEYS if " " not in key.keys}
    assert not acting & {key.keys.split()[0] for key in KEYS if " " in key.keys}


def test_keys_that_belong_to_the_gizmos_are_free():
    assert not {"W", "E", "R"} & {key.keys for key in KEYS}


def test_everything_bound_is_explained():
    assert all(entry.says for entry in (*KEYS, *GESTURES))


def test_after_n_one_is_told_what_can_be_drawn():
    app = App(Shelf([]), (1280, 800))
    keyboard.press(app, "N")
    kinds = ("S new segment", "R new ray", "L new line", "P new point", "T new triangle", "B new box")
    assert status.hint(app).split("   ·   ") == ["N …", *kinds, "Esc cancels"]
    keyboard.press(app, "S")
    assert status.hint(app) == "drag to draw a segment   ·   Esc cancels"
    keyboard.press(app, "Escape")
    assert status.hint(app) == ""

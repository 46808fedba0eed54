"""The status line during drags, in windows of several sizes."""

import pytest

from hitscope.viewer.interface.bindings import commands_of
from hitscope.viewer.panels import text
from tests.viewer.samples import ABOVE, BOX, SAIL


@pytest.fixture
def line(open_items, monkeypatch):
    """A user of a box, and a function that returns what the status line then says."""
    user, written = open_items(BOX, SAIL), []

    def at(x, y, words, colour):
        written.append((y, words))
        return x + text.width(words)

    def reads():
        written.clear()
        user.move(user.mouse)
        return "".join(words for y, words in written if y > user.state.display.layout.status.top)

    monkeypatch.setattr(text, "draw_at", at)
    return user, reads


def test_what_can_be_done_in_a_drag_is_read_to_its_end(line):
    user, reads = line
    x, y = user.pixel(ABOVE.end)
    user.drag((x, y), (x + 61, y - 23), release=False)
    keys = "X Y Z axis, Shift+ plane   ·   type a distance   ·   Ctrl snaps   ·   Esc cancels"
    assert keys in reads() and "…" not in reads()


def test_what_is_snapped_to_is_read_first_in_a_small_window(line):
    user, reads = line
    user.resize(640, 480)
    start, corner = user.pixel(ABOVE.end), user.pixel((1.0, 1.0, 1.0))
    user.key_down("Ctrl")
    user.drag(start, corner, modifiers=("Ctrl",), release=False)
    assert reads().startswith("corner of box   ·   end by ")
    assert "…" not in reads()


def test_a_small_window_names_the_key_of_the_help_first(line):
    user, reads = line
    user.resize(640, 480)
    user.move(user.pixel((0.0, 4.0, 0.0)))
    assert "Left" in reads() and "H" in reads() and "Middle" not in reads()


def test_the_key_that_makes_a_new_box_a_primitive_is_the_users_own(open_items):
    user = open_items(BOX, SAIL)
    user.state.commands = commands_of({"exchange": "Ctrl+Shift+B"})
    user.keys("N", "B")
    x, y = user.pixel((-2.0, 0.0, 3.0))
    user.drag((x, y), (x + 60, y))
    assert user.state.messages.notice == "aabb-1 is a probe   ·   Ctrl+Shift+B makes it a primitive"


def test_the_pictures_a_second_are_shown_on_command(line):
    user, reads = line
    user.state.host.picture_seconds = 0.025
    assert "pictures/s" not in reads()
    user.keys("Ctrl+Shift+P")
    user.type("fps")
    user.keys("Enter")
    assert "40 pictures/s, 25 ms each" in reads()


def test_what_was_done_is_told_beside_the_mouse_for_a_moment_and_then_in_the_line(line):
    user, reads = line
    toast = user.interface._toast
    user.move((500, 400))
    user.keys("5")
    assert (toast.shown, toast.pixel) == ("Orthographic", (500.0, 400.0))
    user.move((520, 400))
    assert toast.pixel == (500.0, 400.0), "it stays where it was told"
    assert "Orthographic" not in reads()
    user.pass_time(5000)
    user.move((540, 400))
    assert toast.shown == "" and "Orthographic" in reads()
    user.move(user.middle_of("undo"))
    user.keys("5")
    assert toast.shown == "Perspective" and toast.pixel is None

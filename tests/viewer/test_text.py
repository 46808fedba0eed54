"""Text in the panels: where its lines break."""

from itertools import pairwise

import pytest
from imgui_bundle import imgui

from hitscope.viewer.panels import text


@pytest.fixture
def frame(open_viewer):
    """Make a frame, in which texts have widths; the test runs in it."""
    gui = open_viewer().interface.gui
    gui._use()
    imgui.new_frame()
    yield
    imgui.end_frame()


LINE = 'Cannot cut one element of "towers of boxes": see a.scene.json, t = 0.5 or «a b», and «b c»'


def test_an_opening_quote_stays_with_its_word_at_any_width(frame):
    for room in range(120, 700, 3):
        lines = text.wrapped(LINE, room).split("\n")
        assert " ".join(lines) == LINE
        assert not any(line.endswith((' "', "«")) or line in ('"', "«") for line in lines)
        assert all(text.width(line) <= room or " " not in line for line in lines)


def test_a_number_and_a_file_name_are_not_broken_behind_their_point(frame):
    for room in range(120, 700, 3):
        words = [word for line in text.wrapped(LINE, room).split("\n") for word in line.split(" ")]
        assert "a.scene.json," in words and "0.5" in words


def test_dear_imgui_breaks_no_line_that_is_wrapped(frame):
    for room in range(150, 700, 7):
        lines = text.wrapped(LINE, room)
        assert imgui.calc_text_size(lines, False, room).y == imgui.calc_text_size(lines).y


def test_lines_are_as_full_as_their_words_allow(frame):
    room = 200.0
    lines = text.wrapped(LINE, room).split("\n")
    for line, after in pairwise(lines):
        assert text.width(f"{line} {after.split(' ')[0]}") > room


def test_given_line_breaks_and_spaces_stay(frame):
    assert text.wrapped("a\n\n  b  c", 500.0) == "a\n\n  b  c"


@pytest.mark.parametrize("room", [120.0, 150.0, 160.0, 170.0, 180.0])
def test_a_cut_leaves_room_for_the_word_beside_it(frame, room):
    shown = text.cut_lines(LINE, 2, room, aside="more")
    last = text.wrapped(shown, room).splitlines()[-1]
    assert shown.endswith(" …") and text.width(f"{last} more") <= room


def test_as_many_words_are_cut_as_the_drawn_lines_hold(frame):
    shown = text.cut_lines(LINE, 2, 180.0)
    assert shown.endswith(" …")
    assert text.wrapped(shown, 180.0).count("\n") == 1

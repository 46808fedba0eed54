"""The section of the current pair: one sentence that is never cut, and numbers aligned at the decimal point."""

import re

import pytest
from msgspec.structs import replace

from hitscope.scene import Scene
from hitscope.scene.items import RayProbe, SphereProbe
from hitscope.viewer.panels import pair_panel, text
from hitscope.viewer.panels.style import QUIET
from hitscope.viewer.panels.widgets import Caption, fitted_alike
from tests.viewer.samples import BOX, VIEW

CUT = RayProbe(id="cut", origin=(-13.0, 0.25, -0.5), direction=(0.9, 0.0, 0.0))
SCENE = Scene(version=1, primitives=(BOX,), probes=(CUT,), view=VIEW)
DIGIT = 7
"""The width of a digit in the panels, in pixels."""


@pytest.fixture
def drawn(monkeypatch):
    """What `text.draw_at` drew in the last frame: (x, y, width, text), in pixels."""
    found = []
    draw_at = text.draw_at

    def note(x, y, words, colour):
        found.append((x, y, text.width(words), words))
        return draw_at(x, y, words, colour)

    monkeypatch.setattr(text, "draw_at", note)
    return found


def frame_of(user, drawn):
    """What one frame draws."""
    user.leave()
    drawn.clear()
    user.pass_time(20)
    user.interface._make_frames(1)
    return drawn


@pytest.mark.parametrize("width", [220, 260, 320, 440])
def test_the_sentence_wraps_in_a_narrow_panel_and_is_never_cut(open_viewer, drawn, width):
    user = open_viewer(SCENE, size=(1280, 800))
    user.click_on("probe cut")
    x, y = user.middle_of("panel edge")
    user.drag((x, y), (1280 - width, y))
    panel = user.state.display.layout.panel
    assert panel.width == pytest.approx(width, abs=4)
    texts = frame_of(user, drawn)
    first = next(i for i, (*_, words) in enumerate(texts) if words == "hit:")
    sentence = ["hit:", "enters", "face −x", "at", "t = 13.33"]
    last = first + len(sentence)
    assert [words for *_, words in texts[first:last]] == sentence
    assert all(x + room <= panel.left + panel.width for x, _, room, _ in texts[first:last])


@pytest.mark.parametrize("width", [220, 320])
def test_numbers_are_aligned_at_the_decimal_point(open_viewer, drawn, width):
    user = open_viewer(SCENE, size=(1280, 800))
    user.click_on("probe cut")
    user.click_on("part Numbers")
    x, y = user.middle_of("panel edge")
    user.drag((x, y), (1280 - width, y))
    texts = frame_of(user, drawn)
    points = []
    for name in ("t enter", "t exit"):
        top = next(y for _, y, _, words in texts if words == name)
        x, *_, words = next(row for row in texts if row[1] == top and re.match(r"[−\d]", row[3]))
        points.append(x + len(re.split(r"\.", words)[0]) * DIGIT)
    assert max(points) - min(points) <= 1


def test_the_digits_are_of_one_width(open_viewer, drawn, monkeypatch):
    user = open_viewer(SCENE)
    widths = set()
    show = pair_panel.show_answers

    def note(answers):
        widths.update(text.width(digit) for digit in "0123456789")
        show(answers)

    monkeypatch.setattr(pair_panel, "show_answers", note)
    user.click_on("probe cut")
    user.click_on("part Numbers")
    assert widths == {DIGIT}


def test_captions_of_a_list_are_in_brief_in_all_rows_or_in_none(open_viewer, monkeypatch):
    user = open_viewer(SCENE)
    rows = [
        ("a", [Caption("✓ hit", QUIET, brief="✓")]),
        (
            "a-name-that-is-long",
            [Caption("3 of 12 wrong", QUIET, brief="3/12"), Caption("✓ hit", QUIET, brief="✓")],
        ),
    ]
    seen = []
    update = user.interface._side_panels.show

    def show():
        seen[:] = [[[caption.words for caption in row] for row in fitted_alike(rows, w)] for w in (400, 290, 200)]
        update()

    monkeypatch.setattr(user.interface._side_panels, "show", show)
    user.move((300, 300))
    wide, narrower, narrow = seen
    assert wide == [["✓ hit"], ["3 of 12 wrong", "✓ hit"]]
    assert narrower in (wide, [["✓"], ["3 of 12 wrong", "✓"]])
    assert narrow == [["✓"], ["3/12", "✓"]]


def test_the_answer_is_first_and_its_numbers_are_folded(open_viewer, drawn):
    user = open_viewer(SCENE)
    user.click_on("probe cut")
    user.leave()
    said = [words for *_, words in frame_of(user, drawn)]
    top = next(y for _, y, _, words in drawn if words == "hit:")
    assert top < user.find("part Numbers").top < user.find("part Methods").top < user.find("part Item").top
    assert "t exit" not in said
    user.click_on("part Numbers")
    said = [words for *_, words in frame_of(user, drawn)]
    assert "t exit" in said and "–" not in said and "distance" not in said, "a hit has none"


def test_both_types_of_a_pair_are_in_words_where_one_has_several(open_viewer, drawn):
    ball = SphereProbe(id="ball", center=(0.0, 5.0, 0.0), radius=0.5, motion=(0.0, -4.0, 0.0))
    user = open_viewer(replace(SCENE, probes=(ball,)))
    user.click_on("probe ball")
    assert "Methods for cast sphere and aabb" in [words for *_, words in frame_of(user, drawn)]


def test_without_a_selection_the_panel_is_short_says_what_decides_and_moves_nothing(open_viewer, drawn):
    user = open_viewer(SCENE)
    user.move((1270, 790))
    assert user.state.display.view.viewport[2] + user.state.display.view.viewport[0] == 1280
    said = [words for *_, words in frame_of(user, drawn)]
    assert "exact" in said and "hit:" not in said and not user.sees("part Item")
    start = user.pixel(CUT.origin)
    user.click_on("probe cut")
    assert user.sees("part Item") and user.pixel(CUT.origin) == pytest.approx(start)


def test_what_is_hovered_is_answered_in_the_short_panel(open_viewer, drawn):
    user = open_viewer(SCENE)
    user.move(user.pixel((0.0, 0.0, 1.0)))
    drawn.clear()
    user.interface._make_frames(1)
    assert "hit:" in [words for *_, words in drawn] and not user.sees("part Methods")

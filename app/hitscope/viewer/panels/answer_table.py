"""The table of a pair's answers: names, and beside them words, or numbers aligned at the decimal point.

The digits of the typeface are of equal width.
"""

from collections.abc import Sequence
from typing import NamedTuple

from imgui_bundle import ImVec2, imgui

from hitscope import numerals
from hitscope.viewer.panels import text, widgets
from hitscope.viewer.panels.style import FAINT, QUIET, TEXT, pixels

FEWEST_DIGITS = 3
"""The fewest significant digits of a number beside two others; with fewer they get a line."""
BETWEEN = 10.0
"""The space between two columns, in points."""


class Answer(NamedTuple):
    """A row of the table."""

    name: str
    value: str | tuple[float | None, ...]
    """Words, one number or the three of a vector; None is a dash."""
    meaning: str
    """The tooltip; the full numbers follow it."""
    aside: str = ""
    """Words beside one number, left out where there is no space."""
    more: str = ""
    """Words after the full numbers in the tooltip."""


def show(answers: Sequence[Answer]) -> None:
    start, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    names = max(text.width(answer.name) for answer in answers) + pixels(BETWEEN)
    numbers = [answer.value for answer in answers if isinstance(answer.value, tuple)]
    vectors = [value for value in numbers if len(value) > 1]
    below = not _fit(vectors, room - names, FEWEST_DIGITS)
    digits = next(
        (n for n in range(numerals.SHORT, FEWEST_DIGITS, -1) if _fit(vectors, room - names * (not below), n)),
        FEWEST_DIGITS,
    )
    for answer in answers:
        y, column = imgui.get_cursor_screen_pos().y, start.x + names
        text.draw_at(start.x, y, answer.name, QUIET)
        if isinstance(answer.value, str):
            imgui.set_cursor_screen_pos(ImVec2(column, y))
            text.paragraph(answer.value, TEXT)
        else:
            own_line = below and len(answer.value) > 1
            top = y + imgui.get_text_line_height_with_spacing() * own_line
            left = start.x if own_line else column
            aligned = vectors if own_line else [value for value in numbers if not below or len(value) == 1]
            _draw_numbers(answer, aligned, ImVec2(left, top), start.x + room - left, digits)
            imgui.set_cursor_screen_pos(ImVec2(start.x, top))
            imgui.dummy(ImVec2(room, imgui.get_text_line_height()))
        height = imgui.get_cursor_screen_pos().y - y
        if widgets.is_line_hovered(ImVec2(start.x, y), start.x + room, height):
            _show_tooltip(answer)
    imgui.set_cursor_screen_pos(ImVec2(start.x, imgui.get_cursor_screen_pos().y))


def _draw_numbers(
    answer: Answer, aligned: Sequence[tuple[float | None, ...]], corner: ImVec2, room: float, digits: int
) -> None:
    """Draw numbers in three columns of `room`, the decimal point where those of the `aligned` rows are."""
    assert isinstance(answer.value, tuple)
    for k, value in enumerate(answer.value):
        column = [row[k] for row in aligned if len(row) > k]
        before = max(text.width(_parts(number, digits)[0]) for number in column)
        x = corner.x + k * room / 3 + before - text.width(_parts(value, digits)[0])
        text.draw_at(x, corner.y, numerals.typeset(value, digits), FAINT if value is None else TEXT)
    ends = [text.width(numerals.typeset(row[0], digits)) for row in aligned if len(row) == 1]
    if answer.aside and (left := max(room / 3, max(ends) + pixels(BETWEEN))) + text.width(answer.aside) <= room:
        text.draw_at(corner.x + left, corner.y, answer.aside, FAINT)


def _fit(vectors: Sequence[tuple[float | None, ...]], room: float, digits: int) -> bool:
    """Whether the columns of vectors fit into `room` pixels with so many digits."""
    for column in zip(*vectors, strict=True):
        parts = [_parts(value, digits) for value in column]
        width = max(text.width(before) for before, _ in parts) + max(text.width(after) for _, after in parts)
        if width + pixels(BETWEEN) > room / 3:
            return False
    return True


def _parts(value: float | None, digits: int) -> tuple[str, str]:
    """A number's text up to its decimal point or exponent, and from there."""
    words = numerals.typeset(value, digits)
    at = next((i for i, sign in enumerate(words) if sign in ".e"), len(words))
    return words[:at], words[at:]


def _show_tooltip(answer: Answer) -> None:
    values = answer.value if isinstance(answer.value, tuple) else ()
    full = [numerals.whole(value) for value in values if value is not None]
    with widgets.tooltip_window():
        imgui.text_unformatted("\n".join([answer.meaning, *full, *filter(None, [answer.more])]))

"""The strip of a review, below the picture: what differs, and the buttons to accept, reject and skip."""

from functools import lru_cache
from typing import Final, NamedTuple

from imgui_bundle import ImVec2, ImVec4, imgui

from hitscope.draw.items import Role
from hitscope.draw.target import Targets, targets_of
from hitscope.evaluate import Report, acceptance, expectation_words
from hitscope.viewer.actions import command_palette, review, view
from hitscope.viewer.panels import style, text, widgets
from hitscope.viewer.panels.style import ACCENT, FAINT, LINE, QUIET, TEXT, pixels
from hitscope.viewer.state.messages import Choice
from hitscope.viewer.state.state import State

PADDING, GAP, ROW = 12.0, 8.0, 5.0
"""The space inside the strip, between its parts, and between two differences, in points."""
MOST_ROWS, LEAST_ROWS = 5.5, 2.5
"""The most differences that are seen at once, and the least."""
LARGEST = 0.34
"""The part of the height of strip and picture from which on fewer differences are seen."""
BUTTONS: Final = {"review_skip": "Skip", "review_reject": "Reject", "review_accept": "Accept"}
"""The labels of the buttons that decide, by the names of their commands."""
COLOURS: Final[dict[Choice, Role]] = {"accepted": Role.HIT, "rejected": Role.MISS}


class _Difference(NamedTuple):
    """An expectation that does not hold: its ImGui id, its subject, what changes by accepting it, and its pair."""

    key: str
    subject: str
    change: str
    pair: Targets


def height(state: State) -> float:
    """The height that the strip needs, in pixels."""
    layout, row, around = state.display.layout, imgui.get_text_line_height() + pixels(ROW), _around()
    rows = max(len(differences_of(state.session.report)), 1) if state.messages.review.left else 1
    free = LARGEST * (layout.picture.height + layout.strip.height) - around
    return around + min(rows, MOST_ROWS, max(LEAST_ROWS, free / row)) * row


def _around() -> float:
    """The height of all but the rows, in pixels."""
    line, buttons = imgui.get_text_line_height(), imgui.get_frame_height()
    return 2 * pixels(PADDING) + 2 * line + buttons + 3 * pixels(GAP)


def show(state: State) -> None:
    """Draw the strip of the scene under review; after the last one, a summary."""
    rect = state.display.layout.strip
    if not rect.height:
        return
    left, top, width, high = rect
    room, shown, buttons = width - 2 * pixels(PADDING), high - _around(), imgui.get_frame_height()
    with style.strip("review", rect, PADDING):
        _heading(state, room)
        imgui.dummy(ImVec2(0, pixels(GAP)))
        with widgets.scroll_area(f"differences {state.session.document.path}", shown):
            if state.messages.review.left:
                for difference in differences_of(state.session.report):
                    _row(state, difference)
            else:
                text.paragraph(_summary(state), TEXT)
        _buttons(state, left + pixels(PADDING), top + high - pixels(PADDING) - buttons, room)


def _heading(state: State, room: float) -> None:
    """Draw how far the review is, a segment for each scene, and the name of the file."""
    known = state.messages.review
    document, documents = state.session.document, known.documents
    start, line = imgui.get_cursor_screen_pos(), imgui.get_text_line_height()
    with text.bold():
        x = text.draw_at(start.x, start.y, "Review", TEXT) + pixels(8)
    index, decisions = documents.index(document), [known.decision(other) for other in documents]
    first = text.draw_at(x, start.y, f"{index + 1} of {len(documents)}", QUIET) + pixels(14)
    last = start.x + room
    if (decided := decisions[index]) is not None:
        words, colour = decided.choice.capitalize(), _colour(decided.choice)
        last = text.draw_right_aligned(last, start.y, words, colour) - pixels(14)
    colours = [LINE if decision is None else _colour(decision.choice) for decision in decisions]
    colours[index] = ACCENT
    widgets.segments(first, last, start.y + line / 2, colours)
    below = start.y + line + pixels(GAP / 2)
    with text.small():
        text.draw_at(start.x, below, text.cut_middle(str(document.path), room), QUIET)
    imgui.set_cursor_screen_pos(ImVec2(start.x, below + line - pixels(GAP / 2)))


def _row(state: State, difference: _Difference) -> None:
    """Draw a difference; a click selects its pair."""
    selection = state.selection
    start, height = imgui.get_cursor_screen_pos(), imgui.get_text_line_height() + pixels(ROW)
    room = imgui.get_content_region_avail().x
    chosen = set(difference.pair) <= {*selection.targets, selection.partner(state.session.picture)}
    if imgui.selectable(f"##{difference.key}", chosen, 0, ImVec2(0, height))[0]:
        state.do(view.show_pair, *difference.pair)
    y = start.y + (height - imgui.get_text_line_height()) / 2
    change, left = text.cut_end(difference.change, 0.62 * room), start.x + pixels(4)
    right = text.draw_right_aligned(start.x + room - pixels(4), y, change, TEXT) - pixels(8)
    text.draw_at(left, y, text.cut_middle(difference.subject, right - left), QUIET)
    widgets.tooltip(f"{difference.subject}\n{difference.change}\nClick to select the pair.")


def _buttons(state: State, x: float, y: float, room: float) -> None:
    """Draw the choice of what the picture shows at the left, and the buttons that decide at the right."""
    right = x + room
    names = BUTTONS if state.messages.review.left else {"undo": "Undo", "quit": "Close the window"}
    for name, label in reversed(names.items()):
        keys = state.commands.pressed(name)
        width = widgets.button_width(f"{label}  {keys}")
        imgui.set_cursor_screen_pos(ImVec2(right - width, y))
        start, padding = imgui.get_cursor_screen_pos(), imgui.get_style().frame_padding
        with widgets.lit(name in ("review_accept", "quit")):
            if imgui.button(f"##{name}", ImVec2(width, imgui.get_frame_height())):
                state.do(command_palette.run, name)
        text.draw_at(start.x + padding.x, start.y + padding.y, label, TEXT)
        text.draw_right_aligned(start.x + width - padding.x, start.y + padding.y, keys, FAINT)
        widgets.tooltip(state.commands.hint(name))
        right -= width + pixels(GAP)
    if not state.messages.review.left or right - x < pixels(110):
        return
    shown = "expected" if review.shows_expected(state) else "found"
    keys = state.commands.pressed("review_expected")
    also = f" ({keys})" if keys else ""
    meanings = {"found": f"Colour what was found{also}.", "expected": f"Colour what is expected{also}."}
    with text.small():
        height = imgui.get_text_line_height() + pixels(6)
    imgui.set_cursor_screen_pos(ImVec2(x, y + (imgui.get_frame_height() - height) / 2))
    if widgets.choice("review shows", meanings, shown, min(right - x, pixels(160))) != shown:
        state.do(review.toggle_expected)


@lru_cache(maxsize=1)  # every frame asks
def differences_of(report: Report) -> list[_Difference]:
    """The differences in a report, an expectation each."""
    first = {mismatch.expectation_index: mismatch for mismatch in reversed(report.mismatches)}
    found = []
    for index, new in sorted(acceptance.accepted(report).items()):
        old, mismatch = report.scene.expect[index], first[index]
        subject = expectation_words.subject(old)
        if method := old.method_name:
            subject += f" ({method})"
        change = mismatch.words if new == old else expectation_words.change(old, new)
        pair = targets_of(old.probe, mismatch.primitive or old.primitive or None)
        found.append(_Difference(f"difference {index}", subject, change, pair))
    return found


def _summary(state: State) -> str:
    decided = [one.choice for one in state.messages.review.decided]
    if len(decided) == 1:
        return f"The scene is {decided[0]}."
    counts = ((choice, decided.count(choice)) for choice in ("accepted", "rejected", "skipped"))
    words = ", ".join(f"{count:,} {choice}" for choice, count in counts if count)
    return f"All {len(decided):,} scenes are reviewed: {words}."


def _colour(choice: Choice) -> ImVec4:
    return style.role(COLOURS[choice]) if choice in COLOURS else QUIET

"""The strip of a lesson, below the picture: what a step says and what is to do; at the end, what follows."""

from collections.abc import Sequence
from typing import NamedTuple

from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.draw.items import Role
from hitscope.evaluate import expectation_words
from hitscope.scene.model import Condition, LessonStep
from hitscope.viewer.actions import command_palette, lessons
from hitscope.viewer.panels import style, text, widgets
from hitscope.viewer.panels.style import ACCENT, LINE, QUIET, TEXT, pixels
from hitscope.viewer.state.messages import LessonProgress
from hitscope.viewer.state.rebinding import display_keys
from hitscope.viewer.state.state import State

PADDING, GAP, MARK, BETWEEN, CROSS = 12.0, 8.0, 22.0, 18.0, 22.0
"""The space inside the strip and between its parts, the width of a condition's mark, the space between two, and
the width of the cross that closes the strip, in points."""
LARGEST = 0.42
"""The largest part of the height that strip and picture have together; two lines of the text are always seen."""
LOW_WHILE_STEPPING = 320.0
"""With less height for strip and picture, in points, the strip gives way to what is stepped through."""


class Button(NamedTuple):
    """A button: the command that it runs, its label, and the icon that stands alone where there is no room."""

    command: str
    label: str
    icon: str
    enabled: bool = True


def height(state: State) -> float:
    """The height that the strip needs, in pixels; 0 without a lesson, or where there is no room.

    It is the same for all steps of a lesson, so that the picture stays where it is.
    """
    progress, layout = state.messages.lessons.shown(state.session.document), state.display.layout
    room, high = _room(state), layout.picture.height + layout.strip.height
    if progress is None or not state.display.panels or _labels(_buttons(state, progress), room) is None:
        return 0.0
    if state.display.stepping.is_open and high < pixels(LOW_WHILE_STEPPING):
        return 0.0
    parts = [_parts(step, room) for step in progress.steps(state.session.scene)]
    around, least = 2 * pixels(PADDING) + imgui.get_frame_height() + pixels(GAP), 2 * imgui.get_text_line_height()
    wanted = around + min(max(words + tasks for words, tasks in parts), max(LARGEST * high - around, least))
    return wanted if wanted < high else 0.0


def show(state: State) -> None:
    progress, rect = state.messages.lessons.shown(state.session.document), state.display.layout.strip
    room = _room(state)
    labels = None if progress is None else _labels(_buttons(state, progress), room)
    if progress is None or labels is None or not rect.height:
        return
    with style.strip("lesson", rect, PADDING):
        x, y = rect.left + pixels(PADDING), rect.top + pixels(PADDING)
        _heading(state, progress, (x, y, _show_buttons(state, labels, (x, y, room))))
        y += imgui.get_frame_height() + pixels(GAP)
        step = lessons.step_of(state, progress)
        words = _end_of(state, progress) if progress.ended else display_keys(step.say)
        tasks = 0.0 if progress.ended else _parts(step, room)[1]
        imgui.set_cursor_screen_pos(ImVec2(x, y))
        shown = rect.top + rect.height - pixels(PADDING) - tasks - y
        with widgets.scroll_area(f"say {progress.index} {progress.ended}", shown):
            text.paragraph(words, TEXT, room)
        if tasks:
            below = min(imgui.calc_text_size(text.wrapped(words, room), False, room).y, shown)
            _show_tasks(step, progress, (x, y + below + pixels(GAP), room))


def _room(state: State) -> float:
    return float(state.display.layout.picture.width - 2 * pixels(PADDING))


def _parts(step: LessonStep, room: float) -> tuple[float, float]:
    """The heights of the text of a step and of its conditions, with the gap above those, in pixels."""
    words = imgui.calc_text_size(text.wrapped(display_keys(step.say), room), False, room).y
    rows = len(_rows(step, room))
    return words, rows * imgui.get_text_line_height() + (pixels(GAP) if rows else 0.0)


def _rows(step: LessonStep, room: float) -> list[list[tuple[str, str]]]:
    """The names of the conditions with their words, in rows of as many as fit side by side."""
    rows: list[list[tuple[str, str]]] = []
    if not isinstance(step.until, Condition):
        return rows
    used = room
    for name in step.until.given:
        words = text.cut_end(expectation_words.condition(step.until, name), room - pixels(MARK))
        width = pixels(MARK + BETWEEN) + text.width(words)
        if used + width - pixels(BETWEEN) > room:
            rows.append([])
            used = 0.0
        rows[-1].append((name, words))
        used += width
    return rows


def _show_tasks(step: LessonStep, progress: LessonProgress, corner: tuple[float, float, float]) -> None:
    """Draw the conditions of a step, with a tick where one holds, from the pixel (x, y) on `room` pixels."""
    left, y, room = corner
    for row in _rows(step, room):
        x = left
        for name, words in row:
            done = name not in progress.unmet or progress.index in progress.solved
            widgets.tick(x, y, done, ACCENT)
            x = text.draw_at(x + pixels(MARK), y, words, QUIET if done else TEXT) + pixels(BETWEEN)
        y += imgui.get_text_line_height()


def _heading(state: State, progress: LessonProgress, row: tuple[float, float, float]) -> None:
    """Draw the title, how far the lesson is, and a segment for each step, from (x, y) on to the x `right`."""
    (x, y, right), count = row, len(progress.steps(state.session.scene))
    y += (imgui.get_frame_height() - imgui.get_text_line_height()) / 2
    title, colour = "End of the lesson" if progress.ended else "Lesson", TEXT
    if len(progress.solved) == count:
        title, colour = f"{icons.ICON_FA_CIRCLE_CHECK} Lesson solved", style.role(Role.HIT)
    step = f"{len(progress.solved)} of {count}" if progress.ended else f"step {progress.index + 1} of {count}"
    with text.bold():
        if x + text.width(f"{title}  {step}") < right:
            x = text.draw_at(x, y, title, colour) + pixels(8)
    if x + text.width(step) > right:
        return
    first = text.draw_at(x, y, step, QUIET) + pixels(14)
    done = dict.fromkeys(progress.solved, style.role(Role.HIT))
    if not progress.ended:
        done[progress.index] = ACCENT
    middle = y + imgui.get_text_line_height() / 2
    widgets.segments(first, right - pixels(10), middle, [done.get(i, LINE) for i in range(count)])


def _buttons(state: State, progress: LessonProgress) -> list[Button]:
    """The buttons from left to right; the last one is the main one."""
    back = Button("lesson_back", "Back", icons.ICON_FA_ARROW_LEFT, progress.ended or progress.index > 0)
    if progress.ended:
        onward = "Close the lesson" if lessons.next_lesson(state) is None else "Next lesson"
        gallery = Button("gallery", "Gallery", icons.ICON_FA_TABLE_CELLS_LARGE)
        return [back, gallery, Button("lesson_continue", onward, icons.ICON_FA_ARROW_RIGHT)]
    goes_on = lessons.can_continue(state)
    undo = Button("lesson_back_on_track", "Undo this step", icons.ICON_FA_ARROW_ROTATE_LEFT)
    # Skip is beside the button that goes on, so that the second click of a double click skips no task.
    skip = [] if goes_on else [Button("lesson_skip", "Skip", icons.ICON_FA_FORWARD_STEP)]
    fill = [Button("lesson_fill_in", "Fill in", icons.ICON_FA_PEN)] if lessons.numbers_to_fill_in(state) else []
    last = progress.index + 1 == len(progress.steps(state.session.scene))
    return [back, undo, *fill, *skip, Button("lesson_continue", "Finish" if last else "Continue", "", goes_on)]


def _labels(buttons: Sequence[Button], room: float) -> list[tuple[Button, str]] | None:
    """The buttons with their labels on `room` pixels, if possible beside the step; None where they do not fit."""
    beside, room = text.width("step 8 of 8") + pixels(GAP), room - pixels(CROSS + GAP)
    for brief, free in ((False, room - beside), (True, room - beside), (True, room)):
        labels = [button.icon if brief and button is not buttons[-1] else button.label for button in buttons]
        if sum(widgets.button_width(label) + pixels(GAP) for label in labels) <= free:
            return list(zip(buttons, labels, strict=True))
    return None


def _show_buttons(state: State, labels: list[tuple[Button, str]], row: tuple[float, float, float]) -> float:
    """Draw the buttons, and the cross that closes the strip, from the right; return where they begin."""
    x, y, room = row
    high, right = imgui.get_frame_height(), x + room - pixels(CROSS)
    corner, size, hint = ImVec2(right, y), ImVec2(pixels(CROSS), high), state.commands.hint("toggle_lesson")
    if widgets.flat_button("close lesson", corner, size, icons.ICON_FA_XMARK, hint, has_ground=False):
        state.do(command_palette.run, "toggle_lesson")
    for button, label in reversed(labels):
        right -= widgets.button_width(label) + pixels(GAP)
        imgui.set_cursor_screen_pos(ImVec2(right, y))
        with widgets.lit(button.command == "lesson_continue"):
            widgets.command_button(state, button.command, f"{label}##{button.command}", enabled=button.enabled)
    return right


def _end_of(state: State, progress: LessonProgress) -> str:
    """Return the text of the end: which steps were solved or skipped, and the next lesson with its subject."""
    skipped = sorted(set(range(len(progress.steps(state.session.scene)))) - progress.solved)
    name, following = state.session.scene.name or state.session.document.title, lessons.next_lesson(state)
    said = f"Well done: «{name}» is solved, step by step."
    if skipped:
        numbers = ", ".join(str(i + 1) for i in skipped)
        said = f"Skipped in «{name}»: {'step' if len(skipped) == 1 else 'steps'} {numbers}. Back leads there."
    if following is None:
        return f"{said}\nThe gallery has more scenes, each about one method or one degenerate case."
    return f"{said}\nNext: «{following.name}». {text.sentence(following.line.removeprefix('A lesson: '))}"

"""The card of a lesson's step, at the bottom of the picture: what it says, and what is still to do."""

from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.draw.items import Role
from hitscope.evaluate import expectation_words
from hitscope.scene.model import Condition, LessonStep
from hitscope.viewer.actions import command_palette, lessons
from hitscope.viewer.panels import style, text, widgets
from hitscope.viewer.panels.style import ACCENT, LINE, QUIET, TEXT, Fonts, pixels
from hitscope.viewer.state.messages import LessonProgress
from hitscope.viewer.state.rebinding import display_keys
from hitscope.viewer.state.state import State

WIDTH, PADDING, MARGIN = 460.0, 14.0, 14.0
"""The card's largest width, the space inside it, and that around it, in points."""
GAP, MARK, ROW_GAP = 8.0, 22.0, 4.0
"""Between the parts of the card, the width of a condition's mark, and between two conditions, in points."""
BACK, BACK_ON_TRACK = ("Back", icons.ICON_FA_ARROW_LEFT), ("Undo this step", icons.ICON_FA_ARROW_ROTATE_LEFT)
SKIP = "Skip", icons.ICON_FA_FORWARD_STEP
"""The labels of the buttons, and their icons, which stand alone where there is no room for words."""
LARGEST = 0.42
"""The largest part of the picture's height that the card takes, so that it does not cover the middle.

In a low picture it is larger: two lines of the text are always seen.
"""
LOW_WHILE_STEPPING = 320.0
"""In a picture lower than this, in points, the card gives way to what is stepped through."""


def show(state: State, fonts: Fonts) -> None:
    progress, display = state.messages.lessons.shown(state.session.document), state.display
    if progress is None or not display.panels:
        return
    step = lessons.step_of(state, progress)
    left, top, width, height = display.layout.picture
    wide = min(pixels(WIDTH), width - 2 * pixels(MARGIN))
    room = wide - 2 * pixels(PADDING)
    tasks = step.until.given if isinstance(step.until, Condition) else ()
    line, buttons = imgui.get_text_line_height(), imgui.get_frame_height()
    words = imgui.calc_text_size(text.wrapped(display_keys(step.say), room), False, room).y
    rows = len(tasks) * (line + pixels(ROW_GAP)) + (pixels(GAP) if tasks else 0.0)
    around = 2 * pixels(PADDING) + line + buttons + rows + 2.5 * pixels(GAP)
    shown = min(words, max(LARGEST * height - around, 2 * line))
    labels = _labels(state, progress, room)
    is_in_the_way = display.stepping.is_open and height < pixels(LOW_WHILE_STEPPING)
    if labels is None or is_in_the_way or around + shown + 2 * pixels(MARGIN) > height:
        return
    corner = ImVec2(left + pixels(MARGIN), top + height - around - shown - pixels(MARGIN))
    with style.card("lesson", corner, ImVec2(wide, around + shown), PADDING):
        _heading(state, progress, fonts, room)
        imgui.dummy(ImVec2(0, pixels(GAP)))
        with widgets.scroll_area(f"say {progress.index}", shown):
            text.paragraph(display_keys(step.say), TEXT, room)
        y = corner.y + pixels(PADDING + 2 * GAP) + line + shown
        for name in tasks:
            _task(step, name, progress, (corner.x + pixels(PADDING), y, room))
            y += line + pixels(ROW_GAP)
        bottom = corner.y + around + shown - pixels(PADDING) - buttons
        _buttons(state, progress, labels, (corner.x + pixels(PADDING), bottom, room))


def _heading(state: State, progress: LessonProgress, fonts: Fonts, room: float) -> None:
    """Draw the title, how far it is, a segment for each step, and the cross that closes the card."""
    start, count = imgui.get_cursor_screen_pos(), len(progress.steps(state.session.scene))
    line, right = imgui.get_text_line_height(), start.x + room
    with text.bold(fonts):
        solved = len(progress.solved) == count
        title = f"{icons.ICON_FA_CIRCLE_CHECK} Lesson solved" if solved else "Lesson"
        text.draw_at(start.x, start.y, title, style.role(Role.HIT) if solved else TEXT)
        x = start.x + text.width(title) + pixels(8)
    step = f"step {progress.index + 1} of {count}"
    text.draw_at(x, start.y, step, QUIET)
    cross = pixels(18)
    done = {i: style.role(Role.HIT) for i in progress.solved} | {progress.index: ACCENT}
    first, last = x + text.width(step) + pixels(14), right - cross - pixels(10)
    widgets.segments(first, last, start.y + line / 2, [done.get(i, LINE) for i in range(count)])
    imgui.set_cursor_screen_pos(ImVec2(right - cross, start.y - pixels(2)))
    if imgui.invisible_button("##close lesson", ImVec2(cross, line + pixels(4))):
        state.do(command_palette.run, "toggle_lesson")
    colour = TEXT if imgui.is_item_hovered() else QUIET
    text.draw_centred(right - cross / 2, start.y, icons.ICON_FA_XMARK, colour)
    widgets.tooltip(state.commands.hint("toggle_lesson"))
    imgui.set_cursor_screen_pos(ImVec2(start.x, start.y + line))


def _task(step: LessonStep, name: str, progress: LessonProgress, row: tuple[float, float, float]) -> None:
    """Draw a condition of a step, with a tick where it holds, from the pixel (x, y) on `room` pixels."""
    assert isinstance(step.until, Condition)
    x, y, room = row
    done = name not in progress.unmet or progress.index in progress.solved
    widgets.tick(x, y, done, ACCENT)
    words = text.cut_end(expectation_words.condition(step.until, name), room - pixels(MARK))
    text.draw_at(x + pixels(MARK), y, words, QUIET if done else TEXT)


def _buttons(
    state: State, progress: LessonProgress, labels: tuple[str, str, str, str], row: tuple[float, float, float]
) -> None:
    """Draw the buttons: back and back on track at the left, skip and on to the next step at the right."""
    back, on_track, skip, onward = labels
    x, y, room = row
    imgui.set_cursor_screen_pos(ImVec2(x, y))
    widgets.command_button(state, "lesson_back", f"{back}##lesson back", enabled=progress.index > 0)
    imgui.same_line(0, pixels(GAP))
    widgets.command_button(state, "lesson_back_on_track", f"{on_track}##lesson back on track")
    goes_on = lessons.can_continue(state)
    right = x + room - widgets.button_width(onward)
    if not goes_on:  # beside the button that goes on, so that the second click of a double click skips no task
        imgui.set_cursor_screen_pos(ImVec2(right - pixels(GAP) - widgets.button_width(skip), y))
        widgets.command_button(state, "lesson_skip", f"{skip}##lesson skip")
    imgui.set_cursor_screen_pos(ImVec2(right, y))
    with widgets.lit():
        widgets.command_button(state, "lesson_continue", f"{onward}##lesson on", enabled=goes_on)


def _labels(state: State, progress: LessonProgress, room: float) -> tuple[str, str, str, str] | None:
    """The labels of the four buttons on `room` pixels; None where there is no room for them."""
    for back, on_track, skip in zip(BACK, BACK_ON_TRACK, SKIP, strict=True):
        labels = back, on_track, skip, _onward(state, progress)
        if sum(map(widgets.button_width, labels)) + 3 * pixels(GAP) <= room:
            return labels
    return None


def _onward(state: State, progress: LessonProgress) -> str:
    """The label of the button that goes on from the step once it is solved."""
    steps = progress.steps(state.session.scene)
    if progress.index + 1 < len(steps):
        return "Continue"
    left = set(range(len(steps))) - progress.solved - {progress.index}
    return "Next lesson" if not left and lessons.next_lesson(state) is not None else "Finish"

"""The foot of the picture: the job in the background, and why the user's methods are behind."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from imgui_bundle import ImVec2, imgui, imgui_ctx

from hitscope.viewer.actions import cancel, opening
from hitscope.viewer.panels import signs, style, text, widgets
from hitscope.viewer.panels.style import QUIET, TEXT, WARNING, pixels
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.inputs import JobKind
from hitscope.viewer.state.jobs import Job
from hitscope.viewer.state.state import State

SHOWN_AFTER, CALL_SHOWN_AFTER = 0.1, 0.3
"""Seconds before a job is shown, at once if no scene is open yet, and before a call of own code that goes on."""
SHOWN_FIRST: tuple[JobKind, ...] = ("opening", "saving", "exporting", "searching", "preparing")
"""The order in which one of several jobs is shown."""
WIDTH, HEIGHT, MARGIN, CARD_WIDTH, PADDING = 420, 58, 14, 560.0, 10.0
"""In points."""
LINES = 6
"""The most lines of a problem; all of it is in the tooltip."""


def progress_text(job: Job[Any]) -> str:
    """The status of a job, with the percentage done where it is known."""
    words = text.sentence(job.status)
    return words if job.fraction is None else f"{words}, {math.floor(100 * job.fraction)} %"


def show(state: State) -> None:
    """Draw the window while a job runs, or a way to open the only file again that was not opened."""
    display, jobs = state.display, state.jobs
    job = next((job for work in SHOWN_FIRST if (job := jobs.of(work)) is not None), None)
    if job is None:
        if (document := opening.unopened(state)) is not None:
            with _window(display):
                room = imgui.get_content_region_avail().x - pixels(80)
                imgui.align_text_to_frame_padding()
                name = (document.given or document.path).name
                imgui.text_unformatted(text.cut_middle(f"{name} is not open", room))
                imgui.same_line()
                if imgui.button("Retry"):
                    state.do(opening.show_document, document)
    elif display.now - job.began >= SHOWN_AFTER or state.session.is_empty:
        if jobs.opening is not None and jobs.opening.about is None:
            # The picture of the scene before, while another one is opened.
            left, top, width, tall = display.layout.drawn
            draw, dim = imgui.get_background_draw_list(), imgui.get_color_u32(style.DIM)
            draw.add_rect_filled(ImVec2(left, top), ImVec2(left + width, top + tall), dim)
        with _window(display):
            _show_job(state, job)


@contextmanager
def _window(display: Display) -> Iterator[None]:
    left, top, width, height = display.layout.picture
    size = ImVec2(min(pixels(WIDTH), width - 2 * pixels(MARGIN)), pixels(HEIGHT))
    x, y = left + (width - size.x) / 2, top + height - size.y - pixels(MARGIN)
    background = imgui_ctx.push_style_color(imgui.Col_.window_bg, style.RAISED)
    with background, style.window("progress", (x, y, size.x, size.y)):
        yield


def _show_job(state: State, job: Job[Any]) -> None:
    start, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    aside = f"{state.display.now - job.began:.0f} s"
    if job is not state.jobs.saving:
        aside += "   ·   Esc stops"
    text.draw_right_aligned(start.x + room, start.y, aside, QUIET)
    text.paragraph(text.cut_end(progress_text(job), room - text.width(aside) - pixels(12)), TEXT)
    if imgui.is_window_hovered() and imgui.is_mouse_clicked(0):
        state.do(cancel.stop_jobs)
    # A negative fraction draws a moving bar: the job does not know how much is done.
    done = -0.6 * state.display.now if job.fraction is None else job.fraction
    with imgui_ctx.push_style_color(imgui.Col_.plot_histogram, style.ACCENT):
        imgui.progress_bar(done, ImVec2(-1, pixels(4)), "")


def own_code_words(state: State) -> tuple[str, str]:
    """The problem, and what is shown meanwhile; both are empty where there is nothing to say."""
    own, calling, now = state.session.own, state.jobs.calling, state.display.now
    if own.problem:
        if not own.has_answered(state.session.document):
            return own.problem, "The scene's own methods decide until it answers."
        last = "those of the last version that could be loaded" if own.load_problem else "its last answers"
        return own.problem, f"The verdicts are old: {last}."
    if calling is not None and own.is_old(state.session.scene) and now - calling.began >= CALL_SHOWN_AFTER:
        return "", f"Calling your own code, {now - calling.began:.0f} s: the verdicts are old."
    return "", ""


def show_own_code(state: State) -> None:
    """Draw the card at the foot of the picture, above the progress of other work."""
    problem, meanwhile = own_code_words(state)
    if not meanwhile:
        return
    left, top, width, height = state.display.layout.picture
    wide = min(pixels(CARD_WIDTH), width - 2 * pixels(MARGIN))
    middle, bottom = left + width / 2, top + height - pixels(MARGIN)
    with style.card("own code", ImVec2(middle, bottom), ImVec2(wide, 0), PADDING, pivot=ImVec2(0.5, 1.0)):
        room = wide - 2 * pixels(PADDING)
        if problem:
            text.paragraph(text.cut_lines(f"{signs.PROBLEM} {problem}", LINES, room), WARNING, room)
            widgets.tooltip(problem)
        text.paragraph(meanwhile, QUIET, room)

"""The progress window at the foot of the picture: the job in the background, how far it is, and how to stop it."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from imgui_bundle import ImVec2, imgui

from hitscope.viewer.actions.background import stop_jobs
from hitscope.viewer.actions.opening import show_document, unopened
from hitscope.viewer.panels import style, text
from hitscope.viewer.panels.style import QUIET, TEXT, pixels
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.inputs import JobKind
from hitscope.viewer.state.jobs import Job, Jobs
from hitscope.viewer.state.state import Do, State

SHOWN_AFTER = 0.1
"""Seconds before a job is shown; one is shown at once if no scene is open yet."""
SHOWN_FIRST: tuple[JobKind, ...] = ("opening", "saving", "exporting", "searching", "preparing")
"""The order in which one of several jobs is shown."""
WIDTH, HEIGHT, MARGIN = 420, 58, 14
"""In points."""


def progress_text(job: Job[Any]) -> str:
    """The status of a job, with the percentage done where it is known."""
    words = text.sentence(job.status)
    return words if job.fraction is None else f"{words}, {math.floor(100 * job.fraction)} %"


def show(state: State) -> None:
    """Draw the window while a job runs, or a way to open the only file again that was not opened."""
    display, jobs = state.display, state.jobs
    job = _job(jobs)
    if job is None:
        if (document := unopened(state)) is not None:
            with _window(display):
                _show_unopened(document, state.do)
    elif _is_due(state, job):
        if jobs.opening is not None and jobs.opening.scene is None:
            # The picture of the scene before, while another one is opened.
            left, top, width, tall = display.layout.drawn
            draw, dim = imgui.get_background_draw_list(), imgui.get_color_u32(style.DIM)
            draw.add_rect_filled(ImVec2(left, top), ImVec2(left + width, top + tall), dim)
        with _window(display):
            _show_job(display, jobs, job, state.do)


def height(state: State) -> float:
    """The height, in pixels, that a job takes at the foot of the picture."""
    job = _job(state.jobs)
    return pixels(HEIGHT + MARGIN) if job is not None and _is_due(state, job) else 0.0


def _is_due(state: State, job: Job[Any]) -> bool:
    return state.display.now - job.began >= SHOWN_AFTER or state.session.is_empty


def _job(jobs: Jobs) -> Job[Any] | None:
    return next((job for work in SHOWN_FIRST if (job := jobs.of(work)) is not None), None)


@contextmanager
def _window(display: Display) -> Iterator[None]:
    left, top, width, height = display.layout.picture
    size = ImVec2(min(pixels(WIDTH), width - 2 * pixels(MARGIN)), pixels(HEIGHT))
    x, y = left + (width - size.x) / 2, top + height - size.y - pixels(MARGIN)
    imgui.push_style_color(imgui.Col_.window_bg, style.RAISED)
    with style.window("progress", (x, y, size.x, size.y)):
        yield
    imgui.pop_style_color()


def _show_unopened(document: Document, do: Do) -> None:
    room = imgui.get_content_region_avail().x - pixels(80)
    imgui.align_text_to_frame_padding()
    imgui.text_unformatted(text.cut_middle(f"{(document.given or document.path).name} is not open", room))
    imgui.same_line()
    if imgui.button("Retry"):
        do(show_document, document)


def _show_job(display: Display, jobs: Jobs, job: Job[Any], do: Do) -> None:
    seconds = f"{display.now - job.began:.0f} s"
    start = imgui.get_cursor_screen_pos()
    right = start.x + imgui.get_content_region_avail().x
    aside = seconds if job is jobs.of("saving") else f"{seconds}   ·   Esc stops"
    text.draw_right_aligned(right, start.y, aside, QUIET)
    text.paragraph(text.cut_end(progress_text(job), right - start.x - text.width(aside) - pixels(12)), TEXT)
    if imgui.is_window_hovered() and imgui.is_mouse_clicked(0):
        do(stop_jobs)
    # A negative fraction draws a moving bar: the job does not know how much is done.
    done = -0.6 * display.now if job.fraction is None else job.fraction
    imgui.push_style_color(imgui.Col_.plot_histogram, style.ACCENT)
    imgui.progress_bar(done, ImVec2(-1, pixels(4)), "")
    imgui.pop_style_color()

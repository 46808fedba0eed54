"""The progress window at the foot of the picture: the job in the background, how far it is, and how to stop it."""

import math
from typing import Any

from imgui_bundle import ImVec2, imgui

from hitscope.viewer.actions.background import stop_jobs
from hitscope.viewer.panels import style, text
from hitscope.viewer.panels.style import FIXED, QUIET, TEXT, pixels
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.inputs import JobKind
from hitscope.viewer.state.job import Job
from hitscope.viewer.state.jobs import Jobs
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.state import Do

SHOWN_AFTER = 0.3
"""Seconds before a job is shown; one is shown at once if no scene is open yet."""
SHOWN_FIRST: tuple[JobKind, ...] = ("opening", "saving", "preparing")
"""Of several jobs, the first of these is shown."""
WIDTH, HEIGHT, MARGIN = 420, 58, 14
"""In points."""


def progress_text(job: Job[Any]) -> str:
    """The status of a job, with the percentage done where it is known."""
    words = job.status[:1].upper() + job.status[1:]
    return words if job.fraction is None else f"{words}, {math.floor(100 * job.fraction)} %"


def show(session: Session, display: Display, jobs: Jobs, do: Do) -> None:
    """Draw the window while a job runs."""
    job = next((job for work in SHOWN_FIRST if (job := jobs.of(work)) is not None), None)
    if job is None or (display.now - job.began < SHOWN_AFTER and not session.is_empty):
        return
    left, top, width, height = display.layout.picture
    size = ImVec2(min(pixels(WIDTH), width - 2 * pixels(MARGIN)), pixels(HEIGHT))
    corner = ImVec2(left + (width - size.x) / 2, top + height - size.y - pixels(MARGIN))
    imgui.set_next_window_pos(corner)
    imgui.set_next_window_size(size)
    imgui.push_style_color(imgui.Col_.window_bg, style.RAISED)
    imgui.begin("progress", None, FIXED)
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
    imgui.end()
    imgui.pop_style_color()

"""What goes on in the background, at the foot of the picture: a bar, words, and a way to stop it."""

import math
from typing import Any

from imgui_bundle import ImVec2, imgui

from hitscope.viewer.app import App
from hitscope.viewer.background import Job
from hitscope.viewer.panels import style, text
from hitscope.viewer.panels.style import FIXED, QUIET, TEXT

SHOWN_AFTER = 0.3
"""What takes less, in seconds, is not worth a word, unless there is nothing else to see."""
WIDTH, HEIGHT = 420, 58
AROUND = 14


def said(job: Job[Any]) -> str:
    """Say what is being done, and how much of it is."""
    return job.says if job.fraction is None else f"{job.says}, {math.floor(100 * job.fraction)} %"


def show(app: App) -> None:
    """Make the part of a frame, while something goes on."""
    job = app.opening or app.saving or app.preparing
    if job is None or (app.now - job.began < SHOWN_AFTER and not app.is_empty):
        return
    left, top, width, height = app.layout.picture
    room = ImVec2(min(WIDTH * app.points, width - 2 * AROUND * app.points), HEIGHT * app.points)
    place = ImVec2(left + (width - room.x) / 2, top + height - room.y - AROUND * app.points)
    imgui.set_next_window_pos(place)
    imgui.set_next_window_size(room)
    imgui.push_style_color(imgui.Col_.window_bg, style.RAISED)
    imgui.begin("progress", None, FIXED)
    seconds = f"{app.now - job.began:.0f} s"
    start = imgui.get_cursor_screen_pos()
    right = start.x + imgui.get_content_region_avail().x
    aside = seconds if job is app.saving else f"{seconds}   ·   Esc stops"
    text.draw_right_aligned(right, start.y, aside, QUIET)
    text.paragraph(text.cut_end(said(job), right - start.x - text.width(aside) - 12 * app.points), TEXT)
    if imgui.is_window_hovered() and imgui.is_mouse_clicked(0):
        app.stop()
    # Where it is not known how much is done, the bar only says that it goes on.
    done = -0.6 * app.now if job.fraction is None else job.fraction
    imgui.push_style_color(imgui.Col_.plot_histogram, style.ACCENT)
    imgui.progress_bar(done, ImVec2(-1, 4 * app.points), "")
    imgui.pop_style_color()
    imgui.end()
    imgui.pop_style_color()

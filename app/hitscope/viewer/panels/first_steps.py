"""The card of the first steps, in a corner of the picture where it does not cover what it points at."""

import math
from typing import Final

import numpy as np
from imgui_bundle import ImVec2, imgui

from hitscope.draw.selection_geometry import shape_of
from hitscope.draw.shape_drawings import bounding_points, handle_points, main_handles
from hitscope.draw.target import Target
from hitscope.geometry.arrays import Array
from hitscope.viewer.actions import appearance, command_palette, first_steps, lessons
from hitscope.viewer.panels import empty_scene, progress, style, text, widgets
from hitscope.viewer.panels.style import ACCENT, FAINT, QUIET, TEXT, Fonts, pixels
from hitscope.viewer.state.messages import STEPS, Step
from hitscope.viewer.state.state import State

WIDTH, PADDING, MARGIN = 264.0, 14.0, 14.0
"""The card's width, the space inside it, and that around it, in points."""
TOP = 48.0
"""The space above a card at the top of the picture, for the snapping bar, in points."""
MARK, ROW_GAP, HINT = 24.0, 7.0, 17.0
"""The width of a step's mark, the space between two steps and the height of the current one's hint, in points."""
REACH = 18.0
"""The radius of the ring around what the card points at, in points."""
CLEAR = 10.0
"""The least space between the card and the ring, in points."""
LARGEST = 0.5
"""The largest part of the picture's height that the card takes."""
MOST = 100
"""The number of missed primitives among which the one to point at is chosen."""
GALLERY: Final = "gallery"


def show(state: State, fonts: Fonts) -> None:
    """Draw the card, and from it a line to what the current step is about, unless there is a drag or a lesson."""
    introduction, display = state.messages.introduction, state.display
    in_lesson = lessons.is_shown(state)
    if not introduction.shown or in_lesson or not display.panels or empty_scene.is_offered(state):
        return
    left, top, width, height = display.layout.picture
    height -= round(progress.height(state))
    wide = min(pixels(WIDTH), width - 2 * pixels(MARGIN))
    line = imgui.get_text_line_height()
    high = 2 * pixels(PADDING) + (1 + len(STEPS)) * line + len(STEPS) * pixels(ROW_GAP) + pixels(HINT)
    if high > LARGEST * height:
        return
    point = _point_of(state, introduction.current)
    corner = _corner((left, top, width, height), (wide, high), point)
    if point is not None and state.tool.drag is None:
        _draw_pointer(state, point, (*corner, wide, high))
    with style.card("first steps", ImVec2(*corner), ImVec2(wide, high), PADDING):
        x, y, right = corner[0] + pixels(PADDING), corner[1] + pixels(PADDING), corner[0] + wide - pixels(PADDING)
        with text.bold(fonts):
            text.draw_at(x, y, "First steps", TEXT)
        _skip(state, right, y)
        y += line + pixels(ROW_GAP)
        for step in STEPS:
            _step(state, step, _label(state, step, point is not None), (x, y, right))
            y += line + pixels(ROW_GAP) + (pixels(HINT) if step == introduction.current else 0.0)


def _step(state: State, step: Step, label: str, row: tuple[float, float, float]) -> None:
    """Draw the mark and the words of a step from the pixel (x, y) to `right`, for the current one with a hint."""
    introduction, (x, y, right) = state.messages.introduction, row
    line = imgui.get_text_line_height()
    done, current = introduction.done, introduction.current
    widgets.tick(x, y, step in done, ACCENT if step == current else FAINT)
    at, room = x + pixels(MARK), right - x - pixels(MARK)
    colour = TEXT if step == current else FAINT if step in done else QUIET
    if step == GALLERY:
        keys = state.commands.pressed(GALLERY)
        imgui.set_cursor_screen_pos(ImVec2(x, y))
        if imgui.invisible_button("##first step gallery", ImVec2(right - x, line), style.NAVIGABLE):
            state.do(command_palette.run, GALLERY)
        colour = TEXT if imgui.is_item_hovered() else colour
        if room > text.width(f"{label}  {keys}"):
            text.draw_right_aligned(right, y, keys, FAINT)
    text.draw_at(at, y, text.cut_end(label, room), colour)
    if step == introduction.current:
        with text.small():
            text.draw_at(at, y + line + pixels(2), text.cut_end(_hint(state, step), room), QUIET)


def _label(state: State, step: Step, points: bool) -> str:
    """The words of a step, in the colours of the palette."""
    red = "an orange" if state.display.theme.name.endswith(appearance.OTHER_COLOURS) else "a red"
    drag = "Drag this dot" if points or state.messages.introduction.current != "drag" else "Drag a dot of a probe"
    return {"drag": drag, "why": f"Click {red} box: why?", "gallery": state.commands["gallery"].label}[step]


def _hint(state: State, step: Step) -> str:
    """A line about a step."""
    return {
        "drag": "Every verdict follows",
        "why": "The sentence at the right says why",
        "gallery": "More scenes, the easiest first",
    }[step]


def _skip(state: State, right: float, y: float) -> None:
    """Draw the button that closes the card, so that it ends at `right`."""
    with text.small():
        width, height = text.width("Skip"), imgui.get_text_line_height()
        imgui.set_cursor_screen_pos(ImVec2(right - width - pixels(6), y - pixels(3)))
        if imgui.invisible_button("##Skip", ImVec2(width + pixels(12), height + pixels(6)), style.NAVIGABLE):
            state.do(first_steps.skip)
        text.draw_at(right - width, y, "Skip", TEXT if imgui.is_item_hovered() else QUIET)
    widgets.tooltip("Close the first steps; the menu can show them again.")


def _corner(
    picture: tuple[float, float, float, float], size: tuple[float, float], point: tuple[float, float] | None
) -> tuple[float, float]:
    """The top left pixel of a card of a size: in the first corner, else in the one farthest from the point."""
    left, top, width, height = picture
    lowest, highest = top + height - size[1] - pixels(MARGIN), top + pixels(TOP)
    first, last = left + pixels(MARGIN), left + width - size[0] - pixels(MARGIN)
    corners = [(last, lowest), (first, lowest), (first, highest)]
    if point is None:
        return corners[0]

    def distance(corner: tuple[float, float]) -> float:
        return math.dist(point, _nearest((*corner, *size), point))

    far = (corner for corner in corners if distance(corner) >= pixels(REACH + CLEAR))
    return next(far, max(corners, key=distance))


def _nearest(rect: tuple[float, float, float, float], point: tuple[float, float]) -> tuple[float, float]:
    """The pixel of a rectangle that is nearest to a point."""
    left, top, width, height = rect
    return min(max(point[0], left), left + width), min(max(point[1], top), top + height)


def _point_of(state: State, step: Step | None) -> tuple[float, float] | None:
    """The pixel that a step is about; None where there is none in the picture."""
    if step == "drag":
        return _frontmost(state, _handles(state))
    if step == "why":
        return _frontmost(state, _missed(state))
    return None


def _handles(state: State) -> Array:
    """The handles (n, 3) of the selected probe, else of the first one."""
    session, last = state.session, state.selection.last
    names = [] if last is None or last.kind != "probe" else [last.id]
    names += session.scene.probe_ids[:1]
    shape = shape_of(session.report, Target("probe", names[0])) if names else None
    return np.empty((0, 3)) if shape is None else handle_points(shape)[: main_handles(shape)]


def _missed(state: State) -> Array:
    """The middles (n, 3) of visible primitives that no probe hits."""
    report, hidden = state.session.report, state.selection.hidden
    if not len(report.probes):
        return np.empty((0, 3))
    missed = np.flatnonzero(~report.hit_elements)[:MOST].tolist()
    elements = (report.elements[j] for j in missed)
    shown = (element for element in elements if Target("primitive", element.id).item not in hidden)
    points = (bounding_points(element.shape) for element in shown)
    middles = [(found.min(axis=0) + found.max(axis=0)) / 2 for found in points if len(found)]
    return np.array(middles).reshape(-1, 3)


def _frontmost(state: State, points: Array) -> tuple[float, float] | None:
    """The pixel of the point (n, 3) nearest to the eye, among those inside the picture; None if none is."""
    left, top, width, height = state.display.layout.picture
    edge = pixels(REACH)
    x, y, depth = state.display.view.project(points).T
    inside = (x > left + edge) & (x < left + width - edge) & (y > top + edge) & (y < top + height - edge)
    seen = np.flatnonzero(inside & (depth > 0))
    if not len(seen):
        return None
    nearest = seen[np.argmin(depth[seen])]
    return float(x[nearest]), float(y[nearest])


def _draw_pointer(state: State, point: tuple[float, float], card: tuple[float, float, float, float]) -> None:
    """Draw a ring around a pixel and a line to it from the card."""
    draw, theme = imgui.get_background_draw_list(), state.display.theme
    start = np.array(_nearest(card, point))
    way = np.array(point) - start
    length = float(np.linalg.norm(way))
    end = start + way * max(length - pixels(REACH), 0.0) / (length or 1.0)
    for colour, wide in ((style.ink(theme.halo, 0.6), 4.0), (imgui.get_color_u32(ACCENT), 1.5)):
        draw.add_line(ImVec2(*start), ImVec2(*end), colour, pixels(wide))
        draw.add_circle(ImVec2(*point), pixels(REACH), colour, 0, pixels(wide))

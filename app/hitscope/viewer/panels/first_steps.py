"""The strip of the first steps, below the picture, and a ring around what the current step is about."""

from typing import Final

import numpy as np
from imgui_bundle import ImVec2, imgui

from hitscope.draw.selection_geometry import shape_of
from hitscope.draw.shape_drawings import bounding_points, handle_points, main_handles
from hitscope.draw.target import Target
from hitscope.geometry.arrays import Array
from hitscope.viewer.actions import appearance, command_palette, first_steps, lessons
from hitscope.viewer.panels import empty_scene, style, text, widgets
from hitscope.viewer.panels.style import ACCENT, FAINT, QUIET, TEXT, pixels
from hitscope.viewer.state.messages import STEPS, Step
from hitscope.viewer.state.state import State

PADDING, MARK, BETWEEN = 12.0, 22.0, 20.0
"""The space inside the strip, the width of a step's mark, and the space between two steps, in points."""
REACH = 18.0
"""The radius of the ring around what a step is about, in points."""
LARGEST = 0.25
"""The largest part of the height of strip and picture that the strip takes."""
MOST = 100
"""The number of primitives among which the one to point at is chosen."""
GALLERY: Final = "gallery"
HINTS: Final[dict[Step, str]] = {
    "drag": "Every verdict follows",
    "why": "The sentence at the right says why",
    "gallery": "More scenes, the easiest first",
}


def height(state: State) -> float:
    """The height that the strip needs, in pixels; 0 where there are no steps, or something else is under way."""
    layout, wanted = state.display.layout, imgui.get_text_line_height() + 2 * pixels(PADDING)
    has_room = state.display.panels and wanted <= LARGEST * (layout.picture.height + layout.strip.height)
    is_shown = state.messages.introduction.shown and not lessons.is_shown(state) and has_room
    return wanted if is_shown and not empty_scene.is_offered(state) else 0.0


def show(state: State) -> None:
    """Draw all steps side by side where there is room, else the current one, and the ring of that."""
    current, rect = state.messages.introduction.current, state.display.layout.strip
    if current is None or not rect.height:
        return
    point = _point_of(state, current)
    with style.strip("first steps", rect, PADDING):
        x, y = rect.left + pixels(PADDING), rect.top + pixels(PADDING)
        size = ImVec2(text.width("Skip") + pixels(12), imgui.get_text_line_height() + pixels(6))
        corner = ImVec2(rect.left + rect.width - pixels(PADDING - 6) - size.x, y - pixels(3))
        meaning = "Close the first steps; the menu can show them again."
        if widgets.flat_button("Skip", corner, size, "Skip", meaning):
            state.do(first_steps.skip)
        right = corner.x - pixels(BETWEEN - 6)
        labels = {step: _label(state, step, point is not None) for step in STEPS}
        title, keys = "First steps", state.commands.pressed(GALLERY)
        wanted = sum(pixels(MARK + BETWEEN) + text.width(label) for label in labels.values()) + text.width(keys)
        if x + text.width(title) + pixels(2 * BETWEEN) + wanted > right:
            labels, title, keys = {current: labels[current]}, f"{STEPS.index(current) + 1} of {len(STEPS)}", ""
        with text.bold():
            x = text.draw_at(x, y, title, TEXT) + pixels(BETWEEN)
        for step, label in labels.items():
            x = _step(state, step, label, (x, y, right), keys if step == GALLERY else "")
        if len(labels) == 1:
            text.draw_at(x, y, text.cut_end(HINTS[current], right - x), QUIET)
    if point is not None and state.tool.drag is None:
        draw, halo = imgui.get_background_draw_list(), style.ink(state.display.theme.halo, 0.6)
        for colour, wide in ((halo, 4.0), (imgui.get_color_u32(ACCENT), 1.5)):
            draw.add_circle(ImVec2(*point), pixels(REACH), colour, 0, pixels(wide))


def _step(state: State, step: Step, label: str, row: tuple[float, float, float], keys: str) -> float:
    """Draw the mark and the words of a step from the pixel (x, y) on, at most to `right`; return where it ends."""
    introduction, (x, y, right) = state.messages.introduction, row
    current = step == introduction.current
    widgets.tick(x, y, step in introduction.done, ACCENT if current else FAINT)
    label = text.cut_end(label, right - x - pixels(MARK))
    end = x + pixels(MARK) + text.width(label)
    colour = TEXT if current else FAINT if step in introduction.done else QUIET
    imgui.set_cursor_screen_pos(ImVec2(x, y))
    if step == GALLERY:
        size = ImVec2(end - x, imgui.get_text_line_height())
        if imgui.invisible_button("##first step gallery", size, style.NAVIGABLE):
            state.do(command_palette.run, GALLERY)
        colour = TEXT if imgui.is_item_hovered() else colour
        text.draw_at(end + pixels(8), y, keys, FAINT)
    text.draw_at(x + pixels(MARK), y, label, colour)
    return end + pixels(BETWEEN)


def _label(state: State, step: Step, points: bool) -> str:
    """The words of a step, in the colours of the palette."""
    if step == "why":
        others, missed = state.display.theme.name.endswith(appearance.OTHER_COLOURS), _asked(state)[1]
        colour = ("an orange" if others else "a red") if missed else ("a blue" if others else "a green")
        return f"Click {colour} shape: why?"
    if step == "drag":
        is_ringed = points or state.messages.introduction.current != "drag"
        return "Drag the ringed dot" if is_ringed else "Drag a dot of a probe"
    return state.commands[GALLERY].label


def _point_of(state: State, step: Step) -> tuple[float, float] | None:
    """The pixel that a step is about; None where there is none in the picture."""
    if step == GALLERY:
        return None
    return _frontmost(state, _handles(state) if step == "drag" else _asked(state)[0])


def _handles(state: State) -> Array:
    """The handles (n, 3) of the selected probe, else of the first one."""
    session, last = state.session, state.selection.last
    names = [] if last is None or last.kind != "probe" else [last.id]
    names += session.scene.probe_ids[:1]
    shape = shape_of(session.report, Target("probe", names[0])) if names else None
    return np.empty((0, 3)) if shape is None else handle_points(shape)[: main_handles(shape)]


def _asked(state: State) -> tuple[Array, bool]:
    """The middles (n, 3) of visible primitives, of those that are missed if any is, and whether one is."""
    report, hidden = state.session.report, state.selection.hidden
    missed = ~report.hit_elements
    are_missed = bool(missed.any()) or not len(missed)
    elements = (report.elements[j] for j in np.flatnonzero(missed == are_missed)[:MOST].tolist())
    shown = (element for element in elements if Target("primitive", element.id).item not in hidden)
    points = (bounding_points(element.shape) for element in shown if len(report.probes))
    middles = [(found.min(axis=0) + found.max(axis=0)) / 2 for found in points if len(found)]
    return np.array(middles).reshape(-1, 3), are_missed


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

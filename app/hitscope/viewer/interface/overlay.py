"""The overlay of the tools on the picture: the gizmo, the feature a drag snaps to, the selection rectangle."""

from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui

from hitscope.draw.items import Array, Role
from hitscope.draw.target import Target
from hitscope.viewer.panels import style
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import GizmoPart
from hitscope.viewer.tools.drags.edit_drag import EditDrag, SnapMarks
from hitscope.viewer.tools.drags.gizmo_drag import GizmoDrag
from hitscope.viewer.tools.drags.selection_box import SelectionBox
from hitscope.viewer.tools.gizmo import CENTER, Gizmo, Sketch, gizmo_of
from hitscope.viewer.tools.picking.handles import handle_point
from hitscope.viewer.tools.picking.pickable import pickable

LINE, HALO = 2.5, 5.0
"""Widths in points."""
GUIDE, FAR = 1.25, 1e3
"""The width of the line that constrains a drag, in points, and its length in camera distances."""
ARROW = (13.0, 5.0)
"""The length of an arrow's head and half its width, in points."""
CUBE = 5.0
CENTER_RADIUS = 6.0
SNAP_RADIUS = 8.0
HANDLE_RADIUS = 11.0
REST, ACTIVE, OTHERS = 0.85, 1.0, 0.25
"""The opacity of a part, of the hovered or dragged one, and of the others during a drag."""


def show(state: State) -> None:
    """Draw the overlay."""
    drag, gizmo = state.tool.drag, gizmo_of(state.session, state.selection, state.display, state.tool)
    if isinstance(drag, EditDrag) and drag.moving:
        with np.errstate(all="ignore"):
            for way in drag.directions:
                _show_guide(state, np.array(drag.start), way)
    elif state.selection.handle is not None:
        _show_handle(state, state.selection.handle)
    if isinstance(drag, GizmoDrag) and gizmo is not None and gizmo.visible:
        _show_gizmo(state, gizmo, drag.part, dragged=True)
    elif not isinstance(drag, EditDrag) and gizmo is not None and gizmo.visible:
        _show_gizmo(state, gizmo, state.tool.gizmo_part, dragged=False)
    if isinstance(drag, EditDrag) and drag.marks is not None:
        _show_marks(state, drag.marks)
    if isinstance(drag, SelectionBox):
        a, b = (ImVec2(*corner) for corner in drag.corners)
        draw = imgui.get_background_draw_list()
        draw.add_rect_filled(a, b, style.ink(state.display.theme.roles[Role.PROBE], 0.12))
        draw.add_rect(a, b, style.ink(state.display.theme.roles[Role.PROBE], 0.9), 0, state.display.pixel_ratio)


def _show_gizmo(state: State, gizmo: Gizmo, counts: GizmoPart | None, dragged: bool) -> None:
    for sketch in gizmo.sketches():
        alpha = ACTIVE if sketch.part == counts else OTHERS if dragged else REST
        axis = sketch.part.axis
        colour = (
            state.display.theme.outline
            if axis is None or sketch.part == counts
            else state.display.theme.axes[axis]
        )
        _show_part(state, gizmo, sketch, colour, alpha)


def _show_part(state: State, gizmo: Gizmo, sketch: Sketch, colour: str, alpha: float) -> None:
    draw, points = imgui.get_background_draw_list(), state.display.pixel_ratio
    seen = gizmo.view.project(sketch.points)[:, :2]
    pixels: list[Any] = [ImVec2(x, y) for x, y in seen.tolist()]
    ink, halo = style.ink(colour, alpha), style.ink(state.display.theme.halo, 0.55 * alpha)
    if sketch.part == CENTER:
        draw.add_circle_filled(pixels[0], (CENTER_RADIUS + 1) * points, halo)
        draw.add_circle(pixels[0], CENTER_RADIUS * points, ink, 0, LINE * points)
        return
    if sketch.filled:
        draw.add_convex_poly_filled(pixels, style.ink(colour, 0.35 * alpha))
    flags = imgui.ImDrawFlags_.closed if sketch.closed else imgui.ImDrawFlags_.none
    draw.add_polyline(pixels, halo, HALO * points, flags)
    draw.add_polyline(pixels, ink, LINE * points, flags)
    if sketch.tip:
        way = seen[1] - seen[0]
        _show_tip(state, sketch.tip, seen[1], way / (np.linalg.norm(way) or 1.0), ink)


def _show_tip(state: State, kind: str, end: Array, way: Array, ink: int) -> None:
    draw, points = imgui.get_background_draw_list(), state.display.pixel_ratio
    if kind == "cube":
        half = CUBE * points
        draw.add_rect_filled(ImVec2(*(end - half)), ImVec2(*(end + half)), ink, points)
        return
    length, width = (size * points for size in ARROW)
    aside = np.array([-way[1], way[0]]) * width
    tip, foot = end + 0.5 * length * way, end - 0.5 * length * way
    draw.add_triangle_filled(ImVec2(*tip), ImVec2(*(foot + aside)), ImVec2(*(foot - aside)), ink)


def _show_guide(state: State, start: Array, way: Array) -> None:
    """Draw the line through a point along a direction, in the colour of its axis."""
    view = state.display.view
    far = FAR * view.camera.distance
    depth, ahead = view.project([start, start + far * way])[:, 2].tolist()
    slope = (ahead - depth) / far
    # Only what is in front of the eye can be projected.
    near = (1e-3 * view.camera.distance - depth) / slope if slope else 0.0
    back, on = (max(near, -far), far) if slope > 0 else (-far, min(near, far)) if slope < 0 else (-far, far)
    first, last = (ImVec2(x, y) for x, y, _ in view.project([start + t * way for t in (back, on)]).tolist())
    axes = np.flatnonzero(way)
    colour = state.display.theme.axes[int(axes[0])] if len(axes) == 1 else state.display.theme.outline
    draw = imgui.get_background_draw_list()
    draw.add_line(first, last, style.ink(state.display.theme.halo, 0.4), 2 * GUIDE * state.display.pixel_ratio)
    draw.add_line(first, last, style.ink(colour), GUIDE * state.display.pixel_ratio)


def _show_handle(state: State, target: Target) -> None:
    """Draw a ring around the handle that was clicked."""
    point = handle_point(pickable(state.session, state.selection, state.display, state.tool), target)
    if point is None:
        return
    view, points = state.display.view, state.display.pixel_ratio
    x, y, depth = view.project(point)[0].tolist()
    if depth > 0:
        draw = imgui.get_background_draw_list()
        draw.add_circle(
            ImVec2(x, y), HANDLE_RADIUS * points, style.ink(state.display.theme.halo, 0.6), 0, HALO * points
        )
        draw.add_circle(
            ImVec2(x, y), HANDLE_RADIUS * points, style.ink(state.display.theme.outline), 0, LINE * points
        )


def _show_marks(state: State, marks: SnapMarks) -> None:
    """Draw the feature that a drag snaps to as lines, and a ring around the snapped handle."""
    draw, view, points = imgui.get_background_draw_list(), state.display.view, state.display.pixel_ratio
    ink = style.ink(state.display.theme.roles[Role.INTERVAL])
    halo = style.ink(state.display.theme.halo, 0.6)
    ends = view.project(marks.lines.reshape(-1, 3)).reshape(-1, 2, 3)
    for (ax, ay, a_depth), (bx, by, b_depth) in ends.tolist():
        if a_depth > 0 and b_depth > 0:
            draw.add_line(ImVec2(ax, ay), ImVec2(bx, by), halo, HALO * points)
            draw.add_line(ImVec2(ax, ay), ImVec2(bx, by), ink, LINE * points)
    x, y, depth = view.project(marks.point)[0].tolist()
    if depth > 0:
        draw.add_circle(ImVec2(x, y), SNAP_RADIUS * points, halo, 0, HALO * points)
        draw.add_circle(ImVec2(x, y), SNAP_RADIUS * points, ink, 0, LINE * points)

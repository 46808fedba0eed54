"""The overlay of the tools on the picture: gizmo, snap, selection rectangle, arrow to the selection, compass."""

from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui

from hitscope import numerals
from hitscope.draw.items import Role
from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Vec3
from hitscope.viewer.panels import style, text
from hitscope.viewer.panels.gui import Pointer
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.picture_marks import EdgeArrow, edge_arrow
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import ArmedShape
from hitscope.viewer.tools import compass, pointer
from hitscope.viewer.tools.drags import camera_drags, new_shape_drag, selection_box
from hitscope.viewer.tools.drags.edit_drag import EditDrag, GizmoDrag, HandleDrag
from hitscope.viewer.tools.gizmo import CENTER, Gizmo, Sketch, gizmo_of
from hitscope.viewer.tools.picking import pick, surfaces
from hitscope.viewer.tools.snapping.search import Snap

LINE, HALO = 3.0, 6.5
"""The widths of a line and of the halo under it, in points."""
GUIDE, FAR = 1.25, 1e3
"""The width of the line that constrains a drag, in points, and its length in camera distances."""
ARROW = (17.0, 6.5)
"""The length of an arrow's head and half its width, in points."""
CUBE = 6.0
"""Half the width of a cube, in points."""
CENTER_RADIUS, SNAP_RADIUS, HANDLE_RADIUS = 7.0, 8.0, 11.0
GHOST_AWAY = 14.0
"""From where a shape would begin to its numbers, in points, right and down."""
REST, ACTIVE, OTHERS = 0.85, 1.0, 0.25
"""The opacity of a part, of the hovered or dragged one, and of the others during a drag."""
LINE_WIDTH, RING_WIDTH = 2.0, 1.3
"""The widths of the axes and of rings, in points."""
MARGIN = 13.0
"""The margin in points of the disc under a hovered compass beyond its ends."""


def ghost_of(state: State) -> Vec3 | None:
    """Where a press would begin a shape; None if it would begin none."""
    tool = state.tool
    if tool.drag is None and isinstance(tool.armed, ArmedShape) and tool.pointer is not None:
        return new_shape_drag.NewShapeDrag(state, tool.armed, *tool.pointer, previews=False).start
    return None


def show(state: State, ghost: Vec3 | None) -> None:
    """Draw what lies over the picture; `ghost` is that of the state."""
    selection, display, tool = state.selection, state.display, state.tool
    if (corners := mapped_square(state)) is not None:
        _draw_square(display, corners)
    drag, gizmo = tool.drag, gizmo_of(state)
    if isinstance(drag, EditDrag) and drag.moving:
        with np.errstate(all="ignore"):
            for direction in drag.directions:
                _draw_guide(display, np.array(drag.start), direction)
    elif selection.handle is not None:
        point = pick.handle_point(surfaces.pickable_of(state), selection.handle)
        if point is not None:
            _draw_ring(display, point, HANDLE_RADIUS, display.theme.outline)
    if gizmo is not None and gizmo.visible and (isinstance(drag, GizmoDrag) or not isinstance(drag, EditDrag)):
        active, others = (drag.part, OTHERS) if isinstance(drag, GizmoDrag) else (tool.gizmo_part, REST)
        for sketch in gizmo.sketches():
            axis, is_active = sketch.part.axis, sketch.part == active
            color = display.theme.outline if axis is None or is_active else display.theme.axes[axis]
            _draw_part(display, gizmo, sketch, color, ACTIVE if is_active else others)
    if isinstance(drag, EditDrag) and drag.marks is not None:
        _draw_marks(display, drag.marks)
    if isinstance(drag, selection_box.SelectionBox):
        a, b = (ImVec2(*corner) for corner in drag.corners)
        draw, color = imgui.get_background_draw_list(), display.theme.roles[Role.PROBE]
        draw.add_rect_filled(a, b, style.ink(color, 0.12))
        draw.add_rect(a, b, style.ink(color, 0.9), 0, display.pixel_ratio)
    if ghost is not None:
        _draw_ghost(display, ghost)
    if drag is None and (arrow := edge_arrow(state)) is not None:
        mouse = imgui.get_mouse_pos()
        _draw_edge_arrow(display, arrow, pointer.is_on_arrow(state, mouse.x, mouse.y))


def mapped_square(state: State) -> Array | None:
    """The corners (4, 3) in the scene of the square whose positions the map shows; None without a map."""
    view = state.session.map_view
    if not view.is_open or view.found is None or view.answered is None:
        return None
    plane, handle = view.found.plane, view.found.handle
    base, last = np.array(handle.numbers.base), plane.size - 1
    return np.array([base + plane.position(x, y) for x, y in ((0, 0), (last, 0), (last, last), (0, last))])


def _draw_square(display: Display, corners: Array) -> None:
    """Draw the outline of a square (4, 3), unless it is partly behind the eye or smaller than its lines."""
    projected = display.view.project(corners)
    if not (projected[:, 2] > 0).all() or np.ptp(projected[:, :2], axis=0).max() < 2 * HALO * display.pixel_ratio:
        return
    pixels: list[Any] = [ImVec2(x, y) for x, y in projected[:, :2].tolist()]
    draw, ratio, closed = imgui.get_background_draw_list(), display.pixel_ratio, imgui.ImDrawFlags_.closed
    draw.add_polyline(pixels, style.ink(display.theme.halo, 0.6), 2 * LINE_WIDTH * ratio, closed)
    draw.add_polyline(pixels, style.ink(display.theme.roles[Role.INTERVAL]), LINE_WIDTH * ratio, closed)


def _draw_edge_arrow(display: Display, arrow: EdgeArrow, hovered: bool) -> None:
    """Draw a disc with an arrow's head that points to what is selected."""
    draw, ratio, theme = imgui.get_background_draw_list(), display.pixel_ratio, display.theme
    middle, way = np.array(arrow[:2]), np.array(arrow[2:])
    draw.add_circle_filled(ImVec2(*middle), (pointer.ARROW_RADIUS + 1) * ratio, style.ink(theme.halo, 0.6))
    radius, ink = pointer.ARROW_RADIUS * ratio, style.ink(theme.outline, ACTIVE if hovered else REST)
    draw.add_circle_filled(ImVec2(*middle), radius, ink)
    aside = 0.5 * radius * np.array([-way[1], way[0]])
    tip, foot = middle + 0.55 * radius * way, middle - 0.35 * radius * way
    draw.add_triangle_filled(ImVec2(*tip), ImVec2(*(foot + aside)), ImVec2(*(foot - aside)), style.ink(theme.halo))


def _draw_part(display: Display, gizmo: Gizmo, sketch: Sketch, color: str, alpha: float) -> None:
    draw, ratio = imgui.get_background_draw_list(), display.pixel_ratio
    projected = gizmo.view.project(sketch.points)[:, :2]
    pixels: list[Any] = [ImVec2(x, y) for x, y in projected.tolist()]
    ink, halo = style.ink(color, alpha), style.ink(display.theme.halo, 0.8 * alpha)
    if sketch.part == CENTER:
        draw.add_circle_filled(pixels[0], (CENTER_RADIUS + 1) * ratio, halo)
        draw.add_circle(pixels[0], CENTER_RADIUS * ratio, ink, 0, LINE * ratio)
        return
    if sketch.filled:
        draw.add_convex_poly_filled(pixels, style.ink(color, 0.35 * alpha))
    flags = imgui.ImDrawFlags_.closed if sketch.closed else imgui.ImDrawFlags_.none
    draw.add_polyline(pixels, halo, HALO * ratio, flags)
    draw.add_polyline(pixels, ink, LINE * ratio, flags)
    if sketch.tip:
        way = projected[1] - projected[0]
        _draw_tip(sketch.tip, projected[1], way / (np.linalg.norm(way) or 1.0), ink, halo, ratio)


def _draw_tip(kind: str, end: Array, way: Array, ink: int, halo: int, ratio: float) -> None:
    """Draw the arrow's head or cube at the end (2,) of a line that comes along a unit direction (2,)."""
    draw = imgui.get_background_draw_list()
    if kind == "cube":
        a, b = ImVec2(*(end - CUBE * ratio)), ImVec2(*(end + CUBE * ratio))
        draw.add_rect(a, b, halo, ratio, (HALO - LINE) * ratio)
        draw.add_rect_filled(a, b, ink, ratio)
        return
    length, width = (size * ratio for size in ARROW)
    aside = np.array([-way[1], way[0]]) * width
    tip, foot = end + 0.5 * length * way, end - 0.5 * length * way
    a, b, c = ImVec2(*tip), ImVec2(*(foot + aside)), ImVec2(*(foot - aside))
    draw.add_triangle(a, b, c, halo, (HALO - LINE) * ratio)
    draw.add_triangle_filled(a, b, c, ink)


def _draw_guide(display: Display, start: Array, direction: Array) -> None:
    view, theme = display.view, display.theme
    far = FAR * view.camera.distance
    depth, ahead = view.project([start, start + far * direction])[:, 2].tolist()
    slope = (ahead - depth) / far
    # Only points in front of the eye can be projected.
    near = (1e-3 * view.camera.distance - depth) / slope if slope else 0.0
    back, on = (max(near, -far), far) if slope > 0 else (-far, min(near, far)) if slope < 0 else (-far, far)
    ends = view.project([start + t * direction for t in (back, on)]).tolist()
    first, last = (ImVec2(x, y) for x, y, _ in ends)
    axes = np.flatnonzero(direction)
    color = theme.axes[int(axes[0])] if len(axes) == 1 else theme.outline
    draw = imgui.get_background_draw_list()
    draw.add_line(first, last, style.ink(theme.halo, 0.4), 2 * GUIDE * display.pixel_ratio)
    draw.add_line(first, last, style.ink(color), GUIDE * display.pixel_ratio)


def _draw_ghost(display: Display, start: Vec3) -> None:
    """Draw where a press would begin a shape: a ring, and the position in numbers."""
    _draw_ring(display, start, SNAP_RADIUS, display.theme.roles[Role.PROBE])
    x, y, depth = display.view.project(start)[0].tolist()
    if not depth > 0:
        return
    with text.small():
        words = f"({', '.join(map(numerals.label, start))})"
        draw, ratio = imgui.get_background_draw_list(), display.pixel_ratio
        left, top, edge = round(x + GHOST_AWAY * ratio), round(y + GHOST_AWAY * ratio), 3 * ratio
        right, bottom = left + text.width(words), top + imgui.get_text_line_height()
        corners = ImVec2(left - edge, top - edge), ImVec2(right + edge, bottom + edge)
        draw.add_rect_filled(*corners, imgui.get_color_u32(style.LABEL), edge)
        draw.add_text(ImVec2(left, top), imgui.get_color_u32(style.TEXT), words)


def _draw_marks(display: Display, marks: Snap) -> None:
    draw, ratio = imgui.get_background_draw_list(), display.pixel_ratio
    color = display.theme.roles[Role.INTERVAL]
    ends = display.view.project(marks.lines.reshape(-1, 3)).reshape(-1, 2, 3)
    for line in ends[(ends[:, :, 2] > 0).all(axis=1), :, :2].tolist():
        a, b = (ImVec2(*end) for end in line)
        draw.add_line(a, b, style.ink(display.theme.halo, 0.6), HALO * ratio)
        draw.add_line(a, b, style.ink(color), LINE * ratio)
    _draw_ring(display, marks.point, SNAP_RADIUS, color)


def _draw_ring(display: Display, point: Array | Vec3, radius: float, color: str) -> None:
    """Draw a ring of a radius in points around a point, unless it is behind the eye."""
    draw, ratio = imgui.get_background_draw_list(), display.pixel_ratio
    x, y, depth = display.view.project(point)[0].tolist()
    if depth > 0:
        draw.add_circle(ImVec2(x, y), radius * ratio, style.ink(display.theme.halo, 0.6), 0, HALO * ratio)
        draw.add_circle(ImVec2(x, y), radius * ratio, style.ink(color), 0, LINE * ratio)


def show_compass(state: State) -> None:
    """Draw the compass: positive axis ends filled and lettered, far ends fainter."""
    display, tool = state.display, state.tool
    ratio, theme = display.pixel_ratio, display.theme
    draw, mouse = imgui.get_background_draw_list(), imgui.get_mouse_pos()
    middle = ImVec2(*compass.middle(display))
    pointed = compass.end_at(display, mouse.x, mouse.y) if tool.drag is None else None
    if pointed is not None:
        draw.add_circle_filled(middle, (compass.ARM + MARGIN) * ratio, style.ink(theme.outline, 0.08))
    for end in compass.ends(display):
        strength = 0.75 + 0.25 * end.nearness
        tip, radius, own = ImVec2(end.x, end.y), compass.DISC * ratio, theme.axes[end.axis]
        if end.sign > 0:
            draw.add_line(middle, tip, style.ink(own, strength), LINE_WIDTH * ratio)
            draw.add_circle_filled(tip, radius, style.ink(own, strength))
            with text.small():
                letter = "XYZ"[end.axis]
                x, y = tip.x - text.width(letter) / 2, tip.y - imgui.get_text_line_height() / 2
                draw.add_text(ImVec2(round(x), round(y)), style.ink(theme.halo), letter)
        else:
            draw.add_circle_filled(tip, 0.8 * radius, style.ink(own, 0.22 * strength))
            draw.add_circle(tip, 0.8 * radius, style.ink(own, 0.8 * strength), 0, RING_WIDTH * ratio)
        if end == pointed:
            draw.add_circle(tip, radius + RING_WIDTH * ratio, style.ink(theme.outline, 0.9), 0, RING_WIDTH * ratio)


def pointer_over(state: State, pixel: tuple[float, float]) -> Pointer:
    """The shape of the mouse pointer at a pixel, which shows what a press would do."""
    tool, hovered = state.tool, state.selection.hovered
    drag = tool.drag
    if isinstance(drag, camera_drags.Pan | camera_drags.Fly):
        return "all_ways"
    if isinstance(drag, HandleDrag | GizmoDrag):
        return "hand"
    if tool.armed is not None:
        return "cross"
    if drag is not None:
        return "arrow"
    grabs = tool.gizmo_part is not None or compass.end_at(state.display, *pixel) is not None
    grabs = grabs or pointer.click_at(state, *pixel) is not None
    return "hand" if grabs or (hovered is not None and hovered.handle is not None) else "arrow"

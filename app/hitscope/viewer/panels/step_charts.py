"""The chart of the method that is stepped through; what the mouse is over in it is lit in the scene as well."""

import math
from functools import lru_cache

import numpy as np
from imgui_bundle import ImVec2, ImVec4, imgui

from hitscope import numerals
from hitscope.draw import intervals, step_marks
from hitscope.draw.items import Role
from hitscope.explain import Explanation
from hitscope.explain.charts import Chart, axes, chart_of, draw, marks, row_at, slabs
from hitscope.viewer.actions import stepping, view
from hitscope.viewer.panels import style, text, widgets
from hitscope.viewer.panels.style import ACCENT, FIELD, LINE, QUIET, TEXT, pixels
from hitscope.viewer.state.state import State

EM = 15.0
"""The size of a chart's text in points; it is smaller where there is no space for the narrowest chart."""
LEAST_TEXT = 12.0
"""The least size of a text of a chart in points, also where that is small beside others or in a narrow chart."""
NARROWEST = 20.0
"""The least width of a chart, in em."""
_TONES: dict[str, ImVec4] = {
    "text": TEXT,
    "quiet": QUIET,
    "line": LINE,
    "field": FIELD,
    "primitive": style.role(Role.NEUTRAL),
    **{role.name.lower(): style.role(role) for role in Role},
}


def has_chart(explanation: Explanation | None) -> bool:
    return explanation is not None and _chart(explanation) is not None


def show(state: State, explanation: Explanation, index: int | None, width: float) -> None:
    """Draw the chart of an explanation, if it has one, at the step of this index, on `width` pixels."""
    em, corner = min(pixels(EM), width / NARROWEST), imgui.get_cursor_screen_pos()
    chart, drawing, focus = _chart(explanation), _drawing(explanation, width / em), None
    if chart is not None and drawing is not None:
        row = _row_below_mouse(state, chart, drawing, corner, em)
        row = _pointed_row(state, chart) if row is None else row
        _shade(drawing, row, corner, em, 0.09)
        at = _row_of_step(explanation, index)
        _shade(drawing, at, corner, em, 0.12, is_strip=True)
        _scroll_to(drawing, at, index, em)
        _paint(drawing, corner, em)
        imgui.set_cursor_screen_pos(corner)
        imgui.dummy(ImVec2(drawing.width * em, drawing.height * em))
        focus = _focus(explanation, row, index)
    # In a drag the light would come a frame late, and cost one.
    if focus != state.selection.chart and state.tool.drag is None:
        state.do(stepping.light_row, focus)


_chart = lru_cache(maxsize=4)(chart_of)


@lru_cache(maxsize=16)
def _drawing(explanation: Explanation, width: float) -> marks.Drawing | None:
    chart = _chart(explanation)
    return None if chart is None else draw(chart, width)


@lru_cache(maxsize=16)
def _row_of_step(explanation: Explanation, index: int | None) -> int | None:
    return None if index is None else row_at(explanation, _chart(explanation), index)


@lru_cache(maxsize=16)
def _focus(explanation: Explanation, row: int | None, index: int | None) -> step_marks.ChartFocus | None:
    """Return what is lit in the scene: of axes, without one under the mouse, that of the step or that decides."""
    chart = _chart(explanation)
    if row is None and isinstance(chart, axes.AxisChart):
        row = _row_of_step(explanation, index)
        row = chart.marked if row is None else row
    return None if chart is None or row is None else step_marks.ChartFocus(chart, row, *explanation.given)


def _row_below_mouse(state: State, chart: Chart, drawing: marks.Drawing, corner: ImVec2, em: float) -> int | None:
    """Lay a button on each row, and return the row that the mouse is over."""
    found = None
    for zone in drawing.zones:
        imgui.set_cursor_screen_pos(ImVec2(corner.x, corner.y + zone.top * em))
        size = ImVec2(drawing.width * em, (zone.bottom - zone.top) * em)
        clicked = imgui.invisible_button(f"##chart row {zone.row}", size)
        if imgui.is_item_hovered():
            found = zone.row
            widgets.tooltip(_meaning(chart, zone.row))
        unit = chart.rows[zone.row].unit if isinstance(chart, axes.AxisChart) else None
        if clicked and unit is not None:
            state.do(view.look_along, unit)
    return found


def _meaning(chart: Chart, row: int) -> str:
    if isinstance(chart, slabs.SlabChart):
        slab = chart.rows[row]
        ends = zip(slab.face_names, (slab.near, slab.far), strict=True)
        words = (f"{numerals.typeset_name(face)} at t = {numerals.typeset(t, None)}" for face, t in ends)
        return "\n".join(map(text.sentence, words))
    if isinstance(chart, axes.AxisChart):
        axis = chart.rows[row]
        if axis.unit is None or axis.gap is None:
            return "The edges are parallel: their cross product is zero"
        kind = "Gap" if axis.gap > 0 else "Touching" if axis.gap == 0 else "Overlap"
        along = ", ".join(numerals.typeset(part) for part in axis.unit)
        noise = "\nThe edges are nearly parallel" if axis.degenerate else ""
        return f"{kind} {numerals.typeset(abs(axis.gap), None)} along ({along}){noise}\nClick to look along it"
    return ""


def _pointed_row(state: State, chart: Chart) -> int | None:
    """Return the slab whose face the mouse points at in the scene."""
    pointer, hovered = state.tool.pointer, state.selection.hovered
    if not isinstance(chart, slabs.SlabChart) or pointer is None or hovered is None or hovered.kind != "primitive":
        return None
    stage = state.session.picture.stage
    line = intervals.ParametricLine(*state.display.view.ray_through(*pointer).in_stage(stage), 0.0, np.inf)
    faces = stage.points(np.array([face for slab in chart.rows for face in slab.faces]))
    depths = np.fmin(*(intervals.triangle_intervals(line, faces[:, [0, k, k + 1]])[:, 0] for k in (1, 2)))
    return None if np.isnan(depths).all() else int(np.nanargmin(depths)) // 2


def _scroll_to(drawing: marks.Drawing, row: int | None, index: int | None, em: float) -> None:
    """Scroll to the row of a step when another step is shown."""
    storage, key = imgui.get_state_storage(), imgui.get_id("##step of the chart")
    shown, before = -1 if index is None else index, storage.get_int(key, -2)
    storage.set_int(key, shown)
    for zone in drawing.zones:
        if shown != before and zone.row == row:
            top, height = imgui.get_scroll_y(), imgui.get_window_height()
            if not top <= zone.top * em <= zone.bottom * em <= top + height:
                imgui.set_scroll_y(zone.bottom * em - height / 2)


def _shade(
    drawing: marks.Drawing, row: int | None, corner: ImVec2, em: float, strength: float, *, is_strip: bool = False
) -> None:
    """Lay a quiet ground under a row, with a strip at its left."""
    for zone in drawing.zones:
        if zone.row == row:
            y, height = corner.y + zone.top * em, (zone.bottom - zone.top) * em
            style.fill(corner.x, y, drawing.width * em, height, style.faded(TEXT, strength), pixels(3))
            if is_strip:
                style.fill(corner.x, y, pixels(3), height, ACCENT, pixels(1.5))


def _paint(drawing: marks.Drawing, corner: ImVec2, em: float) -> None:
    for mark in drawing.marks:
        _paint_mark(mark, [corner + ImVec2(x, y) * em for x, y in mark.points], em)


def _paint_mark(mark: marks.Mark, points: list[ImVec2], em: float) -> None:
    canvas = imgui.get_window_draw_list()
    colour = imgui.get_color_u32(style.faded(_TONES[mark.tone], mark.strength))
    start, end = points[0], points[-1]
    match mark.kind:
        case "text":
            with text.written(None, max(em / pixels(1) * mark.size, LEAST_TEXT)):
                size = imgui.calc_text_size(mark.text)
                shift = {"left": 0.0, "middle": 0.5, "right": 1.0}[mark.align] * size.x
                canvas.add_text(ImVec2(round(start.x - shift), round(start.y - size.y / 2)), colour, mark.text)
        case "bar":
            canvas.add_rect_filled(start, end, colour)
        case "frame":
            canvas.add_rect(start, end, colour, pixels(3))
        case "dot":
            canvas.add_circle_filled(start, mark.size * em, colour)
        case "polygon":
            # Dear ImGui smooths the border of one winding only.
            around = zip(points, points[1:] + points[:1], strict=True)
            is_clockwise = sum(p.x * q.y - q.x * p.y for p, q in around) > 0
            canvas.add_convex_poly_filled([*(points if is_clockwise else reversed(points))], colour)
        case "stroke":
            canvas.add_line(start, end, colour, pixels(mark.size))
        case "dashes":
            along = end - start
            count = max(int(math.hypot(along.x, along.y) / pixels(6)), 1)
            for k in range(count):
                a, b = start + along * (k / count), start + along * ((k + 0.5) / count)
                canvas.add_line(a, b, colour, pixels(mark.size))

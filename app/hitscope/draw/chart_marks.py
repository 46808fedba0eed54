"""A row of a chart in the scene: the two faces of a slab, or the shadows on an axis."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from hitscope.draw.extent import as_points
from hitscope.draw.items import Boxes, Cue, DrawList, Ending, Markers, Role, Strokes, ThinLines, joined
from hitscope.explain.charts import Chart
from hitscope.explain.charts.axes import AxisChart, AxisRow, scene_shadows
from hitscope.explain.charts.slabs import SlabChart, SlabRow
from hitscope.geometry.arrays import finite
from hitscope.geometry.shapes import Shape, Vec3


class ChartFocus(NamedTuple):
    """A row of a chart that is shown in the scene, and the pair whose chart it is."""

    chart: Chart
    row: int
    probe: Shape
    primitive: Shape


class _Line(NamedTuple):
    start: Vec3
    end: Vec3
    role: Role


def with_chart_marks(draw_list: DrawList, focus: ChartFocus | None) -> DrawList:
    """Return a draw list with the marks of a row of a chart in front of the others."""
    if focus is None:
        return draw_list
    match focus.chart:
        case SlabChart():
            return _with_slab(draw_list, focus.chart, focus.chart.rows[focus.row])
        case AxisChart():
            return _with_axis(draw_list, focus.chart.rows[focus.row], focus.probe, focus.primitive)
    return draw_list


def _with_slab(draw_list: DrawList, chart: SlabChart, row: SlabRow) -> DrawList:
    """Add the faces of a slab, and the points of the probe's line on their planes."""
    marked = [
        (point, role) for point, role in zip(row.points, (Role.ENTRY, Role.EXIT), strict=True) if point is not None
    ]
    beyond = [
        (end, point)
        for point, t in zip(row.points, (row.near, row.far), strict=True)
        if point is not None and not chart.t_min <= t <= chart.t_max
        if (end := _nearest_end(chart, row, point)) is not None
    ]
    corners = np.array(row.faces)
    with np.errstate(over="ignore"):
        sides = finite(np.stack([corners[:, 1], corners[:, 3], corners[:, 0]], axis=1) - corners[:, :1])
    roles = np.array([Role.ENTRY, Role.EXIT], np.uint8)
    faces = Boxes(corners[:, 0], sides, roles, np.full(2, Cue.HOVERED, np.uint8))
    single = draw_list.single._replace(boxes=joined(draw_list.single.boxes, faces))
    shown = replace(draw_list, single=single)
    return _with(shown, [], [point for point, _ in marked], [role for _, role in marked], beyond)


def _nearest_end(chart: SlabChart, row: SlabRow, point: Vec3) -> Vec3 | None:
    """Return the end of the probe that is nearest to a point of its line; None without another point."""
    known = [(other, t) for other, t in zip(row.points, (row.near, row.far), strict=True) if other is not None]
    if len(known) < 2 or known[0][1] == known[1][1]:
        return None
    (a, s), (b, t) = known
    at = s if point == a else t
    end = min(max(at, chart.t_min), chart.t_max)
    part = (end - s) / (t - s)
    return a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2])


def _with_axis(draw_list: DrawList, row: AxisRow, probe: Shape, primitive: Shape) -> DrawList:
    """Add the shadows on an axis, the gap or the overlap between them, and lines from what casts their ends."""
    shadows = scene_shadows(row, probe, primitive)
    if shadows is None:
        return draw_list
    own, target = shadows
    a, unit = target.ends[1], row.unit or (0.0, 0.0, 0.0)
    # Turned towards the probe: the gap is from the primitive's upper end as far as the probe's lower one.
    length = row.gap or 0.0
    across = a[0] + length * unit[0], a[1] + length * unit[1], a[2] + length * unit[2]
    lines = [
        _Line(*target.ends, Role.NEUTRAL),
        _Line(*own.ends, Role.PROBE),
        _Line(target.ends[1], across, Role.MISS if row.separates else Role.HIT),
    ]
    cast = [
        *zip(own.cast_by, own.ends, strict=True),
        *zip(target.cast_by, target.ends, strict=True),
    ]
    roles = [Role.PROBE, Role.PROBE, Role.NEUTRAL, Role.NEUTRAL]
    return _with(draw_list, lines, [*own.ends, *target.ends], roles, cast)


def _with(
    draw_list: DrawList,
    lines: Sequence[_Line],
    points: Sequence[Vec3],
    roles: Sequence[Role],
    thin: Sequence[tuple[Vec3, Vec3]],
) -> DrawList:
    count, ends = len(lines), np.array(thin, float).reshape(-1, 2, 3)
    none, no_flags = np.zeros(len(points), np.uint8), np.zeros(len(points), np.bool_)
    strokes = Strokes(
        as_points(np.array(line.start) for line in lines),
        as_points(np.array(line.end) for line in lines),
        np.array([line.role for line in lines], np.uint8),
        np.zeros(count, np.uint8),
        np.full(count, Ending.PLAIN, np.uint8),
        np.zeros(count, np.bool_),
    )
    # A marker of a probe would be a handle.
    markers = Markers(
        np.array(points, float).reshape(-1, 3),
        np.array([Role.INTERVAL if role == Role.PROBE else role for role in roles], np.uint8),
        none,
        no_flags,
        no_flags,
    )
    cues, fades = np.full(len(ends), Cue.TOUCHING, np.uint8), np.zeros(len(ends), np.bool_)
    thin_lines = ThinLines(ends[:, 0], ends[:, 1], np.zeros(len(ends), np.intp), cues, fades)
    return replace(
        draw_list,
        strokes=joined(draw_list.strokes, strokes),
        markers=joined(markers, draw_list.markers),
        hierarchy=joined(draw_list.hierarchy, thin_lines),
    )

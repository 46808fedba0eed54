"""The slabs of a box as intervals of t: where a linear probe is between each pair of opposite faces."""

from collections.abc import Callable, Iterator
from math import inf, isfinite, isnan
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hitscope.explain.charts import marks
from hitscope.geometry import exact, ieee
from hitscope.geometry.exact import Bound
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.polyhedron import polygons_of
from hitscope.geometry.shapes import Aabb, LinearShape, Obb, Parallelepiped, Vec3, linear, replaced_numbers
from hitscope.geometry.vector import cross, dot, subtract, vec3
from hitscope.numerals import typeset, typeset_name


class SlabRow(NamedTuple):
    """The part of a linear probe in one slab, as a plain slab test computes it, and the faces that bound it."""

    axis: str
    """The name of the box's axis: x, y, z, or the number of a parallelepiped's edge."""
    near: float
    """The lesser t of the two faces; infinite where the probe is parallel to them, NaN where it lies in one."""
    far: float
    parallel: str
    """"between", "outside" or "in a face" for a probe that is parallel to the faces; else empty."""
    face_names: tuple[str, str]
    """The faces at the near and at the far t."""
    faces: tuple[tuple[Vec3, ...], tuple[Vec3, ...]]
    """Their corners, in order."""
    points: tuple[Vec3 | None, Vec3 | None]
    """The points of the probe's line at the near and the far t; None where there is none."""
    t_enter: float
    """The entry into all slabs so far, and into the probe's own range."""
    t_exit: float

    @property
    def is_empty(self) -> bool:
        """Whether the slabs so far leave nothing of the probe."""
        return self.t_enter > self.t_exit


class SlabChart(NamedTuple):
    """The three slabs of a box, and what they have in common."""

    rows: tuple[SlabRow, SlabRow, SlabRow]
    t_min: float
    """The probe's own range of t."""
    t_max: float
    empty_at: int | None
    """The index of the first slab that leaves nothing; None of a hit."""
    entry: int | None
    """The index of the slab that sets the entry, of a miss until nothing is left; None of the probe's start."""
    exit: int | None
    exact_enter: Bound
    """The entry and the exit without rounding; the entry of a miss is after the exit."""
    exact_exit: Bound

    @property
    def last(self) -> SlabRow:
        """The slab after which a slab test ends."""
        return self.rows[2 if self.empty_at is None else self.empty_at]

    @property
    def hit(self) -> bool:
        """The verdict of the plain slab test, which rounding or a NaN may make wrong."""
        return self.empty_at is None


def slab_chart(probe: LinearShape, box: Aabb | Obb | Parallelepiped, number: type = float) -> SlabChart | None:
    """Return the slabs of a box, in its own frame or edges, in `number`; None of a box without volume."""
    if (unrounded := exact.box_ranges(probe, box)) is None:
        return None
    line = linear(probe)
    enter, leave = float(line.t_min), float(line.t_max)
    rows: list[SlabRow] = []
    entry = leaving = empty_at = None
    faces = polygons_of(box)
    with np.errstate(all="ignore"):
        origin, direction, *_ = linear(replaced_numbers(probe, number))
        measured = MEASURES[type(box)](replaced_numbers(box, number), origin, direction)
        for i, (lo, hi, start, speed) in enumerate(measured):
            t_low, t_high = ieee.divide(lo - start, speed), ieee.divide(hi - start, speed)
            turned = bool(t_low > t_high)
            near, far = map(float, (t_high, t_low) if turned else (t_low, t_high))
            is_open = empty_at is None
            if near > enter:
                enter, entry = near, i if is_open else entry
            if far < leave:
                leave, leaving = far, i if is_open else leaving
            if is_open and enter > leave:
                empty_at = i
            axis, first, second = KINDS[type(box)].axis_names[i], int(turned), int(not turned)
            beside = "in a face" if start in (lo, hi) else "between" if lo < start < hi else "outside"
            names = f"face {'-+'[first]}{axis}", f"face {'-+'[second]}{axis}"
            corners = faces[2 * i + first], faces[2 * i + second]
            points = _at(line, near), _at(line, far)
            parallel = beside if speed == 0 else ""
            rows.append(SlabRow(axis, near, far, parallel, names, corners, points, enter, leave))
    x, y, z = rows
    exact_line = exact.linear_probe(probe)
    earliest = max(exact_line.t_min, *(near for near, _ in unrounded))
    latest = min(exact_line.t_max, *(far for _, far in unrounded))
    return SlabChart((x, y, z), float(line.t_min), float(line.t_max), empty_at, entry, leaving, earliest, latest)


Measured: TypeAlias = Iterator[tuple[Any, Any, Any, Any]]
"""The bounds of each slab, and the probe's origin and direction across it, in the same unit."""


def _of_obb(box: Obb, origin: Vec3, direction: Vec3) -> Measured:
    from_center = subtract(origin, box.center)
    for axis, extent in zip(box.axes, box.half_extents, strict=True):
        yield -extent, extent, dot(axis, from_center), dot(axis, direction)


def _of_parallelepiped(box: Parallelepiped, origin: Vec3, direction: Vec3) -> Measured:
    from_corner = subtract(origin, box.origin)
    for i in range(3):
        normal = cross(box.edges[(i + 1) % 3], box.edges[(i + 2) % 3])
        volume = dot(normal, box.edges[i])
        start, speed = (ieee.divide(dot(normal, way), volume) for way in (from_corner, direction))
        yield type(volume)(0), type(volume)(1), start, speed


MEASURES: dict[type, Callable[[Any, Vec3, Vec3], Measured]] = {
    Aabb: lambda box, origin, direction: zip(box.lo, box.hi, origin, direction, strict=True),
    Obb: _of_obb,
    Parallelepiped: _of_parallelepiped,
}
"""How the slabs of each type of box are measured along a probe."""


def _at(line: Any, t: float) -> Vec3 | None:
    """Return the point at t; None where it is beyond float64."""
    point = vec3(float(o) + t * float(d) for o, d in zip(line.origin, line.direction, strict=True))
    return point if all(map(isfinite, point)) else None


LABELS = 3.6
ROW = 2.4
BAR = 0.7
ENTRY: marks.Tone = "entry"
EXIT: marks.Tone = "exit"


def draw_slabs(chart: SlabChart, width: float) -> marks.Drawing:
    """Draw the slabs on a width in em."""
    sheet = marks.Sheet()
    lines = _words(chart)
    top = sheet.paragraphs(width, lines)
    scale = _scale(chart, LABELS, width - 0.6)
    sheet.text((0.4, top + 0.75), "probe", "probe", size=0.85)
    marks.draw_interval(sheet, scale, chart.t_min, chart.t_max, top + 0.4, top + 0.4 + BAR, "probe")
    top += 1.3
    for k in range(len(chart.rows)):
        is_reached = chart.empty_at is None or k <= chart.empty_at
        with sheet.row(k, top, top + ROW, 1.0 if is_reached else 0.45):
            _draw_row(sheet, scale, chart, k, top, is_reached)
        top += ROW
    _draw_common(sheet, scale, chart, top + 0.55)
    marks.draw_ticks(sheet, scale, top + 1.3)
    return sheet.drawing(width, top + 2.9, f"Slabs: {lines[0][0]}")


def _draw_row(
    sheet: marks.Sheet, scale: marks.Scale, chart: SlabChart, k: int, top: float, is_reached: bool
) -> None:
    row = chart.rows[k]
    bar = top + 1.0
    middle = bar + BAR / 2
    sheet.text((0.7, middle), row.axis, size=1.15)
    for t, tone in ((chart.last.t_enter, ENTRY), (chart.last.t_exit, EXIT)):
        if isfinite(t) and scale.holds(t):
            sheet.dashes((scale.at(t), bar), (scale.at(t), top + ROW), tone, 0.6)
    sheet.line((scale.left, middle), (scale.right, middle), "line")
    if row.parallel == "outside":
        words = f"parallel, outside: both t are {typeset(row.near)}"
        sheet.text((scale.left, top + 0.55), words, "miss", size=0.85)
    elif row.parallel == "in a face":
        face = row.face_names[0 if isnan(row.near) else 1]
        words = f"in {typeset_name(face)}: {typeset(row.near)} to {typeset(row.far)}, as 0 · ∞ is NaN"
        sheet.text((scale.left, top + 0.55), words, "quiet", size=0.85)
        sheet.frame(scale.left, scale.right, bar, bar + BAR, "quiet")
    else:
        marks.draw_interval(sheet, scale, row.near, row.far, bar, bar + BAR, "interval")
        _ends(sheet, scale, chart, k, row, top + 0.55)
    below = bar + BAR + 0.1
    enter, leave = scale.at(row.t_enter), scale.at(row.t_exit)
    if is_reached and row.is_empty:
        sheet.dashes((leave, below + 0.13), (max(enter, leave + 0.3), below + 0.13), "miss", 1.0, 2.5)
    elif is_reached:
        sheet.bar(enter, max(leave, enter + 0.15), below, below + 0.26, "hit")
    for t, is_end, tone in ((row.near, k == chart.entry, ENTRY), (row.far, k == chart.exit, EXIT)):
        if is_end and scale.holds(t):
            sheet.dot((scale.at(t), middle), tone)


def _ends(sheet: marks.Sheet, scale: marks.Scale, chart: SlabChart, k: int, row: SlabRow, y: float) -> None:
    """Write the near and the far t above the ends of their bar."""
    if row.parallel:
        sheet.text((scale.left, y), "parallel, between the faces: −∞ to ∞", "quiet", size=0.85)
        return
    near, far = (
        f"{typeset_name(face).removeprefix('face ')}  {typeset(t)}"
        for face, t in zip(row.face_names, (row.near, row.far), strict=True)
    )
    room = marks.width_of(near, 0.85), marks.width_of(far, 0.85)
    start = min(max(scale.at(row.near), scale.left), scale.right - sum(room) - 1.0)
    end = max(min(scale.at(row.far), scale.right), start + sum(room) + 1.0)
    sheet.text((start, y), near, "entry" if k == chart.entry else "quiet", size=0.85)
    sheet.text((end, y), far, "exit" if k == chart.exit else "quiet", "right", size=0.85)


def _draw_common(sheet: marks.Sheet, scale: marks.Scale, chart: SlabChart, middle: float) -> None:
    last = chart.last
    sheet.text((0.4, middle), "all", size=0.85)
    if not chart.hit:
        words = f"nothing left after {last.axis}"
        sheet.text(((scale.left + scale.right) / 2, middle), words, "miss", "middle", size=0.92)
        return
    sheet.line((scale.left, middle), (scale.right, middle), "line")
    marks.draw_interval(sheet, scale, last.t_enter, last.t_exit, middle - BAR / 2, middle + BAR / 2, "hit")
    for t, tone in ((last.t_enter, ENTRY), (last.t_exit, EXIT)):
        if scale.holds(t):
            sheet.dot((scale.at(t), middle), tone)


def _words(chart: SlabChart) -> list[tuple[str, marks.Tone]]:
    last = chart.last
    if chart.hit:
        enter = f"enters {_through(chart, 0)} at {typeset(last.t_enter)}"
        leave = f"leaves {_through(chart, 1)} at {typeset(last.t_exit)}"
        words = f"Hit: {'starts inside' if chart.entry is None else enter}, "
        words += "ends inside" if chart.exit is None else leave
    elif last.parallel == "outside":
        words = f"Miss: parallel to the faces across {last.axis}, and outside"
    else:
        words = f"Miss after {last.axis}: entry {typeset(last.t_enter)} is beyond exit {typeset(last.t_exit)}"
    common = f"{marks.t_text(chart.exact_enter)} to {marks.t_text(chart.exact_exit)}"
    between = "nothing in common" if chart.exact_enter == inf else common
    return marks.with_unrounded(words, chart.hit, chart.exact_enter <= chart.exact_exit, between)


def _through(chart: SlabChart, end: int) -> str:
    index = chart.exit if end else chart.entry
    return "" if index is None else typeset_name(chart.rows[index].face_names[end]).removeprefix("face ")


def _scale(chart: SlabChart, left: float, right: float) -> marks.Scale:
    """Return a scale for the common part and the probe, with what is near to them."""
    core = list(filter(isfinite, (chart.t_min, chart.t_max, chart.last.t_enter, chart.last.t_exit)))
    others = [t for row in chart.rows for t in (row.near, row.far) if isfinite(t)]
    if len(set(core)) < 2:
        core += others
    lo, hi = min(core, default=0.0), max(core, default=1.0)
    size = hi - lo or abs(lo) or 1.0
    shown = [lo, hi, *(t for t in others if lo - size <= t <= hi + size)]
    margin = 0.08 * (max(shown) - min(shown)) or 0.5 * size
    return marks.Scale(min(shown) - margin, max(shown) + margin, left, right)

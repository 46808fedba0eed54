"""The marks of a step's values, and of a row of its chart; the values that it has set or reads stand out."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from hitscope.draw import items
from hitscope.draw.extent import as_points
from hitscope.draw.facets import Corner, Polygon, triangles_of
from hitscope.explain.charts import Chart
from hitscope.explain.charts.axes import AxisChart, AxisRow, scene_shadows
from hitscope.explain.charts.slabs import SlabChart, SlabRow
from hitscope.explain.value_pictures import ValuePicture
from hitscope.geometry.arrays import Array, finite, polar
from hitscope.geometry.meanings import MeaningKind
from hitscope.geometry.shapes import Shape, Vec3

ROLES: dict[MeaningKind, items.Role] = {
    "t pair": items.Role.ENTRY,
    "vector": items.Role.NORMAL,
    "direction": items.Role.NORMAL,
    "axis": items.Role.AXIS,
}
"""The roles of values by what they stand for; the others have that of an interval."""
SIDES = {1: items.Role.ENTRY, 0: items.Role.INTERVAL, -1: items.Role.EXIT}
"""The roles of the point whose side a value is: the one of a point behind is drawn hollow."""
FACES: frozenset[MeaningKind] = frozenset({"face", "slab"})
"""Faces of the primitive: outlined where they stand out, without a label where they are quiet."""
ENDLESS = 1e3
"""The sizes of a patch at which it would have faded out: a sheet that fades casts no shadow."""


class StepLabel(NamedTuple):
    """The name and the value of a picture, and the point that they are written at."""

    point: Array
    name: str
    text: str
    role: items.Role
    stands_out: bool


class _Line(NamedTuple):
    """A row of `Strokes`."""

    start: Array | Vec3
    end: Array | Vec3
    role: items.Role
    cue: items.Cue = items.Cue.NONE
    ending: items.Ending = items.Ending.PLAIN
    is_wide: bool = False


class StepMarks(NamedTuple):
    """The marks of the values of one step."""

    lines: items.Strokes
    markers: items.Markers
    facets: items.Facets
    labels: tuple[StepLabel, ...]
    """The labels, those that stand out first."""

    def on(self, drawn: items.DrawList) -> items.DrawList:
        """The draw list with these marks on top."""
        markers, facets = items.joined(drawn.markers, self.markers), items.joined(drawn.facets, self.facets)
        return replace(drawn, values=self.lines, markers=markers, facets=facets)


def step_marks(pictures: Sequence[ValuePicture], hit: bool) -> StepMarks:
    """The marks of values; `hit` tells the colour of the primitive, which its shadows on axes have, too."""
    both = [(picture, _role(picture, hit)) for picture in sorted(pictures, key=_layer)]
    dots = (
        (point, role, _cue(picture), False, not _stands_out(picture))
        for picture, role in both
        for point in _dots(picture)
    )
    return StepMarks(
        items.from_rows(items.NO_STROKES, (line for picture, role in both for line in _lines(picture, role))),
        items.from_rows(items.NO_MARKERS, dots),
        items.joined(
            items.NO_FACETS, *(_facets(picture, role) for picture, role in both if picture.kind == "patch")
        ),
        tuple(label for picture, role in reversed(both) for label in _labels(picture, role)),
    )


def _layer(picture: ValuePicture) -> tuple[bool, ...]:
    """Return the order of drawing: what stands out over the rest, bars over faces, and narrow over wide ones."""
    return _stands_out(picture), picture.kind != "patch", not _is_wide(picture), picture.is_new


def _role(picture: ValuePicture, hit: bool) -> items.Role:
    if picture.kind == "side":
        return SIDES[picture.side]
    if picture.whose:
        return items.Role.PROBE if picture.whose == "probe" else items.Role.HIT if hit else items.Role.MISS
    return ROLES.get(picture.meaning, items.Role.INTERVAL)


def _stands_out(picture: ValuePicture) -> bool:
    return picture.is_new or picture.is_read


def _is_wide(picture: ValuePicture) -> bool:
    """Whether a bar is wide, so that another one on the same line is visible on it."""
    return picture.whose == "primitive" or picture.meaning == "t range"


def _cue(picture: ValuePicture) -> items.Cue:
    return items.Cue.HOVERED if _stands_out(picture) else items.Cue.NONE


def _lines(picture: ValuePicture, role: items.Role) -> Iterator[_Line]:
    points, cue = picture.points, _cue(picture)
    if picture.kind == "arrow":
        yield _Line(points[0], points[1], role, cue, items.Ending.ARROW_END)
    elif picture.kind == "outline":
        for start, end in zip(points[::2], points[1::2], strict=True):
            yield _Line(start, end, role)
    elif picture.kind == "interval":
        yield _Line(points[0], points[1], role, cue, is_wide=_is_wide(picture))
    elif picture.meaning in FACES and _stands_out(picture):
        # The colour of a translucent face on one of the primitive is hardly visible.
        for start, end in pairwise([*points, points[0]]):
            yield _Line(start, end, role, cue)


def _dots(picture: ValuePicture) -> Sequence[Vec3]:
    is_plain = picture.kind == "interval" and picture.meaning not in ("t range", "t pair")
    return () if is_plain or picture.kind in ("arrow", "patch", "outline") else picture.points


def _labels(picture: ValuePicture, role: items.Role) -> Iterator[StepLabel]:
    """The labels of a picture: of two variables one at each end, else one at the tip or in the middle."""
    if picture.meaning in FACES and not _stands_out(picture):
        return
    points = as_points(picture.points)
    if picture.ends and (points[0] != points[1]).any():
        for point, (name, text) in zip(points, picture.ends, strict=True):
            yield StepLabel(point, name, text, role, _stands_out(picture))
    else:
        point = points[-1] if picture.kind in ("arrow", "outline") else points.mean(axis=0)
        yield StepLabel(point, picture.name, picture.text, role, _stands_out(picture))


def _facets(picture: ValuePicture, role: items.Role) -> items.Facets:
    corners = as_points(picture.points)
    n, middle = len(corners), corners.mean(axis=0)
    _, normal = polar(np.cross(corners - middle, np.roll(corners, -1, axis=0) - middle).sum(axis=0))
    size = 2 * float(np.abs(corners - middle).max())
    patch = Polygon([Corner(corner) for corner in corners], normal, solid=False)
    return replace(
        triangles_of([patch], middle, ENDLESS * size),
        sizes=np.full(n, size),
        roles=np.full(n, role if _stands_out(picture) else items.Role.REFERENCE, np.uint8),
        cues=np.full(n, _cue(picture), np.uint8),
    )


class ChartFocus(NamedTuple):
    """A row of a chart that is shown in the scene, and the pair whose chart it is."""

    chart: Chart
    row: int
    probe: Shape
    primitive: Shape


def with_chart_marks(draw_list: items.DrawList, focus: ChartFocus | None) -> items.DrawList:
    """Return a draw list with the marks of a row of a chart in front of the others."""
    match focus:
        case ChartFocus(SlabChart() as slabs, row):
            return _with_slab(draw_list, slabs, slabs.rows[row])
        case ChartFocus(AxisChart() as axes, row, probe, primitive):
            return _with_axis(draw_list, axes.rows[row], probe, primitive)
    return draw_list


def _with_slab(draw_list: items.DrawList, chart: SlabChart, row: SlabRow) -> items.DrawList:
    """Add the faces of a slab, and the points of the probe's line on their planes."""
    ends = list(zip(row.points, (row.near, row.far), (items.Role.ENTRY, items.Role.EXIT), strict=True))
    marked = [(point, role) for point, _, role in ends if point is not None]
    beyond = [
        (end, point)
        for point, t, _ in ends
        if point is not None and not chart.t_min <= t <= chart.t_max
        if (end := _nearest_end(chart, row, point)) is not None
    ]
    corners = np.array(row.faces)
    with np.errstate(over="ignore"):
        sides = finite(np.stack([corners[:, 1], corners[:, 3], corners[:, 0]], axis=1) - corners[:, :1])
    roles = np.array([items.Role.ENTRY, items.Role.EXIT], np.uint8)
    faces = items.Boxes(corners[:, 0], sides, roles, np.full(2, items.Cue.HOVERED, np.uint8))
    single = draw_list.single._replace(boxes=items.joined(draw_list.single.boxes, faces))
    return _with(replace(draw_list, single=single), [], marked, beyond)


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


def _with_axis(draw_list: items.DrawList, row: AxisRow, probe: Shape, primitive: Shape) -> items.DrawList:
    """Add the shadows on an axis, the gap or the overlap between them, and lines from what casts their ends."""
    shadows = scene_shadows(row, probe, primitive)
    if shadows is None:
        return draw_list
    own, target = shadows
    # Turned towards the probe: the gap is from the primitive's upper end as far as the probe's lower one.
    across = np.add(target.ends[1], np.multiply(row.gap or 0.0, row.unit or (0.0, 0.0, 0.0)))
    lines = [
        _Line(*target.ends, items.Role.NEUTRAL),
        _Line(*own.ends, items.Role.PROBE),
        _Line(target.ends[1], across, items.Role.MISS if row.separates else items.Role.HIT),
    ]
    # A marker of a probe would be a handle.
    points = [(end, items.Role.INTERVAL) for end in own.ends] + [(end, items.Role.NEUTRAL) for end in target.ends]
    cast = zip((*own.cast_by, *target.cast_by), (*own.ends, *target.ends), strict=True)
    return _with(draw_list, lines, points, cast)


def _with(
    draw_list: items.DrawList,
    lines: Iterable[_Line],
    points: Iterable[tuple[Vec3, items.Role]],
    thin: Iterable[tuple[Vec3, Vec3]],
) -> items.DrawList:
    markers = items.from_rows(
        items.NO_MARKERS, ((point, role, items.Cue.NONE, False, False) for point, role in points)
    )
    thin_lines = items.from_rows(
        items.NO_THIN_LINES, ((start, end, 0, items.Cue.TOUCHING, False) for start, end in thin)
    )
    return replace(
        draw_list,
        strokes=items.joined(draw_list.strokes, items.from_rows(items.NO_STROKES, lines)),
        markers=items.joined(markers, draw_list.markers),
        hierarchy=items.joined(draw_list.hierarchy, thin_lines),
    )

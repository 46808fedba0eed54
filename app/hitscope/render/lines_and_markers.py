"""The lines and markers over the faces: drop lines, the origin's axes, probes, normals and marks."""

import math
from collections.abc import Callable, Iterable
from itertools import chain, product
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from hitscope.draw.extent import Stage
from hitscope.draw.items import Codes, Cue, DrawList, Ending, Markers, Role, Strokes, ThinLines
from hitscope.geometry.arrays import Array
from hitscope.render.buffers import CachedBuffer
from hitscope.render.ground import FIRST_AXIS_COLOUR, Grid
from hitscope.render.shaders import FACE_DEPTH, QUAD, QUAD_ORDER, program, set_uniforms

LINE = np.dtype([("start", "f4", 3), ("end", "f4", 3), ("pixels", "f4"), ("code", "u1", 4)])
THIN_LINE = np.dtype([("start", "f4", 3), ("end", "f4", 3), ("code", "u1", 4)])
MARK = np.dtype([("position", "f4", 3), ("code", "u1", 4)])

STROKE, DROP, ARROW, GAP, VALUE = 0, 1, 2, 3, 4
HANDLE, POINT, FOOT, WARNING_SIGN, SMALL_HANDLE, FAINT_HANDLE = 0, 1, 2, 3, 4, 5
LAYERS = (2, 1, 0)
"""The layers of lines from the lowest: outlines of selected shapes, halos, the lines themselves."""
RADII = (5.5, 4.0, 1.6, 8.0, 4.0, 3.0)
"""The radii of markers by kind, in points."""
SIGN_ABOVE = 17.0
"""Points from a degenerate shape up to its warning sign."""
IN_HIT = 8
"""A bit beside those of Ending: the part of a probe inside an element that it hits, or a wide line of a value."""
FAINTER_FROM = 200
"""Among more thin lines of bundles than this each is drawn fainter."""
HITTING, MISSING = 30, 8
"""The least opacity, of 255, of thin lines that hit something and of those that do not."""
ENTERED, PASSED_BY = 255, 110
"""The opacity of the boxes of a hierarchy."""
AXIS_COLOURS = np.arange(FIRST_AXIS_COLOUR, FIRST_AXIS_COLOUR + 3, dtype=np.uint8)
WARNING_COLOUR = FIRST_AXIS_COLOUR + 5
NORMAL_PIXELS = 40.0
AXIS_PIXELS = 44.0


class Instances:
    """Quads of one kind, one an instance."""

    def __init__(
        self, context: moderngl.Context, made: moderngl.Program, layout: str, names: tuple[str, ...]
    ) -> None:
        self.rows = CachedBuffer(context)
        quad = context.buffer(np.array(QUAD, np.float32).tobytes())
        content = [(quad, "2f", "corner"), (self.rows.buffer, layout + " /i", *names)]
        self._array = context.vertex_array(made, content, index_buffer=context.buffer(QUAD_ORDER.tobytes()))

    def draw(self) -> None:
        if self.rows.count:
            self._array.render(instances=self.rows.count)


class LinesAndMarkers:
    """The lines and markers of a draw list."""

    def __init__(self, context: moderngl.Context) -> None:
        self._line_program = program(context, "strokes.vert", "lines.frag", face_depth=FACE_DEPTH)
        mark_program = program(context, "markers.vert", "markers.frag", face_depth=FACE_DEPTH)
        set_uniforms(mark_program, radii=RADII, sign_above=SIGN_ABOVE)
        thin_line_program = program(context, "thin_lines.vert", "thin_lines.frag")
        self._thin_lines = CachedBuffer(context)
        ends = context.buffer(np.array((0, 1), np.float32).tobytes())
        thin_lines = (self._thin_lines.buffer, "3f 3f 4u1 /i", "start", "end", "code")
        self._thin_line_array = context.vertex_array(thin_line_program, [(ends, "1f", "at"), thin_lines])

        def lines() -> Instances:
            return Instances(context, self._line_program, "3f 3f 1f 4u1", ("start", "end", "pixels", "code"))

        def marks() -> Instances:
            return Instances(context, mark_program, "3f 3u1 1x1", ("position", "code"))

        self._strokes, self._arrows, self._drops, self._axes, self._gap, self._values = (lines() for _ in range(6))
        self._marks, self._feet, self._ends, self._warnings = marks(), marks(), marks(), marks()

    def load(self, draw_list: DrawList, stage: Stage, ground: Grid) -> None:
        """Upload the lines and markers that differ from those drawn before."""
        strokes, arrows, markers = draw_list.strokes, draw_list.arrows, draw_list.markers
        values, gap, facets = draw_list.values, draw_list.gap, draw_list.facets
        thin_lines, hierarchy = draw_list.thin_lines, draw_list.hierarchy

        def update(rows: CachedBuffer, made_of: Iterable[object], make: Callable[[], NDArray[Any]]) -> None:
            rows.update((*made_of, *stage.key), make)

        def drops() -> tuple[Array, Array]:
            handles = stage.points(markers.positions[markers.main])
            return handles, ground.feet(handles)

        update(self._strokes.rows, vars(strokes).values(), lambda: _strokes(strokes, stage, STROKE))
        update(self._values.rows, vars(values).values(), lambda: _strokes(values, stage, VALUE))
        ways = arrows.directions, arrows.roles, NORMAL_PIXELS
        update(self._arrows.rows, vars(arrows).values(), lambda: _arrows(stage.points(arrows.positions), *ways))
        update(self._marks.rows, vars(markers).values(), lambda: _marks(markers, stage))
        standing = (markers.positions, markers.main, *ground.key)
        update(self._drops.rows, standing, lambda: _lines(*drops(), Role.PROBE, 0, 0, DROP))
        update(self._feet.rows, standing, lambda: _mark_table(drops()[1], Role.PROBE, 0, FOOT))
        update(self._gap.rows, [gap], lambda: _lines(*stage.lines(*gap.swapaxes(0, 1)), Role.REFERENCE, 0, 0, GAP))
        ends = gap.reshape(-1, 3)
        update(self._ends.rows, [gap], lambda: _mark_table(stage.points(ends), Role.REFERENCE, 0, POINT))
        shown = draw_list.origin_axes and ground.shows_origin
        axes = np.eye(3), AXIS_COLOURS, AXIS_PIXELS
        update(
            self._axes.rows,
            (*ground.key, shown),
            lambda: _arrows(np.tile(ground.origin, (3, 1)), *axes) if shown else np.zeros(0, LINE),
        )
        update(
            self._thin_lines,
            (thin_lines.starts, thin_lines.ends, thin_lines.cues, hierarchy.starts, hierarchy.ends),
            lambda: np.concatenate([_thin_lines(thin_lines, stage), _hierarchy(hierarchy, stage)]),
        )
        of_primitives: list[object] = []
        for shapes in chain(*draw_list.primitives):
            of_primitives += (value for name, value in vars(shapes).items() if name != "roles")
        update(
            self._warnings.rows,
            (*of_primitives, facets.vertices, facets.cues, markers.positions, markers.cues),
            lambda: _mark_table(warning_sign_points(draw_list, stage), WARNING_COLOUR, 0, WARNING_SIGN),
        )

    def draw_thin_lines(self) -> None:
        """Draw the probes of bundles and the boxes of a hierarchy, with the depth test."""
        if self._thin_lines.count:
            self._thin_line_array.render(moderngl.LINES, instances=self._thin_lines.count)

    def draw_standing(self) -> None:
        """Draw drop lines and the origin's axes, which stand on the ground."""
        self._draw_lines(self._drops, self._axes)
        self._feet.draw()

    def draw(self) -> None:
        """Draw probes, normals and marks."""
        self._draw_lines(self._gap, self._strokes, self._values, self._arrows)
        self._ends.draw()
        self._marks.draw()
        self._warnings.draw()

    def _draw_lines(self, *groups: Instances) -> None:
        for lines, layer in product(groups, LAYERS):
            self._line_program["layer"] = layer
            lines.draw()


def _lines(starts: Array, ends: Array, *codes: Codes | int, pixels: float = 0.0) -> NDArray[Any]:
    """The table of lines; their codes are roles, cues, endings and kinds."""
    table = _table(LINE, len(starts), *codes)
    table["start"], table["end"], table["pixels"] = starts, ends, pixels
    return table


def _mark_table(positions: Array, roles: Codes | int, cues: Codes | int, kinds: Codes | int) -> NDArray[Any]:
    table = _table(MARK, len(positions), roles, cues, kinds)
    table["position"] = positions
    return table


def _table(row: np.dtype[Any], size: int, *codes: NDArray[Any] | int) -> NDArray[Any]:
    table = np.zeros(size, row)
    for i, column in enumerate(codes):
        table["code"][:, i] = column
    return table


def _hierarchy(thin_lines: ThinLines, stage: Stage) -> NDArray[Any]:
    entered = (thin_lines.cues & Cue.TOUCHING) != 0
    return _thin(thin_lines, stage, Role.REFERENCE, np.where(entered, ENTERED, PASSED_BY))


def _thin_lines(thin_lines: ThinLines, stage: Stage) -> NDArray[Any]:
    hitting = (thin_lines.cues & Cue.TOUCHING) != 0
    # The more there are the fainter each is, or they would hide the scene.
    counts = len(hitting), np.count_nonzero(hitting)
    many, few = (255 * math.sqrt(FAINTER_FROM / max(n, FAINTER_FROM)) for n in counts)
    strengths = np.where(hitting, max(0.6 * few, HITTING), max(0.3 * many, MISSING))
    return _thin(thin_lines, stage, Role.PROBE, strengths)


def _thin(thin_lines: ThinLines, stage: Stage, role: Role, strengths: NDArray[Any]) -> NDArray[Any]:
    table = _table(THIN_LINE, len(thin_lines.starts), role, thin_lines.cues, thin_lines.fades, strengths)
    table["start"], table["end"] = stage.lines(thin_lines.starts, thin_lines.ends)
    return table


def _strokes(strokes: Strokes, stage: Stage, kind: int) -> NDArray[Any]:
    endings = strokes.endings | (strokes.inside * np.uint8(IN_HIT))
    starts, ends = stage.lines(strokes.starts, strokes.ends)
    return _lines(starts, ends, strokes.roles, strokes.cues, endings, kind)


def _arrows(starts: Array, directions: Array, roles: Codes, pixels: float) -> NDArray[Any]:
    return _lines(starts, directions, roles, 0, int(Ending.ARROW_END), ARROW, pixels=pixels)


def _marks(markers: Markers, stage: Stage) -> NDArray[Any]:
    handles = np.where(markers.main, HANDLE, np.where(markers.faint, FAINT_HANDLE, SMALL_HANDLE))
    points = np.where(markers.faint, FAINT_HANDLE, POINT)
    kinds = np.where(markers.roles == Role.PROBE, handles, points).astype(np.uint8)
    return _mark_table(stage.points(markers.positions), markers.roles, markers.cues, kinds)


def warning_sign_points(draw_list: DrawList, stage: Stage) -> Array:
    """The stage points (n, 3) with a warning sign: the middles, or the first handles, of degenerate shapes."""
    shapes: list[Any] = [*chain(*draw_list.primitives), draw_list.facets, draw_list.markers]
    if not any(_marked(each.cues).any() for each in shapes):  # as in most pictures
        return np.empty((0, 3))
    middles: list[Array] = []
    for boxes, triangles, rounds in draw_list.primitives:
        flat, collinear, thin = (_marked(shapes.cues) for shapes in (boxes, triangles, rounds))
        origins, edges = stage.boxes(boxes.origins[flat], boxes.edges[flat])
        corners = stage.triangles(triangles.vertices[collinear])
        middles += origins + edges.sum(axis=1) / 2, corners.mean(axis=1)
        middles.append(stage.points(rounds.starts[thin] / 2 + rounds.ends[thin] / 2))
    facets = draw_list.facets
    # All facets of a degenerate shape are around one middle.
    sheets = stage.points(facets.vertices[_marked(facets.cues), 0])
    handles = stage.points(draw_list.markers.positions[_marked(draw_list.markers.cues)])
    return np.concatenate([*middles, np.unique(sheets, axis=0), handles])


def _marked(cues: Codes) -> NDArray[np.bool_]:
    return np.asarray((cues & (Cue.DEGENERATE | Cue.HIDDEN)) == Cue.DEGENERATE)

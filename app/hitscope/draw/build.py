"""Report + what is hovered and selected -> draw list."""

import operator
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from hitscope.draw.bodies import Bodies, Indices, bodies_of, frames_of
from hitscope.draw.extent import Extent, extent_of, stage_of, union
from hitscope.draw.facets import Region, Surfaces, foot_of, region_of, surfaces_of
from hitscope.draw.items import (
    Array,
    Arrows,
    Boxes,
    Codes,
    Cue,
    DrawList,
    Facets,
    Markers,
    Role,
    Strokes,
    Triangles,
)
from hitscope.draw.marks import Mark, marks_of
from hitscope.draw.probes import (
    Run,
    Stage,
    Stroke,
    handle_points,
    main_handles,
    outline_of,
    run_of,
    solid_points,
    strokes_of,
)
from hitscope.draw.spans import box_spans, half_space_spans, merged, triangle_depths
from hitscope.draw.target import Target
from hitscope.evaluate.report import Report
from hitscope.geometry.shapes import Aabb, Line, Obb, Parallelepiped, Plane, Ray, Segment, Triangle

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MARKED_HITS = 64
"""So many hits of a picture are asked for their full verdict: each probe's nearest ones."""

PLANE_SHOWN = 3.0
"""A plane that comes so near to a scene's centre, in the scene's size, is shown with it."""

T = TypeVar("T")
D = TypeVar("D", bound="DataclassInstance")

_CUE_OF_STATE = {"touching": Cue.TOUCHING, "inside": Cue.INSIDE, "coplanar": Cue.COPLANAR}


def build(report: Report, hovered: Target | None = None, selected: Target | None = None) -> DrawList:
    """Give everything that is to be seen of a report."""
    return Builder().build(report, hovered, selected)


def extent(report: Report) -> Extent:
    """Give the bounds of the whole scene, for a camera that is to show all of it."""
    bodies = bodies_of(report.elements)
    corners = union(bodies.extent, _probe_extent(report))
    base = corners or stage_of(None, None)
    feet = [foot_of(shape, base.center) for shape in bodies.body_shapes if isinstance(shape, Plane)]
    near = [foot for foot in feet if not corners or np.abs(foot - base.center).max() < PLANE_SHOWN * base.scale]
    return union(corners, extent_of(_points(near))) or base


class Builder:
    """Builds one draw list after another and hands out the same array again where nothing changed."""

    def __init__(self) -> None:
        self._primitives: object = None
        self._bodies = bodies_of(())
        self._region: Region | None = None
        self._surfaces: Surfaces | None = None
        self._picture: Picture | None = None
        self._asked: tuple[object, ...] = ()
        self._last: DrawList | None = None

    def build(self, report: Report, hovered: Target | None = None, selected: Target | None = None) -> DrawList:
        """Give everything that is to be seen of a report."""
        asked = report, hovered, selected
        if self._last is None or not all(map(operator.eq, asked, self._asked)):
            new = self.picture(report).draw_list(hovered, selected)
            self._last = new if self._last is None else _sharing(new, self._last)
            self._asked = asked
        return self._last

    def picture(self, report: Report) -> "Picture":
        """Give what is drawn of a report; the same one as long as the report is the same."""
        if self._primitives is not report.scene.primitives:
            self._primitives, self._bodies = report.scene.primitives, bodies_of(report.elements)
            self._region = None
        if self._picture is None or self._picture.report is not report:
            probes = _probe_extent(report)
            base = stage_of(self._bodies.extent, probes)
            around = union(base, probes) or base
            # While a probe is dragged what is unbounded keeps its place, as long as it is large enough.
            if self._region is None or self._surfaces is None or not self._region.holds(around):
                self._region = region_of(around)
                self._surfaces = surfaces_of(self._bodies, self._region)
            self._picture = Picture(report, self._bodies, self._surfaces, Stage(base.center, base.scale), around)
        return self._picture


class Picture:
    """What is drawn of one report; hovering and selecting only change cues and add marks."""

    def __init__(self, report: Report, bodies: Bodies, surfaces: Surfaces, stage: Stage, around: Extent) -> None:
        """Lay out the probes of a scene whose bounds are `around`."""
        self.report = report
        self.bodies = bodies
        self.surfaces = surfaces
        self.stage = stage
        self.box_probes = [
            (p, element.shape)
            for p, element in enumerate(report.probes)
            if isinstance(element.shape, Aabb | Obb | Parallelepiped)
        ]
        self.box_frames = frames_of([shape for _, shape in self.box_probes])
        self.probe_indices = {element.id: p for p, element in enumerate(report.probes)}
        self.strokes: list[Stroke] = []
        self.stroke_probes: list[int] = []
        hits: list[list[tuple[int, int]]] = []
        for p, element in enumerate(report.probes):
            near_first: Indices = np.flatnonzero(report.hits[p])
            if isinstance(element.shape, Segment | Ray | Line):
                run = run_of(element.shape, self.stage, around)
                near_first, spans = self._passage(p, run)
                pieces = list(strokes_of(element.shape, run, spans, self.stage))
            else:
                pieces = list(outline_of(element.shape)) if isinstance(element.shape, Triangle) else []
            self.strokes += pieces
            self.stroke_probes += [p] * len(pieces)
            hits.append([(p, e) for e in near_first[:MARKED_HITS].tolist()])
        self.verdicts = {pair: report.verdict(*pair) for pair in islice(_in_turn(hits), MARKED_HITS)}

    def _passage(self, p: int, run: Run) -> tuple[Indices, Array]:
        """Give the elements that a probe hits, from near to far, and the spans of it inside them."""
        hit, bodies, stage = self.report.hits[p], self.bodies, self.stage
        boxes = hit[bodies.box_elements]
        triangles = hit[bodies.triangle_elements]
        others = hit[bodies.body_elements]
        origins = stage.inward(bodies.box_origins[boxes])
        spans = box_spans(run.course, origins, bodies.box_edges[boxes] / stage.scale)
        if others.any():
            with np.errstate(over="ignore", invalid="ignore"):
                offsets = (bodies.half_space_offsets - bodies.half_space_normals @ stage.anchor) / stage.scale
            through = half_space_spans(run.course, bodies.half_space_normals, offsets, bodies.first_half_spaces)
            spans = np.concatenate([spans, through[others]])
        depths = triangle_depths(run.course, stage.inward(bodies.triangle_vertices[triangles]))
        elements = np.concatenate(
            [bodies.box_elements[boxes], bodies.body_elements[others], bodies.triangle_elements[triangles]]
        )
        return elements[np.argsort(np.concatenate([spans[:, 0], depths]))], merged(spans)

    def draw_list(self, hovered: Target | None, selected: Target | None) -> DrawList:
        """Assemble the arrays."""
        bodies = self.bodies
        self._ask_about(hovered)
        self._ask_about(selected)
        element_roles = np.where(self.report.green, np.uint8(Role.HIT), np.uint8(Role.MISS))
        element_cues = np.zeros(len(element_roles), np.uint8)
        for (_, e), verdict in self.verdicts.items():
            element_cues[e] |= _CUE_OF_STATE.get(verdict.state, Cue.NONE)
        _point_out(element_cues, "primitive", bodies.indices, hovered, selected)
        probe_cues = np.zeros(len(self.report.probes), np.uint8)
        _point_out(probe_cues, "probe", self.probe_indices, hovered, selected)
        marks = [
            mark
            for (p, _), verdict in self.verdicts.items()
            for mark in marks_of(self.report.probes[p].shape, verdict)
        ]
        return DrawList(
            boxes=self._boxes(element_roles, element_cues, probe_cues),
            triangles=self._triangles(element_roles, element_cues, probe_cues),
            facets=self._facets(element_roles, element_cues),
            strokes=self._strokes(probe_cues),
            markers=self._markers(marks, hovered, selected),
            arrows=self._arrows(marks, element_roles),
            anchor=self.stage.anchor,
            scale=self.stage.scale,
        )

    def _ask_about(self, target: Target | None) -> None:
        """Add the verdicts of what is pointed at, where it is not among the nearest hits."""
        if target is not None and target.kind == "primitive" and target.id in self.bodies.indices:
            e = self.bodies.indices[target.id]
            for p in np.flatnonzero(self.report.hits[:, e])[:MARKED_HITS].tolist():
                if (p, e) not in self.verdicts:
                    self.verdicts[p, e] = self.report.verdict(p, e)

    def _boxes(self, element_roles: Codes, element_cues: Codes, probe_cues: Codes) -> Boxes:
        bodies = self.bodies
        own = Boxes(
            bodies.box_origins,
            bodies.box_edges,
            element_roles[bodies.box_elements],
            element_cues[bodies.box_elements] | np.uint8(Cue.DEGENERATE) * bodies.box_degenerate,
        )
        if not self.box_probes:
            return own
        frames = self.box_frames
        cues = probe_cues[[p for p, _ in self.box_probes]] | np.uint8(Cue.DEGENERATE) * frames.degenerate
        return Boxes(
            np.concatenate([own.origins, frames.origins]),
            np.concatenate([own.edges, frames.edges]),
            np.append(own.roles, np.full(len(cues), Role.PROBE, np.uint8)),
            np.append(own.cues, cues),
        )

    def _facets(self, element_roles: Codes, element_cues: Codes) -> Facets:
        cues = element_cues.copy()
        cues[self.bodies.body_elements[self.bodies.body_degenerate]] |= np.uint8(Cue.DEGENERATE)
        elements = self.surfaces.elements
        return replace(self.surfaces.facets, roles=element_roles[elements], cues=cues[elements])

    def _triangles(self, element_roles: Codes, element_cues: Codes, probe_cues: Codes) -> Triangles:
        bodies = self.bodies
        own = Triangles(
            bodies.triangle_vertices,
            element_roles[bodies.triangle_elements],
            element_cues[bodies.triangle_elements] | np.uint8(Cue.DEGENERATE) * bodies.triangle_degenerate,
        )
        probes = [(p, e.shape) for p, e in enumerate(self.report.probes) if isinstance(e.shape, Triangle)]
        if not probes:
            return own
        return Triangles(
            np.concatenate([own.vertices, np.array([shape for _, shape in probes], float)]),
            np.append(own.roles, np.full(len(probes), Role.PROBE, np.uint8)),
            np.append(own.cues, probe_cues[[p for p, _ in probes]]),
        )

    def _strokes(self, probe_cues: Codes) -> Strokes:
        strokes = self.strokes
        return Strokes(
            starts=_points(stroke.start for stroke in strokes),
            ends=_points(stroke.end for stroke in strokes),
            roles=np.full(len(strokes), Role.PROBE, np.uint8),
            cues=probe_cues[np.array(self.stroke_probes, np.intp)],
            endings=np.array([stroke.ending for stroke in strokes], np.uint8),
            inside=np.array([stroke.inside for stroke in strokes], np.bool_),
        )

    def _markers(self, marks: list[Mark], hovered: Target | None, selected: Target | None) -> Markers:
        """Give the handles, the hovered one pointed out, after the entry and exit points that they cover.

        The faces of a box have theirs only while it is hovered or selected.
        """
        positions = [mark.position for mark in marks]
        roles = [mark.role for mark in marks]
        cues = [Cue.NONE] * len(marks)
        main = [False] * len(marks)
        for element in self.report.probes:
            chosen = selected is not None and selected[:2] == ("probe", element.id)
            pointed = hovered is not None and hovered[:2] == ("probe", element.id)
            for handle, point in enumerate(handle_points(element.shape)):
                if handle >= main_handles(element.shape) and not (chosen or pointed):
                    break
                cue = Cue.SELECTED if chosen else Cue.NONE
                cue |= Cue.HOVERED if hovered == Target("probe", element.id, handle) else Cue.NONE
                positions.append(point)
                roles.append(Role.PROBE)
                cues.append(cue)
                main.append(handle < main_handles(element.shape))
        return Markers(
            _points(positions), np.array(roles, np.uint8), np.array(cues, np.uint8), np.array(main, np.bool_)
        )

    def _arrows(self, marks: list[Mark], element_roles: Codes) -> Arrows:
        """Give the normals of the hits, and the fronts of planes in the colours of these."""
        normals = [(mark.position, mark.normal) for mark in marks if mark.normal is not None]
        fronts = self.surfaces.fronts
        return Arrows(
            positions=np.concatenate([_points(position for position, _ in normals), fronts[:, 0]]),
            directions=np.concatenate([_points(normal for _, normal in normals), fronts[:, 1]]),
            roles=np.append(
                np.full(len(normals), Role.NORMAL, np.uint8), element_roles[self.surfaces.front_elements]
            ),
        )


def _points(points: Iterable[Array]) -> Array:
    return np.array(list(points), float).reshape(-1, 3)


def _point_out(
    cues: Codes, kind: str, indices: dict[str, int], hovered: Target | None, selected: Target | None
) -> None:
    for target, cue in ((hovered, Cue.HOVERED), (selected, Cue.SELECTED)):
        if target is not None and target.kind == kind and target.id in indices:
            cues[indices[target.id]] |= cue


def _probe_extent(report: Report) -> Extent | None:
    return extent_of(_points(point for element in report.probes for point in solid_points(element.shape)))


def _in_turn(lists: list[list[T]]) -> Iterator[T]:
    """Give the first of every list, then the second of every list, and so on."""
    for row in zip_longest(*lists, fillvalue=None):
        yield from (item for item in row if item is not None)


def _sharing(new: D, old: D) -> D:
    """Give `new` with the arrays of `old` in place of equal ones: the renderer uploads by identity."""
    kept: dict[str, Any] = {}
    for name in (field.name for field in fields(new)):
        now, before = getattr(new, name), getattr(old, name)
        if isinstance(now, np.ndarray):
            kept[name] = before if now is before or np.array_equal(now, before) else now
        elif is_dataclass(now):
            kept[name] = _sharing(now, before)
    return replace(new, **kept)

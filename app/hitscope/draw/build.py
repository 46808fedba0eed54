"""Report + what is hovered and selected -> draw list."""

import operator
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cached_property, reduce
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from hitscope.draw.bodies import Bodies, Kind, bodies_of, frames_of
from hitscope.draw.bundles import bundle_points, threads_of
from hitscope.draw.chunks import Indices
from hitscope.draw.extent import Extent, extent_of, stage_of, union
from hitscope.draw.facets import Region, Surfaces, foot_of, region_of, surfaces_of
from hitscope.draw.hierarchy import level_of, threads_of_level
from hitscope.draw.items import Array, Arrows, Boxes, Codes, Cue, DrawList, Markers, Role, Strokes, Triangles
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
from hitscope.draw.target import Hidden, Selection, Target
from hitscope.evaluate import Element, Elements, Report, Verdict
from hitscope.geometry.exact import nearest
from hitscope.geometry.shapes import (
    Aabb,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Ray,
    Segment,
    Shape,
    Triangle,
    Vec3,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MARKED_HITS = 64
"""So many hits of a picture are asked for their full verdict: each probe's nearest ones."""

PLANE_SHOWN = 3.0
"""A plane that comes so near to a scene's centre, in the scene's size, is shown with it."""

ASKED_ABOUT = 16
"""Of so many selected things, the last ones, the verdicts of all hits are asked for and the handles shown."""

T = TypeVar("T")
P = TypeVar("P", Stage, Extent)
D = TypeVar("D", bound="DataclassInstance")

_CUE_OF_STATE = {"touching": Cue.TOUCHING, "inside": Cue.INSIDE, "coplanar": Cue.COPLANAR}


def build(
    report: Report,
    hovered: Target | None = None,
    selection: Selection = (),
    hidden: Hidden = frozenset(),
    partner: Target | None = None,
) -> DrawList:
    """Give everything that is to be seen of a report."""
    return Builder().build(report, hovered, selection, hidden, partner)


def extent(report: Report) -> Extent:
    """Give the bounds of the whole scene, for a camera that is to show all of it."""
    return Builder().extent(report)


class Colours(NamedTuple):
    """The role of every element, and of those that are boxes and triangles."""

    elements: Codes
    boxes: Codes
    triangles: Codes


class Builder:
    """Builds one draw list after another and hands out the same array again where nothing changed."""

    def __init__(self) -> None:
        self._elements: object = None
        self._bodies = bodies_of(())
        self._region: Region | None = None
        self._surfaces: Surfaces | None = None
        self._picture: Picture | None = None
        self._coloured: Report | None = None
        self._colours: Colours | None = None
        self._asked: tuple[object, ...] = ()
        self._last: DrawList | None = None

    def build(
        self,
        report: Report,
        hovered: Target | None = None,
        selection: Selection = (),
        hidden: Hidden = frozenset(),
        partner: Target | None = None,
    ) -> DrawList:
        """Give everything that is to be seen of a report; `partner` is looked at beside what is selected."""
        asked = report, hovered, selection, hidden, partner
        if self._last is None or not all(map(operator.eq, asked, self._asked)):
            new = self.picture(report).draw_list(hovered, selection, hidden, partner)
            self._last = new if self._last is None else _sharing(new, self._last)
            self._asked = asked
        return self._last

    def extent(self, report: Report) -> Extent:
        """Give the bounds of the whole scene, for a camera that is to show all of it."""
        bodies = self._bodies_of(report)
        corners = union(bodies.extent, _probe_extent(report))
        base = corners or stage_of(None, None)
        feet = [foot_of(shape, base.center) for shape in bodies.body_shapes if isinstance(shape, Plane)]
        near = [
            foot for foot in feet if not corners or np.abs(foot - base.center).max() < PLANE_SHOWN * base.scale
        ]
        return union(corners, extent_of(_points(near))) or base

    def _bodies_of(self, report: Report) -> Bodies:
        if self._elements is not report.elements:
            self._elements, self._bodies = report.elements, bodies_of(report.elements)
            self._region = None
        return self._bodies

    def colours(self, report: Report) -> Colours | None:
        """Give the roles of a report's elements ahead of all else; None where these are other elements."""
        if self._elements is not report.elements:
            return None
        if self._coloured is not report:
            # In one pass over bytes, of which there may be a million: HIT is 0 and MISS is 1.
            roles = np.bitwise_xor(report.green.view(np.uint8), np.uint8(Role.MISS))
            bodies = self._bodies
            self._colours = Colours(roles, roles[bodies.box_elements], roles[bodies.triangle_elements])
            self._coloured = report
        return self._colours

    def picture(self, report: Report) -> "Picture":
        """Give what is drawn of a report; the same one as long as the report is the same."""
        self._bodies_of(report)
        if self._picture is None or self._picture.report is not report:
            probes = _probe_extent(report)
            base = stage_of(self._bodies.extent, probes)
            around = union(base, probes) or base
            # While a probe is dragged what is unbounded keeps its place, as long as it is large enough.
            if self._region is None or self._surfaces is None or not self._region.holds(around):
                self._region = region_of(around)
                self._surfaces = surfaces_of(self._bodies, self._region)
            stage = Stage(base.center, base.scale)
            if self._picture is not None:
                stage, around = _same(stage, self._picture.stage), _same(around, self._picture.around)
            colours = self.colours(report)
            assert colours is not None
            self._picture = Picture(report, self._bodies, self._surfaces, colours, stage, around, self._picture)
        return self._picture


class Laid(NamedTuple):
    """What is drawn of one probe, and what it was made of."""

    shape: Shape
    row: NDArray[np.bool_]
    around: Extent
    strokes: list[Stroke]
    near_first: list[int]
    """The nearest of the elements that it hits."""
    verdicts: dict[int, Verdict]
    """What was asked so far, by element."""


class Picture:
    """What is drawn of one report; hovering and selecting only change cues and add marks."""

    def __init__(
        self,
        report: Report,
        bodies: Bodies,
        surfaces: Surfaces,
        colours: Colours,
        stage: Stage,
        around: Extent,
        previous: "Picture | None" = None,
    ) -> None:
        """Lay out the probes of a scene whose bounds are `around`; what `previous` has of the same is kept."""
        self.report = report
        self.bodies = bodies
        self.surfaces = surfaces
        self.colours = colours
        self.stage = stage
        self.around = around
        self.singles = [
            (part.first, Element(part.id, part.shape)) for part in report.probes.parts if part.shape is not None
        ]
        # Those that are not enabled hit nothing; their places are after those of all others.
        off = [Element(part.id, part.shape) for part in report.unasked.parts if part.shape is not None]
        self.drawn = [*self.singles, *enumerate(off, start=len(report.probes))]
        self.names = {p: probe.id for p, probe in self.drawn}
        self._probe_roles = np.full(len(report.probes) + len(off), Role.PROBE, np.uint8)
        self._probe_roles[len(report.probes) :] = Role.REFERENCE
        self.bundles = [part for part in report.probes.parts if part.shapes is not None]
        self.box_probes = [(p, probe.shape) for p, probe in self.drawn if _is_box(probe.shape)]
        self.box_frames = frames_of([shape for _, shape in self.box_probes])
        self.probe_indices = {probe.id: p for p, probe in self.singles}
        known = previous and previous.bodies is bodies and previous.stage is stage
        kept = previous.laid if previous and known else {}
        self.laid: dict[int, Laid] = {
            p: self._kept(kept.get(p), p, probe.shape, around) or self._lay(p, probe.shape)
            for p, probe in self.drawn
        }
        self.strokes = [stroke for laid in self.laid.values() for stroke in laid.strokes]
        self.stroke_probes = [p for p, laid in self.laid.items() for _ in laid.strokes]
        self.threads = threads_of(self.bundles, report.hitting, stage, around)
        self.level = level_of(report)
        self.hierarchy = threads_of_level(self.level)
        nearest = [[(p, e) for e in laid.near_first] for p, laid in self.laid.items()]
        self.verdicts = {(p, e): self._verdict(p, e) for p, e in islice(_in_turn(nearest), MARKED_HITS)}

    def _verdict(self, p: int, e: int) -> Verdict:
        """Ask about a pair, once as long as the probe stays."""
        verdicts = self.laid[p].verdicts
        if e not in verdicts:
            verdicts[e] = self.report.verdict(p, e)
        return verdicts[e]

    def element_index(self, name: str) -> int | None:
        """Give the place of a primitive, or of one element of a bulk item, by its id; None where there is none."""
        try:
            return self.report.elements.place(name)
        except KeyError:
            return None

    def handled(self, selection: Selection) -> Iterator[tuple[Target, Shape]]:
        """Give what has handles: all probes of one shape, and the primitives that are selected."""
        for _, probe in self.drawn:
            yield Target("probe", probe.id), probe.shape
        for target in selection[-ASKED_ABOUT:]:
            place = self.element_index(target.id) if target.kind == "primitive" else None
            if place is not None and "[" not in target.id:
                yield target, self.report.elements[place].shape

    def _kept(self, laid: "Laid | None", p: int, shape: Shape, around: Extent) -> "Laid | None":
        """Give what was laid out of a probe, where it would be the same again."""
        if laid is None or laid.shape is not shape or laid.row is not self._row(p):
            return None
        return None if isinstance(shape, Ray | Line) and laid.around is not around else laid

    def _row(self, p: int) -> NDArray[np.bool_]:
        """Give which elements a probe hits."""
        return self.report.row(p) if p < len(self.report.probes) else self._nothing

    @cached_property
    def _nothing(self) -> NDArray[np.bool_]:
        return np.zeros(len(self.report.elements), np.bool_)

    def _lay(self, p: int, shape: Shape) -> "Laid":
        row = self._row(p)
        near_first: Indices = np.flatnonzero(row)
        pieces: Iterable[Stroke] = ()
        if isinstance(shape, Segment | Ray | Line):
            run = run_of(shape, self.stage, self.around)
            near_first, spans = self._passage(near_first, run)
            pieces = strokes_of(shape, run, spans, self.stage)
        elif isinstance(shape, Triangle):
            pieces = outline_of(shape)
        return Laid(shape, row, self.around, list(pieces), near_first[:MARKED_HITS].tolist(), {})

    def _passage(self, hit: Indices, run: Run) -> tuple[Indices, Array]:
        """Give the elements that a probe hits, from near to far, and the spans of it inside them."""
        bodies, stage = self.bodies, self.stage
        of_kind = [hit[bodies.kinds[hit] == kind] for kind in Kind]
        boxes, triangles, others = (bodies.places[elements] for elements in of_kind)
        origins = stage.inward(bodies.box_origins[boxes])
        spans = box_spans(run.course, origins, bodies.box_edges[boxes] / stage.scale)
        depths = triangle_depths(run.course, stage.inward(bodies.triangle_vertices[triangles]))
        starts = np.concatenate([spans[:, 0], depths])
        if len(others):
            with np.errstate(over="ignore", invalid="ignore"):
                offsets = (bodies.half_space_offsets - bodies.half_space_normals @ stage.anchor) / stage.scale
            through = half_space_spans(run.course, bodies.half_space_normals, offsets, bodies.first_half_spaces)
            spans = np.concatenate([spans, through[others]])
            starts = np.concatenate([starts, through[others, 0]])
        return np.concatenate(of_kind)[np.argsort(starts)], merged(spans)

    def pair(self, pointed_at: Iterable[Target | None]) -> tuple[int, int] | None:
        """Give the probe and the element that are looked at, of targets with the most important one first.

        Where only one is it is with its nearest hit, and where it hits nothing with the only one of the other
        kind, if there is one.
        """
        probe = element = None
        for target in pointed_at:
            if target is not None and target.kind == "probe" and probe is None:
                probe = self.probe_indices.get(target.id)
            elif target is not None and target.kind == "primitive" and element is None:
                element = self.element_index(target.id)
        if probe is None and element is None:
            return None
        if probe is None or element is None:
            for (p, e), verdict in self.verdicts.items():
                if verdict.hit and (probe in (p, None)) and (element in (e, None)):
                    return p, e
        if probe is None and len(self.report.probes) == len(self.singles) == 1:
            probe = 0
        if element is None and len(self.report.elements) == 1:
            element = 0
        return None if probe is None or element is None else (probe, element)

    def gap(self, pair: tuple[int, int] | None) -> tuple[Vec3, Vec3] | None:
        """Give where a probe and a primitive are nearest to one another; None where they meet."""
        if pair is None or self.laid[pair[0]].row[pair[1]]:
            return None
        return nearest(self.laid[pair[0]].shape, self.report.elements[pair[1]].shape)

    def draw_list(
        self,
        hovered: Target | None,
        selection: Selection,
        hidden: Hidden = frozenset(),
        partner: Target | None = None,
    ) -> DrawList:
        """Assemble the arrays."""
        for target in (hovered, *selection[-ASKED_ABOUT:]):
            self._ask_about(target)
        roles = self.colours.elements
        cues = self.bodies.cues.copy()
        for (_, e), verdict in self.verdicts.items():
            cues[e] |= _CUE_OF_STATE.get(verdict.state, Cue.NONE)
        probe_cues = np.zeros(len(self._probe_roles), np.uint8)
        off = {name: p for p, name in self.names.items() if p >= len(self.report.probes)}
        said = [(kind, name, Cue.HIDDEN) for kind, name in hidden]
        said += [(target.kind, target.id, Cue.SELECTED) for target in selection]
        said += [(hovered.kind, hovered.id, Cue.HOVERED)] if hovered else []
        for kind, name, cue in said:
            if kind == "primitive":
                cues[_places(self.report.elements, name)] |= np.uint8(cue)
            elif name in off:
                probe_cues[off[name]] |= np.uint8(cue)
            else:
                probe_cues[_places(self.report.probes, name)] |= np.uint8(cue)
        marks = [
            mark
            for (p, e), verdict in self.verdicts.items()
            if not (probe_cues[p] | cues[e]) & Cue.HIDDEN
            for mark in marks_of(self.laid[p].shape, verdict)
        ]
        gap = self.gap(self.pair((hovered, *selection[:-2:-1], partner)))
        bodies = self.bodies
        boxes, triangles = bodies.box_elements, bodies.triangle_elements
        elements = self.surfaces.elements
        box_places = np.array([p for p, _ in self.box_probes], np.intp)
        flat = np.uint8(Cue.DEGENERATE) * self.box_frames.degenerate
        thin = [(p, probe.shape) for p, probe in self.drawn if isinstance(probe.shape, Triangle)]
        thin_places = np.array([p for p, _ in thin], np.intp)
        return DrawList(
            boxes=Boxes(bodies.box_origins, bodies.box_edges, self.colours.boxes, cues[boxes]),
            triangles=Triangles(bodies.triangle_vertices, self.colours.triangles, cues[triangles]),
            facets=replace(self.surfaces.facets, roles=roles[elements], cues=cues[elements]),
            strokes=self._strokes(probe_cues),
            markers=self._markers(marks, hovered, selection, hidden, probe_cues),
            arrows=self._arrows(marks, roles, cues),
            anchor=self.stage.anchor,
            scale=self.stage.scale,
            probe_boxes=Boxes(
                self.box_frames.origins,
                self.box_frames.edges,
                self._probe_roles[box_places],
                probe_cues[box_places] | flat,
            ),
            probe_triangles=Triangles(
                np.array([shape for _, shape in thin], float).reshape(-1, 3, 3),
                self._probe_roles[thin_places],
                probe_cues[thin_places],
            ),
            threads=replace(self.threads, cues=self.threads.cues | probe_cues[self.threads.probes]),
            hierarchy=self.hierarchy,
            gap=np.array([gap] if gap else [], float).reshape(-1, 2, 3),
        )

    def _ask_about(self, target: Target | None) -> None:
        """Add the verdicts of what is pointed at, where it is not among the nearest hits."""
        e = self.element_index(target.id) if target is not None and target.kind == "primitive" else None
        if e is None:
            return
        for p in [p for p, laid in self.laid.items() if laid.row[e]][:MARKED_HITS]:
            if (p, e) not in self.verdicts:
                self.verdicts[p, e] = self._verdict(p, e)

    def _strokes(self, probe_cues: Codes) -> Strokes:
        strokes, probes = self.strokes, np.array(self.stroke_probes, np.intp)
        return Strokes(
            starts=_points(stroke.start for stroke in strokes),
            ends=_points(stroke.end for stroke in strokes),
            roles=self._probe_roles[probes],
            cues=probe_cues[probes],
            endings=np.array([stroke.ending for stroke in strokes], np.uint8),
            inside=np.array([stroke.inside for stroke in strokes], np.bool_),
        )

    def _markers(
        self,
        marks: list[Mark],
        hovered: Target | None,
        selection: Selection,
        hidden: Hidden,
        probe_cues: Codes,
    ) -> Markers:
        """Give the handles, the hovered one pointed out, after the entry and exit points that they cover.

        The faces of a box have theirs only while it is hovered or selected.
        """
        positions = [mark.position for mark in marks]
        roles = [mark.role for mark in marks]
        cues = [Cue.NONE] * len(marks)
        main = [False] * len(marks)
        off = {name for p, name in self.names.items() if p >= len(self.report.probes)}
        for target, shape in self.handled(selection):
            if target[:2] in hidden:
                continue
            enabled = target.kind == "primitive" or target.id not in off
            chosen = target in selection
            pointed = hovered is not None and hovered[:2] == target[:2]
            for handle, point in enumerate(handle_points(shape)):
                if handle >= main_handles(shape) and not (chosen or pointed):
                    break
                cue = Cue.SELECTED if chosen else Cue.NONE
                cue |= Cue.HOVERED if hovered == target._replace(handle=handle) else Cue.NONE
                positions.append(point)
                roles.append(Role.PROBE if enabled else Role.REFERENCE)
                cues.append(cue)
                main.append(enabled and handle < main_handles(shape))
        points = [part for part in self.bundles if part.shapes is not None and part.shapes.kind is Point]
        return Markers(
            np.concatenate([_points(positions), *(part.shapes.rows.T for part in points if part.shapes)]),
            np.append(np.array(roles, np.uint8), np.full(sum(part.size for part in points), Role.PROBE, np.uint8)),
            np.concatenate([np.array(cues, np.uint8), *(probe_cues[part.places] for part in points)]),
            np.append(np.array(main, np.bool_), np.zeros(sum(part.size for part in points), np.bool_)),
        )

    def _arrows(self, marks: list[Mark], element_roles: Codes, element_cues: Codes) -> Arrows:
        """Give the normals of the hits, and the fronts of planes in the colours of these."""
        normals = [(mark.position, mark.normal) for mark in marks if mark.normal is not None]
        shown = (element_cues[self.surfaces.front_elements] & Cue.HIDDEN) == 0
        fronts, elements = self.surfaces.fronts[shown], self.surfaces.front_elements[shown]
        return Arrows(
            positions=np.concatenate([_points(position for position, _ in normals), fronts[:, 0]]),
            directions=np.concatenate([_points(normal for _, normal in normals), fronts[:, 1]]),
            roles=np.append(np.full(len(normals), Role.NORMAL, np.uint8), element_roles[elements]),
        )


def _same(new: P, old: P) -> P:
    """Give the old one where it has the same numbers: what was laid out with it is kept."""
    pairs: Iterable[tuple[Any, Any]] = zip(new, old, strict=True)
    return old if all(np.array_equal(a, b) for a, b in pairs) else new


def _points(points: Iterable[Array]) -> Array:
    return np.array(list(points), float).reshape(-1, 3)


def _places(elements: Elements, name: str) -> slice:
    """Give the places of all that a name stands for; none where it stands for nothing."""
    try:
        places = elements.places(name)
    except KeyError:
        return slice(0)
    return slice(places.start, places.stop)


def _is_box(shape: Shape) -> bool:
    return isinstance(shape, Aabb | Obb | Parallelepiped)


def _probe_extent(report: Report) -> Extent | None:
    singles = _points(p for part in report.probes.parts if part.shape for p in solid_points(part.shape))
    bundles = (extent_of(bundle_points(part.shapes)) for part in report.probes.parts if part.shapes)
    return reduce(union, bundles, extent_of(singles))


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

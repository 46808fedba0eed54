"""Report + what is hovered and selected -> draw list."""

import math
import operator
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cached_property
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from hitscope.draw.bodies import CROWD, Bodies, bodies_of, extent_within
from hitscope.draw.bundles import bundle_points, threads_of
from hitscope.draw.chunks import Indices
from hitscope.draw.extent import HORIZON, Extent, Stage, extent_of, stage_of, union, with_room
from hitscope.draw.facets import (
    Region,
    Surfaces,
    feet_of,
    foot_of,
    joined,
    nearby_part,
    region_of,
    region_within,
    surfaces_of,
)
from hitscope.draw.hierarchy import level_of, threads_of_level
from hitscope.draw.items import Array, Arrows, Boxes, Codes, Cue, DrawList, Markers, Role, Strokes, Triangles
from hitscope.draw.marks import Mark, axis_between, marks_of
from hitscope.draw.nearby import nearby
from hitscope.draw.probes import (
    Run,
    Stroke,
    outline_of,
    run_of,
    strokes_of,
)
from hitscope.draw.shape_drawings import (
    SHAPE_DRAWINGS,
    DrawnAs,
    bounding_points,
    drawn_as,
    frames_of,
    handle_points,
    main_handles,
)
from hitscope.draw.spans import box_spans, half_space_spans, merged, triangle_depths
from hitscope.draw.target import Faces, Hidden, Selection, Target
from hitscope.evaluate import Element, Elements, Part, Report, Verdict
from hitscope.geometry.exact import nearest
from hitscope.geometry.shapes import ENDLESS, T_RANGES, Shape, Triangle, Vec3, is_linear
from hitscope.geometry.traits import is_degenerate
from hitscope.scene.bulk import Bulk
from hitscope.scene.bulk_rows import can_inline

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MARKED_HITS = 64
"""So many hits of a picture are asked for their full verdict: each probe's nearest ones."""

PLANE_SHOWN = 3.0
"""A plane that comes so near to a scene's centre, in the scene's size, is shown with it."""

STROKED, STROKED_PAIRS = 200, 1 << 16
"""Bundles of so few segments and rays, and of so few pairs with primitives, are drawn as single ones are."""

COMPARED = 4
"""Of so many probes that pass near a primitive which none hits, the nearest is found, and the other way round."""

PASSING = 100_000
"""Among so many probes, those of bundles too, the nearest to a primitive is looked for."""

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
    seen_from: tuple[Vec3, Vec3] | None = None,
    builder: "Builder | None" = None,
) -> DrawList:
    """Give everything that is to be seen of a report, by a camera with this eye and this target."""
    builder = builder or Builder()
    if seen_from is not None:
        builder.look(*seen_from)
    pair = builder.picture(report).pair((hovered, *selection[:-2:-1], partner))
    return builder.build(report, hovered, selection, hidden, partner, pair=pair)


def extent(report: Report) -> Extent:
    """Give the bounds of the whole scene."""
    return Builder().extent(report)


class Colours(NamedTuple):
    """The role of every element, and of the boxes and the triangles of each lot."""

    elements: Codes
    lots: tuple[tuple[Codes, Codes], ...]


class Builder:
    """Builds one draw list after another and hands out the same array again where nothing changed."""

    def __init__(self, previous: "Builder | None" = None, apart_from: int = CROWD) -> None:
        """Begin with nothing but what `previous` has laid out of bulk items of at least `apart_from` shapes."""
        self._apart_from = apart_from
        self._elements: object = None
        self._bodies: Bodies = previous._bodies if previous else bodies_of(())
        self._region: Region | None = None
        self._surfaces: Surfaces | None = None
        self._picture: Picture | None = None
        self._eyes: tuple[Vec3, Vec3] | None = None
        self._seen_by: tuple[Vec3, Vec3] | None = None
        self._measured: tuple[Report, Stage, Extent] | None = None
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
        faces: Faces = (),
        pair: tuple[int, int] | None = None,
    ) -> DrawList:
        """Give everything that is to be seen of a report; `partner` is looked at beside what is selected.

        `faces` are the handles that the faces of boxes have in this view, `pair` is looked at; see `Picture.pair`.
        """
        picture = self.picture(report)
        asked = picture, hovered, selection, hidden, partner, faces, pair
        if self._last is None or not all(map(operator.eq, asked, self._asked)):
            new = picture.draw_list(hovered, selection, hidden, partner, faces, pair)
            self._last = new if self._last is None else _sharing(new, self._last)
            self._asked = asked
        return self._last

    def extent(self, report: Report) -> Extent:
        """Give the bounds of the whole scene."""
        bodies = self._bodies_of(report)
        corners = union(bodies.extent, _probe_extent(report))
        if corners is not None and len(report.elements) + len(report.probes) + len(report.unasked) == 1:
            return with_room(corners)
        base = corners or stage_of(None, None)
        feet = feet_of(bodies.body_shapes, base.center)
        near = [
            foot for foot in feet if not corners or np.abs(foot - base.center).max() < PLANE_SHOWN * base.scale
        ]
        return union(corners, extent_of(_points(near))) or base

    def corners(self, report: Report) -> Array:
        """Give points (n, 3) with the whole scene between them, for a camera that is to show all of it."""
        own = np.concatenate([self._bodies_of(report).corners, _probe_corners(report)])
        held, bounds = extent_of(own), self.extent(report)
        # Its bounds have room around what is alone, and reach to planes.
        fits = held is not None and (held.lo <= bounds.lo).all() and (held.hi >= bounds.hi).all()
        return own if fits else bounds.corners

    def _bodies_of(self, report: Report) -> Bodies:
        if self._elements is not report.elements:
            self._elements = report.elements
            self._bodies = bodies_of(report.elements, self._bodies, self._apart_from)
            self._region = None
        return self._bodies

    def colours(self, report: Report) -> Colours | None:
        """Give the roles of a report's elements ahead of all else; None where these are other elements."""
        if self._elements is not report.elements:
            return None
        if self._coloured is not report:
            # In one pass over bytes, of which there may be a million: HIT is 0 and MISS is 1.
            roles = np.bitwise_xor(report.green.view(np.uint8), np.uint8(Role.MISS))
            lots = tuple((roles[lot.box_elements], roles[lot.triangle_elements]) for lot in self._bodies.lots)
            self._colours = Colours(roles, lots)
            self._coloured = report
        return self._colours

    def look(self, eye: Vec3, target: Vec3) -> None:
        """Follow the camera: what comes next is exact where it looks, however far the scene reaches."""
        self._eyes = eye, target

    def picture(self, report: Report) -> "Picture":
        """Give what is drawn of a report; the same one as long as the report and the stage are the same."""
        if self._picture is not None and self._picture.report is report and self._seen_by == self._eyes:
            return self._picture
        self._bodies_of(report)
        if self._measured is None or self._measured[0] is not report:
            probes = _probe_extent(report)
            bounds = stage_of(self._bodies.extent, probes)
            base, around = Stage(bounds.center, bounds.scale), union(bounds, probes) or bounds
            if self._measured is not None:
                base, around = _same(base, self._measured[1]), _same(around, self._measured[2])
            self._measured = report, base, around
        _, base, around = self._measured
        stage = self._stage(base, around)
        if self._picture is None or self._picture.report is not report or self._picture.stage is not stage:
            region, surfaces = self._unbounded(report, stage, around)
            colours = self.colours(report)
            assert colours is not None
            self._picture = Picture(report, self._bodies, region, surfaces, colours, stage, around, self._picture)
        self._seen_by = self._eyes
        return self._picture

    def _stage(self, base: Stage, around: Extent) -> Stage:
        """Give the stage of the whole scene, or one around what is looked at, where that is drawn better."""
        if self._eyes is None:
            return base
        eye, target = map(np.array, self._eyes)
        if base.suits(eye, target, around):
            return base
        if self._picture is not None and self._picture.stage.suits(eye, target, around):
            return self._picture.stage
        return Stage(target, math.dist(eye, target) or 1.0)

    def _unbounded(self, report: Report, stage: Stage, around: Extent) -> tuple[Region, Surfaces]:
        """Give what is drawn of planes and polyhedra, and the region that it is drawn in."""
        if stage.reach(around) > HORIZON:
            region = region_within(stage)
            known = self._region is not None and self._region.same(region)
        else:
            region = region_of(around)
            # While a probe is dragged what is unbounded keeps its place, as long as it is large enough.
            known = self._region is not None and not self._region.ends and self._region.holds(around)
        if self._region is None or self._surfaces is None or not known:
            self._region, self._surfaces = region, surfaces_of(self._bodies, region, report.elements)
        return self._region, self._surfaces


class Laid(NamedTuple):
    """What is drawn of one probe, and what it was made of."""

    made_of: tuple[object, object]
    """Its item, and what that hits."""
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
        region: Region,
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
        self.bundles = [part for part in report.probes.parts if part.shapes is not None]
        self.few = self._few()
        """The probes of bundles that are drawn as single ones are, but for handles."""
        laid = [*self.drawn, *self.few]
        self.names = {p: probe.id for p, probe in laid}
        self._probe_roles = np.full(len(report.probes) + len(off), Role.PROBE, np.uint8)
        self._probe_roles[len(report.probes) :] = Role.REFERENCE
        self.degenerate = [p for p, probe in self.drawn if is_degenerate(probe.shape)]
        self.box_probes = [(p, probe.shape) for p, probe in self.drawn if drawn_as(probe.shape) is DrawnAs.BOX]
        self.box_frames = frames_of([shape for _, shape in self.box_probes])
        areas = [
            (p, probe.shape) for p, probe in self.drawn if drawn_as(probe.shape) in (DrawnAs.BOX, DrawnAs.TRIANGLE)
        ]
        parts = [(p, nearby_part(shape, region)) for p, shape in areas]
        self.giants = [(p, part) for p, part in parts if part is not None]
        """The probes that end at the horizon, as far as they are drawn."""
        known = previous and previous.bodies is bodies and previous.stage is stage
        kept = previous.laid if previous and known else {}
        self.laid: dict[int, Laid] = {
            p: self._kept(kept.get(p), p, probe.shape, around) or self._lay(p, probe.shape) for p, probe in laid
        }
        self.strokes = [stroke for laid in self.laid.values() for stroke in laid.strokes]
        self.stroke_probes = [p for p, laid in self.laid.items() for _ in laid.strokes]
        self.threads = threads_of([] if self.few else self.bundles, report.hitting, stage, around)
        self.level = level_of(report)
        self.hierarchy = threads_of_level(self.level)
        hits = [[(p, e) for e in laid.near_first] for p, laid in self.laid.items()]
        self.verdicts = {(p, e): self._verdict(p, e) for p, e in islice(_in_turn(hits), MARKED_HITS)}
        self._nearest: dict[int, int | None] = {}
        self._first_hits: dict[int, int | None] = {}
        self._nearest_elements: dict[int, int | None] = {}

    def _verdict(self, p: int, e: int) -> Verdict:
        """Ask about a pair, once as long as the probe stays."""
        verdicts = self.laid[p].verdicts
        if e not in verdicts:
            verdicts[e] = self.report.verdict(p, e)
        return verdicts[e]

    def element_index(self, name: str) -> int | None:
        """Give the place of a primitive, or of one element of a bulk item, by its id; None where there is none."""
        return _place(self.report.elements, name)

    def probe_index(self, name: str) -> int | None:
        """Give the place of an enabled probe, or of one of a bundle, by its id; None where there is none."""
        return _place(self.report.probes, name)

    def handled(self, selection: Selection) -> Iterator[tuple[Target, Shape]]:
        """Give what has handles: all probes of one shape, and the primitives and elements that are selected."""
        for _, probe in self.drawn:
            yield Target("probe", probe.id), probe.shape
        for target in selection[-ASKED_ABOUT:]:
            elements = self.report.elements if target.kind == "primitive" else self.report.probes
            place = _place(elements, target.id)
            if place is None:
                continue
            item = elements.items[elements.locate(place)[0]]
            if can_inline(item) if isinstance(item, Bulk) else target.kind == "primitive":
                yield target, elements[place].shape

    def _kept(self, laid: "Laid | None", p: int, shape: Shape, around: Extent) -> "Laid | None":
        """Give what was laid out of a probe, where it would be the same again."""
        if laid is None or not all(map(operator.is_, laid.made_of, self._made_of(p, shape))):
            return None
        return None if type(shape) in ENDLESS and laid.around is not around else laid

    def _few(self) -> list[tuple[int, Element]]:
        """Give the probes of bundles, where those are so few that each can be drawn with what it hits."""
        linear = [part for part in self.bundles if part.shapes and part.shapes.kind in T_RANGES]
        count = sum(part.size for part in linear)
        if count > STROKED or count * len(self.report.elements) > STROKED_PAIRS:
            return []
        return [(p, self.report.probes[p]) for part in linear for p in range(part.first, part.first + part.size)]

    def _made_of(self, p: int, shape: Shape) -> tuple[object, object]:
        """Give a probe's item and what that hits, by identity: reports share both as long as they are the same."""
        if p >= len(self.report.probes):
            return shape, None
        k, _ = self.report.probes.locate(p)
        return self.report.probes.items[k], self.report.tally(k)

    def _row(self, p: int) -> NDArray[np.bool_]:
        """Give which elements a probe hits."""
        hits = p < len(self.report.probes) and self.report.hitting[p]
        return self.report.row(p) if hits else self._nothing

    @cached_property
    def _nothing(self) -> NDArray[np.bool_]:
        return np.zeros(len(self.report.elements), np.bool_)

    def _lay(self, p: int, shape: Shape) -> "Laid":
        row = self._row(p)
        near_first: Indices = np.flatnonzero(row)
        pieces: Iterable[Stroke] = ()
        if is_linear(shape):
            run = run_of(shape, self.stage, self.around)
            near_first, spans = self._passage(near_first, run)
            pieces = strokes_of(shape, run, spans, self.stage)
        elif drawn_as(shape) is DrawnAs.TRIANGLE:
            pieces = outline_of(cast(Triangle, shape), self.stage, self.around)
        made_of = self._made_of(p, shape)
        return Laid(made_of, shape, row, self.around, list(pieces), near_first[:MARKED_HITS].tolist(), {})

    def _passage(self, hit: Indices, run: Run) -> tuple[Indices, Array]:
        """Give the elements that a probe hits, from near to far, and the spans of it inside them."""
        if not len(hit):
            return hit, np.empty((0, 2))
        bodies, stage = self.bodies, self.stage
        of_kind = [hit[bodies.kinds[hit] == kind] for kind in (DrawnAs.BOX, DrawnAs.TRIANGLE, DrawnAs.BODY)]
        boxes, triangles, others = of_kind
        spans = box_spans(run.course, *stage.boxes(*bodies.frames_at(boxes)[:2]))
        depths = triangle_depths(run.course, stage.triangles(bodies.triangles_at(triangles)))
        starts = np.concatenate([spans[:, 0], depths])
        if len(others):
            with np.errstate(over="ignore", invalid="ignore"):
                offsets = (bodies.half_space_offsets - bodies.half_space_normals @ stage.anchor) / stage.scale
            through = half_space_spans(run.course, bodies.half_space_normals, offsets, bodies.first_half_spaces)
            through = through[bodies.places[others]]
            spans = np.concatenate([spans, through])
            starts = np.concatenate([starts, through[:, 0]])
        return np.concatenate(of_kind)[np.argsort(starts)], merged(spans)

    def pair(
        self, pointed_at: Iterable[Target | None], otherwise: Iterable[Target | None] = ()
    ) -> tuple[int, int] | None:
        """Give the probe and the element that are looked at, of targets with the most important one first.

        A probe alone is with its nearest hit, a primitive alone with a probe that hits it. Where there is none, it
        is with the first that it can be of the targets `otherwise`, else with what is nearest to it.
        """
        probe, element = self._places_of(pointed_at)
        if probe is None and element is None:
            return None
        probe, element = self._first_met(probe, element)
        other_probe, other_element = self._places_of(otherwise)
        if element is None and probe is not None:
            element = self._nearest_element(probe) if other_element is None else other_element
        elif probe is None and element is not None:
            probe = self._nearest_probe(element) if other_probe is None else other_probe
        return None if probe is None or element is None else (probe, element)

    def _places_of(self, targets: Iterable[Target | None]) -> tuple[int | None, int | None]:
        """Give the places of the first probe and of the first element among targets."""
        probe = element = None
        for target in targets:
            if target is not None and target.kind == "probe" and probe is None:
                probe = self.probe_index(target.id)
            elif target is not None and target.kind == "primitive" and element is None:
                element = self.element_index(target.id)
        return probe, element

    def met(self, target: Target) -> Target | None:
        """Give what a probe hits first, or a probe that hits a primitive."""
        probe, element = self._places_of([target])
        p, e = self._first_met(probe, element)
        if p is None or e is None:
            return None
        return (
            Target("probe", self.report.probes[p].id)
            if probe is None
            else Target("primitive", self.report.elements[e].id)
        )

    def _first_met(self, probe: int | None, element: int | None) -> tuple[int | None, int | None]:
        """Complete a pair by what its one half meets, where it meets anything."""
        if element is None and probe is not None:
            element = self._first_hit(probe)
        elif probe is None and element is not None:
            self._ask_about(element)
            probe = next((p for (p, e), verdict in self.verdicts.items() if e == element and verdict.hit), None)
        return probe, element

    def _first_hit(self, p: int) -> int | None:
        """Give the nearest element that a probe hits."""
        if p not in self._first_hits:
            hits = self._laid(p).near_first if self.report.hitting[p] else []
            self._first_hits[p] = hits[0] if hits else None
        return self._first_hits[p]

    def _laid(self, p: int) -> Laid:
        """Give what is drawn of a probe, or would be if there were fewer."""
        return self.laid.get(p) or self._lay(p, self.report.probes[p].shape)

    def _nearest_element(self, p: int) -> int | None:
        """Give the element that is nearest to a probe, of those whose bounds come nearest to it."""
        if p not in self._nearest_elements:
            laid = self._laid(p)
            line = laid.strokes if is_linear(laid.shape) else []
            points = np.array([line[0].start, line[-1].end]) if line else bounding_points(laid.shape)
            found: tuple[float, int] | None = None
            for apart, e in nearby(self.bodies, self.stage, points, bool(line), COMPARED):
                if found is not None and apart >= found[0]:
                    break
                gap = nearest(*self._shapes((p, e)))
                distance = math.dist(*gap) if gap else 0.0
                found = min(found or (distance, e), (distance, e))
            self._nearest_elements[p] = None if found is None else found[1]
        return self._nearest_elements[p]

    def _nearest_probe(self, e: int) -> int | None:
        """Give the probe that is nearest to an element, of those that pass nearest to its middle."""
        if e not in self._nearest:
            bounds = extent_within(self.bodies, np.array([e]))
            shape = self.report.elements[e].shape
            around = self.around.center
            middle = bounds.center if bounds else foot_of(shape, around)
            ends = [(nearest(*self._shapes((p, e))), p) for p in self._passing(middle)]
            gaps = [(math.dist(*gap), p) for gap, p in ends if gap is not None]
            self._nearest[e] = min(gaps)[1] if gaps else None
        return self._nearest[e]

    def _passing(self, point: Array) -> list[int]:
        """Give the probes of which something is drawn nearest to a point."""
        probes, starts, along = self._courses
        way = self.stage.inward(point) - starts
        lengths = (along * along).sum(axis=1)
        t = np.clip((way * along).sum(axis=1) / np.where(lengths > 0, lengths, 1), 0, 1)
        order = np.argsort(np.linalg.norm(way - t[:, None] * along, axis=1))
        return list(islice(dict.fromkeys(probes[order].tolist()), COMPARED))

    @cached_property
    def _courses(self) -> tuple[Indices, Array, Array]:
        """The enabled probes as lines (n, 3) in stage units, those that are none by their middles.

        Where those are more than `PASSING` the bundles are left out: it is looked for at every step of a drag.
        """
        lines = list(zip(self.stroke_probes, self.strokes, strict=True))
        found = [(p, (stroke.start, stroke.end)) for p, stroke in lines if p < len(self.report.probes)]
        for p in {p for p, _ in self.singles} - {p for p, _ in found}:
            middle = bounding_points(self.laid[p].shape).mean(axis=0)
            found.append((p, (middle, middle)))
        one_by_one = np.array([p for p, _ in found], np.intp)
        courses = [(one_by_one, *(_points(given[k] for _, given in found) for k in (0, 1)))]
        courses.append((self.threads.probes, self.threads.starts, self.threads.ends))
        for part in self.bundles:
            if part.shapes is not None and _is_of_points(part):
                points = bundle_points(part.shapes)
                courses.append((np.arange(part.first, part.first + part.size), points, points))
        several = sum(len(places) for places, _, _ in courses) <= PASSING
        probes, starts, ends = map(np.concatenate, zip(*(courses if several else courses[:1]), strict=True))
        starts, ends = self.stage.lines(starts, ends)
        return probes, starts, ends - starts

    def gap(self, pair: tuple[int, int] | None) -> tuple[Vec3, Vec3] | None:
        """Give where a probe and a primitive are nearest to one another; None where they meet."""
        if pair is None or self.report.verdict(*pair).hit:
            return None
        return nearest(*self._shapes(pair))

    def _shapes(self, pair: tuple[int, int]) -> tuple[Shape, Shape]:
        return self.report.probes[pair[0]].shape, self.report.elements[pair[1]].shape

    def draw_list(
        self,
        hovered: Target | None,
        selection: Selection,
        hidden: Hidden = frozenset(),
        partner: Target | None = None,
        faces: Faces = (),
        pair: tuple[int, int] | None = None,
    ) -> DrawList:
        """Assemble the arrays."""
        for target in (hovered, *selection[-ASKED_ABOUT:]):
            if target is not None and target.kind == "primitive":
                self._ask_about(self.element_index(target.id))
        roles = self.colours.elements
        cues = self.bodies.cues.copy()
        for (_, e), verdict in self.verdicts.items():
            cues[e] |= _CUE_OF_STATE.get(verdict.state, Cue.NONE)
        probe_cues = np.zeros(len(self._probe_roles), np.uint8)
        probe_cues[self.degenerate] = Cue.DEGENERATE
        off = {name: p for p, name in self.names.items() if p >= len(self.report.probes)}
        chosen = [(target.kind, target.id) for target in selection]
        said = [(Cue.HIDDEN, list(hidden)), (Cue.SELECTED, chosen)]
        said += [(Cue.HOVERED, [(hovered.kind, hovered.id)])] if hovered else []
        said += [(Cue.PAIRED, [(partner.kind, partner.id)])] if partner and partner not in selection else []
        for cue, named in said:
            primitives = self.report.elements.all_places(name for kind, name in named if kind == "primitive")
            probes = [name for kind, name in named if kind == "probe"]
            enabled = self.report.probes.all_places(name for name in probes if name not in off)
            cues[primitives] |= np.uint8(cue)
            probe_cues[enabled] |= np.uint8(cue)
            probe_cues[[off[name] for name in probes if name in off]] |= np.uint8(cue)
        marks = [
            mark
            for (p, e), verdict in self.verdicts.items()
            if not (probe_cues[p] | cues[e]) & Cue.HIDDEN
            for mark in marks_of(self.laid[p].shape, verdict)
        ]
        gap = self.gap(pair)
        axis = None if pair is None or gap is None else axis_between(gap, *self._shapes(pair))
        elements = self.surfaces.elements
        facets = replace(self.surfaces.facets, roles=roles[elements], cues=cues[elements])
        own = [
            replace(part, roles=self._probe_roles[[p] * len(part.sizes)], cues=probe_cues[[p] * len(part.sizes)])
            for p, part in self.giants
        ]
        # What ends at the horizon is drawn as these facets only.
        whole, whole_probes = cues.copy(), probe_cues.copy()
        whole[self.surfaces.giants] |= np.uint8(Cue.HIDDEN)
        whole_probes[[p for p, _ in self.giants]] |= np.uint8(Cue.HIDDEN)
        (boxes, triangles), (crowd_boxes, crowd_triangles) = (
            (
                Boxes(lot.boxes.origins, lot.boxes.edges, box_roles, whole[lot.box_elements]),
                Triangles(lot.triangles, triangle_roles, whole[lot.triangle_elements]),
            )
            for lot, (box_roles, triangle_roles) in zip(self.bodies.lots, self.colours.lots, strict=True)
        )
        box_places = np.array([p for p, _ in self.box_probes], np.intp)
        thin = [(p, probe.shape) for p, probe in self.drawn if drawn_as(probe.shape) is DrawnAs.TRIANGLE]
        thin_places = np.array([p for p, _ in thin], np.intp)
        return DrawList(
            boxes=boxes,
            triangles=triangles,
            facets=joined([facets, *own]) if own else facets,
            strokes=self._strokes(probe_cues),
            markers=self._markers(marks, hovered, selection, hidden, probe_cues, faces),
            arrows=self._arrows(marks, roles, cues, axis),
            anchor=self.stage.anchor,
            scale=self.stage.scale,
            crowd_boxes=crowd_boxes,
            crowd_triangles=crowd_triangles,
            probe_boxes=Boxes(
                self.box_frames.origins,
                self.box_frames.edges,
                self._probe_roles[box_places],
                whole_probes[box_places],
            ),
            probe_triangles=Triangles(
                np.array([shape for _, shape in thin], float).reshape(-1, 3, 3),
                self._probe_roles[thin_places],
                whole_probes[thin_places],
            ),
            threads=replace(self.threads, cues=self.threads.cues | probe_cues[self.threads.probes]),
            hierarchy=self.hierarchy,
            gap=np.array([gap] if gap else [], float).reshape(-1, 2, 3),
        )

    def _ask_about(self, e: int | None) -> None:
        """Add the verdicts of an element that is pointed at, where it is not among the nearest hits."""
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
        faces: Faces,
    ) -> Markers:
        """Give the handles, the hovered one pointed out, after the entry and exit points that they cover."""
        positions = [mark.position for mark in marks]
        roles = [mark.role for mark in marks]
        cues = [Cue.NONE] * len(marks)
        main = [False] * len(marks)
        off = {name for p, name in self.names.items() if p >= len(self.report.probes)}
        degenerate = {Target("probe", self.names[p]) for p in self.degenerate}
        selected = {*selection[-ASKED_ABOUT:], *(target for target in selection if target.kind == "probe")}
        for target, shape in self.handled(selection):
            if target[:2] in hidden:
                continue
            enabled = target.kind == "primitive" or target.id not in off
            chosen = target in selected
            own = [(handle, np.array(place)) for of, handle, place in faces if of == target]
            for handle, point in (*enumerate(handle_points(shape)[: main_handles(shape)]), *own):
                cue = Cue.SELECTED if chosen else Cue.NONE
                cue |= Cue.DEGENERATE if handle == 0 and target in degenerate else Cue.NONE
                cue |= Cue.HOVERED if hovered == target._replace(handle=handle) else Cue.NONE
                positions.append(point)
                roles.append(Role.PROBE if enabled else Role.REFERENCE)
                cues.append(cue)
                main.append(enabled and handle < main_handles(shape))
        points = [part for part in self.bundles if _is_of_points(part)]
        return Markers(
            np.concatenate([_points(positions), *(part.shapes.rows.T for part in points if part.shapes)]),
            np.append(np.array(roles, np.uint8), np.full(sum(part.size for part in points), Role.PROBE, np.uint8)),
            np.concatenate([np.array(cues, np.uint8), *(probe_cues[part.places] for part in points)]),
            np.append(np.array(main, np.bool_), np.zeros(sum(part.size for part in points), np.bool_)),
        )

    def _arrows(
        self, marks: list[Mark], element_roles: Codes, element_cues: Codes, axis: tuple[Array, Array] | None
    ) -> Arrows:
        """Give the normals of the hits, the fronts of planes in the colours of these, and what separates."""
        arrows = [(mark.position, mark.normal) for mark in marks if mark.normal is not None]
        roles = [Role.NORMAL] * len(arrows) + [Role.AXIS] * (axis is not None)
        arrows += [] if axis is None else [axis]
        shown = (element_cues[self.surfaces.front_elements] & Cue.HIDDEN) == 0
        fronts, elements = self.surfaces.fronts[shown], self.surfaces.front_elements[shown]
        return Arrows(
            positions=np.concatenate([_points(position for position, _ in arrows), fronts[:, 0]]),
            directions=np.concatenate([_points(direction for _, direction in arrows), fronts[:, 1]]),
            roles=np.append(np.array(roles, np.uint8), element_roles[elements]),
        )


def _same(new: P, old: P) -> P:
    """Give the old one where it has the same numbers: what was laid out with it is kept."""
    pairs: Iterable[tuple[Any, Any]] = zip(new, old, strict=True)
    return old if all(np.array_equal(a, b) for a, b in pairs) else new


def _points(points: Iterable[Array]) -> Array:
    return np.array(list(points), float).reshape(-1, 3)


def _place(elements: Elements, name: str) -> int | None:
    """Give the place of one element by its name; None where it is not one's name."""
    try:
        return elements.place(name)
    except KeyError:
        return None


def _is_of_points(part: Part) -> bool:
    return part.shapes is not None and SHAPE_DRAWINGS[part.shapes.kind].drawn_as is DrawnAs.MARKER


def _probe_corners(report: Report) -> Array:
    singles = _points(p for part in report.probes.parts if part.shape for p in bounding_points(part.shape))
    bundles = (extent_of(bundle_points(part.shapes)) for part in report.probes.parts if part.shapes)
    return np.concatenate([singles, *(bundle.corners for bundle in bundles if bundle is not None)])


def _probe_extent(report: Report) -> Extent | None:
    return extent_of(_probe_corners(report))


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

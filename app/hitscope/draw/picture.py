"""The picture of one report, and its draw list with marks of what is hovered and selected."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from hitscope.draw import items
from hitscope.draw.bundles import is_of_points
from hitscope.draw.element_arrays import Batch, ElementArrays
from hitscope.draw.extent import Extent, Stage
from hitscope.draw.facets import Region, Surfaces, facets_of, moved, part_within_horizon
from hitscope.draw.hierarchy import level_of, lines_of_level
from hitscope.draw.pair_finder import PairFinder
from hitscope.draw.probe_layouts import Area, HitVerdicts, ProbeLayouts
from hitscope.draw.shape_drawings import DrawnAs, Handled, drawn_as, handle_points, main_handles
from hitscope.draw.target import Marked, Target, Targets
from hitscope.evaluate import Report
from hitscope.evaluate.verdict import Verdict
from hitscope.geometry import exact
from hitscope.geometry.arrays import Array, finite
from hitscope.geometry.shapes import Cast, Shape, Vec3, is_linear, linear
from hitscope.geometry.traits import is_degenerate
from hitscope.scene.bulk import Bulk
from hitscope.scene.bulk_rows import can_inline
from hitscope.scene.items import Single

LAST_SELECTED = 16
"""The number of last selected targets of which all hits and the handles are drawn."""

_CUE_OF_STATE = {"touching": items.Cue.TOUCHING, "inside": items.Cue.INSIDE, "coplanar": items.Cue.COPLANAR}


class Mark(NamedTuple):
    """An entry or exit point, with the normal at an entry where there is one."""

    position: Array
    role: items.Role
    normal: Array | None


class Picture:
    """The layout of one report; hovering and selecting only change cues and add marks."""

    def __init__(
        self,
        report: Report,
        arrays: ElementArrays,
        region: Region,
        surfaces: Surfaces,
        element_roles: items.Codes,
        stage: Stage,
        around: Extent,
        previous: "Picture | None" = None,
    ) -> None:
        """Lay out the probes of a scene whose bounds are `around`; layouts that `previous` has too are reused."""
        self.report, self.arrays, self.stage = report, arrays, stage
        self.surfaces, self.element_roles = surfaces, element_roles
        known = previous.layouts if previous else None
        self.layouts: ProbeLayouts = ProbeLayouts(report, arrays, stage, around, known)
        self.verdicts = HitVerdicts(self.layouts)
        self.pairs = PairFinder(self.layouts, self.verdicts)
        self.level = level_of(report)
        self._hierarchy = lines_of_level(self.level)
        self._disabled = {name: p for p, name in self.layouts.ids.items() if p >= len(report.probes)}
        """The indices of the probes that are not enabled."""
        self._probe_roles = np.full(len(report.probes) + len(self._disabled), items.Role.PROBE, np.uint8)
        self._probe_roles[len(report.probes) :] = items.Role.REFERENCE
        self._degenerate = [p for p, probe in self.layouts.drawn_probes if is_degenerate(probe.shape)]
        areas = [(area, drawn_as(area.shape)) for area in self.layouts.areas]
        with_sides = [area for area, kind in areas if kind in (DrawnAs.BOX, DrawnAs.TRIANGLE)]
        parts = [(area, part_within_horizon(area.shape, region)) for area in with_sides if not area.way.any()]
        self._cut_probes = [(area, part) for area, part in parts if part is not None]
        """The probes that are cut at the horizon, and the facets of the parts within it."""
        faceted = [area for area, kind in areas if kind is DrawnAs.FACETS]
        self._faceted = [(area, moved(facets_of(area.shape, region), area.way)) for area in faceted]

    def with_handles(self, selection: Targets) -> Iterator[tuple[Target, Handled]]:
        """The targets with handles: all probes of one shape, and the selected primitives and elements."""
        for part in (*self.report.probes.parts, *self.report.disabled_probes.parts):
            if isinstance(part.item, Single):
                yield Target("probe", part.id), part.item
        for target in selection[-LAST_SELECTED:]:
            elements = self.report.elements if target.kind == "primitive" else self.report.probes
            index = elements.find_index(target.id)
            if index is None:
                continue
            item = elements.items[elements.locate(index)[0]]
            if can_inline(item) if isinstance(item, Bulk) else target.kind == "primitive":
                yield target, item if isinstance(item, Single) else elements[index].shape

    def draw_list(self, marked: Marked) -> items.DrawList:
        hovered, selection, hidden, partner, _, pair, _ = marked
        for target in (hovered, *selection[-LAST_SELECTED:]):
            if target is not None and target.kind == "primitive":
                e = self.report.elements.find_index(target.id)
                if e is not None:
                    self.verdicts.add_hits_of(e)
        roles, cues = self._roles_with(pair), self.arrays.cues.copy()
        for (p, e), verdict in self.verdicts.by_pair.items():
            if pair is None or e != pair[1] or p == pair[0]:
                cues[e] |= _CUE_OF_STATE.get(verdict.state, items.Cue.NONE)
        probe_cues = np.zeros(len(self._probe_roles), np.uint8)
        probe_cues[self._degenerate] = items.Cue.DEGENERATE
        disabled = self._disabled
        with_cues = [(items.Cue.HIDDEN, list(hidden)), (items.Cue.SELECTED, [target[:2] for target in selection])]
        with_cues += [(items.Cue.HOVERED, [hovered[:2]])] if hovered else []
        with_cues += [(items.Cue.PAIRED, [partner[:2]])] if partner and partner not in selection else []
        for cue, named in with_cues:
            primitives = self.report.elements.indices_of_all(name for kind, name in named if kind == "primitive")
            probes = [name for kind, name in named if kind == "probe"]
            enabled = self.report.probes.indices_of_all(name for name in probes if name not in disabled)
            cues[primitives] |= np.uint8(cue)
            probe_cues[enabled] |= np.uint8(cue)
            probe_cues[[disabled[name] for name in probes if name in disabled]] |= np.uint8(cue)
        marks = [
            mark
            for (p, e), verdict in self.verdicts.by_pair.items()
            if not (probe_cues[p] | cues[e]) & items.Cue.HIDDEN and self._is_marked(p, e, pair)
            for mark in marks_of(self.layouts.by_probe[p].shape, verdict)
        ]
        gap = self.pairs.gap(pair)
        axis = None if pair is None or gap is None else axis_between(gap, *self.pairs.shapes(pair))
        elements = self.surfaces.elements
        facets = replace(self.surfaces.facets, roles=roles[elements], cues=cues[elements])
        own = []
        for area, part in (*self._cut_probes, *self._faceted):
            areas = [area] * len(part.sizes)
            own.append(replace(part, roles=self._roles_of(areas), cues=probe_cues[[area.probe for area in areas]]))
        # What is cut at the horizon is drawn as these facets only.
        uncut, uncut_probes = cues.copy(), probe_cues.copy()
        uncut[self.surfaces.cut_elements] |= np.uint8(items.Cue.HIDDEN)
        uncut_probes[[area.probe for area, _ in self._cut_probes]] |= np.uint8(items.Cue.HIDDEN)
        single, bulk = (solids_of(batch, roles, uncut) for batch in self.arrays.batches)
        layouts, thin_lines = self.layouts, self.layouts.thin_lines
        area_roles, area_cues = self._roles_of(layouts.areas), uncut_probes[[area.probe for area in layouts.areas]]
        return items.DrawList(
            single=single,
            facets=items.joined(facets, *own) if own else facets,
            strokes=self._strokes(probe_cues),
            markers=self._markers(marks, marked, probe_cues),
            arrows=self._arrows(marks, roles, cues, axis),
            stage=self.stage,
            bulk=bulk,
            probes=solids_of(layouts.solids, area_roles, area_cues),
            thin_lines=replace(thin_lines, cues=thin_lines.cues | probe_cues[thin_lines.probes]),
            hierarchy=self._hierarchy,
            gap=np.array([gap] if gap else [], float).reshape(-1, 2, 3),
        )

    def _is_marked(self, p: int, e: int, pair: tuple[int, int] | None) -> bool:
        """Whether the contact of a hit is marked: of a cast that with what stops it, and with its partner."""
        layout = self.layouts.by_probe[p]
        return not isinstance(layout.shape, Cast) or e == layout.near_first[0] or (p, e) == pair

    def _roles_of(self, areas: Sequence[Area]) -> items.Codes:
        roles = self._probe_roles[np.array([area.probe for area in areas], np.intp)]
        return np.where([area.faint for area in areas], np.uint8(items.Role.REFERENCE), roles)

    def _roles_with(self, pair: tuple[int, int] | None) -> items.Codes:
        """The roles of the elements; a pair that misses is not coloured by the hits of other probes."""
        known = self.element_roles
        if pair is None or known[pair[1]] != items.Role.HIT or self.report.verdict(*pair).hit:
            return known
        roles = known.copy()
        roles[pair[1]] = items.Role.NEUTRAL if self.report.nearest_only else items.Role.MISS
        return roles

    def _strokes(self, probe_cues: items.Codes) -> items.Strokes:
        rows = (
            (stroke.start, stroke.end, self._probe_roles[p], probe_cues[p], stroke.ending, stroke.inside)
            for stroke, p in zip(self.layouts.strokes, self.layouts.stroke_probes, strict=True)
        )
        return items.from_rows(items.NO_STROKES, rows)

    def _markers(self, marks: list[Mark], marked: Marked, probe_cues: items.Codes) -> items.Markers:
        """The handles, the hovered one highlighted, after the entry and exit points that they cover."""
        selection = marked.selection
        rows = [(mark.position, mark.role, items.Cue.NONE, False, False) for mark in marks]
        degenerate = {Target("probe", self.layouts.ids[p]) for p in self._degenerate}
        selected = {*selection[-LAST_SELECTED:], *(target for target in selection if target.kind == "probe")}
        for target, handled in self.with_handles(selection):
            if target[:2] in marked.hidden:
                continue
            enabled = target.kind == "primitive" or target.id not in self._disabled
            role = items.Role.PROBE if enabled else items.Role.REFERENCE
            own = [(handle, np.array(point)) for of, handle, point in marked.faces if of == target]
            for handle, point in (*enumerate(handle_points(handled)[: main_handles(handled)]), *own):
                at = target._replace(handle=handle)
                cue = items.Cue.SELECTED if target in selected else items.Cue.NONE
                cue |= items.Cue.DEGENERATE if handle == 0 and target in degenerate else items.Cue.NONE
                cue |= items.Cue.HOVERED if marked.hovered == at else items.Cue.NONE
                main = enabled and handle < main_handles(handled) and at not in marked.faint
                rows.append((point, role, cue, main, at in marked.faint))
        markers = [items.from_rows(items.NO_MARKERS, rows)]
        for part in self.layouts.bundles:
            if part.shapes and is_of_points(part):
                no_flags = np.zeros(part.size, np.bool_)
                codes = self._probe_roles[part.indices], probe_cues[part.indices]
                markers.append(items.Markers(part.shapes.rows.T, *codes, no_flags, no_flags))
        return items.joined(*markers)

    def _arrows(
        self,
        marks: list[Mark],
        element_roles: items.Codes,
        element_cues: items.Codes,
        axis: tuple[Array, Array] | None,
    ) -> items.Arrows:
        """The arrows of the hits' normals, the planes' fronts in the planes' colours, and the separating axis."""
        arrows = [(mark.position, mark.normal, items.Role.NORMAL) for mark in marks if mark.normal is not None]
        arrows += [(*axis, items.Role.AXIS)] if axis else []
        shown = (element_cues[self.surfaces.front_elements] & items.Cue.HIDDEN) == 0
        fronts, elements = self.surfaces.fronts[shown], self.surfaces.front_elements[shown]
        return items.joined(
            items.from_rows(items.NO_ARROWS, arrows),
            items.Arrows(fronts[:, 0], fronts[:, 1], element_roles[elements]),
        )


def solids_of(batch: Batch, roles: items.Codes, cues: items.Codes) -> items.Solids:
    """The shapes of a batch, with their roles and cues among those of all elements."""
    box_cues, triangle_cues, round_cues = (cues[own] for own in batch.elements)
    box_roles, triangle_roles, round_roles = (roles[own] for own in batch.elements)
    return items.Solids(
        items.Boxes(batch.boxes.origins, batch.boxes.edges, box_roles, box_cues),
        items.Triangles(batch.triangles, triangle_roles, triangle_cues, batch.opaque),
        items.RoundShapes(*batch.rounds, round_roles, round_cues),
    )


def marks_of(shape: Shape, verdict: Verdict) -> Iterator[Mark]:
    """The marks of one hit; where a probe starts or ends inside it has a handle instead of a mark."""
    line = linear(shape) if is_linear(shape) and verdict.hit else None
    enter, leave = verdict.t_enter, verdict.t_exit
    is_before = line is not None and (verdict.normal is not None or (enter or 0) > line.t_min)
    if verdict.point is not None and (is_before or isinstance(shape, Cast)):
        normal = None if verdict.normal is None else np.array(verdict.normal)
        yield Mark(np.array(verdict.point), items.Role.ENTRY, normal)
    if line is not None and leave is not None and leave != enter and leave < line.t_max:
        with np.errstate(over="ignore", invalid="ignore"):
            position = finite(np.array(line.origin) + leave * np.array(line.direction))
        yield Mark(position, items.Role.EXIT, None)


def axis_between(gap: tuple[Vec3, Vec3], probe: Shape, primitive: Shape) -> tuple[Array, Array] | None:
    """The point on the primitive where the separating axis is drawn, and its unit direction; None for a hit."""
    found = exact.witness(probe, primitive)
    direction = exact.unit(found.vector) if isinstance(found, exact.Axis) else None
    return None if direction is None else (np.array(gap[1]), np.array(direction))

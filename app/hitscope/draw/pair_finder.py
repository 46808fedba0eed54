"""The current pair of a probe and an element, and the points where they are nearest to one another."""

import math
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import islice

import numpy as np

from hitscope.draw.bundles import bundle_points, is_of_points
from hitscope.draw.chunks import Indices
from hitscope.draw.element_arrays import ElementArrays, elements_at, extent_within
from hitscope.draw.extent import Stage, as_points
from hitscope.draw.facets import foot_of
from hitscope.draw.probe_layouts import HitVerdicts, ProbeLayouts
from hitscope.draw.shape_drawings import bounding_points
from hitscope.draw.target import Target
from hitscope.geometry.arrays import Array
from hitscope.geometry.exact import nearest
from hitscope.geometry.shapes import Shape, Vec3, is_linear

COMPARED = 4
"""The number of candidates whose distances are compared for a probe or an element without a hit."""
PASSING = 100_000
"""The number of probes up to which those of bundles are searched for the nearest to an element, too."""


class PairFinder:
    """Completes hovered or selected targets to a pair of indices, of an enabled probe and of an element."""

    def __init__(self, layouts: ProbeLayouts, verdicts: HitVerdicts) -> None:
        self._report, self._arrays, self._stage = layouts.report, layouts.arrays, layouts.stage
        self._layouts, self._verdicts = layouts, verdicts
        self._first_hits: dict[int, int | None] = {}
        self._nearest_probes: dict[int, int | None] = {}
        self._nearest_elements: dict[int, int | None] = {}

    def find(
        self, pointed_at: Iterable[Target | None], otherwise: Iterable[Target | None] = ()
    ) -> tuple[int, int] | None:
        """The pair of the first probe and the first element in `pointed_at`; None if there is neither.

        If there is only a probe, the element is its nearest hit; if there is only an element, the probe is one
        that hits it. Without a hit it is the first of the targets `otherwise`, else the nearest one.
        """
        probe, element = self._first_met(*self._indices_of(pointed_at))
        other_probe, other_element = self._indices_of(otherwise)
        if element is None and probe is not None:
            element = self._nearest_element(probe) if other_element is None else other_element
        elif probe is None and element is not None:
            probe = self._nearest_probe(element) if other_probe is None else other_probe
        return None if probe is None or element is None else (probe, element)

    def _indices_of(self, targets: Iterable[Target | None]) -> tuple[int | None, int | None]:
        """The indices of the first probe and of the first element among targets."""
        probe = element = None
        for target in filter(None, targets):
            if target.kind == "probe" and probe is None:
                probe = self._report.probes.find_index(target.id)
            elif target.kind == "primitive" and element is None:
                element = self._report.elements.find_index(target.id)
        return probe, element

    def met(self, target: Target) -> Target | None:
        """The element that a probe hits first, or a probe that hits an element; None if there is none."""
        probe, element = self._indices_of([target])
        p, e = self._first_met(probe, element)
        if p is None or e is None:
            return None
        if probe is None:
            return Target("probe", self._report.probes[p].id)
        return Target("primitive", self._report.elements[e].id)

    def _first_met(self, probe: int | None, element: int | None) -> tuple[int | None, int | None]:
        """The pair with a hit in place of its missing half, if there is a hit."""
        if element is None and probe is not None:
            element = self._first_hit(probe)
        elif probe is None and element is not None:
            self._verdicts.add_hits_of(element)
            hits = (p for (p, e), verdict in self._verdicts.by_pair.items() if e == element and verdict.hit)
            probe = next(hits, None)
        return probe, element

    def _first_hit(self, p: int) -> int | None:
        if p not in self._first_hits:
            hits = self._layouts.layout(p).near_first if self._report.hitting_probes[p] else []
            self._first_hits[p] = hits[0] if hits else None
        return self._first_hits[p]

    def _nearest_element(self, p: int) -> int | None:
        """The element that is nearest to a probe, among those whose bounds are nearest to it."""
        if p not in self._nearest_elements:
            layout = self._layouts.layout(p)
            line = layout.strokes if is_linear(layout.shape) else []
            points = np.array([line[0].start, line[-1].end]) if line else bounding_points(layout.shape)
            found: list[tuple[float, int]] = []
            for apart, e in nearest_candidates(self._arrays, self._stage, points, bool(line), COMPARED):
                if found and apart >= min(found)[0]:
                    break
                gap = nearest(*self.shapes((p, e)))
                found.append((math.dist(*gap) if gap else 0.0, e))
            self._nearest_elements[p] = min(found)[1] if found else None
        return self._nearest_elements[p]

    def _nearest_probe(self, e: int) -> int | None:
        """The probe that is nearest to an element, among those that pass nearest to its middle."""
        if e not in self._nearest_probes:
            bounds = extent_within(self._arrays, np.array([e]))
            around = self._layouts.around.center
            middle = bounds.center if bounds else foot_of(self._report.elements[e].shape, around)
            ends = [(nearest(*self.shapes((p, e))), p) for p in self._passing(middle)]
            gaps = [(math.dist(*gap), p) for gap, p in ends if gap is not None]
            self._nearest_probes[e] = min(gaps)[1] if gaps else None
        return self._nearest_probes[e]

    def _passing(self, point: Array) -> list[int]:
        """The probes that are drawn nearest to a point (3,)."""
        probes, starts, along = self._probe_lines
        way = self._stage.to_stage(point) - starts
        lengths = (along * along).sum(axis=1)
        t = np.clip((way * along).sum(axis=1) / np.where(lengths > 0, lengths, 1), 0, 1)
        order = np.argsort(np.linalg.norm(way - t[:, None] * along, axis=1))
        return list(islice(dict.fromkeys(probes[order].tolist()), COMPARED))

    @cached_property
    def _probe_lines(self) -> tuple[Indices, Array, Array]:
        """The indices, starts and vectors (n, 3) in stage units of enabled probes; of a body, a point.

        Beyond `PASSING` probes the bundles are left out: the search runs at every step of a drag.
        """
        lines = list(zip(self._layouts.stroke_probes, self._layouts.strokes, strict=True))
        found = [(p, (stroke.start, stroke.end)) for p, stroke in lines if p < len(self._report.probes)]
        for p in {p for p, _ in self._layouts.single_probes} - {p for p, _ in found}:
            middle = bounding_points(self._layouts.by_probe[p].shape).mean(axis=0)
            found.append((p, (middle, middle)))
        one_by_one = np.array([p for p, _ in found], np.intp)
        parts = [(one_by_one, *(as_points(given[k] for _, given in found) for k in (0, 1)))]
        thin = self._layouts.thin_lines
        parts.append((thin.probes, thin.starts, thin.ends))
        for part in self._layouts.bundles:
            if part.shapes is not None and is_of_points(part):
                points = bundle_points(part.shapes)
                parts.append((np.arange(part.first, part.first + part.size), points, points))
        several = sum(len(indices) for indices, _, _ in parts) <= PASSING
        probes, starts, ends = map(np.concatenate, zip(*(parts if several else parts[:1]), strict=True))
        starts, ends = self._stage.lines(starts, ends)
        return probes, starts, ends - starts

    def gap(self, pair: tuple[int, int] | None) -> tuple[Vec3, Vec3] | None:
        """The points at which a probe and an element are nearest to one another; None if they meet."""
        return None if pair is None or self._report.verdict(*pair).hit else nearest(*self.shapes(pair))

    def shapes(self, pair: tuple[int, int]) -> tuple[Shape, Shape]:
        return self._report.probes[pair[0]].shape, self._report.elements[pair[1]].shape


CHUNKS = 16
"""The number of nearest chunks of a kind of a batch whose shapes are compared one by one."""


def nearest_candidates(
    arrays: ElementArrays, stage: Stage, points: Array, straight: bool, most: int
) -> list[tuple[float, int]]:
    """Lower bounds of the distance to elements that may be nearest, with their indices, the `most` nearest first.

    The probe is the segment between two points if it is `straight`, else it is within the bounds of all points.
    """
    points = stage.to_stage(points)
    low, high = points.min(axis=0), points.max(axis=0)
    start, end = points if straight else (low / 2 + high / 2,) * 2
    corners = points if straight else np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, -1).T
    radius = 0.0 if straight else float(np.linalg.norm(high - low)) / 2
    along = end - start
    squared = float(along @ along)

    def apart(lows: Array, highs: Array) -> Array:
        """A lower bound of the distance from the probe to each box (n, 3), (n, 3)."""
        lows, highs = stage.to_stage(lows), stage.to_stage(highs)
        middles = lows / 2 + highs / 2
        way = middles - start
        t = np.clip(way @ along / squared, 0, 1) if squared else np.zeros(len(way))
        beside = np.linalg.norm(way - t[:, None] * along, axis=1) - np.linalg.norm(highs - middles, axis=1)
        gaps = np.linalg.norm(np.maximum(np.maximum(lows - high, low - highs), 0), axis=1)
        return np.asarray(np.maximum(gaps, beside - radius))

    with np.errstate(all="ignore"):
        bounds, elements = zip(*_of_batches(arrays, apart), _of_faceted(arrays, stage, corners), strict=True)
    every, least = np.concatenate(elements), np.nan_to_num(np.concatenate(bounds), nan=np.inf)
    order = np.argsort(least, kind="stable")[:most]
    with np.errstate(over="ignore"):
        distances = least[order] * stage.scale
    return list(zip(distances.tolist(), every[order].tolist(), strict=True))


def _of_batches(arrays: ElementArrays, apart: Callable[[Array, Array], Array]) -> list[tuple[Array, Indices]]:
    found = []
    for batch in arrays.batches:
        for chunks, (own, (lows, highs)) in zip(batch.chunks, batch.bounds, strict=True):
            near = np.argsort(apart(chunks.lows, chunks.highs), kind="stable")[:CHUNKS]
            rows = chunks.shapes(near)
            found.append((apart(lows[rows], highs[rows]), elements_at(own, rows)))
    return found


def _of_faceted(arrays: ElementArrays, stage: Stage, corners: Array) -> tuple[Array, Indices]:
    normals = arrays.half_space_normals
    heights = (corners @ normals.T).min(axis=0) - arrays.half_space_offsets_in(stage)
    heights /= np.linalg.norm(normals, axis=1)
    return np.maximum.reduceat(heights, arrays.first_half_spaces), arrays.faceted_elements

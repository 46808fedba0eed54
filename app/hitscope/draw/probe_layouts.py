"""The layouts of probes: strokes that are cut at the elements that they hit, and verdicts of marked hits."""

import operator
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, islice, pairwise, product, zip_longest
from math import isfinite, isinf
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from hitscope.draw.bundles import thin_lines_of
from hitscope.draw.chunks import Indices
from hitscope.draw.element_arrays import Batch, ElementArrays, batch_of
from hitscope.draw.extent import FAR, Extent, Stage, as_points
from hitscope.draw.intervals import ParametricLine, box_intervals, half_space_intervals, merged, triangle_depths
from hitscope.draw.items import Ending
from hitscope.draw.shape_drawings import DrawnAs, drawn_as, handle_points, reference_point
from hitscope.evaluate import Element, Report, Verdict
from hitscope.geometry import shapes
from hitscope.geometry.arrays import Array, finite, polar
from hitscope.geometry.exact import rounded
from hitscope.geometry.shapes import ENDLESS, T_RANGES, Cast, LinearShape, Segment, Shape, Triangle

FARTHEST = 1e150
"""The stage units beyond which nothing is drawn, so that squares are finite in float64."""


class Stroke(NamedTuple):
    """One piece of a probe, in scene units."""

    start: Array
    end: Array
    inside: bool
    ending: Ending


class DrawnRange(NamedTuple):
    """The drawn range of a probe, full from `solid_from` to `solid_to`; `known` are its exact points, by t."""

    line: ParametricLine
    solid_from: float
    solid_to: float
    known: dict[float, Array]


def drawn_range(shape: LinearShape, stage: Stage, around: Extent) -> DrawnRange:
    """The drawn range of a linear probe: a ray or line fades past `around`, and past its tip if that is near."""
    given = handle_points(shape)
    start, tip = stage.to_stage(given)
    if np.abs(start).max() > FAR:
        return _range_within_horizon(shape, stage, around)
    t_min, t_max = T_RANGES[type(shape)]
    length, direction = polar(tip - start)
    if isinf(t_max):
        _, direction = polar(shapes.linear(shape).direction)
    line = partial(ParametricLine, start, direction)
    if isfinite(t_max) or not direction.any():
        return DrawnRange(line(0.0, length), 0.0, length, {0.0: given[0], length: given[1]})
    along, radius = _reach(start, direction, stage, around)
    ahead = max(along + radius, min(length, 2 * radius), radius / 2)
    if isfinite(t_min):
        return DrawnRange(line(0.0, ahead + radius), 0.0, ahead, {0.0: given[0]})
    behind = max(radius - along, radius / 2)
    return DrawnRange(line(-behind - radius, ahead + radius), -behind, ahead, {0.0: given[0]})


def _range_within_horizon(shape: LinearShape, stage: Stage, around: Extent) -> DrawnRange:
    """The drawn range of a probe that begins far away; t is 0 at its exact point nearest to the anchor."""
    p, way, t_min, t_max = shapes.linear(shapes.rational(shape))
    size = max(map(abs, way))
    if size == 0:
        return DrawnRange(ParametricLine(stage.to_stage(np.array(shape[0])), np.zeros(3), 0.0, 0.0), 0.0, 0.0, {})
    unit = [Fraction(value) / Fraction(size) for value in way]
    off = [Fraction(value) - Fraction(a) for value, a in zip(stage.anchor.tolist(), p, strict=True)]
    along = sum((a * b for a, b in zip(off, unit, strict=True)), Fraction(0))
    foot = along / sum(value * value for value in unit)
    foot = max(foot, Fraction(0)) if isfinite(t_min) else foot
    foot = min(foot, Fraction(size)) if isfinite(t_max) else foot
    point = np.array([rounded(Fraction(a) + foot * value) for a, value in zip(p, unit, strict=True)])
    length, direction = polar([float(value) for value in unit])

    def away(distance: Fraction) -> float:
        return min(rounded(distance) * length / stage.scale, FARTHEST)

    origin = stage.to_stage(point)
    middle, radius = _reach(origin, direction, stage, around)
    low = -away(foot) if isfinite(t_min) else min(middle, 0.0) - 2 * radius
    high = away(Fraction(size) - foot) if isfinite(t_max) else max(middle, 0.0) + 2 * radius
    known = {low: np.array(shape[0])} if isfinite(t_min) else {}
    known |= {high: np.array(shape[1])} if isfinite(t_max) else {}
    return DrawnRange(ParametricLine(origin, direction, low, high), low, high, known | {0.0: point})


def _reach(start: Array, direction: Array, stage: Stage, around: Extent) -> tuple[float, float]:
    """The t along a line that is nearest to the middle of the scene, and the scene's radius, in stage units."""
    radius = min(stage.radius(around), FARTHEST)
    middle = np.clip(stage.to_stage(around.center), -FARTHEST, FARTHEST)
    return float(direction @ (middle - start)), radius


def outline_of(shape: Triangle, stage: Stage, around: Extent) -> Iterator[Stroke]:
    """The sides of a triangle probe as strokes, which make it stand out as other probes do."""
    for start, end in pairwise((*shape, shape.a)):
        side = Segment(start, end)
        yield from strokes_of(side, drawn_range(side, stage, around), np.empty((0, 2)), stage)


def strokes_of(shape: LinearShape, drawn: DrawnRange, intervals: Array, stage: Stage) -> Iterator[Stroke]:
    """Cut a probe into pieces outside and inside of `intervals`, and into its full and its fading parts."""
    line, solid_from, solid_to, known = drawn
    t_min, t_max = T_RANGES[type(shape)]
    arrow = isfinite(t_min) and isinf(t_max)
    within = {float(t) for t in (*intervals.flat, *known) if line.t_min < t < line.t_max}
    borders = sorted(within | {line.t_min, solid_from, solid_to, line.t_max})
    ends = [known[t] if t in known else stage.to_scene(line.origin + t * line.direction) for t in borders]
    middles = (np.array(borders[1:]) + np.array(borders[:-1])) / 2
    inside = ((intervals[:, :1] <= middles) & (middles <= intervals[:, 1:])).any(axis=0)
    for i, (low, high) in enumerate(pairwise(borders)):
        ending = Ending.PLAIN
        if low >= solid_to:
            ending |= Ending.FADE_END
        if high <= solid_from:
            ending |= Ending.FADE_START
        if arrow and high == solid_to:
            ending |= Ending.ARROW_END
        yield Stroke(ends[i], ends[i + 1], bool(inside[i]), ending)


MARKED_HITS = 64
"""The most hits of a picture that are marked, the nearest ones of each probe first."""
MOST_STROKED, MOST_STROKED_PAIRS = 200, 1 << 16
"""The most segments and rays of bundles, and of their pairs with elements, that are drawn as strokes."""
CROWDED_FROM = 1000
"""The number of shapes from which misses recede, and only the nearest hit of each probe is marked."""


def most_marked(report: Report) -> int:
    return 1 if len(report.elements) >= CROWDED_FROM else MARKED_HITS


class ProbeLayout(NamedTuple):
    """The strokes of one probe with its hits, and the objects that they were computed from."""

    made_of: tuple[object, ...]
    """The bounds of the scene, for an endless probe, and its item, tally and nearest hits, which reports share."""
    shape: Shape
    row: NDArray[np.bool_]
    """Whether each element is shown as hit by the probe; (N,)."""
    strokes: list[Stroke]
    near_first: list[int]
    """These elements, the nearest first."""
    verdicts: dict[int, Verdict]
    """The verdicts computed so far, by element."""
    t_stop: float = 1.0
    """The t at which a cast first meets an element; 1 where it meets none."""


class Area(NamedTuple):
    """A shape that a probe is drawn as: a cast is several, on its way."""

    probe: int
    shape: Shape
    way: Array
    """The vector (3,) that it is moved by."""
    faint: bool = False
    """Whether it is where a cast passes, or would have gone."""


GHOSTS = 3
"""The shapes between the start of a cast and where it stops."""


class ProbeLayouts:
    """The layouts of the probes of one report by index: the enabled ones, then the others, which hit nothing."""

    def __init__(
        self,
        report: Report,
        arrays: ElementArrays,
        stage: Stage,
        around: Extent,
        previous: "ProbeLayouts | None" = None,
    ) -> None:
        """Lay out the probes of a scene whose bounds are `around`, except those that `previous` has the same."""
        self.report, self.arrays, self.stage, self.around = report, arrays, stage, around
        parts, others = report.probes.parts, report.disabled_probes.parts
        self.single_probes = [(part.first, Element(part.id, part.shape)) for part in parts if part.shape]
        """The enabled probes that are items of their own, by index."""
        disabled = [Element(part.id, part.shape) for part in others if part.shape]
        self.drawn_probes = [*self.single_probes, *enumerate(disabled, start=len(report.probes))]
        """The single probes, enabled or not, by index."""
        self.bundles = [part for part in parts if part.shapes is not None]
        self.stroked_bundle_probes = self._few_bundle_probes()
        """The probes of bundles, where they are few enough to be drawn as strokes."""
        probes = [*self.drawn_probes, *self.stroked_bundle_probes]
        self.ids = {p: probe.id for p, probe in probes}
        known = previous and previous.arrays is arrays and previous.stage is stage
        kept = previous.by_probe if previous and known else {}
        self.by_probe: dict[int, ProbeLayout] = {
            p: self._lay_out(p, probe.shape, kept.get(p)) for p, probe in probes
        }
        self.areas = [
            area for p, probe in self.drawn_probes for area in _areas(p, probe.shape, self.by_probe[p].t_stop)
        ]
        """The shapes that the single probes are drawn as."""
        batch = batch_of(enumerate(area.shape for area in self.areas))
        self.solids = _moved(batch, as_points(area.way for area in self.areas))
        """The boxes, triangles and round shapes among these."""
        self.strokes = [stroke for layout in self.by_probe.values() for stroke in layout.strokes]
        self.stroke_probes = [p for p, layout in self.by_probe.items() for _ in layout.strokes]
        """The probe of each stroke."""
        self.thin_lines = thin_lines_of(
            [] if self.stroked_bundle_probes else self.bundles, report.hitting_probes, stage, around
        )
        """The bundles with too many probes to draw them one by one."""

    def layout(self, p: int) -> ProbeLayout:
        """The layout of an enabled probe; that of a probe in a large bundle is made now."""
        return self.by_probe.get(p) or self._lay_out(p, self.report.probes[p].shape)

    def _few_bundle_probes(self) -> list[tuple[int, Element]]:
        report = self.report
        linear = [part for part in self.bundles if part.shapes and part.shapes.kind in T_RANGES]
        count = sum(part.size for part in linear)
        if count > MOST_STROKED or count * len(report.elements) > MOST_STROKED_PAIRS:
            return []
        return [(p, report.probes[p]) for part in linear for p in range(part.first, part.first + part.size)]

    def _made_of(self, p: int, shape: Shape) -> tuple[object, ...]:
        probes, around = self.report.probes, self.around if type(shape) in ENDLESS else None
        if p >= len(probes):
            return around, shape
        k, _ = probes.locate(p)
        return around, probes.items[k], self.report.tally(k), self.report.nearest_hits(k)

    @cached_property
    def _nothing(self) -> NDArray[np.bool_]:
        return np.zeros(len(self.report.elements), np.bool_)

    def _lay_out(self, p: int, shape: Shape, known: ProbeLayout | None = None) -> ProbeLayout:
        """The layout of a probe: a known one, if nothing that it depends on has changed."""
        made_of = self._made_of(p, shape)
        if known is not None and all(map(operator.is_, known.made_of, made_of)):
            return known
        hits = p < len(self.report.probes) and self.report.hitting_probes[p]
        row = self.report.shown_row(p) if hits else self._nothing
        near_first: Indices = np.flatnonzero(row)
        pieces: Iterable[Stroke] = ()
        if shapes.is_linear(shape):
            drawn = drawn_range(shape, self.stage, self.around)
            near_first, intervals = self._passage(near_first, drawn)
            pieces = strokes_of(shape, drawn, intervals, self.stage)
        elif drawn_as(shape) is DrawnAs.TRIANGLE:
            pieces = outline_of(cast(Triangle, shape), self.stage, self.around)
        verdicts: dict[int, Verdict] = {}
        t_stop = 1.0
        if isinstance(shape, Cast):
            first = self.report.first_entered(p)
            near_first = near_first[np.argsort(near_first != first, kind="stable")][: most_marked(self.report)]
            verdicts = {e: self.report.verdict(p, e) for e in near_first.tolist()}
            enters = np.array([verdict.t_enter for verdict in verdicts.values()], float)
            near_first = near_first[np.argsort(enters, kind="stable")]
            t_stop = float(np.fmin.reduce(enters, initial=1.0))
            pieces = self._way_of(shape, t_stop)
        nearest = near_first[:MARKED_HITS].tolist()
        return ProbeLayout(made_of, shape, row, list(pieces), nearest, verdicts, t_stop)

    def _way_of(self, shape: Cast, t_stop: float) -> Iterator[Stroke]:
        """The motion of a cast, to where it stops and on, with the outlines of a triangle at both."""
        start, motion = reference_point(shape), np.array(shape[-1])
        stop, end = (finite(start + t * motion) for t in (t_stop, 1.0))
        yield Stroke(start, stop, False, Ending.PLAIN if t_stop < 1 else Ending.ARROW_END)
        if t_stop < 1:
            yield Stroke(stop, end, False, Ending.ARROW_END)
        if drawn_as(shape) is DrawnAs.TRIANGLE:
            for t, side in product((0.0, t_stop), outline_of(shape.inner, self.stage, self.around)):
                start, stop = (finite(end + t * motion) for end in side[:2])
                yield side._replace(start=start, end=stop)

    def _passage(self, hit: Indices, drawn: DrawnRange) -> tuple[Indices, Array]:
        """The elements that a probe hits, from near to far, and its intervals (n, 2) inside them."""
        if not len(hit):
            return hit, np.empty((0, 2))
        arrays, stage, line = self.arrays, self.stage, drawn.line
        order = DrawnAs.BOX, DrawnAs.ROUND, DrawnAs.TRIANGLE, DrawnAs.FACETS
        of_kind = [hit[arrays.kinds[hit] == kind] for kind in order]
        boxes, rounds, triangles, faceted = of_kind
        depths = triangle_depths(line, stage.triangles(arrays.triangles_at(triangles)))
        through = [
            box_intervals(line, *stage.boxes(*arrays.boxes_at(boxes)[:2])),
            arrays.rounds_at(rounds).intervals(line, stage),
            # A triangle has no inside.
            np.stack([depths, np.full(len(depths), np.nan)], axis=1),
        ]
        if len(faceted):
            half_spaces = arrays.half_space_normals, arrays.half_space_offsets_in(stage), arrays.first_half_spaces
            through.append(half_space_intervals(line, *half_spaces)[arrays.rows[faceted]])
        intervals = np.concatenate(through)
        return np.concatenate(of_kind)[np.argsort(intervals[:, 0])], merged(intervals)


def _areas(p: int, shape: Shape, t_stop: float) -> Iterator[Area]:
    """The shapes that a probe is drawn as: a cast at its start, on its way, at its stop, and at its end."""
    if not isinstance(shape, Cast):
        yield Area(p, shape, np.zeros(3))
        return
    motion = np.array(shape[-1])
    ts = dict.fromkeys([0.0, t_stop, *(np.arange(1, GHOSTS + 1) / (GHOSTS + 1) * t_stop).tolist(), 1.0])
    for t in ts if motion.any() else [0.0]:
        yield Area(p, shape.inner, t * motion, faint=t not in (0.0, t_stop))


def _moved(batch: Batch, ways: Array) -> Batch:
    """A batch whose shapes are moved by the vectors (n, 3) of its elements."""
    boxes, triangles, rounds = (ways[own] for own in batch.elements)
    with np.errstate(over="ignore"):
        starts, ends = (finite(end + rounds) for end in batch.rounds[:2])
        return replace(
            batch,
            boxes=batch.boxes._replace(origins=finite(batch.boxes.origins + boxes)),
            triangles=finite(batch.triangles + triangles[:, None]),
            rounds=batch.rounds._replace(starts=starts, ends=ends),
        )


class HitVerdicts:
    """The verdicts of each probe's nearest hits, and of all hits of chosen elements."""

    def __init__(self, layouts: ProbeLayouts) -> None:
        """Compute the verdicts of each probe's nearest hits, up to a limit."""
        self._layouts = layouts
        # Among very many elements it is the nearest hit alone: more marks would cover what is hit.
        each = most_marked(layouts.report)
        hits = [[(p, e) for e in layout.near_first[:each]] for p, layout in layouts.by_probe.items()]
        # The nearest hit of every probe comes before the second nearest of any.
        in_turn = filter(None, chain.from_iterable(zip_longest(*hits)))
        self.by_pair = {(p, e): self._verdict(p, e) for p, e in islice(in_turn, MARKED_HITS)}
        """By the indices of probe and element."""

    def add_hits_of(self, e: int) -> None:
        """Add the verdicts of the probes that hit an element, also where that is not among their nearest hits."""
        hitting = [p for p, layout in self._layouts.by_probe.items() if layout.row[e]]
        self.by_pair |= {(p, e): self._verdict(p, e) for p in hitting[:MARKED_HITS]}

    def _verdict(self, p: int, e: int) -> Verdict:
        """The verdict of a pair, computed once for as long as the probe does not change."""
        verdicts = self._layouts.by_probe[p].verdicts
        if e not in verdicts:
            verdicts[e] = self._layouts.report.verdict(p, e)
        return verdicts[e]

"""`exact` for many primitives of one type: a float filter first, exact arithmetic for what it leaves unsure."""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry import threads
from hitscope.geometry.arrays import Shapes, builder
from hitscope.geometry.batch import Loop, filter_loop
from hitscope.geometry.exact import filters
from hitscope.geometry.exact.relation import meet
from hitscope.geometry.exact.resolve_unsure import resolve_unsure
from hitscope.geometry.exact.verdict_codes import HIT, MISS, UNSURE
from hitscope.geometry.shapes import Aabb, Line, Obb, Point, Ray, Segment, Shape, Triangle

ARRAYS_FROM = 50
"""The number of primitives from which filtering arrays is faster than deciding pair by pair."""
CHUNK = 1 << 14
"""The number of primitives that NumPy filters at a time, so that intermediate results stay in the cache."""


MEASURED_APART = 100_000
"""The number of primitives from which their bounds are computed on all threads."""


class FloatFilter(NamedTuple):
    """The filter of one pair of types: its two functions, and the type that `prepare` returns."""

    prepare: Callable[..., Any]
    prepared: type
    decide: Callable[..., filters.Decision]


FILTERS: dict[tuple[type, type], FloatFilter] = {
    (Segment, Aabb): FloatFilter(filters.segment_by_boxes, filters.LinearByBoxes, filters.linear_and_box),
    (Ray, Aabb): FloatFilter(filters.ray_by_boxes, filters.LinearByBoxes, filters.linear_and_box),
    (Line, Aabb): FloatFilter(filters.line_by_boxes, filters.LinearByBoxes, filters.linear_and_box),
    (Point, Aabb): FloatFilter(filters.point_by_boxes, filters.ProbeBounds, filters.bounds_and_box),
    (Aabb, Aabb): FloatFilter(filters.box_by_boxes, filters.ProbeBounds, filters.bounds_and_box),
    (Triangle, Aabb): FloatFilter(filters.triangle_by_boxes, filters.TriangleByBoxes, filters.triangle_and_box),
    (Segment, Triangle): FloatFilter(
        filters.segment_by_triangles, filters.LinearByTriangles, filters.linear_and_triangle
    ),
    (Ray, Triangle): FloatFilter(filters.ray_by_triangles, filters.LinearByTriangles, filters.linear_and_triangle),
    (Line, Triangle): FloatFilter(
        filters.line_by_triangles, filters.LinearByTriangles, filters.linear_and_triangle
    ),
    (Segment, Obb): FloatFilter(filters.segment_by_obbs, filters.LinearByObbs, filters.linear_and_obb),
    (Ray, Obb): FloatFilter(filters.ray_by_obbs, filters.LinearByObbs, filters.linear_and_obb),
    (Line, Obb): FloatFilter(filters.line_by_obbs, filters.LinearByObbs, filters.linear_and_obb),
    (Point, Obb): FloatFilter(filters.point_by_obbs, filters.LinearByObbs, filters.linear_and_obb),
}


def meet_each(probe: Shape, primitives: Shapes) -> NDArray[np.bool_]:
    """Return which primitives a probe meets, found without compiled code; (n,)."""
    n = len(primitives)
    if n < ARRAYS_FROM or (type(probe), primitives.kind) not in FILTERS:
        return np.fromiter((meet(probe, primitive) for primitive in primitives), np.bool_, n)
    hits = np.empty(n, np.bool_)
    ExactBatch(primitives).decide(Shapes.of([probe]), slice(0, 1), slice(0, n), False, hits[np.newaxis])
    return hits


class ExactBatch:
    """n primitives of one type, with the exact verdicts of probes against them."""

    def __init__(self, primitives: Shapes) -> None:
        """Keep the primitives."""
        self.primitives = primitives

    def loop(self, probe: type) -> Loop:
        """Return the compiled filter for probes of a type; there must be one."""
        prepare, prepared, decide = FILTERS[probe, self.primitives.kind]
        verdict = f"{MISS} if answer[0] else ({HIT} if answer[1] else {UNSURE})"
        return filter_loop(decide, prepare, prepared, probe, self.primitives.kind, verdict)

    def prepare(self, probes: Shapes) -> None:
        """Compile, or load, the code for probes of this type, by deciding the first pair."""
        self.decide(probes, slice(0, 1), slice(0, 1), True, np.empty((1, 1), dtype=np.bool_))
        resolve_unsure(probes[0], self.primitives[:1], compiled=True)

    def decide(
        self, probes: Shapes, probe_slice: slice, primitive_slice: slice, compiled: bool, hits: NDArray[np.bool_]
    ) -> None:
        """Write the verdicts of slices of the probes and of the primitives into `hits` (m, n)."""
        verdicts = hits.view(np.uint8)
        if compiled:
            rows = probes.rows, self.primitives.rows
            self.loop(probes.kind)(
                *rows,
                probe_slice.start,
                probe_slice.stop,
                primitive_slice.start,
                primitive_slice.stop,
                self.bounds,
                verdicts,
            )
        else:
            for row, probe in zip(verdicts, probes[probe_slice], strict=True):
                self._filter(row, probe, primitive_slice.start)
        if verdicts.max(initial=0) < UNSURE:
            return
        for row, probe in zip(verdicts, probes[probe_slice], strict=True):
            indices = np.flatnonzero(row == UNSURE)
            if indices.size:
                unsure = np.ascontiguousarray(self.primitives.rows[:, indices + primitive_slice.start])
                row[indices] = resolve_unsure(probe, Shapes(self.primitives.kind, unsure), compiled)

    def _filter(self, verdicts: NDArray[np.uint8], probe: Any, first: int) -> None:
        """Write the filter's verdicts on the primitives from `first` on, found with NumPy."""
        prepare, _, decide = FILTERS[type(probe), self.primitives.kind]
        build = builder(self.primitives.kind)
        with np.errstate(all="ignore"):
            prepared = prepare(probe, *self.bounds)
            for start in range(0, verdicts.size, CHUNK):
                part = verdicts[start : start + CHUNK]
                rows = self.primitives.rows[:, first + start : first + start + part.size]
                apart, meets = decide(prepared, build(rows))
                part[:] = np.where(apart, MISS, np.where(meets, HIT, UNSURE))

    def measure(self) -> None:
        """Compute `bounds` on all threads, before each of these would; not to be called on one of them."""
        if "bounds" not in vars(self):
            self.bounds = self._measured(threads.each if len(self.primitives) >= MEASURED_APART else map)

    @cached_property
    def bounds(self) -> tuple[Any, ...]:
        """The bounds of the primitives' numbers, the arguments of the filters' `prepare` after the probe."""
        return self._measured(map)

    def _measured(self, each: Callable[..., Iterable[Any]]) -> tuple[Any, ...]:
        """Return the bounds; `each` calls a function on each of some rows."""
        rows = self.primitives.rows
        if self.primitives.kind is Aabb:
            ends = list(each(lambda row: float(rows[row].min() if row < 3 else rows[row].max()), range(6)))
            return tuple(ends[:3]), tuple(ends[3:]), filters.FLOAT64
        least, greatest = (list(each(lambda row, end=end: float(end(row)), rows)) for end in (np.min, np.max))
        if self.primitives.kind is Obb:
            axis = max(*greatest[6:], -min(least[6:]))
            return tuple(least[:3]), tuple(greatest[:3]), max(greatest[3:6]), axis, filters.FLOAT64
        with np.errstate(over="ignore"):
            edge = max(float(np.abs(rows[k] - rows[k % 3]).max()) for k in range(3, 9))
        return tuple(map(min, *_corners(least))), tuple(map(max, *_corners(greatest))), edge, filters.FLOAT64


def _corners(numbers: list[float]) -> tuple[list[float], ...]:
    return numbers[:3], numbers[3:6], numbers[6:]

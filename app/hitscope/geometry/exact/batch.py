"""`exact` for many primitives of one type: a float filter for all, and what it leaves unsure as pairs."""

from collections.abc import Callable, Iterable
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry import threads
from hitscope.geometry.arrays import ARRAYS_FROM, Shapes, builder, has_width
from hitscope.geometry.batch import Loop, filter_loop
from hitscope.geometry.exact import filters, pairwise
from hitscope.geometry.exact.pair_kernels import FILTERS, HIT, MISS, UNSURE
from hitscope.geometry.exact.relation import meet
from hitscope.geometry.shapes import Aabb, Obb, Shape, Triangle

CHUNK = 1 << 14
"""The number of primitives that NumPy filters at a time, so that intermediate results stay in the cache."""
BISECTIONS = 12
"""The most steps of a search for what a cast enters first."""
MEASURED_APART = 100_000
"""The number of primitives from which their bounds are computed on all threads."""
COARSE_BOXES = 400_000
COARSE_FROM = 16
"""The numbers of boxes and probes from which boxes are kept in float32, too: half the memory is read for each."""
COARSELY_PREPARED = filters.LinearByBoxes, filters.ProbeBounds
"""The types of prepared probes for which the errors of float32 are bounded."""
FEW = 16
"""The boxes of which one may be near a probe in float32, as pairs are slower one by one than in a loop."""


def meet_each(probe: Shape, primitives: Shapes) -> NDArray[np.bool_]:
    """Return which primitives a probe meets, found without compiled code; (n,)."""
    n = len(primitives)
    kind: type = type(probe)
    if not has_width(kind):
        return np.fromiter((meet(probe, primitive) for primitive in primitives), np.bool_, n)
    probes = Shapes.of([probe])
    if n < ARRAYS_FROM or (kind, primitives.kind) not in FILTERS:
        return pairwise.decide(probes[np.zeros(n, np.intp)], primitives, compiled=False).hits
    hits = np.empty(n, np.bool_)
    ExactBatch(primitives).decide(probes, slice(0, 1), slice(0, n), False, hits[np.newaxis])
    return hits


def may_be_first(probe: Shape, primitives: Shapes) -> NDArray[np.intp]:
    """Return which of the primitives that a cast hits it may enter first, the first of several; (k,).

    Those that it enters later are told by bisection, where a filter finds the parts of its way free, until few are
    left: roots decide a pair in the time of some steps.
    """
    kernels = FILTERS.get((type(probe), primitives.kind))
    candidates = np.arange(len(primitives))
    if kernels is None or kernels.prepared is not filters.ByDistance or candidates.size <= 2:
        return candidates
    build, low, high, until = builder(primitives.kind), 0.0, 1.0, 0.0
    with np.errstate(all="ignore"):
        prepared = kernels.prepare(probe, *ExactBatch(primitives).bounds)
        for _ in range(BISECTIONS):
            if candidates.size <= 2:
                break
            way = prepared._replace(last=until)
            apart: Any
            meets: Any
            apart, meets = kernels.decide(way, build(primitives.rows[:, candidates]))
            if meets.any():
                # All that it is within at its start it enters at t = 0.
                end = candidates.size if until else int(np.argmax(meets)) + 1
                candidates, high = candidates[:end][~apart[:end]], until
            elif apart.all():
                low = until
            else:
                break
            until = (low + high) / 2
    return candidates


class ExactBatch:
    """n primitives of one type, with the exact verdicts of probes against them."""

    def __init__(self, primitives: Shapes) -> None:
        """Keep the primitives."""
        self.primitives = primitives
        self._probes = 0
        self._coarse: tuple[NDArray[np.float32], tuple[Any, ...]] | None = None

    def loop(self, probe: type, coarse: bool = False) -> Loop:
        """Return the compiled filter for probes of a type, which must exist; `coarse`: what is far."""
        kernels = FILTERS[probe, self.primitives.kind]
        verdict = "not answer[0]" if coarse else f"{MISS} if answer[0] else ({HIT} if answer[1] else {UNSURE})"
        functions = kernels.decide, kernels.prepare, kernels.prepared
        return filter_loop(*functions, probe, self.primitives.kind, verdict)

    def prepare(self, probes: Shapes) -> None:
        """Compile, or load, the code for probes of this type, by deciding the first pair."""
        self.decide(probes, slice(0, 1), slice(0, 1), True, np.empty((1, 1), dtype=np.bool_))
        pairwise.prepare(probes.kind, self.primitives.kind)

    def decide(
        self, probes: Shapes, probe_slice: slice, primitive_slice: slice, compiled: bool, hits: NDArray[np.bool_]
    ) -> None:
        """Write the verdicts of slices of the probes and of the primitives into `hits` (m, n)."""
        verdicts = hits.view(np.uint8)
        ends = probe_slice.start, probe_slice.stop, primitive_slice.start, primitive_slice.stop
        unsure = self._near(probes, ends, hits) if compiled else None
        if unsure is None:
            if compiled:
                self.loop(probes.kind)(probes.rows, self.primitives.rows, *ends, self.bounds, verdicts)
            else:
                for row, probe in zip(verdicts, probes[probe_slice], strict=True):
                    self._filter(row, probe, primitive_slice.start)
            if verdicts.max(initial=0) < UNSURE:
                return
            unsure = np.flatnonzero(verdicts == UNSURE)
        j, i = np.divmod(unsure, verdicts.shape[1])
        pairs = probes[j + probe_slice.start], self.primitives[i + primitive_slice.start]
        hits[j, i] = pairwise.decide(*pairs, compiled).hits

    def _near(self, probes: Shapes, ends: Iterable[int], hits: NDArray[np.bool_]) -> NDArray[np.intp] | None:
        """Write which boxes are near by float32 numbers, and return where; None without these, or if slow."""
        if self._coarse is None or FILTERS[probes.kind, Aabb].prepared not in COARSELY_PREPARED:
            return None
        (least, greatest), sizes = filters.COARSE_SIZES, np.abs(probes.rows)
        if not ((sizes == 0) | (least < sizes) & (sizes < greatest)).all():
            return None
        rows, bounds = self._coarse
        self.loop(probes.kind, coarse=True)(probes.rows, rows, *ends, bounds, hits)
        near = np.flatnonzero(hits)
        return near if near.size * FEW <= hits.size else None

    def _filter(self, verdicts: NDArray[np.uint8], probe: Any, first: int) -> None:
        """Write the filter's verdicts on the primitives from `first` on, found with NumPy."""
        kernels = FILTERS[type(probe), self.primitives.kind]
        build = builder(self.primitives.kind)
        with np.errstate(all="ignore"):
            prepared = kernels.prepare(probe, *self.bounds)
            for start in range(0, verdicts.size, CHUNK):
                part = verdicts[start : start + CHUNK]
                rows = self.primitives.rows[:, first + start : first + start + part.size]
                apart, meets = kernels.decide(prepared, build(rows))
                part[:] = np.where(apart, MISS, np.where(meets, HIT, UNSURE))

    def measure(self, probes: Shapes) -> None:
        """Compute what probes need on all threads, before each of these would; not to be called on one of them."""
        many = len(self.primitives) >= MEASURED_APART
        if "bounds" not in vars(self):
            self.bounds = self._measured(threads.each if many else map)
        self._probes += len(probes)
        if len(self.primitives) >= COARSE_BOXES and self.primitives.kind is Aabb and self._probes >= COARSE_FROM:
            self._round()

    def _round(self) -> None:
        """Keep the boxes rounded outward to float32, if all are of moderate size."""
        lo, hi, _ = self.bounds
        reach = tuple(max(abs(a), abs(b)) for a, b in zip(lo, hi, strict=True))
        if self._coarse is not None or max(reach) >= filters.COARSE_SIZES[1]:
            return
        rows = np.empty(self.primitives.rows.shape, np.float32)

        def round_row(k: int) -> None:
            row, end = self.primitives.rows[k], np.float32(-inf if k < 3 else inf)
            rows[k] = row
            np.nextafter(rows[k], end, out=rows[k], where=rows[k] > row if k < 3 else rows[k] < row)

        list(threads.each(round_row, range(len(rows))))
        self._coarse = rows, (tuple(-end for end in reach), reach, filters.COARSE)

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
            return tuple(least[:3]), tuple(greatest[:3]), (max(greatest[3:6]), axis), filters.FLOAT64
        lo, hi = tuple(map(min, _corners(least))), tuple(map(max, _corners(greatest)))
        if self.primitives.kind is not Triangle:
            return lo, hi, greatest[-1], filters.FLOAT64
        with np.errstate(over="ignore"):
            edge = max(float(np.abs(rows[k] - rows[k % 3]).max()) for k in range(3, 9))
        return lo, hi, edge, filters.FLOAT64


def _corners(numbers: list[float]) -> Iterable[tuple[float, ...]]:
    """Return the coordinates of all corners along each axis; a radius, which may follow them, is none."""
    return zip(*(numbers[k : k + 3] for k in range(0, len(numbers) - 2, 3)), strict=True)

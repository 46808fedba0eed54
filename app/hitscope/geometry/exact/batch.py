"""`exact` for many primitives of one type: a float filter for all, and what it leaves unsure as pairs."""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry import threads
from hitscope.geometry.arrays import ARRAYS_FROM, Shapes, builder, has_width
from hitscope.geometry.batch import Loop, filter_loop
from hitscope.geometry.exact import filters, pairwise
from hitscope.geometry.exact.pair_kernels import FILTERS
from hitscope.geometry.exact.relation import meet
from hitscope.geometry.exact.verdict_codes import HIT, MISS, UNSURE
from hitscope.geometry.shapes import Aabb, Obb, Shape, Sphere

CHUNK = 1 << 14
"""The number of primitives that NumPy filters at a time, so that intermediate results stay in the cache."""
MEASURED_APART = 100_000
"""The number of primitives from which their bounds are computed on all threads."""


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


class ExactBatch:
    """n primitives of one type, with the exact verdicts of probes against them."""

    def __init__(self, primitives: Shapes) -> None:
        """Keep the primitives."""
        self.primitives = primitives

    def loop(self, probe: type) -> Loop:
        """Return the compiled filter for probes of a type; there must be one."""
        kernels = FILTERS[probe, self.primitives.kind]
        verdict = f"{MISS} if answer[0] else ({HIT} if answer[1] else {UNSURE})"
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
        j, i = np.divmod(np.flatnonzero(verdicts == UNSURE), verdicts.shape[1])
        unsure = probes[j + probe_slice.start], self.primitives[i + primitive_slice.start]
        hits[j, i] = pairwise.decide(*unsure, compiled).hits

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
            return tuple(least[:3]), tuple(greatest[:3]), (max(greatest[3:6]), axis), filters.FLOAT64
        if self.primitives.kind is Sphere:
            return tuple(least[:3]), tuple(greatest[:3]), greatest[3], filters.FLOAT64
        with np.errstate(over="ignore"):
            edge = max(float(np.abs(rows[k] - rows[k % 3]).max()) for k in range(3, 9))
        return tuple(map(min, *_corners(least))), tuple(map(max, *_corners(greatest))), edge, filters.FLOAT64


def _corners(numbers: list[float]) -> tuple[list[float], ...]:
    return numbers[:3], numbers[3:6], numbers[6:]

"""The truth about cases: exact verdicts, t and entry faces, and how far each pair is from the other answer."""

from collections.abc import Callable, Sequence
from functools import cached_property
from math import isinf

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry import exact
from hitscope.geometry.arrays import Array, Shapes, polar
from hitscope.geometry.exact.margins import margins
from hitscope.geometry.exact.pairwise import Entries, PairVerdicts, decide, entries, is_ready, t_enter
from hitscope.geometry.shapes import ENDLESS, T_RANGES, Shape, Vec3
from hitscope.targets.cases import Cases, has_t, in_arrays, kinds, probe_width
from hitscope.targets.judging.precisions import PRECISIONS, largest_lengths, powers_of_two_in

Indices = NDArray[np.intp]
Mask = NDArray[np.bool_]

READY_FROM = 128
"""The cases from which it is worth to import the compiler and look for code that is compiled already."""
ROUNDINGS = 32
"""The ulps of 1 by which a unit vector may be off."""


class Truth:
    """The exact facts about n cases, each computed when it is first asked for."""

    def __init__(self, cases: Cases, compiled: bool = False) -> None:
        """Take cases; without `compiled` nothing waits for code that is not compiled yet."""
        self.cases, self.compiled = cases, compiled
        self._exact_ts: dict[int, float] = {}
        self._probe, _ = kinds(cases.pair)
        self._in_arrays = in_arrays(cases.pair)

    @cached_property
    def hit(self) -> Mask:
        """Whether the closed sets meet; (n,)."""
        return self._verdicts.hits

    def only_touches(self, indices: Indices) -> Mask:
        """Whether the pairs of some cases, which all meet, have but boundaries in common, or are coplanar."""
        found = ~self._verdicts.strict[indices]
        for k in np.flatnonzero(found).tolist():
            shapes = self.cases.shapes(int(indices[k]))
            found[k] = exact.relation(*shapes).state in ("touching", "coplanar") or exact.are_in_a_plane(*shapes)
        return found

    def distance(self, indices: Indices) -> Array:
        """The distances of pairs that are apart, of others the least translations that part them, or inf."""
        part = Truth(Cases(self.cases.pair, self.cases.numbers[indices]))
        return margins(*part._shapes, self.hit[indices]) + 0.0

    @cached_property
    def _verdicts(self) -> PairVerdicts:
        if self._in_arrays:
            probes, primitives = self._shapes
            assert isinstance(probes, Shapes) and isinstance(primitives, Shapes)
            waits = self.compiled or (len(probes) >= READY_FROM and is_ready(probes.kind, primitives.kind))
            return decide(probes, primitives, waits)
        hits = np.array([*map(exact.meet, *self._shapes)], np.bool_)
        return PairVerdicts(hits, np.zeros_like(hits))

    @cached_property
    def _shapes(self) -> tuple[Sequence[Shape], Sequence[Shape]]:
        if self._in_arrays:
            return self.cases.probes, self.cases.primitives
        pairs = [self.cases.shapes(i) for i in range(len(self.cases))]
        return [probe for probe, _ in pairs], [primitive for _, primitive in pairs]

    @property
    def has_t(self) -> bool:
        return has_t(self.cases.pair)

    @cached_property
    def entries(self) -> Entries:
        """The ts at which probes enter the primitives that they hit, with bounds of their errors."""
        return entries(*self._shapes, self.compiled)

    def exact_ts(self, indices: Indices) -> Array:
        """Return the ts of some cases, which all hit, from fractions, rounded once; -inf where there is none."""
        for index in indices.tolist():
            if index not in self._exact_ts:
                self._exact_ts[index] = t_enter(*(shapes[index] for shapes in self._shapes))
        return np.array([self._exact_ts[index] for index in indices.tolist()], np.float64)

    def enters(self, indices: Indices, chosen: Callable[[Indices], Indices]) -> Mask:
        """Whether probes that hit enter somewhere, as lines need not; unknown is false, but for the `chosen`."""
        if self._probe not in T_RANGES or not isinf(T_RANGES[self._probe][0]):
            return np.ones(len(indices), np.bool_)
        ts, errors = (each.copy() for each in self.entries)
        unknown = indices[errors[indices] == np.inf]
        ts[unknown] = -np.inf
        known = chosen(unknown)
        ts[known] = self.exact_ts(known)
        enters: Mask = ts[indices] > -np.inf
        return enters

    @property
    @np.errstate(over="ignore")
    def lengths(self) -> Array:
        """The way that each probe passes while t grows by 1: along a direction, a motion, or between two ends."""
        rows = self.cases.rows[: probe_width(self.cases.pair, self.cases.numbers.shape[1])]
        return lengths_of(rows[3:] - rows[:3] if self._probe in T_RANGES.keys() - ENDLESS else rows[-3:])

    def ulps(self, indices: Indices) -> Array:
        """The spacing of the cases' precision at the largest number of each pair, directions aside."""
        numbers = self.cases.numbers[indices]
        largest = largest_lengths(self.cases.pair, numbers).astype(np.float64)
        return PRECISIONS[numbers.dtype.name].ulps(largest)

    def is_entry_normal(self, index: int, normal: Array) -> bool:
        """Whether a vector is, but for rounding and length, a normal of the face entered first, if any is."""
        faces = self.entry_normals(index)
        with np.errstate(invalid="ignore"):
            _, direction = polar(normal)
            return faces is None or any(np.abs(direction - face).max() <= self.normal_tolerance for face in faces)

    @property
    def normal_tolerance(self) -> float:
        """The most that a number of a unit normal may be off."""
        return ROUNDINGS * float(np.finfo(self.cases.numbers.dtype).eps)

    def entry_normals(self, index: int) -> list[Vec3] | None:
        """Return the unit normals of the faces that a probe enters first; None where it enters none."""
        return exact.entry_normals(*self.cases.shapes(index))


@np.errstate(all="ignore")
def lengths_of(vectors: Array) -> Array:
    """Return the lengths of vectors (3, n)."""
    scale = np.clip(powers_of_two_in(np.abs(vectors).max(axis=0)), 2.0**-1022, 2.0**1022)
    x, y, z = vectors / scale
    lengths: Array = np.sqrt(x * x + y * y + z * z) * scale
    return lengths

"""The hierarchy's queries: compiled searches, and exact tests of the pairs that these leave unsure."""

from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from itertools import chain, pairwise
from math import nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import ArgumentFault, Fault, HitscopeError, Path
from hitscope.float_mode import in_default_mode
from hitscope.geometry import kinds, threads
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.bvh.bounds import frame_of, refitted
from hitscope.geometry.bvh.build import build
from hitscope.geometry.bvh.closest import closest
from hitscope.geometry.bvh.hits import collect, levels_of, near_elements, touch, working_memory
from hitscope.geometry.bvh.one_ray import MISSED, closest_of
from hitscope.geometry.bvh.probes import bundle_of
from hitscope.geometry.bvh.traversal import OUT_OF_RANGE
from hitscope.geometry.exact import relation, rounded
from hitscope.geometry.exact.batch import ExactBatch, meet_each
from hitscope.geometry.exact.linear_blocks import LATEST
from hitscope.geometry.exact.pair_kernels import FILTERS, HIT, MISS, UNSURE
from hitscope.geometry.shapes import ENDLESS, T_RANGES, Line, Ray, Segment, Shape, is_linear

KINDS = tuple(shape for shape, kind in kinds.KINDS.items() if kind.in_hierarchy)
"""The types of shapes that a tree can hold."""

NO_ELEMENT = np.array([-1], np.int64)
"""Copied for the element of one ray, which takes half the time of an array from a list."""


class Sweeping(NamedTuple):
    """When a body is tested against all elements, in order, and how."""

    one_in: int = 32
    """It is near more than one element in so many,"""
    selected: int = 1024
    """and more than so many."""
    compiled_from: int = 20_000
    """The elements from which that is done compiled."""


class Closest(NamedTuple):
    """The element that each of m probes enters first (-1 for none), and its t_enter (NaN for none)."""

    element: NDArray[np.int64]
    t: NDArray[np.float64]


class Hits(NamedTuple):
    """All elements that each of m probes hits, ascending: those of probe i are elements[first[i]:first[i + 1]]."""

    first: NDArray[np.int64]
    elements: NDArray[np.int32]


class Touched(NamedTuple):
    """Which of n elements any probe hits, and which of m probes hit any element."""

    elements: NDArray[np.bool_]
    probes: NDArray[np.bool_]


class Tree:
    """A hierarchy over n axis-aligned boxes, oriented boxes, triangles, spheres or capsules.

    It is immutable, and threads may share it.

    >>> from hitscope import Aabb, Ray, Shapes, Tree
    >>> tree = Tree(Shapes.of([Aabb((0, 0, 0), (1, 1, 1)), Aabb((2, 0, 0), (3, 1, 1))]))
    >>> tree.hits(Ray((-1, 0.5, 0.5), (1, 0, 0)))
    array([0, 1])
    >>> tree.closest(Shapes.from_fields(Ray, [(9, 0.5, 0.5)], [(-1, 0, 0)]))
    Closest(element=array([1]), t=array([6.]))
    """

    sweeping = Sweeping()

    @in_default_mode
    def __init__(self, shapes: Shapes) -> None:
        """Build the hierarchy, in O(n log n); raises HitscopeError for shapes of other types."""
        _require(("shapes",), shapes, KINDS)
        frame = frame_of(shapes)
        self.shapes = shapes
        self._packed = None if frame is None else build(shapes, frame)

    def __repr__(self) -> str:
        """Return the number of elements and their type."""
        return f"<Tree over {len(self.shapes):,} of type {self.shapes.kind.__name__}>"

    @in_default_mode
    def refit(self, shapes: Shapes) -> "Tree":
        """Return a tree of the same nodes over as many elements of the same type, in O(n).

        Raises HitscopeError if their number or type differs.
        """
        if shapes.kind is not self.shapes.kind or len(shapes) != len(self.shapes):
            found = f"{len(shapes)} of type {shapes.kind.__name__}"
            raise HitscopeError(f"expected {len(self.shapes)} of type {self.shapes.kind.__name__}, found {found}")
        frame, old = frame_of(shapes), self._packed
        tree = object.__new__(Tree)
        tree.shapes = shapes
        tree._packed = None
        if frame is not None:
            tree._packed = build(shapes, frame) if old is None else refitted(old, shapes, frame)
        return tree

    @in_default_mode
    def hits(self, probe: Shape) -> NDArray[np.intp]:
        """Return the indices of all elements that a probe meets, ascending."""
        if is_linear(probe):
            return self.all(Shapes.of([probe])).elements.astype(np.intp, copy=False)
        if self._packed is None:
            return self._hits_by_testing_all(probe)
        most = max(len(self.shapes) // self.sweeping.one_in, self.sweeping.selected)
        near = near_elements(self._packed, probe, most)
        if near is None:
            return self._sweep(probe)
        hits: NDArray[np.intp] = near[meet_each(probe, self.shapes[near])].astype(np.intp)
        return hits

    @in_default_mode
    def closest(self, probes: Shapes) -> Closest:
        """Return the element that each segment or ray enters first, the lowest index of several, and t_enter.

        Raises HitscopeError for other probes: a line has no first element.
        """
        _require(("probes",), probes, (Segment, Ray))
        if probes.kind in ENDLESS and (ray := probes.rows.ravel()).size == 6:
            numbers = np.empty(13)
            numbers[:6] = ray
            if (first := self.search_of_one(numbers)) >= MISSED:
                (one := NO_ELEMENT.copy())[0] = first
                return Closest(one, numbers[6:7])
        m = probes.rows.shape[1]
        element, t, state = np.empty(m, np.int64), np.empty(m), np.empty(m, np.int8)
        if self._packed is None:
            state[:] = OUT_OF_RANGE
        else:
            packed, bundle = self._packed, bundle_of(probes)
            threads.each_part(m, lambda first, last: closest(packed, bundle, first, last, element, t, state))
        if not np.count_nonzero(state != HIT):
            return Closest(element, t)
        for n in np.flatnonzero(state == OUT_OF_RANGE).tolist():
            element[n], t[n] = self._first(probes[n], self._hits_by_testing_all(probes[n]))
        unsure = np.flatnonzero(state == UNSURE)
        found = self._collect(probes[unsure], t[unsure])
        for k, n in enumerate(unsure.tolist()):
            element[n], t[n] = self._first(probes[n], found.elements[found.first[k] : found.first[k + 1]])
        return Closest(element, t)

    @in_default_mode
    def all(self, probes: Shapes) -> Hits:
        """Return all elements that each segment, ray or line hits."""
        _require(("probes",), probes, T_RANGES)
        return self._collect(probes, np.full(len(probes), LATEST))

    @in_default_mode
    def any(self, probes: Shapes) -> NDArray[np.bool_]:
        """Return which of the segments, rays or lines hit anything; (m,)."""
        _require(("probes",), probes, T_RANGES)
        _, state, _ = self._touch(probes, True)
        rest = np.flatnonzero(state >= UNSURE)
        state[rest] = np.diff(self.all(probes[rest]).first) > 0
        return state.view(np.bool_)

    @in_default_mode
    def touched(self, probes: Shapes) -> Touched:
        """Return the elements that any of the segments, rays or lines hits, and which of these hit anything."""
        _require(("probes",), probes, T_RANGES)
        marks, state, pairs = self._touch(probes, False)
        out_of_range = np.flatnonzero(state == OUT_OF_RANGE).tolist()
        state[state >= UNSURE] = MISS
        unsure = _grouped(pairs >> 32, pairs & 0xFFFFFFFF)
        hits_of_unsure = ((n, elements[meet_each(probes[n], self.shapes[elements])]) for n, elements in unsure)
        for n, hits in chain(hits_of_unsure, ((n, self._hits_by_testing_all(probes[n])) for n in out_of_range)):
            marks[hits] = True
            if hits.size:
                state[n] = HIT
        return Touched(marks, state.view(np.bool_))

    @in_default_mode
    def levels(self) -> list[NDArray[np.float64]]:
        """Return the boxes (q, 2, 3), lo and hi, of each level, from the root down to the last blocks."""
        return [] if self._packed is None else levels_of(self._packed)

    @in_default_mode
    def visited(self, probe: Segment | Ray | Line) -> list[NDArray[np.float64]]:
        """Return the boxes of each level that a search for all hits enters."""
        return [] if self._packed is None else levels_of(self._packed, bundle_of(Shapes.of([probe])))

    def _touch(
        self, probes: Shapes, first_only: bool
    ) -> tuple[NDArray[np.bool_], NDArray[np.int8], NDArray[np.int64]]:
        """Return which elements are surely hit, the state of each probe, and the unsure pairs of `hits.touch`."""
        marks, state = np.zeros(len(self.shapes), np.bool_), np.full(len(probes), OUT_OF_RANGE, np.int8)
        return marks, state, self._searched(touch, probes, np.int64, first_only, marks, state)

    def _searched(self, search: Callable[..., Any], probes: Shapes, kind: type, *arguments: Any) -> NDArray[Any]:
        """Return the numbers of a type that a search of `hits` finds for all probes, on all threads."""
        parts: list[NDArray[Any]] = []
        if self._packed is not None:
            given = self._packed, bundle_of(probes)
            parts = threads.each_part(
                len(probes), lambda first, last: search(*given, first, last, working_memory(), *arguments)
            )
        return np.concatenate([np.empty(0, kind), *parts])

    def _collect(self, probes: Shapes, limits: NDArray[np.float64]) -> Hits:
        """Return all hits at t up to each probe's limit, and perhaps some beyond."""
        m = len(probes)
        counts = np.full(m, -1, np.int64)
        codes = self._searched(collect, probes, np.int32, limits, counts)
        out_of_range = np.flatnonzero(counts < 0)
        counts[out_of_range] = 0
        elements, unsure = codes >> 1, np.flatnonzero(codes & 1)
        if unsure.size:
            owner, kept = np.repeat(np.arange(m), counts), codes & 1 == 0
            for n, indices in _grouped(owner[unsure], unsure):
                kept[indices] = meet_each(probes[n], self.shapes[elements[indices]])
            elements, counts = elements[kept], np.bincount(owner[kept], minlength=m)
        for n in out_of_range.tolist():
            hits = self._hits_by_testing_all(probes[n])
            elements = np.insert(elements, counts[:n].sum(), hits)
            counts[n] = hits.size
        return Hits(np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]), elements)

    def _hits_by_testing_all(self, probe: Shape) -> NDArray[np.intp]:
        """Return the indices of the elements that a probe meets, without the hierarchy."""
        return np.flatnonzero(meet_each(probe, self.shapes))

    def _sweep(self, probe: Shape) -> NDArray[np.intp]:
        """Return the same, found on all threads and with compiled filters where there are some."""
        if len(self.shapes) < self.sweeping.compiled_from or (type(probe), self.shapes.kind) not in FILTERS:
            return self._hits_by_testing_all(probe)
        probes, batch, hits = Shapes.of([probe]), self._batch, np.empty((1, len(self.shapes)), np.bool_)

        def decide(first: int, last: int) -> None:
            batch.decide(probes, slice(0, 1), slice(first, last), True, hits[:, first:last])

        batch.measure(probes)
        threads.each_part(len(self.shapes), decide)
        return np.flatnonzero(hits)

    @cached_property
    def search_of_one(self) -> Callable[[NDArray[np.float64]], int]:
        """The search for a single ray (`one_ray`), which leaves it undecided over solids."""
        return closest_of(self._packed if kinds.KINDS[self.shapes.kind].dimension == 2 else None)

    @cached_property
    def _batch(self) -> ExactBatch:
        return ExactBatch(self.shapes)

    def _first(self, probe: Shape, candidates: NDArray[Any]) -> tuple[int, float]:
        """Return the candidate that a probe enters first, and t, rounded once; -1 and NaN if it enters none."""
        found = [(relation(probe, self.shapes[k]).t_enter, k) for k in candidates.tolist()]
        t, k = min(((t, k) for t, k in found if t is not None), default=(nan, -1))
        return k, rounded(t)


def _require(path: Path, shapes: object, kinds: Collection[type]) -> None:
    """Raise HitscopeError for anything but `Shapes` of some types."""
    if not isinstance(shapes, Shapes) or shapes.kind not in kinds:
        found = f"Shapes of {shapes.kind.__name__}" if isinstance(shapes, Shapes) else f"a {type(shapes).__name__}"
        names = " or ".join(kind.__name__ for kind in kinds)
        raise ArgumentFault("Tree", Fault(path, f"Shapes of {names}", found))


def _grouped(keys: NDArray[Any], values: NDArray[Any]) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield each distinct key, ascending, with the values at its positions."""
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    for first, last in pairwise([*starts.tolist(), keys.size]):
        yield int(keys[order[first]]), values[order[first:last]]

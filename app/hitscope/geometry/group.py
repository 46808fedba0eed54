"""Many primitives of one type: their verdicts, by whatever reading of a method is the fastest for so many."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from hitscope import progress
from hitscope.geometry import threads
from hitscope.geometry.arrays import Shapes, width
from hitscope.geometry.batch import method_loop, values
from hitscope.geometry.exact import meet
from hitscope.geometry.exact.batch import ARRAYS_FROM, FILTERS, ExactBatch
from hitscope.geometry.registry import EXACT, Chosen, Method
from hitscope.geometry.shapes import T_RANGES, Segment, Shape
from hitscope.geometry.traits import TRAITS

if TYPE_CHECKING:
    from hitscope.geometry.bvh import Tree

R = TypeVar("R")
Verdicts: TypeAlias = NDArray[np.bool_]

PREPARED_FROM = 2_000
"""From so many primitives on, compiled code is worth having for a probe that moves."""
COMPILED_FROM = 100_000
"""From so many pairs on, all that were asked for counted, having compiled code costs less than interpreting."""
FILTERED_FROM = 2_000_000
"""From so many on it costs less than filters on NumPy arrays do: Numba takes half a second and 100 MB to come."""
THREADED_FROM = 200_000
"""From so many pairs on, more than one thread pays: to wake one costs as much as 50,000."""
TREE_FROM = 20_000
"""From so many primitives on, a hierarchy is worth having for a probe that moves."""
TREE_PAIRS = 100_000_000
"""From so many pairs on, to make a hierarchy costs less than deciding every pair."""
FOUND_PAIRS = 1 << 27
"""A hierarchy is asked for the hits of so many pairs at a time: all of them might be."""
TILE_PROBES = 64
TILE_PAIRS = 1 << 18
"""A tile is decided at once: its verdicts stay in the processor's cache."""

_READY: set[tuple[Method, type, type]] = set()
"""For which methods, probes and primitives compiled code is there."""
_ASKED: Counter[tuple[Method, type, type]] = Counter()
"""How many pairs have been decided without."""


class Tally(NamedTuple):
    """Which of n primitives any of m probes hits, and which of the probes hit any of the primitives."""

    primitives: NDArray[np.bool_]  # (n,)
    probes: NDArray[np.bool_]  # (m,)


class Tile(NamedTuple):
    """Some of the probes and some of the primitives."""

    probes: slice
    primitives: slice


class Group:
    """Primitives of one type."""

    def __init__(self, shapes: Sequence[Shape] | Shapes) -> None:
        """Keep at least one shape."""
        self.shapes = shapes
        self.kind = _kind_of(shapes)
        self._tree: Tree | None = None
        self._tree_before: Tree | None = None

    def moved(self, shapes: Sequence[Shape] | Shapes) -> "Group":
        """Give the group of as many primitives elsewhere: a hierarchy is fitted to them, not made anew."""
        group = Group(shapes)
        group._tree_before = self._tree or self._tree_before
        return group

    def hits(self, chosen: Chosen, probe: Shape, compile: bool = True) -> NDArray[np.bool_]:
        """Decide the probe against every primitive; (n,).

        Without `compile` code that is not ready is not waited for: NumPy or the interpreter answers instead.
        """
        if self._tree is not None and self._searchable(chosen.method, type(probe)):
            hits = np.zeros(len(self.shapes), dtype=np.bool_)
            hits[self._tree.hits(probe)] = True
            progress.advance(len(hits))
            return hits
        hits = np.empty(len(self.shapes), dtype=np.bool_)
        for _ in self._tiles(chosen, [probe], lambda _: None, compile, hits[np.newaxis]):
            pass
        return hits

    def tally(self, chosen: Chosen, probes: Shapes, compile: bool = True) -> Tally:
        """Decide every probe against every primitive, and keep what any of them hits; `compile` as for `hits`."""
        if (tree := self._tree_for(chosen.method, probes, compile)) is not None:
            touched = tree.touched(probes)
            progress.advance(len(probes) * len(self.shapes))
            return Tally(*touched)
        tally = Tally(np.zeros(len(self.shapes), dtype=np.bool_), np.zeros(len(probes), dtype=np.bool_))
        found = self._tiles(chosen, probes, lambda found: (found.any(0), found.any(1)), compile)
        for tile, (primitives, some) in found:
            tally.primitives[tile.primitives] |= primitives
            tally.probes[tile.probes] |= some
        return tally

    def bits(self, chosen: Chosen, probes: Shapes, compile: bool = True) -> NDArray[np.uint8]:
        """Decide every probe against every primitive: (m, ceil(n / 8)), the first primitive in the lowest bit."""
        if (tree := self._tree_for(chosen.method, probes, compile)) is not None:
            return _found_bits(tree, probes, len(self.shapes))
        bits = np.empty((len(probes), -(-len(self.shapes) // 8)), dtype=np.uint8)
        for tile, packed in self._tiles(chosen, probes, lambda found: np.packbits(found, 1, "little"), compile):
            first = tile.primitives.start // 8
            bits[tile.probes, first : first + packed.shape[1]] = packed
        return bits

    def ready(self, chosen: Chosen, probe: type) -> bool:
        """Say whether `prepare` would be of no use: the code for such probes is there, or there would be none."""
        few = len(self.shapes) < PREPARED_FROM
        if few or not self._compilable(chosen.method, probe):
            return True
        grown = self._tree is not None or not self._searched(chosen.method, probe)
        return grown and self._key(chosen.method, probe) in _READY

    def prepare(self, chosen: Chosen, probe: type) -> None:
        """Make ready what pays for a probe that moves: compiled code and, for many primitives, a hierarchy.

        Another thread may go on asking for `hits` meanwhile.
        """
        if self._compilable(chosen.method, probe):
            self._compile(chosen, probe)
        if self._searched(chosen.method, probe):
            self._grow()

    def _compile(self, chosen: Chosen, probe: type) -> None:
        method = chosen.method
        # Some probe that has a direction and a plane: nothing is made of its verdict.
        some = Shapes(probe, np.arange(float(width(probe))).reshape(-1, 1) ** 2)
        if method.name == EXACT:
            self._exact_batch.prepare(some)
        else:
            self._run(chosen, some, Tile(slice(0, 1), slice(0, 1)), np.empty((1, 1), dtype=np.bool_))
        _READY.add(self._key(method, probe))

    def hierarchy(self, grow: bool) -> "Tree | None":
        """Give the hierarchy over the primitives, made now if that is to be; None where there is none yet."""
        if grow:
            self._grow()
        return self._tree

    @property
    def can_grow(self) -> bool:
        """Whether there can be a hierarchy over such primitives."""
        return TRAITS[self.kind].in_hierarchy

    def _grow(self) -> None:
        """Make the hierarchy; from then on it finds the few primitives that are worth deciding."""
        if self._tree is None:
            from hitscope.geometry.bvh import Tree

            before, self._tree_before = self._tree_before, None
            primitives = self._exact_batch.primitives
            tree = before.refit(primitives) if before is not None else Tree(primitives)
            # Its search is compiled before anybody can ask for it.
            tree.all(Shapes(Segment, np.arange(6.0).reshape(-1, 1)))
            self._tree = tree

    def _tree_for(self, method: Method, probes: Shapes, compile: bool) -> "Tree | None":
        """Give the hierarchy if it can answer, made now if that pays."""
        if not self._searchable(method, probes.kind):
            return None
        if compile and len(probes) * len(self.shapes) >= TREE_PAIRS:
            self._grow()
        return self._tree

    def _searchable(self, method: Method, probe: type) -> bool:
        """Say whether a hierarchy can answer: it gives the verdicts of `exact`."""
        return method.name == EXACT and probe in T_RANGES and self.can_grow

    def _searched(self, method: Method, probe: type) -> bool:
        return self._searchable(method, probe) and len(self.shapes) >= TREE_FROM

    def _key(self, method: Method, probe: type) -> tuple[Method, type, type]:
        return method, probe, self.kind

    def _compilable(self, method: Method, probe: type) -> bool:
        return (probe, self.kind) in FILTERS if method.name == EXACT else "compiled" in method.readings

    def _tiles(
        self,
        chosen: Chosen,
        probes: Sequence[Shape],
        take: Callable[[Verdicts], R],
        compile: bool,
        into: Verdicts | None = None,
    ) -> Iterator[tuple[Tile, R]]:
        """Decide tile by tile, `into` an array (m, n) if there is one; give what `take` makes of the verdicts."""
        m, n = len(probes), len(self.shapes)
        decide = self._reading(chosen, probes, compile)

        def run(tile: Tile) -> R:
            size = tile.probes.stop - tile.probes.start, tile.primitives.stop - tile.primitives.start
            verdicts = np.empty(size, dtype=np.bool_) if into is None else into[tile]
            decide(tile, verdicts)
            return take(verdicts)

        compiled = self._key(chosen.method, _kind_of(probes)) in _READY
        threaded = compiled and m * n >= THREADED_FROM
        # Every thread gets as many tiles as the others, which begin at whole bytes of bits.
        parts = -(-min(m, TILE_PROBES) * n // TILE_PAIRS)
        parts = -(-parts // threads.count()) * threads.count() if threaded else parts
        step = max(-(-n // max(parts, 1)) + 7 & ~7, 8)
        tiles = [
            Tile(slice(j, min(j + TILE_PROBES, m)), slice(i, min(i + step, n)))
            for j in range(0, m, TILE_PROBES)
            for i in range(0, n, step)
        ]
        results = threads.each if threaded else map
        for tile, result in zip(tiles, results(run, tiles), strict=True):
            progress.advance(
                (tile.probes.stop - tile.probes.start) * (tile.primitives.stop - tile.primitives.start)
            )
            yield tile, result

    def _reading(self, chosen: Chosen, probes: Sequence[Shape], compile: bool) -> Callable[[Tile, Verdicts], None]:
        """Choose how a tile's verdicts are found."""
        method, n = chosen.method, len(self.shapes)
        kind = _kind_of(probes)
        key, compilable = self._key(method, kind), self._compilable(method, kind)
        if compilable and key not in _READY:
            _ASKED[key] += len(probes) * n
            if compile and _ASKED[key] >= (FILTERED_FROM if method.name == EXACT else COMPILED_FROM):
                self._compile(chosen, kind)
        compiled = key in _READY and n >= ARRAYS_FROM
        if compiled or (compilable and method.name == EXACT and n >= ARRAYS_FROM):
            held = probes if isinstance(probes, Shapes) else Shapes.of(probes)
            if method.name == EXACT:
                return lambda tile, verdicts: self._exact_batch.decide(held, *tile, compiled, verdicts)
            return lambda tile, verdicts: self._run(chosen, held, tile, verdicts)

        def interpret(tile: Tile, verdicts: Verdicts) -> None:
            for row, probe in zip(verdicts, probes[tile.probes], strict=True):
                row[:] = [ask(chosen, probe, primitive) for primitive in self.shapes[tile.primitives]]

        return interpret

    def _run(self, chosen: Chosen, probes: Shapes, tile: Tile, verdicts: Verdicts) -> None:
        """Run a method's loop."""
        some, of = tile
        loop, primitives = method_loop(chosen.method, probes.kind, self.kind), self._exact_batch.primitives
        arguments = values(chosen.method, chosen.arguments)
        loop(probes.rows, primitives.rows, some.start, some.stop, of.start, of.stop, arguments, verdicts)

    @cached_property
    def _exact_batch(self) -> ExactBatch:
        return ExactBatch(self.shapes if isinstance(self.shapes, Shapes) else Shapes.of(self.shapes))


def _found_bits(tree: "Tree", probes: Shapes, n: int) -> NDArray[np.uint8]:
    """Give what a hierarchy finds as bits; most often few, so that bits are set and not packed."""
    width = -(-n // 8)
    bits = np.zeros(len(probes) * width, dtype=np.uint8)
    step = max(FOUND_PAIRS // n, 1)
    for first in range(0, len(probes), step):
        found = tree.all(probes[first : first + step])
        rows = np.repeat(np.arange(first, first + len(found.first) - 1), np.diff(found.first))
        # Elements ascend, so that those of one byte follow each other.
        places = rows * width + (found.elements >> 3)
        starts = np.flatnonzero(np.diff(places, prepend=-1))
        if starts.size:
            values = np.left_shift(np.uint8(1), (found.elements & 7).astype(np.uint8))
            bits[places[starts]] = np.add.reduceat(values, starts, dtype=np.uint8)
    return bits.reshape(-1, width)


def _kind_of(shapes: Sequence[Shape]) -> type:
    return shapes.kind if isinstance(shapes, Shapes) else type(shapes[0])


def ask(chosen: Chosen, probe: Shape, primitive: Shape) -> bool:
    """Decide one pair."""
    if chosen.method.name == EXACT:
        return meet(probe, primitive)
    return chosen.method.hit(probe, primitive, **chosen.arguments)

"""The verdicts of many primitives of one type, by the reading of a method that is fastest for their number."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from hitscope import progress
from hitscope.float_mode import in_default_mode
from hitscope.geometry import compiler, threads
from hitscope.geometry.arrays import ARRAYS_FROM, Shapes, has_width, width
from hitscope.geometry.batch import method_loop, values
from hitscope.geometry.exact import meet
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.registry import EXACT, Chosen, Method
from hitscope.geometry.shapes import T_RANGES, Capsule, Ray, Segment, Shape

if TYPE_CHECKING:
    from hitscope.geometry.bvh import Closest, Tree
    from hitscope.geometry.exact.batch import ExactBatch

R = TypeVar("R")
Verdicts: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True)
class Thresholds:
    """The measured sizes from which each way of deciding is faster; they change no verdict."""

    prepare_primitives: int = 2_000
    """Primitives from which code is compiled for a probe that moves."""
    compile_pairs: int = 100_000
    """Pairs decided so far from which a method is compiled."""
    compile_exact_pairs: int = 2_000_000
    """The pairs for `exact`, which has filters on arrays: importing Numba takes half a second and 100 MB."""
    thread_pairs: int = 200_000
    """Pairs from which several threads are used: waking one costs as much as 50,000 pairs."""
    hierarchy_primitives: int = 20_000
    """Primitives from which a hierarchy is built for a probe that moves."""
    hierarchy_pairs: int = 100_000_000
    """Pairs from which building a hierarchy is cheaper than deciding all of them."""
    hierarchy_block: int = 1 << 27
    """Pairs whose hits a hierarchy finds at a time: all of them might be."""
    tile_probes: int = 64
    tile_pairs: int = 1 << 20
    """Probes and pairs of a tile, which is decided at once: its verdicts stay in the processor's cache."""


class CompiledCode:
    """The compiled loops, and how many pairs were decided without; by method, probe and primitive type."""

    def __init__(self) -> None:
        self.ready: set[tuple[Method, type, type]] = set()
        self.pairs_without: Counter[tuple[Method, type, type]] = Counter()


THRESHOLDS = Thresholds()
SEARCHED = Segment, Ray
"""The probes of which a hierarchy finds the first element: a line begins nowhere."""
PROCESS_CODE = CompiledCode()


class HitMasks(NamedTuple):
    """Which of n primitives any of m probes hits, and which of the probes hit any of the primitives."""

    primitives: NDArray[np.bool_]  # (n,)
    probes: NDArray[np.bool_]  # (m,)


class Tile(NamedTuple):
    """A range of the probes and a range of the primitives."""

    probes: slice
    primitives: slice

    @property
    def size(self) -> tuple[int, int]:
        return self.probes.stop - self.probes.start, self.primitives.stop - self.primitives.start


class Group:
    """Primitives of one type."""

    def __init__(
        self,
        shapes: Sequence[Shape] | Shapes,
        thresholds: Thresholds = THRESHOLDS,
        code: CompiledCode = PROCESS_CODE,
    ) -> None:
        """Wrap at least one shape; compiled code is shared by all groups with the same `code`."""
        self.shapes = shapes
        self.thresholds = thresholds
        self.code = code
        self.kind = _kind_of(shapes)
        self._tree: Tree | None = None
        self._tree_before: Tree | None = None

    def moved(self, shapes: Sequence[Shape] | Shapes) -> "Group":
        """Return the group after its primitives moved, as many of the same type; the hierarchy is refitted."""
        group = Group(shapes, self.thresholds, self.code)
        group._tree_before = self._tree or self._tree_before
        return group

    @in_default_mode
    def hits(self, chosen: Chosen, probe: Shape, compile: bool = True) -> NDArray[np.bool_]:
        """Decide the probe against every primitive; (n,).

        Without `compile` it does not wait for code that is not compiled: NumPy or the interpreter decides instead.
        """
        if self._tree is not None and self._hierarchy_decides(chosen.method):
            hits = np.zeros(len(self.shapes), dtype=np.bool_)
            hits[self._tree.hits(probe)] = True
            progress.advance(len(hits))
            return hits
        if len(self.shapes) < ARRAYS_FROM:
            progress.advance(len(self.shapes))
            return np.array(_decided(chosen, probe, self.shapes), dtype=np.bool_)
        hits = np.empty(len(self.shapes), dtype=np.bool_)
        for _ in self._tiles(chosen, [probe], lambda _: None, compile, hits[np.newaxis]):
            pass
        return hits

    @in_default_mode
    def tally(self, chosen: Chosen, probes: Shapes, compile: bool = True) -> HitMasks:
        """Decide every probe against every primitive; return which of both hit; `compile` as for `hits`."""
        if (tree := self._tree_for(chosen.method, probes, compile)) is not None:
            tally = HitMasks(*tree.touched(probes))
            progress.advance(len(probes) * len(self.shapes))
            return tally
        tally = HitMasks(np.zeros(len(self.shapes), dtype=np.bool_), np.zeros(len(probes), dtype=np.bool_))
        for tile, (hit, hitting) in self._tiles(chosen, probes, lambda hits: (hits.any(0), hits.any(1)), compile):
            tally.primitives[tile.primitives] |= hit
            tally.probes[tile.probes] |= hitting
        return tally

    @in_default_mode
    def bits(self, chosen: Chosen, probes: Shapes, compile: bool = True) -> NDArray[np.uint8]:
        """Decide every probe against every primitive: (m, ceil(n / 8)), the first primitive in the lowest bit."""
        if (tree := self._tree_for(chosen.method, probes, compile)) is not None:
            return _hierarchy_bits(tree, probes, len(self.shapes), self.thresholds.hierarchy_block)
        bits = np.empty((len(probes), -(-len(self.shapes) // 8)), dtype=np.uint8)
        for tile, packed in self._tiles(chosen, probes, lambda hits: np.packbits(hits, 1, "little"), compile):
            first = tile.primitives.start // 8
            bits[tile.probes, first : first + packed.shape[1]] = packed
        return bits

    @in_default_mode
    def closest(self, chosen: Chosen, probes: Shapes) -> "Closest | None":
        """Return the element that each segment or ray enters first; None where no hierarchy decides such pairs.

        It is built now if many pairs would be decided without.
        """
        if not self._hierarchy_decides(chosen.method) or probes.kind not in SEARCHED:
            return None
        sizes = self.thresholds
        many = len(probes) * len(self.shapes) >= sizes.compile_exact_pairs or len(probes) > sizes.tile_probes
        tree = self.hierarchy(build=len(probes) > 1 and many and compiler.can_compile())
        return None if tree is None else tree.closest(probes)

    def may_be_first(self, chosen: Chosen, probe: Shape, hits: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return which of the elements that a cast hits it may enter first, by `exact`; others it enters later."""
        if chosen.method.name != EXACT or not isinstance(self.shapes, Shapes):
            return hits
        from hitscope.geometry.exact.batch import may_be_first

        return hits[may_be_first(probe, self.shapes[hits])]

    def ready(self, chosen: Chosen, probe: type) -> bool:
        """Whether `prepare` has nothing to do for such probes: all is built, or not worth building."""
        if len(self.shapes) < self.thresholds.prepare_primitives or not compiler.can_compile():
            return True
        is_built = self._tree is not None or not self._hierarchy_pays(chosen.method)
        is_compiled = self._key(chosen.method, probe) in self.code.ready
        return is_built and (is_compiled or not self._can_compile(chosen.method, probe))

    @in_default_mode
    def prepare(self, chosen: Chosen, probe: type) -> None:
        """Compile the code for a probe that moves and, over many primitives, build the hierarchy.

        Another thread may call `hits` meanwhile.
        """
        if not compiler.can_compile():
            return
        if self._can_compile(chosen.method, probe):
            self._compile(chosen, probe)
        if self._hierarchy_pays(chosen.method):
            tree = self.hierarchy(build=True)
            if tree is not None and probe not in T_RANGES:
                # A body that is far away compiles the searches for bodies, those that move and others.
                tree.hits(Capsule._make(((1e300,) * 3, (1e300,) * 3, 0.0)))

    def _compile(self, chosen: Chosen, probe: type) -> None:
        # Any probe with a direction and a plane will do: its verdict is not used.
        probes = Shapes(probe, np.arange(float(width(probe))).reshape(-1, 1) ** 2)
        if chosen.method.name == EXACT:
            self._exact_batch.prepare(probes)
        else:
            self._run(chosen, probes, Tile(slice(0, 1), slice(0, 1)), np.empty((1, 1), dtype=np.bool_))
        self.code.ready.add(self._key(chosen.method, probe))

    def hierarchy(self, build: bool) -> "Tree | None":
        """Return the hierarchy over the primitives, which finds the few to decide; None where there is none yet.

        With `build` it is built now.
        """
        if build and self._tree is None:
            from hitscope.geometry.bvh import Tree

            before, self._tree_before = self._tree_before, None
            primitives = self._exact_batch.primitives
            tree = before.refit(primitives) if before is not None else Tree(primitives)
            # Its search is compiled before another thread can call it.
            tree.all(Shapes(Segment, np.arange(6.0).reshape(-1, 1)))
            self._tree = tree
        return self._tree

    @property
    def can_have_hierarchy(self) -> bool:
        """Whether a hierarchy can be built over primitives of this type."""
        return KINDS[self.kind].in_hierarchy

    def _tree_for(self, method: Method, probes: Shapes, compile: bool) -> "Tree | None":
        """Return the hierarchy if it can decide such pairs, built now if that is cheaper; else None."""
        if not self._hierarchy_decides(method) or probes.kind not in T_RANGES:
            return None
        many = len(probes) * len(self.shapes) >= self.thresholds.hierarchy_pairs
        return self.hierarchy(build=compile and many and compiler.can_compile())

    def _hierarchy_decides(self, method: Method) -> bool:
        """Whether a hierarchy can decide such pairs: its verdicts are those of `exact`."""
        return method.name == EXACT and self.can_have_hierarchy

    def _hierarchy_pays(self, method: Method) -> bool:
        return len(self.shapes) >= self.thresholds.hierarchy_primitives and self._hierarchy_decides(method)

    def _key(self, method: Method, probe: type) -> tuple[Method, type, type]:
        return method, probe, self.kind

    def _can_compile(self, method: Method, probe: type) -> bool:
        if method.name != EXACT:
            return "compiled" in method.readings
        from hitscope.geometry.exact.pair_kernels import FILTERS

        return (probe, self.kind) in FILTERS

    def _tiles(
        self,
        chosen: Chosen,
        probes: Sequence[Shape],
        take: Callable[[Verdicts], R],
        compile: bool,
        into: Verdicts | None = None,
    ) -> Iterator[tuple[Tile, R]]:
        """Decide tile by tile, in `into` (m, n) if given, and yield each tile with `take` of its verdicts."""
        m, n, sizes = len(probes), len(self.shapes), self.thresholds
        decide = self._reading(chosen, probes, compile)

        def run(tile: Tile) -> R:
            verdicts = np.empty(tile.size, dtype=np.bool_) if into is None else into[tile]
            decide(tile, verdicts)
            return take(verdicts)

        threaded = m * n >= sizes.thread_pairs and self._key(chosen.method, _kind_of(probes)) in self.code.ready
        # All threads get the same number of tiles, which begin at whole bytes of bits.
        parts = -(-min(m, sizes.tile_probes) * n // sizes.tile_pairs)
        parts = -(-parts // threads.count()) * threads.count() if threaded else parts
        step = max(-(-n // max(parts, 1)) + 7 & ~7, 8)
        tiles = [
            Tile(slice(j, min(j + sizes.tile_probes, m)), slice(i, min(i + step, n)))
            for j in range(0, m, sizes.tile_probes)
            for i in range(0, n, step)
        ]
        results = threads.each if threaded else map
        for tile, result in zip(tiles, results(run, tiles), strict=True):
            progress.advance(prod(tile.size))
            yield tile, result

    def _reading(self, chosen: Chosen, probes: Sequence[Shape], compile: bool) -> Callable[[Tile, Verdicts], None]:
        """Return the function that decides a tile: interpreted, by NumPy filters or compiled."""
        method, n, kind = chosen.method, len(self.shapes), _kind_of(probes)
        key, compilable = self._key(method, kind), n >= ARRAYS_FROM and self._can_compile(method, kind)
        if compilable and key not in self.code.ready:
            self.code.pairs_without[key] += len(probes) * n
            sizes = self.thresholds
            enough = sizes.compile_exact_pairs if method.name == EXACT else sizes.compile_pairs
            if compile and self.code.pairs_without[key] >= enough and compiler.can_compile():
                self._compile(chosen, kind)
        compiled = compilable and key in self.code.ready
        if compiled or (compilable and method.name == EXACT):
            arrays = probes if isinstance(probes, Shapes) else Shapes.of(probes)
            if method.name == EXACT:
                batch = self._exact_batch
                batch.measure(arrays)
                return lambda tile, verdicts: batch.decide(arrays, *tile, compiled, verdicts)
            return lambda tile, verdicts: self._run(chosen, arrays, tile, verdicts)

        in_arrays = method.name == EXACT and n >= ARRAYS_FROM and has_width(self.kind)
        primitives = self._exact_batch.primitives if in_arrays else self.shapes

        def interpret(tile: Tile, verdicts: Verdicts) -> None:
            for row, probe in zip(verdicts, probes[tile.probes], strict=True):
                row[:] = _decided(chosen, probe, primitives[tile.primitives])

        return interpret

    def _run(self, chosen: Chosen, probes: Shapes, tile: Tile, verdicts: Verdicts) -> None:
        """Decide a tile by a method's compiled loop."""
        rows, columns = tile
        loop, primitives = method_loop(chosen.method, probes.kind, self.kind), self._exact_batch.primitives
        arguments = values(chosen.method, chosen.arguments)
        loop(probes.rows, primitives.rows, rows.start, rows.stop, columns.start, columns.stop, arguments, verdicts)

    @cached_property
    def _exact_batch(self) -> "ExactBatch":
        from hitscope.geometry.exact.batch import ExactBatch

        return ExactBatch(self.shapes if isinstance(self.shapes, Shapes) else Shapes.of(self.shapes))


def _hierarchy_bits(tree: "Tree", probes: Shapes, n: int, block: int) -> NDArray[np.uint8]:
    """Return the hits that a hierarchy finds as bits, `block` pairs at a time.

    Hits are usually few, so their bits are set one by one and not packed.
    """
    width = -(-n // 8)
    bits = np.zeros(len(probes) * width, dtype=np.uint8)
    step = max(block // n, 1)
    for first in range(0, len(probes), step):
        found = tree.all(probes[first : first + step])
        rows = np.repeat(np.arange(first, first + len(found.first) - 1), np.diff(found.first))
        # Elements ascend, so that those of one byte follow each other.
        indices = rows * width + (found.elements >> 3)
        starts = np.flatnonzero(np.diff(indices, prepend=-1))
        if starts.size:
            values = np.left_shift(np.uint8(1), (found.elements & 7).astype(np.uint8))
            bits[indices[starts]] = np.add.reduceat(values, starts, dtype=np.uint8)
    return bits.reshape(-1, width)


def _kind_of(shapes: Sequence[Shape]) -> type:
    return shapes.kind if isinstance(shapes, Shapes) else type(shapes[0])


def _decided(chosen: Chosen, probe: Shape, primitives: Sequence[Shape]) -> Sequence[bool]:
    """Whether a probe meets each of some primitives, by the chosen method."""
    if chosen.method.name == EXACT and isinstance(primitives, Shapes):
        from hitscope.geometry.exact.batch import meet_each

        hits: list[bool] = meet_each(probe, primitives).tolist()
        return hits
    if chosen.method.name == EXACT:
        return [meet(probe, primitive) for primitive in primitives]
    return chosen.method.hits(probe, primitives, **chosen.arguments)


@in_default_mode
def decide(chosen: Chosen, probe: Shape, primitive: Shape) -> bool:
    """Whether one pair meets, by the chosen method."""
    (hit,) = _decided(chosen, probe, [primitive])
    return hit

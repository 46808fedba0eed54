"""Many primitives of one type: their verdicts, by whatever reading of a method is the fastest for so many."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry import threads
from hitscope.geometry.arrays import Shapes, width
from hitscope.geometry.batch import method_loop, values
from hitscope.geometry.exact import meet
from hitscope.geometry.exact.many import FILTERS, Many
from hitscope.geometry.registry import EXACT, Chosen, Method
from hitscope.geometry.shapes import Shape

R = TypeVar("R")
Verdicts: TypeAlias = NDArray[np.bool_]

ARRAYS_FROM = 50
"""From so many primitives on, arrays cost less than deciding shape by shape."""
PREPARED_FROM = 2_000
"""From so many primitives on, compiled code is worth having for a probe that moves."""
COMPILED_FROM = 100_000
"""From so many pairs on, all that were asked for counted, having compiled code costs less than doing without."""
THREADED_FROM = 200_000
"""From so many pairs on, more than one thread pays: to wake one costs as much as 50,000."""
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

    def hits(self, chosen: Chosen, probe: Shape, compile: bool = True) -> NDArray[np.bool_]:
        """Decide the probe against every primitive; (n,).

        Without `compile` code that is not ready is not waited for: NumPy or the interpreter answers instead.
        """
        hits = np.empty(len(self.shapes), dtype=np.bool_)
        for _ in self._tiles(chosen, [probe], lambda _: None, compile, hits[np.newaxis]):
            pass
        return hits

    def tally(self, chosen: Chosen, probes: Shapes, compile: bool = True) -> Tally:
        """Decide every probe against every primitive, and keep what any of them hits; `compile` as for `hits`."""
        tally = Tally(np.zeros(len(self.shapes), dtype=np.bool_), np.zeros(len(probes), dtype=np.bool_))
        found = self._tiles(chosen, probes, lambda found: (found.any(0), found.any(1)), compile)
        for tile, (primitives, some) in found:
            tally.primitives[tile.primitives] |= primitives
            tally.probes[tile.probes] |= some
        return tally

    def bits(self, chosen: Chosen, probes: Shapes, compile: bool = True) -> NDArray[np.uint8]:
        """Decide every probe against every primitive: (m, ceil(n / 8)), the first primitive in the lowest bit."""
        bits = np.empty((len(probes), -(-len(self.shapes) // 8)), dtype=np.uint8)
        for tile, packed in self._tiles(chosen, probes, lambda found: np.packbits(found, 1, "little"), compile):
            first = tile.primitives.start // 8
            bits[tile.probes, first : first + packed.shape[1]] = packed
        return bits

    def ready(self, chosen: Chosen, probe: type) -> bool:
        """Say whether `prepare` would be of no use: the code for such probes is there, or there would be none."""
        few = len(self.shapes) < PREPARED_FROM
        return few or not self._compilable(chosen.method, probe) or self._key(chosen.method, probe) in _READY

    def prepare(self, chosen: Chosen, probe: type) -> None:
        """Compile, or load, the code for such probes; another thread may go on asking for `hits` meanwhile."""
        method = chosen.method
        if not self._compilable(method, probe):
            return
        # Some probe that has a direction and a plane: nothing is made of its verdict.
        some = Shapes(probe, np.arange(float(width(probe))).reshape(-1, 1) ** 2)
        if method.name == EXACT:
            self._many.prepare(some)
        else:
            self._run(chosen, some, Tile(slice(0, 1), slice(0, 1)), np.empty((1, 1), dtype=np.bool_))
        _READY.add(self._key(method, probe))

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
        yield from zip(tiles, results(run, tiles), strict=True)

    def _reading(self, chosen: Chosen, probes: Sequence[Shape], compile: bool) -> Callable[[Tile, Verdicts], None]:
        """Choose how a tile's verdicts are found."""
        method, n = chosen.method, len(self.shapes)
        kind = _kind_of(probes)
        key, compilable = self._key(method, kind), self._compilable(method, kind)
        if compilable and key not in _READY:
            _ASKED[key] += len(probes) * n
            if compile and _ASKED[key] >= COMPILED_FROM:
                self.prepare(chosen, kind)
        compiled = key in _READY and n >= ARRAYS_FROM
        if compiled or (compilable and method.name == EXACT and n >= ARRAYS_FROM):
            held = probes if isinstance(probes, Shapes) else Shapes.of(probes)
            if method.name == EXACT:
                return lambda tile, verdicts: self._many.decide(held, *tile, compiled, verdicts)
            return lambda tile, verdicts: self._run(chosen, held, tile, verdicts)

        def interpret(tile: Tile, verdicts: Verdicts) -> None:
            for row, probe in zip(verdicts, probes[tile.probes], strict=True):
                row[:] = [ask(chosen, probe, primitive) for primitive in self.shapes[tile.primitives]]

        return interpret

    def _run(self, chosen: Chosen, probes: Shapes, tile: Tile, verdicts: Verdicts) -> None:
        """Run a method's loop."""
        some, of = tile
        loop, primitives = method_loop(chosen.method, probes.kind, self.kind), self._many.primitives
        arguments = values(chosen.method, chosen.arguments)
        loop(probes.rows, primitives.rows, some.start, some.stop, of.start, of.stop, arguments, verdicts)

    @cached_property
    def _many(self) -> Many:
        return Many(self.shapes if isinstance(self.shapes, Shapes) else Shapes.of(self.shapes))


def _kind_of(shapes: Sequence[Shape]) -> type:
    return shapes.kind if isinstance(shapes, Shapes) else type(shapes[0])


def ask(chosen: Chosen, probe: Shape, primitive: Shape) -> bool:
    """Decide one pair."""
    if chosen.method.name == EXACT:
        return meet(probe, primitive)
    return chosen.method.hit(probe, primitive, **chosen.arguments)

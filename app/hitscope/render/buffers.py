"""Vertex buffers that follow the arrays of a draw list: filled anew, or of codes of which a drag changes a few."""

from collections.abc import Callable
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from hitscope.draw.chunks import Indices, ShapeRange
from hitscope.draw.items import Codes, Cue, Role
from hitscope.geometry.arrays import Array

LARGEST = 1e12
"""The stage coordinate at which points are clipped: products of three must fit into float32."""


class CachedBuffer:
    """A vertex buffer that is filled again only when one of its source objects is another object."""

    def __init__(self, context: moderngl.Context) -> None:
        self.buffer = context.buffer(reserve=64, dynamic=True)
        self.count = self.fills = 0
        """The number of rows in it, and of times that it was filled."""
        self._made_of: tuple[object, ...] = ()

    def holds(self, made_of: tuple[object, ...]) -> bool:
        """Whether the buffer was filled from these very arrays and numbers."""
        return same_objects(made_of, self._made_of)

    def update(self, made_of: tuple[object, ...], make: Callable[[], NDArray[Any]]) -> None:
        """Fill the buffer with a table unless it is made of the same: arrays by identity, never written to."""
        if self.holds(made_of):
            return
        table = make()
        if len(table):
            # The vertex array refers to the buffer's name, so the buffer gets new storage and keeps its name.
            self.buffer.orphan(table.nbytes)
            self.buffer.write(np.ascontiguousarray(table))
        self.count = len(table)
        self.fills += 1
        self._made_of = made_of


def rows(table: Array) -> NDArray[np.float32]:
    """Stage coordinates in float32."""
    return np.asarray(np.clip(table, -LARGEST, LARGEST), np.float32)


def bounds_of(*points: Array) -> Array:
    """The lowest and the highest corner (2, 3) of points (..., 3), or (0, 3) for no points."""
    together = np.concatenate([array.reshape(-1, 3) for array in points])
    return np.stack([together.min(axis=0), together.max(axis=0)]) if len(together) else together


def same_objects(a: tuple[object, ...], b: tuple[object, ...]) -> bool:
    """Whether two tuples hold the very same arrays, and the same numbers."""
    pairs = zip(a, b, strict=False)
    return len(a) == len(b) and all(x is y or (isinstance(x, float) and x == y) for x, y in pairs)


WIDTH = 4
"""Bytes a shape, one for each code: a multiple of 4, as GL wants it."""
NEAR = 64
"""The largest distance in shapes between changes that are written as one piece."""
MOST_WRITES = 256
"""The most pieces that are written; more are written as one."""
HIDDEN = np.uint8(Cue.HIDDEN)
OUTLINED = np.uint8(Cue.SELECTED | Cue.PAIRED)
HIGHLIGHTED = np.uint8(Cue.HOVERED) | OUTLINED
MARKED = np.uint8(Cue.DEGENERATE) | HIGHLIGHTED


class CodeBuffer:
    """A buffer of the codes (n, 4) of shapes, of which only changed ones are written."""

    def __init__(self, context: moderngl.Context) -> None:
        self.buffer = context.buffer(reserve=WIDTH, dynamic=True)
        self.written = 0
        """Bytes written since it was made."""
        self.marked: Indices = np.empty(0, np.intp)
        """The rows of shapes that are degenerate or highlighted, ascending."""
        self.highlighted: Indices = np.empty(0, np.intp)
        """The rows of shapes that are hovered or have an outline, ascending."""
        self.outlined: list[ShapeRange] = []
        """The runs of shapes that have an outline: the selected ones, and their partner in the pair."""
        self.hidden_changes = 0
        """The number of times that the set of hidden shapes changed."""
        self._given: tuple[Codes, ...] = ()
        self._order: Indices | None = None
        self._rows: Indices | None = None
        self._table: NDArray[np.uint8] = np.zeros((0, WIDTH), np.uint8)

    def update(self, given: tuple[Codes, ...], order: Indices | None) -> None:
        """Write columns of codes in `order` (None: as they are), the second of them the cues, where they changed.

        Arrays are known by identity: one that was given is not to be written to.
        """
        old = self._given[1] if self._given else None
        if old is None or (given[1] is not old and not np.array_equal(given[1] & HIDDEN, old & HIDDEN)):
            self.hidden_changes += 1
        if order is not self._order or len(given[0]) != len(self._table) or len(given) != len(self._given):
            self._begin(given, order)
        else:
            pairs = list(zip(given, self._given, strict=True))
            changed = [differing(new, old) for new, old in pairs if new is not old]
            if changed:
                self._change(given, np.unique(np.concatenate(changed)) if len(changed) > 1 else changed[0])
        self._given = given

    @property
    def words(self) -> NDArray[np.uint32]:
        """The codes of each shape as one number, by row."""
        return self._table.view(np.uint32)[:, 0]

    @property
    def standing_out(self) -> Indices:
        """The rows of shapes that are no quiet ones among many: hits, and what is highlighted."""
        roles = self._table[:, 0]
        is_quiet = (roles == Role.MISS) | (roles == Role.NEUTRAL)
        return np.flatnonzero(~is_quiet | ((self._table[:, 1] & HIGHLIGHTED) != 0))

    def _begin(self, given: tuple[Codes, ...], order: Indices | None) -> None:
        self._order = order
        self._rows = None
        if order is not None:
            self._rows = np.empty_like(order)
            self._rows[order] = np.arange(len(order))
        self._table = np.zeros((len(given[0]), WIDTH), np.uint8)
        for k, column in enumerate(given):
            self._table[:, k] = column if order is None else column[order]
        if len(self._table):
            self.buffer.orphan(self._table.nbytes)
            self._write(0, len(self._table))
        self._find_marked(np.flatnonzero(self._table[:, 1] & MARKED))

    def _change(self, given: tuple[Codes, ...], changed: Indices) -> None:
        if not len(changed):
            return
        rows = changed if self._rows is None else self._rows[changed]
        for k, column in enumerate(given):
            self._table[rows, k] = column[changed]
        rows = np.sort(rows)
        gaps = np.flatnonzero(np.diff(rows) > NEAR)
        if len(gaps) >= MOST_WRITES:
            gaps = gaps[:0]
        firsts, lasts = rows[np.r_[0, gaps + 1]], rows[np.r_[gaps, len(rows) - 1]]
        for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
            self._write(first, last + 1)
        self._find_marked(np.union1d(self.marked, rows[(self._table[rows, 1] & MARKED) != 0]))

    def _find_marked(self, among: Indices) -> None:
        cues = self._table[among, 1]
        self.marked = among[(cues & MARKED) != 0]
        self.highlighted = among[(cues & HIGHLIGHTED) != 0]
        self.outlined = runs_of(among[(cues & OUTLINED) != 0])

    def _write(self, first: int, end: int) -> None:
        part: NDArray[Any] = self._table[first:end]
        self.buffer.write(part, offset=first * WIDTH)
        self.written += part.nbytes


def runs_of(rows: Indices) -> list[ShapeRange]:
    """The runs of consecutive rows among ascending ones."""
    starts = np.flatnonzero(np.diff(rows, prepend=-2) > 1)
    counts = np.diff(starts, append=len(rows))
    return list(zip(rows[starts].tolist(), counts.tolist(), strict=True))


def differing(new: Codes, old: Codes) -> Indices:
    """The indices at which two arrays of codes differ; compared eight at a time, since few of them do."""
    whole = len(new) // 8 * 8
    words = np.flatnonzero(new[:whole].view(np.uint64) != old[:whole].view(np.uint64))
    rows = np.concatenate([(words[:, None] * 8 + np.arange(8)).ravel(), np.arange(whole, len(new))])
    return np.asarray(rows[new[rows] != old[rows]])

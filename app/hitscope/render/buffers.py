"""Vertex buffers that follow the arrays of a draw list."""

from collections.abc import Callable
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Array

LARGEST = 1e12
"""The stage coordinate at which points are clipped: products of three must fit into float32."""


class CachedBuffer:
    """A vertex buffer that is filled again only when one of its source objects is another object."""

    def __init__(self, context: moderngl.Context) -> None:
        self.buffer = context.buffer(reserve=64, dynamic=True)
        self.count = 0
        """The bounds of the rows in it."""
        self.fills = 0
        """The number of times that it was filled."""
        self._made_of: tuple[object, ...] = ()

    def holds(self, made_of: tuple[object, ...]) -> bool:
        """Whether the buffer was filled from these very arrays and numbers."""
        return same_objects(made_of, self._made_of)

    def update(self, made_of: tuple[object, ...], make: Callable[[], NDArray[Any]]) -> bool:
        """Fill the buffer with the table that `make` returns, unless it was filled from the same `made_of`.

        Arrays are compared by identity: one that was drawn must not be written to. Returns whether it was filled.
        """
        if self.holds(made_of):
            return False
        table = make()
        if len(table):
            # The vertex array refers to the buffer's name, so the buffer gets new storage and keeps its name.
            self.buffer.orphan(table.nbytes)
            self.buffer.write(np.ascontiguousarray(table))
        self.count = len(table)
        self.fills += 1
        self._made_of = made_of
        return True


def rows(table: Array) -> NDArray[np.float32]:
    """Stage coordinates in float32."""
    return np.asarray(np.clip(table, -LARGEST, LARGEST), np.float32)


def bounds_of(*points: Array) -> Array:
    """The lowest and the highest corner (2, 3) of points (..., 3), or (0, 3) for no points."""
    together = np.concatenate([array.reshape(-1, 3) for array in points])
    return np.stack([together.min(axis=0), together.max(axis=0)]) if len(together) else together


def same_objects(a: tuple[object, ...], b: tuple[object, ...]) -> bool:
    """Whether two tuples hold the very same arrays, and the same numbers."""
    return len(a) == len(b) and all(map(_same, a, b))


def _same(a: object, b: object) -> bool:
    return a is b or (isinstance(a, float) and a == b)

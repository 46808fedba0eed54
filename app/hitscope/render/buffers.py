"""Vertex buffers that follow the arrays of a draw list."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import moderngl
import numpy as np
from numpy.typing import NDArray

from hitscope.draw.items import Array, Codes

LARGEST = 1e15
"""Stage coordinates are clipped there: their squares must still fit into float32."""


class Stage(NamedTuple):
    """The frame (p - anchor) / scale, in which a scene is about one unit large."""

    anchor: Array  # (3,) scene units
    scale: float  # scene units per stage unit

    @property
    def key(self) -> tuple[float, ...]:
        """The frame's numbers, by value."""
        return (*self.anchor.tolist(), self.scale)

    def points(self, points: Array) -> Array:
        """Scene units to stage units, (..., 3)."""
        with np.errstate(over="ignore"):
            return np.asarray(np.clip((points - self.anchor) / self.scale, -LARGEST, LARGEST))


class Follower:
    """A vertex buffer that is filled again only when one of the things it is made of is another object."""

    def __init__(self, context: moderngl.Context) -> None:
        self.buffer = context.buffer(reserve=64, dynamic=True)
        self.count = 0
        """Of the rows in it."""
        self._made_of: tuple[object, ...] = ()

    def follow(self, made_of: tuple[object, ...], make: Callable[[], NDArray[Any]]) -> bool:
        """Fill the buffer with what `make` gives, unless it holds what these very arrays and numbers gave.

        Arrays are known by identity: one that was drawn is not to be written to. Says whether it was filled.
        """
        if len(made_of) == len(self._made_of) and all(map(_same, made_of, self._made_of)):
            return False
        table = make()
        if len(table):
            # The vertex array keeps its buffer: it gets other storage, not another name.
            self.buffer.orphan(table.nbytes)
            self.buffer.write(table.tobytes())
        self.count = len(table)
        self._made_of = made_of
        return True


def rows(*columns: NDArray[Any]) -> NDArray[np.float32]:
    """Give stage coordinates, n rows in any shape, side by side in float32."""
    flat = [column.reshape(len(column), math.prod(column.shape[1:])) for column in columns]
    together: NDArray[Any] = np.concatenate(flat, axis=1)
    return np.asarray(np.clip(together, -LARGEST, LARGEST), np.float32)


def codes(*columns: Codes) -> Codes:
    """Give what is said of each shape, at most four codes, as rows of four bytes, as GL likes them."""
    table = np.zeros((len(columns[0]), 4), np.uint8)
    for i, column in enumerate(columns):
        table[:, i] = column
    return table


def span_of(*points: Array) -> Array:
    """Give the lowest and the highest corner (2, 3) of points (..., 3), or (0, 3) for no points."""
    together = np.concatenate([some.reshape(-1, 3) for some in points])
    return np.stack([together.min(axis=0), together.max(axis=0)]) if len(together) else together


def _same(a: object, b: object) -> bool:
    return a is b or (isinstance(a, float) and a == b)

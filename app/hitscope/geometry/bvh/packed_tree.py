"""The tree as it lies in memory: nodes of eight children each, and blocks of eight elements."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

NODE, LINKS = 64, 48
"""A node is so many float32: lo x, hi x, lo y, ... of its eight children, their links, and a rest unused."""
NONE = -(2**31)
"""The link of no child."""
DEPTH = 48
"""Deeper down ranges are halved as they are, which bounds the stack."""
STACK = 7 * (DEPTH + 34) + 1


class PackedTree(NamedTuple):
    """The tree as compiled code reads it.

    A link >= 0 is a node, another the block ~link >> 3 of (~link & 7) + 1 elements. A block has the coordinate
    rows of eight elements, `width` of them, and `ids` their indices; `links` is the memory of `nodes`. `frame` is
    the center's x, y, z, the scale, the greatest coordinate, what a product may lose to underflow, and the root's
    bounds in unit space.
    """

    nodes: NDArray[np.float32]
    links: NDArray[np.int32]
    blocks: NDArray[np.float64]
    ids: NDArray[np.int32]
    frame: NDArray[np.float64]
    width: int


def aligned(size: int, dtype: Any) -> NDArray[Any]:
    """Give an array that begins with a cache line."""
    memory = np.empty(size * np.dtype(dtype).itemsize + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + size * np.dtype(dtype).itemsize].view(dtype)

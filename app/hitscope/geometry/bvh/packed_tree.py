"""The tree's layout in memory: nodes of eight children each, and blocks of eight elements."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

NODE, LINKS = 64, 48
"""The size of a node in float32: lo x, hi x, lo y, ... of its eight children, and from LINKS on their links."""
NONE = -(2**31)
"""The link of a child that does not exist."""
DEPTH = 48
"""The depth below which ranges are halved without sorting, which bounds the stack."""
STACK = 7 * (DEPTH + 34) + 1


class PackedTree(NamedTuple):
    """The arrays of a tree for compiled code.

    A link >= 0 is a node; any other link but NONE is the block ~link >> 3 of (~link & 7) + 1 elements. A block has
    the coordinate rows of eight elements, `width` of them, and `ids` their indices; `links` is the memory of
    `nodes`. `frame` is the center's x, y, z, the scale, the greatest coordinate, what a product may lose to
    underflow, and the root's bounds in unit space.
    """

    nodes: NDArray[np.float32]
    links: NDArray[np.int32]
    blocks: NDArray[np.float64]
    ids: NDArray[np.int32]
    frame: NDArray[np.float64]
    width: int


def aligned(size: int, dtype: Any) -> NDArray[Any]:
    """Return an uninitialised array that begins at a cache line."""
    memory = np.empty(size * np.dtype(dtype).itemsize + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + size * np.dtype(dtype).itemsize].view(dtype)

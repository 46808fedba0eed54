"""The tree's layout in memory: nodes of eight children each, and blocks of eight elements."""

from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.lanes import address, inlined

NODE, LINKS = 64, 48
"""The size of a node in float32: lo x, hi x, lo y, ... of its eight children, and from LINKS on their links."""
NONE = -(2**31)
"""The link of a child that does not exist."""
DEPTH = 48
"""The depth below which ranges are halved without sorting, which bounds the stack."""
STACK = 7 * (DEPTH + 34) + 1


class PackedTree(NamedTuple):
    """The arrays of a tree.

    A link >= 0 is a node; any other link but NONE is the block ~link >> 3 of (~link & 7) + 1 elements. A block has
    the coordinate rows of eight elements, `width` of them, and `ids` their indices. `frame` is the center's x, y,
    z, the scale, the greatest coordinate, what a product may lose to underflow, and the root's bounds in unit
    space.
    """

    nodes: NDArray[np.float32]
    blocks: NDArray[np.float64]
    ids: NDArray[np.int32]
    frame: NDArray[np.float64]
    width: int

    @property
    def links(self) -> NDArray[np.int32]:
        """The links, which lie in the memory of the nodes."""
        return self.nodes.view(np.int32)


class TreeAddresses(NamedTuple):
    """The addresses of the same arrays in compiled code, and that of the links."""

    nodes: Any
    blocks: Any
    ids: Any
    frame: Any
    width: int
    links: Any


@inlined
def addresses(packed: Any) -> Any:
    """Return the addresses of a tree's arrays."""
    return TreeAddresses(
        address(packed.nodes, 0, np.float32),
        address(packed.blocks, 0, np.float64),
        address(packed.ids, 0, np.int32),
        address(packed.frame, 0, np.float64),
        packed.width,
        address(packed.nodes, 0, np.int32),
    )


def places(*sizes: int, first: int = 0) -> tuple[int, ...]:
    """Return where each of several areas of memory begins, one after the other, and where the last one ends."""
    return tuple(accumulate(sizes, initial=first))


def aligned(size: int, dtype: Any) -> NDArray[Any]:
    """Return an uninitialised array that begins at a cache line."""
    memory = np.empty(size * np.dtype(dtype).itemsize + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + size * np.dtype(dtype).itemsize].view(dtype)

"""The steps of a traversal: tests of a node's children and of a block's elements, and the stack of links."""

from typing import Any

import numpy as np

from hitscope.geometry.bvh.packed_tree import LINKS, NODE
from hitscope.geometry.bvh.probes import SINGLES, single
from hitscope.geometry.exact.linear_blocks import enter
from hitscope.geometry.lanes import LANES, first_bit, get, greater, inlined, lesser, load, multiply_add, put

OUT_OF_RANGE = 3
"""The code of a probe beyond the filters' range, which is tested against every element exactly."""


@inlined
def signs_of(singles: Any, k: int) -> int:
    """Return the offsets of probe k's near planes in a node as one number, a byte for each axis."""
    x = 0 if single(singles, 0, k) > 0 else 8
    y = 16 if single(singles, 1, k) > 0 else 24
    z = 32 if single(singles, 2, k) > 0 else 40
    return x | y << 8 | z << 16


@inlined
def slabs(nodes: Any, node: int, singles: Any, k: int, signs: int, reach: Any) -> tuple[Any, Any]:
    """Return the tau at which probe k enters each of a node's eight children, and the mask of those it does enter.

    It enters a child if it does not leave it before (Kay and Kajiya 1986).
    """
    x, y, z = node * NODE + (signs & 255), node * NODE + (signs >> 8 & 255), node * NODE + (signs >> 16)
    at = (k >> 3) * SINGLES + (k & 7)
    ix, iy, iz = get(singles, at), get(singles, at + 8), get(singles, at + 16)
    near_x = multiply_add(load(nodes, x), ix, get(singles, at + 24))
    near_y = multiply_add(load(nodes, y), iy, get(singles, at + 32))
    near_z = multiply_add(load(nodes, z), iz, get(singles, at + 40))
    far_x = multiply_add(load(nodes, x ^ 8), ix, get(singles, at + 48))
    far_y = multiply_add(load(nodes, y ^ 8), iy, get(singles, at + 56))
    far_z = multiply_add(load(nodes, z ^ 8), iz, get(singles, at + 64))
    near = greater(greater(near_x, near_y), greater(near_z, np.float32(0)))
    far = lesser(lesser(far_x, far_y), lesser(far_z, reach))
    return near, near <= far


@inlined
def test_block(tree: Any, link: int, probe: Any, limit: float, found: Any) -> tuple[Any, Any]:
    """Return the masks of a block's elements that are surely hit and that are unsure (`linear_blocks.enter`)."""
    valid = np.int32((2 << (~link & 7)) - 1)
    hit, unsure = enter(tree.width, tree.blocks, (~link >> 3) * tree.width * LANES, probe, limit, found)
    return hit & valid, unsure & valid


@inlined
def push_all(links: Any, node: int, mask: Any, stack: Any, top: int) -> int:
    """Push the children in a mask onto the stack; return its new top."""
    while mask != 0:
        put(stack, top, get(links, node * NODE + LINKS + first_bit(mask)))
        mask &= mask - 1
        top += 1
    return top


@inlined
def with_room(numbers: Any, size: int) -> Any:
    """Return the array, or a longer copy of it, with room for eight more numbers after `size`."""
    if size + LANES <= numbers.size:
        return numbers
    grown = np.empty(2 * numbers.size, numbers.dtype)
    # Slices would bring in, and compile, the text of the error that they raise.
    for n in range(size):
        grown[n] = numbers[n]
    return grown

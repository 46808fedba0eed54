"""The boxes of each level for drawing: all of them, or those that a search enters."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.bvh.hits import DOUBLES_AT, GATHERED_AT, MEMORY, SINGLES_AT, STACK_AT
from hitscope.geometry.bvh.packed_tree import LINKS, NODE, NONE, PackedTree, addresses, aligned
from hitscope.geometry.bvh.probes import Bundle, Order, in_memory, prepare, single
from hitscope.geometry.bvh.traversal import signs_of, slabs, with_room
from hitscope.geometry.compiled import compiled
from hitscope.geometry.lanes import LANES, address, first_bit, get, put


def every_level(packed: PackedTree) -> list[NDArray[np.float64]]:
    """Return the boxes (q, 2, 3), lo and hi, of each level, from the root down to the last blocks."""
    return _by_level(packed, np.ones(packed.links.size, np.bool_))


def entered_levels(packed: PackedTree, bundle: Bundle) -> list[NDArray[np.float64]]:
    """Return the boxes of each level that a search for all hits of the first probe enters."""
    entered = np.zeros(packed.links.size, np.bool_)
    entered[visit(packed, bundle, aligned(MEMORY, np.float64))] = True
    return _by_level(packed, entered)


def _by_level(packed: PackedTree, entered: NDArray[np.bool_]) -> list[NDArray[np.float64]]:
    """Return the boxes of each level of the children that are `entered`, which is indexed by 8 * node + child."""
    center, scale = packed.frame[:3], packed.frame[3]
    nodes, links = packed.nodes.reshape(-1, NODE), packed.links.reshape(-1, NODE)
    boxes = nodes[:, :LINKS].reshape(-1, 3, 2, LANES).transpose(0, 3, 2, 1).reshape(-1, 2, 3) / scale + center
    children = links[:, LINKS : LINKS + LANES].reshape(-1)
    levels = [packed.frame[6:].reshape(1, 2, 3) / scale + center]
    level = np.zeros(1, np.int64)
    while level.size:
        indices = (level[:, np.newaxis] * LANES + np.arange(LANES)).reshape(-1)
        indices = indices[(children[indices] != NONE) & entered[indices]]
        levels.append(boxes[indices])
        level = children[indices].astype(np.int64)
        level = level[level >= 0]
    return levels


@compiled
def visit(
    packed: Any,
    given: Any,
    memory: Any,
) -> Any:
    """Return the indices, 8 * node + child, of all children that the first probe enters."""
    tree, bundle = addresses(packed), in_memory(given)
    order = Order(address(memory, 0, np.int64), False, 0)
    singles, doubles = address(memory, SINGLES_AT, np.float32), address(memory, DOUBLES_AT, np.float64)
    gathered, stack = address(memory, GATHERED_AT, np.float64), address(memory, STACK_AT, np.int32)
    indices, size = np.empty(1024, np.int64), 0
    prepare(tree.frame, bundle, order, 0, 1, gathered, singles, doubles)
    reach, signs = single(singles, 9, 0), signs_of(singles, 0)
    put(stack, 0, np.int32(0))
    top = 1 if reach >= 0 else 0
    while top > 0:
        top -= 1
        node = get(stack, top)
        _, mask = slabs(tree.nodes, node, singles, 0, signs, reach)
        indices = with_room(indices, size)
        while mask != 0:
            k = first_bit(mask)
            mask &= mask - 1
            indices[size] = node * LANES + k
            size += 1
            link = get(tree.links, node * NODE + LINKS + k)
            put(stack, top, link)
            top += 1 if link >= 0 else 0
    return indices[:size].copy()

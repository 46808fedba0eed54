"""The boxes of each level for drawing: all of them, or those that a search enters."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.bvh.packed_tree import LINKS, NODE, NONE, STACK, PackedTree
from hitscope.geometry.bvh.probes import DOUBLES, SINGLES, Bundle, prepare, single
from hitscope.geometry.bvh.traversal import signs_of, slabs, with_room
from hitscope.geometry.compiled import compiled
from hitscope.geometry.lanes import LANES, first_bit


def every_level(packed: PackedTree) -> list[NDArray[np.float64]]:
    """Return the boxes (q, 2, 3), lo and hi, of each level, from the root down to the last blocks."""
    return _by_level(packed, np.ones(packed.links.size, np.bool_))


def entered_levels(packed: PackedTree, bundle: Bundle) -> list[NDArray[np.float64]]:
    """Return the boxes of each level that a search for all hits of the first probe enters."""
    entered = np.zeros(packed.links.size, np.bool_)
    entered[visit(packed, bundle)] = True
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
def visit(tree: Any, bundle: Any) -> Any:
    """Return the indices, 8 * node + child, of all children that the first probe enters."""
    stack, singles, doubles = np.empty(STACK, np.int32), np.empty(SINGLES, np.float32), np.empty(DOUBLES)
    indices, size = np.empty(1024, np.int64), 0
    prepare(tree.frame, bundle, np.empty(0, np.int64), 0, 0, 1, singles, doubles)
    reach, signs = single(singles, 9, 0), signs_of(singles, 0)
    stack[0], top = 0, 1 if reach >= 0 else 0
    while top > 0:
        top -= 1
        node = stack[top]
        _, mask = slabs(tree.nodes, node, singles, 0, signs, reach)
        indices = with_room(indices, size)
        while mask != 0:
            k = first_bit(mask)
            mask &= mask - 1
            indices[size] = node * LANES + k
            size += 1
            stack[top] = tree.links[node * NODE + LINKS + k]
            top += 1 if stack[top] >= 0 else 0
    return indices[:size].copy()

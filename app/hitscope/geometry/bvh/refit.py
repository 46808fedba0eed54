"""The bounds and blocks of a tree of known links, written from the present numbers of its elements."""

from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry import threads
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.bvh.bounds import bounds_of
from hitscope.geometry.bvh.packed_tree import LINKS, NODE, NONE, PackedTree, aligned
from hitscope.geometry.compiled import compiled
from hitscope.geometry.lanes import LANES


def refitted(old: PackedTree, shapes: Shapes, frame: NDArray[np.float64]) -> PackedTree:
    """Return a tree of the same links over elements that have moved."""
    nodes, blocks = aligned(old.nodes.size, np.float32), aligned(old.blocks.size, np.float64)
    nodes[:] = old.nodes
    packed = old._replace(nodes=nodes, links=nodes.view(np.int32), blocks=blocks, frame=frame)
    fit(packed, shapes)
    return packed


def fit(packed: PackedTree, shapes: Shapes) -> None:
    """Write the blocks of elements and the bounds of all nodes."""
    threads.each_part(packed.nodes.size // NODE, lambda first, last: fill(packed, shapes.rows, first, last))
    fold(packed)


@compiled
def fill(tree: Any, rows: Any, first: int, last: int) -> None:
    """Write the blocks below some nodes, and their bounds; a child that does not exist gets lo > hi."""
    bounds = np.empty(6)
    for child in range(first * LANES, last * LANES):
        node, k = child // LANES, child % LANES
        link = tree.links[node * NODE + LINKS + k]
        bounds[:3], bounds[3:] = inf, -inf
        if link < 0 and link != NONE:
            for lane in range(LANES):
                # Lanes without an element repeat the last one; they are masked out later.
                n = tree.ids[(~link >> 3) * LANES + min(lane, ~link & 7)]
                for row in range(rows.shape[0]):
                    tree.blocks[((~link >> 3) * rows.shape[0] + row) * LANES + lane] = rows[row, n]
                own = bounds_of(rows, n)
                for axis in range(3):
                    bounds[axis] = min(bounds[axis], own[axis])
                    bounds[axis + 3] = max(bounds[axis + 3], own[axis + 3])
        for axis in range(3):
            center, scale = tree.frame[axis], tree.frame[3]
            tree.nodes[node * NODE + 2 * axis * LANES + k] = (bounds[axis] - center) * scale
            tree.nodes[node * NODE + (2 * axis + 1) * LANES + k] = (bounds[axis + 3] - center) * scale


@compiled
def fold(tree: Any) -> None:
    """Write the bounds of all children that are nodes, from the last node to the first."""
    for node in range(tree.links.size // NODE - 1, -1, -1):
        for k in range(LANES):
            link = tree.links[node * NODE + LINKS + k]
            for row in range(6 if link > 0 else 0):
                number = tree.nodes[link * NODE + row * LANES]
                for other in range(1, LANES):
                    bound = tree.nodes[link * NODE + row * LANES + other]
                    number = min(number, bound) if row % 2 == 0 else max(number, bound)
                tree.nodes[node * NODE + row * LANES + k] = number

"""The bounds and blocks of a tree of known links, written from the present numbers of its elements."""

from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry import threads
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.bvh.bounds import bounds_of
from hitscope.geometry.bvh.packed_tree import LINKS, NODE, NONE, PackedTree, addresses, aligned
from hitscope.geometry.compiled import compiled
from hitscope.geometry.lanes import LANES, address, get, greater, lesser, put


def refitted(old: PackedTree, shapes: Shapes, frame: NDArray[np.float64]) -> PackedTree:
    """Return a tree of the same links over elements that have moved."""
    nodes, blocks = aligned(old.nodes.size, np.float32), aligned(old.blocks.size, np.float64)
    nodes[:] = old.nodes
    packed = old._replace(nodes=nodes, blocks=blocks, frame=frame)
    fit(packed, shapes)
    return packed


def fit(packed: PackedTree, shapes: Shapes) -> None:
    """Write the blocks of elements and the bounds of all nodes."""
    threads.each_part(packed.nodes.size // NODE, lambda first, last: fill(packed, shapes.rows, first, last))
    _fold(packed)


@compiled
def fill(packed: Any, shapes: Any, first: int, last: int) -> None:
    """Write the blocks below some nodes, and their bounds; a child that does not exist gets lo > hi."""
    tree = addresses(packed)
    width = tree.width
    rows, n = address(shapes, 0, np.float64), shapes.shape[1]
    x, y, z, scale = get(tree.frame, 0), get(tree.frame, 1), get(tree.frame, 2), get(tree.frame, 3)
    for child in range(first * LANES, last * LANES):
        node, k = child // LANES, child % LANES
        link = get(tree.links, node * NODE + LINKS + k)
        lx, ly, lz, hx, hy, hz = inf, inf, inf, -inf, -inf, -inf
        if link < 0 and link != NONE:
            block, last_lane = ~link >> 3, ~link & 7
            for lane in range(LANES):
                # Lanes without an element repeat the last one; they are masked out later.
                element = get(tree.ids, block * LANES + (lane if lane < last_lane else last_lane))
                for row in range(width):
                    put(tree.blocks, (block * width + row) * LANES + lane, get(rows, row * n + element))
                ax, ay, az, bx, by, bz = bounds_of(rows, width, n, element)
                lx, ly, lz = lesser(ax, lx), lesser(ay, ly), lesser(az, lz)
                hx, hy, hz = greater(bx, hx), greater(by, hy), greater(bz, hz)
        at = node * NODE + k
        put(tree.nodes, at, np.float32((lx - x) * scale))
        put(tree.nodes, at + LANES, np.float32((hx - x) * scale))
        put(tree.nodes, at + 2 * LANES, np.float32((ly - y) * scale))
        put(tree.nodes, at + 3 * LANES, np.float32((hy - y) * scale))
        put(tree.nodes, at + 4 * LANES, np.float32((lz - z) * scale))
        put(tree.nodes, at + 5 * LANES, np.float32((hz - z) * scale))


def _fold(packed: PackedTree) -> None:
    """Write the bounds of all children that are nodes, from the deepest level to the root."""
    bounds = packed.nodes.reshape(-1, NODE)[:, :LINKS].reshape(-1, 6, LANES)
    links = packed.links.reshape(-1, NODE)[:, LINKS : LINKS + LANES]
    levels, nodes = [], np.zeros(1, np.int32)
    while nodes.size:
        above, lane = np.nonzero(links[nodes] > 0)
        levels.append((nodes[above], lane, links[nodes[above], lane]))
        nodes = levels[-1][2]
    for parents, lanes, children in reversed(levels):
        lo, hi = bounds[children, ::2], bounds[children, 1::2]
        for half in (4, 2, 1):
            lo, hi = np.minimum(lo[..., :half], lo[..., half:]), np.maximum(hi[..., :half], hi[..., half:])
        bounds[parents, ::2, lanes], bounds[parents, 1::2, lanes] = lo[..., 0], hi[..., 0]

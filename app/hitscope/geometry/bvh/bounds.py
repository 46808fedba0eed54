"""The bounds of all elements, which define unit space, of each element, and of the nodes of a tree."""

from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry import threads
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.bvh.packed_tree import LINKS, NODE, NONE, PackedTree, addresses, aligned
from hitscope.geometry.compiled import compiled
from hitscope.geometry.exact.linear_blocks import FARTHEST, NEAREST, has_radius
from hitscope.geometry.kinds.round import within_radius
from hitscope.geometry.lanes import LANES, address, get, greater, inlined, lesser, magnitude, put

CHUNK = 8192
"""The elements whose bounds are computed at a time, so that they stay in the processor's cache."""


def frame_of(shapes: Shapes) -> NDArray[np.float64] | None:
    """Return the `frame` of a `PackedTree` over shapes; None if there are none, or their numbers are too large."""
    if not len(shapes):
        return None
    parts = np.array(threads.each_part(len(shapes), lambda first, last: _measured(shapes, first, last)))
    lo, hi, least = parts[:, :3].min(axis=0), parts[:, 3:6].max(axis=0), parts[:, 6].min()
    largest = max(np.abs(lo).max(), np.abs(hi).max())
    if not largest < FARTHEST:
        return None
    center = lo / 2 + hi / 2
    half = max(np.abs(lo - center).max(), np.abs(hi - center).max(), NEAREST)
    scale = 2.0 ** -int(np.frexp(half)[1])
    lost = 2.0**-1074 if least < NEAREST else 0.0
    return np.array([*center, scale, largest, lost, *((lo - center) * scale), *((hi - center) * scale)])


def _measured(shapes: Shapes, first: int, last: int) -> NDArray[np.float64]:
    """Return the bounds of some elements, and the least magnitude of their numbers that is not zero; (7,)."""
    found = np.array([inf, inf, inf, -inf, -inf, -inf, inf])
    for start in range(first, last, CHUNK):
        rows = shapes.rows[:, start : min(start + CHUNK, last)]
        bounds = each_bounds(rows)
        np.minimum(found[:3], bounds[:3].min(axis=1), out=found[:3])
        np.maximum(found[3:6], bounds[3:].max(axis=1), out=found[3:6])
        sizes = np.abs(rows)
        # A selection is slow, and only needed where there are zeros.
        least = sizes.min()
        found[6] = min(found[6], least if least > 0 else sizes[sizes > 0].min(initial=inf))
    return found


def each_bounds(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the bounds lo x, y, z, hi x, y, z of each element, (6, n), as `_ends` computes them."""
    if len(rows) == 6:
        return rows
    if len(rows) == 9:
        a, b, c = rows.reshape(3, 3, -1)
        return np.concatenate((np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)))
    if has_radius(len(rows)):
        return np.concatenate(within_radius(rows))
    middle, sizes = rows[:3], np.abs(rows[6:]).reshape(3, 3, -1)
    half = rows[3] * sizes[0] + rows[4] * sizes[1] + rows[5] * sizes[2]
    half += (half + np.abs(middle)) * 2.0**-50
    return np.concatenate((middle - half, middle + half))


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
                ax, bx = _ends(rows, width, n, 0, element)
                ay, by = _ends(rows, width, n, 1, element)
                az, bz = _ends(rows, width, n, 2, element)
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


@inlined
def _ends(rows: Any, width: int, count: int, axis: int, n: int) -> tuple[float, float]:
    """Return the bounds of element n of `count` along an axis, a little wider where they are rounded."""
    a = get(rows, axis * count + n)
    if width == 6:
        return a, get(rows, (axis + 3) * count + n)
    if width == 9:
        b, c = get(rows, (axis + 3) * count + n), get(rows, (axis + 6) * count + n)
        return lesser(c, lesser(b, a)), greater(c, greater(b, a))
    if has_radius(width):
        b, radius = get(rows, (axis + width - 4) * count + n), get(rows, (width - 1) * count + n)
        lost = (greater(magnitude(a), magnitude(b)) + radius) * 2.0**-48
        return lesser(a, b) - radius - lost, greater(a, b) + radius + lost
    half = 0.0
    for k in range(3, 6):
        half += get(rows, k * count + n) * magnitude(get(rows, (3 * k + axis - 3) * count + n))
    half += (half + magnitude(a)) * 2.0**-50
    return a - half, a + half

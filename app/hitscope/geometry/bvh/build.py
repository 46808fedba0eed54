"""The building of a tree: the root's children on one thread, the subtrees below them on all threads."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry import threads
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.bvh.bounds import bounds_of
from hitscope.geometry.bvh.packed_tree import DEPTH, LINKS, NODE, NONE, STACK, PackedTree, aligned
from hitscope.geometry.bvh.refit import fit
from hitscope.geometry.bvh.split import branch, centers_of, new_children
from hitscope.geometry.compiled import compiled
from hitscope.geometry.lanes import LANES, inlined, lesser, load, store


class Subtree(NamedTuple):
    """The links of a subtree's nodes (8 a node), counted from 0, and the record at which each block begins."""

    links: NDArray[np.int32]
    begins: NDArray[np.int32]


def build(shapes: Shapes, frame: NDArray[np.float64]) -> PackedTree:
    """Return the tree over shapes, of which there is at least one."""
    n, width = len(shapes), len(shapes.rows)
    records = aligned(n * LANES, np.float32)
    words = records.view(np.int32)
    threads.each_part(n, lambda first, last: make_records(shapes.rows, frame, first, last, records, words))
    ranges, boxes, centers = split_root(records, words)

    def subtree(k: int) -> Subtree:
        first, last = ranges[k].tolist()
        links, begins = np.empty((last - first) * LANES, np.int32), np.empty(last - first, np.int32)
        own = slice(k * LANES, (k + 1) * LANES)
        nodes, blocks = grow(records, first, last, boxes[own], centers[own], links, begins)
        return Subtree(links[: nodes * LANES].copy(), begins[:blocks].copy())

    largest_first = np.argsort(ranges[:, 0] - ranges[:, 1]).tolist()
    subtrees = list(threads.each(subtree, largest_first))
    # The nodes of the subtrees follow the root, and each other.
    nodes = np.cumsum([1, *(part.links.size // LANES for part in subtrees)]).tolist()
    blocks = np.cumsum([0, *(part.begins.size for part in subtrees)]).tolist()
    links = np.full(LANES, NONE, np.int32)
    links[: len(subtrees)] = nodes[:-1]
    kept = aligned(nodes[-1] * NODE, np.float32)
    packed = PackedTree(
        kept,
        kept.view(np.int32),
        aligned(blocks[-1] * width * LANES, np.float64),
        np.zeros(blocks[-1] * LANES, np.int32),
        frame,
        width,
    )
    attach(packed, links, np.empty(0, np.int32), 0, 0, words)
    for part, node, block in zip(subtrees, nodes, blocks, strict=False):
        attach(packed, part.links, part.begins, node, block, words)
    fit(packed, shapes)
    return packed


@compiled
def make_records(rows: Any, frame: Any, first: int, last: int, records: Any, words: Any) -> None:
    """Write a record of eight float32 for each element: lo x, y, z, its index (in `words`), -hi x, y, z, 0.

    Bounds are in unit space; since hi is negated, those of two records together are the lesser of each number.
    """
    x, y, z, scale = frame[0], frame[1], frame[2], frame[3]
    for n in range(first, last):
        lx, ly, lz, hx, hy, hz = bounds_of(rows, n)
        at = n * LANES
        records[at], records[at + 1], records[at + 2] = (lx - x) * scale, (ly - y) * scale, (lz - z) * scale
        records[at + 4], records[at + 5], records[at + 6] = (x - hx) * scale, (y - hy) * scale, (z - hz) * scale
        records[at + 7] = 0
        words[at + 3] = n


@compiled
def split_root(records: Any, words: Any) -> Any:
    """Split all records into the root's children; return their ranges (q, 2), boxes and centers."""
    children = new_children()
    box = load(records, 0)
    centers = centers_of(box)
    for n in range(records.size // LANES):
        record = load(records, n * LANES)
        box, centers = lesser(box, record), lesser(centers, centers_of(record))
    store(children.boxes, 0, box)
    store(children.centers, 0, centers)
    children.ranges[0, 1] = records.size // LANES
    size = branch(records, children)
    return children.ranges[:size].copy(), children.boxes, children.centers


@compiled
def grow(records: Any, first: int, last: int, box: Any, centers: Any, links: Any, begins: Any) -> tuple[int, int]:
    """Build the subtree over some records, given their bounds; return its numbers of nodes and blocks.

    Writes the links of each node's children (8 a node), nodes and blocks counted from 0, and the record at which
    each block begins. A node comes before its children.
    """
    children = new_children()
    # Of each waiting node: index, depth, begin and end, and the bounds.
    waiting, bounds = np.empty((STACK, 4), np.int64), np.empty(STACK * 2 * LANES, np.float32)
    _wait(waiting, bounds, 0, 0, 0, first, last, load(box, 0), load(centers, 0))
    top, nodes, blocks = 1, 1, 0
    while top > 0:
        top -= 1
        node, depth = waiting[top, 0], waiting[top, 1]
        children.ranges[0, 0], children.ranges[0, 1] = waiting[top, 2], waiting[top, 3]
        store(children.boxes, 0, load(bounds, 2 * top * LANES))
        middle = load(bounds, (2 * top + 1) * LANES)
        store(children.centers, 0, middle if depth < DEPTH else middle * np.float32(0))
        size = branch(records, children)
        for k in range(LANES):
            begin, end = children.ranges[k, 0], children.ranges[k, 1]
            link = NONE
            if k < size and end - begin <= LANES:
                link = ~(blocks * LANES + end - begin - 1)
                begins[blocks] = begin
                blocks += 1
            elif k < size:
                link = nodes
                own, own_centers = load(children.boxes, k * LANES), load(children.centers, k * LANES)
                _wait(waiting, bounds, top, nodes, depth + 1, begin, end, own, own_centers)
                nodes += 1
                top += 1
            links[node * LANES + k] = link
    return nodes, blocks


@inlined
def _wait(
    waiting: Any, bounds: Any, top: int, node: int, depth: int, begin: int, end: int, box: Any, centers: Any
) -> None:
    waiting[top, 0], waiting[top, 1], waiting[top, 2], waiting[top, 3] = node, depth, begin, end
    store(bounds, 2 * top * LANES, box)
    store(bounds, (2 * top + 1) * LANES, centers)


@compiled
def attach(tree: Any, links: Any, begins: Any, node: int, block: int, words: Any) -> None:
    """Copy a subtree into the tree, its nodes counted from `node` and its blocks from `block`; write their ids."""
    for child in range(links.size):
        link = links[child]
        if link >= 0:
            link += node
        elif link != NONE:
            begin = begins[~link >> 3]
            link -= block * LANES
            for k in range((~link & 7) + 1):
                tree.ids[(~link >> 3) * LANES + k] = words[(begin + k) * LANES + 3]
        tree.links[(node + child // LANES) * NODE + LINKS + child % LANES] = link

"""The building of a tree: the root's children on one thread, the subtrees below them on all threads."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry import threads
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.bvh import split
from hitscope.geometry.bvh.bounds import CHUNK, each_bounds, fit
from hitscope.geometry.bvh.packed_tree import DEPTH, LINKS, NODE, NONE, STACK, PackedTree, aligned, places
from hitscope.geometry.bvh.split import branch, centers_of, children_in
from hitscope.geometry.compiled import compiled
from hitscope.geometry.lanes import LANES, address, get, inlined, lesser, load, put, store


class Subtree(NamedTuple):
    """The links of a subtree's nodes (8 a node), counted from 0, and the record at which each block begins."""

    links: NDArray[np.int32]
    begins: NDArray[np.int32]


def build(shapes: Shapes, frame: NDArray[np.float64]) -> PackedTree:
    """Return the tree over shapes, of which there is at least one."""
    n, width = len(shapes), len(shapes.rows)
    records = aligned(n * LANES, np.float32)
    table = records.reshape(-1, LANES)
    threads.each_part(n, lambda first, last: _write_records(shapes, frame, first, last, table))
    memory, none, nothing = aligned(MEMORY, np.float64), np.empty(0, np.int32), np.empty(LANES, np.float32)
    size, _ = grow(records, 0, n, nothing, nothing, none, none, memory, True)
    ranges = memory[split.RANGES_AT :].view(np.int64)[: 2 * size].reshape(-1, 2)
    boxes, centers = (memory[at:].view(np.float32) for at in (split.BOXES_AT, split.CENTERS_AT))

    def subtree(k: int) -> Subtree:
        first, last = ranges[k].tolist()
        links, begins = np.empty((last - first) * LANES, np.int32), np.empty(last - first, np.int32)
        own = slice(k * LANES, (k + 1) * LANES)
        working = aligned(MEMORY, np.float64)
        nodes, blocks = grow(records, first, last, boxes[own], centers[own], links, begins, working, False)
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
        kept, aligned(blocks[-1] * width * LANES, np.float64), np.empty(blocks[-1] * LANES, np.int32), frame, width
    )
    indices = table.view(np.int32)[:, 3]
    _attach(packed, Subtree(links, none), 0, 0, indices)
    for part, node, block in zip(subtrees, nodes, blocks, strict=False):
        _attach(packed, part, node, block, indices)
    fit(packed, shapes)
    return packed


def _write_records(
    shapes: Shapes, frame: NDArray[np.float64], first: int, last: int, records: NDArray[np.float32]
) -> None:
    """Write a record of eight float32 for each element: lo x, y, z, its index (an int32), -hi x, y, z, 0.

    Bounds are in unit space; since hi is negated, those of two records together are the lesser of each number.
    """
    center, scale = frame[:3, np.newaxis], frame[3]
    for start in range(first, last, CHUNK):
        stop = min(start + CHUNK, last)
        bounds, own = each_bounds(shapes.rows[:, start:stop]), records[start:stop]
        own[:, :3] = ((bounds[:3] - center) * scale).T
        own[:, 4:7] = ((center - bounds[3:]) * scale).T
        own[:, 7] = 0
        own.view(np.int32)[:, 3] = np.arange(start, stop)


WAITING_AT, BOUNDS_AT, MEMORY = places(split.MEMORY, 4 * STACK, STACK * LANES)[1:]
"""The working memory for growing a subtree: after that for splitting."""


@compiled
def grow(
    numbers: Any, first: int, last: int, box: Any, centers: Any, links: Any, begins: Any, memory: Any, root: bool
) -> tuple[int, int]:
    """Build the subtree over some records, given their bounds; return its numbers of nodes and blocks.

    Writes the links of each node's children (8 a node), nodes and blocks counted from 0, and the record at which
    each block begins. A node comes before its children. With `root` it computes the bounds, splits all records
    into the root's children in working memory and returns their number: code for that alone would compile as long.
    """
    children, records = children_in(memory), address(numbers, 0, np.float32)
    links_at, begins_at = address(links, 0, np.int32), address(begins, 0, np.int32)
    # Of each waiting node: index, depth, begin and end, and the bounds.
    waiting, bounds = address(memory, WAITING_AT, np.int64), address(memory, BOUNDS_AT, np.float32)
    own, own_centers = load(box, 0), load(centers, 0)
    if root:
        own = load(records, first * LANES)
        own_centers = centers_of(own)
        for n in range(first, last):
            record = load(records, n * LANES)
            own, own_centers = lesser(own, record), lesser(own_centers, centers_of(record))
    _wait(waiting, bounds, 0, 0, 0, first, last, own, own_centers)
    top, nodes, blocks = 1, 1, 0
    while top > 0:
        top -= 1
        node, depth = get(waiting, 4 * top), get(waiting, 4 * top + 1)
        put(children.ranges, 0, get(waiting, 4 * top + 2))
        put(children.ranges, 1, get(waiting, 4 * top + 3))
        store(children.boxes, 0, load(bounds, 2 * top * LANES))
        middle = load(bounds, (2 * top + 1) * LANES)
        store(children.centers, 0, middle if depth < DEPTH else middle * np.float32(0))
        size = branch(records, children)
        if root:
            return size, 0
        for k in range(LANES):
            link = np.int32(NONE)
            if k < size:
                begin, end = get(children.ranges, 2 * k), get(children.ranges, 2 * k + 1)
                if end - begin <= LANES:
                    link = np.int32(~(blocks * LANES + end - begin - 1))
                    put(begins_at, blocks, np.int32(begin))
                    blocks += 1
                else:
                    link = np.int32(nodes)
                    own, own_centers = load(children.boxes, k * LANES), load(children.centers, k * LANES)
                    _wait(waiting, bounds, top, nodes, depth + 1, begin, end, own, own_centers)
                    nodes += 1
                    top += 1
            put(links_at, node * LANES + k, link)
    return nodes, blocks


@inlined
def _wait(
    waiting: Any, bounds: Any, top: int, node: int, depth: int, begin: int, end: int, box: Any, centers: Any
) -> None:
    put(waiting, 4 * top, node)
    put(waiting, 4 * top + 1, depth)
    put(waiting, 4 * top + 2, begin)
    put(waiting, 4 * top + 3, end)
    store(bounds, 2 * top * LANES, box)
    store(bounds, (2 * top + 1) * LANES, centers)


def _attach(packed: PackedTree, part: Subtree, node: int, block: int, indices: NDArray[np.int32]) -> None:
    """Copy a subtree into the tree, its nodes counted from `node` and its blocks from `block`; write their ids.

    `indices` are those of the elements in the order of the records.
    """
    links, begins = part
    is_block = (links < 0) & (links != NONE)
    last = np.empty(begins.size, np.int32)
    last[~links[is_block] >> 3] = ~links[is_block] & 7
    lanes = np.arange(LANES, dtype=np.int32)
    elements = indices[begins[:, np.newaxis] + np.minimum(lanes, last[:, np.newaxis])]
    packed.ids[block * LANES : (block + begins.size) * LANES] = elements.ravel()
    own = packed.links.reshape(-1, NODE)[node : node + links.size // LANES, LINKS : LINKS + LANES]
    moved = np.where(links >= 0, links + node, np.where(is_block, links - block * LANES, links))
    own[:] = moved.reshape(-1, LANES)

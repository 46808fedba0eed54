"""Searches of a tree: all elements that each probe hits, or whether any; those near a body; the boxes entered."""

from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Shapes
from hitscope.geometry.bvh.packed_tree import LINKS, NODE, NONE, STACK, PackedTree, addresses, aligned, places
from hitscope.geometry.bvh.probes import (
    DOUBLES,
    PAD,
    SINGLES,
    Bundle,
    Order,
    block_probe,
    bundle_of,
    in_memory,
    prepare,
    reach_to,
    single,
)
from hitscope.geometry.bvh.traversal import OUT_OF_RANGE, push_all, signs_of, slabs, test_block, with_room
from hitscope.geometry.compiled import compiled
from hitscope.geometry.exact.linear_blocks import LATEST
from hitscope.geometry.exact.pair_kernels import HIT, MISS, UNSURE
from hitscope.geometry.exact.sets import radius_of
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.lanes import LANES, address, first_bit, get, inlined, load, put
from hitscope.geometry.shapes import Cast, Segment, Shape, Sphere, Vec3
from hitscope.geometry.traits import bounds_of
from hitscope.geometry.vector import subtract

LARGEST_EXTENT = 64.0
"""The size in unit space from which a body that moves is near to all elements, or its whole way is searched."""


@inlined
def _next_block(tree: Any, singles: Any, k: int, signs: int, reach: Any, stack: Any, top: int) -> tuple[Any, int]:
    """Return the link of the next block that probe k enters, 0 if none is left, and the stack's new top."""
    while top > 0:
        top -= 1
        link = get(stack, top)
        if link < 0:
            return link, top
        _, mask = slabs(tree.nodes, link, singles, k, signs, reach)
        top = push_all(tree.links, link, mask, stack, top)
    return np.int32(0), 0


DOUBLES_AT, FOUND_AT, GATHERED_AT, SINGLES_AT, STACK_AT, MEMORY = places(
    *(DOUBLES, 2 * LANES, 6 * LANES, SINGLES // 2, STACK // 2 + 1)
)
"""The working memory of a search, in float64."""


def working_memory() -> NDArray[np.float64]:
    """Return the memory that a search works in, for one thread at a time."""
    return aligned(MEMORY, np.float64)


@compiled
def collect(packed: Any, given: Any, first: int, last: int, memory: Any, limits: Any, counts: Any) -> Any:
    """Return 2 * element + (1 if unsure) for the elements that each probe hits at t up to its limit, ascending.

    Writes their number for each probe into `counts`, -1 for a probe out of range.
    """
    tree, bundle = addresses(packed), in_memory(given)
    order = Order(address(memory, 0, np.int64), False, 0)
    singles, doubles = address(memory, SINGLES_AT, np.float32), address(memory, DOUBLES_AT, np.float64)
    found, gathered = address(memory, FOUND_AT, np.float64), address(memory, GATHERED_AT, np.float64)
    stack = address(memory, STACK_AT, np.int32)
    codes, size = np.empty(1024, np.int32), 0
    for n in range(first, last):
        k = (n - first) % LANES
        if k == 0:
            end = n + LANES if n + LANES < last else last
            prepare(tree.frame, bundle, order, n, end, gathered, singles, doubles)
        start, limit, whole = size, limits[n], single(singles, 9, k)
        signs, reach = signs_of(singles, k), reach_to(doubles, singles, k, limit)
        probe = block_probe(doubles, k, bundle)
        put(stack, 0, np.int32(0))
        top = 1 if whole >= 0 else 0
        while True:
            link, top = _next_block(tree, singles, k, signs, reach, stack, top)
            if link == 0:
                break
            hit, unsure = test_block(tree, link, probe, limit, found)
            codes = with_room(codes, size)
            either = hit | unsure
            while either != 0:
                lane = first_bit(either)
                either &= either - 1
                codes[size] = 2 * get(tree.ids, (~link >> 3) * LANES + lane) + (unsure >> lane & 1)
                size += 1
        if size > start + 1:
            codes[start:size].sort()
        counts[n] = -1 if np.isnan(whole) else size - start
    return codes[:size].copy()


@compiled
def touch(
    packed: Any, given: Any, first: int, last: int, memory: Any, first_only: bool, marks: Any, state: Any
) -> Any:
    """Mark the elements that a probe surely hits, write each probe's state, and return the unsure pairs.

    A pair is probe << 32 | element. With `first_only` a probe ends at its first hit, and only `state` is written.
    """
    tree, bundle = addresses(packed), in_memory(given)
    order = Order(address(memory, 0, np.int64), False, 0)
    singles, doubles = address(memory, SINGLES_AT, np.float32), address(memory, DOUBLES_AT, np.float64)
    found, gathered = address(memory, FOUND_AT, np.float64), address(memory, GATHERED_AT, np.float64)
    stack = address(memory, STACK_AT, np.int32)
    pairs, size = np.empty(64, np.int64), 0
    for n in range(first, last):
        k = (n - first) % LANES
        if k == 0:
            end = n + LANES if n + LANES < last else last
            prepare(tree.frame, bundle, order, n, end, gathered, singles, doubles)
        signs, reach = signs_of(singles, k), single(singles, 9, k)
        probe = block_probe(doubles, k, bundle)
        verdict = OUT_OF_RANGE if np.isnan(reach) else MISS
        put(stack, 0, np.int32(0))
        top = 1 if reach >= 0 else 0
        while True:
            link, top = _next_block(tree, singles, k, signs, reach, stack, top)
            if link == 0:
                break
            hit, unsure = test_block(tree, link, probe, LATEST, found)
            if hit != 0:
                verdict = HIT
            elif unsure != 0 and verdict == MISS:
                verdict = UNSURE
            if first_only:
                top = 0 if verdict == HIT else top
                continue
            while hit != 0:
                marks[get(tree.ids, (~link >> 3) * LANES + first_bit(hit))] = True
                hit &= hit - 1
            pairs = with_room(pairs, size)
            while unsure != 0:
                pairs[size] = n << 32 | get(tree.ids, (~link >> 3) * LANES + first_bit(unsure))
                unsure &= unsure - 1
                size += 1
        state[n] = verdict
    return pairs[:size].copy()


def near_elements(packed: PackedTree, probe: Shape, most: int) -> NDArray[np.int32] | None:
    """Return the elements, ascending, of all blocks whose bounds meet a probe's; None if more than `most`.

    Those of a cast move along its motion, and those of a body around two points from one to the other.
    """
    points, found = KINDS[type(probe)].points(probe), None
    if isinstance(probe, Cast):
        found = _along(packed, probe.inner, probe[-1], most)
    elif len(points) == 2:
        ball = Sphere._make((points[0], float(radius_of(probe))))
        found = _along(packed, ball, subtract(points[1], points[0]), most)
    if found is None:
        center, scale = packed.frame[:3], packed.frame[3]
        with np.errstate(over="ignore", invalid="ignore"):
            lo, hi = ((side - center) * scale for side in bounds_of(probe))
            pad = PAD + max(np.abs(lo).max(), np.abs(hi).max()) * 2.0**-50
            lo, hi = np.nan_to_num(lo - pad, nan=-inf), np.nan_to_num(hi + pad, nan=inf)
            found = overlap(packed, lo.astype(np.float32), hi.astype(np.float32), most)
    return np.sort(found) if found.size <= most else None


def _along(packed: PackedTree, body: Shape, way: Vec3, most: int) -> NDArray[np.int32] | None:
    """Return the elements of all blocks that a moving body's bounds meet, some if more than `most`.

    None if the body is too far away, or too large, to move in unit space.
    """
    lo, hi = bounds_of(body)
    with np.errstate(over="ignore", invalid="ignore"):
        middle = lo / 2 + hi / 2
        end = middle + way
        sizes = np.maximum(hi - middle, middle - lo) + (np.abs(middle) + np.abs(end) + np.abs(hi)) * 2.0**-50
        extent = float(sizes.max()) * packed.frame[3]
    if not (extent < LARGEST_EXTENT and np.isfinite(end).all()):
        return None
    bundle = bundle_of(Shapes(Segment, np.concatenate((middle, end)).reshape(-1, 1)))
    found: NDArray[np.int32] = sweep(packed, bundle, working_memory(), extent, most)
    return None if found.size == 1 and found[0] < 0 else found


@compiled
def sweep(packed: Any, given: Any, memory: Any, extent: float, most: int) -> Any:
    """Return the elements of the blocks, larger by `extent`, that a segment enters; -1 if it is out of range."""
    tree, bundle = addresses(packed), in_memory(given)
    order = Order(address(memory, 0, np.int64), False, 0)
    singles, doubles = address(memory, SINGLES_AT, np.float32), address(memory, DOUBLES_AT, np.float64)
    gathered, stack = address(memory, GATHERED_AT, np.float64), address(memory, STACK_AT, np.int32)
    found, size, top = np.empty(1024, np.int32), 0, 1
    prepare(tree.frame, bundle, order, 0, 1, gathered, singles, doubles, extent)
    reach, signs = single(singles, 9, 0), signs_of(singles, 0)
    put(stack, 0, np.int32(0))
    if np.isnan(reach):
        found[0], size = -1, 1
    while reach >= 0 and size <= most:
        link, top = _next_block(tree, singles, 0, signs, reach, stack, top)
        if link == 0:
            break
        found, size = _with_block(tree, link, found, size)
    return found[:size].copy()


@inlined
def _with_block(tree: Any, link: int, found: Any, size: int) -> tuple[Any, int]:
    """Append a block's elements to an array of `size` numbers in use; return it and its new size."""
    found, count = with_room(found, size), (~link & 7) + 1
    for k in range(count):
        found[size + k] = get(tree.ids, (~link >> 3) * LANES + k)
    return found, size + count


@compiled
def overlap(packed: Any, lo: Any, hi: Any, most: int) -> Any:
    """Return the elements of all blocks whose bounds meet a box in unit space; some if more than `most`."""
    tree = addresses(packed)
    stack, top = np.zeros(STACK, np.int32), 1
    found, size = np.empty(1024, np.int32), 0
    while top > 0 and size <= most:
        top -= 1
        link = stack[top]
        if link < 0:
            found, size = _with_block(tree, link, found, size)
            continue
        mask: Any = np.int32(255)
        for axis in range(3):
            low = load(tree.nodes, link * NODE + 2 * axis * LANES)
            high = load(tree.nodes, link * NODE + (2 * axis + 1) * LANES)
            # A child that does not exist has low > high.
            mask &= (low <= hi[axis]) & (high > lo[axis]) & (low <= high)
        top = push_all(tree.links, link, mask, stack, top)
    return found[:size].copy()


def levels_of(packed: PackedTree, bundle: Bundle | None = None) -> list[NDArray[np.float64]]:
    """Return the boxes (q, 2, 3), lo and hi, of each level, from the root down to the last blocks.

    With a bundle those that a search for all hits of its first probe enters.
    """
    # By 8 * node + child.
    entered = np.full(packed.links.size, bundle is None)
    if bundle is not None:
        entered[visit(packed, bundle, working_memory())] = True
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
def visit(packed: Any, given: Any, memory: Any) -> Any:
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

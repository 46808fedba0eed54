"""The element that each probe enters first.

Probes that are unlike their neighbours are sorted (`probe_order`) and traversed in turns, sixteen at once: while
one waits for memory, others go on. Of many that are alike, eight that run the same way are a packet, each in its
lane of the tests of nodes, which is traversed as one (Wald et al. 2001). t has a bound of its error; if two
elements could be the first, the probe is left unsure.
"""

from math import inf, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.bvh.packed_tree import LINKS, NODE, STACK, PackedTree, addresses, aligned, places
from hitscope.geometry.bvh.probe_order import SORTED_FROM, arranged
from hitscope.geometry.bvh.probes import (
    DOUBLES,
    SINGLES,
    Bundle,
    Order,
    block_probe,
    in_memory,
    prepare,
    probe_at,
    reach_to,
    single,
)
from hitscope.geometry.bvh.traversal import OUT_OF_RANGE, signs_of, slabs, test_block
from hitscope.geometry.compiled import compiled
from hitscope.geometry.exact.linear_blocks import LATEST, RELATIVE_REFINED, SLACK, Precision, has_radius, refine
from hitscope.geometry.exact.pair_kernels import HIT, UNSURE
from hitscope.geometry.lanes import (
    LANES,
    address,
    choose,
    first_bit,
    get,
    greater,
    inlined,
    lesser,
    load,
    magnitude,
    multiply_add,
    prefetch,
    put,
    store,
)

PREPARED = 512
"""The number of probes that are transformed into unit space at a time."""
FEW = 16
"""The number of probes up to which their working memory may begin anywhere."""
SLOTS = 16
"""The number of probes that are traversed in turns."""

DOUBLES_AT, GATHERED_AT, FOUND_AT, BLOCK_AT, TS_AT, ERRORS_AT, UNSURE_AT, SLOTS_AT = places(
    *(PREPARED // LANES * DOUBLES, 6 * LANES, 2 * LANES, 15 * LANES, PREPARED, PREPARED, PREPARED)
)
PROBES_AT, TOPS_AT, SIGNS_AT, HALVES_AT = places(SLOTS, SLOTS, SLOTS, first=SLOTS_AT)
# Of numbers of half the size there are half as many:
SINGLES_AT, BESTS_AT, STACK_AT, DEPTHS_AT, DISTANCES_AT, LINKS_AT, REACHES_AT, NEARS_AT, MEMORY = places(
    *(PREPARED // LANES * SINGLES // 2, PREPARED // 2, SLOTS * STACK // 2, SLOTS * STACK // 2),
    *(LANES // 2, SLOTS // 2, SLOTS // 2, STACK * LANES // 2),
    first=HALVES_AT,
)
"""The working memory, in float64."""


def closest(
    packed: PackedTree,
    bundle: Bundle,
    first: int,
    last: int,
    element: NDArray[np.int64],
    t: NDArray[np.float64],
    state: NDArray[np.int8],
) -> None:
    """Write the closest element (-1 for none), its t (NaN for none) and a state for probes `first` to `last`.

    The state is HIT if both are certain; UNSURE if they are not, then t is an upper bound of the right t and the
    element is undefined; or OUT_OF_RANGE, then both are undefined.
    """
    order = arranged(packed.frame, bundle, first, last)
    # To find an aligned address takes longer than a few probes.
    memory = aligned(MEMORY, np.float64) if last - first > FEW else np.empty(MEMORY)
    search(packed, bundle, first, last, order, memory, element, t, state)


@compiled
def search(
    packed: Any, given: Any, first: int, last: int, indices: Any, memory: Any, element: Any, t: Any, state: Any
) -> None:
    """Write the same, given the indices of the probes in their order, none if that is as they come."""
    tree, bundle = addresses(packed), in_memory(given)
    order = Order(address(indices, 0, np.int64), indices.size > 0, first)
    stack, depths = address(memory, STACK_AT, np.int32), address(memory, DEPTHS_AT, np.float32)
    distances, found = address(memory, DISTANCES_AT, np.float32), address(memory, FOUND_AT, np.float64)
    block, gathered = address(memory, BLOCK_AT, np.float64), address(memory, GATHERED_AT, np.float64)
    singles, doubles = address(memory, SINGLES_AT, np.float32), address(memory, DOUBLES_AT, np.float64)
    # Of each slot: its probe or -1, the next link to visit, the top of its stack, its signs and reach.
    probes, links = address(memory, PROBES_AT, np.int64), address(memory, LINKS_AT, np.int32)
    tops, signs = address(memory, TOPS_AT, np.int64), address(memory, SIGNS_AT, np.int64)
    reaches = address(memory, REACHES_AT, np.float32)
    # Of each entry of a packet's stack: the tau at which each of its probes enters, infinite where it does not.
    nears = address(memory, NEARS_AT, np.float32)
    # Of each prepared probe: the closest element so far, as its index in the blocks, its t and the error of t, and
    # the least t at which an unsure element may be.
    bests, ts = address(memory, BESTS_AT, np.int32), address(memory, TS_AT, np.float64)
    errors, unsure_ts = address(memory, ERRORS_AT, np.float64), address(memory, UNSURE_AT, np.float64)
    slots = SLOTS if order.sorted else 1
    packets, packet, lanes = not order.sorted and last - first >= SORTED_FROM, False, np.int32(1)
    for slot in range(slots):
        put(probes, slot, -1)
    for begin in range(0, last - first, PREPARED):
        size = last - first - begin
        size = size if size < PREPARED else PREPARED
        prepare(tree.frame, bundle, order, begin, begin + size, gathered, singles, doubles)
        for n in range((size + LANES - 1) // LANES * LANES):
            put(bests, n, np.int32(-1))
            put(ts, n, LATEST)
            put(errors, n, 0.0)
            put(unsure_ts, n, inf)
        waiting, slot, idle = 0, 0, 0
        while idle < slots:
            slot = slot + 1 if slot + 1 < slots else 0
            n = get(probes, slot)
            if n < 0:
                while waiting < size and not single(singles, 9, waiting) >= 0:
                    waiting += 1
                if waiting >= size:
                    idle += 1
                    continue
                n = waiting
                waiting += 1
                packet = packets and _run_alike(singles, n)
                if packet:
                    n = n // LANES * LANES
                    waiting = n + LANES
                    store(reaches, 0, load(singles, n // LANES * SINGLES + 72))
                else:
                    put(reaches, slot, single(singles, 9, n))
                lanes = np.int32(1)
                put(probes, slot, n)
                put(links, slot, np.int32(0))
                put(tops, slot, slot * STACK)
                put(signs, slot, signs_of(singles, n))
            idle = 0
            link, top, sign, reach = get(links, slot), get(tops, slot), get(signs, slot), get(reaches, slot)
            while True:
                mask: Any = np.int32(0)
                if link >= 0 and packet:
                    top = _push_packet(tree, link, singles, n, sign, reaches, nears, depths, stack, top)
                elif link >= 0:
                    near, mask = slabs(tree.nodes, link, singles, n, sign, reach)
                    if mask != 0:
                        link, top = push_far(tree.links, link, mask, near, distances, stack, depths, top)
                else:
                    while lanes != 0:
                        k = first_bit(lanes)
                        lanes &= lanes - 1
                        own = n + k
                        probe = block_probe(doubles, own, bundle)
                        best, best_t = get(bests, own), get(ts, own)
                        error, unsure_t = get(errors, own), get(unsure_ts, own)
                        hit, unsure = test_block(tree, link, probe, best_t + error, found)
                        if hit | unsure != 0:
                            before = best, best_t, error, unsure_t
                            best, best_t, error, unsure_t = closer(tree, link, hit, unsure, found, before)
                            put(bests, own, best)
                            put(ts, own, best_t)
                            put(errors, own, error)
                            put(unsure_ts, own, unsure_t)
                            reach = reach_to(doubles, singles, own, best_t + error)
                            put(reaches, slot + k, reach)
                    lanes = np.int32(1)
                if packet:
                    lanes = np.int32(0)
                    while top > 0 and lanes == 0:
                        top -= 1
                        lanes = load(nears, top * LANES) <= load(reaches, 0)
                    if lanes == 0:
                        put(probes, slot, -1)
                        break
                    link = get(stack, top)
                elif mask == 0:
                    while top > slot * STACK and get(depths, top - 1) > reach:
                        top -= 1
                    if top == slot * STACK:
                        put(probes, slot, -1)
                        break
                    top -= 1
                    link = get(stack, top)
                if slots > 1:
                    _prefetch(tree, link)
                    put(links, slot, link)
                    put(tops, slot, top)
                    break
        for n in range(0, size, LANES):
            sure = _refined(tree, doubles, n, bests, load(ts, n), load(errors, n), block, found)
            for k in range(n, n + LANES if n + LANES < size else size):
                index = probe_at(order, begin + k)
                best, limit, reach = get(bests, k), get(ts, k) + get(errors, k), single(singles, 9, k)
                certain = get(unsure_ts, k) > limit and (best < 0 or sure >> (k & 7) & 1 != 0)
                verdict = (HIT if reach == reach else OUT_OF_RANGE) if certain else UNSURE  # noqa: PLR0124
                put(state, index, np.int8(verdict))
                put(element, index, np.int64(get(tree.ids, best) if best >= 0 else -1))
                put(t, index, (get(found, k & 7) if best >= 0 else nan) if certain else limit)


@inlined
def _run_alike(singles: Any, n: int) -> bool:
    """Whether all of the eight prepared probes around probe n have the same near planes."""
    at, zero = n // LANES * SINGLES, np.float32(0)
    x, y, z = load(singles, at) > zero, load(singles, at + 8) > zero, load(singles, at + 16) > zero
    # A mask of none or all of the lanes is 0 or 255.
    return bool(x % 255 == 0 and y % 255 == 0 and z % 255 == 0)


@inlined
def _push_packet(
    tree: Any,
    node: int,
    singles: Any,
    n: int,
    signs: int,
    reaches: Any,
    nears: Any,
    depths: Any,
    stack: Any,
    top: int,
) -> int:
    """Push the children that a packet enters, by the depth of its first probe, farthest first; return the new top.

    The test is that of `slabs`, with the probes n to n + 7 in the lanes.
    """
    nodes, at, bottom = tree.nodes, n // LANES * SINGLES, top
    x, y, z = node * NODE + (signs & 255), node * NODE + (signs >> 8 & 255), node * NODE + (signs >> 16)
    ix, iy, iz, reach = load(singles, at), load(singles, at + 8), load(singles, at + 16), load(reaches, 0)
    for k in range(LANES):
        near_x = multiply_add(get(nodes, x + k), ix, load(singles, at + 24))
        near_y = multiply_add(get(nodes, y + k), iy, load(singles, at + 32))
        near_z = multiply_add(get(nodes, z + k), iz, load(singles, at + 40))
        far_x = multiply_add(get(nodes, (x ^ 8) + k), ix, load(singles, at + 48))
        far_y = multiply_add(get(nodes, (y ^ 8) + k), iy, load(singles, at + 56))
        far_z = multiply_add(get(nodes, (z ^ 8) + k), iz, load(singles, at + 64))
        near = greater(greater(near_x, near_y), greater(near_z, np.float32(0)))
        mask = near <= lesser(lesser(far_x, far_y), lesser(far_z, reach))
        if mask == 0:
            continue
        link, slot = get(tree.links, node * NODE + LINKS + k), top
        _prefetch(tree, link)
        store(nears, top * LANES, near)
        depth = get(nears, top * LANES + first_bit(mask))
        while slot > bottom and get(depths, slot - 1) < depth:
            put(depths, slot, get(depths, slot - 1))
            put(stack, slot, get(stack, slot - 1))
            store(nears, slot * LANES, load(nears, (slot - 1) * LANES))
            slot -= 1
        put(depths, slot, depth)
        put(stack, slot, link)
        store(nears, slot * LANES, choose(mask, near, np.float32(inf)))
        top += 1
    return top


@inlined
def push_far(
    links: Any, node: int, mask: Any, near: Any, distances: Any, stack: Any, depths: Any, top: int
) -> tuple[Any, int]:
    """Return the nearest child in a mask and the stack's new top, after pushing the others, farthest first."""
    k, rest = first_bit(mask), mask & (mask - 1)
    children = node * NODE + LINKS
    link = get(links, children + k)
    if rest == 0:
        return link, top
    store(distances, 0, near)
    nearest, bottom = get(distances, k), top
    while rest != 0:
        k = first_bit(rest)
        rest &= rest - 1
        other, distance = get(links, children + k), get(distances, k)
        swap = distance < nearest
        farther, far_link = nearest if swap else distance, link if swap else other
        nearest, link = distance if swap else nearest, other if swap else link
        slot = top
        while slot > bottom and get(depths, slot - 1) < farther:
            put(depths, slot, get(depths, slot - 1))
            put(stack, slot, get(stack, slot - 1))
            slot -= 1
        put(depths, slot, farther)
        put(stack, slot, far_link)
        top += 1
    return link, top


@inlined
def _prefetch(tree: Any, link: int) -> None:
    """Prefetch the memory of a node or a block."""
    if link >= 0:
        for k in range(0, NODE, 16):
            prefetch(tree.nodes, link * NODE + k)
    else:
        for row in range(tree.width):
            prefetch(tree.blocks, ((~link >> 3) * tree.width + row) * LANES)


@inlined
def closer(tree: Any, link: int, hit: int, unsure: int, found: Any, before: Any) -> Any:
    """Return the closest element (its index in the blocks), its t, the error of t, and the least t of unsure ones.

    They are those before, or of a block's hits and unsure elements.
    """
    best, best_t, best_error, unsure_t = before
    while unsure != 0:
        k = first_bit(unsure)
        unsure &= unsure - 1
        low = get(found, k) - get(found, k + LANES)
        # An unknown t makes this NaN.
        unsure_t = unsure_t if low >= unsure_t else (low if low < unsure_t else -inf)
    while hit != 0:
        k = first_bit(hit)
        hit &= hit - 1
        t, error, limit = get(found, k), get(found, k + LANES), best_t + best_error
        new = np.int32((~link >> 3) * LANES + k)
        if t - error > limit:
            continue
        if t + error < best_t - best_error:
            best, best_t, best_error = new, t, error
        elif error == 0 and best_error == 0 and t == best_t:
            best = new if get(tree.ids, new) < get(tree.ids, best) else best
        else:
            unsure_t = lesser(best_t - best_error, lesser(t - error, unsure_t))
            if t + error < limit:
                best, best_t, best_error = new, t, error
    return best, best_t, best_error, unsure_t


@inlined
def _refined(tree: Any, doubles: Any, n: int, bests: Any, ts: Any, errors: Any, block: Any, found: Any) -> Any:
    """Write the refined t of eight probes that hit into `found`; return the mask of those right within an ulp."""
    any_hit = np.int32(-1)
    for k in range(LANES):
        best = get(bests, n + k)
        any_hit = best if best > any_hit else any_hit
    if any_hit < 0:
        return np.int32(0)
    if has_radius(tree.width):
        # The t at which round shapes are entered are roots, known only of a probe that starts within one.
        store(found, 0, ts)
        return errors <= 0.0
    for k in range(LANES):
        best = get(bests, n + k)
        best = best if best > 0 else np.int32(0)
        base = (best >> 3) * tree.width * LANES + (best & 7)
        for row in range(tree.width):
            put(block, row * LANES + k, get(tree.blocks, base + row * LANES))
    return refined(tree.width, block, doubles, n // LANES * DOUBLES, ts, errors, found)


@inlined
def refined(width: int, block: Any, doubles: Any, at: int, ts: Any, errors: Any, found: Any) -> Any:
    """Write the t of eight prepared probes, whose numbers begin at `at`, and the elements of a block into `found`.

    Return the mask of those right within an ulp, and within the errors of the t known before.
    """
    origin = load(doubles, at), load(doubles, at + 8), load(doubles, at + 16)
    dx, dy, dz = load(doubles, at + 24), load(doubles, at + 32), load(doubles, at + 40)
    lx, ly, lz = load(doubles, at + 48), load(doubles, at + 56), load(doubles, at + 64)
    absolute = load(doubles, at + 104)
    precision = Precision(absolute * 0.0 + RELATIVE_REFINED, absolute * 8.0)
    sure = refine(width, block, origin, ((dx, lx), (dy, ly), (dz, lz)), 0.0, precision, found)
    return sure & (magnitude(load(found, 0) - ts) <= errors * SLACK)

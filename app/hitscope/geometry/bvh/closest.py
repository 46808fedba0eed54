"""The element that each probe enters first.

Probes that are unlike their neighbours are sorted (`probe_order`) and traversed in turns, sixteen at once: while
one waits for memory, others go on. t has a bound of its error; if two elements could be the first, the probe is
left unsure.
"""

from math import inf, nan
from typing import Any

import numpy as np

from hitscope.geometry.bvh.packed_tree import LINKS, NODE, STACK
from hitscope.geometry.bvh.probe_order import arranged
from hitscope.geometry.bvh.probes import DOUBLES, SINGLES, block_probe, prepare, probe_at, reach_to, single
from hitscope.geometry.bvh.traversal import OUT_OF_RANGE, signs_of, slabs, test_block
from hitscope.geometry.compiled import compiled
from hitscope.geometry.exact.linear_blocks import LATEST, RELATIVE_REFINED, SLACK, Precision, refine
from hitscope.geometry.exact.verdict_codes import HIT, UNSURE
from hitscope.geometry.lanes import LANES, first_bit, get, inlined, load, magnitude, prefetch, put, store

PREPARED = 512
"""The number of probes that are transformed into unit space at a time."""
SLOTS = 16
"""The number of probes that are traversed in turns."""


@compiled
def closest(tree: Any, bundle: Any, first: int, last: int, element: Any, t: Any, state: Any) -> None:
    """Write the closest element (-1 for none), its t (NaN for none) and a state for probes `first` to `last`.

    The state is HIT if both are certain; UNSURE if they are not, then t is an upper bound of the right t and the
    element is undefined; or OUT_OF_RANGE, then both are undefined.
    """
    stack, depths = np.empty(SLOTS * STACK, np.int32), np.empty(SLOTS * STACK, np.float32)
    distances, found, block = np.empty(LANES, np.float32), np.empty(2 * LANES), np.empty(15 * LANES)
    singles, doubles = np.empty(PREPARED // LANES * SINGLES, np.float32), np.empty(PREPARED // LANES * DOUBLES)
    # Of each slot: its probe or -1, the next link to visit, the top of its stack, its signs and reach.
    probes, links, tops = np.full(SLOTS, -1), np.empty(SLOTS, np.int32), np.empty(SLOTS, np.int64)
    signs, reaches = np.empty(SLOTS, np.int64), np.empty(SLOTS, np.float32)
    # Of each prepared probe: the closest element so far, as its index in the blocks, its t and the error of t, and
    # the least t at which an unsure element may be.
    bests, ts, errors, unsure_ts = (
        np.empty(PREPARED, np.int32),
        np.empty(PREPARED),
        np.empty(PREPARED),
        np.empty(PREPARED),
    )
    order = arranged(tree.frame, bundle, first, last)
    slots = SLOTS if order.size > 0 else 1
    for begin in range(0, last - first, PREPARED):
        size = min(PREPARED, last - first - begin)
        prepare(tree.frame, bundle, order, first, begin, begin + size, singles, doubles)
        bests[:], ts[:], errors[:], unsure_ts[:] = -1, LATEST, 0.0, inf
        waiting, slot, idle = 0, 0, 0
        while idle < slots:
            slot = slot + 1 if slot + 1 < slots else 0
            n = get(probes, slot)
            if n < 0:
                while waiting < size and not single(singles, 9, waiting) >= 0:
                    waiting += 1
                if waiting == size:
                    idle += 1
                    continue
                n = waiting
                waiting += 1
                put(probes, slot, n)
                put(links, slot, np.int32(0))
                put(tops, slot, slot * STACK)
                put(signs, slot, signs_of(singles, n))
                put(reaches, slot, single(singles, 9, n))
            idle = 0
            link, top, sign, reach = get(links, slot), get(tops, slot), get(signs, slot), get(reaches, slot)
            while True:
                mask: Any = np.int32(0)
                if link >= 0:
                    near, mask = slabs(tree.nodes, link, singles, n, sign, reach)
                    if mask != 0:
                        link, top = _push_far(tree.links, link, mask, near, distances, stack, depths, top)
                else:
                    probe = block_probe(doubles, n, bundle)
                    limit = get(ts, n) + get(errors, n)
                    hit, unsure = test_block(tree, link, probe, limit, found)
                    if hit | unsure != 0:
                        limit = _update(tree, link, hit, unsure, found, n, limit, bests, ts, errors, unsure_ts)
                        reach = reach_to(doubles, singles, n, limit)
                        put(reaches, slot, reach)
                if mask == 0:
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
            sure = _refined(tree, doubles, n, bests, ts, errors, block, found)
            for k in range(n, min(n + LANES, size)):
                index = probe_at(order, first, begin + k)
                best, limit, reach = get(bests, k), get(ts, k) + get(errors, k), single(singles, 9, k)
                certain = get(unsure_ts, k) > limit and (best < 0 or sure >> (k & 7) & 1 != 0)
                verdict = (OUT_OF_RANGE if np.isnan(reach) else HIT) if certain else UNSURE
                put(state, index, np.int8(verdict))
                put(element, index, np.int64(get(tree.ids, best) if best >= 0 else -1))
                put(t, index, (get(found, k & 7) if best >= 0 else nan) if certain else limit)


@inlined
def _push_far(
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
def _update(
    tree: Any,
    link: int,
    hit: int,
    unsure: int,
    found: Any,
    n: int,
    limit: float,
    bests: Any,
    ts: Any,
    errors: Any,
    unsure_ts: Any,
) -> float:
    """Update the closest element of probe n with a block's hits and unsure elements; return its new limit of t."""
    best, best_t, best_error, unsure_t = get(bests, n), get(ts, n), get(errors, n), get(unsure_ts, n)
    while unsure != 0:
        k = first_bit(unsure)
        unsure &= unsure - 1
        low = get(found, k) - get(found, k + LANES)
        # An unknown t makes this NaN.
        unsure_t = unsure_t if low >= unsure_t else (low if low < unsure_t else -inf)
    while hit != 0:
        k = first_bit(hit)
        hit &= hit - 1
        new_t, error = get(found, k), get(found, k + LANES)
        new = np.int32((~link >> 3) * LANES + k)
        if new_t - error > limit:
            continue
        if new_t + error < best_t - best_error:
            best, best_t, best_error = new, new_t, error
        elif error == 0 and best_error == 0 and new_t == best_t:
            best = new if get(tree.ids, new) < get(tree.ids, best) else best
        else:
            unsure_t = min(unsure_t, new_t - error, best_t - best_error)
            if new_t + error < limit:
                best, best_t, best_error = new, new_t, error
        limit = best_t + best_error
    put(bests, n, best)
    put(ts, n, best_t)
    put(errors, n, best_error)
    put(unsure_ts, n, unsure_t)
    return limit


@inlined
def _refined(tree: Any, doubles: Any, n: int, bests: Any, ts: Any, errors: Any, block: Any, found: Any) -> Any:
    """Write the refined t of eight probes that hit into `found`; return the mask of those right within an ulp."""
    any_hit = np.int32(-1)
    for k in range(LANES):
        best = get(bests, n + k)
        any_hit = max(any_hit, best)
        best = max(best, 0)
        base = (best >> 3) * tree.width * LANES + (best & 7)
        for row in range(tree.width):
            put(block, row * LANES + k, get(tree.blocks, base + row * LANES))
    if any_hit < 0:
        return np.int32(0)
    at = n // LANES * DOUBLES
    origin = load(doubles, at), load(doubles, at + 8), load(doubles, at + 16)
    dx, dy, dz = load(doubles, at + 24), load(doubles, at + 32), load(doubles, at + 40)
    lx, ly, lz = load(doubles, at + 48), load(doubles, at + 56), load(doubles, at + 64)
    absolute = load(doubles, at + 104)
    precision = Precision(absolute * 0.0 + RELATIVE_REFINED, absolute * 8.0)
    sure = refine(tree.width, block, origin, ((dx, lx), (dy, ly), (dz, lz)), 0.0, precision, found)
    return sure & (magnitude(load(found, 0) - load(ts, n)) <= load(errors, n) * SLACK)

"""The element that each probe enters first.

Probes whose neighbours differ are sorted (`order`) and followed in turns, sixteen at once: while memory answers
one, others go on. t is kept with a bound of its error; where two elements could be the nearest, that is left open.
"""

from math import inf, nan
from typing import Any

import numpy as np

from hitscope.geometry.bvh.packed_tree import LINKS, NODE, STACK
from hitscope.geometry.bvh.probe_order import arranged
from hitscope.geometry.bvh.probes import DOUBLES, SINGLES, block_probe, placed, prepare, reach_to, single
from hitscope.geometry.bvh.traversal import OUT_OF_RANGE, signs_of, slabs, test_block
from hitscope.geometry.compiled import compiled
from hitscope.geometry.exact.linear_blocks import LATEST, SLACK, refine
from hitscope.geometry.exact.verdict_codes import HIT, UNSURE
from hitscope.geometry.lanes import LANES, first_bit, get, inlined, load, magnitude, prefetch, put, store

PREPARED = 512
"""So many probes are brought into unit space at a time."""
SLOTS = 16
"""So many are followed in turns."""


@compiled
def closest(tree: Any, bundle: Any, first: int, last: int, element: Any, t: Any, state: Any) -> None:
    """Write of probes `first` to `last` the closest element, -1 for none, t, NaN for none, and HIT.

    Or UNSURE, where that is not certain: t is then no less than it is, and element is nothing. Or OUT_OF_RANGE.
    """
    stack, depths = np.empty(SLOTS * STACK, np.int32), np.empty(SLOTS * STACK, np.float32)
    distances, found, block = np.empty(LANES, np.float32), np.empty(2 * LANES), np.empty(15 * LANES)
    singles, doubles = np.empty(PREPARED // LANES * SINGLES, np.float32), np.empty(PREPARED // LANES * DOUBLES)
    # Of each slot: its probe or -1, the link to go on with, the height of its stack, its signs and reach.
    probes, links, tops = np.full(SLOTS, -1), np.empty(SLOTS, np.int32), np.empty(SLOTS, np.int64)
    signs, reaches = np.empty(SLOTS, np.int64), np.empty(SLOTS, np.float32)
    # Of each probe prepared: the best element, as its place in the blocks, its t and the error of that, and the
    # least t at which something may be that is not settled.
    bests, ts, errors, opens = (
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
        bests[:], ts[:], errors[:], opens[:] = -1, LATEST, 0.0, inf
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
                        limit = _take(tree, link, hit, unsure, found, n, limit, bests, ts, errors, opens)
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
                    _fetch(tree, link)
                    put(links, slot, link)
                    put(tops, slot, top)
                    break
        for n in range(0, size, LANES):
            sure = _refined(tree, doubles, n, bests, ts, errors, block, found)
            for k in range(n, min(n + LANES, size)):
                place = placed(order, first, begin + k)
                best, limit, reach = get(bests, k), get(ts, k) + get(errors, k), single(singles, 9, k)
                settled = get(opens, k) > limit and (best < 0 or sure >> (k & 7) & 1 != 0)
                verdict = (OUT_OF_RANGE if np.isnan(reach) else HIT) if settled else UNSURE
                put(state, place, np.int8(verdict))
                put(element, place, np.int64(get(tree.ids, best) if best >= 0 else -1))
                put(t, place, (get(found, k & 7) if best >= 0 else nan) if settled else limit)


@inlined
def _push_far(
    links: Any, node: int, mask: Any, near: Any, distances: Any, stack: Any, depths: Any, top: int
) -> tuple[Any, int]:
    """Give the nearest child in a mask; put the others on the stack, the farthest lowest, and give its height."""
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
        place = top
        while place > bottom and get(depths, place - 1) < farther:
            put(depths, place, get(depths, place - 1))
            put(stack, place, get(stack, place - 1))
            place -= 1
        put(depths, place, farther)
        put(stack, place, far_link)
        top += 1
    return link, top


@inlined
def _fetch(tree: Any, link: int) -> None:
    """Ask memory for a node or a block."""
    if link >= 0:
        for k in range(0, NODE, 16):
            prefetch(tree.nodes, link * NODE + k)
    else:
        for row in range(tree.width):
            prefetch(tree.blocks, ((~link >> 3) * tree.width + row) * LANES)


@inlined
def _take(
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
    opens: Any,
) -> float:
    """Take what was found in a block into account for probe n; give the new upper bound of its t."""
    best, best_t, best_error, open_t = get(bests, n), get(ts, n), get(errors, n), get(opens, n)
    while unsure != 0:
        k = first_bit(unsure)
        unsure &= unsure - 1
        low = get(found, k) - get(found, k + LANES)
        # Where nothing is known of t this is NaN.
        open_t = open_t if low >= open_t else (low if low < open_t else -inf)
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
            open_t = min(open_t, new_t - error, best_t - best_error)
            if new_t + error < limit:
                best, best_t, best_error = new, new_t, error
        limit = best_t + best_error
    put(bests, n, best)
    put(ts, n, best_t)
    put(errors, n, best_error)
    put(opens, n, open_t)
    return limit


@inlined
def _refined(tree: Any, doubles: Any, n: int, bests: Any, ts: Any, errors: Any, block: Any, found: Any) -> Any:
    """Write t of eight probes into `found` again, where they hit; give the mask of those right within an ulp."""
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
    sure = refine(tree.width, block, origin, ((dx, lx), (dy, ly), (dz, lz)), load(doubles, at + 104), found)
    return sure & (magnitude(load(found, 0) - load(ts, n)) <= load(errors, n) * SLACK)

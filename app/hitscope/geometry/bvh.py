"""A bounding volume hierarchy: which of many boxes or triangles do probes hit, without asking about each.

That a box stands in for what is inside it, so that one cheap test spares many, is what boxes are for (Ericson
2005, ch. 6; the article on AABBs that this project began with names hierarchies as their use). This one is a tree
of nodes with eight children, whose bounds are tested at once (Wald, Benthin and Boulos 2008; Wald et al. 2014,
Embree), made by the surface area heuristic in bins (Wald 2007). Importing this module imports Numba.

**Space.** Nodes live in unit space: the root's bounds are moved to the origin and scaled by a power of two, so
that no coordinate exceeds 1. A probe is brought there too: its direction is divided by its largest component, and
it starts where it enters the root's bounds, so that within them tau = t * rate - start is in [0, 2.1]. All of it
is done in float64; what a node test needs is then rounded to float32.

**No hit is lost.** All that rounding does to a node test is to move a face of a box, in unit space and in units of
2**-24, by no more than this, for every tau in [0, 2.1] and as no component of a direction exceeds 1:

    a bound rounded to float32                                              1
    a component of the direction rounded, as its inverse                    2.1
    or raised to 2**-24, where it is smaller, so that its inverse is finite 2.1
    (bound - start) / component = bound * inverse + shift: shift rounded    1.1
    the product and the sum rounded                                         1 + 2.1

Less than 10 in all. Every box is grown by PAD = 16 * 2**-24 through the shift, and by 2**-50 times the distance of
the probe's origin, which covers float64's rounding before. (Ize 2013 makes the slab test robust by a factor on
tau; a shift also covers directions of zero, and costs a node nothing.)

**No hit is invented.** What is in a leaf is tested in float64, eight elements at a time, by filters with a proven
bound (`exact.eights`), and what they leave open is settled without rounding. `closest` keeps t with a bound of its
error; where two could be the nearest, fractions decide. So answers are those of `exact`, at any magnitude.

**Speed.** Rays whose neighbours differ are sorted by where they enter and leave the root, so that memory is asked
for the same nodes again, and are followed in turns, sixteen at once: while memory answers one, others go on.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import inf, nan
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import HitscopeError
from hitscope.geometry import threads
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.compiled import compiled
from hitscope.geometry.doubled import difference
from hitscope.geometry.exact import meet, relation, rounded
from hitscope.geometry.exact.eights import (
    EPSILON,
    FARTHEST,
    LATEST,
    NEAREST,
    NEVER,
    SLACK,
    UNDERFLOW,
    Aim,
    enter,
    refine,
)
from hitscope.geometry.exact.many import FILTERS, Many
from hitscope.geometry.lanes import (
    LANES,
    choose,
    first_bit,
    floor,
    get,
    greater,
    inlined,
    lane,
    lesser,
    load,
    magnitude,
    multiply_add,
    prefetch,
    put,
    store,
    swap_halves,
    to_single,
)
from hitscope.geometry.shapes import Line, Obb, Parallelepiped, Ray, Segment, Shape

R = TypeVar("R")

MISS, HIT, OPEN, STRANGE = 0, 1, 2, 3
"""What compiled code finds of a probe; a strange one is beyond the filters' range, and asks every element."""

PAD = 16.0 * 2.0**-24
GREATEST_INVERSE = 2.0**24
FARTHEST_START = 2.0**60
"""A probe that starts farther out in unit space is strange, too."""

NODE, LINKS = 64, 48
"""A node is so many float32: lo x, hi x, lo y, ... of its eight children, their links, and a rest unused."""
NONE = -(2**31)
"""The link of no child."""
DEPTH = 48
"""Deeper down ranges are halved as they are, which bounds the stack."""
STACK = 7 * (DEPTH + 34) + 1
BINS = 16

PREPARED = 512
"""So many probes are brought into unit space at a time."""
SINGLES, DOUBLES = 10 * LANES, 16 * LANES
"""What eight of them take of the two arrays that `_prepare` writes."""
SLOTS = 16
CELLS = 8**3

ARRAYS_FROM = 50
"""So many elements, asked one by one, are better asked together."""
LEAST_WORK, MOST_WORK = 8192, 1 << 20
"""A thread takes so many probes or elements at a time."""


class Closest(NamedTuple):
    """The element that each of m probes enters first, -1 for none, and where, NaN for none."""

    element: NDArray[np.int64]
    t: NDArray[np.float64]


class Hits(NamedTuple):
    """All elements that each of m probes hits, ascending: those of probe i are elements[first[i]:first[i + 1]]."""

    first: NDArray[np.int64]
    elements: NDArray[np.int32]


class Touched(NamedTuple):
    """Which of n elements any probe hits, and which of m probes hit any element."""

    elements: NDArray[np.bool_]
    probes: NDArray[np.bool_]


class Packed(NamedTuple):
    """The tree as compiled code reads it.

    A link >= 0 is a node, another the block ~link >> 3 of (~link & 7) + 1 elements. A block has the coordinate
    rows of eight elements, `width` of them, and `ids` their indices; `links` is the memory of `nodes`. `frame` is
    the center's x, y, z, the scale, the greatest coordinate, what a product may lose to underflow, and the root's
    bounds in unit space.
    """

    nodes: NDArray[np.float32]
    links: NDArray[np.int32]
    blocks: NDArray[np.float64]
    ids: NDArray[np.int32]
    frame: NDArray[np.float64]
    width: int


class Subtree(NamedTuple):
    """The links of some nodes (8 a node), counted from 0, and where each block of theirs begins in the records."""

    links: NDArray[np.int32]
    begins: NDArray[np.int32]


class Bundle(NamedTuple):
    """The rows (6, m) of linear probes, one after the other, and what the last three are."""

    rows: NDArray[np.float64]
    segments: bool
    lines: bool


# Probes in unit space


@inlined
def _place(order: Any, first: int, n: int) -> int:
    """Give which probe is the n-th of an order, or, without one, from the first on."""
    return get(order, n) if order.size > 0 else first + n


@inlined
def _gather(bundle: Any, order: Any, first: int, n: int, last: int, gathered: Any) -> None:
    """Copy the rows of the n-th to (n + 7)-th probe; the last again where there are no more."""
    m = bundle.rows.size // 6
    if order.size == 0 and n + LANES <= last:
        for row in range(6):
            store(gathered, row * LANES, load(bundle.rows, row * m + first + n))
        return
    for k in range(LANES):
        place = _place(order, first, min(n + k, last - 1))
        ahead = _place(order, first, min(n + k + 3 * LANES, last - 1))
        for row in range(6):
            put(gathered, row * LANES + k, get(bundle.rows, row * m + place))
            prefetch(bundle.rows, row * m + ahead)


@inlined
def _prepare(
    frame: Any, bundle: Any, order: Any, first: int, begin: int, end: int, singles: Any, doubles: Any
) -> None:
    """Bring the probes `begin` to `end` of an order into unit space, clipped to the root, eight at a time.

    Write for node tests the inverse direction, the shifts for near and for far planes, and the reach, the greatest
    tau: negative where a probe passes beside the root, NaN where it is strange. Write for element tests what
    `_aim` and `_refined` read.
    """
    scale, gathered = frame[3], np.empty(6 * LANES)
    for n in range(begin, end, LANES):
        _gather(bundle, order, first, n, end, gathered)
        ox, oy, oz = load(gathered, 0), load(gathered, 8), load(gathered, 16)
        dx, dy, dz = load(gathered, 24), load(gathered, 32), load(gathered, 40)
        lx, ly, lz = dx * 0.0, dx * 0.0, dx * 0.0
        if bundle.segments:
            dx, lx = difference(dx, ox)
            dy, ly = difference(dy, oy)
            dz, lz = difference(dz, oz)
        sx, sy, sz = magnitude(dx), magnitude(dy), magnitude(dz)
        px, py, pz = magnitude(ox), magnitude(oy), magnitude(oz)
        length, place = greater(greater(sx, sy), sz), greater(greater(px, py), pz)
        moving = length > 0.0
        rate, over = length * scale, 1.0 / choose(moving, length, 1.0)
        ux, uy, uz = (ox - frame[0]) * scale, (oy - frame[1]) * scale, (oz - frame[2]) * scale
        vx, vy, vz = dx * over + 0.0, dy * over + 0.0, dz * over + 0.0
        far = greater(greater(magnitude(ux), magnitude(uy)), magnitude(uz))
        pad = far * 2.0**-50 + PAD
        # A probe of length zero has tau 0 only.
        enters = choose(moving, rate * (-LATEST if bundle.lines else 0.0), 0.0)
        leaves = choose(moving, rate * ((1.0 if bundle.segments else LATEST) * SLACK), 0.0) + pad
        ix, iy, iz = 1.0 / vx, 1.0 / vy, 1.0 / vz
        enters, leaves = _clip(pad * -1.0 + frame[6] - ux, pad + frame[9] - ux, ix, enters, leaves)
        enters, leaves = _clip(pad * -1.0 + frame[7] - uy, pad + frame[10] - uy, iy, enters, leaves)
        enters, leaves = _clip(pad * -1.0 + frame[8] - uz, pad + frame[11] - uz, iz, enters, leaves)
        reach = (leaves - enters) * (1.0 + 2.0**-22)
        strange = (place > FARTHEST) | (length > FARTHEST) | (far > FARTHEST_START)
        reach = choose(strange | _tiny(sx) | _tiny(sy) | _tiny(sz), nan, reach)
        ix, iy, iz = _bounded(ix), _bounded(iy), _bounded(iz)
        cx, cy, cz = (ux + enters * vx) * ix, (uy + enters * vy) * iy, (uz + enters * vz) * iz
        gx, gy, gz = pad * magnitude(ix), pad * magnitude(iy), pad * magnitude(iz)
        at = (n - begin) // LANES * SINGLES
        store(singles, at, to_single(ix))
        store(singles, at + 8, to_single(iy))
        store(singles, at + 16, to_single(iz))
        store(singles, at + 24, to_single((cx + gx) * -1.0))
        store(singles, at + 32, to_single((cy + gy) * -1.0))
        store(singles, at + 40, to_single((cz + gz) * -1.0))
        store(singles, at + 48, to_single(gx - cx))
        store(singles, at + 56, to_single(gy - cy))
        store(singles, at + 64, to_single(gz - cz))
        store(singles, at + 72, to_single(reach))
        size = (far + 1.0) * (SLACK / scale)
        absolute = (greater(place, length) * 2.0 + (2.0 * frame[4] + 1.0)) * UNDERFLOW
        at = (n - begin) // LANES * DOUBLES
        store(doubles, at, ox)
        store(doubles, at + 8, oy)
        store(doubles, at + 16, oz)
        store(doubles, at + 24, dx)
        store(doubles, at + 32, dy)
        store(doubles, at + 40, dz)
        store(doubles, at + 48, lx)
        store(doubles, at + 56, ly)
        store(doubles, at + 64, lz)
        store(doubles, at + 72, rate)
        store(doubles, at + 80, enters)
        store(doubles, at + 88, pad)
        store(doubles, at + 96, length * size * size * (48.0 * SLACK * EPSILON) + absolute)
        store(doubles, at + 104, absolute)
        store(doubles, at + 112, choose(_tiny(px) | _tiny(py) | _tiny(pz), 2.0**-1074, far * 0.0 + frame[5]))
        last = greater(magnitude(enters), magnitude(enters + reach))
        store(doubles, at + 120, last / choose(moving, rate, NEVER) * SLACK)


@inlined
def _tiny(number: Any) -> Any:
    """Give the mask of magnitudes so small that products with them may vanish, but not zero."""
    return (number > 0.0) & (number < NEAREST)


@inlined
def _clip(lo: Any, hi: Any, inverse: Any, enters: Any, leaves: Any) -> Any:
    """Clip an interval of tau by one slab."""
    one, other = lo * inverse, hi * inverse
    return greater(lesser(one, other), enters), lesser(greater(one, other), leaves)


@inlined
def _bounded(inverse: Any) -> Any:
    """Give the inverses of components as if none were less than 2**-24."""
    return greater(lesser(inverse, GREATEST_INVERSE), -GREATEST_INVERSE)


@inlined
def _single(singles: Any, row: int, k: int) -> Any:
    return get(singles, (k >> 3) * SINGLES + row * LANES + (k & 7))


@inlined
def _double(doubles: Any, row: int, k: int) -> Any:
    return get(doubles, (k >> 3) * DOUBLES + row * LANES + (k & 7))


@inlined
def _aim(doubles: Any, k: int, bundle: Any) -> Any:
    """Give probe k of those that were prepared, as the tests of elements take it."""
    ox, oy, oz = _double(doubles, 0, k), _double(doubles, 1, k), _double(doubles, 2, k)
    dx, dy, dz = _double(doubles, 3, k), _double(doubles, 4, k), _double(doubles, 5, k)
    bound, absolute, least = _double(doubles, 12, k), _double(doubles, 13, k), _double(doubles, 14, k)
    t_min, t_max = -LATEST if bundle.lines else 0.0, 1.0 if bundle.segments else LATEST
    extent = _double(doubles, 15, k)
    return Aim(ox, oy, oz, dx, dy, dz, t_min, t_max, extent, bound, absolute, least)


@inlined
def _reach(doubles: Any, singles: Any, k: int, t: float) -> Any:
    """Give the greatest tau at which probe k need enter a node to find what is at t or before."""
    tau = t * _double(doubles, 9, k) - _double(doubles, 10, k) + _double(doubles, 11, k)
    return min(np.float32(tau * (1.0 + 2.0**-22)), _single(singles, 9, k))


# The search


@inlined
def _signs(singles: Any, k: int) -> int:
    """Give where in a node the near planes of probe k are, as one number: a byte for each axis."""
    x = 0 if _single(singles, 0, k) > 0 else 8
    y = 16 if _single(singles, 1, k) > 0 else 24
    z = 32 if _single(singles, 2, k) > 0 else 40
    return x | y << 8 | z << 16


@inlined
def _slabs(nodes: Any, node: int, singles: Any, k: int, signs: int, reach: Any) -> tuple[Any, Any]:
    """Test a node's eight children: give where probe k enters each, and the mask of those that it does enter.

    It enters those that it does not leave before (Kay and Kajiya 1986).
    """
    x, y, z = node * NODE + (signs & 255), node * NODE + (signs >> 8 & 255), node * NODE + (signs >> 16)
    ix, iy, iz = _single(singles, 0, k), _single(singles, 1, k), _single(singles, 2, k)
    near_x = multiply_add(load(nodes, x), ix, _single(singles, 3, k))
    near_y = multiply_add(load(nodes, y), iy, _single(singles, 4, k))
    near_z = multiply_add(load(nodes, z), iz, _single(singles, 5, k))
    far_x = multiply_add(load(nodes, x ^ 8), ix, _single(singles, 6, k))
    far_y = multiply_add(load(nodes, y ^ 8), iy, _single(singles, 7, k))
    far_z = multiply_add(load(nodes, z ^ 8), iz, _single(singles, 8, k))
    near = greater(greater(near_x, near_y), greater(near_z, np.float32(0)))
    far = lesser(lesser(far_x, far_y), lesser(far_z, reach))
    return near, near <= far


@inlined
def _test_block(tree: Any, link: int, aim: Any, limit: float, found: Any) -> tuple[Any, Any]:
    """Give the masks of the elements of a block that are surely hit and that are open; see `eights.enter`."""
    valid = np.int32((2 << (~link & 7)) - 1)
    hit, unsure = enter(tree.width, tree.blocks, (~link >> 3) * tree.width * LANES, aim, limit, found)
    return hit & valid, unsure & valid


@inlined
def _push_all(links: Any, node: int, mask: Any, stack: Any, top: int) -> int:
    """Put the children in a mask on the stack; give its height."""
    while mask != 0:
        put(stack, top, get(links, node * NODE + LINKS + first_bit(mask)))
        mask &= mask - 1
        top += 1
    return top


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


@compiled
def closest(tree: Any, bundle: Any, first: int, last: int, element: Any, t: Any, state: Any) -> None:
    """Write of probes `first` to `last` the closest element, -1 for none, t, NaN for none, and HIT.

    Or OPEN, where that is not certain: t is then no less than it is, and element is nothing. Or STRANGE.
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
    order = _arranged(tree.frame, bundle, first, last)
    slots = SLOTS if order.size > 0 else 1
    for begin in range(0, last - first, PREPARED):
        size = min(PREPARED, last - first - begin)
        _prepare(tree.frame, bundle, order, first, begin, begin + size, singles, doubles)
        bests[:], ts[:], errors[:], opens[:] = -1, LATEST, 0.0, inf
        waiting, slot, idle = 0, 0, 0
        while idle < slots:
            slot = slot + 1 if slot + 1 < slots else 0
            n = get(probes, slot)
            if n < 0:
                while waiting < size and not _single(singles, 9, waiting) >= 0:
                    waiting += 1
                if waiting == size:
                    idle += 1
                    continue
                n = waiting
                waiting += 1
                put(probes, slot, n)
                put(links, slot, np.int32(0))
                put(tops, slot, slot * STACK)
                put(signs, slot, _signs(singles, n))
                put(reaches, slot, _single(singles, 9, n))
            idle = 0
            link, top, sign, reach = get(links, slot), get(tops, slot), get(signs, slot), get(reaches, slot)
            while True:
                mask: Any = np.int32(0)
                if link >= 0:
                    near, mask = _slabs(tree.nodes, link, singles, n, sign, reach)
                    if mask != 0:
                        link, top = _push_far(tree.links, link, mask, near, distances, stack, depths, top)
                else:
                    aim = _aim(doubles, n, bundle)
                    limit = get(ts, n) + get(errors, n)
                    hit, unsure = _test_block(tree, link, aim, limit, found)
                    if hit | unsure != 0:
                        limit = _take(tree, link, hit, unsure, found, n, limit, bests, ts, errors, opens)
                        reach = _reach(doubles, singles, n, limit)
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
                place = _place(order, first, begin + k)
                best, limit, reach = get(bests, k), get(ts, k) + get(errors, k), _single(singles, 9, k)
                settled = get(opens, k) > limit and (best < 0 or sure >> (k & 7) & 1 != 0)
                verdict = (STRANGE if np.isnan(reach) else HIT) if settled else OPEN
                put(state, place, np.int8(verdict))
                put(element, place, np.int64(get(tree.ids, best) if best >= 0 else -1))
                put(t, place, (get(found, k & 7) if best >= 0 else nan) if settled else limit)


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


@compiled
def collect(tree: Any, bundle: Any, first: int, last: int, limits: Any, counts: Any) -> Any:
    """Give 2 * element + (1 if that is open) for all that each probe hits up to its limit, ascending; count them.

    A strange probe has the count -1, and nothing.
    """
    stack, found, order = np.empty(STACK, np.int32), np.empty(2 * LANES), np.empty(0, np.int64)
    singles, doubles = np.empty(SINGLES, np.float32), np.empty(DOUBLES)
    codes, size = np.empty(1024, np.int32), 0
    for n in range(first, last):
        k = (n - first) % LANES
        if k == 0:
            _prepare(tree.frame, bundle, order, 0, n, min(n + LANES, last), singles, doubles)
        start, limit, whole = size, limits[n], _single(singles, 9, k)
        signs, reach = _signs(singles, k), _reach(doubles, singles, k, limit)
        aim = _aim(doubles, k, bundle)
        stack[0], top = 0, 1 if whole >= 0 else 0
        while top > 0:
            top -= 1
            link = get(stack, top)
            if link >= 0:
                _, mask = _slabs(tree.nodes, link, singles, k, signs, reach)
                top = _push_all(tree.links, link, mask, stack, top)
                continue
            hit, unsure = _test_block(tree, link, aim, limit, found)
            codes = _with_room(codes, size)
            either = hit | unsure
            while either != 0:
                place = first_bit(either)
                either &= either - 1
                codes[size] = 2 * get(tree.ids, (~link >> 3) * LANES + place) + (unsure >> place & 1)
                size += 1
        if size > start + 1:
            codes[start:size].sort()
        counts[n] = -1 if np.isnan(whole) else size - start
    return codes[:size].copy()


@inlined
def _with_room(numbers: Any, size: int) -> Any:
    """Give an array that begins like this one and has room for eight more."""
    if size + LANES <= numbers.size:
        return numbers
    grown = np.empty(2 * numbers.size, numbers.dtype)
    grown[:size] = numbers[:size]
    return grown


@compiled
def touch(tree: Any, bundle: Any, first: int, last: int, first_only: bool, marks: Any, state: Any) -> Any:
    """Mark the elements that a probe surely hits, write what is found of each probe, and give the open pairs.

    A pair is probe << 32 | element. With `first_only` a probe ends at its first hit; only `state` is written.
    """
    stack, found, order = np.empty(STACK, np.int32), np.empty(2 * LANES), np.empty(0, np.int64)
    singles, doubles = np.empty(SINGLES, np.float32), np.empty(DOUBLES)
    pairs, size = np.empty(64, np.int64), 0
    for n in range(first, last):
        k = (n - first) % LANES
        if k == 0:
            _prepare(tree.frame, bundle, order, 0, n, min(n + LANES, last), singles, doubles)
        signs, reach = _signs(singles, k), _single(singles, 9, k)
        aim = _aim(doubles, k, bundle)
        verdict = STRANGE if np.isnan(reach) else MISS
        stack[0], top = 0, 1 if reach >= 0 else 0
        while top > 0:
            top -= 1
            link = get(stack, top)
            if link >= 0:
                _, mask = _slabs(tree.nodes, link, singles, k, signs, reach)
                top = _push_all(tree.links, link, mask, stack, top)
                continue
            hit, unsure = _test_block(tree, link, aim, LATEST, found)
            if hit != 0:
                verdict = HIT
            elif unsure != 0 and verdict == MISS:
                verdict = OPEN
            if first_only:
                top = 0 if verdict == HIT else top
                continue
            while hit != 0:
                marks[get(tree.ids, (~link >> 3) * LANES + first_bit(hit))] = True
                hit &= hit - 1
            pairs = _with_room(pairs, size)
            while unsure != 0:
                pairs[size] = n << 32 | get(tree.ids, (~link >> 3) * LANES + first_bit(unsure))
                unsure &= unsure - 1
                size += 1
        state[n] = verdict
    return pairs[:size].copy()


@compiled
def overlap(tree: Any, lo: Any, hi: Any) -> Any:
    """Give the elements, ascending, of all blocks whose bounds meet a box in unit space."""
    stack, top = np.zeros(STACK, np.int32), 1
    found, size = np.empty(1024, np.int32), 0
    while top > 0:
        top -= 1
        link = stack[top]
        if link < 0:
            found = _with_room(found, size)
            for k in range((~link & 7) + 1):
                found[size + k] = tree.ids[(~link >> 3) * LANES + k]
            size += (~link & 7) + 1
            continue
        mask: Any = np.int32(255)
        for axis in range(3):
            low = load(tree.nodes, link * NODE + 2 * axis * LANES)
            high = load(tree.nodes, link * NODE + (2 * axis + 1) * LANES)
            # What has no child has bounds that are the wrong way round.
            mask &= (low <= hi[axis]) & (high > lo[axis]) & (low <= high)
        top = _push_all(tree.links, link, mask, stack, top)
    return np.sort(found[:size])


@compiled
def visit(tree: Any, bundle: Any) -> Any:
    """Give the places, 8 * node + child, of all children that the first probe enters."""
    stack, singles, doubles = np.empty(STACK, np.int32), np.empty(SINGLES, np.float32), np.empty(DOUBLES)
    places, size = np.empty(1024, np.int64), 0
    _prepare(tree.frame, bundle, np.empty(0, np.int64), 0, 0, 1, singles, doubles)
    reach, signs = _single(singles, 9, 0), _signs(singles, 0)
    stack[0], top = 0, 1 if reach >= 0 else 0
    while top > 0:
        top -= 1
        node = stack[top]
        _, mask = _slabs(tree.nodes, node, singles, 0, signs, reach)
        places = _with_room(places, size)
        while mask != 0:
            k = first_bit(mask)
            mask &= mask - 1
            places[size] = node * LANES + k
            size += 1
            stack[top] = tree.links[node * NODE + LINKS + k]
            top += 1 if stack[top] >= 0 else 0
    return places[:size].copy()


# The order of probes


@inlined
def _arranged(frame: Any, bundle: Any, first: int, last: int) -> Any:
    """Give probes `first` to `last` so that those that visit the same nodes follow each other.

    That is by the cells in which each enters and leaves the root, the bits of both interleaved as on a Morton
    curve, in two passes of a radix sort. Gives nothing where neighbours are alike already.
    """
    size, keys = last - first, np.empty(2 * LANES)
    samples = min(size // 64, 64)
    jumps = 0
    for sample in range(samples):
        _keys(frame, bundle, first + sample * (size // samples), keys)
        for k in range(1, LANES):
            jumps += keys[k] != keys[k - 1] or keys[LANES + k] != keys[LANES + k - 1]
    if size < 4096 or 2 * jumps < samples * LANES:
        return np.empty(0, np.int64)
    spread = np.zeros(CELLS, np.int64)
    for k in range(CELLS):
        for bit in range(9):
            spread[k] |= (k >> bit & 1) << 2 * (3 * (bit % 3) + bit // 3)
    codes, between = np.empty(size, np.int64), np.empty(size, np.int64)
    low, high = np.zeros(CELLS, np.int64), np.zeros(CELLS, np.int64)
    for n in range(0, size, LANES):
        start = min(n, size - LANES)
        _keys(frame, bundle, first + start, keys)
        for k in range(n - start, LANES):
            key = get(spread, int(get(keys, k))) << 1 | get(spread, int(get(keys, LANES + k)))
            low[key % CELLS] += 1
            high[key // CELLS] += 1
            put(codes, start + k, key << 32 | first + start + k)
    below, above = 0, 0
    for k in range(CELLS):
        below, low[k] = below + low[k], below
        above, high[k] = above + high[k], above
    for n in range(size):
        code = get(codes, n)
        k = (code >> 32) % CELLS
        put(between, get(low, k), code)
        low[k] += 1
    for n in range(size):
        code = get(between, n)
        k = (code >> 32) // CELLS
        put(codes, get(high, k), code & 0xFFFFFFFF)
        high[k] += 1
    return codes


@inlined
def _keys(frame: Any, bundle: Any, n: int, keys: Any) -> None:
    """Write the cells, 64 x + 8 y + z, in which eight probes enter the root and, eight further on, leave it."""
    rows, m = bundle.rows, bundle.rows.size // 6
    ox, oy, oz = load(rows, n), load(rows, m + n), load(rows, 2 * m + n)
    dx, dy, dz = load(rows, 3 * m + n), load(rows, 4 * m + n), load(rows, 5 * m + n)
    if bundle.segments:
        dx, dy, dz = dx - ox, dy - oy, dz - oz
    scale = frame[3]
    ux, uy, uz = (ox - frame[0]) * scale, (oy - frame[1]) * scale, (oz - frame[2]) * scale
    vx, vy, vz = dx * scale, dy * scale, dz * scale
    enters, leaves = ux * 0.0, ux * 0.0 + (1.0 if bundle.segments else LATEST)
    enters, leaves = _clip(frame[6] - ux, frame[9] - ux, 1.0 / vx, enters, leaves)
    enters, leaves = _clip(frame[7] - uy, frame[10] - uy, 1.0 / vy, enters, leaves)
    enters, leaves = _clip(frame[8] - uz, frame[11] - uz, 1.0 / vz, enters, leaves)
    store(keys, 0, _cell(ux + enters * vx, uy + enters * vy, uz + enters * vz))
    store(keys, LANES, _cell(ux + leaves * vx, uy + leaves * vy, uz + leaves * vz))


@inlined
def _cell(x: Any, y: Any, z: Any) -> Any:
    """Give in which of 8 x 8 x 8 cells of the unit space points are."""
    return _eighth(x) * 64.0 + _eighth(y) * 8.0 + _eighth(z)


@inlined
def _eighth(x: Any) -> Any:
    return floor(lesser(greater(x * 4.0 + 4.0, 0.0), 7.0))


# The build


@inlined
def _bounds(rows: Any, n: int) -> tuple[float, float, float, float, float, float]:
    """Give the bounds lo x, y, z, hi x, y, z of element n; of an oriented box a little larger ones."""
    if rows.shape[0] == 6:
        return rows[0, n], rows[1, n], rows[2, n], rows[3, n], rows[4, n], rows[5, n]
    if rows.shape[0] == 9:
        lx, hx = _ends(rows[0, n], rows[3, n], rows[6, n])
        ly, hy = _ends(rows[1, n], rows[4, n], rows[7, n])
        lz, hz = _ends(rows[2, n], rows[5, n], rows[8, n])
        return lx, ly, lz, hx, hy, hz
    a, b, c = rows[3, n], rows[4, n], rows[5, n]
    lx, hx = _spread(rows[0, n], a * abs(rows[6, n]) + b * abs(rows[9, n]) + c * abs(rows[12, n]))
    ly, hy = _spread(rows[1, n], a * abs(rows[7, n]) + b * abs(rows[10, n]) + c * abs(rows[13, n]))
    lz, hz = _spread(rows[2, n], a * abs(rows[8, n]) + b * abs(rows[11, n]) + c * abs(rows[14, n]))
    return lx, ly, lz, hx, hy, hz


@inlined
def _ends(a: float, b: float, c: float) -> tuple[float, float]:
    return min(a, b, c), max(a, b, c)


@inlined
def _spread(middle: float, half: float) -> tuple[float, float]:
    """Give the ends of an interval, and what rounding lost, besides."""
    half += (half + abs(middle)) * 2.0**-50
    return middle - half, middle + half


@compiled
def measure(rows: Any, first: int, last: int) -> Any:
    """Give the bounds of some elements, and the least of their numbers that is not zero; (7,)."""
    found = np.array([inf, inf, inf, -inf, -inf, -inf, inf])
    for n in range(first, last):
        bounds = _bounds(rows, n)
        for k in range(3):
            found[k], found[k + 3] = min(found[k], bounds[k]), max(found[k + 3], bounds[k + 3])
        for k in range(rows.shape[0]):
            number = abs(rows[k, n])
            found[6] = number if 0 < number < found[6] else found[6]
    return found


@compiled
def make_records(rows: Any, frame: Any, first: int, last: int, records: Any, words: Any) -> None:
    """Write of each element a record of eight float32: lo x, y, z, its index (in `words`), -hi x, y, z, 0.

    In unit space; with -hi, the bounds of two records are the lesser of each number.
    """
    x, y, z, scale = frame[0], frame[1], frame[2], frame[3]
    for n in range(first, last):
        lx, ly, lz, hx, hy, hz = _bounds(rows, n)
        at = n * LANES
        records[at], records[at + 1], records[at + 2] = (lx - x) * scale, (ly - y) * scale, (lz - z) * scale
        records[at + 4], records[at + 5], records[at + 6] = (x - hx) * scale, (y - hy) * scale, (z - hz) * scale
        records[at + 7] = 0
        words[at + 3] = n


@inlined
def _centers(record: Any) -> Any:
    """Give a record of twice the center of a record's box."""
    return record - swap_halves(record)


@inlined
def _half_area(box: Any) -> Any:
    """Give half the surface area of bounds in the form of a record."""
    sides = box + swap_halves(box)
    x, y, z = lane(sides, 0), lane(sides, 1), lane(sides, 2)
    return x * y + y * z + z * x


@inlined
def _cost(box: Any, count: int) -> Any:
    """Give the chance to enter a box, times the blocks it needs."""
    return _half_area(box) * np.float32((count + LANES - 1) // LANES)


class Children(NamedTuple):
    """Where compiled code splits a range of records into up to eight.

    Of each range: begin and end, its bounds, and those of twice the centers, as records. Of each bin, 16 an axis:
    the bounds, and how many elements; `costs` is of those from a bin on.
    """

    ranges: NDArray[np.int64]
    boxes: NDArray[np.float32]
    centers: NDArray[np.float32]
    bins: NDArray[np.float32]
    counts: NDArray[np.int64]
    costs: NDArray[np.float32]


@inlined
def _children() -> Any:
    return Children(
        np.zeros((LANES, 2), np.int64),
        np.zeros(LANES * LANES, np.float32),
        np.zeros(LANES * LANES, np.float32),
        np.zeros(3 * BINS * LANES, np.float32),
        np.zeros(3 * BINS, np.int64),
        np.zeros(BINS, np.float32),
    )


@inlined
def _bin_scale(span: Any) -> Any:
    """Give the factor from a center's distance to its bin, for centers that span -span; 0 for a span of zero."""
    return np.float32(BINS * (1.0 - 2.0**-20)) / -span if -span > np.float32(2.0**-100) else np.float32(0)


@inlined
def _fill_bins(records: Any, children: Any, begin: int, end: int, low: Any, scales: Any) -> None:
    """Sort the records into the bins of each axis."""
    bins, counts = children.bins, children.counts
    for k in range(3 * BINS):
        store(bins, k * LANES, low * np.float32(0) + np.float32(inf))
        counts[k] = 0
    x, y, z = lane(low, 0), lane(low, 1), lane(low, 2)
    for n in range(begin, end):
        record = load(records, n * LANES)
        center = _centers(record)
        i = int((lane(center, 0) - x) * scales[0])
        j = int((lane(center, 1) - y) * scales[1]) + BINS
        k = int((lane(center, 2) - z) * scales[2]) + 2 * BINS
        store(bins, i * LANES, lesser(load(bins, i * LANES), record))
        store(bins, j * LANES, lesser(load(bins, j * LANES), record))
        store(bins, k * LANES, lesser(load(bins, k * LANES), record))
        counts[i] += 1
        counts[j] += 1
        counts[k] += 1


@inlined
def _best_split(children: Any, size: int, empty: Any) -> tuple[int, int]:
    """Give the axis and the last bin on the left of the split of least cost; axis -1 where there is none."""
    axis, last, least = -1, 0, np.float32(inf)
    for own in range(3):
        first = own * BINS
        box, count = empty, 0
        for k in range(BINS - 1, 0, -1):
            count += children.counts[first + k]
            box = lesser(box, load(children.bins, (first + k) * LANES))
            children.costs[k] = _cost(box, count) if count > 0 else np.float32(0)
        box, count = empty, 0
        for k in range(BINS - 1):
            count += children.counts[first + k]
            box = lesser(box, load(children.bins, (first + k) * LANES))
            if 0 < count < size:
                cost = _cost(box, count) + children.costs[k + 1]
                if cost < least:
                    axis, last, least = own, k, cost
    return axis, last


@inlined
def _halve(records: Any, children: Any, at: int, new: int) -> None:
    """Split range `at` in two, the second becoming range `new`.

    Of 16 bins of the centers along each axis, that split is taken which makes the least sum of costs (Wald 2007);
    where all centers are one, or are taken for one, the range is halved as it is.
    """
    begin, end = children.ranges[at, 0], children.ranges[at, 1]
    low = load(children.centers, at * LANES)
    span, empty = low + swap_halves(low), low * np.float32(0) + np.float32(inf)
    scales = _bin_scale(lane(span, 0)), _bin_scale(lane(span, 1)), _bin_scale(lane(span, 2))
    axis, last = -1, 0
    if max(scales) > 0:
        _fill_bins(records, children, begin, end, low, scales)
        axis, last = _best_split(children, end - begin, empty)
    left, right, left_centers, right_centers = empty, empty, empty, empty
    origin, scale, half = lane(low, max(axis, 0)), scales[max(axis, 0)], (begin + end) // 2
    i, j = begin, end
    while i < j:
        record = load(records, i * LANES)
        center = _centers(record)
        if i < half if axis < 0 else int((lane(center, axis) - origin) * scale) <= last:
            left, left_centers = lesser(left, record), lesser(left_centers, center)
            i += 1
        else:
            right, right_centers = lesser(right, record), lesser(right_centers, center)
            j -= 1
            store(records, i * LANES, load(records, j * LANES))
            store(records, j * LANES, record)
    children.ranges[at, 1], children.ranges[new, 0], children.ranges[new, 1] = i, i, end
    store(children.boxes, at * LANES, left)
    store(children.boxes, new * LANES, right)
    store(children.centers, at * LANES, left_centers)
    store(children.centers, new * LANES, right_centers)


@inlined
def _branch(records: Any, children: Any) -> int:
    """Split range 0 into up to eight, the one of the largest area each time; give how many (Wald et al. 2008)."""
    size = 1
    while size < LANES:
        largest, area = -1, np.float32(-1)
        for k in range(size):
            own = _half_area(load(children.boxes, k * LANES))
            if children.ranges[k, 1] - children.ranges[k, 0] > LANES and own > area:
                largest, area = k, own
        if largest < 0:
            break
        _halve(records, children, largest, size)
        size += 1
    return size


@compiled
def split_root(records: Any, words: Any) -> Any:
    """Split all records into the root's children; give their ranges (q, 2), boxes and centers."""
    children = _children()
    box = load(records, 0)
    centers = _centers(box)
    for n in range(records.size // LANES):
        record = load(records, n * LANES)
        box, centers = lesser(box, record), lesser(centers, _centers(record))
    store(children.boxes, 0, box)
    store(children.centers, 0, centers)
    children.ranges[0, 1] = records.size // LANES
    size = _branch(records, children)
    return children.ranges[:size].copy(), children.boxes, children.centers


@compiled
def grow(records: Any, first: int, last: int, box: Any, centers: Any, links: Any, begins: Any) -> tuple[int, int]:
    """Build a subtree over some records, given their bounds; give how many nodes and blocks it has.

    Writes the links of each node's children (8 a node), those of the subtree counted from 0, and where in the
    records each block begins. A node comes before its children.
    """
    children = _children()
    # What waits: its node, depth, begin and end, and its bounds.
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
        size = _branch(records, children)
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
    """Copy a subtree into the tree, its nodes counted on from `node`, its blocks from `block`; write their ids."""
    for place in range(links.size):
        link = links[place]
        if link >= 0:
            link += node
        elif link != NONE:
            begin = begins[~link >> 3]
            link -= block * LANES
            for k in range((~link & 7) + 1):
                tree.ids[(~link >> 3) * LANES + k] = words[(begin + k) * LANES + 3]
        tree.links[(node + place // LANES) * NODE + LINKS + place % LANES] = link


@compiled
def fill(tree: Any, rows: Any, first: int, last: int) -> None:
    """Write the blocks of some nodes, and their bounds; what has no child gets bounds the wrong way round."""
    bounds = np.empty(6)
    for place in range(first * LANES, last * LANES):
        node, k = place // LANES, place % LANES
        link = tree.links[node * NODE + LINKS + k]
        bounds[:3], bounds[3:] = inf, -inf
        if link < 0 and link != NONE:
            for lane_ in range(LANES):
                # Lanes without an element repeat the last; they are masked out.
                n = tree.ids[(~link >> 3) * LANES + min(lane_, ~link & 7)]
                for row in range(rows.shape[0]):
                    tree.blocks[((~link >> 3) * rows.shape[0] + row) * LANES + lane_] = rows[row, n]
                own = _bounds(rows, n)
                for axis in range(3):
                    bounds[axis] = min(bounds[axis], own[axis])
                    bounds[axis + 3] = max(bounds[axis + 3], own[axis + 3])
        for axis in range(3):
            center, scale = tree.frame[axis], tree.frame[3]
            tree.nodes[node * NODE + 2 * axis * LANES + k] = (bounds[axis] - center) * scale
            tree.nodes[node * NODE + (2 * axis + 1) * LANES + k] = (bounds[axis + 3] - center) * scale


@compiled
def fold(tree: Any) -> None:
    """Write the bounds of all children that are nodes, from the last to the first."""
    for node in range(tree.links.size // NODE - 1, -1, -1):
        for k in range(LANES):
            link = tree.links[node * NODE + LINKS + k]
            for row in range(6 if link > 0 else 0):
                number = tree.nodes[link * NODE + row * LANES]
                for other in range(1, LANES):
                    bound = tree.nodes[link * NODE + row * LANES + other]
                    number = min(number, bound) if row % 2 == 0 else max(number, bound)
                tree.nodes[node * NODE + row * LANES + k] = number


class Tree:
    """A hierarchy over n axis-aligned boxes, oriented boxes or triangles."""

    def __init__(self, shapes: Shapes) -> None:
        """Build it, in O(n log n)."""
        frame = _frame(shapes)
        self.shapes = shapes
        self._packed = None if frame is None else _build(shapes, frame)

    def refit(self, shapes: Shapes) -> "Tree":
        """Give a tree of the same nodes over the same elements elsewhere, in O(n)."""
        if shapes.kind is not self.shapes.kind or len(shapes) != len(self.shapes):
            found = f"{len(shapes)} of type {shapes.kind.__name__}"
            raise HitscopeError(f"expected {len(self.shapes)} of type {self.shapes.kind.__name__}, found {found}")
        frame, old = _frame(shapes), self._packed
        tree = object.__new__(Tree)
        tree.shapes = shapes
        if old is None or frame is None:
            tree._packed = None if frame is None else _build(shapes, frame)
            return tree
        nodes, blocks = _aligned(old.nodes.size, np.float32), _aligned(old.blocks.size, np.float64)
        nodes[:] = old.nodes
        tree._packed = old._replace(nodes=nodes, links=nodes.view(np.int32), blocks=blocks, frame=frame)
        _fit(tree._packed, shapes)
        return tree

    def hits(self, probe: Shape) -> NDArray[np.intp]:
        """Give the indices of all elements that a probe has a point in common with, ascending."""
        if isinstance(probe, Segment | Ray | Line):
            return self.all(Shapes.of([probe])).elements.astype(np.intp, copy=False)
        if self._packed is None:
            return self._asked(probe)
        frame = self._packed.frame
        with np.errstate(over="ignore", invalid="ignore"):
            lo, hi = ((side - frame[:3]) * frame[3] for side in _probe_bounds(probe))
            pad = PAD + max(np.abs(lo).max(), np.abs(hi).max()) * 2.0**-50
            lo, hi = np.nan_to_num(lo - pad, nan=-inf), np.nan_to_num(hi + pad, nan=inf)
            found = overlap(self._packed, lo.astype(np.float32), hi.astype(np.float32))
        hits: NDArray[np.intp] = found[self._asked(probe, found)].astype(np.intp)
        return hits

    def closest(self, probes: Shapes) -> Closest:
        """Give of each segment or ray the element entered first, the lowest index of several, and t there."""
        if probes.kind not in (Segment, Ray):
            raise HitscopeError(
                f"expected segments or rays, found {probes.kind.__name__}: it has no first element"
            )
        m = len(probes)
        element, t, state = np.empty(m, np.int64), np.empty(m), np.full(m, STRANGE, np.int8)
        if self._packed is not None:
            packed, bundle = self._packed, _bundle(probes)
            _each(m, lambda first, last: closest(packed, bundle, first, last, element, t, state))
        rest = np.flatnonzero(state >= OPEN)
        for n in rest[state[rest] == STRANGE].tolist():
            element[n], t[n] = self._first(probes[n], self._asked(probes[n]))
        rest = rest[state[rest] == OPEN]
        found = self._collect(_some(probes, rest), t[rest])
        for k, n in enumerate(rest.tolist()):
            element[n], t[n] = self._first(probes[n], found.elements[found.first[k] : found.first[k + 1]])
        return Closest(element, t)

    def all(self, probes: Shapes) -> Hits:
        """Give all elements that each segment, ray or line hits."""
        return self._collect(probes, np.full(len(probes), LATEST))

    def any(self, probes: Shapes) -> NDArray[np.bool_]:
        """Say of each segment, ray or line whether it hits anything; (m,)."""
        _, state, _ = self._touch(probes, True)
        rest = np.flatnonzero(state >= OPEN)
        state[rest] = np.diff(self.all(_some(probes, rest)).first) > 0
        return state.view(np.bool_)

    def touched(self, probes: Shapes) -> Touched:
        """Give what any of the segments, rays or lines hits, and which of them hit, without keeping the pairs."""
        marks, state, pairs = self._touch(probes, False)
        strange = np.flatnonzero(state == STRANGE).tolist()
        state[state >= OPEN] = MISS
        for n, elements in _grouped(pairs >> 32, pairs & 0xFFFFFFFF):
            self._mark(marks, state, n, elements[self._asked(probes[n], elements)])
        for n in strange:
            self._mark(marks, state, n, self._asked(probes[n]))
        return Touched(marks, state.view(np.bool_))

    def levels(self) -> list[NDArray[np.float64]]:
        """Give the boxes (q, 2, 3), lo and hi, of each level, from the root down to the last blocks."""
        return [] if self._packed is None else self._by_level(np.ones(self._packed.links.size, np.bool_))

    def visited(self, probe: Segment | Ray | Line) -> list[NDArray[np.float64]]:
        """Give the boxes of each level that a search for all hits enters."""
        if self._packed is None:
            return []
        entered = np.zeros(self._packed.links.size, np.bool_)
        entered[visit(self._packed, _bundle(Shapes.of([probe])))] = True
        return self._by_level(entered)

    def _by_level(self, entered: NDArray[np.bool_]) -> list[NDArray[np.float64]]:
        """Give the boxes of the children, by their places 8 * node + child, that are entered."""
        assert self._packed is not None
        center, scale = self._packed.frame[:3], self._packed.frame[3]
        nodes, links = self._packed.nodes.reshape(-1, NODE), self._packed.links.reshape(-1, NODE)
        boxes = nodes[:, :LINKS].reshape(-1, 3, 2, LANES).transpose(0, 3, 2, 1).reshape(-1, 2, 3) / scale + center
        children = links[:, LINKS : LINKS + LANES].reshape(-1)
        levels = [self._packed.frame[6:].reshape(1, 2, 3) / scale + center]
        level = np.zeros(1, np.int64)
        while level.size:
            places = (level[:, np.newaxis] * LANES + np.arange(LANES)).reshape(-1)
            places = places[(children[places] != NONE) & entered[places]]
            levels.append(boxes[places])
            level = children[places].astype(np.int64)
            level = level[level >= 0]
        return levels

    def _touch(
        self, probes: Shapes, first_only: bool
    ) -> tuple[NDArray[np.bool_], NDArray[np.int8], NDArray[np.int64]]:
        """Give which elements are surely hit, what is found of each probe, and the open pairs."""
        m = len(probes)
        marks, state = np.zeros(len(self.shapes), np.bool_), np.full(m, STRANGE, np.int8)
        parts: list[NDArray[np.int64]] = []
        if self._packed is not None:
            packed, bundle = self._packed, _bundle(probes)
            parts = _each(m, lambda first, last: touch(packed, bundle, first, last, first_only, marks, state))
        return marks, state, np.concatenate([np.empty(0, np.int64), *parts])

    def _mark(self, marks: NDArray[np.bool_], state: NDArray[np.int8], n: int, hits: NDArray[Any]) -> None:
        marks[hits] = True
        if hits.size:
            state[n] = HIT

    def _collect(self, probes: Shapes, limits: NDArray[np.float64]) -> Hits:
        """Give all hits at t up to the limits, and perhaps some beyond."""
        m = len(probes)
        counts = np.full(m, -1, np.int64)
        parts: list[NDArray[np.int32]] = []
        if self._packed is not None:
            packed, bundle = self._packed, _bundle(probes)
            parts = _each(m, lambda first, last: collect(packed, bundle, first, last, limits, counts))
        codes = np.concatenate([np.empty(0, np.int32), *parts])
        strange = np.flatnonzero(counts < 0)
        counts[strange] = 0
        elements, rest = codes >> 1, np.flatnonzero(codes & 1)
        if rest.size:
            owner, kept = np.repeat(np.arange(m), counts), codes & 1 == 0
            for n, places in _grouped(owner[rest], rest):
                kept[places[self._asked(probes[n], elements[places])]] = True
            elements, counts = elements[kept], np.bincount(owner[kept], minlength=m)
        for n in strange.tolist():
            hits = self._asked(probes[n])
            elements = np.insert(elements, counts[:n].sum(), hits)
            counts[n] = hits.size
        return Hits(np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]), elements)

    def _asked(self, probe: Shape, places: NDArray[Any] | None = None) -> NDArray[np.intp]:
        """Give which of the elements, all or those at some places, a probe meets, by asking every one."""
        shapes = self.shapes if places is None else _some(self.shapes, places)
        if len(shapes) < ARRAYS_FROM or (type(probe), shapes.kind) not in FILTERS:
            return np.flatnonzero([meet(probe, shape) for shape in shapes])
        verdicts = np.empty((1, len(shapes)), np.bool_)
        Many(shapes).decide(Shapes.of([probe]), slice(0, 1), slice(0, len(shapes)), False, verdicts)
        return np.flatnonzero(verdicts[0])

    def _first(self, probe: Shape, candidates: NDArray[Any]) -> tuple[int, float]:
        """Give which candidate a probe enters first, and t, rounded once; -1 and NaN of none."""
        found = [(relation(probe, self.shapes[k]).t_enter, k) for k in candidates.tolist()]
        t, k = min(((t, k) for t, k in found if t is not None), default=(nan, -1))
        return k, rounded(t)


def _bundle(probes: Shapes) -> Bundle:
    return Bundle(probes.rows.reshape(-1), probes.kind is Segment, probes.kind is Line)


def _some(shapes: Shapes, places: NDArray[Any]) -> Shapes:
    return Shapes(shapes.kind, np.ascontiguousarray(shapes.rows[:, places]))


def _grouped(keys: NDArray[Any], values: NDArray[Any]) -> Iterator[tuple[int, NDArray[Any]]]:
    """Give each key, ascending, and its values."""
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    for first, last in pairwise([*starts.tolist(), keys.size]):
        yield int(keys[order[first]]), values[order[first:last]]


def _each(count: int, work: Callable[[int, int], R]) -> list[R]:
    """Do the work on parts of a range, on all threads if there is enough of it; give the results in order."""
    wanted = max(-(-count // MOST_WORK), 2 * threads.count() if threads.count() > 1 else 1)
    parts = max(min(wanted, count // LEAST_WORK), 1)
    bounds = [(count * part // parts, count * (part + 1) // parts) for part in range(parts if count else 0)]
    if parts == 1 or threads.count() == 1:
        return [work(*ends) for ends in bounds]
    return list(threads.each(lambda ends: work(*ends), bounds))


def _probe_bounds(probe: Shape) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give lo and hi of a point, a triangle or a box; of a turned one a little more."""
    match probe:
        case Obb(center, half_extents, axes):
            sides = np.abs(axes) * np.array(half_extents)[:, np.newaxis]
            lo, hi = center - sides.sum(axis=0), center + sides.sum(axis=0)
        case Parallelepiped(origin, edges):
            sides = np.array(edges)
            lo, hi = origin + np.minimum(sides, 0).sum(axis=0), origin + np.maximum(sides, 0).sum(axis=0)
        case _:
            corners = np.array(probe)
            return corners.min(axis=0), corners.max(axis=0)
    lost = (np.abs(probe[0]) + np.abs(sides).sum(axis=0)) * 2.0**-48
    return lo - lost, hi + lost


def _aligned(size: int, dtype: Any) -> NDArray[Any]:
    """Give an array that begins with a cache line."""
    memory = np.empty(size * np.dtype(dtype).itemsize + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + size * np.dtype(dtype).itemsize].view(dtype)


def _frame(shapes: Shapes) -> NDArray[np.float64] | None:
    """Give the frame of elements as `Packed` has it; None where there are none, or their numbers are too large."""
    if not len(shapes):
        return None
    parts = np.array(_each(len(shapes), lambda first, last: measure(shapes.rows, first, last)))
    lo, hi, least = parts[:, :3].min(axis=0), parts[:, 3:6].max(axis=0), parts[:, 6].min()
    largest = max(np.abs(lo).max(), np.abs(hi).max())
    if not largest < FARTHEST:
        return None
    center = lo / 2 + hi / 2
    half = max(np.abs(lo - center).max(), np.abs(hi - center).max(), NEAREST)
    scale = 2.0 ** -int(np.frexp(half)[1])
    lost = 2.0**-1074 if least < NEAREST else 0.0
    return np.array([*center, scale, largest, lost, *((lo - center) * scale), *((hi - center) * scale)])


def _build(shapes: Shapes, frame: NDArray[np.float64]) -> Packed:
    """Build the tree: the root's children on one thread, what is below them on all."""
    n, width = len(shapes), len(shapes.rows)
    records = _aligned(n * LANES, np.float32)
    words = records.view(np.int32)
    _each(n, lambda first, last: make_records(shapes.rows, frame, first, last, records, words))
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
    kept = _aligned(nodes[-1] * NODE, np.float32)
    packed = Packed(
        kept,
        kept.view(np.int32),
        _aligned(blocks[-1] * width * LANES, np.float64),
        np.zeros(blocks[-1] * LANES, np.int32),
        frame,
        width,
    )
    attach(packed, links, np.empty(0, np.int32), 0, 0, words)
    for part, node, block in zip(subtrees, nodes, blocks, strict=False):
        attach(packed, part.links, part.begins, node, block, words)
    _fit(packed, shapes)
    return packed


def _fit(packed: Packed, shapes: Shapes) -> None:
    """Write the bounds and blocks of the elements."""
    _each(packed.nodes.size // NODE, lambda first, last: fill(packed, shapes.rows, first, last))
    fold(packed)

"""Linear probes in unit space, prepared for the tests of nodes and of elements.

**Space.** Nodes are in unit space: the root's bounds are moved to the origin and scaled by a power of two, so
that no coordinate exceeds 1. A probe is transformed likewise: its direction is divided by its largest component,
and it starts where it enters the root's bounds, so that within them tau = t * rate - start is in [0, 2.1]. All of
this is done in float64; the numbers of node tests are then rounded to float32.

**No hit is lost.** Rounding in a node test amounts to moving a face of a box, in unit space and in units of
2**-24, by at most the following, for every tau in [0, 2.1], since no component of a direction exceeds 1:

    a bound rounded to float32                                              1
    a component of the direction rounded, as its inverse                    2.1
    or raised to 2**-24, where it is smaller, so that its inverse is finite 2.1
    (bound - start) / component = bound * inverse + shift: shift rounded    1.1
    the product and the sum rounded                                         1 + 2.1

Less than 10 in all. The shift grows every box by PAD = 16 * 2**-24, and by 2**-50 times the distance of the
probe's origin, which covers the float64 rounding before. (Ize 2013 makes the slab test robust by a factor on tau;
a shift also covers directions of zero, and costs a node nothing.) A body that moves is its middle, and all boxes
are larger by its extent e: tau is below 2.1 + 2 e, and the sum above, larger by 7 e, is below 16 (1 + e).
"""

from math import isfinite, nan
from typing import Any, NamedTuple

import numpy as np

from hitscope.geometry.arrays import Shapes
from hitscope.geometry.error_free import two_difference
from hitscope.geometry.exact.linear_blocks import FARTHEST, LATEST, NEAREST, NEVER, SLACK, UNDERFLOW, BlockProbe
from hitscope.geometry.lanes import (
    LANES,
    address,
    choose,
    get,
    greater,
    inlined,
    lesser,
    load,
    magnitude,
    prefetch,
    put,
    store,
    to_single,
)
from hitscope.geometry.shapes import T_RANGES

PAD = 16.0 * 2.0**-24
GREATEST_INVERSE = 2.0**24
FARTHEST_START = 2.0**60
"""A probe that starts farther out in unit space is out of range: it is tested against every element."""
SINGLES, DOUBLES = 10 * LANES, 16 * LANES
"""The numbers that `prepare` writes for eight probes, into an array of float32 and one of float64."""


class Bundle(NamedTuple):
    """The rows (6, m) of linear probes, one after the other, and their type: segments, lines, else rays.

    In compiled code `rows` is their address.
    """

    rows: Any
    segments: bool
    lines: bool
    size: int


def bundle_of(probes: Shapes) -> Bundle:
    """Return segments, rays or lines as arrays for compiled code."""
    t_min, t_max = T_RANGES[probes.kind]
    return Bundle(probes.rows, isfinite(t_max), not isfinite(t_min), len(probes))


@inlined
def in_memory(bundle: Any) -> Any:
    """Return a bundle with the address of its rows, in compiled code."""
    return Bundle(address(bundle.rows, 0, np.float64), bundle.segments, bundle.lines, bundle.size)


class Order(NamedTuple):
    """An order of probes for compiled code: by an array of indices if `sorted`, else from `first` on."""

    indices: Any
    sorted: bool
    first: int


@inlined
def prepare(
    frame: Any,
    bundle: Any,
    order: Any,
    begin: int,
    end: int,
    gathered: Any,
    singles: Any,
    doubles: Any,
    extent: float = 0.0,
) -> None:
    """Transform the probes `begin` to `end` of an order into unit space, clipped to the root, eight at a time.

    They enter boxes that are larger by `extent`, in unit space, on all sides.

    Writes into `singles`, for node tests, the inverse direction, the shifts of near and of far planes, and the
    reach, which is the greatest tau: negative if a probe misses the root, NaN if it is out of range. Writes into
    `doubles`, for element tests, the numbers that `block_probe` and the refinement of t read. `gathered` is
    working memory for six times eight numbers.
    """
    scale = get(frame, 3)
    for n in range(begin, end, LANES):
        _gather(bundle, order, n, end, gathered)
        ox, oy, oz = load(gathered, 0), load(gathered, 8), load(gathered, 16)
        dx, dy, dz = load(gathered, 24), load(gathered, 32), load(gathered, 40)
        lx, ly, lz = dx * 0.0, dx * 0.0, dx * 0.0
        if bundle.segments:
            dx, lx = two_difference(dx, ox)
            dy, ly = two_difference(dy, oy)
            dz, lz = two_difference(dz, oz)
        sx, sy, sz = magnitude(dx), magnitude(dy), magnitude(dz)
        px, py, pz = magnitude(ox), magnitude(oy), magnitude(oz)
        length, distance = greater(greater(sx, sy), sz), greater(greater(px, py), pz)
        moving = length > 0.0
        rate, over = length * scale, 1.0 / choose(moving, length, 1.0)
        ux, uy, uz = (ox - get(frame, 0)) * scale, (oy - get(frame, 1)) * scale, (oz - get(frame, 2)) * scale
        vx, vy, vz = dx * over + 0.0, dy * over + 0.0, dz * over + 0.0
        far = greater(greater(magnitude(ux), magnitude(uy)), magnitude(uz))
        pad = far * 2.0**-50 + (PAD + extent * (1.0 + PAD))
        # A probe of length zero has tau 0 only.
        enters = choose(moving, rate * (-LATEST if bundle.lines else 0.0), 0.0)
        leaves = choose(moving, rate * ((1.0 if bundle.segments else LATEST) * SLACK), 0.0) + pad
        ix, iy, iz = 1.0 / vx, 1.0 / vy, 1.0 / vz
        enters, leaves = clip(pad * -1.0 + get(frame, 6) - ux, pad + get(frame, 9) - ux, ix, enters, leaves)
        enters, leaves = clip(pad * -1.0 + get(frame, 7) - uy, pad + get(frame, 10) - uy, iy, enters, leaves)
        enters, leaves = clip(pad * -1.0 + get(frame, 8) - uz, pad + get(frame, 11) - uz, iz, enters, leaves)
        reach = (leaves - enters) * (1.0 + 2.0**-22)
        beyond = (distance > FARTHEST) | (length > FARTHEST) | (far > FARTHEST_START)
        reach = choose(beyond | _tiny(sx) | _tiny(sy) | _tiny(sz), nan, reach)
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
        absolute = (greater(distance, length) * 2.0 + (2.0 * get(frame, 4) + 1.0)) * UNDERFLOW
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
        store(doubles, at + 96, length * size * size * (48.0 * SLACK * 2.0**-53) + absolute)
        store(doubles, at + 104, absolute)
        store(doubles, at + 112, choose(_tiny(px) | _tiny(py) | _tiny(pz), 2.0**-1074, far * 0.0 + get(frame, 5)))
        last = greater(magnitude(enters), magnitude(enters + reach))
        store(doubles, at + 120, last / choose(moving, rate, NEVER) * SLACK)


@inlined
def probe_at(order: Any, n: int) -> int:
    """Return the index of the n-th probe of an order."""
    index: int = get(order.indices, n) if order.sorted else order.first + n
    return index


@inlined
def _gather(bundle: Any, order: Any, n: int, last: int, gathered: Any) -> None:
    """Copy the rows of the n-th to (n + 7)-th probe of an order; at its end the last probe is repeated."""
    rows, m = bundle.rows, bundle.size
    if not order.sorted and n + LANES <= last:
        for row in range(6):
            store(gathered, row * LANES, load(rows, row * m + order.first + n))
        return
    for k in range(n, n + LANES):
        ahead = k + 3 * LANES
        index = probe_at(order, k if k < last else last - 1)
        ahead = probe_at(order, ahead if ahead < last else last - 1)
        for row in range(6):
            put(gathered, row * LANES + k - n, get(rows, row * m + index))
            prefetch(rows, row * m + ahead)


@inlined
def _tiny(number: Any) -> Any:
    """Return the mask of magnitudes that are not zero, but so small that products with them may underflow."""
    return (number > 0.0) & (number < NEAREST)


@inlined
def clip(lo: Any, hi: Any, inverse: Any, enters: Any, leaves: Any) -> Any:
    """Return the interval [enters, leaves] of tau, clipped by the slab from `lo` to `hi`."""
    one, other = lo * inverse, hi * inverse
    return greater(lesser(one, other), enters), lesser(greater(one, other), leaves)


@inlined
def _bounded(inverse: Any) -> Any:
    """Return the inverses of components, limited to +-2**24 as if no component were smaller than 2**-24."""
    return greater(lesser(inverse, GREATEST_INVERSE), -GREATEST_INVERSE)


@inlined
def single(singles: Any, row: int, k: int) -> Any:
    """Return the number of probe k in a row of the float32 that `prepare` wrote."""
    return get(singles, (k >> 3) * SINGLES + row * LANES + (k & 7))


@inlined
def _first_double(k: int) -> int:
    """Return the index of probe k's first number in the float64 that `prepare` wrote; others follow by eight."""
    return (k >> 3) * DOUBLES + (k & 7)


@inlined
def block_probe(doubles: Any, k: int, bundle: Any) -> Any:
    """Return the k-th prepared probe for the tests of elements."""
    at = _first_double(k)
    ox, oy, oz = get(doubles, at), get(doubles, at + 8), get(doubles, at + 16)
    dx, dy, dz = get(doubles, at + 24), get(doubles, at + 32), get(doubles, at + 40)
    t_min, t_max = -LATEST if bundle.lines else 0.0, 1.0 if bundle.segments else LATEST
    bound, absolute, least = get(doubles, at + 96), get(doubles, at + 104), get(doubles, at + 112)
    return BlockProbe(ox, oy, oz, dx, dy, dz, t_min, t_max, get(doubles, at + 120), bound, absolute, least)


@inlined
def reach_to(doubles: Any, singles: Any, k: int, t: float) -> Any:
    """Return the greatest tau at which probe k may enter a node that has an element at t or before."""
    at = _first_double(k)
    tau = t * get(doubles, at + 72) - get(doubles, at + 80) + get(doubles, at + 88)
    return lesser(single(singles, 9, k), np.float32(tau * (1.0 + 2.0**-22)))

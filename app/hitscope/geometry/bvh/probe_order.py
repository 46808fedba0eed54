"""An order of probes in which neighbours visit the same nodes: by where each enters and leaves the root."""

from typing import Any

import numpy as np

from hitscope.geometry.bvh.probes import clip
from hitscope.geometry.exact.linear_blocks import LATEST
from hitscope.geometry.lanes import LANES, floor, get, greater, inlined, lesser, load, put, store

CELLS = 8**3


@inlined
def arranged(frame: Any, bundle: Any, first: int, last: int) -> Any:
    """Return the indices of probes `first` to `last`, sorted so that neighbours visit the same nodes.

    The key is the cells in which a probe enters and leaves the root, the bits of both interleaved as on a Morton
    curve; it is sorted in two passes of a radix sort. Returns an empty array if neighbours are alike already.
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
    enters, leaves = clip(frame[6] - ux, frame[9] - ux, 1.0 / vx, enters, leaves)
    enters, leaves = clip(frame[7] - uy, frame[10] - uy, 1.0 / vy, enters, leaves)
    enters, leaves = clip(frame[8] - uz, frame[11] - uz, 1.0 / vz, enters, leaves)
    store(keys, 0, _cell(ux + enters * vx, uy + enters * vy, uz + enters * vz))
    store(keys, LANES, _cell(ux + leaves * vx, uy + leaves * vy, uz + leaves * vz))


@inlined
def _cell(x: Any, y: Any, z: Any) -> Any:
    """Return the numbers of the cells of unit space, 8 x 8 x 8, that eight points are in."""
    return _eighth(x) * 64.0 + _eighth(y) * 8.0 + _eighth(z)


@inlined
def _eighth(x: Any) -> Any:
    return floor(lesser(greater(x * 4.0 + 4.0, 0.0), 7.0))

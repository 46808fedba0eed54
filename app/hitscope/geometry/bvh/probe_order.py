"""An order of probes in which neighbours visit the same nodes: by where each enters and leaves the root."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.bvh.packed_tree import places
from hitscope.geometry.bvh.probes import Bundle, clip, in_memory
from hitscope.geometry.compiled import compiled
from hitscope.geometry.exact.linear_blocks import LATEST
from hitscope.geometry.lanes import LANES, address, floor, get, greater, inlined, lesser, load, put, store

CELLS = 8**3
SORTED_FROM = 4096
"""The least number of probes that are sorted."""
KEYS_AT, SPREAD_AT, LOW_AT, HIGH_AT, MEMORY = places(2 * LANES, CELLS, CELLS, CELLS)
"""The working memory: of the keys of eight probes, and of CELLS numbers each."""
AS_THEY_COME = np.empty(0, np.int64)


def arranged(frame: NDArray[np.float64], bundle: Bundle, first: int, last: int) -> NDArray[np.int64]:
    """Return the indices of probes `first` to `last`, sorted so that neighbours visit the same nodes.

    The key is the cells in which a probe enters and leaves the root, the bits of both interleaved as on a Morton
    curve. Returns an empty array if neighbours are alike already, or the probes are few.
    """
    size = last - first
    if size < SORTED_FROM:
        return AS_THEY_COME
    codes, between, memory = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(MEMORY)
    return codes if arrange(frame, bundle, first, last, codes, between, memory) else AS_THEY_COME


@compiled
def arrange(frame: Any, given: Any, first: int, last: int, indices: Any, others: Any, memory: Any) -> bool:
    """Write the sorted indices in two passes of a radix sort; return whether that was worth it."""
    bundle = in_memory(given)
    box, size = address(frame, 0, np.float64), last - first
    codes, between = address(indices, 0, np.int64), address(others, 0, np.int64)
    keys, spread = address(memory, KEYS_AT, np.float64), address(memory, SPREAD_AT, np.int64)
    low, high = address(memory, LOW_AT, np.int64), address(memory, HIGH_AT, np.int64)
    samples, jumps = 64, 0
    for sample in range(samples):
        _keys(box, bundle, first + sample * (size // samples), keys)
        for k in range(1, LANES):
            entered, left = get(keys, k) != get(keys, k - 1), get(keys, LANES + k) != get(keys, LANES + k - 1)
            jumps += 1 if entered or left else 0
    if 2 * jumps < samples * LANES:
        return False
    for k in range(CELLS):
        bits = 0
        for bit in range(9):
            bits |= (k >> bit & 1) << 2 * (3 * (bit % 3) + bit // 3)
        put(spread, k, bits)
        put(low, k, 0)
        put(high, k, 0)
    for n in range(0, size, LANES):
        start = n if n < size - LANES else size - LANES
        _keys(box, bundle, first + start, keys)
        for k in range(n - start, LANES):
            entered, left = np.int64(get(keys, k)), np.int64(get(keys, LANES + k))
            key = get(spread, entered) << 1 | get(spread, left)
            put(low, key % CELLS, get(low, key % CELLS) + 1)
            put(high, key // CELLS, get(high, key // CELLS) + 1)
            put(codes, start + k, key << 32 | first + start + k)
    below, above = 0, 0
    for k in range(CELLS):
        here, there = get(low, k), get(high, k)
        put(low, k, below)
        put(high, k, above)
        below, above = below + here, above + there
    for n in range(size):
        code = get(codes, n)
        k = (code >> 32) % CELLS
        put(between, get(low, k), code)
        put(low, k, get(low, k) + 1)
    for n in range(size):
        code = get(between, n)
        k = (code >> 32) // CELLS
        put(codes, get(high, k), code & 0xFFFFFFFF)
        put(high, k, get(high, k) + 1)
    return True


@inlined
def _keys(frame: Any, bundle: Any, n: int, keys: Any) -> None:
    """Write the cells, 64 x + 8 y + z, in which eight probes enter the root and, eight further on, leave it."""
    rows, m = bundle.rows, bundle.size
    ox, oy, oz = load(rows, n), load(rows, m + n), load(rows, 2 * m + n)
    dx, dy, dz = load(rows, 3 * m + n), load(rows, 4 * m + n), load(rows, 5 * m + n)
    if bundle.segments:
        dx, dy, dz = dx - ox, dy - oy, dz - oz
    scale = get(frame, 3)
    ux, uy, uz = (ox - get(frame, 0)) * scale, (oy - get(frame, 1)) * scale, (oz - get(frame, 2)) * scale
    vx, vy, vz = dx * scale, dy * scale, dz * scale
    enters, leaves = ux * 0.0, ux * 0.0 + (1.0 if bundle.segments else LATEST)
    enters, leaves = clip(get(frame, 6) - ux, get(frame, 9) - ux, 1.0 / vx, enters, leaves)
    enters, leaves = clip(get(frame, 7) - uy, get(frame, 10) - uy, 1.0 / vy, enters, leaves)
    enters, leaves = clip(get(frame, 8) - uz, get(frame, 11) - uz, 1.0 / vz, enters, leaves)
    store(keys, 0, _cell(ux + enters * vx, uy + enters * vy, uz + enters * vz))
    store(keys, LANES, _cell(ux + leaves * vx, uy + leaves * vy, uz + leaves * vz))


@inlined
def _cell(x: Any, y: Any, z: Any) -> Any:
    """Return the numbers of the cells of unit space, 8 x 8 x 8, that eight points are in."""
    return _eighth(x) * 64.0 + _eighth(y) * 8.0 + _eighth(z)


@inlined
def _eighth(x: Any) -> Any:
    return floor(lesser(greater(x * 4.0 + 4.0, 0.0), 7.0))

"""A range of elements, as records (`build`), split into up to eight by the surface area heuristic (Wald 2007)."""

from math import inf
from typing import Any, NamedTuple

import numpy as np

from hitscope.geometry.bvh.packed_tree import places
from hitscope.geometry.lanes import LANES, address, get, inlined, lane, lesser, load, put, store, swap_halves

BINS = 16
RANGES_AT, COUNTS_AT, BOXES_AT, CENTERS_AT, BINS_AT, COSTS_AT, MEMORY = places(
    # Of numbers of half the size there are half as many:
    *(2 * LANES, 3 * BINS, LANES * LANES // 2, LANES * LANES // 2, 3 * BINS * LANES // 2, BINS // 2)
)
"""The working memory for splitting a range, in float64."""


class Children(NamedTuple):
    """The addresses of the working memory for splitting a range of records into up to eight.

    Of each range: begin and end, the bounds, and those of twice the centers, as records. Of each bin, 16 an axis:
    the bounds and the number of elements; `costs` are those of all elements from a bin on.
    """

    ranges: Any
    boxes: Any
    centers: Any
    bins: Any
    counts: Any
    costs: Any


@inlined
def children_in(memory: Any) -> Any:
    """Return the addresses in working memory, which is used for one node after the other."""
    return Children(
        address(memory, RANGES_AT, np.int64),
        address(memory, BOXES_AT, np.float32),
        address(memory, CENTERS_AT, np.float32),
        address(memory, BINS_AT, np.float32),
        address(memory, COUNTS_AT, np.int64),
        address(memory, COSTS_AT, np.float32),
    )


@inlined
def branch(records: Any, children: Any) -> int:
    """Split range 0 into up to eight, always that of the largest area; return their number (Wald et al. 2008)."""
    size = 1
    while size < LANES:
        largest, area = -1, np.float32(-1)
        for k in range(size):
            own = _half_area(load(children.boxes, k * LANES))
            if get(children.ranges, 2 * k + 1) - get(children.ranges, 2 * k) > LANES and own > area:
                largest, area = k, own
        if largest < 0:
            break
        _halve(records, children, largest, size)
        size += 1
    return size


@inlined
def _halve(records: Any, children: Any, at: int, new: int) -> None:
    """Split range `at` in two, the second of which becomes range `new`.

    Among the borders of 16 bins of the centers along each axis, the split with the least sum of costs is taken
    (Wald 2007); if all centers are equal, or nearly so, the range is halved without sorting.
    """
    begin, end = get(children.ranges, 2 * at), get(children.ranges, 2 * at + 1)
    low = load(children.centers, at * LANES)
    span, empty = low + swap_halves(low), low * np.float32(0) + np.float32(inf)
    scales = _bin_scale(lane(span, 0)), _bin_scale(lane(span, 1)), _bin_scale(lane(span, 2))
    axis, last = -1, 0
    if scales[0] > 0 or scales[1] > 0 or scales[2] > 0:
        _fill_bins(records, children, begin, end, low, scales)
        axis, last = _best_split(children, end - begin, empty)
    left, right, left_centers, right_centers = empty, empty, empty, empty
    origin, scale, half = lane(low, 0), scales[0], (begin + end) // 2
    if axis > 0:
        origin, scale = lane(low, axis), scales[1] if axis == 1 else scales[2]
    i, j = begin, end
    while i < j:
        record = load(records, i * LANES)
        center = centers_of(record)
        if i < half if axis < 0 else np.int64((lane(center, axis) - origin) * scale) <= last:
            left, left_centers = lesser(left, record), lesser(left_centers, center)
            i += 1
        else:
            right, right_centers = lesser(right, record), lesser(right_centers, center)
            j -= 1
            store(records, i * LANES, load(records, j * LANES))
            store(records, j * LANES, record)
    put(children.ranges, 2 * at + 1, i)
    put(children.ranges, 2 * new, i)
    put(children.ranges, 2 * new + 1, end)
    store(children.boxes, at * LANES, left)
    store(children.boxes, new * LANES, right)
    store(children.centers, at * LANES, left_centers)
    store(children.centers, new * LANES, right_centers)


@inlined
def _fill_bins(records: Any, children: Any, begin: int, end: int, low: Any, scales: Any) -> None:
    """Sort the records into the bins of each axis."""
    bins, counts = children.bins, children.counts
    for own in range(3 * BINS):
        store(bins, own * LANES, low * np.float32(0) + np.float32(inf))
        put(counts, own, 0)
    x, y, z = lane(low, 0), lane(low, 1), lane(low, 2)
    for n in range(begin, end):
        record = load(records, n * LANES)
        center = centers_of(record)
        i = np.int64((lane(center, 0) - x) * scales[0])
        j = np.int64((lane(center, 1) - y) * scales[1]) + BINS
        k = np.int64((lane(center, 2) - z) * scales[2]) + 2 * BINS
        store(bins, i * LANES, lesser(load(bins, i * LANES), record))
        store(bins, j * LANES, lesser(load(bins, j * LANES), record))
        store(bins, k * LANES, lesser(load(bins, k * LANES), record))
        put(counts, i, get(counts, i) + 1)
        put(counts, j, get(counts, j) + 1)
        put(counts, k, get(counts, k) + 1)


@inlined
def _best_split(children: Any, size: int, empty: Any) -> tuple[int, int]:
    """Return the axis and the last bin on the left of the split of least cost; axis -1 if there is no split."""
    axis, last, least = -1, 0, np.float32(inf)
    for own in range(3):
        first = own * BINS
        box, count = empty, 0
        for k in range(BINS - 1, 0, -1):
            count += get(children.counts, first + k)
            box = lesser(box, load(children.bins, (first + k) * LANES))
            put(children.costs, k, _cost(box, count) if count > 0 else np.float32(0))
        box, count = empty, 0
        for k in range(BINS - 1):
            count += get(children.counts, first + k)
            box = lesser(box, load(children.bins, (first + k) * LANES))
            if 0 < count < size:
                cost = _cost(box, count) + get(children.costs, k + 1)
                if cost < least:
                    axis, last, least = own, k, cost
    return axis, last


@inlined
def _bin_scale(span: Any) -> Any:
    """Return the factor from a center's distance to its bin, for centers in a range of -span; 0 if that is 0."""
    return np.float32(BINS * (1.0 - 2.0**-20)) / -span if -span > np.float32(2.0**-100) else np.float32(0)


@inlined
def _cost(box: Any, count: int) -> Any:
    """Return the cost of a box by the surface area heuristic: half its area, times its number of blocks."""
    return _half_area(box) * np.float32((count + LANES - 1) // LANES)


@inlined
def _half_area(box: Any) -> Any:
    """Return half the surface area of bounds in the form of a record."""
    sides = box + swap_halves(box)
    x, y, z = lane(sides, 0), lane(sides, 1), lane(sides, 2)
    return x * y + y * z + z * x


@inlined
def centers_of(record: Any) -> Any:
    """Return a record of twice the center of a record's box."""
    return record - swap_halves(record)

"""A range of elements, as records (`build`), split into up to eight by the surface area heuristic (Wald 2007)."""

from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.lanes import LANES, inlined, lane, lesser, load, store, swap_halves

BINS = 16


class Children(NamedTuple):
    """The working memory for splitting a range of records into up to eight.

    Of each range: begin and end, the bounds, and those of twice the centers, as records. Of each bin, 16 an axis:
    the bounds and the number of elements; `costs` are those of all elements from a bin on.
    """

    ranges: NDArray[np.int64]
    boxes: NDArray[np.float32]
    centers: NDArray[np.float32]
    bins: NDArray[np.float32]
    counts: NDArray[np.int64]
    costs: NDArray[np.float32]


@inlined
def new_children() -> Any:
    """Return working memory, which is used for one node after the other."""
    return Children(
        np.zeros((LANES, 2), np.int64),
        np.zeros(LANES * LANES, np.float32),
        np.zeros(LANES * LANES, np.float32),
        np.zeros(3 * BINS * LANES, np.float32),
        np.zeros(3 * BINS, np.int64),
        np.zeros(BINS, np.float32),
    )


@inlined
def branch(records: Any, children: Any) -> int:
    """Split range 0 into up to eight, always that of the largest area; return their number (Wald et al. 2008)."""
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


@inlined
def _halve(records: Any, children: Any, at: int, new: int) -> None:
    """Split range `at` in two, the second of which becomes range `new`.

    Among the borders of 16 bins of the centers along each axis, the split with the least sum of costs is taken
    (Wald 2007); if all centers are equal, or nearly so, the range is halved without sorting.
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
        center = centers_of(record)
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
def _fill_bins(records: Any, children: Any, begin: int, end: int, low: Any, scales: Any) -> None:
    """Sort the records into the bins of each axis."""
    bins, counts = children.bins, children.counts
    for k in range(3 * BINS):
        store(bins, k * LANES, low * np.float32(0) + np.float32(inf))
        counts[k] = 0
    x, y, z = lane(low, 0), lane(low, 1), lane(low, 2)
    for n in range(begin, end):
        record = load(records, n * LANES)
        center = centers_of(record)
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
    """Return the axis and the last bin on the left of the split of least cost; axis -1 if there is no split."""
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

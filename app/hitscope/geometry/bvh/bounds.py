"""The bounds of each element and of all elements, which define unit space."""

from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry import threads
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.compiled import compiled
from hitscope.geometry.exact.linear_blocks import FARTHEST, NEAREST
from hitscope.geometry.lanes import inlined


def frame_of(shapes: Shapes) -> NDArray[np.float64] | None:
    """Return the `frame` of a `PackedTree` over shapes; None if there are none, or their numbers are too large."""
    if not len(shapes):
        return None
    parts = np.array(threads.each_part(len(shapes), lambda first, last: measure(shapes.rows, first, last)))
    lo, hi, least = parts[:, :3].min(axis=0), parts[:, 3:6].max(axis=0), parts[:, 6].min()
    largest = max(np.abs(lo).max(), np.abs(hi).max())
    if not largest < FARTHEST:
        return None
    center = lo / 2 + hi / 2
    half = max(np.abs(lo - center).max(), np.abs(hi - center).max(), NEAREST)
    scale = 2.0 ** -int(np.frexp(half)[1])
    lost = 2.0**-1074 if least < NEAREST else 0.0
    return np.array([*center, scale, largest, lost, *((lo - center) * scale), *((hi - center) * scale)])


@compiled
def measure(rows: Any, first: int, last: int) -> Any:
    """Return the bounds of some elements, and the least magnitude of their numbers that is not zero; (7,)."""
    found = np.array([inf, inf, inf, -inf, -inf, -inf, inf])
    for n in range(first, last):
        bounds = bounds_of(rows, n)
        for k in range(3):
            found[k], found[k + 3] = min(found[k], bounds[k]), max(found[k + 3], bounds[k + 3])
        for k in range(rows.shape[0]):
            number = abs(rows[k, n])
            found[6] = number if 0 < number < found[6] else found[6]
    return found


@inlined
def bounds_of(rows: Any, n: int) -> tuple[float, float, float, float, float, float]:
    """Return the bounds lo x, y, z, hi x, y, z of element n; those of an oriented box are a little too large."""
    if rows.shape[0] == 6:
        return rows[0, n], rows[1, n], rows[2, n], rows[3, n], rows[4, n], rows[5, n]
    if rows.shape[0] == 9:
        lx, hx = _ends(rows[0, n], rows[3, n], rows[6, n])
        ly, hy = _ends(rows[1, n], rows[4, n], rows[7, n])
        lz, hz = _ends(rows[2, n], rows[5, n], rows[8, n])
        return lx, ly, lz, hx, hy, hz
    a, b, c = rows[3, n], rows[4, n], rows[5, n]
    lx, hx = _widened(rows[0, n], a * abs(rows[6, n]) + b * abs(rows[9, n]) + c * abs(rows[12, n]))
    ly, hy = _widened(rows[1, n], a * abs(rows[7, n]) + b * abs(rows[10, n]) + c * abs(rows[13, n]))
    lz, hz = _widened(rows[2, n], a * abs(rows[8, n]) + b * abs(rows[11, n]) + c * abs(rows[14, n]))
    return lx, ly, lz, hx, hy, hz


@inlined
def _ends(a: float, b: float, c: float) -> tuple[float, float]:
    return min(a, b, c), max(a, b, c)


@inlined
def _widened(middle: float, half: float) -> tuple[float, float]:
    """Return the ends of an interval, widened by more than their rounding errors."""
    half += (half + abs(middle)) * 2.0**-50
    return middle - half, middle + half

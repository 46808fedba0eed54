"""The bounds of each element and of all elements, which define unit space."""

from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry import threads
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.exact.linear_blocks import FARTHEST, NEAREST, has_radius
from hitscope.geometry.kinds.round import within_radius
from hitscope.geometry.lanes import get, greater, inlined, lesser, magnitude

CHUNK = 8192
"""The elements whose bounds are computed at a time, so that they stay in the processor's cache."""


def frame_of(shapes: Shapes) -> NDArray[np.float64] | None:
    """Return the `frame` of a `PackedTree` over shapes; None if there are none, or their numbers are too large."""
    if not len(shapes):
        return None
    parts = np.array(threads.each_part(len(shapes), lambda first, last: _measured(shapes, first, last)))
    lo, hi, least = parts[:, :3].min(axis=0), parts[:, 3:6].max(axis=0), parts[:, 6].min()
    largest = max(np.abs(lo).max(), np.abs(hi).max())
    if not largest < FARTHEST:
        return None
    center = lo / 2 + hi / 2
    half = max(np.abs(lo - center).max(), np.abs(hi - center).max(), NEAREST)
    scale = 2.0 ** -int(np.frexp(half)[1])
    lost = 2.0**-1074 if least < NEAREST else 0.0
    return np.array([*center, scale, largest, lost, *((lo - center) * scale), *((hi - center) * scale)])


def _measured(shapes: Shapes, first: int, last: int) -> NDArray[np.float64]:
    """Return the bounds of some elements, and the least magnitude of their numbers that is not zero; (7,)."""
    found = np.array([inf, inf, inf, -inf, -inf, -inf, inf])
    for start in range(first, last, CHUNK):
        rows = shapes.rows[:, start : min(start + CHUNK, last)]
        bounds = each_bounds(rows)
        np.minimum(found[:3], bounds[:3].min(axis=1), out=found[:3])
        np.maximum(found[3:6], bounds[3:].max(axis=1), out=found[3:6])
        sizes = np.abs(rows)
        # A selection is slow, and only needed where there are zeros.
        least = sizes.min()
        found[6] = min(found[6], least if least > 0 else sizes[sizes > 0].min(initial=inf))
    return found


def each_bounds(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the bounds lo x, y, z, hi x, y, z of each element, (6, n), as `bounds_of` computes them."""
    if len(rows) == 6:
        return rows
    if len(rows) == 9:
        a, b, c = rows.reshape(3, 3, -1)
        return np.concatenate((np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)))
    if has_radius(len(rows)):
        return np.concatenate(within_radius(rows))
    middle, sizes = rows[:3], np.abs(rows[6:]).reshape(3, 3, -1)
    half = rows[3] * sizes[0] + rows[4] * sizes[1] + rows[5] * sizes[2]
    half += (half + np.abs(middle)) * 2.0**-50
    return np.concatenate((middle - half, middle + half))


@inlined
def bounds_of(rows: Any, width: int, count: int, n: int) -> Any:
    """Return the bounds lo x, y, z, hi x, y, z of element n of `count`, a little wider where they are rounded."""
    if width == 6:
        lx, ly, lz = _row(rows, count, 0, n), _row(rows, count, 1, n), _row(rows, count, 2, n)
        return lx, ly, lz, _row(rows, count, 3, n), _row(rows, count, 4, n), _row(rows, count, 5, n)
    if width == 9:
        lx, hx = _ends(rows, count, 0, n)
        ly, hy = _ends(rows, count, 1, n)
        lz, hz = _ends(rows, count, 2, n)
        return lx, ly, lz, hx, hy, hz
    if has_radius(width):
        lx, hx = _within_radius(rows, width, count, 0, n)
        ly, hy = _within_radius(rows, width, count, 1, n)
        lz, hz = _within_radius(rows, width, count, 2, n)
        return lx, ly, lz, hx, hy, hz
    lx, hx = _around(rows, count, 0, n)
    ly, hy = _around(rows, count, 1, n)
    lz, hz = _around(rows, count, 2, n)
    return lx, ly, lz, hx, hy, hz


@inlined
def _row(rows: Any, count: int, row: int, n: int) -> float:
    number: float = get(rows, row * count + n)
    return number


@inlined
def _ends(rows: Any, count: int, axis: int, n: int) -> tuple[float, float]:
    """Return the least and the greatest coordinate of a triangle's corners."""
    a, b, c = _row(rows, count, axis, n), _row(rows, count, axis + 3, n), _row(rows, count, axis + 6, n)
    return lesser(c, lesser(b, a)), greater(c, greater(b, a))


@inlined
def _within_radius(rows: Any, width: int, count: int, axis: int, n: int) -> tuple[float, float]:
    """Return the ends of a sphere or capsule along a coordinate, widened by more than their rounding errors."""
    a, b = _row(rows, count, axis, n), _row(rows, count, axis + width - 4, n)
    radius = _row(rows, count, width - 1, n)
    lost = (greater(magnitude(a), magnitude(b)) + radius) * 2.0**-48
    return lesser(a, b) - radius - lost, greater(a, b) + radius + lost


@inlined
def _around(rows: Any, count: int, axis: int, n: int) -> tuple[float, float]:
    """Return the ends of an oriented box along a coordinate, widened by more than their rounding errors."""
    a = _row(rows, count, 3, n) * magnitude(_row(rows, count, axis + 6, n))
    b = _row(rows, count, 4, n) * magnitude(_row(rows, count, axis + 9, n))
    c = _row(rows, count, 5, n) * magnitude(_row(rows, count, axis + 12, n))
    middle, half = _row(rows, count, axis, n), a + b + c
    half += (half + magnitude(middle)) * 2.0**-50
    return middle - half, middle + half

"""Axes of arrays of quaternions, equal in every bit to `checked_shapes.axes_from_quaternion`, which rounds once.

The entries are found in double-double arithmetic (Dekker 1971; Hida, Li and Bailey 2001), whose error here is far
below DOUBT. Where the exact value might round differently, the exact function is called: for random quaternions
almost never.
"""

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import Fault
from hitscope.geometry.arrays import Array
from hitscope.geometry.error_free import two_product, two_sum
from hitscope.scene.checked_shapes import axes_from_quaternion

DoubleDouble = tuple[Array, Array]
"""The unrounded sum of two float64, the second being below the last place of the first."""

DOUBT = 2.0**-90
"""A bound of the error of an entry, which is at most 1."""
SMALLEST = 2.0**-400
"""Products of components at least this large, beside one of about 1, neither underflow nor lose a bit."""


def axes_from_quaternions(quaternions: Array) -> Array:
    """Return the axes (9, n), row by row, of quaternions (4, n); raises Fault, path (index,), for zero."""
    zero = ~quaternions.any(axis=0)
    if zero.any():
        raise Fault((int(np.argmax(zero)),), "a quaternion other than zero", "[0, 0, 0, 0]")
    _, exponents = np.frexp(np.abs(quaternions).max(axis=0))
    scaled = np.ldexp(quaternions, -exponents)
    unsure = ((np.abs(scaled) < SMALLEST) & (quaternions != 0)).any(axis=0)
    x, y, z, w = np.where(unsure, 1.0, scaled)
    xx, yy, zz, ww = (two_product(a, a) for a in (x, y, z, w))
    norm = _sum(_sum(xx, yy), _sum(zz, ww))
    axes = np.empty((9, quaternions.shape[1]))
    squares = ((xx, yy, zz), (yy, zz, xx), (zz, xx, yy))
    for k, (a, b, c) in enumerate(squares):
        first, second = _sum(ww, _minus(b)), _sum(a, _minus(c))
        plain = _is_plain(ww, _minus(b)) & _is_plain(a, _minus(c))
        _enter(axes, 4 * k, first, second, norm, plain, unsure)
    twice = ((1, x, y, z, w), (6, x, z, y, w), (5, y, z, x, w))
    for k, a, b, c, d in twice:
        first, second = two_product(2 * a, b), two_product(2 * c, d)
        transposed = 3 * (k % 3) + k // 3
        _enter(axes, k, first, second, norm, True, unsure)
        _enter(axes, transposed, first, _minus(second), norm, True, unsure)
    for i in np.flatnonzero(unsure).tolist():
        a, b, c, d = quaternions[:, i].tolist()
        axes[:, i] = np.ravel(axes_from_quaternion((a, b, c, d)))
    return axes


def _enter(
    axes: Array,
    k: int,
    a: DoubleDouble,
    b: DoubleDouble,
    norm: DoubleDouble,
    plain: NDArray[np.bool_] | bool,
    unsure: NDArray[np.bool_],
) -> None:
    """Write the entry (a + b) / norm, rounded, and mark where that is unsure; a `plain` sum has no error."""
    high, low = _quotient(_sum(a, b), norm)
    axes[k] = high + low + 0.0  # -0.0 + 0.0 is 0.0
    zero = plain & (a[0] == -b[0]) & (a[1] == -b[1])
    unsure |= ~zero & ((high + (low - DOUBT) != axes[k]) | (high + (low + DOUBT) != axes[k]))


def _is_plain(a: DoubleDouble, b: DoubleDouble) -> NDArray[np.bool_]:
    """Return where a sum has no error because one summand is zero or both cancel."""
    plain: NDArray[np.bool_] = ((a[0] == -b[0]) & (a[1] == -b[1])) | (a[0] == 0) | (b[0] == 0)
    return plain


def _minus(a: DoubleDouble) -> DoubleDouble:
    return -a[0], -a[1]


def _sum(a: DoubleDouble, b: DoubleDouble) -> DoubleDouble:
    high, low = two_sum(a[0], b[0])
    t, rest = two_sum(a[1], b[1])
    high, low = two_sum(high, low + t)
    return two_sum(high, low + rest)


def _quotient(a: DoubleDouble, b: DoubleDouble) -> DoubleDouble:
    q = a[0] / b[0]
    p, rest = two_product(q, b[0])
    left = _sum(a, (-p, -(rest + q * b[1])))
    return two_sum(q, left[0] / b[0])

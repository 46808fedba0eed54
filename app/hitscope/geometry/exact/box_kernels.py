"""Compiled: one linear probe against many axis-aligned boxes, by a float filter and then by exact expansions.

A segment, ray or line and a box are apart exactly if one of six axes separates them: the three coordinate axes,
which compare stored numbers, and the three axes across the probe in a coordinate plane. There the probe's line
passes beside the rectangle exactly if the two corners extreme across the line lie on one side of it, that is by
the signs of

    det = p * (v - b) - q * (u - a)

for a point (a, b) of the line, its direction (p, q) and a corner (u, v): Shewchuk's orient2d. Which corners are
extreme depends only on the signs of p and q, so the caller picks their arrays and the loop has no branch.

The filter. With eps = 2**-53 every difference, product and the last subtraction is right but for a factor 1 + e,
|e| <= eps, so by Shewchuk 1997 (bound A of orient2d) the computed sign is right if

    |det| > (3 + 16 eps) eps (|p (v - b)| + |q (u - a)|) + 2**-1070,

where the last term covers products that underflow (each loses at most 2**-1075; differences lose nothing). What
overflows compares false and stays unsure. A segment's (p, q) is a rounded difference too: the bound allows for it.

The exact stage writes differences as the sum of two float64 (TwoDiff), products likewise (TwoProduct, Dekker's),
and takes the sign of all sixteen terms by growing an expansion. Where a product might leave float64's range it
answers UNSURE once more, and fractions decide.
"""

from typing import Any

import numpy as np
from numba import njit

MISS, HIT, UNSURE = 0, 1, 2
RELATIVE = (3.0 + 16.0 * 2.0**-53) * 2.0**-53
ABSOLUTE = 2.0**-1070
SPLITTER = 2.0**27 + 1.0
LARGEST_FACTOR = 2.0**480
SMALLEST_PRODUCT = 2.0**-900
TERMS = 16


@njit(cache=True, error_model="numpy")
def filter_boxes(
    verdicts: Any, least: Any, greatest: Any, lo: Any, hi: Any, planes: Any, xy: Any, yz: Any, zx: Any
) -> None:
    """Write MISS, HIT or UNSURE for each of n boxes into `verdicts` (n,) of int8.

    `least` and `greatest` (three numbers each) bound the probe, `lo` and `hi` (three rows each) are the boxes.
    `planes` has (a, b, p, q) of each coordinate plane; `xy`, `yz`, `zx` have the rows u, v of the corner with the
    greatest det, then of the one with the least.
    """
    lo_x, lo_y, lo_z = lo
    hi_x, hi_y, hi_z = hi
    x0, y0, z0 = least
    x1, y1, z1 = greatest
    (a0, b0, p0, q0), (a1, b1, p1, q1), (a2, b2, p2, q2) = planes
    u0, v0, r0, s0 = xy
    u1, v1, r1, s1 = yz
    u2, v2, r2, s2 = zx
    for n in range(verdicts.shape[0]):
        miss = (lo_x[n] > x1) | (hi_x[n] < x0) | (lo_y[n] > y1) | (hi_y[n] < y0) | (lo_z[n] > z1) | (hi_z[n] < z0)
        left, right = p0 * (v0[n] - b0), q0 * (u0[n] - a0)
        det, bound = left - right, RELATIVE * (abs(left) + abs(right)) + ABSOLUTE
        miss |= det < -bound
        hit = det > bound
        left, right = p0 * (s0[n] - b0), q0 * (r0[n] - a0)
        det, bound = left - right, RELATIVE * (abs(left) + abs(right)) + ABSOLUTE
        miss |= det > bound
        hit &= det < -bound
        left, right = p1 * (v1[n] - b1), q1 * (u1[n] - a1)
        det, bound = left - right, RELATIVE * (abs(left) + abs(right)) + ABSOLUTE
        miss |= det < -bound
        hit &= det > bound
        left, right = p1 * (s1[n] - b1), q1 * (r1[n] - a1)
        det, bound = left - right, RELATIVE * (abs(left) + abs(right)) + ABSOLUTE
        miss |= det > bound
        hit &= det < -bound
        left, right = p2 * (v2[n] - b2), q2 * (u2[n] - a2)
        det, bound = left - right, RELATIVE * (abs(left) + abs(right)) + ABSOLUTE
        miss |= det < -bound
        hit &= det > bound
        left, right = p2 * (s2[n] - b2), q2 * (r2[n] - a2)
        det, bound = left - right, RELATIVE * (abs(left) + abs(right)) + ABSOLUTE
        miss |= det > bound
        hit &= det < -bound
        verdicts[n] = MISS if miss else (HIT if hit else UNSURE)


@njit(cache=True, error_model="numpy")
def settle_boxes(verdicts: Any, unsure: Any, planes: Any, lows: Any, xy: Any, yz: Any, zx: Any) -> None:
    """Settle the boxes at the indices `unsure`; `lows` has the low parts (p, q) of each plane's direction."""
    terms = np.empty(TERMS)
    for n in unsure:
        verdict = HIT
        for k in range(3):
            a, b, p, q = planes[k]
            p_low, q_low = lows[k]
            rows = xy if k == 0 else yz if k == 1 else zx
            for end in range(2):
                u, v = rows[2 * end][n], rows[2 * end + 1][n]
                sign = _orientation(terms, p, p_low, q, q_low, u, a, v, b)
                if sign == UNSURE:
                    verdict = UNSURE
                elif sign == (1 if end else -1):
                    verdict = MISS
                if verdict != HIT:
                    break
            if verdict != HIT:
                break
        verdicts[n] = verdict


@njit(cache=True, error_model="numpy")
def _orientation(
    terms: Any, p: float, p_low: float, q: float, q_low: float, u: float, a: float, v: float, b: float
) -> int:
    """Give the sign of (p + p_low) (v - b) - (q + q_low) (u - a), or UNSURE where a product leaves the range."""
    across, across_low = _two_difference(v, b)
    along, along_low = _two_difference(u, a)
    size = 0
    for x, y in (
        (p, across),
        (p, across_low),
        (p_low, across),
        (p_low, across_low),
        (-q, along),
        (-q, along_low),
        (-q_low, along),
        (-q_low, along_low),
    ):
        if x == 0 or y == 0:
            continue
        if not (abs(x) < LARGEST_FACTOR and abs(y) < LARGEST_FACTOR and abs(x * y) > SMALLEST_PRODUCT):
            return UNSURE
        product, low = _two_product(x, y)
        size = _grow(terms, size, low)
        size = _grow(terms, size, product)
    for k in range(size - 1, -1, -1):
        if terms[k] != 0:
            return 1 if terms[k] > 0 else -1
    return 0


@njit(cache=True)
def _two_difference(x: float, y: float) -> tuple[float, float]:
    """Give x - y as a rounded number and what rounding lost (Knuth)."""
    difference = x - y
    back = x - difference
    return difference, (x - (difference + back)) + (back - y)


@njit(cache=True)
def _two_product(x: float, y: float) -> tuple[float, float]:
    """Give x * y as a rounded number and what rounding lost (Dekker)."""
    product = x * y
    big = SPLITTER * x
    x_high = big - (big - x)
    x_low = x - x_high
    big = SPLITTER * y
    y_high = big - (big - y)
    y_low = y - y_high
    return product, x_low * y_low - (((product - x_high * y_high) - x_low * y_high) - x_high * y_low)


@njit(cache=True)
def _grow(terms: Any, size: int, number: float) -> int:
    """Add a number to an expansion of `size` terms (Shewchuk's Grow-Expansion); gives the new size."""
    for k in range(size):
        total = number + terms[k]
        part = total - number
        terms[k] = (number - (total - part)) + (terms[k] - part)
        number = total
    terms[size] = number
    return size + 1

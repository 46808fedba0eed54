"""Compiled predicates for the pairs that a filter (`filters`) leaves unsure.

Every verdict here is a conjunction of signs of Shewchuk's orient2d and orient3d (Shewchuk 1997), written as

    det2 = p * (v - b) - q * (u - a)          for a line through (a, b) with direction (p, q) and a point (u, v)
    det3 = x * (m y' - n z') + ...            for three rows, each a difference of two points

A difference is an exact sum of two float64, and so is a product (`error_free`); the sign is that of the sum of all
terms, found by growing an expansion. Low parts of zero are left out, so that the numbers of a grid, where touching
is common, cost little. Where a product might leave float64's range the verdict stays UNSURE, and fractions decide.
Before any of that, Shewchuk's bound A decides what it can: it is tighter than the filter's, since it takes the
numbers of the pair and not the bounds of all primitives.
"""

from typing import Any

import numpy as np
from numba.extending import register_jitable

from hitscope.geometry.compiled import compiled
from hitscope.geometry.error_free import two_difference, two_product, two_sum
from hitscope.geometry.exact.verdict_codes import HIT, MISS, UNSURE

RELATIVE_2 = (3.0 + 16.0 * 2.0**-53) * 2.0**-53
ABSOLUTE_2 = 2.0**-1070
RELATIVE_3 = (7.0 + 56.0 * 2.0**-53) * 2.0**-53
"""The error of det3 in units of the sum of its terms' magnitudes."""
ABSOLUTE_3 = 2.0**-1068
LARGEST_FACTOR = 2.0**320
SMALLEST_PRODUCT = 2.0**-900
TERMS = 192


@compiled
def require_orient2d(
    verdicts: Any, a: float, b: float, p: float, q: float, low: Any, u: Any, v: Any, sign: int
) -> None:
    """Change each HIT to MISS where sign * det2 is negative, and to UNSURE where its sign is not found.

    `low` has the rounding errors of p and q.
    """
    terms = np.empty(TERMS)
    for n in range(verdicts.size):
        if verdicts[n] == HIT:
            found = orient2d(terms, p, low[0], q, low[1], u[n], a, v[n], b)
            verdicts[n] = UNSURE if found == UNSURE else (MISS if found * sign < 0 else HIT)


@compiled
def require_orient3d(verdicts: Any, point: Any, e: Any, f: Any, sign: int, x: Any, y: Any, z: Any) -> None:
    """Change each HIT likewise by sign * det3 of the rows e - point, f - point and (x, y, z) - point."""
    terms = np.empty(TERMS)
    row_e, row_f = _from(point, e[0], e[1], e[2]), _from(point, f[0], f[1], f[2])
    for n in range(verdicts.size):
        if verdicts[n] == HIT:
            found = orient3d(terms, row_e, row_f, _from(point, x[n], y[n], z[n]))
            verdicts[n] = UNSURE if found == UNSURE else (MISS if found * sign < 0 else HIT)


@compiled
def linear_triangle_verdicts(verdicts: Any, start: Any, direction: Any, end: Any, kind: int, rows: Any) -> None:
    """Write the verdicts (n,) of one segment (kind 0), ray (1) or line (2) against the triangles of `rows` (9, n).

    Seen from the probe's start, with its direction d and the corners u, v, w relative to it, the line passes the
    three edges on the sides given by the signs of det3(d, u, v), det3(d, v, w), det3(d, w, u), whose sum is d . n
    for the triangle's normal n: two of opposite sign are a miss, three of one sign a crossing of the line, at t =
    det3(u, v, w) / (d . n). A segment's ends are on two sides of the plane if det3(u, v, w) and the same seen from
    its `end` differ in sign. `direction` has six numbers, the last three the rounding errors of the first. If the
    three sides are all zero, the probe is in the triangle's plane or the triangle is collinear: that stays UNSURE.
    """
    terms = np.empty(TERMS)
    for n in range(verdicts.size):
        u = _from(start, rows[0, n], rows[1, n], rows[2, n])
        v = _from(start, rows[3, n], rows[4, n], rows[5, n])
        w = _from(start, rows[6, n], rows[7, n], rows[8, n])
        first = orient3d(terms, direction, u, v)
        second = orient3d(terms, direction, v, w)
        third = orient3d(terms, direction, w, u)
        before = orient3d(terms, u, v, w)
        after = 0
        if kind == 0:
            after = orient3d(
                terms,
                _from(end, rows[0, n], rows[1, n], rows[2, n]),
                _from(end, rows[3, n], rows[4, n], rows[5, n]),
                _from(end, rows[6, n], rows[7, n], rows[8, n]),
            )
        lowest, highest = min(first, second, third), max(first, second, third)
        if max(highest, before, after) == UNSURE or (lowest == 0 and highest == 0):
            verdicts[n] = UNSURE
        elif lowest < 0 < highest or (kind == 0 and before * after > 0):
            verdicts[n] = MISS
        else:
            verdicts[n] = MISS if kind == 1 and before * (lowest + highest) < 0 else HIT


@register_jitable
def orient2d(
    terms: Any, p: float, p_low: float, q: float, q_low: float, u: float, a: float, v: float, b: float
) -> int:
    """Return the sign of (p + p_low) (v - b) - (q + q_low) (u - a), or UNSURE where a product leaves the range."""
    across, across_low = two_difference(v, b)
    along, along_low = two_difference(u, a)
    left, right = p * across, q * along
    if abs(left - right) > RELATIVE_2 * (abs(left) + abs(right)) + ABSOLUTE_2:
        return 1 if left > right else -1
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
        if _out_of_range(x, y):
            return UNSURE
        product, low = two_product(x, y)
        size = _grow(terms, size, low)
        size = _grow(terms, size, product)
    return _sign_of(terms, size)


@register_jitable
def orient3d(terms: Any, a: Any, b: Any, c: Any) -> int:
    """Return the sign of det3(a, b, c), or UNSURE where a product leaves the range.

    A row is six numbers: the three components, and their rounding errors.
    """
    det = permanent = 0.0
    largest = 1.0
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        left, right = b[j] * c[k], b[k] * c[j]
        det += a[i] * (left - right)
        permanent += abs(a[i]) * (abs(left) + abs(right))
        largest += abs(a[i])
    if abs(det) > RELATIVE_3 * permanent + ABSOLUTE_3 * largest:
        return 1 if det > 0 else -1
    size = 0
    for i, j, k, sign in (
        (0, 1, 2, 1.0),
        (1, 2, 0, 1.0),
        (2, 0, 1, 1.0),
        (0, 2, 1, -1.0),
        (2, 1, 0, -1.0),
        (1, 0, 2, -1.0),
    ):
        for f in (sign * a[i], sign * a[i + 3]):
            for g in (b[j], b[j + 3]):
                for h in (c[k], c[k + 3]):
                    if f == 0 or g == 0 or h == 0:
                        continue
                    if _out_of_range(f, g):
                        return UNSURE
                    product, low = two_product(f, g)
                    for part in (low, product):
                        if part == 0:
                            continue
                        if _out_of_range(part, h):
                            return UNSURE
                        high, rest = two_product(part, h)
                        size = _grow(terms, size, rest)
                        size = _grow(terms, size, high)
    return _sign_of(terms, size)


@register_jitable
def _from(o: Any, x: float, y: float, z: float) -> tuple[float, float, float, float, float, float]:
    """Return the row (x, y, z) - o of an orient3d."""
    dx, lx = two_difference(x, o[0])
    dy, ly = two_difference(y, o[1])
    dz, lz = two_difference(z, o[2])
    return dx, dy, dz, lx, ly, lz


@register_jitable
def _out_of_range(x: float, y: float) -> bool:
    """Return whether a product might over- or underflow, so that its low part would be wrong."""
    return (
        not (abs(x) < LARGEST_FACTOR * LARGEST_FACTOR and abs(y) < LARGEST_FACTOR) or abs(x * y) < SMALLEST_PRODUCT
    )


@register_jitable
def _grow(terms: Any, size: int, number: float) -> int:
    """Add a number to an expansion of `size` terms (Shewchuk's Grow-Expansion without zeros); return its size."""
    kept = 0
    for k in range(size):
        number, low = two_sum(number, terms[k])
        if low != 0:
            terms[kept] = low
            kept += 1
    if number != 0:
        terms[kept] = number
        kept += 1
    return kept


@register_jitable
def _sign_of(terms: Any, size: int) -> int:
    """Return the sign of an expansion: that of its last term, which outweighs all others."""
    return 0 if size == 0 else (1 if terms[size - 1] > 0 else -1)

"""Compiled: float filters that are never wrong, and the expansions that settle what they leave open.

Every verdict here is a conjunction of signs of Shewchuk's orient2d and orient3d (Shewchuk 1997), written as

    det2 = p * (v - b) - q * (u - a)          for a line through (a, b) with direction (p, q) and a point (u, v)
    det3 = x * (m y' - n z') + ...            for three rows, each a difference of stored points

**Filter.** With eps = 2**-53 every difference, product and sum is right but for a factor 1 + e, |e| <= eps, so the
computed sign is right if |det| is greater than

    det2: (3 + 16 eps) eps (|p (v - b)| + |q (u - a)|) + 2**-1070
    det3: (7 + 56 eps) eps * (the same sum with absolute values) + 2**-1068 (1 + largest)

by Shewchuk's bounds A; rows that are stored numbers and not differences only have less error. The last terms cover
products that underflow: each loses at most 2**-1075 (differences lose nothing), in det3 times a number of at most
`largest`. What overflows compares false, and so stays unsure, as every det of zero does.

**Expansions.** A difference is the sum of two float64 (TwoDiff), a product likewise (TwoProduct, Dekker's); the
sign is that of the sum of all terms, found by growing an expansion. Low parts of zero are left out, so that the
numbers of a grid, where touching is common, cost little. Where a product might leave float64's range the answer is
UNSURE once more, and fractions decide.

All of it is in one file because Numba's cache on disk sees the edits of one file only.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba import njit

MISS, HIT, UNSURE = 0, 1, 2
RELATIVE_2 = (3.0 + 16.0 * 2.0**-53) * 2.0**-53
ABSOLUTE_2 = 2.0**-1070
RELATIVE_3 = (7.0 + 56.0 * 2.0**-53) * 2.0**-53
SPLITTER = 2.0**27 + 1.0
LARGEST_FACTOR = 2.0**320
SMALLEST_PRODUCT = 2.0**-900
TERMS = 192

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile with IEEE division, and keep the code on disk where there is a folder that can be written."""
    dispatcher: Any
    try:
        dispatcher = njit(cache=True, error_model="numpy")(function)
    except RuntimeError:  # Numba found neither a folder beside this file nor one of the user's
        dispatcher = njit(error_model="numpy")(function)
    as_it_was: F = dispatcher
    return as_it_was


@compiled
def filter_boxes(
    verdicts: Any, least: Any, greatest: Any, lo: Any, hi: Any, planes: Any, xy: Any, yz: Any, zx: Any
) -> None:
    """One segment, ray or line against n boxes: write MISS, HIT or UNSURE into `verdicts` (n,) of int8.

    They are apart exactly if one of six axes separates them: the coordinate axes, which compare stored numbers
    (`least` and `greatest` bound the probe; `lo`, `hi` are three rows each), and the axes across the probe in the
    coordinate planes. There the line passes beside the rectangle exactly if the two corners extreme across it lie
    on one side. Which those are depends only on the signs of p and q, so that the loop has no branch: `xy`, `yz`,
    `zx` have the rows u, v of the corner with the greatest det2, then of the one with the least; `planes` has
    (a, b, p, q) of each.
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
        det, bound = left - right, RELATIVE_2 * (abs(left) + abs(right)) + ABSOLUTE_2
        miss |= det < -bound
        hit = det > bound
        left, right = p0 * (s0[n] - b0), q0 * (r0[n] - a0)
        det, bound = left - right, RELATIVE_2 * (abs(left) + abs(right)) + ABSOLUTE_2
        miss |= det > bound
        hit &= det < -bound
        left, right = p1 * (v1[n] - b1), q1 * (u1[n] - a1)
        det, bound = left - right, RELATIVE_2 * (abs(left) + abs(right)) + ABSOLUTE_2
        miss |= det < -bound
        hit &= det > bound
        left, right = p1 * (s1[n] - b1), q1 * (r1[n] - a1)
        det, bound = left - right, RELATIVE_2 * (abs(left) + abs(right)) + ABSOLUTE_2
        miss |= det > bound
        hit &= det < -bound
        left, right = p2 * (v2[n] - b2), q2 * (u2[n] - a2)
        det, bound = left - right, RELATIVE_2 * (abs(left) + abs(right)) + ABSOLUTE_2
        miss |= det < -bound
        hit &= det > bound
        left, right = p2 * (s2[n] - b2), q2 * (r2[n] - a2)
        det, bound = left - right, RELATIVE_2 * (abs(left) + abs(right)) + ABSOLUTE_2
        miss |= det > bound
        hit &= det < -bound
        verdicts[n] = MISS if miss else (HIT if hit else UNSURE)


@compiled
def compare_bounds(verdicts: Any, least: Any, greatest: Any, lo: Any, hi: Any) -> None:
    """Write MISS for each of n boxes that a coordinate axis separates from the probe's bounds, else HIT."""
    lo_x, lo_y, lo_z = lo
    hi_x, hi_y, hi_z = hi
    x0, y0, z0 = least
    x1, y1, z1 = greatest
    for n in range(verdicts.shape[0]):
        miss = (lo_x[n] > x1) | (hi_x[n] < x0) | (lo_y[n] > y1) | (hi_y[n] < y0) | (lo_z[n] > z1) | (hi_z[n] < z0)
        verdicts[n] = MISS if miss else HIT


@compiled
def require_side_2(verdicts: Any, a: float, b: float, p: float, q: float, u: Any, v: Any) -> None:
    """Lower each verdict to MISS where det2 at (u, v) is negative, HIT to UNSURE where its sign is open."""
    for n in range(verdicts.shape[0]):
        left, right = p * (v[n] - b), q * (u[n] - a)
        det, bound = left - right, RELATIVE_2 * (abs(left) + abs(right)) + ABSOLUTE_2
        sure = UNSURE if verdicts[n] == HIT else verdicts[n]
        verdicts[n] = MISS if det < -bound else (verdicts[n] if det > bound else sure)


@compiled
def require_side_3(
    verdicts: Any, point: Any, e: Any, f: Any, sign: float, absolute: float, x: Any, y: Any, z: Any
) -> None:
    """Do the same where sign * det3 of the rows e, f and (x, y, z) - point is negative."""
    ax, ay, az = point
    ex, ey, ez = e
    fx, fy, fz = f
    nx, ny, nz = ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx
    mx, my, mz = abs(ey * fz) + abs(ez * fy), abs(ez * fx) + abs(ex * fz), abs(ex * fy) + abs(ey * fx)
    for n in range(verdicts.shape[0]):
        dx, dy, dz = x[n] - ax, y[n] - ay, z[n] - az
        det = sign * (dx * nx + dy * ny + dz * nz)
        bound = RELATIVE_3 * (abs(dx) * mx + abs(dy) * my + abs(dz) * mz) + absolute
        sure = UNSURE if verdicts[n] == HIT else verdicts[n]
        verdicts[n] = MISS if det < -bound else (verdicts[n] if det > bound else sure)


@compiled
def filter_triangles(
    verdicts: Any, start: Any, direction: Any, end: Any, kind: int, absolute: float, rows: Any
) -> None:
    """One segment (kind 0), ray (1) or line (2) against n triangles: write MISS, HIT or UNSURE into `verdicts`.

    Seen from the probe's start, with its direction d and the corners u, v, w relative to it, the line passes the
    three edges on the sides given by the signs of det3(d, u, v), det3(d, v, w), det3(d, w, u), whose sum is d . n
    for the triangle's normal n: two of opposite sign are a miss, three of one sign a crossing of the line, at
    t = det3(u, v, w) / (d . n). A segment's ends are on two sides of the plane if det3(u, v, w) and the same seen
    from its `end` differ in sign. `rows` (9, n) has the coordinates of the corners.
    """
    ax, ay, az = start
    dx, dy, dz = direction
    bx, by, bz = end
    for n in range(verdicts.shape[0]):
        ux, uy, uz = rows[0, n] - ax, rows[1, n] - ay, rows[2, n] - az
        vx, vy, vz = rows[3, n] - ax, rows[4, n] - ay, rows[5, n] - az
        wx, wy, wz = rows[6, n] - ax, rows[7, n] - ay, rows[8, n] - az
        first = _sign_3(dx, dy, dz, ux, uy, uz, vx, vy, vz, absolute)
        second = _sign_3(dx, dy, dz, vx, vy, vz, wx, wy, wz, absolute)
        third = _sign_3(dx, dy, dz, wx, wy, wz, ux, uy, uz, absolute)
        total = first + second + third
        beside = (first * second < 0) | (second * third < 0) | (third * first < 0)
        through = (total == 3) | (total == -3)
        before = _sign_3(ux, uy, uz, vx, vy, vz, wx, wy, wz, absolute)
        if kind == 0:
            px, py, pz = rows[0, n] - bx, rows[1, n] - by, rows[2, n] - bz
            qx, qy, qz = rows[3, n] - bx, rows[4, n] - by, rows[5, n] - bz
            rx, ry, rz = rows[6, n] - bx, rows[7, n] - by, rows[8, n] - bz
            after = _sign_3(px, py, pz, qx, qy, qz, rx, ry, rz, absolute)
            miss = beside | (before * after > 0)
            hit = through & (before * after < 0)
        elif kind == 1:
            # In front of the start det3(u, v, w) and d . n have one sign.
            miss = beside | (through & (before * total < 0))
            hit = through & (before * total > 0)
        else:
            miss = beside
            hit = through
        verdicts[n] = MISS if miss else (HIT if hit else UNSURE)


@compiled
def _sign_3(
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    cx: float,
    cy: float,
    cz: float,
    absolute: float,
) -> int:
    """Give the sign of det3(a, b, c), 0 where rounding leaves it open."""
    bycz, bzcy = by * cz, bz * cy
    bzcx, bxcz = bz * cx, bx * cz
    bxcy, bycx = bx * cy, by * cx
    det = ax * (bycz - bzcy) + ay * (bzcx - bxcz) + az * (bxcy - bycx)
    size = (
        abs(ax) * (abs(bycz) + abs(bzcy)) + abs(ay) * (abs(bzcx) + abs(bxcz)) + abs(az) * (abs(bxcy) + abs(bycx))
    )
    bound = RELATIVE_3 * size + absolute
    return (1 if det > bound else 0) - (1 if det < -bound else 0)


@compiled
def settle_side_2(
    verdicts: Any, open_places: Any, a: float, b: float, p: float, q: float, low: Any, u: Any, v: Any, sign: int
) -> None:
    """Lower HIT to MISS at the open places where sign * det2 is negative, to UNSURE where it is not found.

    `low` has the low parts of p and q.
    """
    terms = np.empty(TERMS)
    for n in open_places:
        if verdicts[n] == HIT:
            found = orient2d(terms, p, low[0], q, low[1], u[n], a, v[n], b)
            verdicts[n] = UNSURE if found == UNSURE else (MISS if found * sign < 0 else HIT)


@compiled
def settle_side_3(
    verdicts: Any, open_places: Any, point: Any, e: Any, f: Any, sign: int, x: Any, y: Any, z: Any
) -> None:
    """Do the same for sign * det3 of the rows e - point, f - point and (x, y, z) - point."""
    terms = np.empty(TERMS)
    row_e, row_f = _from(point, e[0], e[1], e[2]), _from(point, f[0], f[1], f[2])
    for n in open_places:
        if verdicts[n] == HIT:
            found = orient3d(terms, row_e, row_f, _from(point, x[n], y[n], z[n]))
            verdicts[n] = UNSURE if found == UNSURE else (MISS if found * sign < 0 else HIT)


@compiled
def settle_triangles(
    verdicts: Any, open_places: Any, start: Any, direction: Any, end: Any, kind: int, rows: Any
) -> None:
    """Find by expansions the verdicts at the open places; see `filter_triangles`.

    `direction` has six numbers, the last three what rounding lost. Where the three sides are all zero the probe is
    in the triangle's plane, or the triangle has none: that stays UNSURE.
    """
    terms = np.empty(TERMS)
    for n in open_places:
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


@compiled
def orient2d(
    terms: Any, p: float, p_low: float, q: float, q_low: float, u: float, a: float, v: float, b: float
) -> int:
    """Give the sign of (p + p_low) (v - b) - (q + q_low) (u - a), or UNSURE where a product leaves the range."""
    across, across_low = two_difference(v, b)
    along, along_low = two_difference(u, a)
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
        product, low = _two_product(x, y)
        size = _grow(terms, size, low)
        size = _grow(terms, size, product)
    return _sign_of(terms, size)


@compiled
def orient3d(terms: Any, a: Any, b: Any, c: Any) -> int:
    """Give the sign of det3(a, b, c), or UNSURE where a product leaves the range.

    A row is six numbers: the components, and what rounding lost of each.
    """
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
                    product, low = _two_product(f, g)
                    for part in (low, product):
                        if part == 0:
                            continue
                        if _out_of_range(part, h):
                            return UNSURE
                        high, rest = _two_product(part, h)
                        size = _grow(terms, size, rest)
                        size = _grow(terms, size, high)
    return _sign_of(terms, size)


@compiled
def _from(o: Any, x: float, y: float, z: float) -> tuple[float, float, float, float, float, float]:
    """Give the row (x, y, z) - o as orient3d takes it."""
    dx, lx = two_difference(x, o[0])
    dy, ly = two_difference(y, o[1])
    dz, lz = two_difference(z, o[2])
    return dx, dy, dz, lx, ly, lz


@compiled
def _out_of_range(x: float, y: float) -> bool:
    """Say whether a product might over- or underflow, so that its low part would be wrong."""
    return (
        not (abs(x) < LARGEST_FACTOR * LARGEST_FACTOR and abs(y) < LARGEST_FACTOR) or abs(x * y) < SMALLEST_PRODUCT
    )


@compiled
def two_difference(x: float, y: float) -> tuple[float, float]:
    """Give x - y as a rounded number and what rounding lost (Knuth)."""
    difference = x - y
    back = x - difference
    return difference, (x - (difference + back)) + (back - y)


@compiled
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


@compiled
def _grow(terms: Any, size: int, number: float) -> int:
    """Add a number to an expansion of `size` terms (Shewchuk's Grow-Expansion, zeros left out); give its size."""
    kept = 0
    for k in range(size):
        total = number + terms[k]
        part = total - number
        low = (number - (total - part)) + (terms[k] - part)
        number = total
        if low != 0:
            terms[kept] = low
            kept += 1
    if number != 0:
        terms[kept] = number
        kept += 1
    return kept


@compiled
def _sign_of(terms: Any, size: int) -> int:
    """Give the sign of an expansion: that of its last term, which outweighs all others."""
    return 0 if size == 0 else (1 if terms[size - 1] > 0 else -1)

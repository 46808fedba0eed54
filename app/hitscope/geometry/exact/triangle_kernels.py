"""Compiled: one linear probe against many triangles, by a float filter.

Seen from the probe's start a, with its direction d and a triangle's corners relative to it, u = A - a, v = B - a,
w = C - a, the line passes the triangle's three edges on the sides given by the signs of

    det(d, u, v), det(d, v, w), det(d, w, u)

and their sum is d . n, with n the triangle's normal: two of opposite sign are a miss, three of one sign a
crossing of the line, at t = (u . n) / (d . n) with u . n = det(u, v, w). A segment's end b is on the other side of
the plane than its start if det(u, v, w) and det(A - b, B - b, C - b) differ in sign. Each is Shewchuk's orient3d.

The filter. With eps = 2**-53, and rows that are rounded differences (or stored numbers), the computed sign is
right if, by Shewchuk 1997 (bound A of orient3d),

    |det| > (7 + 56 eps) eps * (the same sum with absolute values) + `absolute`,

where the last term covers products that underflow: each of the six products of two numbers loses at most 2**-1075
and is multiplied by a number of at most `largest`, so 2**-1068 (1 + largest) is enough. What overflows compares
false and stays unsure; a sign of zero is always unsure, so collinear triangles and coplanar probes are.
"""

from typing import Any

from numba import njit

MISS, HIT, UNSURE = 0, 1, 2
RELATIVE = (7.0 + 56.0 * 2.0**-53) * 2.0**-53


@njit(cache=True, error_model="numpy")
def filter_triangles(
    verdicts: Any, start: Any, direction: Any, end: Any, kind: int, absolute: float, rows: Any
) -> None:
    """Write MISS, HIT or UNSURE for each of n triangles into `verdicts` (n,) of int8.

    `kind` is 0 for a segment, 1 for a ray, 2 for a line; `end` matters to a segment only. `rows` (9, n) has the
    coordinates of the corners.
    """
    ax, ay, az = start
    dx, dy, dz = direction
    bx, by, bz = end
    for n in range(verdicts.shape[0]):
        ux, uy, uz = rows[0, n] - ax, rows[1, n] - ay, rows[2, n] - az
        vx, vy, vz = rows[3, n] - ax, rows[4, n] - ay, rows[5, n] - az
        wx, wy, wz = rows[6, n] - ax, rows[7, n] - ay, rows[8, n] - az
        first = _sign(dx, dy, dz, ux, uy, uz, vx, vy, vz, absolute)
        second = _sign(dx, dy, dz, vx, vy, vz, wx, wy, wz, absolute)
        third = _sign(dx, dy, dz, wx, wy, wz, ux, uy, uz, absolute)
        total = first + second + third
        beside = (first * second < 0) | (second * third < 0) | (third * first < 0)
        through = (total == 3) | (total == -3)
        before = _sign(ux, uy, uz, vx, vy, vz, wx, wy, wz, absolute)
        if kind == 0:
            px, py, pz = rows[0, n] - bx, rows[1, n] - by, rows[2, n] - bz
            qx, qy, qz = rows[3, n] - bx, rows[4, n] - by, rows[5, n] - bz
            rx, ry, rz = rows[6, n] - bx, rows[7, n] - by, rows[8, n] - bz
            after = _sign(px, py, pz, qx, qy, qz, rx, ry, rz, absolute)
            miss = beside | (before * after > 0)
            hit = through & (before * after < 0)
        elif kind == 1:
            # In front of the start u . n and d . n have one sign.
            miss = beside | (through & (before * total < 0))
            hit = through & (before * total > 0)
        else:
            miss = beside
            hit = through
        verdicts[n] = MISS if miss else (HIT if hit else UNSURE)


@njit(cache=True, error_model="numpy")
def _sign(
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
    """Give the sign of det(a, b, c), 0 where rounding leaves it open."""
    bycz, bzcy = by * cz, bz * cy
    bzcx, bxcz = bz * cx, bx * cz
    bxcy, bycx = bx * cy, by * cx
    det = ax * (bycz - bzcy) + ay * (bzcx - bxcz) + az * (bxcy - bycx)
    size = (
        abs(ax) * (abs(bycz) + abs(bzcy)) + abs(ay) * (abs(bzcx) + abs(bxcz)) + abs(az) * (abs(bxcy) + abs(bycx))
    )
    bound = RELATIVE * size + absolute
    return (1 if det > bound else 0) - (1 if det < -bound else 0)

"""The quaternion or the Euler angles that reproduce the axes of a box, or come nearest to them.

The axes of a box may point either way and be left-handed: the box is the same.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from hitscope.geometry.exact import rounded, square_root
from hitscope.geometry.shapes import Frame, Vec3
from hitscope.geometry.vector import vec3
from hitscope.scene.checked_shapes import axes_from_euler, axes_from_quaternion
from hitscope.scene.items import Quaternion

DECIMALS = range(6, 14)
"""The numbers of decimals to which angles are rounded in the search: they may have been typed."""


def quaternion_of(axes: Frame) -> Quaternion:
    """Return the rotation's quaternion (Shepperd 1978): a unit one, unless another reproduces the axes better."""
    a, b, c = _right_handed(axes)
    xx, yy, zz = 1 + a[0] - b[1] - c[2], 1 - a[0] + b[1] - c[2], 1 - a[0] - b[1] + c[2]
    ww = 1 + a[0] + b[1] + c[2]
    xy, xz, yz = a[1] + b[0], a[2] + c[0], b[2] + c[1]
    xw, yw, zw = b[2] - c[1], c[0] - a[2], a[1] - b[0]
    # Each row is the quaternion times one of its components: the largest of them loses nothing.
    rows = (xx, xy, xz, xw), (xy, yy, yz, yw), (xz, yz, zz, zw), (xw, yw, zw, ww)
    row = max(zip((xx, yy, zz, ww), rows, strict=True))[1]
    length = square_root(sum((value**2 for value in row), Fraction(0)))
    largest = max(map(abs, row))
    candidates = [_quaternion([value / size for value in row]) for size in (length, largest)]
    return min(candidates, key=lambda found: axes_difference(axes_from_quaternion(found), axes))


def euler_of(axes: Frame) -> Vec3:
    """Return the angles of R = Rz Ry Rx in degrees, with few decimals where those reproduce the axes as well."""
    a, b, c = (vec3(map(float, row)) for row in _right_handed(axes))
    angles = rough_euler_of((a, b, c))
    # The second is for y = 90 degrees, where x and z turn alike.
    found = [angles, (0.0, angles[1], math.degrees(math.atan2(-b[0], b[1])))]
    few = [tuple(round(angle, n) + 0.0 for angle in angles) for n in DECIMALS for angles in found]
    near = [angles for each in found for angles in product(*map(_neighbours, each))]
    candidates: list[Vec3] = [(x, y, z) for x, y, z in (*few, *near)]
    return min(candidates, key=lambda angles: axes_difference(axes_from_euler(angles), axes))


def rough_euler_of(axes: Frame) -> Vec3:
    """Return the angles of R = Rz Ry Rx for right-handed axes, in degrees, not corrected for rounding."""
    (a, b, c), (_, _, f), (_, _, i) = axes
    return vec3(map(math.degrees, (math.atan2(f, i), math.atan2(-c, math.hypot(a, b)), math.atan2(b, a))))


def axes_difference(first: Frame, second: Frame) -> float:
    """Return the largest difference of two boxes' axes, up to the sign of each; 0 for the same box."""
    return max(
        min(max(abs(p - way * q) for p, q in zip(a, b, strict=True)) for way in (1, -1))
        for a, b in zip(first, second, strict=True)
    )


def _neighbours(value: float) -> Sequence[float]:
    return value, math.nextafter(value, -math.inf), math.nextafter(value, math.inf)


def _right_handed(axes: Frame) -> list[list[Fraction]]:
    """Return the axes as Fractions, the last one reversed where they are left-handed."""
    a, b, c = ([Fraction(value) for value in row] for row in axes)
    volume = sum(c[k] * (a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]) for k in range(3))
    return [a, b, c if volume > 0 else [-value for value in c]]


def _quaternion(values: Sequence[Fraction]) -> Quaternion:
    x, y, z, w = map(rounded, values)
    return x, y, z, w

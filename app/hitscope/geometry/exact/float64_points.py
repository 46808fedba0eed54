"""The float64 point that stands for an exact one: that one where it exists, else one close by that will do."""

import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import floor, lcm, ulp
from typing import NamedTuple

from hitscope.geometry.exact.rounding import length_of, rounded
from hitscope.geometry.shapes import Vec3

REACHES = (2, 3)
"""So many float64 on either side of each coordinate are looked at, the farther ones where no nearer will do.

A corner of a box has a point of any cubic lattice inside of it within 2.4 steps.
"""


class Float64Point(NamedTuple):
    """A point to store, how far it is from the exact one (0.0: not at all), and whether it will do."""

    point: Vec3
    error: float
    accepted: bool


def float64_point(
    exact: Sequence[Fraction], accept: Callable[[Vec3], bool], free: tuple[bool, bool, bool] = (True, True, True)
) -> Float64Point:
    """Give the float64 point for an exact one.

    Where float64 has no such point it is one that `accept` takes: of the points within reach, in steps of the
    coarsest coordinate, the nearest, whose finer coordinates are then brought as near as `accept` lets them. Where
    it takes none, the nearest of all. A coordinate that is not `free` is only rounded.
    """
    x, y, z = map(rounded, exact)
    nearest = x, y, z
    if all(Fraction(value) == coordinate for value, coordinate in zip(nearest, exact, strict=True)):
        return Float64Point(nearest, 0.0, accept(nearest))
    step = Fraction(max(ulp(value) for value, may in zip(nearest, free, strict=True) if may))
    tried: set[Vec3] = set()
    for reach in REACHES:
        xs, ys, zs = (_around(c, step, reach if may else 0) for c, may in zip(exact, free, strict=True))
        for point in sorted(product(xs, ys, zs), key=_distance_from(exact, (xs, ys, zs))):
            if point not in tried and accept(point):
                found = _brought_nearer(point, nearest, accept)
                return Float64Point(found, rounding_error(found, exact), True)
            tried.add(point)
    return Float64Point(nearest, rounding_error(nearest, exact), False)


def rounding_error(point: Vec3, exact: Sequence[Fraction]) -> float:
    """Give how far a float64 point is from an exact one, rounded to nearest; 0.0 only where they are equal."""
    return length_of(sum(((Fraction(value) - c) ** 2 for value, c in zip(point, exact, strict=True)), Fraction(0)))


def last_accepted(near: float, far: float, accept: Callable[[float], bool]) -> float:
    """Give, of the float64 from one that is accepted towards one that is not, the last before one that is not."""
    low, high = ordinal(near), ordinal(far)
    while abs(high - low) > 1:
        middle = (low + high) // 2
        if accept(of_ordinal(middle)):
            low = middle
        else:
            high = middle
    return of_ordinal(low) if low != ordinal(near) else near


def ordinal(value: float) -> int:
    """Number the float64 in their order; both zeros are 0."""
    bits: int = struct.unpack("<q", struct.pack("<d", abs(value)))[0]
    return -bits if value < 0 else bits


def of_ordinal(number: int) -> float:
    """Give the float64 of a number."""
    value: float = struct.unpack("<d", struct.pack("<q", abs(number)))[0]
    return -value if number < 0 else value


def _brought_nearer(point: Vec3, nearest: Vec3, accept: Callable[[Vec3], bool]) -> Vec3:
    """Move each coordinate towards the nearest one as far as the point stays accepted."""
    for k in range(3):

        def accept_at(value: float, place: int = k, of: Vec3 = point) -> bool:
            return accept(_replaced(of, place, value))

        if point[k] != nearest[k]:
            near = nearest[k] if accept_at(nearest[k]) else last_accepted(point[k], nearest[k], accept_at)
            point = _replaced(point, k, near)
    return point


def _replaced(point: Vec3, place: int, value: float) -> Vec3:
    x, y, z = (value if k == place else old for k, old in enumerate(point))
    return x, y, z


def _distance_from(exact: Sequence[Fraction], around: Sequence[Sequence[float]]) -> Callable[[Vec3], int]:
    """Give what orders points of such coordinates by their distance, exactly and in integers."""
    squares = [{v: (Fraction(v) - c) ** 2 for v in values} for values, c in zip(around, exact, strict=True)]
    w = lcm(*(square.denominator for row in squares for square in row.values()))
    x, y, z = ({v: square.numerator * (w // square.denominator) for v, square in row.items()} for row in squares)
    return lambda point: x[point[0]] + y[point[1]] + z[point[2]]


def _around(coordinate: Fraction, step: Fraction, reach: int) -> list[float]:
    """Give the float64 nearest to a number, and the multiples of a step within reach on either side of it."""
    below = floor(coordinate / step)
    steps = range(below + 1 - reach, below + 1 + reach)
    return list({rounded(coordinate), *(rounded(k * step) for k in steps)})

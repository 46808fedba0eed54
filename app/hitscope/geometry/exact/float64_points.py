"""The float64 point to use for an exact one: the same point if float64 has it, else an acceptable one close by."""

import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import floor, lcm, ulp
from typing import NamedTuple

from hitscope.geometry.exact.integers import length_of, rounded
from hitscope.geometry.shapes import Vec3

REACHES = (2, 3)
"""The numbers of steps searched on either side of each coordinate, the second if the first finds no point.

At a corner of a box, some point of any cubic lattice lies inside the box within 2.4 steps.
"""


class Float64Point(NamedTuple):
    """A float64 point, its distance to the exact one (0.0 only if they are equal), and whether it is accepted."""

    point: Vec3
    error: float
    accepted: bool


def float64_point(
    exact: Sequence[Fraction], accept: Callable[[Vec3], bool], free: tuple[bool, bool, bool] = (True, True, True)
) -> Float64Point:
    """Return the float64 point for an exact one.

    If float64 does not have the point, the nearest one within reach that `accept` accepts is returned. The search
    goes in steps of the coarsest coordinate; finer coordinates are then moved as near as `accept` allows. If it
    accepts none, the rounded point is returned. A coordinate that is not `free` is only rounded.
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
                found = _moved_nearer(point, nearest, accept)
                return Float64Point(found, rounding_error(found, exact), True)
            tried.add(point)
    return Float64Point(nearest, rounding_error(nearest, exact), False)


def rounding_error(point: Vec3, exact: Sequence[Fraction]) -> float:
    """Return the distance of a float64 point to an exact one, rounded to nearest; 0.0 only if they are equal."""
    return length_of(sum(((Fraction(value) - c) ** 2 for value, c in zip(point, exact, strict=True)), Fraction(0)))


def last_accepted(near: float, far: float, accept: Callable[[float], bool]) -> float:
    """Return an accepted float64 next to one that is not, by bisection from `near` (accepted) to `far` (not)."""
    low, high = ordinal(near), ordinal(far)
    while abs(high - low) > 1:
        middle = (low + high) // 2
        if accept(of_ordinal(middle)):
            low = middle
        else:
            high = middle
    return of_ordinal(low) if low != ordinal(near) else near


def ordinal(value: float) -> int:
    """Return the position of a float64 in the order of all of them, counted from 0 for both zeros."""
    bits: int = struct.unpack("<q", struct.pack("<d", abs(value)))[0]
    return -bits if value < 0 else bits


def of_ordinal(number: int) -> float:
    """Return the float64 at a position in the order of all of them."""
    value: float = struct.unpack("<d", struct.pack("<q", abs(number)))[0]
    return -value if number < 0 else value


def _moved_nearer(point: Vec3, nearest: Vec3, accept: Callable[[Vec3], bool]) -> Vec3:
    """Return the point with each coordinate moved towards that of `nearest` as far as it stays accepted."""
    for k in range(3):

        def accept_at(value: float, axis: int = k, of: Vec3 = point) -> bool:
            return accept(_replaced(of, axis, value))

        if point[k] != nearest[k]:
            near = nearest[k] if accept_at(nearest[k]) else last_accepted(point[k], nearest[k], accept_at)
            point = _replaced(point, k, near)
    return point


def _replaced(point: Vec3, axis: int, value: float) -> Vec3:
    x, y, z = (value if k == axis else old for k, old in enumerate(point))
    return x, y, z


def _distance_from(exact: Sequence[Fraction], around: Sequence[Sequence[float]]) -> Callable[[Vec3], int]:
    """Return a sort key for points made of the given coordinates: the squared distance, times a common integer."""
    squares = [{v: (Fraction(v) - c) ** 2 for v in values} for values, c in zip(around, exact, strict=True)]
    w = lcm(*(square.denominator for row in squares for square in row.values()))
    x, y, z = ({v: square.numerator * (w // square.denominator) for v, square in row.items()} for row in squares)
    return lambda point: x[point[0]] + y[point[1]] + z[point[2]]


def _around(coordinate: Fraction, step: Fraction, reach: int) -> list[float]:
    """Return the float64 nearest to a number, and `reach` multiples of a step on either side of it."""
    below = floor(coordinate / step)
    steps = range(below + 1 - reach, below + 1 + reach)
    return list({rounded(coordinate), *(rounded(k * step) for k in steps)})

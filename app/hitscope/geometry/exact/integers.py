"""Points and vectors in integers: every float64 is an integer over a power of two.

A point is integers (x, y, z, w), w > 0, for (x/w, y/w, z/w): sums and products of them are exact.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

Vector: TypeAlias = tuple[int, int, int]
Homogeneous: TypeAlias = tuple[int, int, int, int]


def times(a: Sequence[int], factor: int) -> Vector:
    """Return the vector times a number."""
    return a[0] * factor, a[1] * factor, a[2] * factor


def over_power_of_two(vectors: Iterable[Sequence[float]]) -> tuple[list[Vector], int]:
    """Return float64 vectors as integer vectors times their common denominator w, and w."""
    ratios = [number.as_integer_ratio() for vector in vectors for number in vector]
    w = max([denominator for _, denominator in ratios])
    numbers = [numerator * (w // denominator) for numerator, denominator in ratios]
    return list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)), w


def over_one_denominator(points: Iterable[Homogeneous]) -> tuple[list[Vector], int]:
    """Return points as integer vectors times a common denominator w, and w."""
    points = list(points)
    w = lcm(*(point[3] for point in points))
    return [times(point, w // point[3]) for point in points], w


def homogeneous(point: Iterable[Fraction]) -> Homogeneous:
    """Return a point of fractions."""
    x, y, z = point
    w = lcm(x.denominator, y.denominator, z.denominator)
    return int(x * w), int(y * w), int(z * w), w


def reduced(x: int, y: int, z: int, w: int) -> Homogeneous:
    """Return the same point in the smallest integers, so that equal points are equal tuples."""
    divisor = gcd(x, y, z, w)
    return x // divisor, y // divisor, z // divisor, w // divisor

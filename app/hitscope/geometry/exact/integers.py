"""Points and vectors in integers: every float64 is an integer over a power of two; and exact numbers rounded.

A point is integers (x, y, z, w), w > 0, for (x/w, y/w, z/w): sums and products of them are exact. Results are
rounded once, and to nearest.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import copysign, gcd, isinf, isqrt, lcm
from sys import float_info
from typing import TypeAlias

from hitscope.geometry.shapes import Vec3

Vector: TypeAlias = tuple[int, int, int]
Homogeneous: TypeAlias = tuple[int, int, int, int]
ExactPoint: TypeAlias = tuple[Fraction, Fraction, Fraction]


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


def exact_point(point: Homogeneous) -> ExactPoint:
    """Return the same point as `homogeneous` takes it."""
    x, y, z, w = point
    return Fraction(x, w), Fraction(y, w), Fraction(z, w)


def reduced(x: int, y: int, z: int, w: int) -> Homogeneous:
    """Return the same point in the smallest integers, so that equal points are equal tuples."""
    divisor = gcd(x, y, z, w)
    return x // divisor, y // divisor, z // divisor, w // divisor


SQRT_BITS = 256
"""The bits of the square of an integer root, enough that only an exact tie could round another way."""


def rounded(value: Fraction | float) -> float:
    """Return the nearest float64; beyond float64's range the largest finite one; infinities unchanged."""
    if isinstance(value, float) and isinf(value):
        return value
    try:
        return float(value)
    except OverflowError:
        return copysign(float_info.max, 1 if value > 0 else -1)


def rounded_point(point: Homogeneous) -> Vec3:
    """Return the nearest float64 of each coordinate."""
    x, y, z = map(rounded, exact_point(point))
    return x, y, z


def square_root(value: Fraction, bits: int = SQRT_BITS) -> Fraction:
    """Return the square root with a relative error below 2 ** -120, or 2 ** (8 - bits / 2)."""
    numerator, denominator = value.numerator, value.denominator
    shift = max(0, bits - numerator.bit_length() + denominator.bit_length())
    shift += shift % 2
    return Fraction(isqrt((numerator << shift) // denominator), 1 << shift // 2)


def length_of(squared: Fraction) -> float:
    """Return the square root of a squared length, rounded, and 0 only if that is 0."""
    return max(rounded(square_root(squared)), 5e-324) if squared else 0.0


def unit(vector: Sequence[Fraction | int]) -> Vec3 | None:
    """Return the unit vector of the same direction, each component rounded once; None for the zero vector."""
    squared = sum((Fraction(number) ** 2 for number in vector), Fraction(0))
    if squared == 0:
        return None
    x, y, z = (
        copysign(rounded(square_root(Fraction(number) ** 2 / squared)), 1 if number > 0 else -1) if number else 0.0
        for number in vector
    )
    return x, y, z

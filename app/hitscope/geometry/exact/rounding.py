"""Exact numbers rounded to float64: once, and to nearest."""

from collections.abc import Sequence
from fractions import Fraction
from math import copysign, isinf, isqrt
from sys import float_info

from hitscope.geometry.exact.integers import Homogeneous
from hitscope.geometry.shapes import Vec3

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
    x, y, z, w = point
    return rounded(Fraction(x, w)), rounded(Fraction(y, w)), rounded(Fraction(z, w))


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

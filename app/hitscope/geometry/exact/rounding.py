"""From exact numbers back to float64: rounded once, to nearest."""

from collections.abc import Sequence
from fractions import Fraction
from math import copysign, isinf, isqrt
from sys import float_info

from hitscope.geometry.shapes import Vec3

SQRT_BITS = 256
"""An integer square root of this many bits leaves the float64 next to it in no doubt but a tie's."""


def rounded(value: Fraction | float) -> float:
    """Give the nearest float64; beyond float64 the largest finite one, an infinite bound as it is."""
    if isinstance(value, float) and isinf(value):
        return value
    try:
        return float(value)
    except OverflowError:
        return copysign(float_info.max, 1 if value > 0 else -1)


def square_root(value: Fraction) -> Fraction:
    """Give the square root to a relative error below 2 ** -120."""
    numerator, denominator = value.numerator, value.denominator
    shift = max(0, SQRT_BITS - numerator.bit_length() + denominator.bit_length())
    shift += shift % 2
    return Fraction(isqrt((numerator << shift) // denominator), 1 << shift // 2)


def length_of(squared: Fraction) -> float:
    """Give the root of a squared length, never rounded to 0."""
    return max(rounded(square_root(squared)), 5e-324) if squared else 0.0


def unit(vector: Sequence[Fraction | int]) -> Vec3 | None:
    """Give the vector of length one in the same direction, each component rounded once; None of no direction."""
    squared = sum((Fraction(number) ** 2 for number in vector), Fraction(0))
    if squared == 0:
        return None
    x, y, z = (
        copysign(rounded(square_root(Fraction(number) ** 2 / squared)), 1 if number > 0 else -1) if number else 0.0
        for number in vector
    )
    return x, y, z

"""The two precisions of numbers, and powers of two made of bits: of arrays, as they are or traced."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Array

LEAST_NORMAL = -1022.0
"""The exponent of the smallest normal number of float64."""


class Precision(NamedTuple):
    """A type of numbers."""

    real: str
    """Its name in NumPy."""
    mantissa_bits: int
    lowest: int
    """The exponent of the smallest number above zero."""
    highest: int
    """The exponent of the largest power of two."""

    @property
    def largest(self) -> float:
        """The largest number."""
        return (2 - 2.0**-self.mantissa_bits) * 2.0**self.highest

    def rounded(self, numbers: Array) -> Array:
        """Return numbers rounded to the precision, in float64."""
        return numbers.astype(self.real).astype(np.float64)

    def clipped(self, numbers: Array) -> Array:
        """Return numbers that are not beyond the largest; NaN stays."""
        below = np.where(numbers > self.largest, self.largest, numbers)
        return np.where(below < -self.largest, -self.largest, below)

    def ulps(self, numbers: Array) -> Array:
        """Return the distances of finite numbers in float64 to the next larger ones of the precision."""
        places = exponents(numbers) - self.mantissa_bits
        places = np.where(places < self.lowest, float(self.lowest), places)
        normal = np.where(places < LEAST_NORMAL, LEAST_NORMAL, places)
        return powers_of_two(normal) * powers_of_two(places - normal)


PRECISIONS = {
    "float32": Precision("float32", 23, -149, 127),
    "float64": Precision("float64", 52, -1074, 1023),
}


def exponents(numbers: Array) -> Array:
    """Return e of numbers from 2 ** e to below 2 ** (e + 1); -1023 of zero and of those below the normal ones."""
    found: Array = (np.abs(numbers).view(np.int64) >> 52).astype(np.float64) - 1023.0
    return found


def powers_of_two(exponents: Array) -> Array:
    """Return 2 ** e of whole numbers from -1022 to 1023."""
    powers: Array = exponent_bits(exponents).view(np.float64)
    return powers


def exponent_bits(exponents: Array) -> NDArray[np.uint64]:
    """Return the bits of such powers."""
    bits: NDArray[np.uint64] = (exponents + 1023.0).astype(np.int64).view(np.uint64) << np.uint64(52)
    return bits


def greater(a: Any, b: Any) -> Array:
    """Return the greater numbers, those of `a` where `b` is NaN; unlike NumPy's, with one outcome of two zeros."""
    greatest: Array = np.where(b > a, b, a)
    return greatest

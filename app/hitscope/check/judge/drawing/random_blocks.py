"""The random numbers of a block: whole arrays, and the same on every machine and with every NumPy.

Only the raw bits of a generator of NumPy's are used. Here they become numbers by shifts, additions and products
that IEEE 754 rounds the same everywhere; no number passes through a mathematics library.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Array
from hitscope.targets.cases import BLOCK


class Precision(NamedTuple):
    """What a generator has to know of the type of the cases' numbers."""

    real: str
    """Its name in NumPy."""
    mantissa_bits: int
    lowest: int
    """The exponent of the smallest number above zero."""
    highest: int
    """The exponent of the largest power of two."""


PRECISIONS = {
    "float32": Precision("float32", 23, -149, 127),
    "float64": Precision("float64", 52, -1074, 1023),
}


class RandomBlock:
    """Random arrays for the n = BLOCK cases of a block, each call giving new ones, of shape (*shape, n)."""

    def __init__(self, seed: str, precision: Precision) -> None:
        """Start from a text."""
        self.precision = precision
        self._bits = np.random.SFC64(int.from_bytes(sha256(seed.encode()).digest(), "little"))

    def symmetric(self, *shape: int) -> Array:
        """Draw numbers of the precision from [-1, 1)."""
        if self.precision.mantissa_bits > 32:
            wide = self._words(*shape)
            wide >>= np.uint64(12)
            wide |= np.uint64(0x4000000000000000)  # of a number from [2, 4)
            numbers: Array = wide.view(np.float64)
        else:
            narrow = self._halves(*shape) >> np.uint32(9)
            narrow |= np.uint32(0x40000000)
            numbers = narrow.view(np.float32).astype(np.float64)
        numbers -= 3.0
        return numbers

    def unit(self, *shape: int) -> Array:
        """Draw multiples of 2 ** -32 from [0, 1)."""
        numbers = self._halves(*shape).astype(np.float64)
        numbers *= 2.0**-32
        return numbers

    def integers(self, lowest: Any, highest: Any, *shape: int) -> Array:
        """Draw whole numbers, both ends included; the ends may be arrays (n,)."""
        numbers = self.unit(*shape)
        numbers *= highest - lowest + 1
        np.floor(numbers, out=numbers)
        numbers += lowest
        return numbers

    def chance(self, probability: float) -> NDArray[np.bool_]:
        """Draw true with a probability."""
        return self.unit() < probability

    def choice(self, values: Sequence[float], *shape: int) -> Array:
        """Draw one of some values, each as likely."""
        return np.take(np.array(values, dtype=np.float64), self.indices(len(values), *shape))

    def indices(self, count: int, *shape: int) -> NDArray[np.intp]:
        """Draw indices below a count."""
        return self.integers(0, count - 1, *shape).astype(np.intp)

    def of_magnitude(self, lowest: Any, highest: Any, *shape: int) -> Array:
        """Draw numbers of either sign, from 2 ** lowest to 2 ** (highest + 1), any power of two as likely.

        The ends may be arrays (n,). Below the normal numbers of float64 the result is rounded.
        """
        dropped = 52 - self.precision.mantissa_bits
        words = self._words(*shape)
        words &= np.uint64(0x800FFFFFFFFFFFFF >> dropped << dropped)
        exponents = self.integers(lowest, highest, *shape)
        normal = np.maximum(exponents, -1022.0)
        words |= _exponent_bits(normal)
        numbers: Array = words.view(np.float64)
        if np.min(lowest) < -1022:
            numbers *= powers_of_two(exponents - normal)
        return numbers

    def _words(self, *shape: int) -> NDArray[np.uint64]:
        return self._bits.random_raw(int(np.prod(shape)) * BLOCK).reshape(*shape, BLOCK)

    def _halves(self, *shape: int) -> NDArray[np.uint32]:
        words = self._bits.random_raw(int(np.prod(shape)) * BLOCK // 2).astype("<u8", copy=False)
        return words.view("<u4").reshape(*shape, BLOCK)


def powers_of_two(exponents: Array) -> Array:
    """Return 2 ** e of whole numbers from -1022 to 1023."""
    return _exponent_bits(exponents).view(np.float64)


def _exponent_bits(exponents: Array) -> NDArray[np.uint64]:
    bits = exponents.astype(np.int64)
    bits += 1023
    bits <<= 52
    return bits.view(np.uint64)

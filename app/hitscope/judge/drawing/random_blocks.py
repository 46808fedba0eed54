"""The random numbers of a block: whole arrays, and the same on every machine and with every NumPy.

Each word of random bits is a hash of its place (Steele, Lea and Flood 2014), so that compiled code can draw one
case after the other. Words become numbers by shifts, additions and products that IEEE 754 rounds the same
everywhere; no number passes through a mathematics library.
"""

from collections.abc import Sequence
from hashlib import sha256
from math import prod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Array
from hitscope.geometry.precisions import LEAST_NORMAL, Precision, exponent_bits, powers_of_two
from hitscope.targets.cases import BLOCK

STEP = 0x9E3779B97F4A7C15
"""What the state of a case's word differs by from that of the case before, modulo 2 ** 64."""
WORD = 2**64


def first_states(seed: str) -> NDArray[np.uint64]:
    """Return the states of the first word of each case of a block (n,), from a text."""
    first = int.from_bytes(sha256(seed.encode()).digest()[:8], "little")
    return np.arange(BLOCK, dtype=np.uint64) * np.uint64(STEP) + np.uint64(first)


class RandomBlock:
    """Random arrays for the n = BLOCK cases of a block, each call giving new ones, of shape (*shape, n)."""

    def __init__(self, states: NDArray[np.uint64], precision: Precision) -> None:
        """Start from the states of the first word of each case (n,)."""
        self.precision = precision
        self._states = states
        self._drawn = 0

    @classmethod
    def of(cls, seed: str, precision: Precision) -> Self:
        """Start from a text."""
        return cls(first_states(seed), precision)

    def symmetric(self, *shape: int) -> Array:
        """Draw numbers of the precision from [-1, 1)."""
        return self._between_powers(1, self.precision.mantissa_bits, *shape) - 3.0

    def unit(self, *shape: int) -> Array:
        """Draw multiples of 2 ** -32 from [0, 1)."""
        return self._between_powers(0, 32, *shape) - 1.0

    def integers(self, lowest: Any, highest: Any, *shape: int) -> Array:
        """Draw whole numbers, both ends included; the ends may be arrays (n,)."""
        numbers: Array = np.floor(self.unit(*shape) * (highest - lowest + 1)) + lowest
        return numbers

    def chance(self, probability: float) -> NDArray[np.bool_]:
        """Draw true with a probability."""
        return self.unit() < probability

    def choice(self, values: Sequence[float], *shape: int) -> Array:
        """Draw one of some values, each as likely."""
        return np.choose(self.indices(len(values), *shape), np.array(values, dtype=np.float64))

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
        normal = np.where(exponents < LEAST_NORMAL, LEAST_NORMAL, exponents)
        words |= exponent_bits(normal)
        return words.view(np.float64) * powers_of_two(exponents - normal)

    def _between_powers(self, exponent: int, bits: int, *shape: int) -> Array:
        """Draw numbers from 2 ** exponent to below its double, of so many bits behind the first."""
        words = self._words(*shape)
        words >>= np.uint64(64 - bits)
        words <<= np.uint64(52 - bits)
        words |= np.uint64(1023 + exponent << 52)
        return words.view(np.float64)

    def _words(self, *shape: int) -> NDArray[np.uint64]:
        """Draw words of random bits."""
        count = prod(shape)
        places = [(self._drawn + k) * BLOCK * STEP % WORD for k in range(count)]
        self._drawn += count
        words = np.array(places, np.uint64).reshape(*shape, 1) + self._states
        words ^= words >> np.uint64(30)
        words *= np.uint64(0xBF58476D1CE4E5B9)
        words ^= words >> np.uint64(27)
        words *= np.uint64(0x94D049BB133111EB)
        words ^= words >> np.uint64(31)
        return words

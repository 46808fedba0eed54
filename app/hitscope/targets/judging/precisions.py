"""The two precisions of numbers, and the unit of how wrong a verdict is: the spacing of a case's numbers."""

from typing import NamedTuple

import numpy as np

from hitscope.geometry.arrays import Array, has_width, length_rows
from hitscope.targets.cases import PART_WIDTH, Reals, kinds, more_numbers, probe_width

EXPONENT_BITS = 0x7FF0000000000000
"""The bits of a float64 that say its exponent."""


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
        return (2 - 2.0**-self.mantissa_bits) * 2.0**self.highest

    def rounded(self, numbers: Array) -> Array:
        """Return numbers rounded to the precision, in float64."""
        return numbers.astype(self.real).astype(np.float64)

    def clipped(self, numbers: Array) -> Array:
        """Return numbers that are not beyond the largest; NaN stays."""
        return np.clip(numbers, -self.largest, self.largest)

    def ulps(self, numbers: Array) -> Array:
        """Return how far numbers of this precision are from the next larger, the largest from the next smaller."""
        ulps: Array = np.maximum(powers_of_two_in(numbers) * 2.0**-self.mantissa_bits, 2.0**self.lowest)
        return ulps

    def spacing(self, ts: Array) -> Array:
        """Return the ulps of ts, rounded; that of zero is half the spacing of the numbers around 1."""
        return np.where(ts == 0, 2.0 ** (-self.mantissa_bits - 1), self.ulps(self.rounded(ts)))


PRECISIONS = {"float32": Precision("float32", 23, -149, 127), "float64": Precision("float64", 52, -1074, 1023)}


def powers_of_two_in(numbers: Array) -> Array:
    """Return the largest powers of two that are at most as large; 0 of numbers below the normal ones."""
    powers: Array = (numbers.view(np.int64) & EXPONENT_BITS).view(np.float64)
    return powers


def largest_lengths(pair: str, numbers: Reals) -> Reals:
    """Return the largest of the lengths of n cases: numbers of points, extents, edges and offsets; (n,)."""
    lengths = []
    parts_of = np.split(np.abs(numbers), [probe_width(pair, numbers.shape[1])], axis=1)
    for kind, sizes in zip(kinds(pair), parts_of, strict=True):
        if has_width(kind):
            lengths.append(sizes[:, length_rows(kind)])
        else:
            parts = sizes[:, : sizes.shape[1] - more_numbers(kind)].reshape(len(numbers), -1, PART_WIDTH)
            is_plane = ~np.isnan(parts[:, :, -1:])
            parts[:, :, :-1][np.broadcast_to(is_plane, parts[:, :, :-1].shape)] = np.nan
            lengths.append(parts.reshape(len(numbers), -1))
    largest: Reals = np.fmax.reduce(np.concatenate(lengths, axis=1), axis=1)
    return largest

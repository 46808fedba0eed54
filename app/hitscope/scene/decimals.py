"""Arithmetic on float64 taken as the decimals that are written for them; results are rounded once."""

import sys
from fractions import Fraction

import numpy as np

from hitscope.geometry.arrays import Array
from hitscope.geometry.exact import rounded
from hitscope.geometry.shapes import Vec3
from hitscope.geometry.vector import vec3

SAFE_DIGITS = 15
"""The number of significant decimal digits that float64 keeps."""
WHOLE = 2.0**53
"""Below this float64 has every integer, so that sums and products of integers are exact."""
LAST_POWER = 22
"""The largest exponent of a power of ten that float64 has exactly."""
LARGEST = sys.float_info.max


def decimal(value: Fraction | float) -> Fraction:
    """Return the decimal that is written for a float64, exactly."""
    return value if isinstance(value, Fraction) else Fraction(repr(float(value)))


def difference(p: Vec3, q: Vec3) -> Vec3:
    """The vector p - q."""
    return vec3(rounded(decimal(a) - decimal(b)) for a, b in zip(p, q, strict=True))


def total(p: Vec3, q: Vec3) -> Vec3:
    """The vector p + q."""
    return vec3(rounded(decimal(a) + decimal(b)) for a, b in zip(p, q, strict=True))


def scalar_product(p: Vec3, q: Vec3) -> Fraction:
    """Return the dot product, exactly."""
    return sum((decimal(a) * decimal(b) for a, b in zip(p, q, strict=True)), Fraction(0))


def linear(values: Array, factor: Fraction, summand: Fraction, rough: bool = False) -> Array:
    """Return factor * value + summand of the decimals of values (n,); unchanged values keep every bit.

    With `rough`, decimals that are too long for exact float64 arithmetic are rounded at every step.
    """
    if factor == 1 and not summand:
        return values
    results = np.empty(len(values))
    left = np.arange(len(values))
    for places, power, whole_factor, whole_summand in _integers(factor, summand):
        unfinished = values[left]
        with np.errstate(over="ignore", invalid="ignore"):
            integers = np.rint(unfinished * 10.0**places)
            # No other decimal of so few digits is the same float64, so this is the one that is written.
            exact = (integers / 10.0**places == unfinished) & (np.abs(integers) < 10.0**SAFE_DIGITS)
            exact &= np.abs(integers) * abs(whole_factor) + abs(whole_summand) < WHOLE
            results[left[exact]] = (integers[exact] * whole_factor + whole_summand) / 10.0**power
        left = left[~exact]
        if not len(left):
            return results
    if rough:
        with np.errstate(over="ignore", invalid="ignore"):
            results[left] = np.clip(values[left] * rounded(factor) + rounded(summand), -LARGEST, LARGEST)
    else:
        results[left] = [rounded(factor * decimal(value) + summand) for value in values[left].tolist()]
    return results


def tidy(sums: Array, largest: Array) -> Array:
    """Round sums (n,) of terms of at most `largest` to the digits that float64 got right."""
    with np.errstate(all="ignore"):
        powers = SAFE_DIGITS - np.ceil(np.log10(largest))
        scales = 10.0 ** np.clip(powers, 0, LAST_POWER)
        short = np.rint(sums * scales) / scales
    # Beyond these powers of ten float64 has no exact ones, and rounding would add an error.
    sure = (powers >= 0) & (powers <= LAST_POWER) & np.isfinite(short)
    return np.where(sure, short, np.clip(sums, -LARGEST, LARGEST)) + 0.0


def _integers(factor: Fraction, summand: Fraction) -> list[tuple[int, int, float, float]]:
    """Return (places, power, factor and summand as integers over 10 ** power) for each number of places."""
    e, f = _places(factor), _places(summand)
    if e is None or f is None or abs(factor) * 10**e >= WHOLE:
        return []
    found = []
    for places in range(max(f - e, 0), min(SAFE_DIGITS, LAST_POWER - e) + 1):
        power = places + e
        if abs(summand) * 10**power >= WHOLE:
            break
        found.append((places, power, float(factor * 10**e), float(summand * 10**power)))
    return found


def _places(value: Fraction) -> int | None:
    """Return the number of decimal places of a number; None for too many."""
    return next((places for places in range(LAST_POWER + 1) if 10**places % value.denominator == 0), None)

"""Arrays of float64 taken as the decimals that are written for them; what is reckoned is rounded once."""

import sys
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.exact import rounded

Array = NDArray[np.float64]

SAFE_DIGITS = 15
"""So many significant digits survive float64."""
WHOLE = 2.0**53
"""Below this float64 has every integer, so that sums and products of integers are exact."""
LAST_POWER = 22
"""Of the powers of ten, float64 has those up to this one."""
LARGEST = sys.float_info.max


def decimal(value: Fraction | float) -> Fraction:
    """Give the number that is written for a float64."""
    return value if isinstance(value, Fraction) else Fraction(repr(float(value)))


def linear(values: Array, factor: Fraction, summand: Fraction, rough: bool = False) -> Array:
    """Give factor * value + summand of the decimals of values (n,); what does not change keeps every bit.

    With `rough`, decimals that are longer than float64 can reckon with are not rounded once, but as they come.
    """
    if factor == 1 and not summand:
        return values
    results = np.empty(len(values))
    left = np.arange(len(values))
    for places, power, times, more in _integers(factor, summand):
        some = values[left]
        with np.errstate(over="ignore", invalid="ignore"):
            whole = np.rint(some * 10.0**places)
            # No other decimal of so few digits is the same float64, so this is the one that is written.
            sure = (whole / 10.0**places == some) & (np.abs(whole) < 10.0**SAFE_DIGITS)
            sure &= np.abs(whole) * abs(times) + abs(more) < WHOLE
            results[left[sure]] = (whole[sure] * times + more) / 10.0**power
        left = left[~sure]
        if not len(left):
            return results
    if rough:
        with np.errstate(over="ignore", invalid="ignore"):
            results[left] = np.clip(values[left] * rounded(factor) + rounded(summand), -LARGEST, LARGEST)
        return results
    results[left] = [rounded(factor * decimal(value) + summand) for value in values[left].tolist()]
    return results


def tidy(sums: Array, largest: Array) -> Array:
    """Leave off the last digits of sums, in which float64 errs, of terms that are at most so large."""
    with np.errstate(all="ignore"):
        powers = SAFE_DIGITS - np.ceil(np.log10(largest))
        scales = 10.0 ** np.clip(powers, 0, LAST_POWER)
        short = np.rint(sums * scales) / scales
    # Beyond these powers of ten float64 has no exact ones, and rounding would add an error.
    sure = (powers >= 0) & (powers <= LAST_POWER) & np.isfinite(short)
    return np.where(sure, short, np.clip(sums, -LARGEST, LARGEST)) + 0.0


def _integers(factor: Fraction, summand: Fraction) -> list[tuple[int, int, float, float]]:
    """Give, for decimals of so many places, factor and summand as integers that lead to 10 ** power as many."""
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
    """Give how many decimal places a number has, None for too many."""
    return next((places for places in range(LAST_POWER + 1) if 10**places % value.denominator == 0), None)

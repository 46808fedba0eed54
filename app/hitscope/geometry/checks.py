"""Checks of numbers, and of what the numbers of a shape have to satisfy, the same for files and for Python.

Each raises Fault with the path from the checked value, or from the fields of a shape, to the mistake.
"""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import repeat
from math import inf, isfinite, isnan
from numbers import Real
from sys import float_info
from typing import Any

import numpy as np

from hitscope import numerals
from hitscope.errors import Fault, shown

AXES_TOLERANCE = 1e-6
"""The largest max|A A^T - I| of stored axes that are a rotation or reflection."""

# Numbers, vectors and sequences of them


def number(value: Any) -> Any:
    """Return a finite number within float64: an int or Fraction as it is, any other real number as a float."""
    if not isinstance(value, Real | Decimal) or isinstance(value, bool):
        raise Fault((), "a number", shown(value))
    try:
        rounded = float(value)
    except OverflowError:  # of a large int or Fraction
        raise Fault((), "a number within the range of float64", shown(value)) from None
    except ValueError:  # of a signalling NaN
        raise Fault((), "a finite number", shown(value)) from None
    if not isfinite(rounded):
        finite = not isnan(rounded) and abs(value) != inf  # a Decimal or a long double
        raise Fault((), "a number within the range of float64" if finite else "a finite number", shown(value))
    return value if type(value) in (float, int, Fraction) else rounded


def flag(value: Any) -> bool:
    """Return a boolean, NumPy's as Python's."""
    if not isinstance(value, bool | np.bool_):
        raise Fault((), "true or false", shown(value))
    return bool(value)


def vector(value: Any) -> Any:
    """Return three numbers as a tuple."""
    if type(value) is tuple and len(value) == 3:
        x, y, z = value
        if type(x) is type(y) is type(z) is float and isfinite(x) and isfinite(y) and isfinite(z):
            return value
    return each(number, value, 3)


def frame(value: Any) -> Any:
    """Return three vectors as a tuple."""
    return each(vector, value, 3)


def sequence(values: Any, count: int | None = None) -> Any:
    """Return a sequence or an array; refuse other values, and any other length than `count`."""
    is_sequence = isinstance(values, Sequence) and not isinstance(values, str | bytes)
    if not is_sequence and not (isinstance(values, np.ndarray) and values.ndim):
        raise Fault((), "an array", shown(values))
    if count is not None and len(values) != count:
        raise Fault((), f"an array of length {count}", shown(values))
    return values


def each(check: Callable[[Any], Any], values: Any, count: int | None = None) -> tuple[Any, ...]:
    """Return the parts of a sequence or an array, each checked, as a tuple."""
    parts = sequence(values, count)
    return tuple(each_by_key(enumerate(repeat(check, len(parts))), parts))


def each_by_key(checks: Iterable[tuple[str | int, Callable[[Any], Any]]], values: Iterable[Any]) -> list[Any]:
    """Return values, each checked by the check in its place, whose key is that of the value in messages."""
    checked = []
    for (key, check), value in zip(checks, values, strict=True):
        try:
            checked.append(check(value))
        except Fault as fault:
            raise fault.below((key,)) from None
    return checked


# Shapes


def check_corners(lo: Sequence[float], hi: Sequence[float], lo_name: str, hi_name: str) -> None:
    """Refuse a box whose least corner exceeds its greatest, which are the fields of these names."""
    for i in range(3):
        if not lo[i] <= hi[i]:
            raise Fault((hi_name, i), f"a number >= {lo_name}[{i}] = {lo[i]!r}", repr(hi[i]))


def check_half_extents(half_extents: Sequence[float]) -> None:
    """Refuse a negative half extent."""
    for i, extent in enumerate(half_extents):
        if not 0 <= extent < inf:
            raise Fault(("half_extents", i), "a number >= 0", repr(extent))


def axes_errors(axes: Any) -> tuple[Any, ...]:
    """Return the six different entries of A A^T - I, of rows of numbers or of arrays."""
    (a, b, c), (d, e, f), (g, h, i) = axes
    diagonal = a * a + b * b + c * c - 1, d * d + e * e + f * f - 1, g * g + h * h + i * i - 1
    return *diagonal, a * d + b * e + c * f, a * g + b * h + c * i, d * g + e * h + f * i


def check_axes(axes: Sequence[Sequence[float]]) -> None:
    """Refuse axes (rows) unless max|A A^T - I| <= 1e-6; either handedness is legal."""
    error = max(map(abs, axes_errors(axes)))
    if not error <= AXES_TOLERANCE:
        expected = f"three unit rows at right angles (max|A A^T - I| <= {AXES_TOLERANCE})"
        # An int or a Fraction may be beyond float64.
        shown_error = error if isinstance(error, float) else float(min(error, float_info.max))
        raise Fault(("axes",), expected, f"max|A A^T - I| = {numerals.short(shown_error, 3)}")


def check_normal(normal: Sequence[float]) -> None:
    """Refuse a zero normal."""
    if not any(map(float, normal)):
        raise Fault(("normal",), "a vector other than zero", "[0, 0, 0]")


def check_radius(radius: float) -> None:
    """Refuse a negative radius."""
    if not 0 <= radius < inf:
        raise Fault(("radius",), "a number >= 0", repr(radius))

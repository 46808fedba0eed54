"""Division, square root and arc cosine as IEEE 754 gives them, interpreted and compiled alike.

Python raises where IEEE gives inf or NaN; a method that relies on those results calls these functions.
"""

import math

import numpy as np

from hitscope.geometry.registry import compiled_as, kernel


@kernel
def divide(a: float, b: float) -> float:
    """Return a / b; x / 0 is inf with the product of the signs, 0 / 0 is NaN."""
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


@kernel
def sqrt(x: float) -> float:
    """Return the square root; NaN of a negative number."""
    return as_precise_as(x, math.sqrt(x)) if x >= 0 else math.nan


@kernel
def acos(x: float) -> float:
    """Return the arc cosine in radians; NaN of a number beyond [-1, 1]."""
    return as_precise_as(x, math.acos(x)) if -1 <= x <= 1 else math.nan


def _as_it_is(x: float, value: float) -> float:
    """Return the result as it is: compiled from a float32 (`single`), it is one already."""
    return value


@compiled_as(_as_it_is)
def as_precise_as(x: float, value: float) -> float:
    """Return a result of the mathematics library as a float32 if it was computed from one."""
    return np.float32(value) if isinstance(x, np.float32) else value

"""Division, square root and arc cosine as IEEE 754 gives them, interpreted and compiled alike.

Python raises where IEEE gives inf or NaN; a method that relies on those results calls these functions.
"""

import math
from typing import Any

import numpy as np

from hitscope.geometry.registry import compiled_as, kernel


@kernel
def divide(a: float, b: float) -> float:
    """Return a / b; x / 0 is inf with the product of the signs, 0 / 0 is NaN."""
    if b != 0:
        return a / b
    if a > 0 or a < 0:
        return (math.inf if a > 0 else -math.inf) * math.copysign(1.0, b)
    return math.nan


@kernel
def sqrt(x: float) -> float:
    """Return the square root; NaN of a negative number."""
    return own_sqrt(x) if x >= 0 else math.nan


@kernel
def acos(x: float) -> float:
    """Return the arc cosine in radians; NaN of a number beyond [-1, 1]."""
    return own_acos(x) if -1 <= x <= 1 else math.nan


def _compiled_sqrt(x: float) -> float:
    return math.sqrt(x)


def _compiled_acos(x: float) -> float:
    return math.acos(x)


@compiled_as(_compiled_sqrt)
def own_sqrt(x: Any) -> Any:
    """Return the square root in the type of the number; one with a method `sqrt` has its own."""
    if hasattr(x, "sqrt"):
        return x.sqrt()
    return np.float32(math.sqrt(x)) if isinstance(x, np.float32) else math.sqrt(x)


@compiled_as(_compiled_acos)
def own_acos(x: Any) -> Any:
    """Return the arc cosine likewise; a number with a method `arccos` has its own."""
    if hasattr(x, "arccos"):
        return x.arccos()
    return np.float32(math.acos(x)) if isinstance(x, np.float32) else math.acos(x)

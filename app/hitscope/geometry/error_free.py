"""Error-free transformations (Dekker 1971, Knuth 1969): a float64 operation together with its rounding error.

Each returns (high, low): `high` is the rounded result and `low` the error, so that high + low is exact as long as
nothing over- or underflows. Arguments are floats, NumPy arrays or, of sums and differences, vectors of `lanes`.
"""

from typing import Any

from hitscope.geometry.registry import kernel

SPLITTER = 2.0**27 + 1.0


@kernel
def two_sum(x: Any, y: Any) -> tuple[Any, Any]:
    """Return x + y and its rounding error."""
    high = x + y
    part = high - x
    return high, (x - (high - part)) + (y - part)


@kernel
def two_difference(x: Any, y: Any) -> tuple[Any, Any]:
    """Return x - y and its rounding error."""
    high = x - y
    part = x - high
    return high, (x - (high + part)) + (part - y)


@kernel
def split(x: Any) -> tuple[Any, Any]:
    """Return two numbers of at most 26 bits whose sum is x."""
    big = SPLITTER * x
    high = big - (big - x)
    return high, x - high


@kernel
def two_product(x: Any, y: Any) -> tuple[Any, Any]:
    """Return x * y and its rounding error."""
    high = x * y
    x_high, x_low = split(x)
    y_high, y_low = split(y)
    return high, x_low * y_low - (((high - x_high * y_high) - x_low * y_high) - x_high * y_low)

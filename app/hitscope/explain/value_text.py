"""Values as a reader of a trace sees them: every digit of a number, or its bits in hex."""

from fractions import Fraction
from typing import Any

import numpy as np

from hitscope.explain.snapshot import Array
from hitscope.geometry.exact import rounded

LONGEST_FRACTION = 15
"""The most characters of a fraction that is shown as one."""


def value_text(value: Any, as_hex: bool = False) -> str:
    """Return a value in words: the shortest digits of a float that tell its bits, with `as_hex` the bits."""

    def inner(part: Any) -> str:
        return value_text(part, as_hex)

    if isinstance(value, float | np.floating):
        return float(value).hex() if as_hex else repr(value) if type(value) is float else str(value)
    if isinstance(value, np.generic):
        return str(value)
    if isinstance(value, Fraction):
        return fraction_text(value, as_hex)
    if isinstance(value, tuple):
        names = getattr(value, "_fields", None)
        if names is None:
            return f"({', '.join(map(inner, value))}{',' * (len(value) == 1)})"
        fields = (f"{name}={inner(part)}" for name, part in zip(names, value, strict=True))
        return f"{type(value).__name__}({', '.join(fields)})"
    if isinstance(value, list):
        elements = f"[{', '.join(map(inner, value))}]"
        return f"array({elements})" if isinstance(value, Array) else elements
    if isinstance(value, set) and value:
        return f"{{{', '.join(map(inner, value))}}}"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{inner(key)}: {inner(part)}' for key, part in value.items())}}}"
    return repr(value)


def fraction_text(value: Fraction, as_hex: bool = False) -> str:
    """Return a fraction as the float that it is, as a quotient, or, if long, as the nearest float after ≈."""
    nearest = rounded(value)
    if nearest == value:
        return value_text(nearest, as_hex)
    text = str(value)
    return text if len(text) <= LONGEST_FRACTION else f"≈{value_text(nearest, as_hex)}"

"""Numbers as text: short for a reader, or whole, so that the text reads back as the same number."""

import re
from collections.abc import Callable, Iterable
from math import isinf, isnan
from typing import Any

SHORT, LONG = 4, 6
"""The significant digits of a number in a sentence or a label, and of one in a table or a chart."""
MOST_DIGITS = 17
"""The significant digits that tell any two float64 apart."""
EXACT_INTEGERS = 2**53
"""The magnitude up to which every integer is a float64."""


def short(value: float, digits: int = LONG) -> str:
    """Return a number to so many significant digits, e.g. 0.25, 12300 or 1.2e-7."""
    text = f"{value:.{digits}g}"
    mantissa, _, exponent = text.partition("e")
    if not exponent:
        return text
    return f"{float(text):.0f}" if 0 <= int(exponent) < LONG else f"{mantissa}e{int(exponent)}"


def whole(value: float) -> str:
    """Return the shortest text that reads back as the same float64, as the scene file has it."""
    if value.is_integer() and abs(value) < EXACT_INTEGERS and str(value) != "-0.0":
        return str(int(value))
    return repr(value)


def in_hex(value: float) -> str:
    """Return the exact float64 in hex, without trailing zeros."""
    return re.sub(r"\.?0*p", "p", value.hex())


def typeset(value: float | None, digits: int | None = LONG) -> str:
    """Return a number as `short`, or whole without `digits`, with the signs of print; None is a dash."""
    if value is None or isnan(value):
        return "–" if value is None else "NaN"
    if isinf(value):
        return "∞" if value > 0 else "−∞"
    return (whole(value) if digits is None else short(value, digits)).replace("-", "−")


def label(value: float | None) -> str:
    """Return a number in a sentence or a label of the window."""
    return typeset(value, SHORT)


def answer(value: Any, write: Callable[[float], str] = short) -> str:
    """Return a part of an answer: a number, a vector in parentheses, or a word as it is; None is empty."""
    if isinstance(value, tuple):
        return f"({', '.join(answer(part, write) for part in value)})"
    return write(value) if isinstance(value, float) else "" if value is None else str(value)


def typeset_name(feature: str) -> str:
    """Return the name of a feature with the minus signs of print, e.g. "face −x"."""
    return feature.replace(" -", " −")


def digits_apart(first: Iterable[float], second: Iterable[float]) -> int:
    """Return how many significant digits tell two rows of numbers apart, SHORT or more."""
    pairs = list(zip(first, second, strict=True))
    enough = (n for n in range(SHORT, MOST_DIGITS) if any(short(a, n) != short(b, n) for a, b in pairs))
    return next(enough, MOST_DIGITS)


def ulps(value: float) -> str:
    """Return a number of units in the last place, e.g. "0.5 ulp" or "12 ulps"."""
    return f"{short(value, 3)} ulp{'s' * (value > 1)}"


def counted(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun, e.g. "1 probe" or "2,000 probes"."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"

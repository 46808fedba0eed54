"""The values of a run in words: numbers at full precision, comparisons, and the wrong line."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from hitscope.explain import Compared, Explanation, Step
from hitscope.viewer.state.stepping import WrongLine

LONGEST_FRACTION = 19
"""The most characters of a fraction that is written as one."""
MOST_ROWS = 12
"""The most rows that a value has."""
CAUSES = {
    "rounding": "rounding",
    "tolerance": "a tolerance",
    "zero sign": "the sign of a zero",
    "nan": "a NaN",
    "logic": "its logic",
    "unknown": "",
    "error": "an error",
    "": "",
}
"""The causes of a wrong answer, in words."""


class Row(NamedTuple):
    """A value, or a part of one, as it is shown in a line."""

    name: str
    values: tuple[Any, ...]
    """Numbers side by side, or one value of another kind."""


def is_number(value: Any) -> bool:
    """Whether a value is a number, and not a truth value."""
    return isinstance(value, int | float | np.floating | np.integer | Fraction) and not isinstance(value, bool)


def number(value: Any, in_hex: bool = False, digits: int | None = None) -> str:
    """A number or another value, at full precision or to some `digits`; a fraction that is long is rounded."""
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, Fraction):
        words = str(value)
        return words if len(words) <= LONGEST_FRACTION else f"≈{float(value)!r}"
    if isinstance(value, float | np.floating):
        if in_hex:
            return float(value).hex()
        if digits is not None:
            return f"{float(value):.{digits}g}"
        return repr(value) if type(value) is float else str(value)
    return str(value) if isinstance(value, int | np.integer | str) else repr(value)


def rows_of(name: str, value: Any) -> list[Row]:
    """The rows of a value: one, or one for each part of what has parts with parts."""
    rows = list(_rows(name, value))
    return rows if len(rows) <= MOST_ROWS else [Row(name, (value,))]


def _rows(name: str, value: Any) -> Iterator[Row]:
    if not isinstance(value, tuple | list) or not value:
        yield Row(name, (value,))
    elif len(value) <= 4 and all(map(is_number, value)):
        yield Row(name, tuple(value))
    else:
        fields = getattr(value, "_fields", None)
        for k, part in enumerate(value):
            yield from _rows(f"{name}.{fields[k]}" if fields else f"{name}[{k}]", part)


def chain(compared: Compared, in_hex: bool = False) -> str:
    """A comparison with the values in place of the names, as far as it was evaluated."""
    first, *others = (number(value, in_hex) for value in compared.values)
    return " ".join([first, *(f"{sign} {other}" for sign, other in zip(compared.operators, others, strict=False))])


def way_of(step: Step) -> str:
    """Which way a statement goes, in words; empty of one that does not branch."""
    if step.branch is None:
        return ""
    if step.source.lstrip().startswith(("for ", "while ")):
        return "another pass" if step.branch else "no more passes"
    return "it holds: into the branch" if step.branch else "it does not hold: past the branch"


def wrong_line_words(explanation: Explanation, found: WrongLine) -> str:
    """The fault of the line that makes the answer wrong."""
    if found.ours is None or found.theirs is None:
        known = {
            "zero sign": "The sign of a zero counts here: with positive zeros all is right",
            "nan": "The first NaN comes up here",
            "logic": "The source is wrong here, not the rounding",
            "error": explanation.trace.error,
        }
        return known.get(explanation.cause, "The answer is wrong because of this line")
    instead = "without the tolerance" if explanation.cause == "tolerance" else "without rounding"
    # Of a tolerance both runs that differ may be on fractions, which nobody has seen.
    own = (c for c in explanation.trace.steps[found.step].comparisons if (c.line, c.text) == found.ours[:2])
    return f"{found.ours.text}: {chain(next(own, found.ours))} here, {_right(found.theirs)} {instead}"


def _right(compared: Compared) -> str:
    """The values of a comparison that is right."""
    values = compared.values
    if len(values) == 2 and all(map(is_number, values)):
        first, second = values
        if first == second:
            return "equal"
        if float(first) == float(second):
            way = "smaller" if first < second else "larger"
            return f"{compared.operands[0]} {way} by {float(abs(first - second)):.2g}"
    return chain(compared)


def is_nan(value: Any) -> bool:
    """Whether a number is NaN."""
    return isinstance(value, float | np.floating) and bool(np.isnan(value))

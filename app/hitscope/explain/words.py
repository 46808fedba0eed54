"""An explanation in words: what was compared, which line makes an answer wrong, and why it does."""

from fractions import Fraction
from typing import Any

from hitscope.explain.departure import Departure
from hitscope.explain.explanation import Explanation, ulps_between
from hitscope.explain.own_function import OUTSIDE_CONTRACT
from hitscope.explain.snapshot import value_text
from hitscope.explain.trace import Compared, Trace
from hitscope.geometry.exact import rounded
from hitscope.geometry.registry import EXACT

LEAST_DIGITS = 3
"""The significant digits of a number of ulps, or of a difference."""


def verdict_word(hit: bool) -> str:
    """Return "hit" or "miss"."""
    return "hit" if hit else "miss"


def truth_word(value: Any) -> str:
    """Return "true" or "false"."""
    return "true" if value else "false"


def comparison_words(compared: Compared, as_hex: bool = False) -> str:
    """Return the values of both sides and the result, e.g. "0.33 > 0.29 → true"."""
    return f"{_sides(compared, as_hex)} → {truth_word(compared.result)}"


def ulps_words(ulps: float) -> str:
    """Return a number of ulps, e.g. "0.5 ulp" or "12 ulps"."""
    return f"{ulps:.{LEAST_DIGITS}g} ulp{'s' * (ulps > 1)}"


def departure_ulps(departure: Departure | None) -> dict[str, float]:
    """Return how far each side of a comparison is from its unrounded value, in ulps, by its text."""
    if departure is None:
        return {}
    values = zip(departure.ours.operands, departure.ours.values, departure.theirs.values, strict=False)
    found = {text: ulps_between(mine, yours) for text, mine, yours in values}
    return {text: ulps for text, ulps in found.items() if ulps}


def departure_words(departure: Departure, other: str = "", as_hex: bool = False) -> str:
    """Return what two runs compare where they go different ways, and how far the sides are off.

    The other run is without rounding, or else `other` says what it is.
    """
    helpers = "".join(f"in {call.name}, " for call in departure.calls)
    ours, theirs = departure.ours, departure.theirs
    words = f"{helpers}{ours.text}: {comparison_words(ours, as_hex)}"
    words = f"{words}; {other or 'without rounding'} {_theirs(theirs, as_hex)}"
    found = {} if other else departure_ulps(departure)
    errors = ", ".join(f"{text} by {ulps_words(ulps)}" for text, ulps in found.items())
    return f"{words} (off: {errors})" if errors else words


def wrong_line_words(explanation: Explanation, as_hex: bool = False) -> str:
    """Return what is wrong at the step that makes the answer wrong; "" where there is none."""
    if explanation.wrong_step is None or explanation.trace.error == OUTSIDE_CONTRACT:
        return ""
    if explanation.cause == "rounding" and explanation.departs is not None:
        return departure_words(explanation.departs, as_hex=as_hex)
    if explanation.cause == "tolerance" and explanation.by_tolerance is not None:
        return departure_words(explanation.by_tolerance, "without the tolerance", as_hex)
    if explanation.cause == "logic":
        number, text = explanation.wrong_line or (None, "")
        is_first = number == explanation.trace.steps[explanation.wrong_step].line
        return "the logic is wrong here" if is_first else f"the logic is wrong in line {number}: {text}"
    return {"nan": "a NaN arises here", "zero sign": "the sign of a zero counts here"}.get(
        explanation.cause, explanation.trace.error
    )


def conclusion(explanation: Explanation) -> str:
    """Return the verdict, the truth, and why the verdict is wrong if it is, in a few sentences."""
    if explanation.trace.error:
        return f"No verdict: {explanation.trace.error}. Exact geometry says {verdict_word(explanation.truth)}."
    verdict = verdict_word(explanation.hit)
    if explanation.chosen.method.name == EXACT:
        return f"{verdict.capitalize()}: this is exact."
    if explanation.is_wrong:
        truth = verdict_word(explanation.truth)
        return f"{verdict.capitalize()}, which is wrong: exact geometry says {truth}. {cause_words(explanation)}"
    right = f"{verdict.capitalize()}, which is right: exact geometry says so too."
    if explanation.departs is None:
        return right
    return f"{right} Rounding sends {_line(explanation.departs)} another way, and the answer stays the same."


def cause_words(explanation: Explanation) -> str:
    """Return why a wrong answer is wrong, in one sentence or two; "" of a right one."""
    departs, found = explanation.departs, explanation.wrong_line
    line = "" if found is None else f"line {found[0]}"
    if explanation.cause == "rounding":
        if departs is None:
            return "Rounding is the cause: without it the answer is right, by the same comparisons."
        return f"Rounding is the cause: without it {_line(departs)} goes the other way, and the answer is right."
    if explanation.cause == "tolerance":
        if explanation.by_tolerance is not None:
            line = _line(explanation.by_tolerance)
        return f"A tolerance is the cause: without it {line} goes the other way, and the answer is right."
    if explanation.cause == "logic":
        why = "The logic is wrong, not the rounding"
        if explanation.unrounded is not None:
            why += ": without rounding the answer is the same"
        return f"{why}. It is {line} that answers so." if line else f"{why}."
    others = {
        "nan": f"A NaN is the cause: it arises in {line}.",
        "zero sign": f"The sign of a zero is the cause: it counts in {line}; with positive zeros all is right.",
        "unknown": "Whether that is the rounding is not known: the method cannot be run without it.",
    }
    return others.get(explanation.cause, explanation.trace.error)


def answer_words(trace: Trace, as_hex: bool = False) -> str:
    """Return the whole answer of a method where it is more than a verdict, else ""."""
    return "" if trace.error or isinstance(trace.answer, bool) else value_text(trace.answer, as_hex)


def _sides(compared: Compared, as_hex: bool) -> str:
    first, *rest = (value_text(value, as_hex) for value in compared.values)
    return first + "".join(f" {sign} {text}" for sign, text in zip(compared.operators, rest, strict=False))


def _theirs(compared: Compared, as_hex: bool) -> str:
    """The comparison of another run; of two fractions that look alike how far apart they are."""
    words = comparison_words(compared, as_hex)
    match compared.values:
        case (Fraction() | int() as a, Fraction() | int() as b):
            if a == b:
                return f"both sides are equal → {truth_word(compared.result)}"
            if rounded(Fraction(a)) == rounded(Fraction(b)):
                return f"{words}, by {rounded(abs(Fraction(a) - b)):.{LEAST_DIGITS}g}"
    return words


def _line(departure: Departure) -> str:
    where = f" of {departure.calls[-1].name}" if departure.calls else ""
    return f"line {departure.line}{where}"

"""Steps in words: the values, what was compared, which line is the wrong one, and why the answer is wrong."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from hitscope import numerals
from hitscope.evaluate.verdict_words import hit_or_miss
from hitscope.explain.departure import Departure
from hitscope.explain.explanation import Explanation, ulps_between
from hitscope.explain.own_function import OUTSIDE_CONTRACT
from hitscope.explain.snapshot import value_text
from hitscope.explain.trace import Compared, Step, Trace
from hitscope.geometry.exact import rounded
from hitscope.geometry.registry import EXACT

CAUSES = {
    "rounding": "rounding",
    "tolerance": "a tolerance",
    "zero sign": "the sign of a zero",
    "nan": "a NaN",
    "logic": "the logic",
    "error": "an error",
}
"""The causes of a wrong answer that are known, in words."""
WITHOUT_ROUNDING = "without rounding it is right"
WITHOUT_TOLERANCE = "with no tolerance and without rounding it is right"
LOGIC = "its logic is wrong, not the rounding"
"""The fault of a method, after its name, by what a run of it without rounding answers."""


def changed_values(step: Step, before: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a step that are not those of the step before, by name."""
    return {
        name: value
        for name, value in step.values.items()
        # What a step leaves alone is most often the same object, whose text need not be made.
        if name not in before or (before[name] is not value and repr(before[name]) != repr(value))
    }


def branch_words(step: Step) -> str:
    """Return which way a statement goes; "" of one that does not branch."""
    if step.branch is None:
        return ""
    if step.ends_loop:
        return "no more passes"
    if step.heads_loop:
        return f"pass {step.iterations[-1].number}"
    return f"the condition is {truth_word(step.branch)}"


def truth_word(value: Any) -> str:
    return "true" if value else "false"


def comparison_words(compared: Compared, as_hex: bool = False) -> str:
    """Return the values of both sides and the result, e.g. "0.33 > 0.29 → true"."""
    first, *rest = (value_text(value, as_hex) for value in compared.values)
    sides = "".join(f" {sign} {text}" for sign, text in zip(compared.operators, rest, strict=False))
    return f"{first}{sides} → {truth_word(compared.result)}"


def departure_ulps(departure: Departure | None) -> dict[str, float]:
    """Return how far each side of a comparison is from its unrounded value, in ulps, by its text."""
    if departure is None:
        return {}
    values = zip(departure.ours.operands, departure.ours.values, departure.theirs.values, strict=False)
    errors = ((text, ulps_between(mine, yours)) for text, mine, yours in values)
    return {text: ulps for text, ulps in errors if ulps}


def departure_words(departure: Departure, other: str = "", as_hex: bool = False) -> str:
    """Return where a run and another, by default that without rounding, part, and how far the sides are off."""
    helpers = "".join(f"in {call.name}, " for call in departure.calls)
    ours, theirs = departure.ours, departure.theirs
    words = f"{helpers}{ours.text}: {comparison_words(ours, as_hex)}"
    words = f"{words}; {other or 'without rounding'} {_theirs(theirs, as_hex)}"
    ulps = {} if other else departure_ulps(departure)
    errors = ", ".join(f"{text} by {numerals.ulps(error)}" for text, error in ulps.items())
    return f"{words} (off: {errors})" if errors else words


def wrong_line_words(explanation: Explanation, as_hex: bool = False) -> str:
    """Return what is wrong at the step of the wrong line; "" where there is none."""
    if explanation.wrong_step is None or explanation.trace.error == OUTSIDE_CONTRACT:
        return ""
    step = explanation.trace.steps[explanation.wrong_step]
    if explanation.cause == "rounding" and explanation.departs is not None:
        return departure_words(explanation.departs, as_hex=as_hex)
    if explanation.cause == "tolerance" and (departs := explanation.by_tolerance) is not None:
        # Both runs that differ by a tolerance may be on fractions, which nobody has seen.
        seen = (compared for compared in step.comparisons if compared[:2] == departs.ours[:2])
        departs = departs._replace(ours=next(seen, departs.ours))
        return departure_words(departs, "without the tolerance", as_hex)
    number, text = explanation.wrong_line or (step.line, "")
    if number == step.line:
        return _fault_words(explanation, "this line")
    return f"{_fault_words(explanation, f'line {number}')}: {text}"


def truth_words(explanation: Explanation, line: int | None) -> str:
    """Return exact's answer where a method's is wrong, with the cause and the wrong line if there is one."""
    truth = f"exact: {hit_or_miss(not explanation.hit)}"
    if line is None:
        return truth
    cause = CAUSES.get(explanation.cause)
    return f"{truth}, by {cause} in line {line}" if cause else f"{truth}, by line {line}"


def conclusion(explanation: Explanation) -> str:
    """Return the verdict, the truth, and why the verdict is wrong if it is, in a few sentences."""
    if explanation.trace.error:
        return f"No verdict: {explanation.trace.error}. Exact geometry says {hit_or_miss(explanation.truth)}."
    verdict = hit_or_miss(explanation.hit)
    if explanation.chosen.method.name == EXACT:
        return f"{verdict.capitalize()}: this is exact."
    if explanation.is_wrong:
        truth = hit_or_miss(explanation.truth)
        words = f"{verdict.capitalize()}, which is wrong: exact geometry says {truth}. {cause_words(explanation)}"
        return f"{words} {explanation.alike.sentence}." if explanation.alike else words
    right = f"{verdict.capitalize()}, which is right: exact geometry says so too."
    if explanation.departs is None:
        return right
    return f"{right} Rounding sends {_line(explanation.departs)} another way, and the answer stays the same."


def cause_words(explanation: Explanation) -> str:
    """Return why a wrong answer is wrong, in one sentence or two; "" of a right one."""
    departs, wrong_line = explanation.departs, explanation.wrong_line
    line = "" if wrong_line is None else f"line {wrong_line[0]}"
    if explanation.cause == "rounding":
        if not explanation.trace.steps:
            return "Rounding is the cause: in a wider type the answer is right."
        if departs is None:
            return "Rounding is the cause: without it the answer is right, by the same comparisons."
        return f"Rounding is the cause: without it {_line(departs)} goes the other way, and the answer is right."
    if explanation.cause == "tolerance":
        if explanation.by_tolerance is not None:
            line = _line(explanation.by_tolerance)
        return f"A tolerance is the cause: without it {line} goes the other way, and the answer is right."
    if explanation.cause == "unknown":
        return "Whether that is the rounding is not known: the method cannot be run without it."
    if explanation.cause == "logic" and explanation.fix:
        return f"{explanation.fix.sentence}."
    words = _fault_words(explanation, line or "this function")
    if explanation.cause == "logic" and wrong_line is None:
        return f"{words[0].upper()}{words[1:]}; hitscope judge with --fix looks for the line."
    if explanation.cause == "logic" and explanation.unrounded is not None:
        words += ": without rounding the answer is the same"
    return words and f"{words[0].upper()}{words[1:]}."


def _fault_words(explanation: Explanation, line: str) -> str:
    """Return the fault of a line in which no comparison goes another way."""
    return {
        "": "",
        "rounding": f"rounding makes the answer of {line} wrong",
        "nan": f"a NaN arises in {line}",
        "zero sign": f"the sign of a zero counts in {line}, with positive zeros all is right",
        "logic": f"the logic of {line} is wrong, not the rounding",
    }.get(explanation.cause, explanation.trace.error)


def answer_words(trace: Trace, as_hex: bool = False) -> str:
    """Return the whole answer of a method where it is more than a verdict, else ""."""
    return "" if trace.error or isinstance(trace.answer, bool) else value_text(trace.answer, as_hex)


def _theirs(compared: Compared, as_hex: bool) -> str:
    """The comparison of another run; of two fractions that look alike how far apart they are."""
    words = comparison_words(compared, as_hex)
    match compared.values:
        case (Fraction() | int() as a, Fraction() | int() as b):
            if a == b:
                return f"both sides are equal → {truth_word(compared.result)}"
            if rounded(Fraction(a)) == rounded(Fraction(b)):
                return f"{words}, by {numerals.short(rounded(abs(Fraction(a) - b)), 3)}"
    return words


def _line(departure: Departure) -> str:
    where = f" of {departure.calls[-1].name}" if departure.calls else ""
    return f"line {departure.line}{where}"

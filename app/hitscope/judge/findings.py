"""Findings: pairs on which a target differs from the truth, with what is to be said about them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import inf, isfinite, isnan
from typing import Any

import numpy as np

from hitscope import numerals
from hitscope.explain.step_words import LOGIC, WITHOUT_ROUNDING, WITHOUT_TOLERANCE
from hitscope.geometry import exact
from hitscope.geometry.shapes import rational, word
from hitscope.geometry.traits import is_degenerate
from hitscope.judge.own_cases import CASES
from hitscope.judge.tallies import Example, Row
from hitscope.targets.cases import Cases, ShapePair
from hitscope.targets.judging.judged import CRASH, WRONG_HIT, WRONG_NORMAL, WRONG_T
from hitscope.targets.languages import SHAPES, in_float32, literal
from hitscope.targets.method_text import method_of_target
from hitscope.targets.target import TargetSpec

ENGINE = "engine"
"""The generator whose cases are like those of engines."""


@dataclass(frozen=True, eq=False)
class Finding:
    """A pair on which a target differs from the truth, and the seed of the case that showed it."""

    target: TargetSpec
    kind: str
    generator: str
    example: Example
    cause: str = field(default="", kw_only=True)
    """Why it is wrong, in words, where that was found beside the catalogue; see `judge.wider`."""

    @property
    def cases(self) -> Cases:
        """The pair as the one case of an array."""
        return Cases(self.target.pair, np.ascontiguousarray(self.example.numbers[None]))

    @property
    def shapes(self) -> ShapePair:
        return self.cases.shapes(0)


def examples(rows: Iterable[Row], *, one_each: bool) -> list[Finding]:
    """Return the worst finding of each kind, target and pair, of each generator or of all, in order of `rank`."""
    found = [
        Finding(row.target, kind, row.generator, example)
        for row in rows
        for kind, example in row.tally.examples.items()
    ]
    kept: dict[tuple[Any, ...], Finding] = {}
    for finding in worst_first(found):
        kept.setdefault((finding.target, finding.kind, "" if one_each else finding.generator), finding)
    return list(kept.values())


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda found: rank(found.generator, found.kind, found.example.ulps))


def rank(generator: str, kind: str, ulps: float) -> tuple[int, bool, float]:
    """Return what findings are ordered by: the user's cases, then those of engines; crashes, then the deepest."""
    return (CASES, ENGINE, generator).index(generator), kind != CRASH, -ulps


def circumstance(finding: Finding) -> str:
    """Describe what findings of a kind have in common that may share a cause: that, or how the shapes lie."""
    if cause := cause_of(finding.target, finding.shapes):
        return cause
    degenerate = (f", degenerate {word(shape)}" for shape in finding.shapes if is_degenerate(shape))
    cause = f"; {finding.cause}" if finding.cause else ""
    return "".join([exact.relation(*finding.shapes).state, *degenerate, cause])


def reason(finding: Finding, name: str = "") -> str:
    """Describe a difference in words, with its cause: rounding, a tolerance or the logic of a method."""
    name = name or finding.target.name
    if finding.kind == CRASH:
        return f"{name} crashes: {finding.example.words}"
    return _with_cause(f"{finding.kind} of {name}", finding)


def description(finding: Finding) -> str:
    """Describe a difference in a line: what was expected and what came, by how much, and why if that is known."""
    return finding.example.words if finding.kind == CRASH else _with_cause(difference(finding), finding)


def _with_cause(words: str, finding: Finding) -> str:
    cause = finding.cause or cause_of(finding.target, finding.shapes)
    return f"{words}; {cause}" if cause else words


def difference(finding: Finding) -> str:
    """Describe what was expected and what came, and by how much it is wrong."""
    example = finding.example
    sizes = {"units": example.distance, "ulps": example.ulps}
    size = ", ".join(f"{numerals.short(number, 3)} {unit}" for unit, number in sizes.items() if isfinite(number))
    if finding.kind == WRONG_NORMAL:
        return "expected the normal of the face that is entered first, found another"
    if finding.kind == WRONG_T:
        exactly = exact.rounded(exact.relation(*finding.shapes).t_enter or 0)
        right, found = (numbers_text(t, finding.target.real) for t in (exactly, example.t_enter))
        if isnan(example.t_enter):
            return f"expected t_enter {right}, found none"
        return f"expected t_enter {right}, found {found}{f' (off by {size})' if size else ''}"
    answers = ("a miss", "a hit") if finding.kind == WRONG_HIT else ("a hit", "a miss")
    if not example.distance:
        how_far = " (they touch)"
    else:
        how_far = f" ({size} {'apart' if finding.kind == WRONG_HIT else 'deep'})" if size else ""
    return f"expected {answers[0]}, found {answers[1]}{how_far}"


def numbers_text(value: Any, real: str) -> str:
    """Return a shape or a number as Python writes it, with the digits that tell numbers of a precision apart."""
    return literal(SHAPES._replace(number=in_float32) if real == "float32" else SHAPES, value, width=inf)


def cause_of(target: TargetSpec, shapes: ShapePair) -> str:
    """Describe why a method errs on a pair: rounding, tolerances or logic; empty where that is unknown."""
    chosen = method_of_target(target)
    if chosen is None or "unrounded" not in chosen.method.readings:
        return ""
    truth = exact.meet(*shapes)
    given: dict[str, Any] = {**chosen.method.arguments, **chosen.arguments}
    numbers = [name for name, value in given.items() if not isinstance(value, bool) and isfinite(value)]
    for tolerances, cause in (
        ({name: Fraction(given[name]) for name in numbers}, WITHOUT_ROUNDING),
        (dict.fromkeys(numbers, Fraction(0)), WITHOUT_TOLERANCE),
    ):
        unrounded = partial(chosen.method.hit, **{**given, **tolerances})
        try:
            if unrounded(*map(rational, shapes)) == truth:
                return cause
        except ArithmeticError:
            continue
    return LOGIC

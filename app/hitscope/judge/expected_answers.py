"""The answers that a target has to give to the pair of a finding, by the same rules that found it wrong."""

from math import copysign, inf, nextafter
from typing import NamedTuple

import numpy as np

from hitscope.geometry.shapes import Vec3
from hitscope.judge.findings import Finding
from hitscope.targets.judging.judged import WRONG_HIT, WRONG_MISS, WRONG_NORMAL, WRONG_T, judged
from hitscope.targets.judging.precisions import PRECISIONS
from hitscope.targets.judging.rules import Rules
from hitscope.targets.judging.t_errors import Question, lengths_of, spacing, t_errors
from hitscope.targets.judging.truth import Truth
from hitscope.targets.target import HIT, MISS, Answers


class ExpectedT(NamedTuple):
    """The exact t_enter, rounded, and the interval of those that count as right; its ends may be infinite."""

    t_enter: float
    low: float
    high: float


class ExpectedNormal(NamedTuple):
    """The unit normals of the faces entered at once, and the most that a component may be off."""

    faces: list[Vec3]
    tolerance: float


class ExpectedAnswer(NamedTuple):
    """The right answer."""

    hit: bool | None
    """None where both verdicts count as right."""
    t_enter: ExpectedT | None = None
    """For a finding of a wrong t."""
    normal: ExpectedNormal | None = None
    """For a finding of a wrong normal."""


def expected_answer(finding: Finding, rules: Rules) -> ExpectedAnswer:
    """Return what counts as right for the pair of a finding."""
    truth = Truth(finding.cases)
    accepted = [verdict == HIT for verdict in (HIT, MISS) if _is_right(truth, verdict, rules)]
    hit = accepted[0] if len(accepted) == 1 else None
    if hit is not False and finding.kind == WRONG_T:
        return ExpectedAnswer(hit, t_enter=_expected_t(truth, rules))
    if hit is not False and finding.kind == WRONG_NORMAL:
        return ExpectedAnswer(hit, normal=ExpectedNormal(truth.entry_normals(0) or [], truth.normal_tolerance))
    return ExpectedAnswer(hit)


def _is_right(truth: Truth, verdict: int, rules: Rules) -> bool:
    answers = Answers(np.array([verdict], np.int8), np.full(1, np.nan, truth.cases.numbers.dtype))
    wrong = judged(truth, answers, rules).wrong
    return not any(wrong[kind][0] for kind in (WRONG_HIT, WRONG_MISS) if kind in wrong)


def _expected_t(truth: Truth, rules: Rules) -> ExpectedT:
    precision = PRECISIONS[truth.cases.numbers.dtype.name]
    largest = precision.largest
    ts = precision.clipped(truth.exact_ts(np.zeros(1, np.intp)))
    (t,), (ulp,) = ts, spacing(ts, precision)
    (length,) = lengths_of(truth.cases.probes.rows, truth.is_endless)
    reach = max(rules.t_ulps * ulp, rules.t_distance / length if rules.t_distance and length else 0.0)
    question = Question(rules, truth.is_endless, is_rough=False, precision=precision)

    def is_right(found: float) -> bool:
        given = np.array([found]), np.ones(1, np.bool_), ts, np.zeros(1)
        return not t_errors(question, *given, truth.cases.probes.rows).wrong[0]

    def edge(end: float) -> float:
        """Return the last t that is right in the direction of an infinite end, but for rounding."""
        found = float(t + copysign(reach, end))
        if abs(found) >= largest:
            return end
        while not is_right(found):
            found = nextafter(found, t)
        return found

    return ExpectedT(t.item(), edge(-inf), edge(inf))

"""The details of a failing pair beside the failure's own words: its answers, and how its method decides."""

import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

from msgspec import UNSET

from hitscope.check.explaining import pair_explanation
from hitscope.check.failures import Failure, allowed_words, elements_hit, off_by
from hitscope.check.runner import Checks
from hitscope.evaluate import Verdict
from hitscope.evaluate.expectations import COMPARED_AS_NUMBERS, COMPARED_AS_WORDS, allowed_by, as_text, differing
from hitscope.evaluate.verdict_words import hit_or_miss
from hitscope.explain import Explanation
from hitscope.geometry.registry import pair_of
from hitscope.scene import loads, model
from hitscope.targets.method_text import method_text
from hitscope.targets.target import Carried


class Answer(NamedTuple):
    """A row of the table of answers, as text."""

    name: str
    expected: str
    found: str
    off: str = ""
    allowed: str = ""
    is_wrong: bool = False


class SceneDetails:
    """A scene with failures, evaluated again."""

    def __init__(self, path: str, checks: Checks) -> None:
        self._checks = checks
        self.report = checks.report_of(loads(checks.read(Path(path)), path, Path(path).parent))

    def pair(self, failure: Failure) -> tuple[int, int] | None:
        """Return the probe and the element that decide a failure, of a bulk item the first that is hit."""
        report, expectation = self.report, self._expectation(failure)
        i = report.probes.find_index(failure.probe)
        if i is None or failure.primitive is None:
            return None
        j = report.elements.find_index(failure.primitive)
        if j is None and expectation.hit is False:
            j = next(iter(elements_hit(report, expectation, failure.primitive)), None)
        return None if j is None else (i, j)

    def answers(self, failure: Failure) -> list[Answer]:
        """Return what was expected and found: the answers that differ, and then the others."""
        pair, expectation = self.pair(failure), self._expectation(failure)
        if pair is not None:
            found = self._answers(self.report.find_verdict(*pair, expectation.method or None), expectation)
            return sorted(found, key=lambda answer: not answer.is_wrong)
        if expectation.hit is UNSET or failure.primitive is None:
            return []
        # Of a bulk item that should be hit, no element is.
        return [Answer("hit", hit_or_miss(expectation.hit), hit_or_miss(not expectation.hit), is_wrong=True)]

    def pair_words(self, failure: Failure) -> str:
        if (pair := self.pair(failure)) is None:
            return " × ".join(filter(None, (failure.probe, failure.primitive)))
        return f"{self.report.probes[pair[0]].id} × {self.report.elements[pair[1]].id}"

    def explanation(self, failure: Failure) -> Explanation | None:
        """Explain the pair that decides a failure, if any; raises HitscopeError for a method without steps."""
        if (pair := self.pair(failure)) is None:
            return None
        probe, primitive = self.report.probes[pair[0]].shape, self.report.elements[pair[1]].shape
        method, by = self._expectation(failure).method, self._checks.by
        target = by.targets.get(pair_of(probe, primitive)) if method is UNSET else Carried(method_text(method))
        # A user's function runs again; what it prints must not mix with our output.
        with redirect_stdout(sys.stderr):
            return pair_explanation(self.report, probe, primitive, target, by.precision if target else None)

    def _expectation(self, failure: Failure) -> model.Expectation:
        return self.report.scene.expect[failure.index]

    def _answers(self, found: Verdict, expectation: model.Expectation) -> Iterator[Answer]:
        # Of `hits` a failure is what it does not say.
        hit = not found.hit if expectation.primitive is UNSET else expectation.hit
        yield Answer(
            "hit",
            "" if hit is UNSET else hit_or_miss(hit),
            hit_or_miss(found.hit),
            is_wrong=hit not in (UNSET, found.hit),
        )
        allowed = allowed_by(self.report, expectation, found, self._checks.tolerance)
        wrong = set(differing(expectation, found, allowed))
        for name in (*COMPARED_AS_NUMBERS, *COMPARED_AS_WORDS):
            expected, value = getattr(expectation, name), getattr(found, name)
            if expected is not UNSET:
                off, texts = off_by(name, expectation, found), (as_text(expected, "null"), as_text(value, "null"))
                yield Answer(name, *texts, off, allowed_words(allowed) if off else "", name in wrong)
            elif value is not None:
                yield Answer(name, "", as_text(value))

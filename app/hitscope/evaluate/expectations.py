"""A Report against the scene's expectations: what differs, in words."""

from collections.abc import Iterable, Iterator, Sequence
from math import ulp
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from hitscope.evaluate.verdict import Verdict
from hitscope.scene.model import Expectation

if TYPE_CHECKING:
    from hitscope.evaluate.report import Report

ULPS = 4
"""So many units in the last place of the expected value always pass."""

COMPARED_AS_NUMBERS = ("t_enter", "t_exit", "point", "normal", "distance")
COMPARED_AS_WORDS = ("state", "side")


class Mismatch(NamedTuple):
    """One expectation that does not hold: its place in `expect`, and the difference in words."""

    place: int
    words: str


def mismatches(report: "Report") -> Iterator[Mismatch]:
    """Compare every expectation with the report."""
    probes = {probe.id: i for i, probe in enumerate(report.probes)}
    elements = {element.id: j for j, element in enumerate(report.elements)}
    for place, expectation in enumerate(report.scene.expect):
        i = probes.get(expectation.probe)
        method = None if expectation.method is UNSET else expectation.method
        differences: Iterable[str]
        if i is None:
            differences = [f"expected {expectation.probe} to be evaluated, but it is disabled"]
        elif expectation.hits is not UNSET:
            found = report.hits[i] if method is None else report.row(i, method)
            expected = {elements[name] for name in expectation.hits}
            differences = _differing_hits(report, expectation, found, expected)
        else:
            assert expectation.primitive is not UNSET
            verdict = report.verdict(i, elements[expectation.primitive], method)
            differences = _differing_answers(expectation, verdict)
        yield from (Mismatch(place, words) for words in differences)


def _differing_hits(
    report: "Report", expectation: Expectation, found: NDArray[np.bool_], expected: set[int]
) -> Iterator[str]:
    for j, element in enumerate(report.elements):
        if bool(found[j]) != (j in expected):
            yield _about_hit(expectation, element.id, j in expected)


def _differing_answers(expectation: Expectation, found: Verdict) -> Iterator[str]:
    if expectation.hit is not UNSET and expectation.hit != found.hit:
        yield _about_hit(expectation, found.primitive, expectation.hit)
    of = f"of {found.probe} on {found.primitive}{_by(expectation)}"
    for name in (*COMPARED_AS_NUMBERS, *COMPARED_AS_WORDS):
        expected = getattr(expectation, name)
        if expected is UNSET:
            continue
        actual = getattr(found, name)
        if name in COMPARED_AS_WORDS or expected is None or actual is None:
            same = expected == actual
        else:
            same = _close(expected, actual, expectation.tolerance)
        if not same:
            yield f"expected {name} {_said(expected)} {of}, found {_said(actual)}"


def _about_hit(expectation: Expectation, primitive: str, hit: bool) -> str:
    return f"expected {primitive} {'' if hit else 'NOT '}to be hit by {expectation.probe}{_by(expectation)}"


def _by(expectation: Expectation) -> str:
    """Name the method that the expectation asks, where it names one."""
    if expectation.method is UNSET:
        return ""
    name = expectation.method if isinstance(expectation.method, str) else expectation.method["name"]
    return f" as {name} has it"


def _close(expected: float | Sequence[float], actual: float | Sequence[float], tolerance: float) -> bool:
    if isinstance(expected, Sequence) and isinstance(actual, Sequence):
        return all(_close(a, b, tolerance) for a, b in zip(expected, actual, strict=True))
    assert isinstance(expected, float) and isinstance(actual, float)
    return abs(expected - actual) <= max(tolerance, ULPS * ulp(expected))


def _said(value: object) -> str:
    """Say a value as the scene file writes it."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_said, value))}]"
    return "null" if value is None else repr(value) if isinstance(value, float) else str(value)

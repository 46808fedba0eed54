"""A Report against the scene's expectations: what differs, in words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ulp
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from hitscope.evaluate.verdict import Verdict
from hitscope.scene.model import Expectation

if TYPE_CHECKING:
    from hitscope.evaluate.report import Report

MethodName: TypeAlias = str | Mapping[str, Any]
"""A method's name, or an object with `name` and the method's named arguments."""

LISTED = 20
"""Of one expectation about hits at most so many differences are listed, the others are counted."""
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
    for place, expectation in enumerate(report.scene.expect):
        method = None if expectation.method is UNSET else expectation.method
        try:
            probes = report.probes.places(expectation.probe)
        except KeyError:
            yield Mismatch(place, f"expected {expectation.probe} to be evaluated, but it is disabled")
            continue
        differences: Iterable[str]
        if expectation.primitive is UNSET:
            differences = _differing_hits(report, expectation, _row(report, expectation.probe, method, None))
        elif expectation.only_hit:
            elements = report.elements.places(expectation.primitive)
            row = _row(report, expectation.probe, method, elements)
            hit = bool(row[elements.start : elements.stop].any())
            differences = (
                [] if hit == expectation.hit else [_about_hit(expectation, expectation.primitive, not hit)]
            )
        else:
            verdict = report.verdict(probes[0], report.elements.place(expectation.primitive), method)
            differences = _differing_answers(expectation, verdict)
        yield from (Mismatch(place, words) for words in differences)


def _row(report: "Report", probe: str, method: MethodName | None, places: range | None) -> NDArray[np.bool_]:
    """Say which elements are hit by what a name stands for: by one probe, or by any of a bulk item; (N,)."""
    k, element = report.probes.find(probe)
    if element is None:
        return report.tally(k, method, places).primitives
    return report.row(report.probes.place(probe), method, places)


def _differing_hits(report: "Report", expectation: Expectation, found: NDArray[np.bool_]) -> Iterator[str]:
    """Say what is missed of the names in `hits` - of a bulk item every element - and what else is hit."""
    expected = np.zeros(len(found), dtype=np.bool_)
    differing: list[tuple[int, str, bool]] = []
    for name in expectation.hits or ():
        places = report.elements.places(name)
        expected[places.start : places.stop] = True
        if not found[places.start : places.stop].any():
            differing.append((places.start, name, True))
    wrong = np.flatnonzero(found & ~expected)
    differing += [(j, report.elements[j].id, False) for j in wrong[:LISTED].tolist()]
    for _, name, hit in sorted(differing)[:LISTED]:
        yield _about_hit(expectation, name, hit)
    if (left := len(differing) + max(0, len(wrong) - LISTED) - LISTED) > 0:
        yield f"and {left:,} more about the hits of {expectation.probe}{_by(expectation)}"


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

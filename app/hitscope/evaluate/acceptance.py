"""Expectations made from answers: of exact geometry, or of a method that the expectation names; in a file, too."""

from collections.abc import Container
from pathlib import Path
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from hitscope.evaluate.expectations import Allowed, allowed_by, any_hit, close, differing, mismatches, row_of
from hitscope.evaluate.report import Report
from hitscope.evaluate.verdict import Verdict
from hitscope.geometry.registry import EXACT, of_pair, pair_of
from hitscope.scene.load import loads
from hitscope.scene.model import Expectation, Tolerance
from hitscope.scene.value_edits import ValueChange, with_values


def right_verdict(report: Report, i: int, j: int) -> Verdict:
    """The verdict of a pair by the deciding method or, where an answer of that is wrong, by exact geometry."""
    found, referee = report.verdict(i, j), report.find_verdict(i, j, EXACT)
    expected = expected_of(referee)
    differences = differing(expected, found, allowed_by(report, expected, found))
    is_wrong = found.hit != referee.hit or any(getattr(found, name) is not None for name in differences)
    return referee if is_wrong else found


def pinned(report: Report, i: int, j: int) -> Expectation | None:
    """The wrong answer of the deciding method as a known deviation; None where it is right or own code."""
    found, right = report.verdict(i, j), right_verdict(report, i, j)
    method, arguments = report.chosen(*found.shapes)
    if right is found or of_pair(pair_of(*found.shapes)).get(method.name) is not method:
        return None
    named = {"name": method.name, **arguments} if arguments else method.name
    why = f"{method.name} is wrong here: the exact answer is {correction(found, right)}"
    return replace(expected_of(found), method=named, why=why)


def correction(found: Verdict, right: Verdict) -> str:
    """The words in which the right answer differs than the one found, e.g. "a miss" or "t_enter 0.25"."""
    if found.hit != right.hit:
        return "a hit" if right.hit else "a miss"
    parts = ((name, getattr(found, name), getattr(right, name)) for name in ("t_enter", "t_exit", "normal"))
    return next(f"{name} {value}" for name, wrong, value in parts if wrong is not None and wrong != value)


def expected_of(found: Verdict) -> Expectation:
    """The expectation that states every answer of a verdict."""
    answers = {name: getattr(found, name) for name in ("t_enter", "t_exit", "normal", "state", "side")}
    given = {name: value for name, value in answers.items() if value is not None}
    return Expectation(probe=found.probe, primitive=found.primitive, hit=found.hit, **given)


def accepted(report: Report, given: Tolerance | None = None) -> dict[int, Expectation]:
    """Replacements by index of failing expectations, what holds kept: equal where only a method is wrong."""
    found = report.comparison if given is None else mismatches(report, given)
    indices = dict.fromkeys(mismatch.expectation_index for mismatch in found if mismatch.kind == "differs")
    return {index: _accepted(report, report.scene.expect[index], given) for index in indices}


def _accepted(report: Report, expectation: Expectation, given: Tolerance | None) -> Expectation:
    asked = expectation if expectation.method is not UNSET else replace(expectation, method=EXACT)
    if expectation.primitive is UNSET:
        return replace(expectation, hits=_hits(report, asked))
    if expectation.only_hit:
        return replace(expectation, hit=any_hit(report, asked, expectation.primitive))
    i, j = report.probes.index_of(expectation.probe), report.elements.index_of(expectation.primitive)
    found = report.verdict(i, j, asked.method or None)
    allowed = allowed_by(report, asked, found, given)
    changed = {
        name: _answer(getattr(expectation, name), getattr(found, name), allowed)
        for name in differing(expectation, found, allowed)
    }
    if expectation.hit is not UNSET:
        changed["hit"] = found.hit
    return replace(expectation, **changed)


def _answer(expected: object, found: object, allowed: Allowed) -> object:
    """The answer found, with the components of the expected vector that hold."""
    if not (isinstance(expected, tuple) and isinstance(found, tuple)):
        return found
    return tuple(a if close(a, b, allowed) else b for a, b in zip(expected, found, strict=True))


def _hits(report: Report, expectation: Expectation) -> tuple[str, ...]:
    """The names of the elements hit: expected ones first, a bulk item's for all its elements, then the rest."""
    found = row_of(report, expectation).copy()
    named = ((name, report.elements.indices_of(name)) for name in expectation.hits or ())
    kept = [(name, indices) for name, indices in named if found[indices.start : indices.stop].any()]
    for _, indices in kept:
        found[indices.start : indices.stop] = False
    return (*(name for name, _ in kept), *(report.elements[j].id for j in found.nonzero()[0].tolist()))


class SceneUpdate(NamedTuple):
    """The text of a scene file before and after, and how they differ."""

    before: bytes
    after: bytes
    changes: tuple[ValueChange, ...]
    left: tuple[int, ...]
    """The indices of the expectations that are right and fail, as the deciding method is wrong."""


def scene_update(
    path: Path, data: bytes, report: Report, given: Tolerance | None = None, selected: Container[int] | None = None
) -> SceneUpdate:
    """Return the update of the expectations that fail, or of the `selected`; its text is loaded and compared."""
    changed = accepted(report, given)
    if selected is not None:
        changed = {index: new for index, new in changed.items() if index in selected}
    left = tuple(index for index, new in changed.items() if new == report.scene.expect[index])
    after, changes = with_values(data, changed)
    expect = tuple(changed.get(index, old) for index, old in enumerate(report.scene.expect))
    if list(map(_sorted, loads(after, str(path), path.parent).expect)) != list(map(_sorted, expect)):
        raise AssertionError("the patched text does not say what is to be expected")
    return SceneUpdate(data, after, changes, left)


def _sorted(expectation: Expectation) -> Expectation:
    """The expectation with its list of hits in order of name."""
    return expectation if expectation.hits is UNSET else replace(expectation, hits=tuple(sorted(expectation.hits)))

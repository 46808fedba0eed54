"""Corrected expectations of a scene: the answers found in place of the answers expected."""

from msgspec import UNSET
from msgspec.structs import replace

from hitscope.evaluate.expectations import Allowed, allowed_by, any_hit, close, differing, mismatches, row_of
from hitscope.evaluate.report import Report
from hitscope.evaluate.verdict import Verdict
from hitscope.scene.model import Expectation, Tolerance


def expected_of(found: Verdict) -> Expectation:
    """The expectation that states every answer of a verdict."""
    answers = {name: getattr(found, name) for name in ("t_enter", "t_exit", "normal", "state", "side")}
    given = {name: value for name, value in answers.items() if value is not None}
    return Expectation(probe=found.probe, primitive=found.primitive, hit=found.hit, **given)


def accepted(report: Report, given: Tolerance | None = None) -> dict[int, Expectation]:
    """Replacements, by index, of the expectations that fail.

    The parts that hold are kept, and so are the components of a vector. `given` is the tolerance of expectations
    without one of their own.
    """
    found = report.comparison if given is None else mismatches(report, given)
    indices = dict.fromkeys(mismatch.expectation_index for mismatch in found if mismatch.kind == "differs")
    return {index: _accepted(report, report.scene.expect[index], given) for index in indices}


def _accepted(report: Report, expectation: Expectation, given: Tolerance | None) -> Expectation:
    if expectation.primitive is UNSET:
        return replace(expectation, hits=_hits(report, expectation))
    if expectation.only_hit:
        return replace(expectation, hit=any_hit(report, expectation, expectation.primitive))
    i, j = report.probes.index_of(expectation.probe), report.elements.index_of(expectation.primitive)
    found = report.verdict(i, j, expectation.method or None)
    allowed = allowed_by(report.scene, expectation, given)
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
    kept = []
    for name in expectation.hits or ():
        indices = report.elements.indices_of(name)
        if found[indices.start : indices.stop].any():
            kept.append(name)
    for name in kept:
        indices = report.elements.indices_of(name)
        found[indices.start : indices.stop] = False
    return (*kept, *(report.elements[j].id for j in found.nonzero()[0].tolist()))

"""The expectations that would hold: what is found put in the place of what was expected."""

from msgspec import UNSET
from msgspec.structs import replace

from hitscope.evaluate.expectations import any_hit, differing, row_of
from hitscope.evaluate.report import Report
from hitscope.evaluate.verdict import Verdict
from hitscope.scene.model import Expectation


def expected_of(found: Verdict) -> Expectation:
    """Give the expectation that says what a verdict says; what it answers with nothing is not asked."""
    answers = {name: getattr(found, name) for name in ("t_enter", "t_exit", "normal", "state", "side")}
    given = {name: value for name, value in answers.items() if value is not None}
    return Expectation(probe=found.probe, primitive=found.primitive, hit=found.hit, **given)


def accepted(report: Report) -> dict[int, Expectation | None]:
    """Give, by their places, the expectations that fail as they would hold.

    What holds of one stays as it is. None stands for one of a disabled probe, of which nothing is found.
    """
    places = dict.fromkeys(mismatch.place for mismatch in report.mismatches)
    return {place: _accepted(report, report.scene.expect[place]) for place in places}


def _accepted(report: Report, expectation: Expectation) -> Expectation | None:
    try:
        probes = report.probes.places(expectation.probe)
    except KeyError:
        return None
    if expectation.primitive is UNSET:
        return replace(expectation, hits=_hits(report, expectation))
    if expectation.only_hit:
        return replace(expectation, hit=any_hit(report, expectation, expectation.primitive))
    found = report.verdict(probes[0], report.elements.place(expectation.primitive), expectation.method or None)
    changed = {name: getattr(found, name) for name in differing(expectation, found)}
    if expectation.hit is not UNSET:
        changed["hit"] = found.hit
    return replace(expectation, **changed)


def _hits(report: Report, expectation: Expectation) -> tuple[str, ...]:
    """Name what is hit: the names that still hold first, a bulk item's for all its elements, then the others."""
    found = row_of(report, expectation).copy()
    kept = []
    for name in expectation.hits or ():
        places = report.elements.places(name)
        if found[places.start : places.stop].any():
            kept.append(name)
    for name in kept:
        places = report.elements.places(name)
        found[places.start : places.stop] = False
    return (*kept, *(report.elements[j].id for j in found.nonzero()[0].tolist()))

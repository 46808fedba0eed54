"""The report of a scene as its expectations have it: what is expected in place of what was found."""

from dataclasses import replace
from typing import Any

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from hitscope.evaluate.report import Report
from hitscope.evaluate.verdict import Verdict, point_at
from hitscope.geometry.group import HitMasks
from hitscope.scene.model import Expectation

LARGEST_BUNDLE = 1024
"""The most probes of a bulk item of which each is asked whether it hits an element that one of them is not to."""
_MISS: dict[str, Any] = {"hit": False, "t_enter": None, "t_exit": None, "point": None, "normal": None}


def expected_report(report: Report) -> Report:
    """Return the report with the answers that its failing expectations state of the deciding methods."""
    rows: dict[int, NDArray[np.bool_]] = {}
    verdicts: dict[tuple[int, int], Verdict] = {}
    for index in dict.fromkeys(mismatch.expectation_index for mismatch in report.mismatches):
        expectation = report.scene.expect[index]
        if expectation.method is not UNSET:
            continue
        i = report.probes.find_index(expectation.probe)
        k, _ = report.probes.item_and_row(expectation.probe)
        row = rows.setdefault(k, report.tally(k).primitives.copy())
        for name, hit in _expected_hits(report, expectation, row):
            elements = report.elements.indices_of(name)
            row[elements.start : elements.stop] = hit
            if not hit and i is not None:
                for element in elements:
                    row[element] = _is_hit_by_others(report, k, i, element)
            if i is not None and (j := report.elements.find_index(name)) is not None:
                verdicts[i, j] = _expected_verdict(report.verdict(i, j), expectation, hit)
    # Which probes of a bulk item hit anything stays as found.
    found = ((k, row, report.tally(k).probes) for k, row in rows.items())
    tallies = {k: HitMasks(row, np.array([row.any()]) if len(hit) == 1 else hit) for k, row, hit in found}
    return report.with_answers(tallies, verdicts)


def _expected_hits(report: Report, expectation: Expectation, found: NDArray[np.bool_]) -> list[tuple[str, bool]]:
    """The names of elements that an expectation is about, and whether they are to be hit."""
    if expectation.primitive is not UNSET:
        elements = report.elements.indices_of(expectation.primitive)
        hit = bool(found[elements.start : elements.stop].any())
        return [(expectation.primitive, hit if expectation.hit is UNSET else expectation.hit)]
    named = expectation.hits or ()
    missed = [name for name in named if not found[report.elements.indices_of(name)].any()]
    others = found.copy()
    for name in named:
        others[report.elements.indices_of(name)] = False
    beside = [(report.elements[j].id, False) for j in others.nonzero()[0].tolist()]
    return [*beside, *((name, True) for name in missed)]


def _is_hit_by_others(report: Report, k: int, i: int, j: int) -> bool:
    """Whether a probe of the k-th item but probe i hits element j."""
    if (part := report.probes.parts[k]).size > LARGEST_BUNDLE:
        return bool(report.tally(k).primitives[j])
    others = (p for p in range(part.first, part.first + part.size) if p != i)
    return any(report.row(p, None, range(j, j + 1))[j] for p in others)


def _expected_verdict(found: Verdict, expectation: Expectation, hit: bool) -> Verdict:
    """The verdict with the answers that are expected; the point of an expected t, where no point is."""
    if not hit:
        return replace(found, **_MISS)
    given: dict[str, Any] = {"hit": True}
    for name in ("t_enter", "t_exit", "point", "normal", "state"):
        value = getattr(expectation, name)
        if value is not UNSET and (value is not None or name != "state"):
            given[name] = value
    if "t_enter" in given:
        given.setdefault("point", point_at(found.shapes[0], given["t_enter"], found.shapes[1]))
    return replace(found, **given)

"""The verdicts of a report as text: a line for each probe."""

from collections.abc import Iterator

import numpy as np

from hitscope.evaluate import Report
from hitscope.viewer.panels import text

MOST_PROBES = 12
"""The largest number of probes that have a line."""
MOST_NAMES = 12
"""The largest number of primitives that are named in a line; more are counted."""


def verdict_lines(report: Report) -> Iterator[str]:
    """What each probe hits, the nearest first, and what it misses; of many primitives only their numbers."""
    for part in report.probes.parts[:MOST_PROBES]:
        if part.size == 1 and len(report.elements) <= MOST_NAMES:
            yield _named(report, part.first)
        else:
            hit = sum(
                int(np.count_nonzero(report.shown_row(i))) for i in range(part.first, part.first + part.size)
            )
            yield f"{part.id} hits {hit:,} of {part.size * len(report.elements):,}"
    if (rest := len(report.probes.parts) - MOST_PROBES) > 0:
        yield f"and {rest:,} more probe{'s' if rest > 1 else ''}"


def _named(report: Report, i: int) -> str:
    row = report.shown_row(i)
    hits = [report.verdict(i, int(e)) for e in np.flatnonzero(row)]
    hits.sort(key=lambda verdict: (verdict.t_enter is None, verdict.t_enter))
    misses = [report.elements[int(e)].id for e in np.flatnonzero(~row)]
    named = [
        verdict.primitive
        if verdict.t_enter is None
        else f"{verdict.primitive} at t {text.number(verdict.t_enter, 4)}"
        for verdict in hits
    ]
    hit = "hits " + (" first" if report.nearest_only else "").join([", ".join(named), ""]) if hits else ""
    words = [hit, "misses " + ", ".join(misses) if misses else ""]
    return f"{report.probes[i].id} {'; '.join(filter(None, words)) or 'has nothing to hit'}"

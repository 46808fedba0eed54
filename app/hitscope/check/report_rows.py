"""Which pairs of a report `eval` shows, and their verdicts one after the other: none is kept."""

from collections.abc import Iterable, Iterator

import numpy as np

from hitscope.evaluate import Report, Verdict
from hitscope.geometry.registry import of_pair, pair_of

ALL_UP_TO = 10_000
"""Of a report with more pairs than this people are shown hits alone,"""
HITS = 1_000
"""and at most so many of them."""


def printed_pairs(report: Report) -> tuple[Iterable[tuple[int, int]], str]:
    """Give the pairs that people are shown, places of probe and element, and a line that says what is left out."""
    probes, elements = len(report.probes), len(report.elements)
    if probes * elements <= ALL_UP_TO:
        return all_pairs(report), ""
    found = list(_hits(report))
    many = "hits" if len(found) < HITS else f"first {HITS:,} hits"
    green, hitting = np.count_nonzero(report.green), np.count_nonzero(report.hitting)
    return found, (
        f"of {probes * elements:,} pairs only the {many} are listed (--json gives all): "
        f"{green:,} of {elements:,} primitives are hit, {hitting:,} of {probes:,} probes hit any"
    )


def all_pairs(report: Report) -> Iterator[tuple[int, int]]:
    """Give every pair, probe by probe."""
    return ((i, j) for i in range(len(report.probes)) for j in range(len(report.elements)))


def verdicts(report: Report, pairs: Iterable[tuple[int, int]], all_methods: bool) -> Iterator[Verdict]:
    """Give the verdict of each pair, by the deciding method or by each of the pair's methods."""
    for i, j in pairs:
        if all_methods:
            for name in of_pair(pair_of(report.probes[i].shape, report.elements[j].shape)):
                yield report.find_verdict(i, j, name)
        else:
            yield report.find_verdict(i, j)


def _hits(report: Report) -> Iterator[tuple[int, int]]:
    left = HITS
    for i in np.flatnonzero(report.hitting).tolist():
        for j in np.flatnonzero(report.row(i))[:left].tolist():
            yield i, j
            left -= 1
        if left == 0:
            return

"""The rows that `eval` prints: pairs of a report, and their verdicts, yielded without being cached."""

from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np

from hitscope.evaluate import Report, Verdict
from hitscope.geometry.registry import pair_of

ALL_UP_TO = 10_000
"""The largest number of pairs of which all are printed; of more, only the hits."""
MOST_HITS = 1_000
"""The largest number of hits that are printed of more pairs than that."""


def printed_pairs(report: Report) -> tuple[Iterable[tuple[int, int]], str]:
    """Return the pairs to print, as indices of probe and element, and a line about those left out."""
    probes, elements = len(report.probes), len(report.elements)
    if probes * elements <= ALL_UP_TO:
        return report.pairs(), ""
    found = list(islice(report.hitting_pairs(), MOST_HITS))
    many = "hits" if len(found) < MOST_HITS else f"first {MOST_HITS:,} hits"
    green, hitting = np.count_nonzero(report.hit_elements), np.count_nonzero(report.hitting_probes)
    return found, (
        f"of {probes * elements:,} pairs only the {many} are listed (--json gives all): "
        f"{green:,} of {elements:,} primitives are hit, {hitting:,} of {probes:,} probes hit any"
    )


def verdicts(report: Report, pairs: Iterable[tuple[int, int]], all_methods: bool) -> Iterator[Verdict]:
    """Yield the verdict on each pair, by the deciding method or by each of the pair's methods."""
    for i, j in pairs:
        if not all_methods:
            yield report.find_verdict(i, j)
            continue
        for name in report.methods_of(pair_of(report.probes[i].shape, report.elements[j].shape)):
            yield report.find_verdict(i, j, name)

"""The verdicts of the hits that a picture marks."""

from collections.abc import Iterator
from itertools import islice, zip_longest
from typing import TypeVar

from hitscope.draw.probe_layouts import MARKED_HITS, ProbeLayouts
from hitscope.evaluate import Report, Verdict

T = TypeVar("T")


class HitVerdicts:
    """The verdicts of each probe's nearest hits, and of all hits of chosen elements."""

    def __init__(self, report: Report, layouts: ProbeLayouts) -> None:
        """Compute the verdicts of the nearest hit of each probe, then of the second nearest, up to a limit."""
        self._report, self._layouts = report, layouts
        hits = [[(p, e) for e in layout.near_first] for p, layout in layouts.by_probe.items()]
        self.by_pair = {(p, e): self._verdict(p, e) for p, e in islice(_in_turn(hits), MARKED_HITS)}
        """By the indices of probe and element."""

    def add_hits_of(self, e: int) -> None:
        """Add the verdicts of the probes that hit an element, also where that is not among their nearest hits."""
        for p in [p for p, layout in self._layouts.by_probe.items() if layout.row[e]][:MARKED_HITS]:
            if (p, e) not in self.by_pair:
                self.by_pair[p, e] = self._verdict(p, e)

    def _verdict(self, p: int, e: int) -> Verdict:
        """The verdict of a pair, computed once for as long as the probe does not change."""
        verdicts = self._layouts.by_probe[p].verdicts
        if e not in verdicts:
            verdicts[e] = self._report.verdict(p, e)
        return verdicts[e]


def _in_turn(lists: list[list[T]]) -> Iterator[T]:
    """The first item of every list, then the second of every list, and so on."""
    for row in zip_longest(*lists, fillvalue=None):
        yield from (item for item in row if item is not None)

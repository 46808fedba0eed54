"""Counts of hits that the outliner shows, per item and for the whole report."""

import numpy as np

from hitscope.evaluate import Report
from hitscope.scene.edits import Kind
from hitscope.scene.named_items import split


class HitCounts:
    """Counts of hits, computed once for each report."""

    def __init__(self) -> None:
        self._report: Report | None = None
        self.hit_elements = 0
        """The number of primitives that are hit, those of bulk items one by one."""
        self.probes: dict[str, int] = {}
        """The number of primitives that each enabled probe item hits, by id."""
        self.hitting: dict[str, int] = {}
        """The number of probes of each enabled bundle that hit something, by id."""
        self._hit: dict[int, int] = {}
        self.contradicted: set[tuple[Kind, str]] = set()
        """The subjects of failing expectations: elements, items, and the items of elements."""

    def of(self, report: Report) -> "HitCounts":
        """This object, with the counts of a report."""
        if self._report is not report:
            self._report = report
            self.hit_elements = int(np.count_nonzero(report.hit_elements))
            tallies = {part.id: (part, report.tally(k)) for k, part in enumerate(report.probes.parts)}
            self.probes = {name: int(np.count_nonzero(tally.primitives)) for name, (_, tally) in tallies.items()}
            bundles = {name: tally for name, (part, tally) in tallies.items() if part.shapes}
            self.hitting = {name: int(np.count_nonzero(tally.probes)) for name, tally in bundles.items()}
            self._hit = {}
            self.contradicted = set()
            for mismatch in report.mismatches:
                for name in {mismatch.probe, split(mismatch.probe)[0]}:
                    self.contradicted.add(("probe", name))
                if mismatch.primitive:
                    for name in {mismatch.primitive, split(mismatch.primitive)[0]}:
                        self.contradicted.add(("primitive", name))
        return self

    def hit(self, k: int) -> int:
        """The number of elements of a primitive item that are hit; counted on first use."""
        assert self._report is not None
        if k not in self._hit:
            indices = self._report.elements.parts[k].indices
            self._hit[k] = int(np.count_nonzero(self._report.hit_elements[indices]))
        return self._hit[k]

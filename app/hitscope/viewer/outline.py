"""Which probes and primitives are listed: all of them, or those that are searched for, hit or contradicted."""

from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.evaluate import Elements, Report
from hitscope.scene.model import Bulk

Filter: TypeAlias = Literal["all", "hits", "mismatches"]
Indices: TypeAlias = NDArray[np.intp]


class Listed(NamedTuple):
    """Places in a list: of the scene's probes, disabled ones too, and of the report's elements."""

    probes: list[int]
    elements: Indices | range


class Outline:
    """What is listed of a report; found again only when something else is asked for."""

    def __init__(self) -> None:
        self._asked: tuple[Report, str, Filter] | None = None
        self._listed = Listed([], range(0))
        self._searched: tuple[Elements, str] | None = None
        self._matching: NDArray[np.bool_] | None = None

    def of(self, report: Report, text: str, which: Filter) -> Listed:
        """Give the places of what has `text` in its name and is `which`."""
        asked = self._asked
        if asked is None or asked[0] is not report or asked[1:] != (text, which):
            self._asked = report, text, which
            self._listed = self._find(report, text.strip().casefold(), which)
        return self._listed

    def _find(self, report: Report, text: str, which: Filter) -> Listed:
        names = report.scene.probe_ids
        probes = [i for i, name in enumerate(names) if text in name.casefold()]
        mask = self._search(report.elements, text)
        if which != "all":
            wanted, contradicted = _hits(report) if which == "hits" else _mismatches(report)
            probes = [i for i in probes if names[i] in wanted]
            mask = contradicted if mask is None else mask & contradicted
        return Listed(probes, range(len(report.elements)) if mask is None else np.flatnonzero(mask))

    def _search(self, elements: Elements, text: str) -> NDArray[np.bool_] | None:
        """Say which elements have the text in their names; None where all have."""
        if not text:
            return None
        if self._searched is None or self._searched[0] is not elements or self._searched[1] != text:
            self._searched = elements, text
            self._matching = np.zeros(len(elements), np.bool_)
            for part in elements.parts:
                name = part.id.casefold()
                if text in name:
                    self._matching[part.places] = True
                elif isinstance(part.item, Bulk):
                    self._matching[part.places] = _numbered(name, text, part.size)
        return self._matching


def _numbered(name: str, text: str, size: int) -> NDArray[np.bool_]:
    """Say of which i the text is in `name[i]`, where it reaches into the brackets."""
    found = np.zeros(size, np.bool_)
    before, bracket, digits = text.partition("[")
    if not bracket or not name.endswith(before):
        return found
    whole = digits.endswith("]")
    digits = digits.removesuffix("]")
    if not digits:
        found[:] = not whole
    elif digits.isdecimal() and (digits == "0" or digits[0] != "0"):
        first, last = int(digits), int(digits) + 1
        while first < size:
            found[first:last] = True
            if whole or digits == "0":
                break
            first, last = first * 10, last * 10
    return found


def _hits(report: Report) -> tuple[set[str], NDArray[np.bool_]]:
    """Give the probes that hit something, and which elements are hit."""
    probes = {part.id for k, part in enumerate(report.probes.parts) if report.tally(k).probes.any()}
    return probes, report.green


def _mismatches(report: Report) -> tuple[set[str], NDArray[np.bool_]]:
    """Give the probes and the elements that an expectation which fails is about."""
    probes = set()
    elements = np.zeros(len(report.elements), np.bool_)
    for mismatch in report.mismatches:
        probes.add(mismatch.probe.partition("[")[0])
        if mismatch.primitive is not None:
            places = report.elements.places(mismatch.primitive)
            elements[places.start : places.stop] = True
    return probes, elements

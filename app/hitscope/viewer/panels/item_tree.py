"""What is listed of a scene: its items, those searched for, hit or contradicted, and the elements in them.

A bulk item is a row that opens. Its elements are never listed one by one: a list knows how many there are of
them, and which one a row stands for.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.evaluate import Elements, Report
from hitscope.scene.edits import Kind, ids_of, items_of
from hitscope.scene.model import Bulk, Item

Filter: TypeAlias = Literal["all", "hits", "mismatches"]
Indices: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]


class Toggled(NamedTuple):
    """A bulk item that was clicked open while all of its elements are listed, or closed while only some are."""

    kind: Kind
    id: str
    narrowed: bool


class ItemTree:
    """The rows of a list: items by their places, and below each that is open its elements that are listed."""

    def __init__(
        self,
        items: Sequence[int] | Indices,
        within: Mapping[int, Indices | range],
        narrowed: Collection[int],
        opened: Collection[int],
    ) -> None:
        """Take the items, the elements that are listed of bulk ones, and which of these are narrowed, and open."""
        self.items = np.asarray(items, np.intp)
        self.within = within
        self.narrowed = narrowed
        self.opened = opened
        sizes = np.ones(len(self.items), np.intp)
        for k in opened:
            sizes[np.searchsorted(self.items, k)] += len(within[k])
        self._starts = np.concatenate([[0], np.cumsum(sizes)])

    def __len__(self) -> int:
        """Give the number of rows."""
        return int(self._starts[-1])

    @property
    def shapes(self) -> int:
        """The number of shapes in what is listed, in open items or not."""
        return len(self.items) - len(self.within) + sum(map(len, self.within.values()))

    def at(self, row: int) -> tuple[int, int | None]:
        """Give the item that a row stands for, or the item and its element."""
        place = int(np.searchsorted(self._starts, row, side="right")) - 1
        k, below = int(self.items[place]), row - int(self._starts[place])
        return k, int(self.within[k][below - 1]) if below else None

    def row(self, k: int, element: int | None) -> int | None:
        """Give the row of an item or of an element; None where it has none."""
        place = _found(self.items, k)
        if place is None:
            return None
        start = int(self._starts[place])
        if element is None:
            return start
        below = _found(self.within.get(k, range(0)), element) if k in self.opened else None
        return None if below is None else start + 1 + below


class SceneTrees(NamedTuple):
    """Both lists."""

    probes: ItemTree
    primitives: ItemTree


class TreeCache:
    """What is listed of a report; found again only when something else is asked for."""

    def __init__(self) -> None:
        self._asked: tuple[Report, str, Filter, frozenset[Toggled]] | None = None
        self._listed: SceneTrees
        self._items: dict[Kind, Sequence[Item]] = {}
        self._bulks: dict[Kind, dict[int, Bulk]] = {}

    def of(
        self, report: Report, text: str, which: Filter, toggled: frozenset[Toggled] = frozenset()
    ) -> SceneTrees:
        """Give what has `text` in its name and is `which`.

        A bulk item is open where not all of its elements are listed, unless it is `toggled` the other way.
        """
        asked = self._asked
        if asked is None or asked[0] is not report or asked[1:] != (text, which, toggled):
            self._asked = report, text, which, toggled
            sought = text.strip().casefold()
            self._listed = SceneTrees(
                _listed(report, "probe", self._bulks_of(report, "probe"), sought, which, toggled),
                _listed(report, "primitive", self._bulks_of(report, "primitive"), sought, which, toggled),
            )
        return self._listed

    def _bulks_of(self, report: Report, kind: Kind) -> dict[int, Bulk]:
        """Give the bulk items by their places; looked for again only among other items."""
        items = items_of(report.scene, kind)
        if self._items.get(kind) is not items:
            self._items[kind] = items
            self._bulks[kind] = {k: item for k, item in enumerate(items) if isinstance(item, Bulk)}
        return self._bulks[kind]


def _listed(
    report: Report, kind: Kind, bulks: Mapping[int, Bulk], text: str, which: Filter, toggled: Collection[Toggled]
) -> ItemTree:
    ids = ids_of(report.scene, kind)
    wanted = _wanted(report, kind, which)
    listed: list[int] = []
    within: dict[int, Indices | range] = {}
    narrowed, opened = set(), []
    for k in range(len(ids)) if text or wanted is not None else bulks:
        name = ids[k].casefold()
        mask = None if wanted is None else wanted.get(ids[k], NOTHING)
        if k not in bulks:
            if text in name and (mask is None or mask.any()):
                listed.append(k)
            continue
        size = len(bulks[k].shapes)
        if text not in name:
            found = _numbered(name, text, size)
            mask = found if mask is None else found & mask if len(mask) else mask
        if mask is None or mask.any():
            listed.append(k)
            within[k] = range(size) if mask is None or mask.all() else np.flatnonzero(mask)
            some = len(within[k]) < size
            if some:
                narrowed.add(k)
            if some != (Toggled(kind, ids[k], some) in toggled):
                opened.append(k)
    everything = not text and wanted is None
    return ItemTree(range(len(ids)) if everything else listed, within, narrowed, opened)


NOTHING: Mask = np.zeros(0, np.bool_)


def _wanted(report: Report, kind: Kind, which: Filter) -> dict[str, Mask] | None:
    """Say of each item which of its elements the filter lets pass; None where it lets all pass."""
    if which == "all":
        return None
    if which == "hits":
        if kind == "primitive":
            return {part.id: report.green[part.places] for part in report.elements.parts}
        return {part.id: report.tally(k).probes for k, part in enumerate(report.probes.parts)}
    if kind == "primitive":
        return _named(report.elements, {mismatch.primitive for mismatch in report.mismatches})
    names = {mismatch.probe for mismatch in report.mismatches}
    return _named(report.probes, names) | _named(report.unasked, names)


def _named(elements: Elements, names: Collection[str | None]) -> dict[str, Mask]:
    """Say of each item which of its elements the names stand for."""
    mask = np.zeros(len(elements), np.bool_)
    for name in names:
        try:
            places = elements.places(name) if name else range(0)
        except KeyError:
            continue
        mask[places.start : places.stop] = True
    return {part.id: mask[part.places] for part in elements.parts}


def _found(ordered: Indices | range, value: int) -> int | None:
    """Give the place of a value in a row that goes up; None where it is not in it."""
    if isinstance(ordered, range):
        return ordered.index(value) if value in ordered else None
    place = int(np.searchsorted(ordered, value))
    return place if place < len(ordered) and ordered[place] == value else None


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

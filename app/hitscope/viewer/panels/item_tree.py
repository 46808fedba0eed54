"""The rows of the outliner: the items of a scene that pass search and filter, and the elements of open ones.

Elements of bulk items are never stored one by one: a tree knows their number, and which one a row shows.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.draw.chunks import Indices
from hitscope.evaluate import Elements, Report
from hitscope.scene.bulk import Bulk
from hitscope.scene.edits import Kind, ids_of, items_of

Filter: TypeAlias = Literal["all", "hits", "wrong"]
Mask: TypeAlias = NDArray[np.bool_]

HITS_FIRST_FROM = 50
"""The number of primitives from which those that are hit are listed first; the elements of one item always are."""


class Toggled(NamedTuple):
    """A bulk item that the user opened while it was unfiltered, or closed while it was filtered."""

    kind: Kind
    id: str
    filtered: bool
    """Whether only some of its elements passed search and filter."""


class ItemTree:
    """The rows of one list: items, and below each open one its elements that pass the filter."""

    def __init__(
        self,
        items: Sequence[int] | Indices,
        within: Mapping[int, Indices | range],
        filtered: Collection[int],
        opened: Collection[int],
    ) -> None:
        """Build the rows from indices in the order in which they are listed.

        `items` are the listed items, `within` the listed elements of each bulk item; `filtered` are the bulk items
        of which some elements are left out, `opened` those that are open.
        """
        self.items, self.within = np.asarray(items, np.intp), within
        self.filtered, self.opened = filtered, opened
        sizes = np.ones(len(self.items), np.intp)
        for k in opened:
            sizes[self.items == k] += len(within[k])
        self._starts = np.concatenate([[0], np.cumsum(sizes)])

    def __len__(self) -> int:
        return int(self._starts[-1])

    @property
    def shapes(self) -> int:
        """The number of shapes in the listed items, open or closed."""
        return len(self.items) - len(self.within) + sum(map(len, self.within.values()))

    def at(self, row: int) -> tuple[int, int | None]:
        """The index of a row's item, and that of its element if it shows one."""
        position = int(self._starts.searchsorted(row, side="right")) - 1
        k, below = int(self.items[position]), row - int(self._starts[position])
        return k, int(self.within[k][below - 1]) if below else None

    def row(self, k: int, element: int | None) -> int | None:
        """The row of an item or of one of its elements; None if it is not listed or its item is closed."""
        position = _index_of(self.items, k)
        start = None if position is None else int(self._starts[position])
        if start is None or element is None:
            return start
        below = _index_of(self.within[k], element) if k in self.opened else None
        return None if below is None else start + 1 + below


class SceneTrees(NamedTuple):
    """The trees of both lists."""

    probes: ItemTree
    primitives: ItemTree


@lru_cache(maxsize=1)  # every frame asks
def trees_of(report: Report, text: str, which: Filter, toggled: frozenset[Toggled] = frozenset()) -> SceneTrees:
    """The trees of all items that have `text` in their names and pass the filter `which`.

    A bulk item is open where only some of its elements pass; `toggled` holds the exceptions.
    """
    sought = text.strip().casefold()
    return SceneTrees(*(_tree(report, kind, sought, which, toggled) for kind in ("probe", "primitive")))


def _tree(report: Report, kind: Kind, text: str, which: Filter, toggled: Collection[Toggled]) -> ItemTree:
    ids = ids_of(report.scene, kind)
    bulks = {k: item for k, item in enumerate(items_of(report.scene, kind)) if isinstance(item, Bulk)}
    wanted = _filter_masks(report, kind, which)
    listed: list[int] = []
    within: dict[int, Indices | range] = {}
    filtered, opened = set(), []
    for k in range(len(ids)) if text or wanted is not None else bulks:
        name = ids[k].casefold()
        mask = None if wanted is None else wanted.get(ids[k], NOTHING)
        if k not in bulks:
            if text in name and (mask is None or mask.any()):
                listed.append(k)
            continue
        size = len(bulks[k].shapes)
        if text not in name:
            found = _elements_named(name, text, size)
            mask = found if mask is None else found & mask if len(mask) else mask
        if mask is None or mask.any():
            listed.append(k)
            within[k] = range(size) if mask is None or mask.all() else np.flatnonzero(mask)
            is_filtered = len(within[k]) < size
            if is_filtered:
                filtered.add(k)
            if is_filtered != (Toggled(kind, ids[k], is_filtered) in toggled):
                opened.append(k)
    items: Sequence[int] | Indices = range(len(ids)) if not text and wanted is None else listed
    if kind == "primitive" and len(report.probes):
        parts, hits = report.elements.parts, report.hit_elements
        within |= {k: _hits_first(within[k], hits[parts[k].indices]) for k in opened}
        if len(items) >= HITS_FIRST_FROM:
            # Of items of one element each, thousands of which may be dragged among, the mask is known.
            alone = len(parts) == len(hits)
            items = _hits_first(items, hits if alone else np.array([hits[part.indices].any() for part in parts]))
    return ItemTree(items, within, filtered, opened)


NOTHING: Mask = np.zeros(0, np.bool_)


def _filter_masks(report: Report, kind: Kind, which: Filter) -> dict[str, Mask] | None:
    """A mask over each item's elements of those that pass the filter, by item id; None where all pass."""
    if which == "all":
        return None
    if which == "hits":
        if kind == "primitive":
            return {part.id: report.hit_elements[part.indices] for part in report.elements.parts}
        return {part.id: report.tally(k).probes for k, part in enumerate(report.probes.parts)}
    if kind == "primitive":
        return _masks_of(report.elements, {mismatch.primitive for mismatch in report.mismatches})
    names = {mismatch.probe for mismatch in report.mismatches}
    return _masks_of(report.probes, names) | _masks_of(report.disabled_probes, names)


def _masks_of(elements: Elements, names: Collection[str | None]) -> dict[str, Mask]:
    """A mask over each item's elements of those with one of the names, by item id."""
    mask = np.zeros(len(elements), np.bool_)
    for name in names:
        try:
            indices = elements.indices_of(name) if name else range(0)
        except KeyError:
            continue
        mask[indices.start : indices.stop] = True
    return {part.id: mask[part.indices] for part in elements.parts}


def _index_of(listed: Indices | range, value: int) -> int | None:
    found = np.flatnonzero(np.asarray(listed) == value)
    return int(found[0]) if len(found) else None


def _hits_first(indices: Sequence[int] | Indices, hit: Mask) -> Indices:
    listed = np.asarray(indices, np.intp)
    return np.concatenate([listed[hit[listed]], listed[~hit[listed]]])


def _elements_named(name: str, text: str, size: int) -> Mask:
    """A mask (size,) of the i for which `name[i]` contains the text, where the text reaches into the brackets."""
    found = np.zeros(size, np.bool_)
    before, bracket, digits = text.partition("[")
    if not bracket or not name.endswith(before):
        return found
    whole = digits.endswith("]")
    digits = digits.removesuffix("]")
    if not digits:
        found[:] = not whole
    elif digits.isdecimal() and len(digits) <= len(str(size)) and (digits == "0" or digits[0] != "0"):
        first, last = int(digits), int(digits) + 1
        while first < size:
            found[first:last] = True
            if whole or digits == "0":
                break
            first, last = first * 10, last * 10
    return found

"""The primitives or the probes of a scene, found by the ids of items and the names of elements."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from hitscope.errors import Fault, Path, json_path, quoted
from hitscope.scene.bulk import Bulk
from hitscope.scene.items import Item

_ELEMENT = re.compile(r"(.*)\[(0|[1-9][0-9]{0,17})\]", re.DOTALL)  # int refuses thousands of digits


def split(name: str) -> tuple[str, int | None]:
    """Split the name of an element, `ID[i]`, into the id and i; i is None for an `ID` alone."""
    match = _ELEMENT.fullmatch(name) if name.endswith("]") else None
    return (match[1], int(match[2])) if match else (name, None)


class Subject(NamedTuple):
    """An item, or one element of a bulk item."""

    item: Item
    element: int | None


class NamedItems(tuple[Item, ...]):
    """Items in file order and their ids; scenes share them until an edit changes one of the items."""

    key: str
    """The field of the scene that they are."""
    ids: tuple[str, ...]
    """The id of each item: the file's, or the default TYPE-INDEX."""
    _indices: dict[str, int]

    def __new__(cls, key: str, items: Iterable[Item]) -> "NamedItems":
        """Find the ids; raises Fault, its path relative to the scene, where two under `key` are equal."""
        self = super().__new__(cls, items)
        self.key = key
        self.ids = tuple([item.id or f"{item.word}-{i}" for i, item in enumerate(self)])
        self._indices = dict(zip(self.ids, range(len(self.ids)), strict=True))
        if len(self._indices) < len(self.ids):
            raise self._clash(key)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the items alone, from which the ids are found again."""
        return NamedItems, (self.key, tuple(self))

    def index_of(self, name: str) -> int:
        """Return the index of the item with an id; raises KeyError where there is none."""
        return self._indices[name]

    def find(self, name: str, path: Path, what: str) -> Subject:
        """Return the item or element named `ID` or `ID[i]`; raises Fault at `path` where `what` has none."""
        if (k := self._indices.get(name)) is not None:
            return Subject(self[k], None)
        item, element = split(name)
        if item not in self._indices:
            raise Fault.unknown(path, f"the id of {what}", self.ids, name)
        found = self[self._indices[item]]
        if element is not None:
            size = len(found.shapes) if isinstance(found, Bulk) else 0
            if not size:
                raise Fault(path, f"the id of {what} (of {quoted(item)} there are no elements)", quoted(name))
            if element >= size:
                raise Fault(path, f"an element from {item}[0] to {item}[{size - 1}]", quoted(name))
        return Subject(found, element)

    def _clash(self, key: str) -> Fault:
        first = {name: i for i, name in reversed([*enumerate(self.ids)])}
        j, name = next((j, name) for j, name in enumerate(self.ids) if first[name] != j)
        # Of an id and a default that are equal, the written id is the wrong one.
        wrong, other = (j, first[name]) if self[j].id else (first[name], j)
        origin = "the id" if self[other].id else "the default id"
        found = f"{quoted(name)}, {origin} of {json_path((key, other))}"
        return Fault((key, wrong, "id"), f"an id that no other of the {key} has", found)

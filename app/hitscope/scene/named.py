"""The primitives or the probes of a scene, with the names that they and their elements go by."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from hitscope.errors import Fault, Path, json_path, quoted
from hitscope.scene.bulk import Bulk
from hitscope.scene.items import Item

_ELEMENT = re.compile(r"(.*)\[(0|[1-9][0-9]*)\]", re.DOTALL)


def split(name: str) -> tuple[str, int | None]:
    """Take the name of an element, `ID[i]`, apart; of an `ID`, which has no bracket, there is no i."""
    match = _ELEMENT.fullmatch(name) if name.endswith("]") else None
    return (match[1], int(match[2])) if match else (name, None)


class Subject(NamedTuple):
    """What a name stands for: an item, or the one element of a bulk item."""

    item: Item
    element: int | None


class Named(tuple[Item, ...]):
    """Items in file order, and their ids. Scenes share it as long as no edit touches one of the items."""

    ids: tuple[str, ...]
    """The id of each: the file's or the default TYPE-POSITION."""
    _places: dict[str, int]

    def __new__(cls, key: str, items: Iterable[Item]) -> "Named":
        """Find the ids; a Fault, its path relative to the scene, where two of the items under `key` clash."""
        self = super().__new__(cls, items)
        self.ids = tuple([item.id or f"{item.word}-{i}" for i, item in enumerate(self)])
        self._places = dict(zip(self.ids, range(len(self.ids)), strict=True))
        if len(self._places) < len(self.ids):
            raise self._clash(key)
        return self

    def place(self, name: str) -> int:
        """Give where the item with an id is; raises KeyError where there is none."""
        return self._places[name]

    def find(self, name: str, path: Path, what: str) -> Subject:
        """Give what a name stands for, `ID` or `ID[i]`; a Fault at `path` where it is none of `what`."""
        item, element = split(name)
        if item not in self._places:
            raise Fault.unknown(path, f"the id of {what}", self.ids, name)
        found = self[self._places[item]]
        if element is not None:
            size = len(found.shapes) if isinstance(found, Bulk) else 0
            if not size:
                raise Fault(path, f"the id of {what} (of {quoted(item)} there are no elements)", quoted(name))
            if element >= size:
                raise Fault(path, f"an element from {item}[0] to {item}[{size - 1}]", quoted(name))
        return Subject(found, element)

    def _clash(self, key: str) -> Fault:
        seen: dict[str, int] = {}
        for j, name in enumerate(self.ids):
            i = seen.setdefault(name, j)
            if i != j:
                # Of an id and a default that are equal, the written id is the wrong one.
                wrong, other = (j, i) if self[j].id else (i, j)
                origin = "the id" if self[other].id else "the default id"
                found = f"{quoted(name)}, {origin} of {json_path((key, other))}"
                return Fault((key, wrong, "id"), f"an id that no other of the {key} has", found)
        raise AssertionError("the ids are all different")

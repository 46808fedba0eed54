"""The shapes of a scene in one row, whether they are items of their own or rows of a bulk item."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Shapes
from hitscope.geometry.shapes import Shape
from hitscope.scene.model import Bulk, Item, Single
from hitscope.scene.named import split


class Element(NamedTuple):
    """What has a colour or asks for one: an enabled probe, a primitive, or one of a bulk item: `ID[i]`."""

    id: str
    shape: Shape


class Part(NamedTuple):
    """The elements of one item: `size` of them from the place `first` on."""

    id: str
    first: int
    size: int
    item: Item

    @property
    def places(self) -> slice:
        """The places of its elements, as an index into arrays."""
        return slice(self.first, self.first + self.size)

    @property
    def shapes(self) -> Shapes | None:
        """The shapes of a bulk item; None where the item is one shape, `shape`."""
        return self.item.shapes if isinstance(self.item, Bulk) else None

    @property
    def shape(self) -> Shape | None:
        """The shape of an item that is one; None where it is a bulk item."""
        return self.item.shape if isinstance(self.item, Single) else None


class Elements(Sequence[Element]):
    """All elements of some items, in their order, each made when it is asked for."""

    def __init__(self, ids: Sequence[str], items: Sequence[Item]) -> None:
        """Take the items and the id of each."""
        self.ids = ids
        self.items = items
        sizes = [len(item.shapes) if isinstance(item, Bulk) else 1 for item in items]
        self._firsts = [0, *accumulate(sizes)]

    def __len__(self) -> int:
        """Give the number of elements."""
        return self._firsts[-1]

    @overload
    def __getitem__(self, place: int) -> Element: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Element, ...]: ...
    def __getitem__(self, place: int | slice) -> Element | tuple[Element, ...]:
        """Give one element, or some of them."""
        if isinstance(place, slice):
            return tuple(self[j] for j in range(*place.indices(len(self))))
        k, i = self.locate(range(len(self))[place])
        return _element(self.ids[k], self.items[k], i)

    def __iter__(self) -> Iterator[Element]:
        """Give one element after the other."""
        for name, item in zip(self.ids, self.items, strict=True):
            if isinstance(item, Bulk):
                for i, shape in enumerate(item.shapes):
                    yield Element(f"{name}[{i}]", shape)
            else:
                yield _element(name, item, 0)

    def locate(self, place: int) -> tuple[int, int]:
        """Give which item has the element at a place, counted among `items`, and which element of it that is."""
        k = bisect_right(self._firsts, place) - 1
        return k, place - self._firsts[k]

    @property
    def names(self) -> tuple[str, ...]:
        """The name of one element of each item that has any, as an example: `ID`, or `ID[0]`."""
        return tuple(
            f"{part.id}[0]" if isinstance(part.item, Bulk) else part.id for part in self.parts if part.size
        )

    def find(self, name: str) -> tuple[int, int | None]:
        """Give which item a name belongs to, and of `ID[i]` the i; KeyError for an unknown item."""
        item, element = split(name)
        return self._indices[item], element

    def places(self, name: str) -> range:
        """Give the places of all that a name stands for, `ID` or `ID[i]`; KeyError for an unknown name."""
        k, element = self.find(name)
        every = range(self._firsts[k], self._firsts[k + 1])
        if element is None:
            return every
        if element >= len(every) or not isinstance(self.items[k], Bulk):
            raise KeyError(name)
        return every[element : element + 1]

    def all_places(self, names: Iterable[str]) -> NDArray[np.intp]:
        """Give the places of all that some names stand for, in no order; of unknown names none."""
        given = list(names)
        found = list(map(self._indices.get, given))
        items = np.array([k for k in found if k is not None], np.intp)
        bounds = np.array(self._firsts)
        starts, ends = bounds[items], bounds[items + 1]
        alone = ends - starts == 1
        ranges = list(map(range, starts[~alone].tolist(), ends[~alone].tolist()))
        for name in [name for name, k in zip(given, found, strict=True) if k is None]:
            with suppress(KeyError):
                ranges.append(self.places(name))
        return np.concatenate([starts[alone], *(np.arange(some.start, some.stop) for some in ranges)])

    def place(self, name: str) -> int:
        """Give the place of one element by its name, `ID` or `ID[i]`; KeyError where it is not one's name."""
        k, element = self.find(name)
        if element is None and isinstance(self.items[k], Bulk):
            raise KeyError(name)
        return self.places(name)[0]

    def index_of(self, name: str) -> int | None:
        """The index of one element by its name, `ID` or `ID[i]`; None where it is not one's name."""
        with suppress(KeyError):
            return self.place(name)
        return None

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The items with the places of their elements: what draws or counts many at once walks through these."""
        firsts = self._firsts
        return tuple(
            Part(name, first, after - first, item)
            for name, first, after, item in zip(self.ids, firsts, firsts[1:], self.items, strict=False)
        )

    @cached_property
    def _indices(self) -> dict[str, int]:
        return {name: k for k, name in enumerate(self.ids)}


def _element(name: str, item: Item, i: int) -> Element:
    if isinstance(item, Bulk):
        return Element(f"{name}[{i}]", item.shapes[i])
    assert isinstance(item, Single)
    return Element(name, item.shape)

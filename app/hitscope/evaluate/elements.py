"""The probes or the primitives of a scene as one sequence of elements, bulk items included."""

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
from hitscope.scene.bulk import Bulk
from hitscope.scene.items import Item, Single
from hitscope.scene.named_items import split


class Element(NamedTuple):
    """One shape of a scene with its id: that of its item, or `ID[i]` for a row of a bulk item."""

    id: str
    shape: Shape


class Part(NamedTuple):
    """An item and the indices of its elements: `size` of them from `first` on."""

    id: str
    first: int
    size: int
    item: Item

    @property
    def indices(self) -> slice:
        return slice(self.first, self.first + self.size)

    @property
    def shapes(self) -> Shapes | None:
        """The shapes of a bulk item; None for a single item."""
        return self.item.shapes if isinstance(self.item, Bulk) else None

    @property
    def shape(self) -> Shape | None:
        """The shape of a single item; None for a bulk item."""
        return self.item.shape if isinstance(self.item, Single) else None


class Elements(Sequence[Element]):
    """All elements of some items, in their order, each made on access."""

    def __init__(self, ids: Sequence[str], items: Sequence[Item]) -> None:
        self.ids, self.items = ids, items
        self._firsts = [0, *accumulate(len(item.shapes) if isinstance(item, Bulk) else 1 for item in items)]

    def __len__(self) -> int:
        return self._firsts[-1]

    @overload
    def __getitem__(self, index: int) -> Element: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Element, ...]: ...
    def __getitem__(self, index: int | slice) -> Element | tuple[Element, ...]:
        if isinstance(index, slice):
            return tuple(self[j] for j in range(*index.indices(len(self))))
        k, i = self.locate(range(len(self))[index])
        name, item = self.ids[k], self.items[k]
        if isinstance(item, Bulk):
            return Element(f"{name}[{i}]", item.shapes[i])
        assert isinstance(item, Single)
        return Element(name, item.shape)

    def __iter__(self) -> Iterator[Element]:
        for part in self.parts:
            if part.shape is not None:
                yield Element(part.id, part.shape)
            for i, shape in enumerate(part.shapes or ()):
                yield Element(f"{part.id}[{i}]", shape)

    def locate(self, index: int) -> tuple[int, int]:
        """The index of an element's item among `items`, and the row of the element in that."""
        k = bisect_right(self._firsts, index) - 1
        return k, index - self._firsts[k]

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the first element of each item that has any: `ID`, or `ID[0]`."""
        return tuple(f"{part.id}[0]" if part.shapes else part.id for part in self.parts if part.size)

    def item_and_row(self, name: str) -> tuple[int, int | None]:
        """The index of the item that a name belongs to, and of `ID[i]` the i; KeyError for an unknown item."""
        item, element = split(name)
        return self._indices[item], element

    def indices_of(self, name: str) -> range:
        """The indices of the elements that a name stands for, `ID` or `ID[i]`; KeyError for an unknown name."""
        k, element = self.item_and_row(name)
        every = range(self._firsts[k], self._firsts[k + 1])
        if element is None:
            return every
        if element >= len(every) or not isinstance(self.items[k], Bulk):
            raise KeyError(name)
        return every[element : element + 1]

    def indices_of_all(self, names: Iterable[str]) -> NDArray[np.intp]:
        """The indices of the elements that names stand for, in no order; none for unknown names."""
        given = list(names)
        found = list(map(self._indices.get, given))
        items = np.array([k for k in found if k is not None], np.intp)
        bounds = np.array(self._firsts)
        starts, ends = bounds[items], bounds[items + 1]
        alone = ends - starts == 1
        ranges = list(map(range, starts[~alone].tolist(), ends[~alone].tolist()))
        for name in [name for name, k in zip(given, found, strict=True) if k is None]:
            with suppress(KeyError):
                ranges.append(self.indices_of(name))
        return np.concatenate([starts[alone], *(np.arange(indices.start, indices.stop) for indices in ranges)])

    def index_of(self, name: str) -> int:
        """The index of the one element that a name stands for, `ID` or `ID[i]`; KeyError for any other name."""
        k, element = self.item_and_row(name)
        if element is None and isinstance(self.items[k], Bulk):
            raise KeyError(name)
        return self.indices_of(name)[0]

    def find_index(self, name: str) -> int | None:
        """The index of the one element that a name stands for, `ID` or `ID[i]`; None for any other name."""
        with suppress(KeyError):
            return self.index_of(name)
        return None

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        return tuple(map(Part, self.ids, self._firsts, np.diff(self._firsts).tolist(), self.items))

    @cached_property
    def _indices(self) -> dict[str, int]:
        return {name: k for k, name in enumerate(self.ids)}

"""Many shapes of one type in one contiguous array, a row for each coordinate, for compiled code to read."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, TypeAlias, get_args, get_type_hints, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitscope.geometry.shapes import Shape

Array: TypeAlias = NDArray[np.float64]
"""An array of float64, of any shape."""

LARGEST = float(np.finfo(np.float64).max)


def finite(values: Array) -> Array:
    """The values, infinite ones replaced by the largest finite float64."""
    return np.clip(values, -LARGEST, LARGEST)


class Shapes(Sequence[Shape]):
    """n shapes of one `kind`: any but polyhedra, whose size varies.

    `rows` (k, n) of float64 has the shape's numbers in the order of its fields, e.g. of n boxes lo_x, lo_y, lo_z,
    hi_x, hi_y, hi_z; it is read-only, so that scenes can share it. As a sequence it has the shapes themselves,
    named tuples of Python floats, made on access.
    """

    def __init__(self, kind: type, rows: NDArray[np.float64]) -> None:
        """Wrap a C-contiguous array (k, n) and make it read-only."""
        assert rows.shape[0] == width(kind) and rows.flags.c_contiguous
        rows.flags.writeable = False
        self.kind = kind
        self.rows = rows

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy so that the rows are read-only again."""
        return Shapes, (self.kind, self.rows)

    @classmethod
    def of(cls, shapes: Sequence[Shape]) -> "Shapes":
        """Return the array of at least one shape, all of one type."""
        return cls.from_fields(type(shapes[0]), *zip(*shapes, strict=True))

    @classmethod
    def from_fields(cls, kind: type, *fields: ArrayLike) -> "Shapes":
        """Return the array of n shapes from arrays of their fields, each (n,), (n, 3) or (n, 3, 3)."""
        arrays = [np.asarray(field, dtype=np.float64) for field in fields]
        rows = np.empty((width(kind), len(arrays[0])))
        first = 0
        for array in arrays:
            flat = array.reshape(len(array), -1)
            rows[first : first + flat.shape[1]] = flat.T
            first += flat.shape[1]
        return cls(kind, rows)

    def __len__(self) -> int:
        """Return n."""
        return int(self.rows.shape[1])

    @overload
    def __getitem__(self, index: int) -> Shape: ...
    @overload
    def __getitem__(self, index: slice) -> "Shapes": ...
    def __getitem__(self, index: int | slice) -> "Shape | Shapes":
        """Return one shape, or the array of a slice of them."""
        if isinstance(index, slice):
            return Shapes(self.kind, np.ascontiguousarray(self.rows[:, index]))
        shape: Shape = builder(self.kind)(self.rows[:, index].tolist())
        return shape

    def __iter__(self) -> Iterator[Shape]:
        """Yield the shapes in order."""
        build = builder(self.kind)
        for numbers in self.rows.T:
            yield build(numbers.tolist())


@cache
def width(kind: type) -> int:
    """Return the count of numbers in a shape of a type."""
    return sum(map(_count, get_type_hints(kind).values()))


@cache
def has_width(kind: type) -> bool:
    """Whether all shapes of a type have as many numbers, so that there are arrays of them: not polyhedra."""
    return not any(Ellipsis in get_args(hint) for hint in get_type_hints(kind).values())


WITHOUT_LENGTH = frozenset({"direction", "axes", "normal"})
"""The fields of shapes that give directions; the others have positions, extents and offsets."""


@cache
def length_rows(kind: type) -> NDArray[np.intp]:
    """Return which numbers of a shape of a type are positions, extents and offsets, in the order of its fields."""
    hints = get_type_hints(kind)
    is_length = [name not in WITHOUT_LENGTH for name, hint in hints.items() for _ in range(_count(hint))]
    return np.flatnonzero(is_length)


def _count(annotation: Any) -> int:
    return sum(map(_count, get_args(annotation))) if get_args(annotation) else 1


def numbers_of(value: Any) -> list[Any]:
    """Return the numbers of a shape, or of any nested tuple of numbers, in order."""
    return [number for part in value for number in numbers_of(part)] if isinstance(value, tuple) else [value]


@cache
def builder(kind: type) -> Callable[[Iterable[Any]], Any]:
    """Return the function that makes a shape from its numbers, or from any one object in place of each number."""
    parts = [_part_builder(annotation) for annotation in get_type_hints(kind).values()]
    make: Any = kind._make  # type: ignore[attr-defined] # of a named tuple

    def build(numbers: Iterable[Any]) -> Any:
        remaining = iter(numbers)
        return make([part(remaining) for part in parts])

    return build


def _part_builder(annotation: Any) -> Callable[[Iterator[Any]], Any]:
    """Return the function that takes the next numbers for a field, or for a part of one."""
    parts = [_part_builder(part) for part in get_args(annotation)]
    return (lambda numbers: tuple([part(numbers) for part in parts])) if parts else next

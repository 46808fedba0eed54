"""Many shapes of one type in one contiguous array, a row for each coordinate, for compiled code to read."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from math import prod
from typing import Any, TypeAlias, get_args, get_type_hints, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitscope.errors import ArgumentFault, Fault, Path, faults_below, faults_in, shown
from hitscope.geometry import checks, kinds
from hitscope.geometry.kinds import Scale, listed, scales_of
from hitscope.geometry.shapes import PRIMITIVES, PROBES, RULES, Cast, Shape

Array: TypeAlias = NDArray[np.float64]
"""An array of float64, of any shape."""

ARRAYS_FROM = 50
"""The number of primitives from which `exact` filters them as arrays faster than it decides pair by pair."""
CHUNK = 4096
"""The shapes that are laid out at a time, so that they stay in the processor's cache."""
LARGEST = float(np.finfo(np.float64).max)


def finite(values: Array) -> Array:
    """The values, infinite ones replaced by the largest finite float64."""
    return np.clip(values, -LARGEST, LARGEST)


def polar(vector: ArrayLike) -> tuple[float, Array]:
    """The length and the direction of a vector (3,) of any magnitude; 0 and zeros of one without length."""
    given = np.asarray(vector, float)
    largest = float(np.abs(given).max())
    if largest == 0:
        return 0.0, np.zeros(3)
    scaled = given / largest
    length = float(np.linalg.norm(scaled))
    return largest * length, scaled / length


class Shapes(Sequence[Shape]):
    """n shapes of one `kind`: any but polyhedra, whose size varies.

    `rows` (k, n) of float64 has the shape's numbers in the order of its fields, e.g. of n boxes lo_x, lo_y, lo_z,
    hi_x, hi_y, hi_z; it is read-only, so that scenes can share it. As a sequence it has the shapes themselves,
    named tuples of Python floats, made on access.

    >>> from hitscope import Aabb, Shapes
    >>> boxes = Shapes.of([Aabb((0, 0, 0), (1, 1, 1)), Aabb((2, 0, 0), (3, 1, 1))])
    >>> boxes, boxes[1].lo, boxes.rows[0]
    (<Shapes: 2 of type Aabb>, (2.0, 0.0, 0.0), array([0., 2.]))
    """

    def __init__(self, kind: type, rows: NDArray[np.float64]) -> None:
        """Wrap a C-contiguous array (k, n) of numbers that are right, unlike `from_fields`, and make it read-only.

        Raises HitscopeError for an array of another layout.
        """
        if not isinstance(rows, np.ndarray):
            raise ArgumentFault("Shapes", Fault(("rows",), "an array, as `from_fields` makes one", shown(rows)))
        is_laid_out = rows.dtype == np.float64 and rows.flags.c_contiguous and rows.ndim == 2
        if not is_laid_out or len(rows) != width(kind):
            expected = f"a C-contiguous array of float64, ({width(kind)}, n)"
            raise ArgumentFault("Shapes", Fault(("rows",), expected, f"{rows.dtype} of shape {rows.shape}"))
        rows.flags.writeable = False
        self.kind = kind
        self.rows = rows

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy so that the rows are read-only again."""
        return Shapes, (self.kind, self.rows)

    @classmethod
    def of(cls, shapes: Sequence[Shape]) -> "Shapes":
        """Return the array of at least one shape, all of one type; raises HitscopeError for others."""
        found: list[type] = list(dict.fromkeys(map(type, shapes)))
        if len(found) != 1 or found[0] not in KINDS:
            given = ", ".join(kind.__name__ for kind in found) or "none"
            raise ArgumentFault("Shapes.of", Fault(("shapes",), f"shapes of one type ({listed(KINDS)})", given))
        return cls._filled(found[0], zip(*shapes, strict=True))

    @classmethod
    def from_fields(cls, kind: type[Shape], *fields: ArrayLike) -> "Shapes":
        """Return the array of n shapes from arrays of their fields, each (n,), (n, 3) or (n, 3, 3).

        The arrays are copied; numbers are of any real type. Raises HitscopeError for a missing field, and for
        numbers that the constructor of the shape refuses.

        >>> from hitscope import Ray, Shapes
        >>> rays = Shapes.from_fields(Ray, [[0, 0, 5], [1, 0, 5]], [[0, 0, -1], [0, 0, -1]])
        >>> len(rays), rays[1]
        (2, Ray(origin=(1.0, 0.0, 5.0), direction=(0.0, 0.0, -1.0)))
        """
        with faults_in(f"Shapes.from_fields({getattr(kind, '__name__', kind)})"):
            return cls._checked(kind, fields)

    @classmethod
    def _checked(cls, kind: Any, fields: Sequence[ArrayLike]) -> "Shapes":
        if kind not in KINDS:
            expected = f"a type of shapes ({listed(KINDS)})"
            raise Fault(("kind",), expected, shown(getattr(kind, "__name__", kind)))
        shapes = {name: _dimensions(hint) for name, hint in get_type_hints(kind).items()}
        if len(fields) != len(shapes):
            raise Fault((), f"{len(shapes)} fields ({', '.join(shapes)})", str(len(fields)))
        arrays = [rows_of((name,), field, row) for (name, row), field in zip(shapes.items(), fields, strict=True)]
        first, size = next(iter(shapes)), len(arrays[0])
        for name, array in zip(shapes, arrays, strict=True):
            if len(array) != size:
                raise Fault((name,), f"as many rows as {first} has ({size})", str(len(array)))
        made = cls._filled(kind, arrays)
        made.check()
        return made

    def check(self) -> None:
        """Raise Fault for the first shape, of finite numbers, that breaks the rule of its type."""
        with np.errstate(over="ignore", invalid="ignore"):
            faults = kinds.KINDS[self.kind].faults
            wrong = {n for _, are_wrong in faults for n in np.flatnonzero(are_wrong(self.rows))}
        for n in sorted(map(int, wrong)):
            try:
                RULES[self.kind](self[n])
            except Fault as fault:
                raise Fault((fault.path[0], n, *fault.path[1:]), fault.expected, fault.found) from None

    @classmethod
    def _filled(cls, kind: type, fields: Iterable[ArrayLike]) -> "Shapes":
        """Return the array of shapes whose fields are right."""
        arrays = [np.asarray(field, dtype=np.float64) for field in fields]
        rows = np.empty((width(kind), len(arrays[0])))
        first = 0
        for array in arrays:
            last = first + prod(array.shape[1:])
            flat, own = array.reshape(len(array), last - first), rows[first:last]
            for start in range(0, len(flat), CHUNK):
                own[:, start : start + CHUNK] = flat[start : start + CHUNK].T
            first = last
        return cls(kind, rows)

    def __repr__(self) -> str:
        return f"<Shapes: {len(self):,} of type {self.kind.__name__}>"

    def __len__(self) -> int:
        return int(self.rows.shape[1])

    @overload
    def __getitem__(self, index: int) -> Shape: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any]) -> "Shapes": ...
    def __getitem__(self, index: int | slice | NDArray[Any]) -> "Shape | Shapes":
        """Return one shape, or the array of those in a slice or at some indices."""
        if isinstance(index, slice | np.ndarray):
            return Shapes(self.kind, np.ascontiguousarray(self.rows[:, index]))
        shape: Shape = builder(self.kind)(self.rows[:, index].tolist())
        return shape

    def __iter__(self) -> Iterator[Shape]:
        build = builder(self.kind)
        for numbers in self.rows.T:
            yield build(numbers.tolist())


@cache
def width(kind: type) -> int:
    """Return the count of numbers in a shape of a type."""
    return len(list(scales_of(kind)))


@cache
def has_width(kind: type) -> bool:
    """Whether all shapes of a type have as many numbers, so that there are arrays of them: not polyhedra."""
    return not any(Ellipsis in get_args(hint) for hint in get_type_hints(kind).values())


def _dimensions(annotation: Any) -> tuple[int, ...]:
    """Return the shape of the numbers of a field's type: (), (3,) or (3, 3)."""
    parts = get_args(annotation)
    return (len(parts), *_dimensions(parts[0])) if parts else ()


@cache
def length_rows(kind: type) -> NDArray[np.intp]:
    """Return which numbers of a shape of a type are positions, extents and offsets, in the order of its fields."""
    return np.flatnonzero([scale in (Scale.LENGTH, Scale.OFFSET) for scale in scales_of(kind)])


def scaled_rows(kind: type) -> NDArray[np.intp]:
    """Return which numbers of a shape grow with it: its lengths, and a motion, but no direction."""
    rows, count = length_rows(kind), width(kind)
    return np.append(rows, range(count - 3, count)) if issubclass(kind, Cast) else rows


_ALL: list[type] = [*PROBES.values(), *PRIMITIVES.values()]
KINDS = [kind for kind in dict.fromkeys(_ALL) if has_width(kind)]
"""The types of shapes of which there are arrays."""


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


def numbers_at(path: Path, value: Any, expected: str) -> Any:
    """Return finite real numbers of an array or nested sequence as float64; raises Fault at `path` or below."""
    expected = f"an array of numbers, {expected}"
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        raise Fault(path, expected, shown(value)) from None
    if array.dtype.kind == "O" and array.ndim:  # of fractions, say
        array = _converted(path, array)
    if array.dtype.kind not in "fiu":
        kind = "text" if array.dtype.kind in "US" else str(array.dtype)
        raise Fault(path, expected, shown(value) if array.ndim == 0 else f"{_shape(array)} of {kind}")
    with np.errstate(over="ignore"):  # of a long double
        found = array.astype(np.float64, copy=False)
    if not np.isfinite(found).all():
        first = np.argwhere(~np.isfinite(found))[0].tolist()
        raise Fault((*path, *first), "a finite number", str(array[tuple(first)]))
    return found


def rows_of(path: Path, value: Any, row: tuple[int, ...]) -> Any:
    """Return n rows of numbers of a shape, (n, *row), as float64; raises Fault as `numbers_at` does."""
    expected = shape_text(("n", *row))
    array = numbers_at(path, value, expected)
    if array.ndim == 0 or array.shape[1:] != row:
        raise Fault(path, f"an array of numbers, {expected}", _shape(array))
    return array


def vectors_of(path: Path, value: Any) -> Any:
    """Return one vector or an array of them, (..., 3), as float64; raises Fault as `numbers_at` does."""
    array = numbers_at(path, value, "(3,) or (..., 3)")
    if array.shape[-1:] != (3,):
        raise Fault(path, "an array of numbers, (3,) or (..., 3)", _shape(array))
    return array


def _converted(path: Path, array: Any) -> Any:
    numbers = np.empty(array.shape)
    for index in np.ndindex(array.shape):
        with faults_below((*path, *index)):
            numbers[index] = checks.number(array[index])
    return numbers


def _shape(array: Any) -> str:
    return f"one of shape {shape_text(array.shape)}" if array.ndim else str(array)


def shape_text(shape: Sequence[int | str]) -> str:
    """Return the shape of an array as NumPy writes it; a letter stands for any number of rows."""
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"

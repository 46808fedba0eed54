"""The arrays of bulk items: N rows of numbers, inline in the scene's JSON, and their coordinate rows in memory."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from math import prod
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitscope import progress
from hitscope.errors import Fault, shown
from hitscope.geometry.arrays import Shapes, shape_text

_VECTORS = "min max center half_extents euler_xyz_deg start end origin direction position"
ROW_SHAPES: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(_VECTORS.split(), (3,)),
    **{"radius": (), "axes": (3, 3), "quaternion_xyzw": (4,), "vertices": (3, 3)},
}
"""The array shape of one row of each field."""

CHUNK = 1 << 16
"""The number of rows converted or checked at a time, which bounds the memory beside the arrays."""
TEXT_ROWS = 1 << 11
"""The number of rows written in one call: milliseconds, in which no other Python code runs."""


@dataclass(frozen=True)
class ReadLimits:
    """How much of a bulk item's numbers is read at a time, and how large an .npz file may be."""

    chunk_rows: int = CHUNK
    """The number of rows of an .npz array converted at a time."""
    chunk_bytes: int = 1 << 19
    """The number of bytes of JSON text decoded at a time."""
    largest_bytes: int = 1 << 32
    """The largest number of bytes of the arrays of one .npz file, 4 GiB."""
    any_ratio_bytes: int = 1 << 28
    """The number of bytes, 256 MiB, up to which arrays may be larger than their file by any ratio."""
    largest_ratio: int = 100
    """The largest ratio of larger arrays to their file: numbers do not compress better."""


READ_LIMITS = ReadLimits()

_POINT_ZERO = re.compile(rb"(?<!-0)\.0(?=[,\]])")
_NUMBERS = msgspec.json.Decoder(list[float])
_BRACKETS_TO_BLANKS = bytes.maketrans(b"[]", b"  ")
_ALL_BUT_STRUCTURE = bytes(code for code in range(256) if code not in b"[],")


class Columns:
    """The fields of a bulk item as coordinate rows one below the other: `min` of N boxes is three rows."""

    size: int
    block: NDArray[np.float64]
    """The coordinate rows of all fields, (k, size)."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        widths = (prod(ROW_SHAPES[name]) for name in self.names)
        self._ends = dict(zip(self.names, accumulate(widths), strict=True))

    def room(self, name: str, size: int) -> NDArray[np.float64]:
        """Return the rows of a field, to be written; raises Fault where another field has more or fewer."""
        if name == self.names[0]:
            self.size = size
            self.block = np.empty((self._ends[self.names[-1]], size))
        elif size != self.size:
            raise Fault((name,), f"as many rows as {self.names[0]} has ({self.size})", str(size))
        return self[name]

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """Return the coordinate rows of a field, a view (k, size)."""
        last = self._ends[name]
        return self.block[last - prod(ROW_SHAPES[name]) : last]


class Origin(NamedTuple):
    """The fields that were given together with a table, and the shapes that they define."""

    names: tuple[str, ...]
    shapes: Shapes


class Table:
    """A field of a bulk item, N rows of numbers: a read-only view of the coordinate rows in memory."""

    def __init__(self, name: str, column: NDArray[np.float64], origin: Origin) -> None:
        """Keep the coordinate rows (k, N) of the field `name`."""
        self.name = name
        self.origin = origin
        self._column = column.view()
        self._column.flags.writeable = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the numbers alone, of which the bulk item makes a table again."""
        return np.asarray, (np.ascontiguousarray(self.array),)

    @property
    def array(self) -> NDArray[np.float64]:
        """The numbers as the file has them: (N,), (N, 3), (N, 4) or (N, 3, 3), a view."""
        return np.moveaxis(self._column.reshape(*ROW_SHAPES[self.name], -1), -1, 0)

    def __len__(self) -> int:
        return int(self._column.shape[1])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self is other or np.array_equal(self._column, other._column)

    def __hash__(self) -> int:
        return hash((len(self), tuple(self._column[:, :1].ravel().tolist())))

    def __repr__(self) -> str:
        return f"Table({self.name}, {len(self)} rows)"

    def texts(self, between: str) -> Iterator[str]:
        """Yield the JSON text of many rows at a time, separated by `between`; whole numbers without a point."""
        brackets = "[" * (self.array.ndim - 1)
        ends = brackets.replace("[", "]")
        for first in range(0, len(self), TEXT_ROWS):
            rows = self.array[first : first + TEXT_ROWS].tolist()
            text = _POINT_ZERO.sub(b"", msgspec.json.encode(rows)).decode()[1:-1].replace(",", ", ")
            progress.advance(0)
            yield text.replace(f"{ends}, {brackets}", f"{ends}{between}{brackets}")


class UndecodedError(ValueError):
    """msgspec's error about the inline numbers of a field."""

    def __init__(self, name: str, error: msgspec.ValidationError) -> None:
        """Keep the field's name and the error, which the loader translates."""
        self.name = name
        self.error = error
        super().__init__(name, error)  # so that it can be pickled

    def __str__(self) -> str:
        return str(self.error)


class Source(NamedTuple):
    """Rows of numbers that are still to be written into coordinate rows (k, size) by `fill`."""

    size: int
    fill: Callable[[NDArray[np.float64]], None]


def source_of(name: str, value: Any, limits: ReadLimits = READ_LIMITS) -> Source:
    """Return the rows of a field given as a table, as JSON text or as any array of numbers."""
    if isinstance(value, msgspec.Raw):
        return _inline(name, value, limits.chunk_bytes)
    try:
        array = value.array if isinstance(value, Table) else np.asarray(value)
    except ValueError:
        raise Fault((name,), _expected(name), shown(value)) from None
    check_header(name, array.dtype, array.shape)
    return Source(len(array), partial(fill, array=array))


def check_header(name: str, dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
    """Raise Fault unless an array of this type and shape can be the field `name`."""
    if dtype.kind not in "fiu" or dtype.itemsize > np.dtype(np.float64).itemsize:
        raise Fault((name,), f"{_expected(name)}, of float64 or of a type that it can hold", str(dtype))
    if not shape or shape[1:] != ROW_SHAPES[name]:
        raise Fault((name,), _expected(name), shape_text(shape))


def _expected(name: str) -> str:
    return f"an array of numbers, {shape_text(('N', *ROW_SHAPES[name]))}"


def fill(column: NDArray[np.float64], array: ArrayLike) -> None:
    """Write rows (n, ...) into coordinate rows (k, n), as float64."""
    rows = np.asarray(array)
    column[:] = rows.reshape(len(rows), len(column)).T


def check_finite(columns: Columns) -> None:
    """Raise Fault at the first number that is not finite."""
    for name in columns.names:
        column = columns[name]
        for first in range(0, columns.size, CHUNK):
            finite = np.isfinite(column[:, first : first + CHUNK])
            if not finite.all():
                row, k = np.argwhere(~finite.T)[0].tolist()
                component = list(np.ndindex(ROW_SHAPES[name]))[k]
                raise Fault((name, first + row, *component), "a finite number", str(column[k, first + row]))


def _inline(name: str, raw: msgspec.Raw, chunk_bytes: int) -> Source:
    """Decode inline rows: the brackets are compared as one text, the numbers decoded as one list.

    A list of a million lists would take longer, and many times the memory of the numbers.
    """
    shape, text = ROW_SHAPES[name], memoryview(raw)
    row = b""
    for count in reversed(shape):
        row = b"[" + b",".join([row] * count) + b"]"
    row += b","
    structure = bytearray()
    for part in _pieces(text, chunk_bytes):
        structure += part.translate(None, _ALL_BUT_STRUCTURE) + b","
    # The text ends like a row, except for the closing bracket and the comma added last.
    opening, rows, closing = structure[:1], structure[1:-2] + b",", structure[-2:]
    is_empty = rows == b"," and not bytes(text).translate(None, b"[] \t\r\n")
    size = 0 if is_empty else len(rows) // len(row)
    if opening != b"[" or closing != b"]," or not (is_empty or _repeats(rows, row)):
        raise _error_of(name, raw)

    def fill_numbers(column: NDArray[np.float64]) -> None:
        width, filled, numbers = len(column), 0, list[float]()
        try:
            for part in _pieces(text, chunk_bytes):
                numbers += _NUMBERS.decode(b"[" + part.translate(_BRACKETS_TO_BLANKS) + b"]")
                rows = len(numbers) // width
                fill(column[:, filled : filled + rows], np.reshape(numbers[: rows * width], (rows, width)))
                filled, numbers = filled + rows, numbers[rows * width :]
                progress.advance(len(part) + 1)
        except msgspec.DecodeError:
            raise _error_of(name, raw) from None
        if filled < size or numbers:
            raise _error_of(name, raw)

    return Source(size, fill_numbers)


def _repeats(text: bytearray, pattern: bytes) -> bool:
    if len(text) % len(pattern):
        return False
    rows = np.frombuffer(text, np.uint8).reshape(-1, len(pattern))
    return bool((rows == np.frombuffer(pattern, np.uint8)).all())


def _pieces(text: memoryview, chunk_bytes: int) -> Iterator[bytes]:
    """Yield the parts of a JSON text between commas, of about `chunk_bytes` bytes each."""
    start = 0
    while start < len(text):
        size = chunk_bytes
        while b"," not in (part := bytes(text[start : start + size])) and start + size < len(text):
            size *= 2
        if start + size < len(text):
            part = part[: part.rfind(b",")]
        yield part
        start += len(part) + 1


def _error_of(name: str, raw: msgspec.Raw) -> UndecodedError:
    """Return the error of the rows decoded as a whole, with the path of the mistake."""
    row: Any = float
    for size in reversed(ROW_SHAPES[name]):
        row = tuple.__class_getitem__((row,) * size)
    try:
        msgspec.json.decode(raw, type=list[row])
    except msgspec.ValidationError as error:
        return UndecodedError(name, error)
    raise AssertionError(f"{name} has no error")

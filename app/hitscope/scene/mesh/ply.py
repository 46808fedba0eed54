"""The faces of a PLY file in the order of the file, of any polygons, in text or binary of either byte order.

After Greg Turk, «The PLY Polygon File Format», 1994: a header that declares elements and their properties, then
the elements; read are x, y and z of `vertex` and the list `vertex_indices` (or `vertex_index`) of `face`.
"""

import re
from array import array
from codecs import BOM_UTF8
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope import progress
from hitscope.errors import Fault
from hitscope.scene.mesh.elements import Corners, corners_of, excerpt, integer, number

_TYPES = {
    **{"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4"},
    **{"float": "f4", "double": "f8", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2"},
    **{"int32": "i4", "uint32": "u4", "float32": "f4", "float64": "f8"},
}
_ORDERS = {b"binary_little_endian": "<", b"binary_big_endian": ">"}
_CUT_SHORT = ("all elements that its header declares", "the end of the file")
_INDICES = ("vertex_indices", "vertex_index")
_WORD = re.compile(rb"\S+")


class Property(NamedTuple):
    """A number of an element or, with the type of its `length`, a list of numbers."""

    name: str
    kind: str
    length: str | None


class ElementType(NamedTuple):
    """The elements of one name."""

    name: str
    size: int
    properties: list[Property]


class ElementData(NamedTuple):
    """The elements of one kind: the plain numbers by name, and the values and lengths of its list of indices."""

    numbers: dict[str, NDArray[Any]]
    indices: NDArray[Any]
    sizes: NDArray[np.intp]


def read(path: Path) -> Corners:
    """Return the corners of the triangles, (n, 3, 3); raises Fault for any other file."""
    data = path.read_bytes().removeprefix(BOM_UTF8)
    order, kinds, start = _header(data)
    source = _Text(data, start) if order is None else _Binary(data, start, order)
    taken: dict[str, ElementData] = {}
    for kind in kinds:
        if kind.size > len(data):
            raise Fault((), f"{kind.size} elements {kind.name}, as its header says", f"{len(data)} bytes")
        if kind.name in taken:
            raise Fault((), f"elements {kind.name} once", "them twice")
        if len({p.name for p in kind.properties}) < len(kind.properties):
            raise Fault((), f"every property of an element {kind.name} once", "one of them twice")
        uniform = source.read_uniform(kind) if isinstance(source, _Binary) else None
        taken[kind.name] = uniform or _one_by_one(kind, source.number)
    if missing := [name for name in ("vertex", "face") if name not in taken]:
        raise Fault((), "elements vertex and face", f"no {missing[0]}")
    numbers, (_, indices, sizes) = taken["vertex"].numbers, taken["face"]
    if missing := [name for name in "xyz" if name not in numbers]:
        raise Fault((), "the properties x, y and z of vertex", f"no {missing[0]}")
    vertices = np.stack([numbers[name] for name in "xyz"], axis=1).astype(np.float64)
    return corners_of(vertices, indices.astype(np.intp), sizes)


def _header(data: bytes) -> tuple[str | None, list[ElementType], int]:
    """Return the byte order (None for text), the elements, and where the data starts."""
    if not data.startswith(b"ply"):
        raise Fault((), 'the word "ply" at the start', repr(data[:12])[1:])
    start = data.find(b"end_header")
    start = data.find(b"\n", start) + 1 if start > 0 else 0
    if not start:
        raise Fault((), "a header that ends with end_header", "none")
    form, kinds = b"", list[ElementType]()
    for number_of_line, line in enumerate(data[:start].splitlines(), start=1):
        try:
            match line.split():
                case [b"format", form, *_]:
                    pass
                case [b"element", name, size]:
                    kinds.append(ElementType(name.decode(), _size(size), []))
                case [b"property", *words]:
                    kinds[-1].properties.append(_property(*(word.decode() for word in words)))
                case [b"element", *_]:
                    raise ValueError
        except (ValueError, KeyError, IndexError, TypeError):
            expected = (
                "element NAME SIZE, and after it property TYPE NAME or property list TYPE TYPE NAME, "
                f"the types of lists of indices being integers, on line {number_of_line}"
            )
            raise Fault((), expected, excerpt(line)) from None
    if form != b"ascii" and form not in _ORDERS:
        raise Fault((), f"the format ascii, {', '.join(order.decode() for order in _ORDERS)}", repr(form)[1:])
    return _ORDERS.get(form), kinds, start


def _size(word: bytes) -> int:
    size = integer(word)
    if size < 0:
        raise ValueError
    return size


def _property(*words: str) -> Property:
    match words:
        case ("list", length, kind, name):
            types = _TYPES[length], _TYPES[kind]
            if types[0].startswith("f") or (name in _INDICES and types[1].startswith("f")):
                raise ValueError
            return Property(name, types[1], types[0])
        case (kind, name):
            return Property(name, _TYPES[kind], None)
    raise ValueError


class _Text:
    """Reader of the words of a text PLY."""

    def __init__(self, data: bytes, start: int) -> None:
        self._data = data
        self._words = _WORD.finditer(data, start)

    def number(self, kind: str) -> float:
        match = next(self._words, None)
        if match is None:
            raise Fault((), *_CUT_SHORT)
        is_float = kind.startswith("f")
        try:
            return number(match[0]) if is_float else integer(match[0])
        except ValueError:
            line = self._data.count(b"\n", 0, match.start()) + 1
            expected = f"{'a number' if is_float else 'an integer'} on line {line}"
            raise Fault((), expected, excerpt(match[0])) from None


class _Binary:
    """Reader of the bytes of a binary PLY."""

    def __init__(self, data: bytes, start: int, order: str) -> None:
        self._data, self._at, self._order = data, start, order

    def number(self, kind: str) -> float:
        (found,) = self._take(np.dtype(self._order + kind), 1).tolist()
        return float(found) if kind.startswith("f") else int(found)

    def read_uniform(self, kind: ElementType) -> ElementData | None:
        """Read all elements at once if they have the layout of the first; else return None and read nothing."""
        start, lengths, fields = self._at, dict[str, int](), list[Any]()
        for p in kind.properties if kind.size else ():
            if p.length is None:
                self.number(p.kind)
                fields.append((p.name, self._order + p.kind))
                continue
            lengths[p.name] = _length(self.number(p.length))
            self._take(np.dtype(self._order + p.kind), lengths[p.name])
            fields.append((f"{p.name} length", self._order + p.length))
            fields.append((p.name, self._order + p.kind, (lengths[p.name],)))
        self._at = start
        if not fields or start + kind.size * np.dtype(fields).itemsize > len(self._data):
            return None
        records = self._take(np.dtype(fields), kind.size)
        if any((records[f"{name} length"] != length).any() for name, length in lengths.items()):
            self._at = start
            return None
        flat = [name for name in lengths if name in _INDICES]
        return ElementData(
            {p.name: records[p.name] for p in kind.properties if p.length is None},
            records[flat[0]].ravel() if flat else np.empty(0),
            np.full(kind.size, lengths[flat[0]] if flat else 0, dtype=np.intp),
        )

    def _take(self, dtype: np.dtype[Any], size: int) -> NDArray[Any]:
        end = self._at + size * dtype.itemsize
        if not self._at <= end <= len(self._data):
            raise Fault((), *_CUT_SHORT)
        found = np.frombuffer(self._data, dtype, size, self._at)
        self._at = end
        return found


def _one_by_one(kind: ElementType, read: Callable[[str], float]) -> ElementData:
    numbers: dict[str, array[float]] = {p.name: array("d") for p in kind.properties if p.length is None}
    indices, sizes = array("q"), array("q")
    rows = kind.size if kind.properties else 0
    progress.add_total(rows)
    for row in range(1, rows + 1):
        if row % progress.COUNTED_ROWS == 0:
            progress.advance(progress.COUNTED_ROWS)
        for p in kind.properties:
            if p.length is None:
                numbers[p.name].append(read(p.kind))
                continue
            values = [read(p.kind) for _ in range(_length(read(p.length)))]
            if p.name in _INDICES:
                indices.extend(map(int, values))
                sizes.append(len(values))
    arrays = {name: np.frombuffer(values) for name, values in numbers.items()}
    return ElementData(arrays, np.frombuffer(indices, np.int64), np.frombuffer(sizes, np.int64))


def _length(number: float) -> int:
    if number < 0:
        raise Fault((), "lists of no negative length", f"{number:g}")
    return int(number)

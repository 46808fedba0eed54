"""Cases: pairs of a probe and a primitive as rows of numbers, in the precision that a target is given."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan, nan
from typing import Any, NamedTuple, TypeAlias, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import HitscopeError
from hitscope.geometry.arrays import Array, Shapes, builder, has_width, numbers_of, width
from hitscope.geometry.shapes import PRIMITIVES, PROBES, Plane, Polyhedron, Shape

Reals: TypeAlias = NDArray[Any]
"""An array of float32 or of float64."""
ShapePair: TypeAlias = tuple[Shape, Shape]
"""A probe and a primitive."""

BLOCK = 8192
"""The cases of a block: few enough for their rows to stay in a core's cache."""
MOST_PARTS = 10
"""The most planes or vertices of a polyhedron in a case that is drawn, or that a target in a process is given."""
PART_WIDTH = 4
"""The numbers of a plane; a vertex has three and a NaN."""


@dataclass(frozen=True, eq=False)
class Cases:
    """n cases of one pair of types."""

    pair: str
    """PROBE_PRIMITIVE, in the type words of scene files."""
    numbers: Reals
    """(n, k), float32 or float64, C-contiguous: a case's row has its probe's numbers, then its primitive's.

    The order is that of the shapes' fields. A polyhedron has a varying count: its row has MOST_PARTS planes
    (normal, offset) or vertices (x, y, z, NaN), or as many as the largest one, and rows of NaN after the last one.
    """

    @classmethod
    def of_shapes(cls, pair: str, shapes: Sequence[ShapePair], real: Any = np.float64) -> "Cases":
        """Return the cases of these shapes, their numbers rounded to a precision."""
        parts = MOST_PARTS
        if not has_width(kinds(pair)[1]):
            parts = max([parts, *(len(_parts(polyhedron)) for _, polyhedron in shapes)])
        numbers = np.full((len(shapes), case_width(pair, parts)), np.nan, real)
        for row, (probe, primitive) in zip(numbers, shapes, strict=True):
            given = [*numbers_of(probe), *_numbers_of_primitive(primitive)]
            row[: len(given)] = given
        return cls(pair, numbers)

    @classmethod
    def of_rows(cls, pair: str, rows: Array, real: str) -> "Cases":
        """Return the cases of numbers (k, n), a row for each place in a case, that are numbers of a precision."""
        cases = cls(pair, np.ascontiguousarray(rows.T, dtype=real))
        vars(cases)["rows"] = rows
        return cases

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, part: slice) -> "Cases":
        is_all = part.indices(len(self)) == (0, len(self), 1)
        return self if is_all else Cases(self.pair, self.numbers[part])

    @cached_property
    def rows(self) -> Array:
        """The numbers in float64, a row for each place in a case; (k, n)."""
        return np.ascontiguousarray(self.numbers.T, dtype=np.float64)

    @property
    def probes(self) -> Shapes:
        """The probes, in float64."""
        kind = kinds(self.pair)[0]
        return Shapes(kind, self.rows[: width(kind)])

    @property
    def primitives(self) -> Shapes:
        """The primitives, in float64; there is no array of polyhedra."""
        probe, primitive = kinds(self.pair)
        return Shapes(primitive, self.rows[width(probe) :])

    def shapes(self, index: int) -> ShapePair:
        """Return one case as a probe and a primitive."""
        probe, primitive = kinds(self.pair)
        row = self.numbers[index].tolist()
        first, rest = row[: width(probe)], row[width(probe) :]
        return builder(probe)(first), builder(primitive)(rest) if has_width(primitive) else _polyhedron(rest)


def kinds(pair: str) -> tuple[type, type]:
    """Return the types of a pair's probe and primitive."""
    probe, primitive = pair.split("_")
    return PROBES[probe], PRIMITIVES[primitive]


def case_width(pair: str, parts: int = MOST_PARTS) -> int:
    """Return the count of numbers of a case, whose polyhedron has at most so many planes or vertices."""
    probe, primitive = kinds(pair)
    return width(probe) + (width(primitive) if has_width(primitive) else parts * PART_WIDTH)


def _numbers_of_primitive(primitive: Any) -> list[float]:
    kind: type = type(primitive)
    if has_width(kind):
        return numbers_of(primitive)
    return [number for part in _parts(primitive) for number in part]


def _parts(polyhedron: Any) -> list[list[float]]:
    return [*map(numbers_of, polyhedron.planes), *([*vertex, nan] for vertex in polyhedron.vertices)]


def _polyhedron(numbers: Sequence[float]) -> Polyhedron:
    planes, vertices = [], []
    for k in range(0, len(numbers), PART_WIDTH):
        x, y, z, offset = numbers[k : k + PART_WIDTH]
        if isnan(x):
            break
        if isnan(offset):
            vertices.append((x, y, z))
        else:
            planes.append(Plane._make(((x, y, z), offset)))
    return Polyhedron._make((tuple(planes), tuple(vertices)))


class Field(NamedTuple):
    """A field of a shape: points or vectors of three numbers each, or one number."""

    name: str
    vectors: int
    """The count of points or vectors; 0 for a number."""


class Layout(NamedTuple):
    """The fields of a probe and of a primitive, in the order of their numbers."""

    probe: tuple[Field, ...]
    primitive: tuple[Field, ...]


def layout(pair: str) -> Layout:
    """Return the layout of the cases of a pair; raises HitscopeError for polyhedra, which have none."""
    probe, primitive = kinds(pair)
    if not has_width(primitive):
        raise HitscopeError(f"{pair}: expected a pair of shapes with a fixed count of numbers, found a polyhedron")
    return Layout(fields(probe), fields(primitive))


def fields(kind: type) -> tuple[Field, ...]:
    return tuple(Field(name, _vectors(annotation)) for name, annotation in get_type_hints(kind).items())


def _vectors(annotation: object) -> int:
    """Return the count of vectors of a number (0), a vector (1) or a frame (3)."""
    parts = get_args(annotation)
    return max(1, sum(map(_vectors, parts))) if parts else 0

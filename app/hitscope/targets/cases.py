"""Cases: pairs of a probe and a primitive as rows of numbers, in the precision that a target is given."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, islice, repeat
from math import isnan, nan
from operator import is_
from typing import Any, NamedTuple, TypeAlias, get_type_hints

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import HitscopeError
from hitscope.geometry import exact, registry
from hitscope.geometry.arrays import Array, Shapes, builder, has_width, numbers_of, width
from hitscope.geometry.kinds import number_count, word_of
from hitscope.geometry.kinds.record import Numbers6
from hitscope.geometry.shapes import Plane, Shape

Reals: TypeAlias = NDArray[Any]
ShapePair: TypeAlias = tuple[Shape, Shape]

BLOCK = 8192
"""The cases of a block: few enough for their rows to stay in a core's cache."""
MOST_PARTS = 10
"""The most planes or vertices of a polyhedron in a case that is drawn, or that a target in a process is given."""
PART_WIDTH = 4
"""The numbers of a plane; a vertex has three and a NaN."""
LARGEST_WHOLE = 256
"""The bound of whole numbers of which products and sums are exact in either precision."""


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
    def of_shapes(
        cls, pair: str, probes: Sequence[Shape], primitives: Sequence[Shape], real: Any = np.float64
    ) -> "Cases":
        """Return the cases of as many probes as primitives, their numbers rounded to a precision."""
        if len(probes) and in_arrays(pair):
            both = _rows_of(probes), _rows_of(primitives)
            columns = [np.broadcast_to(rows, (len(rows), len(probes))) for rows in both]
            return cls(pair, np.ascontiguousarray(np.concatenate(columns).T, dtype=real))
        shapes = [*zip(probes, primitives, strict=True)]
        bodies = [of for of, kind in zip((probes, primitives), kinds(pair), strict=True) if not has_width(kind)]
        parts = max([MOST_PARTS, *(len(_parts(body)) for body in chain(*bodies))])
        numbers = np.full((len(shapes), case_width(pair, parts)), np.nan, real)
        for row, case in zip(numbers, shapes, strict=True):
            row[:] = [number for shape in case for number in _numbers_of(shape, parts)]
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
        kind = kinds(self.pair)[0]
        return Shapes(kind, self.rows[: width(kind)])

    @property
    def primitives(self) -> Shapes:
        """The primitives, in float64; there is no array of polyhedra."""
        probe, primitive = kinds(self.pair)
        return Shapes(primitive, self.rows[width(probe) :])

    @property
    def are_whole(self) -> NDArray[np.bool_]:
        """Which cases are of small whole numbers, with which sums and products are exact; (n,)."""
        with np.errstate(invalid="ignore"):
            small = (np.rint(self.numbers) == self.numbers) & (np.abs(self.numbers) < LARGEST_WHOLE)
        whole: NDArray[np.bool_] = np.all(small | np.isnan(self.numbers), axis=1)
        return whole

    def shapes(self, index: int) -> ShapePair:
        probe, primitive = kinds(self.pair)
        row = self.numbers[index].tolist()
        size = probe_width(self.pair, len(row))
        return _shape_of(probe, row[:size]), _shape_of(primitive, row[size:])


def _rows_of(shapes: Sequence[Shape]) -> Array:
    if isinstance(shapes, Shapes):
        return shapes.rows
    # One probe is often that of all pairs.
    return Shapes.of(shapes[:1] if all(map(is_, shapes, repeat(shapes[0]))) else shapes).rows


def kinds(pair: str) -> tuple[type, type]:
    return registry.KINDS_OF_PAIR[pair]


def has_t(pair: str) -> bool:
    """Whether a verdict of a pair has a t: that of a linear probe, and of one that moves."""
    return word_of(kinds(pair)[0]) in exact.WITH_T


def in_arrays(pair: str) -> bool:
    """Whether all cases of a pair have as many numbers: there is no array of polyhedra."""
    return all(map(has_width, kinds(pair)))


def probe_width(pair: str, size: int) -> int:
    """Return the count of numbers of the probe in a case of so many."""
    probe, primitive = kinds(pair)
    if has_width(probe):
        return width(probe)
    if has_width(primitive):
        return size - width(primitive)
    return (size + more_numbers(probe) - more_numbers(primitive)) // 2


def case_width(pair: str, parts: int = MOST_PARTS) -> int:
    """Return the count of numbers of a case, whose polyhedron has at most so many planes or vertices."""
    return sum(width(kind) if has_width(kind) else parts * PART_WIDTH + more_numbers(kind) for kind in kinds(pair))


def more_numbers(kind: type) -> int:
    """Return how many numbers a type of varying size has beside its planes or vertices: a radius, a motion."""
    return sum(_counts_beside(kind))


@cache
def _counts_beside(kind: type) -> list[int]:
    """Return how many numbers the fields after the planes and vertices have."""
    return [number_count(hint) for hint in list(get_type_hints(kind).values())[2:]]


def _numbers_of(shape: Any, parts: int) -> list[float]:
    """Return the numbers of a shape: a polyhedron's planes or vertices, NaN, and what is beside these."""
    kind: type = type(shape)
    if has_width(kind):
        return numbers_of(shape)
    given = [number for part in _parts(shape) for number in part]
    return [*given, *[nan] * (parts * PART_WIDTH - len(given)), *numbers_of(tuple(shape[2:]))]


def _parts(polyhedron: Any) -> list[list[float]]:
    return [*map(numbers_of, polyhedron.planes), *([*vertex, nan] for vertex in polyhedron.vertices)]


def _shape_of(kind: Any, numbers: Sequence[float]) -> Any:
    if has_width(kind):
        return builder(kind)(numbers)
    size = len(numbers) - more_numbers(kind)
    planes, vertices = [], []
    for k in range(0, size, PART_WIDTH):
        x, y, z, offset = numbers[k : k + PART_WIDTH]
        if isnan(x):
            break
        if isnan(offset):
            vertices.append((x, y, z))
        else:
            planes.append(Plane._make(((x, y, z), offset)))
    more = iter(numbers[size:])
    fields = [tuple(islice(more, count)) for count in _counts_beside(kind)]
    beside = (field if len(field) > 1 else field[0] for field in fields)
    return kind._make((tuple(planes), tuple(vertices), *beside))


class Field(NamedTuple):
    """A field of a shape: one or several numbers, points or vectors."""

    name: str
    parts: int
    size: int
    """The count of numbers of each: 3 of a point or vector, else 1."""

    @property
    def is_vector(self) -> bool:
        return self.size > 1

    @property
    def in_vectors(self) -> "Field":
        """The field of a shader, of which several numbers are vectors: there is no room for many attributes."""
        return self if self.parts < 3 or self.is_vector else self._replace(parts=self.parts // 3, size=3)


def layout(pair: str) -> tuple[tuple[Field, ...], ...]:
    """Return the fields of a pair's probe and primitive; raises HitscopeError for polyhedra, which have none."""
    if not in_arrays(pair):
        raise HitscopeError(f"{pair}: expected a pair of shapes with a fixed count of numbers, found a polyhedron")
    return tuple(map(fields, kinds(pair)))


def fields(kind: type) -> tuple[Field, ...]:
    found = []
    for name, annotation in get_type_hints(kind).items():
        numbers = number_count(annotation)
        size = 1 if annotation == Numbers6 or numbers == 1 else 3
        found.append(Field(name, numbers // size, size))
    return tuple(found)

"""The types of shapes: a file a family, with one record a type, from which all tables of `geometry` derive.

A new shape is a named tuple and a `Kind` in a file here, a place in KINDS, and in PROBES, PRIMITIVES or both of
`geometry.shapes`; a struct for each in `scene.items`; its methods, in modules named after their
pairs; and one entry in each `ShapeTable` of the other rooms. tests/packaging/test_shape_tables.py lists what is
missing, and whoever asks a table for a shape that it lacks is told which table and which shape.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar, get_args, get_type_hints

from hitscope.errors import HitscopeError
from hitscope.geometry.kinds.boxes import AABB, OBB, PARALLELEPIPED
from hitscope.geometry.kinds.flat import PLANE, TRIANGLE
from hitscope.geometry.kinds.points_and_lines import LINE, POINT, RAY, SEGMENT
from hitscope.geometry.kinds.polyhedra import FRUSTUM, POLYHEDRON
from hitscope.geometry.kinds.record import Cell, Kind, Scale
from hitscope.geometry.kinds.round import CAPSULE, SPHERE
from hitscope.geometry.kinds.wrapped import WRAPPED, WRAPPED_KINDS, Cast, Rounded, Wrapped

V = TypeVar("V")


class ShapeTable(dict[type, V]):
    """A room's entries for the types of shapes: one entry each, or each of a `role` ("probe", "primitive").

    The entry of a type that is rounded or cast follows from that of the type that it wraps: `rounded` and `cast`
    return it, from that type and its entry, which serves for both by default. A type that is asked for and has
    none raises HitscopeError, with the names of the table and the type.
    """

    def __init__(
        self,
        name: str,
        entries: Mapping[type, V],
        role: str = "shape",
        rounded: Callable[[type, V], V] = lambda kind, entry: entry,
        cast: Callable[[type, V], V] = lambda kind, entry: entry,
    ) -> None:
        super().__init__(entries)
        self.name, self.role = name, role
        for kind in WRAPPED:
            if kind not in self and kind.wrapped in self and (role != "primitive" or issubclass(kind, Rounded)):
                self[kind] = (rounded if issubclass(kind, Rounded) else cast)(kind.wrapped, self[kind.wrapped])
        SHAPE_TABLES.append(self)

    def __missing__(self, kind: type) -> V:
        raise HitscopeError(f"{self.name} has no entry for {getattr(kind, '__name__', kind)}")


SHAPE_TABLES: list[ShapeTable[Any]] = []
"""All tables with an entry for each type of shape, of the modules that are imported."""

_OWN = POINT, SEGMENT, RAY, LINE, AABB, OBB, PARALLELEPIPED, TRIANGLE, PLANE, POLYHEDRON, SPHERE, CAPSULE, FRUSTUM
KINDS: ShapeTable[Kind] = ShapeTable(f"{__name__}.KINDS", {kind.shape: kind for kind in (*_OWN, *WRAPPED_KINDS)})
"""The record of each type of shape."""


def word_of(kind: type) -> str:
    """Return the word of a type in the names of pairs, such as "aabb", "rounded_aabb" or "cast_rounded_aabb"."""
    return _word(kind.__name__)


@cache
def _word(name: str) -> str:
    return re.sub(r"\B(?=[A-Z])", "_", name).lower()


def innermost(kind: type) -> type:
    """Return the type that others are around, or a type that is around none itself."""
    while issubclass(kind, Wrapped):
        kind = kind.wrapped
    return kind


def listed(kinds: Iterable[type], name: Callable[[type], str] = lambda kind: kind.__name__) -> str:
    """Return the names of types in a message; of those around others, "Rounded" or "Cast"."""
    shown = (next((wrapper for wrapper in (Cast, Rounded) if issubclass(kind, wrapper)), kind) for kind in kinds)
    return ", ".join(dict.fromkeys(map(name, shown)))


def scales_of(kind: type, value: Any = None) -> Iterator[Scale]:
    """Yield the meaning of each number of a shape, in order; types of varying size need the shape itself."""
    own = KINDS[kind].scales
    for k, (name, hint) in enumerate(get_type_hints(kind).items()):
        parts = get_args(hint)
        if parts[1:] == (...,):
            for part in value[k]:
                yield from scales_of(parts[0], part) if parts[0] in KINDS else [Scale.LENGTH] * len(part)
        else:
            yield from [own.get(name, Scale.LENGTH)] * number_count(hint)


def number_count(annotation: Any) -> int:
    """Return how many numbers a value of a field's type has."""
    return sum(map(number_count, get_args(annotation))) or 1

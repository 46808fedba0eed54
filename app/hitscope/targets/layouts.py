"""The layout of a case: what its numbers are called in the source of a target."""

from typing import NamedTuple, get_args, get_type_hints

from hitscope.errors import HitscopeError
from hitscope.geometry.arrays import has_width
from hitscope.targets.cases import kinds


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
    """Return the fields of a type of shape."""
    return tuple(Field(name, _vectors(annotation)) for name, annotation in get_type_hints(kind).items())


def _vectors(annotation: object) -> int:
    """Return the count of vectors of a number (0), a vector (1) or a frame (3)."""
    parts = get_args(annotation)
    return max(1, sum(map(_vectors, parts))) if parts else 0

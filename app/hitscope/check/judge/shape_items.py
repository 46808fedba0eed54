"""A pair of shapes as numbers, and as the items of a scene file, whose format says which numbers are sound."""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

from hitscope.errors import Fault
from hitscope.geometry.arrays import numbers_of
from hitscope.geometry.shapes import Aabb, Polyhedron, Shape, Triangle, word
from hitscope.scene import model


def with_numbers(shape: Shape, numbers: Sequence[float]) -> Shape:
    """Give the shape with other numbers in the place of its own."""
    remade: Shape = _remade(shape, iter(numbers))
    return remade


def is_sound(shape: Shape) -> bool:
    """Say whether a scene file can hold the shape."""
    if not all(map(isfinite, numbers_of(shape))):
        return False
    try:
        item({**model.PROBES, **model.PRIMITIVES}, shape)
    except Fault:
        return False
    return True


def item(kinds: dict[str, type[model.Item]], shape: Shape) -> model.Item:
    """Give the shape as a probe or a primitive of a scene; what the format refuses is a Fault."""
    fields: dict[str, Any]
    match shape:
        case Aabb(lo, hi):
            fields = {"min": lo, "max": hi}
        case Triangle():
            fields = {"vertices": tuple(shape)}
        case Polyhedron((), vertices):
            fields = {"vertices": vertices}
        case Polyhedron(planes):
            fields = {"planes": tuple(model.HalfSpace(normal=normal, offset=offset) for normal, offset in planes)}
        case _:
            fields = shape._asdict()
    return kinds[word(shape)](**fields)


def _remade(value: Any, numbers: Iterator[float]) -> Any:
    if not isinstance(value, tuple):
        return next(numbers)
    parts = [_remade(part, numbers) for part in value]
    return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)

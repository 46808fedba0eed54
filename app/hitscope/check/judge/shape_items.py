"""Shapes made of other numbers, and shapes as items of a scene file, whose format decides which are sound."""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any, TypeAlias

from hitscope.errors import Fault
from hitscope.geometry.arrays import numbers_of
from hitscope.geometry.shapes import Shape, word
from hitscope.scene import model
from hitscope.scene.shape_items import fields_of

ShapePair: TypeAlias = tuple[Shape, Shape]
"""A probe and a primitive."""


def with_numbers(shape: Shape, numbers: Sequence[float]) -> Shape:
    """Return a shape of the same type made of other numbers, in the order of `numbers_of`."""
    remade: Shape = _remade(shape, iter(numbers))
    return remade


def is_sound(shape: Shape) -> bool:
    """Whether a scene file can hold the shape."""
    if not all(map(isfinite, numbers_of(shape))):
        return False
    try:
        item({**model.PROBES, **model.PRIMITIVES}, shape)
    except Fault:
        return False
    return True


def item(kinds: dict[str, type[model.Item]], shape: Shape) -> model.Item:
    """Return a shape as a probe or a primitive of a scene; raises Fault for what the format does not allow."""
    return kinds[word(shape)](**fields_of(shape))


def _remade(value: Any, numbers: Iterator[float]) -> Any:
    if not isinstance(value, tuple):
        return next(numbers)
    parts = [_remade(part, numbers) for part in value]
    return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)

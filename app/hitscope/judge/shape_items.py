"""Shapes made of other numbers, which of them are sound, and shapes as items of a scene file."""

from collections.abc import Sequence
from typing import TypeAlias

from hitscope.errors import HitscopeError
from hitscope.geometry.shapes import Shape, replaced_numbers, word
from hitscope.scene import model
from hitscope.scene.shape_items import fields_of

ShapePair: TypeAlias = tuple[Shape, Shape]
"""A probe and a primitive."""


def with_numbers(shape: Shape, numbers: Sequence[float]) -> Shape:
    """Return a shape of the same type made of other numbers, in the order of `numbers_of`; nothing is checked."""
    remaining = iter(numbers)
    remade: Shape = replaced_numbers(shape, lambda _: next(remaining))
    return remade


def is_sound(shape: Shape) -> bool:
    """Whether the shape is one that a constructor, and so a scene file, accepts."""
    try:
        type(shape)(*shape)
    except HitscopeError:
        return False
    return True


def item(kinds: dict[str, type[model.Item]], shape: Shape) -> model.Item:
    """Return a shape as a probe or a primitive of a scene; raises Fault for what the format does not allow."""
    return kinds[word(shape)](**fields_of(shape))

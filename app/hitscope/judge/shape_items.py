"""Shapes made of other numbers, which of them are sound, and shapes as items of a scene file."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import HitscopeError
from hitscope.geometry.arrays import width
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.shapes import Shape, replaced_numbers, word
from hitscope.scene import model
from hitscope.scene.shape_items import fields_of
from hitscope.targets.cases import Cases, kinds

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


Mask = NDArray[np.bool_]

NOT_FINITE = "numbers that are not finite"
"""Why numbers are no case."""


def faults(cases: Cases) -> Iterator[tuple[str, Mask]]:
    """Yield why some of n cases cannot be judged, and which; each has the first of its reasons."""
    with np.errstate(all="ignore"):
        left: Mask = np.asarray(np.isfinite(cases.rows).all(axis=0))
        if not left.all():
            yield NOT_FINITE, ~left
        probe, primitive = kinds(cases.pair)
        for kind, rows in ((probe, cases.rows[: width(probe)]), (primitive, cases.rows[width(probe) :])):
            for words, is_wrong in KINDS[kind].faults:
                wrong = is_wrong(rows) & left
                if wrong.any():
                    yield words, wrong
                    left &= ~wrong

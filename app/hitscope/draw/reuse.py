"""Reuse of equal objects made before: the renderer compares arrays by identity."""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from hitscope.draw.extent import Extent, Stage

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

P = TypeVar("P", Stage, Extent)
D = TypeVar("D", bound="DataclassInstance")


def old_if_equal(new: P, old: P) -> P:
    """`old` where it has the same numbers as `new`, else `new`."""
    pairs: Iterable[tuple[Any, Any]] = zip(new, old, strict=True)
    return old if all(np.array_equal(a, b) for a, b in pairs) else new


def with_old_arrays(new: D, old: D) -> D:
    """A copy of `new` that has the arrays of `old` in place of equal ones, in nested dataclasses too."""
    kept: dict[str, Any] = {}
    for name in (field.name for field in fields(new)):
        now, before = getattr(new, name), getattr(old, name)
        if isinstance(now, np.ndarray):
            kept[name] = before if now is before or np.array_equal(now, before) else now
        elif is_dataclass(now):
            kept[name] = with_old_arrays(now, before)
    return replace(new, **kept)

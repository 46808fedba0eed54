"""Single elements of a bulk item: taken out as items of their own, replaced, and removed."""

from collections.abc import Collection, Mapping
from typing import Any, cast

import numpy as np
from msgspec import UNSET
from msgspec.structs import replace
from numpy.typing import NDArray

from hitscope.errors import HitscopeError
from hitscope.geometry.shapes import Obb
from hitscope.scene.bulk import Bulk, MeshPrimitive
from hitscope.scene.items import Item, Single
from hitscope.scene.model import STRUCTS
from hitscope.scene.shape_items import arrays_of as arrays_of_shapes
from hitscope.scene.tables import ROW_SHAPES

FEW = 1_000
"""The largest number of rows of a file that are taken into the scene when one of them is changed."""
Arrays = dict[str, NDArray[np.float64]]


def inline(item: Bulk) -> Bulk:
    """Return a bulk item with its numbers in the scene; raises HitscopeError for a mesh and for too many rows."""
    if item.file is UNSET:
        return item
    if isinstance(item, MeshPrimitive):
        raise HitscopeError("Cannot change single triangles of a mesh: change the whole mesh")
    if len(item.shapes) > FEW:
        found = f"it has {len(item.shapes):,} rows, more than {FEW:,}"
        raise HitscopeError(f"Cannot change {item.file.name} here: {found}; edit the file itself")
    fields: dict[str, Any] = arrays_of_shapes(item.shapes)
    return replace(item, file=UNSET, **fields)


def can_inline(item: Bulk) -> bool:
    return item.file is UNSET or not (isinstance(item, MeshPrimitive) or len(item.shapes) > FEW)


def arrays_of(item: Bulk) -> Arrays:
    """Return the arrays of an item without a file by field name: (N,), (N, 3), (N, 4) or (N, 3, 3)."""
    return {name: getattr(item, name).array for name in _fields_given(item)}


def element(item: Bulk, row: int) -> Single:
    """Return an element as an item of its own, without an id; raises HitscopeError as `inline` does."""
    arrays = arrays_of(inline(item))
    fields: dict[str, Any] = {name: _tuples(array[row].tolist()) for name, array in arrays.items()}
    if hasattr(item, "enabled"):
        fields["enabled"] = item.enabled
    made = STRUCTS[item.role][item.element_word](**fields)
    assert isinstance(made, Single)
    return made


def with_elements(item: Bulk, changed: Mapping[int, Single]) -> Bulk:
    """Return a bulk item with some rows replaced; raises HitscopeError for an element that it cannot hold.

    Where a box has another form of rotation than the item, all boxes are stored by their axes, bit by bit.
    """
    item = inline(item)
    for made in changed.values():
        if made.word != item.element_word:
            change = f"{item.element_word}s into {'an' if made.word[0] in 'aeiou' else 'a'} {made.word}"
            raise HitscopeError(f"Cannot turn one element of {change}: duplicate it first")
    arrays = arrays_of(item)
    if any(set(_fields_given(made)) != set(arrays) for made in changed.values()):
        arrays = {name: array for name, array in arrays.items() if name in ("center", "half_extents")}
        arrays["axes"] = item.shapes.rows[6:].T.reshape(-1, 3, 3)
    after = {name: np.array(array) for name, array in arrays.items()}
    for row, made in changed.items():
        for name, array in after.items():
            array[row] = cast(Obb, made.shape).axes if name == "axes" else getattr(made, name)
    return replace(item, **{**dict.fromkeys(arrays_of(item), UNSET), **after})


def without_elements(item: Bulk, rows: Collection[int]) -> Bulk:
    """Return a bulk item without some of its rows; raises HitscopeError as `inline` does."""
    item = inline(item)
    return replace(item, **{name: np.delete(array, list(rows), 0) for name, array in arrays_of(item).items()})


def _fields_given(item: Item) -> list[str]:
    return [name for name in item.__struct_fields__ if name in ROW_SHAPES and getattr(item, name) is not UNSET]


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value

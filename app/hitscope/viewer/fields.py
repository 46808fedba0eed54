"""The numbers of an item, one by one: as text, from text, and put back. A box may change its form."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from hitscope.errors import HitscopeError, quoted
from hitscope.geometry.shapes import Shape
from hitscope.scene.items import AabbFields, Item
from hitscope.scene.save import EXACT_INTEGERS

Place: TypeAlias = tuple[str | int, ...]
"""The keys and indices that lead from an item to one of its numbers."""
T = TypeVar("T", bound=Item)

AXES = "xyz"
QUATERNION = "xyzw"
EXPECTED = 'a number such as 0.1, -2, 1e-3 or, in hex, "0x1.8p-1"'
FORMS = {"corners": ("min", "max"), "centre": ("center", "half_extents")}
"""How a box with axes of the scene may be given."""


class Row(NamedTuple):
    """Numbers that stand side by side, and what to call each."""

    label: str
    places: tuple[Place, ...]
    names: tuple[str, ...]
    values: tuple[float, ...]


def rows(item: Item | Shape) -> Iterator[tuple[str, list[Row]]]:
    """Give each field of numbers of an item, or of a shape, with its rows."""
    for name in item.__struct_fields__ if isinstance(item, Item) else item._fields:
        value = getattr(item, name)
        if name not in ("id", "file", "enabled") and isinstance(value, float | tuple) and value != ():
            yield name, list(_rows(name, (name,), value))


def _rows(label: str, place: Place, value: Any) -> Iterator[Row]:
    if isinstance(value, float):
        yield Row(label, (place,), (label,), (value,))
    elif isinstance(value, tuple) and all(isinstance(number, float) for number in value):
        names = tuple(QUATERNION if len(value) == 4 else AXES[: len(value)])
        yield Row(label, tuple((*place, i) for i in range(len(value))), names, value)
    elif isinstance(value, tuple) and not hasattr(value, "_fields"):
        for i, part in enumerate(value):
            yield from _rows(f"{label} {i}", (*place, i), part)
    else:  # a half-space: its normal, and its offset beside it
        (row,) = _rows(label, (*place, "normal"), value.normal)
        yield row._replace(
            places=(*row.places, (*place, "offset")),
            names=(*row.names, "offset"),
            values=(*row.values, value.offset),
        )


def name_of(place: Place) -> str:
    """Say which number is meant, e.g. "center y" or "vertices 2 z"."""
    *path, last = place
    words = [str(step) for step in path]
    if isinstance(last, int) and words:
        return " ".join([*words, QUATERNION[last]])
    return " ".join([*words, str(last)])


def written(value: float) -> str:
    """Give the shortest text that reads back as the same float64, as the scene file has it."""
    if value.is_integer() and abs(value) < EXACT_INTEGERS and str(value) != "-0.0":
        return str(int(value))
    return repr(value)


def parsed(text: str) -> float:
    """Read a decimal or a hex number; raises HitscopeError, in words, for what is none or not finite."""
    given = text.strip().replace("−", "-")
    try:
        value = float.fromhex(given) if re.match(r"[+-]?0x", given, re.IGNORECASE) else float(given)
    except OverflowError:
        value = float("inf")
    except ValueError:
        raise HitscopeError(f"expected {EXPECTED}, found {quoted(text)}") from None
    if value - value != 0:
        raise HitscopeError(f"expected a number that float64 can hold, found {quoted(text)}")
    return value


def with_number(item: T, place: Place, value: float) -> T:
    """Give the item with another number; raises a Fault where it then defines no shape."""
    field, *rest = place
    return replace(item, **{str(field): _put(getattr(item, str(field)), rest, value)})


def _put(whole: Any, place: list[str | int], value: float) -> Any:
    if not place:
        return value
    step, *rest = place
    if isinstance(step, str):
        return replace(whole, **{step: _put(getattr(whole, step), rest, value)})
    return (*whole[:step], _put(whole[step], rest, value), *whole[step + 1 :])


def form_of(item: Item) -> str | None:
    """Give the form of a box that could be given in another one."""
    if not isinstance(item, AabbFields):
        return None
    return next(form for form, (first, _) in FORMS.items() if getattr(item, first) is not UNSET)


def in_form(item: AabbFields, form: str) -> AabbFields:
    """Give the box in another form, its numbers rounded to nearest; raises a Fault where they overflow."""
    lo, hi = item.shape
    if form == "centre":
        center = tuple(a / 2 + b / 2 for a, b in zip(lo, hi, strict=True))
        half = tuple(b / 2 - a / 2 for a, b in zip(lo, hi, strict=True))
        values = dict(zip(FORMS[form], (center, half), strict=True))
    else:
        values = dict(zip(FORMS[form], (lo, hi), strict=True))
    return replace(item, **({name: UNSET for pair in FORMS.values() for name in pair} | values))

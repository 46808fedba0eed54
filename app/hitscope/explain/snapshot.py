"""Copies of values at one moment, which the code that goes on running cannot change."""

from fractions import Fraction
from operator import is_
from typing import Any, TypeVar

import numpy as np

from hitscope import numerals
from hitscope.geometry.exact import rounded
from hitscope.unrounded import Unrounded

T = TypeVar("T")

LONGEST_FRACTION = 15
"""The most characters of a fraction that is shown as one."""
ATOMS = frozenset({float, int, bool, str, Unrounded, Fraction, bytes, complex, type(None)})
"""The types of values without parts that nothing can change."""


class ObjectText(str):
    """An object as it was at the moment, in words: it cannot be copied, or only by code of its own."""

    __slots__ = ()

    __repr__ = str.__str__


class Array(list[Any]):
    """The nested lists of a NumPy array's elements; its own text would round and leave out."""

    def __repr__(self) -> str:
        return f"array({super().__repr__()})"


CONTAINERS = frozenset({tuple, list, set, frozenset, Array, dict})
"""The types of containers whose numbers are replaced, beside named tuples."""


def snapshot(value: Any, unchangeable: dict[int, Any] | None = None, parents: frozenset[int] = frozenset()) -> Any:
    """Return a deep copy of lists, dicts, sets, tuples and arrays, and the text of any other object.

    A value that nothing can change is returned as it is; `unchangeable` has the tuples that are such by their ids,
    and is added to. `parents` are the ids of the containers that it is in.
    """
    kind = type(value)
    unchangeable = {} if unchangeable is None else unchangeable
    # A polyhedron or a point of a list, which nothing can change, would be walked through again at each step.
    if kind in ATOMS or id(value) in unchangeable or isinstance(value, np.generic):
        return value
    if id(value) in parents:
        return ObjectText("...")
    around = parents | {id(value)}

    def inner(part: Any) -> Any:
        return part if type(part) in ATOMS else snapshot(part, unchangeable, around)

    if kind in (list, set, frozenset):
        return kind(map(inner, value))
    if kind is dict:
        return {inner(key): inner(part) for key, part in value.items()}
    if isinstance(value, tuple) and (kind is tuple or hasattr(kind, "_fields")):
        parts = list(map(inner, value))
        if all(map(is_, parts, value)):
            unchangeable[id(value)] = value
            return value
        return tuple(parts) if kind is tuple else kind._make(parts)
    if isinstance(value, np.ndarray):
        elements = inner(value.tolist())
        return Array(elements) if value.ndim else ObjectText(f"array({elements!r})")
    try:
        own_text: Any = kind.__repr__
        if own_text is object.__repr__ and hasattr(value, "__dict__"):
            fields = ", ".join(f"{name}={inner(part)!r}" for name, part in vars(value).items())
            return ObjectText(f"{kind.__qualname__}({fields})")
        return ObjectText(repr(value))
    except Exception as error:
        return ObjectText(f"<{kind.__qualname__} without a text: {type(error).__name__}>")


def unrounded(value: T) -> T:
    """Return a value with every Fraction in it replaced by an unrounded number."""
    replaced: T = _replaced(value, Fraction, Unrounded, {})
    return replaced


def in_fractions(value: T) -> T:
    """Return a value with every unrounded number in it replaced by a plain Fraction."""
    replaced: T = _replaced(value, Unrounded, Fraction, {})
    return replaced


def _replaced(value: Any, kind: type[Fraction], new: type[Fraction], known: dict[int, Any]) -> Any:
    """Replace the numbers of a kind in containers; `known` has the values that were, by their ids."""
    type_of_value = type(value)
    # The type itself is compared, as isinstance is slow for numbers.
    if type_of_value is not kind and type_of_value not in CONTAINERS and not isinstance(value, tuple):
        return value
    if id(value) not in known:
        if type_of_value is kind:
            made: Any = new(value)
        elif type_of_value is dict:
            made = {name: _replaced(part, kind, new, known) for name, part in value.items()}
        else:
            parts = [_replaced(part, kind, new, known) for part in value]
            if all(map(is_, parts, value)):
                made = value
            else:
                made = tuple.__new__(type_of_value, parts) if isinstance(value, tuple) else type_of_value(parts)
        known[id(value)] = made
    return known[id(value)]


def value_text(value: Any, as_hex: bool = False, digits: int | None = None) -> str:
    """Return a value in words: a float in so many `digits`, in those that tell its bits, or as its bits."""

    def inner(part: Any) -> str:
        return value_text(part, as_hex, digits)

    if isinstance(value, float | np.floating):
        if as_hex:
            return numerals.in_hex(float(value))
        if digits is not None:
            return numerals.short(float(value), digits)
        return repr(value) if type(value) is float else str(value)
    if isinstance(value, np.generic):
        return str(value)
    if isinstance(value, Fraction):
        # As the float that it is, as a quotient, or, if that is long, as the nearest float after ≈.
        nearest = rounded(value)
        if nearest == value:
            return value_text(nearest, as_hex)
        is_short = max(abs(value.numerator), value.denominator) < 10**LONGEST_FRACTION
        is_shown = is_short and len(str(value)) <= LONGEST_FRACTION
        return str(value) if is_shown else f"≈{value_text(nearest, as_hex)}"
    if isinstance(value, tuple):
        if (names := getattr(value, "_fields", None)) is None:
            return f"({', '.join(map(inner, value))}{',' * (len(value) == 1)})"
        fields = (f"{name}={inner(part)}" for name, part in zip(names, value, strict=True))
        return f"{type(value).__name__}({', '.join(fields)})"
    if isinstance(value, list):
        elements = f"[{', '.join(map(inner, value))}]"
        return f"array({elements})" if isinstance(value, Array) else elements
    if isinstance(value, set) and value:
        return f"{{{', '.join(map(inner, value))}}}"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{inner(key)}: {inner(part)}' for key, part in value.items())}}}"
    return repr(value)

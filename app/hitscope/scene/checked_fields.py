"""The fields of a struct of the format, checked wherever it is made.

msgspec checks those that it decodes. Those given in Python are converted by the same types, so that the same
values are refused in the same words, and the same Python types are kept.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import cache, partial
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

import msgspec
import numpy as np
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import force_setattr

from hitscope.errors import Fault, shown
from hitscope.scene.reference import Reference

_DECODING = ContextVar("decoding", default=False)
_struct_fields = cache(msgspec.structs.fields)


@contextmanager
def decoding() -> Iterator[None]:
    """Leave the fields of structs to msgspec, which checks them when it decodes them."""
    token = _DECODING.set(True)
    try:
        yield
    finally:
        _DECODING.reset(token)


class CheckedFields(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A struct that raises Fault, its path relative to the struct, where a field contradicts its type."""

    def __post_init__(self) -> None:
        """Check and convert the fields, unless msgspec has."""
        if _DECODING.get():
            return
        for field in _fields(type(self)):
            value = getattr(self, field.name)
            if not (value is UNSET and field.may_be_unset) and not self._is_checked(field.name, value):
                converted = _converted(field, value)
                if converted is not value:
                    force_setattr(self, field.name, converted)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the fields that were given: msgspec knows a default only by its identity."""
        defaults = {field.name: field.default for field in _struct_fields(type(self))}
        given = {name: value for name in defaults if (value := getattr(self, name)) is not defaults[name]}
        return _remade, (type(self), given)

    def _is_checked(self, name: str, value: Any) -> bool:
        """Whether a value was checked as the same field of another struct."""
        return False


def _remade(kind: type[Struct], given: dict[str, Any]) -> Struct:
    with decoding():
        return kind(**given)


class _Field(NamedTuple):
    name: str
    kind: Any
    may_be_unset: bool
    convert: Callable[[Any], Any]
    """Convert a value given in Python as msgspec decodes one; raises ValidationError."""


@cache
def _fields(kind: type[Struct]) -> list[_Field]:
    """Return the fields that msgspec can check: all but the arrays of bulk items, which `tables` reads."""
    hints = get_type_hints(kind, include_extras=True)
    return [
        _Field(
            name,
            hints[name],
            _mentions(hints[name], UnsetType),
            partial(msgspec.convert, type=hints[name], dec_hook=partial(Reference.of, Path())),
        )
        for name in kind.__struct_fields__
        if not _mentions(hints[name], Raw)
    ]


def _mentions(kind: Any, part: type) -> bool:
    return kind is part or any(_mentions(inner, part) for inner in get_args(kind))


def _converted(field: _Field, value: Any) -> Any:
    """Return a value as decoding its JSON would; raises Fault for a value that JSON or the type refuses."""
    try:
        try:
            converted = field.convert(value)
        except msgspec.ValidationError:
            converted = field.convert(_plain(value))
    except msgspec.ValidationError as error:
        from hitscope.scene.validation_errors import fault_of_field

        raise fault_of_field(field.name, field.kind, _plain(value), error) from None
    try:
        _check_parts(converted)
    except Fault as fault:
        raise fault.below((field.name,)) from None
    return converted


def _plain(value: Any) -> Any:
    """Return NumPy's numbers and arrays, and Fractions, as Python's numbers and tuples."""
    if isinstance(value, np.generic | np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, Fraction):
        return float(value)
    return tuple(map(_plain, value)) if type(value) in (list, tuple) else value


def _check_parts(value: Any) -> None:
    """Refuse what Python's floats and strings can hold but JSON cannot."""
    if type(value) is float and not isfinite(value):
        raise Fault((), "a finite number", shown(value))
    if type(value) is str and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Fault((), "text that UTF-8 can encode", ascii(value)) from None
    if type(value) is tuple and value and type(value[0]) in (float, str, tuple):
        if type(value[0]) is float and all(map(isfinite, value)):
            return
        for i, part in enumerate(value):
            try:
                _check_parts(part)
            except Fault as fault:
                raise fault.below((i,)) from None

"""The lines of a recording: decoding, and errors with line, column and what was expected there."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec
from msgspec.structs import fields

from hitscope.errors import Fault, HitscopeError, Path
from hitscope.scene.json_locations import line_column_of, read_strictly
from hitscope.scene.validation_errors import Format, fault_of, parsed
from hitscope.viewer.state import inputs
from hitscope.viewer.state.settings import Settings

T = TypeVar("T")

START: msgspec.json.Decoder[inputs.RecordingStart] = msgspec.json.Decoder(inputs.RecordingStart)
INPUT: msgspec.json.Decoder[inputs.Input] = msgspec.json.Decoder(inputs.Input)

_KINDS = {kind.__struct_config__.tag: kind for kind in get_args(inputs.Input)}


def _literals(kind: Any) -> Iterator[str]:
    """The words and numbers of the Literals in a type."""
    if get_origin(kind) is Literal:
        yield from map(str, get_args(kind))
    for part in () if get_origin(kind) is Literal else get_args(kind):
        yield from _literals(part)


_FIELDS = (field for kind in (inputs.RecordingStart, Settings, *_KINDS.values()) for field in fields(kind))
_WORDS = {field.encode_name: tuple(_literals(field.type)) for field in _FIELDS} | {"do": tuple(_KINDS)}
"""The words that the fields of a line may be."""


def decode_line(decoder: "msgspec.json.Decoder[T]", line: bytes, location: str) -> T:
    """The start or the input in a line; `location` is its `FILE:LINE`.

    Raises HitscopeError as `FILE:LINE:COLUMN: JSONPATH: expected ..., found ...`.
    """
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise HitscopeError(f"{location}: expected UTF-8 text, found byte 0x{line[error.start]:02x}") from None
    try:
        read_strictly(text)
        return decoder.decode(text)
    except msgspec.DecodeError as error:
        path, message = parsed(text, str(error))
        known = Format(lambda path, inner: _keys(decoder.type, path, inner), _unknown_word)
        raise line_error(fault_of(text, path, message, known), text, location) from None
    except Fault as fault:
        raise line_error(fault, text, location) from None


def line_error(fault: Fault, text: str, location: str) -> HitscopeError:
    """The error for a fault in a line, whose `FILE:LINE` is `location`."""
    _, column = line_column_of(text, fault)
    return HitscopeError(f"{location}:{column}: {fault}")


def is_incomplete(line: bytes) -> bool:
    """Whether a last line, without a line end, is only the beginning of an input."""
    try:
        INPUT.decode(line)
    except msgspec.ValidationError:
        return False
    except (msgspec.DecodeError, UnicodeDecodeError):
        return True
    return False


def _unknown_word(path: Path, found: Any) -> Fault:
    words = _WORDS[next(step for step in reversed(path) if isinstance(step, str))]
    expected = words[0] if len(words) == 1 else f"one of {', '.join(words)}"
    return Fault(path, expected, json.dumps(found, ensure_ascii=False))


def _keys(kind: Any, path: Path, inner: Mapping[str | int, msgspec.Raw]) -> Collection[str]:
    """The keys that the object at a path may have."""
    if "settings" in path:
        return Settings.__struct_encode_fields__
    if path and str(path[0]).startswith("leftover"):
        return inputs.Leftover.__struct_encode_fields__
    if path:
        return inputs.RecordedFile.__struct_encode_fields__
    if kind is inputs.RecordingStart:
        return inputs.RecordingStart.__struct_encode_fields__
    return ("do", *_KINDS[msgspec.json.decode(inner["do"])].__struct_encode_fields__)

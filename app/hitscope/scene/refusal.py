"""Why a scene file is refused: msgspec's refusal in words, with the line and column that it does not tell.

Imported only when a file has an error, or looks as if it had a key twice.
"""

import json
import re
from collections.abc import Collection
from functools import reduce
from operator import getitem
from typing import Any, get_args

import msgspec

from hitscope.errors import Fault, Path, SceneError, quoted
from hitscope.scene.model import (
    PRIMITIVES,
    PROBES,
    Camera,
    Expectation,
    HalfSpace,
    MethodChoice,
    Scene,
    Side,
    State,
    Up,
    View,
)
from hitscope.scene.position import end, excerpt, line_column, offset_of, places, read_strictly
from hitscope.scene.tables import UndecodedError

VERSION = "1"

_MESSAGE = re.compile(r"(.*?)(?: - at `(\$[^`]*)`)?", re.DOTALL)
_UNKNOWN_KEY = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_UNKNOWN_WORD = ("Invalid value ", "Invalid enum value ")
_MISSING_KEY = re.compile(r"Object missing required field `(.*)`")
_OUT_OF_RANGE = ("Number out of range", "Integer value out of range")
_EXPECTED = re.compile(r"Expected `([^`]*)`(.*?)(?:, got `[^`]*`)?", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(?:([0-9]+)|\.\.\.)\]")
_TYPES = {
    "float": "a number",
    "int": "an integer",
    "str": "a string",
    "bool": "true or false",
    "array": "an array",
    "object": "an object",
    "null": "null",
}
_LIMITS = {" matching regex '^[^\\\\[]+$'": ' that is not empty and has no "["'}


def check(data: bytes, name: str, refusal: Exception | None) -> None:
    """Read a file again, strictly, and raise a SceneError: at the first thing wrong, else for msgspec's refusal.

    A file that msgspec took (`refusal` is None), and in which no key is repeated, passes.
    """
    text = _text(data, name)
    try:
        read_strictly(text)  # what is no JSON, or has a key twice, is told so before anything else
        if isinstance(refusal, msgspec.ValidationError):
            raise _in_words(text, refusal)
        if refusal is not None:
            raise Fault((), "JSON", str(refusal))
    except Fault as fault:
        raise _located(name, text, fault) from None


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode()
        found = f"byte 0x{error.object[error.start]:02x}"
        raise _located(name, before, Fault((), "UTF-8 text", found, offset=len(before))) from None


def _located(name: str, text: str, fault: Fault) -> SceneError:
    offset = offset_of(text, fault.path, fault.at_key) if fault.offset is None else fault.offset
    line, column = line_column(text, offset)
    return SceneError(f"{name}:{line}:{column}: {fault}")


def _in_words(text: str, error: msgspec.ValidationError) -> Fault:
    """Say msgspec's refusal of a JSON text in the words of the scene file."""
    message, where = _matched(_MESSAGE, str(error))
    path = _path(text, where or "$", message)
    if isinstance(numbers := error.__cause__, UndecodedError):
        message, where = _matched(_MESSAGE, str(numbers.error))
        path = (*path, numbers.name, *_path(text, where or "$", message))
    if _version(text) != VERSION:
        # Whatever else is strange in a file of another version, this is the thing to say.
        path, expected = ("version",), VERSION
    elif isinstance(fault := error.__cause__, Fault):
        return fault.below(path)
    elif match := _UNKNOWN_KEY.fullmatch(message):
        known = _known_keys(_document(text), path)
        return Fault.unknown((*path, match[1]), "a key of this object", known, match[1], at_key=True)
    elif message.startswith(_UNKNOWN_WORD):
        return Fault.unknown(path, *_known_words(path), reduce(getitem, path, _document(text)))
    elif match := _MISSING_KEY.fullmatch(message):
        expected = f"the key {quoted(match[1])}"
    elif message in _OUT_OF_RANGE:
        expected = "a finite number"
    else:
        types, limits = _matched(_EXPECTED, message)
        expected = " or ".join(_TYPES[name] for name in types.split(" | "))
        expected += _LIMITS.get(limits, limits.removesuffix(".0"))
    offset = offset_of(text, path)
    return Fault(path, expected, excerpt(text, offset), offset=offset)


def _version(text: str) -> str:
    """Give the version as the file has it; one that has none is taken for ours."""
    found = (place.value for place in places(text, ("version",)) if place.path == ("version",))
    return next((excerpt(text, start) for start in found), VERSION)


def _document(text: str) -> Any:
    return json.loads(text, parse_int=float)  # int refuses thousands of digits


def _path(text: str, where: str, message: str) -> Path:
    """Read msgspec's path; `[...]` in it stands for the first key whose value is as wrong as said."""
    steps = [key or (int(index) if index else None) for key, index in _STEP.findall(where)]
    if None not in steps:
        return tuple(step for step in steps if step is not None)
    accepted = Any if message in _OUT_OF_RANGE else MethodChoice
    for place in places(text):
        pairs = zip(place.path, steps, strict=False)
        if len(place.path) == len(steps) and all(step in (key, None) for key, step in pairs):
            try:
                msgspec.json.decode(text[place.value : end(text, place.value)], type=accepted)
            except msgspec.DecodeError:
                return place.path
    raise AssertionError(f"{where} is nowhere wrong")


def _known_keys(document: Any, path: Path) -> tuple[str, ...]:
    """Give the keys that the object at `path` may have."""
    match path:
        case ("primitives", int(i)):
            return ("type", *PRIMITIVES[document["primitives"][i]["type"]].__struct_encode_fields__)
        case ("probes", int(i)):
            return ("type", *PROBES[document["probes"][i]["type"]].__struct_encode_fields__)
        case ("primitives", int(), "planes", int()):
            return HalfSpace.__struct_encode_fields__
        case ("expect", int()):
            return Expectation.__struct_encode_fields__
        case ("view",):
            return View.__struct_encode_fields__
        case ("view", "camera"):
            return Camera.__struct_encode_fields__
        case _:
            return Scene.__struct_encode_fields__


def _known_words(path: Path) -> tuple[str, Collection[str]]:
    """Give what kind of word stands at `path`, and all that may."""
    match path:
        case ("primitives", _, "type"):
            return "a type of primitive", PRIMITIVES
        case ("probes", _, "type"):
            return "a type of probe", PROBES
        case (*_, "state"):
            return "a state", get_args(State)
        case (*_, "side"):
            return "a side", get_args(Side)
        case _:
            return "an axis", get_args(Up)


def _matched(pattern: re.Pattern[str], text: str) -> tuple[Any, ...]:
    match = pattern.fullmatch(text)
    assert match, f"msgspec now says: {text}"
    return match.groups()

"""One line of a recording: what it says, or the error that names its place and what was expected there."""

import re
from collections.abc import Collection
from typing import Any, TypeVar, get_args

import msgspec

from hitscope.errors import Fault, HitscopeError, Path
from hitscope.scene.position import excerpt, offset_of, read_strictly
from hitscope.viewer.state.inputs import Button, Input, Leftover, Modifier, Opened, Opening, Topic, Work
from hitscope.viewer.state.settings import Palette, Settings, ThemeName

T = TypeVar("T")

OPENING: msgspec.json.Decoder[Opening] = msgspec.json.Decoder(Opening)
INPUT: msgspec.json.Decoder[Input] = msgspec.json.Decoder(Input)

_MESSAGE = re.compile(r"(.*?)(?: - at `\$([^`]*)`)?", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[([0-9]+)\]")
_NAMED = re.compile(r"Object (contains unknown|missing required) field `(.*)`", re.DOTALL)
_OUT_OF_RANGE = ("Number out of range", "Integer value out of range")
_EXPECTED = re.compile(r"Expected `([^`]*)`(.*?)(?:, got `[^`]*`)?", re.DOTALL)
_TYPES = {
    "float": "a number",
    "int": "an integer",
    "str": "a string",
    "null": "null",
    "array": "an array",
    "object": "an object",
}
_KINDS = {kind.__struct_config__.tag: kind for kind in get_args(Input)}
_WORDS = {"do": tuple(_KINDS), "button": get_args(Button), "held": get_args(Modifier), "version": ("1",)}
_WORDS |= {"work": get_args(Work), "about": get_args(Topic)}
_WORDS |= {"theme": get_args(ThemeName), "palette": get_args(Palette), "up": ("y", "z")}


def decoded(decoder: "msgspec.json.Decoder[T]", line: bytes, place: str) -> T:
    """Read a line; raises HitscopeError as `PLACE:COLUMN: JSONPATH: expected ..., found ...`."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise HitscopeError(f"{place}: expected UTF-8 text, found byte 0x{line[error.start]:02x}") from None
    try:
        read_strictly(text)
        return decoder.decode(text)
    except msgspec.DecodeError as error:
        raise located(_in_words(decoder.type, text, str(error)), text, place) from None
    except Fault as fault:
        raise located(fault, text, place) from None


def located(fault: Fault, text: str, place: str) -> HitscopeError:
    """Give the error of a fault in the line at a place."""
    offset = offset_of(text, fault.path, fault.at_key) if fault.offset is None else fault.offset
    return HitscopeError(f"{place}:{offset + 1}: {fault}")


def is_cut(line: bytes) -> bool:
    """Say whether a last line, after which there is no line end, is only the beginning of one."""
    try:
        INPUT.decode(line)
    except msgspec.ValidationError:
        return False
    except (msgspec.DecodeError, UnicodeDecodeError):
        return True
    return False


def _in_words(kind: Any, text: str, refusal: str) -> Fault:
    """Say msgspec's refusal of a line of valid JSON in our words."""
    message, where = _matched(_MESSAGE, refusal)
    path = tuple(key or int(index) for key, index in _STEP.findall(where or ""))
    found = excerpt(text, offset_of(text, path))
    if match := _NAMED.fullmatch(message):
        what, name = match.groups()
        if what == "missing required":
            return Fault(path, f'the key "{name}"', found)
        return Fault.unknown((*path, name), "a key of this object", _keys(kind, path, text), name, at_key=True)
    if message.startswith("Invalid"):
        words = _WORDS[next(step for step in reversed(path) if isinstance(step, str))]
        return Fault(path, words[0] if len(words) == 1 else f"one of {', '.join(words)}", found)
    if message in _OUT_OF_RANGE:
        return Fault(path, "a finite number", found)
    types, limits = _matched(_EXPECTED, message)
    return Fault(path, " or ".join(_TYPES[name] for name in types.split(" | ")) + limits, found)


def _keys(kind: Any, path: Path, text: str) -> Collection[str]:
    """Give the keys that the object at a path may have."""
    if "settings" in path:
        return Settings.__struct_fields__
    if path and str(path[0]).startswith("leftover"):
        return Leftover.__struct_fields__
    if path:
        return Opened.__struct_fields__
    if kind is Opening:
        return Opening.__struct_fields__
    return ("do", *_KINDS[msgspec.json.decode(text)["do"]].__struct_fields__)


def _matched(pattern: re.Pattern[str], text: str) -> tuple[Any, ...]:
    match = pattern.fullmatch(text)
    assert match, f"msgspec now says: {text}"
    return match.groups()

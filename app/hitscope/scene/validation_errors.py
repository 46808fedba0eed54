"""msgspec's validation errors of a JSON text as Faults: the value's path, what was expected and what was found."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args, get_origin

import msgspec
from msgspec import Raw

from hitscope.errors import JSON_TYPES, Fault, Path, quoted, shown
from hitscope.scene.json_locations import excerpt, members, offset_of

_MESSAGE = re.compile(r"(.*?)(?: - at `(\$[^`]*)`)?", re.DOTALL)
_UNKNOWN_KEY = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_UNKNOWN_WORD = ("Invalid value ", "Invalid enum value ")
_MISSING_KEY = re.compile(r"Object missing required field `(.*)`")
_OUT_OF_RANGE = ("Number out of range", "Integer value out of range")
_EXPECTED = re.compile(r"Expected `([^`]*)`(.*?)(?:, got (?:`[^`]*`|[0-9]+))?", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(?:([0-9]+)|\.\.\.)\]")
VERSION = "1"
_WORDS = {
    "state": "a state",
    "side": "a side",
    "up": "an axis",
    "show": "what a map shows",
    "float": "a precision",
    "boundary": "a boundary",
    "until": "a condition or a word",
}
_TYPES = {
    "float": "a number",
    "int": "an integer",
    "str": "a string",
    "bool": "true or false",
    "array": "an array",
    "object": "an object",
    "null": "null",
}
_LIMITS = {
    " matching regex '.\\\\..'": ' with the id and the name of a handle, such as "cut.end"',
    " matching regex '^(unit-direction|non-degenerate|max-coordinate=[0-9]+([.][0-9]+)?(e[+-]?[0-9]+)?)$'": (
        " that is unit-direction, non-degenerate or max-coordinate=N"
    ),
    " matching regex '^[^\\\\[]+$'": ' that is not empty and has no "["',
    " matching regex '^(face|edge|vertex|interior|plane|nearest points|start|end|origin|position|direction)'": (
        ' that begins with a feature or axis, such as "face", "edge cross edge" or "nearest points"'
    ),
}


ABSENT = ("cylinder", "cone", "ellipsoid")
"""The shapes of other programs that are none here: none of them is all points within a radius of a polytope."""


class Format(NamedTuple):
    """The keys and words of one format, which msgspec's errors do not list."""

    keys: Callable[[Path, Mapping[str | int, Raw]], Collection[str]]
    """The keys that the object at a path may have, by the path and the object's members."""
    unknown_word: Callable[[Path, Any], Fault]
    """The Fault of a value at a path that is none of the words that it may be."""


def parsed(text: str, error: str, values: Any = Any) -> tuple[Path, str]:
    """Split an error into the path of the wrong value and the rest of the message.

    `[...]` in msgspec's path stands for the first key whose value is not of the type `values`.
    """
    message, where = _matched(_MESSAGE, error)
    steps = [key or (int(index) if index else None) for key, index in _STEP.findall(where or "$")]
    if None not in steps:
        return tuple(step for step in steps if step is not None), message
    accepted = Any if message in _OUT_OF_RANGE else values
    for path, value in _values(Raw(text.encode()), steps):
        try:
            msgspec.json.decode(value, type=accepted)
        except msgspec.DecodeError:
            return path, message
    raise AssertionError(f"{where} has no wrong value")


def fault_of(text: str, path: Path, message: str, form: Format) -> Fault:
    """Return the Fault of a message, without its path, about the value at a path of a JSON text."""
    if match := _UNKNOWN_KEY.fullmatch(message):
        known = form.keys(path, members(_value(text, path)))
        return Fault.unknown((*path, match[1]), "a key of this object", known, match[1], at_key=True)
    if message.startswith(_UNKNOWN_WORD):
        found = json.loads(bytes(_value(text, path)), parse_int=float)  # int refuses thousands of digits
        return form.unknown_word(path, found)
    if match := _MISSING_KEY.fullmatch(message):
        expected = f"the key {quoted(match[1])}"
    elif message in _OUT_OF_RANGE:
        expected = "a finite number"
    else:
        types, limits = _matched(_EXPECTED, message)
        expected = " or ".join(_TYPES[name] for name in types.split(" | "))
        expected += _LIMITS.get(limits, limits.removesuffix(".0"))
    offset = offset_of(text, path)
    return Fault(path, expected, excerpt(text, offset), offset=offset)


def fault_of_field(name: str, kind: Any, value: Any, error: msgspec.ValidationError) -> Fault:
    """Return the error about a field of a type, given in Python, as the Fault of the same value in a file."""
    if name == "version":
        return Fault((name,), VERSION, shown(value))
    if "`key`" in str(error):
        return Fault((name,), "strings as keys", shown(value))
    try:
        inner, text = json.dumps(value, default=shown), json.dumps({name: value}, default=shown)
    except (ValueError, TypeError, RecursionError):
        return Fault((name,), "a value that JSON can hold", shown(value))
    path, message = parsed(inner, str(error), str | dict[str, Any])
    if isinstance(fault := error.__cause__, Fault):
        return fault.below((name, *path))
    if match := _UNKNOWN_KEY.fullmatch(message):
        return Fault((name, *path, match[1]), "a key of this object", quoted(match[1]), at_key=True)
    form = Format(lambda path, inner: (), lambda path, found: unknown_word(path, kind, found))
    fault = fault_of(text, (name, *path), message, form)
    for step in path:
        value = value[step]
    found = fault.found if isinstance(value, JSON_TYPES | int | float) else shown(value)
    return Fault(fault.path, fault.expected, found, at_key=fault.at_key)


def unknown_word(path: Path, kind: Any, found: Any) -> Fault:
    """Return the Fault of a word that none of a type's is; the type is a Literal, or a union with one."""
    words = [word for part in (kind, *get_args(kind)) if get_origin(part) is Literal for word in get_args(part)]
    return Fault.unknown(path, _WORDS[str(path[-1])], words, found)


def unknown_type(path: Path, expected: str, known: Collection[str], found: str) -> Fault:
    """Return the Fault of a word that is no type of item."""
    fault = Fault.unknown(path, expected, known, found)
    if found.removesuffix("s") not in ABSENT:
        return fault
    return Fault(path, fault.expected, f"{quoted(found)} (there are no cylinders, cones or ellipsoids)")


def _value(text: str, path: Path) -> Raw:
    ((_, value),) = _values(Raw(text.encode()), path)
    return value


def _values(value: Raw, steps: Sequence[str | int | None]) -> Iterator[tuple[Path, Raw]]:
    """Yield the paths and texts of the values that the steps lead to; None stands for any key or index."""
    if not steps:
        yield (), value
        return
    first, *rest = steps
    inner = members(value)
    for step in inner if first is None else (first,):
        for path, found in _values(inner[step], rest):
            yield (step, *path), found


def _matched(pattern: re.Pattern[str], text: str) -> tuple[Any, ...]:
    match = pattern.fullmatch(text)
    assert match, f"unknown message of msgspec: {text}"
    return match.groups()

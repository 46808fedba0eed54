"""msgspec's validation errors of a JSON text as Faults: the value's path, what was expected and what was found."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Raw, Struct

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


ELSEWHERE = {
    ("point", "motion"): "a point with a motion is a segment",
    ("point", "radius"): "a point with a radius is a sphere",
    ("segment", "radius"): "a segment with a radius is a capsule",
    **{(word, "radius"): f"a {word} with a radius is a sphere with a motion" for word in ("ray", "line")},
    **{(word, "motion"): f"a {word} has no motion: cast a sphere or a box" for word in ("segment", "ray", "line")},
}
"""The advice for keys that a type of item lacks: which other type has them."""
ABSENT = ("cylinder", "cone", "ellipsoid")
"""The shapes of other programs that are none here: none of them is all points within a radius of a polytope."""


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


def fault_of(text: str, path: Path, message: str, kind: Any) -> Fault:
    """Return the Fault of a message, without its path, about the value at a path of a JSON text of a type."""
    if match := _UNKNOWN_KEY.fullmatch(message):
        struct = next(part for part in _types_at(kind, text, path) if _is_struct(part))
        config, key, place = struct.__struct_config__, match[1], (*path, match[1])
        known = (*filter(None, [config.tag_field]), *struct.__struct_encode_fields__)
        fault = Fault.unknown(place, "a key of this object", known, key, at_key=True)
        advice = ELSEWHERE.get((config.tag, key), "")
        if key == "motion" and path[:1] == ("primitives",):
            advice = "only a probe has a motion"
        return Fault(place, fault.expected, f"{quoted(key)} ({advice})", at_key=True) if advice else fault
    if message.startswith(_UNKNOWN_WORD):
        ((_, value),) = _values(Raw(text.encode()), path)
        found = json.loads(bytes(value), parse_int=float)  # int refuses thousands of digits
        literals = (part for part in _types_at(kind, text, path) if get_origin(part) is Literal)
        return _unknown_word(path, [str(word) for part in literals for word in get_args(part)], found)
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
    fault = fault_of(text, (name, *path), message, dict[str, kind])
    for step in path:
        value = value[step]
    found = fault.found if isinstance(value, JSON_TYPES | int | float) else shown(value)
    return Fault(fault.path, fault.expected, found, at_key=fault.at_key)


def _unknown_word(path: Path, words: Sequence[str], found: Any) -> Fault:
    """Return the Fault of a value that is none of some words, such as the types of items."""
    name = next(step for step in reversed(path) if isinstance(step, str))
    if name == "type":
        return unknown_type(path, f"a type of {str(path[0]).removesuffix('s')}", words, found)
    if isinstance(found, str):
        return Fault.unknown(path, _WORDS.get(name, "a word"), words, found)
    return Fault(path, words[0] if len(words) == 1 else f"one of {', '.join(words)}", json.dumps(found))


def unknown_type(path: Path, expected: str, known: Collection[str], found: str) -> Fault:
    """Return the Fault of a word that is no type of item."""
    fault = Fault.unknown(path, expected, known, found)
    if found.removesuffix("s") not in ABSENT:
        return fault
    return Fault(path, fault.expected, f"{quoted(found)} (there are no cylinders, cones or ellipsoids)")


def _types_at(kind: Any, text: str, path: Path) -> list[Any]:
    """Return the types of which the value at a path of a JSON text of a type may be, of tagged structs its own."""
    types, value = [*_alternatives(kind)], Raw(text.encode())
    for step in path:
        inner = members(value)
        types = [part for outer in types for part in _alternatives(_part(outer, step, inner))]
        value = inner.get(step, Raw(b"null"))
    return [part for part in types if not _is_struct(part) or _has_tag_of(part, members(value))]


def _alternatives(kind: Any) -> Iterator[Any]:
    """Yield the types of a union, without what is annotated."""
    is_union = get_origin(kind) in (Union, UnionType)
    if is_union or get_origin(kind) is Annotated:
        for part in get_args(kind) if is_union else get_args(kind)[:1]:
            yield from _alternatives(part)
    else:
        yield kind


def _part(kind: Any, step: str | int, inner: Mapping[str | int, Raw]) -> Any:
    """Return the type of the value at a key or an index of one of a type, which has these members."""
    if _is_struct(kind):
        if step == (config := kind.__struct_config__).tag_field:
            return Literal[config.tag]
        names = dict(zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True))
        is_own = step in names and _has_tag_of(kind, inner)
        return get_type_hints(kind)[names[str(step)]] if is_own else None
    parts, origin = get_args(kind), get_origin(kind)
    if origin is dict:
        return parts[1]
    if origin not in (list, tuple):
        return None
    return parts[step] if isinstance(step, int) and origin is tuple and parts[-1] is not ... else parts[0]


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _has_tag_of(kind: Any, inner: Mapping[str | int, Raw]) -> bool:
    """Whether an object with these members may be a struct, by the tag of this."""
    config = kind.__struct_config__
    return config.tag_field not in inner or msgspec.json.decode(inner[config.tag_field]) == config.tag


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

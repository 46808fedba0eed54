"""The locations of values in a JSON text, which msgspec does not report. Used for errors, failures and changes.

`read_strictly` finds a mistake of which msgspec reports only that there is one. What is valid is passed over by
decoders in C, so that an error takes about as long to report as the file to load. Offsets count characters from 0.
"""

import json
import re
from codecs import BOM_UTF8
from itertools import count
from typing import Any

import msgspec
import numpy as np
from msgspec import Raw

from hitscope.errors import Fault, Path, quoted

DEEPEST = 64
"""No scene nests deeper than this; the reader below calls itself once for each level."""

# No group that may fail on the way is possessive: Python 3.11.2 goes on behind what it has read of it.
_BLANK = r"[ \t\n\r]*+"
_STRING = (
    r'"(?:[^"\\\x00-\x1f\ud800-\udfff]|\\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}'
    r'|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}))*"'
)
_NUMBER = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?"
_SPACE = re.compile(_BLANK)
_KEY = re.compile(_STRING)
_ROW = rf"\[{_BLANK}{_NUMBER}{_BLANK}(?:,{_BLANK}{_NUMBER}{_BLANK})*\]"
_LEAF = re.compile(rf"(?:{_STRING}|(?:true|false|null|{_NUMBER})(?![\w.+-])|{_ROW}){_BLANK}")
_NOT_FINITE = re.compile(r"[-+]?(?:nan|inf(?:inity)?)", re.IGNORECASE)
_LOOSE_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_WORD = re.compile(rf"[\w.+-]++|{_LOOSE_STRING}|.", re.DOTALL)
_NESTING = re.compile(rf"[\[\]{{}}]|{_LOOSE_STRING}", re.DOTALL)
_STRINGS = re.compile(_LOOSE_STRING.encode(), re.DOTALL)
_ALL_BUT_BRACKETS = bytes(code for code in range(256) if code not in b"[]{}")
_BRACES_TO_BRACKETS = bytes.maketrans(b"{}", b"[]")

EXCERPT_LENGTH = 60
_LONGEST_EXCERPTED = 4 * EXCERPT_LENGTH
_MEMBERS = msgspec.json.Decoder(dict[str, Raw] | list[Raw])


def read_strictly(text: str) -> None:
    """Raise Fault at the first syntax error, repeated key or bracket nested too deep, if there is one."""
    end = _read(text, _skip_space(text, 0), ())
    if end < len(text):
        raise _broken(text, end, (), "the end of the file")


def members(value: Raw) -> dict[str | int, Raw]:
    """Return the values of a valid JSON object or array by key or index, as views of its text; none of others."""
    try:
        found: Any = _MEMBERS.decode(value)
    except msgspec.ValidationError:
        return {}
    return dict(found) if isinstance(found, dict) else dict(enumerate(found))


def offset_of(text: str, path: Path, at_key: bool = False) -> int:
    """Return the offset of the value or key at `path` of a valid text, else of the nearest of its parents."""
    data = text.encode()
    value = msgspec.json.decode(data, type=Raw)
    begin = _address(data)
    key = start = _address(value) - begin
    for step in path:
        outer = members(value)
        if step not in outer:
            break
        before, value = start + 1, outer[step]
        key = start = _address(value) - begin
        if at_key and isinstance(step, str):
            names = list(outer)
            if i := names.index(step):
                last = outer[names[i - 1]]
                before = _address(last) - begin + len(memoryview(last))
            key = data.index(b'"', before)
    return len(data[: key if at_key else start].decode())


def element_lines(data: bytes, key: str) -> list[int]:
    """Return the line, from 1, of each element of the array at a key of a valid JSON object in UTF-8."""
    body = data.removeprefix(BOM_UTF8)
    lines, line, at = [], 1, 0
    for element in members(members(msgspec.json.decode(body, type=Raw)).get(key, Raw(b"[]"))).values():
        start, _ = span(body, element)
        line += body.count(b"\n", at, start)
        lines.append(line)
        at = start
    return lines


def span(data: bytes, value: Raw) -> tuple[int, int]:
    """Return the offsets in bytes of the beginning and the end of a value that is a view of `data`."""
    start = _address(value) - _address(data)
    return start, start + len(memoryview(value))


def line_column_of(text: str, fault: Fault) -> tuple[int, int]:
    """Return the line and column of a fault in a text, as `line_column` does."""
    return line_column(text, offset_of(text, fault.path, fault.at_key) if fault.offset is None else fault.offset)


def line_column(text: str, offset: int) -> tuple[int, int]:
    """Return the line and column of an offset, both from 1, the column in characters."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def excerpt(text: str, offset: int) -> str:
    """Return the text of the value or word at `offset` on one line, cut where it is long."""
    if offset >= len(text):
        return "the end of the file"
    line = " ".join(text[offset : min(_end(text, offset), offset + _LONGEST_EXCERPTED)].split())
    return line if len(line) <= EXCERPT_LENGTH else line[:EXCERPT_LENGTH] + "..."


def _end(text: str, offset: int) -> int:
    """Return the end of the value or word at `offset`; some later offset if an excerpt of it is cut before."""
    if text[offset] not in "[{":
        word = _WORD.match(text, offset)
        return word.end() if word else offset
    depth = 0
    for token in _NESTING.finditer(text, offset):
        depth += (token[0] in "[{") - (token[0] in "]}")
        if depth == 0 or token.start() > offset + _LONGEST_EXCERPTED:
            return token.end()
    return len(text)


def _read(text: str, at: int, path: Path) -> int:
    """Read the value at `at`; return the offset of the next token. Raises Fault as `read_strictly` does."""
    if leaf := _LEAF.match(text, at):
        return leaf.end()
    opening = text[at : at + 1]
    if opening not in ("{", "["):
        raise _broken_leaf(text, at, path)
    if len(path) >= DEEPEST:
        raise Fault(path[:2], f"at most {DEEPEST} levels of nesting", "more", offset=at)
    if (end := _valid_end(text, at, DEEPEST - len(path))) is not None:
        return _skip_space(text, end)

    closing = "}" if opening == "{" else "]"
    seen: set[str] = set()
    at = _skip_space(text, at + 1)
    if text[at : at + 1] == closing:
        return _skip_space(text, at + 1)
    for index in count():
        key = at
        inner: Path = (*path, index)
        if opening == "{":
            name, at = _key(text, at, path)
            inner = (*path, name)
            if name in seen:
                raise Fault(inner, "each key once", f"{quoted(name)} again", offset=key)
            seen.add(name)
        at = _read(text, at, inner)
        separator = text[at : at + 1]
        if separator not in (",", closing):
            raise _broken(text, at, path, f'"," or "{closing}"')
        at = _skip_space(text, at + 1)
        if separator == closing:
            break
    return at


def _valid_end(text: str, at: int, levels: int) -> int | None:
    """Return the end of the object or array at `at` if it is valid, has each key once and nests no deeper."""
    try:
        # json finds the end of a value within a text, and repeated keys; msgspec is strict about all the rest.
        _, end = _FINDER.raw_decode(text, at)
        value = text[at:end].encode()
        msgspec.json.decode(value, type=Raw)
    except (ValueError, RecursionError):
        return None
    return end if value.count(b"[") + value.count(b"{") <= levels or _depth(value) <= levels else None


def _depth(value: bytes) -> int:
    """Return the number of levels of a valid value."""
    brackets = _STRINGS.sub(b"", value).translate(_BRACES_TO_BRACKETS, _ALL_BUT_BRACKETS)
    depth = 0
    while brackets:
        brackets = brackets.replace(b"[]", b"")
        depth += 1
    return depth


def _check_keys(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        raise ValueError


_FINDER = json.JSONDecoder(object_pairs_hook=_check_keys, parse_int=str.isspace, parse_float=str.isspace)
"""A decoder that keeps no numbers: a method of `str` is the fastest to make nothing of them."""


def _key(text: str, at: int, path: Path) -> tuple[str, int]:
    """Read a key and its colon; return the key and the offset of its value."""
    token = _KEY.match(text, at)
    if not token:
        raise _broken(text, at, path, "a key in double quotes")
    name: str = json.loads(token[0])
    at = _skip_space(text, token.end())
    if text[at : at + 1] != ":":
        raise _broken(text, at, (*path, name), '":" after the key')
    return name, _skip_space(text, at + 1)


def _broken_leaf(text: str, at: int, path: Path) -> Fault:
    if text[at : at + 1] == '"':
        line, _, _ = text[at : at + EXCERPT_LENGTH].partition("\n")
        return Fault(path, 'a string closed by " on its line, with the escapes of JSON', line, offset=at)
    word = excerpt(text, at)
    return _broken(text, at, path, "a finite number" if _NOT_FINITE.fullmatch(word) else "a value")


def _broken(text: str, at: int, path: Path, expected: str) -> Fault:
    return Fault(path, expected, excerpt(text, at), offset=at)


def _skip_space(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _address(buffer: bytes | Raw) -> int:
    return int(np.frombuffer(buffer, np.uint8).__array_interface__["data"][0])

"""The locations of values in a JSON text, which msgspec does not report. Used only when a file has an error.

`locations` reads the text strictly, so it also finds a mistake of which msgspec reports only that there is one.
Offsets count characters of the text from 0.
"""

import json
import re
from collections.abc import Generator, Iterator
from itertools import count
from typing import NamedTuple

from hitscope.errors import Fault, Path, quoted

DEEPEST = 64
"""No scene nests deeper than this; the reader below calls itself once for each level."""

_BLANK = r"[ \t\n\r]*+"
_STRING = (
    r'"(?:[^"\\\x00-\x1f\ud800-\udfff]|\\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}'
    r'|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}))*+"'
)
_NUMBER = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?"
_SPACE = re.compile(_BLANK)
_KEY = re.compile(_STRING)
_LEAF = re.compile(rf"(?:{_STRING}|(?:true|false|null|{_NUMBER})(?![\w.+-])){_BLANK}")
_ROW = rf"\[{_BLANK}{_NUMBER}{_BLANK}(?:,{_BLANK}{_NUMBER}{_BLANK})*+\]{_BLANK}"
_ROWS = rf"\[{_BLANK}{_ROW}(?:,{_BLANK}{_ROW})*+\]{_BLANK}"
_NUMBERS = re.compile(rf"{_ROW}|{_ROWS}|\[{_BLANK}{_ROWS}(?:,{_BLANK}{_ROWS})*+\]{_BLANK}")
_NOT_FINITE = re.compile(r"[-+]?(?:nan|inf(?:inity)?)", re.IGNORECASE)
_LOOSE_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_WORD = re.compile(rf"[\w.+-]++|{_LOOSE_STRING}|.", re.DOTALL)
_NESTING = re.compile(rf"[\[\]{{}}]|{_LOOSE_STRING}", re.DOTALL)

EXCERPT_LENGTH = 60


class Location(NamedTuple):
    """A value's JSON path, and the offsets of its key and of the value itself; without a key both are the same."""

    path: Path
    key: int
    value: int


def locations(text: str, towards: Path | None = None) -> Iterator[Location]:
    """Yield the location of every value in file order; raises Fault at a syntax error or repeated key.

    With a path to go `towards`, arrays of nothing but numbers that do not lie on it are passed over as one value.
    """
    start = _skip_space(text, 0)
    end = yield from _value(text, start, (), start, towards)
    if end < len(text):
        raise _broken(text, end, (), "the end of the file")


def read_strictly(text: str) -> None:
    """Raise Fault at the first syntax error or repeated key, if there is one."""
    for _ in locations(text, towards=()):
        pass


def offset_of(text: str, path: Path, at_key: bool = False) -> int:
    """Return the offset of the value or key at `path`, else of the nearest of its parents that the text has."""
    nearest = Location((), 0, 0)
    for location in locations(text, path):
        if location.path == path[: len(location.path)]:
            nearest = location
            if len(location.path) == len(path):
                break
    return nearest.key if at_key else nearest.value


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
    line = " ".join(text[offset : end(text, offset)][: 4 * EXCERPT_LENGTH].split())
    return line if len(line) <= EXCERPT_LENGTH else line[:EXCERPT_LENGTH] + "..."


def end(text: str, offset: int) -> int:
    """Return the end of the value or word at `offset`; the end of the text for brackets that are not closed."""
    if text[offset] not in "[{":
        word = _WORD.match(text, offset)
        return word.end() if word else offset
    depth = 0
    for token in _NESTING.finditer(text, offset):
        depth += (token[0] in "[{") - (token[0] in "]}")
        if depth == 0:
            return token.end()
    return len(text)


def _value(text: str, at: int, path: Path, key: int, towards: Path | None) -> Generator[Location, None, int]:
    """Yield the locations of the value at `at` and of all in it; return the offset of the next token."""
    yield Location(path, key, at)
    if leaf := _LEAF.match(text, at):
        return leaf.end()
    aside = towards is not None and (len(path) >= len(towards) or path != towards[: len(path)])
    if aside and (numbers := _NUMBERS.match(text, at)):
        return numbers.end()
    opening = text[at : at + 1]
    if opening not in ("{", "["):
        raise _broken_leaf(text, at, path)
    if len(path) >= DEEPEST:
        raise Fault(path[:2], f"at most {DEEPEST} levels of nesting", "more", offset=at)

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
        at = yield from _value(text, at, inner, key, towards)
        separator = text[at : at + 1]
        if separator not in (",", closing):
            raise _broken(text, at, path, f'"," or "{closing}"')
        at = _skip_space(text, at + 1)
        if separator == closing:
            break
    return at


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
        line = text[at:].split("\n", 1)[0]
        expected = 'a string closed by " on its line, with the escapes of JSON'
        return Fault(path, expected, line[:EXCERPT_LENGTH], offset=at)
    word = excerpt(text, at)
    return _broken(text, at, path, "a finite number" if _NOT_FINITE.fullmatch(word) else "a value")


def _broken(text: str, at: int, path: Path, expected: str) -> Fault:
    return Fault(path, expected, excerpt(text, at), offset=at)


def _skip_space(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at

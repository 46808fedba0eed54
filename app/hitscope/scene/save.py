"""From the struct of a scene to the text of its file, laid out or compact, and to the file, written atomically."""

import json
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from hitscope import numerals
from hitscope.outputs import write_file
from hitscope.scene.bulk import Bulk
from hitscope.scene.reference import Reference
from hitscope.scene.tables import Table

WIDTH = 100
"""The number of columns within which a value stays on one line."""
COMPACT_ROWS = 512
"""The number of rows of numbers that are encoded in one call: about a millisecond, in which no other code runs."""


def dump(scene: msgspec.Struct) -> str:
    """Return the text of the scene's file: numbers in the shortest form that reads back as the same float64."""
    return "".join(pieces(scene))


def pieces(scene: msgspec.Struct, folder: Path | None = None) -> Iterator[str]:
    """Return the text of the scene's file in pieces, none of which takes long.

    The names of the scene's files are written relative to `folder`, by default its own; raises HitscopeError for a
    file that lies neither in that folder nor below it.
    """
    fields = msgspec.to_builtins(scene, enc_hook=partial(_encoded, folder), builtin_types=(Table,))
    return chain(_layout(_ordered(fields), ""), "\n")


def compact_pieces(scene: msgspec.Struct, folder: Path | None = None) -> Iterator[bytes]:
    """Yield the same text as `pieces` without its layout, in a twentieth of the time, for autosaves.

    A piece has at most `COMPACT_ROWS` rows of numbers.
    """
    encoded = partial(_encoded, folder)
    encode = msgspec.json.Encoder(enc_hook=encoded).encode

    def item(value: msgspec.Struct) -> Iterator[bytes]:
        if not isinstance(value, Bulk):
            yield encode(value)
            return
        opening = b"{"
        for key, field in msgspec.to_builtins(value, enc_hook=encoded, builtin_types=(Table,)).items():
            yield opening + encode(key) + b":"
            yield from _compact_rows(field) if isinstance(field, Table) else [encode(field)]
            opening = b","
        yield b"}"

    fields = zip(scene.__struct_encode_fields__, scene.__struct_fields__, strict=True)
    values = {name: value for name, field in fields if (value := getattr(scene, field)) is not UNSET}
    lists = {name: value for name, value in values.items() if isinstance(value, tuple)}
    yield encode({name: value for name, value in values.items() if name not in lists})[:-1]
    for name, items in lists.items():
        yield b"," + encode(name) + b":"
        yield from _compact_array(map(item, items))
    yield b"}"


def save(scene: msgspec.Struct, path: str | PathLike[str]) -> None:
    """Write the scene's file; raises OSError and HitscopeError as `outputs.write_file` and `pieces` do."""
    write_file(path, (piece.encode() for piece in pieces(scene, Path(path).parent)))


def value_text(value: Any) -> str:
    """Return the text of a value on one line, its numbers in the shortest form that reads back as the same."""
    return _json(_ordered(value))


def _encoded(folder: Path | None, value: Any) -> Any:
    """Return the name of a reference relative to a folder, and a table as it is: msgspec's hook."""
    if isinstance(value, Reference):
        return value.name if folder is None else value.relative_to(folder)
    assert isinstance(value, Table)
    return value


def _compact_rows(table: Table) -> Iterator[bytes]:
    parts = (table.array[first : first + COMPACT_ROWS].tolist() for first in range(0, len(table), COMPACT_ROWS))
    return _compact_array([msgspec.json.encode(part)[1:-1]] for part in parts)


def _compact_array(elements: Iterable[Iterable[bytes]]) -> Iterator[bytes]:
    separator = b""
    yield b"["
    for element in elements:
        yield separator
        yield from element
        separator = b","
    yield b"]"


def _ordered(value: Any) -> Any:
    """Return a value with ids before types, as people write them, and whole floats as integers."""
    if isinstance(value, dict):
        ahead = {"id": value["id"]} if "id" in value else {}
        return {key: _ordered(item) for key, item in (ahead | value).items()}
    if isinstance(value, list | tuple):
        return [_ordered(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < numerals.EXACT_INTEGERS:
        return value if str(value) == "-0.0" else int(value)
    return value


def _layout(value: Any, indent: str) -> Iterator[str]:
    """Yield the text of a value: listed objects and rows of numbers on a line each, others on one if they fit."""
    inner = indent + "  "
    if isinstance(value, Table):
        rows = ([text] for text in value.texts(f",\n{inner}"))
        yield from _bracketed("[]", rows, indent) if len(value) else ["[]"]
        return
    if not value or not isinstance(value, dict | list):
        yield _json(value)
        return
    if indent and not _has_items(value):
        line = _json(value)
        if len(indent + line) <= WIDTH:
            yield line
            return
    if isinstance(value, dict):
        items = (chain([f"{_json(key)}: "], _layout(item, inner)) for key, item in value.items())
        yield from _bracketed("{}", items, indent)
    else:
        yield from _bracketed("[]", (_layout(item, inner) for item in value), indent)


def _has_items(value: Any) -> bool:
    """Whether a value is always on several lines: a list of objects, or an object with rows of numbers."""
    if isinstance(value, dict):
        return any(isinstance(item, Table) for item in value.values())
    return any(isinstance(item, dict) for item in value)


def _bracketed(brackets: str, items: Iterable[Iterable[str]], indent: str) -> Iterator[str]:
    before = brackets[0]
    for item in items:
        yield f"{before}\n{indent}  "
        yield from item
        before = ","
    yield f"\n{indent}{brackets[1]}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)

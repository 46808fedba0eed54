"""From a Scene to the text of its file, laid out for reading, and onto the disk without losing a file."""

import errno
import json
import os
from collections.abc import Iterable, Iterator
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec

from hitscope.scene.atomic_write import replacing
from hitscope.scene.model import Scene
from hitscope.scene.reference import Reference
from hitscope.scene.tables import Table

WIDTH = 100
"""What fits into so many columns stays on one line."""
EXACT_INTEGERS = 2.0**53
"""Below this every float64 without a fraction is written as an integer: `2`, not `2.0`."""


def dump(scene: Scene, folder: Path | None = None) -> str:
    """Give the text of the scene's file: numbers in the shortest form that reads back as the same float64.

    For `folder` see `pieces`, as for what is raised.
    """
    return "".join(pieces(scene, folder))


def pieces(scene: Scene, folder: Path | None = None) -> Iterator[str]:
    """Give the text of the scene's file in pieces, none of which takes long.

    In another `folder` than the scene's own the names of its files are written as seen from there; raises
    HitscopeError where one of them lies neither in that folder nor below it.
    """

    def named(value: Any) -> Any:
        if isinstance(value, Reference):
            return value.name if folder is None else value.seen_from(folder)
        assert isinstance(value, Table)
        return value

    fields = msgspec.to_builtins(scene, enc_hook=named, builtin_types=(Table,))
    return chain(_layout(_ordered(fields), ""), "\n")


def save(scene: Scene, path: str | PathLike[str]) -> None:
    """Write the scene's file, as `write_file` does; raises HitscopeError where `dump` does."""
    write_file(path, (piece.encode() for piece in pieces(scene, Path(path).parent)))


def write_file(path: str | PathLike[str], data: Iterable[bytes]) -> None:
    """Write a file, piece by piece; it is replaced in one step, so whatever fails, the old one stays as it was.

    A symbolic link stays one, and the file it leads to is replaced. Raises OSError.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not os.access(target, os.W_OK):
        # Replacing a file needs no right to write it, so what is protected must be asked.
        raise PermissionError(errno.EACCES, "the file is write-protected", str(path))
    with replacing(target) as file:
        file.writelines(data)


def _ordered(value: Any) -> Any:
    """Put an id before the type, as people write it, and make integers of the floats that are ones."""
    if isinstance(value, dict):
        ahead = {"id": value["id"]} if "id" in value else {}
        return {key: _ordered(item) for key, item in (ahead | value).items()}
    if isinstance(value, list | tuple):
        return [_ordered(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < EXACT_INTEGERS:
        return value if str(value) == "-0.0" else int(value)
    return value


def _layout(value: Any, indent: str) -> Iterator[str]:
    """Lay a value out: file, lists of objects and rows of numbers an item a line, all else on one if it fits."""
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
    """Say whether a value never stands on one line: a list of objects, or an object with rows of numbers."""
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

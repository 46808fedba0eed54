"""From a Scene to the text of its file, laid out for reading, and onto the disk without losing a file."""

import errno
import json
import os
import secrets
import shutil
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec

from hitscope.scene.model import Scene

WIDTH = 100
"""What fits into so many columns stays on one line."""
EXACT_INTEGERS = 2.0**53
"""Below this every float64 without a fraction is written as an integer: `2`, not `2.0`."""


def dump(scene: Scene) -> str:
    """Give the text of the scene's file: numbers in the shortest form that reads back as the same float64."""
    return _layout(_plain(msgspec.to_builtins(scene)), "") + "\n"


def save(scene: Scene, path: str | PathLike[str]) -> None:
    """Write the scene's file, as `write_file` does."""
    write_file(path, dump(scene).encode())


def write_file(path: str | PathLike[str], data: bytes) -> None:
    """Write a file; it is replaced in one step, so whatever fails, the old one stays as it was.

    A symbolic link stays one, and the file it leads to is replaced. Raises OSError.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not os.access(target, os.W_OK):
        # Replacing a file needs no right to write it, so what is protected must be asked.
        raise PermissionError(errno.EACCES, "the file is write-protected", str(path))
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, draft)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def _plain(value: Any) -> Any:
    """Put an id before the type, as people write it, and make integers of the floats that are ones."""
    if isinstance(value, dict):
        ahead = {"id": value["id"]} if "id" in value else {}
        return {key: _plain(item) for key, item in (ahead | value).items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < EXACT_INTEGERS:
        return value if str(value) == "-0.0" else int(value)
    return value


def _layout(value: Any, indent: str) -> str:
    """Lay a value out: the file and lists of objects an item a line, all else on one line if it fits."""
    line = _json(value)
    listed = isinstance(value, list) and any(isinstance(item, dict) for item in value)
    fits = indent and not listed and len(indent + line) <= WIDTH
    if fits or not value or not isinstance(value, dict | list):
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        items = [f"{_json(key)}: {_layout(item, inner)}" for key, item in value.items()]
    else:
        items = [_layout(item, inner) for item in value]
    separator = ",\n" + inner
    return f"{line[0]}\n{inner}{separator.join(items)}\n{indent}{line[-1]}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)

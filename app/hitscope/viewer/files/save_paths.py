"""Paths to save scenes and pictures to, checked and completed."""

import os
from pathlib import Path
from typing import NamedTuple

from hitscope.errors import HitscopeError
from hitscope.outputs import target_of
from hitscope.scene import ENDING
from hitscope.viewer.state.paths import numbered


class SavePath(NamedTuple):
    """A path to save to; `overwrites` is true where another file is there, which the user must confirm."""

    path: Path
    overwrites: bool


def resolve_save_path(typed: str, document: Path, folder: Path | None = None, ending: str = ENDING) -> SavePath:
    """The path to save a document as, from a typed name or path; it gets the `ending` if it lacks the last part.
    It is relative to `folder`, by default the document's. Raises HitscopeError where there can be no such file.
    """
    name = typed.strip()
    if not name or "\0" in name:
        raise HitscopeError("expected the name of a file to save as, found none")
    path = (folder or document.absolute().parent) / os.path.expanduser(name)
    try:
        return _checked(name, path, document, ending)
    except OSError as error:  # such as a name that is too long
        raise HitscopeError(f"cannot save {path}: {error.strerror or error}") from None


def _checked(name: str, path: Path, document: Path, ending: str) -> SavePath:
    """The path with its ending, typed as `name`; raises HitscopeError and OSError."""
    if name.endswith(("/", "\\")) or path.is_dir():
        raise HitscopeError(f"expected the name of a file to save as, found a folder: {path}")
    first, _, last = ending.rpartition(".")
    if path.suffix != f".{last}":
        path = path.with_name((path.name.removesuffix(first) if first else path.name) + ending)
        if path.is_dir():
            raise HitscopeError(f"expected the name of a file to save as, found a folder: {path}")
    if not path.parent.is_dir():
        raise HitscopeError(f"expected a folder to save in, found none: {path.parent}")
    target_of(path)
    return SavePath(path, path.exists() and not (document.exists() and path.samefile(document)))


def save_new(path: Path, data: bytes) -> Path:
    """Write a new file and return its path: `path`, or the first numbered one free; raises HitscopeError."""
    for free in numbered(path):
        try:
            file = free.open("xb")
        except FileExistsError:
            continue
        except OSError as error:
            raise HitscopeError(f"cannot save {free}: {error.strerror or error}") from None
        try:
            with file:
                file.write(data)
        except OSError as error:
            free.unlink()
            raise HitscopeError(f"cannot save {free}: {error.strerror or error}") from None
        return free
    raise AssertionError("the numbers do not end")


def picture_path(document: Path, example: bool) -> Path:
    """The path of a document's picture: beside the document, or for an example in the working folder."""
    folder = Path.cwd() if example else document.absolute().parent
    return folder / f"{document.name.partition('.')[0]}.png"

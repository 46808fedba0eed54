"""Paths of files to open, to save and to write, checked and completed."""

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

from hitscope import scene
from hitscope.errors import Fault, HitscopeError, quoted
from hitscope.scene import Scene
from hitscope.scene.model import MeshPrimitive, Up, View
from hitscope.scene.reference import Reference

ENDING = ".scene.json"
MESHES = (".obj", ".stl", ".ply", ".gltf", ".glb")


class SaveAs(NamedTuple):
    """Where to save; `overwrites` tells that another file is there, which the user must confirm."""

    path: Path
    overwrites: bool


def save_as(typed: str, document: Path, folder: Path | None = None) -> SaveAs:
    """The path to save a document as, from a typed name or path; without `.json` it ends in `.scene.json`.
    It is relative to `folder`, by default the document's. Raises HitscopeError where there can be no such file.
    """
    name = typed.strip()
    if not name or "\0" in name:
        raise HitscopeError("expected the name of a file to save as, found none")
    path = (folder or document.absolute().parent) / os.path.expanduser(name)
    try:
        return _checked(name, path, document)
    except OSError as error:  # such as a name that is too long
        raise HitscopeError(f"cannot save {path}: {error.strerror or error}") from None


def _checked(name: str, path: Path, document: Path) -> SaveAs:
    """The path with its ending, typed as `name`; raises HitscopeError and OSError."""
    if name.endswith(("/", "\\")) or path.is_dir():
        raise HitscopeError(f"expected the name of a file to save as, found a folder: {path}")
    if path.suffix != ".json":
        path = path.with_name(path.name.removesuffix(".scene") + ENDING)
        if path.is_dir():
            raise HitscopeError(f"expected the name of a file to save as, found a folder: {path}")
    if not path.parent.is_dir():
        raise HitscopeError(f"expected a folder to save in, found none: {path.parent}")
    return SaveAs(path, path.exists() and not (document.exists() and path.samefile(document)))


class Dropped(NamedTuple):
    """The document of a dropped file; `read` makes the scene of a new document, and is None for a scene file."""

    path: Path
    read: Callable[[], Scene] | None
    """Raises HitscopeError; slow for a large mesh."""


def dropped(path: Path, up: Up = "y") -> Dropped:
    """The document of a dropped file: the scene itself, or a new scene with a mesh as its only primitive.

    Raises HitscopeError for any other file.
    """
    path = path.absolute()
    ending = path.suffix.lower()
    if path.is_dir() or ending not in (".json", *MESHES):
        found = "a folder" if path.is_dir() else quoted(path.name)
        raise HitscopeError(f"expected a scene (.json) or a mesh ({', '.join(MESHES)}), found {found}")
    refuse_endless(path)
    if ending == ".json":
        return Dropped(path, None)
    if readable(path.name) != path.name:
        raise HitscopeError(f"{path}: expected a mesh with a name in UTF-8; a scene has no other")

    def read() -> Scene:
        try:
            mesh = MeshPrimitive(id=path.stem.replace("[", "("), file=Reference(path.name, path.parent))
        except Fault as fault:
            raise HitscopeError(f"{path}: {fault.message}") from None
        return Scene(version=1, name=path.stem, primitives=(mesh,), probes=(), view=View(up=up))

    return Dropped(unused(path.with_name(path.stem + ENDING)), read)


def load(path: Path) -> Scene:
    """Load a scene from a regular file, as `scene.load` does; raises HitscopeError."""
    refuse_endless(path)
    return scene.load(path)


def refuse_endless(path: Path) -> None:
    """Raise HitscopeError for a pipe or a device, which may never end."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise HitscopeError(f"{path}: expected a file, found a pipe or a device")


def readable(name: str) -> str:
    """A file name as valid Unicode, with a replacement character for each byte that is not UTF-8."""
    return os.fsencode(name).decode(errors="replace")


def save_new(path: Path, data: bytes) -> Path:
    """Write a new file and return its path: `path`, or the first numbered one free; raises HitscopeError."""
    for free in _numbered(path):
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


def unused(path: Path) -> Path:
    """The path, or if it exists, the first free one with a number before the endings: `a-2.scene.json`."""
    return next(free for free in _numbered(path) if not free.exists())


def picture_path(document: Path, example: bool) -> Path:
    """The path of a document's picture: beside the document, or for an example in the working folder."""
    folder = Path.cwd() if example else document.absolute().parent
    return folder / f"{document.name.partition('.')[0]}.png"


def _numbered(path: Path) -> Iterator[Path]:
    """The path, then the same with the numbers 2, 3 ... before its endings, without end."""
    yield path
    stem, dot, endings = path.name.partition(".")
    for number in count(2):
        yield path.with_name(f"{stem}-{number}{dot}{endings}")

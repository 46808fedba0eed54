"""What the name of a file leads to: a scene or a mesh that is dropped, a place to save, a picture's free name."""

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
    """Where to save; `overwrites` another file, which is to be asked about first."""

    path: Path
    overwrites: bool


def save_as(typed: str, document: Path, folder: Path | None = None) -> SaveAs:
    """Give the place that someone typed to save a document, as `*.scene.json` or `*.json`.

    It is seen from `folder`, the document's own unless told. Raises HitscopeError where there can be no such file.
    """
    name = typed.strip()
    if not name or "\0" in name:
        raise HitscopeError("expected the name of a file to save as, found none")
    path = (folder or document.absolute().parent) / os.path.expanduser(name)
    try:
        return _place(name, path, document)
    except OSError as error:  # such as a name that is too long
        raise HitscopeError(f"cannot save {path}: {error.strerror or error}") from None


def _place(name: str, path: Path, document: Path) -> SaveAs:
    """Give the place at a path that was typed as `name`; raises HitscopeError and OSError."""
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
    """A document to open; one that is new and not saved begins with what `read` gives."""

    path: Path
    read: Callable[[], Scene] | None
    """Raises HitscopeError; of a large mesh it takes a while."""


def dropped(path: Path, up: Up = "y") -> Dropped:
    """Give the document that a dropped file means: a scene is itself, a mesh the one primitive of a new scene.

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
    """Load a scene file as `scene.load` does, and from nothing else than a file; raises HitscopeError."""
    refuse_endless(path)
    return scene.load(path)


def refuse_endless(path: Path) -> None:
    """Raise HitscopeError where there is what may never end: a pipe, a device."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise HitscopeError(f"{path}: expected a file, found a pipe or a device")


def readable(name: str) -> str:
    """Give the name of a file with a sign for each byte of it that is no UTF-8, for what takes nothing else."""
    return os.fsencode(name).decode(errors="replace")


def save_new(path: Path, data: bytes) -> Path:
    """Write a file that is not there yet, and give its path: the one asked for, or the first that is free.

    Raises HitscopeError where it cannot be written.
    """
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
    """Give the path, or where it is taken the first with a number before its endings: `a-2.scene.json`."""
    return next(free for free in _numbered(path) if not free.exists())


def picture_path(document: Path, example: bool) -> Path:
    """Give where the picture of a document goes: beside it, or, of an example, into the working folder."""
    folder = Path.cwd() if example else document.absolute().parent
    return folder / f"{document.name.partition('.')[0]}.png"


def _numbered(path: Path) -> Iterator[Path]:
    yield path
    stem, dot, endings = path.name.partition(".")
    for number in count(2):
        yield path.with_name(f"{stem}-{number}{dot}{endings}")

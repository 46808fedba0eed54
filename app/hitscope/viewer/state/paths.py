"""The kinds of files that can be opened, and unused paths."""

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

from hitscope import scene
from hitscope.errors import Fault, HitscopeError, quoted
from hitscope.scene import Scene
from hitscope.scene.model import FileView, MeshPrimitive, Up
from hitscope.scene.reference import Reference

ENDING = ".scene.json"
MESHES = (".obj", ".stl", ".ply", ".gltf", ".glb")


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
    if os.path.isdir(path) or ending not in (".json", *MESHES):
        found = "a folder" if os.path.isdir(path) else quoted(path.name)
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
        return Scene(version=1, name=path.stem, primitives=(mesh,), probes=(), view=FileView(up=up))

    return Dropped(unused(path.with_name(path.stem + ENDING)), read)


def load(path: Path) -> Scene:
    """Load a scene from a regular file, as `scene.load` does; raises HitscopeError."""
    refuse_endless(path)
    return scene.load(path)


def refuse_endless(path: Path) -> None:
    """Raise HitscopeError for a pipe or a device, which may never end."""
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise HitscopeError(f"{path}: expected a file, found a pipe or a device")


def readable(name: str) -> str:
    """A file name as valid Unicode, with a replacement character for each byte that is not UTF-8."""
    return os.fsencode(name).decode(errors="replace")


def unused(path: Path) -> Path:
    """The path, or if it exists, the first free one with a number before the endings: `a-2.scene.json`."""
    return next(free for free in numbered(path) if not free.exists())


def numbered(path: Path) -> Iterator[Path]:
    """The path, then the same with the numbers 2, 3 ... before its endings, without end."""
    yield path
    stem, dot, endings = path.name.partition(".")
    for number in count(2):
        yield path.with_name(f"{stem}-{number}{dot}{endings}")

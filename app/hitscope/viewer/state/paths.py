"""The kinds of files that can be opened, and unused paths."""

import os
from collections.abc import Callable, Collection
from pathlib import Path

from hitscope.errors import Fault, HitscopeError, quoted
from hitscope.outputs import numbered
from hitscope.scene import ENDING, Scene
from hitscope.scene import load as load_scene
from hitscope.scene.bulk import MeshPrimitive
from hitscope.scene.model import FileView, Up
from hitscope.scene.reference import Reference

MESHES = (".obj", ".stl", ".ply", ".gltf", ".glb")


def openable(path: Path, up: Up = "y", taken: Collection[Path] = ()) -> tuple[Path, Callable[[], Scene] | None]:
    """The document of a file to open: the scene itself, or a new scene with a mesh as its only primitive.

    Returns its path, and what makes a new scene, which is slow for a large mesh and raises HitscopeError. The path
    of a new scene is free and not among the `taken` ones. Raises HitscopeError for any other file.
    """
    path = path.absolute()
    ending = path.suffix.lower()
    if os.path.isdir(path) or not (ending == ".json" or is_mesh(path)):
        found = "a folder" if os.path.isdir(path) else quoted(path.name)
        raise HitscopeError(f"expected a scene (.json) or a mesh ({', '.join(MESHES)}), found {found}")
    refuse_endless(path)
    if ending == ".json":
        return path, None
    if readable(path.name) != path.name:
        raise HitscopeError(f"{path}: expected a mesh with a name in UTF-8; a scene has no other")

    def read() -> Scene:
        try:
            mesh = MeshPrimitive(id=path.stem.replace("[", "("), file=Reference(path.name, path.parent))
        except Fault as fault:
            raise HitscopeError(f"{path}: {fault.message}") from None
        return Scene(version=1, name=path.stem, primitives=(mesh,), probes=(), view=FileView(up=up))

    return unused(path.with_name(path.stem + ENDING), taken), read


def is_mesh(path: Path) -> bool:
    """Whether a file is a mesh, by the ending of its name."""
    return path.suffix.lower() in MESHES


def load(path: Path) -> Scene:
    """Load a scene from a regular file, as `scene.load` does; raises HitscopeError."""
    refuse_endless(path)
    return load_scene(path)


def refuse_endless(path: Path) -> None:
    """Raise HitscopeError for a pipe or a device, which may never end."""
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise HitscopeError(f"{path}: expected a file, found a pipe or a device")


def readable(name: str) -> str:
    """A file name as valid Unicode, with a replacement character for each byte that is not UTF-8."""
    return os.fsencode(name).decode(errors="replace")


def unused(path: Path, taken: Collection[Path] = ()) -> Path:
    """The path, or if it is taken or exists, the first free one with a number in its name: `a-2.scene.json`."""
    return next(free for free in numbered(path) if not os.path.exists(free) and free not in taken)


def picture_path(document: Path, example: bool) -> Path:
    """The path of a document's picture: beside the document, or for an example in the working folder."""
    folder = Path.cwd() if example else document.absolute().parent
    return folder / f"{document.name.partition('.')[0]}.png"

"""`Scene.show`: the viewer on a copy of a scene, in a process of its own, which ends when its window is closed."""

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryFile, mkdtemp
from threading import Thread
from typing import IO

import numpy as np
from msgspec import UNSET
from msgspec.structs import replace

from hitscope.errors import HitscopeError
from hitscope.extras import EXTRAS, missing
from hitscope.scene.bulk import Bulk, MeshPrimitive, TrianglesPrimitive
from hitscope.scene.items import Item
from hitscope.scene.named_items import NamedItems
from hitscope.scene.reference import Reference
from hitscope.scene.shape_items import arrays_of

NAME = "shown.scene.json"
"""The name of the copy."""
PROGRAM = f"""
import sys, shutil
from hitscope.cli import main
try:
    status = main(["open", sys.argv[1] + "/{NAME}"])
finally:
    shutil.rmtree(sys.argv[1], ignore_errors=True)
sys.exit(status)
"""
"""The program of the viewer's process: it removes the copy, as the process that opened it may have ended."""


def _program() -> str:
    return PROGRAM


def show(write: Callable[[Path], None], block: bool) -> None:
    """Open the viewer on the file NAME that `write` writes into a folder; with `block` wait until it is closed.

    Raises HitscopeError where there is no display, or a package is missing.
    """
    for module in EXTRAS["viewer"].modules:
        if find_spec(module) is None:
            raise HitscopeError(f"show: {missing(module)}")
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        raise HitscopeError("show: expected a display to open a window on, found none; hitscope.render needs none")
    folder = Path(mkdtemp(prefix="hitscope-"))
    errors = TemporaryFile()  # noqa: SIM115 - the thread that reads it closes it
    try:
        write(folder)
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _program(), str(folder)],
            stdin=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,  # Ctrl+C in the terminal is not for it
        )
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise
    if not block:
        Thread(target=_print_failure, args=(process, errors), daemon=True).start()
    elif words := _failure(process, errors):
        raise HitscopeError(f"show: {words}")


def with_files_in(folder: Path, role: str, items: NamedItems) -> tuple[Item, ...]:
    """Return items with the same elements that refer only to files in a folder, which are written."""
    named = enumerate(zip(items.ids, items, strict=True))
    return tuple(_in_folder(item, name, Reference(f"{role}-{k}.npz", folder)) for k, (name, item) in named)


def _in_folder(item: Item, name: str, file: Reference) -> Item:
    """Return an item, its numbers in an .npz file that is written if they come from a file."""
    if not isinstance(item, Bulk) or item.file is UNSET:
        return item
    np.savez(file.folder / file.name, **arrays_of(item.shapes))
    return TrianglesPrimitive(id=name, file=file) if isinstance(item, MeshPrimitive) else replace(item, file=file)


def _failure(process: "subprocess.Popen[bytes]", errors: IO[bytes]) -> str:
    """Wait for the viewer to end; return what it says went wrong, "" for nothing."""
    with errors:
        if process.wait() == 0:
            return ""
        errors.seek(0)
        return errors.read().decode(errors="replace").strip().removeprefix("hitscope: ")


def _print_failure(process: "subprocess.Popen[bytes]", errors: IO[bytes]) -> None:
    if words := _failure(process, errors):
        print(f"hitscope: {words}", file=sys.stderr)

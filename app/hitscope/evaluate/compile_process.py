"""The process that compiles methods for the first time, beside the window's own.

`python -m hitscope.evaluate.compile_process COMPILATION ...` compiles into the user's cache, from where the window
takes it at once. A process can be ended at any time, and a compiler in the window's own would stop the drawing.
"""

import gc
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from hitscope import progress
from hitscope.evaluate.report import MethodUse
from hitscope.geometry import code_files
from hitscope.geometry.arrays import Shapes, width
from hitscope.geometry.compiled import code_folder
from hitscope.geometry.group import THRESHOLDS, Group
from hitscope.geometry.kinds import word_of
from hitscope.geometry.registry import EXACT, KINDS_OF_PAIR, Argument, choose

POLL_SECONDS = 0.05
"""The seconds between two polls of the process."""
ENDING = ".done"


class Compilation(Struct, frozen=True):
    """A method to compile, for a pair of types and a number of primitives."""

    probe: str
    primitive: str
    method: str
    arguments: dict[str, Argument]
    size: int
    """The number of primitives, as far as it makes a difference."""

    @classmethod
    def of(cls, use: MethodUse) -> "Compilation":
        """Return the compilation of a method that a report uses."""
        group, (method, arguments), probe = use
        large = len(group.shapes) >= THRESHOLDS.hierarchy_primitives
        size = THRESHOLDS.hierarchy_primitives if large else THRESHOLDS.prepare_primitives
        return cls(word_of(probe), word_of(group.kind), method.name, arguments, size)

    @classmethod
    def of_hierarchy(cls, kind: type) -> "Compilation":
        """Return the compilation of what builds the hierarchy over primitives of a type, and searches it."""
        return cls("segment", word_of(kind), EXACT, {}, THRESHOLDS.hierarchy_primitives)

    @property
    def mark(self) -> str:
        """The name of the file in the cache that marks it as compiled."""
        return f"{sha256(msgspec.json.encode(self)).hexdigest()[:32]}{ENDING}"

    def compile(self) -> None:
        """Compile the method, or read it from the cache."""
        pair = f"{self.probe}_{self.primitive}"
        probe, primitive = KINDS_OF_PAIR[pair]
        numbers = np.arange(float(width(primitive))).reshape(-1, 1) ** 2
        group = Group(Shapes(primitive, np.tile(numbers, self.size)))
        group.prepare(choose(pair, {"name": self.method, **self.arguments}), probe)


def compile_apart(compilations: Sequence[Compilation]) -> None:
    """Compile what the cache lacks in another process, and wait for it; do nothing without a cache."""
    folder = code_folder()
    if folder is None or not (missing := list(_missing(folder, compilations))):
        return
    command = [sys.executable, "-P", "-m", __name__, *(msgspec.json.encode(one).decode() for one in missing)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    try:
        left = len(missing)
        while process.poll() is None:
            time.sleep(POLL_SECONDS)
            left, before = len(list(_missing(folder, missing))), left
            progress.advance(before - left)
    finally:
        process.kill()
        process.wait()


def _missing(folder: Path, compilations: Sequence[Compilation]) -> Iterator[Compilation]:
    return (one for one in compilations if not (folder / one.mark).exists())


def main(*compilations: str) -> None:
    """Run one compilation after the other."""
    gc.disable()  # a compiler's objects live long: looking for garbage among them takes a sixth of the time
    folder = code_folder()
    for compilation in (msgspec.json.decode(text, type=Compilation) for text in compilations):
        compilation.compile()
        if folder is not None and not code_files.problems:  # else its code may not be there
            (folder / compilation.mark).touch()


if __name__ == "__main__":
    main(*sys.argv[1:])

"""The process that compiles methods into the user's cache, as in the window's own it would stop the drawing."""

import gc
from collections.abc import Sequence
from hashlib import sha256

import msgspec
import numpy as np
from msgspec import Struct

from hitscope import progress, worker_processes
from hitscope.evaluate.report import MethodUse
from hitscope.geometry import arrays, code_files, kinds
from hitscope.geometry.compiled import code_folder
from hitscope.geometry.group import THRESHOLDS, Group
from hitscope.geometry.registry import EXACT, KINDS_OF_PAIR, Argument, choose

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
        group, (method, arguments), probe = use
        few, many = THRESHOLDS.prepare_primitives, THRESHOLDS.hierarchy_primitives
        size = many if len(group.shapes) >= many else few
        return cls(kinds.word_of(probe), kinds.word_of(group.kind), method.name, arguments, size)

    @classmethod
    def of_hierarchy(cls, kind: type) -> "Compilation":
        """Return the compilation of what builds the hierarchy over primitives of a type, and searches it."""
        return cls("segment", kinds.word_of(kind), EXACT, {}, THRESHOLDS.hierarchy_primitives)

    @property
    def mark(self) -> str:
        """The name of the file in the cache that marks it as compiled."""
        return f"{sha256(msgspec.json.encode(self)).hexdigest()[:32]}{ENDING}"

    def compile(self) -> None:
        """Compile the method, or read it from the cache."""
        pair = f"{self.probe}_{self.primitive}"
        probe, primitive = KINDS_OF_PAIR[pair]
        numbers = np.arange(float(arrays.width(primitive))).reshape(-1, 1) ** 2
        group = Group(arrays.Shapes(primitive, np.tile(numbers, self.size)))
        group.prepare(choose(pair, {"name": self.method, **self.arguments}), probe)


def compile_apart(compilations: Sequence[Compilation]) -> None:
    """Compile what the cache lacks in another process, and wait for it; do nothing without a cache."""
    folder = code_folder()
    if folder is None or not (missing := [one for one in compilations if not (folder / one.mark).exists()]):
        return
    process = worker_processes.Background(_compile_all, missing)
    try:
        for compiled in process.results():
            progress.advance(1 if compiled else 0)
    finally:
        process.end()


def _compile_all(tell: worker_processes.Tell[Compilation], compilations: Sequence[Compilation]) -> None:
    gc.disable()  # a compiler's objects live long: looking for garbage among them takes a sixth of the time
    folder = code_folder()
    for compilation in compilations:
        compilation.compile()
        if folder is not None and not code_files.problems:  # else its code may not be there
            (folder / compilation.mark).touch()
        tell(compilation)

"""The memory that a target's process shares with the judge's: numbers go out, answers come back."""

import mmap
import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import HitscopeError
from hitscope.targets.cases import Reals

UNWRITTEN = -128
"""The value in the array of verdicts before a runner writes it."""
MOST_CASES = 16384
"""The most cases that are called at once."""


class CaseArrays(NamedTuple):
    """The arrays that `Runner.run` takes, in its order."""

    numbers: Reals
    hit: NDArray[np.int8]
    t_enter: Reals
    normal: Reals
    progress: NDArray[np.uint64]

    @classmethod
    def of_file(cls, path: Path, width: int, real: str) -> "CaseArrays":
        """Map a file that `new_file` has made for cases of so many numbers."""
        layout = _layout(width, real)
        with path.open("r+b") as file:
            memory = mmap.mmap(file.fileno(), layout.itemsize)
        if hasattr(mmap, "MADV_DONTFORK"):
            # A copy that the user's code forks must not go on with the cases of the original.
            memory.madvise(mmap.MADV_DONTFORK)
        records = np.frombuffer(memory, layout)
        return cls(*(records[name][0] for name in cls._fields))

    @classmethod
    def of_numbers(cls, numbers: Reals) -> "CaseArrays":
        """Return arrays in this process's memory for cases with these numbers, without answers yet."""
        n, real = len(numbers), numbers.dtype
        answers = np.empty(n, np.int8), np.empty(n, real), np.empty((n, 3), real)
        arrays = cls(numbers, *answers, np.zeros(1, np.uint64))
        arrays.clear_answers()
        return arrays

    def clear_answers(self) -> None:
        """Fill the answers with what stands for none."""
        self.progress[:] = 0
        self.hit[:] = UNWRITTEN
        self.t_enter[:] = np.nan
        self.normal[:] = np.nan

    def rows(self, cases: slice | NDArray[np.intp]) -> "CaseArrays":
        """Return the arrays of some cases: views of a slice, copies of those with these indices."""
        numbers, hit, t_enter, normal, progress = self
        return CaseArrays(numbers[cases], hit[cases], t_enter[cases], normal[cases], progress)

    def with_copied_answers(self) -> "CaseArrays":
        """Return the arrays with copies of the answers, which the other process cannot change any more."""
        return self._replace(hit=self.hit.copy(), t_enter=self.t_enter.copy(), normal=self.normal.copy())


def new_file(width: int, real: str) -> Path:
    """Make a file to be mapped, full of zeros so that it cannot outgrow its disk later; the caller removes it."""
    # Commands that call no target start faster without it.
    from tempfile import mkstemp

    try:
        handle, name = mkstemp(dir=shared_folder())
        with os.fdopen(handle, "wb") as file:
            file.write(bytes(_layout(width, real).itemsize))
    except OSError as error:
        raise HitscopeError(f"expected a folder for temporary files, found: {error.strerror}") from error
    return Path(name)


def shared_folder() -> Path | None:
    """Return Linux's folder of memory, from which nothing is written to a disk; elsewhere None."""
    folder = Path("/dev/shm")
    return folder if os.access(folder, os.W_OK) else None


def _layout(width: int, real: str) -> np.dtype[Any]:
    """Return the type of the memory, in which every array begins at a multiple of MOST_CASES bytes."""
    n = MOST_CASES
    numbers, hit, t_enter = ("numbers", real, (n, width)), ("hit", np.int8, (n,)), ("t_enter", real, (n,))
    return np.dtype([numbers, hit, t_enter, ("normal", real, (n, 3)), ("progress", np.uint64, (1,))])

"""The processor cores that the process may use, limited while something is measured."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

TASKS = Path("/proc/self/task")


def available() -> list[int]:
    """Return the numbers of cores to measure with: all, then one where the system can limit a process.

    All come first: some libraries keep the number of threads that they were first used with.
    """
    count = len(os.sched_getaffinity(0)) if TASKS.exists() else os.cpu_count() or 1
    return [count, 1] if TASKS.exists() and count > 1 else [count]


def is_fewest(count: int) -> bool:
    """Whether this is the smallest number measured with, the one for contenders of a single thread."""
    return count == available()[-1]


@contextmanager
def limited_to(count: int) -> Iterator[None]:
    """Limit every thread of the process, and those that they start, to a number of cores."""
    if count not in available() or not TASKS.exists():
        yield
        return
    before = os.sched_getaffinity(0)
    _set(set(sorted(before)[:count]))
    try:
        yield
    finally:
        _set(before)


def _set(cores: set[int]) -> None:
    for task in TASKS.iterdir():
        # A thread may have ended meanwhile.
        with suppress(ProcessLookupError):
            os.sched_setaffinity(int(task.name), cores)

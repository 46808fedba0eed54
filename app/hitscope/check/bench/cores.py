"""How many of the machine's processor cores the whole process may use."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

TASKS = Path("/proc/self/task")


def available() -> list[int]:
    """Give the numbers of cores to measure with: all, then one, where the system can keep a process to one.

    All come first: some libraries keep to the number that they were first used with.
    """
    count = len(os.sched_getaffinity(0)) if TASKS.exists() else os.cpu_count() or 1
    return [count, 1] if TASKS.exists() and count > 1 else [count]


def is_fewest(count: int) -> bool:
    """Say whether these are the fewest that are measured with: where what knows one thread only takes part."""
    return count == available()[-1]


@contextmanager
def limited_to(count: int) -> Iterator[None]:
    """Keep every thread of the process, and those that they start, to so many cores."""
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

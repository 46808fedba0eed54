"""A pool of threads for compiled code, which runs without the interpreter's lock."""

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from hitscope import progress

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

T = TypeVar("T")
R = TypeVar("R")

LEAST_WORK, MOST_WORK = 8192, 1 << 20
"""The least and the most indices of a range that a thread takes at a time."""


def each(function: Callable[[T], R], parts: Iterable[T]) -> Iterator[R]:
    """Call the function on each part, on all threads that the process may use; yield the results in order."""
    for result in (_pool().map if count() > 1 else map)(function, parts):
        progress.advance(0)  # raises where the job that waits for the results is cancelled
        yield result


def each_part(size: int, work: Callable[[int, int], R]) -> list[R]:
    """Call `work(first, last)` on parts of a range, on all threads if it is long; return the results in order."""
    if size < 2 * LEAST_WORK:
        return [work(0, size)] if size else []
    wanted = max(-(-size // MOST_WORK), 2 * count() if count() > 1 else 1)
    parts = min(wanted, size // LEAST_WORK)
    bounds = [(size * part // parts, size * (part + 1) // parts) for part in range(parts)]
    return list(each(lambda ends: work(*ends), bounds))


def count() -> int:
    """Return the number of cores that this process may use now, each for a thread."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _pool() -> "ThreadPoolExecutor":
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="hitscope")


# A forked process has none of the threads.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)

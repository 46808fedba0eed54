"""The few threads that compiled code, which does without the interpreter's lock, is spread over."""

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
"""A thread takes so many of a range's numbers at a time."""


def each(function: Callable[[T], R], parts: Iterable[T]) -> Iterator[R]:
    """Give what the function makes of each part, in the order of the parts; all threads work on them at once."""
    return map(_received, _pool().map(function, parts))


def _received(result: R) -> R:
    """Pass a result on, unless nobody waits for it any more."""
    progress.advance(0)
    return result


def each_part(size: int, work: Callable[[int, int], R]) -> list[R]:
    """Do the work on parts of a range, on all threads if there is enough of it; give the results in order."""
    wanted = max(-(-size // MOST_WORK), 2 * count() if count() > 1 else 1)
    parts = max(min(wanted, size // LEAST_WORK), 1)
    bounds = [(size * part // parts, size * (part + 1) // parts) for part in range(parts if size else 0)]
    if parts == 1 or count() == 1:
        return [work(*ends) for ends in bounds]
    return list(each(lambda ends: work(*ends), bounds))


@cache
def count() -> int:
    """Give how many threads work at once."""
    return os.cpu_count() or 1


@cache
def _pool() -> "ThreadPoolExecutor":
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(count(), thread_name_prefix="hitscope")


# A process that is forked off has none of the threads.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)

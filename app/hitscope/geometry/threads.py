"""The few threads that compiled code, which does without the interpreter's lock, is spread over."""

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

T = TypeVar("T")
R = TypeVar("R")


def each(function: Callable[[T], R], parts: Iterable[T]) -> Iterator[R]:
    """Give what the function makes of each part, in the order of the parts; all threads work on them at once."""
    return _pool().map(function, parts)


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

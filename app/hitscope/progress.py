"""Progress of long work: loops count finished units; a listener may show the count, or end the work by raising."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

Listener = Callable[[float | None], None]
"""Takes the fraction that is done, from 0 to 1; None where it is not known."""

CHUNK_ROWS = 1 << 16
"""A number of rows that takes milliseconds."""
COUNTED_ROWS = 1 << 12
"""The rows after which a loop in Python counts them."""


@dataclass
class _Count:
    """The finished and the total units of a thread's work: bytes, pairs, steps."""

    listener: Listener
    done: int = 0
    total: int = 0


_COUNT: ContextVar[_Count | None] = ContextVar("count", default=None)


@contextmanager
def reporting_to(listener: Listener) -> Iterator[None]:
    """Call a listener with the progress of this thread."""
    before = _COUNT.set(_Count(listener))
    try:
        yield
    finally:
        _COUNT.reset(before)


def begin(units: int = 0) -> None:
    """Begin a new count with a total of `units`, if that is known."""
    if (count := _COUNT.get()) is not None:
        count.done, count.total = 0, 0
        add_total(units)


def add_total(units: int) -> None:
    """Add units to the total that were not known when the count began."""
    if (count := _COUNT.get()) is not None:
        count.total += units
        advance(0)


def advance(units: int) -> None:
    """Add finished units, and call the listener, if there is one; an exception of it ends the work."""
    if (count := _COUNT.get()) is not None:
        count.done += units
        # Until a unit is finished, it is unknown whether this work counts units at all.
        count.listener(min(count.done / count.total, 1.0) if count.done and count.total else None)


def chunks(size: int) -> Iterator[slice]:
    """Cut `size` rows into chunks, calling the listener before each."""
    for first in range(0, size, CHUNK_ROWS):
        advance(0)
        yield slice(first, first + CHUNK_ROWS)

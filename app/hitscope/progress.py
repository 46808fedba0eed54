"""How far long work is: its loops count what they have done; whoever waits may listen, and end it by raising."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

Listener = Callable[[float | None], None]
"""Is told how much is done, from 0 to 1; None where that is not known."""


PIECE = 1 << 16
"""So many rows of numbers take a moment."""


@dataclass
class _Count:
    """What a thread has done of what it has to do, in units of its own: bytes, pairs, steps."""

    listener: Listener
    done: int = 0
    of: int = 0


_COUNT: ContextVar[_Count | None] = ContextVar("count", default=None)


@contextmanager
def told_to(listener: Listener) -> Iterator[None]:
    """Let a listener know how far this thread is."""
    before = _COUNT.set(_Count(listener))
    try:
        yield
    finally:
        _COUNT.reset(before)


def begin(units: int = 0) -> None:
    """Begin to count anew: `units` of work are known of."""
    count = _COUNT.get()
    if count is not None:
        count.done, count.of = 0, 0
        expect(units)


def expect(units: int) -> None:
    """Note that there is so much more to do than was known."""
    count = _COUNT.get()
    if count is not None:
        count.of += units
        advance(0)


def advance(units: int) -> None:
    """Note that so much more is done. Without a listener this is for nobody; one that raises ends the work."""
    count = _COUNT.get()
    if count is not None:
        count.done += units
        # Before something is done, nobody knows whether it is counted at all.
        count.listener(min(count.done / count.of, 1.0) if count.done and count.of else None)


def pieces(size: int) -> Iterator[slice]:
    """Cut rows of numbers into pieces, before each of which the work may be ended."""
    for first in range(0, size, PIECE):
        advance(0)
        yield slice(first, first + PIECE)

"""Work that takes a while, done in a thread of its own while the window goes on."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Cancelled(Exception):  # noqa: N818 - it is no error
    """Nobody waits for the work any more."""


class Job(Generic[T]):
    """One piece of work, begun at once.

    A thread cannot be stopped from outside: what is cancelled is forgotten, and ends when it next says something.
    """

    def __init__(self, says: str, work: Callable[["Job[T]"], T], now: float = 0.0) -> None:
        """Begin `work`, which may `say` what it is about; `now` is the viewer's time, in seconds."""
        self.says = says
        self.began = now
        self._answer: list[T] = []
        self._error: Exception | None = None
        self._cancelled = False
        self._thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        self._thread.start()

    def say(self, words: str) -> None:
        """Tell what is being done now; ends work that was cancelled."""
        if self._cancelled:
            raise Cancelled
        self.says = words

    def cancel(self) -> None:
        """Wait for it no longer."""
        self._cancelled = True

    def done(self, seconds: float = 0.0) -> bool:
        """Say whether it is done, waiting for so long."""
        self._thread.join(seconds if seconds < threading.TIMEOUT_MAX else None)
        return not self._thread.is_alive()

    def answer(self) -> T:
        """Give what a job that is done has found; raises what it raised."""
        if self._error is not None:
            raise self._error
        return self._answer[0]

    def _run(self, work: Callable[["Job[T]"], T]) -> None:
        try:
            self._answer.append(work(self))
        except Exception as error:
            self._error = error

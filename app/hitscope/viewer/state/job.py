"""Work that takes a while, done in a thread of its own while the window goes on."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from hitscope import progress
from hitscope.errors import HitscopeError

T = TypeVar("T")


class Cancelled(BaseException):
    """Nobody waits for the work any more; it is no error, and nobody on the way may take it for one."""


class Job(Generic[T]):
    """One piece of work, begun at once; its `name` is what it `says` in the beginning.

    A thread cannot be stopped from outside: what is cancelled is forgotten, and ends when it next says something,
    or counts what it has done; see `progress`.
    """

    def __init__(self, says: str, work: Callable[["Job[T]"], T], now: float = 0.0) -> None:
        """Begin `work`, which may `say` what it is about; `now` is the viewer's time, in seconds."""
        self.name = self.says = says
        self.fraction: float | None = None
        """How much is done of what it says, from 0 to 1; None where that is not known."""
        self.began = now
        self._answer: list[T] = []
        self._error: BaseException | None = None
        self._cancelled = False
        self._thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        self._thread.start()

    def say(self, words: str, units: int = 0) -> None:
        """Tell what is being done now, and of how many units if that is known; ends work that was cancelled."""
        self._go_on(None)
        self.says = words
        progress.begin(units)

    def cancel(self) -> None:
        """Wait for it no longer."""
        self._cancelled = True

    def done(self, seconds: float = 0.0) -> bool:
        """Say whether it is done, waiting for so long."""
        self._thread.join(seconds if seconds < threading.TIMEOUT_MAX else None)
        return not self._thread.is_alive()

    def done_within(self, patience_s: float) -> bool:
        """Wait for it for some seconds; True if it is done then, but with no patience never."""
        return bool(patience_s) and self.done(patience_s)

    def answer(self) -> T:
        """Give what a job that is done has found; raises what it raised."""
        if self._error is not None:
            raise self._error
        return self._answer[0]

    @property
    def problem(self) -> str:
        """Why a job that is done did not find it, in words; nothing where it did."""
        return str(self._error) if isinstance(self._error, HitscopeError) else ""

    def _run(self, work: Callable[["Job[T]"], T]) -> None:
        try:
            with progress.reporting_to(self._go_on):
                self._answer.append(work(self))
        except (Exception, Cancelled) as error:
            self._error = error

    def _go_on(self, fraction: float | None) -> None:
        """Note how much is done; ends work that was cancelled."""
        if self._cancelled:
            raise Cancelled
        self.fraction = fraction

"""A job: long work in a thread of its own, during which the window stays responsive."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from hitscope import progress
from hitscope.errors import HitscopeError

T = TypeVar("T")


class Cancelled(BaseException):
    """Raised in a job's thread to end it; no `Exception`, so that no handler on the way takes it for an error."""


class Job(Generic[T]):
    """One piece of work, begun at once; its `status` is its `name` at first.

    A thread cannot be stopped from outside: a cancelled job ends when it next sets its status or counts its units;
    see `progress`.
    """

    def __init__(self, name: str, work: Callable[["Job[T]"], T], now: float = 0.0) -> None:
        """Begin `work`, which is given the job; `now` is the viewer's time, in seconds."""
        self.name = self.status = name
        self.fraction: float | None = None
        """The fraction of the status' work that is done, from 0 to 1; None where it is unknown."""
        self.began = now
        self._answer: list[T] = []
        self._error: BaseException | None = None
        self._cancelled = False
        self._thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        self._thread.start()

    def set_status(self, words: str, units: int = 0) -> None:
        """Set the status and, if it can be counted, the total of `units`; ends the work where it was cancelled."""
        self._go_on(None)
        self.status = words
        progress.begin(units)

    def cancel(self) -> None:
        """End the job soon, and drop its result."""
        self._cancelled = True

    def done(self, seconds: float = 0.0) -> bool:
        """Whether it is done, after waiting for at most some seconds."""
        self._thread.join(seconds if seconds < threading.TIMEOUT_MAX else None)
        return not self._thread.is_alive()

    def done_within(self, patience_s: float) -> bool:
        """Whether it is done after waiting for some seconds; never with a patience of 0 s."""
        return bool(patience_s) and self.done(patience_s)

    def answer(self) -> T:
        """The result of a job that is done; raises what it raised."""
        if self._error is not None:
            raise self._error
        return self._answer[0]

    @property
    def problem(self) -> str:
        """Why a job that is done has no result, in words; "" where it has one."""
        return str(self._error) if isinstance(self._error, HitscopeError) else ""

    def _run(self, work: Callable[["Job[T]"], T]) -> None:
        try:
            with progress.reporting_to(self._go_on):
                self._answer.append(work(self))
        except (Exception, Cancelled) as error:
            self._error = error

    def _go_on(self, fraction: float | None) -> None:
        """Note the fraction that is done; ends the work where it was cancelled."""
        if self._cancelled:
            raise Cancelled
        self.fraction = fraction

"""The background jobs, such as opening, compiling, saving, comparing methods and calling the user's own."""

import math
import threading
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any, Final, Generic, TypeVar, get_args

from hitscope import progress
from hitscope.draw.items import DrawList
from hitscope.errors import HitscopeError
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.inputs import JobKind

T = TypeVar("T")

WRITING: Final[tuple[JobKind, ...]] = ("saving", "exporting")
"""The jobs that write a file."""


class Cancelled(BaseException):
    """Raised in a job's thread to end it; no `Exception`, so that no handler on the way takes it for an error."""


class Job(Generic[T]):
    """One piece of work, begun at once, and what follows from it; its `status` is its `name` at first.

    A thread cannot be stopped from outside: a cancelled job ends when it next sets its status or counts its units;
    see `progress`.
    """

    def __init__(
        self,
        name: str,
        work: Callable[["Job[T]"], T],
        now: float = 0.0,
        *,
        take: Callable[[T], object] = lambda _: None,
        refuse: Callable[[str], object] = lambda _: None,
        stopped: Callable[[], object] = lambda: None,
        about: Any = None,
    ) -> None:
        """Begin `work`, which is given the job; `now` is the viewer's time, in seconds.

        `Jobs.finish` calls `take` with its result, or `refuse` with why it has none; what stops it before
        calls `stopped`. What it is `about` tells whether it is still wanted.
        """
        self.name = self.status = name
        self.take, self.refuse, self.stopped, self.about = take, refuse, stopped, about
        self.fraction: float | None = None
        """The fraction of the status' work that is done, from 0 to 1; None where it is unknown."""
        self.began = now
        self.ends_early = Event()
        """Set where it is to end with what it has."""
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


class Jobs:
    """At most one job of each kind. Written by the actions that begin, finish and stop them."""

    def __init__(self, to_open: list[Document], pack: Callable[[DrawList], None] = lambda _: None) -> None:
        self.pack = pack
        """Prepares a large draw list for the graphics card, in the thread of a job."""
        self.opening: Job[Any] | None = None
        """A scene that is read and evaluated; about the scene of a change, or about None."""
        self.preparing: Job[None] | None = None
        self.saving: Job[None] | None = None
        self.exporting: Job[None] | None = None
        self.comparing: Job[Any] | None = None
        """About the report whose methods are compared."""
        self.calling: Job[Any] | None = None
        """About the document."""
        self.mapping: Job[Any] | None = None
        self.searching: Job[Any] | None = None
        """About the function whose wrong line is looked for."""
        self.closing: Callable[[], None] | None = None
        """Closes the window after the file that is being written; None if it stays open."""
        self.to_open = to_open
        """The documents to open next, one after the other."""
        self.opens_all = False
        """Whether to open all of those, not only the first that can be opened."""
        self.refused: Path | None = None
        """The last file that could not be opened, until another one is."""
        self.compiles = True
        """Whether to compile; False from when the user stops it until another scene is opened."""

    @property
    def running(self) -> list[JobKind]:
        return [work for work in get_args(JobKind) if self.of(work) is not None]

    def of(self, work: JobKind) -> Job[Any] | None:
        """The job of a kind, if there is one."""
        job: Job[Any] | None = getattr(self, work)
        return job

    def stop(self, work: JobKind) -> Job[Any] | None:
        """Cancel the job of a kind and return it; None if there was none."""
        job = self.of(work)
        if job is not None:
            job.cancel()
            setattr(self, work, None)
        return job

    def finish(self, work: JobKind, problem: str = "") -> None:
        """Hand the result of a job over; then close the window, if it waits for a file that is written.

        `problem` is why the file could not be written in the session whose recording is played.
        """
        job = self.of(work)
        assert job is not None
        setattr(self, work, None)
        closing = None
        if work in WRITING:
            closing, self.closing = self.closing, None
        if problem := problem or job.problem:
            job.refuse(problem)
        else:
            job.take(job.answer())
            if closing is not None:
                closing()

    def done(self, dragging: bool) -> JobKind | None:
        """A kind whose job is done but not yet finished; a scene is not exchanged while `dragging`."""
        done = (work for work in self.running if (job := self.of(work)) is not None and job.done())
        return next((work for work in done if not (dragging and work == "opening")), None)

    def save_error(self, work: JobKind) -> str:
        """Why the file of a job that is done could not be written; "" where it was, or of other jobs."""
        job = self.of(work)
        return job.problem if work in WRITING and job is not None else ""

    def wait(self, work: JobKind) -> bool:
        """Wait for the job of a kind; False if there is none."""
        job = self.of(work)
        return job is not None and job.done(math.inf)

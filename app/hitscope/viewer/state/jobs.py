"""The background jobs, such as opening, compiling, saving, comparing methods and calling the user's own."""

import math
import threading
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any, Generic, NamedTuple, TypeVar, get_args

from hitscope import progress
from hitscope.draw.items import DrawList
from hitscope.errors import HitscopeError
from hitscope.evaluate import Report
from hitscope.evaluate.method_differences import MethodDifferences
from hitscope.maps import PositionMap
from hitscope.maps.position_map import WrongPosition
from hitscope.scene import Scene
from hitscope.targets.deciding import DecidingTargets
from hitscope.targets.fixes import Fixes
from hitscope.targets.target import TargetSpec
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.inputs import JobKind
from hitscope.viewer.state.map_view import Question
from hitscope.viewer.state.own_code import Called
from hitscope.viewer.state.session import Evaluated

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


class Opening(NamedTuple):
    """A scene that is being evaluated, and the functions called with the result."""

    job: Job[Evaluated]
    take: Callable[[Evaluated], None]
    refuse: Callable[[], None] = lambda: None
    stopped: Callable[[], None] = lambda: None
    scene: Scene | None = None
    """The scene of a change; None for a document that is opened."""


class Writing(NamedTuple):
    """A file that is being written."""

    job: Job[None]
    take: Callable[[str], None]
    """Called at the end with the reason why it could not be written, or ""."""


class Comparing(NamedTuple):
    """The methods of a report that are being compared with exact."""

    job: Job[MethodDifferences]
    report: Report


class Calling(NamedTuple):
    """The user's own methods, which are being called."""

    job: Job[Called]
    document: Document
    loads: bool
    """Whether their files are loaded before."""


class Mapping(NamedTuple):
    """A map that is being made, and what it shows."""

    job: Job[PositionMap | WrongPosition | None]
    question: Question


class Searching(NamedTuple):
    """A search for the wrong line of a function of the user's."""

    job: Job[Fixes]
    spec: TargetSpec
    targets: DecidingTargets
    """The targets of the files that it reads."""
    stop: Event
    """Set where it is to end with what it has."""


class Jobs:
    """At most one job of each kind. Written by the actions that begin, finish and stop them."""

    def __init__(self, to_open: list[Document], pack: Callable[[DrawList], None] = lambda _: None) -> None:
        self.pack = pack
        """Prepares a large draw list for the graphics card, in the thread of a job."""
        self.opening: Opening | None = None
        self.preparing: Job[None] | None = None
        self.saving: Writing | None = None
        self.exporting: Writing | None = None
        self.comparing: Comparing | None = None
        self.calling: Calling | None = None
        self.mapping: Mapping | None = None
        self.searching: Searching | None = None
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
        """The kinds of the jobs in the background."""
        return [work for work in get_args(JobKind) if self.of(work) is not None]

    def of(self, work: JobKind) -> Job[Any] | None:
        """The job of a kind, if there is one."""
        running: Job[Any] | Opening | Writing | Comparing | Calling | Mapping | Searching | None
        running = getattr(self, work)
        return running if running is None or isinstance(running, Job) else running.job

    def done(self, dragging: bool) -> JobKind | None:
        """A kind whose job is done but not yet finished; a scene is not exchanged while `dragging`."""
        for work in self.running:
            job = self.of(work)
            if job is not None and job.done() and not (dragging and work == "opening"):
                return work
        return None

    def save_error(self, work: JobKind) -> str:
        """Why the file of a job that is done could not be written; "" where it was, or of other jobs."""
        job = self.of(work)
        return job.problem if work in ("saving", "exporting") and job is not None else ""

    def wait(self, work: JobKind) -> bool:
        """Wait for the job of a kind; False if there is none."""
        job = self.of(work)
        return job is not None and job.done(math.inf)

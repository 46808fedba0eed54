"""Worker processes that import nothing from the working folder, in which files of anybody may lie."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Lock
from typing import Concatenate, Generic, TypeVar

from hitscope.errors import HitscopeError

T = TypeVar("T")
Tell = Callable[[T], None]

SAFE_PATH = "PYTHONSAFEPATH"
"""The environment variable with which Python leaves that folder out of its path."""
NICENESS = 10
"""The priority of a process beside a window, which has to stay responsive."""
POLL_SECONDS = 0.05
_STARTING = Lock()
"""Held while the variable is set, which is one for all threads."""


class _Worker(SpawnProcess):
    """A process started with the variable, that works without, as it starts the user's own; it ignores Ctrl+C."""

    _before: str | None = None

    def start(self) -> None:
        with _interrupts_held(), _safe_path() as self._before:
            super().start()

    def run(self) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        _restore(self._before)
        super().run()


class _Workers(SpawnContext):
    Process = _Worker


class Background(Generic[T]):
    """Work in a process beside a window, of lower priority: a thread would hold the interpreter's lock."""

    def __init__(self, work: Callable[Concatenate[Tell[T], ...], None], *arguments: object) -> None:
        """Start `work(tell, *arguments)`, which gives its results to `tell`; all of them are pickled."""
        context = worker_context()
        self._results, theirs = context.Pipe(duplex=False)
        self._process = context.Process(target=_work, args=(theirs, work, *arguments), daemon=True)
        self._process.start()
        theirs.close()

    def results(self, seconds: float = POLL_SECONDS) -> Iterator[T | None]:
        """Yield each result, None where there is none for some seconds, until the end; raises HitscopeError."""
        while True:
            try:
                result, problem = self._results.recv() if self._results.poll(seconds) else (None, "")
            except (EOFError, OSError):
                self._process.join()
                if self._process.exitcode:
                    raise HitscopeError(f"its process ended with {self._process.exitcode}") from None
                return
            if problem:
                raise HitscopeError(problem)
            yield result

    def end(self) -> None:
        """End the process at once, if it has not ended."""
        self._process.kill()
        self._process.join()


def _work(connection: Connection, work: Callable[..., None], *arguments: object) -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):  # what libraries print is for nobody
        os.dup2(nothing, stream)
    with suppress(BrokenPipeError):
        try:
            work(lambda result: connection.send((result, "")), *arguments)
        except HitscopeError as error:
            connection.send((None, str(error)))


def worker_context() -> SpawnContext:
    """Return what makes worker processes; the process with which Python looks after them is started."""
    if sys.platform != "win32":
        with _safe_path():
            resource_tracker.ensure_running()
    return _Workers()


@contextmanager
def _safe_path() -> Iterator[str | None]:
    """Set the variable; yield its value before."""
    with _STARTING:
        before = os.environ.get(SAFE_PATH)
        os.environ[SAFE_PATH] = "1"
        try:
            yield before
        finally:
            _restore(before)


def _restore(before: str | None) -> None:
    if before is None:
        os.environ.pop(SAFE_PATH, None)
    else:
        os.environ[SAFE_PATH] = before


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl+C back, so that a process which is started does not end by it before it can ignore it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

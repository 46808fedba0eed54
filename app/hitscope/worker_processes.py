"""Worker processes that import nothing from the working folder, in which files of anybody may lie."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess

SAFE_PATH = "PYTHONSAFEPATH"
"""The environment variable with which Python leaves that folder out of its path."""
NICENESS = 10
"""The priority of a process beside a window, which has to stay responsive."""


class _Worker(SpawnProcess):
    """A process that is started with the variable, and does its work without: what it starts is the user's own."""

    _before: str | None = None

    def start(self) -> None:
        with _safe_path() as self._before:
            super().start()

    def run(self) -> None:
        _restore(self._before)
        super().run()


class _Workers(SpawnContext):
    Process = _Worker


def step_back() -> None:
    """Give this process a lower priority than the window that started it."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)


def worker_context() -> SpawnContext:
    """Return what makes worker processes; the process with which Python looks after them is started."""
    if sys.platform != "win32":
        with _safe_path():
            resource_tracker.ensure_running()
    return _Workers()


@contextmanager
def _safe_path() -> Iterator[str | None]:
    """Set the variable; yield its value before."""
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

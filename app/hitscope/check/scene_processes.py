"""The processes of `check -j`: each checks scenes of its own, and the outcomes come in the order of the scenes."""

import argparse
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path

from hitscope.check import runner
from hitscope.check.runner import Checks, Listed, Outcome, check_file, check_listed
from hitscope.errors import HitscopeError, escaped
from hitscope.evaluate import evaluate
from hitscope.scene.load import read
from hitscope.worker_processes import worker_context

SENT_SECONDS = 0.05
"""The time for which a process has scenes to check before it is sent more."""
MOST_SENT = 64
"""The most scenes that a process has been sent and not checked yet."""
LEAST_SENT = 2
"""The number for scenes that take long: one to check, and the next."""
MOST_KEPT = 1024
"""The most scenes ahead of the first one without an outcome: those that are checked before it have to be kept."""
END_SECONDS = 5.0
"""The time in which a process that has closed its connection has to end."""


class SceneProcesses:
    """Processes that check the scenes of a list, of which each has some ahead."""

    def __init__(self, number: int, checks: Checks, options: argparse.Namespace, listed: Sequence[Listed]) -> None:
        # What can be sent: a process opens the TARGETs of the options for itself, and needs none of the paths.
        sent = checks._replace(read=read, report_of=evaluate)
        self._task = sent, argparse.Namespace(**vars(options) | {"paths": []})
        self._listed = listed
        self._unsent: deque[int] = deque()
        """The indices of those that no process has, in order."""
        self._found: dict[int, Outcome] = {}
        self._seconds = SENT_SECONDS
        self._processes = [_Process(*self._task) for _ in range(number)]

    @property
    def is_any_ready(self) -> bool:
        """Whether any of them has started, and waits for scenes."""
        return bool(wait([process.connection for process in self._processes], 0))

    def outcomes(self, start: int, checks: Checks) -> Iterator[Outcome]:
        """Yield the outcomes from an index on; what only this process can read, it checks itself."""
        is_sent = [isinstance(entry, str) and runner.is_same_elsewhere(entry) for entry in self._listed]
        self._unsent.extend(k for k in range(start, len(self._listed)) if is_sent[k])
        for k in range(start, len(self._listed)):
            if is_sent[k]:
                while k not in self._found:
                    self._send(k + MOST_KEPT)
                    self._receive()
                yield self._found.pop(k)
            else:
                yield check_listed(self._listed[k], checks)

    def end(self) -> None:
        """Let them close the TARGETs that they have opened, and end."""
        for process in self._processes:
            process.send_end()
        for process in self._processes:
            process.process.join()

    def kill(self) -> None:
        for process in self._processes:
            process.kill()

    def _send(self, stop: int) -> None:
        """Send each process some more scenes of those before an index, unless it has enough."""
        left = -(-len(self._unsent) // len(self._processes))
        enough = max(LEAST_SENT, min(MOST_SENT, left, int(SENT_SECONDS / self._seconds)))
        for process in self._processes:
            if len(process.sent) <= enough // 2:
                process.send(self._next(enough - len(process.sent), stop), self._listed)

    def _next(self, number: int, stop: int) -> list[int]:
        """Return the next indices to send, at most so many."""
        found: list[int] = []
        while self._unsent and self._unsent[0] < stop and len(found) < number:
            found.append(self._unsent.popleft())
        return found

    def _receive(self) -> None:
        """Wait for an outcome, or the end of a process, whose scene is broken."""
        ready = wait([process.connection for process in self._processes])
        for i, process in enumerate(self._processes):
            if process.connection not in ready:
                continue
            try:
                outcome: Outcome | None = process.connection.recv()
            except (EOFError, OSError):
                ending = process.ending()
                if not process.is_ready:
                    raise HitscopeError(f"a process that checks scenes cannot be started: it {ending}") from None
                if process.sent:
                    k = process.sent.popleft()
                    words = f"{self._listed[k]}: expected a process to check it, found that it {ending}"
                    self._found[k] = Outcome(str(self._listed[k]), error=escaped(words))
                    self._unsent.extendleft(reversed(process.sent))
                self._processes[i] = _Process(*self._task)
            else:
                process.is_ready = True
                if outcome is not None:  # else it has started
                    self._found[process.sent.popleft()] = outcome
                    self._seconds += (max(outcome.seconds, 1e-6) - self._seconds) / 8


class _Process:
    """One of the processes, and the indices of the scenes that it has been sent, in order."""

    def __init__(self, checks: Checks, options: argparse.Namespace) -> None:
        self.sent: deque[int] = deque()
        self.is_ready = False
        context = worker_context()
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_check_scenes, args=(theirs, checks, options), daemon=True)
        try:
            self.process.start()
        except OSError as error:
            raise HitscopeError(f"a process that checks scenes cannot be started: {error.strerror}") from error
        theirs.close()

    def send(self, indices: Sequence[int], listed: Sequence[Listed]) -> None:
        if indices:
            self.sent.extend(indices)
            with suppress(OSError):  # it has ended, which receiving tells
                self.connection.send([listed[k] for k in indices])

    def ending(self) -> str:
        self.process.join(END_SECONDS)
        self.kill()
        status = self.process.exitcode or 0
        return f"was ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"

    def send_end(self) -> None:
        """Let it end; at once, where it still starts."""
        if not self.is_ready:
            self.process.terminate()
        with suppress(OSError):
            self.connection.send([])

    def kill(self) -> None:
        self.process.terminate()
        self.process.join()


def _check_scenes(connection: Connection, checks: Checks, options: argparse.Namespace) -> None:
    """Check the scenes that arrive, in a process of its own, until an empty list does, or the other end closes."""
    with runner.report_source(options) as report_of, suppress(EOFError, BrokenPipeError):
        checks = checks._replace(report_of=report_of)
        connection.send(None)
        while paths := connection.recv():
            for path in paths:
                connection.send(check_file(Path(path), checks))

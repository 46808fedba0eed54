"""The process that a target runs in, beside the judge's own.

The judge believes only its own copy of the numbers, verdicts in the shared memory and replies through a pipe. A
process that ends, or finishes no case for a time, costs the case that it was at; another one goes on behind it.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic, perf_counter, sleep
from typing import IO

import msgspec
import numpy as np

from hitscope import progress
from hitscope.errors import HitscopeError, escaped
from hitscope.geometry.code_files import kept_folder
from hitscope.targets import build, fork_server, runners
from hitscope.targets.calls import OpenTarget, Outcome
from hitscope.targets.case_arrays import UNWRITTEN, CaseArrays, new_file
from hitscope.targets.cases import MOST_PARTS, PART_WIDTH, Reals
from hitscope.targets.child import BYTE_ORDER, COMMAND_BYTES, Loaded, Ran, Start
from hitscope.targets.target import Failure, Runner, TargetSpec

MOST_BYTES = 64 * 1024
"""The most bytes of a target's output that are passed on."""


class OutputRelay:
    """Passes on what the processes of one target print: the beginning, and a line that says where it is cut."""

    def __init__(self, name: str, printed: Callable[[str], None]) -> None:
        """Relay the output of a target with this name; `printed` takes it, in other threads."""
        self._name, self._printed = name, printed
        self._left, self._lock = MOST_BYTES, Lock()

    def of(self, pipe: IO[bytes]) -> Thread:
        """Start to read a pipe, until its end."""
        thread = Thread(target=self._read, args=(pipe,), daemon=True)
        thread.start()
        return thread

    def _read(self, pipe: IO[bytes]) -> None:
        with suppress(OSError, ValueError), pipe:  # closed
            while chunk := pipe.read1(MOST_BYTES):  # type: ignore[attr-defined] # of a buffered reader
                with self._lock:
                    if passed := chunk[: self._left]:
                        self._left -= len(passed)
                        more = f"\n{self._name} printed more than {MOST_BYTES // 1024} KiB: the rest is left out\n"
                        self._printed(passed.decode(errors="replace") + ("" if self._left else more))


def print_to_stderr(text: str) -> None:
    """Pass on a text to standard error."""
    with suppress(OSError, ValueError):  # nobody reads it
        if sys.stderr:
            sys.stderr.write(text)
            sys.stderr.flush()


EXIT_SECONDS = 5.0
"""The seconds that the process has to end by itself, with what the target has to do at exit."""
END_SECONDS = 1.0
"""The seconds that a process which closed its pipe has to end, and its last output to arrive."""
POLL_SECONDS = 0.05
"""The seconds between two looks at a process that does not answer."""
MEMORY_SHARE = 0.5
"""The share of this machine's memory that a target may allocate; more fails, or ends its process."""


@contextmanager
def open_target(
    spec: TargetSpec, printed: Callable[[str], None] = print_to_stderr, folder: str | None = None
) -> Iterator[OpenTarget]:
    """Start a target in a process of its own, in a folder, or raise HitscopeError; threads call `printed`."""
    if spec.code.kind == "catalogue_method":
        yield InThisProcess(runners.load_runner(spec))
        return
    if spec.code.kind == "c_source":
        kept_folder(build.FOLDER)  # says so where there is none, once for all processes of targets, which do not
    target = _InOwnProcess(spec, printed, folder)
    try:
        yield target
        target.process.finish()
    finally:
        target.process.kill()


class InThisProcess(OpenTarget):
    """A target that is called in the judge's process."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self.has_normals, self.about = runner.has_normals, runner.about

    def run(self, numbers: Reals) -> Outcome:
        arrays = CaseArrays.of_numbers(numbers)
        began = perf_counter()
        failures = self._runner.run(arrays)
        return Outcome(arrays, perf_counter() - began, failures)


class _InOwnProcess(OpenTarget):
    """A target in a process of its own, in another one after each failure."""

    def __init__(self, spec: TargetSpec, printed: Callable[[str], None], folder: str | None) -> None:
        self._spec, self._folder = spec, folder
        self._output = OutputRelay(escaped(spec.name), printed)
        self.process = _Process(spec, folder, self._output)
        loaded = self.process.loaded
        self.has_normals, self.about = loaded.has_normals, loaded.about
        self.files = [os.fsdecode(path) for path in loaded.files]

    def run(self, numbers: Reals) -> Outcome:
        """Call it; raises HitscopeError for polyhedra that its memory has no room for."""
        spare = numbers.shape[1] - self._spec.width
        if spare > 0:
            expected = f"polyhedra of at most {MOST_PARTS} planes or vertices"
            found = MOST_PARTS + spare // PART_WIDTH
            raise HitscopeError(f"{escaped(self._spec.name)}: expected {expected}, found one of {found}")
        if self.process.has_ended:
            self.process = _Process(self._spec, self._folder, self._output)
        return self.process.run(numbers)


class _Process:
    """A process of a target, from its start to its end."""

    def __init__(self, spec: TargetSpec, folder: str | None, output: OutputRelay) -> None:
        """Start it and wait until the target is loaded; raises HitscopeError if that fails."""
        self._timeout = spec.timeout
        self.has_ended = False
        if folder is not None and not os.path.isdir(folder):
            raise HitscopeError(f"{folder}: expected the folder that the judge runs in, found none here")
        file = new_file(spec.width, spec.real)
        try:
            self._arrays = CaseArrays.of_file(file, spec.width, spec.real)
            spawned = _waiting.pop if _waiting else _Spawned
            self._process = fork_server.forked() if sys.platform == "linux" else spawned()
            assert self._process.stdin and self._process.stdout and self._process.stderr
            self._commands, self._pipe = self._process.stdin, self._process.stdout
            with suppress(OSError):  # it has ended, which `_load` says
                # json, as msgspec takes no text with bytes that are no characters, which a path may have.
                start = Start(spec, str(file), most_memory(), folder or os.getcwd(), sys.path, dict(os.environ))
                self._commands.write(json.dumps(msgspec.to_builtins(start)).encode() + b"\n")
                self._commands.flush()
            self._replies: SimpleQueue[bytes] = SimpleQueue()
            Thread(target=self._read, daemon=True).start()
            self._printed = output.of(self._process.stderr)
            try:
                self.loaded = self._load(escaped(spec.name))
            except BaseException:
                self.kill()
                raise
        finally:
            with suppress(OSError):  # Windows keeps a file that is mapped; it lies in a folder for temporary ones
                file.unlink()

    def _load(self, name: str) -> Loaded:
        while True:
            try:
                line = self._replies.get(timeout=POLL_SECONDS)
            except Empty:
                progress.advance(0)  # ends a job that is cancelled
                if not self._process.has_ended():
                    continue
                line = self._last_reply()
            try:
                loaded = msgspec.json.decode(line, type=Loaded)
            except msgspec.DecodeError:
                raise HitscopeError(f"{name} ended its process when it was loaded: {self._ending()}") from None
            if loaded.error:
                self._ending()  # until then it may print
                raise HitscopeError(loaded.error)
            return loaded

    def run(self, numbers: Reals) -> Outcome:
        """Call the target on a batch of cases; a failure ends the process."""
        arrays = self._arrays.rows(slice(len(numbers)))
        arrays.numbers[:] = numbers
        arrays.clear_answers()
        with suppress(OSError):  # the process has ended, which its answer shows
            self._commands.write(len(numbers).to_bytes(COMMAND_BYTES, BYTE_ORDER))
            self._commands.flush()
        try:
            reply = self._wait(arrays)
            with suppress(msgspec.DecodeError):
                ran = msgspec.json.decode(reply or b"", type=Ran)
                failure = Failure(False, ran.failed) if ran.failed else None
                return Outcome(arrays.with_copied_answers(), ran.seconds, ran.failures, failure)
            hung = f"no case finished in {self._timeout:g} s"
            failure = Failure(True, hung) if reply is None else Failure(False, self._ending())
        except BaseException:
            self.kill()  # nobody waits for its answer any more
            raise
        self.kill()
        at = int(arrays.progress[0])
        is_known = self.loaded.notes_index and at < len(numbers)
        return Outcome(arrays.with_copied_answers(), failure=failure, at=at if is_known else None)

    def _wait(self, arrays: CaseArrays) -> bytes | None:
        """Return the reply to a command, b"" from a process that has ended; None if no case is finished."""
        before, since = (-1, -1), monotonic()
        while True:
            with suppress(Empty):
                return self._replies.get(timeout=min(POLL_SECONDS, self._timeout))
            progress.advance(0)  # ends a job that is cancelled
            if self._process.has_ended():
                return self._last_reply()
            now = int(arrays.progress[0]), int(np.count_nonzero(arrays.hit != UNWRITTEN))
            if now != before:
                before, since = now, monotonic()
            elif monotonic() - since >= self._timeout:
                return None

    def _last_reply(self) -> bytes:
        """Return the next reply of a process that has ended, b"" for none: the thread that reads may be behind."""
        with suppress(Empty):
            return self._replies.get(timeout=END_SECONDS)
        return b""

    def _read(self) -> None:
        """Pass on the lines of the pipe, and b"" at its end."""
        with suppress(OSError, ValueError), self._pipe as pipe:  # closed
            while line := pipe.readline():
                self._replies.put(line)
        self._replies.put(b"")

    def _ending(self) -> str:
        """Describe how the process has ended, or that it only closed its pipe."""
        if not self._ends_within(END_SECONDS):
            return "it closed its pipe"
        self.kill()
        status = self._process.wait()
        return f"exit status {status}" if status >= 0 else f"signal {-status} ({signal.strsignal(-status)})"

    def finish(self) -> None:
        with suppress(OSError):  # what an ended process has not read cannot be flushed
            self._commands.close()
        self._ends_within(EXIT_SECONDS)

    def _ends_within(self, seconds: float) -> bool:
        deadline = monotonic() + seconds
        while not self._process.has_ended():
            if monotonic() > deadline:
                return False
            sleep(POLL_SECONDS / 10)
        return True

    def kill(self) -> None:
        """End the process, and what it has started, wherever it is."""
        if self.has_ended:
            return
        self.has_ended = True
        if sys.platform == "win32":
            self._process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):  # all of them have ended
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        with suppress(OSError):
            self._commands.close()
        self._printed.join(END_SECONDS)


class _Spawned(subprocess.Popen[bytes]):
    """A process that imports what it needs, and waits until it is told what to load."""

    def __init__(self) -> None:
        # -P: files of the current folder must not stand in for modules that hitscope imports.
        code = f"import sys; sys.path[:] = {sys.path!r}; from {Start.__module__} import main; main()"
        super().__init__(
            [sys.executable, "-P", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Ctrl+C is for the judge alone, which then kills the process.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )

    def has_ended(self) -> bool:
        """Whether it has ended; its id stays taken, so that what it has started can be killed."""
        if sys.platform == "win32":
            return self.poll() is not None
        with suppress(ChildProcessError):
            flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self.pid, flags) is not None
        return True


_waiting: list[_Spawned] = []
"""At most one process that was started ahead, for the next target: starting takes longer than loading."""


@contextmanager
def process_ahead() -> Iterator[Callable[[], None]]:
    """Yield a function that starts one, unless there is one; it is ended at the end of the `with`."""

    def start() -> None:
        if not _waiting and sys.platform != "linux":  # there forks start as fast
            _waiting.append(_Spawned())

    try:
        yield start
    finally:
        while _waiting:
            process = _waiting.pop()
            process.kill()
            process.communicate()


def most_memory() -> int:
    """Return the most bytes that a target may allocate; 0 where that is unknown."""
    if sys.platform == "win32":
        return 0
    return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * MEMORY_SHARE)

"""Cases, checked in a process that may hang, crash or run out of memory, and the failures by class.

A finding is saved as a file that `run.py --replay` checks again.
"""

import faulthandler
import importlib
import multiprocessing
import os
import re
import resource
import shutil
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import NamedTuple

TESTS = Path(__file__).parents[1]
FINDINGS = TESTS.parent / "build" / "fuzz"
EXTRA_MEMORY = 2 << 30
"""The address space, in bytes, that a case may take beside that of the imported modules."""
SHRINKING_SECONDS = 10


class Failure(Exception):  # noqa: N818 - a fact that did not hold
    """A fact that does not hold: the class of the fault in fixed words, and what was seen."""

    def __init__(self, fault: str, seen: object = "") -> None:
        """Keep both."""
        super().__init__(fault, str(seen)[:2000])


class Outcome(NamedTuple):
    """The kind of a case's outcome, or the class of its fault and what was seen."""

    kind: str
    fault: str = ""
    seen: str = ""


@dataclass
class Finding:
    """The first case of a class of fault, shrunk where its attack allows that, and how many there were."""

    fault: str
    seen: str
    seed: int
    path: Path
    count: int = 1


@dataclass
class Result:
    """The outcomes of one attack."""

    name: str
    seconds: float = 0.0
    kinds: Counter[str] = field(default_factory=Counter)
    findings: dict[str, Finding] = field(default_factory=dict)

    @property
    def cases(self) -> int:
        """The number of cases."""
        return self.kinds.total()

    @property
    def accepted(self) -> float:
        """The share of the cases with the outcome "accepted"."""
        return self.kinds["accepted"] / max(1, self.cases)


def attack(name: str):
    """Import an attack."""
    return importlib.import_module(f"tests.fuzz.attacks.{name}")


def run(name: str, seeds: Iterable[int], until: float = float("inf")) -> Result:
    """Check the cases of the seeds one after the other, up to a time of the monotonic clock."""
    module, result, start = attack(name), Result(name), time.monotonic()
    with Worker(name) as worker:
        for seed in seeds:
            if time.monotonic() > until:
                break
            case = module.make(Random(f"{name} {seed}"))
            outcome = worker.check(case)
            result.kinds[outcome.kind] += 1
            if outcome.fault in result.findings:
                result.findings[outcome.fault].count += 1
            elif outcome.fault:
                if getattr(module, "SHRINKS", False) and not outcome.fault.startswith("hang"):
                    fault = outcome.fault
                    case = shrunk(case, lambda smaller, fault=fault: worker.check(smaller).fault == fault)
                result.findings[outcome.fault] = _saved(name, seed, case, outcome)
    result.seconds = time.monotonic() - start
    return result


def _saved(name: str, seed: int, case: bytes, outcome: Outcome) -> Finding:
    FINDINGS.mkdir(parents=True, exist_ok=True)
    path = FINDINGS / f"{name}-{seed}.case"
    path.write_bytes(case)
    return Finding(outcome.fault, outcome.seen, seed, path)


def shrunk(case: bytes, fails: Callable[[bytes], bool]) -> bytes:
    """Return the case without the pieces, halves first and bytes last, that the failure does not need."""
    end = time.monotonic() + SHRINKING_SECONDS
    size = len(case) // 2
    while size:
        at = 0
        while at < len(case):
            if time.monotonic() > end:
                return case
            smaller = case[:at] + case[at + size :]
            if fails(smaller):
                case = smaller
            else:
                at += size
        size = min(size, len(case)) // 2
    return case


class Worker:
    """A process that checks cases of one attack, started again after one that ended it."""

    def __init__(self, name: str) -> None:
        """Start nothing yet."""
        self._name = name
        self._seconds: float = attack(name).SECONDS
        self._process: multiprocessing.process.BaseProcess | None = None

    def __enter__(self) -> "Worker":
        """Return the worker itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self._end()

    def check(self, case: bytes) -> Outcome:
        """Check one case; a process that ends or does not answer is a fault of the case."""
        if self._process is None:
            self._start()
        assert self._process
        with suppress(OSError, EOFError):
            self._connection.send(case)
            # The process watches itself, but may be stopped where it cannot.
            if self._connection.poll(2 * self._seconds + 60):
                outcome: Outcome = self._connection.recv()
                return outcome
        self._process.join(1)
        status, log = self._process.exitcode, self._log.read_text(errors="replace")
        self._end()
        return Outcome("failed", *_ended(status, log))

    def _start(self) -> None:
        self._folder = Path(mkdtemp(prefix="hitscope-fuzz-"))
        self._log = self._folder / "log"
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["tests.fuzz.attacks.viewer_files"])  # which imports most of what all need
        self._connection, other = context.Pipe()
        self._process = context.Process(target=_work, args=(self._name, other, str(self._folder)), daemon=True)
        self._process.start()
        other.close()

    def _end(self) -> None:
        if self._process is None:
            return
        self._connection.close()
        self._process.kill()
        self._process.join()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._process = None


def _work(name: str, connection: Connection, folder: str) -> None:
    """Check the cases that come, each in an empty folder, with the standard streams in the file `log`."""
    log = os.open(f"{folder}/log", os.O_RDWR | os.O_CREAT | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(log, stream)
    module = attack(name)
    if module.LIMIT_MEMORY:
        in_use = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (in_use + EXTRA_MEMORY,) * 2)
    while True:
        try:
            case = connection.recv()
        except EOFError:
            return
        inner = Path(folder, "case")
        inner.mkdir()
        os.chdir(inner)
        faulthandler.dump_traceback_later(module.SECONDS, exit=True, file=log)
        outcome = _outcome(module, case, inner)
        faulthandler.cancel_dump_traceback_later()
        printed = os.pread(log, 2000, 0).decode(errors="replace")
        if printed and not outcome.fault:
            outcome = Outcome("failed", "prints", printed)
        os.ftruncate(log, 0)
        os.chdir(folder)
        shutil.rmtree(inner, ignore_errors=True)
        connection.send(outcome)


def _outcome(module, case: bytes, folder: Path) -> Outcome:
    try:
        return Outcome(module.check(case, folder))
    except Failure as failure:
        return Outcome("failed", *failure.args)
    except BaseException as error:
        lines = "".join(traceback.format_exception(error, limit=-12)).splitlines()
        seen = "\n".join(line[:500] for line in lines)[-4000:]
        return Outcome("failed", f"{type(error).__name__} in {_frame(seen)}", seen)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def _ended(status: int | None, log: str) -> tuple[str, str]:
    """Return the fault of a process that ended, from its exit status and what it wrote."""
    if "Timeout (" in log:
        return f"hang in {_frame(log, first=True)}", log[-4000:]
    if status is not None and status < 0:
        return f"crash by {signal.Signals(-status).name} in {_frame(log, first=True)}", log[-4000:]
    return f"exit with status {status}", log[-4000:]


def _frame(text: str, first: bool = False) -> str:
    """Return the file and function of the innermost frame of ours in a traceback."""
    frames = re.findall(r'File "[^"]*?/hitscope/([^"]+)", line \d+,? in (\S+)', text)
    if not frames:
        return "no function of hitscope"
    return ":".join(frames[0] if first else frames[-1])

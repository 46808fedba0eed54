"""Programs that answer frames of cases: little-endian, uint64 n and n cases; the answer n int8 and n t."""

import os
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from threading import Event, Thread

import numpy as np

from hitscope.errors import HitscopeError
from hitscope.targets.case_arrays import CaseArrays
from hitscope.targets.target import FLOATS, CallFailed, Runner, TargetSpec

PIECE = 1 << 20
"""The most bytes that are read at once."""
PATIENCE = 0.9
"""The part of the time-out after which standard error tells what is missing of an answer."""
EXIT_SECONDS = 1.0
"""The seconds that a program has to end after it has closed its output."""


def load(spec: TargetSpec) -> Runner:
    """Start the program; raises HitscopeError where that fails."""
    try:
        words = shlex.split(spec.code.location, posix=os.name == "posix")
    except ValueError as error:
        raise HitscopeError(f"{spec.text}: expected a command, found: {error}") from error
    return CommandRunner(spec, words)


class CommandRunner(Runner):
    """A running program, which ends with the target's process; it is started again after it has failed."""

    def __init__(self, spec: TargetSpec, words: list[str]) -> None:
        self._name, self._words = spec.text, words
        self._folder = spec.carried.folder or None
        self._environment = {"HITSCOPE_PAIR": spec.pair, "HITSCOPE_FLOAT": FLOATS[spec.real]}
        self._patience = PATIENCE * spec.timeout
        self._program: subprocess.Popen[bytes] | None = None
        self._start()

    def run(self, arrays: CaseArrays) -> dict[int, str]:
        """Send the cases as one frame and read its answer; see `Runner`."""
        numbers, hit, t_enter, _, _ = arrays
        program = self._program or self._start()
        n, real = len(numbers), numbers.dtype.newbyteorder("<")
        frame = np.uint64(n).astype("<u8").tobytes() + numbers.astype(real, copy=False).tobytes()
        expected = f"{n * (1 + real.itemsize)} bytes, {n} int8 and {n} {numbers.dtype}"
        answer = self._answer(program, frame, n * (1 + real.itemsize), expected)
        hit[:] = np.frombuffer(answer, np.int8, n)
        t_enter[:] = np.frombuffer(answer, real, offset=n)
        return {}

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            self._program = subprocess.Popen(
                self._words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | self._environment,
                cwd=self._folder,
            )
        except (OSError, ValueError) as error:  # a ValueError for a null character
            reason = error.strerror if isinstance(error, OSError) else error
            raise HitscopeError(f"{self._name}: expected a program that runs, found: {reason}") from error
        return self._program

    def _answer(self, program: subprocess.Popen[bytes], frame: bytes, length: int, expected: str) -> bytearray:
        """Send a frame and return its answer; one of another length ends the program and raises CallFailed."""
        assert program.stdin and program.stdout
        answer, answered = bytearray(), Event()

        def send() -> None:
            assert program.stdin
            with suppress(OSError):  # the program has ended, which its answer shows
                rest = memoryview(frame)
                while rest:
                    rest = rest[program.stdin.write(rest) :]
            if not answered.wait(self._patience):
                found = f"{len(answer)} bytes so far; is the output flushed?"
                print(f"{self._name}: expected an answer of {expected}, found {found}", file=sys.stderr)

        # A thread sends: a program may answer before it has read the whole frame, and pipes hold little.
        sender = Thread(target=send, daemon=True)
        sender.start()
        # One byte more than is expected is asked for, to see whether there is one.
        while len(answer) < length and (piece := program.stdout.read(min(length + 1 - len(answer), PIECE))):
            answer += piece
        answered.set()
        if len(answer) != length:
            self._program = None
            words = f"expected an answer of {expected}, found more"
            if len(answer) < length:
                words = f"the program {_ending(program)} after {len(answer)} of the {length} bytes of its answer"
            program.kill()
            program.wait()
            sender.join()
            with program:
                raise CallFailed(words)
        sender.join()
        return answer


def _ending(program: subprocess.Popen[bytes]) -> str:
    """Return in words what a program did that has closed its output."""
    try:
        status = program.wait(EXIT_SECONDS)
    except subprocess.TimeoutExpired:
        return "closed its output"
    how = f"exit status {status}" if status >= 0 else f"signal {-status} ({signal.strsignal(-status)})"
    return f"ended with {how}"

"""The process that runs a user's function, beside the judge's own.

The function may print, exit, crash or change whatever it can reach: the judge believes only the verdicts that
arrive through a pipe, and an end before the last of them is an error. The process gets pickled pairs of shapes,
and answers each with a line of JSON: the verdict, or a crash in words.
"""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import msgspec

from hitscope.check.judge.target import (
    JudgeTarget,
    NoVerdict,
    ProcessEnded,
    not_imported,
    of_function,
    one_line,
    verdict,
)
from hitscope.errors import HitscopeError, escaped
from hitscope.geometry.shapes import Shape

EXIT_SECONDS = 5.0
"""The seconds that the process has to end by itself, with what the function has to do at exit."""


class Imported(msgspec.Struct):
    """The first answer of the process: the file of the function, or why there is none."""

    file: bytes = b""
    error: str = ""


@contextmanager
def in_own_process(text: str) -> Iterator[JudgeTarget]:
    """Import `module:function` or `path/to/file.py:function` in another process; yields it as a target.

    Raises HitscopeError if that fails, and ProcessEnded, also from the target, if the function ends its process.
    """
    name = escaped(text)
    # -P: files of the current folder must not stand in for modules that hitscope imports.
    code = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import main; main(sys.argv[1])"
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", code, text],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=None if sys.stderr else subprocess.DEVNULL,
        # Ctrl+C is for the judge alone, which then kills the process.
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    try:
        imported: Imported = _answer(process, Imported, f"{name} ended its process when it was imported")
        if imported.error:
            raise HitscopeError(imported.error)

        def decide(probe: Shape, primitive: Shape) -> bool:
            assert process.stdin
            with suppress(OSError):  # the process has ended, which its answer shows
                pickle.dump((probe, primitive), process.stdin)
                process.stdin.flush()
            answer: bool | str = _answer(process, bool | str, f"{name} ended its process on {probe}, {primitive}")
            if isinstance(answer, str):
                raise NoVerdict(answer)
            return answer

        yield JudgeTarget(name, decide, file=os.fsdecode(imported.file))
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=EXIT_SECONDS)
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # what an ended process has not read cannot be flushed
                if pipe:
                    pipe.close()


def _answer(process: subprocess.Popen[bytes], kind: Any, failure: str) -> Any:
    """Read one answer; raises ProcessEnded with a failure in words if none arrives whole."""
    assert process.stdout
    try:
        return msgspec.json.decode(process.stdout.readline(), type=kind)
    except msgspec.DecodeError:
        raise ProcessEnded(f"{failure}: {_ending(process)}") from None


def _ending(process: subprocess.Popen[bytes]) -> str:
    try:
        status = process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        return "its pipe is broken"
    return f"exit status {status}" if status >= 0 else f"signal {-status} ({signal.strsignal(-status)})"


def main(text: str) -> None:
    """Import a function, and call it on each pair of shapes from standard input, until that ends."""
    process = os.getpid()
    pairs, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # From here on the function's input is empty, and its output goes to standard error, whoever writes it.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    if sys.platform != "win32":
        # A forked copy must not keep the pipe open when this process has ended.
        os.register_at_fork(after_in_child=answers.close)

    def answer(value: Imported | bool | str) -> None:
        if os.getpid() != process:
            os._exit(0)  # a copy that the function has forked: the pairs and the answers are the original's
        answers.write(msgspec.json.encode(value) + b"\n")
        answers.flush()

    try:
        target = of_function(text)
    except HitscopeError as error:
        answer(Imported(error=escaped(error.message)))
        return
    except KeyboardInterrupt as error:  # raised by the module: Ctrl+C is not for this process
        answer(Imported(error=escaped(not_imported(text, error).message)))
        return
    answer(Imported(file=os.fsencode(target.file)))
    with suppress(EOFError, OSError):  # the judge has read all it needs, or the function has closed the pipe
        while True:
            pair = pickle.load(pairs)
            try:
                answer(verdict(target.decide, *pair))
            except NoVerdict as crash:
                answer(str(crash))
            except KeyboardInterrupt as error:
                answer(one_line(error))

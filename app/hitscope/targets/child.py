"""The program of a target's process: a pipe tells it what to load, then how many cases to call it on."""

import ctypes
import gc
import json
import logging
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Final

import msgspec

from hitscope.errors import HitscopeError, escaped
from hitscope.geometry.code_files import note_not_kept
from hitscope.targets import case_arrays, runners
from hitscope.targets.target import CallFailed, TargetSpec, cut

COMMAND_BYTES = 8
BYTE_ORDER: Final = "little"
PR_SET_PDEATHSIG = 1
"""The option of prctl for a signal at the end of the thread that started this process."""


class Start(msgspec.Struct):
    """The target that the process is to load."""

    spec: TargetSpec
    memory: str
    """The file of the shared memory."""
    most_memory: int
    """The most bytes that the process may allocate; 0 for no bound."""
    folder: str
    path: list[str]
    """Where it looks for modules."""
    environment: dict[str, str]


class Loaded(msgspec.Struct):
    """The first answer: what the target is like, or why it cannot be judged."""

    error: str = ""
    notes_index: bool = False
    has_normals: bool = False
    about: str = ""
    files: list[bytes] = []
    """The paths of the files that it is made of, which need not be text."""


class Ran(msgspec.Struct):
    """The answer to a command."""

    seconds: float
    failures: dict[int, str]
    failed: str = ""
    """Why the call failed as a whole; "" if it did not."""


def main() -> None:
    """Load the target that the first line of the pipe says, and run commands until there are no more."""
    gc.freeze()  # what was imported is never garbage, which Python would look for when the process ends
    process = os.getpid()
    commands, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    if not (given := commands.readline()):
        return  # it was started ahead, and is not needed
    start = msgspec.convert(json.loads(given), Start)
    os.chdir(start.folder)
    sys.path[:] = start.path
    os.environ.clear()
    os.environ.update(start.environment)
    # The judge's process says it once of all that it starts.
    logging.getLogger(note_not_kept.__module__).disabled = True
    # From here on the target's input is empty, and its output goes to standard error, whoever writes it.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    if sys.platform != "win32":
        # A forked copy must not keep the pipe open when this process has ended.
        os.register_at_fork(after_in_child=replies.close)
    _set_bounds(start.most_memory)
    spec = start.spec
    memory = case_arrays.CaseArrays.of_file(Path(start.memory), spec.width, spec.real)

    def reply(value: Loaded | Ran) -> None:
        if os.getpid() != process:
            os._exit(0)  # a copy that the target has forked: the commands are the original's
        replies.write(msgspec.json.encode(value) + b"\n")
        replies.flush()

    with suppress(OSError):  # the target has closed the pipe, or the judge is gone
        try:
            runner = runners.load_runner(spec)
        except HitscopeError as error:
            reply(Loaded(error=escaped(error.message)))
            return
        files = [os.fsencode(path) for path in runner.files]
        reply(Loaded("", runner.notes_index, runner.has_normals, escaped(runner.about), files))
        while command := commands.read(COMMAND_BYTES):
            n = int.from_bytes(command, BYTE_ORDER)
            arrays = memory.rows(slice(n))
            began = perf_counter()
            try:
                ran = Ran(0, {index: cut(words) for index, words in runner.run(arrays).items()})
            except (CallFailed, HitscopeError) as failed:
                ran = Ran(0, {}, cut(str(failed)) or "it failed")
            ran.seconds = perf_counter() - began
            arrays.progress[0] = n
            reply(ran)
    if spec.code.kind == "c_source" and sys.platform != "win32":  # Python's own end takes longer than all before
        ctypes.CDLL(None).exit(0)


def _set_bounds(most_memory: int) -> None:
    """Bound what the process can take from others, and for how long."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if most_memory:
        # Not the address space, of which drivers and virtual machines reserve more than there is memory.
        resource.setrlimit(resource.RLIMIT_DATA, (most_memory, most_memory))
    if sys.platform == "linux":
        # A judge that is killed cannot end a call without end.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    with suppress(OSError):  # Linux: if memory runs out all the same, this process goes first
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")

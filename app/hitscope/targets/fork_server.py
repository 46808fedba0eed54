"""Processes of targets as forks of one that has imported what they need, on Linux: they start in milliseconds.

That one is an interpreter of its own, so that nothing of the judge is in a fork. Requests are a letter and the id
of a process; the reply to each is a number.
"""

import gc
import os
import socket
import subprocess
import sys
import warnings
import weakref
from collections.abc import Sequence
from functools import lru_cache
from signal import SIGKILL
from struct import Struct
from threading import Lock
from typing import IO

from hitscope.targets import child
from hitscope.targets.runners import c_source, python_function

FORK, HAS_ENDED, STATUS = b"f", b"e", b"s"
REQUEST, REPLY = Struct("<cq"), Struct("<q")
READ_AT_START = ("PYTHON", "LANG", "LC_", "LD_", "OMP_", "OPENBLAS_", "NPY_")
"""The beginnings of variables of the environment that count when an interpreter starts or imports NumPy."""
IMPORTED = (c_source, python_function)
"""The runners of most targets; those of others are imported by the forks."""


class Fork:
    """A process of a target, used as one of `subprocess.Popen` is."""

    def __init__(self, server: "ForkServer") -> None:
        """Start it; its streams are pipes. Raises OSError where the server has ended."""
        self._server = server
        self._status: int | None = None
        (stdin, commands), (replies, stdout), (printed, stderr) = os.pipe(), os.pipe(), os.pipe()
        self.stdin: IO[bytes] = os.fdopen(commands, "wb")
        self.stdout: IO[bytes] = os.fdopen(replies, "rb")
        self.stderr: IO[bytes] = os.fdopen(printed, "rb")
        try:
            self.pid = server.ask(FORK, streams=(stdin, stdout, stderr))
        except OSError:
            for pipe in (self.stdin, self.stdout, self.stderr):
                pipe.close()
            raise
        finally:
            for stream in (stdin, stdout, stderr):
                os.close(stream)

    def has_ended(self) -> bool:
        """Whether it has ended; its id stays taken until `wait` returns."""
        try:
            return self._status is not None or bool(self._server.ask(HAS_ENDED, self.pid))
        except OSError:
            return True

    def wait(self) -> int:
        """Wait for its end; return its exit status, or minus the number of the signal that ended it."""
        if self._status is None:
            try:
                self._status = self._server.ask(STATUS, self.pid)
            except OSError:
                self._status = -SIGKILL
        return self._status


class ForkServer:
    """The process that forks: it, and all its forks, end with this object or the process that has it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._socket, theirs = socket.socketpair()
        # -P: files of the current folder must not stand in for modules that hitscope imports.
        code = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import serve; serve({theirs.fileno()})"
        with theirs:
            command, none = [sys.executable, "-P", "-c", code], subprocess.DEVNULL
            process = subprocess.Popen(
                command, stdin=none, stdout=none, stderr=none, pass_fds=[theirs.fileno()], start_new_session=True
            )
        weakref.finalize(self, _end, self._socket, process)

    def ask(self, request: bytes, process: int = 0, streams: Sequence[int] = ()) -> int:
        """Return the reply to a request; raises OSError where the server has ended."""
        with self._lock:
            socket.send_fds(self._socket, [REQUEST.pack(request, process)], streams)
            reply = self._socket.recv(REPLY.size)
        if not reply:
            raise ConnectionResetError
        return int(REPLY.unpack(reply)[0])


def _end(connection: socket.socket, process: "subprocess.Popen[bytes]") -> None:
    connection.close()
    process.wait()


def forked() -> Fork:
    """Fork a process of a target, from a server that has this process's variables where they count."""
    variables = tuple((name, value) for name, value in os.environ.items() if name.startswith(READ_AT_START))
    try:
        return Fork(_server(os.getpid(), variables))
    except OSError:  # a target may have ended the server
        _server.cache_clear()
        return Fork(_server(os.getpid(), variables))


@lru_cache(maxsize=1)
def _server(_process: int, _variables: tuple[tuple[str, str], ...]) -> ForkServer:
    return ForkServer()


def serve(descriptor: int) -> None:
    """Do what requests ask for until there are no more; a fork returns, too, when it is done as a target."""
    gc.collect()
    gc.freeze()  # so that forks share its memory
    with socket.socket(fileno=descriptor) as requests:
        requests.set_inheritable(False)
        while True:
            message, streams, _, _ = socket.recv_fds(requests, REQUEST.size, 3)
            if not message:
                os._exit(0)
            request, process = REQUEST.unpack(message)
            if request == FORK:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # NumPy's threads look after themselves
                    reply = os.fork()
                if not reply:
                    break
                for stream in streams:
                    os.close(stream)
            elif request == HAS_ENDED:
                reply = os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
            else:
                reply = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            requests.sendall(REPLY.pack(reply))
    os.setsid()
    for standard, stream in enumerate(streams):
        os.dup2(stream, standard)
        os.close(stream)
    child.main()

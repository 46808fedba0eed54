"""What a target prints, passed on up to a bound."""

import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from typing import IO

MOST_BYTES = 64 * 1024
"""The most bytes of a target's output that are passed on."""


class OutputRelay:
    """Passes on what the processes of one target print: the beginning, and a line that says where it is cut."""

    def __init__(self, name: str, printed: Callable[[str], None]) -> None:
        """Relay the output of a target with this name; `printed` takes it, in other threads."""
        self._name = name
        self._printed = printed
        self._left = MOST_BYTES
        self._lock = Lock()

    def of(self, pipe: IO[bytes]) -> Thread:
        """Start to read a pipe, until its end."""
        thread = Thread(target=self._read, args=(pipe,), daemon=True)
        thread.start()
        return thread

    def _read(self, pipe: IO[bytes]) -> None:
        with suppress(OSError, ValueError), pipe:  # closed
            while chunk := pipe.read1(MOST_BYTES):  # type: ignore[attr-defined] # of a buffered reader
                with self._lock:
                    self._pass_on(chunk)

    def _pass_on(self, chunk: bytes) -> None:
        if not self._left:
            return
        passed = chunk[: self._left]
        self._left -= len(passed)
        text = passed.decode(errors="replace")
        if not self._left:
            text += f"\n{self._name} printed more than {MOST_BYTES // 1024} KiB: the rest is left out\n"
        self._printed(text)


def print_to_stderr(text: str) -> None:
    """Pass on a text to standard error."""
    with suppress(OSError, ValueError):  # nobody reads it
        if sys.stderr:
            sys.stderr.write(text)
            sys.stderr.flush()

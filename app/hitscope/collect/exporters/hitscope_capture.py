"""Logs calls of your own intersection tests, for `hitscope collect` to compare with the exact verdict.

1. With this file beside your program, where the answer of a test is known:

       from hitscope_capture import capture
       capture("ray_aabb", origin, direction, lo, hi, hit)

   The pair, its numbers in the order below, one by one or as sequences, the answer (True or 1 a hit, False or 0 a
   miss, -1 not a pair for this test) and, of segments, rays, lines and casts, if you like, the t of the hit. They
   count as float32 if all of them are NumPy's, else as float64. NumPy's arrays of n such parts go to
   capture_all("ray_aabb", origins, directions, los, his, hits).
2. Run with HITSCOPE_LOG=calls.log. Without it both do nothing.
3. hitscope collect calls.log -o scenes

point x y z | segment start end | ray, line origin direction | triangle a b c | aabb min max | obb center, half
extents, three axes | parallelepiped origin, three edges | plane normal, offset (dot(normal, p) = offset) |
sphere center, radius | capsule start, end, radius | frustum six normals, six offsets | rounded_aabb the numbers of
an aabb, radius | cast_sphere those of a sphere, motion; so of every type.

The environment, read at the import:
  HITSCOPE_LOG         the log, to which calls are appended; %p in it becomes the number of the process.
  HITSCOPE_UNBUFFERED  if it is set, every call is written at once. Otherwise the last 64 KiB of calls, some
                       hundred, are lost where a program ends by a signal or os._exit.

Any number of threads and processes may append to one log: only whole calls are appended. A log that is 1 GiB long
stays as it is, as does one that cannot be written: a program that logs does what it does without, and no exception
comes from here. The bytes of the log are described in the exporter for C. Part of hitscope, under the MIT licence.
"""

import atexit
import os
import stat
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from threading import Lock
from typing import Any

BUFFER = 1 << 16
LONGEST_LOG = 1 << 30
NEITHER = {"bool", "bool_", "int"}
"""The types of numbers that both precisions have."""


class _Log:
    """A log, and the calls that are not written yet."""

    def __init__(self, name: str, unbuffered: bool) -> None:
        # A pipe must not let the program wait.
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        self._file = os.open(name.replace("%p", str(os.getpid())), flags, 0o666)
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            raise OSError("not a file")
        self.is_on = True
        self._size = 0 if unbuffered else BUFFER
        self._buffer = bytearray()
        self._lock = Lock()
        atexit.register(self.write)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def append(self, calls: bytes) -> None:
        with self._lock:
            self._buffer += calls
            if len(self._buffer) >= self._size:
                self._write()

    def write(self) -> None:
        with self._lock:
            self._write()

    def _write(self) -> None:
        """Append whole calls to the log; an error ends the logging."""
        left = memoryview(bytes(self._buffer))
        self._buffer = bytearray()
        try:
            self.is_on = self.is_on and os.fstat(self._file).st_size < LONGEST_LOG
            while left and self.is_on:
                left = left[os.write(self._file, left) :]
        except OSError:
            self.is_on = False

    def _forget(self) -> None:
        """Leave to the parent of this process what it has buffered."""
        self._lock = Lock()
        self._buffer = bytearray()


def _opened() -> _Log | None:
    name = os.environ.get("HITSCOPE_LOG")
    if not name:
        return None
    try:
        return _Log(name, "HITSCOPE_UNBUFFERED" in os.environ)
    except Exception:
        with suppress(Exception):
            print(f"hitscope: {name}: cannot be written, so no call is logged", file=sys.stderr)
        return None


_log = _opened()


def capture(pair: str, *numbers: Any) -> None:
    """Log one call: the numbers of a pair, the answer, and at most a t."""
    if _log is None or not _log.is_on:
        return
    with suppress(Exception):
        flat = [*_flat(numbers)]
        single = {type(number).__name__ for number in flat} - NEITHER == {"float32"}
        head = _head(pair, 4 if single else 8, len(flat))
        _log.append(_padded(head + struct.pack(f"<{len(flat)}{'f' if single else 'd'}", *map(float, flat))))


def capture_all(pair: str, *parts: Any) -> None:
    """Log n calls: arrays (n,) or (n, k) of the numbers of a pair, of the answers, and at most of ts."""
    if _log is None or not _log.is_on:
        return
    with suppress(Exception):
        import numpy as np

        columns = [column[:, None] if column.ndim == 1 else column for column in map(np.asarray, parts)]
        reals = [column for column in columns if column.dtype.kind == "f"]
        real = "<f4" if reals and all(column.dtype == np.float32 for column in reals) else "<f8"
        rows = np.ascontiguousarray(np.hstack(columns), real)
        head = np.frombuffer(_head(pair, rows.itemsize, rows.shape[1]), np.uint8)
        end = len(head) + rows.itemsize * rows.shape[1]
        calls = np.zeros((len(rows), end + -end % 8), np.uint8)
        calls[:, : len(head)] = head
        calls[:, len(head) : end] = rows.view(np.uint8)
        _log.append(calls.tobytes())


def _flat(numbers: Iterable[Any]) -> Iterator[Any]:
    for number in numbers:
        if hasattr(number, "__iter__"):
            yield from _flat(number)
        else:
            yield number


def _head(pair: str, size: int, count: int) -> bytes:
    name = _padded(pair.encode())
    return b"\x9ehit" + bytes((size, count, len(name), 0)) + name


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)

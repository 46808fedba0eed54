"""A file that one process holds at a time: the system lets go of it when that process ends, however it ends."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from hitscope.errors import HitscopeError

RETRY_SECONDS = 0.01


class Lock:
    """A lock that is held."""

    def __init__(self, path: Path, descriptor: int) -> None:
        """Keep the open file; `take` makes one."""
        self.path = path
        self._descriptor = descriptor

    @classmethod
    def take(cls, path: Path) -> Self | None:
        """Take the lock at once, making file and folder if need be; None where someone holds it. Raises OSError.

        Where the file system has no locks, everyone gets it.
        """
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        # Between opening and locking, its last holder may have removed the file.
        if _lock(descriptor) and _is_at(path, descriptor):
            return cls(path, descriptor)
        os.close(descriptor)
        return None

    def release(self, remove: bool = False) -> None:
        """Let go of it, and remove the file if it is not to be taken again."""
        if remove and sys.platform != "win32":
            self.path.unlink(missing_ok=True)
        os.close(self._descriptor)
        if remove and sys.platform == "win32":  # there, no open file can be removed
            with suppress(OSError):  # another has it already
                self.path.unlink()


@contextmanager
def held(path: Path, seconds: float = 1.0) -> Iterator[None]:
    """Hold the lock meanwhile, waiting for it so long at most; raises HitscopeError, or OSError as `take`."""
    until = time.monotonic() + seconds
    while (lock := Lock.take(path)) is None:
        if time.monotonic() > until:
            raise HitscopeError(f"{path} is held by another window for more than {seconds:g} s")
        time.sleep(RETRY_SECONDS)
    try:
        yield
    finally:
        lock.release()


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass
        return True

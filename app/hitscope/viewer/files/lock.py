"""Locks between windows: one process at a time holds a file's lock; when it ends, the system releases the lock."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from hitscope.errors import HitscopeError

RETRY_SECONDS = 0.01
NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP)
"""The errors of a file system without locks, on which every process gets the lock."""


def try_lock(path: Path, seconds: float = 0.0) -> BaseFileLock | None:
    """Make and lock a file, within some seconds; None where another process holds the lock; raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # An autosave's lock is taken in one thread and released in another.
    lock: BaseFileLock = FileLock(path, mode=0o600, thread_local=False)
    try:
        lock.acquire(timeout=seconds, poll_interval=RETRY_SECONDS)
    except Timeout:
        return None
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
    return lock


def release(lock: BaseFileLock, remove: bool = False) -> None:
    """Release a lock; `remove` deletes its file, which will not be locked again."""
    if remove:
        # Before the release: afterwards the file may be another process's. Windows removes it with the release.
        with suppress(OSError):
            os.unlink(lock.lock_file)
    lock.release()


@contextmanager
def locked(path: Path, seconds: float = 1.0) -> Iterator[None]:
    """Hold the lock of a file, waiting at most `seconds`; raises HitscopeError, or OSError as `try_lock`."""
    lock = try_lock(path, seconds)
    if lock is None:
        raise HitscopeError(f"{path} has been locked by another window for more than {seconds:g} s; try again")
    try:
        yield
    finally:
        release(lock)

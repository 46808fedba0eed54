"""Atomic writes: a draft beside the target is written and then replaces it in one step.

A writer that is killed leaves its draft, and the libraries for atomic writes never remove it. Here each writer
holds a lock on its draft, so the next writer of the target knows which drafts are stale and removes them; on
Windows, where an open file cannot be replaced, they stay, and so they do where no package for locks is installed.
"""

import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(target: Path) -> Iterator[BinaryIO]:
    """Yield a draft to write, which replaces the target unless the block raises; raises OSError.

    A replaced file passes on its permissions, and its owner where that is allowed; its other hard links keep the
    old content.
    """
    _clear(target)
    draft, file = _new(target)
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if target.exists():
                _pass_on_permissions(target.stat(), draft)
            if sys.platform != "win32":
                draft.replace(target)
        if sys.platform == "win32":
            draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def _pass_on_permissions(replaced: os.stat_result, draft: Path) -> None:
    if sys.platform != "win32":
        with suppress(OSError):  # only the superuser may give a file away
            os.chown(draft, replaced.st_uid, replaced.st_gid)
    draft.chmod(replaced.st_mode & 0o7777)


def _beginning(target: Path) -> str:
    """Return the prefix of the names of a target's drafts: a checksum, since the target's name may be too long."""
    return f".{zlib.crc32(os.fsencode(target.name)):08x}-"


def _new(target: Path) -> tuple[Path, BinaryIO]:
    while True:
        draft = target.with_name(f"{_beginning(target)}{os.urandom(8).hex()}.tmp")
        file = draft.open("xb")
        _lock(file, wait=True)
        if draft.exists():
            return draft, file
        file.close()  # another writer took it for stale before it was locked


def _clear(target: Path) -> None:
    """Remove the stale drafts of a target."""
    for draft in target.parent.glob(f"{_beginning(target)}*.tmp"):
        with suppress(OSError), draft.open("rb") as file:
            if _lock(file, wait=False):
                draft.unlink()


def _lock(file: BinaryIO, wait: bool) -> bool:
    """Lock an open file; False where another process holds the lock, or where there are no locks."""
    try:
        from filelock import lock_descriptor

        return lock_descriptor(file.fileno(), blocking=wait)
    except (ModuleNotFoundError, OSError):
        return False

"""A file that is written beside the one that it is to replace, and takes its place in one step.

Of a writer that is killed the draft stays. While it lives it holds a lock on it, so the next one that writes the
file knows which drafts are nobody's; on Windows, where no open file can take another's place, they stay.
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
    """Give a draft to write, which becomes the target unless something is raised; raises OSError."""
    _clear(target)
    draft, file = _new(target)
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if target.exists():
                draft.chmod(target.stat().st_mode & 0o7777)
            if sys.platform != "win32":
                draft.replace(target)
        if sys.platform == "win32":
            draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def _beginning(target: Path) -> str:
    """Give how the names of a file's drafts begin; the longest name that there is leaves no room for more."""
    return f".{zlib.crc32(os.fsencode(target.name)):08x}-"


def _new(target: Path) -> tuple[Path, BinaryIO]:
    while True:
        draft = target.with_name(f"{_beginning(target)}{os.urandom(8).hex()}.tmp")
        file = draft.open("xb")
        _lock(file, wait=True)
        if draft.exists():
            return draft, file
        file.close()  # another one that writes the file took it for nobody's before it was locked


def _clear(target: Path) -> None:
    """Remove the drafts of the file that are nobody's."""
    for draft in target.parent.glob(f"{_beginning(target)}*.tmp"):
        with suppress(OSError), draft.open("rb") as file:
            if _lock(file, wait=False):
                draft.unlink()


def _lock(file: BinaryIO, wait: bool) -> bool:
    """Lock an open file; False where another process holds the lock, or where the file system has no locks."""
    from filelock import lock_descriptor

    try:
        return lock_descriptor(file.fileno(), blocking=wait)
    except OSError:
        return False

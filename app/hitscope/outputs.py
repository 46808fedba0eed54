"""Files whose names a user gives: checked before the work, and written whole or not at all."""

import errno
import os
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from hitscope.errors import HitscopeError, quoted


@contextmanager
def replacing(target: Path) -> Iterator[BinaryIO]:
    """Yield a draft that replaces the target, with its mode and owner, unless the block raises."""
    _clear(target)
    draft, file = _new(target)
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if target.exists():
                replaced = target.stat()
                if sys.platform != "win32":
                    with suppress(OSError):  # only the superuser may give a file away
                        os.chown(draft, replaced.st_uid, replaced.st_gid)
                draft.chmod(replaced.st_mode & 0o7777)
            if sys.platform != "win32":
                draft.replace(target)
        if sys.platform == "win32":
            draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


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


STANDARD_OUTPUT = Path("-")
"""The name that stands for standard output on the command line."""

_KINDS = {
    stat.S_IFREG: "a file",
    stat.S_IFDIR: "a folder",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFLNK: "a symbolic link",
}


def output_format(path: Path, formats: Sequence[str], on_standard_output: str = "") -> str:
    """Return the format in which to write an output: its ending in lower case, one of `formats`.

    On standard output, which has no ending, it is `on_standard_output`; "" refuses standard output. Raises
    HitscopeError for another ending, and for a file that cannot be written: call it before the work.
    """
    if path == STANDARD_OUTPUT and on_standard_output:
        return on_standard_output
    ending = path.suffix.lower()
    if ending not in formats:
        found = quoted(path.suffix) if path.suffix else "no ending"
        raise HitscopeError(f"{path}: expected a name that ends in {' or '.join(formats)}, found {found}")
    with _written(path):
        folder = target_of(path).parent
        if not folder.is_dir():
            raise HitscopeError(f"{path}: expected a file in an existing folder, found no folder {folder}")
        _require_access(folder)
    return ending


def require_folder(path: Path) -> None:
    """Raise HitscopeError, before the work, where there can be no folder to write files into."""
    with _written(path):
        found = next(folder for folder in (path, *path.absolute().parents) if os.path.lexists(folder))
        if not found.is_dir():
            words = "a folder or a new name" if found == path else f"a folder at {found}"
            raise HitscopeError(f"{path}: expected {words}, found {kind_of(found)}")
        _require_access(found)


@contextmanager
def folder_for(words: str, folder: Path) -> Iterator[None]:
    """Make a folder, into which the block writes such files; raises HitscopeError where either fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        expected = f"expected a folder to write {words} into"
        raise HitscopeError(f"{folder}: {expected}, found: {error.strerror}") from None


def numbered(path: Path, sign: str = "-") -> Iterator[Path]:
    """Yield the path, then the same with the numbers 2, 3 ... before its endings, without end."""
    yield path
    stem, dot, endings = path.name.partition(".")
    for number in count(2):
        yield path.with_name(f"{stem}{sign}{number}{dot}{endings}")


def write_output(path: Path, data: Iterable[bytes]) -> None:
    """Write a command's output: a file as `write_file` does, or standard output for `-`; raises HitscopeError."""
    with _written(path):
        if path == STANDARD_OUTPUT:
            sys.stdout.flush()
            # A buffer of its own: what does not fit on a full disk would be written again when the program ends.
            with open(sys.stdout.fileno(), "wb", closefd=False) as file:
                file.writelines(data)
        else:
            write_file(path, data)


def write_new_file(path: Path, data: bytes) -> None:
    """Write a file of a new name; raises HitscopeError where that fails or the path exists."""
    with _written(path):
        try:
            file = path.open("xb")
        except FileExistsError:
            raise HitscopeError(f"{path}: expected the name of a new file, found {kind_of(path)}") from None
        try:
            with file:
                file.write(data)
        except OSError:
            path.unlink(missing_ok=True)
            raise


def write_file(path: str | PathLike[str], data: Iterable[bytes]) -> None:
    """Write a file piece by piece, and replace the old one, or what a link leads to, in one step."""
    with replacing(target_of(Path(path))) as file:
        file.writelines(data)


def target_of(path: Path) -> Path:
    """Return the file or new name that a path leads to by links; raises HitscopeError for others, or OSError."""
    try:
        # What the kernel finds: the links of /dev/stdout lead to no path that could be looked at.
        found = path.stat().st_mode
    except FileNotFoundError:
        return Path(os.path.realpath(path))
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _unexpected(path, "a loop of symbolic links") from error
        raise
    if not stat.S_ISREG(found):
        raise _unexpected(path, kind_of(path))
    if not os.access(path, os.W_OK):  # replacing it would need no permission
        raise PermissionError(errno.EACCES, "the file is write-protected", str(path))
    return Path(os.path.realpath(path))


def kind_of(path: Path) -> str:
    """Return in words what a path leads to; raises OSError where there is nothing of that name."""
    found = path.stat() if path.exists() else path.lstat()
    return _KINDS.get(stat.S_IFMT(found.st_mode), "a special file")


def _require_access(folder: Path) -> None:
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, f"the folder {folder} is write-protected")


def _unexpected(path: Path, found: str) -> HitscopeError:
    return HitscopeError(f"{path}: expected a regular file or a new name, found {found}")


@contextmanager
def _written(path: Path) -> Iterator[None]:
    """Say of which output an error is; a pipe that nobody reads any more is none."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise HitscopeError(f"{path}: cannot be written: {error.strerror or error}") from error

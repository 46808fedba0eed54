"""Files of compiled code, each with a checksum: one for a function, the types of its arguments and the processor.

The one place that reaches into Numba's private parts, of the versions in `pyproject.toml`. Its own cache keeps no
function without a file of source, as loops have none; its folder is one setting for all code of a process, the
user's too; and a damaged file of it raises an exception of any kind in the call, or runs as it is.
"""

import logging
import multiprocessing
import os
import pickle
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

from hitscope.errors import HitscopeError
from hitscope.folders import cache_folder
from hitscope.outputs import replacing

problems: list[str] = []
"""Why compiled code is not kept, or was compiled again; each was logged once."""


def keep_code(dispatcher: Any, folder: Path | None, identity: str, on_compile: Callable[[], None]) -> None:
    """Keep a dispatcher's code in a folder, if any, by its `identity`; call `on_compile` before compiling."""
    dispatcher._cache = _CodeFiles(folder, identity, on_compile)
    dispatcher.compile = partial(_in_one_chunk, dispatcher.compile)


def _in_one_chunk(compile_for: Callable[..., Any], *arguments: Any) -> Any:
    return compile_for(*arguments)


# CPython maps memory for each call that leaves a chunk of its stack, and unmaps it on the return: a sixth of a
# compilation. A frame this large gets a chunk of its own, in which all calls of the compiler have room.
_in_one_chunk.__code__ = _in_one_chunk.__code__.replace(co_stacksize=1 << 13)


def has_code(dispatcher: Any, signature: tuple[Any, ...]) -> bool:
    """Whether a dispatcher has code for the types of arguments, in memory or in a file, which may be damaged."""
    path = dispatcher._cache.path(signature, dispatcher.targetctx.codegen())
    return signature in dispatcher.overloads or (path is not None and path.exists())


class _CodeFiles(NamedTuple):
    """The files of one function's compiled code, as a dispatcher of Numba uses its cache."""

    folder: Path | None
    identity: str
    on_compile: Callable[[], None]

    @property
    def cache_path(self) -> str | None:
        return None if self.folder is None else str(self.folder)

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        from numba.core.compiler import CompileResult

        target_context.refresh()
        path = self.path(signature, target_context.codegen())
        code = None if path is None else self._read(path)
        if code is None:
            self.on_compile()
            return None
        return CompileResult._rebuild(target_context, *pickle.loads(code))

    def _read(self, path: Path) -> bytes | None:
        """Return the code of a file, None where there is none; a damaged file is removed."""
        try:
            stored = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            note_problem(f"{path}: compiled code cannot be read ({error.strerror}): it is compiled again")
            return None
        checksum, code = stored[: sha256().digest_size], stored[sha256().digest_size :]
        if sha256(code).digest() != checksum:
            note_problem(f"{self.folder}: compiled code was damaged: it is compiled again")
            with suppress(OSError):
                path.unlink()
            return None
        return code

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write the code for a signature; where that fails, note it and go on."""
        from numba.core.serialize import dumps

        path = self.path(signature, result.codegen)
        if path is None or result.library.has_dynamic_globals:  # addresses of this process
            return
        code = dumps(result._reduce())
        try:
            with replacing(path) as file:
                file.write(sha256(code).digest() + code)
        except OSError as error:
            note_not_kept(path.parent, error)

    def path(self, signature: Any, codegen: Any) -> Path | None:
        """Return the file of a signature's code, None without a folder."""
        if self.folder is None:
            return None
        key = repr((self.identity, signature, codegen.magic_tuple()))
        return self.folder / f"{sha256(key.encode()).hexdigest()[:32]}.code"


def kept_folder(name: str) -> Path | None:
    """Return a folder in the cache that is the user's alone, for code; None where it cannot be used, noted."""
    root: Path | str = "the user's cache folder"
    try:
        root = cache_folder()
        folder = root / name
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if sys.platform != "win32":  # there, that follows from its place
            _make_private(folder)
        os.utime(folder)
        TemporaryFile(dir=folder).close()
    except (HitscopeError, OSError) as error:
        note_not_kept(root, error)
        return None
    return folder


def _make_private(folder: Path) -> None:
    """Let nobody else read a folder; raises HitscopeError where another could have written there."""
    known = folder.lstat()
    if stat.S_ISLNK(known.st_mode):
        found = "a link"
    elif known.st_uid != os.geteuid():
        found = "one of another user"
    elif known.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        found = f"one with mode {stat.S_IMODE(known.st_mode):04o}, to be removed"
    else:
        folder.chmod(0o700)
        return
    raise HitscopeError(f"expected {folder.name} to be a folder that only you can write, found {found}")


def note_not_kept(folder: Path | str, error: Exception) -> None:
    """Note that a folder cannot keep compiled code."""
    reason = error.strerror if isinstance(error, OSError) else error
    note_problem(f"{folder}: compiled code cannot be kept ({reason}): it is compiled in every run")


def note_problem(problem: str) -> None:
    """Add a problem to `problems` and log it, unless it is there, or this is the worker of one that logs it."""
    if problem not in problems:
        problems.append(problem)
        if multiprocessing.parent_process() is None:
            logging.getLogger(__name__).warning("%s", problem)

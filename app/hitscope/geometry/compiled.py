"""Compiled code, and the folder in the user's cache that keeps it between runs.

Numba's cache on disk notices edits of one file only, and a compiled function inlines code of many: so the folder
is named by a hash of all files of `geometry` and of Numba's version.
"""

import os
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from tempfile import NamedTemporaryFile, TemporaryFile
from threading import Lock
from typing import Any, TypeVar

from hitscope.folders import cache_folder

F = TypeVar("F", bound=Callable[..., Any])

KEPT_FOLDERS = 4
"""The number of folders that are kept, those used last: several versions and checkouts may be used in turn."""

_LOCK = Lock()
_REGISTERED: list[Callable[..., Any]] = []


def compiled(function: F) -> F:
    """Compile with IEEE division and without the interpreter's lock; keep the code on disk if that can be written.

    Always call it with arguments of the same types: Numba numbers the files of the signatures, and two processes
    that compile at once could number them differently.
    """
    return _compiled(function, code_folder())


def _compiled(function: F, folder: Path | None) -> F:
    """Compile on the first call, and keep the code in the folder, if there is one."""
    import numba

    config: Any = numba.config
    with _LOCK:
        _register_kernels()
        # Numba reads where to keep the code when it decorates, and nowhere else.
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder or "")
        try:
            dispatcher: Any = numba.njit(cache=folder is not None, nogil=True, error_model="numpy")(function)
        finally:
            config.CACHE_DIR = before
    as_it_was: F = dispatcher
    return as_it_was


def compiled_source(source: str, scope: dict[str, Any], name: str, file: str) -> Any:
    """Compile the function `name` of a source text that uses the names of the scope.

    The text is written to a file in the folder, because Numba keeps only code that has a file. Code that calls
    functions from outside `geometry`, whose edits the folder's name does not follow, stays in memory.
    """
    ours = all(__package__ in getattr(part, "__module__", __package__) for part in scope.values())
    folder = code_folder() if ours else None
    path = folder / f"{file}.py" if folder else Path(f"<{file}>")
    if folder and not path.exists():
        with NamedTemporaryFile("w", dir=folder, suffix=".tmp", encoding="utf-8", delete=False) as written:
            written.write(source)
        Path(written.name).replace(path)
    names = {**scope, "__name__": __name__}
    exec(compile(source, str(path), "exec"), names)
    return _compiled(names[name], folder)


def _register_kernels() -> None:
    """Register the kernels that were defined since the last call, so that Numba inlines them in their callers."""
    from numba.extending import register_jitable

    from hitscope.geometry.registry import KERNELS

    for function in KERNELS[len(_REGISTERED) :]:
        # A loop that calls a function instead of inlining it does not become vector code.
        _REGISTERED.append(register_jitable(forceinline=True)(function))


@cache
def code_folder() -> Path | None:
    """Return the folder of these sources' compiled code, created if missing; None where it is not writable."""
    from numba import __version__

    here = Path(__file__).parent
    key = sha256(__version__.encode())
    for path in sorted(here.rglob("*.py")):
        key.update(path.relative_to(here).as_posix().encode() + b"\0" + path.read_bytes())
    folder = cache_folder() / f"compiled-{key.hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        TemporaryFile(dir=folder).close()
    except OSError:
        return None
    _prune(folder.parent)
    return folder


def _prune(root: Path) -> None:
    """Remove the folders that were not used for the longest time; one that another process has open may stay."""
    times = {}
    for folder in root.glob("compiled-*"):
        try:
            times[folder] = folder.stat().st_mtime
        except OSError:  # another process has just removed it
            continue
    for folder in sorted(times, key=times.__getitem__)[:-KEPT_FOLDERS]:
        rmtree(folder, ignore_errors=True)

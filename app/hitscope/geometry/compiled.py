"""Compiled code, and the folder of the user's in which it is kept between runs.

Numba's cache on disk sees the edits of one file only, and a compiled function takes in many: so the folder is
named by a hash of all the files here and of Numba's version, and an edit means another folder.
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
"""So many folders stay, the last used: of versions and checkouts that are used in turn."""

_LOCK = Lock()
_REGISTERED: list[Callable[..., Any]] = []


def compiled(function: F) -> F:
    """Compile with IEEE division and without the interpreter's lock; keep the code on disk if that can be written.

    Call it with arguments of the same types always: Numba names the code of each signature by a number, which two
    processes that compile at once could give to different ones.
    """
    return _compiled(function, code_folder())


def _compiled(function: F, folder: Path | None) -> F:
    """Compile lazily, and keep the code in the folder, if there is one."""
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
    """Compile a function of this name from text, in which the names of the scope are known.

    The text goes into a file beside its code, because Numba keeps on disk only what has a file; where the scope
    has a function from outside of these sources, whose edits the folder would not see, it stays in memory.
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
    """Let Numba compile the kernels into what calls them, those that were defined since the last time."""
    from numba.extending import register_jitable

    from hitscope.geometry.registry import KERNELS

    for function in KERNELS[len(_REGISTERED) :]:
        # Of what is not inlined no loop becomes vector code.
        _REGISTERED.append(register_jitable(forceinline=True)(function))


@cache
def code_folder() -> Path | None:
    """Give the folder of these sources' compiled code, made if need be; None where it cannot be written."""
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
    """Remove the folders that were not used for the longest time; what another process holds open may stay."""
    times = {}
    for folder in root.glob("compiled-*"):
        try:
            times[folder] = folder.stat().st_mtime
        except OSError:  # another process has just removed it
            continue
    for folder in sorted(times, key=times.__getitem__)[:-KEPT_FOLDERS]:
        rmtree(folder, ignore_errors=True)

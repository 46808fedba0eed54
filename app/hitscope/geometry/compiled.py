"""Compiled code, and the folder in the user's cache that keeps it between runs.

A compiled function inlines code of many files: so the folder is named by a hash of all files of `geometry`, and of
the versions of Numba and Python.
"""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from threading import Event, Lock
from typing import Any, TypeVar

from hitscope.terminal import print_error

F = TypeVar("F", bound=Callable[..., Any])

INLINED: Any = {"forceinline": True, "no_cfunc_wrapper": True}
"""The options with which Numba compiles a function that others inline: nothing calls it as a function of C."""
KEPT_SECONDS = 14 * 24 * 3600
"""The seconds for which a folder is kept after its last use: several checkouts may be used in turn."""
KEPT_FOLDERS = 32
"""The most folders that are kept, those used last, of about 20 MB each."""

said_anywhere = Event()
"""Set where a program waits that shows no progress: that code is compiled is said to any standard error."""
_LOCK = Lock()
_REGISTERED: list[Callable[..., Any]] = []


def compiled(function: F) -> F:
    """Compile with IEEE division and without the interpreter's lock; keep the code on disk if possible."""
    return _compiled(function, code_folder())


def _compiled(function: F, folder: Path | None) -> F:
    """Compile on the first call, and keep the code in the folder, if there is one."""
    import numba

    from hitscope.geometry.code_files import keep_code

    with _LOCK:
        _register_kernels()
        options: Any = {"no_cfunc_wrapper": True}
        dispatcher: F = numba.njit(nogil=True, error_model="numpy", **options)(function)
    keep_code(dispatcher, folder, f"{function.__module__}.{function.__qualname__}", _say_that_code_is_compiled)
    return dispatcher


@cache
def _say_that_code_is_compiled() -> None:
    if sys.stderr is not None and (said_anywhere.is_set() or sys.stderr.isatty()):
        folder = code_folder()
        kept = f"; they are kept in {folder.parent}, and the next start takes them from there" if folder else ""
        print_error(f"Compiling queries for this processor{kept}")


def is_compiled(loop: Any, *arguments: Any) -> bool:
    """Whether a function is compiled for such arguments: its code is in memory or on disk."""
    from numba import typeof

    from hitscope.geometry.code_files import has_code

    return has_code(loop, tuple(typeof(argument) for argument in arguments))


def compiled_loop(source: str, scope: dict[str, Any]) -> Callable[..., None]:
    """Compile the function `loop` of a source text that uses the functions and classes of the scope.

    Code that calls functions from outside `geometry`, whose edits the folder does not follow, stays in memory.
    """
    parts = {key: part for key, part in scope.items() if part is not None}
    ours = all(__package__ in part.__module__ for part in parts.values())
    origins = sorted((key, part.__module__, part.__qualname__) for key, part in parts.items())
    names = {**scope, "__name__": __name__}
    exec(compile(source, "<loop>", "exec"), names)
    loop: Callable[..., None] = names["loop"]
    # All sources have functions of one name: their files and their symbols need different ones.
    loop.__qualname__ = f"loop_{sha256(repr((source, origins)).encode()).hexdigest()}"
    return _compiled(loop, code_folder() if ours else None)


def _register_kernels() -> None:
    """Register the kernels that were defined since the last call, so that Numba inlines them in their callers."""
    from hitscope.geometry.registry import KERNELS

    for function, source in KERNELS[len(_REGISTERED) :]:
        # A loop that calls a function instead of inlining it does not become vector code.
        _register(function, source)
        _REGISTERED.append(function)


def _register(function: Callable[..., Any], source: Callable[..., Any]) -> None:
    from numba.extending import overload

    overload(function, jit_options=INLINED, strict=False)(lambda *args, **named: source)


@cache
def code_folder() -> Path | None:
    """Return the folder of these sources' compiled code, created if missing; None where it cannot be used."""
    from numba import __version__

    from hitscope.geometry.code_files import kept_folder

    here = Path(__file__).parent
    key = sha256(f"{__version__} {sys.version}".encode())
    for path in sorted(here.rglob("*.py")):
        key.update(path.relative_to(here).as_posix().encode() + b"\0" + path.read_bytes())
    folder = kept_folder(f"compiled-{key.hexdigest()[:16]}")
    if folder is not None:
        _prune(folder.parent)
    return folder


def _prune(root: Path) -> None:
    """Remove the folders that were not used for a long time; one that another process has open may stay."""
    times = {}
    for folder in root.glob("compiled-*"):
        with suppress(OSError):  # another process has just removed it
            times[folder] = folder.stat().st_mtime
    for place, folder in enumerate(sorted(times, key=times.__getitem__, reverse=True)):
        if place >= KEPT_FOLDERS or times[folder] < time.time() - KEPT_SECONDS:
            rmtree(folder, ignore_errors=True)

"""The runner of `hitscope check`: scene files, each compared with its own `expect`."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hitscope import scene
from hitscope.check.explain_commands import FailingPair, failing_pairs
from hitscope.errors import HitscopeError, SceneError, in_words, traceback_of
from hitscope.evaluate import Report, evaluate
from hitscope.scene import ENDING, Scene
from hitscope.targets.target import TargetFailed

DESCRIPTORS = {Path("/dev"), Path("/proc")}
"""The folders with the files that a process has open, such as the pipe of a shell's `<(command)`."""


@dataclass(frozen=True)
class Outcome:
    """The result of checking one scene file or folder; `error` is one line, None if it could be evaluated."""

    path: str
    expectations: int = 0
    mismatches: tuple[str, ...] = ()
    error: str | None = None
    traceback: str = ""
    """That of an internal error, if the user asks for it."""
    failing_pairs: tuple[FailingPair, ...] = ()
    """The pairs of the mismatches, as far as these are of one pair."""

    @property
    def ok(self) -> bool:
        """Whether the file could be evaluated and meets all its expectations."""
        return self.error is None and not self.mismatches


def check(
    paths: Iterable[Path],
    load: Callable[[Path], Scene] = scene.load,
    report_of: Callable[[Scene], Report] = evaluate,
) -> Iterator[Outcome]:
    """Check the scene that `load` returns for each file named, and for each `*.scene.json` below a folder.

    Those of a folder come in order of name. Each outcome is yielded as soon as it is known; whatever one file
    breaks, the next ones are checked.
    """
    for path in paths:
        if os.path.isdir(path) and not path.name.endswith(ENDING):
            yield from _check_folder(path, load, report_of)
        else:
            yield _check_file(
                path, load, report_of, may_be_pipe=not DESCRIPTORS.isdisjoint(path.absolute().parents)
            )


def _check_folder(
    folder: Path, load: Callable[[Path], Scene], report_of: Callable[[Scene], Report]
) -> Iterator[Outcome]:
    unreadable: list[OSError] = []
    found = sorted(
        Path(parent, name)
        for parent, folders, files in os.walk(folder, onerror=unreadable.append)
        for name in (*folders, *files)
        if name.endswith(ENDING)
    )
    for error in unreadable:
        words = f"{error.filename}: expected a folder that can be read, found: {error.strerror}"
        yield Outcome(error.filename, error=words)
    if not found and not unreadable:
        yield Outcome(
            str(folder), error=f"{folder}: expected at least one *{ENDING} below this folder, found none"
        )
    for path in found:
        yield _check_file(path, load, report_of)


def _check_file(
    path: Path,
    load: Callable[[Path], Scene],
    report_of: Callable[[Scene], Report],
    may_be_pipe: bool = False,
) -> Outcome:
    expectations = 0
    try:
        if not may_be_pipe and _is_pipe(path):
            # Reading a pipe that nobody writes to would never end.
            raise SceneError(f"{path}: expected a scene file that can be read, found: a pipe")
        found = load(path)
        expectations = len(found.expect)
        report = report_of(found)
        mismatches = tuple(mismatch.words for mismatch in report.mismatches)
        return Outcome(str(path), expectations, mismatches, failing_pairs=failing_pairs(report))
    except TargetFailed as failure:
        return Outcome(str(path), expectations, (str(failure),))
    except HitscopeError as error:
        return Outcome(str(path), error=str(error))
    except Exception as error:
        return Outcome(str(path), error=f"{path}: {in_words(error)}", traceback=traceback_of(error))


def _is_pipe(path: Path) -> bool:
    try:
        return stat.S_ISFIFO(path.stat().st_mode)
    except OSError:  # loading it shows why
        return False

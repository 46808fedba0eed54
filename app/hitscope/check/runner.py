"""The runner of `hitscope check`: scene files, each compared with its own `expect`."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from hitscope.check.expectation_names import expectation_names
from hitscope.check.failures import Failure, failures
from hitscope.check.pair_commands import BY_SCENE, CheckedBy
from hitscope.errors import HitscopeError, SceneError, in_words, traceback_of
from hitscope.evaluate import Mismatch, Report, evaluate
from hitscope.evaluate.expectations import mismatches
from hitscope.scene import ENDING, Scene, loads
from hitscope.scene.load import read
from hitscope.scene.model import Tolerance
from hitscope.targets.target import TargetFailed

DESCRIPTORS = {Path("/dev"), Path("/proc")}
"""The folders with the files that a process has open, such as the pipe of a shell's `<(command)`."""

Status: TypeAlias = Literal["passed", "failed", "broken", "empty"]


@dataclass(frozen=True)
class Outcome:
    """The result of checking one scene file or folder; `error` is one line, None if it could be evaluated."""

    path: str
    names: tuple[str, ...] = ()
    """Those of the expectations that were compared, as `expectation_names` gives them."""
    failures: tuple[Failure, ...] = ()
    error: str | None = None
    traceback: str = ""
    """That of an internal error, if the user asks for it."""

    @property
    def status(self) -> Status:
        """Broken if the file could not be evaluated, else failed, passed, or empty without expectations."""
        if self.error is not None:
            return "broken"
        if self.failures:
            return "failed"
        return "passed" if self.names else "empty"


class Checks(NamedTuple):
    """How scenes are checked."""

    read: Callable[[Path], bytes] = read
    report_of: Callable[[Scene], Report] = evaluate
    by: CheckedBy = BY_SCENE
    tolerance: Tolerance | None = None
    """That of expectations without one of their own, in place of the scene's."""
    is_selected: Callable[[str, str], bool] | None = None
    """Whether the expectation of a name is to be compared, by the path of its file and the name; None for all."""


EVERYTHING = Checks()
"""Every expectation, by the methods and within the tolerances of the scenes."""


def check(paths: Iterable[Path], checks: Checks = EVERYTHING) -> Iterator[Outcome]:
    """Check each file named, and each `*.scene.json` below a folder.

    Those of a folder come in order of name. Each outcome is yielded as soon as it is known; whatever one file
    breaks, the next ones are checked.
    """
    for found in scene_files(paths):
        yield found if isinstance(found, Outcome) else check_file(found, checks)


def scene_files(paths: Iterable[Path]) -> Iterator[Path | Outcome]:
    """Yield the files to check, and an outcome with an error for each path that leads to none."""
    for path in paths:
        if os.path.isdir(path) and not path.name.endswith(ENDING):
            yield from _files_below(path)
        else:
            yield _unless_it_waits(path, DESCRIPTORS.isdisjoint(path.absolute().parents))


def check_file(path: Path, checks: Checks = EVERYTHING) -> Outcome:
    """Check one file."""
    names: tuple[str, ...] = ()
    try:
        data = checks.read(path)
        scene = loads(data, str(path), path.parent)
        names = expectation_names(scene)
        report = checks.report_of(scene)
        found: Iterable[Mismatch] = mismatches(report, checks.tolerance)
        if checks.is_selected is not None:
            selected = [checks.is_selected(str(path), name) for name in names]
            found = [mismatch for mismatch in found if selected[mismatch.expectation_index]]
            names = tuple(name for name, chosen in zip(names, selected, strict=True) if chosen)
        failing = tuple(failures(report, found, str(path), data, checks.by, checks.tolerance))
        return Outcome(str(path), names, failing)
    except TargetFailed as failure:
        return Outcome(str(path), names, (_of_target(failure),))
    except HitscopeError as error:
        return Outcome(str(path), error=str(error))
    except Exception as error:
        return Outcome(str(path), error=f"{path}: {in_words(error)}", traceback=traceback_of(error))


def _of_target(failure: TargetFailed) -> Failure:
    """The failure of code that crashed or hung, which ends the check of its scene."""
    return Failure(0, "", None, "", None, (str(failure),))


def _files_below(folder: Path) -> Iterator[Path | Outcome]:
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
        yield _unless_it_waits(path)


def _unless_it_waits(path: Path, is_checked: bool = True) -> Path | Outcome:
    """Return a path, or an error for a pipe: reading one that nobody writes to would never end."""
    if is_checked and _is_pipe(path):
        error = SceneError(f"{path}: expected a scene file that can be read, found: a pipe")
        return Outcome(str(path), error=str(error))
    return path


def _is_pipe(path: Path) -> bool:
    try:
        return stat.S_ISFIFO(path.stat().st_mode)
    except OSError:  # loading it shows why
        return False

"""The runner of `hitscope check`: scene files, each compared with its own `expect`."""

import argparse
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import compress
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from hitscope import numerals
from hitscope.check import pair_commands, selection
from hitscope.errors import HitscopeError, SceneError, escaped, in_words, traceback_of
from hitscope.evaluate import Mismatch, OwnMethods, Report, evaluate, expectations
from hitscope.scene import ENDING, Scene, loads, model
from hitscope.scene.load import read
from hitscope.terminal import BAD_INPUT, FINE, INTERRUPTED, WRONG

if TYPE_CHECKING:
    from hitscope.check.failures import Failure

DESCRIPTORS = tuple(os.path.join(folder, "") for folder in ("/dev", "/proc"))
"""The folders with the files that a process has open, such as the pipe of a shell's `<(command)`."""

DISABLED = "the probe is disabled"
"""Why an expectation is not evaluated."""
Status: TypeAlias = Literal["passed", "failed", "broken", "empty", "deselected"]


IN_WORDS: dict[Status, str] = {"empty": "without expectations"}
"""The words of a status that has others than its own."""


@dataclass(frozen=True)
class Outcome:
    """The result of checking one scene file or folder; `error` is one line, None if it could be evaluated."""

    path: str
    names: tuple[str, ...] = ()
    """The names of the expectations that were selected, as `expectation_names` gives them."""
    failures: "tuple[Failure, ...]" = ()
    unevaluated: tuple[str, ...] = ()
    """The names of those that were not compared, as their probe is disabled."""
    unanswered: int = 0
    """The number of expected answers that the method does not give."""
    error: str | None = None
    traceback: str = ""
    """The traceback of an internal error, if the user asks for it."""
    lines: tuple[int, ...] = ()
    """The lines of the expectations that were selected, where they are asked for."""
    is_deselected: bool = False
    """Whether it has no expectation that is to be compared, of those that are selected."""
    seconds: float = field(default=0.0, compare=False)

    @property
    def status(self) -> Status:
        """Broken if it could not be evaluated, else deselected, failed, passed, or empty: nothing was compared."""
        if self.error is not None:
            return "broken"
        if self.is_deselected:
            return "deselected"
        if self.failures:
            return "failed"
        return "passed" if len(self.names) > len(self.unevaluated) else "empty"

    @property
    def count(self) -> str:
        """The number of its expectations, and of what of them was not compared, in words."""
        number = len(self.names)
        words = [numerals.counted(number, "expectation") if number else "no expectations"]
        if self.unevaluated:
            words.append(f"{len(self.unevaluated):,} not evaluated")
        if self.unanswered:
            words.append(f"{numerals.counted(self.unanswered, 'answer')} not given")
        return ", ".join(words)


class Checks(NamedTuple):
    """How scenes are checked."""

    read: Callable[[Path], bytes] = read
    report_of: Callable[[Scene], Report] = evaluate
    by: pair_commands.CheckedBy = pair_commands.BY_SCENE
    tolerance: model.Tolerance | None = None
    """The tolerance of expectations without one of their own, in place of the scene's."""
    is_selected: Callable[[str, str], bool] | None = None
    """Whether the expectation of a name is to be compared, by the path of its file and the name; None for all."""
    is_strict: bool = False
    """Whether an expectation of a disabled probe fails."""
    with_lines: bool = False
    """Whether the outcomes have the lines of all expectations, not only of those that fail."""


EVERYTHING = Checks()
"""Every expectation, by the methods and within the tolerances of the scenes."""


def check(paths: Iterable[Path], checks: Checks = EVERYTHING) -> Iterator[Outcome]:
    """Yield the outcome of each of the `listed_scenes` as soon as it is known, whatever one of them breaks."""
    for entry in listed_scenes(paths):
        yield check_listed(entry, checks)


Listed: TypeAlias = str | Outcome
"""The path of a file to check, or the error of a path that leads to none."""


def listed_scenes(paths: Iterable[Path]) -> list[Listed]:
    """Return each file named and each `*.scene.json` below a folder, those of a folder in order of name.

    A path that is there twice is listed once. One that leads to no file is an outcome with an error.
    """
    return list(dict.fromkeys(_found(paths)))


def check_listed(entry: Listed, checks: Checks) -> Outcome:
    return entry if isinstance(entry, Outcome) else check_file(Path(entry), checks)


def is_same_elsewhere(path: str) -> bool:
    """Whether a path leads to the same file in another process: standard input and open files do not."""
    return path != pair_commands.STANDARD_INPUT and not os.path.abspath(path).startswith(DESCRIPTORS)


def check_file(path: Path, checks: Checks = EVERYTHING) -> Outcome:
    """Check one file; whatever is wrong with it is in the outcome."""
    began = perf_counter()
    return replace(_outcome_of(path, checks), seconds=perf_counter() - began)


def _outcome_of(path: Path, checks: Checks) -> Outcome:
    names: tuple[str, ...] = ()
    try:
        data = checks.read(path)
        scene = loads(data, str(path), path.parent)
        all_names = names = selection.expectation_names(scene)
        lines: tuple[int, ...] = ()
        if checks.with_lines:
            from hitscope.scene.json_locations import element_lines

            lines = tuple(element_lines(data, "expect"))
        selected = [checks.is_selected is None or checks.is_selected(str(path), name) for name in names]
        if checks.is_selected is not None and not any(selected):
            return Outcome(str(path), is_deselected=True)
        names, lines = tuple(compress(names, selected)), tuple(compress(lines, selected))
        report = checks.report_of(scene)
        found: dict[expectations.Kind, list[Mismatch]] = {"differs": [], "not answered": [], "not evaluated": []}
        for mismatch in expectations.mismatches(report, checks.tolerance):
            if selected[mismatch.expectation_index]:
                fails = checks.is_strict and mismatch.kind == "not evaluated"
                found["differs" if fails else mismatch.kind].append(mismatch)
        if found["differs"]:
            from hitscope.check.failures import failures

            failing = tuple(failures(report, found["differs"], str(path), data, checks.by, checks.tolerance))
        else:
            failing = ()
        unevaluated = tuple(all_names[mismatch.expectation_index] for mismatch in found["not evaluated"])
        return Outcome(str(path), names, failing, unevaluated, len(found["not answered"]), lines=lines)
    except HitscopeError as error:
        from hitscope.check.failures import Failure
        from hitscope.targets.target import TargetFailed

        if isinstance(error, TargetFailed):
            return Outcome(str(path), names, (Failure(0, "", None, "", None, (str(error),)),))
        return Outcome(str(path), error=str(error))
    except Exception as error:
        return Outcome(str(path), error=f"{path}: {in_words(error)}", traceback=traceback_of(error))


def _found(paths: Iterable[Path]) -> Iterator[Listed]:
    for path in paths:
        if os.path.isdir(path) and not path.name.endswith(ENDING):
            yield from _files_below(str(path))
        else:
            yield _unless_it_waits(str(path))


def _files_below(folder: str) -> Iterator[Listed]:
    unreadable: list[OSError] = []
    here = os.path.join(os.curdir, "")
    found = [
        os.path.join(parent, name).removeprefix(here)
        for parent, folders, files in os.walk(folder, onerror=unreadable.append)
        for name in (*folders, *files)
        if name.endswith(ENDING)
    ]
    found.sort(key=lambda path: path.split(os.sep))
    for error in unreadable:
        words = f"expected a folder that can be read, found: {error.strerror}"
        yield Outcome(error.filename, error=f"{error.filename}: {words}")
    if not found and not unreadable:
        yield Outcome(folder, error=f"{folder}: expected at least one *{ENDING} below this folder, found none")
    for path in found:
        yield _unless_it_waits(path)


def _unless_it_waits(path: str) -> Listed:
    """Return a path, or an error for a pipe: reading one that nobody writes to would never end."""
    with suppress(OSError):  # loading it shows why
        if is_same_elsewhere(path) and stat.S_ISFIFO(os.stat(path).st_mode):
            error = SceneError(f"{path}: expected a scene file that can be read, found: a pipe")
            return Outcome(path, error=str(error))
    return path


_LOCATION = re.compile(r"(?::(\d+):\d+)?: ")


class ErrorParts(NamedTuple):
    """The line that an error names, None where it is not about one line, and the words without the file."""

    line: int | None
    words: str


def error_parts(outcome: Outcome) -> ErrorParts:
    path, error = escaped(outcome.path), outcome.error or ""
    found = _LOCATION.match(error, len(path)) if error.startswith(path) else None
    if found is None:
        return ErrorParts(None, error)
    return ErrorParts(int(found[1]) if found[1] else None, error[found.end() :])


ReportSource: TypeAlias = Callable[[Scene], Report]


@contextmanager
def report_source(options: argparse.Namespace) -> Iterator[ReportSource]:
    """Yield what evaluates a scene, by the TARGETs of the options where there are some."""
    if not options.method:
        yield evaluate
        return
    from hitscope.targets.deciding import DecidingTargets

    with DecidingTargets(options) as targets:
        yield lambda scene: evaluate(scene, own=OwnMethods(targets.methods(scene)))


class CheckTally:
    """How many scenes of a check fared how; when it is strict, a scene of which nothing is compared fails."""

    def __init__(self, total: int, strict: bool = False) -> None:
        self.total = total
        self.strict = strict
        self.is_interrupted = False
        self.counts: Counter[Status] = Counter()
        self.unevaluated = 0

    def add(self, outcome: Outcome) -> None:
        self.counts[outcome.status] += 1
        self.unevaluated += len(outcome.unevaluated)

    def passes(self, outcome: Outcome) -> bool:
        """Whether a scene does not make the check fail."""
        return outcome.status in ("passed", "deselected") or (outcome.status == "empty" and not self.strict)

    @property
    def checked(self) -> int:
        """The number of scenes that were checked, of which anything was selected."""
        return self.counts.total() - self.counts["deselected"]

    @property
    def is_nothing_selected(self) -> bool:
        """Whether all scenes are deselected that are not broken."""
        left = self.total - self.counts["deselected"] - self.counts["broken"]
        return left == 0 and self.counts["deselected"] > 0

    @property
    def exit_status(self) -> int:
        """The exit status of the command: 0 all pass, 1 some fail, 2 some are broken, or none is selected."""
        if self.is_interrupted:
            return INTERRUPTED
        if self.counts["broken"] or self.is_nothing_selected:
            return BAD_INPUT
        return WRONG if self.counts["failed"] or (self.strict and self.counts["empty"]) else FINE

    @property
    def unevaluated_words(self) -> str:
        """The number of expectations of disabled probes, as a clause."""
        singular, plural = "expectation of a disabled probe is", "expectations of disabled probes are"
        return f"{numerals.counted(self.unevaluated, singular, plural)} not evaluated"

    def lines(self) -> Iterator[str]:
        counts = self.counts
        listed: tuple[Status, ...] = ("failed", "broken", "empty", "deselected")
        parts = [f"{counts[status]:,} {IN_WORDS.get(status, status)}" for status in listed if counts[status]]
        if unchecked := self.total - counts.total():
            parts.append(f"{unchecked:,} not checked")
        if parts:
            yield ", ".join(parts)
        if self.unevaluated:
            yield self.unevaluated_words
        passing = counts["passed"] + (0 if self.strict else counts["empty"])
        yield f"{passing:,} of {self.checked:,} scenes pass{' (interrupted)' if self.is_interrupted else ''}"

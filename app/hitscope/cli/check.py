"""The command `hitscope check`."""

import argparse
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from time import monotonic, perf_counter
from types import FrameType
from typing import TYPE_CHECKING, Self

from hitscope.check.outcome_outputs import JsonDocument, Lines, OutcomeOutput, in_log
from hitscope.check.pair_commands import CheckedBy
from hitscope.check.runner import Checks, CheckTally, Listed, Outcome, ReportSource, check_listed, listed_scenes
from hitscope.check.selection import selection
from hitscope.cli.options import MANY_SCENES
from hitscope.errors import HitscopeError, quoted
from hitscope.geometry import threads
from hitscope.terminal import print_error, print_failure

if TYPE_CHECKING:
    from rich.progress import Progress

SHOWN_AFTER = 1.0
"""The seconds after which the bar is shown."""
REFRESH_SECONDS = 0.1
"""The seconds between two pictures of it."""


class CheckProgress(ExitStack):
    """The bar on standard error, where that is a terminal; gone at the end of a `with`."""

    def __init__(
        self, total: int, shown_after: float = SHOWN_AFTER, refresh_seconds: float = REFRESH_SECONDS
    ) -> None:
        super().__init__()
        self._total, self._refresh_seconds = total, refresh_seconds
        self._done = 0
        self._bar: Progress | None = None
        self._next = monotonic() + shown_after if sys.stderr.isatty() else float("inf")

    def advance(self) -> None:
        self._done += 1
        now = monotonic()
        if now < self._next:
            return
        self._next = now + self._refresh_seconds
        if self._bar is None:
            self._bar = _new_bar(self._total)
            self._bar.start()
            self.callback(self._bar.stop)
        self._bar.update(self._bar.task_ids[0], completed=self._done, refresh=True)

    @contextmanager
    def hidden(self, for_output: bool, for_error: bool) -> Iterator[None]:
        """Remove it while something is printed on its terminal: on standard output, or on standard error."""
        if self._bar is None or not (for_error or (for_output and sys.stdout.isatty())):
            yield
            return
        self._bar.stop()
        yield
        sys.stdout.flush()
        self._bar.start()


def _new_bar(total: int) -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("checking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # What others print stays theirs: redirected, standard output would go to standard error.
    bar = Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    bar.add_task("", total=total)
    return bar


ALONE_SECONDS = 0.5
"""The time before more processes are started, which take about as long to start."""
WITH_UPDATE = {"exitfirst": "-x", "jobs": "-j"}
"""The short names of options that --update cannot have beside it."""


def run(options: argparse.Namespace, read: Callable[[Path], bytes], report_of: ReportSource) -> int:
    """Check what the options name; returns the exit status: 0 all pass, 1 some fail, 2 some are broken."""
    by = CheckedBy.of(options)
    selected, with_lines = selection(options.selection), options.junit is not None
    checks = Checks(read, report_of, by, options.tolerance, selected, options.strict, with_lines)
    if options.update:
        for name in ("exitfirst", "jobs", "junit", "format", "report"):
            if getattr(options, name):
                raise HitscopeError(f"expected --update without {WITH_UPDATE.get(name, f'--{name}')}, found both")
        from hitscope.check import updating

        updating.require_update(options.method)
        return updating.update_all(map(Path, options.paths), checks, options.json)
    listed = listed_scenes(map(Path, options.paths))
    tally = CheckTally(len(listed), options.strict)
    quiet = options.quiet or (len(listed) > MANY_SCENES and not options.verbose)
    outputs = list(_outputs(options, checks, quiet, tally))
    jobs = options.jobs or (threads.count() if len(listed) > MANY_SCENES else 1)
    alone_seconds = ALONE_SECONDS if options.jobs is None else 0.0
    progress = CheckProgress(len(listed))
    try:
        checked = outcomes(listed, checks, options, jobs, alone_seconds)
        with Interrupts() as interrupts, progress, closing(checked):
            for outcome in checked:
                prints = options.json or not (quiet and tally.passes(outcome))
                with interrupts.held(), progress.hidden(prints, outcome.error is not None):
                    tally.add(outcome)
                    if outcome.status != "deselected":
                        if outcome.error is not None:
                            words = in_log(outcome.error) if options.format == "github" else outcome.error
                            print_failure(words, outcome.traceback)
                        for output in outputs:
                            output.add(outcome)
                if options.exitfirst and not tally.passes(outcome):
                    break
                progress.advance()
    except KeyboardInterrupt:
        tally.is_interrupted = True
    finally:  # after an error, too: what was begun is whole
        for output in outputs:
            output.finish(tally)
    if tally.is_nothing_selected:
        expected = "a part of FILE::PROBE-PRIMITIVE[METHOD] of an expectation"
        print_error(f"-k {quoted(options.selection)}: expected {expected}, found none in {len(listed):,} scenes")
    return tally.exit_status


def _outputs(
    options: argparse.Namespace, checks: Checks, quiet: bool, tally: CheckTally
) -> Iterator[OutcomeOutput]:
    if options.json:
        yield JsonDocument()
    elif options.format == "github":
        from hitscope.check.github import GithubLog

        yield GithubLog(quiet, tally)
    else:
        yield Lines(quiet, tally)
    if options.junit is not None:
        from hitscope.check.junit import JunitFile

        yield JunitFile(options.junit, tally.strict)
    if options.report is not None:
        from hitscope.check.report import CheckReport

        yield CheckReport(options.report, checks)


def outcomes(
    listed: Sequence[Listed], checks: Checks, options: argparse.Namespace, jobs: int, alone_seconds: float
) -> Generator[Outcome, None, None]:
    """Yield the outcome of each scene listed, in this order, as soon as it is known; raises HitscopeError.

    The first ones are checked here, for `alone_seconds` and until the first of `jobs` processes has started; where
    that is 0, all of them are checked in processes.
    """
    began, k = perf_counter(), 0
    while k < len(listed) and (jobs == 1 or perf_counter() - began < alone_seconds):
        yield check_listed(listed[k], checks)
        k += 1
    if k == len(listed):
        return
    from hitscope.check.scene_processes import SceneProcesses

    processes = SceneProcesses(min(jobs, len(listed) - k), checks, options, listed)
    try:
        while alone_seconds and k < len(listed) and not processes.is_any_ready:
            yield check_listed(listed[k], checks)
            k += 1
        yield from processes.outcomes(k, checks)
        if options.method:
            processes.end()
    finally:  # after an interrupt, too, and when no more outcomes are wanted
        processes.kill()


class Interrupts:
    """Ctrl+C during a `with`: a KeyboardInterrupt, but for what must not be left half done, which is `held`."""

    def __init__(self) -> None:
        self._is_held = self._is_pending = False
        # Only the main thread has signals, and a caller who handles them keeps them.
        is_ours = threading.current_thread() is threading.main_thread()
        self._is_handled = is_ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def __enter__(self) -> Self:
        if self._is_handled:
            signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_handled:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold it back; the second one comes at once, as what is done may wait for a reader."""
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False
        if self._is_pending:
            raise KeyboardInterrupt

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if not self._is_held or self._is_pending:
            raise KeyboardInterrupt
        self._is_pending = True

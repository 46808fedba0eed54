"""The command `hitscope check`."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from hitscope.check import updating
from hitscope.check.check_progress import CheckProgress
from hitscope.check.interrupts import Interrupts
from hitscope.check.outcome_outputs import JsonDocument, Lines, OutcomeOutput, in_log
from hitscope.check.pair_commands import CheckedBy
from hitscope.check.report_source import ReportSource
from hitscope.check.runner import Checks, listed_scenes
from hitscope.check.scene_outcomes import ALONE_SECONDS, outcomes
from hitscope.check.selection import selection
from hitscope.check.tally import CheckTally
from hitscope.cli.options import MANY_SCENES
from hitscope.errors import HitscopeError, quoted
from hitscope.geometry import threads
from hitscope.terminal import print_error, print_failure

WITH_UPDATE = {"exitfirst": "-x", "jobs": "-j"}
"""The short names of options that --update cannot have beside it."""


def run(options: argparse.Namespace, read: Callable[[Path], bytes], report_of: ReportSource) -> int:
    """Check what the options name; returns the exit status: 0 all pass, 1 some fail, 2 some are broken."""
    by = CheckedBy.of(options)
    selected = selection(options.selection)
    with_lines = options.junit is not None
    checks = Checks(read, report_of, by, options.tolerance, selected, options.strict, with_lines)
    if options.update:
        for name in ("exitfirst", "jobs", "junit", "format", "report"):
            if getattr(options, name):
                raise HitscopeError(f"expected --update without {WITH_UPDATE.get(name, f'--{name}')}, found both")
        return updating.run(options, checks)
    listed = listed_scenes(map(Path, options.paths))
    tally = CheckTally(len(listed), options.strict)
    quiet = options.quiet or (len(listed) > MANY_SCENES and not options.verbose)
    outputs = list(_outputs(options, checks, quiet, tally))
    jobs = options.jobs or (threads.count() if len(listed) > MANY_SCENES else 1)
    alone_seconds = ALONE_SECONDS if options.jobs is None else 0.0
    progress = CheckProgress(len(listed))
    try:
        with (
            Interrupts() as interrupts,
            progress,
            closing(outcomes(listed, checks, options, jobs, alone_seconds)) as found,
        ):
            for outcome in found:
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


__all__ = ["run"]

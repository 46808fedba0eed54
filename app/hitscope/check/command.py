"""The command `hitscope check`."""

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from hitscope.check.pair_commands import CheckedBy
from hitscope.check.runner import Checks, Outcome, Status, check
from hitscope.evaluate import Report
from hitscope.scene import Scene
from hitscope.terminal import json_text, one_line, print_error, print_line

FINE, MISMATCH, BAD_INPUT = 0, 1, 2
WORDS = {"passed": "ok  ", "failed": "FAIL", "empty": "none"}
"""What the line of a scene begins with."""


def run(options: argparse.Namespace, read: Callable[[Path], bytes], report_of: Callable[[Scene], Report]) -> int:
    """Check what the options name; returns the exit status: 0 all pass, 1 some fail, 2 some are broken."""
    by = CheckedBy(dict(options.method), options.float)
    checks = Checks(read, report_of, by, options.tolerance)
    outcomes = []
    for outcome in check(map(Path, options.paths), checks):
        outcomes.append(outcome)
        if outcome.error is not None:
            for line in (*outcome.traceback.splitlines(), outcome.error):
                print_error(line)
        elif not options.json:
            print_outcome(outcome)
    if options.json:
        print(json_text(as_dict(outcomes)))
    elif len(outcomes) > 1 or options.strict:
        for line in summary(outcomes, options.strict):
            print(line)
    return exit_status(outcomes, options.strict)


def exit_status(outcomes: Iterable[Outcome], strict: bool) -> int:
    """Return the exit status of a check; when it is strict, a scene without expectations fails."""
    found = {outcome.status for outcome in outcomes}
    if "broken" in found:
        return BAD_INPUT
    return MISMATCH if "failed" in found or (strict and "empty" in found) else FINE


def print_outcome(outcome: Outcome) -> None:
    """Print the line of a scene that could be evaluated, and below it its failures with their commands."""
    count = (
        f"{len(outcome.names)} expectation{'s' * (len(outcome.names) != 1)}"
        if outcome.names
        else "no expectations"
    )
    print_line(f"{WORDS[outcome.status]}  {outcome.path}  ({count})")
    known: set[str] = set()
    for failure in outcome.failures:
        print_line(failure.text(outcome.path))
        for command in failure.commands:
            if command == one_line(command) and command not in known:  # else it is not the command any more
                print(f"      {command}")
                known.add(command)


def summary(outcomes: Iterable[Outcome], strict: bool = False) -> Iterator[str]:
    """Yield the lines that count how scenes fared; when it is strict, one without expectations does not pass."""
    counts = Counter(outcome.status for outcome in outcomes)
    words: dict[Status, str] = {"failed": "failed", "broken": "broken", "empty": "without expectations"}
    rest = [f"{counts[status]:,} {word}" for status, word in words.items() if counts[status]]
    if rest:
        yield ", ".join(rest)
    yield f"{counts['passed'] + (0 if strict else counts['empty'])} of {counts.total()} scenes pass"


def as_dict(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """Return outcomes as `hitscope check --json` prints them."""
    return {"scenes": list(map(_as_dict, outcomes))}


def _as_dict(outcome: Outcome) -> dict[str, Any]:
    return {
        "path": outcome.path,
        "ok": outcome.status in ("passed", "empty"),
        "status": outcome.status,
        "expectations": len(outcome.names),
        "mismatches": [words for failure in outcome.failures for words in failure.differences],
        "failures": [
            {
                "name": failure.name,
                "line": failure.line,
                "probe": failure.probe,
                "primitive": failure.primitive,
                "text": failure.text(outcome.path),
                "commands": list(failure.commands),
            }
            for failure in outcome.failures
        ],
        "error": outcome.error,
    }


__all__ = ["as_dict", "exit_status", "print_outcome", "run", "summary"]

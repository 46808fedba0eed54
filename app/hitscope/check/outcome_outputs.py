"""The outputs of a check on standard output: lines for people, and JSON for programs."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from hitscope.check.runner import CheckTally, Outcome
from hitscope.terminal import json_text, one_line

if TYPE_CHECKING:
    from hitscope.check.failures import Failure

WORDS = {"passed": "ok  ", "failed": "FAIL", "empty": "none"}
"""The beginning of a scene's line."""


class OutcomeOutput(Protocol):
    """A listener that is told the outcomes of a check one by one, and keeps no more of them than it needs."""

    def add(self, outcome: Outcome) -> None: ...
    def finish(self, tally: CheckTally) -> None: ...


class Lines:
    """One line a scene, and below it its failures with their commands; the summary at the end."""

    def __init__(self, quiet: bool, tally: CheckTally, print_text: Callable[[str], None] = print) -> None:
        """Begin; when it is quiet, scenes that pass are left out. `print_text` prints a line on a scene."""
        self._quiet, self._tally, self._print = quiet, tally, print_text

    def add(self, outcome: Outcome) -> None:
        if outcome.error is None and not (self._quiet and self._tally.passes(outcome)):
            for line in outcome_lines(outcome):
                self._print(line)

    def finish(self, tally: CheckTally) -> None:
        """Print the summary, unless the only line said it all."""
        if tally.total > 1 or tally.strict or self._quiet or tally.is_interrupted:
            for line in tally.lines():
                print(line)


class JsonDocument:
    """The outcomes as one JSON document, written one by one."""

    def __init__(self) -> None:
        """Begin it with the first outcome, so that an error before leaves standard output empty."""
        self._is_begun = False

    def add(self, outcome: Outcome) -> None:
        print(", " if self._is_begun else '{"scenes": [', json_text(as_dict(outcome)), sep="", end="")
        self._is_begun = True

    def finish(self, tally: CheckTally) -> None:
        print("]}" if self._is_begun else '{"scenes": []}')


def outcome_lines(outcome: Outcome) -> Iterator[str]:
    """Yield the line of a scene that could be evaluated, then its failures with their commands."""
    yield one_line(f"{WORDS[outcome.status]}  {outcome.path}  ({outcome.count})")
    yield from failure_lines(outcome.path, outcome.failures)


def failure_lines(path: str, failures: "Iterable[Failure]") -> Iterator[str]:
    """Yield a line for each of some failures of a scene, and the commands about it, each command once."""
    known: set[str] = set()
    for failure in failures:
        yield one_line(failure.text(path))
        for command in failure.commands:
            if command == one_line(command) and command not in known:  # else it is not the command any more
                yield f"      {command}"
                known.add(command)


def in_log(line: str) -> str:
    """Return a line as a GitHub log shows it: its runner obeys those that begin with :: or have ##[ anywhere."""
    words = line.strip().replace("##[", r"##\u005b")
    return words if words.startswith(tuple(WORDS.values())) else f"- {words}"


def as_dict(outcome: Outcome) -> dict[str, Any]:
    """Return the outcome of a scene as JSON has it."""
    return {
        "path": outcome.path,
        "ok": outcome.status in ("passed", "empty"),
        "status": outcome.status,
        "expectations": len(outcome.names),
        "not_evaluated": list(outcome.unevaluated),
        "not_answered": outcome.unanswered,
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

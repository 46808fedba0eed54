"""The output of a check for GitHub: annotations of the files of scenes that fail, and a table of all failures."""

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from hitscope.check import outcome_outputs, pair_commands
from hitscope.check.runner import CheckTally, Outcome, error_parts
from hitscope.errors import HitscopeError
from hitscope.terminal import one_line

MOST_ANNOTATIONS = 10
"""The errors of a step that GitHub shows."""
MOST_LINES = 20
"""The most lines of an annotation."""
MOST_BYTES = 1 << 20
"""The bytes of the summary of a step, of which GitHub shows nothing where there are more."""
RESERVED_BYTES = 1 << 10
"""The bytes kept for the count of what is left out."""

_MARKDOWN = re.compile(r"[\\`*_{}\[\]<>#|~$&@:]")
_TABLE = "\n| Where | Expectation | What differs |\n| --- | --- | --- |\n"


class GithubLog:
    """The lines of the log, where the first scenes that fail are annotations, and the summary of the step."""

    def __init__(self, quiet: bool, tally: CheckTally) -> None:
        """Begin; when it is quiet, scenes that pass are left out."""
        self._lines = outcome_outputs.Lines(quiet, tally, lambda line: print(outcome_outputs.in_log(line)))
        self._tally = tally
        self._annotations = 0
        self._rows: list[str] = []
        self._left_out = 0
        self._path = os.environ.get("GITHUB_STEP_SUMMARY")
        used = os.path.getsize(self._path) if self._path and os.path.exists(self._path) else 0
        self._left = MOST_BYTES - used - RESERVED_BYTES

    def add(self, outcome: Outcome) -> None:
        passes = self._tally.passes(outcome)
        if passes or self._annotations == MOST_ANNOTATIONS:
            self._lines.add(outcome)
        else:
            self._annotations += 1
            print(annotation(outcome))
        for row in () if passes else _rows(outcome):
            size = len(row.encode())
            if size <= self._left:
                self._left -= size
                self._rows.append(row)
            else:
                self._left_out += 1

    def finish(self, tally: CheckTally) -> None:
        """Print the count, and append the summary; raises HitscopeError where that cannot be written."""
        self._lines.finish(tally)
        text = f"### hitscope check: {', '.join(tally.lines())}\n"
        text += "".join([_TABLE, *self._rows]) if self._rows else ""
        if self._left_out:
            text += f"\n{self._left_out:,} more failures are left out.\n"
        if not self._path:
            print(text, end="")
            return
        try:
            with open(self._path, "a", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            words = f"{self._path}: the summary of the step cannot be written: {error.strerror}"
            raise HitscopeError(words) from error


def annotation(outcome: Outcome) -> str:
    """Return the command by which GitHub shows a failing scene at its first failure."""
    if outcome.error is not None:
        title, line, told = "broken scene", error_parts(outcome).line, [one_line(outcome.error)]
    elif not outcome.failures:
        title, line, told = "no expectations", None, [one_line(f"{outcome.path}: no expectations")]
    else:
        first = outcome.failures[0]
        more = f" and {len(outcome.failures) - 1:,} more" if len(outcome.failures) > 1 else ""
        title, line = f"{first.name or 'crashed'}{more}", first.line
        lines = outcome_outputs.failure_lines(outcome.path, outcome.failures)
        told = list(islice(lines, MOST_LINES))
        if next(lines, None) is not None:
            told.append("...")
    properties = {} if outcome.path == pair_commands.STANDARD_INPUT else {"file": _in_workspace(outcome.path)}
    properties |= {} if line is None else {"line": str(line)}
    properties["title"] = one_line(title)
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::error {listed}::{_data(chr(10).join(told))}"


def _in_workspace(path: str) -> str:
    """Return a path relative to the root of the repository, from where GitHub finds it."""
    root = os.environ.get("GITHUB_WORKSPACE")
    if root and (full := Path(os.path.abspath(path))).is_relative_to(root):
        return full.relative_to(root).as_posix()
    return path


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _rows(outcome: Outcome) -> Iterator[str]:
    if outcome.error is not None:
        line, words = error_parts(outcome)
        yield _row(_where(outcome.path, line), "", words)
    elif not outcome.failures:
        yield _row(outcome.path, "", "no expectations")
    for failure in outcome.failures:
        words = failure.text("").removeprefix(f":{failure.line}").removeprefix(": ")
        yield _row(_where(outcome.path, failure.line), failure.name, words)


def _where(path: str, line: int | None) -> str:
    return path if line is None else f"{path}:{line}"


def _row(*cells: str) -> str:
    texts = (_MARKDOWN.sub(lambda match: f"&#{ord(match[0])};", one_line(cell)) for cell in cells)
    return f"| {' | '.join(texts)} |\n"

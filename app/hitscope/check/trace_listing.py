"""The listing of a traced run: its statements with the values that each of them changed."""

import shutil
from collections.abc import Iterator
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from hitscope.errors import escaped
from hitscope.explain import Step, Trace
from hitscope.geometry.registry import Method

LEAST_COLUMNS = 40
"""The width below which lines are not folded any further."""
FOLD = "    "
"""What the rest of a folded line is indented by."""


def print_trace(method: Method, trace: Trace) -> None:
    """Print the executed statements of a method, folded to the width of the terminal, or to 80 columns."""
    columns = max(LEAST_COLUMNS, shutil.get_terminal_size((80, 24)).columns)
    for line in _folded(f"{method.name} ({method.source})", "", FOLD, columns):
        print(line)
    before: dict[str, Any] = {}
    for step in trace.steps:
        for line in _step_lines(step, before, columns):
            print(line)
        before = step.values
    print("hit" if trace.hit else "miss")


def _step_lines(step: Step, before: dict[str, Any], columns: int) -> Iterator[str]:
    """Yield the source of a step and the values that it changed: beside the source if they fit, else below it."""
    indent = ""
    source: list[str] = []
    for number, line in enumerate(step.source.splitlines(), step.line):
        code = line.expandtabs().lstrip(" ")
        indent = " " * min(len(line.expandtabs()) - len(code), columns // 2)
        source += _folded(escaped(code), f"{number:5}  {indent}", f"{'':5}  {indent}{FOLD}", columns)
    changed = [
        f"{name} = {escaped(repr(value))}"
        for name, value in step.values.items()
        if name not in before or repr(before[name]) != repr(value)
    ]
    beside = f"{source[-1]}  # {', '.join(changed)}"
    if changed and cell_len(beside) <= columns:
        yield from (*source[:-1], beside)
        return
    yield from source
    for assignment in changed:
        yield from _folded(assignment, f"{'':5}  {indent}# ", f"{'':5}  {indent}# {FOLD}", columns)


def _folded(text: str, first: str, rest: str, columns: int) -> list[str]:
    """Break a text at spaces, or in words longer than a line, into lines that begin with `first` or `rest`."""
    lines = Text(text).wrap(Console(), columns - len(rest), overflow="fold")
    return [f"{rest if k else first}{line.plain.rstrip()}" for k, line in enumerate(lines)]

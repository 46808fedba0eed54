"""Tables and listings that the commands print on the terminal."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from hitscope import numerals, terminal
from hitscope.evaluate import Verdict

PIPE_WIDTH = 200
"""The width in columns if the output is no terminal: wide enough that no text to search for is folded."""


def print_verdicts(verdicts: Sequence[Verdict], left_out: str = "") -> None:
    """Print one row a verdict, marked where the methods of a pair disagree, and the line about pairs left out."""
    answers: dict[tuple[str, str], set[bool]] = {}
    for row in verdicts:
        answers.setdefault((row.probe, row.primitive), set()).add(row.hit)
    table = new_table("probe", "primitive", "method", "verdict", "state", "side")
    for heading in ("t_enter", "t_exit", "point", "normal", "distance"):
        table.add_column(heading, justify="right", no_wrap=True)
    found = [_other_parts(row) for row in verdicts]
    if any(found):
        table.add_column("also answered")
    table.add_column("")
    for row, also in zip(verdicts, found, strict=True):
        table.add_row(
            row.probe,
            row.primitive,
            row.method,
            Text("hit", style="green") if row.hit else Text("miss", style="red"),
            row.state,
            row.side or "",
            *map(numerals.answer, (row.t_enter, row.t_exit, row.point, row.normal, row.distance)),
            *([also] if any(found) else []),
            Text("methods disagree", style="yellow") if len(answers[row.probe, row.primitive]) > 1 else "",
        )
    if verdicts:
        print_table(table)
    if left_out:
        print(left_out)
    elif not verdicts:
        print("no verdicts: the scene has no enabled probe or no primitive")


def _other_parts(verdict: Verdict) -> str:
    """The parts of a method's answer without a column of their own, e.g. "axis (0, 1, 0), gap 0.25"."""
    shown = ("t_enter", "t_exit", "normal")
    others = ((name, value) for name, value in verdict.answered.items() if name not in shown)
    return ", ".join(f"{name} {numerals.answer(value)}" for name, value in others if value is not None)


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[..., None]]:
    """Show a progress bar if standard error is a terminal; yields the function that advances it."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(label, total=total)
        yield lambda advance=1: bar.advance(task, advance)


@contextmanager
def status(label: str) -> Iterator[Callable[[str], None]]:
    """Show what is done now if standard error is a terminal; yields the function that says it."""
    with Console(stderr=True).status(label) as shown:
        yield lambda words: shown.update(f"{label}: {words}")


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: sequences as lists, anything else that JSON lacks as text."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, tuple | list | set | frozenset):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {key if isinstance(key, str) else repr(key): plain(part) for key, part in value.items()}
    if isinstance(value, bool | int | str | None) or (isinstance(value, float) and isfinite(value)):
        return value
    return str(value)


class UserTable(Table):
    """A table of which a cell that is a plain string is the user's text: shown as it is, on one line."""

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        """Add a row; a cell that is a Text of rich keeps its style and lines."""
        shown = (Text(terminal.one_line(cell)) if isinstance(cell, str) else cell for cell in cells)
        super().add_row(*shown, **options)


def new_table(*headings: str, right: Iterable[str | Text] = ()) -> UserTable:
    """Return an empty table in the common style; its last columns are `right`-aligned."""
    table = UserTable(*headings, box=SIMPLE_HEAD, pad_edge=False)
    for heading in right:
        table.add_column(heading, justify="right")
    return table


def print_table(table: Table) -> None:
    """Print a table as wide as the terminal, or PIPE_WIDTH wide to a file or pipe."""
    if not (console := _Output()).is_terminal:
        console = _Output(width=PIPE_WIDTH)
    console.print(table)


class _Output(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to `main`, which ends every command alike, where rich would exit with a status of its own."""
        raise  # noqa: PLE0704 - rich calls this while it handles the BrokenPipeError


def count(number: int, is_wrong: bool = True) -> Text:
    """Return a count for a table, in red where it is one of what is wrong."""
    return Text(str(number), style=("red" if number else "dim") if is_wrong else "")

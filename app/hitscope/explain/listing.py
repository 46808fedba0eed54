"""The listing of an explanation: the statements that ran, with what each of them compared, called and changed."""

import shutil
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from hitscope.errors import escaped
from hitscope.explain import step_words
from hitscope.explain.explanation import Explanation
from hitscope.explain.snapshot import value_text
from hitscope.explain.trace import Call, Compared, Step, Trace, open_call

COLUMNS = 80
LEAST_COLUMNS = 40
"""The width below which lines are not folded any further."""
DEEPEST_CALL = 8
"""How many helpers deep a full listing goes."""
FOLD = "    "
"""The indent of the rest of a folded line."""
VALUE, COMPARISON, CALL, DECIDES, WRONG_LINE = "#", "?", "~", "*", "!"
"""The signs of notes (what changed, what was compared, which helper was called), and the marks in the margin."""


class Style(NamedTuple):
    """How a listing is written."""

    columns: int = COLUMNS
    as_hex: bool = False
    """Floats as their bits."""
    full: bool = False
    """With the statements of the helpers, too."""


PLAIN = Style()


class Note(NamedTuple):
    """A note on a step in words, with its sign."""

    sign: str
    text: str


def terminal_columns() -> int:
    """Return the width of the terminal; 80 columns where there is none."""
    return max(LEAST_COLUMNS, shutil.get_terminal_size((COLUMNS, 24)).columns)


def listing(explanation: Explanation, style: Style = PLAIN) -> Iterator[str]:
    """Yield the lines of an explanation: its method, each step, the answer and the conclusion."""
    method, run, columns = explanation.chosen.method, explanation.trace, style.columns
    arguments = "".join(f", {name}={value_text(value)}" for name, value in explanation.chosen.arguments.items())
    precision = ", in float32" if explanation.reading == "float32" else ""
    yield from _folded(f"{method.name}{arguments}{precision} ({method.source})", "", FOLD, columns)
    marks = {} if run.error else {run.deciding_step: DECIDES}
    wrong: dict[int, Note] = {}
    if fault := step_words.wrong_line_words(explanation, style.as_hex):
        assert explanation.wrong_step is not None
        marks[explanation.wrong_step] = WRONG_LINE
        wrong[explanation.wrong_step] = Note(WRONG_LINE, fault)
    yield from trace_lines(run, style, DEEPEST_CALL * style.full, marks, wrong)
    yield ""
    if answer := step_words.answer_words(run, style.as_hex):
        yield from _folded(f"answer: {answer}", "", FOLD, columns)
    yield from _folded(step_words.conclusion(explanation), "", "", columns)
    legend = {WRONG_LINE: "the wrong line", DECIDES: "decides"}
    if run.steps and (shown := [f"{mark} {words}" for mark, words in legend.items() if mark in marks.values()]):
        yield f"({', '.join(shown)})"


def trace_lines(
    run: Trace, style: Style, depth: int = 0, marks: Mapping[int, str] = {}, notes: Mapping[int, Note] = {}
) -> Iterator[str]:
    """Yield the lines of steps, with `marks` in the margin and `notes` below, of helpers, too, `depth` deep."""
    before: Mapping[str, Any] = {}
    for k, step in enumerate(run.steps):
        more = [notes[k]] if k in notes else []
        yield from _step_lines(step, [*step_notes(step, before, style.as_hex), *more], marks.get(k, " "), style)
        before = step.values
        if depth > 0:
            for call in step.calls:
                yield from _call_lines(call, style, depth - 1)


def _call_lines(call: Call, style: Style, depth: int) -> Iterator[str]:
    """Yield the lines of a helper, each after a bar."""
    if (run := open_call(call)) is None:
        return
    narrower = style._replace(columns=max(LEAST_COLUMNS, style.columns - 6))
    yield f"      | {call.name}"
    for line in trace_lines(run, narrower, depth):
        yield f"      |{line[1:]}" if len(line) > 1 else "      |"


def step_notes(step: Step, before: Mapping[str, Any], as_hex: bool = False) -> list[Note]:
    """Return what a step compared, which helpers it called, and what it changed; in that order."""
    changed = {name: value_text(value, as_hex) for name, value in step_words.changed_values(step, before).items()}
    notes = [*_event_notes(step, set(changed.values()), as_hex)]
    if step.heads_loop and step.branch is not None:
        notes.append(Note(VALUE, step_words.branch_words(step)))
    return [*notes, *(Note(VALUE, f"{name} = {text}") for name, text in changed.items())]


def _event_notes(step: Step, known: set[str], as_hex: bool) -> Iterator[Note]:
    """Yield the comparisons and calls of a step; the answer of a call that is only assigned is a value already."""
    comparisons, is_single = step.comparisons, len(step.calls) == 1
    for event in step.events:
        if isinstance(event, Compared):
            named = "" if len(comparisons) == 1 else f"{event.text}: "
            yield Note(COMPARISON, f"{named}{step_words.comparison_words(event, as_hex)}")
        elif (answer := value_text(event.answer, as_hex)) not in known or not is_single:
            yield Note(CALL, f"{event.name}(…) → {answer}")
    is_told = len(comparisons) == 1 and bool(comparisons[0].result) == step.branch
    if step.branch is not None and not is_told and step.source.lstrip().startswith(("if", "elif", "while")):
        yield Note(COMPARISON, f"the condition is {step_words.truth_word(step.branch)}")


def _step_lines(step: Step, notes: list[Note], mark: str, style: Style) -> Iterator[str]:
    """Yield the source of a step and its notes: beside the source if they fit, else below it."""
    indent = ""
    source: list[str] = []
    columns = style.columns
    for number, line in enumerate(step.source.splitlines(), step.line):
        code = line.expandtabs().lstrip(" ")
        indent = " " * min(len(line.expandtabs()) - len(code), columns // 2)
        source += _folded(escaped(code), f"{mark}{number:4}  {indent}", f"{'':5}  {indent}{FOLD}", columns)
    beside = "  ".join((source[-1], *(f"{note.sign} {escaped(note.text)}" for note in notes)))
    if notes and cell_len(beside) <= columns and "  " not in escaped(notes[-1].text):
        yield from (*source[:-1], beside)
        return
    yield from source
    for note in notes:
        start = f"{'':5}  {indent}{note.sign} "
        yield from _folded(escaped(note.text), start, start + FOLD, columns)


def _folded(text: str, first: str, rest: str, columns: int) -> list[str]:
    """Break a text at spaces, or in words longer than a line, into lines that begin with `first` or `rest`."""
    if cell_len(first + text) <= columns:
        return [f"{first}{text}".rstrip()]
    lines = Text(text).wrap(_console(), columns - len(rest), overflow="fold")
    return [f"{rest if k else first}{line.plain.rstrip()}" for k, line in enumerate(lines)]


@cache
def _console() -> Console:
    return Console()

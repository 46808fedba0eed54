"""The caption of a step: what runs, the line of source with its number, what it changed and compared."""

import ast
import inspect
from collections.abc import Iterator, Mapping
from textwrap import dedent
from typing import Any, NamedTuple

from hitscope.evaluate.verdict_words import hit_or_miss
from hitscope.explain import Explanation, Step
from hitscope.explain.assignments import ends_loop
from hitscope.explain.snapshot import value_text
from hitscope.explain.step_words import branch_words, changed_values, comparison_words

MOST_LINES = 6
"""The most lines of source, and of values, in a caption."""


class CaptionLine(NamedTuple):
    """A line of the caption: source is loud, other text quiet."""

    text: str
    is_loud: bool
    number: str = ""


def caption(explanation: Explanation, k: int, pair: str) -> Iterator[CaptionLine]:
    """Yield the lines of the caption of step k of a run on a pair with this name."""
    steps = explanation.trace.steps
    step = steps[k]
    yield CaptionLine(
        f"{explanation.chosen.method.name} · {pair} · step {k + 1} of {len(steps)}"
        + "".join(f" · {note}" for note in _notes(explanation, k)),
        False,
    )
    yield from _source(step, explanation.chosen.method.fault if k == explanation.wrong_step else "")
    if ends_loop(step):
        yield CaptionLine(branch_words(step), False)
    parameters = inspect.signature(explanation.chosen.method.function).parameters
    given = {name: value for name, value in step.values.items() if name in parameters}
    before = steps[k - 1].values if k else given
    comparisons = (f"{compared.text}: {comparison_words(compared)}" for compared in step.comparisons)
    for text in [*_changes(before, step), *comparisons][:MOST_LINES]:
        yield CaptionLine(text, False)
    if k == len(steps) - 1:
        yield CaptionLine(explanation.trace.error or f"answer: {hit_or_miss(explanation.hit)}", True)


def _source(step: Step, fault: str) -> Iterator[CaptionLine]:
    """Yield the lines of a statement; of a long one the first, that of the loop's pass, and the fault's."""
    lines = step.source.expandtabs().splitlines()
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    shown = set(range(len(lines)))
    if len(lines) > MOST_LINES:
        faults = [row for row, line in enumerate(lines) if fault and fault in line]
        shown = {0, _row_of_pass(step), *faults[:1]}
    for row in sorted(shown):
        yield CaptionLine(lines[row][indent:], True, str(step.line + row))


def _row_of_pass(step: Step) -> int:
    """In the header of a loop over a written list the row of the element that the pass is of; else 0."""
    try:
        (loop,) = ast.parse(f"{dedent(step.source)} pass").body
    except (SyntaxError, ValueError):
        return 0
    passes = step.iterations
    if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Tuple | ast.List) or not passes:
        return 0
    elements = loop.iter.elts
    return elements[passes[-1].number - 1].lineno - 1 if passes[-1].number <= len(elements) else 0


def _notes(explanation: Explanation, step: int) -> Iterator[str]:
    if step == explanation.trace.deciding_step:
        yield "the decision"
    if step == explanation.wrong_step:
        yield "the wrong line"


def _changes(before: Mapping[str, Any], step: Step) -> Iterator[str]:
    for name, value in changed_values(step, before).items():
        was = f", was {value_text(before[name])}" if name in before else ""
        yield f"{name} = {value_text(value)}{was}"

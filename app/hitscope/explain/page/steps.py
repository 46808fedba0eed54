"""The steps of an explanation for a page, in the types of JSON."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hitscope import numerals
from hitscope.evaluate.verdict_words import hit_or_miss
from hitscope.explain.charts import chart_of, row_at
from hitscope.explain.explanation import Explanation
from hitscope.explain.listing import step_notes
from hitscope.explain.page.outlines import Frame, outline
from hitscope.explain.pair_space import PairSpace
from hitscope.explain.snapshot import value_text
from hitscope.explain.step_words import answer_words, changed_values, conclusion, wrong_line_words
from hitscope.explain.value_pictures import value_pictures
from hitscope.geometry.registry import EXACT

LONGEST_TEXT = 1000
"""The most characters of a value or a note."""
MOST_LINES = 600
"""The most lines of a method's source."""
CUT = "…"


class Steps(Sequence[dict[str, Any]]):
    """The steps of an explanation, each made on access: a run may have more than a page can hold."""

    def __init__(self, explanation: Explanation, frame: Frame) -> None:
        self._explanation, self._frame = explanation, frame
        self._chart = chart_of(explanation)

    def __len__(self) -> int:
        return len(self._explanation.trace.steps)

    def __getitem__(self, index: Any) -> Any:
        """Return what a step changed, compared and drew."""
        steps = self._explanation.trace.steps
        step = steps[index]
        before: Mapping[str, Any] = steps[index - 1].values if index else {}
        ulps = self._explanation.errors_in_ulps(index)
        return {
            "line": step.line,
            "count": len(step.source.splitlines()),
            "changed": {name: cut(value_text(value)) for name, value in changed_values(step, before).items()},
            "gone": [name for name in before if name not in step.values],
            "ulps": {name: numerals.ulps(error) for name, error in ulps.items()},
            "notes": [[note.sign, cut(note.text)] for note in step_notes(step, before) if note.sign != "#"],
            "passes": [[iteration.line, iteration.number] for iteration in step.iterations],
            "pictures": list(self._pictures(index)),
            "row": row_at(self._explanation, self._chart, index),
        }

    def _pictures(self, index: int) -> Iterator[dict[str, Any]]:
        for picture in value_pictures(self._explanation, index):
            if (points := self._frame.points(picture.points)) is not None:
                label = cut(f"{picture.name} = {picture.text}" if picture.text else picture.name)
                yield {"kind": picture.kind, "points": points, "label": label, "isNew": picture.is_new}


def document_of(explanation: Explanation, title: str) -> dict[str, Any]:
    """Return what a page shows, with its `steps` as they are made on access."""
    run, method, source = explanation.trace, explanation.chosen.method, explanation.source
    frame = Frame.around(PairSpace(*explanation.given))
    fault = wrong_line_words(explanation)
    return {
        "title": title,
        "method": method.name,
        "about": method.source + (", in float32" if explanation.reading == "float32" else ""),
        "arguments": {name: value_text(value) for name, value in explanation.chosen.arguments.items()},
        "verdict": "no verdict" if run.error else hit_or_miss(explanation.hit),
        "truth": hit_or_miss(explanation.truth),
        "isWrong": explanation.is_wrong,
        "conclusion": cut(conclusion(explanation)),
        "answer": cut(answer_words(run)),
        "code": {
            "first": source.first,
            "lines": [cut(line.expandtabs()) for line in source.lines[:MOST_LINES]],
            "isCode": method.name != EXACT,
        },
        "parameters": list(source.parameters),
        "deciding": run.deciding_step if run.steps and not run.error else None,
        "wrongStep": explanation.wrong_step if fault else None,
        "wrongLine": cut(fault),
        "probe": outline(explanation.given[0], frame),
        "primitive": outline(explanation.given[1], frame),
        "total": len(run.steps),
        "steps": Steps(explanation, frame),
    }


def cut(text: str) -> str:
    """Return a text, its end left out where it is long."""
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + CUT

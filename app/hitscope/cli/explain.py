"""An explanation as `hitscope explain --json` prints it."""

from typing import Any

from hitscope.cli.tables import plain
from hitscope.explain import Compared, Departure, Explanation, Step, step_words


def as_dict(explanation: Explanation) -> dict[str, Any]:
    """Return the answer, the steps, and which of them decides, departs and is wrong, by their indices."""
    run, departs = explanation.trace, _departure(explanation.departs)
    return {
        "method": explanation.chosen.method.name,
        "arguments": plain(explanation.chosen.arguments),
        "float": "f32" if explanation.reading == "float32" else "f64",
        "hit": None if run.error else run.hit,
        "truth": explanation.truth,
        "cause": explanation.cause,
        "error": run.error or None,
        "deciding_step": run.deciding_step if run.steps else None,
        "wrong_step": explanation.wrong_step,
        "departs": departs and {**departs, "ulps": step_words.departure_ulps(explanation.departs)},
        "by_tolerance": _departure(explanation.by_tolerance),
        "fix": explanation.fix and explanation.fix.as_dict(),
        "alike": explanation.alike and explanation.alike._asdict(),
        "steps": [
            {**_step(step), "ulps": plain(dict(explanation.errors_in_ulps(k)))} for k, step in enumerate(run.steps)
        ],
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "line": step.line,
        "source": step.source,
        "values": plain(dict(step.values)),
        "comparisons": list(map(_comparison, step.comparisons)),
        "calls": [
            {"name": call.name, "arguments": plain(dict(call.arguments)), "answer": plain(call.answer)}
            for call in step.calls
        ],
        "branch": step.branch,
        "iterations": [iteration._asdict() for iteration in step.iterations],
    }


def _comparison(compared: Compared) -> dict[str, Any]:
    fields = compared._asdict()
    del fields["line"]  # that of its step
    return {name: plain(value) for name, value in fields.items()}


def _departure(departure: Departure | None) -> dict[str, Any] | None:
    """A comparison with two results: `float` is that of the run, `unrounded` the other one."""
    if departure is None:
        return None
    return {
        "step": departure.step,
        "line": departure.line,
        "source": departure.source,
        "float": _comparison(departure.ours),
        "unrounded": _comparison(departure.theirs),
        "calls": [call.name for call in departure.calls],
    }

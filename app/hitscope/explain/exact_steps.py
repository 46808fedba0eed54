"""The facts that decide a pair for `exact`, as steps: entry and exit, or the axis, and the verdict."""

from collections.abc import Iterator
from math import inf
from typing import Any

from hitscope.evaluate.verdict_words import STATES, decider, hit_or_miss
from hitscope.explain.trace import Step, Trace
from hitscope.geometry import exact
from hitscope.geometry.registry import choose, pair_of
from hitscope.geometry.shapes import Shape, is_linear, linear

NAMES = "the probe", "the primitive"


def exact_trace(probe: Shape, primitive: Shape) -> Trace:
    """The answer of `exact` to a pair, and one step for each fact that decides it, its values cumulative.

    A t is a Fraction, or infinite; an axis is not unit, of whole numbers; a gap is rounded once.
    """
    found = exact.relation(probe, primitive)
    values: dict[str, Any] = {}
    steps: list[Step] = []
    answer_words = f"{hit_or_miss(found.state != 'apart')}: {found.state}, {STATES[found.state]}"
    for source, facts in (*_facts(probe, primitive, found), (answer_words, {"state": found.state})):
        values = {**values, **facts}
        steps.append(Step(len(steps) + 1, source, values))
    answer = choose(pair_of(probe, primitive), "exact").method(probe, primitive)
    return Trace(answer, tuple(steps))


def _facts(probe: Shape, primitive: Shape, found: exact.Relation) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each fact in words, with its values by name."""
    witness = exact.witness(probe, primitive)
    if witness is None:
        if found.t_enter is not None:
            yield "the probe comes from infinity, inside", {"t_enter": found.t_enter}
    elif isinstance(witness, exact.EntryFeature):
        facts: dict[str, Any] = {"feature": witness.feature, "t_enter": found.t_enter, "normal": found.normal}
        known = {name: value for name, value in facts.items() if value is not None}
        yield decider(witness, NAMES, is_linear(probe)).whole, known
    else:
        yield decider(witness, NAMES, is_linear(probe)).whole, {"axis": witness.vector, "gap": witness.gap}
    if found.t_exit is not None:
        ends = is_linear(probe) and found.t_exit == linear(probe).t_max
        leaves = "leaves" if not ends else "ends inside" if found.t_exit < inf else "goes to infinity, inside"
        yield f"the probe {leaves}", {"t_exit": found.t_exit}

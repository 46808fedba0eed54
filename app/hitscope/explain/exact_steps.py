"""The facts that decide a pair for `exact`, as steps: entry and exit, or the axis, and the verdict."""

from collections.abc import Iterator
from math import inf
from typing import Any

from hitscope.explain.trace import Step, Trace
from hitscope.geometry import exact
from hitscope.geometry.registry import choose, pair_of
from hitscope.geometry.shapes import Shape, is_linear, linear

STATES = {
    "apart": "miss: apart, no common point",
    "coplanar": "hit: coplanar, in the plane of a flat primitive",
    "inside": "hit: inside, it is or starts in the open interior",
    "touching": "hit: touching, the interiors do not meet",
    "crossing": "hit: crossing, the interiors meet",
}


def exact_trace(probe: Shape, primitive: Shape) -> Trace:
    """The answer of `exact` to a pair, and one step for each fact that decides it, its values cumulative.

    A t is a Fraction, or infinite; an axis is not unit, of whole numbers; a gap is rounded once.
    """
    found = exact.relation(probe, primitive)
    values: dict[str, Any] = {}
    steps: list[Step] = []
    for source, facts in (*_facts(probe, primitive, found), (STATES[found.state], {"state": found.state})):
        values = {**values, **facts}
        steps.append(Step(len(steps) + 1, source, values))
    answer = choose(pair_of(probe, primitive), "exact").method(probe, primitive)
    return Trace(answer, tuple(steps))


def _facts(probe: Shape, primitive: Shape, found: exact.Relation) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each fact in words, with its values by name."""
    witness = exact.witness(probe, primitive)
    if isinstance(witness, exact.EntryFeature):
        facts: dict[str, Any] = {"feature": witness.feature}
        if found.t_enter is not None:
            facts["t_enter"] = found.t_enter
        if found.normal is not None:
            facts["normal"] = found.normal
        yield _entry_words(witness, is_linear(probe)), facts
    elif isinstance(witness, exact.Axis):
        yield _axis_words(witness), {"axis": witness.vector, "gap": witness.gap}
    elif found.t_enter is not None:
        yield "it comes from infinity, inside", {"t_enter": found.t_enter}
    if found.t_exit is not None:
        ends = is_linear(probe) and found.t_exit == linear(probe).t_max
        way = (
            "it leaves" if not ends else "it ends inside" if found.t_exit < inf else "it goes to infinity, inside"
        )
        yield way, {"t_exit": found.t_exit}


def _entry_words(witness: exact.EntryFeature, enters: bool) -> str:
    if enters and not witness.starts:
        return f"it enters through the {witness.feature}"
    place = "in" if witness.feature == "interior" else "on"
    return f"it {'starts' if enters else 'is'} {place} the {witness.feature}"


def _axis_words(axis: exact.Axis) -> str:
    verb = "apart" if axis.gap > 0 else "overlapping least" if axis.gap < 0 else "touching"
    features = " and ".join(
        f"the {whose}'s {feature}"
        for whose, feature in (("probe", axis.probe), ("primitive", axis.primitive))
        if feature
    )
    return f"{verb} along {AXES[axis.kind]} {features}"


AXES = {
    "face normal": "the normal of",
    "edge cross edge": "the cross product of",
    "nearest points": "the line between the nearest points,",
}

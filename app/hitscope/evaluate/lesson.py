"""The steps of a lesson against a Report: what still has to be reached before a step is solved."""

from collections.abc import Collection
from typing import TypeAlias

from msgspec import UNSET

from hitscope.evaluate.report import Report
from hitscope.evaluate.verdict import Verdict
from hitscope.geometry import exact
from hitscope.scene.model import Condition, LessonStep

Names: TypeAlias = Collection[tuple[str, str]]
"""Items and elements, each as its kind, "probe" or "primitive", and its name, `ID` or `ID[i]`."""


def unmet(step: LessonStep, report: Report, selected: Names, partner: Names = ()) -> tuple[str, ...]:
    """Return the `parts` of a step's condition that do not hold; none of a step that has only something to read.

    A pair is selected where one half is `selected` and the other one too, or its `partner`. Nothing holds of a
    probe that is disabled, or of items that are no longer in the scene.
    """
    if not isinstance(step.until, Condition):
        return ()
    holds = _parts(step.until, report, selected, partner)
    return tuple(name for name in step.until.given if not holds.get(name, False))


def _parts(asked: Condition, report: Report, selected: Names, partner: Names) -> dict[str, bool]:
    """Whether each part of a condition holds; without those of a pair that is not there."""
    holds = {}
    if asked.selected is not UNSET:
        every = ("probe", asked.probe), ("primitive", asked.primitive)
        named = {(kind, name) for kind, name in every if name is not UNSET}
        found = named.intersection(selected)
        holds["selected"] = (bool(found) and found.union(partner) >= named) == asked.selected
    if asked.probe is UNSET or asked.primitive is UNSET:
        return holds
    try:
        probes, elements = report.probes.indices_of(asked.probe), report.elements.indices_of(asked.primitive)
        k, row = report.probes.item_and_row(asked.probe)
    except KeyError:
        return holds
    if not probes or not elements:
        return holds
    if asked.hit is not UNSET:
        hits = report.tally(k).primitives if row is None else report.row(probes[0])
        holds["hit"] = bool(hits[elements.start : elements.stop].any()) == asked.hit
    if asked.method is not UNSET:
        chosen = report.chosen(report.probes[probes[0]].shape, report.elements[elements[0]].shape)
        wanted = {"name": asked.method} if isinstance(asked.method, str) else asked.method
        known = {"name": chosen.method.name, **chosen.method.arguments, **chosen.arguments}
        holds["method"] = wanted.items() <= known.items()
    if asked.about_elements:
        holds |= _answers(asked, report.verdict(probes[0], elements[0]))
    return holds


def _answers(asked: Condition, found: Verdict) -> dict[str, bool]:
    """Whether the parts about a pair's verdict hold."""
    holds = {"state": found.state == asked.state}
    if asked.t_enter_between is not UNSET:
        lowest, highest = asked.t_enter_between
        holds["t_enter_between"] = found.t_enter is not None and lowest <= found.t_enter <= highest
    if asked.decided_by is not UNSET:
        # The feature that decides, or the axis and the features that it comes from.
        names: tuple[str | None, ...] = ()
        match exact.witness(*found.shapes):
            case exact.EntryFeature(feature=feature):
                names = (feature,)
            case exact.Axis() as axis:
                names = axis.kind, axis.probe, axis.primitive
        holds["decided_by"] = any(f"{name} ".startswith(f"{asked.decided_by} ") for name in names if name)
    return holds

"""The feature or axis that decides a pair, in words."""

from collections.abc import Callable
from typing import NamedTuple

from hitscope.evaluate.verdict import Verdict
from hitscope.geometry import exact
from hitscope.geometry.shapes import is_linear


class Decider(NamedTuple):
    """The feature or axis that decides a pair, as text."""

    brief: str
    whole: str
    along: str = ""
    """The kind of `gap` along the axis, "gap" or "overlap"; empty for an entry."""
    gap: float = 0.0


def decider_of(verdict: Verdict, feature_text: Callable[[str], str] = str) -> Decider | None:
    """Return the feature or axis that decides a pair, by exact geometry; None for a line that enters at infinity.

    `feature_text` writes the name of a feature, such as "face -x".
    """
    found = exact.witness(*verdict.shapes)
    probe, primitive = verdict.probe, verdict.primitive
    if found is None:
        return None
    if isinstance(found, exact.EntryFeature):
        feature = feature_text(found.feature)
        if not found.starts:
            return Decider(feature, f"{probe} enters {primitive} through its {feature}")
        verb = "starts" if is_linear(verdict.shapes[0]) else "lies"
        preposition = "in" if feature == "interior" else "on"
        return Decider(feature, f"{probe} {verb} {preposition} the {feature} of {primitive}")
    features = (probe, found.probe), (primitive, found.primitive)
    named = [(name, feature_text(said)) for name, said in features if said]
    along = "gap" if found.gap > 0 else "overlap"
    relation = "separated" if found.gap > 0 else "overlapping least"
    if found.kind == "face normal":
        ((name, said),) = named
        words = f"{relation} along the normal of {name}'s {said}"
        return Decider(f"{said} of {name}", words, along, abs(found.gap))
    brief = [said for _, said in named]
    whole = [f"{name}'s {said}" for name, said in named]
    if found.kind == "edge cross edge":
        words = f"{relation} along the cross product of {' and '.join(whole)}"
        return Decider(" \u00d7 ".join(brief), words, along, abs(found.gap))
    words = f"{relation} along the line between the nearest points, {' and '.join(whole)}"
    return Decider(" \u2194 ".join(brief), words, along, abs(found.gap))

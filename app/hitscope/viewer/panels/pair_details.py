"""Which pair of probe and primitive is looked at, what the methods say of it, and which hits have labels."""

import math
from fractions import Fraction
from sys import float_info
from typing import NamedTuple

from hitscope.evaluate import Report, Verdict
from hitscope.evaluate.expectations import differing
from hitscope.geometry import exact
from hitscope.geometry.exact.rounding import length_of
from hitscope.geometry.registry import of_pair, pair_of
from hitscope.geometry.shapes import Line, Point, Ray, Segment
from hitscope.scene.model import Expectation
from hitscope.viewer.app import App


class MethodVerdicts:
    """What every method says of one pair; asked again only when the scene or the pair is another."""

    def __init__(self) -> None:
        self._asked: tuple[Report, tuple[int, int]] | None = None
        self._verdicts: dict[str, Verdict] = {}

    def of(self, report: Report, pair: tuple[int, int]) -> dict[str, Verdict]:
        """Give the verdicts by the methods' names: the deciding one as the scene sets it, `exact` first."""
        if self._asked is None or self._asked[0] is not report or self._asked[1] != pair:
            self._asked = report, pair
            decided = report.verdict(*pair)
            names = of_pair(pair_of(*decided.shapes))
            self._verdicts = {
                name: decided if name == decided.method else report.verdict(*pair, name) for name in names
            }
        return self._verdicts


def has_t(verdict: Verdict) -> bool:
    """Say whether places on the probe are told by a t."""
    return isinstance(verdict.shapes[0], Segment | Ray | Line)


def length_at(verdict: Verdict, t: float) -> float:
    """Give how long the probe is from its start to a t, behind it negative; beyond float64 it is infinite."""
    match verdict.shapes[0]:
        case Segment(start, end):
            vector = [Fraction(b) - Fraction(a) for a, b in zip(start, end, strict=True)]
        case Ray(_, direction) | Line(_, direction):
            vector = [Fraction(number) for number in direction]
        case shape:
            raise TypeError(f"{shape} has no t")
    if math.isinf(t):
        return t
    squared = Fraction(t) ** 2 * sum(number**2 for number in vector)
    length = length_of(squared) if squared <= Fraction(float_info.max) ** 2 else math.inf
    return math.copysign(length, t)


class Decider(NamedTuple):
    """What decides a pair, in words."""

    brief: str
    whole: str
    along: str = ""
    """What is told of the axis, "gap" or "overlap"; nothing of an entry."""
    gap: float = 0.0


def decider_of(verdict: Verdict) -> Decider | None:
    """Say what decides a pair, by exact geometry; None of a probe that is in the primitive from infinity on."""
    found = exact.witness(*verdict.shapes)
    probe, primitive = verdict.probe, verdict.primitive
    if found is None:
        return None
    if isinstance(found, exact.Entry):
        feature = with_minus_sign(found.feature)
        if not found.starts:
            return Decider(feature, f"{probe} enters {primitive} through its {feature}")
        verb = "lies" if isinstance(verdict.shapes[0], Point) else "starts"
        return Decider(
            feature, f"{probe} {verb} {'in' if feature == 'interior' else 'on'} the {feature} of {primitive}"
        )
    named = [
        (name, with_minus_sign(said))
        for name, said in ((probe, found.probe), (primitive, found.primitive))
        if said
    ]
    along = "gap" if found.gap > 0 else "overlap"
    told = "told apart" if found.gap > 0 else "overlapping least"
    if found.kind == "face normal":
        ((name, said),) = named
        return Decider(f"{said} of {name}", f"{told} along the normal of {name}'s {said}", along, abs(found.gap))
    brief = [said for _, said in named]
    whole = [f"{name}'s {said}" for name, said in named]
    if found.kind == "edge cross edge":
        words = f"{told} along the cross product of {' and '.join(whole)}"
        return Decider(" \u00d7 ".join(brief), words, along, abs(found.gap))
    words = f"{told} along the line between the nearest points, {' and '.join(whole)}"
    return Decider(" \u2194 ".join(brief), words, along, abs(found.gap))


def with_minus_sign(feature: str) -> str:
    """Put a minus sign in the place of the hyphen before an axis."""
    return feature.replace(" -", " \u2212")


def difference_from_exact(verdict: Verdict, referee: Verdict) -> str | None:
    """Say where a method's answer is not that of `exact`: "verdict", or "t" by more than an expectation allows."""
    if verdict.hit != referee.hit:
        return "verdict"
    asked = Expectation(probe="", primitive="", hit=True, t_enter=referee.t_enter, t_exit=referee.t_exit)
    given = of_pair(pair_of(*verdict.shapes))[verdict.method].answers
    wrong = [name for name in differing(asked, verdict) if name in given]
    return "t" if wrong else None


def contradiction(app: App) -> str:
    """Say where the method that decides the pair that is looked at contradicts exact geometry; else nothing."""
    places = app.pair
    if places is None:
        return ""
    decides = app.report.verdict(*places)
    if decides.hit == (decides.state != "apart"):
        return ""
    found, truth = ("hit", "miss") if decides.hit else ("miss", "hit")
    return f"{decides.method} says {found} of {decides.probe} on {decides.primitive}, exact geometry says {truth}"


def labelled_hits(app: App) -> list[Verdict]:
    """Give the hits of what is hovered or selected, those of each probe from near to far."""
    ids = {target.id for target in (app.hovered, app.selected) if target is not None}
    return [
        verdict
        for verdict in app.picture.verdicts.by_pair.values()
        if verdict.hit and (verdict.probe in ids or verdict.primitive in ids)
    ]

"""The current pair: each method's verdict, lengths along the probe, and labelled hits."""

import math
from fractions import Fraction
from sys import float_info

from hitscope.draw.picture import Picture
from hitscope.evaluate import Report, Verdict
from hitscope.geometry.exact import length_of
from hitscope.geometry.registry import pair_of
from hitscope.geometry.shapes import is_linear, linear, rational
from hitscope.viewer.state.selection import Selection


class MethodVerdicts:
    """The verdicts of every method for one pair; computed again only when the report or the pair changes."""

    def __init__(self) -> None:
        self._key: tuple[Report, tuple[int, int]] | None = None
        self._verdicts: dict[str, Verdict] = {}

    def of(self, report: Report, pair: tuple[int, int]) -> dict[str, Verdict]:
        """The verdicts by method name, the user's own first; the deciding method with the scene's arguments."""
        if self._key is None or self._key[0] is not report or self._key[1] != pair:
            self._key = report, pair
            decided = report.verdict(*pair)
            names = report.methods_of(pair_of(*decided.shapes))
            self._verdicts = {
                name: decided if name == decided.method else report.verdict(*pair, name) for name in names
            }
        return self._verdicts


def answered_length(verdict: Verdict) -> tuple[str, float] | None:
    """The name and value of the "distance" or "gap" that a method answers; None if it answers a t or no length."""
    if "t_enter" in verdict.answered:
        return None
    lengths = ((name, verdict.answered.get(name)) for name in ("distance", "gap"))
    return next(((name, length) for name, length in lengths if isinstance(length, float)), None)


def has_t(verdict: Verdict) -> bool:
    """Whether points on the probe are given by a parameter t."""
    return is_linear(verdict.shapes[0])


def length_at(verdict: Verdict, t: float) -> float:
    """The length from the probe's start to a t, negative behind it, infinite beyond float64; raises TypeError."""
    shape = verdict.shapes[0]
    if not is_linear(shape):
        raise TypeError(f"{shape} has no t")
    vector = [Fraction(number) for number in linear(rational(shape)).direction]
    if math.isinf(t):
        return t
    squared = Fraction(t) ** 2 * sum(number**2 for number in vector)
    length = length_of(squared) if squared <= Fraction(float_info.max) ** 2 else math.inf
    return math.copysign(length, t)


def labelled_hits(picture: Picture, selection: Selection) -> list[Verdict]:
    """The hits of the hovered and the selected shape, those of each probe from near to far."""
    ids = {target.id for target in (selection.hovered, selection.last) if target is not None}
    hits = (verdict for verdict in picture.verdicts.by_pair.values() if verdict.hit)
    return [hit for hit in hits if hit.probe in ids or hit.primitive in ids]

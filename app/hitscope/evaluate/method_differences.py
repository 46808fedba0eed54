"""The pairs of a scene on which a method differs from exact geometry; what it does not answer is not wrong."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from hitscope import progress
from hitscope.evaluate.expectations import Allowed, close
from hitscope.evaluate.report import Report
from hitscope.evaluate.verdict import Verdict
from hitscope.geometry import exact, shapes, traits
from hitscope.geometry.registry import EXACT, pair_of

MOST_PAIRS = 2_000
"""The largest number of pairs of which every method is asked; of more, so many spread evenly."""
TOLERANCE = Allowed(1e-9, 0.0, "of methods")
"""The difference of t up to which a method agrees with exact, that of an expectation."""

Difference: TypeAlias = Literal["verdict", "t_enter", "t_exit"]


class WrongPair(NamedTuple):
    """A pair on which at least one method differs from exact."""

    indices: tuple[int, int]
    """The indices of the probe and the element."""
    probe: str
    primitive: str
    types: str
    """The pair of types, such as "segment_aabb"."""
    decides: str
    differences: Mapping[str, Difference]
    """The differing answers, by the name of the method."""
    point: shapes.Vec3 | None
    """A point where they meet, or between them; None where there is none in the range of float64."""

    @property
    def is_decided_wrongly(self) -> bool:
        """Whether the deciding method is wrong: the picture shows the wrong answer."""
        return self.decides in self.differences


class MethodDifferences(NamedTuple):
    """The pairs of a scene with a method that differs from exact."""

    report: Report
    wrong: tuple[WrongPair, ...]
    """The pairs, those that are decided wrongly first."""
    asked: Mapping[str, int]
    """The number of pairs of each pair of types of which the methods were asked."""
    pairs: int
    """The number of pairs of the scene."""

    @property
    def is_sample(self) -> bool:
        """Whether the methods were not asked of every pair."""
        return sum(self.asked.values()) < self.pairs

    def counts(self, types: str) -> Counter[str]:
        """The number of pairs of two types on which each method is wrong, by its name."""
        return Counter(name for pair in self.wrong if pair.types == types for name in pair.differences)


def difference_from_exact(verdict: Verdict, referee: Verdict) -> Difference | None:
    """The difference of an answer from `exact`; None if there is none beyond `TOLERANCE`, or no answer."""
    if verdict.hit != referee.hit:
        return "verdict"
    names: tuple[Difference, ...] = "t_enter", "t_exit"
    for name in names:
        answered, truth = getattr(verdict, name), getattr(referee, name)
        if answered is not None and (truth is None or not close(truth, answered, TOLERANCE)):
            return name
    return None


def compare_methods(
    report: Report, most: int = MOST_PAIRS, after_pair: Callable[[], None] = lambda: None
) -> MethodDifferences:
    """Ask every method of at most `most` pairs of a report; `after_pair` is called after each."""
    size = len(report.elements)
    pairs = len(report.probes) * size
    asked: Counter[str] = Counter()
    wrong: list[WrongPair] = []
    for index in np.linspace(0, pairs - 1, min(pairs, most)).astype(np.intp).tolist():
        i, j = divmod(index, size)
        types = pair_of(report.probes[i].shape, report.elements[j].shape)
        asked[types] += 1
        if (found := _wrong_pair(report, i, j, types)) is not None:
            wrong.append(found)
        progress.advance(1)
        after_pair()
    wrong.sort(key=lambda pair: not pair.is_decided_wrongly)
    return MethodDifferences(report, tuple(wrong), asked, pairs)


def _wrong_pair(report: Report, i: int, j: int, types: str) -> WrongPair | None:
    """The differences of every method on one pair; None if there is none."""
    decided, referee = report.find_verdict(i, j), report.find_verdict(i, j, EXACT)
    verdicts = {name: report.find_verdict(i, j, name) for name in report.methods_of(types) if name != EXACT}
    verdicts |= {decided.method: decided}  # with the arguments that the scene sets
    differences = {
        name: differs
        for name, verdict in verdicts.items()
        if (differs := difference_from_exact(verdict, referee)) is not None
    }
    if not differences:
        return None
    ids = decided.probe, decided.primitive
    return WrongPair((i, j), *ids, types, decided.method, differences, _point_between(referee))


def _point_between(referee: Verdict) -> shapes.Vec3 | None:
    """The entry of a hit or the middle of the common part of the bounds; of a miss the middle between both."""
    if referee.point is not None:
        return referee.point
    (lo, hi), (other_lo, other_hi) = map(traits.bounds_of, referee.shapes)
    first, second = exact.nearest(*referee.shapes) or (np.maximum(lo, other_lo), np.minimum(hi, other_hi))
    with np.errstate(all="ignore"):
        x, y, z = (np.array(first) / 2 + np.array(second) / 2).tolist()
    return (x, y, z) if np.isfinite((x, y, z)).all() else None

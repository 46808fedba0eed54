"""Tallies: how often targets differ from the exact verdict in the cases of each generator."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from hitscope.check.judge.generators import GENERATORS, generate
from hitscope.check.judge.shape_items import ShapePair
from hitscope.check.judge.target import CRASH, KINDS, WRONG_HIT, WRONG_MISS, JudgeTarget, of_method
from hitscope.geometry import exact
from hitscope.geometry.registry import of_pair, pairs


@dataclass(frozen=True, eq=False)
class Finding:
    """A pair on which a target differs from the exact verdict, and the case that showed it."""

    target: JudgeTarget
    pair: str
    kind: str
    generator: str
    seed: int
    shapes: ShapePair
    crash: str = ""
    """The exception, or the unusable answer, in one line; empty unless the target crashed."""


@dataclass
class GeneratorTally:
    """The results of a target in the cases of one generator, with the first finding of each kind of difference."""

    target: JudgeTarget
    pair: str
    generator: str
    cases: int = 0
    hits: int = 0
    """The number of pairs that meet, by `exact`."""
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    first: dict[str, Finding] = field(default_factory=dict)

    def as_dict(self) -> dict[str, str | int]:
        """Return the entry that `hitscope judge --json` prints."""
        return {
            "method": self.target.name,
            "pair": self.pair,
            "generator": self.generator,
            "cases": self.cases,
            "hits": self.hits,
            "wrong_hits": self.counts[WRONG_HIT],
            "wrong_misses": self.counts[WRONG_MISS],
            "crashes": self.counts[CRASH],
        }


TargetsByPair: TypeAlias = dict[str, list[JudgeTarget]]
"""The targets of each pair."""


def generator_runs(targets: TargetsByPair) -> int:
    """Return how often `judge` runs a generator through all seeds."""
    return len(GENERATORS) * len(targets)


def judge(
    targets: TargetsByPair, seeds: range, advance: Callable[[], object] = lambda: None
) -> list[GeneratorTally]:
    """Compare targets with the exact verdict; all targets of a pair get the same cases of each generator.

    `advance` is called after each case. The tallies of one target and pair follow each other.
    """
    tallies: list[GeneratorTally] = []
    for pair, judged in targets.items():
        by_target = [[GeneratorTally(target, pair, generator) for generator in GENERATORS] for target in judged]
        for generator, *row in zip(GENERATORS, *by_target, strict=True):
            for seed in seeds:
                _try_case(generate(generator, pair, seed), seed, row)
                advance()
        tallies += [tally for row in by_target for tally in row]
    return tallies


def _try_case(shapes: ShapePair, seed: int, tallies: Sequence[GeneratorTally]) -> None:
    truth = exact.meet(*shapes)
    for tally in tallies:
        tally.cases += 1
        tally.hits += truth
        difference = tally.target.difference(*shapes, truth)
        if difference is not None:
            kind, crash = difference
            tally.counts[kind] += 1
            finding = Finding(tally.target, tally.pair, kind, tally.generator, seed, shapes, crash)
            tally.first.setdefault(kind, finding)


def examples(tallies: Iterable[GeneratorTally], *, one_each: bool) -> list[Finding]:
    """Return the first finding of each kind of a target and pair, from each generator or from all of them."""
    found: dict[tuple[str, ...], Finding] = {}
    for tally in tallies:
        for kind, finding in tally.first.items():
            found.setdefault((tally.target.name, tally.pair, kind, "" if one_each else tally.generator), finding)
    return list(found.values())


def catalogue(only: str | None = None) -> TargetsByPair:
    """Return every method but `exact` as a target of each of its pairs, or of one; raises Fault."""
    return {
        pair: [of_method(pair, name) for name in of_pair(pair) if name != "exact"]
        for pair in (pairs() if only is None else [only])
    }

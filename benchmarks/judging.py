"""Figures of `hitscope judge`: cases of all generators, drawn, decided and judged, beside the calls alone."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from benchmarks.comparison import Contender, Figure, Run, compare
from benchmarks.native import compiler_version
from benchmarks.sizes import Sizes
from hitscope.judge.campaign import Task, judge_cases
from hitscope.judge.drawing import BLOCK, GENERATORS, draw
from hitscope.targets.case_arrays import CaseArrays
from hitscope.targets.judging.rules import DEFAULT_RULES
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.runners import load_runner
from hitscope.targets.target import REALS, TargetSpec

SOURCE = Path(__file__).with_name("judging.c")
FIRST_BLOCK = 64
"""Beyond the blocks in which everything is measured, as most of a long campaign."""


def judged_cases(sizes: Sizes) -> Iterator[Figure]:
    """Measure a block of each generator on one core, another one in each round; nothing without a C compiler."""
    if compiler_version() is None:
        return
    n = len(GENERATORS) * BLOCK
    for pair in sizes.judged:
        with OpenTargets() as opened:
            yield compare(
                f"judged_{pair}",
                f"{n:,} cases of {pair} from all generators, judged in C",
                "ns a case",
                n,
                [contender for real in REALS.values() for contender in _contenders(pair, real, opened)],
                sizes.seconds,
                yardsticks=tuple(f"calls alone, {real}" for real in REALS.values()),
            )


def _contenders(pair: str, real: str, opened: OpenTargets) -> list[Contender]:
    spec = TargetSpec(f"{SOURCE}:{pair}", pair, real)
    return [
        Contender(f"judge, {real}", lambda: _judging(spec, opened), judged=True),
        Contender(f"calls alone, {real}", lambda: _calling(spec)),
    ]


def _judging(spec: TargetSpec, opened: OpenTargets) -> Run:
    blocks = count(FIRST_BLOCK)

    def run(k: int) -> None:
        first = next(blocks) * BLOCK
        for generator in GENERATORS:
            seeds = range(first, first + BLOCK)
            task = Task((spec,), generator, seeds, compiled=True)
            judge_cases(task, DEFAULT_RULES, opened)

    return run


def _calling(spec: TargetSpec) -> Run:
    runner = load_runner(spec)
    blocks = [
        CaseArrays.of_numbers(draw(generator, spec.pair, FIRST_BLOCK, spec.real).numbers)
        for generator in GENERATORS
    ]

    def run(k: int) -> None:
        for block in blocks:
            runner.run(block)

    return run

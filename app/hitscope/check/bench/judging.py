"""Figures of `hitscope judge`: cases of all generators, drawn, decided and judged, beside the calls alone."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from hitscope.check.bench.comparison import Contender, Figure, Run, compare
from hitscope.check.bench.native import compiler_version
from hitscope.check.bench.sizes import Sizes
from hitscope.check.judge.campaign import Task, judge_cases
from hitscope.check.judge.drawing import BLOCK, GENERATORS, draw
from hitscope.targets.case_arrays import CaseArrays
from hitscope.targets.judging.rules import DEFAULT_RULES
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.runners import load_runner
from hitscope.targets.target import TargetSpec

SOURCE = Path(__file__).with_name("judging.c")
PAIRS = ("segment_aabb", "ray_triangle")
FIRST_BLOCK = 64
"""Beyond the blocks in which everything is measured, as most of a long campaign."""


def judged_cases(sizes: Sizes) -> Iterator[Figure]:
    """Measure a block of each generator on one core, another one in each round; nothing without a C compiler."""
    if compiler_version() is None:
        return
    for pair in PAIRS:
        spec = TargetSpec(f"{SOURCE}:{pair}", pair)
        n = len(GENERATORS) * BLOCK
        with OpenTargets() as opened:
            yield compare(
                "judged_cases",
                f"{n:,} cases of {pair} from all generators, judged in C",
                "ns a case",
                n,
                [
                    Contender("judge", lambda: _judging(spec, opened), judged=True),  # noqa: B023 - called at once
                    Contender("calls alone", lambda: _calling(spec)),  # noqa: B023
                ],
                sizes.seconds,
                yardsticks=("calls alone",),
            )


def _judging(spec: TargetSpec, opened: OpenTargets) -> Run:
    blocks = count(FIRST_BLOCK)

    def run(k: int) -> None:
        first = next(blocks) * BLOCK
        for generator in GENERATORS:
            seeds = range(first, first + BLOCK)
            judge_cases(Task((spec,), generator, seeds, compiled=True), DEFAULT_RULES, opened)

    return run


def _calling(spec: TargetSpec) -> Run:
    runner = load_runner(spec)
    blocks = [CaseArrays.of_numbers(draw(generator, spec.pair, FIRST_BLOCK).numbers) for generator in GENERATORS]

    def run(k: int) -> None:
        for block in blocks:
            runner.run(*block)

    return run

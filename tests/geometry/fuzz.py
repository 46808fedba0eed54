"""`make fuzz`: many cases of every pair against oracles that share nothing with what they judge.

Filters and the integers after them are put against clipping; clipping, which decides every other pair, against
elimination in fractions (`oracle`); and answers on spheres against how far their centers are away. Prints a row
for each; their sums stand in the documentation of `exact`.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np

from hitscope.geometry import exact
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.exact import pairwise
from hitscope.geometry.exact.batch import ExactBatch
from hitscope.geometry.exact.pair_kernels import FILTERS
from hitscope.geometry.kinds import word_of
from hitscope.geometry.registry import KINDS_OF_PAIR
from hitscope.geometry.shapes import Line, Ray, Segment
from tests.geometry import cases, wrapped_pairs
from tests.geometry.oracle import interval, state
from tests.geometry.round_pairs import assert_range_is_right, assert_right

FILTERED = {f"{word_of(probe)}_{word_of(primitive)}": (probe, primitive) for probe, primitive in FILTERS}
BY_AXES = [
    pair for pair in KINDS_OF_PAIR if pair not in FILTERED and "polyhedron" not in pair and "frustum" not in pair
]
"""The pairs of which separating axes in floats decide most."""
PRIMITIVES_A_PROBE = 200
"""The number of primitives that each probe is tested against."""
STATES = 10
"""The state is compared in every tenth case."""


def by_filters(pair, count):
    """Return the number of wrong verdicts of filters and integers in `count` cases, a quarter interpreted."""
    pairwise.prepare(*FILTERED[pair])
    wrong = 0
    for k in range(0, count, PRIMITIVES_A_PROBE):
        probe, primitives = cases.batch(pair, 1_000_000 + k, PRIMITIVES_A_PROBE)
        found = np.empty((1, PRIMITIVES_A_PROBE), dtype=np.bool_)
        compiled = k // PRIMITIVES_A_PROBE % 4 > 0
        ExactBatch(Shapes.of(primitives)).decide(
            Shapes.of([probe]), slice(0, 1), slice(0, PRIMITIVES_A_PROBE), compiled, found
        )
        expected = [exact.meet(probe, primitive) for primitive in primitives]
        wrong += sum(a != b for a, b in zip(found[0].tolist(), expected, strict=True))
    return wrong


def by_pairs(pair, count):
    """Return the number of wrong verdicts of all stages in `count` pairs, a quarter interpreted."""
    wrong = 0
    for k in range(0, count, PRIMITIVES_A_PROBE):
        shapes = [wrapped_pairs.any_pair(pair, 3_000_000 + k + n) for n in range(PRIMITIVES_A_PROBE)]
        probes, primitives = (Shapes.of(part) for part in zip(*shapes, strict=True))
        found = pairwise.decide(probes, primitives, k // PRIMITIVES_A_PROBE % 4 > 0, compiled_from=1)
        wrong += sum(a != exact.meet(*pair) for a, pair in zip(found.hits.tolist(), shapes, strict=True))
        wrong += int((found.strict & ~found.hits).sum())
    return wrong


def by_clipping(pair, count):
    """Return the number of wrong answers (verdict, t or state) of clipping in `count` cases."""
    wrong = 0
    for seed in range(2_000_000, 2_000_000 + count):
        probe, primitive = cases.pair(pair, seed)
        found, expected = exact.relation(probe, primitive), interval(probe, primitive)
        right = found.hit == exact.meet(probe, primitive) == (expected is not None)
        if right and found.hit and isinstance(probe, Segment | Ray | Line):
            right = (found.t_enter, found.t_exit) == expected
        if right and seed % STATES == 0:
            right = found.state == state(probe, primitive)
        wrong += not right
    return wrong


def by_radii(pair, count):
    """Return the number of wrong answers (verdict, state, distance or t) in `count` cases with a sphere."""
    wrong = 0
    for seed in range(4_000_000, 4_000_000 + count):
        probe, primitive = cases.round_pair(pair, seed)
        try:
            assert_right(probe, primitive)
            moves = isinstance(probe, Segment | Ray | Line) and any(exact.linear_probe(probe).direction)
            if moves and primitive.radius and exact.meet(probe, primitive):
                assert_range_is_right(probe, primitive)
        except AssertionError:
            wrong += 1
    return wrong


def by_differences(pair, count):
    """Return the number of wrong answers about frusta and what is rounded or cast."""
    wrong = 0
    for seed in range(5_000_000, 5_000_000 + count):
        try:
            wrapped_pairs.assert_right(*wrapped_pairs.pair(pair, seed))
        except AssertionError:
            wrong += 1
    return wrong


def main():
    """Run and print the table; exit 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1_000_000, help="of each pair that a filter decides")
    parser.add_argument("--slow-cases", type=int, default=10_000, help="of every pair, for clipping")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    print("| pair | decided by | against | cases | wrong |\n| --- | --- | --- | ---: | ---: |")
    with ProcessPoolExecutor(options.workers) as pool:
        fast = pool.map(partial(by_filters, count=options.cases), FILTERED)
        in_pairs = pool.map(partial(by_pairs, count=options.cases), FILTERED)
        by_axes = pool.map(partial(by_pairs, count=options.slow_cases), BY_AXES)
        slow = pool.map(partial(by_clipping, count=options.slow_cases), cases.WITHOUT_RADIUS)
        spheres = [pair for pair in cases.PAIRS if pair not in cases.WITHOUT_RADIUS]
        of_spheres = pool.map(partial(by_radii, count=options.slow_cases), spheres)
        few = options.slow_cases // 100
        of_differences = pool.map(partial(by_differences, count=few), wrapped_pairs.PAIRS)
        total = 0
        for pair, wrong in zip(FILTERED, fast, strict=True):
            total += wrong
            print(f"| {pair} | filter, integers | clipping | {options.cases:,} | {wrong} |", flush=True)
        for pair, wrong in zip(FILTERED, in_pairs, strict=True):
            total += wrong
            print(
                f"| {pair}, pair by pair | filter, integers | clipping | {options.cases:,} | {wrong} |", flush=True
            )
        for pair, wrong in zip(BY_AXES, by_axes, strict=True):
            total += wrong
            print(
                f"| {pair}, pair by pair | axes in floats | clipping | {options.slow_cases:,} | {wrong} |",
                flush=True,
            )
        for pair, wrong in zip(cases.WITHOUT_RADIUS, slow, strict=True):
            total += wrong
            print(f"| {pair} | clipping | elimination | {options.slow_cases:,} | {wrong} |", flush=True)
        for pair, wrong in zip(spheres, of_spheres, strict=True):
            total += wrong
            print(
                f"| {pair} | gaps, roots | distance of the cores | {options.slow_cases:,} | {wrong} |", flush=True
            )
        for pair, wrong in zip(wrapped_pairs.PAIRS, of_differences, strict=True):
            total += wrong
            print(f"| {pair} | differences, roots | distance of the cores | {few:,} | {wrong} |", flush=True)
    return total > 0


if __name__ == "__main__":
    sys.exit(main())

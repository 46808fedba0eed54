"""What the core costs on this machine: every method's readings side by side, measured in one run."""

from collections.abc import Callable
from functools import cache
from time import perf_counter
from typing import NamedTuple

from hitscope.check.judge import generate
from hitscope.geometry.batch import Batch
from hitscope.geometry.registry import Method, methods
from hitscope.geometry.shapes import Shape, rational

PRIMITIVE_COUNT = 20_000
INTERPRETED_COUNT = 2_000
UNROUNDED_COUNT = 200
REPEATS = 5


class Cost(NamedTuple):
    """Nanoseconds a test of one method on one pair; None for a reading that the method does not have."""

    pair: str
    method: str
    interpreted_ns: float
    compiled_ns: float | None
    unrounded_ns: float | None


def measure() -> list[Cost]:
    """Measure every method on the first of its pairs, with random shapes (the generator `uniform` of judge)."""
    return [_cost(method, method.pairs[0]) for method in methods()]


def _cost(method: Method, pair: str) -> Cost:
    count = PRIMITIVE_COUNT if "compiled" in method.readings else INTERPRETED_COUNT
    probe, primitives = _shapes(pair, count)

    def ask(subject: Shape, subjects: list[Shape]) -> Callable[[], None]:
        def run() -> None:
            for primitive in subjects:
                method(subject, primitive)

        return run

    interpreted = _best(ask(probe, primitives[:INTERPRETED_COUNT])) / INTERPRETED_COUNT
    if "compiled" not in method.readings:
        return Cost(pair, method.name, interpreted, None, None)
    batched = Batch(method, probe, primitives)
    compiled = _best(lambda: batched.run(probe, {})) / PRIMITIVE_COUNT
    unrounded = None
    if "unrounded" in method.readings:
        fractions = [rational(primitive) for primitive in primitives[:UNROUNDED_COUNT]]
        unrounded = _best(ask(rational(probe), fractions)) / UNROUNDED_COUNT
    return Cost(pair, method.name, interpreted, compiled, unrounded)


@cache
def _shapes(pair: str, count: int) -> tuple[Shape, list[Shape]]:
    pairs = [generate("uniform", pair, seed) for seed in range(count)]
    return pairs[0][0], [primitive for _, primitive in pairs]


def _best(run: Callable[[], object]) -> float:
    """Give the nanoseconds of the fastest of some runs; the first one, which may compile, does not count."""
    run()
    times = []
    for _ in range(REPEATS):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return min(times) * 1e9

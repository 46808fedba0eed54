"""What the core costs on this machine: every method's readings side by side, measured in one run."""

from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import NamedTuple

from hitscope.geometry.batch import Batch
from hitscope.geometry.registry import Method, methods
from hitscope.geometry.shapes import (
    PRIMITIVES,
    PROBES,
    Aabb,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Segment,
    Shape,
    Triangle,
    rational,
)

PRIMITIVE_COUNT = 100_000
INTERPRETED_COUNT = 2_000
UNROUNDED_COUNT = 200
REPEATS = 5
OCTAHEDRON = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


class Cost(NamedTuple):
    """Nanoseconds a test of one method on one pair; None for a reading that the method does not have."""

    pair: str
    method: str
    interpreted_ns: float
    compiled_ns: float | None
    unrounded_ns: float | None


def measure() -> list[Cost]:
    """Measure every method on the first of its pairs, with random shapes in the unit cube."""
    return [_cost(method, method.pairs[0]) for method in methods()]


def _cost(method: Method, pair: str) -> Cost:
    random = Random(pair)
    probe_word, primitive_word = pair.split("_")
    probe = _random_shape(PROBES[probe_word], random)
    kind = PRIMITIVES[primitive_word]
    primitives = [
        _random_shape(kind, random)
        for _ in range(PRIMITIVE_COUNT if "compiled" in method.readings else INTERPRETED_COUNT)
    ]

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


def _best(run: Callable[[], object]) -> float:
    """Give the nanoseconds of the fastest of some runs; the first one, which may compile, does not count."""
    run()
    times = []
    for _ in range(REPEATS):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return min(times) * 1e9


def _random_shape(kind: type[Shape], random: Random) -> Shape:
    def point() -> tuple[float, float, float]:
        return random.random(), random.random(), random.random()

    x, y, z = point()
    if kind is Obb:
        return Obb(point(), (0.1, 0.2, 0.3), ((0.6, 0.8, 0.0), (-0.8, 0.6, 0.0), (0.0, 0.0, 1.0)))
    if kind is Aabb:
        return Aabb((x, y, z), (x + 0.2, y + 0.2, z + 0.2))
    if kind is Parallelepiped:
        return Parallelepiped(point(), ((0.2, 0.0, 0.1), (0.0, 0.3, 0.0), (0.0, 0.1, 0.2)))
    if kind is Polyhedron:
        return Polyhedron(vertices=tuple((x + 0.2 * a, y + 0.2 * b, z + 0.2 * c) for a, b, c in OCTAHEDRON))
    if kind is Triangle:
        return Triangle(point(), point(), point())
    if kind is Plane:
        return Plane(point(), x)
    if kind is Point:
        return Point(point())
    assert kind in (Segment, Ray, Line)
    return kind(point(), point())

"""Shrinking: from a pair that shows a difference to one of simpler numbers that still shows it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from math import copysign, frexp, ldexp

from hitscope.check.judge.judged_shapes import JUDGED_SHAPES
from hitscope.check.judge.shape_items import ShapePair, is_sound, with_numbers
from hitscope.check.judge.tallies import Finding
from hitscope.geometry import exact
from hitscope.geometry.arrays import numbers_of
from hitscope.geometry.shapes import Shape
from hitscope.geometry.traits import is_degenerate

TRIALS = 1500
"""The number of simpler pairs that are tried for one finding: about half a second."""
KEPT_BITS = (1, 2, 3, 4, 6, 9, 13, 20, 30, 40)
MOST_WHOLE_BITS = 7
"""All numbers at once are rounded to integers of at most this many bits."""


def shrunk_all(findings: Iterable[Finding], advance: Callable[[], object] = lambda: None) -> list[Finding]:
    """Shrink findings, and keep the first of those that become the same pair; `advance` is called after each."""
    kept: dict[str, Finding] = {}
    for finding in findings:
        small = shrunk(finding)
        kept.setdefault(f"{small.target.name} {small.kind} {small.shapes!r}", small)
        advance()
    return list(kept.values())


def shrunk(finding: Finding) -> Finding:
    """Return the finding with the simplest pair found that shows the same kind of difference."""
    trials = iter(range(TRIALS))

    def simpler(best: Finding, candidates: Iterable[ShapePair]) -> Finding:
        goal = _weight(best.shapes)
        for shapes in candidates:
            if _weight(shapes) >= goal or not all(map(is_sound, shapes)):
                continue
            if next(trials, None) is not None and _differs_alike(best, shapes):
                return replace(best, shapes=shapes)
        return best

    best, before = finding, None
    while best is not before:
        before = best
        best = simpler(best, _whole(best.shapes))
        best = simpler(best, _without_a_part(best.shapes))
        for which in (0, 1):
            for index in range(len(numbers_of(best.shapes[which]))):
                best = simpler(best, _with_one_number_simpler(best.shapes, which, index))
    return best


def _differs_alike(finding: Finding, shapes: ShapePair) -> bool:
    """Whether shapes show the same difference as a finding, and are degenerate exactly where its shapes are."""
    if list(map(is_degenerate, shapes)) != list(map(is_degenerate, finding.shapes)):
        return False
    found = finding.target.difference(*shapes, exact.meet(*shapes))
    # A crash stays the same exception, whose name comes first in its description.
    if found is None or (found[0], found[1].split(":")[0]) != (finding.kind, finding.crash.split(":")[0]):
        return False
    return finding.target.cause(*shapes) == finding.target.cause(*finding.shapes)


def _weight(shapes: ShapePair) -> int:
    """Return how many bits the numerators, denominators and signs of all numbers have: 0 has fewest, then 1."""
    total = 0
    for shape in shapes:
        for number in numbers_of(shape):
            numerator, denominator = number.as_integer_ratio()
            total += numerator.bit_length() + denominator.bit_length() + (copysign(1, number) < 0)
    return total


def _whole(shapes: ShapePair) -> Iterator[ShapePair]:
    """Yield both shapes scaled so that the largest number has few bits, rounded to integers and last unrounded."""
    lengths = [
        abs(n) for shape in shapes for n, degree in zip(numbers_of(shape), _degrees(shape), strict=True) if degree
    ]
    _, exponent = frexp(max(lengths))
    for bits in range(1, MOST_WHOLE_BITS + 1):
        yield _scaled(shapes, bits - exponent, lambda number: float(round(number)))
    yield _scaled(shapes, -exponent, float)


def _scaled(shapes: ShapePair, exponent: int, rounding: Callable[[float], float]) -> ShapePair:
    probe, primitive = (
        with_numbers(
            shape,
            [
                rounding(ldexp(number, degree * exponent)) if degree else number
                for number, degree in zip(numbers_of(shape), _degrees(shape), strict=True)
            ],
        )
        for shape in shapes
    )
    return probe, primitive


def _degrees(shape: Shape) -> list[int]:
    return JUDGED_SHAPES[type(shape)].degrees(shape)


def _without_a_part(shapes: ShapePair) -> Iterator[ShapePair]:
    """Yield the shapes without one plane, vertex or rotation."""
    probe, primitive = shapes
    for simpler in JUDGED_SHAPES[type(primitive)].without_a_part(primitive):
        yield probe, simpler
    for simpler in JUDGED_SHAPES[type(probe)].without_a_part(probe):
        yield simpler, primitive


def _with_one_number_simpler(shapes: ShapePair, which: int, index: int) -> Iterator[ShapePair]:
    numbers = numbers_of(shapes[which])
    for number in _simpler_numbers(numbers[index]):
        shape = with_numbers(shapes[which], [*numbers[:index], number, *numbers[index + 1 :]])
        yield (shape, shapes[1]) if which == 0 else (shapes[0], shape)


def _simpler_numbers(number: float) -> Iterator[float]:
    yield 0.0
    yield copysign(1.0, number)
    yield float(round(number))
    yield number / 2
    yield abs(number)
    fraction, exponent = frexp(number)
    for bits in KEPT_BITS:
        yield ldexp(int(ldexp(fraction, bits)), exponent - bits)

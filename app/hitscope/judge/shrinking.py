"""Shrinking: from a pair that shows a difference to one of simpler numbers that still shows it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice, pairwise, permutations
from math import copysign, frexp, ldexp
from typing import Any

import numpy as np

from hitscope.errors import HitscopeError
from hitscope.geometry.arrays import numbers_of
from hitscope.geometry.kinds import Scale, scales_of
from hitscope.geometry.shapes import Obb, Polyhedron, Shape, replaced_numbers
from hitscope.geometry.traits import is_degenerate
from hitscope.judge.findings import ENGINE, Finding, cause_of, worst_first
from hitscope.judge.tallies import example_of, sizes_of
from hitscope.scene.checked_shapes import IDENTITY
from hitscope.targets.cases import Cases, ShapePair
from hitscope.targets.judging.judged import CRASH, Judged, judged
from hitscope.targets.judging.rules import UNIT_ULPS, Rules, answers_of_met
from hitscope.targets.judging.truth import Truth
from hitscope.targets.open_targets import OpenTargets

DIRECTIONS = (Scale.DIRECTION, Scale.NORMAL)
"""The meanings of numbers that engines keep at a length of one."""
KEPT_ERROR = 0.5
"""The share of the error of a finding, in units and in ulps, that a simpler pair has at least."""
TRIALS = 1500
"""The number of simpler pairs that are tried for one finding: about half a second."""
KEPT_BITS = (1, 2, 3, 4, 6, 9, 13, 20, 30, 40)
MOST_WHOLE_BITS = 7
"""All numbers at once are rounded to integers of at most this many bits."""


def shrunk_all(
    findings: Iterable[Finding], opened: OpenTargets, rules: Rules, advance: Callable[[], object] = lambda: None
) -> list[Finding]:
    """Shrink the findings that are seen again, as `findings.rank` orders them; `advance` is called after each."""
    small = []
    for finding in findings:
        small.append(_Shrinking(finding, opened, rules).shrunk() if finding.kind != CRASH else finding)
        advance()
    return worst_first(small)


def distinct(findings: Iterable[Finding]) -> list[Finding]:
    """Return the first of the findings that are the same pair."""
    kept: dict[str, Finding] = {}
    for finding in findings:
        kept.setdefault(key(finding), finding)
    return list(kept.values())


def key(finding: Finding) -> str:
    """Return what findings of the same pair have in common."""
    return f"{finding.target} {finding.kind} {finding.shapes!r}"


class _Shrinking:
    """The search for the simplest pair that shows the same kind of difference as a finding."""

    def __init__(self, finding: Finding, opened: OpenTargets, rules: Rules) -> None:
        self.finding, self.target, self.rules = finding, opened[finding.target], rules
        self.trials = TRIALS
        self.cause = cause_of(finding.target, finding.shapes)
        self.least: list[float] = []
        """The least error that is kept, in units and in ulps."""

    def shrunk(self) -> Finding:
        seen = self._judge(self.finding.cases)
        if not self._is_found(seen, 0):
            return self.finding
        self.least = [KEPT_ERROR * size[0] for size in sizes_of(seen, self.finding.kind) if size is not None]
        best, before = self.finding.shapes, None
        while best is not before:
            before = best
            best = self._simpler(best, _whole(best))
            best = self._simpler(best, _without_a_part(best))
            best = self._simpler(best, _with_simple_direction(best))
            for which in (0, 1):
                for index in range(len(numbers_of(best[which]))):
                    best = self._simpler(best, _with_one_number_simpler(best, which, index))
        cases = self._cases([best])
        example = example_of(self._judge(cases), self.finding.kind, cases.numbers, [self.finding.example.seed], 0)
        return replace(self.finding, example=example)

    def _simpler(self, best: ShapePair, candidates: Iterable[ShapePair]) -> ShapePair:
        """Return the first of the simpler candidates that shows the same, or else the best one so far."""
        goal = _weight(best)
        simpler = (
            shapes
            for shapes in candidates
            if _weight(shapes) < goal and all(map(is_sound, shapes)) and self._could_be_drawn(shapes)
        )
        tried = list(islice(simpler, self.trials))
        self.trials -= len(tried)
        if not tried:
            return best
        seen = self._judge(self._cases(tried))
        found = (shapes for i, shapes in enumerate(tried) if self._is_found(seen, i) and self._is_alike(shapes))
        return next(found, best)

    def _is_found(self, seen: Judged, i: int) -> bool:
        """Whether the i-th case differs in the way of the finding, by an error that is not much smaller."""
        kind = self.finding.kind
        if kind not in seen.wrong or not seen.wrong[kind][i]:
            return False
        sizes = [size[i] for size in sizes_of(seen, kind) if size is not None]
        return all(size >= least for size, least in zip(sizes, self.least, strict=False))

    def _is_alike(self, shapes: ShapePair) -> bool:
        """Whether shapes are degenerate exactly where those of the finding are, and err for the same cause."""
        is_alike = list(map(is_degenerate, shapes)) == list(map(is_degenerate, self.finding.shapes))
        return is_alike and cause_of(self.finding.target, shapes) == self.cause

    def _could_be_drawn(self, shapes: ShapePair) -> bool:
        """Whether shapes are of the precision of the finding, and of an engine have its unit directions."""
        if self.finding.generator == ENGINE and self._units(shapes) != self._units(self.finding.shapes):
            return False
        if self.finding.target.real == "float64":
            return True
        numbers = np.array([number for shape in shapes for number in numbers_of(shape)])
        with np.errstate(over="ignore"):
            return bool((numbers.astype(self.finding.target.real) == numbers).all())

    def _units(self, shapes: ShapePair) -> list[bool]:
        """Whether each direction of shapes has a length of one, but for rounding."""
        rounding = UNIT_ULPS * float(np.finfo(self.finding.target.real).eps)
        vectors = (numbers_of(shape)[k : k + 3] for shape in shapes for k in _directions(shape))
        return [abs(sum(x * x for x in vector) - 1) <= rounding for vector in vectors]

    def _cases(self, shapes: list[ShapePair]) -> Cases:
        probes, primitives = [probe for probe, _ in shapes], [primitive for _, primitive in shapes]
        return Cases.of_shapes(self.finding.target.pair, probes, primitives, self.finding.target.real)

    def _judge(self, cases: Cases) -> Judged:
        answers = answers_of_met(self.target, cases, self.rules.require, most_hangs=1)
        if any(failure.hung for failure in answers.failures.values()):
            self.trials = 0
        return judged(Truth(cases), answers, self.rules)


def _weight(shapes: ShapePair) -> int:
    """Return how many bits the numerators, denominators and signs of all numbers have: 0 has fewest, then 1."""
    numbers = [number for shape in shapes for number in numbers_of(shape)]
    bits: int = sum(part.bit_length() for number in numbers for part in number.as_integer_ratio())
    return bits + sum(copysign(1, number) < 0 for number in numbers)


def _whole(shapes: ShapePair) -> Iterator[ShapePair]:
    """Yield both shapes scaled so that the largest number has few bits, rounded to integers and last unrounded."""
    scaled = (zip(numbers_of(shape), scales_of(type(shape), shape), strict=True) for shape in shapes)
    _, exponent = frexp(max(abs(n) for n, scale in chain(*scaled) if scale.degree))
    for bits in range(1, MOST_WHOLE_BITS + 1):
        yield _scaled(shapes, bits - exponent, lambda number: float(round(number)))
    yield _scaled(shapes, -exponent, float)


def _scaled(shapes: ShapePair, exponent: int, rounding: Callable[[float], float]) -> ShapePair:
    def scaled(shape: Shape) -> Shape:
        numbers = zip(numbers_of(shape), scales_of(type(shape), shape), strict=True)
        scaled = (rounding(ldexp(n, scale.degree * exponent)) if scale.degree else n for n, scale in numbers)
        return with_numbers(shape, scaled)

    return scaled(shapes[0]), scaled(shapes[1])


def _without_a_plane_or_vertex(body: Polyhedron) -> Iterator[Shape]:
    for i in range(len(body.planes or body.vertices)):
        yield Polyhedron._make(part[:i] + part[i + 1 :] for part in body)


WITHOUT_A_PART: dict[type, Callable[[Any], Iterator[Shape]]] = {
    Obb: lambda box: iter([box._replace(axes=IDENTITY)]),
    Polyhedron: _without_a_plane_or_vertex,
}


def _directions(shape: Shape) -> list[int]:
    """Return the index of the first number of each direction and normal of a shape."""
    scales = [None, *scales_of(type(shape), shape)]
    return [k for k, (before, scale) in enumerate(pairwise(scales)) if scale in DIRECTIONS and scale != before]


def _with_simple_direction(shapes: ShapePair) -> Iterator[ShapePair]:
    """Yield the shapes with a direction along an axis, or of length one in a plane of two axes."""
    for which, shape in enumerate(shapes):
        numbers = numbers_of(shape)
        for k in _directions(shape):
            for parts in (*permutations((1.0, 0.0, 0.0)), *permutations((0.6, 0.8, 0.0))):
                signed = (copysign(a, b) if a else a for a, b in zip(parts, numbers[k : k + 3], strict=True))
                yield _put(shapes, which, with_numbers(shape, [*numbers[:k], *signed, *numbers[k + 3 :]]))


def _without_a_part(shapes: ShapePair) -> Iterator[ShapePair]:
    """Yield the shapes without one plane, vertex or rotation."""
    for which in (1, 0):
        simpler = WITHOUT_A_PART.get(type(shapes[which]), lambda _: iter(()))
        yield from (_put(shapes, which, shape) for shape in simpler(shapes[which]))


def _put(shapes: ShapePair, which: int, shape: Shape) -> ShapePair:
    """Return shapes with another one as the probe, of which 0 is the place, or as the primitive."""
    return (shapes[0], shape) if which else (shape, shapes[1])


def _with_one_number_simpler(shapes: ShapePair, which: int, index: int) -> Iterator[ShapePair]:
    numbers = numbers_of(shapes[which])
    for number in _simpler_numbers(numbers[index]):
        changed = [*numbers[:index], number, *numbers[index + 1 :]]
        yield _put(shapes, which, with_numbers(shapes[which], changed))


def _simpler_numbers(number: float) -> Iterator[float]:
    yield from (0.0, copysign(1.0, number), float(round(number)), number / 2, abs(number))
    fraction, exponent = frexp(number)
    for bits in KEPT_BITS:
        yield ldexp(int(ldexp(fraction, bits)), exponent - bits)


def with_numbers(shape: Shape, numbers: Iterable[float]) -> Shape:
    """Return a shape of the same type made of other numbers, in the order of `numbers_of`; nothing is checked."""
    remaining = iter(numbers)
    remade: Shape = replaced_numbers(shape, lambda _: next(remaining))
    return remade


def is_sound(shape: Shape) -> bool:
    """Whether the shape is one that a constructor, and so a scene file, accepts."""
    try:
        type(shape)(*shape)
    except HitscopeError:
        return False
    return True

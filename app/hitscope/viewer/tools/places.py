"""Exact places on features near a point in floats, with few decimals where there is a choice."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import floor, frexp, gcd, hypot
from typing import NamedTuple

from hitscope.draw.items import Array
from hitscope.geometry.exact import rounded
from hitscope.geometry.exact.integers import Vector
from hitscope.geometry.shapes import Vec3
from hitscope.viewer.tools.features import Place

FINEST = 20
"""A vector that is exactly parallel is looked for among multiples of 1/2**20 of its length, and coarser ones."""


def on_edge(a: Place, b: Place, near: Array, decimals: int) -> Place:
    """Give the point of an edge whose coordinate along the edge's main axis is short and near."""
    k = max(range(3), key=lambda axis: abs(b[axis] - a[axis]))
    low, high = sorted((a[k], b[k]))
    value = min(max(Fraction(round(float(near[k]), decimals)), low), high)
    return between(a, b, (value - a[k]) / (b[k] - a[k]))


def between(a: Place, b: Place, part: Fraction) -> Place:
    """Give the point that is a part of the way from a to b."""
    x, y, z = (p + part * (q - p) for p, q in zip(a, b, strict=True))
    return x, y, z


def on_plane(normal: Vector, offset: Fraction, near: Array, decimals: int | None) -> Place:
    """Give the point of the plane dot(normal, p) = offset that two near coordinates, short ones, have."""
    k = max(range(3), key=lambda axis: abs(normal[axis]))
    values = [Fraction(value if decimals is None else round(value, decimals)) for value in near.tolist()]
    values[k] = (offset - sum(normal[i] * values[i] for i in range(3) if i != k)) / normal[k]
    x, y, z = values
    return x, y, z


def along(start: Place, direction: Sequence[Fraction], near: Array, decimals: int, bound_to: Fraction) -> Place:
    """Give start + t * direction near a point, where one coordinate is short, or all are float64.

    Of the t that make all of them float64 one is taken that differs at most by a part `bound_to` of the near one.
    """
    k = max(range(3), key=lambda axis: abs(direction[axis]))
    short = _ahead(start, direction, (Fraction(round(float(near[k]), decimals)) - start[k]) / direction[k])
    if short == start or is_float64(short):
        return short
    whole = primitive(direction)
    wanted = (short[k] - start[k]) / whole[k]
    _, exponent = frexp(rounded(wanted))
    for power in range(exponent - FINEST, exponent + 2):
        unit = Fraction(2) ** power
        t = floor(wanted / unit + Fraction(1, 2)) * unit
        place = _ahead(start, whole, t)
        if t and abs(t - wanted) <= bound_to * abs(wanted) and is_float64(place):
            return place
    return short


def onto(place: Sequence[Fraction], start: Vec3, rail: Array) -> list[Fraction]:
    """Give the point of the line from `start` along `rail` that is nearest to a place."""
    way = [Fraction(value) for value in rail.tolist()]
    first = [Fraction(value) for value in start]
    part = sum(((p - s) * u for p, s, u in zip(place, first, way, strict=True)), Fraction(0)) / sum(
        u * u for u in way
    )
    return [s + part * u for s, u in zip(first, way, strict=True)]


def halved(near: float, far: float, accept: Callable[[float], bool], times: int) -> tuple[float, float]:
    """Narrow down where numbers between one that is accepted and one that is not stop being so."""
    for _ in range(times):
        middle = near / 2 + far / 2
        if accept(middle):
            near = middle
        else:
            far = middle
    return near, far


def multiple_of(step: float, near: float) -> float:
    """Give the multiple of a step nearest to a number, both as the decimals that are written for them."""
    exact = Fraction(repr(step))
    return rounded(floor(Fraction(near) / exact + Fraction(1, 2)) * exact)


def primitive(direction: Sequence[Fraction | int]) -> Vector:
    """Give the smallest integers of a direction."""
    fractions = [Fraction(value) for value in direction]
    w = fractions[0].denominator * fractions[1].denominator * fractions[2].denominator
    x, y, z = (int(value * w) for value in fractions)
    divisor = gcd(x, y, z)
    return x // divisor, y // divisor, z // divisor


def is_float64(place: Sequence[Fraction]) -> bool:
    """Say whether float64 has a point."""
    return all(Fraction(rounded(value)) == value for value in place)


def _ahead(start: Place, direction: Sequence[Fraction | int], t: Fraction) -> Place:
    x, y, z = (s + t * d for s, d in zip(start, direction, strict=True))
    return x, y, z


class Way(NamedTuple):
    """The straight way of a drag, by the float64 of the coordinate that changes most; the others follow it."""

    start: Vec3
    goal: Vec3

    @property
    def axis(self) -> int:
        """The coordinate that changes most."""
        return max(range(3), key=lambda k: abs(Fraction(self.goal[k]) - Fraction(self.start[k])))

    def at(self, value: float) -> Vec3:
        """Give the point where that coordinate has a value; each of the others is rounded once."""
        k = self.axis
        first = [Fraction(v) for v in self.start]
        way = [Fraction(v) - s for v, s in zip(self.goal, first, strict=True)]
        part = (Fraction(value) - first[k]) / way[k]
        x, y, z = (value if i == k else rounded(first[i] + part * way[i]) for i in range(3))
        return x, y, z

    def around(self, step: float) -> tuple[float, float]:
        """Give that coordinate at a distance before the goal and after it."""
        k = self.axis
        way = [g - s for g, s in zip(self.goal, self.start, strict=True)]
        by = step * (way[k] / hypot(*way))
        return self.goal[k] - by, self.goal[k] + by

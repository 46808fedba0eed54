"""The search along a drag for the last float64 at which something is accepted."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from hitscope.geometry.exact import rounded
from hitscope.geometry.exact.float64_points import last_accepted, of_ordinal, ordinal
from hitscope.geometry.shapes import Vec3

TRIES = 24
SHORT = 12
"""The number of significant digits of the short decimals at which boundaries often are."""


class StraightPath(NamedTuple):
    """The line segment of a drag, parametrized by the coordinate that changes most."""

    start: Vec3
    end: Vec3

    @property
    def axis(self) -> int:
        """The coordinate that changes most."""
        return max(range(3), key=lambda k: abs(Fraction(self.end[k]) - Fraction(self.start[k])))

    def at(self, value: float) -> Vec3:
        """The point where that coordinate has a value; each of the others is rounded once."""
        k = self.axis
        first = [Fraction(v) for v in self.start]
        way = [Fraction(v) - s for v, s in zip(self.end, first, strict=True)]
        part = (Fraction(value) - first[k]) / way[k]
        x, y, z = (value if i == k else rounded(first[i] + part * way[i]) for i in range(3))
        return x, y, z

    def around(self, step: float) -> tuple[float, float]:
        """The coordinate at a distance before the end and after it."""
        k = self.axis
        way = [g - s for g, s in zip(self.end, self.start, strict=True)]
        by = step * (way[k] / math.hypot(*way))
        return self.end[k] - by, self.end[k] + by


def bisected(near: float, far: float, accept: Callable[[float], bool], times: int) -> float:
    """The last accepted number between an accepted one and one that is not, found by halving `times` times."""
    for _ in range(times):
        middle = near / 2 + far / 2
        if accept(middle):
            near = middle
        else:
            far = middle
    return near


def crossing(near: float, far: float, gap: Callable[[float], float]) -> float:
    """The approximate zero of a gap, between a number where it is negative (an overlap) and one where it is not.

    Regula falsi; the value at an end that stays counts half (Illinois method, Dowell and Jarratt 1971).
    """
    low, high = gap(near), gap(far)
    if not (low <= 0 < high and math.isfinite(low) and math.isfinite(high)):
        return near / 2 + far / 2
    middle, side = near, 0
    for _ in range(TRIES):
        middle = (near * high - far * low) / (high - low)
        value = gap(middle)
        if not value or not min(near, far) < middle < max(near, far):
            break
        if value <= 0:
            near, low, high, side = middle, value, high / 2 if side < 0 else high, -1
        else:
            far, high, low, side = middle, value, low / 2 if side > 0 else low, 1
    return middle


def last_accepted_near(guess: float, near: float, far: float, accept: Callable[[float], bool]) -> float:
    """The result of `last_accepted`, sooner where it is close to a guess or to a short decimal near the guess."""
    low, high = ordinal(near), ordinal(far)
    onward = 1 if high > low else -1

    def narrow(number: int) -> bool:
        """Move an end to the number with an ordinal, if it is between them; True if it is."""
        nonlocal low, high
        if not min(low, high) < number < max(low, high):
            return False
        if accept(of_ordinal(number)):
            low = number
        else:
            high = number
        return True

    short, about = ordinal(round(guess, SHORT)), ordinal(guess)
    narrow(short)
    narrow(short + onward)
    if narrow(about):
        way = onward if low == about else -onward
        number = about + way
        while narrow(number) and (low == number) == (way == onward):
            number += 2 * (number - about)
    return last_accepted(near if low == ordinal(near) else of_ordinal(low), of_ordinal(high), accept)

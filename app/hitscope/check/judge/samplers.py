"""Samplers: the random points, sizes, frames and axes of which shapes are made."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ldexp
from random import Random
from sys import float_info
from typing import Any, NamedTuple, TypeAlias

from hitscope.geometry.shapes import Frame, Vec3
from hitscope.scene.checked_shapes import axes_from_quaternion

AnyVec3: TypeAlias = tuple[Any, Any, Any]
"""A point or vector in float64, or in integers or Fractions on the way there."""


class Sampler(NamedTuple):
    """The random parts of which the shapes of one case are made; each call draws a new one."""

    random: Random
    point: Callable[[], Vec3]
    size: Callable[[], Vec3]
    """Three lengths, not negative."""
    frame: Callable[[], Frame]
    """Three vectors of any length and direction."""
    axes: Callable[[], Frame]
    """Three unit vectors at right angles, as well as float64 has them."""
    step: float = 0.0
    """All numbers are multiples of it, if it is not 0."""

    def vector(self) -> Vec3:
        """Draw a vector along an edge of a frame, or in one of its faces."""
        u, v, _ = self.frame()
        return u if self.random.random() < 0.5 else plus(u, v)

    def normal(self) -> Vec3:
        """Draw a vector that is not zero."""
        return next((vector for vector in self.frame() if any(vector)), (0.0, 0.0, 1.0))


def sampler_of(random: Random, number: Callable[[], float], step: float = 0.0) -> Sampler:
    """Return a sampler of points and vectors of three such numbers each, and of boxes with any rotation."""

    def vector() -> Vec3:
        return number(), number(), number()

    def size() -> Vec3:
        x, y, z = vector()
        return abs(x), abs(y), abs(z)

    return Sampler(random, vector, size, lambda: (vector(), vector(), vector()), lambda: rotation(random), step)


def integer_sampler(random: Random, reach: int) -> Sampler:
    """Return a sampler of integers from -`reach` to `reach`, whose boxes have axes along the coordinate axes."""
    whole = sampler_of(random, lambda: float(random.randint(-reach, reach)), 1.0)

    def size() -> Vec3:
        return float(random.randint(1, reach)), float(random.randint(1, reach)), float(random.randint(1, reach))

    return whole._replace(size=size, axes=lambda: quarter_turns(random))


def of_magnitude(random: Random, lowest: int, highest: int) -> float:
    """Draw a number of either sign, from 2 ** lowest to 2 ** (highest + 1), any power of two as likely."""
    return ldexp(random.choice((-1.0, 1.0)) * random.uniform(1, 2), random.randint(lowest, highest))


def rotation(random: Random) -> Frame:
    """Draw the axes of a box: along the coordinate axes, or with any rotation."""
    x, y, z, w = (random.uniform(-1, 1) for _ in range(4))
    return random.choice((quarter_turns(random), axes_from_quaternion((x, y, z, w + 2 * (w == 0)))))


def quarter_turns(random: Random) -> Frame:
    """Draw the coordinate axes in any order, each with either sign."""
    rows = [tuple(random.choice((-1.0, 1.0)) * (i == k) for k in range(3)) for i in random.sample(range(3), 3)]
    a, b, c = ((x + 0.0, y + 0.0, z + 0.0) for x, y, z in rows)  # -0.0 + 0.0 is 0.0
    return a, b, c


def plus(a: AnyVec3, b: AnyVec3) -> AnyVec3:
    """Return a + b, clamped to the finite numbers."""
    x, y, z = (max(-float_info.max, min(float_info.max, p + q)) for p, q in zip(a, b, strict=True))
    return x, y, z


def times(a: AnyVec3, factor: float | Fraction) -> AnyVec3:
    """Return a vector times a number."""
    return a[0] * factor, a[1] * factor, a[2] * factor


def cartesian(point: tuple[int, int, int, int]) -> AnyVec3:
    """Return the coordinates of a homogeneous point."""
    x, y, z, w = point
    return Fraction(x, w), Fraction(y, w), Fraction(z, w)


def weighted(weights: Sequence[int | Fraction], points: Sequence[AnyVec3]) -> AnyVec3:
    """Return the exact weighted mean of points."""
    total = Fraction(sum(weights))
    x, y, z = (
        sum(w * p for w, p in zip(weights, column, strict=True)) / total for column in zip(*points, strict=True)
    )
    return x, y, z

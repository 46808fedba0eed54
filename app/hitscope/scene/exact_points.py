"""Exact points on features near a point in floats, with few decimals where there is a choice."""

from collections.abc import Sequence
from fractions import Fraction
from math import floor, frexp, gcd, inf, nextafter

from hitscope.geometry.arrays import Array
from hitscope.geometry.exact import length_of, line_range, rounded
from hitscope.geometry.exact.integers import Vector
from hitscope.geometry.features.shape_features import ExactPoint
from hitscope.geometry.shapes import Line, Shape, Vec3
from hitscope.geometry.vector import dot, subtract, vec3
from hitscope.scene.decimals import decimal

FINEST = 20
"""A vector that is exactly parallel is searched among multiples of 1/2**20 of its length, and coarser ones."""


def on_edge(a: ExactPoint, b: ExactPoint, near: Array, decimals: int) -> ExactPoint:
    """The point of the edge ab near a point (3,) whose coordinate along the main axis has few decimals."""
    k = max(range(3), key=lambda axis: abs(b[axis] - a[axis]))
    low, high = sorted((a[k], b[k]))
    value = min(max(Fraction(round(float(near[k]), decimals)), low), high)
    return between(a, b, (value - a[k]) / (b[k] - a[k]))


def between(a: ExactPoint, b: ExactPoint, part: Fraction) -> ExactPoint:
    """The point a + part * (b - a)."""
    return vec3(p + part * (q - p) for p, q in zip(a, b, strict=True))


def on_plane(normal: Vector, offset: Fraction, near: Array, decimals: int | None) -> ExactPoint:
    """The point of the plane dot(normal, p) = offset with two rounded coordinates of a near point (3,)."""
    k = max(range(3), key=lambda axis: abs(normal[axis]))
    values = [Fraction(value if decimals is None else round(value, decimals)) for value in near.tolist()]
    values[k] = (offset - sum(normal[i] * values[i] for i in range(3) if i != k)) / normal[k]
    return vec3(values)


def on_surface(shape: Shape, start: ExactPoint, direction: Sequence[Fraction], near: Array) -> ExactPoint | None:
    """The point of a round shape's surface nearest to a near point (3,) on a line, closer than any float64 to it.

    None where the line passes the shape.
    """
    found = line_range(Line._make((start, tuple(direction))), shape)
    if found is None:
        return None
    points = [_ahead(start, direction, Fraction(t)) for t in found]
    target = vec3(map(Fraction, near.tolist()))
    return min(points, key=lambda point: dot(subtract(point, target), subtract(point, target)))


def radius_to(center: Vec3, point: Vec3) -> float:
    """The least radius, as float64, of a sphere at a center that contains a point."""
    squared = sum(((Fraction(p) - Fraction(c)) ** 2 for p, c in zip(point, center, strict=True)), Fraction(0))
    radius = length_of(squared)
    return radius if Fraction(radius) ** 2 >= squared else nextafter(radius, inf)


def along(
    start: ExactPoint, direction: Sequence[Fraction], near: Array, decimals: int, bound_to: Fraction
) -> ExactPoint:
    """The point start + t * direction near a point (3,) with a coordinate of few decimals, or all float64.

    A t that makes all float64 differs at most by a part `bound_to` from that of the near point.
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
        point = _ahead(start, whole, t)
        if t and abs(t - wanted) <= bound_to * abs(wanted) and is_float64(point):
            return point
    return short


def nearest_on_line(point: Sequence[Fraction], start: Vec3, direction: Array) -> list[Fraction]:
    """The point nearest to a point on the line from `start` along a direction (3,)."""
    way, first = vec3(map(Fraction, direction.tolist())), vec3(map(Fraction, start))
    part = dot(subtract(vec3(point), first), way) / dot(way, way)
    return [s + part * u for s, u in zip(first, way, strict=True)]


def multiple_of(step: float, near: float) -> float:
    """The multiple of a step nearest to a number, the step taken as the decimal that is written for it."""
    exact = decimal(step)
    return rounded(floor(Fraction(near) / exact + Fraction(1, 2)) * exact)


def primitive(direction: Sequence[Fraction | int]) -> Vector:
    """The smallest integers with the ratios of a direction's numbers."""
    fractions = [Fraction(value) for value in direction]
    w = fractions[0].denominator * fractions[1].denominator * fractions[2].denominator
    x, y, z = (int(value * w) for value in fractions)
    divisor = gcd(x, y, z)
    return x // divisor, y // divisor, z // divisor


def is_float64(point: Sequence[Fraction]) -> bool:
    """Whether all coordinates of a point are float64 numbers."""
    return all(Fraction(rounded(value)) == value for value in point)


def _ahead(start: ExactPoint, direction: Sequence[Fraction | int], t: Fraction) -> ExactPoint:
    return vec3(s + t * d for s, d in zip(start, direction, strict=True))

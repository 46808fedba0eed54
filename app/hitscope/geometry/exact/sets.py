"""A shape as the exact convex set that its stored numbers define, in integers.

Every float64 is an integer over a power of two, so a point is kept as integers (x, y, z, w) that mean
(x/w, y/w, z/w), w > 0, and a slab as integers too: sums and products of them are exact and need no gcd.

Caches of shapes are typed: named tuples of the same numbers are equal, be they a line or a ray.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import gcd, lcm
from typing import NamedTuple, TypeAlias

from hitscope.geometry.shapes import Aabb, Obb, Shape, Triangle

Vector: TypeAlias = tuple[int, int, int]
Homogeneous: TypeAlias = tuple[int, int, int, int]
Rational: TypeAlias = Sequence[Fraction | int]


class Slab(NamedTuple):
    """The points with lo <= dot(normal, p) <= hi; a side that is None has no bound, lo == hi is a plane."""

    normal: Vector
    lo: int | None
    hi: int | None


class ConvexSet(NamedTuple):
    """The intersection of `slabs`, and the polygons (vertex cycles) that bound it; a flat set is its own face."""

    slabs: tuple[Slab, ...]
    faces: tuple[tuple[Homogeneous, ...], ...]

    @property
    def planes(self) -> list[Slab]:
        """The slabs without thickness: a set that has one is flat."""
        return [slab for slab in self.slabs if slab.lo == slab.hi]


@lru_cache(maxsize=1 << 16, typed=True)  # A drag changes one shape and asks again about all the others.
def convex_set(shape: Shape) -> ConvexSet:
    """Give a bounded shape's exact set."""
    match shape:
        case Aabb(lo, hi):
            units = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
            slabs = [slab(unit, Fraction(a), Fraction(b)) for unit, a, b in zip(units, lo, hi, strict=True)]
            corners = [tuple(map(Fraction, corner)) for corner in product(*zip(lo, hi, strict=True))]
            return ConvexSet(tuple(slabs), _box_faces(corners))
        case Obb(center, half_extents, axes):
            return _obb(_fractions(center), _fractions(half_extents), [_fractions(axis) for axis in axes])
        case Triangle(a, b, c):
            vertices = [homogeneous(_fractions(vertex)) for vertex in (a, b, c)]
            return ConvexSet(_triangle_slabs(vertices), (tuple(vertices),))
    raise TypeError(f"{shape} is no bounded set")


def slab(normal: Rational, lo: Fraction, hi: Fraction) -> Slab:
    """Give a slab in integers: normal and bounds times their common denominator."""
    scale = lcm(*(Fraction(number).denominator for number in (*normal, lo, hi)))
    x, y, z = (int(number * scale) for number in normal)
    return Slab((x, y, z), int(lo * scale), int(hi * scale))


def homogeneous(point: Rational) -> Homogeneous:
    """Give a point in integers over one common denominator."""
    w = lcm(*(Fraction(number).denominator for number in point))
    x, y, z = (int(number * w) for number in point)
    return x, y, z, w


def over_one_denominator(points: Iterable[Homogeneous]) -> tuple[list[Vector], int]:
    """Give the points as integer vectors over one denominator."""
    points = list(points)
    w = lcm(*(point[3] for point in points))
    return [(x * (w // v), y * (w // v), z * (w // v)) for x, y, z, v in points], w


def reduced(x: int, y: int, z: int, w: int) -> Homogeneous:
    """Give the same point in smaller integers."""
    divisor = gcd(x, y, z, w)
    return x // divisor, y // divisor, z // divisor, w // divisor


def dot(a: Sequence[int], b: Sequence[int]) -> int:
    """Give the dot product of the first three components."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Sequence[int], b: Sequence[int]) -> Vector:
    """Give the cross product of the first three components."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def subtract(a: Sequence[int], b: Sequence[int]) -> Vector:
    """Give a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _fractions(numbers: Iterable[float]) -> list[Fraction]:
    return [Fraction(number) for number in numbers]


def _box_faces(corners: Sequence[Rational]) -> tuple[tuple[Homogeneous, ...], ...]:
    """Give the six faces of a box whose corner k lies on side (k >> 2, k >> 1 & 1, k & 1) of its three slabs."""
    points = [homogeneous(corner) for corner in corners]
    cycles = (0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)
    return tuple(tuple(points[k] for k in cycle) for cycle in cycles)


def _obb(center: Rational, half_extents: Rational, axes: Sequence[Rational]) -> ConvexSet:
    """The stored axes need not be orthonormal to the last bit, so the slabs' normals are their dual basis."""
    slabs = []
    for i in range(3):
        u, v, w = axes[i], axes[(i + 1) % 3], axes[(i + 2) % 3]
        normal = (v[1] * w[2] - v[2] * w[1], v[2] * w[0] - v[0] * w[2], v[0] * w[1] - v[1] * w[0])
        determinant = Fraction(sum(a * b for a, b in zip(u, normal, strict=True)))
        if determinant < 0:
            normal = (-normal[0], -normal[1], -normal[2])
        middle = Fraction(sum(a * b for a, b in zip(normal, center, strict=True)))
        radius = half_extents[i] * abs(determinant)
        slabs.append(slab(normal, middle - radius, middle + radius))
    corners = [
        [center[k] + sum(sign * half_extents[i] * axes[i][k] for i, sign in enumerate(signs)) for k in range(3)]
        for signs in product((-1, 1), repeat=3)
    ]
    return ConvexSet(tuple(slabs), _box_faces(corners))


def _triangle_slabs(vertices: Sequence[Homogeneous]) -> tuple[Slab, ...]:
    """The plane first, then one half-space an edge; a collinear triangle is the segment or point it covers."""
    points, w = over_one_denominator(vertices)
    a, b, c = points
    normal = cross(subtract(b, a), subtract(c, a))
    if any(normal):
        outward = [(p, cross(subtract(q, p), normal)) for p, q in ((a, b), (b, c), (c, a))]
        offset = dot(normal, a)
        rows = [Slab(normal, offset, offset), *(Slab(n, None, dot(n, p)) for p, n in outward)]
    else:
        edges = [subtract(q, p) for p, q in ((a, b), (b, c), (c, a))]
        direction = next((edge for edge in edges if any(edge)), None)
        if direction is None:
            units: list[Vector] = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
            rows = [Slab(unit, dot(unit, a), dot(unit, a)) for unit in units]
        else:
            across = next(n for unit in ((1, 0, 0), (0, 1, 0)) if any(n := cross(direction, unit)))
            along = [dot(direction, point) for point in points]
            rows = [Slab(n, dot(n, a), dot(n, a)) for n in (across, cross(direction, across))]
            rows.append(Slab(direction, min(along), max(along)))
    # The rows hold for points times w: the bounds of the points themselves are those over w.
    return tuple(Slab((x * w, y * w, z * w), lo, hi) for (x, y, z), lo, hi in rows)

"""Random shapes of every type, made of the points, sizes and frames that a sampler draws."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import ldexp
from random import Random
from sys import float_info
from typing import Any, NamedTuple, TypeAlias

from hitscope.geometry.exact import convex_set, rounded
from hitscope.geometry.shapes import (
    Aabb,
    Frame,
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
    Vec3,
)
from hitscope.scene.forms import axes_from_quaternion

Three: TypeAlias = tuple[Any, Any, Any]
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


def plus(a: Three, b: Three) -> Three:
    """Return a + b, clamped to the finite numbers."""
    x, y, z = (max(-float_info.max, min(float_info.max, p + q)) for p, q in zip(a, b, strict=True))
    return x, y, z


def times(a: Three, factor: float | Fraction) -> Three:
    """Return a vector times a number."""
    return a[0] * factor, a[1] * factor, a[2] * factor


def shape(kind: str, sampler: Sampler) -> Shape:
    """Draw a shape of a type, given by its word in the scene format."""
    p = sampler.point()
    match kind:
        case "point":
            return Point(p)
        case "segment":
            return Segment(p, plus(p, sampler.vector()))
        case "ray":
            return Ray(p, sampler.vector())
        case "line":
            return Line(p, sampler.vector())
        case "triangle":
            u, v, _ = sampler.frame()
            return Triangle(p, plus(p, u), plus(p, v))
        case "aabb":
            return Aabb(p, plus(p, sampler.size()))
        case "obb":
            return Obb(p, sampler.size(), sampler.axes())
        case "parallelepiped":
            return Parallelepiped(p, sampler.frame())
        case "plane":
            normal = sampler.normal()
            return Plane(normal, _height(normal, p))
        case "polyhedron":
            return hull_of_vertices(sampler) if sampler.random.random() < 0.5 else _of_planes(sampler)
    raise ValueError(kind)


def aimed(probe: Shape, primitive: Shape, sampler: Sampler) -> Shape:
    """Move a probe, by multiples of the sampler's step, so that a point of it lies in or near the primitive."""
    if not convex_set(primitive).bounded:
        return probe
    target = _inner_point(primitive, sampler.random, Fraction(sampler.random.randint(0, 96), 32))
    if isinstance(probe, Segment | Ray | Line):
        t = Fraction(sampler.random.randint(1, 7), 8)
        start, other = ((Fraction(x), Fraction(y), Fraction(z)) for x, y, z in probe)
        own = weighted([1 - t, t], [start, other]) if isinstance(probe, Segment) else plus(start, times(other, t))
    else:
        own = _inner_point(probe, sampler.random, Fraction(1))
    x, y, z = (rounded(a - b) for a, b in zip(target, own, strict=True))
    if sampler.step:
        x, y, z = (round(number / sampler.step) * sampler.step for number in (x, y, z))
    aimed_probe: Shape = moved(probe, (x, y, z))
    return aimed_probe


def _inner_point(body: Shape, random: Random, stretch: Fraction) -> Three:
    """Draw a point of a bounded shape, and stretch its offset from the middle; beyond 1 it may lie outside."""
    corners = [cartesian(corner) for corner in convex_set(body).vertices]
    middle = weighted([1] * len(corners), corners)
    inner = weighted([random.randint(1, 16) ** 2 for _ in corners], corners)
    return weighted([1 - stretch, stretch], [middle, inner])


def cartesian(point: tuple[int, int, int, int]) -> Three:
    """Return the coordinates of a homogeneous point."""
    x, y, z, w = point
    return Fraction(x, w), Fraction(y, w), Fraction(z, w)


def weighted(weights: Sequence[int | Fraction], points: Sequence[Three]) -> Three:
    """Return the exact weighted mean of points."""
    total = Fraction(sum(weights))
    x, y, z = (
        sum(w * p for w, p in zip(weights, column, strict=True)) / total for column in zip(*points, strict=True)
    )
    return x, y, z


def moved(probe: Any, by: Three) -> Any:
    """Return a probe moved by a vector."""
    if isinstance(probe, Ray | Line | Obb | Parallelepiped):
        point, *rest = probe
        return type(probe)(plus(point, by), *rest)
    return type(probe)(*(plus(corner, by) for corner in probe))


def hull_of_vertices(sampler: Sampler) -> Polyhedron:
    """Draw the hull of some corners of a parallelepiped and of at most two other points."""
    p, frame = sampler.point(), sampler.frame()
    corners = []
    for chosen in product((False, True), repeat=3):
        corner = p
        for vector, taken in zip(frame, chosen, strict=True):
            corner = plus(corner, vector) if taken else corner
        corners.append(corner)
    kept = sampler.random.sample(corners, sampler.random.randint(4, 8))
    return Polyhedron(vertices=(*kept, *(sampler.point() for _ in range(sampler.random.choice((0, 0, 2))))))


def _of_planes(sampler: Sampler) -> Polyhedron:
    """Draw the intersection of slabs that have a point in common, without some of their planes perhaps."""
    while True:
        p = sampler.point()
        q = plus(p, sampler.size())
        planes = []
        for _ in range(sampler.random.randint(2, 4)):
            normal = sampler.normal()
            low, high = sorted((_height(normal, p), _height(normal, q)))
            planes += [Plane(normal, high), Plane(times(normal, -1.0), -low)]
        made = Polyhedron(planes=tuple(sampler.random.sample(planes, sampler.random.randint(1, len(planes)))))
        if convex_set(made).faces:  # rounded offsets of thin slabs may leave it empty
            return made


def _height(normal: Vec3, point: Vec3) -> float:
    return rounded(sum((Fraction(n) * Fraction(x) for n, x in zip(normal, point, strict=True)), Fraction(0)))

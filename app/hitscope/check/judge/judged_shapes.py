"""For each type of shape, how the judge draws a random one, moves it and simplifies it."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, NamedTuple

from hitscope.check.judge.samplers import AnyVec3, Sampler, cartesian, plus, times, weighted
from hitscope.geometry.arrays import numbers_of
from hitscope.geometry.exact import convex_set, rounded
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
    Vec3,
    is_linear,
    linear,
    rational,
)
from hitscope.scene.checked_shapes import IDENTITY


class JudgedShape(NamedTuple):
    """The properties of one type of shape that the judge uses."""

    draw: Callable[[Sampler], Shape]
    """Make a random shape."""
    points: int = 0
    """The number of fields, the first ones, that are points and move with a probe."""
    degrees: Callable[[Any], list[int]] = lambda shape: [1] * len(numbers_of(shape))
    """The power of the unit of length that each number of a shape scales with; normals count as lengths."""
    is_axis_aligned: bool = False
    """Whether every shape of the type has its edges along the coordinate axes."""
    without_a_part: Callable[[Any], Iterator[Shape]] = lambda shape: iter(())
    """Yield the shape without one plane, vertex or rotation."""


def shape(kind: str, sampler: Sampler) -> Shape:
    """Return a random shape of a type given by its word."""
    return JUDGED_SHAPES[(PROBES | PRIMITIVES)[kind]].draw(sampler)


def aimed(probe: Shape, primitive: Shape, sampler: Sampler) -> Shape:
    """Move a probe, by multiples of the sampler's step, so that a point of it lies in or near the primitive."""
    if not convex_set(primitive).bounded:
        return probe
    target = _inner_point(primitive, sampler.random, Fraction(sampler.random.randint(0, 96), 32))
    if is_linear(probe):
        origin, direction, *_ = linear(rational(probe))
        own = plus(origin, times(direction, Fraction(sampler.random.randint(1, 7), 8)))
    else:
        own = _inner_point(probe, sampler.random, Fraction(1))
    x, y, z = (rounded(a - b) for a, b in zip(target, own, strict=True))
    if sampler.step:
        x, y, z = (round(number / sampler.step) * sampler.step for number in (x, y, z))
    aimed_probe: Shape = moved(probe, (x, y, z))
    return aimed_probe


def moved(probe: Any, by: AnyVec3) -> Any:
    """Return the probe moved by a vector."""
    points = JUDGED_SHAPES[type(probe)].points
    return probe._make((*(plus(point, by) for point in probe[:points]), *probe[points:]))


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


def _inner_point(body: Shape, random: Random, stretch: Fraction) -> AnyVec3:
    """Draw a point of a bounded shape, and stretch its offset from the middle; beyond 1 it may lie outside."""
    corners = [cartesian(corner) for corner in convex_set(body).vertices]
    middle = weighted([1] * len(corners), corners)
    inner = weighted([random.randint(1, 16) ** 2 for _ in corners], corners)
    return weighted([1 - stretch, stretch], [middle, inner])


def _segment(sampler: Sampler) -> Segment:
    start = sampler.point()
    return Segment(start, plus(start, sampler.vector()))


def _triangle(sampler: Sampler) -> Triangle:
    a = sampler.point()
    u, v, _ = sampler.frame()
    return Triangle(a, plus(a, u), plus(a, v))


def _aabb(sampler: Sampler) -> Aabb:
    lo = sampler.point()
    return Aabb(lo, plus(lo, sampler.size()))


def _plane(sampler: Sampler) -> Plane:
    point, normal = sampler.point(), sampler.normal()
    return Plane(normal, _height(normal, point))


def _polyhedron(sampler: Sampler) -> Polyhedron:
    sampler.point()  # drawn of every shape, so that the cases of a seed stay the same
    return hull_of_vertices(sampler) if sampler.random.random() < 0.5 else _of_planes(sampler)


def _of_planes(sampler: Sampler) -> Polyhedron:
    """Draw the intersection of slabs that have a point in common, without some of their planes perhaps."""
    while True:
        p = sampler.point()
        q = plus(p, sampler.size())
        planes = []
        for _ in range(sampler.random.randint(2, 4)):
            normal = sampler.normal()
            low, high = sorted((_height(normal, p), _height(normal, q)))
            planes += [Plane._make((normal, high)), Plane._make((times(normal, -1.0), -low))]
        kept = tuple(sampler.random.sample(planes, sampler.random.randint(1, len(planes))))
        made = Polyhedron._make((kept, ()))
        if convex_set(made).faces:  # rounded offsets of thin slabs may leave it empty
            return made


def _height(normal: Vec3, point: Vec3) -> float:
    return rounded(sum((Fraction(n) * Fraction(x) for n, x in zip(normal, point, strict=True)), Fraction(0)))


def _without_rotation(box: Obb) -> Iterator[Obb]:
    yield box._replace(axes=IDENTITY)


def _polyhedron_degrees(body: Polyhedron) -> list[int]:
    return [1, 1, 1, 2] * len(body.planes) if body.planes else [1] * len(numbers_of(body))


def _without_a_plane_or_vertex(body: Polyhedron) -> Iterator[Polyhedron]:
    planes, vertices = body
    for i in range(len(planes or vertices)):
        yield Polyhedron._make((planes[:i] + planes[i + 1 :], vertices[:i] + vertices[i + 1 :]))


JUDGED_SHAPES: dict[type[Shape], JudgedShape] = {
    Point: JudgedShape(lambda sampler: Point(sampler.point()), points=1),
    Segment: JudgedShape(_segment, points=2),
    Ray: JudgedShape(lambda sampler: Ray(sampler.point(), sampler.vector()), points=1),
    Line: JudgedShape(lambda sampler: Line(sampler.point(), sampler.vector()), points=1),
    Triangle: JudgedShape(_triangle, points=3),
    Aabb: JudgedShape(_aabb, points=2, is_axis_aligned=True),
    Obb: JudgedShape(
        lambda sampler: Obb._make((sampler.point(), sampler.size(), sampler.axes())),
        points=1,
        degrees=lambda box: [1] * 6 + [0] * 9,
        without_a_part=_without_rotation,
    ),
    Parallelepiped: JudgedShape(lambda sampler: Parallelepiped(sampler.point(), sampler.frame()), points=1),
    Plane: JudgedShape(_plane, degrees=lambda plane: [1, 1, 1, 2]),
    Polyhedron: JudgedShape(_polyhedron, degrees=_polyhedron_degrees, without_a_part=_without_a_plane_or_vertex),
}
"""The entry of each type of shape."""

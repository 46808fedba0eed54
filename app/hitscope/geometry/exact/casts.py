"""Bodies that move: their motion against the difference of the two sets, and the point where they first meet.

A body at a + t * motion meets another where t * motion is a point b - a of the difference of the two, or within
the sum of both radii of it. So a cast is a segment from 0 to the motion, against the polytope of such points.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import gcd
from typing import NamedTuple

import numpy as np

from hitscope.geometry.exact.clipping import LinearProbe, clipped_linear, common_parts, linear_probe
from hitscope.geometry.exact.gaps import nearest_pairs
from hitscope.geometry.exact.hull import FAR_WAYS, Cycle, Slab, convex_cycle, towards
from hitscope.geometry.exact.integers import (
    ExactPoint,
    Homogeneous,
    Vector,
    exact_point,
    homogeneous,
    over_one_denominator,
    over_power_of_two,
    reduced,
    square_root,
    times,
)
from hitscope.geometry.exact.near_faces import TOLERANCE
from hitscope.geometry.exact.sets import ConvexSet, Intersection, convex_set, of_points, radius_of, target_of
from hitscope.geometry.exact.sides import Array, about
from hitscope.geometry.shapes import Cast, Line, Plane, Ray, Segment, Shape
from hitscope.geometry.vector import cross, dot, subtract

MOST_HEIGHTS = 1 << 11
"""The most heights of corners along axes that take no longer than the hull of all differences."""
BITS = 1 << 10
"""The bits of the square of a length's approximation: no rounding can tell it from the length."""


class Contact(NamedTuple):
    """The point where a body and a primitive meet at some t, and those of both cores that it belongs to."""

    point: ExactPoint
    on_probe: Homogeneous
    """The point of the probe's core where that starts."""
    on_primitive: Homogeneous


def way_of(probe: Cast) -> LinearProbe:
    """Return the motion as a segment from the origin."""
    (motion,), w = over_power_of_two([probe[-1]])
    return LinearProbe((0, 0, 0), motion, w, Fraction(0), Fraction(1))


@lru_cache(maxsize=1 << 10, typed=True)
def line_and_set(probe: Segment | Ray | Line | Cast, primitive: Shape) -> tuple[LinearProbe, ConvexSet | None]:
    """Return a linear probe and the set of a primitive's core, or the motion of a body and the points b - a.

    These are those of both cores: of an unbounded polyhedron those that matter. None of what surely is apart.
    """
    if not isinstance(probe, Cast):
        return linear_probe(probe), convex_set(primitive)
    own, target, way = convex_set(probe.inner), target_of(probe, primitive), way_of(probe)
    if not target.faces and not isinstance(primitive, Plane):
        return way, None
    seen = _seen_from(own.vertices, target)
    if not target.faces or (len(own.vertices) == 1 and not isinstance(target, Intersection)):
        return way, seen
    if not (radius_of(probe) or radius_of(primitive)) and clipped_linear(way, seen) is None:
        return way, None
    return way, _difference(own, target)


def _difference(own: ConvexSet, target: ConvexSet) -> ConvexSet:
    """Return the set of the points b - a, its faces in the order of `_axes`."""
    axes = list(dict.fromkeys(_axes(target, own)))
    vectors, w = over_one_denominator([*own.vertices, *target.vertices])
    starts, ends = vectors[: len(own.vertices)], vectors[len(own.vertices) :]
    found = _of_supports(axes, starts, ends, w) if len(axes) * len(vectors) <= MOST_HEIGHTS else None
    if found is not None:
        return found
    found = of_points([subtract(b, a) for a, b in product(starts, ends)], w)
    order = {axis: i for i, axis in enumerate(axes)}
    slabs = sorted(found.slabs, key=lambda slab: order.get(_axis(slab.normal), len(order)))
    return ConvexSet(slabs, lambda: found.faces)


def _seen_from(points: Sequence[Homogeneous], body: ConvexSet) -> ConvexSet:
    """Return a set seen from a point, so that this is the origin, or its slabs as a body sees them."""
    vectors, w = over_one_denominator(points)
    slabs = []
    for normal, lo, hi in body.slabs:
        heights = [dot(normal, vector) for vector in vectors]
        bounds = lo if lo is None else lo * w - max(heights), hi if hi is None else hi * w - min(heights)
        slabs.append(Slab(times(normal, w), *bounds))

    def make_faces() -> list[Cycle]:
        seen = {b: moved(b, points[0], -1) for b in body.vertices}
        return [[seen[b] for b in face] for face in body.faces]

    return ConvexSet(slabs, make_faces)


def _of_supports(
    axes: Iterable[Vector], starts: Sequence[Vector], ends: Sequence[Vector], w: int
) -> ConvexSet | None:
    """Return the hull of the points b - a of some starts a and ends b, given times w; None if it is flat.

    Along an axis across a face, that is the difference of the foremost ends and the hindmost starts.
    """
    slabs: list[Slab] = []
    faces: list[tuple[Vector, list[Vector], list[Vector]]] = []
    for axis in axes:
        u, v, t = axis
        heights, others = ([u * x + v * y + t * z for x, y, z in points] for points in (starts, ends))
        extent = min(others), max(others), min(heights), max(heights)
        if extent[0] == extent[1] and extent[2] == extent[3]:
            return None
        bounds: list[int | None] = [None, None]
        for k, foremost, hindmost in ((0, extent[0], extent[3]), (1, extent[1], extent[2])):
            # Three corners of one, or an edge of each, span a face.
            counts = heights.count(hindmost), others.count(foremost)
            if sum(counts) < 4:
                continue
            of_first = [a for a, height in zip(starts, heights, strict=True) if height == hindmost]
            of_second = [b for b, height in zip(ends, others, strict=True) if height == foremost]
            if max(counts) > 2 or any(cross(subtract(*of_first), subtract(*of_second))):
                bounds[k] = foremost - hindmost
                faces.append((axis if k else times(axis, -1), of_first, of_second))
        if bounds != [None, None]:
            slabs.append(Slab(times(axis, w), *bounds))

    def face(normal: Vector, hindmost: Sequence[Vector], foremost: Sequence[Vector]) -> Cycle:
        return convex_cycle([(*subtract(b, a), w) for a, b in product(hindmost, foremost)], normal)

    return ConvexSet(slabs, lambda: [face(*sides) for sides in faces])


def _axes(target: ConvexSet, own: ConvexSet) -> Iterable[Vector]:
    """Yield the normals of the faces of a difference: of the primitive's, of the probe's, and of two edges."""
    for body in (target, own):
        yield from (_axis(slab.normal) for slab in body.slabs)
    for edge, other in product(_edges(target), _edges(own)):
        if any(normal := cross(edge, other)):
            yield _axis(normal)
    if not target.bounded:  # it has the faces of the cube that cuts it off, too
        yield from map(_axis, FAR_WAYS)


def _edges(body: ConvexSet) -> list[Vector]:
    return list(dict.fromkeys(_axis(towards(p, q)) for p, q in body.edges))


def _axis(vector: Vector) -> Vector:
    """Return the vector along the same line in the smallest integers, its first number other than 0 positive."""
    size = gcd(*vector) * (1 if vector > (0, 0, 0) else -1)
    return vector[0] // size, vector[1] // size, vector[2] // size


@lru_cache(maxsize=1 << 10, typed=True)
def contact(probe: Cast, primitive: Shape, t: Fraction, normal: Sequence[Fraction | int] | None) -> Contact:
    """Return the middle of what two sets have in common at the first t at which they meet, given the normal there.

    Of cores that overlap it is a point of both; of others that between the middles of their nearest points.
    """
    own, target = convex_set(probe.inner), target_of(probe, primitive)
    if normal:
        numbers = [*map(Fraction, normal)]
        outwards = np.array([float(number / max(map(abs, numbers))) for number in numbers])
        own, target = _foremost(own, -outwards), _foremost(target, outwards)
    way = way_of(probe).at(t)
    there = _seen_from([(-way[0], -way[1], -way[2], way[3])], own)
    shared = dict.fromkeys(reduced(*point) for part in common_parts(there, target) for point in part)
    if shared:
        point = _middle([exact_point(point) for point in shared])
        on_both = homogeneous(point)
        return Contact(point, moved(on_both, way, -1), on_both)
    pairs = nearest_pairs(there, target)
    first, second = (_middle(points) for points in zip(*pairs, strict=True))
    gap = [p - q for p, q in zip(first, second, strict=True)]
    own_radius, radius = radius_of(probe), radius_of(primitive)
    # Where they first touch the length is known: a root's error would put what is on a face beside it.
    length = own_radius + radius if normal else square_root(sum((n**2 for n in gap), Fraction(0)), BITS)
    ends = max(length - own_radius, -radius), min(Fraction(radius), length + own_radius)
    part = Fraction(ends[0] + ends[1]) / 2 / length
    x, y, z = (q + part * d for q, d in zip(second, gap, strict=True))
    return Contact((x, y, z), moved(homogeneous(first), way, -1), homogeneous(second))


def _foremost(body: ConvexSet, way: Array) -> ConvexSet:
    """Return a set with but the face, edge or vertex foremost along a way; all of it if floats cannot tell."""
    if body.is_large or len(body.vertices) < 2:
        return body
    heights = about(body.vertices[0], body.vertices)[0] @ way
    is_near = (heights >= heights.max() - TOLERANCE).tolist()
    near = {point for point, foremost in zip(body.vertices, is_near, strict=True) if foremost}
    features: Iterable[Cycle] = [tuple(near)] if len(near) == 1 else body.edges if len(near) == 2 else body.faces
    found = [cycle for cycle in features if set(cycle) == near]
    return ConvexSet(body.slabs, lambda: found) if found else body


def where_it_starts(probe: Cast, point: Homogeneous) -> Homogeneous:
    """Return the point of a body's core that first comes to a point of its way."""
    way = way_of(probe)
    (origin, direction), w = over_one_denominator([point, (*way.direction, way.w)])
    back = LinearProbe(origin, (-direction[0], -direction[1], -direction[2]), w, Fraction(0), Fraction(1))
    found = clipped_linear(back, convex_set(probe.inner))
    return point if found is None else back.at(Fraction(found.t_enter))


def moved(point: Homogeneous, way: Homogeneous, sign: int = 1) -> Homogeneous:
    """Return the sum of two points, or their difference with a sign of -1."""
    x, y, z = (p * way[3] + sign * d * point[3] for p, d in zip(point[:3], way[:3], strict=True))
    return reduced(x, y, z, point[3] * way[3])


def _middle(points: Sequence[ExactPoint]) -> ExactPoint:
    x, y, z = (sum(numbers, Fraction(0)) / len(points) for numbers in zip(*points, strict=True))
    return x, y, z

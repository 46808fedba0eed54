"""Pairs that touch exactly: the probe lies on a supporting plane of the primitive.

The integers are so small that nothing is rounded: the sets have common points and no common interior.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import gcd
from random import Random
from typing import Any, TypeAlias

from hitscope.check.judge.judged_shapes import hull_of_vertices, moved, shape
from hitscope.check.judge.samplers import AnyVec3, Sampler, cartesian, integer_sampler, plus, times, weighted
from hitscope.check.judge.shape_items import with_numbers
from hitscope.geometry.arrays import numbers_of
from hitscope.geometry.exact import convex_set
from hitscope.geometry.shapes import (
    ENDLESS,
    PRIMITIVES,
    PROBES,
    T_RANGES,
    Frame,
    Line,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Segment,
    Shape,
)
from hitscope.geometry.vector import cross, dot, subtract

LINEAR: dict[str, Any] = {word: kind for word, kind in PROBES.items() if kind in T_RANGES}
"""The linear probes by their words."""
Contact: TypeAlias = tuple[Shape, AnyVec3, AnyVec3]
"""A primitive, a point on its surface, and the outward normal of a supporting plane through that."""


def touching(random: Random, pair: str, gap: Fraction = Fraction(0)) -> tuple[Shape, Shape]:
    """Make a pair that touches exactly, at a corner, along an edge or in a face of either.

    A gap moves the probe out by that much along one axis, or in if it is negative; that may round.
    """
    probe_word, primitive_word = pair.split("_")
    sampler = integer_sampler(random, random.choice((3, 1000)))
    touched = TOUCHED_PRIMITIVES.get(PRIMITIVES[primitive_word], _touched_solid)
    primitive, contact, outward = touched(primitive_word, sampler)
    resting = RESTING_PROBES.get(PROBES[probe_word], _resting_body)
    probe = resting(probe_word, sampler, contact, outward)
    probe = moved(probe, times(outward, gap / Fraction(max(map(abs, outward)))))
    return with_numbers(probe, [float(number) for number in numbers_of(probe)]), primitive


def _touched_plane(_: str, sampler: Sampler) -> Contact:
    through, normal = sampler.point(), sampler.normal()
    contact = plus(through, cross(normal, sampler.vector()))
    return Plane(normal, dot(normal, through)), contact, times(normal, sampler.random.choice((-1, 1)))


def _touched_polyhedron(_: str, sampler: Sampler) -> Contact:
    hull = hull_of_vertices(sampler)
    contact, outward = _support(sampler.random, hull)
    return sampler.random.choice((hull, _by_planes(hull))), contact, outward


def _touched_solid(word: str, sampler: Sampler) -> Contact:
    solid = shape(word, sampler)
    return solid, *_support(sampler.random, solid)


def _support(random: Random, solid: Shape) -> tuple[AnyVec3, AnyVec3]:
    """Draw a point on the surface, and the outward normal of a supporting plane through it."""
    hull = convex_set(solid)
    contact = _mean(random, random.choice(hull.faces))
    outward = []
    for slab in hull.slabs:
        height = dot(slab.normal, contact)
        outward += [slab.normal] * (height == slab.hi) + [times(slab.normal, -1)] * (height == slab.lo)
    weights = [random.randint(0, 3) for _ in outward]
    total = tuple(
        sum(w * n for w, n in zip(weights, column, strict=True)) for column in zip(*outward, strict=True)
    )
    x, y, z = total if any(total) else random.choice(outward)
    shared = gcd(x, y, z)
    return contact, (x // shared, y // shared, z // shared)


def _mean(random: Random, corners: Sequence[tuple[int, int, int, int]]) -> AnyVec3:
    """Draw one of the corners, or the mean of two or four consecutive ones."""
    count = random.choice([count for count in (1, 2, 4) if count <= len(corners)])
    first = random.randrange(len(corners))
    chosen = [corners[(first + i) % len(corners)] for i in range(count)]
    return weighted([1] * len(chosen), [cartesian(corner) for corner in chosen])


def _resting_point(_: str, sampler: Sampler, contact: AnyVec3, outward: AnyVec3) -> Point:
    return Point(contact)


def _resting_linear(word: str, sampler: Sampler, contact: AnyVec3, outward: AnyVec3) -> Any:
    random, kind = sampler.random, LINEAR[word]
    if T_RANGES[kind][0] < 0 or random.random() < 0.6:
        along = cross(outward, sampler.vector())
        start = plus(contact, times(along, random.choice((0, Fraction(-1, 2), -1))))
    else:
        along, start = sampler.vector(), contact
        along = times(along, -1) if dot(outward, along) < 0 else along
    return kind(start, along if kind in ENDLESS else plus(start, along))


def _resting_body(word: str, sampler: Sampler, contact: AnyVec3, outward: AnyVec3) -> Any:
    random = sampler.random

    def frame_on_an_edge() -> Frame:
        u, v, _ = (times(vector, -1) if dot(outward, vector) < 0 else vector for vector in sampler.frame())
        a, b, c = random.sample((cross(outward, sampler.vector()), u, v), 3)
        return a, b, c

    body = shape(word, random.choice((sampler, sampler._replace(frame=frame_on_an_edge))))
    heights = {corner: dot(outward, cartesian(corner)) for corner in convex_set(body).vertices}
    lowest = [corner for corner, height in heights.items() if height == min(heights.values())]
    own_contact = _mean(random, lowest)
    return moved(body, subtract(contact, own_contact))


def _by_planes(hull: Polyhedron) -> Polyhedron:
    """Return the same set as a polyhedron of planes."""
    planes = []
    for slab in convex_set(hull).slabs:
        for sign, bound in ((1, slab.hi), (-1, slab.lo)):
            if bound is not None:
                x, y, z = slab.normal
                planes.append(Plane((float(sign * x), float(sign * y), float(sign * z)), float(sign * bound)))
    return Polyhedron(planes=tuple(planes))


TOUCHED_PRIMITIVES: dict[type[Shape], Callable[[str, Sampler], Contact]] = {
    Plane: _touched_plane,
    Polyhedron: _touched_polyhedron,
}
"""Draw a primitive by its word, and where it is touched; `_touched_solid` draws the others."""
RESTING_PROBES: dict[type[Shape], Callable[[str, Sampler, AnyVec3, AnyVec3], Any]] = {
    Point: _resting_point,
    Segment: _resting_linear,
    Ray: _resting_linear,
    Line: _resting_linear,
}
"""Draw a probe by its word, through a contact point, on the side of its plane to which a normal points.

`_resting_body` draws the others.
"""

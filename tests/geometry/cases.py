"""Random pairs of shapes that tests are hard on: touching, parallel, degenerate, huge, tiny, far away."""

import math
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from random import Random

from hitscope.errors import HitscopeError
from hitscope.geometry.kinds import word_of
from hitscope.geometry.kinds.wrapped import Cast, Wrapped
from hitscope.geometry.registry import KINDS_OF_PAIR
from hitscope.geometry.shapes import (
    Aabb,
    Capsule,
    Frustum,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Segment,
    Sphere,
    Triangle,
)
from tests.geometry import oracle

NEW = (Frustum, Wrapped)
PAIRS = [
    pair
    for pair, kinds in KINDS_OF_PAIR.items()
    if not any(issubclass(kind, NEW) for kind in kinds) and kinds[0] is not Polyhedron
]
"""The pairs without frusta, polyhedra as probes, and what is rounded or cast: those are in `wrapped_pairs`."""
WITHOUT_RADIUS = [pair for pair in PAIRS if "sphere" not in pair and "capsule" not in pair]
"""The pairs that `oracle` decides; of the others it knows how far the cores are apart."""


def numbers(random: Random):
    """Return a random source of coordinates."""
    scale = 2.0 ** random.choice((0, 0, 0, 40, -40, 300, -300))
    offset = random.choice((0.0, 0.0, 0.0, 1e6)) * scale
    return random.choice(
        (
            lambda: random.randint(-2, 2) * scale,
            lambda: random.randint(-2, 2) * scale,
            lambda: random.randint(-4, 4) * 0.5 * scale + offset,
            lambda: random.uniform(-2, 2) * scale + offset,
            lambda: random.choice((-1, 1)) * 2.0 ** random.randint(-20, 20) * scale,
            lambda: random.choice((-1.0, 0.0, 1.0)) + random.randint(-2, 2) * 2.0**-52,
        )
    )


def points(random: Random):
    """Return a random source of points, in a quarter of the cases all in one plane or on one line."""
    number = numbers(random)
    flat = random.choice((0, 0, 0, 0, 0, 0, 1, 2))
    level = number()
    return lambda: (*(number() for _ in range(3 - flat)), *(level for _ in range(flat)))


def shape(kind: str, random: Random, point):
    """Return a shape of the type, degenerate ones among them."""
    match kind:
        case "segment":
            start = point()
            return Segment(start, start if random.random() < 0.1 else point())
        case "ray" | "line":
            towards = tuple(b - a for a, b in zip(point(), point(), strict=True))
            small = tuple(random.randint(-2, 2) * 1.0 for _ in range(3))
            return (Ray if kind == "ray" else Line)(point(), random.choice((towards, towards, small)))
        case "triangle":
            a, b, c = point(), point(), point()
            return Triangle(a, b, random.choice((a, b)) if random.random() < 0.1 else c)
        case "aabb":
            sides = [sorted(side) for side in zip(point(), point(), strict=True)]
            return Aabb(tuple(lo for lo, _ in sides), tuple(hi for _, hi in sides))
        case "point":
            return Point(point())
        case "parallelepiped":
            edges = [tuple(b - a for a, b in zip(point(), point(), strict=True)) for _ in range(3)]
            return Parallelepiped(point(), tuple(edges))
        case "plane":
            return plane(random, point)
        case "polyhedron":
            return polyhedron(random, point)
        case "obb":
            return Obb(point(), tuple(map(abs, point())), random.choice(FRAMES))
        case "sphere":
            center = point()
            return Sphere(center, random.choice((0.0, abs(point()[0]), math.dist(center, point()))))
        case "capsule":
            start = point()
            return rounded(
                "capsule", shape("segment", random, point), random.choice((0.0, math.dist(start, point())))
            )
        case "cast_sphere":
            return Cast(shape("sphere", random, point), motion(random, point))
    raise ValueError(f"{__name__}.shape makes no {kind}")


def motion(random: Random, point):
    """Return a motion, now and then of zero."""
    towards = tuple(b - a for a, b in zip(point(), point(), strict=True))
    small = tuple(random.randint(-2, 2) * 1.0 for _ in range(3))
    return random.choice((towards, towards, towards, small, (0.0, 0.0, 0.0)))


def plane(random: Random, point):
    """Return a plane through a point, most often with a small integer normal."""
    towards = tuple(b - a for a, b in zip(point(), point(), strict=True))
    small = tuple(random.randint(-1, 1) * 1.0 for _ in range(3))
    normal = next(n for n in (random.choice((towards, small, small)), small, (0.0, 0.0, 1.0)) if any(n))
    offset = sum(a * b for a, b in zip(normal, point(), strict=True))
    return Plane(normal, offset if math.isfinite(offset) else 0.0)


def polyhedron(random: Random, point):
    """Return the hull of a few points, or the common part of a few half-spaces, unbounded ones among them."""
    if random.random() < 0.5:
        return Polyhedron(vertices=tuple(point() for _ in range(random.randint(1, 6))))
    while True:
        with suppress(HitscopeError):  # of half-spaces without a common point
            return Polyhedron(planes=tuple(plane(random, point) for _ in range(random.randint(1, 6))))


@lru_cache(1 << 15)
def pair(name: str, seed: int):
    """Return case number `seed` of a pair."""
    random = Random(f"{name} {seed}")
    probe, primitive = map(word_of, KINDS_OF_PAIR[name])
    point = points(random)
    other = point if random.random() < 0.9 else points(random)
    return shape(probe, random, point), shape(primitive, random, other)


def radius(random: Random, squared: Fraction):
    """Return a radius about, or exactly at, the distance of a sphere's center."""
    away = float(min(oracle.length(squared), Fraction(2) ** 1000))
    return random.choice(
        (
            0.0,
            away,
            math.nextafter(away, math.inf),
            math.nextafter(away, 0.0),
            random.uniform(0.0, 2.0) * away,
            random.choice((1.0, 5e-324, 1e300)),
        )
    )


CORES = {"sphere": "point", "capsule": "segment"}


def rounded(kind, core, radius):
    """Return the sphere or the capsule around a point or a segment."""
    return Sphere(core.position, radius) if kind == "sphere" else Capsule(core.start, core.end, radius)


def round_pair(name: str, seed: int):
    """Return case number `seed` of a pair with a sphere or a capsule, or two: most of them touch, or nearly."""
    random = Random(f"round {name} {seed}")
    kinds = name.split("_")
    point = points(random)
    cores = [shape(CORES.get(kind, kind), random, point) for kind in kinds]
    reach = radius(random, oracle.squared_distance(*cores))
    part = random.choice((0.0, reach / 2, reach / 4, reach))
    radii = (part, reach - part) if kinds[0] in CORES and kinds[1] in CORES else (reach, reach)
    return [
        rounded(kind, core, r) if kind in CORES else core
        for kind, core, r in zip(kinds, cores, radii, strict=True)
    ]


# Axes that are orthonormal exactly (the first two) or only to rounding (the others).
FRAMES = (
    ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    ((0.0, 1.0, 0.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0)),
    ((0.6, 0.8, 0.0), (-0.8, 0.6, 0.0), (0.0, 0.0, 1.0)),
    (
        (0.7071067811865476, 0.7071067811865475, 0.0),
        (-0.5, 0.5, 0.7071067811865476),
        (0.5, -0.5, 0.7071067811865476),
    ),
)


def nearly_in_the_plane(seed: int):
    """Return a segment that crosses a triangle at an angle of 1e-12 to 1e-4."""
    random = Random(seed)
    triangle = Triangle(*(tuple(random.uniform(-1, 1) for _ in range(3)) for _ in range(3)))
    size = 10.0 ** -random.uniform(4, 12)
    off = [random.uniform(-size, size) for _ in range(3)]
    ends = []
    for sign in (1, -1):
        weights = [random.random() for _ in range(3)]
        inside = (
            sum(w * x for w, x in zip(weights, column, strict=True)) for column in zip(*triangle, strict=True)
        )
        ends.append(tuple(x / sum(weights) + sign * d for x, d in zip(inside, off, strict=True)))
    return Segment(*ends), triangle


def batch(name: str, seed: int, count: int):
    """Return a probe and `count` primitives of one scale, in half of the cases moved by an ulp here and there."""
    random = Random(f"batch {name} {seed}")
    probe, primitive = map(word_of, KINDS_OF_PAIR[name])
    point = points(random)
    primitives = [shape(primitive, random, point) for _ in range(count)]
    if random.random() < 0.5:
        primitives = [nudged(item, random) for item in primitives]
    return shape(probe, random, point), primitives


def nudged(value, random: Random):
    """Return a shape with every third number moved by an ulp, or unchanged if that would make it invalid."""
    if isinstance(value, tuple):
        parts = [nudged(part, random) for part in value]
        try:
            return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
        except HitscopeError:
            return value
    return value if random.random() < 2 / 3 else math.nextafter(value, random.choice((-math.inf, math.inf)))

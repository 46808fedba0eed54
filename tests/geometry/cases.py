"""Random pairs of shapes that tests are hard on: touching, parallel, degenerate, huge, tiny, far away."""

from random import Random

from hitscope.geometry.shapes import Aabb, Line, Obb, Ray, Segment, Triangle

PROBES = ("segment", "ray", "line", "triangle")
PRIMITIVES = ("aabb", "obb", "triangle")
PAIRS = [f"{probe}_{primitive}" for probe in PROBES for primitive in PRIMITIVES]


def numbers(random: Random):
    """Choose a source of coordinates."""
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
    """Choose a source of points, in a quarter of the cases all in one plane or on one line."""
    number = numbers(random)
    flat = random.choice((0, 0, 0, 0, 0, 0, 1, 2))
    level = number()
    return lambda: (*(number() for _ in range(3 - flat)), *(level for _ in range(flat)))


def shape(kind: str, random: Random, point):
    """Make a shape of the type, degenerate ones among them."""
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
        case "obb":
            return Obb(point(), tuple(map(abs, point())), random.choice(FRAMES))
    raise ValueError(kind)


def pair(name: str, seed: int):
    """Make case number `seed` of a pair."""
    random = Random(f"{name} {seed}")
    probe, primitive = name.split("_")
    point = points(random)
    other = point if random.random() < 0.9 else points(random)
    return shape(probe, random, point), shape(primitive, random, other)


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

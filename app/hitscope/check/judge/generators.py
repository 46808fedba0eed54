"""Random pairs of shapes by named generators; generator, pair and seed reproduce a case.

The cases are the same on every machine: no number passes through a mathematics library.
"""

from collections.abc import Callable
from fractions import Fraction
from math import ulp
from random import Random

from hitscope.check.judge.judged_shapes import JUDGED_SHAPES, aimed, shape
from hitscope.check.judge.samplers import (
    Sampler,
    integer_sampler,
    of_magnitude,
    plus,
    quarter_turns,
    rotation,
    sampler_of,
    times,
)
from hitscope.check.judge.shape_items import ShapePair, is_sound, with_numbers
from hitscope.check.judge.touching_pairs import touching
from hitscope.geometry.arrays import numbers_of
from hitscope.geometry.shapes import PRIMITIVES, PROBES, Frame, Vec3
from hitscope.scene.checked_shapes import IDENTITY


def generate(generator: str, pair: str, seed: int) -> ShapePair:
    """Return the pair of shapes that a generator makes of a seed."""
    return GENERATORS[generator](Random(f"{generator} {pair} {seed}"), pair)


def uniform(random: Random, pair: str) -> ShapePair:
    """Draw coordinates from [-1, 1]."""
    return _both(pair, sampler_of(random, lambda: random.uniform(-1, 1)))


def log_uniform(random: Random, pair: str) -> ShapePair:
    """Draw coordinates whose magnitudes differ by up to 2 ** 120, where products still have room."""
    spread = random.choice((2, 10, 60))
    return _both(pair, sampler_of(random, lambda: of_magnitude(random, -spread, spread)))


def integer_grid(random: Random, pair: str) -> ShapePair:
    """Draw small integers, so that many pairs touch, are parallel or coplanar."""
    return _both(pair, integer_sampler(random, 3))


def nearly_touching(random: Random, pair: str) -> ShapePair:
    """Make a pair that touches exactly, then change one of its numbers by at most 4 ulps."""
    return _one_number_moved(random, touching(random, pair), random.randint(-4, 4))


def narrow_gap(random: Random, pair: str) -> ShapePair:
    """Make a pair that touches exactly, then move the probe out or in, by 2 ** -30 to 1."""
    return touching(random, pair, Fraction(random.choice((-1, 1)), 2 ** random.randint(0, 30)))


def parallel(random: Random, pair: str) -> ShapePair:
    """Make two shapes with edges along the same three directions, half of the pairs only nearly so."""
    aligned = any(JUDGED_SHAPES[(PROBES | PRIMITIVES)[word]].is_axis_aligned for word in pair.split("_"))
    axes = IDENTITY if aligned or random.random() < 0.3 else rotation(random)

    def along(row: Vec3) -> Vec3:
        return times(row, random.choice((-2.0, -1.0, -0.5, 0.5, 1.0, 2.0, random.uniform(-2, 2))))

    def frame() -> Frame:
        a, b, c = random.sample(axes, 3)
        return along(a), along(b), along(c)

    def lattice() -> Vec3:
        a, b, c = (times(row, random.randint(-2, 2) / 2) for row in axes)
        return plus(plus(a, b), c)

    loose = sampler_of(random, lambda: random.uniform(-1, 1))
    sampler = loose._replace(point=random.choice((loose.point, lattice)), frame=frame, axes=lambda: axes)
    return _one_number_moved(random, _both(pair, sampler), random.choice((0, 0, 1, 2**10, 2**20)))


def degenerate(random: Random, pair: str) -> ShapePair:
    """Make flat boxes, segments without length, collinear triangles, directions of zero."""
    steps = random.choice((1, 512))
    sampler = sampler_of(random, lambda: random.randint(-2 * steps, 2 * steps) / steps, 1 / steps)

    def size() -> Vec3:
        a, b, c = (random.choice((0.0, length)) for length in sampler.size())
        return a, b, c

    def frame() -> Frame:
        u, v, _ = sampler.frame()
        zero = 0.0, 0.0, 0.0
        collinear = times(u, random.choice((-1.0, 0.5, 2.0)))
        return random.choice(((zero, zero, zero), (zero, u, v), (u, collinear, zero), (u, v, plus(u, v))))

    return _both(pair, sampler._replace(size=size, frame=frame, axes=lambda: quarter_turns(random)))


def far_from_origin(random: Random, pair: str) -> ShapePair:
    """Move shapes of size 1 to where an ulp is between 2 ** -42 and 2 ** -4."""
    away = of_magnitude(random, 10, 48), of_magnitude(random, 10, 48), of_magnitude(random, 10, 48)
    near = sampler_of(random, lambda: random.uniform(-1, 1))
    return _both(pair, near._replace(point=lambda: plus(away, near.point())))


def extreme(random: Random, pair: str) -> ShapePair:
    """Draw coordinates from denormals to 1e308, of one magnitude or of very different ones."""
    lowest = random.randint(-1074, 1023)
    highest = min(1023, lowest + random.choice((1, 50, 2097)))
    return _both(pair, sampler_of(random, lambda: of_magnitude(random, lowest, highest)))


GENERATORS: dict[str, Callable[[Random, str], ShapePair]] = {
    generator.__name__: generator
    for generator in (
        uniform,
        log_uniform,
        integer_grid,
        nearly_touching,
        narrow_gap,
        parallel,
        degenerate,
        far_from_origin,
        extreme,
    )
}


def _both(pair: str, sampler: Sampler) -> ShapePair:
    """Make the two shapes, half of the probes aimed at the primitive."""
    probe_word, primitive_word = pair.split("_")
    probe, primitive = shape(probe_word, sampler), shape(primitive_word, sampler)
    return (aimed(probe, primitive, sampler) if sampler.random.random() < 0.5 else probe), primitive


def _one_number_moved(random: Random, shapes: ShapePair, ulps: int) -> ShapePair:
    """Add a number of ulps, of its own or of the shape's largest number, to one number of a pair.

    The pair stays as it is if a scene file could not hold the result, such as a box with min > max.
    """
    moved = list(shapes)
    chosen = random.randrange(2)
    numbers = numbers_of(shapes[chosen])
    index = random.randrange(len(numbers))
    numbers[index] += ulps * ulp(random.choice((numbers[index], max(map(abs, numbers)))))
    moved[chosen] = with_numbers(shapes[chosen], numbers)
    probe, primitive = moved if is_sound(moved[chosen]) else shapes
    return probe, primitive

"""The generators: named ways to draw blocks of cases; generator, pair, precision and block reproduce them."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np

from hitscope.geometry.arrays import Array
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.shapes import Shape
from hitscope.judge.drawing import samplers
from hitscope.judge.drawing.contacts import CORNER, EDGE, FACE, Contact, contact_on, resting
from hitscope.judge.drawing.drawn_shapes import DRAWN_SHAPES, is_sound, made_of, move, points_at
from hitscope.targets.cases import BLOCK, Cases, kinds
from hitscope.targets.judging.precisions import PRECISIONS

Kinds: TypeAlias = tuple[type[Shape], type[Shape]]
"""The types of the probes and of the primitives."""
Pairs: TypeAlias = tuple[Array, Array]
"""The rows of the probes and of the primitives."""


class Scales(NamedTuple):
    """The magnitudes that generators take from a precision."""

    spreads: tuple[int, ...]
    """The largest exponents of log_uniform; products of several coordinates stay in range."""
    reach: int
    """The largest coordinate of touching pairs: the largest integer whose pairs touch without rounding."""
    smallest_gap: int
    """The exponent of narrow_gap: gaps are at least 2 to the minus this."""
    moves: tuple[int, ...]
    """The ulps by which parallel moves a number."""
    steps: int
    """The steps of a unit of degenerate."""
    away: tuple[int, int]
    """The exponents of the distances of far_from_origin."""
    widths: tuple[int, ...]
    """The powers of two over which the magnitudes of a case of extreme range."""


SCALES = {
    "float32": Scales((2, 8, 20), 12, 20, (0, 0, 1, 2**5, 2**10), 64, (4, 19), (1, 24, 277)),
    "float64": Scales((2, 10, 60), 1000, 30, (0, 0, 1, 2**10, 2**20), 512, (10, 48), (1, 50, 2097)),
}
WIDEST = 1024
"""The pairs of `extreme` of which one has any magnitudes that there are."""
ENGINE_SIZES = np.array([1e-4 * 10**k * root for k in range(7) for root in (1.0, 1.7782, 3.1622, 5.6234)])
"""The sizes of `engine`, four in a power of ten, before each is multiplied by up to 1.7782."""
FARTHEST = 3.0
"""How far from a primitive's middle the targets are at most, in its own half sizes."""
ZEROS_OF_SIZE = 0.9921875
"""How often an ulp of a zero is that of the shape's largest number. A denormal one is rare in users' numbers, and
takes fractions to decide."""


def draw(generator: str, pair: str, block: int, real: str = "float64", count: int = BLOCK) -> Cases:
    """Return the first cases of a generator, a pair and a precision whose seeds are block * BLOCK and up."""
    _keep_freed_memory()
    random = samplers.RandomBlock(f"{generator} {pair} {real} {block}", PRECISIONS[real], count)
    with np.errstate(all="ignore"):
        (probe, as_probe), (primitive, as_primitive) = map(made_of, kinds(pair), (True, False))
        probes, primitives = GENERATORS[generator](random, (probe, primitive))
        made = as_probe(random, probes), as_primitive(random, primitives)
        # What is made of rows may be beyond the numbers that these are within.
        rows = random.precision.rounded(random.precision.clipped(np.concatenate(made)))
    return Cases.of_rows(pair, rows, real)


@cache
def _keep_freed_memory() -> None:
    """Let the C library keep the memory of freed arrays; to get it anew for each takes as long as the drawing."""
    np.empty(1 << 21)  # glibc keeps blocks up to the size of the largest that was ever freed


def uniform(random: samplers.RandomBlock, kinds: Kinds) -> Pairs:
    """Draw coordinates from [-1, 1]."""
    return _both(kinds, samplers.sampler_of(random, random.symmetric))


def log_uniform(random: samplers.RandomBlock, kinds: Kinds) -> Pairs:
    """Draw coordinates of very different magnitudes, 2 ** 120 in float64, where products still have room."""
    spread = random.choice(SCALES[random.precision.real].spreads)
    return _both(kinds, samplers.sampler_of(random, lambda *shape: random.of_magnitude(-spread, spread, *shape)))


def integer_grid(random: samplers.RandomBlock, kinds: Kinds) -> Pairs:
    """Draw small integers, so that many pairs touch, are parallel or coplanar."""
    return _both(kinds, samplers.grid_sampler(random, 3))


def engine(random: samplers.RandomBlock, kinds: Kinds) -> Pairs:
    """Draw what engines have: unit directions, sizes 1e-4 to 1e3, world coordinates up to 1, 1e2 or 1e4."""
    world = random.choice((1.0, 1e2, 1e4))

    def sizes(count: int) -> Array:
        own = random.indices(len(ENGINE_SIZES), count)
        alike = np.where(random.chance(0.5), own[0], own)  # a part of a millimetre, beside walls and needles
        return ENGINE_SIZES[alike] * (1 + 0.7782 * random.unit(count))

    def direction() -> Array:
        return samplers.unit_vectors(random.symmetric(3))

    def vectors(count: int) -> Array:
        return np.stack([direction() for _ in range(count)]) * sizes(count)[:, None]

    sampler = samplers.Sampler(
        random,
        point=lambda: random.symmetric(3) * world,
        size=lambda: sizes(3),
        vectors=vectors,
        vector=lambda: direction() * sizes(1),
        direction=direction,
        axes=lambda: samplers.rotation(random),
        fraction=random.unit,
    )
    return _both(kinds, sampler, turns=KINDS[kinds[0]].dimension == 1)


def faces(random: samplers.RandomBlock, kinds: Kinds) -> Pairs:
    """Aim probes at points inside faces, computed and rounded."""
    return _aimed_at(FACE, random, kinds)


def edges(random: samplers.RandomBlock, kinds: Kinds) -> Pairs:
    """Aim probes at points on edges, computed and rounded."""
    return _aimed_at(EDGE, random, kinds)


def vertices(random: samplers.RandomBlock, kinds: Kinds) -> Pairs:
    """Aim probes at vertices."""
    return _aimed_at(CORNER, random, kinds)


def in_plane(random: samplers.RandomBlock, kinds: Kinds) -> Pairs:
    """Lay probes into the plane of a face, half of the pairs on a grid where nothing is rounded."""
    on_grid = random.chance(0.5)

    def number(*shape: int) -> Array:
        numbers = random.symmetric(*shape)
        return np.where(on_grid, np.rint(8 * numbers) / 8, numbers)

    sampler = samplers.sampler_of(random, number)._replace(
        size=lambda: np.maximum(np.abs(number(3)), 0.125),
        axes=lambda: np.where(on_grid, samplers.quarter_turns(random), samplers.rotation(random)),
        fraction=lambda *shape: np.where(on_grid, random.integers(0, 2, *shape) / 2, random.unit(*shape)),
    )
    contact = contact_on(kinds[1], sampler, FACE)
    outward = contact.outward

    def in_plane_first(count: int) -> Array:
        lying = samplers.cross(outward, number(3)), samplers.cross(outward, number(3)), number(3)
        return np.stack(lying[:count])

    def axes() -> Array:
        normal, lying = samplers.unit_vectors(outward), samplers.unit_vectors(samplers.cross(outward, number(3)))
        other = samplers.unit_vectors(samplers.cross(normal, lying))
        upright = np.stack([normal, samplers.cross(other, normal), other])
        right = np.abs(samplers.dot(normal, other)) < 1e-9  # not where a vector was zero
        return np.where(on_grid | ~right, samplers.quarter_turns(random), upright)

    moved = contact.point + samplers.cross(outward, number(3)) * random.integers(0, 1)
    sides = outward * random.choice((-1.0, 1.0, 1.0))
    lying = sampler._replace(vectors=in_plane_first, axes=axes)
    there = Contact(contact.primitives, moved, sides, lying=1.0)
    return resting(kinds[0], lying, there), contact.primitives


def nearly_touching(random: samplers.RandomBlock, kinds: Kinds) -> Pairs:
    """Make pairs that touch exactly, then change one number of each by at most 4 ulps."""
    pairs = touching(random, kinds)
    move_one_number(random, kinds, pairs, random.integers(-4, 4))
    return pairs


def narrow_gap(random: samplers.RandomBlock, kinds: Kinds) -> Pairs:
    """Make pairs that touch exactly, then move the probes out or in, by 1 to 2 ** -30 (float32: 2 ** -20)."""
    smallest = SCALES[random.precision.real].smallest_gap
    return touching(random, kinds, random.choice((-1, 1)) * samplers.powers_of_two(random.integers(-smallest, 0)))


def touching(random: samplers.RandomBlock, kinds: Kinds, gap: Array | float = 0.0) -> Pairs:
    """Make pairs that touch exactly, at a corner, along an edge or in a face of either.

    A gap moves the probes out by that much along one axis, or in if it is negative; that may round.
    """
    sampler = samplers.grid_sampler(random, random.choice((3, SCALES[random.precision.real].reach)))
    contact = contact_on(kinds[1], sampler, random.integers(FACE, CORNER))
    probes = resting(kinds[0], sampler, contact._replace(lying=0.6, leaving=0.4))
    move(kinds[0], probes, contact.outward * (gap / np.abs(contact.outward).max(axis=0)))
    return probes, contact.primitives


def parallel(random: samplers.RandomBlock, kinds: Kinds) -> Pairs:
    """Make two shapes with edges along the same three directions, half of the pairs only nearly so."""
    aligned = any(DRAWN_SHAPES[kind].is_axis_aligned for kind in kinds)
    axes = np.where(aligned | random.chance(0.3), samplers.IDENTITY, samplers.rotation(random))
    on_lattice = random.chance(0.5)

    def vectors(count: int) -> Array:
        order = (random.indices(3) + np.arange(count)[:, None] * random.choice((1, 2))).astype(np.intp) % 3
        factors = random.choice((-2.0, -1.0, -0.5, 0.5, 1.0, 2.0, 0.0), count)
        factors = np.where(factors == 0, 2 * random.symmetric(count), factors)
        return np.take_along_axis(axes, order[:, None], axis=0) * factors[:, None]

    def point() -> Array:
        a, b, c = random.integers(-2, 2, 3) / 2
        return np.where(on_lattice, a * axes[0] + b * axes[1] + c * axes[2], random.symmetric(3))

    sampler = samplers.along_vectors(samplers.sampler_of(random, random.symmetric), vectors)
    pairs = _both(kinds, sampler._replace(point=point, axes=lambda: axes))
    move_one_number(random, kinds, pairs, random.choice(SCALES[random.precision.real].moves))
    return pairs


def degenerate(random: samplers.RandomBlock, kinds: Kinds) -> Pairs:
    """Make flat boxes, segments without length, collinear triangles, directions of zero."""
    steps = random.choice((1, SCALES[random.precision.real].steps))

    def number(*shape: int) -> Array:
        return random.integers(-2 * steps, 2 * steps, *shape) / steps

    def vectors(count: int) -> Array:
        u, v = number(2, 3)
        zero, collinear, flat = np.zeros_like(u), u * random.choice((-1.0, 0.5, 2.0)), u + v
        rows = (zero, zero, u, u), (zero, u, collinear, v), (zero, v, zero, flat)
        case = random.indices(4)
        return np.stack([np.choose(case, row) for row in rows[:count]])

    sampler = samplers.along_vectors(samplers.sampler_of(random, number), vectors)._replace(
        size=lambda: np.abs(number(3)) * random.integers(0, 1, 3),
        axes=lambda: samplers.quarter_turns(random),
        step=1 / steps,
    )
    return _both(kinds, sampler)


def far_from_origin(random: samplers.RandomBlock, kinds: Kinds) -> Pairs:
    """Move shapes of size 1 to where an ulp is between 2 ** -42 and 2 ** -4, in float32 from 2 ** -19."""
    away = random.of_magnitude(*SCALES[random.precision.real].away, 3)
    near = samplers.sampler_of(random, random.symmetric)
    return _both(kinds, near._replace(point=lambda: away + random.symmetric(3)))


def extreme(random: samplers.RandomBlock, kinds: Kinds) -> Pairs:
    """Draw coordinates from denormals to the largest numbers, of one magnitude, of similar and seldom of any ones.

    Pairs of any magnitudes are decided by fractions, each in the time of a thousand others.
    """
    precision = random.precision
    lowest = random.integers(precision.lowest, precision.highest)
    narrow, wide, widest = SCALES[precision.real].widths
    width = np.where(random.chance(1 / WIDEST), widest, random.choice((narrow, wide)))
    highest = np.minimum(lowest + width, precision.highest)
    sampler = samplers.sampler_of(random, lambda *shape: random.of_magnitude(lowest, highest, *shape))
    probes, primitives = _both(kinds, sampler)
    return precision.clipped(probes), precision.clipped(primitives)


Generator: TypeAlias = Callable[[samplers.RandomBlock, Kinds], Pairs]
GENERATORS: dict[str, Generator] = {
    generator.__name__: generator
    for generator in (
        *(uniform, log_uniform, integer_grid, engine, faces, edges, vertices, in_plane),
        *(nearly_touching, narrow_gap, parallel, degenerate, far_from_origin, extreme),
    )
}
"""The generators by name; a docstring says what one is aimed at."""


def _both(kinds: Kinds, sampler: samplers.Sampler, turns: bool = False) -> Pairs:
    """Make both shapes, half of the probes aimed at the primitive: moved, or turned."""
    probes, solids = (DRAWN_SHAPES[kind].draw(sampler) for kind in kinds)
    (_turn_half if turns else _move_half)(kinds, probes, solids, sampler)
    return probes, DRAWN_SHAPES[kinds[1]].made(sampler, solids)


def _aimed_at(feature: int, random: samplers.RandomBlock, kinds: Kinds) -> Pairs:
    """Draw probes that pass through contacts on a feature, leave them outwards, or lie in their supporting planes.

    Coordinates are off by an ulp now and then, as the points on a box along the coordinate axes do not round.
    """
    sampler = samplers.sampler_of(random, random.symmetric)
    contact = contact_on(kinds[1], sampler, feature)
    by = random.precision.ulps(random.precision.rounded(contact.point)) * random.choice((-1, 0, 0, 0, 1), 3)
    near = contact._replace(point=contact.point + by, lying=1 / 3, leaving=1 / 3)
    return resting(kinds[0], sampler, near), contact.primitives


def _move_half(kinds: Kinds, probes: Array, solids: Array, sampler: samplers.Sampler) -> None:
    """Move half of the probes, in place, by multiples of the sampler's step, onto points in or near primitives."""
    random = sampler.random
    own = points_at(kinds[0], probes, _coordinates(kinds[0], random, 1.0))
    by = _targets(kinds[1], solids, own, sampler) - own
    if sampler.step is not None:
        by = np.rint(by / sampler.step) * sampler.step
    move(kinds[0], probes, np.where(np.isfinite(by).all(axis=0) & random.chance(0.5), by, 0.0))


def _turn_half(kinds: Kinds, probes: Array, solids: Array, sampler: samplers.Sampler) -> None:
    """Turn half of linear probes, in place, to points in or near primitives; segments end before or behind."""
    target = _targets(kinds[1], solids, sampler.point(), sampler)
    random, start = sampler.random, probes[:3]
    if DRAWN_SHAPES[kinds[0]].points == 1:
        turned = samplers.unit_vectors(target - start)
    else:
        turned = start + (target - start) * (2 * random.unit())
    probes[3:] = np.where(random.chance(0.5), turned, probes[3:])


def _targets(kind: type[Shape], solids: Array, own: Array, sampler: samplers.Sampler) -> Array:
    """Draw points in and around primitives, a third of them surely inside; of planes those closest to `own`."""
    if (target := DRAWN_SHAPES[kind].target) is not None:
        return target(solids, own)
    return points_at(kind, solids, _coordinates(kind, sampler.random, FARTHEST * sampler.random.unit()))


def _coordinates(kind: type[Shape], random: samplers.RandomBlock, stretch: Array | float) -> Array:
    """Draw the coordinates of points of shapes, their distances from the middle times `stretch`."""
    count = KINDS[kind].dimension
    inner, middle = random.unit(count), 0.5
    if count == 2:
        inner, middle = np.where(inner.sum(axis=0) > 1, 1 - inner, inner), 1 / 3
    coordinates: Array = middle + stretch * (inner - middle)
    return coordinates


def move_one_number(random: samplers.RandomBlock, kinds: Kinds, pairs: Pairs, ulps: Array) -> None:
    """Add ulps (n,), of its own or of the shape's largest number, to one number of each pair, in place.

    A pair stays as it is if a scene file could not hold the result, such as a box with min > max.
    """
    of_probe = random.chance(0.5)
    for kind, rows, chosen in zip(kinds, pairs, (of_probe, ~of_probe), strict=True):
        index, by = DRAWN_SHAPES[kind].movable(random, rows, ulps)
        place = index, np.arange(len(index))
        own = rows[place]
        of_size = random.unit() < np.where(own == 0, ZEROS_OF_SIZE, 0.5)
        sizes = np.where(of_size, np.fmax.reduce(np.abs(rows)), np.abs(own))
        moved = rows.copy()
        moved[place] += by * random.precision.ulps(sizes)
        holds = is_sound(kind, random.precision.rounded(moved))
        np.copyto(rows, moved, where=holds & chosen & (by != 0))

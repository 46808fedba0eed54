"""The random numbers of a block, and the samplers made of them: points, sizes, vectors and axes of shapes.

Each word of random bits is a hash of its place (Steele, Lea and Flood 2014), so that a block is the same on every
machine and with every NumPy. Words become numbers by shifts, additions and products that IEEE 754 rounds the same
everywhere; no number passes through a mathematics library.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import permutations
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry import vector
from hitscope.geometry.arrays import Array
from hitscope.targets.cases import BLOCK
from hitscope.targets.judging.precisions import Precision

STEP = 0x9E3779B97F4A7C15
"""The step from the state of a case's word to that of the next case, modulo 2 ** 64."""
LEAST_NORMAL = -1022
"""The exponent of the smallest normal number of float64."""
ONE_Z = np.array([[0.0], [0.0], [1.0]])
IDENTITY = np.eye(3)[:, :, None]
ORDERS = np.array(list(permutations(range(3)))).T
"""The orders of three axes, a column each: (3, 6)."""


class RandomBlock:
    """Random arrays for the first n cases of a block, each call giving new ones, of shape (*shape, n)."""

    def __init__(self, seed: str, precision: Precision, count: int = BLOCK) -> None:
        """Start from a text; the first cases are the same however many there are."""
        first = int.from_bytes(sha256(seed.encode()).digest()[:8], "little")
        self.precision = precision
        self._states = np.arange(count, dtype=np.uint64) * np.uint64(STEP) + np.uint64(first)
        """The state of the first word of each case; (n,)."""
        self._drawn = 0

    def symmetric(self, *shape: int) -> Array:
        """Draw numbers of the precision from [-1, 1)."""
        return self._between_powers(1, self.precision.mantissa_bits, *shape) - 3.0

    def unit(self, *shape: int) -> Array:
        """Draw multiples of 2 ** -32 from [0, 1)."""
        return self._between_powers(0, 32, *shape) - 1.0

    def integers(self, lowest: Any, highest: Any, *shape: int) -> Array:
        """Draw whole numbers, both ends included; the ends may be arrays (n,)."""
        numbers: Array = np.floor(self.unit(*shape) * (highest - lowest + 1)) + lowest
        return numbers

    def chance(self, probability: float) -> NDArray[np.bool_]:
        """Draw true with a probability."""
        return self.unit() < probability

    def choice(self, values: Sequence[float], *shape: int) -> Array:
        """Draw one of some values, each as likely."""
        return np.array(values, dtype=np.float64)[self.indices(len(values), *shape)]

    def indices(self, count: int, *shape: int) -> NDArray[np.intp]:
        """Draw indices below a count."""
        return (self.unit(*shape) * count).astype(np.intp)

    def of_magnitude(self, lowest: Any, highest: Any, *shape: int) -> Array:
        """Draw numbers of either sign, from 2 ** lowest to 2 ** (highest + 1), any power of two as likely.

        The ends may be arrays (n,). Below the normal numbers of float64 the result is rounded.
        """
        dropped = 52 - self.precision.mantissa_bits
        words = self._words(*shape)
        words &= np.uint64(0x800FFFFFFFFFFFFF >> dropped << dropped)
        words |= np.uint64(1023 << 52)
        exponents = self.integers(lowest, highest, *shape)
        normal = np.maximum(exponents, LEAST_NORMAL)
        return words.view(np.float64) * powers_of_two(normal) * powers_of_two(exponents - normal)

    def _between_powers(self, exponent: int, bits: int, *shape: int) -> Array:
        """Draw numbers from 2 ** exponent to below its double, of so many bits behind the first."""
        words = self._words(*shape)
        words >>= np.uint64(64 - bits)
        words <<= np.uint64(52 - bits)
        words |= np.uint64(1023 + exponent << 52)
        return words.view(np.float64)

    def _words(self, *shape: int) -> NDArray[np.uint64]:
        places = np.arange(self._drawn, self._drawn + prod(shape), dtype=np.uint64)
        self._drawn += places.size
        words = (places * np.uint64(BLOCK) * np.uint64(STEP)).reshape(*shape, 1) + self._states
        words ^= words >> np.uint64(30)
        words *= np.uint64(0xBF58476D1CE4E5B9)
        words ^= words >> np.uint64(27)
        words *= np.uint64(0x94D049BB133111EB)
        words ^= words >> np.uint64(31)
        return words


def powers_of_two(exponents: Array) -> Array:
    """Return 2 ** e of whole numbers from -1022 to 1023."""
    powers: Array = (exponents.astype(np.int64) + 1023 << 52).view(np.float64)
    return powers


class Sampler(NamedTuple):
    """The random parts of which the shapes of a block are made; each call draws new ones."""

    random: RandomBlock
    point: Callable[[], Array]
    """(3, n)."""
    size: Callable[[], Array]
    """Three lengths, not negative: (3, n)."""
    vectors: Callable[[int], Array]
    """So many vectors of any length and direction: (k, 3, n)."""
    vector: Callable[[], Array]
    """One vector, (3, n), along one of such vectors or in the plane of two."""
    direction: Callable[[], Array]
    """The direction of a ray or line, or the normal of a plane, (3, n)."""
    axes: Callable[[], Array]
    """Three unit vectors at right angles, as well as the precision has them: (3, 3, n)."""
    fraction: Callable[..., Array]
    """Numbers from 0 to 1: (*shape, n)."""
    step: Any = None
    """All numbers are multiples of it, a number or (n,), so small that no sum of products rounds; else None."""

    def normals(self, *shape: int) -> Array:
        """Draw directions that are not zero."""
        normals = np.stack([self.direction() for _ in range(int(np.prod(shape)))])
        return np.where((normals != 0).any(axis=1, keepdims=True), normals, ONE_Z).reshape(*shape, 3, -1)


def sampler_of(random: RandomBlock, number: Callable[..., Array]) -> Sampler:
    """Return a sampler of points and vectors of three such numbers each, and of boxes with any rotation."""
    return Sampler(
        random,
        point=lambda: number(3),
        size=lambda: np.abs(number(3)),
        vectors=lambda count: number(count, 3),
        vector=lambda: number(3),
        direction=lambda: number(3),
        axes=lambda: rotation(random),
        fraction=random.unit,
    )


def grid_sampler(random: RandomBlock, reach: Any) -> Sampler:
    """Return a sampler of integers from -`reach`, a number or (n,), to it, and of boxes along the axes."""
    whole = sampler_of(random, lambda *shape: random.integers(-reach, reach, *shape))
    return whole._replace(
        size=lambda: random.integers(1, reach, 3),
        axes=lambda: quarter_turns(random),
        fraction=lambda *shape: random.integers(0, 2, *shape) / 2,
        step=1.0,
    )


def along_vectors(sampler: Sampler, vectors: Callable[[int], Array]) -> Sampler:
    """Return the sampler with other vectors; single ones are along an edge of a frame, or in one of its faces."""

    def vector() -> Array:
        u, v = vectors(2)
        chosen: Array = u + np.where(sampler.random.chance(0.5), 0.0, v)
        return chosen

    return sampler._replace(vectors=vectors, vector=vector, direction=vector)


def rotation(random: RandomBlock) -> Array:
    """Draw the axes of boxes: along the coordinate axes, or with any rotation."""
    return np.where(random.chance(0.5), quarter_turns(random), _of_quaternions(random.symmetric(4)))


def quarter_turns(random: RandomBlock) -> Array:
    """Draw the coordinate axes in any order, each with either sign."""
    orders = ORDERS[:, random.indices(6)]
    return np.where(orders[:, None] == np.arange(3)[:, None], random.choice((-1.0, 1.0), 3)[:, None], 0.0)


def _of_quaternions(quaternions: Array) -> Array:
    x, y, z, w = quaternions
    vectors = x * x + y * y + z * z
    w = np.where(vectors + w * w < 2.0**-20, 1.0, w)
    s = 2 / (vectors + w * w)
    sx, sy, sz = s * x, s * y, s * z
    xx, xy, xz, xw = sx * x, sx * y, sx * z, sx * w
    yy, yz, yw, zz, zw = sy * y, sy * z, sy * w, sz * z, sz * w
    first, second = (1 - (yy + zz), xy + zw, xz - yw), (xy - zw, 1 - (xx + zz), yz + xw)
    return np.stack([*first, *second, xz + yw, yz - xw, 1 - (xx + yy)]).reshape(3, 3, -1)


def cross(a: Array, b: Array) -> Array:
    """Return the cross products (3, n)."""
    return np.stack(vector.cross(a, b))  # type: ignore[arg-type]


def dot(a: Array, b: Array) -> Array:
    """Return the dot products (n,)."""
    products: Array = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return products


def unit_vectors(vectors: Array) -> Array:
    """Return vectors (3, n) of length 1; those shorter than 2 ** -30 become the third coordinate axis."""
    squares = dot(vectors, vectors)
    short = squares < 2.0**-60
    return np.where(short, ONE_Z, vectors / np.sqrt(np.where(short, 1.0, squares)))

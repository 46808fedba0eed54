"""Samplers: the random points, sizes, vectors and axes of which the shapes of a block are made."""

from collections.abc import Callable
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from hitscope.geometry import vector
from hitscope.geometry.arrays import Array
from hitscope.judge.drawing.random_blocks import RandomBlock

ZERO, ONE_Z = np.zeros((3, 1)), np.array([[0.0], [0.0], [1.0]])
IDENTITY = np.eye(3)[:, :, None]

ORDERS = np.array(list(permutations(range(3))))
"""The orders of three axes: (6, 3)."""


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
    orders = np.choose(random.indices(len(ORDERS)), ORDERS[:, :, None])
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

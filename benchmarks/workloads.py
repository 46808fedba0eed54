"""The shapes and rays that are measured, the same in every run.

All numbers are float32 values held in float64, so that contenders of either precision get the same geometry.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Shapes
from hitscope.geometry.shapes import Aabb, Obb, Ray, Segment, Sphere, Triangle

Floats: TypeAlias = NDArray[np.float64]


class IndexedMesh(NamedTuple):
    """A triangle mesh."""

    vertices: Floats  # (n, 3)
    faces: NDArray[np.int32]  # (m, 3)

    @property
    def triangles(self) -> Shapes:
        """The faces as triangles."""
        return Shapes.from_fields(Triangle, *(self.vertices[self.faces[:, k]] for k in range(3)))


class Rays:
    """m rays in all the forms that contenders take, so that converting them is not measured."""

    def __init__(self, origins: Floats, directions: Floats) -> None:
        """Convert origins and directions, (m, 3) each."""
        self.origins = origins
        self.directions = directions
        self.shapes = Shapes.from_fields(Ray, origins, directions)
        self.origins32 = np.ascontiguousarray(origins, dtype=np.float32)
        self.directions32 = np.ascontiguousarray(directions, dtype=np.float32)
        self.joined32 = np.hstack((self.origins32, self.directions32))  # (m, 6)

    def __len__(self) -> int:
        """The number of rays, m."""
        return len(self.origins)

    def first(self, count: int) -> "Rays":
        """Return the first `count` rays."""
        return self if count >= len(self) else Rays(self.origins[:count], self.directions[:count])

    def one_by_one(self) -> "list[Rays]":
        """Return each ray as a bundle of its own."""
        return [Rays(self.origins[k : k + 1], self.directions[k : k + 1]) for k in range(len(self))]


def aabbs(count: int) -> Shapes:
    """Scatter boxes in the cube -1 .. 1, with sizes proportional to count ** (-1 / 3)."""
    center, half = _centers(count), _sizes(count)
    return Shapes.from_fields(Aabb, _single(center - half), _single(center + half))


def obbs(count: int) -> Shapes:
    """Scatter boxes of any orientation, sized as by `aabbs`."""
    axes, _ = np.linalg.qr(_random(2).normal(size=(count, 3, 3)))
    return Shapes.from_fields(Obb, _single(_centers(count)), _single(_sizes(count)), axes)


def spheres(count: int) -> Shapes:
    """Scatter spheres, sized as by `aabbs`."""
    return Shapes.from_fields(Sphere, _single(_centers(count)), _single(_sizes(count))[:, 0])


def triangles(count: int) -> Shapes:
    """Scatter triangles."""
    corner, random = _centers(count), _random(3)
    others = (corner + count ** (-1 / 3) * random.uniform(-1, 1, (count, 3)) for _ in range(2))
    return Shapes.from_fields(Triangle, _single(corner), *map(_single, others))


def segments(count: int, length: float = 1) -> Shapes:
    """Scatter segments of one length in the cube, in any direction."""
    random = _random(4)
    start, direction = random.uniform(-0.6, 0.6, (count, 3)), _directions(count, 5)
    return Shapes.from_fields(Segment, _single(start), _single(start + length * direction))


def large_triangles(count: int) -> Shapes:
    """Scatter triangles as large as the cube."""
    return Shapes.from_fields(Triangle, *(_single(_random(6 + k).uniform(-1, 1, (count, 3))) for k in range(3)))


def asteroid(count: int) -> IndexedMesh:
    """Return a sphere with bumps of ever smaller size, made of a cube's six grids; it has about `count` faces."""
    n = round((count / 12) ** 0.5)
    u, v = (grid.ravel() for grid in np.meshgrid(*[np.linspace(-1, 1, n + 1)] * 2, indexing="ij"))
    sides = [np.stack((sign * np.ones_like(u), sign * u, v), -1) for sign in (1, -1)]
    vertices = np.concatenate([np.roll(side, k, axis=1) for k in range(3) for side in sides])
    vertices /= np.linalg.norm(vertices, axis=1, keepdims=True)
    bumps = sum(np.sin(3 * 2**k * vertices + k).prod(axis=1) / 2**k for k in range(6))
    side = _grid_faces(n)
    faces = np.concatenate([side + k * (n + 1) ** 2 for k in range(6)])
    return IndexedMesh(_single(vertices * (1 + 0.1 * bumps)[:, None]), faces)


def terrain(count: int) -> IndexedMesh:
    """Return a height field over the square -1 .. 1 with small boxes on it, half of the `count` faces."""
    n = round((count / 4) ** 0.5)
    x, y = (grid.ravel() for grid in np.meshgrid(*[np.linspace(-1, 1, n + 1)] * 2, indexing="ij"))

    def height(x: Floats, y: Floats) -> Floats:
        waves = (np.sin(2.3 * 2**k * x + k) * np.cos(1.9 * 2**k * y - k) / 2**k for k in range(6))
        sums: Floats = 0.15 * np.sum(list(waves), axis=0)
        return sums

    objects = max(1, count // 24)
    random = _random(9)
    xy = random.uniform(-1, 1, (objects, 2))
    foot = np.column_stack((xy, height(xy[:, 0], xy[:, 1])))
    half = random.uniform(0.2, 1, (objects, 3)) / objects**0.5
    boxes = mesh_of(Shapes.from_fields(Aabb, foot - half, foot + half * (1, 1, 3)))
    ground = np.column_stack((x, y, height(x, y)))
    return IndexedMesh(
        np.concatenate((_single(ground), _single(boxes.vertices))),
        np.concatenate((_grid_faces(n), boxes.faces + len(ground))).astype(np.int32),
    )


MESHES: dict[str, Callable[[int], IndexedMesh]] = {"asteroid": asteroid, "terrain": terrain}


def mesh_of(boxes: Shapes) -> IndexedMesh:
    """Return the surfaces of axis-aligned boxes, twelve triangles each."""
    bounds = boxes.rows.reshape(2, 3, -1)
    corners = [[bounds[k >> axis & 1, axis] for axis in range(3)] for k in range(8)]
    vertices = np.moveaxis(np.array(corners), 2, 0).reshape(-1, 3)
    quads = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    faces = np.array([(q[0], q[k], q[k + 1]) for q in quads for k in (1, 2)], dtype=np.int32)
    first = 8 * np.arange(len(boxes), dtype=np.int32)
    return IndexedMesh(vertices, (first[:, None, None] + faces).reshape(-1, 3))


def incoherent_rays(count: int) -> Rays:
    """Return rays from all around, each towards another point in the cube -1 .. 1."""
    origins = 3 * _directions(count, 7)
    return Rays(_single(origins), _single(_random(8).uniform(-1, 1, (count, 3)) - origins))


def camera_rays(count: int) -> Rays:
    """Return the rays through the pixels of a square picture of the cube's middle, seen from outside."""
    n = round(count**0.5)
    eye = np.array((1.2, -2.2, 1.6))
    forward = -eye / np.linalg.norm(eye)
    right = np.cross(forward, (0, 0, 1))
    right /= np.linalg.norm(right)
    across, down = np.meshgrid(*[(np.arange(n) + 0.5) / n - 0.5] * 2, indexing="xy")
    directions = forward + across[..., None] * right - down[..., None] * np.cross(right, forward)
    return Rays(_single(np.tile(eye, (n * n, 1))), _single(directions.reshape(-1, 3)))


RAYS: dict[str, Callable[[int], Rays]] = {"incoherent": incoherent_rays, "camera": camera_rays}


def _random(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def _single(numbers: Floats) -> Floats:
    return numbers.astype(np.float32).astype(np.float64)


def _centers(count: int) -> Floats:
    return _random(0).uniform(-1, 1, (count, 3))


def _sizes(count: int) -> Floats:
    sizes: Floats = count ** (-1 / 3) * _random(1).uniform(0.2, 1, (count, 3))
    return sizes


def _directions(count: int, seed: int) -> Floats:
    vectors = _random(seed).normal(size=(count, 3))
    unit: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def _grid_faces(n: int) -> NDArray[np.int32]:
    index = np.arange((n + 1) ** 2, dtype=np.int32).reshape(n + 1, n + 1)
    a, b, c, d = (part.ravel() for part in (index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]))
    return np.concatenate((np.stack((a, b, c), -1), np.stack((a, c, d), -1)))

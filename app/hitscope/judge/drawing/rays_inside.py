"""Rays that start inside a closed mesh, aimed at its parts, and the triangles that they pass close to."""

from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import HitscopeError
from hitscope.geometry.arrays import Array, Shapes
from hitscope.geometry.bvh import Tree
from hitscope.geometry.exact.pairwise import PairVerdicts, decide
from hitscope.geometry.shapes import Aabb, Ray, Triangle
from hitscope.judge.drawing.closed_mesh import ClosedMesh, Indices, read_closed_mesh
from hitscope.judge.drawing.samplers import ONE_Z, RandomBlock, unit_vectors
from hitscope.targets.cases import BLOCK, Reals
from hitscope.targets.judging.precisions import PRECISIONS

AIMS = ("random", "faces", "edges", "vertices")
"""At what rays are aimed: in any direction, or at a random point of a random face or edge, or at a vertex."""

ENOUGH = 512
"""The different origins of a block, from which on no more are drawn; its other rays start there, too."""
MOST_DRAWS = 256
"""The blocks of points of which one has to be inside."""
SAVED_BLOCKS = 64
"""The blocks whose origins are kept for the rays of the next aims."""
TRIES = 4
"""The rays from a point by which is decided whether it is inside: the first that touches no edge or vertex."""
MARGIN, ROUNDINGS = 0.125, 64
"""A ray is close that meets a triangle's bounds, widened by a share of their size and these ulps of the mesh."""


class RaysInside:
    """The rays inside a mesh: those of a block of seeds are the same on every machine."""

    def __init__(self, mesh: ClosedMesh, most_draws: int = MOST_DRAWS) -> None:
        """Build a hierarchy over the bounds of the triangles; `most_draws` is MOST_DRAWS."""
        self._most_draws = most_draws
        self.mesh = mesh
        self._real = mesh.vertices.dtype
        self._corners = mesh.vertices.astype(np.float64)
        self.numbers = mesh.numbers
        """The triangles' numbers: (n, 9)."""
        self._rows = np.ascontiguousarray(self.numbers.T, dtype=np.float64)
        corners = self._rows.reshape(3, 3, -1)
        lo, hi = corners.min(axis=0), corners.max(axis=0)
        ulps = float(np.finfo(self._real).eps * np.abs(self._corners).max()) * ROUNDINGS
        margin = (hi - lo).max(axis=0) * MARGIN + ulps
        self._tree = Tree(Shapes(Aabb, np.concatenate([lo - margin, hi + margin])))
        self.origins = lru_cache(SAVED_BLOCKS)(self._draw_origins)
        """The origins of a block, which all aims share."""

    def _draw_origins(self, block: int) -> Reals:
        """Draw the origins of a block, strictly inside: (BLOCK, 3); raises HitscopeError where none is found."""
        random = self._random("origins", block)
        lo, hi = self._corners.min(axis=0), self._corners.max(axis=0)
        found: list[Reals] = []
        for _ in range(self._most_draws):
            points = (lo[:, None] + (hi - lo)[:, None] * random.unit(3)).T.astype(self._real)
            found.append(points[self.are_inside(points, random)])
            if sum(map(len, found)) >= ENOUGH:
                break
        inside = np.concatenate(found)
        if not len(inside):
            tried = f"{self._most_draws * BLOCK} points in its bounds"
            raise HitscopeError(f"expected a mesh with room inside, found none of {tried} inside")
        return inside[np.arange(BLOCK) % len(inside)]

    def are_inside(self, points: Reals, random: RandomBlock) -> NDArray[np.bool_]:
        """Whether each of at most BLOCK points is strictly inside: (n,).

        From there a ray that touches no edge or vertex crosses an odd number of triangles, all behind its start. A
        point that has no such ray among those tried counts as outside.
        """
        inside, left = np.zeros(len(points), np.bool_), np.arange(len(points))
        for directions in [unit_vectors(random.symmetric(3)) for _ in range(TRIES)]:
            rays = np.concatenate([points[left].astype(np.float64), directions[:, left].T], axis=1)
            owners, triangles = self.close_to(rays)
            hits, strict = self.met(rays[owners], triangles)
            crossings = np.bincount(owners[hits], minlength=len(left))
            is_clear = crossings == np.bincount(owners[strict], minlength=len(left))
            inside[left[is_clear]] = crossings[is_clear] % 2 == 1
            left = left[~is_clear]
        return inside

    def aimed(self, aim: str, block: int) -> Reals:
        """Draw the rays of a block with one of AIMS: (BLOCK, 6), their directions rounded."""
        origins, random = self.origins(block), self._random(aim, block)
        if aim == "random":
            rounded = unit_vectors(random.symmetric(3)).astype(self._real)
        else:
            rounded = (self._targets(aim, random) - origins.T.astype(np.float64)).astype(self._real)
        return np.concatenate([origins, np.where(rounded.any(axis=0), rounded, ONE_Z).T], axis=1, dtype=self._real)

    def _targets(self, aim: str, random: RandomBlock) -> Array:
        """Draw random points of random faces or edges, or vertices: (3, BLOCK), in float64."""
        vertices = np.arange(len(self._corners))[:, None]
        parts = {"faces": self.mesh.triangles, "edges": self.mesh.edges, "vertices": vertices}[aim]
        corners = self._corners[parts[random.indices(len(parts))]].transpose(1, 2, 0)
        weights = random.unit(len(corners)) + 2.0**-33
        points: Array = (corners * (weights / weights.sum(axis=0))[:, None]).sum(axis=0)
        return points

    def close_to(self, rays: Reals) -> tuple[Indices, NDArray[np.int32]]:
        """Return the pairs of one of m rays (m, 6) and a triangle that it passes close to: the indices of both.

        Those of a ray are together: all that it meets, and those that a test with rounding may find to be met.
        """
        close = self._tree.all(_shapes(rays))
        return np.repeat(np.arange(len(rays)), np.diff(close.first)), close.elements

    def met(self, rays: Reals, triangles: NDArray[np.int32]) -> PairVerdicts:
        """Return which of rays (n, 6) meet the triangle with each of these numbers, without rounding."""
        return decide(_shapes(rays), Shapes(Triangle, np.ascontiguousarray(self._rows[:, triangles])))

    def _random(self, what: str, block: int) -> RandomBlock:
        precision = PRECISIONS[self._real.name]
        return RandomBlock(f"{what} of a mesh in {precision.real}, block {block}", precision)


@cache
def rays_inside(file: Path, real: str) -> RaysInside:
    """Return the rays inside the mesh of a file, which stay in the process; raises HitscopeError."""
    return RaysInside(read_closed_mesh(file, real))


def _shapes(rays: Reals) -> Shapes:
    return Shapes(Ray, np.ascontiguousarray(rays.T, dtype=np.float64))

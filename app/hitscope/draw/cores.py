"""The cores of rounded shapes in the frame of a ball around all, for pictures and never for a verdict."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from hitscope.draw.intervals import ParametricLine, round_intervals
from hitscope.geometry import exact
from hitscope.geometry.arrays import LARGEST, Array, finite
from hitscope.geometry.shapes import Rounded

FLAT = 1e-6
"""The thickness that a flat core has in pictures, in sizes of the ball."""


@dataclass(eq=False, frozen=True)
class Core:
    """The polytope that a rounded shape is around, in the frame of its ball: of radius 1, around the origin."""

    center: Array  # (3,) of the ball, in scene units
    size: float
    """The radius of the ball, in scene units."""
    edges: Array  # (m, 2, 3)
    planes: Array  # (k, 4): the points of the core have dot(normal, p) <= offset
    radius: float
    """The radius of the rounding, of at most 1."""
    bounds: Array  # (2, 3) the lowest and the highest coordinates of the rounded shape, in scene units

    @property
    def extremes(self) -> Array:
        """Its bounds (2, 3) in the frame of the ball."""
        return np.asarray((self.bounds - self.center) / self.size)

    @property
    def texels(self) -> Array:
        """The numbers (1 + k + 2 m, 4) that shaders read: counts and radius, planes, and the ends of edges."""
        head = [(self.radius, len(self.planes), len(self.edges), 0.0)]
        ends = np.insert(self.edges.reshape(-1, 3), 3, 0.0, axis=1)
        return np.concatenate([np.array(head), self.planes, ends])

    def interval(self, line: ParametricLine) -> tuple[float, float]:
        """The interval of t in which a line, in the frame of the ball, is in the rounded shape; NaN for none."""
        starts, ends = self.edges.transpose(1, 0, 2)
        found = [round_intervals(line, starts, ends, np.full(len(starts), self.radius))]
        normals, offsets = self.planes[:, :3], self.planes[:, 3]
        room, speed = offsets + self.radius - normals @ line.origin, normals @ line.direction
        with np.errstate(all="ignore"):
            t = room / speed
        for border in t[speed != 0]:
            point = line.origin + border * line.direction
            i = np.abs(normals @ point - offsets - self.radius).argmin()
            if (normals @ (point - self.radius * normals[i]) <= offsets + FLAT).all():
                found.append(np.array([[border, border]]))
        met = np.concatenate(found)
        met = met[~np.isnan(met[:, 0])]
        if not len(met):
            return np.nan, np.nan
        near, far = max(met[:, 0].min(), line.t_min), min(met[:, 1].max(), line.t_max)
        return (float(near), float(far)) if near <= far else (np.nan, np.nan)


@lru_cache(256)
def core_of(shape: Rounded) -> Core:
    """The core of a rounded shape; its ball is around the middle of the core's bounds."""
    polygons = [np.array(list(map(exact.rounded_point, cycle))) for cycle in exact.faces(shape.inner)]
    corners = np.concatenate(polygons)
    low, high = corners.min(axis=0), corners.max(axis=0)
    center = low / 2 + high / 2
    reach = float(np.linalg.norm((corners / 4 - center / 4), axis=1).max()) * 4
    size = min(reach + float(shape[-1]), LARGEST)
    scaled = [(polygon - center) / size for polygon in polygons]
    cycles = [np.vstack([polygon, polygon[:1]]).tolist() for polygon in scaled]
    sides = {tuple(sorted(map(tuple, side))) for cycle in cycles for side in pairwise(cycle)}
    edges = sorted(side for side in sides if side[0] != side[1]) or sorted(sides)
    planes = _planes(scaled, exact.dimension(shape.inner))
    with np.errstate(over="ignore"):
        bounds = finite(np.array([low - shape[-1], high + shape[-1]]))
    return Core(center, size, np.array(edges), planes, float(shape[-1]) / size, bounds)


def _planes(polygons: list[Array], dimension: int) -> Array:
    """The half-spaces (k, 4) of faces; of a flat core those of both its sides, and those across its edges."""
    planes: list[Array] = []
    for polygon in polygons:
        arms = polygon - polygon[0]
        normal = np.cross(arms, np.roll(arms, -1, axis=0)).sum(axis=0)
        length = np.linalg.norm(normal)
        if not length or dimension < 2:
            continue
        normal /= length
        ways = [normal]
        if dimension == 2:
            ahead = np.roll(polygon, -1, axis=0) - polygon
            ways += [-normal, *np.cross(ahead[np.abs(ahead).max(axis=1) > 0], normal)]
        for way in ways:
            unit = way / np.linalg.norm(way)
            planes.append(np.append(unit, (polygon @ unit).max()))
        if dimension == 2:
            break
    return np.array(planes, float).reshape(-1, 4)

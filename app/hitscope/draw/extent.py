"""The bounds of a scene, and the stage: the anchor and scale that make the part in view drawable in float32.

Coordinates reach 1e308, so differences and sums of two of them are formed from halves or clipped.
"""

import math
from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Array, finite
from hitscope.geometry.shapes import Vec3

SMALLEST = float(np.finfo(np.float64).tiny)
SMALLEST_RADIUS = 1e-3
"""The smallest radius of a scene, in stage units, past which its rays are drawn."""
FAR_OUT = 1e6
"""Probes that make the scene larger by more than this factor count for the scale."""
ALONE = 0.4
"""The margin around the only shape of a scene, as a part of its half size."""
PRECISE_TO = 8e3
"""The distance from the anchor, in camera distances, within which points are drawn to a part of a pixel."""
HORIZON = 4e3
"""The stage units at which lines near the anchor are cut: float32 would bend longer ones."""
ROOM = 3.0
"""Where the picture is cut at the horizon, the largest distance of the camera from the anchor, in stage units."""
FAR = 1e9
"""The stage units beyond which shapes are drawn nearer and in proportion smaller, which looks the same."""
LONGEST = 1e12
"""The stage units at which coordinates of triangles are clipped, so that products of three fit into float32."""


class Extent(NamedTuple):
    """An axis-aligned box."""

    lo: Array  # (3,)
    hi: Array  # (3,)

    @property
    def center(self) -> Array:
        """The center, without overflow."""
        return self.lo / 2 + self.hi / 2

    @property
    def half(self) -> Array:
        """Half of the size along each axis, without overflow."""
        return self.hi / 2 - self.lo / 2

    @property
    def corners(self) -> Array:
        """The eight corners (8, 3)."""
        return np.array(list(product(*np.stack([self.lo, self.hi], axis=1))))

    @property
    def scale(self) -> float:
        """The largest half size; of a single point, 1."""
        largest = float(self.half.max())
        return max(largest, SMALLEST) if largest > 0 else 1.0


class Stage(NamedTuple):
    """The frame (p - anchor) / scale, in which the part of the scene in view is about one unit large."""

    anchor: Array  # (3,) scene units
    scale: float  # scene units per stage unit

    @property
    def key(self) -> tuple[float, ...]:
        """The frame's numbers, by value."""
        return (*self.anchor.tolist(), self.scale)

    def to_stage(self, points: Array) -> Array:
        """Scene units to stage units, without overflow."""
        with np.errstate(over="ignore"):
            return finite((points / 2 - self.anchor / 2) / (self.scale / 2))

    def to_scene(self, points: Array) -> Array:
        with np.errstate(over="ignore"):
            return finite(points * self.scale + self.anchor)

    def reach(self, around: Extent) -> float:
        """The largest distance along an axis from the anchor to bounds, in stage units."""
        return float(np.abs(self.to_stage(np.stack([around.lo, around.hi]))).max())

    def radius(self, around: Extent) -> float:
        """Half of the diagonal of bounds, in stage units, with a size also for a single point."""
        half = around.half if around.half.any() else np.full(3, around.scale)
        with np.errstate(over="ignore"):
            placed = finite(half / self.scale)
        largest = float(placed.max())
        return max(largest * float(np.linalg.norm(placed / (largest or 1.0))), SMALLEST_RADIUS)

    def is_precise_at(self, eye: Array, target: Array, around: Extent) -> bool:
        """Whether a scene with these bounds is drawn to a part of a pixel near a camera's target."""
        distance = max(math.dist(eye, target) / self.scale, SMALLEST)
        away = float(np.abs(self.to_stage(target)).max())
        reach = self.reach(around)
        is_whole = reach <= HORIZON or max(distance, away) <= ROOM
        return is_whole and max(away, min(reach, HORIZON)) <= PRECISE_TO * distance

    def points(self, points: Array) -> Array:
        """The stage points (..., 3) at which scene points are drawn: far ones nearer than they are."""
        placed = self.to_stage(points)
        if _farthest(placed) <= FAR:
            return placed
        return placed * _nearer(np.abs(placed).max(axis=-1, keepdims=True))

    def boxes(self, origins: Array, edges: Array) -> tuple[Array, Array]:
        """Parallelepipeds (n, 3), (n, 3, 3) in stage units: cut at the horizon, or drawn nearer."""
        with np.errstate(over="ignore"):
            origins, edges = self.to_stage(origins), edges / self.scale
        # Most scenes have nothing that is far away, and need no test of each box.
        if _farthest(origins) + 3 * _farthest(edges) <= HORIZON:
            return origins, edges
        return _boxes_within_horizon(origins, finite(edges))

    def rounds(self, starts: Array, ends: Array, radii: Array) -> tuple[Array, Array, Array]:
        """Capsules (n, 3), (n, 3), (n,) in stage units, far ones drawn nearer; of a sphere both ends are one."""
        with np.errstate(over="ignore"):
            starts, ends, radii = self.to_stage(starts), self.to_stage(ends), finite(radii / self.scale)
            lows, highs = np.minimum(starts, ends) - radii[:, None], np.maximum(starts, ends) + radii[:, None]
        factors = _nearer(_gap(finite(lows), finite(highs)))
        return starts * factors[:, None], ends * factors[:, None], radii * factors

    def triangles(self, vertices: Array) -> Array:
        """Triangles (n, 3, 3) in stage units, far ones drawn nearer."""
        placed = self.to_stage(vertices)
        if _farthest(placed) <= FAR:
            return placed
        nearer = placed * _nearer(_gap(placed.min(axis=1), placed.max(axis=1)))[:, None, None]
        return np.asarray(np.clip(nearer, -LONGEST, LONGEST))

    def lines(self, starts: Array, ends: Array) -> tuple[Array, Array]:
        """The ends of lines (n, 3) in stage units, cut at the horizon."""
        starts, ends = self.to_stage(starts), self.to_stage(ends)
        if max(_farthest(starts), _farthest(ends)) <= HORIZON:
            return starts, ends
        return _lines_within_horizon(starts, ends)


def beyond_horizon(lows: Array, highs: Array, anchor: Array, horizon: float) -> tuple[NDArray[np.bool_], Array]:
    """Whether bounds (..., 3) are too near and large for float32, and their distance; a horizon in scene units."""
    gap = 2 * np.maximum(lows / 2 - anchor / 2, anchor / 2 - highs / 2).max(axis=-1, initial=0)
    with np.errstate(over="ignore"):
        sizes = (highs / 2 - lows / 2).max(axis=-1, initial=0)
        return np.asarray(sizes > np.maximum(horizon, HORIZON * gap) / 4), gap


def _nearer(away: Array) -> Array:
    """The factors by which points at these distances from the anchor are drawn nearer to it."""
    with np.errstate(divide="ignore"):
        return np.where(away > FAR, FAR * (1 + np.log(np.maximum(away, FAR) / FAR) / 1e3) / away, 1.0)


def _farthest(placed: Array) -> float:
    """The largest absolute value of an array, 0 if it is empty."""
    return float(max(placed.max(initial=0), -placed.min(initial=0)))


def _gap(lows: Array, highs: Array) -> Array:
    """The distance along an axis from the anchor to bounds (..., 3) in stage units; 0 within them."""
    return np.asarray(np.maximum(lows, -highs).max(axis=-1, initial=0))


def _boxes_within_horizon(origins: Array, edges: Array) -> tuple[Array, Array]:
    """Boxes in stage units: cut at the horizon along their own edges, or drawn nearer."""
    with np.errstate(over="ignore"):
        lows = finite(origins + np.minimum(edges, 0).sum(axis=1))
        highs = finite(origins + np.maximum(edges, 0).sum(axis=1))
    gaps = _gap(lows, highs)
    factors = _nearer(gaps)
    origins, edges = origins * factors[:, None], edges * factors[:, None, None]
    farthest = HORIZON * np.maximum(gaps * factors, 1.0)
    for i in np.flatnonzero(np.abs(edges).max(axis=(1, 2)) > farthest):
        origins[i], edges[i] = _cut(origins[i], edges[i], float(farthest[i]))
    return origins, edges


def _cut(origin: Array, edges: Array, farthest: float) -> tuple[Array, Array]:
    """The part of a box, in stage units, that is within `farthest` of the anchor along its own edges."""
    lengths = np.abs(edges).max(axis=1)
    ways = edges / np.where(lengths > 0, lengths, 1)[:, None]
    if lengths.min() == 0 or abs(np.linalg.det(ways)) < 1e-9:
        return np.clip(origin, -farthest, farthest), np.clip(edges, -farthest, farthest)
    from_anchor = origin @ np.linalg.inv(ways)
    near, far = (np.clip(end, -farthest, farthest) for end in (from_anchor, from_anchor + lengths))
    return near @ ways, (far - near)[:, None] * ways


def _lines_within_horizon(starts: Array, ends: Array) -> tuple[Array, Array]:
    """Lines in stage units: those that pass near the anchor end at the horizon."""
    turned = np.abs(starts).max(axis=1) > np.abs(ends).max(axis=1)
    base, tip = (np.where(turned[:, None], *pair) for pair in ((ends, starts), (starts, ends)))
    along = finite(tip - base)
    size = np.abs(along).max(axis=1, keepdims=True)
    along = along / np.where(size > 0, size, 1)
    length = np.where(size > 0, size, 0)[:, 0]
    foot = np.clip(-(base * along).sum(axis=1) / np.maximum((along * along).sum(axis=1), 1e-9), 0, length)
    room = HORIZON * np.maximum(np.abs(base + foot[:, None] * along).max(axis=1), 1)
    near, far = np.maximum(foot - room, 0), np.minimum(foot + room, length)
    base, tip = base + near[:, None] * along, np.where((far < length)[:, None], base + far[:, None] * along, tip)
    base, tip = (end * _nearer(np.abs(end).max(axis=1, keepdims=True)) for end in (base, tip))
    return np.where(turned[:, None], tip, base), np.where(turned[:, None], base, tip)


def with_margin(extent: Extent) -> Extent:
    """An extent with a margin around it, for a scene of a single shape."""
    margin = ALONE * (extent.scale if extent.half.any() else 0.0)
    with np.errstate(over="ignore"):
        return Extent(finite(extent.lo - margin), finite(extent.hi + margin))


def as_points(points: Iterable[Array | Vec3]) -> Array:
    """Points (3,) as an array (n, 3); n may be 0."""
    return np.array(list(points), float).reshape(-1, 3)


def extent_of(points: Array) -> Extent | None:
    """The bounds of points (n, 3); None for no points."""
    if len(points) == 0:
        return None
    points = finite(points)
    return Extent(points.min(axis=0), points.max(axis=0))


def union(a: Extent | None, b: Extent | None) -> Extent | None:
    if a is None or b is None:
        return b if a is None else a
    return Extent(np.minimum(a.lo, b.lo), np.maximum(a.hi, b.hi))


def stage_extent(primitives: Extent | None, probes: Extent | None) -> Extent:
    """The bounds that the stage's anchor and scale are taken from."""
    both = union(primitives, probes)
    if both is None:
        return Extent(-np.ones(3), np.ones(3))
    # The primitives alone decide, so that dragging a probe leaves their uploaded arrays valid, unless float32
    # could not hold the probes.
    return both if primitives is None or both.scale / FAR_OUT > primitives.scale else primitives

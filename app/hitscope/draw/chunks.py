"""Chunks of neighbouring shapes, each culled or searched by its bounds."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope import progress
from hitscope.geometry.arrays import Array

CHUNK = 2048
"""The number of shapes in a chunk; fewer shapes are not sorted."""
FEW = 64
"""Up to this number of shapes, each is a chunk, so that a tiny one is not drawn like the wall beside it."""
CHUNKS_AT_ONCE = 8
"""The number of chunks that `along` yields at a time."""
BITS = 10
"""The bounds are divided into 2**BITS cells along each axis, in whose order shapes are sorted."""
BEYOND = 1.02
"""The width of the culling volume, in widths of the picture: edges and outlines are wider than shapes."""

Indices = NDArray[np.intp]
ShapeRange = tuple[int, int]
"""The first of consecutive shapes, and their number."""


class CullingView(NamedTuple):
    """The matrices and sizes by which shapes in the stage frame are culled."""

    view: Array  # (4, 4), laid out as GL does
    projection: Array  # (4, 4)
    pixel_size: float  # the height of a pixel at depth 1
    closest: float  # the nearest visible depth
    flat_depth: float = 0.0  # in an orthographic picture, the depth at which a perspective one shows this size


class Chunks:
    """The bounds of chunks of `length` shapes, taken in the `order` given; None for the order of their rows."""

    def __init__(self, lows: Array, highs: Array, length: int = CHUNK) -> None:
        """Sort shapes by their bounds (n, 3), unless they are one chunk anyway."""
        self.count = len(lows)
        self.length = length
        self.order: Indices | None = None
        if self.count > length > 1:
            codes = _morton_codes(lows / 2 + highs / 2)
            progress.advance(0)
            self.order = np.argsort(codes).astype(np.intp)
            progress.advance(0)
            lows = lows[self.order]
            progress.advance(0)
            highs = highs[self.order]
            progress.advance(0)
        firsts = np.arange(0, self.count, length)
        sizes = (highs - lows).max(axis=1, initial=0)
        progress.advance(0)
        self.lows = np.minimum.reduceat(lows, firsts) if self.count else lows
        self.highs = np.maximum.reduceat(highs, firsts) if self.count else highs
        self.sizes: Array = np.maximum.reduceat(sizes, firsts) if self.count else sizes

    def visible(self, culling: CullingView, smallest: float) -> tuple[list[ShapeRange], list[ShapeRange]]:
        """Runs of the shapes that may be in the picture, and runs of those smaller than `smallest` pixels."""
        if not self.count:
            return [], []
        center, half = self.lows / 2 + self.highs / 2, self.highs / 2 - self.lows / 2
        clip = culling.view @ culling.projection
        inside = np.ones(len(center), np.bool_)
        for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1)):
            # A point is in the picture where w * BEYOND - sign * axis >= 0; a box, where its best corner is.
            plane = clip[:, 3] * BEYOND - sign * clip[:, axis]
            inside &= center @ plane[:3] + plane[3] + half @ np.abs(plane[:3]) >= 0
        depth = -(center @ culling.view[:3, 2] + culling.view[3, 2])
        reach = half @ np.abs(culling.view[:3, 2])
        if not culling.flat_depth:
            inside &= depth + reach > 0
        with np.errstate(over="ignore"):
            nearest = culling.flat_depth or np.maximum(depth - reach, culling.closest)
            pixels = self.sizes / (nearest * culling.pixel_size)
        small = pixels < smallest
        return self._runs(inside & ~small), self._runs(inside & small)

    def along(self, origin: Array, direction: Array) -> Iterator[tuple[float, Indices]]:
        """The shapes of the chunks that a half-line meets, some chunks at a time, from near to far.

        With each goes the distance, in lengths of the direction, at which the nearest of its chunks begins.
        """
        if self.order is None:
            yield 0.0, np.arange(self.count)
            return
        with np.errstate(all="ignore"):
            ways = np.stack([self.lows - origin, self.highs - origin]) / direction
            # A line in the plane of a side gives 0 / 0 there, which excludes nothing.
            enter = np.fmin(*ways).max(axis=1, initial=0.0, where=~np.isnan(np.fmin(*ways)))
            leave = np.fmax(*ways).min(axis=1, initial=np.inf, where=~np.isnan(np.fmax(*ways)))
        met = np.flatnonzero(enter <= leave)
        met = met[np.argsort(enter[met])]
        for i in range(0, len(met), CHUNKS_AT_ONCE):
            batch = met[i : i + CHUNKS_AT_ONCE]
            yield float(enter[batch[0]]), self.shapes(batch)

    def shapes(self, chunks: Indices) -> Indices:
        """The indices of the shapes of some chunks."""
        sorted_places = (chunks[:, None] * self.length + np.arange(self.length)).ravel()
        sorted_places = sorted_places[sorted_places < self.count]
        return sorted_places if self.order is None else self.order[sorted_places]

    def _runs(self, chosen: NDArray[np.bool_]) -> list[ShapeRange]:
        edges = np.flatnonzero(np.diff(chosen, prepend=False, append=False)) * self.length
        return [(first, min(end, self.count) - first) for first, end in edges.reshape(-1, 2).tolist()]


def _morton_codes(points: Array) -> NDArray[np.uint32]:
    """The positions (n,) of points (n, 3) along the Z-order curve (Morton 1966)."""
    progress.advance(0)
    low, high = points.min(axis=0), points.max(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        cells = np.nan_to_num((points - low) * ((2**BITS - 1) / (high - low))).astype(np.uint32)
    codes = np.zeros(len(points), np.uint32)
    for axis in range(3):
        spread = cells[:, axis]
        for shift, mask in ((16, 0x030000FF), (8, 0x0300F00F), (4, 0x030C30C3), (2, 0x09249249)):
            spread = (spread | spread << np.uint32(shift)) & np.uint32(mask)
        codes |= spread << np.uint32(axis)
        progress.advance(0)
    return codes

"""The elements that may be nearest to a probe, by their bounds."""

from collections.abc import Callable

import numpy as np

from hitscope.draw.chunks import Indices
from hitscope.draw.element_arrays import ElementArrays, elements_at
from hitscope.draw.extent import Stage
from hitscope.geometry.arrays import Array

CHUNKS = 16
"""The number of nearest chunks of a batch whose boxes, or triangles, are compared one by one."""


def nearest_candidates(
    arrays: ElementArrays, stage: Stage, points: Array, straight: bool, most: int
) -> list[tuple[float, int]]:
    """Lower bounds of the distance to elements that may be nearest, with their indices, in ascending order.

    The probe is the segment between two points if it is `straight`, else it is within the bounds of all points.
    At most `most` elements are returned.
    """
    points = stage.to_stage(points)
    low, high = points.min(axis=0), points.max(axis=0)
    start, end = points if straight else (low / 2 + high / 2,) * 2
    corners = points if straight else np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, -1).T
    radius = 0.0 if straight else float(np.linalg.norm(high - low)) / 2
    along = end - start
    squared = float(along @ along)

    def apart(lows: Array, highs: Array) -> Array:
        """A lower bound of the distance from the probe to each box (n, 3), (n, 3)."""
        lows, highs = stage.to_stage(lows), stage.to_stage(highs)
        middles = lows / 2 + highs / 2
        way = middles - start
        t = np.clip(way @ along / squared, 0, 1) if squared else np.zeros(len(way))
        beside = np.linalg.norm(way - t[:, None] * along, axis=1) - np.linalg.norm(highs - middles, axis=1)
        gaps = np.linalg.norm(np.maximum(np.maximum(lows - high, low - highs), 0), axis=1)
        bounds: Array = np.maximum(gaps, beside - radius)
        return bounds

    with np.errstate(all="ignore"):
        bounds, elements = zip(*_of_batches(arrays, apart), _of_faceted(arrays, stage, corners), strict=True)
    every, least = np.concatenate(elements), np.nan_to_num(np.concatenate(bounds), nan=np.inf)
    order = np.argsort(least, kind="stable")[:most]
    with np.errstate(over="ignore"):
        distances = least[order] * stage.scale
    return list(zip(distances.tolist(), every[order].tolist(), strict=True))


def _of_batches(arrays: ElementArrays, apart: Callable[[Array, Array], Array]) -> list[tuple[Array, Indices]]:
    found = []
    for batch in arrays.batches:
        for chunks, (lows, highs), own in (
            (batch.box_chunks, batch.box_bounds, batch.box_elements),
            (batch.triangle_chunks, batch.triangle_bounds, batch.triangle_elements),
        ):
            near = np.argsort(apart(chunks.lows, chunks.highs), kind="stable")[:CHUNKS]
            rows = chunks.shapes(near)
            found.append((apart(lows[rows], highs[rows]), elements_at(own, rows)))
    return found


def _of_faceted(arrays: ElementArrays, stage: Stage, corners: Array) -> tuple[Array, Indices]:
    if not len(arrays.faceted_elements):
        return np.empty(0), arrays.faceted_elements
    normals = arrays.half_space_normals
    offsets = (arrays.half_space_offsets - normals @ stage.anchor) / stage.scale
    heights = ((corners @ normals.T).min(axis=0) - offsets) / np.linalg.norm(normals, axis=1)
    return np.maximum.reduceat(heights, arrays.first_half_spaces), arrays.faceted_elements

"""Which elements are near a probe, by the bounds that they are drawn in."""

from collections.abc import Callable

import numpy as np

from hitscope.draw.bodies import Bodies, elements_at
from hitscope.draw.chunks import Indices
from hitscope.draw.extent import Stage
from hitscope.draw.items import Array

CHUNKS = 16
"""Of many boxes or triangles, those in so many chunks that come nearest are looked at one by one."""


def nearby(bodies: Bodies, stage: Stage, points: Array, straight: bool, most: int) -> list[tuple[float, int]]:
    """Give elements that may be the nearest ones, and less than how far off each is not, the least of that first.

    The probe is the line between two points where it is `straight`, else it is within their bounds.
    """
    points = stage.inward(points)
    low, high = points.min(axis=0), points.max(axis=0)
    start, end = points if straight else (low / 2 + high / 2,) * 2
    corners = points if straight else np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, -1).T
    radius = 0.0 if straight else float(np.linalg.norm(high - low)) / 2
    along = end - start
    squared = float(along @ along)

    def apart(lows: Array, highs: Array) -> Array:
        """Say how far off what is within bounds is at least."""
        lows, highs = stage.inward(lows), stage.inward(highs)
        middles = lows / 2 + highs / 2
        way = middles - start
        t = np.clip(way @ along / squared, 0, 1) if squared else np.zeros(len(way))
        beside = np.linalg.norm(way - t[:, None] * along, axis=1) - np.linalg.norm(highs - middles, axis=1)
        gaps = np.linalg.norm(np.maximum(np.maximum(lows - high, low - highs), 0), axis=1)
        bounds: Array = np.maximum(gaps, beside - radius)
        return bounds

    with np.errstate(all="ignore"):
        bounds, elements = zip(*_of_lots(bodies, apart), _of_bodies(bodies, stage, corners), strict=True)
    every, least = np.concatenate(elements), np.nan_to_num(np.concatenate(bounds), nan=np.inf)
    order = np.argsort(least, kind="stable")[:most]
    return list(zip((least[order] * stage.scale).tolist(), every[order].tolist(), strict=True))


def _of_lots(bodies: Bodies, apart: Callable[[Array, Array], Array]) -> list[tuple[Array, Indices]]:
    found = []
    for lot in bodies.lots:
        for chunks, (lows, highs), own in (
            (lot.box_chunks, lot.box_bounds, lot.box_elements),
            (lot.triangle_chunks, lot.triangle_bounds, lot.triangle_elements),
        ):
            near = np.argsort(apart(chunks.lows, chunks.highs), kind="stable")[:CHUNKS]
            places = chunks.shapes(near)
            found.append((apart(lows[places], highs[places]), elements_at(own, places)))
    return found


def _of_bodies(bodies: Bodies, stage: Stage, corners: Array) -> tuple[Array, Indices]:
    if not len(bodies.body_elements):
        return np.empty(0), bodies.body_elements
    normals = bodies.half_space_normals
    offsets = (bodies.half_space_offsets - normals @ stage.anchor) / stage.scale
    heights = ((corners @ normals.T).min(axis=0) - offsets) / np.linalg.norm(normals, axis=1)
    return np.maximum.reduceat(heights, bodies.first_half_spaces), bodies.body_elements

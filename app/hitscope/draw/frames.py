"""Boxes of any type as arrays of parallelepipeds."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope import progress
from hitscope.draw.extent import finite
from hitscope.draw.items import Array
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.traits import is_degenerate

Flags = NDArray[np.bool_]


class Frames(NamedTuple):
    """n boxes: a corner, the three edges from it, and whether the box has no volume."""

    origins: Array  # (n, 3)
    edges: Array  # (n, 3, 3)
    degenerate: Flags  # (n,)


NO_FRAMES = Frames(np.empty((0, 3)), np.empty((0, 3, 3)), np.empty(0, np.bool_))


def aabb_frames(boxes: Shapes) -> Frames:
    """Give axis-aligned boxes as frames."""
    rows = boxes.rows.T
    edges = np.zeros((len(rows), 3, 3))
    with np.errstate(over="ignore", invalid="ignore"):
        edges[:, range(3), range(3)] = finite(rows[:, 3:] - rows[:, :3])
    progress.advance(0)
    return Frames(rows[:, :3], edges, _without_edge(edges))


def obb_frames(boxes: Shapes) -> Frames:
    """Give oriented boxes as frames."""
    rows = boxes.rows.T
    with np.errstate(over="ignore", invalid="ignore"):
        halves = rows[:, 3:6, None] * rows[:, 6:].reshape(-1, 3, 3)
        origins, edges = finite(rows[:, :3] - halves.sum(axis=1)), finite(2 * halves)
    progress.advance(0)
    return Frames(origins, edges, _without_edge(edges))


def parallelepiped_frames(bodies: Shapes) -> Frames:
    """Give parallelepipeds as frames; those whose edges lie in one plane are found exactly."""
    rows = bodies.rows.T
    return Frames(rows[:, :3], rows[:, 3:].reshape(-1, 3, 3), np.array([is_degenerate(body) for body in bodies]))


def box_extremes(frames: Frames) -> tuple[Array, Array]:
    """Give the lowest and the highest corner of each box, (n, 3) each."""
    lows, highs = np.empty(frames.origins.shape), np.empty(frames.origins.shape)
    with np.errstate(over="ignore"):
        for some in progress.chunks(len(lows)):
            lows[some] = finite(frames.origins[some] + np.minimum(frames.edges[some], 0).sum(axis=1))
            highs[some] = finite(frames.origins[some] + np.maximum(frames.edges[some], 0).sum(axis=1))
    return lows, highs


def _without_edge(edges: Array) -> Flags:
    flags: Flags = (edges == 0).all(axis=2).any(axis=1)
    return flags

"""Boxes of any type as arrays of parallelepipeds."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope import progress
from hitscope.geometry.arrays import Array, Shapes, finite
from hitscope.geometry.traits import is_degenerate

Flags = NDArray[np.bool_]


class BoxArrays(NamedTuple):
    """n boxes: a corner, the three edges from it, and whether the box has no volume."""

    origins: Array  # (n, 3)
    edges: Array  # (n, 3, 3)
    degenerate: Flags  # (n,)


NO_BOX_ARRAYS = BoxArrays(np.empty((0, 3)), np.empty((0, 3, 3)), np.empty(0, np.bool_))


def aabb_arrays(boxes: Shapes) -> BoxArrays:
    """The arrays of axis-aligned boxes."""
    rows = boxes.rows.T
    edges = np.zeros((len(rows), 3, 3))
    with np.errstate(over="ignore", invalid="ignore"):
        edges[:, range(3), range(3)] = finite(rows[:, 3:] - rows[:, :3])
    progress.advance(0)
    return BoxArrays(rows[:, :3], edges, _without_edge(edges))


def obb_arrays(boxes: Shapes) -> BoxArrays:
    """The arrays of oriented boxes."""
    rows = boxes.rows.T
    with np.errstate(over="ignore", invalid="ignore"):
        halves = rows[:, 3:6, None] * rows[:, 6:].reshape(-1, 3, 3)
        origins, edges = finite(rows[:, :3] - halves.sum(axis=1)), finite(2 * halves)
    progress.advance(0)
    return BoxArrays(origins, edges, _without_edge(edges))


def parallelepiped_arrays(shapes: Shapes) -> BoxArrays:
    """The arrays of parallelepipeds; whether edges lie in one plane is decided exactly."""
    rows = shapes.rows.T
    return BoxArrays(
        rows[:, :3], rows[:, 3:].reshape(-1, 3, 3), np.array([is_degenerate(shape) for shape in shapes])
    )


def box_extremes(boxes: BoxArrays) -> tuple[Array, Array]:
    """The lowest and the highest corner of each box, (n, 3) each."""
    lows, highs = np.empty(boxes.origins.shape), np.empty(boxes.origins.shape)
    with np.errstate(over="ignore"):
        for chunk in progress.chunks(len(lows)):
            lows[chunk] = finite(boxes.origins[chunk] + np.minimum(boxes.edges[chunk], 0).sum(axis=1))
            highs[chunk] = finite(boxes.origins[chunk] + np.maximum(boxes.edges[chunk], 0).sum(axis=1))
    return lows, highs


def _without_edge(edges: Array) -> Flags:
    flags: Flags = (edges == 0).all(axis=2).any(axis=1)
    return flags

"""The drawing of each type of shape: its arrays, its handles, and the points that bound the scene."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope import progress
from hitscope.geometry.arrays import Array, Shapes, finite
from hitscope.geometry.kinds import ShapeTable
from hitscope.geometry.shapes import (
    Aabb,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Segment,
    Shape,
    Triangle,
)
from hitscope.geometry.traits import is_degenerate


class DrawnAs(IntEnum):
    """The arrays of the draw list that hold a shape: of a primitive one of the first three.

    A new kind needs its arrays in `element_arrays` and `probe_layouts`, its mesh in `render.shape_meshes`, and its
    picking in `viewer.tools.picking.surfaces`.
    """

    BOX = 0
    TRIANGLE = 1
    FACETS = 2
    """Sets of half-spaces, cut into facets."""
    STROKES = 3
    MARKER = 4


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


class ShapeDrawing(NamedTuple):
    """The drawing of one type of shape."""

    drawn_as: DrawnAs
    handles: Callable[[Any], Array]
    """The draggable points (k, 3) of a shape."""
    bounding_points: Callable[[Any], Array]
    """Points (k, 3) that bound the part of a shape that the picture has to show; of a ray only the origin."""
    main_handles: int | None = None
    """The number of handles, the first ones, that are not the middles of faces; None for all."""
    boxes: Callable[[Shapes], BoxArrays] | None = None
    """The function that makes the box arrays of many shapes; None if these are not drawn as boxes."""


def drawn_as(shape: Shape) -> DrawnAs:
    """`ShapeDrawing.drawn_as` of a shape."""
    return SHAPE_DRAWINGS[type(shape)].drawn_as


def handle_points(shape: Shape) -> Array:
    """The draggable points (k, 3).

    A segment's ends, a ray's origin and tip, a triangle's corners; of a box by its center that and the middle of
    each face (low and high along each axis in turn), of a parallelepiped its origin and the tips of its edges.
    """
    with np.errstate(over="ignore"):
        return SHAPE_DRAWINGS[type(shape)].handles(shape)


def main_handles(shape: Shape) -> int:
    """The number of handles of a shape, the first ones, that are not the middles of faces."""
    count = SHAPE_DRAWINGS[type(shape)].main_handles
    return len(handle_points(shape)) if count is None else count


def bounding_points(shape: Shape) -> Array:
    """`ShapeDrawing.bounding_points` of a shape."""
    return SHAPE_DRAWINGS[type(shape)].bounding_points(shape)


def box_arrays_of(shapes: Sequence[Shape]) -> BoxArrays:
    """The arrays of shapes that are drawn as boxes, in their order."""
    if isinstance(shapes, Shapes):
        return _box_arrays(shapes)
    boxes = BoxArrays(np.empty((len(shapes), 3)), np.empty((len(shapes), 3, 3)), np.empty(len(shapes), np.bool_))
    for kind in dict.fromkeys(map(type, shapes)):
        own = np.array([type(shape) is kind for shape in shapes])
        for part, found in zip(boxes, _box_arrays(Shapes.of([s for s in shapes if type(s) is kind])), strict=True):
            part[own] = found
    return boxes


def _box_arrays(shapes: Shapes) -> BoxArrays:
    make = SHAPE_DRAWINGS[shapes.kind].boxes
    assert make is not None, f"{shapes.kind.__name__} is not drawn as a box"
    return make(shapes)


def _corners(shape: Shape) -> Array:
    return np.array(shape, float)


def _origin_and_tip(shape: Ray | Line) -> Array:
    return np.array([shape.origin, finite(np.add(shape.origin, shape.direction, dtype=float))], float)


def _origin(shape: Ray | Line) -> Array:
    return np.array([shape.origin], float)


def _center_and_faces(shape: Aabb | Obb) -> Array:
    boxes = box_arrays_of([shape])
    edges = boxes.edges[0]
    center = boxes.origins[0] + edges.sum(axis=0) / 2
    faces = [center + sign * edge / 2 for edge in edges for sign in (-1, 1)]
    return finite(np.array([getattr(shape, "center", center), *faces]))


def _origin_and_edges(shape: Parallelepiped) -> Array:
    return finite(np.add([(0.0, 0.0, 0.0), *shape.edges], shape.origin, dtype=float))


def _extremes(shape: Shape) -> Array:
    return np.concatenate(box_extremes(box_arrays_of([shape])))


def _none(_: Shape) -> Array:
    return np.empty((0, 3))


SHAPE_DRAWINGS: ShapeTable[ShapeDrawing] = ShapeTable(
    f"{__name__}.SHAPE_DRAWINGS",
    {
        Point: ShapeDrawing(DrawnAs.MARKER, _corners, _corners),
        Segment: ShapeDrawing(DrawnAs.STROKES, _corners, _corners),
        Ray: ShapeDrawing(DrawnAs.STROKES, _origin_and_tip, _origin),
        Line: ShapeDrawing(DrawnAs.STROKES, _origin_and_tip, _origin),
        Triangle: ShapeDrawing(DrawnAs.TRIANGLE, _corners, _corners),
        Aabb: ShapeDrawing(DrawnAs.BOX, _center_and_faces, _extremes, main_handles=1, boxes=aabb_arrays),
        Obb: ShapeDrawing(DrawnAs.BOX, _center_and_faces, _extremes, main_handles=1, boxes=obb_arrays),
        Parallelepiped: ShapeDrawing(DrawnAs.BOX, _origin_and_edges, _extremes, boxes=parallelepiped_arrays),
        Plane: ShapeDrawing(DrawnAs.FACETS, _none, _none),
        Polyhedron: ShapeDrawing(DrawnAs.FACETS, _none, _none),
    },
)
"""The entry of each type of shape."""

"""For each type of shape, how a block of random ones is drawn, where its points are, and which ones are sound."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Array
from hitscope.geometry.checks import AXES_TOLERANCE
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
from hitscope.judge.drawing.polyhedra import movable_number, polyhedra, touched_polyhedra
from hitscope.judge.drawing.samplers import IDENTITY, RandomBlock, Sampler, dot


def any_number(random: RandomBlock, rows: Array, ulps: Array) -> tuple[NDArray[np.intp], Array]:
    """Choose any number of each shape."""
    return random.indices(len(rows)), ulps


def _at_edges(rows: Array, coordinates: Array) -> Array:
    """Return points of rows that are an origin and vectors, of which coordinates count the first ones."""
    point = rows[:3].copy()
    for s, edge in zip(coordinates, rows[3:].reshape(-1, 3, rows.shape[1]), strict=False):
        point += s * edge
    return point


class DrawnShape(NamedTuple):
    """The properties of one type of shape that drawing uses; rows are (k, n)."""

    draw: Callable[[Sampler], Array]
    """Make the rows of random shapes; of polyhedra, of the parallelepipeds that they are made of."""
    points: int = 0
    """The number of fields, the first ones, that are points and move with a probe."""
    is_axis_aligned: bool = False
    """Whether every shape of the type has its edges along the coordinate axes."""
    coordinates: int = 0
    """The count of its points' coordinates: one along it, two in it with a sum of at most 1, or three."""
    at: Callable[[Array, Array], Array] = _at_edges
    """Return the points (3, n) of shapes, but of planes, at coordinates (k, n) from 0 to 1."""
    edges: Callable[[Array], Array] = lambda rows: rows[3:].reshape(-1, 3, rows.shape[1])
    """Return the vectors (k, 3, n) that the coordinates count, from the point at zeros."""
    sound: Callable[[Array], NDArray[np.bool_]] = lambda rows: np.ones(rows.shape[1], dtype=np.bool_)
    """Return which shapes (n,) a scene file can hold, of finite numbers that were sound but for rounding."""
    target: Callable[[Array, Array], Array] | None = None
    """Return the points (3, n) of shapes to aim points of the probes at; None for any in and around the shapes."""
    movable: Callable[[RandomBlock, Array, Array], tuple[NDArray[np.intp], Array]] = any_number
    """Choose a number of each shape, its row (n,), which may move by so many ulps (n,), or as many upwards."""
    made: Callable[[Sampler, Array], Array] = lambda sampler, rows: rows
    """Return the shapes themselves, of the rows that `draw` makes."""
    touched: Callable[[Sampler, Array, Array, NDArray[np.bool_]], Array] = (
        lambda sampler, rows, coordinates, pinned: rows
    )
    """Return the same, but with all of the faces, edges or corners where coordinates (3, n) are pinned."""


def move(kind: type[Shape], rows: Array, by: Array) -> None:
    """Move shapes, in place, by vectors (3, n)."""
    for k in range(DRAWN_SHAPES[kind].points):
        rows[3 * k : 3 * k + 3] += by


def heights(normals: Array, points: Array) -> Array:
    """Return the dot products (n,), zero where infinite ones cancel."""
    products = dot(normals, points)
    return np.where(np.isnan(products), 0.0, products)


def _segments(sampler: Sampler) -> Array:
    start = sampler.point()
    return np.concatenate([start, start + sampler.vector()])


def _rays(sampler: Sampler) -> Array:
    return np.concatenate([sampler.point(), sampler.direction()])


def _triangles(sampler: Sampler) -> Array:
    a = sampler.point()
    u, v = sampler.vectors(2)
    return np.concatenate([a, a + u, a + v])


def _aabbs(sampler: Sampler) -> Array:
    lo = sampler.point()
    return np.concatenate([lo, lo + sampler.size()])


def _obbs(sampler: Sampler) -> Array:
    return np.concatenate([sampler.point(), sampler.size(), sampler.axes().reshape(9, -1)])


def _parallelepipeds(sampler: Sampler) -> Array:
    return np.concatenate([sampler.point(), sampler.vectors(3).reshape(9, -1)])


def _planes(sampler: Sampler) -> Array:
    normal = sampler.normals()
    return np.concatenate([normal, heights(normal, sampler.point())[None]])


def _at_corners(rows: Array, coordinates: Array) -> Array:
    """Return points of segments, triangles: of rows that are points, the first of which is at zeros."""
    first, *others = rows.reshape(-1, 3, rows.shape[1])
    point = first.copy()
    for s, corner in zip(coordinates, others, strict=False):
        point += s * (corner - first)
    return point


def _at_box(rows: Array, coordinates: Array) -> Array:
    point: Array = rows[:3] + coordinates * (rows[3:] - rows[:3])
    return point


def _at_obb(rows: Array, coordinates: Array) -> Array:
    center, half_extents, *axes = rows.reshape(-1, 3, rows.shape[1])
    reach = (2 * coordinates - 1) * half_extents
    point: Array = center + reach[0] * axes[0] + reach[1] * axes[1] + reach[2] * axes[2]
    return point


def _edges_of_boxes(rows: Array) -> Array:
    return np.where(IDENTITY == 1, rows[3:] - rows[:3], 0.0)


def _edges_of_obbs(rows: Array) -> Array:
    edges: Array = rows[6:].reshape(3, 3, -1) * (2 * rows[3:6, None])
    return edges


def _edges_of_corners(rows: Array) -> Array:
    corners = rows.reshape(-1, 3, rows.shape[1])
    edges: Array = corners[1:] - corners[0]
    return edges


def _projection(rows: Array, points: Array) -> Array:
    """Return the points of planes that are closest to others."""
    normal, offset = rows[:3], rows[3]
    projection: Array = points + normal * ((offset - dot(normal, points)) / dot(normal, normal))
    return projection


def _sound_obbs(rows: Array) -> NDArray[np.bool_]:
    axes = rows[6:].reshape(3, 3, -1)
    products = np.stack([dot(axes[i], axes[k]) - float(i == k) for i in range(3) for k in range(i, 3)])
    return _all_of(np.abs(products) < 0.99 * AXES_TOLERANCE) & _all_of(rows[3:6] >= 0)


def _sound_boxes(rows: Array) -> NDArray[np.bool_]:
    return _all_of(rows[:3] <= rows[3:])


def _sound_planes(rows: Array) -> NDArray[np.bool_]:
    return ~_all_of(rows[:3] == 0)


def _all_of(conditions: Any) -> NDArray[np.bool_]:
    """Return which shapes (n,) meet all conditions (k, n)."""
    found: NDArray[np.bool_] = conditions.all(axis=0)
    return found


DRAWN_SHAPES: ShapeTable[DrawnShape] = ShapeTable(
    f"{__name__}.DRAWN_SHAPES",
    {
        Point: DrawnShape(lambda sampler: sampler.point(), points=1),
        Segment: DrawnShape(_segments, points=2, coordinates=1, at=_at_corners, edges=_edges_of_corners),
        Ray: DrawnShape(_rays, points=1, coordinates=1),
        Line: DrawnShape(_rays, points=1, coordinates=1),
        Triangle: DrawnShape(_triangles, points=3, coordinates=2, at=_at_corners, edges=_edges_of_corners),
        Aabb: DrawnShape(
            _aabbs,
            points=2,
            coordinates=3,
            at=_at_box,
            is_axis_aligned=True,
            edges=_edges_of_boxes,
            sound=_sound_boxes,
        ),
        Obb: DrawnShape(_obbs, points=1, coordinates=3, at=_at_obb, edges=_edges_of_obbs, sound=_sound_obbs),
        Parallelepiped: DrawnShape(_parallelepipeds, points=1, coordinates=3),
        Plane: DrawnShape(_planes, sound=_sound_planes, target=_projection),
        Polyhedron: DrawnShape(
            _parallelepipeds, coordinates=3, movable=movable_number, touched=touched_polyhedra, made=polyhedra
        ),
    },
)
"""The entry of each type of shape."""

"""For each type of shape, how a block of random ones is drawn; where their points are follows from its record."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry import shapes
from hitscope.geometry.arrays import Array
from hitscope.geometry.kinds import KINDS, Cell, ShapeTable
from hitscope.geometry.kinds.wrapped import Wrapped
from hitscope.judge.drawing.polyhedra import frusta, hulls_of, movable_number, polyhedra, touched_polyhedra
from hitscope.judge.drawing.samplers import RandomBlock, Sampler, dot, powers_of_two

WHOLE_LENGTHS: Array = np.array([(1, 0, 0, 1), (8, 0, 0, 8), (4, 3, 0, 5), (2, 1, 2, 3), (2, 3, 6, 7)], float).T
"""Vectors of whole numbers, and the length of each, which is whole, too; (4, n)."""
Movable: TypeAlias = Callable[[RandomBlock, Array, Array], tuple[NDArray[np.intp], Array]]


class DrawnShape(NamedTuple):
    """The properties of one type of shape that drawing uses; rows are (k, n)."""

    draw: Callable[[Sampler], Array]
    """Make the rows of random shapes; of polyhedra, of the parallelepipeds that they are made of."""
    points: int = 0
    """The number of fields, the first ones, that are points and move with a probe."""
    is_axis_aligned: bool = False
    """Whether every shape of the type has its edges along the coordinate axes."""
    spans: Callable[[Array], tuple[Array, Array]] | None = None
    """The base points (n, 3) and the spans (n, m, 3) of its rows, where those of its record are not meant."""
    at: Callable[[Array, Array], Array] | None = None
    """Return the points (3, n) of rows at coordinates, where seeds have always rounded in another order."""
    target: Callable[[Array, Array], Array] | None = None
    """Return the points (3, n) of shapes to aim points of the probes at; None for any in and around the shapes."""
    movable: Movable = lambda random, rows, ulps: (random.indices(len(rows)), ulps)
    """Choose a number of each shape, its row (n,), which may move by so many ulps (n,), or as many upwards."""
    made: Callable[[Sampler, Array], Array] = lambda sampler, rows: rows
    """Return the shapes themselves, of the rows that `draw` makes."""
    touched: Callable[[Sampler, Array, Array, NDArray[np.bool_]], Array] = lambda sampler, rows, *where: rows
    """Return the same, but with all of the faces, edges or corners where coordinates (3, n) are pinned."""


def made_of(kind: type[Any], is_probe: bool) -> tuple[type[shapes.Shape], Callable[[RandomBlock, Array], Array]]:
    """Return the type of which rows are drawn for another type, and the function that makes its rows of them."""
    if issubclass(kind, Wrapped):
        base, make = made_of(kind.wrapped, True)
        moved = _cast if issubclass(kind, shapes.Cast) else _rounded

        def wrapped(random: RandomBlock, rows: Array) -> Array:
            more = moved(base, random, rows)
            return np.concatenate([make(random, rows), more])

        return base, wrapped
    made: dict[Any, Callable[[Array], Array]] = {shapes.Frustum: frusta}
    made |= {shapes.Polyhedron: hulls_of} if is_probe else {}
    if kind in made:
        return shapes.Parallelepiped, lambda random, rows: made[kind](rows)
    return kind, lambda random, rows: rows


def _size_of(base: type[shapes.Shape], random: RandomBlock, rows: Array) -> Array:
    """Return the extent of shapes (n,), or less, wherever they are."""
    extent = np.fmax.reduce(np.abs(_base_and_spans(base, rows)[1]), axis=(1, 2))
    size: Array = np.fmin(extent, np.fmax.reduce(np.abs(rows))) * powers_of_two(random.integers(-6, 0))
    return size


def _rounded(base: type[shapes.Shape], random: RandomBlock, rows: Array) -> Array:
    """Move rows, in place, and return radii (1, n) of about their size; one of 0 is rare.

    They are moved as far as the radius, or further, along vectors of whole lengths: where nothing is rounded, what
    touched the core at a corner touches what is around it, and the rest is inside it or apart.
    """
    x, y, z, length = WHOLE_LENGTHS[:, random.indices(WHOLE_LENGTHS.shape[1])]
    step = np.where(random.chance(1 / 16), 0.0, _size_of(base, random, rows) / 8)
    turned = (np.arange(3)[:, None] - random.indices(3)) % 3
    way = np.take_along_axis(np.stack([x, y, z]), turned, axis=0) * random.choice((-1, 1), 3)
    reach = random.precision.clipped(random.choice((1.0, 1.0, 2.0, 4.0)) * step)
    move(base, rows, random.precision.clipped(way * reach))
    radii: Array = (length * step)[None]
    return radii


def _cast(base: type[shapes.Shape], random: RandomBlock, rows: Array) -> Array:
    """Move rows, in place, and return motions (3, n) of about their size, rarely of zero.

    They are as drawn at the start, at the middle or at the end of it: those that were drawn in contact start in
    it, and move away, along or in, or get there.
    """
    motion = random.integers(-4, 4, 3) / 4 * _size_of(base, random, rows)
    move(base, rows, -motion * random.choice((0.0, 0.0, 0.5, 1.0)))
    return motion


def points_at(kind: type[shapes.Shape], rows: Array, coordinates: Array) -> Array:
    """Return the points (3, n) of shapes, but of planes, at coordinates (k, n) from 0 to 1."""
    if (at := DRAWN_SHAPES[kind].at) is not None:
        return at(rows, coordinates)
    base, spans = _base_and_spans(kind, rows)
    point = base.T.copy()
    for k, s in enumerate(coordinates):
        point += s * spans[:, k].T
    return point


def edges(kind: type[shapes.Shape], rows: Array) -> Array:
    """Return the vectors (k, 3, n) that the coordinates of points count, from the point at zeros."""
    _, spans = _base_and_spans(kind, rows)
    return spans.transpose(1, 2, 0) * (2 if KINDS[kind].cell is Cell.CENTERED else 1)


def is_sound(kind: type[shapes.Shape], rows: Array) -> NDArray[np.bool_]:
    """Return which shapes (n,) of finite numbers a scene file can hold."""
    sound = np.ones(rows.shape[1], np.bool_)
    for _, is_wrong in KINDS[kind].faults:
        sound &= ~is_wrong(rows)
    return sound


def _base_and_spans(kind: type[shapes.Shape], rows: Array) -> tuple[Array, Array]:
    spans = DRAWN_SHAPES[kind].spans or KINDS[kind].spans
    assert spans, kind
    return spans(rows)


def move(kind: type[shapes.Shape], rows: Array, by: Array) -> None:
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


def _spheres(sampler: Sampler) -> Array:
    return np.concatenate([sampler.point(), sampler.size()[:1]])


def _capsules(sampler: Sampler) -> Array:
    return np.concatenate([_segments(sampler), sampler.size()[:1]])


def _boxes_around(rounds: Array) -> tuple[Array, Array]:
    start, end, radius = rounds[:3], rounds[-4:-1], rounds[-1]
    sides = np.abs(end - start) + 2 * radius
    return (np.minimum(start, end) - radius).T, sides.T[:, :, None] * np.eye(3)


def _at_obb(rows: Array, coordinates: Array) -> Array:
    center, half_extents, *axes = rows.reshape(-1, 3, rows.shape[1])
    reach = (2 * coordinates - 1) * half_extents
    point: Array = center + reach[0] * axes[0] + reach[1] * axes[1] + reach[2] * axes[2]
    return point


def _projection(rows: Array, points: Array) -> Array:
    normal, offset = rows[:3], rows[3]
    projection: Array = points + normal * ((offset - dot(normal, points)) / dot(normal, normal))
    return projection


DRAWN_SHAPES: ShapeTable[DrawnShape] = ShapeTable(
    f"{__name__}.DRAWN_SHAPES",
    {
        shapes.Point: DrawnShape(lambda sampler: sampler.point(), points=1),
        shapes.Segment: DrawnShape(_segments, points=2),
        shapes.Ray: DrawnShape(_rays, points=1),
        shapes.Line: DrawnShape(_rays, points=1),
        shapes.Triangle: DrawnShape(_triangles, points=3),
        shapes.Aabb: DrawnShape(_aabbs, points=2, is_axis_aligned=True),
        shapes.Obb: DrawnShape(_obbs, points=1, at=_at_obb),
        shapes.Parallelepiped: DrawnShape(_parallelepipeds, points=1),
        shapes.Plane: DrawnShape(_planes, target=_projection),
        shapes.Polyhedron: DrawnShape(
            _parallelepipeds,
            spans=KINDS[shapes.Parallelepiped].spans,
            movable=movable_number,
            touched=touched_polyhedra,
            made=polyhedra,
        ),
        shapes.Sphere: DrawnShape(_spheres, points=1, spans=_boxes_around),
        shapes.Capsule: DrawnShape(_capsules, points=2, spans=_boxes_around),
        shapes.Frustum: DrawnShape(_parallelepipeds, points=1, spans=KINDS[shapes.Parallelepiped].spans),
    },
)

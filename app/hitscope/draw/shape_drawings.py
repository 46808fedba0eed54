"""The drawing of each type of shape: its arrays, its handles, and the points that bound the scene."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope import progress
from hitscope.draw.cores import Core, core_of
from hitscope.draw.extent import Stage
from hitscope.draw.intervals import ParametricLine, round_intervals
from hitscope.geometry import exact, shapes
from hitscope.geometry.arrays import Array, Shapes, finite, numbers_of, polar
from hitscope.geometry.kinds import KINDS, Cell, ShapeTable
from hitscope.geometry.shapes import Rounded, Shape
from hitscope.geometry.traits import is_degenerate
from hitscope.scene.items import Single

Handled: TypeAlias = Shape | Single
"""A single item, or an element of many."""


class DrawnAs(IntEnum):
    """The arrays of the draw list that hold a shape: of a primitive one of the first four.

    A new kind needs its arrays in `element_arrays` and `probe_layouts`, its mesh in `render.shape_meshes`, and its
    picking in `viewer.tools.picking.surfaces`.
    """

    BOX = 0
    TRIANGLE = 1
    FACETS = 2
    """Sets of half-spaces, cut into facets."""
    ROUND = 3
    """All points within a radius of a core: without facets at any size."""
    STROKES = 4
    MARKER = 5


Flags = NDArray[np.bool_]
Cores = NDArray[Any]
"""An array (n,) of Core, or None where a shape has none."""

AROUND_BALL: Array = np.array(
    [np.roll(corner, k) for corner in product((-1.0, 1.0), *[(1 - 2**0.5, 2**0.5 - 1)] * 2) for k in range(3)]
)
"""The corners (24, 3) of a rhombicuboctahedron, which holds the unit ball and has its bounds."""
FAR = 2.0**1000
"""Corners of an unbounded set that are farther out stand for infinity."""
NEARLY_FLAT = 1e-9
"""The volume spanned by edges with a largest coordinate of 1, below which exact numbers decide."""


class BoxArrays(NamedTuple):
    """n boxes: a corner, the three edges from it, and whether the box has no volume."""

    origins: Array  # (n, 3)
    edges: Array  # (n, 3, 3)
    degenerate: Flags  # (n,)


NO_BOX_ARRAYS = BoxArrays(np.empty((0, 3)), np.empty((0, 3, 3)), np.empty(0, np.bool_))


class RoundArrays(NamedTuple):
    """n capsules by the ends of their axes, one in a sphere; of a rounded shape a ball that its core is in."""

    starts: Array  # (n, 3)
    ends: Array  # (n, 3)
    radii: Array  # (n,)
    cores: Cores  # (n,) of Core or None

    @property
    def degenerate(self) -> Flags:
        """Whether each is a single point or a segment."""
        return np.asarray(self.radii == 0)

    @property
    def extremes(self) -> tuple[Array, Array]:
        """The lowest and the highest coordinates of each, (n, 3) each."""
        with np.errstate(over="ignore"):
            lows = np.minimum(self.starts, self.ends) - self.radii[:, None]
            highs = np.maximum(self.starts, self.ends) + self.radii[:, None]
            for i, core in self.cored:
                lows[i], highs[i] = core.bounds + (self.starts[i] - core.center)
            return finite(lows), finite(highs)

    @property
    def cored(self) -> list[tuple[int, Core]]:
        """The indices of the rounded shapes, with their cores."""
        return [(i, self.cores[i]) for i in np.flatnonzero(self.cores != None).tolist()]  # noqa: E711

    def intervals(self, line: ParametricLine, stage: Stage, thin: float = 0.0) -> Array:
        """The interval of t (n, 2) of a line in the stage inside each, of at least a radius; NaN for a miss."""
        starts, ends, radii = stage.rounds(*self[:3])
        found = round_intervals(line, starts, ends, np.maximum(radii, thin))
        for i, core in self.cored:
            if not np.isnan(found[i, 0]) and radii[i]:
                size = radii[i]
                origin, t_min, t_max = (line.origin - starts[i]) / size, line.t_min / size, line.t_max / size
                found[i] = np.multiply(core.interval(ParametricLine(origin, line.direction, t_min, t_max)), size)
        return found

    @property
    def points(self) -> Array:
        """Points (48 n, 3) whose hulls contain the capsules, with the same bounds."""
        with np.errstate(over="ignore"):
            balls = np.stack([self.starts, self.ends], axis=1)[:, :, None]
            around = finite(balls + self.radii[:, None, None, None] * AROUND_BALL)
            for i, core in self.cored:
                bounds = finite(core.bounds + (self.starts[i] - core.center))
                around[i] = np.tile(np.array(list(product(*bounds.T))), (3, 1))
        return around.reshape(-1, 3)


NO_ROUND_ARRAYS = RoundArrays(np.empty((0, 3)), np.empty((0, 3)), np.empty(0), np.empty(0, object))


def box_extremes(boxes: BoxArrays) -> tuple[Array, Array]:
    """The lowest and the highest corner of each box, (n, 3) each."""
    lows, highs = np.empty(boxes.origins.shape), np.empty(boxes.origins.shape)
    with np.errstate(over="ignore"):
        for chunk in progress.chunks(len(lows)):
            lows[chunk] = finite(boxes.origins[chunk] + np.minimum(boxes.edges[chunk], 0).sum(axis=1))
            highs[chunk] = finite(boxes.origins[chunk] + np.maximum(boxes.edges[chunk], 0).sum(axis=1))
    return lows, highs


class ShapeDrawing(NamedTuple):
    """The drawing of one type of shape."""

    drawn_as: DrawnAs
    handles: Callable[[Any], Array]
    """The draggable points (k, 3) of a shape."""
    bounding_points: Callable[[Any], Array]
    """Points (k, 3) that bound the part of a shape that the picture has to show; of a ray only the origin."""
    main_handles: int | None = None
    """The number of handles, the first ones, that are not the middles of faces; None for all."""


def drawn_as(shape: Shape) -> DrawnAs:
    return SHAPE_DRAWINGS[type(shape)].drawn_as


def handle_points(handled: Handled) -> Array:
    """The draggable points (k, 3).

    A segment's ends, a ray's origin and tip, a triangle's corners; of a box by its center that and the middle of
    each face (low and high along each axis in turn), of a parallelepiped its origin and the tips of its edges, of
    a sphere its center and the point of its surface along x, of a capsule its ends and a point of its side, of a
    polyhedron or frustum its middle. What is rounded or cast has one more, before the middles of faces: a point of
    its surface along x, and where its motion takes the first one. Last come the eye and the target of an item that
    has them.
    """
    shape = shape_with_handles(handled)
    with np.errstate(over="ignore"):
        points = SHAPE_DRAWINGS[type(shape)].handles(shape)
    if not isinstance(handled, Single) or not handled.points_beside:
        return points
    return np.concatenate([points, [getattr(handled, name) for name in handled.points_beside]])


def shape_with_handles(handled: Handled) -> Shape:
    return handled.shape if isinstance(handled, Single) else handled


def main_handles(handled: Handled) -> int:
    """The number of handles, the first ones, that are not the middles of faces."""
    count = SHAPE_DRAWINGS[type(shape_with_handles(handled))].main_handles
    return len(handle_points(handled)) if count is None else count


def bounding_points(shape: Shape) -> Array:
    return SHAPE_DRAWINGS[type(shape)].bounding_points(shape)


def box_arrays_of(boxes: Sequence[Shape]) -> BoxArrays:
    """The arrays of shapes that are drawn as boxes, in their order."""
    if isinstance(boxes, Shapes):
        return _box_arrays(boxes)
    arrays = BoxArrays(np.empty((len(boxes), 3)), np.empty((len(boxes), 3, 3)), np.empty(len(boxes), np.bool_))
    for kind in dict.fromkeys(map(type, boxes)):
        own = np.array([type(shape) is kind for shape in boxes])
        for part, found in zip(arrays, _box_arrays(Shapes.of([s for s in boxes if type(s) is kind])), strict=True):
            part[own] = found
    return arrays


def _box_arrays(boxes: Shapes) -> BoxArrays:
    origins, edges = _spans(boxes)
    progress.advance(0)
    return BoxArrays(origins, edges, _are_flat(boxes, edges))


def _spans(boxes: Shapes) -> tuple[Array, Array]:
    """Return the origins (n, 3) and edges (n, 3, 3) of shapes that are drawn as boxes."""
    kind = KINDS[boxes.kind]
    assert kind.spans is not None, f"{boxes.kind.__name__} is not drawn as a box"
    with np.errstate(over="ignore", invalid="ignore"):
        origins, edges = kind.spans(boxes.rows)
        if kind.cell is Cell.CENTERED:
            origins, edges = origins - edges.sum(axis=1), 2 * edges
        return finite(origins), finite(edges)


def _are_flat(boxes: Shapes, edges: Array) -> Flags:
    """Whether each box has no volume; (n,), decided exactly where rounding leaves it open."""
    found = np.empty(len(edges), np.bool_)
    for chunk in progress.chunks(len(edges)):
        sizes = np.abs(edges[chunk]).max(axis=2, keepdims=True)
        without_edge = (sizes == 0).any(axis=(1, 2))
        x, y, z = (edges[chunk] / np.where(sizes > 0, sizes, 1.0)).transpose(1, 0, 2)
        doubtful = (np.abs((x * np.cross(y, z)).sum(axis=1)) < NEARLY_FLAT) & ~without_edge
        found[chunk] = without_edge
        for i in chunk.start + np.flatnonzero(doubtful):
            found[i] = is_degenerate(boxes[int(i)])
    return found


def round_arrays_of(rounds: Sequence[Shape]) -> RoundArrays:
    """The arrays of spheres, capsules and rounded shapes, in their order."""
    cores = np.full(len(rounds), None, object)
    if isinstance(rounds, Shapes):
        rows = rounds.rows
    else:
        numbers: list[Sequence[float]] = []
        for i, shape in enumerate(rounds):
            core = cores[i] = core_of(shape) if isinstance(shape, Rounded) else None
            numbers.append((*core.center, core.size) if core else numbers_of(shape))
        rows = np.array([(*own[:3], *own[-4:]) for own in numbers], float).reshape(-1, 7).T
    return RoundArrays(rows[:3].T, rows[-4:-1].T, rows[-1], cores)


def _corners(shape: Shape) -> Array:
    return np.array(shape, float)


def _origin_and_tip(shape: shapes.Ray | shapes.Line) -> Array:
    return np.array([shape.origin, finite(np.add(shape.origin, shape.direction, dtype=float))], float)


def _center_and_faces(shape: shapes.Aabb | shapes.Obb) -> Array:
    (origin,), (edges,) = _spans(Shapes.of([shape]))
    center = origin + edges.sum(axis=0) / 2
    faces = center + edges[:, None] * np.array([[-1.0], [1.0]]) / 2
    return finite(np.vstack([getattr(shape, "center", center), faces.reshape(6, 3)]))


def _origin_and_edges(shape: shapes.Parallelepiped) -> Array:
    return finite(np.add([(0.0, 0.0, 0.0), *shape.edges], shape.origin, dtype=float))


def _extremes(shape: Shape) -> Array:
    return np.concatenate(box_extremes(box_arrays_of([shape])))


def _center_and_rim(sphere: shapes.Sphere) -> Array:
    return finite(np.array([sphere.center, np.add(sphere.center, (sphere.radius, 0.0, 0.0))], float))


def across_axis(capsule: shapes.Capsule) -> Array:
    """The unit vector (3,) at right angles to a capsule's axis that is nearest to a coordinate axis."""
    _, axis = polar(np.divide(capsule.end, 2) - np.divide(capsule.start, 2))
    nearest = np.eye(3)[np.abs(axis).argmin()]
    across = nearest - nearest @ axis * axis
    return np.asarray(across / np.linalg.norm(across))


def _ends_and_side(capsule: shapes.Capsule) -> Array:
    middle = np.divide(capsule.start, 2) + np.divide(capsule.end, 2)
    return finite(np.array([capsule.start, capsule.end, middle + capsule.radius * across_axis(capsule)], float))


def _finite_corners(shape: shapes.Polyhedron | shapes.Frustum) -> Array:
    corners: Array = np.array(list(map(exact.rounded_point, exact.corners(shape)))).reshape(-1, 3)
    return corners[(np.abs(corners) < FAR).all(axis=1)]


def _middle(shape: shapes.Polyhedron | shapes.Frustum) -> Array:
    """The middle of the corners that are not infinitely far, where there are any."""
    corners = _finite_corners(shape)
    return (corners / len(corners)).sum(axis=0)[None] if len(corners) else corners


def last_corner(shape: Shape) -> Array:
    """The corner (3,) of a core that is farthest along x, of several the one farthest along y, and z."""
    return np.array(max(map(exact.rounded_point, exact.corners(shape))))


def _with_handle(
    kind: type, entry: ShapeDrawing, point: Callable[[Any], Array], bounds: Callable[[Any], Array]
) -> ShapeDrawing:
    """The drawing of a shape around another one, whose own handle comes after the main ones of that."""
    main = handles_before(kind, entry)

    def handles(shape: Any) -> Array:
        return np.insert(entry.handles(shape.inner), main, finite(point(shape)), axis=0)

    count = None if entry.main_handles is None else main + 1
    return entry._replace(handles=handles, bounding_points=bounds, main_handles=count)


def handles_before(kind: type, entry: ShapeDrawing) -> int:
    """The number of main handles of a type of shape, after which comes that of its radius or of its motion."""
    return len(entry.handles(KINDS[kind].example)) if entry.main_handles is None else entry.main_handles


def _rounded(kind: type, entry: ShapeDrawing) -> ShapeDrawing:
    def on_surface(shape: Rounded) -> Array:
        return np.asarray(last_corner(shape.inner) + np.array([shape[-1], 0.0, 0.0]))

    return _with_handle(kind, entry, on_surface, _surface)._replace(drawn_as=DrawnAs.ROUND)


def _cast(kind: type, entry: ShapeDrawing) -> ShapeDrawing:
    def bounds(shape: shapes.Cast) -> Array:
        points = entry.bounding_points(shape.inner)
        return np.concatenate([points, finite(points + shape[-1])])

    return _with_handle(kind, entry, lambda shape: reference_point(shape) + shape[-1], bounds)


def reference_point(shape: shapes.Cast) -> Array:
    """The point (3,) of what is cast from which its motion is drawn: its first handle."""
    return np.asarray(handle_points(shape.inner)[0])


def _surface(shape: Shape) -> Array:
    return round_arrays_of([shape]).points


SHAPE_DRAWINGS: ShapeTable[ShapeDrawing] = ShapeTable(
    f"{__name__}.SHAPE_DRAWINGS",
    {
        shapes.Point: ShapeDrawing(DrawnAs.MARKER, _corners, _corners),
        shapes.Segment: ShapeDrawing(DrawnAs.STROKES, _corners, _corners),
        **dict.fromkeys(
            (shapes.Ray, shapes.Line),
            ShapeDrawing(DrawnAs.STROKES, _origin_and_tip, lambda shape: np.array([shape.origin], float)),
        ),
        shapes.Triangle: ShapeDrawing(DrawnAs.TRIANGLE, _corners, _corners),
        shapes.Aabb: ShapeDrawing(DrawnAs.BOX, _center_and_faces, _extremes, main_handles=1),
        shapes.Obb: ShapeDrawing(DrawnAs.BOX, _center_and_faces, _extremes, main_handles=1),
        shapes.Parallelepiped: ShapeDrawing(DrawnAs.BOX, _origin_and_edges, _extremes),
        shapes.Plane: ShapeDrawing(DrawnAs.FACETS, lambda _: np.empty((0, 3)), lambda _: np.empty((0, 3))),
        **dict.fromkeys(
            (shapes.Polyhedron, shapes.Frustum), ShapeDrawing(DrawnAs.FACETS, _middle, _finite_corners)
        ),
        shapes.Sphere: ShapeDrawing(DrawnAs.ROUND, _center_and_rim, _surface),
        shapes.Capsule: ShapeDrawing(DrawnAs.ROUND, _ends_and_side, _surface),
    },
    rounded=_rounded,
    cast=_cast,
)

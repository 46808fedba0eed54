"""The types of shapes that the mouse can draw, each made by a drag from its start to its end, or by a click."""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from msgspec.structs import replace

from hitscope.draw.handle_targets import HandleTarget, handle_target
from hitscope.geometry import shapes
from hitscope.geometry.arrays import Array
from hitscope.geometry.exact import rounded
from hitscope.geometry.exact.integers import Vector
from hitscope.geometry.features.shape_features import direction
from hitscope.geometry.kinds import ShapeTable
from hitscope.geometry.shapes import Vec3
from hitscope.geometry.vector import vec3
from hitscope.render.view import View
from hitscope.scene.decimals import difference, scalar_product, total
from hitscope.scene.exact_points import on_plane, radius_to
from hitscope.scene.rotations import rough_euler_of
from hitscope.viewer.tools.drags.drag_points import path_words, point_words

LEVEL = 0.5
"""A side that rises from a plane by more than this part of its length is led out of it."""
FACING = 0.97
"""The cosine between the normal and the view from which on what stands on a surface is seen end on."""
CLICKED = 0.2
"""The size of a shape that a click places, as a part of the picture's height; it is rounded down to a nice one."""
TURN = 30.0
"""The angle in degrees by which an obb that a click places is turned."""
UNIT_DECIMALS, ANGLE_DECIMALS = 3, 1
"""The decimals of a unit normal and of an angle in degrees."""

Fields: TypeAlias = dict[str, Any]


class ShapeStart(NamedTuple):
    """The start of a new shape, the normal of the surface that it starts on, if any, and the view."""

    point: Vec3
    normal: Vector | None
    view: View

    @property
    def frame(self) -> Array:
        """Unit rows (3, 3): to the right in the picture and away from the eye on the surface, and out of it.

        In the sky the surface is the plane that faces the camera. The first is a coordinate axis where one fits.
        """
        right, _, back = self.view.camera.axes
        out = back if self.normal is None else direction(self.normal)
        level = [way / np.linalg.norm(way) for way in np.cross(out, np.eye(3)) if way.any()]
        along = max(level, key=lambda way: abs(float(way @ right)))
        along = along if along @ right > 0 else -along
        return np.array([along, np.cross(out, along), out])

    def frame_along(self, end: Vec3) -> Array:
        """Unit rows (3, 3): along the drag, across it on the surface and up in the picture, and out of it."""
        along, _, out = self.frame
        way = np.array(difference(end, self.point))
        along = way / np.linalg.norm(way) if way.any() else along
        if not abs(out @ along) < LEVEL:  # led out of the surface
            out = min(self.view.camera.axes, key=lambda axis: abs(float(axis @ along)))
        out = out - (out @ along) * along
        out = out / np.linalg.norm(out)
        across = np.cross(out, along)
        return np.array([along, across if across @ self.view.camera.axes[1] >= 0 else -across, out])

    @property
    def stands(self) -> bool:
        """Whether what stands on the surface is seen from the side."""
        return self.normal is not None and abs(float(direction(self.normal) @ self.view.camera.axes[2])) < FACING

    @property
    def size(self) -> float:
        """The size of a shape that a click places: 1, 2 or 5 times a power of ten."""
        size = CLICKED * self.view.pixel_size(self.point) * self.view.viewport.height
        if not 0 < size < math.inf:
            return 1.0
        power = math.floor(math.log10(size))
        return float(f"{max(digit for digit in (1, 2, 5) if digit * 10.0**power <= size * (1 + 1e-9))}e{power}")

    def moved(self, right: float, away: float = 0.0, out: float = 0.0) -> Vec3:
        """The point moved along the `frame`, with few decimals; without `out` it stays on the surface."""
        near = np.array(self.point) + np.array([right, away, out]) @ self.frame
        if self.normal is None or out:
            return self.view.rounded(near)
        return point_in_plane(self.normal, [Fraction(p) for p in self.point], near, self.view.decimals(near))

    def short(self, vector: Array) -> Vec3:
        """A vector (3,) with few decimals."""
        return vec3(map(self.short_length, vector.tolist()))

    def short_length(self, length: float) -> float:
        """A number with few decimals."""
        return round(length, self.view.decimals(self.point)) + 0.0


Make: TypeAlias = Callable[[ShapeStart, Vec3, float | None], Fields]
"""Makes a shape from a start to an end, with a typed length of the sides if there is one."""


class NewShape(NamedTuple):
    """The functions and rules by which the mouse draws a shape of one type."""

    make: Make
    place: Callable[[Make, ShapeStart], Fields]
    """Makes the shape that a click places, by `make` if that has any use."""
    texts: Callable[[Any], tuple[str, str]]
    """The size of a shape, and its two ends, in words."""
    end_target: Callable[[Any], HandleTarget] | None = None
    """The target by which the end of a shape is snapped so that the shape touches; None: snapped as a point."""
    is_axis_aligned: bool = False


def point_in_plane(normal: Vector, through: Sequence[Fraction], near: Array, decimals: int) -> Vec3:
    """The point near a point (3,) of the plane through another, two coordinates with few decimals."""
    offset = sum((n * p for n, p in zip(normal, through, strict=True)), Fraction(0))
    return vec3(map(rounded, on_plane(normal, offset, near, decimals)))


def _placed_line(make: Make, start: ShapeStart) -> Fields:
    """The line that comes down on the surface, where it is seen from the side; else it lies in it."""
    if not start.stands:
        return _placed_edge(make, start)
    return make(start._replace(point=start.moved(0.0, 0.0, start.size)), start.point, None)


def _box(start: ShapeStart, end: Vec3, side: float | None) -> Fields:
    """The box from a start to an end, with all sides of a length if one is given.

    Along an axis that the drag does not go along, the box is as long as along the shortest other: up from what it
    stands on, else away from the eye.
    """
    assert start.normal is not None
    ways = difference(end, start.point)
    size = abs(side) if side is not None else min((abs(way) for way in ways if way), default=0.0)
    away = [n or -float(back) for n, back in zip(start.normal, start.view.camera.axes[2], strict=True)]
    x, y, z = (
        way if way and side is None else math.copysign(size, way or toward)
        for way, toward in zip(ways, away, strict=True)
    )
    corners = np.array([start.point, total(start.point, (x, y, z))]) + 0.0
    return {"min": vec3(corners.min(axis=0).tolist()), "max": vec3(corners.max(axis=0).tolist())}


def _wedge(start: ShapeStart, end: Vec3, side: float | None) -> Fields:
    """The lower half of the box, cut from its upper edge away from the eye to its lower edge at the front."""
    box = _box(start, end, side)
    corners = product(*zip(box["min"], box["max"], strict=True))
    _, away, out = start.frame
    return {"vertices": tuple(p for p in corners if _is_ahead(p, box, away) or not _is_ahead(p, box, out))}


def _is_ahead(corner: Vec3, box: Fields, axis: Array) -> bool:
    """Whether a corner of a box is at the end of it to which a vector (3,) along a coordinate axis points."""
    k = int(np.abs(axis).argmax())
    return bool(corner[k] == box["max" if axis[k] > 0 else "min"][k])


def _placed_box(make: Make, start: ShapeStart) -> Fields:
    """The cube, or what is made in it, on a base around the start."""
    half = start.size / 2
    return make(start._replace(point=start.moved(-half, -half)), start.moved(half, half), None)


def _obb(start: ShapeStart, end: Vec3, side: float | None) -> Fields:
    """The box whose bottom's middle is the drag: half as wide and as high as it is long."""
    along, _, out = start.frame_along(end)
    k = int(np.abs(out).argmax())
    i, j = (k + 1) % 3, (k + 2) % 3
    axes, extents = np.empty((3, 3)), np.empty(3)
    # Turned about as few coordinate axes as possible, and by a small angle: the box has no front.
    axes[k] = out * math.copysign(1.0, out[k])
    axes[i] = along * math.copysign(1.0, along[i])
    axes[j] = np.cross(axes[k], axes[i])
    length = math.dist(start.point, end)
    extents[[i, j, k]] = length / 2, length / 4, length / 4
    half_extents = start.short(extents)
    middle = total(start.point, start.short(np.array(difference(end, start.point)) / 2))
    a, b, c = map(vec3, axes.tolist())
    return {
        "center": total(middle, start.short(out * half_extents[k])),
        "half_extents": half_extents,
        "euler_xyz_deg": vec3(round(angle, ANGLE_DECIMALS) + 0.0 for angle in rough_euler_of((a, b, c))),
    }


def _placed_obb(make: Make, start: ShapeStart) -> Fields:
    right, away = start.size / 2 * math.cos(math.radians(TURN)), start.size / 2 * math.sin(math.radians(TURN))
    box = make(start._replace(point=start.moved(-right, -away)), start.moved(right, away), None)
    return {**box, "euler_xyz_deg": vec3(float(round(angle)) for angle in box["euler_xyz_deg"])}


def _parallelepiped(start: ShapeStart, end: Vec3, side: float | None) -> Fields:
    """The skew box whose first edge is the drag; the others lean along it."""
    along, across, out = start.frame_along(end) * math.dist(start.point, end)
    leaning = 0.25 * along + 0.5 * across, 0.2 * along + 0.5 * out
    return {"origin": start.point, "edges": (difference(end, start.point), *map(start.short, leaning))}


def _placed_edge(make: Make, start: ShapeStart) -> Fields:
    """The shape whose first edge is at the start, to the left and right of it."""
    half = start.size / 2
    return make(start._replace(point=start.moved(-half)), start.moved(half), None)


def _sphere(start: ShapeStart, end: Vec3, side: float | None) -> Fields:
    """The sphere around a start, through an end or with a typed radius."""
    radius = start.short_length(math.dist(start.point, end)) if side is None else abs(side)
    return {"center": start.point, "radius": radius}


def _placed_capsule(make: Make, start: ShapeStart) -> Fields:
    """The capsule that lies on the surface."""
    radius = start.size / 4
    return {"start": start.moved(-radius, 0.0, radius), "end": start.moved(radius, 0.0, radius), "radius": radius}


def _frustum(start: ShapeStart, end: Vec3, side: float | None) -> Fields:
    """The frustum of a camera at a start, as far as an end."""
    way = np.subtract(end, start.point)
    if not way.any():
        end, way = start.moved(start.size), start.size * start.frame[0]
    upward = start.frame[2]
    if np.linalg.norm(np.cross(upward, way)) < LEVEL * np.linalg.norm(way):
        upward = np.eye(3)[np.abs(way).argmin()]
    far = math.dist(start.point, end)
    return {
        "eye": start.point,
        "target": end,
        "up": vec3(round(value, UNIT_DECIMALS) + 0.0 for value in upward.tolist()),
        "fov_deg": 60.0,
        "aspect": 1.5,
        "near": start.short_length(far / 8) or far / 8,
        "far": start.short_length(far) or far,
    }


def _with_field(shape: NewShape, name: str, value: Callable[[ShapeStart, float], Any]) -> NewShape:
    """How a shape is drawn with one field more, by its start and its size."""
    return shape._replace(
        make=lambda start, end, side: {
            **shape.make(start, end, side),
            name: value(start, math.dist(start.point, end) if side is None else abs(side)),
        },
        place=lambda make, start: {**shape.place(shape.make, start), name: value(start, start.size)},
    )


def _triangle(start: ShapeStart, end: Vec3, side: float | None) -> Fields:
    """The triangle whose first side is from a start to an end; the third corner is above it in the picture.

    It is in the plane that the triangle began in, unless its first side is led out of that.
    """
    point, normal, view = start
    _, up, back = view.camera.axes
    way = np.subtract(end, point)
    if normal is not None and not abs(direction(normal) @ way) < LEVEL * np.linalg.norm(way):
        normal = None
    rise = np.cross(back if normal is None else direction(normal), way)
    near = np.add(point, end) / 2 + (-rise if rise @ up < 0 else rise)
    if normal is None:
        return {"vertices": (point, end, view.rounded(near))}
    middle = [(Fraction(p) + Fraction(q)) / 2 for p, q in zip(point, end, strict=True)]
    return {"vertices": (point, end, point_in_plane(normal, middle, near, view.decimals(near)))}


def _placed_triangle(make: Make, start: ShapeStart) -> Fields:
    """The triangle that stands on the surface, where it is seen from the side; else it lies in it."""
    if not start.stands:
        return _placed_edge(make, start)
    half = start.size / 2
    return {"vertices": (start.moved(-half), start.moved(half), start.moved(0.0, 0.0, 2 * half))}


def _plane(start: ShapeStart, end: Vec3, side: float | None) -> Fields:
    """The plane through a start whose normal goes to an end, or is that of the surface if both are the same."""
    normal = difference(end, start.point)
    if not any(normal):
        normal = vec3(round(value, UNIT_DECIMALS) + 0.0 for value in start.frame[2].tolist())
    return {"normal": normal, "offset": rounded(scalar_product(normal, start.point))}


def _line_texts(item: Any) -> tuple[str, str]:
    start, end = item.shape if hasattr(item, "end") else (item.origin, total(item.origin, item.direction))
    return f"length {math.dist(start, end):g}", path_words(start, end)


def _bounds_texts(points: Sequence[Vec3]) -> tuple[str, str]:
    lo, hi = (vec3(choose(values) for values in zip(*points, strict=True)) for choose in (min, max))
    return _sides_text(difference(hi, lo)), path_words(lo, hi)


def _sides_text(sides: Iterable[float]) -> str:
    return " × ".join(f"{side:g}" for side in sides)


_LINE_RULES = _placed_line, _line_texts, partial(handle_target, handle=1)

NEW_SHAPES: ShapeTable[NewShape] = ShapeTable(
    f"{__name__}.NEW_SHAPES",
    {
        shapes.Point: NewShape(
            lambda start, end, side: {"position": end},
            lambda make, start: {"position": start.point},
            lambda item: (f"at {point_words(item.position)}", ""),
        ),
        shapes.Segment: NewShape(lambda start, end, side: {"start": start.point, "end": end}, *_LINE_RULES),
        **dict.fromkeys(
            (shapes.Ray, shapes.Line),
            NewShape(
                lambda start, end, side: {"origin": start.point, "direction": difference(end, start.point)},
                *_LINE_RULES,
            ),
        ),
        shapes.Triangle: NewShape(
            _triangle,
            _placed_triangle,
            lambda item: (f"side {math.dist(*item.vertices[:2]):g}", path_words(*item.vertices[:2])),
        ),
        shapes.Aabb: NewShape(
            _box, _placed_box, lambda item: _bounds_texts((item.min, item.max)), is_axis_aligned=True
        ),
        shapes.Obb: NewShape(
            _obb,
            _placed_obb,
            lambda item: (_sides_text(2 * half for half in item.half_extents), f"at {point_words(item.center)}"),
        ),
        shapes.Parallelepiped: NewShape(
            _parallelepiped,
            _placed_edge,
            lambda item: (_sides_text(math.hypot(*way) for way in item.edges), f"from {point_words(item.origin)}"),
        ),
        shapes.Sphere: NewShape(
            _sphere,
            # It rests on the surface.
            lambda make, start: {"center": start.moved(0.0, 0.0, start.size / 2), "radius": start.size / 2},
            lambda item: (f"radius {item.radius:g}", f"at {point_words(item.center)}"),
            end_target=lambda item: HandleTarget(
                item.center, lambda to: replace(item, radius=radius_to(item.center, to))
            ),
        ),
        shapes.Capsule: NewShape(
            # Half as wide as its axis is long.
            lambda start, end, side: {
                "start": start.point,
                "end": end,
                "radius": start.short_length(math.dist(start.point, end) / 4),
            },
            _placed_capsule,
            lambda item: (
                f"length {math.dist(item.start, item.end):g}, radius {item.radius:g}",
                path_words(item.start, item.end),
            ),
        ),
        shapes.Plane: NewShape(
            _plane,
            lambda make, start: make(start, start.point, None),
            lambda item: (f"normal {point_words(item.normal)}", f"offset {item.offset:g}"),
        ),
        shapes.Polyhedron: NewShape(
            _wedge, _placed_box, lambda item: _bounds_texts(item.vertices), is_axis_aligned=True
        ),
        shapes.Frustum: NewShape(
            _frustum, _placed_edge, lambda item: (f"length {item.far:g}", path_words(item.eye, item.target))
        ),
    },
    rounded=lambda kind, shape: _with_field(shape, "radius", lambda start, size: start.short_length(size / 8)),
    cast=lambda kind, shape: _with_field(
        shape, "motion", lambda start, size: start.short(2 * size * start.frame[0])
    ),
)

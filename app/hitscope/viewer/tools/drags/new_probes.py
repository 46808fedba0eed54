"""The kinds of probes that a drag can draw, each made from the drag's start and its end."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from hitscope.geometry.arrays import Array
from hitscope.geometry.exact import rounded
from hitscope.geometry.exact.integers import Vector
from hitscope.geometry.features.shape_features import direction
from hitscope.geometry.shapes import ENDLESS, Aabb, Line, Ray, Segment, Triangle, Vec3
from hitscope.render.view import View
from hitscope.scene.affine_maps import vec3
from hitscope.scene.decimals import difference, total
from hitscope.scene.exact_points import on_plane
from hitscope.scene.items import Single
from hitscope.scene.model import AabbProbe, LineProbe, PointProbe, RayProbe, SegmentProbe, TriangleProbe
from hitscope.viewer.tools.drags.drag_points import path_words, point_words

LEVEL = 0.5
"""A side that rises from a plane by more than this part of its length is led out of it."""


class ProbeStart(NamedTuple):
    """The start of a new probe, the normal of the surface that it starts on, if any, and the view."""

    point: Vec3
    normal: Vector | None
    view: View


class NewProbe(NamedTuple):
    """The functions and rules by which a drag draws a probe of one kind."""

    make: Callable[[ProbeStart, Vec3, float | None], Single]
    """The probe from a start to an end, with a typed length of the sides if there is one."""
    texts: Callable[[Any], tuple[str, str]]
    """The size of a shape, and its two ends, in words."""
    has_end: bool = True
    """Whether it has an end besides its start; a press alone draws one that has none."""
    has_tip: bool = False
    """Whether the end of the probe is a handle of it."""
    has_faces: bool = False
    """Whether it keeps to the plane in which it began, and can be a primitive, too."""
    is_axis_aligned: bool = False


def point_in_plane(normal: Vector, through: Sequence[Fraction], near: Array, decimals: int) -> Vec3:
    """The point near a point (3,) of the plane through another, two coordinates with few decimals."""
    offset = sum((n * p for n, p in zip(normal, through, strict=True)), Fraction(0))
    return vec3(map(rounded, on_plane(normal, offset, near, decimals)))


def _box(start: ProbeStart, end: Vec3, side: float | None) -> AabbProbe:
    """The box from a start to an end, with all sides of a length if one is given."""
    corners = np.array([start.point, _opposite_corner(start, end, side)]) + 0.0
    return AabbProbe(min=vec3(corners.min(axis=0).tolist()), max=vec3(corners.max(axis=0).tolist()))


def _opposite_corner(start: ProbeStart, end: Vec3, side: float | None) -> Vec3:
    """The corner of a box across from the start.

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
    return total(start.point, (x, y, z))


def _triangle(start: ProbeStart, end: Vec3, side: float | None) -> TriangleProbe:
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
        return TriangleProbe(vertices=(point, end, view.rounded(near)))
    middle = [(Fraction(p) + Fraction(q)) / 2 for p, q in zip(point, end, strict=True)]
    return TriangleProbe(vertices=(point, end, point_in_plane(normal, middle, near, view.decimals(near))))


def _line_texts(shape: Segment | Ray | Line) -> tuple[str, str]:
    start, end = shape if type(shape) not in ENDLESS else (shape[0], total(*shape))
    return f"length {math.dist(start, end):g}", path_words(start, end)


def _box_texts(box: Aabb) -> tuple[str, str]:
    return " × ".join(f"{side:g}" for side in difference(box.hi, box.lo)), path_words(box.lo, box.hi)


def _triangle_texts(triangle: Triangle) -> tuple[str, str]:
    return f"side {math.dist(triangle.a, triangle.b):g}", path_words(triangle.a, triangle.b)


NEW_PROBES: dict[str, NewProbe] = {
    "point": NewProbe(
        lambda start, end, side: PointProbe(position=end),
        lambda point: (f"at {point_words(point.position)}", ""),
        has_end=False,
    ),
    "segment": NewProbe(
        lambda start, end, side: SegmentProbe(start=start.point, end=end), _line_texts, has_tip=True
    ),
    "ray": NewProbe(
        lambda start, end, side: RayProbe(origin=start.point, direction=difference(end, start.point)),
        _line_texts,
        has_tip=True,
    ),
    "line": NewProbe(
        lambda start, end, side: LineProbe(origin=start.point, direction=difference(end, start.point)),
        _line_texts,
        has_tip=True,
    ),
    "triangle": NewProbe(_triangle, _triangle_texts, has_faces=True),
    "box": NewProbe(_box, _box_texts, has_faces=True, is_axis_aligned=True),
}
"""The kinds of probes that can be drawn, by the word of the tool."""

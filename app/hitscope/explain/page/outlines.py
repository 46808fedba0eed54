"""The shapes of a pair as points, lines and faces in a frame of about the size of one."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from hitscope.explain.pair_space import PairSpace
from hitscope.geometry import exact, shapes
from hitscope.geometry.arrays import polar
from hitscope.geometry.kinds import ShapeTable
from hitscope.geometry.polyhedron import polygons_of
from hitscope.geometry.vector import cross

DIGITS = 5
"""The decimals of a coordinate in the frame."""
MOST_FACES = 2000
"""The most faces of a polyhedron that are drawn."""
FARTHEST = 50.0
"""The largest coordinate in the frame: what is farther out is moved there."""
SHEET = 1.2
"""Half of the side of a plane's patch."""


class Frame(NamedTuple):
    """A middle and a radius that the coordinates of a page are relative to."""

    middle: shapes.Vec3
    radius: float

    @classmethod
    def around(cls, space: PairSpace) -> "Frame":
        """Return the frame of the bounded parts of a pair."""
        lo, hi = space.bounds
        x, y, z = (lo / 2 + hi / 2).tolist()
        return cls((x, y, z), float((hi / 2 - lo / 2).max()) or max(map(abs, (x, y, z))) or 1.0)

    def points(self, points: Iterable[Sequence[Any]]) -> list[list[float]] | None:
        """Return points in the frame; None where one is not finite."""
        middle, radius = self
        found = [[float(n) / radius - m / radius for n, m in zip(point, middle, strict=True)] for point in points]
        if not all(math.isfinite(number) for point in found for number in point):
            return None
        return [[round(min(max(n, -FARTHEST), FARTHEST), DIGITS) for n in point] for point in found]


Outline: TypeAlias = dict[str, Any]
"""Points, lines, faces, arrows, tip last, and balls: a center and a radius, of a capsule another center, too."""


def outline(shape: shapes.Shape, frame: Frame) -> Outline:
    """Return the points, lines, arrows, faces and balls of a shape in a frame."""
    nothing: Outline = {"points": [], "lines": [], "arrows": [], "faces": [], "balls": []}
    return nothing | OUTLINES[type(shape)](shape, frame)


def _of_segment(segment: shapes.Segment, frame: Frame) -> Outline:
    line = frame.points(segment)
    return {"lines": [] if line is None else [line], "points": frame.points([segment.start]) or []}


def _of_endless(probe: shapes.Ray | shapes.Line, frame: Frame) -> Outline:
    if (points := frame.points([probe.origin])) is None:
        return {}
    (origin,), unit = points, polar(probe.direction)[1].tolist()
    reach = math.hypot(*origin) + 2  # beyond the frame
    start, tip = (
        [round(a + side * reach * b, DIGITS) for a, b in zip(origin, unit, strict=True)] for side in (-1, 1)
    )
    return {"arrows": [[start if shapes.T_RANGES[type(probe)][0] < 0 else origin, tip]], "points": points}


def _of_body(body: shapes.Shape, frame: Frame) -> Outline:
    return {"faces": [face for polygon in polygons_of(body)[:MOST_FACES] if (face := frame.points(polygon))]}


def _of_polyhedron(polyhedron: shapes.Polyhedron, frame: Frame) -> Outline:
    if exact.is_bounded(polyhedron):
        return _of_body(polyhedron, frame)
    return {"faces": [_sheet(plane, frame) for plane in polyhedron.planes[:MOST_FACES]]}


def _of_round(shape: shapes.Sphere | shapes.Capsule, frame: Frame) -> Outline:
    if (ends := frame.points(shape[:-1])) is None:
        return {}
    radius = min(float(shape.radius) / frame.radius, FARTHEST)
    return {"points": ends, "balls": [[*ends[0], round(radius, DIGITS), *(ends[1] if ends[1:] else ())]]}


OUTLINES: ShapeTable[Callable[[Any, Frame], Outline]] = ShapeTable(
    f"{__name__}.OUTLINES",
    {
        shapes.Point: lambda point, frame: {"points": frame.points([point.position]) or []},
        shapes.Segment: _of_segment,
        **dict.fromkeys((shapes.Ray, shapes.Line), _of_endless),
        shapes.Plane: lambda plane, frame: {"faces": [_sheet(plane, frame)]},
        **dict.fromkeys((shapes.Polyhedron, shapes.Frustum), _of_polyhedron),
        shapes.Sphere: _of_round,
        shapes.Capsule: _of_round,
        **dict.fromkeys((shapes.Triangle, shapes.Aabb, shapes.Obb, shapes.Parallelepiped), _of_body),
    },
    rounded=lambda kind, entry: _of_body,
    cast=lambda kind, entry: _of_body,
)
"""How each type of shape is drawn in the page."""


def _sheet(plane: shapes.Plane, frame: Frame) -> list[list[float]]:
    """The corners of a square of a plane at its point nearest to the middle of the frame."""
    normal: list[float] = polar(plane.normal)[1].tolist()
    largest = max(map(abs, plane.normal))
    length = math.hypot(*(number / largest for number in plane.normal))
    height = plane.offset / largest / length - sum(a * b for a, b in zip(normal, frame.middle, strict=True))
    height = min(max(height / frame.radius, -FARTHEST), FARTHEST)
    axis = min(range(3), key=lambda k: abs(normal[k]))
    u: list[float] = polar(cross(normal, [float(k == axis) for k in range(3)]))[1].tolist()
    v = cross(normal, u)
    return [
        [round(height * n + SHEET * (a * p + b * q), DIGITS) for n, p, q in zip(normal, u, v, strict=True)]
        for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))
    ]

"""Points, and the linear probes: an origin, a direction and a range of t."""

from math import inf
from typing import TYPE_CHECKING, NamedTuple, Self

from hitscope.geometry.kinds.record import Cell, Kind, Linear, Scale, Vec3, Vector, checked, of_points, spans_of


@checked()
class Point(NamedTuple("Point", [("position", Vec3)])):
    """One point.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Aabb, Point, intersect
    >>> intersect(Point((0, 0, 3)), Aabb((0, 0, 0), (1, 1, 1))).distance
    2.0
    """

    if TYPE_CHECKING:

        def __new__(cls, position: Vector) -> Self: ...


@checked()
class Segment(NamedTuple("Segment", [("start", Vec3), ("end", Vec3)])):
    """The points start + t * (end - start), 0 <= t <= 1.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Aabb, Segment, intersect
    >>> intersect(Segment((0, 0, 0), [4, 0, 0]), Aabb((1, -1, -1), (2, 1, 1))).t_enter
    0.25
    """

    if TYPE_CHECKING:

        def __new__(cls, start: Vector, end: Vector) -> Self: ...


@checked()
class Ray(NamedTuple("Ray", [("origin", Vec3), ("direction", Vec3)])):
    """The points origin + t * direction, t >= 0; the direction need not be unit.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Plane, Ray, intersect
    >>> intersect(Ray(origin=(0, 0, 5), direction=[0, 0, -2]), Plane((0, 0, 1), 1)).point
    (0.0, 0.0, 1.0)
    """

    if TYPE_CHECKING:

        def __new__(cls, origin: Vector, direction: Vector) -> Self: ...


@checked()
class Line(NamedTuple("Line", [("origin", Vec3), ("direction", Vec3)])):
    """The points origin + t * direction for every t.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Aabb, Line, intersect
    >>> intersect(Line((0, 0, 0), (1, 0, 0)), Aabb((-2, -1, -1), (-1, 1, 1))).t_enter
    -2.0
    """

    if TYPE_CHECKING:

        def __new__(cls, origin: Vector, direction: Vector) -> Self: ...


def linear_of_segment(segment: Segment) -> Linear:
    """The segment from its start, with the direction end - start, rounded."""
    (sx, sy, sz), (ex, ey, ez) = segment
    return Linear(segment.start, (ex - sx, ey - sy, ez - sz), 0, 1)


def linear_of_ray(ray: Ray) -> Linear:
    """The ray, 0 <= t."""
    return Linear(ray.origin, ray.direction, 0, inf)


def linear_of_line(line: Line) -> Linear:
    """The line, every t."""
    return Linear(line.origin, line.direction, -inf, inf)


POINT = Kind(
    Point, 0, Point._make(((1.0, 2.0, 3.0),)), points=tuple, bounds=of_points, spans=spans_of, corner_names=("",)
)
SEGMENT = Kind(
    Segment,
    1,
    Segment._make(((0.0, 0.0, 0.0), (4.0, 2.0, 1.0))),
    t_range=(0, 1),
    points=tuple,
    bounds=of_points,
    spans=spans_of,
    corner_names=("start", "end"),
    forms={Linear: linear_of_segment},
)
RAY = Kind(
    Ray,
    1,
    Ray._make(((0.0, 0.0, 0.0), (2.0, 1.0, 0.0))),
    scales={"direction": Scale.DIRECTION},
    t_range=(0, inf),
    spans=lambda rows: (rows[:3].T, rows[3:].T[:, None]),
    cell=Cell.LINE,
    corner_names=("origin",),
    forms={Linear: linear_of_ray},
)
LINE = RAY._replace(shape=Line, example=Line(*RAY.example), t_range=(-inf, inf), forms={Linear: linear_of_line})

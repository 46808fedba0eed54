"""Triangles and planes, which have a front and a back."""

from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from hitscope.geometry import checks
from hitscope.geometry.kinds.record import Kind, Number, Scale, Vec3, Vector, checked, of_points, spans_of


@checked()
class Triangle(NamedTuple("Triangle", [("a", Vec3), ("b", Vec3), ("c", Vec3)])):
    """The convex hull of three points; counter-clockwise is the front.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Triangle, Segment, intersect
    >>> corners = [(0, 0, 0), (4, 0, 0), (0, 4, 0)]
    >>> intersect(Segment((1, 1, 1), (1, 1, -1)), Triangle(*corners)).normal
    (0.0, 0.0, 1.0)
    """

    if TYPE_CHECKING:

        def __new__(cls, a: Vector, b: Vector, c: Vector) -> Self: ...


@checked(lambda plane: checks.check_normal(plane.normal))
class Plane(NamedTuple("Plane", [("normal", Vec3), ("offset", float)])):
    """The points with dot(normal, p) = offset; the normal is not zero and need not be unit.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Plane, Point, intersect
    >>> intersect(Point((0, 0, -3)), Plane((0, 0, 1), offset=1)).distance
    -4.0
    """

    if TYPE_CHECKING:

        def __new__(cls, normal: Vector, offset: Number) -> Self: ...


TRIANGLE = Kind(
    Triangle,
    2,
    Triangle._make(((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 4.0, 1.0))),
    points=tuple,
    bounds=of_points,
    spans=spans_of,
    feature_names=("edge 0-1", "edge 1-2", "edge 0-2", "plane"),
    in_hierarchy=True,
)
PLANE = Kind(
    Plane,
    2,
    Plane._make(((0.0, 0.0, 1.0), 0.0)),
    scales={"normal": Scale.NORMAL, "offset": Scale.OFFSET},
    faults=(("planes with the normal 0", lambda rows: np.asarray((rows[:3] == 0).all(axis=0))),),
)

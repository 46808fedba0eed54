"""For each type of shape, how the judge simplifies it."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from hitscope.geometry.arrays import numbers_of
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
from hitscope.scene.checked_shapes import IDENTITY


class JudgedShape(NamedTuple):
    """The properties of one type of shape that the judge uses to simplify it."""

    degrees: Callable[[Any], list[int]] = lambda shape: [1] * len(numbers_of(shape))
    """The power of the unit of length that each number of a shape scales with; normals count as lengths."""
    without_a_part: Callable[[Any], Iterator[Shape]] = lambda shape: iter(())
    """Yield the shape without one plane, vertex or rotation."""


def _without_rotation(box: Obb) -> Iterator[Obb]:
    yield box._replace(axes=IDENTITY)


def _polyhedron_degrees(body: Polyhedron) -> list[int]:
    return [1, 1, 1, 2] * len(body.planes) if body.planes else [1] * len(numbers_of(body))


def _without_a_plane_or_vertex(body: Polyhedron) -> Iterator[Polyhedron]:
    planes, vertices = body
    for i in range(len(planes or vertices)):
        yield Polyhedron._make((planes[:i] + planes[i + 1 :], vertices[:i] + vertices[i + 1 :]))


JUDGED_SHAPES: dict[type[Shape], JudgedShape] = {
    Point: JudgedShape(),
    Segment: JudgedShape(),
    Ray: JudgedShape(),
    Line: JudgedShape(),
    Triangle: JudgedShape(),
    Aabb: JudgedShape(),
    Obb: JudgedShape(degrees=lambda box: [1] * 6 + [0] * 9, without_a_part=_without_rotation),
    Parallelepiped: JudgedShape(),
    Plane: JudgedShape(degrees=lambda plane: [1, 1, 1, 2]),
    Polyhedron: JudgedShape(degrees=_polyhedron_degrees, without_a_part=_without_a_plane_or_vertex),
}
"""The entry of each type of shape."""

"""Convex polyhedra, by half-spaces or by corners."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

from hitscope.geometry.kinds.flat import Plane
from hitscope.geometry.kinds.record import Kind, Number, Vec3, Vector, Vectors, checked


class _PolyhedronFields(NamedTuple):
    planes: tuple[Plane, ...] = ()
    vertices: tuple[Vec3, ...] = ()


@checked()
class Polyhedron(_PolyhedronFields):
    """A convex set: of `planes` the points with dot(normal, p) <= offset for each, else the hull of `vertices`.

    Planes are pairs of a normal and an offset. Vectors are any sequences or arrays of three numbers, and are
    kept as tuples.

    >>> from hitscope import Point, Polyhedron, intersect
    >>> tetrahedron = Polyhedron(vertices=[(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> intersect(Point((0.25, 0.25, 0.25)), tetrahedron).state
    'inside'
    """

    __slots__ = ()
    if TYPE_CHECKING:

        def __new__(cls, planes: Sequence[Plane | tuple[Vector, Number]] = (), vertices: Vectors = ()) -> Self: ...


POLYHEDRON = Kind(
    Polyhedron,
    3,
    Polyhedron._make(((), ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))),
    points=lambda body: body.vertices,
    feature_names=None,
)

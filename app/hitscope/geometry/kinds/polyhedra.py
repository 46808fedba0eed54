"""Convex polyhedra, by half-spaces or by corners, and the frusta of cameras."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

from hitscope.geometry.kinds.flat import Plane
from hitscope.geometry.kinds.record import Kind, Number, Numbers6, Scale, Vec3, Vector, Vectors, Vectors6, checked


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

    if TYPE_CHECKING:

        def __new__(cls, planes: Sequence[Plane | tuple[Vector, Number]] = (), vertices: Vectors = ()) -> Self: ...


POLYHEDRON = Kind(
    Polyhedron,
    3,
    Polyhedron._make(((), ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))),
    points=lambda body: body.vertices,
    feature_names=None,
)


@checked()
class Frustum(NamedTuple("Frustum", [("normals", Vectors6), ("offsets", Numbers6)])):
    """The points with dot(normals[i], p) <= offsets[i], i of the left, right, bottom, top, near and far plane.

    That of a camera that sees infinitely far has the normal (0, 0, 0) for its far plane, and an offset of at
    least 0.

    >>> from hitscope import Frustum, Point, intersect
    >>> sides = [(-1, 0, -1), (1, 0, -1), (0, -1, -1), (0, 1, -1), (0, 0, -1), (0, 0, 1)]
    >>> intersect(Point((0, 0, 5)), Frustum(sides, offsets=(0, 0, 0, 0, -1, 10))).state
    'inside'
    """

    if TYPE_CHECKING:

        def __new__(cls, normals: Vectors, offsets: Sequence[Number]) -> Self: ...

    @property
    def planes(self) -> tuple[Plane, ...]:
        """The half-spaces, but for one of all points."""
        return tuple(Plane._make(pair) for pair in zip(self.normals, self.offsets, strict=True) if any(pair[0]))


_SIDES = (-1.0, 0.0, -1.0), (1.0, 0.0, -1.0), (0.0, -1.0, -1.0), (0.0, 1.0, -1.0)
FRUSTUM = Kind(
    Frustum,
    3,
    Frustum._make(((*_SIDES, (0.0, 0.0, -1.0), (0.0, 0.0, 1.0)), (0.0, 0.0, 0.0, 0.0, -1.0, 10.0))),
    scales={"normals": Scale.NORMAL, "offsets": Scale.OFFSET},
    feature_names=tuple(f"plane {i}" for i in range(6)),
)

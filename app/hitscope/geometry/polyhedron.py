"""The common forms of polyhedra, boxes and triangles: half-spaces, or the polygons of the surface.

The hull of vertices is found exactly, and its planes and corners are rounded once; those of a shape in fractions
are not rounded.
"""

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from hitscope.geometry.exact.integers import Vector, times
from hitscope.geometry.exact.rounding import rounded, square_root
from hitscope.geometry.exact.sets import convex_set
from hitscope.geometry.registry import common_form
from hitscope.geometry.shapes import Aabb, Obb, Parallelepiped, Plane, Polyhedron, Shape, Triangle, Vec3
from hitscope.geometry.vector import dot


class HalfSpaces(NamedTuple):
    """A convex set: the points with dot(normal, p) <= offset for each plane; `inner` is one of them."""

    planes: tuple[Plane, ...]
    inner: Vec3


class Faces(NamedTuple):
    """A bounded shape by the polygons of its surface; a solid also has their planes, outward."""

    polygons: tuple[tuple[Vec3, ...], ...]
    planes: tuple[Plane, ...]


@common_form(HalfSpaces, Parallelepiped, Polyhedron)
def half_spaces(body: Parallelepiped | Polyhedron) -> HalfSpaces:
    """Return the planes that a polyhedron stores, or those of its hull."""
    own = isinstance(body, Polyhedron) and body.planes
    return HalfSpaces(own or planes_of(body), polygons_of(body)[0][0])


@common_form(Faces, Triangle, Aabb, Obb, Parallelepiped)
def faces(shape: Triangle | Aabb | Obb | Parallelepiped) -> Faces:
    """Return the polygons of a bounded shape, and the planes of a solid."""
    return Faces(polygons_of(shape), () if convex_set(shape).planes else planes_of(shape))


def polygons_of(shape: Shape) -> tuple[tuple[Vec3, ...], ...]:
    """Return the corners of each face; an unbounded set is cut off far out."""
    return _polygons(shape, _in_fractions(shape))


def planes_of(shape: Shape) -> tuple[Plane, ...]:
    """Return the half-spaces of a shape; where they are rounded their normals are unit."""
    return _planes(shape, _in_fractions(shape))


# The flag is part of the keys: a shape in fractions is equal to the same in floats.
@lru_cache(maxsize=1 << 12, typed=True)
def _polygons(shape: Shape, keep: bool) -> tuple[tuple[Vec3, ...], ...]:
    def corner(x: int, y: int, z: int, w: int) -> Vec3:
        a, b, c = Fraction(x, w), Fraction(y, w), Fraction(z, w)
        return (a, b, c) if keep else (rounded(a), rounded(b), rounded(c))  # type: ignore[return-value]

    return tuple(tuple(corner(*point) for point in face) for face in convex_set(shape).faces)


@lru_cache(maxsize=1 << 12, typed=True)
def _planes(shape: Shape, keep: bool) -> tuple[Plane, ...]:
    planes = []
    for slab in convex_set(shape).slabs:
        for sign, bound in ((1, slab.hi), (-1, slab.lo)):
            if bound is not None:
                planes.append(_plane(slab.normal, sign, sign * bound, keep))
    return tuple(planes)


def _plane(normal: Vector, sign: int, bound: int, keep: bool) -> Plane:
    size = Fraction(1) if keep else square_root(Fraction(dot(normal, normal)))
    x, y, z, offset = (Fraction(number) / size for number in (*times(normal, sign), bound))
    if keep:
        return Plane._make(((x, y, z), offset))
    return Plane._make(((rounded(x), rounded(y), rounded(z)), rounded(offset)))


def _in_fractions(value: object) -> bool:
    """Whether any number of a shape is a Fraction."""
    return any(map(_in_fractions, value)) if isinstance(value, tuple) else isinstance(value, Fraction)

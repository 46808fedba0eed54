"""Points, linear probes, triangles and boxes against a convex polyhedron (or a parallelepiped), plane by plane.

The common forms of the shapes are half-spaces, or the polygons of the surface. The hull of vertices is found
exactly, and its planes and corners are rounded once; those of a shape in fractions are not rounded.
"""

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from hitscope.geometry.answers import (
    NO_FEATURE,
    UNKNOWN_VECTOR,
    DecidingFeature,
    TRangeNormalFeature,
    no_t_range_normal,
)
from hitscope.geometry.exact.integers import Vector, exact_point, rounded, rounded_point, square_root, times
from hitscope.geometry.exact.sets import convex_set
from hitscope.geometry.meanings import FACE, POINT, POLYGON, T_RANGE, T, direction_at, fraction_of_way, side_of
from hitscope.geometry.registry import common_form, method
from hitscope.geometry.shapes import (
    Aabb,
    Linear,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Shape,
    Triangle,
    Vec3,
)
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
    corner = exact_point if keep else rounded_point
    return tuple(tuple(map(corner, face)) for face in convex_set(shape).faces)  # type: ignore[arg-type]


@lru_cache(maxsize=1 << 12, typed=True)
def _planes(shape: Shape, keep: bool) -> tuple[Plane, ...]:
    return tuple(
        _plane(slab.normal, sign, sign * bound, keep)
        for slab in convex_set(shape).slabs
        for sign, bound in ((1, slab.hi), (-1, slab.lo))
        if bound is not None
    )


def _plane(normal: Vector, sign: int, bound: int, keep: bool) -> Plane:
    size = Fraction(1) if keep else square_root(Fraction(dot(normal, normal)))
    numbers = (Fraction(number) / size for number in (*times(normal, sign), bound))
    x, y, z, offset = numbers if keep else map(rounded, numbers)
    return Plane._make(((x, y, z), offset))


def _in_fractions(value: object) -> bool:
    """Whether any number of a shape is a Fraction."""
    return any(map(_in_fractions, value)) if isinstance(value, tuple) else isinstance(value, Fraction)


@method(
    source="the definition: dot(normal, p) <= offset for each plane",
    readings=("interpreted", "unrounded", "stepped", "float32"),
    deviations=("planes and products are rounded: a point on or near a face may be judged wrong",),
    meanings={"plane": FACE},
)
def behind_planes(point: Point, body: HalfSpaces) -> DecidingFeature:
    """Compare the point's height over each plane with zero."""
    for i, plane in enumerate(body.planes):
        if dot(plane.normal, point.position) > plane.offset:
            return DecidingFeature(False, i)
    return DecidingFeature(True, NO_FEATURE)


@method(
    source="Irlan, «Fast Segment-AABB Collision Detection», its last part, after Ericson 2005, p. 180",
    readings=("interpreted", "unrounded", "stepped", "float32"),
    deviations=(
        "planes and fractions are rounded: a probe that grazes an edge, or a flat polyhedron, may be judged wrong",
        "a probe in the plane of a flat polyhedron is given the normal of an edge",
    ),
    meanings={
        "t_enter, t_exit": T_RANGE,
        "t": T,
        "plane; feature": FACE,
        "numerator": side_of("probe.origin", sign=-1),
        "normal": direction_at("t_enter"),
    },
)
def clip_planes(probe: Linear, body: HalfSpaces) -> TRangeNormalFeature:
    """Clip the probe by one half-space after the other."""
    t_enter, t_exit = probe.t_min, probe.t_max
    normal, feature = UNKNOWN_VECTOR, NO_FEATURE
    for i, plane in enumerate(body.planes):
        numerator = plane.offset - dot(plane.normal, probe.origin)
        denominator = dot(plane.normal, probe.direction)
        if denominator == 0:
            # The probe is parallel to the plane: it is behind it everywhere or nowhere.
            if numerator < 0:
                return no_t_range_normal(i)
            continue
        t = numerator / denominator
        if denominator < 0:
            if t > t_enter:
                t_enter = t
                normal, feature = plane.normal, i
        elif t < t_exit:
            t_exit = t
        if t_exit < t_enter:
            return no_t_range_normal(i)
    return TRangeNormalFeature(True, t_enter, t_exit, normal, feature)


@method(
    source="Sutherland and Hodgman, «Reentrant Polygon Clipping», 1974, for each face",
    readings=("interpreted", "unrounded", "stepped", "float32"),
    deviations=("planes and corners are rounded: touching, and a flat polyhedron, may be judged wrong",),
    meanings={
        "polygon; kept; clipped": POLYGON,
        "plane": FACE,
        "p; q": POINT,
        "over_p": side_of("p"),
        "over_q": side_of("q"),
        "t": fraction_of_way("p", "q"),
    },
)
def clip_faces(shape: Faces, body: HalfSpaces) -> bool:
    """Clip every polygon; if none is left, the polyhedron is apart or all inside the shape."""
    for polygon in shape.polygons:
        kept = list(polygon)
        for plane in body.planes:
            clipped = []
            for k in range(len(kept)):
                p, q = kept[k - 1], kept[k]
                over_p = dot(plane.normal, p) - plane.offset
                over_q = dot(plane.normal, q) - plane.offset
                if (over_p < 0 < over_q) or (over_q < 0 < over_p):
                    t = over_p / (over_p - over_q)
                    clipped.append((p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])))
                if over_q <= 0:
                    clipped.append(q)
            kept = clipped
        if kept:
            return True
    inside = len(shape.planes) > 0
    for plane in shape.planes:
        inside = inside and dot(plane.normal, body.inner) <= plane.offset
    return inside

"""Boxes and spheres against a frustum, as a renderer culls what its camera does not see.

A body behind one of the six planes is outside. The methods differ in what they do about the others: a large box
beside an edge of the frustum may be behind none of them, and outside all the same.
"""

from math import inf
from typing import NamedTuple

from hitscope.geometry.answers import NOT_SEPARATED, Separation
from hitscope.geometry.meanings import AXIS, FACE, POINT, direction_at, projection, shadow, side_of, vector_from
from hitscope.geometry.polyhedron import polygons_of
from hitscope.geometry.registry import common_form, method
from hitscope.geometry.shapes import Aabb, Frustum, Plane, Sphere, Vec3
from hitscope.geometry.vector import cross, dot, greater

ROUNDED = "products are rounded: a body that touches the frustum, or nearly does, may be judged wrong"
KEPT = "a body that is outside, but not behind one of the planes, is kept"


class Volume(NamedTuple):
    """The planes of a frustum, outward, and its corners, rounded once; those of an endless one far out."""

    planes: tuple[Plane, ...]
    corners: tuple[Vec3, ...]


@common_form(Volume, Frustum)
def volume(frustum: Frustum) -> Volume:
    """Return the planes of a frustum as they are, and its corners."""
    planes = tuple(Plane._make(pair) for pair in zip(frustum.normals, frustum.offsets, strict=True))
    return Volume(planes, tuple(dict.fromkeys(corner for face in polygons_of(frustum) for corner in face)))


@method(
    source="Assarsson and Moeller, «Optimized View Frustum Culling Algorithms», 2000: the n-vertex of each plane",
    deviations=(KEPT, ROUNDED),
    both_orders=True,
    meanings={"normal": direction_at(), "vertex": POINT},
)
def positive_vertex(box: Aabb, frustum: Frustum) -> bool:
    """Put the vertex of the box that is farthest inside into the equation of each plane."""
    for i in range(6):
        normal = frustum.normals[i]
        vertex = (
            box.lo[0] if normal[0] > 0 else box.hi[0],
            box.lo[1] if normal[1] > 0 else box.hi[1],
            box.lo[2] if normal[2] > 0 else box.hi[2],
        )
        if dot(normal, vertex) > frustum.offsets[i]:
            return False
    return True


@method(
    source="Assarsson and Moeller 2000: a sphere behind a plane; squared, for normals of any length",
    deviations=(KEPT, ROUNDED),
    both_orders=True,
    meanings={"normal": direction_at("sphere.center"), "height": side_of("sphere.center")},
)
def six_planes(sphere: Sphere, frustum: Frustum) -> bool:
    """Compare the squared height of the center over each plane with the squared radius, both times normal^2."""
    for i in range(6):
        normal = frustum.normals[i]
        height = dot(normal, sphere.center) - frustum.offsets[i]
        if height > 0 and height * height > sphere.radius * sphere.radius * dot(normal, normal):
            return False
    return True


@method(
    source="Quilez, «Correct Frustum Culling», 2013: the frustum's corners against the box's sides, too",
    readings=("interpreted", "unrounded", "stepped", "float32"),
    deviations=(
        "a box that is outside, but behind no plane of the frustum and on no outer side of its corners, is kept",
        "corners and products are rounded: a box that touches the frustum, or nearly does, may be judged wrong",
    ),
    both_orders=True,
    meanings={"plane": FACE, "vertex": POINT, "corner": POINT, "axis": AXIS},
)
def planes_and_corners(box: Aabb, frustum: Volume) -> bool:
    """Count the box's vertices behind each plane, and the frustum's corners beyond each side of the box."""
    for plane in frustum.planes:
        outside = 0
        for x in (box.lo[0], box.hi[0]):
            for y in (box.lo[1], box.hi[1]):
                for z in (box.lo[2], box.hi[2]):
                    vertex = (x, y, z)
                    if dot(plane.normal, vertex) > plane.offset:
                        outside += 1
        if outside == 8:
            return False
    for axis in range(3):
        below = above = 0
        for corner in frustum.corners:
            if corner[axis] < box.lo[axis]:
                below += 1
            if corner[axis] > box.hi[axis]:
                above += 1
        if below == len(frustum.corners) or above == len(frustum.corners):
            return False
    return True


@method(
    source="Geometric Tools, IntrOrientedBox3Frustum3: 5 normals, 3 axes of the box, 18 cross products of edges",
    readings=("interpreted", "unrounded", "stepped", "float32"),
    deviations=(
        "edges are those of a camera whose near and far planes are parallel: with other planes, axes are missing",
        "corners and products are rounded: a box that touches the frustum, or nearly does, may be judged wrong",
        "an endless frustum has corners so far out that their projections overflow: a box in it may be missed",
    ),
    both_orders=True,
    meanings={
        "left, right, bottom, top, near": direction_at(),
        "edge": vector_from("box.lo"),
        "axis": AXIS,
        "height": projection("axis"),
        "box_min, box_max": shadow("axis", whose="box"),
        "lowest, highest": shadow("axis", whose="frustum"),
    },
)
def sat26(box: Aabb, frustum: Volume) -> Separation:
    """Project the box and the frustum's corners onto each of the 26 axes, and compare the two intervals."""
    left, right, bottom, top, near = (plane.normal for plane in frustum.planes[:5])
    units = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    axes = [left, right, bottom, top, near, *units]
    for edge in (
        cross(near, left),
        cross(near, bottom),
        cross(left, bottom),
        cross(left, top),
        cross(right, bottom),
        cross(right, top),
    ):
        for unit in units:
            axes.append(cross(unit, edge))
    for axis in axes:
        box_min: float = 0
        box_max: float = 0
        for i in range(3):
            a, b = axis[i] * box.lo[i], axis[i] * box.hi[i]
            box_min, box_max = box_min + min(a, b), box_max + max(a, b)
        lowest, highest = inf, -inf
        for corner in frustum.corners:
            height = dot(axis, corner)
            lowest, highest = min(lowest, height), max(highest, height)
        if lowest > box_max or highest < box_min:
            return Separation(False, axis, greater(lowest - box_max, box_min - highest))
    return NOT_SEPARATED

"""Point against a box: whether it is inside, and how far from the surface.

A signed distance is negative inside and positive outside.
"""

from hitscope.geometry.answers import NO_FEATURE, DecidingFeature, SignedDistance, box_face
from hitscope.geometry.meanings import SLAB, point_from, vector_from
from hitscope.geometry.registry import method
from hitscope.geometry.shapes import Aabb, Obb, Point
from hitscope.geometry.vector import dot, halved, length, subtract

INEXACT = "the signed distance is rounded: a point on or near the surface may be judged wrong"


@method(source="the definition: lo <= p <= hi", deviations=(), meanings={"axis": SLAB})
def bounds(point: Point, box: Aabb) -> DecidingFeature:
    """Compare the point with the box's bounds, axis by axis."""
    for axis in range(3):
        if point.position[axis] < box.lo[axis]:
            return DecidingFeature(False, box_face(axis, -1))
        if point.position[axis] > box.hi[axis]:
            return DecidingFeature(False, box_face(axis, 1))
    return DecidingFeature(True, NO_FEATURE)


@method(
    source="Quilez's signed distance of a box, as the article «AABB Intersection» has it (sdBox)",
    readings=("interpreted", "compiled", "stepped", "float32"),
    deviations=(INEXACT,),
    meanings={"b": point_from("box.lo"), "p": vector_from("b")},
)
def sd_box(point: Point, box: Aabb) -> SignedDistance:
    """Fold the point into the positive octant: the distance to the box outside, to the nearest face inside."""
    b = halved(subtract(box.hi, box.lo))
    p = subtract(subtract(point.position, box.lo), b)
    q = (abs(p[0]) - b[0], abs(p[1]) - b[1], abs(p[2]) - b[2])
    outside = length((max(q[0], 0.0), max(q[1], 0.0), max(q[2], 0.0)))
    inside = min(max(q[0], q[1], q[2]), 0.0)
    return SignedDistance(outside + inside <= 0, outside + inside)


@method(
    source="the same article's distance, in the frame of an oriented box: the transposed axes turn the point",
    readings=("interpreted", "compiled", "stepped", "float32"),
    deviations=(INEXACT, "the transpose is the inverse only of exactly orthonormal axes; stored axes are rounded"),
    meanings={"from_center": vector_from("box.center")},
)
def sd_box_rotated(point: Point, box: Obb) -> SignedDistance:
    """Turn the point into the box's frame, where its signed distance is that of an axis-aligned box."""
    from_center = subtract(point.position, box.center)
    q = (
        abs(dot(box.axes[0], from_center)) - box.half_extents[0],
        abs(dot(box.axes[1], from_center)) - box.half_extents[1],
        abs(dot(box.axes[2], from_center)) - box.half_extents[2],
    )
    outside = length((max(q[0], 0.0), max(q[1], 0.0), max(q[2], 0.0)))
    inside = min(max(q[0], q[1], q[2]), 0.0)
    return SignedDistance(outside + inside <= 0, outside + inside)

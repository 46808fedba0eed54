"""Triangle against an axis-aligned box, by separating axes.

Two convex sets are apart exactly if their projections onto some axis are. For a triangle and a box thirteen axes
are enough: nine cross products of their edges, the box's three face normals, the triangle's normal.
"""

from hitscope.geometry.registry import method
from hitscope.geometry.shapes import Aabb, Triangle
from hitscope.geometry.vector import cross, dot, subtract


@method(
    source="Akenine-Moeller 2001, as gszauer's chapter «AABB Triangle intersection» tells it (13 axes)",
    deviations=(
        "the box's centre and half extents are rounded, and so are the projections: touching may be judged wrong",
    ),
)
def sat13(triangle: Triangle, box: Aabb) -> bool:
    """Move the box's centre to the origin and compare the triangle's projections with the box's radius."""
    center = (
        (box.lo[0] + box.hi[0]) / 2,
        (box.lo[1] + box.hi[1]) / 2,
        (box.lo[2] + box.hi[2]) / 2,
    )
    extents = subtract(box.hi, center)
    v0 = subtract(triangle.a, center)
    v1 = subtract(triangle.b, center)
    v2 = subtract(triangle.c, center)
    f0 = subtract(v1, v0)
    f1 = subtract(v2, v1)
    f2 = subtract(v0, v2)
    # The box's face normals: the triangle's bounding box against the box.
    for i in range(3):
        if min(v0[i], v1[i], v2[i]) > extents[i] or max(v0[i], v1[i], v2[i]) < -extents[i]:
            return False
    u0, u1, u2 = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    for axis in (
        cross(u0, f0),
        cross(u0, f1),
        cross(u0, f2),
        cross(u1, f0),
        cross(u1, f1),
        cross(u1, f2),
        cross(u2, f0),
        cross(u2, f1),
        cross(u2, f2),
        cross(f0, f1),
    ):
        p0 = dot(v0, axis)
        p1 = dot(v1, axis)
        p2 = dot(v2, axis)
        radius = extents[0] * abs(axis[0]) + extents[1] * abs(axis[1]) + extents[2] * abs(axis[2])
        if min(p0, p1, p2) > radius or max(p0, p1, p2) < -radius:
            return False
    return True

"""Triangle against a box, by separating axes.

Two convex sets are apart exactly if their projections onto some axis are. For a triangle and a box thirteen axes
are enough: nine cross products of their edges, the box's three face normals, the triangle's normal.
"""

from hitscope.geometry import meanings
from hitscope.geometry.answers import NOT_SEPARATED, Separation
from hitscope.geometry.registry import kernel, method
from hitscope.geometry.shapes import Aabb, Box, Triangle
from hitscope.geometry.vector import add, cross, dot, greater, halved, lesser, subtract, unit_axis

CENTERED: meanings.Meanings = {
    "center": meanings.POINT,
    "extents": meanings.vector_from("center"),
    "v0; v1; v2": meanings.point_from("center"),
    "f0": meanings.vector_from("v0"),
    "f1": meanings.vector_from("v1"),
    "f2": meanings.vector_from("v2"),
    "i; axis": meanings.AXIS,
    "p0; p1; p2": meanings.projection("axis", origin="center"),
}
"""The meanings of the vectors from the middle of the box."""


@method(
    source="Akenine-Moeller 2001, as gszauer's chapter «AABB Triangle intersection» presents it (13 axes)",
    deviations=(
        "the box's centre and half extents are rounded, and so are the projections: touching may be judged wrong",
    ),
    both_orders=True,
    meanings={
        **CENTERED,
        "radius": meanings.half_shadow("axis", whose="box", origin="center"),
        "lowest, highest": meanings.shadow("axis", "i", whose="triangle", origin="center"),
    },
)
def sat13(triangle: Triangle, box: Aabb) -> Separation:
    """Move the box's centre to the origin and compare the triangle's projections with the box's radius."""
    center = halved(add(box.lo, box.hi))
    extents = subtract(box.hi, center)
    v0 = subtract(triangle.a, center)
    v1 = subtract(triangle.b, center)
    v2 = subtract(triangle.c, center)
    f0 = subtract(v1, v0)
    f1 = subtract(v2, v1)
    f2 = subtract(v0, v2)
    # The box's face normals: the triangle's bounding box against the box.
    for i in range(3):
        lowest, highest = min(v0[i], v1[i], v2[i]), max(v0[i], v1[i], v2[i])
        if lowest > extents[i] or highest < -extents[i]:
            return Separation(False, unit_axis(i), greater(lowest - extents[i], -highest - extents[i]))
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
        lowest, highest = min(p0, p1, p2), max(p0, p1, p2)
        if lowest > radius or highest < -radius:
            return Separation(False, axis, greater(lowest - radius, -highest - radius))
    return NOT_SEPARATED


@method(
    source="gszauer's chapter «AABB Triangle intersection», Projecting: both intervals, before the box is centred",
    deviations=("projections are rounded: touching may be judged wrong",),
    both_orders=True,
    meanings={
        "f0": meanings.vector_from("triangle.a"),
        "f1": meanings.vector_from("triangle.b"),
        "f2": meanings.vector_from("triangle.c"),
        "i; axis": meanings.AXIS,
        "p0; p1; p2": meanings.projection("axis"),
        "box_min, box_max": meanings.shadow("axis", whose="box"),
        "lowest, highest": meanings.shadow("i", whose="triangle"),
    },
)
def sat13_intervals(triangle: Triangle, box: Aabb) -> Separation:
    """Project triangle and box onto each of the thirteen axes, and compare the two intervals."""
    u0, u1, u2 = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    f0 = subtract(triangle.b, triangle.a)
    f1 = subtract(triangle.c, triangle.b)
    f2 = subtract(triangle.a, triangle.c)
    for i in range(3):
        lowest = min(triangle.a[i], triangle.b[i], triangle.c[i])
        highest = max(triangle.a[i], triangle.b[i], triangle.c[i])
        if lowest > box.hi[i] or highest < box.lo[i]:
            return Separation(False, unit_axis(i), greater(lowest - box.hi[i], box.lo[i] - highest))
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
        p0 = dot(triangle.a, axis)
        p1 = dot(triangle.b, axis)
        p2 = dot(triangle.c, axis)
        # The box's corner that is farthest along the axis, and the one that is farthest against it.
        box_min = (
            axis[0] * (box.lo[0] if axis[0] > 0 else box.hi[0])
            + axis[1] * (box.lo[1] if axis[1] > 0 else box.hi[1])
            + axis[2] * (box.lo[2] if axis[2] > 0 else box.hi[2])
        )
        box_max = (
            axis[0] * (box.hi[0] if axis[0] > 0 else box.lo[0])
            + axis[1] * (box.hi[1] if axis[1] > 0 else box.lo[1])
            + axis[2] * (box.hi[2] if axis[2] > 0 else box.lo[2])
        )
        if min(p0, p1, p2) > box_max or max(p0, p1, p2) < box_min:
            return Separation(False, axis, greater(min(p0, p1, p2) - box_max, box_min - max(p0, p1, p2)))
    return NOT_SEPARATED


@method(
    source="gszauer's chapter «AABB Triangle intersection», the listing as printed",
    deviations=(
        "specimen: the sixth cross product takes u2 where u1 is meant, so a miss that only u1 x f2 shows is a hit",
        "touching may be judged wrong, as by sat13",
    ),
    both_orders=True,
    fault="cross(u2, f2)",
    meanings={**CENTERED, "r": meanings.half_shadow("axis", whose="box", origin="center")},
)
def sat13_printed(triangle: Triangle, box: Aabb) -> Separation:
    """The test sat13 with the printed list of axes."""
    center = halved(add(box.lo, box.hi))
    extents = subtract(box.hi, center)
    v0 = subtract(triangle.a, center)
    v1 = subtract(triangle.b, center)
    v2 = subtract(triangle.c, center)
    f0 = subtract(v1, v0)
    f1 = subtract(v2, v1)
    f2 = subtract(v0, v2)
    u0, u1, u2 = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    for axis in (
        cross(u0, f0),
        cross(u0, f1),
        cross(u0, f2),
        cross(u1, f0),
        cross(u1, f1),
        cross(u2, f2),
        cross(u2, f0),
        cross(u2, f1),
        cross(u2, f2),
        cross(f0, f1),
    ):
        p0 = dot(v0, axis)
        p1 = dot(v1, axis)
        p2 = dot(v2, axis)
        r = extents[0] * abs(axis[0]) + extents[1] * abs(axis[1]) + extents[2] * abs(axis[2])
        distance = max(-max(p0, p1, p2), min(p0, p1, p2))
        if distance > r:
            return Separation(False, axis, distance - r)
    for i in range(3):
        distance = max(-max(v0[i], v1[i], v2[i]), min(v0[i], v1[i], v2[i]))
        if distance > extents[i]:
            return Separation(False, unit_axis(i), distance - extents[i])
    return NOT_SEPARATED


@method(
    source="Schwarz and Seidel, «Fast Parallel Surface and Solid Voxelization on GPUs», 2010, for any box",
    deviations=("heights and edge functions are rounded: touching may be judged wrong",),
    both_orders=True,
    meanings={"a; b; c; lo; hi; far; near": meanings.POINT, "normal": meanings.direction_at("triangle")},
)
def critical_points(triangle: Triangle, box: Aabb) -> bool:
    """Test the one corner of the box that is farthest inside each edge, along each axis; all tests unbranched."""
    a, b, c = triangle
    lo, hi = box
    normal = cross(subtract(b, a), subtract(c, a))
    # The corners farthest along the normal and against it must lie on two sides of the plane.
    far = (
        hi[0] if normal[0] > 0 else lo[0],
        hi[1] if normal[1] > 0 else lo[1],
        hi[2] if normal[2] > 0 else lo[2],
    )
    near = (
        lo[0] if normal[0] > 0 else hi[0],
        lo[1] if normal[1] > 0 else hi[1],
        lo[2] if normal[2] > 0 else hi[2],
    )
    return not (
        (lo[0] > greater(greater(a[0], b[0]), c[0]))
        | (lo[1] > greater(greater(a[1], b[1]), c[1]))
        | (lo[2] > greater(greater(a[2], b[2]), c[2]))
        | (hi[0] < lesser(lesser(a[0], b[0]), c[0]))
        | (hi[1] < lesser(lesser(a[1], b[1]), c[1]))
        | (hi[2] < lesser(lesser(a[2], b[2]), c[2]))
        | (dot(normal, far) < dot(normal, a))
        | (dot(normal, near) > dot(normal, a))
        | beyond(a[0], a[1], b[0], b[1], normal[2], lo[0], lo[1], hi[0], hi[1])
        | beyond(b[0], b[1], c[0], c[1], normal[2], lo[0], lo[1], hi[0], hi[1])
        | beyond(c[0], c[1], a[0], a[1], normal[2], lo[0], lo[1], hi[0], hi[1])
        | beyond(a[1], a[2], b[1], b[2], normal[0], lo[1], lo[2], hi[1], hi[2])
        | beyond(b[1], b[2], c[1], c[2], normal[0], lo[1], lo[2], hi[1], hi[2])
        | beyond(c[1], c[2], a[1], a[2], normal[0], lo[1], lo[2], hi[1], hi[2])
        | beyond(a[2], a[0], b[2], b[0], normal[1], lo[2], lo[0], hi[2], hi[0])
        | beyond(b[2], b[0], c[2], c[0], normal[1], lo[2], lo[0], hi[2], hi[0])
        | beyond(c[2], c[0], a[2], a[0], normal[1], lo[2], lo[0], hi[2], hi[0])
    )


@kernel
def beyond(
    px: float, py: float, qx: float, qy: float, winding: float, x0: float, y0: float, x1: float, y1: float
) -> bool:
    """Whether a rectangle is outside the edge from p to q of a triangle; `winding` is negative for clockwise."""
    sign = -1 if winding < 0 else 1
    # Across the edge, to the triangle's inside; the critical point is the rectangle's corner farthest along it.
    nx = sign * (py - qy)
    ny = sign * (qx - px)
    return nx * (x1 if nx > 0 else x0) + ny * (y1 if ny > 0 else y0) < nx * px + ny * py


@method(
    source="the separating axis theorem; with an axis-aligned box it has the 13 axes of Akenine-Moeller 2001",
    deviations=(
        "centre and half edges are rounded, and so are the projections: touching may be judged wrong",
        "a flat box has too few axes: a triangle that is beside it in its plane may be a hit",
    ),
    both_orders=True,
    meanings={
        "v0; v1; v2": meanings.point_from("box.center"),
        "f0": meanings.vector_from("triangle.a"),
        "f1": meanings.vector_from("triangle.b"),
        "f2": meanings.vector_from("triangle.c"),
        "e0; e1; e2": meanings.vector_from("box.center"),
        "axis": meanings.AXIS,
        "p0; p1; p2": meanings.projection("axis", origin="box.center"),
        "radius": meanings.half_shadow("axis", whose="box", origin="box.center"),
        "lowest, highest": meanings.shadow("axis", whose="triangle", origin="box.center"),
    },
)
def sat13_edges(triangle: Triangle, box: Box) -> Separation:
    """Compare the triangle's projections with the box's radius along each of thirteen axes."""
    v0 = subtract(triangle.a, box.center)
    v1 = subtract(triangle.b, box.center)
    v2 = subtract(triangle.c, box.center)
    f0 = subtract(triangle.b, triangle.a)
    f1 = subtract(triangle.c, triangle.b)
    f2 = subtract(triangle.a, triangle.c)
    e0, e1, e2 = box.half_edges
    for axis in (
        cross(e0, e1),
        cross(e1, e2),
        cross(e2, e0),
        cross(f0, f1),
        cross(e0, f0),
        cross(e0, f1),
        cross(e0, f2),
        cross(e1, f0),
        cross(e1, f1),
        cross(e1, f2),
        cross(e2, f0),
        cross(e2, f1),
        cross(e2, f2),
    ):
        p0 = dot(v0, axis)
        p1 = dot(v1, axis)
        p2 = dot(v2, axis)
        radius = abs(dot(e0, axis)) + abs(dot(e1, axis)) + abs(dot(e2, axis))
        lowest, highest = min(p0, p1, p2), max(p0, p1, p2)
        if lowest > radius or highest < -radius:
            return Separation(False, axis, greater(lowest - radius, -highest - radius))
    return NOT_SEPARATED

"""Box against box, by separating axes."""

from hitscope.geometry.answers import NOT_SEPARATED, Separation
from hitscope.geometry.meanings import AXIS, half_shadow, local_point, vector_from
from hitscope.geometry.registry import method
from hitscope.geometry.shapes import Aabb, Box, Obb
from hitscope.geometry.vector import cross, dot, subtract, unit_axis


@method(source="the definition: the intervals overlap on all three axes", meanings={"axis": AXIS})
def overlap(a: Aabb, b: Aabb) -> Separation:
    """Compare the boxes' bounds, axis by axis."""
    for axis in range(3):
        if a.hi[axis] < b.lo[axis]:
            return Separation(False, unit_axis(axis), b.lo[axis] - a.hi[axis])
        if b.hi[axis] < a.lo[axis]:
            return Separation(False, unit_axis(axis), a.lo[axis] - b.hi[axis])
    return NOT_SEPARATED


@method(
    source="the separating axis theorem: three face normals of each box, nine cross products of their edges",
    deviations=(
        "centres and half edges are rounded, and so are the projections: touching may be judged wrong",
        "a flat box has too few axes: a box that is beside it in its plane may be a hit",
    ),
    meanings={
        "between; a0; a1; a2": vector_from("a.center"),
        "b0; b1; b2": vector_from("b.center"),
        "axis": AXIS,
        "radius_a": half_shadow("axis", whose="a", origin="a.center"),
        "radius_b": half_shadow("axis", whose="b", origin="b.center"),
    },
)
def sat15(a: Box, b: Box) -> Separation:
    """Compare the distance of the centres with the sum of the radii along each of fifteen axes."""
    between = subtract(b.center, a.center)
    a0, a1, a2 = a.half_edges
    b0, b1, b2 = b.half_edges
    for axis in (
        cross(a0, a1),
        cross(a1, a2),
        cross(a2, a0),
        cross(b0, b1),
        cross(b1, b2),
        cross(b2, b0),
        cross(a0, b0),
        cross(a0, b1),
        cross(a0, b2),
        cross(a1, b0),
        cross(a1, b1),
        cross(a1, b2),
        cross(a2, b0),
        cross(a2, b1),
        cross(a2, b2),
    ):
        radius_a = abs(dot(a0, axis)) + abs(dot(a1, axis)) + abs(dot(a2, axis))
        radius_b = abs(dot(b0, axis)) + abs(dot(b1, axis)) + abs(dot(b2, axis))
        distance = abs(dot(between, axis))
        if distance > radius_a + radius_b:
            return Separation(False, axis, distance - (radius_a + radius_b))
    return NOT_SEPARATED


@method(
    source="Gottschalk, Lin and Manocha, «OBBTree», 1996, as Ericson 2005, 4.4.1 TestOBBOBB has it",
    deviations=(
        "epsilon is added to the rotation: near misses along an edge are hits",
        "the transpose is the inverse only of exactly orthonormal axes; stored axes are rounded",
    ),
    meanings={"between": vector_from("a.center"), "t": local_point("a")},
)
def obb_tree(a: Obb, b: Obb, epsilon: float = 1e-9) -> Separation:
    """Express b in a's frame, where the fifteen axes need no cross products."""
    between = subtract(b.center, a.center)
    t = (dot(between, a.axes[0]), dot(between, a.axes[1]), dot(between, a.axes[2]))
    r = (
        (dot(a.axes[0], b.axes[0]), dot(a.axes[0], b.axes[1]), dot(a.axes[0], b.axes[2])),
        (dot(a.axes[1], b.axes[0]), dot(a.axes[1], b.axes[1]), dot(a.axes[1], b.axes[2])),
        (dot(a.axes[2], b.axes[0]), dot(a.axes[2], b.axes[1]), dot(a.axes[2], b.axes[2])),
    )
    ea, eb = a.half_extents, b.half_extents
    for i in range(3):
        # a's face normal i, then b's
        rb = eb[0] * (abs(r[i][0]) + epsilon) + eb[1] * (abs(r[i][1]) + epsilon) + eb[2] * (abs(r[i][2]) + epsilon)
        if abs(t[i]) > ea[i] + rb:
            return Separation(False, a.axes[i], abs(t[i]) - (ea[i] + rb))
        ra = ea[0] * (abs(r[0][i]) + epsilon) + ea[1] * (abs(r[1][i]) + epsilon) + ea[2] * (abs(r[2][i]) + epsilon)
        distance = abs(t[0] * r[0][i] + t[1] * r[1][i] + t[2] * r[2][i])
        if distance > ra + eb[i]:
            return Separation(False, b.axes[i], distance - (ra + eb[i]))
    for i in range(3):
        i1, i2 = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            j1, j2 = (j + 1) % 3, (j + 2) % 3
            # a's edge i crossed with b's edge j
            ra = ea[i1] * (abs(r[i2][j]) + epsilon) + ea[i2] * (abs(r[i1][j]) + epsilon)
            rb = eb[j1] * (abs(r[i][j2]) + epsilon) + eb[j2] * (abs(r[i][j1]) + epsilon)
            distance = abs(t[i2] * r[i1][j] - t[i1] * r[i2][j])
            if distance > ra + rb:
                return Separation(False, cross(a.axes[i], b.axes[j]), distance - (ra + rb))
    return NOT_SEPARATED

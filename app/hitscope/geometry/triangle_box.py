"""Triangle against a box of any orientation, skew ones too, by separating axes, in both argument orders."""

from hitscope.geometry.answers import NOT_SEPARATED, Separation
from hitscope.geometry.meanings import AXIS, half_shadow, point_from, projection, shadow, vector_from
from hitscope.geometry.registry import RANGE, method
from hitscope.geometry.shapes import Box, Triangle
from hitscope.geometry.vector import cross, dot, greater, subtract


@method(
    source="the separating axis theorem; with an axis-aligned box it has the 13 axes of Akenine-Moeller 2001",
    deviations=(
        "centre and half edges are rounded, and so are the projections: touching may be judged wrong",
        "a flat box has too few axes: a triangle that is beside it in its plane may be a hit",
        RANGE,
    ),
    both_orders=True,
    meanings={
        "v0": point_from("box.center"),
        "v1": point_from("box.center"),
        "v2": point_from("box.center"),
        "f0": vector_from("triangle.a"),
        "f1": vector_from("triangle.b"),
        "f2": vector_from("triangle.c"),
        "e0": vector_from("box.center"),
        "e1": vector_from("box.center"),
        "e2": vector_from("box.center"),
        "axis": AXIS,
        "p0": projection("axis", origin="box.center"),
        "p1": projection("axis", origin="box.center"),
        "p2": projection("axis", origin="box.center"),
        "radius": half_shadow("axis", whose="box", origin="box.center"),
        "lowest, highest": shadow("axis", whose="triangle", origin="box.center"),
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

"""Triangle or box against a plane: whether it reaches to both sides, or touches."""

from hitscope.geometry.answers import NOT_SEPARATED, Separation
from hitscope.geometry.meanings import half_shadow, projection, shadow, side_of
from hitscope.geometry.registry import RANGE, method
from hitscope.geometry.shapes import Box, Plane, Triangle
from hitscope.geometry.vector import dot, greater

INEXACT = "products are rounded: touching may be judged wrong"


@method(
    source="the heights of the three vertices over the plane",
    deviations=(INEXACT, RANGE),
    meanings={
        "a": projection("plane.normal"),
        "b": projection("plane.normal"),
        "c": projection("plane.normal"),
        "lowest, highest": shadow("plane.normal", whose="triangle"),
    },
)
def vertex_heights(triangle: Triangle, plane: Plane) -> Separation:
    """Compare the plane's offset with the least and the greatest height of a vertex."""
    a = dot(plane.normal, triangle.a)
    b = dot(plane.normal, triangle.b)
    c = dot(plane.normal, triangle.c)
    lowest, highest = min(a, b, c), max(a, b, c)
    if lowest <= plane.offset <= highest:
        return NOT_SEPARATED
    return Separation(False, plane.normal, greater(lowest - plane.offset, plane.offset - highest))


@method(
    source="Ericson 2005, 5.2.3 TestOBBPlane, with half edges in place of unit axes",
    deviations=(INEXACT, "centre and half edges of the box are rounded", RANGE),
    meanings={
        "radius": half_shadow("plane.normal", whose="box", origin="box.center"),
        "height": side_of("box.center"),
    },
)
def plane_radius(box: Box, plane: Plane) -> Separation:
    """Compare the centre's height over the plane with the box's radius along the normal."""
    radius = (
        abs(dot(plane.normal, box.half_edges[0]))
        + abs(dot(plane.normal, box.half_edges[1]))
        + abs(dot(plane.normal, box.half_edges[2]))
    )
    height = dot(plane.normal, box.center) - plane.offset
    if abs(height) <= radius:
        return NOT_SEPARATED
    return Separation(False, plane.normal, abs(height) - radius)

"""Point against a triangle: on its plane and between its edges."""

from hitscope.geometry.answers import EDGE_AB, EDGE_BC, EDGE_CA, NO_FEATURE, TRIANGLE_PLANE, DecidingFeature
from hitscope.geometry.meanings import direction_at, multiples, vector_from
from hitscope.geometry.registry import RANGE, method
from hitscope.geometry.shapes import Point, Triangle
from hitscope.geometry.vector import cross, dot, subtract


@method(
    source="Ericson 2005, 3.4: barycentric coordinates by the areas of the projected triangles",
    deviations=(
        "a point that rounding puts beside the plane is missed, unless `thickness` lets it in",
        "a collinear triangle is missed",
        RANGE,
    ),
    meanings={
        "ab": vector_from("triangle.a"),
        "ac": vector_from("triangle.a"),
        "ap": vector_from("triangle.a"),
        "normal": direction_at("triangle"),
        "v, w": multiples("triangle.a", "ab", "ac", over="normal"),
    },
)
def barycentric_point(point: Point, triangle: Triangle, thickness: float = 0) -> DecidingFeature:
    """Compare the height over the plane, in units of the normal, with `thickness`, then test the coordinates."""
    ab = subtract(triangle.b, triangle.a)
    ac = subtract(triangle.c, triangle.a)
    ap = subtract(point.position, triangle.a)
    normal = cross(ab, ac)
    if dot(normal, normal) == 0 or abs(dot(normal, ap)) > thickness:
        return DecidingFeature(False, TRIANGLE_PLANE)
    v = dot(cross(ap, ac), normal)
    w = dot(cross(ab, ap), normal)
    if v >= 0 and w >= 0 and v + w <= dot(normal, normal):
        return DecidingFeature(True, NO_FEATURE)
    return DecidingFeature(False, EDGE_CA if v < 0 else EDGE_AB if w < 0 else EDGE_BC)

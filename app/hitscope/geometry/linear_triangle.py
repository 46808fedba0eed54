"""Segment, ray or line against a triangle, seen from both sides."""

from hitscope.geometry.registry import method
from hitscope.geometry.shapes import Linear, Triangle, Vec3
from hitscope.geometry.vector import cross, dot, subtract


@method(
    source="Moeller and Trumbore, «Fast, Minimum Storage Ray/Triangle Intersection», 1997, the two-sided form",
    answers=("t_enter", "t_exit", "normal"),
    deviations=(
        "a probe in the triangle's plane, a probe without direction and a collinear triangle are always missed",
        "barycentric coordinates are rounded: hits on an edge or a vertex may be lost",
        "with the paper's epsilon of 1e-6 (0 by default) small triangles are missed",
    ),
)
def moller_trumbore(probe: Linear, triangle: Triangle, epsilon: float = 0) -> tuple[bool, float, float, Vec3]:
    """Solve origin + t * direction = a + u * (b - a) + v * (c - a) by Cramer's rule."""
    edge1 = subtract(triangle.b, triangle.a)
    edge2 = subtract(triangle.c, triangle.a)
    normal = cross(edge1, edge2)
    p = cross(probe.direction, edge2)
    determinant = dot(edge1, p)
    if abs(determinant) <= epsilon:
        return False, 0, 0, normal
    from_a = subtract(probe.origin, triangle.a)
    u = dot(from_a, p) / determinant
    if u < 0 or u > 1:
        return False, 0, 0, normal
    q = cross(from_a, edge1)
    v = dot(probe.direction, q) / determinant
    if v < 0 or u + v > 1:
        return False, 0, 0, normal
    t = dot(edge2, q) / determinant
    if t < probe.t_min or t > probe.t_max:
        return False, 0, 0, normal
    if t == probe.t_min:
        # A probe that starts on the triangle enters it nowhere.
        return True, t, t, (0, 0, 0)
    if determinant < 0:
        # The probe comes from the back: the normal is turned towards it.
        return True, t, t, (-normal[0], -normal[1], -normal[2])
    return True, t, t, normal

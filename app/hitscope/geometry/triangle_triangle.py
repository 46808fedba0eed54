"""Triangle against triangle, by separating axes."""

from hitscope.geometry.answers import NOT_SEPARATED, Separation
from hitscope.geometry.meanings import AXIS, direction_at, point_from, projection, shadow, vector_from
from hitscope.geometry.registry import RANGE, method
from hitscope.geometry.shapes import Triangle
from hitscope.geometry.vector import cross, dot, greater, subtract


@method(
    source="the separating axis theorem: two normals, nine cross products of edges, six normals of edges",
    deviations=(
        "projections are rounded: touching may be judged wrong",
        "a collinear triangle in the plane of the other has too few axes: near misses are hits",
        RANGE,
    ),
    meanings={
        "e0": vector_from("t.a"),
        "e1": vector_from("t.b"),
        "e2": vector_from("t.c"),
        "f0": vector_from("u.a"),
        "f1": vector_from("u.b"),
        "f2": vector_from("u.c"),
        "n": direction_at("t"),
        "m": direction_at("u"),
        "t1": point_from("t.a"),
        "t2": point_from("t.a"),
        "u0": point_from("t.a"),
        "u1": point_from("t.a"),
        "u2": point_from("t.a"),
        "axis": AXIS,
        "p1": projection("axis", origin="t.a"),
        "p2": projection("axis", origin="t.a"),
        "q0": projection("axis", origin="t.a"),
        "q1": projection("axis", origin="t.a"),
        "q2": projection("axis", origin="t.a"),
        "lowest, highest": shadow("axis", whose="t", origin="t.a"),
    },
)
def sat17(t: Triangle, u: Triangle) -> Separation:
    """Compare the triangles' projections on seventeen axes; the last six decide coplanar triangles."""
    e0 = subtract(t.b, t.a)
    e1 = subtract(t.c, t.b)
    e2 = subtract(t.a, t.c)
    f0 = subtract(u.b, u.a)
    f1 = subtract(u.c, u.b)
    f2 = subtract(u.a, u.c)
    n = cross(e0, e1)
    m = cross(f0, f1)
    # Seen from one of the vertices, so that far from the origin little is lost to rounding.
    t1, t2 = e0, subtract(t.c, t.a)
    u0, u1, u2 = subtract(u.a, t.a), subtract(u.b, t.a), subtract(u.c, t.a)
    for axis in (
        n,
        m,
        cross(e0, f0),
        cross(e0, f1),
        cross(e0, f2),
        cross(e1, f0),
        cross(e1, f1),
        cross(e1, f2),
        cross(e2, f0),
        cross(e2, f1),
        cross(e2, f2),
        cross(n, e0),
        cross(n, e1),
        cross(n, e2),
        cross(m, f0),
        cross(m, f1),
        cross(m, f2),
    ):
        p1 = dot(t1, axis)
        p2 = dot(t2, axis)
        q0 = dot(u0, axis)
        q1 = dot(u1, axis)
        q2 = dot(u2, axis)
        lowest, highest = min(p1, p2, 0 * p1), max(p1, p2, 0 * p1)
        if min(q0, q1, q2) > highest or max(q0, q1, q2) < lowest:
            return Separation(False, axis, greater(min(q0, q1, q2) - highest, lowest - max(q0, q1, q2)))
    return NOT_SEPARATED

"""Points, linear probes and triangles against a triangle, which is seen from both sides."""

import math

from hitscope.geometry import ieee, meanings
from hitscope.geometry.answers import (
    EDGE_AB,
    EDGE_BC,
    EDGE_CA,
    NO_FEATURE,
    NO_T_RANGE,
    NOT_SEPARATED,
    TRIANGLE_PLANE,
    UNKNOWN_VECTOR,
    DecidingFeature,
    Separation,
    TRange,
    TRangeFeature,
    TRangeNormalFeature,
    no_t_range,
    no_t_range_normal,
)
from hitscope.geometry.registry import method
from hitscope.geometry.shapes import Linear, Point, Segment, Triangle
from hitscope.geometry.vector import cross, dot, greater, length, normalized, subtract


@method(
    source="Ericson 2005, 3.4: barycentric coordinates by the areas of the projected triangles",
    deviations=(
        "a point that rounding puts beside the plane is missed, unless `thickness` lets it in",
        "a collinear triangle is missed",
    ),
    meanings={
        "ab; ac; ap": meanings.vector_from("triangle.a"),
        "normal": meanings.direction_at("triangle"),
        "v, w": meanings.multiples("triangle.a", "ab", "ac", over="normal"),
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


@method(
    source="Moeller and Trumbore, «Fast, Minimum Storage Ray/Triangle Intersection», 1997, the two-sided form",
    deviations=(
        "a probe in the triangle's plane, a probe without direction and a collinear triangle are always missed",
        "barycentric coordinates are rounded: hits on an edge or a vertex may be lost",
        "with the paper's epsilon of 1e-6 (0 by default) small triangles are missed",
    ),
    meanings={
        "edge1; edge2; from_a": meanings.vector_from("triangle.a"),
        "normal": meanings.direction_at("triangle"),
        "p; q": meanings.direction_at("triangle.a"),
        "u, v": meanings.multiples("triangle.a", "edge1", "edge2"),
        "t": meanings.T,
    },
)
def moller_trumbore(probe: Linear, triangle: Triangle, epsilon: float = 0) -> TRangeNormalFeature:
    """Solve origin + t * direction = a + u * (b - a) + v * (c - a) by Cramer's rule."""
    edge1 = subtract(triangle.b, triangle.a)
    edge2 = subtract(triangle.c, triangle.a)
    normal = cross(edge1, edge2)
    p = cross(probe.direction, edge2)
    determinant = dot(edge1, p)
    if abs(determinant) <= epsilon:
        return no_t_range_normal(TRIANGLE_PLANE)
    from_a = subtract(probe.origin, triangle.a)
    u = dot(from_a, p) / determinant
    if u < 0 or u > 1:
        # u > 1 lies beyond b, and so beyond one of the other edges, but which?
        return no_t_range_normal(EDGE_CA if u < 0 else NO_FEATURE)
    q = cross(from_a, edge1)
    v = dot(probe.direction, q) / determinant
    if v < 0 or u + v > 1:
        return no_t_range_normal(EDGE_AB if v < 0 else EDGE_BC)
    t = dot(edge2, q) / determinant
    if t < probe.t_min or t > probe.t_max:
        return no_t_range_normal(TRIANGLE_PLANE)
    if t == probe.t_min:
        # A probe that starts on the triangle enters it nowhere.
        return TRangeNormalFeature(True, t, t, UNKNOWN_VECTOR, NO_FEATURE)
    if determinant < 0:
        # The probe comes from the back: the normal is turned towards it.
        normal = (-normal[0], -normal[1], -normal[2])
    return TRangeNormalFeature(True, t, t, normal, NO_FEATURE)


@method(
    source="Ericson 2005, 3.4 and 5.3.1: the plane's point, then its barycentric coordinates by Cramer's rule",
    deviations=(
        "a probe in the triangle's plane and a collinear triangle are always missed",
        "the plane's point is rounded before it is tested: hits on an edge or a vertex may be lost",
    ),
    meanings={
        "v0; v1; from_a; v2": meanings.vector_from("triangle.a"),
        "normal": meanings.direction_at("triangle"),
        "t": meanings.T,
        "v, w": meanings.multiples("triangle.a", "v0", "v1", over="area"),
    },
)
def barycentric(probe: Linear, triangle: Triangle) -> TRangeFeature:
    """Intersect the plane of the triangle, and express the point by its three vertices."""
    v0 = subtract(triangle.b, triangle.a)
    v1 = subtract(triangle.c, triangle.a)
    normal = cross(v0, v1)
    denominator = dot(normal, probe.direction)
    if denominator == 0:
        return no_t_range(TRIANGLE_PLANE)
    from_a = subtract(probe.origin, triangle.a)
    t = -dot(normal, from_a) / denominator
    if t < probe.t_min or t > probe.t_max:
        return no_t_range(TRIANGLE_PLANE)
    v2 = (
        from_a[0] + t * probe.direction[0],
        from_a[1] + t * probe.direction[1],
        from_a[2] + t * probe.direction[2],
    )
    d00 = dot(v0, v0)
    d01 = dot(v0, v1)
    d11 = dot(v1, v1)
    d20 = dot(v2, v0)
    d21 = dot(v2, v1)
    area = d00 * d11 - d01 * d01
    v = d11 * d20 - d01 * d21
    w = d00 * d21 - d01 * d20
    if v >= 0 and w >= 0 and v + w <= area:
        return TRangeFeature(True, t, t, NO_FEATURE)
    return no_t_range(EDGE_CA if v < 0 else EDGE_AB if w < 0 else EDGE_BC)


@method(
    source="«Point-Plane Collision Detection Explained» 2009, steps 2 to 7; its t is a length, ours the fraction",
    readings=("interpreted", "compiled", "stepped", "float32"),
    deviations=(
        "a hit at a vertex is lost: the vector to it has no length, so its angles are NaN",
        "a hit on an edge is lost where a rounded cosine beyond -1 or 1 makes an angle NaN (unless `clamp`)",
        "tolerance, 0.1 radians, lets in points beside an edge, the more the thinner the triangle, and loses none",
        "a segment with both ends on the plane, and a collinear triangle, are always missed",
        "the article calls its vertex order clockwise: that is the left-handed reading of ours",
    ),
    meanings={
        "normal": meanings.direction_at("triangle"),
        "normal, d": meanings.PLANE,
        "p_start": meanings.side_of("segment.start"),
        "p_dest": meanings.side_of("segment.end"),
        "motion": meanings.vector_from("segment.start"),
        "ray": meanings.direction_at("segment.start"),
        "t": meanings.length_along("ray", "segment.start"),
        "intersect": meanings.POINT,
        "v1": meanings.direction_at("triangle.a"),
        "v2": meanings.direction_at("triangle.b"),
        "v3": meanings.direction_at("triangle.c"),
        "fraction": meanings.T,
    },
)
def angle_sum(segment: Segment, triangle: Triangle, tolerance: float = 0.1, clamp: bool = False) -> TRange:
    """Intersect the plane if the ends' classes differ, then sum the angles that the edges subtend at the point."""
    # The plane through three points.
    normal = normalized(cross(subtract(triangle.b, triangle.a), subtract(triangle.c, triangle.b)))
    d = -dot(triangle.a, normal)
    p_start = dot(normal, segment.start) + d
    p_dest = dot(normal, segment.end) + d
    start_class = 1 if p_start > 0 else -1 if p_start < 0 else 0
    dest_class = 1 if p_dest > 0 else -1 if p_dest < 0 else 0
    if start_class == dest_class:
        return NO_T_RANGE
    motion = subtract(segment.end, segment.start)
    ray = normalized(motion)
    t = -ieee.divide(p_start, dot(normal, ray))
    intersect = (segment.start[0] + ray[0] * t, segment.start[1] + ray[1] * t, segment.start[2] + ray[2] * t)
    v1 = normalized(subtract(intersect, triangle.a))
    v2 = normalized(subtract(intersect, triangle.b))
    v3 = normalized(subtract(intersect, triangle.c))
    cosine1 = dot(v1, v2)
    cosine2 = dot(v2, v3)
    cosine3 = dot(v3, v1)
    if clamp:
        cosine1 = min(max(cosine1, -1.0), 1.0)
        cosine2 = min(max(cosine2, -1.0), 1.0)
        cosine3 = min(max(cosine3, -1.0), 1.0)
    theta_sum = ieee.acos(cosine1) + ieee.acos(cosine2) + ieee.acos(cosine3)
    fraction = ieee.divide(t, length(motion))
    if abs(theta_sum - 2 * math.pi) < tolerance:
        return TRange(True, fraction, fraction)
    return NO_T_RANGE


@method(
    source="Woop, Benthin and Wald, «Watertight Ray/Triangle Intersection», 2013, in float64 throughout",
    deviations=(
        "a probe in the triangle's plane and a collinear triangle are always missed",
        "watertight along shared edges, not exact: a probe within rounding of the outer edge may be judged wrong",
    ),
    meanings={
        "kz": meanings.AXIS,
        "a; b; c": meanings.point_from("probe.origin"),
        "u, v, w": meanings.multiples("probe.origin", "a", "b", "c", over="determinant"),
        "t": meanings.T,
    },
)
def woop(probe: Linear, triangle: Triangle) -> TRange:
    """Shear the ray onto its longest axis, where the edges' signs decide without a division."""
    dx, dy, dz = abs(probe.direction[0]), abs(probe.direction[1]), abs(probe.direction[2])
    kz = 0 if dx >= dy and dx >= dz else 1 if dy >= dz else 2
    kx = (kz + 1) % 3
    ky = (kx + 1) % 3
    if probe.direction[kz] < 0:
        # The winding is kept by swapping the other two axes.
        kx, ky = ky, kx
    if probe.direction[kz] == 0:
        return NO_T_RANGE
    sx = probe.direction[kx] / probe.direction[kz]
    sy = probe.direction[ky] / probe.direction[kz]
    sz = 1 / probe.direction[kz]
    a = subtract(triangle.a, probe.origin)
    b = subtract(triangle.b, probe.origin)
    c = subtract(triangle.c, probe.origin)
    ax, ay = a[kx] - sx * a[kz], a[ky] - sy * a[kz]
    bx, by = b[kx] - sx * b[kz], b[ky] - sy * b[kz]
    cx, cy = c[kx] - sx * c[kz], c[ky] - sy * c[kz]
    u = cx * by - cy * bx
    v = ax * cy - ay * cx
    w = bx * ay - by * ax
    if (u < 0 or v < 0 or w < 0) and (u > 0 or v > 0 or w > 0):
        return NO_T_RANGE
    determinant = u + v + w
    if determinant == 0:
        return NO_T_RANGE
    t = (u * sz * a[kz] + v * sz * b[kz] + w * sz * c[kz]) / determinant
    if t < probe.t_min or t > probe.t_max:
        return NO_T_RANGE
    return TRange(True, t, t)


@method(
    source="the separating axis theorem: two normals, nine cross products of edges, six normals of edges",
    deviations=(
        "projections are rounded: touching may be judged wrong",
        "a collinear triangle in the plane of the other has too few axes: near misses are hits",
    ),
    meanings={
        "e0": meanings.vector_from("t.a"),
        "e1": meanings.vector_from("t.b"),
        "e2": meanings.vector_from("t.c"),
        "f0": meanings.vector_from("u.a"),
        "f1": meanings.vector_from("u.b"),
        "f2": meanings.vector_from("u.c"),
        "n": meanings.direction_at("t"),
        "m": meanings.direction_at("u"),
        "t1; t2; u0; u1; u2": meanings.point_from("t.a"),
        "axis": meanings.AXIS,
        "p1; p2; q0; q1; q2": meanings.projection("axis", origin="t.a"),
        "lowest, highest": meanings.shadow("axis", whose="t", origin="t.a"),
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

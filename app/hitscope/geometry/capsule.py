"""Points, linear probes, spheres and capsules against a capsule.

Two capsules meet where the nearest points of their axes, start + s * d1 and start + t * d2, are at most both radii
apart: the methods differ in how they find s and t, above all where the axes are nearly parallel.
"""

from math import inf

from hitscope.geometry import ieee
from hitscope.geometry.answers import NO_T_RANGE, UNKNOWN, SignedDistance, TRange
from hitscope.geometry.meanings import POINT, T_PAIR, T_RANGE, T, fraction_of_way, length_along, vector_from
from hitscope.geometry.registry import WITH_ROOTS, kernel, method
from hitscope.geometry.shapes import Capsule, Linear, Point, Sphere, Vec3
from hitscope.geometry.vector import dot, length, normalized, subtract

ROUNDED = "products are rounded: a probe that grazes the capsule, or starts or ends on it, may be judged wrong"
FAR = "b * b - a * c cancels: a probe that starts far from a small capsule may hit what it misses"
AXES_ROUNDED = "products are rounded: capsules that touch, or nearly do, may be judged wrong"
BETWEEN = {"s": fraction_of_way("a.start", "a.end"), "t": fraction_of_way("b.start", "b.end")}
"""The meanings of the parts of the axes of two capsules."""


@kernel
def along(start: Vec3, direction: Vec3, part: float) -> Vec3:
    """Return start + part * direction."""
    return start[0] + part * direction[0], start[1] + part * direction[1], start[2] + part * direction[2]


@kernel
def clamped(part: float) -> float:
    """Return the nearest number from 0 to 1; NaN of NaN."""
    if part < 0:
        return 0
    return 1 if part > 1 else part


@kernel
def are_near(p: Vec3, q: Vec3, reach: float) -> bool:
    """Whether two points are at most so far apart, without a root."""
    between = subtract(p, q)
    return dot(between, between) <= reach * reach


# Points and spheres


@method(
    source="Quilez's signed distance of a capsule (sdCapsule)",
    readings=WITH_ROOTS,
    deviations=(
        "the distance from the axis is rounded: a point on or near the surface may be judged wrong",
        "a capsule whose ends are one point is always missed: 0 / 0 is NaN",
    ),
    meanings={"pa; ba": vector_from("capsule.start"), "h": fraction_of_way("capsule.start", "capsule.end")},
)
def sd_capsule(point: Point, capsule: Capsule) -> SignedDistance:
    """Subtract the radius from the distance from the nearest point of the axis."""
    pa = subtract(point.position, capsule.start)
    ba = subtract(capsule.end, capsule.start)
    h = clamped(ieee.divide(dot(pa, ba), dot(ba, ba)))
    distance = length(along(pa, ba, -h)) - capsule.radius
    return SignedDistance(distance <= 0, distance)


@method(
    source="Ericson 2005, 4.5.1 TestSphereCapsule, with SqDistPointSegment of 5.1.2.1",
    deviations=(
        "products are rounded: shapes that touch, or nearly do, may be judged wrong",
        "the difference to e * e / f cancels far from the capsule's start, where few of its digits are right",
    ),
    both_orders=True,
    meanings={"ab; ac": vector_from("capsule.start"), "bc": vector_from("capsule.end")},
)
def sphere_axis(sphere: Sphere, capsule: Capsule) -> bool:
    """Compare the squared distance of the sphere's center from the axis with the square of both radii."""
    ab = subtract(capsule.end, capsule.start)
    ac = subtract(sphere.center, capsule.start)
    bc = subtract(sphere.center, capsule.end)
    reach = sphere.radius + capsule.radius
    e, f = dot(ac, ab), dot(ab, ab)
    if e <= 0:
        return dot(ac, ac) <= reach * reach
    if e >= f:
        return dot(bc, bc) <= reach * reach
    return dot(ac, ac) - e * e / f <= reach * reach


# Linear probes


@method(
    source="Ericson 2005, 5.3.7 IntersectSegmentCylinder, with spheres (5.3.2) for the caps, and all roots",
    readings=WITH_ROOTS,
    deviations=(
        ROUNDED,
        FAR,
        "epsilon is compared with products of lengths: a short probe, or a short capsule, counts as parallel",
        "-b - root cancels: where the origin is near the surface, the t there has few right digits",
    ),
    meanings={"d; m": vector_from("capsule.start"), "t1, t2": T_PAIR, "t_enter, t_exit": T_RANGE},
)
def cylinder_and_spheres(probe: Linear, capsule: Capsule, epsilon: float = 1e-9) -> TRange:
    """Solve the quadratics of the cylinder between two planes, and of the spheres at its ends; join their t."""
    d = subtract(capsule.end, capsule.start)
    m = subtract(probe.origin, capsule.start)
    n = probe.direction
    md, nd, dd = dot(m, d), dot(n, d), dot(d, d)
    nn, mn = dot(n, n), dot(m, n)
    r2 = capsule.radius * capsule.radius
    a = dd * nn - nd * nd
    c = dd * (dot(m, m) - r2) - md * md
    t_enter, t_exit = inf, -inf
    if abs(a) < epsilon:
        # Along the axis it enters and leaves by the spheres, unless it is a point.
        if c > 0:
            return NO_T_RANGE
        if nn == 0 and 0 <= md <= dd:
            t_enter, t_exit = -inf, inf
    else:
        b = dd * mn - nd * md
        discriminant = b * b - a * c
        if discriminant < 0:
            return NO_T_RANGE
        root = ieee.sqrt(discriminant)
        t1 = (-b - root) / a
        t2 = (-b + root) / a
        if nd != 0:
            at_start, at_end = -md / nd, (dd - md) / nd
            t1 = max(t1, min(at_start, at_end))
            t2 = min(t2, max(at_start, at_end))
        if t1 <= t2 and (nd != 0 or 0 <= md <= dd):
            t_enter, t_exit = t1, t2
    for center in (capsule.start, capsule.end):
        m = subtract(probe.origin, center)
        b = dot(m, n)
        c = dot(m, m) - r2
        discriminant = b * b - nn * c
        if nn == 0 and c <= 0:
            t_enter, t_exit = -inf, inf
        if nn != 0 and discriminant >= 0:
            root = ieee.sqrt(discriminant)
            t_enter = min(t_enter, (-b - root) / nn)
            t_exit = max(t_exit, (-b + root) / nn)
    t_enter, t_exit = max(probe.t_min, t_enter), min(probe.t_max, t_exit)
    if t_enter > t_exit:
        return NO_T_RANGE
    return TRange(True, t_enter, t_exit)


@method(
    source="Quilez's intersection of a ray and a capsule (capIntersect), for directions of any length",
    readings=WITH_ROOTS,
    deviations=(
        ROUNDED,
        FAR,
        "it finds the entry alone: a probe that starts inside is missed",
        "a is 0 of a probe along the axis, and of a capsule whose ends are one: only the end's cap is tested",
        "a tangent of a cap is a miss: h > 0",
        "a direction that is not unit is normalised, and so rounded, first; without one it is always missed",
    ),
    meanings={"size; t": length_along("rd", "probe.origin"), "ba; oa": vector_from("capsule.start"), "t_enter": T},
)
def cap_intersect(probe: Linear, capsule: Capsule) -> TRange:
    """Enter the endless cylinder; where that is beyond an end of the axis, the sphere there."""
    size = length(probe.direction)
    rd = normalized(probe.direction)
    ba = subtract(capsule.end, capsule.start)
    oa = subtract(probe.origin, capsule.start)
    baba, bard, baoa = dot(ba, ba), dot(ba, rd), dot(ba, oa)
    rdoa, oaoa = dot(rd, oa), dot(oa, oa)
    r2 = capsule.radius * capsule.radius
    a = baba - bard * bard
    b = baba * rdoa - baoa * bard
    c = baba * oaoa - baoa * baoa - r2 * baba
    h = b * b - a * c
    if not h >= 0:
        return NO_T_RANGE
    t = ieee.divide(-b - ieee.sqrt(h), a)
    y = baoa + t * bard
    if not 0 < y < baba:
        oc = oa if y <= 0 else subtract(probe.origin, capsule.end)
        b = dot(rd, oc)
        c = dot(oc, oc) - r2
        h = b * b - c
        if not h > 0:
            return NO_T_RANGE
        t = -b - ieee.sqrt(h)
    t_enter = ieee.divide(t, size)
    if not probe.t_min <= t_enter <= probe.t_max:
        return NO_T_RANGE
    return TRange(True, t_enter, UNKNOWN)


# Capsules


@method(
    source="Ericson 2005, 5.1.9 ClosestPtSegmentSegment, and 4.5.1 TestCapsuleCapsule",
    deviations=(
        AXES_ROUNDED,
        "a * e - b * b cancels where the axes are nearly parallel: s may be anything, and the distance too large",
        "an axis whose squared length is at most epsilon counts as a point",
    ),
    meanings={"d1": vector_from("a.start"), "d2; r": vector_from("b.start"), "c1; c2": POINT, **BETWEEN},
)
def ericson_segments(a: Capsule, b: Capsule, epsilon: float = 1e-9) -> bool:
    """Find s where the endless axes are nearest, clamp it, find t for it, and s again if that is clamped."""
    d1 = subtract(a.end, a.start)
    d2 = subtract(b.end, b.start)
    r = subtract(a.start, b.start)
    aa, e, f, c = dot(d1, d1), dot(d2, d2), dot(d2, r), dot(d1, r)
    s: float = 0
    t: float = 0
    if aa <= epsilon and e > epsilon:
        t = clamped(f / e)
    elif aa > epsilon and e <= epsilon:
        s = clamped(-c / aa)
    elif aa > epsilon:
        bb = dot(d1, d2)
        denominator = aa * e - bb * bb
        if denominator != 0:
            s = clamped((bb * f - c * e) / denominator)
        t = (bb * s + f) / e
        if t < 0:
            t = 0
            s = clamped(-c / aa)
        elif t > 1:
            t = 1
            s = clamped((bb - c) / aa)
    c1 = along(a.start, d1, s)
    c2 = along(b.start, d2, t)
    return are_near(c1, c2, a.radius + b.radius)


@method(
    source="Sunday, «Practical Geometry Algorithms», 2021: the distance between segments in 3D",
    deviations=(
        AXES_ROUNDED,
        "D cancels where the axes are nearly parallel, and what is below epsilon counts as parallel: s is 0 then",
        "s and t below epsilon, before they are divided, become 0",
    ),
    meanings={"u": vector_from("a.start"), "v; w; between": vector_from("b.start"), **BETWEEN},
)
def sunday_segments(a: Capsule, b: Capsule, epsilon: float = 1e-8) -> bool:
    """Find where the endless axes are nearest; move numerators and denominators to the sides of a square."""
    u = subtract(a.end, a.start)
    v = subtract(b.end, b.start)
    w = subtract(a.start, b.start)
    uu, uv, vv, uw, vw = dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)
    determinant = uu * vv - uv * uv
    s_over, t_over = determinant, determinant
    s_part: float = 0
    t_part = vw
    if determinant <= epsilon:
        s_over, t_over = 1, vv
    else:
        s_part = uv * vw - vv * uw
        t_part = uu * vw - uv * uw
        if s_part < 0:
            s_part, t_part, t_over = 0, vw, vv
        elif s_part > s_over:
            s_part, t_part, t_over = s_over, vw + uv, vv
    if t_part < 0:
        t_part = 0
        if -uw < 0:
            s_part = 0
        elif -uw > uu:
            s_part = s_over
        else:
            s_part, s_over = -uw, uu
    elif t_part > t_over:
        t_part = t_over
        if uv - uw < 0:
            s_part = 0
        elif uv - uw > uu:
            s_part = s_over
        else:
            s_part, s_over = uv - uw, uu
    s = 0 if abs(s_part) <= epsilon else ieee.divide(s_part, s_over)
    t = 0 if abs(t_part) <= epsilon else ieee.divide(t_part, t_over)
    between = along(along(w, u, s), v, -t)
    reach = a.radius + b.radius
    return dot(between, between) <= reach * reach


@kernel
def clamped_root(slope: float, h0: float, h1: float) -> float:
    """Return the root in [0, 1] of the line from h0 to h1, which rises by `slope`, or the nearer end."""
    if h0 >= 0:
        return 0
    if h1 <= 0:
        return 1
    root = -h0 / slope
    return 0.5 if root > 1 else root


@kernel
def crossing(f: float, b: float) -> float:
    """Return f / b, where a line crosses a side of the square; its middle where rounding leads out of it."""
    t = ieee.divide(f, b)
    return t if 0 <= t <= 1 else 0.5


@method(
    source="Eberly, «Robust Computation of Distance Between Line Segments», 2018 (Geometric Tools)",
    deviations=(
        AXES_ROUNDED,
        "f / b that is rounded to a number above 1 becomes 1/2, as where both axes end above each other: a miss",
        "derivatives cancel where the axes are nearly parallel: s may be anything, and the distance too large",
    ),
    meanings={"d1": vector_from("a.start"), "d2": vector_from("b.start"), "c1": POINT, "c2": POINT, **BETWEEN},
)
def eberly_segments(a: Capsule, b: Capsule) -> bool:
    """Minimize along the line on which the derivative by s is 0, between the sides of the square of s and t."""
    d1 = subtract(a.end, a.start)
    d2 = subtract(b.end, b.start)
    r = subtract(a.start, b.start)
    aa, bb, cc, d, e = dot(d1, d1), dot(d1, d2), dot(d2, d2), dot(d1, r), dot(d2, r)
    f00, f10, f01, f11 = d, d + aa, d - bb, d + aa - bb
    g00, g10, g01, g11 = -e, -e - bb, cc - e, cc - e - bb
    s: float = 0
    t: float = 0
    if aa > 0 and cc > 0:
        s0 = clamped_root(aa, f00, f10)
        s1 = clamped_root(aa, f01, f11)
        if s0 <= 0 and s1 <= 0:
            t = clamped_root(cc, g00, g01)
        elif s0 >= 1 and s1 >= 1:
            s = 1
            t = clamped_root(cc, g10, g11)
        else:
            # The ends of the line: on the sides s = 0 and s = 1, or else on t = 0 and t = 1.
            t0: float = 0
            t1: float = 1
            if s0 <= 0:
                t0 = crossing(f00, bb)
            elif s0 >= 1:
                t0 = crossing(f10, bb)
            if s1 <= 0:
                t1 = crossing(f00, bb)
            elif s1 >= 1:
                t1 = crossing(f10, bb)
            h0 = (t1 - t0) * (cc * t0 - bb * s0 - e)
            h1 = (t1 - t0) * (cc * t1 - bb * s1 - e)
            if h0 >= 0:
                s, t = s0, t0
            elif h1 <= 0:
                s, t = s1, t1
            else:
                z = clamped(h0 / (h0 - h1))
                s, t = (1 - z) * s0 + z * s1, (1 - z) * t0 + z * t1
            if h0 >= 0 or h1 <= 0:
                if s <= 0:
                    t = clamped_root(cc, g00, g01)
                elif s >= 1:
                    t = clamped_root(cc, g10, g11)
    elif aa > 0:
        s = clamped_root(aa, f00, f10)
    elif cc > 0:
        t = clamped_root(cc, g00, g01)
    c1 = along(a.start, d1, s)
    c2 = along(b.start, d2, t)
    return are_near(c1, c2, a.radius + b.radius)

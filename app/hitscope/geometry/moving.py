"""Spheres that move against planes, spheres, triangles and boxes, and boxes that move against boxes.

A sphere that moves meets what is within its radius of the way of its center, and a box that moves along an axis
what is between its two faces on the way: the methods differ in how they find the first t from 0 to 1.
"""

from math import inf

from hitscope.geometry import ieee, meanings
from hitscope.geometry.answers import NO_T_RANGE, UNKNOWN, TRange
from hitscope.geometry.capsule import along
from hitscope.geometry.kinds.wrapped import CastAabb, CastSphere
from hitscope.geometry.registry import WITH_ROOTS, kernel, method
from hitscope.geometry.shapes import Aabb, Plane, Sphere, Triangle, Vec3
from hitscope.geometry.vector import cross, dot, length, normalized, subtract, whole_number

ROUNDED = "products are rounded: a sphere that grazes, or touches at an end of its way, may be judged wrong"
FAR = "b * b - a * c cancels: a sphere that starts far away may hit what it misses"
AT_START = TRange(True, 0.0, UNKNOWN)
QUOTIENTS = "differences and quotients are rounded: boxes that graze each other may be judged wrong"


@method(
    source="Ericson 2005, 5.5.3 IntersectMovingSpherePlane, for a normal of any length, up to t = 1",
    readings=WITH_ROOTS,
    deviations=(ROUNDED,),
    meanings={"distance": meanings.side_of("sphere.center"), "t": meanings.T},
)
def moving_sphere_plane(sphere: CastSphere, plane: Plane) -> TRange:
    """Solve for the t at which the center is a radius over the plane, on the side where it starts."""
    distance = dot(plane.normal, sphere.center) - plane.offset
    reach = sphere.radius * length(plane.normal)
    if abs(distance) <= reach:
        return AT_START
    speed = dot(plane.normal, sphere.motion)
    if speed * distance >= 0:
        return NO_T_RANGE
    t = ((reach if distance > 0 else -reach) - distance) / speed
    return TRange(True, t, UNKNOWN) if t <= 1 else NO_T_RANGE


@method(
    source="Ericson 2005, 5.5.5 TestMovingSphereSphere, with the second sphere at rest, up to t = 1",
    readings=WITH_ROOTS,
    deviations=(
        ROUNDED,
        FAR,
        "spheres that touch at the start, and come no nearer, are missed: c < 0",
        "a motion whose squared length is below epsilon counts as none",
    ),
    meanings={"s": meanings.vector_from("b.center"), "t": meanings.T},
)
def moving_spheres(a: CastSphere, b: Sphere, epsilon: float = 1e-9) -> TRange:
    """Find the lesser root of |s + t * motion|^2 = r^2 of centers that come nearer."""
    s = subtract(a.center, b.center)
    r = a.radius + b.radius
    c = dot(s, s) - r * r
    if c < 0:
        return AT_START
    speed = dot(a.motion, a.motion)
    if speed < epsilon:
        return NO_T_RANGE
    approach = dot(a.motion, s)
    if approach >= 0:
        return NO_T_RANGE
    discriminant = approach * approach - speed * c
    if discriminant < 0:
        return NO_T_RANGE
    t = (-approach - ieee.sqrt(discriminant)) / speed
    return TRange(True, t, UNKNOWN) if t <= 1 else NO_T_RANGE


@kernel
def lowest_root(a: float, b: float, c: float, highest: float) -> float:
    """Return the least root of a * t^2 + b * t + c over 0 and below a bound; the bound where there is none."""
    determinant = b * b - 4 * a * c
    if determinant < 0:
        return highest
    root = ieee.sqrt(determinant)
    r1, r2 = ieee.divide(-b - root, 2 * a), ieee.divide(-b + root, 2 * a)
    if r1 > r2:
        r1, r2 = r2, r1
    if 0 < r1 < highest:
        return r1
    return r2 if 0 < r2 < highest else highest


@method(
    source="Fauerby, «Improved Collision Detection and Response», 2003; from both sides, and any radius, are ours",
    readings=WITH_ROOTS,
    deviations=(
        ROUNDED,
        "b * b - 4 * a * c cancels: a sphere that starts far away may hit what it misses",
        "roots are over 0: of a sphere that starts on an edge or a vertex it is the t at which it leaves",
        "where that one is over 1, or there is no motion, a sphere that starts on an edge or a vertex is missed",
        "a sphere that moves along the plane is not put against the face: one that starts on it may be missed",
    ),
    meanings={
        "radius": meanings.reach_around("triangle"),
        "normal": meanings.direction_at("triangle.a"),
        "distance": meanings.side_of("sphere.center"),
        "t0, t1": meanings.T_RANGE,
        "point; start; end": meanings.POINT,
        "t, root": meanings.T,
        "edge": meanings.vector_from("start"),
    },
)
def fauerby(sphere: CastSphere, triangle: Triangle) -> TRange:
    """Touch the face where the plane is reached; if that is beside it, the first of the vertices and edges."""
    center, motion, radius = sphere.center, sphere.motion, sphere.radius
    ab, ac = subtract(triangle.b, triangle.a), subtract(triangle.c, triangle.a)
    normal = normalized(cross(ab, ac))
    if dot(normal, motion) > 0:
        normal = -normal[0], -normal[1], -normal[2]
    distance = dot(normal, subtract(center, triangle.a))
    speed = dot(normal, motion)
    t0, t1 = ieee.divide(radius - distance, speed), ieee.divide(-radius - distance, speed)
    if speed == 0:
        if abs(distance) > radius:
            return NO_T_RANGE
    else:
        if t0 > 1 or t1 < 0:
            return NO_T_RANGE
        t0 = max(t0, 0.0)
        point = along(along(center, motion, t0), normal, -radius)
        aa, bb, cc = dot(ab, ab), dot(ab, ac), dot(ac, ac)
        ap = subtract(point, triangle.a)
        d, e = dot(ap, ab), dot(ap, ac)
        x, y = d * cc - e * bb, e * aa - d * bb
        if x >= 0 and y >= 0 and x + y < aa * cc - bb * bb:
            return TRange(True, t0, UNKNOWN)
    t: float = inf
    squared = dot(motion, motion)
    for start, end in ((triangle.a, triangle.b), (triangle.b, triangle.c), (triangle.c, triangle.a)):
        edge, to_start = subtract(end, start), subtract(start, center)
        gap = radius * radius - dot(to_start, to_start)
        t = lowest_root(squared, -2 * dot(motion, to_start), -gap, t)
        edge_squared, edge_motion, edge_start = dot(edge, edge), dot(edge, motion), dot(edge, to_start)
        root = lowest_root(
            edge_motion * edge_motion - edge_squared * squared,
            2 * (edge_squared * dot(motion, to_start) - edge_motion * edge_start),
            edge_squared * gap + edge_start * edge_start,
            t,
        )
        if root < t and 0 <= edge_motion * root - edge_start <= edge_squared:
            t = root
    return TRange(True, t, UNKNOWN) if t <= 1 else NO_T_RANGE


@kernel
def first_near(center: Vec3, motion: Vec3, start: Vec3, end: Vec3, radius: float) -> float:
    """Return the first t from 0 on at which a point that moves is within a radius of a segment; inf if at none."""
    d, m = subtract(end, start), subtract(center, start)
    md, nd, dd, nn = dot(m, d), dot(motion, d), dot(d, d), dot(motion, motion)
    nearest = along(m, d, -max(0.0, min(1.0, md / dd)) if dd > 0 else 0.0)
    if dot(nearest, nearest) <= radius * radius:
        return 0.0
    t: float = inf
    for from_end in (m, subtract(center, end)):
        b, c = dot(from_end, motion), dot(from_end, from_end) - radius * radius
        if b < 0 and b * b - nn * c >= 0:
            t = min(t, (-b - ieee.sqrt(b * b - nn * c)) / nn)
    a, b = dd * nn - nd * nd, dd * dot(m, motion) - nd * md
    c = dd * (dot(m, m) - radius * radius) - md * md
    if a > 0 and b < 0 and b * b - a * c >= 0:
        side = (-b - ieee.sqrt(b * b - a * c)) / a
        if 0 <= side < t and 0 <= md + side * nd <= dd:
            t = side
    return t


@method(
    source="Ericson 2005, 5.5.7 IntersectMovingSphereAABB, with capsules of 5.3.7",
    readings=WITH_ROOTS,
    deviations=(ROUNDED, FAR),
    meanings={
        "radius": meanings.reach_around("box"),
        "t_enter, t_exit": meanings.T_RANGE,
        "t1, t2": meanings.T_PAIR,
        "axis": meanings.SLAB,
        "p; lower; upper": meanings.POINT,
        "t": meanings.T,
    },
)
def expanded_box(sphere: CastSphere, box: Aabb) -> TRange:
    """Enter the box that is larger by the radius; in the region of an edge or a vertex, the capsules there."""
    center, motion, radius = sphere.center, sphere.motion, sphere.radius
    t_enter, t_exit = 0.0, 1.0
    for axis in range(3):
        lo, hi = box.lo[axis] - radius, box.hi[axis] + radius
        if motion[axis] == 0:
            if center[axis] < lo or center[axis] > hi:
                return NO_T_RANGE
        else:
            t1, t2 = (lo - center[axis]) / motion[axis], (hi - center[axis]) / motion[axis]
            t_enter, t_exit = max(t_enter, min(t1, t2)), min(t_exit, max(t1, t2))
            if t_enter > t_exit:
                return NO_T_RANGE
    p = along(center, motion, t_enter)
    lower = (
        box.hi[0] if p[0] > box.hi[0] else box.lo[0],
        box.hi[1] if p[1] > box.hi[1] else box.lo[1],
        box.hi[2] if p[2] > box.hi[2] else box.lo[2],
    )
    upper = (
        box.lo[0] if p[0] < box.lo[0] else box.hi[0],
        box.lo[1] if p[1] < box.lo[1] else box.hi[1],
        box.lo[2] if p[2] < box.lo[2] else box.hi[2],
    )
    outside = 0
    for axis in range(3):
        if p[axis] < box.lo[axis] or p[axis] > box.hi[axis]:
            outside += 1
    if outside < 2:
        return TRange(True, t_enter, UNKNOWN)
    t = first_near(center, motion, lower, upper, radius)
    if outside == 3:
        # The three edges of the vertex, which is lower as well as upper.
        far = (
            box.lo[0] if p[0] > box.hi[0] else box.hi[0],
            box.lo[1] if p[1] > box.hi[1] else box.hi[1],
            box.lo[2] if p[2] > box.hi[2] else box.hi[2],
        )
        for end in ((far[0], upper[1], upper[2]), (upper[0], far[1], upper[2]), (upper[0], upper[1], far[2])):
            t = min(t, first_near(center, motion, lower, end, radius))
    return TRange(True, t, UNKNOWN) if t <= 1 else NO_T_RANGE


@method(
    source="Ericson 2005, 5.5.8 IntersectMovingAABBAABB, as printed, with the second box at rest",
    deviations=(
        QUOTIENTS,
        "along an axis without motion nothing is tested: boxes that are apart along it may be a hit",
        "t_last stays where faces leave each other at once: boxes that meet along other axes later may be a hit",
        "the last t of boxes that overlap at the start is 0",
    ),
    meanings={"t_first, t_last": meanings.T_RANGE, "axis": meanings.SLAB},
)
def moving_boxes_printed(moving: CastAabb, box: Aabb) -> TRange:
    """Intersect, axis by axis, the t from the first to the last contact of the boxes' intervals."""
    t_first, t_last = whole_number(0, box.lo[0]), whole_number(1, box.lo[0])
    apart = False
    for axis in range(3):
        apart = apart or moving.hi[axis] < box.lo[axis] or moving.lo[axis] > box.hi[axis]
    if not apart:
        return TRange(True, t_first, t_first)
    for axis in range(3):
        v = moving.motion[axis]
        if v < 0:
            if moving.hi[axis] < box.lo[axis]:
                return NO_T_RANGE
            if box.hi[axis] < moving.lo[axis]:
                t_first = max(t_first, (box.hi[axis] - moving.lo[axis]) / v)
            if moving.hi[axis] > box.lo[axis]:
                t_last = min(t_last, (box.lo[axis] - moving.hi[axis]) / v)
        if v > 0:
            if moving.lo[axis] > box.hi[axis]:
                return NO_T_RANGE
            if moving.hi[axis] < box.lo[axis]:
                t_first = max(t_first, (box.lo[axis] - moving.hi[axis]) / v)
            if box.hi[axis] > moving.lo[axis]:
                t_last = min(t_last, (box.hi[axis] - moving.lo[axis]) / v)
        if t_first > t_last:
            return NO_T_RANGE
    return TRange(True, t_first, t_last)


@method(
    source="Ericson 2005, 5.5.8 and 5.3.3: the slabs of all differences of the boxes, with divisions of IEEE 754",
    deviations=(
        QUOTIENTS,
        "0 / 0 along an axis without motion is NaN: boxes whose faces slide on each other are missed",
    ),
    meanings={
        "t_enter, t_exit; t_near, t_far": meanings.T_RANGE,
        "t1, t2": meanings.T_PAIR,
        "axis": meanings.SLAB,
    },
)
def slabs_of_sum(moving: CastAabb, box: Aabb) -> TRange:
    """Intersect the t intervals of the slabs of both boxes' faces; without motion their ends are infinite."""
    t_enter, t_exit = whole_number(0, box.lo[0]), whole_number(1, box.lo[0])
    for axis in range(3):
        t1 = ieee.divide(box.lo[axis] - moving.hi[axis], moving.motion[axis])
        t2 = ieee.divide(box.hi[axis] - moving.lo[axis], moving.motion[axis])
        t_near, t_far = (t1, t2) if t1 < t2 else (t2, t1)
        t_enter, t_exit = max(t_enter, t_near), min(t_exit, t_far)
        if t_enter > t_exit:
            return NO_T_RANGE
    return TRange(True, t_enter, t_exit)

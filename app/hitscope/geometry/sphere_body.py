"""Spheres against spheres, boxes, triangles and planes: the methods differ in how they find the distance."""

from hitscope.geometry import ieee
from hitscope.geometry.capsule import along
from hitscope.geometry.meanings import POINT, direction_at, fraction_of_way, length_along, side_of, vector_from
from hitscope.geometry.registry import method
from hitscope.geometry.shapes import Aabb, Obb, Plane, Sphere, Triangle
from hitscope.geometry.vector import dot, subtract

ROUNDED = "products are rounded: shapes that touch, or nearly do, may be judged wrong"


@method(
    source="Ericson 2005, 4.3.1 TestSphereSphere",
    deviations=(ROUNDED,),
    meanings={"between": vector_from("b.center")},
)
def center_distance(a: Sphere, b: Sphere) -> bool:
    """Compare the squared distance of the centers with the square of both radii."""
    between = subtract(a.center, b.center)
    reach = a.radius + b.radius
    return dot(between, between) <= reach * reach


@method(
    source="Arvo, «A Simple Method for Box-Sphere Intersection Testing», 1990; Ericson 2005, 5.2.5 TestSphereAABB",
    deviations=(ROUNDED,),
    both_orders=True,
    meanings={"center": POINT},
)
def arvo(sphere: Sphere, box: Aabb) -> bool:
    """Add up, axis by axis, the squares of how far the center is outside the box."""
    center = sphere.center
    squared: float = 0
    for axis in range(3):
        if center[axis] < box.lo[axis]:
            squared += (box.lo[axis] - center[axis]) * (box.lo[axis] - center[axis])
        elif center[axis] > box.hi[axis]:
            squared += (center[axis] - box.hi[axis]) * (center[axis] - box.hi[axis])
    return squared <= sphere.radius * sphere.radius


@method(
    source="Ericson 2005, 5.2.6 TestSphereOBB, with ClosestPtPointOBB of 5.1.4",
    deviations=(ROUNDED, "the closest point is that of a box with orthonormal axes; stored axes are rounded"),
    both_orders=True,
    meanings={
        "d": vector_from("box.center"),
        "axis": direction_at("box.center"),
        "distance": length_along("axis", "box.center"),
        "closest": POINT,
        "moved": vector_from("closest"),
    },
)
def closest_in_box(sphere: Sphere, box: Obb) -> bool:
    """Clamp the center to the box along each of its axes, and compare how far it moved with the radius."""
    d = subtract(sphere.center, box.center)
    closest = box.center
    for i in range(3):
        axis = box.axes[i]
        distance = dot(d, axis)
        closest = along(closest, axis, max(-box.half_extents[i], min(box.half_extents[i], distance)))
    moved = subtract(sphere.center, closest)
    return dot(moved, moved) <= sphere.radius * sphere.radius


@method(
    source="Ericson 2005, 5.2.7 TestSphereTriangle, with ClosestPtPointTriangle of 5.1.5",
    deviations=(
        ROUNDED,
        "d1 * d4 - d3 * d2 cancels, as of a long thin triangle: the point found may be that of a wrong edge",
        "where a and b are one point 0 / 0 is NaN: a miss",
    ),
    both_orders=True,
    meanings={
        "ab; ac; ap": vector_from("triangle.a"),
        "bp": vector_from("triangle.b"),
        "cp": vector_from("triangle.c"),
        "v": fraction_of_way("triangle.a", "triangle.b"),
        "closest": POINT,
        "from_closest": vector_from("closest"),
    },
)
def closest_in_triangle(sphere: Sphere, triangle: Triangle) -> bool:
    """Find the corner, edge or face that is closest to the center, and its closest point."""
    a, b, c = triangle
    p = sphere.center
    ab, ac, ap = subtract(b, a), subtract(c, a), subtract(p, a)
    bp, cp = subtract(p, b), subtract(p, c)
    d1, d2, d3 = dot(ab, ap), dot(ac, ap), dot(ab, bp)
    d4, d5, d6 = dot(ac, bp), dot(ab, cp), dot(ac, cp)
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    if d1 <= 0 and d2 <= 0:
        closest = a
    elif d3 >= 0 and d4 <= d3:
        closest = b
    elif vc <= 0 and d1 >= 0 and d3 <= 0:
        closest = along(a, ab, ieee.divide(d1, d1 - d3))
    elif d6 >= 0 and d5 <= d6:
        closest = c
    elif vb <= 0 and d2 >= 0 and d6 <= 0:
        closest = along(a, ac, ieee.divide(d2, d2 - d6))
    elif va <= 0 and d4 - d3 >= 0 and d5 - d6 >= 0:
        closest = along(b, subtract(c, b), ieee.divide(d4 - d3, (d4 - d3) + (d5 - d6)))
    else:
        v, w = ieee.divide(vb, va + vb + vc), ieee.divide(vc, va + vb + vc)
        closest = along(along(a, ab, v), ac, w)
    from_closest = subtract(p, closest)
    return dot(from_closest, from_closest) <= sphere.radius * sphere.radius


@method(
    source="Ericson 2005, 5.2.2 TestSpherePlane, squared, for a normal of any length",
    deviations=(ROUNDED,),
    meanings={"height": side_of("sphere.center")},
)
def center_height(sphere: Sphere, plane: Plane) -> bool:
    """Compare the squared height of the center over the plane with the squared radius, both times normal^2."""
    height = dot(plane.normal, sphere.center) - plane.offset
    return height * height <= sphere.radius * sphere.radius * dot(plane.normal, plane.normal)

"""Segment, ray or line against a convex polyhedron (or a parallelepiped) given by its planes."""

from hitscope.geometry.polyhedron import HalfSpaces
from hitscope.geometry.registry import RANGE, method
from hitscope.geometry.shapes import Linear, Vec3
from hitscope.geometry.vector import dot


@method(
    source="Irlan, «Fast Segment-AABB Collision Detection», its last part, after Ericson 2005, p. 180",
    answers=("t_enter", "t_exit", "normal"),
    readings=("interpreted", "unrounded", "stepped"),
    deviations=(
        "planes and fractions are rounded: a probe that grazes an edge, or a flat polyhedron, may be judged wrong",
        "a probe in the plane of a flat polyhedron is given the normal of an edge",
        RANGE,
    ),
)
def clip_planes(probe: Linear, body: HalfSpaces) -> tuple[bool, float, float, Vec3]:
    """Clip the probe by one half-space after the other."""
    t_enter, t_exit = probe.t_min, probe.t_max
    normal: Vec3 = (0, 0, 0)
    for plane in body.planes:
        numerator = plane.offset - dot(plane.normal, probe.origin)
        denominator = dot(plane.normal, probe.direction)
        if denominator == 0:
            # The probe is parallel to the plane: it is behind it everywhere or nowhere.
            if numerator < 0:
                return False, 0, 0, (0, 0, 0)
            continue
        t = numerator / denominator
        if denominator < 0:
            if t > t_enter:
                t_enter = t
                normal = plane.normal
        elif t < t_exit:
            t_exit = t
        if t_exit < t_enter:
            return False, 0, 0, (0, 0, 0)
    return True, t_enter, t_exit, normal

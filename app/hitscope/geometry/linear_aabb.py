"""Segment, ray or line against an axis-aligned box.

The box is solid and closed: touching is a hit, and a probe that starts in the box enters it at its start. A slab
is the space between two parallel planes; the box is the intersection of three of them.
"""

from hitscope.geometry.registry import method
from hitscope.geometry.shapes import Aabb, Linear, Vec3


@method(
    source="Irlan, «Fast Segment-AABB Collision Detection», after Ericson 2005, p. 180; the normal is ours",
    answers=("t_enter", "t_exit", "normal"),
    deviations=(
        "fractions are rounded: a probe that grazes an edge or a corner may be judged wrong",
        "end - start is rounded, and beyond float64 it overflows",
    ),
)
def slab_halfspaces(probe: Linear, box: Aabb) -> tuple[bool, float, float, Vec3]:
    """Clip the probe by the box's six half-spaces sign * p[axis] <= sign * bound, one after the other."""
    t_enter, t_exit = probe.t_min, probe.t_max
    normal = (0, 0, 0)
    for axis in range(3):
        for sign in (-1, 1):
            bound = box.lo[axis] if sign < 0 else box.hi[axis]
            numerator = sign * bound - sign * probe.origin[axis]
            denominator = sign * probe.direction[axis]
            if denominator == 0:
                # The probe is parallel to the face: it is on the inner side everywhere or nowhere.
                if numerator < 0:
                    return False, 0, 0, (0, 0, 0)
                continue
            t = numerator / denominator
            if denominator < 0:
                if t > t_enter:
                    t_enter = t
                    normal = (sign if axis == 0 else 0, sign if axis == 1 else 0, sign if axis == 2 else 0)
            elif t < t_exit:
                t_exit = t
            if t_exit < t_enter:
                return False, 0, 0, (0, 0, 0)
    return True, t_enter, t_exit, normal


@method(
    source="Ericson, «Real-Time Collision Detection» 2005, 5.3.3, as the article «AABB Intersection» has it",
    answers=("t_enter", "t_exit"),
    deviations=(
        "a direction component below epsilon counts as parallel, so short or slanted probes are judged wrong",
        "1 / d is rounded before it is multiplied: a probe that grazes an edge or a corner may be judged wrong",
        "end - start is rounded, and beyond float64 it overflows",
    ),
)
def slab_ericson(probe: Linear, box: Aabb, epsilon: float = 1e-9) -> tuple[bool, float, float]:
    """Intersect the t intervals of the three slabs; `epsilon` is compared with the direction as it is given."""
    t_min, t_max = probe.t_min, probe.t_max
    for axis in range(3):
        if abs(probe.direction[axis]) <= epsilon:
            if probe.origin[axis] < box.lo[axis] or probe.origin[axis] > box.hi[axis]:
                return False, 0, 0
        else:
            ood = 1 / probe.direction[axis]
            t1 = (box.lo[axis] - probe.origin[axis]) * ood
            t2 = (box.hi[axis] - probe.origin[axis]) * ood
            if t1 > t2:
                t1, t2 = t2, t1
            t_min = max(t_min, t1)
            t_max = min(t_max, t2)
            if t_min > t_max:
                return False, 0, 0
    return True, t_min, t_max

"""Segment, ray or line against an axis-aligned box.

The box is solid and closed: touching is a hit, and a probe that starts in the box enters it at its start. A slab
is the space between two parallel planes; the box is the intersection of three of them.
"""

import math

from hitscope.geometry import ieee
from hitscope.geometry.answers import (
    NO_FEATURE,
    NO_T_RANGE,
    NOT_SEPARATED,
    Separation,
    TRange,
    TRangeFeature,
    TRangeNormalFeature,
    box_face,
    box_normal,
    box_slab,
    no_t_range,
    no_t_range_normal,
)
from hitscope.geometry.meanings import FACE, POINT, SLAB, T_PAIR, T_RANGE, T, point_from, vector_from
from hitscope.geometry.registry import method
from hitscope.geometry.shapes import Aabb, Linear, Segment
from hitscope.geometry.vector import add, cross, greater, halved, lesser, subtract, unit_axis, whole_number


@method(
    source="Irlan, «Fast Segment-AABB Collision Detection», after Ericson 2005, p. 180; the normal is ours",
    deviations=(
        "fractions are rounded: a probe that grazes an edge or a corner may be judged wrong",
        "a probe in the plane of a flat box is given the normal of an edge",
    ),
    meanings={"t_enter, t_exit": T_RANGE, "t": T, "axis, sign": FACE, "face": FACE},
)
def slab_halfspaces(probe: Linear, box: Aabb) -> TRangeNormalFeature:
    """Clip the probe by the box's six half-spaces sign * p[axis] <= sign * bound, one after the other."""
    t_enter, t_exit = probe.t_min, probe.t_max
    face = NO_FEATURE
    for axis in range(3):
        for sign in (-1, 1):
            bound = box.lo[axis] if sign < 0 else box.hi[axis]
            numerator = sign * bound - sign * probe.origin[axis]
            denominator = sign * probe.direction[axis]
            if denominator == 0:
                # The probe is parallel to the face: it is on the inner side everywhere or nowhere.
                if numerator < 0:
                    return no_t_range_normal(box_face(axis, sign))
                continue
            t = numerator / denominator
            if denominator < 0:
                if t > t_enter:
                    t_enter = t
                    face = box_face(axis, sign)
            elif t < t_exit:
                t_exit = t
            if t_exit < t_enter:
                return no_t_range_normal(box_face(axis, sign))
    return TRangeNormalFeature(True, t_enter, t_exit, box_normal(face), face)


@method(
    source="Ericson, «Real-Time Collision Detection» 2005, 5.3.3, as the article «AABB Intersection» has it",
    deviations=(
        "a direction component below epsilon counts as parallel, so short or slanted probes are judged wrong",
        "1 / d is rounded before it is multiplied: a probe that grazes an edge or a corner may be judged wrong",
    ),
    meanings={"t_min, t_max": T_RANGE, "t1, t2": T_PAIR, "axis": SLAB},
)
def slab_ericson(probe: Linear, box: Aabb, epsilon: float = 1e-9) -> TRangeFeature:
    """Intersect the t intervals of the three slabs; `epsilon` is compared with the direction as it is given."""
    t_min, t_max = probe.t_min, probe.t_max
    for axis in range(3):
        if abs(probe.direction[axis]) <= epsilon:
            if probe.origin[axis] < box.lo[axis] or probe.origin[axis] > box.hi[axis]:
                return no_t_range(box_slab(axis))
        else:
            ood = 1 / probe.direction[axis]
            t1 = (box.lo[axis] - probe.origin[axis]) * ood
            t2 = (box.hi[axis] - probe.origin[axis]) * ood
            if t1 > t2:
                t1, t2 = t2, t1
            t_min = max(t_min, t1)
            t_max = min(t_max, t2)
            if t_min > t_max:
                return no_t_range(box_slab(axis))
    return TRangeFeature(True, t_min, t_max, NO_FEATURE)


@method(
    source="the Japanese article on the cuboid and the line segment: the intersection of three slab intervals",
    deviations=("fractions are rounded: a probe that grazes an edge or a corner may be judged wrong",),
    meanings={"t_in, t_out; t_enter, t_exit; t_near, t_far": T_RANGE, "t1, t2": T_PAIR, "axis": SLAB},
)
def slab_intervals(probe: Linear, box: Aabb) -> TRangeFeature:
    """Intersect the line with each slab first, and with the probe's own range last."""
    t_in, t_out = -math.inf, math.inf
    for axis in range(3):
        if probe.direction[axis] == 0:
            if probe.origin[axis] < box.lo[axis] or box.hi[axis] < probe.origin[axis]:
                return no_t_range(box_slab(axis))
            continue
        t1 = (box.lo[axis] - probe.origin[axis]) / probe.direction[axis]
        t2 = (box.hi[axis] - probe.origin[axis]) / probe.direction[axis]
        t_near, t_far = (t1, t2) if t1 < t2 else (t2, t1)
        t_in = t_near if t_near > t_in else t_in
        t_out = t_far if t_far < t_out else t_out
    if t_in > t_out or t_in > probe.t_max or t_out < probe.t_min:
        return no_t_range(NO_FEATURE)
    t_enter = t_in if t_in > probe.t_min else probe.t_min
    t_exit = t_out if t_out < probe.t_max else probe.t_max
    return TRangeFeature(True, t_enter, t_exit, NO_FEATURE)


@method(
    source="Irlan, «Fast Segment-AABB Collision Detection», the variant without divisions; the normal is ours",
    deviations=(
        "products are rounded: a segment that grazes an edge or a corner may be judged wrong",
        "it still divides when a bound moves",
        "a probe in the plane of a flat box is given the normal of an edge",
    ),
    meanings={"t_enter, t_exit": T_RANGE, "axis, sign; face": FACE, "direction": vector_from("segment.start")},
)
def slab_division_free(segment: Segment, box: Aabb) -> TRangeNormalFeature:
    """Compare numerator with bound * denominator, and divide only to move the bound."""
    direction = subtract(segment.end, segment.start)
    t_enter, t_exit = whole_number(0, direction[0]), whole_number(1, direction[0])
    face = NO_FEATURE
    for axis in range(3):
        for sign in (-1, 1):
            bound = box.lo[axis] if sign < 0 else box.hi[axis]
            numerator = sign * bound - sign * segment.start[axis]
            denominator = sign * direction[axis]
            if denominator == 0:
                if numerator < 0:
                    return no_t_range_normal(box_face(axis, sign))
            elif denominator < 0:
                if numerator < t_enter * denominator:
                    t_enter = numerator / denominator
                    face = box_face(axis, sign)
            elif numerator < t_exit * denominator:
                t_exit = numerator / denominator
            if t_exit < t_enter:
                return no_t_range_normal(box_face(axis, sign))
    return TRangeNormalFeature(True, t_enter, t_exit, box_normal(face), face)


@method(
    source="Ericson 2005, 5.3.3 TestSegmentAABB, as the article «AABB Intersection» has it",
    deviations=(
        "epsilon is added to the radius of the cross axes: near misses along an edge are hits",
        "midpoint and half vector are rounded: touching may be judged wrong",
    ),
    meanings={"c": POINT, "e": vector_from("c"), "m": (POINT, point_from("c")), "d": vector_from("m")},
)
def sat_segment(segment: Segment, box: Aabb, epsilon: float = 1e-9) -> Separation:
    """Look for a separating axis among the three face normals and their cross products with the segment."""
    c = halved(add(box.lo, box.hi))
    e = subtract(box.hi, c)
    m = halved(add(segment.start, segment.end))
    d = subtract(segment.end, m)
    m = subtract(m, c)
    adx = abs(d[0])
    if abs(m[0]) > e[0] + adx:
        return Separation(False, unit_axis(0), abs(m[0]) - (e[0] + adx))
    ady = abs(d[1])
    if abs(m[1]) > e[1] + ady:
        return Separation(False, unit_axis(1), abs(m[1]) - (e[1] + ady))
    adz = abs(d[2])
    if abs(m[2]) > e[2] + adz:
        return Separation(False, unit_axis(2), abs(m[2]) - (e[2] + adz))
    # Against rounding where the segment is nearly parallel to an axis.
    adx += epsilon
    ady += epsilon
    adz += epsilon
    distance = abs(m[1] * d[2] - m[2] * d[1])
    radius = e[1] * adz + e[2] * ady
    if distance > radius:
        return Separation(False, cross(unit_axis(0), d), distance - radius)
    distance = abs(m[2] * d[0] - m[0] * d[2])
    radius = e[0] * adz + e[2] * adx
    if distance > radius:
        return Separation(False, cross(unit_axis(1), d), distance - radius)
    distance = abs(m[0] * d[1] - m[1] * d[0])
    radius = e[0] * ady + e[1] * adx
    if distance > radius:
        return Separation(False, cross(unit_axis(2), d), distance - radius)
    return NOT_SEPARATED


@method(
    source="Kay and Kajiya 1986, the slabs as IEEE arithmetic and plain comparisons give them",
    readings=("interpreted", "compiled", "stepped", "float32"),
    deviations=(
        "a probe that lies in a face has 0 * inf = NaN there: the verdict depends on the sign of a zero",
        "a line without direction is a hit beside the box too",
        "1 / d is rounded before it is multiplied: a probe that grazes an edge or a corner may be judged wrong",
    ),
    meanings={"t_near, t_far": T_RANGE, "t1, t2": T_PAIR, "axis": SLAB},
)
def kay_kajiya(probe: Linear, box: Aabb) -> TRangeFeature:
    """Divide by zero directions too: comparisons with the infinite t need no case of their own."""
    t_near, t_far = probe.t_min, probe.t_max
    for axis in range(3):
        inverse = ieee.divide(1.0, probe.direction[axis])
        t1 = (box.lo[axis] - probe.origin[axis]) * inverse
        t2 = (box.hi[axis] - probe.origin[axis]) * inverse
        if t1 > t2:
            t1, t2 = t2, t1
        t_near = max(t_near, t1)
        t_far = min(t_far, t2)
        if t_near > t_far:
            return no_t_range(box_slab(axis))
    return TRangeFeature(True, t_near, t_far, NO_FEATURE)


@method(
    source="Smits, «Efficiency Issues for Ray Tracing», 1998, as Williams et al. quote it",
    readings=("interpreted", "compiled", "stepped", "float32"),
    deviations=(
        "d >= 0 holds for -0, whose division then gives the slab's ends the wrong way round",
        "0 / 0 = NaN where a probe lies in a face",
        "the last comparison is strict: a box that is only touched at an end of the probe's range is missed",
        "the slab of a miss is one that the whole line misses after the others: the probe itself may lie in it",
    ),
    meanings={"t_min, t_max; t_enter, t_exit; near, far": T_RANGE, "lo, hi": T_PAIR, "axis": SLAB},
)
def smits(probe: Linear, box: Aabb) -> TRangeFeature:
    """Order the two planes of a slab by the sign of the direction, and divide."""
    t_min: float = -math.inf
    t_max: float = math.inf
    for axis in range(3):
        lo = ieee.divide(box.lo[axis] - probe.origin[axis], probe.direction[axis])
        hi = ieee.divide(box.hi[axis] - probe.origin[axis], probe.direction[axis])
        near, far = (lo, hi) if probe.direction[axis] >= 0 else (hi, lo)
        if axis == 0:
            t_min, t_max = near, far
        else:
            if t_min > far or near > t_max:
                return no_t_range(box_slab(axis))
            t_min = max(t_min, near)
            t_max = min(t_max, far)
    if not (t_min < probe.t_max and t_max > probe.t_min):
        return no_t_range(NO_FEATURE)
    t_enter = t_min if t_min > probe.t_min else probe.t_min
    t_exit = t_max if t_max < probe.t_max else probe.t_max
    return TRangeFeature(True, t_enter, t_exit, NO_FEATURE)


@method(
    source="Williams, Barrus, Morley and Shirley, «An Efficient and Robust Ray-Box Intersection Algorithm», 2005",
    readings=("interpreted", "compiled", "stepped", "float32"),
    deviations=(
        "a probe that lies in one face and not in another still has 0 * inf = NaN and may be missed",
        "the last comparison is strict: a box that is only touched at an end of the probe's range is missed",
        "the slab of a miss is one that the whole line misses after the others: the probe itself may lie in it",
        "1 / d is rounded before it is multiplied",
    ),
    meanings={"t_min, t_max; t_enter, t_exit; t_near, t_far": T_RANGE, "near; far": POINT, "axis": SLAB},
)
def williams(probe: Linear, box: Aabb) -> TRangeFeature:
    """Order the two planes of a slab by the sign of the inverse direction, which tells -0 from 0."""
    t_min: float = -math.inf
    t_max: float = math.inf
    for axis in range(3):
        inverse = ieee.divide(1.0, probe.direction[axis])
        near, far = (box.hi, box.lo) if inverse < 0 else (box.lo, box.hi)
        t_near = (near[axis] - probe.origin[axis]) * inverse
        t_far = (far[axis] - probe.origin[axis]) * inverse
        if axis == 0:
            t_min, t_max = t_near, t_far
        else:
            if t_min > t_far or t_near > t_max:
                return no_t_range(box_slab(axis))
            t_min = max(t_min, t_near)
            t_max = min(t_max, t_far)
    if not (t_min < probe.t_max and t_max > probe.t_min):
        return no_t_range(NO_FEATURE)
    t_enter = t_min if t_min > probe.t_min else probe.t_min
    t_exit = t_max if t_max < probe.t_max else probe.t_max
    return TRangeFeature(True, t_enter, t_exit, NO_FEATURE)


@method(
    source="Majercik, Crassin, Shirley and McGuire, «A Ray-Box Intersection Algorithm», 2018: efficient slabs",
    readings=("interpreted", "compiled", "stepped", "float32"),
    deviations=(
        "a probe that lies in a face has 0 * inf = NaN there: verdict and t depend on the sign of a zero",
        "a line without direction is a hit beside the box too",
        "1 / d is rounded before it is multiplied: a probe that grazes an edge or a corner may be judged wrong",
    ),
    meanings={"x0, x1": T_PAIR, "y0, y1": T_PAIR, "z0, z1": T_PAIR, "t_enter, t_exit": T_RANGE},
)
def slab_efficient(probe: Linear, box: Aabb) -> TRange:
    """Take the greatest of the near ends and the least of the far ones, all three slabs at once and unbranched."""
    inverse = (
        ieee.divide(1.0, probe.direction[0]),
        ieee.divide(1.0, probe.direction[1]),
        ieee.divide(1.0, probe.direction[2]),
    )
    x0 = (box.lo[0] - probe.origin[0]) * inverse[0]
    x1 = (box.hi[0] - probe.origin[0]) * inverse[0]
    y0 = (box.lo[1] - probe.origin[1]) * inverse[1]
    y1 = (box.hi[1] - probe.origin[1]) * inverse[1]
    z0 = (box.lo[2] - probe.origin[2]) * inverse[2]
    z1 = (box.hi[2] - probe.origin[2]) * inverse[2]
    t_enter = greater(greater(lesser(x0, x1), lesser(y0, y1)), greater(lesser(z0, z1), probe.t_min))
    t_exit = lesser(lesser(greater(x0, x1), greater(y0, y1)), lesser(greater(z0, z1), probe.t_max))
    if t_enter <= t_exit:
        return TRange(True, t_enter, t_exit)
    return NO_T_RANGE

"""Segment, ray or line against a box that need not be axis-aligned: an oriented one, or a general cuboid."""

import math

from hitscope.geometry import meanings
from hitscope.geometry.answers import (
    NO_FEATURE,
    UNKNOWN_VECTOR,
    TRangeFeature,
    TRangeNormalFeature,
    box_face,
    box_slab,
    no_t_range,
    no_t_range_normal,
)
from hitscope.geometry.registry import method
from hitscope.geometry.shapes import Linear, Obb, Parallelepiped, Segment
from hitscope.geometry.vector import cross, dot, length, subtract


@method(
    source="the article «AABB Intersection», Ray - OBB: rotate the ray by the transposed axes, then the slabs",
    deviations=(
        "the transpose is the inverse only of exactly orthonormal axes; stored axes are rounded",
        "a rotated direction component below epsilon counts as parallel",
        "rotation and fractions are rounded: a probe that grazes an edge or a face may be judged wrong",
    ),
    meanings={
        "t_min, t_max": meanings.T_RANGE,
        "t1, t2": meanings.T_PAIR,
        "from_center": meanings.vector_from("box.center"),
        "i": meanings.SLAB,
        "axis": meanings.AXIS,
        "origin": meanings.projection("axis", origin="box.center"),
        "half_extent": meanings.half_shadow("axis", whose="box", origin="box.center"),
        "normal": meanings.direction_at("t_min"),
        "feature": meanings.FACE,
    },
)
def slab_rotated(probe: Linear, box: Obb, epsilon: float = 1e-9) -> TRangeNormalFeature:
    """Rotate origin and direction into the box, where it is axis-aligned, and intersect the three slabs."""
    t_min, t_max = probe.t_min, probe.t_max
    normal, feature = UNKNOWN_VECTOR, NO_FEATURE
    from_center = subtract(probe.origin, box.center)
    for i in range(3):
        axis = box.axes[i]
        half_extent = box.half_extents[i]
        origin = dot(axis, from_center)
        direction = dot(axis, probe.direction)
        if abs(direction) <= epsilon:
            if abs(origin) > half_extent:
                return no_t_range_normal(box_face(i, origin))
        else:
            ood = 1 / direction
            t1 = (-half_extent - origin) * ood
            t2 = (half_extent - origin) * ood
            if t1 > t2:
                t1, t2 = t2, t1
            if t1 > t_min:
                t_min = t1
                # The probe enters on the side that it comes from.
                sign = -1 if direction > 0 else 1
                normal = (sign * axis[0], sign * axis[1], sign * axis[2])
                feature = box_face(i, sign)
            t_max = min(t_max, t2)
            if t_min > t_max:
                return no_t_range_normal(box_slab(i))
    return TRangeNormalFeature(True, t_min, t_max, normal, feature)


TOLERANCES = (
    "an edge shorter than length_tolerance makes every probe miss, whatever the unit",
    "a direction below parallel_tolerance, not normalised, counts as parallel: short probes are judged wrong",
)


@method(
    source="the Japanese article on the cuboid and the line segment, with the frame that skew edges need",
    deviations=(
        *TOLERANCES,
        "a flat cuboid is always missed",
        "coordinates are rounded: a probe that grazes an edge or a face may be judged wrong",
    ),
    meanings={
        "t_min, t_max; t_near, t_far": meanings.T_RANGE,
        "t1, t2": meanings.T_PAIR,
        "from_origin; edge": meanings.vector_from("box.origin"),
        "i": meanings.SLAB,
        "normal": meanings.direction_at("box.origin"),
        "start": meanings.multiples("box.origin", "edge"),
    },
)
def cuboid_slabs(
    probe: Linear, box: Parallelepiped, length_tolerance: float = 1e-9, parallel_tolerance: float = 1e-9
) -> TRangeFeature:
    """Measure along each edge by the dual basis, in which the cuboid is 0 <= coordinate <= 1, skew or not."""
    t_min, t_max = probe.t_min, probe.t_max
    from_origin = subtract(probe.origin, box.origin)
    for i in range(3):
        edge = box.edges[i]
        normal = cross(box.edges[(i + 1) % 3], box.edges[(i + 2) % 3])
        volume = dot(normal, edge)
        squared = dot(edge, edge)
        if squared <= length_tolerance * length_tolerance or volume == 0:
            return no_t_range(NO_FEATURE)
        start = dot(normal, from_origin) / volume
        direction = dot(normal, probe.direction) / volume
        # The coordinate counts edges; times the edge's length it is the length that the tolerance speaks of.
        if direction == 0 or direction * direction * squared <= parallel_tolerance * parallel_tolerance:
            if start < 0 or start > 1:
                return no_t_range(box_slab(i))
            continue
        t1 = -start / direction
        t2 = (1 - start) / direction
        t_near, t_far = (t1, t2) if t1 < t2 else (t2, t1)
        t_min = t_near if t_near > t_min else t_min
        t_max = t_far if t_far < t_max else t_max
        if t_min > t_max:
            return no_t_range(box_slab(i))
    return TRangeFeature(True, t_min, t_max, NO_FEATURE)


@method(
    source="the Japanese article's listing as printed: unit edges as rows of a rotation",
    readings=("interpreted", "compiled", "stepped", "float32"),
    deviations=(
        "specimen: edges that are not at right angles are accepted and judged as if they were",
        *TOLERANCES,
    ),
    fault="start = dot(edge, from_origin) / slab_max",
    meanings={
        "t_min, t_max": meanings.T_RANGE,
        "t1, t2": meanings.T_PAIR,
        "from_origin; edge": meanings.vector_from("box.origin"),
        "motion": meanings.vector_from("segment.start"),
        "i": meanings.SLAB,
        "slab_max; start": meanings.length_along("edge", "box.origin"),
    },
)
def cuboid_printed(
    segment: Segment, box: Parallelepiped, length_tolerance: float = 1e-9, parallel_tolerance: float = 1e-9
) -> bool:
    """Project the segment onto the unit edges, which is right only where they are orthogonal."""
    t_min = -math.inf
    t_max = math.inf
    from_origin = subtract(segment.start, box.origin)
    motion = subtract(segment.end, segment.start)
    for i in range(3):
        edge = box.edges[i]
        slab_max = length(edge)
        if slab_max < length_tolerance:
            return False
        start = dot(edge, from_origin) / slab_max
        direction = dot(edge, motion) / slab_max
        if abs(direction) < parallel_tolerance:
            if start < 0 or start > slab_max:
                return False
            continue
        t1 = -start / direction
        t2 = (slab_max - start) / direction
        t_min = max(t_min, min(t1, t2))
        t_max = min(t_max, max(t1, t2))
    return t_min <= t_max and t_min <= 1 and t_max >= 0

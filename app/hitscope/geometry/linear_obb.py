"""Segment, ray or line against an oriented box."""

from hitscope.geometry.answers import (
    NO_FEATURE,
    UNKNOWN_VECTOR,
    TRangeNormalFeature,
    box_face,
    box_slab,
    no_t_range_normal,
)
from hitscope.geometry.meanings import (
    AXIS,
    FACE,
    SLAB,
    T_PAIR,
    T_RANGE,
    direction_at,
    half_shadow,
    projection,
    vector_from,
)
from hitscope.geometry.registry import RANGE, method
from hitscope.geometry.shapes import Linear, Obb
from hitscope.geometry.vector import dot, subtract


@method(
    source="the article «AABB Intersection», Ray - OBB: rotate the ray by the transposed axes, then the slabs",
    deviations=(
        "the transpose is the inverse only of exactly orthonormal axes; stored axes are rounded",
        "a rotated direction component below epsilon counts as parallel",
        "rotation and fractions are rounded: a probe that grazes an edge or a face may be judged wrong",
        RANGE,
    ),
    meanings={
        "t_min, t_max": T_RANGE,
        "t1, t2": T_PAIR,
        "from_center": vector_from("box.center"),
        "i": SLAB,
        "axis": AXIS,
        "origin": projection("axis", origin="box.center"),
        "half_extent": half_shadow("axis", whose="box", origin="box.center"),
        "normal": direction_at("t_min"),
        "feature": FACE,
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

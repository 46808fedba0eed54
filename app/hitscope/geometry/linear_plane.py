"""Segment, ray or line against a plane."""

from hitscope.geometry import ieee
from hitscope.geometry.answers import NO_T_RANGE, NO_T_RANGE_NORMAL, UNKNOWN_VECTOR, TRange, TRangeNormal
from hitscope.geometry.meanings import PLANE, T, direction_at, length_along, side_of, vector_from
from hitscope.geometry.registry import RANGE, method
from hitscope.geometry.shapes import Linear, Plane, Segment
from hitscope.geometry.vector import dot, length, normalized, subtract


@method(
    source="Ericson 2005, 5.3.1 IntersectSegmentPlane; a probe in the plane is ours",
    deviations=("products are rounded: a probe that ends on the plane or lies in it may be judged wrong", RANGE),
    meanings={
        "numerator": side_of("probe.origin", sign=-1),
        "t": T,
    },
)
def plane_equation(probe: Linear, plane: Plane) -> TRangeNormal:
    """Put origin + t * direction into the plane's equation and solve for t."""
    numerator = plane.offset - dot(plane.normal, probe.origin)
    denominator = dot(plane.normal, probe.direction)
    if denominator == 0:
        # The probe is parallel: it is in the plane everywhere or nowhere.
        if numerator == 0:
            return TRangeNormal(True, probe.t_min, probe.t_max, UNKNOWN_VECTOR)
        return NO_T_RANGE_NORMAL
    t = numerator / denominator
    if t < probe.t_min or t > probe.t_max:
        return NO_T_RANGE_NORMAL
    if t == probe.t_min:
        # A probe that starts on the plane enters it nowhere.
        return TRangeNormal(True, t, t, UNKNOWN_VECTOR)
    if denominator > 0:
        return TRangeNormal(True, t, t, (-plane.normal[0], -plane.normal[1], -plane.normal[2]))
    return TRangeNormal(True, t, t, plane.normal)


@method(
    source="«Point-Plane Collision Detection Explained» 2009, steps 3 to 6; its t is a length, ours the fraction",
    readings=("interpreted", "compiled", "stepped", "float32"),
    deviations=(
        "a segment with both ends on the plane does not cross it there",
        "normal and ray are normalised, and so rounded, first: an end on the plane may be classified beside it",
        RANGE,
    ),
    meanings={
        "normal, d": PLANE,
        "normal": direction_at("plane"),
        "p_start": side_of("segment.start"),
        "p_dest": side_of("segment.end"),
        "motion": vector_from("segment.start"),
        "ray": direction_at("segment.start"),
        "t": length_along("ray", "segment.start"),
        "fraction": T,
    },
)
def class_change(segment: Segment, plane: Plane) -> TRange:
    """Compare the classes of start and destination: the moving point collides only if they differ."""
    normal = normalized(plane.normal)
    d = -ieee.divide(plane.offset, length(plane.normal))
    p_start = dot(normal, segment.start) + d
    p_dest = dot(normal, segment.end) + d
    start_class = 1 if p_start > 0 else -1 if p_start < 0 else 0
    dest_class = 1 if p_dest > 0 else -1 if p_dest < 0 else 0
    if start_class == dest_class:
        return NO_T_RANGE
    motion = subtract(segment.end, segment.start)
    ray = normalized(motion)
    t = -ieee.divide(p_start, dot(normal, ray))
    fraction = ieee.divide(t, length(motion))
    return TRange(True, fraction, fraction)

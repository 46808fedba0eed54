"""Segment, ray or line against a convex polyhedron (or a parallelepiped) given by its planes."""

from hitscope.geometry.answers import NO_FEATURE, UNKNOWN_VECTOR, TRangeNormalFeature, no_t_range_normal
from hitscope.geometry.meanings import FACE, T_RANGE, T, direction_at, side_of
from hitscope.geometry.polyhedron import HalfSpaces
from hitscope.geometry.registry import RANGE, method
from hitscope.geometry.shapes import Linear
from hitscope.geometry.vector import dot


@method(
    source="Irlan, «Fast Segment-AABB Collision Detection», its last part, after Ericson 2005, p. 180",
    readings=("interpreted", "unrounded", "stepped", "float32"),
    deviations=(
        "planes and fractions are rounded: a probe that grazes an edge, or a flat polyhedron, may be judged wrong",
        "a probe in the plane of a flat polyhedron is given the normal of an edge",
        RANGE,
    ),
    meanings={
        "t_enter, t_exit": T_RANGE,
        "t": T,
        "plane": FACE,
        "numerator": side_of("probe.origin", sign=-1),
        "normal": direction_at("t_enter"),
        "feature": FACE,
    },
)
def clip_planes(probe: Linear, body: HalfSpaces) -> TRangeNormalFeature:
    """Clip the probe by one half-space after the other."""
    t_enter, t_exit = probe.t_min, probe.t_max
    normal, feature = UNKNOWN_VECTOR, NO_FEATURE
    for i, plane in enumerate(body.planes):
        numerator = plane.offset - dot(plane.normal, probe.origin)
        denominator = dot(plane.normal, probe.direction)
        if denominator == 0:
            # The probe is parallel to the plane: it is behind it everywhere or nowhere.
            if numerator < 0:
                return no_t_range_normal(i)
            continue
        t = numerator / denominator
        if denominator < 0:
            if t > t_enter:
                t_enter = t
                normal, feature = plane.normal, i
        elif t < t_exit:
            t_exit = t
        if t_exit < t_enter:
            return no_t_range_normal(i)
    return TRangeNormalFeature(True, t_enter, t_exit, normal, feature)

"""Points, linear probes, triangles and boxes against a plane."""

from hitscope.geometry import ieee, meanings
from hitscope.geometry.answers import (
    NO_T_RANGE,
    NO_T_RANGE_NORMAL,
    NOT_SEPARATED,
    UNKNOWN_VECTOR,
    Separation,
    TRange,
    TRangeNormal,
)
from hitscope.geometry.registry import method
from hitscope.geometry.shapes import Box, Linear, Plane, Point, Segment, Triangle
from hitscope.geometry.vector import dot, greater, length, normalized, subtract


@method(
    source="«Point-Plane Collision Detection Explained» 2009, step 4: the sign of dot(normal, p) - offset",
    deviations=("the sum is rounded: a point that is on the plane may be found beside it, and the reverse",),
    meanings={"value": meanings.side_of("point.position")},
)
def point_class(point: Point, plane: Plane) -> Separation:
    """Put the point into the plane's equation; a point neither in front nor behind is on the plane."""
    value = dot(plane.normal, point.position) - plane.offset
    in_front = value > 0
    behind = value < 0
    if in_front or behind:
        return Separation(False, plane.normal, abs(value))
    return NOT_SEPARATED


@method(
    source="Ericson 2005, 5.3.1 IntersectSegmentPlane; a probe in the plane is ours",
    deviations=("products are rounded: a probe that ends on the plane or lies in it may be judged wrong",),
    meanings={"numerator": meanings.side_of("probe.origin", sign=-1), "t": meanings.T},
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
    ),
    meanings={
        "normal, d": meanings.PLANE,
        "normal": meanings.direction_at("plane"),
        "p_start": meanings.side_of("segment.start"),
        "p_dest": meanings.side_of("segment.end"),
        "motion": meanings.vector_from("segment.start"),
        "ray": meanings.direction_at("segment.start"),
        "t": meanings.length_along("ray", "segment.start"),
        "fraction": meanings.T,
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


INEXACT = "products are rounded: touching may be judged wrong"


@method(
    source="the heights of the three vertices over the plane",
    deviations=(INEXACT,),
    meanings={
        "a; b; c": meanings.projection("plane.normal"),
        "lowest, highest": meanings.shadow("plane.normal", whose="triangle"),
    },
)
def vertex_heights(triangle: Triangle, plane: Plane) -> Separation:
    """Compare the plane's offset with the least and the greatest height of a vertex."""
    a = dot(plane.normal, triangle.a)
    b = dot(plane.normal, triangle.b)
    c = dot(plane.normal, triangle.c)
    lowest, highest = min(a, b, c), max(a, b, c)
    if lowest <= plane.offset <= highest:
        return NOT_SEPARATED
    return Separation(False, plane.normal, greater(lowest - plane.offset, plane.offset - highest))


@method(
    source="Ericson 2005, 5.2.3 TestOBBPlane, with half edges in place of unit axes",
    deviations=(INEXACT, "centre and half edges of the box are rounded"),
    meanings={
        "radius": meanings.half_shadow("plane.normal", whose="box", origin="box.center"),
        "height": meanings.side_of("box.center"),
    },
)
def plane_radius(box: Box, plane: Plane) -> Separation:
    """Compare the centre's height over the plane with the box's radius along the normal."""
    radius = (
        abs(dot(plane.normal, box.half_edges[0]))
        + abs(dot(plane.normal, box.half_edges[1]))
        + abs(dot(plane.normal, box.half_edges[2]))
    )
    height = dot(plane.normal, box.center) - plane.offset
    if abs(height) <= radius:
        return NOT_SEPARATED
    return Separation(False, plane.normal, abs(height) - radius)

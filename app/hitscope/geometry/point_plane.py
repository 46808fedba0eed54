"""Point against a plane: in front of it, behind it, or on it."""

from hitscope.geometry.answers import NOT_SEPARATED, Separation
from hitscope.geometry.meanings import side_of
from hitscope.geometry.registry import RANGE, method
from hitscope.geometry.shapes import Plane, Point
from hitscope.geometry.vector import dot


@method(
    source="«Point-Plane Collision Detection Explained» 2009, step 4: the sign of dot(normal, p) - offset",
    deviations=("the sum is rounded: a point that is on the plane may be found beside it, and the reverse", RANGE),
    meanings={
        "value": side_of("point.position"),
    },
)
def point_class(point: Point, plane: Plane) -> Separation:
    """Put the point into the plane's equation; a point neither in front nor behind is on the plane."""
    value = dot(plane.normal, point.position) - plane.offset
    in_front = value > 0
    behind = value < 0
    if in_front or behind:
        return Separation(False, plane.normal, abs(value))
    return NOT_SEPARATED

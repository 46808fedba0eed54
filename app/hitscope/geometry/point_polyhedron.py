"""Point against a convex polyhedron (or a parallelepiped): behind every one of its planes."""

from hitscope.geometry.answers import NO_FEATURE, DecidingFeature
from hitscope.geometry.meanings import FACE
from hitscope.geometry.polyhedron import HalfSpaces
from hitscope.geometry.registry import RANGE, method
from hitscope.geometry.shapes import Point
from hitscope.geometry.vector import dot


@method(
    source="the definition: dot(normal, p) <= offset for each plane",
    readings=("interpreted", "unrounded", "stepped", "float32"),
    deviations=("planes and products are rounded: a point on or near a face may be judged wrong", RANGE),
    meanings={
        "plane": FACE,
    },
)
def behind_planes(point: Point, body: HalfSpaces) -> DecidingFeature:
    """Compare the point's height over each plane with zero."""
    for i, plane in enumerate(body.planes):
        if dot(plane.normal, point.position) > plane.offset:
            return DecidingFeature(False, i)
    return DecidingFeature(True, NO_FEATURE)

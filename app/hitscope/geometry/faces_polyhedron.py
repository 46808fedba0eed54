"""Triangle or box against a convex polyhedron, by clipping the faces of the one by the planes of the other."""

from hitscope.geometry.meanings import FACE, POINT, POLYGON, fraction_of_way, side_of
from hitscope.geometry.polyhedron import Faces, HalfSpaces
from hitscope.geometry.registry import RANGE, method
from hitscope.geometry.vector import dot


@method(
    source="Sutherland and Hodgman, «Reentrant Polygon Clipping», 1974, for each face",
    readings=("interpreted", "unrounded", "stepped", "float32"),
    deviations=("planes and corners are rounded: touching, and a flat polyhedron, may be judged wrong", RANGE),
    meanings={
        "polygon": POLYGON,
        "kept": POLYGON,
        "clipped": POLYGON,
        "plane": FACE,
        "p": POINT,
        "q": POINT,
        "over_p": side_of("p"),
        "over_q": side_of("q"),
        "t": fraction_of_way("p", "q"),
    },
)
def clip_faces(shape: Faces, body: HalfSpaces) -> bool:
    """Clip every polygon; if none is left, the polyhedron is apart or all inside the shape."""
    for polygon in shape.polygons:
        kept = list(polygon)
        for plane in body.planes:
            clipped = []
            for k in range(len(kept)):
                p, q = kept[k - 1], kept[k]
                over_p = dot(plane.normal, p) - plane.offset
                over_q = dot(plane.normal, q) - plane.offset
                if (over_p < 0 < over_q) or (over_q < 0 < over_p):
                    t = over_p / (over_p - over_q)
                    clipped.append((p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])))
                if over_q <= 0:
                    clipped.append(q)
            kept = clipped
        if kept:
            return True
    inside = len(shape.planes) > 0
    for plane in shape.planes:
        inside = inside and dot(plane.normal, body.inner) <= plane.offset
    return inside

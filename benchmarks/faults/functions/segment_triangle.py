# pair: segment_triangle
"""First the plane, then on which side of each edge the point is."""

from hitscope import Segment, Triangle

Vector = tuple[float, float, float]
FLAT = 1e-12


def minus(p: Vector, q: Vector) -> Vector:
    return (p[0] - q[0], p[1] - q[1], p[2] - q[2])


def volume(u: Vector, v: Vector, w: Vector) -> float:
    """Six times the signed volume of a tetrahedron."""
    return (
        u[0] * (v[1] * w[2] - v[2] * w[1])
        + u[1] * (v[2] * w[0] - v[0] * w[2])
        + u[2] * (v[0] * w[1] - v[1] * w[0])
    )


def largest(v: Vector) -> float:
    return max(abs(c) for c in v)


def hit(probe: Segment, primitive: Triangle) -> bool | None:
    along = minus(probe.end, probe.start)
    ab = minus(primitive.b, primitive.a)
    bc = minus(primitive.c, primitive.b)
    ca = minus(primitive.a, primitive.c)
    sizes = [largest(v) for v in (along, ab, bc, ca)]
    if min(sizes) == 0:
        return None
    along, ab, bc, ca = (
        (v[0] / size, v[1] / size, v[2] / size) for v, size in zip((along, ab, bc, ca), sizes, strict=True)
    )
    slope = volume(along, ab, ca)
    if abs(slope) <= FLAT:
        return None  # in the plane or beside it
    a, b, c = (minus(corner, probe.start) for corner in primitive)
    t = volume(a, ab, ca) / slope
    if t < 0 or t > sizes[0]:
        return False
    u = volume(along, a, ab)
    v = volume(along, b, bc)
    w = volume(along, c, ca)
    if slope > 0:
        return u <= 0 and v <= 0 and w <= 0
    return u >= 0 and v >= 0 and w >= 0

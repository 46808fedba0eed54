# pair: ray_triangle
"""Möller and Trumbore, 1997; a ray in the triangle's plane is left to others."""

from hitscope import Ray, Triangle

Vector = tuple[float, float, float]
EPSILON = 1e-12


def cross(a: Vector, b: Vector) -> Vector:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def sub(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def size(a: Vector) -> float:
    return max(abs(a[0]), abs(a[1]), abs(a[2]))


def shrink(a: Vector, scale: float) -> Vector:
    return a[0] / scale, a[1] / scale, a[2] / scale


def hit(probe: Ray, primitive: Triangle) -> bool | None:
    edge1 = sub(primitive.b, primitive.a)
    edge2 = sub(primitive.c, primitive.a)
    if size(edge1) == 0 or size(edge2) == 0 or size(probe.direction) == 0:
        return None
    direction = shrink(probe.direction, size(probe.direction))
    scale = max(size(edge1), size(edge2))  # of a tiny triangle no product underflows
    tvec = shrink(sub(probe.origin, primitive.a), scale)
    edge1, edge2 = shrink(edge1, scale), shrink(edge2, scale)
    pvec = cross(direction, edge2)
    det = dot(edge1, pvec)
    if abs(det) <= EPSILON * size(edge1) * size(edge2):
        return None
    inv_det = 1 / det
    u = dot(tvec, pvec) * inv_det
    if u < 0 or u > 1:
        return False
    qvec = cross(tvec, edge1)
    v = dot(direction, qvec) * inv_det
    if v < 0 or u + v > 1:
        return False
    return dot(edge2, qvec) * inv_det >= 0

# pair: point_parallelepiped
"""Cramer's rule: the shares of the edges of which the point is the sum."""

from hitscope import Parallelepiped, Point

Vec = tuple[float, float, float]
FLATTEST = 1e-9


def det(a: Vec, b: Vec, c: Vec) -> float:
    x = b[1] * c[2] - b[2] * c[1]
    y = b[2] * c[0] - b[0] * c[2]
    z = b[0] * c[1] - b[1] * c[0]
    return a[0] * x + a[1] * y + a[2] * z


def hit(probe: Point, primitive: Parallelepiped) -> bool | None:
    lengths = [max(map(abs, edge)) for edge in primitive.edges]
    if min(lengths) == 0:
        return None
    u, v, w = ((x / n, y / n, z / n) for (x, y, z), n in zip(primitive.edges, lengths, strict=True))
    px, py, pz = probe.position
    qx, qy, qz = primitive.origin
    p = (px - qx, py - qy, pz - qz)
    whole = det(u, v, w)
    if abs(whole) <= FLATTEST:
        return None
    r = det(p, v, w) / whole
    s = det(u, p, w) / whole
    t = det(u, v, p) / whole
    return 0 <= r <= lengths[0] and 0 <= s <= lengths[1] and 0 <= t <= lengths[2]

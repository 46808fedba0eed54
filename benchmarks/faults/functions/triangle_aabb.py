# pair: triangle_aabb
# hitscope: require=max-coordinate=1e300
"""Akenine-Möller, 2001: thirteen axes that may separate them."""

from hitscope import Aabb, Triangle

Vector = tuple[float, float, float]


def dot(p: Vector, q: Vector) -> float:
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def cross(p: Vector, q: Vector) -> Vector:
    return (
        p[1] * q[2] - p[2] * q[1],
        p[2] * q[0] - p[0] * q[2],
        p[0] * q[1] - p[1] * q[0],
    )


def subtract(p: Vector, q: Vector) -> Vector:
    return p[0] - q[0], p[1] - q[1], p[2] - q[2]


def shrink(p: Vector, size: float) -> Vector:
    return p[0] / size, p[1] / size, p[2] / size


def separates(axis: Vector, corners: list[Vector], half: Vector) -> bool:
    heights = [dot(axis, corner) for corner in corners]
    radius = half[0] * abs(axis[0]) + half[1] * abs(axis[1]) + half[2] * abs(axis[2])
    return min(heights) > radius or max(heights) < -radius


def hit(probe: Triangle, primitive: Aabb) -> bool:
    (x0, y0, z0), (x1, y1, z1) = primitive
    center = ((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2)
    half = ((x1 - x0) / 2, (y1 - y0) / 2, (z1 - z0) / 2)
    size = max(map(abs, [*probe.a, *probe.b, *probe.c, *primitive.lo, *primitive.hi])) or 1.0
    corners = [shrink(subtract(corner, center), size) for corner in probe]
    half = shrink(half, size)
    edges = [
        shrink(subtract(probe.b, probe.a), size),
        shrink(subtract(probe.c, probe.b), size),
        shrink(subtract(probe.a, probe.c), size),
    ]
    axes = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
    for x, y, z in edges:
        axes += [(0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)]
    axes.append(cross(edges[0], edges[1]))
    return not any(separates(axis, corners, half) for axis in axes)

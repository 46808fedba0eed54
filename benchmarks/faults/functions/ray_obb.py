# pair: ray_obb
"""Slabs along the box's own axes, as in Real-Time Rendering."""

from hitscope import Obb, Ray

Vector = tuple[float, float, float]
PARALLEL = 1e-15
ROUNDING = 1e-14


def sub(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def hit(probe: Ray, primitive: Obb) -> bool | None:
    x, y, z = primitive.axes
    right_angles = max(abs(dot(x, y)), abs(dot(y, z)), abs(dot(z, x)))
    unit_lengths = max(abs(dot(a, a) - 1) for a in primitive.axes)
    if right_angles > ROUNDING or unit_lengths > ROUNDING:
        return None
    t_min, t_max = 0.0, float("inf")
    p = sub(primitive.center, probe.origin)
    longest = max(abs(x) for x in probe.direction)
    for axis, h in zip(primitive.axes, primitive.half_extents, strict=True):
        e = dot(axis, p)
        f = dot(axis, probe.direction)
        if abs(f) > PARALLEL * longest:
            t1 = (e - h) / f
            t2 = (e + h) / f
            if t1 > t2:
                t1, t2 = t2, t1
            t_min = max(t_min, t1)
            t_max = min(t_max, t2)
            if t_min > t_max:
                return False
        elif -e - h > 0 or -e + h < 0:
            return False
    return True

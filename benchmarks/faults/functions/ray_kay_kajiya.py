# pair: ray_aabb
"""Kay and Kajiya, 1986: the ray is in the box where it is in all three slabs at once."""

from hitscope import Aabb, Ray

INFINITY = float("inf")
EMPTY = INFINITY, -INFINITY
ALWAYS = -INFINITY, INFINITY


def slab(origin: float, direction: float, lo: float, hi: float) -> tuple[float, float]:
    if direction == 0:
        return ALWAYS if lo <= origin <= hi else EMPTY
    t1 = (lo - origin) / direction
    t2 = (hi - origin) / direction
    return (t1, t2) if t1 < t2 else (t2, t1)


def hit(probe: Ray, primitive: Aabb) -> tuple[bool, float]:
    origin, direction = probe.origin, probe.direction
    x = slab(origin[0], direction[0], primitive.lo[0], primitive.hi[0])
    y = slab(origin[1], direction[1], primitive.lo[1], primitive.hi[1])
    z = slab(origin[2], direction[2], primitive.lo[2], primitive.hi[2])
    enter = max(x[0], y[0], z[0], 0.0)
    leave = min(x[1], y[1], z[1])
    return enter <= leave, enter

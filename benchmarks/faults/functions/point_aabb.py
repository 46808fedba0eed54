# pair: point_aabb
from hitscope import Aabb, Point


def hit(probe: Point, primitive: Aabb) -> bool:
    x, y, z = probe.position
    lo, hi = primitive
    if x < lo[0] or x > hi[0]:
        return False
    if y < lo[1] or y > hi[1]:
        return False
    return lo[2] <= z <= hi[2]

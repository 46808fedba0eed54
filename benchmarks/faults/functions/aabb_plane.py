# pair: aabb_plane
from math import hypot

from hitscope import Aabb, Plane


def hit(probe: Aabb, primitive: Plane) -> bool:
    length = hypot(*primitive.normal)
    normal = [n / length for n in primitive.normal]
    offset = primitive.offset / length
    center = [lo / 2 + hi / 2 for lo, hi in zip(*probe, strict=True)]
    extents = [hi / 2 - lo / 2 for lo, hi in zip(*probe, strict=True)]
    reach = extents[0] * abs(normal[0]) + extents[1] * abs(normal[1]) + extents[2] * abs(normal[2])
    distance = center[0] * normal[0] + center[1] * normal[1] + center[2] * normal[2] - offset
    return -reach <= distance <= reach

# pair: aabb_aabb
from hitscope import Aabb


def hit(probe: Aabb, primitive: Aabb) -> bool:
    return all(probe.lo[i] <= primitive.hi[i] and primitive.lo[i] <= probe.hi[i] for i in range(3))

# pair: segment_aabb
"""Clip the segment to one slab after the other."""

from hitscope import Aabb, Segment


def hit(probe: Segment, primitive: Aabb) -> bool | tuple[bool, float]:
    first, last = 0.0, 1.0
    for axis in range(3):
        start = probe.start[axis]
        step = probe.end[axis] - start
        lo, hi = primitive.lo[axis], primitive.hi[axis]
        if step == 0:
            if start < lo or start > hi:
                return False
            continue
        near = (lo - start) / step
        far = (hi - start) / step
        if near > far:
            near, far = far, near
        first = max(first, near)
        last = min(last, far)
        if first > last:
            return False
    return True, first

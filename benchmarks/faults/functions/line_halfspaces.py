# pair: line_aabb
"""Cyrus and Beck, 1978: each face's halfspace bounds the line from one side."""

import math

from hitscope import Aabb, Line


def hit(probe: Line, primitive: Aabb) -> bool | tuple[bool, float]:
    enter, leave = -math.inf, math.inf
    for axis in range(3):
        for sign, bound in ((-1, primitive.lo[axis]), (1, primitive.hi[axis])):
            height = sign * (probe.origin[axis] - bound)  # positive outside
            speed = sign * probe.direction[axis]
            if speed == 0:
                if height > 0:
                    return False
            elif speed < 0:
                enter = max(enter, -height / speed)
            else:
                leave = min(leave, -height / speed)
    if enter > leave:
        return False
    return True, enter

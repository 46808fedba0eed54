# pair: segment_obb
# hitscope: require=max-coordinate=1e300
"""Ericson, Real-Time Collision Detection, 5.3.3, in the frame of the box."""

import numpy as np

from hitscope import Obb, Segment

EPSILON = 1e-15


def hit(probe: Segment, primitive: Obb) -> bool | None:
    start, end = np.array(probe.start), np.array(probe.end)
    axes = np.array(primitive.axes)
    e = np.array(primitive.half_extents)
    if not np.allclose(axes @ axes.T, np.eye(3), rtol=0, atol=1e-14):
        return None
    m = axes @ ((start + end) / 2 - primitive.center)
    d = axes @ ((end - start) / 2)
    size = max(e.max(), np.abs(m).max(), np.abs(d).max()) or 1.0
    e, m, d = e / size, m / size, d / size
    ad = np.abs(d)
    if np.any(np.abs(m) > e + ad):
        return False
    ad = ad + EPSILON * np.abs(d).max()  # so that a segment along an axis is not lost
    if abs(m[1] * d[2] - m[2] * d[1]) > e[1] * ad[2] + e[2] * ad[1]:
        return False
    if abs(m[2] * d[0] - m[0] * d[2]) > e[0] * ad[2] + e[2] * ad[0]:
        return False
    return bool(abs(m[0] * d[1] - m[1] * d[0]) <= e[0] * ad[1] + e[1] * ad[0])

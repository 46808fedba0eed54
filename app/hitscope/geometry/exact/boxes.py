"""One segment, ray or line against many axis-aligned boxes, right for every box; the proof is in `box_kernels`."""

from collections.abc import Iterable, Sequence
from math import inf, isfinite
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.exact.relation import meet
from hitscope.geometry.shapes import Aabb, Line, Ray, Segment, Vec3

Rows: TypeAlias = tuple[NDArray[np.float64], ...]


class Boxes:
    """n boxes as contiguous coordinate arrays."""

    def __init__(self, boxes: Sequence[Aabb]) -> None:
        """Copy the boxes' bounds."""
        self.boxes = boxes
        corners = np.array(boxes, dtype=np.float64).reshape(-1, 6)
        self.rows: Rows = tuple(np.ascontiguousarray(corners[:, k]) for k in range(6))

    def hit_by(self, probe: Segment | Ray | Line) -> NDArray[np.bool_]:
        """Say of each box whether the probe has a point in common with it; (n,)."""
        from hitscope.geometry.exact.box_kernels import UNSURE, filter_boxes, settle_boxes

        course = _Course.of(probe)
        lo, hi = self.rows[:3], self.rows[3:]
        planes, lows, corners = [], [], []
        for i, j in ((0, 1), (1, 2), (2, 0)):
            p, q = course.direction[i], course.direction[j]
            if p == q == 0:
                continue  # The probe stands across the plane: the coordinate axes say all there is to say.
            planes.append((course.start[i], course.start[j], p, q))
            lows.append((course.low[i], course.low[j]))
            u, v = (lo[i], hi[i]) if q > 0 else (hi[i], lo[i]), (hi[j], lo[j]) if p > 0 else (lo[j], hi[j])
            corners.append((u[0], v[0], u[1], v[1]))
        if not planes:
            within: NDArray[np.bool_] = np.ones(len(self.boxes), dtype=np.bool_)
            for a, x, b in zip(lo, course.start, hi, strict=True):
                within &= (a <= x) & (x <= b)
            return within
        # The kernels have no branch for a plane that is left out: it repeats another.
        repeated = [(column * 3)[:3] for column in (planes, lows, corners)]
        three_planes, three_lows, three_corners = map(tuple, repeated)
        verdicts = np.empty(len(self.boxes), dtype=np.int8)
        filter_boxes(verdicts, course.least, course.greatest, lo, hi, three_planes, *three_corners)
        unsure = np.flatnonzero(verdicts == UNSURE)
        if unsure.size:
            settle_boxes(verdicts, unsure, three_planes, three_lows, *three_corners)
            for n in unsure[verdicts[unsure] == UNSURE].tolist():
                verdicts[n] = meet(probe, self.boxes[n])
        return verdicts.astype(np.bool_)


class _Course(NamedTuple):
    """A linear probe in float64: direction + low is exact where it does not overflow; the bounds always are."""

    start: Vec3
    direction: Vec3
    low: Vec3
    least: Vec3
    greatest: Vec3

    @classmethod
    def of(cls, probe: Segment | Ray | Line) -> "_Course":
        start, other = (_floats(vector) for vector in probe)
        if isinstance(probe, Segment):
            differences = [_difference(x, y) for x, y in zip(other, start, strict=True)]
            direction, low = (_floats(column) for column in zip(*differences, strict=True))
            return cls(start, direction, low, _floats(map(min, start, other)), _floats(map(max, start, other)))
        both_ways = isinstance(probe, Line)
        ends = list(zip(start, other, strict=True))
        least = _floats(-inf if d < 0 or (both_ways and d) else o for o, d in ends)
        greatest = _floats(inf if d > 0 or (both_ways and d) else o for o, d in ends)
        return cls(start, other, (0.0, 0.0, 0.0), least, greatest)


def _floats(numbers: Iterable[float]) -> Vec3:
    x, y, z = map(float, numbers)
    return x, y, z


def _difference(x: float, y: float) -> tuple[float, float]:
    """Give x - y and what rounding lost; nothing is known of what overflows."""
    difference = x - y
    back = x - difference
    low = (x - (difference + back)) + (back - y)
    return difference, low if isfinite(low) else 0.0

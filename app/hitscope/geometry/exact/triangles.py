"""One segment, ray or line against many triangles, right for every one; the proof is in `kernels`."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.exact.boxes import UNDERFLOW, as_floats, differences, places
from hitscope.geometry.exact.relation import meet
from hitscope.geometry.shapes import Line, Ray, Segment, Triangle

KINDS: dict[type, int] = {Segment: 0, Ray: 1, Line: 2}


class Triangles:
    """n triangles as contiguous coordinate arrays."""

    def __init__(self, triangles: Sequence[Triangle] | NDArray[np.float64]) -> None:
        """Copy the corners of triangles, or of an array (n, 3, 3)."""
        self.rows = np.ascontiguousarray(np.asarray(triangles, dtype=np.float64).reshape(-1, 9).T)
        self._largest = float(np.abs(self.rows).max(initial=0.0))

    def hit_by(self, probe: Segment | Ray | Line) -> NDArray[np.bool_]:
        """Say of each triangle whether the probe has a point in common with it; (n,)."""
        from hitscope.geometry.exact.kernels import UNSURE, filter_triangles, settle_triangles

        start, other = (as_floats(vector) for vector in probe)
        kind = KINDS[type(probe)]
        parts = differences(other, start) if kind == 0 else [(number, 0.0) for number in other]
        direction, low = zip(*parts, strict=True)
        absolute = UNDERFLOW * (1 + 2 * (self._largest + max(map(abs, (*start, *other)))))
        verdicts = np.empty(self.rows.shape[1], dtype=np.int8)
        filter_triangles(verdicts, start, direction, other, kind, absolute, self.rows)
        open_places = places(verdicts, UNSURE)
        if open_places.size:
            settle_triangles(verdicts, open_places, start, (*direction, *low), other, kind, self.rows)
        for n in places(verdicts, UNSURE):
            corners = self.rows[:, n].reshape(3, 3)
            verdicts[n] = meet(probe, Triangle(*map(as_floats, corners)))
        return verdicts.view(np.bool_)

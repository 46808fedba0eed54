"""One probe against many axis-aligned boxes, right for every box; the predicates are in `kernels`."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import inf, isfinite
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.exact.integers import cross, over_power_of_two, subtract
from hitscope.geometry.exact.relation import meet
from hitscope.geometry.shapes import Aabb, Line, Ray, Segment, Triangle, Vec3

Rows: TypeAlias = tuple[NDArray[np.float64], ...]
Verdicts: TypeAlias = NDArray[np.int8]

PLANES = ((0, 1), (1, 2), (2, 0))
UNDERFLOW = 2.0**-1068
CHUNK = 4096
"""So many boxes at a time stay in the processor's cache while one sign after the other is asked for."""


class Side(NamedTuple):
    """A sign that a hit needs: sign * det2 >= 0 at the corner in the rows u, v."""

    a: float
    b: float
    p: float
    q: float
    low: tuple[float, float]
    u: NDArray[np.float64]
    v: NDArray[np.float64]
    sign: int


class Boxes:
    """n boxes as contiguous coordinate arrays."""

    def __init__(self, boxes: Sequence[Aabb] | NDArray[np.float64]) -> None:
        """Copy the bounds of boxes, or of an array (n, 2, 3) of lo and hi."""
        corners = np.asarray(boxes, dtype=np.float64).reshape(-1, 6)
        rows = [np.ascontiguousarray(corners[:, k]) for k in range(6)]
        self.lo: Rows = tuple(rows[:3])
        self.hi: Rows = tuple(rows[3:])
        self._largest = float(np.abs(corners).max(initial=0.0))

    def hit_by(self, probe: Segment | Ray | Line | Triangle) -> NDArray[np.bool_]:
        """Say of each box whether the probe has a point in common with it; (n,)."""
        from hitscope.geometry.exact.kernels import UNSURE

        verdicts = self._triangle(probe) if isinstance(probe, Triangle) else self._linear(probe)
        for n in places(verdicts, UNSURE):
            verdicts[n] = meet(probe, self._box(n))
        return verdicts.view(np.bool_)

    def _box(self, n: int) -> Aabb:
        return Aabb(as_floats(row[n] for row in self.lo), as_floats(row[n] for row in self.hi))

    def _linear(self, probe: Segment | Ray | Line) -> Verdicts:
        from hitscope.geometry.exact.kernels import compare_bounds, filter_boxes

        start, end = (as_floats(vector) for vector in probe)
        if isinstance(probe, Segment):
            least, greatest = as_floats(map(min, start, end)), as_floats(map(max, start, end))
            sides = [side for plane in PLANES for side in self._line_sides(plane, start, differences(end, start))]
        else:
            both = isinstance(probe, Line)
            ends = list(zip(start, end, strict=True))
            least = as_floats(-inf if d < 0 or (both and d) else o for o, d in ends)
            greatest = as_floats(inf if d > 0 or (both and d) else o for o, d in ends)
            stored = [(d, 0.0) for d in end]
            sides = [side for plane in PLANES for side in self._line_sides(plane, start, stored)]
        verdicts = np.empty(self.lo[0].size, dtype=np.int8)
        if not sides:
            compare_bounds(verdicts, least, greatest, self.lo, self.hi)
            return verdicts
        # A plane that the probe stands across has no sides: the kernel, which has no branch, repeats another's.
        three = (sides * 3)[:6]
        planes = tuple((side.a, side.b, side.p, side.q) for side in three[::2])
        corners = [
            (first.u, first.v, second.u, second.v) for first, second in zip(three[::2], three[1::2], strict=True)
        ]
        filter_boxes(verdicts, least, greatest, self.lo, self.hi, planes, *corners)
        self._settle(verdicts, sides)
        return verdicts

    def _triangle(self, triangle: Triangle) -> Verdicts:
        """Ask the sides of the projected edges, or of one line where it is seen edge on, and of the plane."""
        from hitscope.geometry.exact.kernels import compare_bounds, require_side_2, require_side_3

        corners = [as_floats(corner) for corner in triangle]
        exact, _ = over_power_of_two(corners)
        normal = cross(subtract(exact[1], exact[0]), subtract(exact[2], exact[0]))
        sides: list[Side] = []
        for plane in PLANES:
            # What is seen along an axis winds as that component of the normal says.
            winding = normal[3 - sum(plane)]
            for start, end in pairwise([*corners, corners[0]]):
                found = self._line_sides(plane, start, differences(end, start))
                if winding:
                    sides += found[:1] if winding > 0 else found[1:]
                elif found:
                    sides += found
                    break
        verdicts = np.empty(self.lo[0].size, dtype=np.int8)
        least, greatest = (as_floats(map(choose, *corners)) for choose in (min, max))
        compare_bounds(verdicts, least, greatest, self.lo, self.hi)
        e, f = (as_floats(d for d, _ in differences(corner, corners[0])) for corner in corners[1:])
        absolute = UNDERFLOW * (
            1 + 2 * (self._largest + max(abs(number) for corner in corners for number in corner))
        )
        ends = [self._extreme(normal, sign) for sign in (1, -1)] if any(normal) else []
        for first in range(0, verdicts.size, CHUNK):
            part = slice(first, first + CHUNK)
            for side in sides:
                # The sign turns the line around, so that the side is always the left one.
                p, q = side.sign * side.p, side.sign * side.q
                require_side_2(verdicts[part], side.a, side.b, p, q, side.u[part], side.v[part])
            for sign, rows in zip((1.0, -1.0), ends, strict=False):
                x, y, z = (row[part] for row in rows)
                require_side_3(verdicts[part], corners[0], e, f, sign, absolute, x, y, z)
        self._settle(verdicts, sides, corners, ends)
        return verdicts

    def _line_sides(
        self, plane: tuple[int, int], start: Vec3, direction: Sequence[tuple[float, float]]
    ) -> list[Side]:
        """Give the two sides that a line crosses a rectangle between; none for a line across the plane.

        The direction's components come with what rounding lost of them.
        """
        i, j = plane
        (p, p_low), (q, q_low) = direction[i], direction[j]
        if p == q == 0:
            return []
        u = (self.lo[i], self.hi[i]) if q > 0 else (self.hi[i], self.lo[i])
        v = (self.hi[j], self.lo[j]) if p > 0 else (self.lo[j], self.hi[j])
        return [
            Side(start[i], start[j], p, q, (p_low, q_low), u[end], v[end], 1 if end == 0 else -1) for end in (0, 1)
        ]

    def _extreme(self, normal: Sequence[int], sign: int) -> Rows:
        """Give the rows of the corner that is farthest along, or against, a direction."""
        return tuple(self.hi[k] if sign * normal[k] > 0 else self.lo[k] for k in range(3))

    def _settle(
        self,
        verdicts: Verdicts,
        sides: Sequence[Side],
        corners: Sequence[Vec3] = (),
        ends: Sequence[Rows] = (),
    ) -> None:
        """Find by expansions the signs that the filter left open."""
        from hitscope.geometry.exact.kernels import HIT, UNSURE, settle_side_2, settle_side_3

        open_places = places(verdicts, UNSURE)
        if not open_places.size:
            return
        verdicts[open_places] = HIT
        for side in sides:
            settle_side_2(verdicts, open_places, *side)
        for sign, (x, y, z) in zip((1, -1), ends, strict=False):
            settle_side_3(verdicts, open_places, corners[0], corners[1], corners[2], sign, x, y, z)


def places(verdicts: Verdicts, greatest: int) -> NDArray[np.intp]:
    """Give where the greatest possible verdict stands; most often nowhere, which the maximum says faster."""
    if verdicts.max(initial=0) < greatest:
        return np.empty(0, dtype=np.intp)
    return np.flatnonzero(verdicts == greatest)


def as_floats(numbers: Iterable[float]) -> Vec3:
    """Give three numbers as a tuple of floats, as compiled code takes them."""
    x, y, z = map(float, numbers)
    return x, y, z


def differences(end: Vec3, start: Vec3) -> list[tuple[float, float]]:
    """Give end - start and what rounding lost of each component; nothing is known of what overflows."""
    from hitscope.geometry.exact.kernels import two_difference

    found = [two_difference(x, y) for x, y in zip(end, start, strict=True)]
    return [(difference, low if isfinite(low) else 0.0) for difference, low in found]

"""The half-spaces of many slabs in floats, to find the few of them that a point, a polygon or a line is near.

The height of a point over a half-space's plane is a sum of four products with a proven error bound, so that what
is surely behind a plane needs no integers.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.exact.hull import Slab, towards
from hitscope.geometry.exact.integers import Homogeneous, Vector

RELATIVE = 8 * 2.0**-53
"""The error of a height in units of the sum of its terms' magnitudes: of each term, two factors, one product and
three sums are rounded."""
ABSOLUTE = 2.0**-1060
"""More than a height loses in numbers below float64's normal range."""

ROUNDED = 2.0**-40
"""More than the relative error of a length and a quotient."""

Array: TypeAlias = NDArray[np.float64]


class Sides:
    """The half-spaces of slabs."""

    def __init__(self, slabs: Sequence[Slab]) -> None:
        self.slabs = slabs
        sides = [(i, *side) for i, slab in enumerate(slabs) for side in slab.sides]
        self.of_slabs = np.array([i for i, _, _ in sides], np.intp)
        self.rows = direction_rows([(*normal, -bound) for _, normal, bound in sides])
        self.sizes = np.abs(self.rows)

    def heights_of(self, rows: Array) -> tuple[Array, Array]:
        """Return the heights (m, n) of `direction_rows` (n, 4) over the planes, of any scale, and their errors."""
        return self.rows @ rows.T, RELATIVE * (self.sizes @ np.abs(rows.T)) + ABSOLUTE

    def heights(self, row: Array) -> tuple[Array, Array]:
        """Return the heights (m,) of one of `direction_rows`, and their errors."""
        heights, errors = self.heights_of(row[None])
        return heights[:, 0], errors[:, 0]

    def at(self, points: Sequence[Homogeneous]) -> list[Slab]:
        """Return the slabs that the points are not all surely strictly within, in their order."""
        return [self.slabs[i] for i in self.indices_at(points)]

    def indices_at(self, points: Sequence[Homogeneous]) -> list[int]:
        """Return the indices of these slabs."""
        near = np.zeros(len(self.rows), np.bool_)
        for row in direction_rows(points):
            heights, errors = self.heights(row)
            near |= ~(heights < -errors)
        found: list[int] = np.unique(self.of_slabs[near]).tolist()
        return found

    def farthest_behind(self, point: Homogeneous) -> Slab | None:
        """Return a slab that a point is surely outside, by the most; None if there is none."""
        heights, errors = self.heights(direction_rows([point])[0])
        beyond = np.where(heights > errors, heights, 0.0)
        side = int(beyond.argmax())
        return self.slabs[int(self.of_slabs[side])] if beyond[side] > 0 else None

    def nearest(self, point: Homogeneous) -> list[Slab]:
        """Return the slabs, in their order, among which is the nearest around a point that is within all."""
        heights, errors = self.heights(direction_rows([point])[0])
        with np.errstate(all="ignore"):
            lengths = np.linalg.norm(self.rows[:, :3], axis=1)
            least, most = (-heights - errors) / lengths, (-heights + errors) / lengths
            is_farther = least * (1 - ROUNDED) > np.fmin.reduce(most) * (1 + ROUNDED)
        return self._slabs_of(~is_farther)

    def along(self, origin: Vector, direction: Vector, w: int, t_min: float, t_max: float) -> list[Slab]:
        """Return the slabs, in their order, that may bound the t of (origin + t * direction) / w inside all.

        Those that the line may be parallel to are among them.
        """
        # One divisor for both keeps the scale of t.
        start, way = direction_rows([(*origin, w), (*direction, 0)], shared=True)
        heights, height_errors = self.heights(start)
        speeds, speed_errors = self.heights(way)
        with np.errstate(all="ignore"):
            t = -heights / speeds
            least_speeds = np.abs(speeds) - speed_errors
            errors = 2 * (height_errors + np.abs(t) * (speed_errors + RELATIVE * np.abs(speeds))) / least_speeds
            low, high = t - errors, t + errors
        is_known = (least_speeds > 0) & np.isfinite(low) & np.isfinite(high)
        enters, leaves = is_known & (speeds < 0), is_known & (speeds > 0)
        latest, soonest = low[enters].max(initial=t_min), high[leaves].min(initial=t_max)
        return self._slabs_of(~is_known | (enters & (high >= latest)) | (leaves & (low <= soonest)))

    def _slabs_of(self, sides: NDArray[np.bool_]) -> list[Slab]:
        return [self.slabs[i] for i in np.unique(self.of_slabs[sides]).tolist()]


def direction_rows(vectors: Sequence[Sequence[int]], shared: bool = False) -> Array:
    """Return vectors (n, k) divided by their greatest entry, or the greatest of all if `shared`, rounded once."""
    sizes = [max(map(abs, vector)) or 1 for vector in vectors]
    if shared:
        sizes = [max(sizes)] * len(sizes)
    return np.array([[number / size for number in vector] for vector, size in zip(vectors, sizes, strict=True)])


def about(center: Homogeneous, points: Iterable[Homogeneous], exponent: int | None = None) -> tuple[Array, int]:
    """Return points (n, 3) seen from a center, in units of a power of two for which none is above 1.

    Also return its exponent, which is at least the given one.
    """
    ways = [(towards(center, point), point[3] * center[3]) for point in points]
    needed = [abs(number).bit_length() - w.bit_length() + 1 for way, w in ways for number in way if number]
    exponent = max(needed if exponent is None else [exponent, *needed], default=0)
    up, down = max(-exponent, 0), max(exponent, 0)
    return np.array([[(number << up) / (w << down) for number in way] for way, w in ways]), exponent

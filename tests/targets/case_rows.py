"""Cases of points on a row through a box: which of them hit is plain to see."""

import numpy as np

from hitscope.targets.cases import Cases

PAIR = "point_aabb"
LAST_HIT = 9
"""The last of the cases whose point is in the box."""


def row(n: int, real: str = "float64") -> Cases:
    """Return n cases; the point of case k is at x = k, the box ends behind that of LAST_HIT."""
    numbers = np.zeros((n, 9), real)
    numbers[:, 0] = np.arange(n)
    numbers[:, 6:] = LAST_HIT + 0.5, 1, 1
    return Cases(PAIR, numbers)


def right(n: int, other: dict[int, int] | None = None) -> list[int]:
    """Return the right verdicts of n cases, but for some."""
    return [(other or {}).get(k, int(k <= LAST_HIT)) for k in range(n)]

"""The t at which each of many linear probes enters its own primitive, compiled.

Eight pairs are a block of eight primitives and eight probes, whose t `linear_blocks` computes in double-double.
Importing this module imports Numba.
"""

from math import inf
from typing import Any

import numpy as np

from hitscope.geometry.compiled import compiled
from hitscope.geometry.error_free import two_difference
from hitscope.geometry.exact.linear_blocks import FARTHEST, NEAREST, RELATIVE_REFINED, UNDERFLOW, Precision, refine
from hitscope.geometry.lanes import LANES, choose, greater, inlined, load, magnitude, store

SNAP, SNAP_TURNED = 2.0**22, 2.0**31
"""An ulp of so many times the largest number is a grid on which double-double is exact: the numbers are integers
below 2**31 times its unit, or 2**22, and sums of products of three, or of four of turned boxes, have 100 bits."""
LEAST_T = 2.0**-400
"""The least t above zero whose error is as small as is said."""
TURNED = 12
"""The least width of boxes with edges of any directions."""
NEAREST_GRID = 2.0**-200
"""The least largest number on a grid for which no product of four numbers underflows."""


@compiled
def enter_pairs(
    width: int, probes: Any, primitives: Any, segments: bool, lines: bool, ts: Any, errors: Any
) -> None:
    """Write the t of n >= 8 pairs that hit, and a bound of its error before it is rounded, into arrays (n,).

    The bound is 0 where t is right within an ulp, and infinite where nothing is known.

    `probes` has the six rows of n segments, rays or lines, `primitives` the rows of n primitives, one after the
    other.
    """
    n = ts.size
    block, found = np.empty(width * LANES), np.empty(2 * LANES)
    t_min = -inf if lines else 0.0
    for start in range(0, n, LANES):
        i = min(start, n - LANES)  # The last eight may overlap those before.
        ox, oy, oz = load(probes, i), load(probes, n + i), load(probes, 2 * n + i)
        px, py, pz = load(probes, 3 * n + i), load(probes, 4 * n + i), load(probes, 5 * n + i)
        far = greater(greater(magnitude(ox), magnitude(oy)), magnitude(oz))
        far = greater(greater(magnitude(px), magnitude(py)), greater(magnitude(pz), far))
        for row in range(width):
            numbers = load(primitives, row * n + i)
            store(block, row * LANES, numbers)
            far = greater(magnitude(numbers), far)
        snap = far * (SNAP if width < TURNED else SNAP_TURNED)
        on_grid = _on_grid(ox, snap) & _on_grid(oy, snap) & _on_grid(oz, snap)
        on_grid &= _on_grid(px, snap) & _on_grid(py, snap) & _on_grid(pz, snap)
        for row in range(width):
            on_grid &= _on_grid(load(block, row * LANES), snap)
        zero = ox * 0.0
        if segments:
            dx, dy, dz = two_difference(px, ox), two_difference(py, oy), two_difference(pz, oz)
        else:
            dx, dy, dz = (px, zero), (py, zero), (pz, zero)
        relative, absolute = zero + RELATIVE_REFINED, (far * 4.0 + 1.0) * (8.0 * UNDERFLOW)
        on_grid &= far > NEAREST_GRID
        precision = Precision(choose(on_grid, zero, relative), choose(on_grid, zero, absolute))
        in_range = (far <= FARTHEST) & _in_range(dx[0]) & _in_range(dy[0]) & _in_range(dz[0])
        sure = refine(width, block, (ox, oy, oz), (dx, dy, dz), t_min, precision, found)
        t, error = load(found, 0), load(found, LANES)
        far = magnitude(t)
        known = in_range & (error < inf) & (far > LEAST_T) & (far < inf)
        store(ts, i, t)
        store(errors, i, choose(in_range & sure, zero, choose(known, error, inf)))


@inlined
def _on_grid(number: Any, snap: Any) -> Any:
    """Return the mask of the multiples of an ulp of `snap`."""
    return magnitude(number + snap - snap - number) <= 0.0


@inlined
def _in_range(component: Any) -> Any:
    """Return the mask of a direction's components for which no t overflows."""
    size = magnitude(component)
    return (size > NEAREST) | (size <= 0.0)

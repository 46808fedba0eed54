"""Which logged shapes are ones: what a constructor or a scene file would refuse cannot be judged."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Array, width
from hitscope.geometry.checks import AXES_TOLERANCE
from hitscope.geometry.shapes import Aabb, Obb, Plane
from hitscope.targets.cases import Cases, kinds

Mask = NDArray[np.bool_]

NOT_FINITE = "numbers that are not finite"
"""Why numbers are no case."""


def faults(cases: Cases) -> Iterator[tuple[str, Mask]]:
    """Yield why some of n cases cannot be judged, and which; each has the first of its reasons."""
    with np.errstate(all="ignore"):
        left = _in_all(np.isfinite(cases.rows))
        if not left.all():
            yield NOT_FINITE, ~left
        probe, primitive = kinds(cases.pair)
        for kind, rows in ((probe, cases.rows[: width(probe)]), (primitive, cases.rows[width(probe) :])):
            for words, is_wrong in FAULTS.get(kind, ()):
                wrong = is_wrong(rows) & left
                if wrong.any():
                    yield words, wrong
                    left &= ~wrong


def _in_all(holds: Mask) -> Mask:
    """Whether something holds for each of the k numbers (k, n) of n shapes."""
    found: Mask = np.logical_and.reduce(holds)
    return found


def _axes_are_wrong(rows: Array) -> Mask:
    """Whether axes (9, n) are no rotation or reflection, as `checks.check_axes` finds."""
    error = np.zeros(rows.shape[1])
    axes = rows.reshape(3, 3, -1)
    for i in range(3):
        for j in range(i, 3):
            (a, b, c), (d, e, f) = axes[i], axes[j]
            error = np.maximum(error, np.abs(a * d + b * e + c * f - (i == j)))
    wrong: Mask = ~(error <= AXES_TOLERANCE)
    return wrong


FAULTS: dict[type, tuple[tuple[str, Callable[[Array], Mask]], ...]] = {
    Aabb: (("boxes with min above max", lambda rows: ~_in_all(rows[:3] <= rows[3:])),),
    Obb: (
        ("negative half extents", lambda rows: ~_in_all(rows[3:6] >= 0)),
        (
            f"axes that are not unit vectors at right angles within {AXES_TOLERANCE:g}",
            lambda rows: _axes_are_wrong(rows[6:]),
        ),
    ),
    Plane: (("planes with the normal 0", lambda rows: _in_all(rows[:3] == 0)),),
}
"""What else the numbers of a type of shape (k, n) have to satisfy, and which of n do not."""

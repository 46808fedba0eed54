"""Arrays of boxes from the fields of bulk items, checked: `checked_shapes` on arrays.

The numbers equal those of `checked_shapes` bit by bit, and so do the faults, with the row after the field's path.
"""

from math import cos, sin

import numpy as np
from numpy.typing import NDArray

from hitscope import numerals
from hitscope.errors import Fault
from hitscope.geometry.arrays import Array, Shapes
from hitscope.geometry.checks import AXES_TOLERANCE
from hitscope.geometry.shapes import Aabb, Obb
from hitscope.scene.checked_shapes import IDENTITY
from hitscope.scene.quaternions import axes_from_quaternions
from hitscope.scene.tables import CHUNK, Columns, number_path


def aabbs_from_columns(columns: Columns) -> Shapes:
    """Return axis-aligned boxes by corners, or by centers and half extents; raises Fault for an invalid one."""
    if columns.names == ("min", "max"):
        lo, hi = columns["min"], columns["max"]
        for part in _parts(columns.size):
            if (wrong := lo[:, part] > hi[:, part]).any():
                row, k = _first(wrong, part)
                raise Fault(
                    number_path("max", row, k),
                    f"a number >= min[{row}][{k}] = {_number(lo, row, k)}",
                    _number(hi, row, k),
                )
        return Shapes(Aabb, columns.block)
    _check_half_extents(columns)
    center, extents = columns["center"], columns["half_extents"]
    rows = np.empty((6, columns.size))
    with np.errstate(over="ignore"):
        np.subtract(center, extents, out=rows[:3])
        np.add(center, extents, out=rows[3:])
    for part in _parts(columns.size):
        finite = np.isfinite(rows[:, part])
        if not finite.all():
            row, k = _first(~(finite[:3] & finite[3:]), part)
            expected = f"center[{row}][{k}] -+ half_extents[{row}][{k}] to be finite"
            found = f"{_number(center, row, k)} -+ {_number(extents, row, k)}"
            raise Fault(number_path("half_extents", row, k), expected, found)
    return Shapes(Aabb, rows)


def obbs_from_columns(columns: Columns) -> Shapes:
    """Return oriented boxes by axes, quaternions, Euler angles or unrotated; raises Fault for an invalid one."""
    _check_half_extents(columns)
    if "axes" in columns.names:
        axes = columns["axes"]
        for part in _parts(columns.size):
            _check_axes(axes[:, part], part.start)
        return Shapes(Obb, columns.block)
    rows = np.empty((15, columns.size))
    rows[:6] = columns.block[:6]
    rows[6:] = np.ravel(IDENTITY)[:, None]
    for part in _parts(columns.size):
        if "quaternion_xyzw" in columns.names:
            try:
                rows[6:, part] = axes_from_quaternions(columns["quaternion_xyzw"][:, part])
            except Fault as fault:
                path = "quaternion_xyzw", part.start + int(fault.path[0])
                raise Fault(path, fault.expected, fault.found) from None
        elif "euler_xyz_deg" in columns.names:
            rows[6:, part] = _axes_from_euler(columns["euler_xyz_deg"][:, part])
    return Shapes(Obb, rows)


def _check_half_extents(columns: Columns) -> None:
    extents = columns["half_extents"]
    for part in _parts(columns.size):
        if (wrong := extents[:, part] < 0).any():
            row, k = _first(wrong, part)
            raise Fault(number_path("half_extents", row, k), "a number >= 0", _number(extents, row, k))


def _check_axes(axes: Array, first: int) -> None:
    vectors = axes.reshape(3, 3, -1)
    error = np.zeros(axes.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        for i in range(3):
            for j in range(i, 3):
                a, b = vectors[i], vectors[j]
                np.maximum(error, np.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - (i == j)), out=error)
    wrong = ~(error <= AXES_TOLERANCE)
    if wrong.any():
        row = int(np.argmax(wrong))
        expected = f"three unit rows at right angles (max|A A^T - I| <= {AXES_TOLERANCE})"
        raise Fault(("axes", first + row), expected, f"max|A A^T - I| = {numerals.short(error[row], 3)}")


def _axes_from_euler(angles: Array) -> Array:
    """Return `checked_shapes.axes_from_euler` of each column, bit by bit, by the same sine and cosine."""
    (sx, cx), (sy, cy), (sz, cz) = map(_sin_cos_deg, angles)
    rows = (
        *(cz * cy, sz * cy, -sy),
        *(cz * sy * sx - sz * cx, sz * sy * sx + cz * cx, cy * sx),
        *(cz * sy * cx + sz * sx, sz * sy * cx - cz * sx, cy * cx),
    )
    axes: Array = np.array(rows) + 0.0  # -0.0 + 0.0 is 0.0
    return axes


def _sin_cos_deg(degrees: Array) -> tuple[Array, Array]:
    turn = np.fmod(degrees, 360.0)
    # As math.remainder: the nearest multiple of 90, the even one of two equally near.
    quarters = np.rint(turn / 90.0)
    rest = turn - quarters * 90.0
    angles = np.radians(rest).tolist()
    s, c = np.array([sin(angle) for angle in angles]), np.array([cos(angle) for angle in angles])
    which = quarters.astype(np.int64) % 4
    return np.choose(which, (s, c, -s, -c)), np.choose(which, (c, -s, -c, s))


def _parts(size: int) -> list[slice]:
    return [slice(first, min(first + CHUNK, size)) for first in range(0, size, CHUNK)]


def _first(wrong: NDArray[np.bool_], part: slice) -> tuple[int, int]:
    """Return row and component of the first True, in the order of the file."""
    row, k = np.argwhere(wrong.T)[0].tolist()
    return part.start + row, k


def _number(column: Array, row: int, k: int) -> str:
    return repr(float(column[k, row]))

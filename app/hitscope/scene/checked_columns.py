"""Arrays of boxes from the fields of bulk items, checked: `checked_shapes` on arrays.

The numbers equal those of `checked_shapes` bit by bit, and so do the faults, with the row after the field's path.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitscope import progress
from hitscope.errors import Fault
from hitscope.geometry import checks
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.shapes import Aabb, Frame, Obb
from hitscope.scene import checked_shapes
from hitscope.scene.tables import ROW_SHAPES, Columns

ROTATIONS: dict[str, Callable[[Any], Frame]] = {
    "quaternion_xyzw": checked_shapes.axes_from_quaternion,
    "euler_xyz_deg": checked_shapes.axes_from_euler,
}
"""The axes of one box by each form of rotation that is computed."""


def aabbs_from_columns(columns: Columns) -> Shapes:
    """Return axis-aligned boxes by corners, or by centers and half extents; raises Fault for an invalid one."""
    if columns.names == ("min", "max"):
        _check(columns, columns["min"] > columns["max"], checked_shapes.aabb_from_corners, "min", "max")
        return Shapes(Aabb, columns.block)
    _check(columns, columns["half_extents"] < 0, checks.check_half_extents, "half_extents")
    center, extents = columns["center"], columns["half_extents"]
    rows = np.empty((6, columns.size))
    with np.errstate(over="ignore"):
        np.subtract(center, extents, out=rows[:3])
        np.add(center, extents, out=rows[3:])
    _check(columns, ~np.isfinite(rows), checked_shapes.aabb_from_center, "center", "half_extents")
    return Shapes(Aabb, rows)


def obbs_from_columns(columns: Columns) -> Shapes:
    """Return oriented boxes by axes, quaternions, Euler angles or unrotated; raises Fault for an invalid one."""
    _check(columns, columns["half_extents"] < 0, checks.check_half_extents, "half_extents")
    if "axes" in columns.names:
        with np.errstate(over="ignore", invalid="ignore"):
            wrong = [is_wrong(columns.block) for _, is_wrong in KINDS[Obb].faults]
        _check(columns, np.array(wrong), checks.check_axes, "axes")
        return Shapes(Obb, columns.block)
    rows = np.empty((15, columns.size))
    rows[:6] = columns.block[:6]
    rows[6:] = np.ravel(checked_shapes.IDENTITY)[:, None]
    for name in ROTATIONS.keys() & {*columns.names}:
        axes_of, rotations = ROTATIONS[name], columns[name]
        _check(columns, np.abs(rotations).max(axis=0, keepdims=True) == 0, axes_of, name)
        for first in range(0, columns.size, progress.COUNTED_ROWS):
            progress.advance(0)
            part = slice(first, first + progress.COUNTED_ROWS)
            rows[6:, part] = np.array([axes_of(row) for row in rotations[:, part].T.tolist()]).reshape(-1, 9).T
    return Shapes(Obb, rows)


def _check(columns: Columns, suspect: NDArray[np.bool_], check: Callable[..., Any], *names: str) -> None:
    """Check these fields of the suspect rows (k, n) as those of a single item; the Fault of one says its row."""
    for row in np.flatnonzero(suspect.any(axis=0)).tolist():
        try:
            check(*(columns[name][:, row].reshape(ROW_SHAPES[name]).tolist() for name in names))
        except Fault as fault:
            expected = fault.expected
            for name in names:
                expected = expected.replace(f"{name}[", f"{name}[{row}][")
            field, *component = fault.path
            raise Fault((field, row, *component), expected, fault.found) from None

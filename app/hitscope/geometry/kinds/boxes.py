"""Boxes: along the coordinate axes, along axes of their own, and skew."""

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from hitscope.geometry import checks
from hitscope.geometry.kinds import record

FACES = ("face -x", "face +x", "face -y", "face +y", "face -z", "face +z", "slab x", "slab y", "slab z")


@record.checked(lambda box: checks.check_corners(box.lo, box.hi, "lo", "hi"))
class Aabb(NamedTuple("Aabb", [("lo", record.Vec3), ("hi", record.Vec3)])):
    """The axis-aligned box lo <= p <= hi.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Aabb
    >>> Aabb([0, 0, 0], hi=[1, 2, 3])
    Aabb(lo=(0, 0, 0), hi=(1, 2, 3))
    >>> Aabb((0, 0, 0), (1, 1, float("nan")))
    Traceback (most recent call last):
    hitscope.errors.ArgumentFault: Aabb: hi[2]: expected a finite number, found nan
    """

    if TYPE_CHECKING:

        def __new__(cls, lo: record.Vector, hi: record.Vector) -> Self: ...


def _check_box(box: Any) -> None:
    checks.check_half_extents(box.half_extents)
    checks.check_axes(box.axes)


@record.checked(_check_box)
class Obb(NamedTuple("Obb", [("center", record.Vec3), ("half_extents", record.Vec3), ("axes", record.Frame)])):
    """The points center + sum s_i * half_extents_i * axes_i, |s_i| <= 1, with the axes as they are stored.

    The axes are three unit rows at right angles: of a rotation matrix R its columns, `R.T`. Vectors are any
    sequences or arrays of three numbers, and are kept as tuples.

    >>> import numpy as np
    >>> from hitscope import Obb, Point, intersect
    >>> bool(intersect(Point((1, 0, 0)), Obb((0, 0, 0), (1, 2, 3), np.eye(3))))
    True
    """

    if TYPE_CHECKING:

        def __new__(cls, center: record.Vector, half_extents: record.Vector, axes: record.Vectors) -> Self: ...


@record.checked()
class Parallelepiped(NamedTuple("Parallelepiped", [("origin", record.Vec3), ("edges", record.Frame)])):
    """The points origin + sum s_i * edges_i, 0 <= s_i <= 1; the edges need not be orthogonal.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Parallelepiped, Point, intersect
    >>> skew = Parallelepiped((0, 0, 0), edges=[(1, 0, 0), (0, 1, 0), (1, 0, 1)])
    >>> bool(intersect(Point((1.5, 0.5, 1)), skew))
    True
    """

    if TYPE_CHECKING:

        def __new__(cls, origin: record.Vector, edges: record.Vectors) -> Self: ...


def box_of_aabb(box: Aabb) -> record.Box:
    """The box by its center and half edges, rounded."""
    (ax, ay, az), (bx, by, bz) = box
    x, y, z = (bx - ax) / 2, (by - ay) / 2, (bz - az) / 2
    return record.Box((ax + x, ay + y, az + z), ((x, 0, 0), (0, y, 0), (0, 0, z)))


def box_of_obb(box: Obb) -> record.Box:
    """The box by its center and half edges, which are rounded but for unit axes."""
    (a, b, c), (u, v, w) = box.half_extents, box.axes
    edges = (a * u[0], a * u[1], a * u[2]), (b * v[0], b * v[1], b * v[2]), (c * w[0], c * w[1], c * w[2])
    return record.Box(box.center, edges)


def box_of_parallelepiped(body: Parallelepiped) -> record.Box:
    """The parallelepiped by its center and half edges, rounded."""
    o, (u, v, w) = body.origin, body.edges
    a, b, c = (u[0] / 2, u[1] / 2, u[2] / 2), (v[0] / 2, v[1] / 2, v[2] / 2), (w[0] / 2, w[1] / 2, w[2] / 2)
    center = (o[0] + a[0] + b[0] + c[0], o[1] + a[1] + b[1] + c[1], o[2] + a[2] + b[2] + c[2])
    return record.Box(center, (a, b, c))


def _edges_of_aabbs(rows: record.Array) -> tuple[record.Array, record.Array]:
    edges = np.zeros((rows.shape[1], 3, 3))
    # Not a product with the unit matrix: the size of the largest boxes overflows.
    edges[:, range(3), range(3)] = (rows[3:] - rows[:3]).T
    return rows[:3].T, edges


def _bounds_of_obbs(rows: record.Array) -> tuple[record.Array, record.Array]:
    # Each of the three products of tiny numbers errs by half of 2**-1074.
    reach = (np.abs(rows[6:].reshape(3, 3, -1)) * rows[3:6, None]).sum(axis=0) + 2.0**-1073
    return record.widened(rows[:3] - reach, rows[:3] + reach, np.abs(rows[:3]) + reach)


def _bounds_of_parallelepipeds(rows: record.Array) -> tuple[record.Array, record.Array]:
    edges = rows[3:].reshape(3, 3, -1)
    lo, hi = np.minimum(edges, 0).sum(axis=0), np.maximum(edges, 0).sum(axis=0)
    return record.widened(rows[:3] + lo, rows[:3] + hi, np.abs(rows[:3]) + np.abs(edges).sum(axis=0))


def _axes_are_wrong(rows: record.Array) -> record.Mask:
    """Whether axes are no rotation or reflection, as `checks.check_axes` finds."""
    errors = np.abs(checks.axes_errors(rows[6:].reshape(3, 3, -1)))
    return ~np.asarray(errors.max(axis=0) <= checks.AXES_TOLERANCE)


AABB = record.Kind(
    Aabb,
    3,
    Aabb._make(((1.0, -1.0, -1.0), (2.0, 1.0, 1.0))),
    bounds=record.of_points,
    spans=_edges_of_aabbs,
    cell=record.Cell.CUBE,
    axis_names="xyz",
    feature_names=FACES,
    faults=(("boxes with min above max", lambda rows: np.any(rows[:3] > rows[3:], axis=0)),),
    in_hierarchy=True,
    forms={record.Box: box_of_aabb},
)
OBB = record.Kind(
    Obb,
    3,
    Obb._make(((0.0, 0.0, 0.0), (1.0, 2.0, 3.0), ((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))),
    scales={"axes": record.Scale.AXIS},
    bounds=_bounds_of_obbs,
    spans=lambda rows: (rows[:3].T, rows[3:6].T[:, :, None] * rows[6:].T.reshape(-1, 3, 3)),
    cell=record.Cell.CENTERED,
    axis_names="xyz",
    axes=lambda box: box.axes,
    feature_names=FACES,
    faults=(
        ("negative half extents", lambda rows: np.any(rows[3:6] < 0, axis=0)),
        (f"axes that are not unit vectors at right angles within {checks.AXES_TOLERANCE:g}", _axes_are_wrong),
    ),
    in_hierarchy=True,
    forms={record.Box: box_of_obb},
)
PARALLELEPIPED = record.Kind(
    Parallelepiped,
    3,
    Parallelepiped._make(((0.0, 0.0, 0.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 0.0, 1.0)))),
    bounds=_bounds_of_parallelepipeds,
    spans=lambda rows: (rows[:3].T, rows[3:].T.reshape(-1, 3, 3)),
    cell=record.Cell.CUBE,
    axis_names="012",
    feature_names=None,
    forms={record.Box: box_of_parallelepiped},
)

"""Rotations and scalings of many boxes while they are dragged, computed as arrays: for display, not for the scene.

The types are those of `transforms`. But a rotated box is stored by its axes, and no number is rounded to its
significant digits.
"""

from collections.abc import Sequence
from copy import copy
from itertools import starmap
from typing import cast

import numpy as np
from msgspec import UNSET
from msgspec.structs import force_setattr

from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Frame, Obb, Parallelepiped, Shape, Vec3
from hitscope.scene import checked_shapes
from hitscope.scene.affine_maps import ACROSS, ORIGIN, AffineMap
from hitscope.scene.items import (
    ObbPrimitive,
    ObbProbe,
    ParallelepipedPrimitive,
    ParallelepipedProbe,
    Single,
)
from hitscope.scene.shape_items import SHAPE_ITEMS, BoxAxes

OBBS = ObbPrimitive(center=ORIGIN, half_extents=ORIGIN), ObbProbe(center=ORIGIN, half_extents=ORIGIN)
SKEW = (
    ParallelepipedPrimitive(origin=ORIGIN, edges=checked_shapes.IDENTITY),
    ParallelepipedProbe(origin=ORIGIN, edges=checked_shapes.IDENTITY),
)


def turned(boxes: Sequence[Single], motion: AffineMap) -> list[Single]:
    """Return aabbs and obbs rotated, as obbs stored by their axes."""
    centers, halves, axes = _numbers(boxes)
    rows = zip(
        boxes,
        _vectors(motion.points(centers)),
        _vectors(halves),
        _frames(axes @ np.array(motion.images, float)),
        strict=True,
    )
    return list(starmap(_turned, rows))


def scaled(boxes: Sequence[Single], motion: AffineMap, factors: Vec3, frame: Frame) -> list[Single]:
    """Return aabbs and obbs scaled: obbs where each axis is scaled by one factor, else parallelepipeds."""
    centers, halves, axes = _numbers(boxes)
    along = np.abs(axes @ np.array(frame).T) > ACROSS
    least, most = np.where(along, factors, np.inf).min(axis=2), np.where(along, factors, -np.inf).max(axis=2)
    with np.errstate(over="ignore", invalid="ignore"):
        sides = (halves[:, :, None] * axes) @ np.array(motion.images, float)
        centers = motion.points(centers)
        stretched = np.nan_to_num(halves * np.abs(least))
        origins, edges = np.nan_to_num(centers - sides.sum(axis=1)), np.nan_to_num(2 * sides)
    rows = zip(
        boxes,
        (least == most).all(axis=1).tolist(),
        *map(_vectors, (centers, stretched, origins)),
        _frames(edges),
        strict=True,
    )
    return [
        _stretched(box, center, extents) if straight else _skewed(box, origin, sides_of)
        for box, straight, center, extents, origin, sides_of in rows
    ]


def _numbers(boxes: Sequence[Single]) -> tuple[Array, Array, Array]:
    """Return centers (n, 3), half extents (n, 3) and axes (n, 3, 3)."""
    centers, halves = np.empty((2, len(boxes), 3))
    axes = np.empty((len(boxes), 3, 3))
    straight = np.array(list(map(_is_straight, boxes)), np.bool_)
    lo, hi = np.array([box.plain for box in boxes if _is_straight(box)]).reshape(-1, 2, 3).swapaxes(0, 1)
    centers[straight], halves[straight], axes[straight] = lo / 2 + hi / 2, hi / 2 - lo / 2, checked_shapes.IDENTITY
    oblique = [cast(Obb, box.plain) for box in boxes if not _is_straight(box)]
    centers[~straight] = np.array([shape.center for shape in oblique]).reshape(-1, 3)
    halves[~straight] = np.array([shape.half_extents for shape in oblique]).reshape(-1, 3)
    axes[~straight] = np.array([shape.axes for shape in oblique]).reshape(-1, 3, 3)
    return centers, halves, axes


def _is_straight(box: Single) -> bool:
    """Whether a box has the coordinate axes."""
    return SHAPE_ITEMS[type(box.shape)].axes is BoxAxes.COORDINATE


def _turned(box: Single, center: Vec3, half_extents: Vec3, axes: Frame) -> Single:
    made = _copy_of_type(box, OBBS) if _is_straight(box) else copy(box)
    force_setattr(made, "center", center)
    force_setattr(made, "half_extents", half_extents)
    force_setattr(made, "axes", axes)
    force_setattr(made, "quaternion_xyzw", UNSET)
    force_setattr(made, "euler_xyz_deg", UNSET)
    return _with_shape(made, Obb._make((center, half_extents, axes)))


def _stretched(box: Single, center: Vec3, half_extents: Vec3) -> Single:
    made = _copy_of_type(box, OBBS) if _is_straight(box) else copy(box)
    force_setattr(made, "center", center)
    force_setattr(made, "half_extents", half_extents)
    axes = checked_shapes.IDENTITY if _is_straight(box) else cast(Obb, box.plain).axes
    return _with_shape(made, Obb._make((center, half_extents, axes)))


def _skewed(box: Single, origin: Vec3, edges: Frame) -> Single:
    made = _copy_of_type(box, SKEW)
    force_setattr(made, "origin", origin)
    force_setattr(made, "edges", edges)
    return _with_shape(made, Parallelepiped._make((origin, edges)))


def _copy_of_type(box: Single, kinds: tuple[Single, Single]) -> Single:
    """Return a copy of the model primitive, or the model probe, with the id of a box."""
    probe = hasattr(box, "enabled")
    made = copy(kinds[probe])
    force_setattr(made, "id", box.id)
    if probe:
        force_setattr(made, "enabled", box.enabled)  # type: ignore[attr-defined]
    return made


def _with_shape(made: Single, shape: Shape) -> Single:
    """Set the shape of an item, so that it is not computed from the fields."""
    vars(made)["shape"] = shape
    return made


def _vectors(rows: Array) -> list[Vec3]:
    return [(x, y, z) for x, y, z in rows.tolist()]


def _frames(rows: Array) -> list[Frame]:
    return [((a, b, c), (d, e, f), (g, h, i)) for a, b, c, d, e, f, g, h, i in rows.reshape(-1, 9).tolist()]

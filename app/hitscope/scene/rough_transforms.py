"""Rotations and scalings of many boxes while they are dragged, computed as arrays: for display, not for the scene.

The types are those of `transforms`. But an oriented box is stored by its axes, and no number is rounded to its
significant digits.
"""

from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np
from msgspec.structs import force_setattr

from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import Frame, Obb, Parallelepiped, Shape, Vec3
from hitscope.geometry.vector import vec3
from hitscope.scene.affine_maps import ACROSS, ORIGIN, AffineMap
from hitscope.scene.checked_shapes import IDENTITY
from hitscope.scene.items import ObbPrimitive, ObbProbe, ParallelepipedPrimitive, ParallelepipedProbe, Single
from hitscope.scene.shape_items import SHAPE_ITEMS, BoxAxes, fields_of

MODELS: dict[type, tuple[Single, Single]] = {
    Obb: (ObbPrimitive(center=ORIGIN, half_extents=ORIGIN), ObbProbe(center=ORIGIN, half_extents=ORIGIN)),
    Parallelepiped: (
        ParallelepipedPrimitive(origin=ORIGIN, edges=IDENTITY),
        ParallelepipedProbe(origin=ORIGIN, edges=IDENTITY),
    ),
}
"""A primitive and a probe of each type that comes of it."""


def turned(boxes: Sequence[Single], motion: AffineMap) -> list[Single]:
    """Return aabbs and obbs rotated, as obbs stored by their axes."""
    centers, halves, axes = _numbers(boxes)
    rows = _tuples(motion.points(centers), halves, axes @ np.array(motion.images, float))
    return [_with_shape(box, Obb._make(numbers)) for box, numbers in zip(boxes, rows, strict=True)]


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
    stay = (least == most).all(axis=1).tolist()
    rows = zip(boxes, stay, _tuples(centers, stretched, axes), _tuples(origins, edges), strict=True)
    made = ((box, Obb._make(obb) if stays else Parallelepiped._make(skewed)) for box, stays, obb, skewed in rows)
    return [_with_shape(box, shape) for box, shape in made]


def _numbers(boxes: Sequence[Single]) -> tuple[Array, Array, Array]:
    """Return centers (n, 3), half extents (n, 3) and axes (n, 3, 3)."""
    rows: Any = zip(*(_oriented(box.plain) for box in boxes), strict=True)
    centers, halves, axes = map(np.array, rows)
    return centers, halves, axes


def _oriented(box: Any) -> Obb:
    if SHAPE_ITEMS[type(box)].axes is BoxAxes.COORDINATE:
        center = vec3(lo / 2 + hi / 2 for lo, hi in zip(*box, strict=True))
        return Obb._make((center, vec3(hi / 2 - lo / 2 for lo, hi in zip(*box, strict=True)), IDENTITY))
    return Obb._make(box)


def _with_shape(box: Any, shape: Shape) -> Single:
    """Return an item of a shape, which is not checked, with the id and the role of a box."""
    made = copy(MODELS[type(shape)][box.role == "probe"])
    kept = {name: getattr(box, name) for name in ("id", "enabled") if hasattr(box, name)}
    for name, value in (kept | fields_of(shape)).items():
        force_setattr(made, name, value)
    vars(made)["shape"] = shape
    return made


def _tuples(*arrays: Array) -> Any:
    """Return the rows of several arrays of vectors, or of three vectors each, as tuples of tuples."""
    return zip(*([_vectors(row) for row in array.tolist()] for array in arrays), strict=True)


def _vectors(row: Any) -> Any:
    return tuple(map(tuple, row)) if isinstance(row[0], list) else tuple(row)

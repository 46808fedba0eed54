"""Moving, turning and scaling items of many shapes: rows of numbers in the scene, or a mesh as a whole."""

from typing import Any

import numpy as np
from msgspec import UNSET
from msgspec.structs import replace

from hitscope.errors import Fault
from hitscope.geometry.exact import rounded
from hitscope.geometry.shapes import Frame, Vec3
from hitscope.geometry.vector import vec3
from hitscope.scene.affine_maps import AffineMap, factors_along, product
from hitscope.scene.bulk import IDENTITY, ORIGIN, Bulk, MeshPrimitive, ObbsPrimitive
from hitscope.scene.bulk_rows import Arrays, arrays_of, inline
from hitscope.scene.checked_shapes import axes_from_quaternion
from hitscope.scene.decimals import decimal, tidy
from hitscope.scene.items import Quaternion
from hitscope.scene.shape_items import SHAPE_ITEMS, BoxAxes

VECTORS = ("direction", "half_extents")


def translated(item: Bulk, motion: AffineMap) -> Bulk:
    """Move all shapes; raises HitscopeError for a file with too many."""
    if isinstance(item, MeshPrimitive):
        return replace(item, translate=_moved_origin(item, motion))
    item = inline(item)
    return replace(item, **{name: array for name, array in _mapped(item, motion).items() if name not in VECTORS})


def rotated(item: Bulk, motion: AffineMap, by: Quaternion) -> Bulk:
    """Rotate all shapes; boxes that leave the coordinate axes become `obbs`. Raises as `translated` does."""
    if isinstance(item, MeshPrimitive):
        turned = product(by, item.quaternion_xyzw or IDENTITY)
        return replace(item, quaternion_xyzw=turned, translate=_moved_origin(item, motion))
    item = inline(item)
    if SHAPE_ITEMS[item.kind].axes is BoxAxes.COORDINATE and not motion.keeps_axes:
        item = _as_obbs(item)
    if SHAPE_ITEMS[item.kind].axes is not BoxAxes.OWN:
        return replace(item, **_mapped(item, motion))
    arrays = arrays_of(item)
    given = {"center": motion.points(arrays["center"])}
    if "quaternion_xyzw" in arrays:
        rows = np.array([product(by, tuple(own)) for own in arrays["quaternion_xyzw"].tolist()])
        return replace(item, **given, quaternion_xyzw=rows.reshape(-1, 4))
    axes = item.shapes.rows[6:].T.reshape(-1, 3, 3) @ np.array(motion.images, dtype=np.float64)
    return replace(item, **given, axes=axes, euler_xyz_deg=UNSET)


def scaled(item: Bulk, motion: AffineMap, factors: Vec3, frame: Frame) -> Bulk:
    """Scale all shapes; raises Fault where boxes would no longer be boxes, else as `translated` does."""
    if isinstance(item, MeshPrimitive):
        return _scaled_mesh(item, motion, factors, frame)
    item = inline(item)
    axes, even = SHAPE_ITEMS[item.kind].axes, len(set(factors)) == 1
    if (axes is BoxAxes.COORDINATE and not motion.keeps_axes) or (axes is BoxAxes.OWN and not even):
        expected = f"one factor for all axes: scaled across its axes, no box of {item.word} stays a box"
        raise Fault((), expected, "several")
    return replace(item, **_mapped(item, motion))


def _mapped(item: Bulk, motion: AffineMap) -> Arrays:
    """Return the mapped arrays of points, vectors and lengths, box corners put in order; not the rotations."""
    after: Arrays = {}
    for name, array in arrays_of(item).items():
        if name in ("axes", "quaternion_xyzw", "euler_xyz_deg"):
            continue
        if name in SHAPE_ITEMS[item.kind].lengths:
            after[name] = motion.lengths(array)
            continue
        rows = array.reshape(-1, 3)
        mapped = motion.vectors(rows) if name in VECTORS else motion.points(rows)
        after[name] = (np.abs(mapped) if name == "half_extents" else mapped).reshape(array.shape)
    if "min" in after:
        corners = after["min"], after["max"]
        after["min"], after["max"] = np.minimum(*corners), np.maximum(*corners)
    return after


def _as_obbs(item: Bulk) -> ObbsPrimitive:
    arrays = arrays_of(item)
    if "min" in arrays:
        lo, hi = arrays["min"], arrays["max"]
        largest = np.maximum(np.abs(lo), np.abs(hi))
        arrays = {"center": tidy(lo / 2 + hi / 2, largest), "half_extents": tidy(hi / 2 - lo / 2, largest)}
    fields: dict[str, Any] = dict(arrays)
    return ObbsPrimitive(id=item.id, **fields)


def _moved_origin(item: MeshPrimitive, motion: AffineMap) -> Vec3:
    return vec3(motion.points(np.array([item.translate or ORIGIN]))[0].tolist())


def _scaled_mesh(item: MeshPrimitive, motion: AffineMap, factors: Vec3, frame: Frame) -> MeshPrimitive:
    along = factors_along(axes_from_quaternion(item.quaternion_xyzw or IDENTITY), factors, frame)
    if along is None:
        expected = "one factor for all axes: a rotated mesh is scaled along its own axes only"
        raise Fault(("scale",), expected, "several")
    own = 1.0 if item.scale is UNSET else item.scale
    before = own if isinstance(own, tuple) else (own, own, own)
    x, y, z = (rounded(decimal(b) * decimal(f)) for b, f in zip(before, along, strict=True))
    return replace(item, scale=x if x == y == z else (x, y, z), translate=_moved_origin(item, motion))

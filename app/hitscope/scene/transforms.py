"""Translation, rotation and scaling of items, many at once, and nudging one by one unit in the last place.

An item keeps its form in the file wherever that form can hold the result; else its type changes: a rotated aabb
becomes an obb, a box scaled across its axes a parallelepiped (see `type_change`). The numbers are computed by
`affine_maps`; bulk items are in `bulk_transforms`.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace as changed
from functools import partial
from itertools import compress
from typing import Any, cast

import numpy as np
from msgspec import UNSET
from msgspec.structs import force_setattr, replace

from hitscope.geometry.arrays import Array
from hitscope.geometry.exact import rounded
from hitscope.geometry.shapes import Frame, Obb, Vec3
from hitscope.geometry.vector import vec3
from hitscope.scene import bulk_transforms, checked_shapes, rough_transforms
from hitscope.scene.affine_maps import AffineMap, factors_along, product, rotation, scaling, translation
from hitscope.scene.bulk import IDENTITY, ORIGIN, Bulk
from hitscope.scene.conversions import obb_of_aabb, parallelepiped_of_obb
from hitscope.scene.decimals import SAFE_DIGITS, decimal
from hitscope.scene.items import HalfSpace, Item, Quaternion, Single
from hitscope.scene.rotations import rough_euler_of
from hitscope.scene.shape_items import SHAPE_ITEMS, BoxAxes, fields_of

EULER_TOLERANCE = 1e-14
"""The largest error of the rotated axes with which Euler angles are kept."""

PlaneNumbers = tuple[Vec3, float]


def translate_all(items: Sequence[Item], by: Vec3, rough: bool = False) -> list[Item]:
    """Move items by a vector; raises Fault for an item that cannot be moved.

    `rough`, here and below, is for drags of many items: see `rough_transforms`.
    """
    motion = changed(translation(by), rough=rough)
    bulk = partial(bulk_transforms.translated, motion=motion)
    return _change_items(items, motion, partial(_mapped, motion=motion), bulk)


def rotate_all(items: Sequence[Item], pivot: Vec3, axis: Vec3, degrees: float, rough: bool = False) -> list[Item]:
    """Rotate items about the axis through a pivot, counter-clockwise where the axis points to the eye.

    An aabb stays one at multiples of 90 degrees about a coordinate axis, and becomes an obb at any other angle.
    Raises Fault for an item that cannot be rotated.
    """
    motion, quaternion = rotation(pivot, axis, degrees)
    motion = changed(motion, rough=rough)

    def rotated(singles: list[Single]) -> list[Single]:
        if not motion.keeps_axes:
            singles = list(map(_obb_of_aabb, singles))
        return [
            replace(moved, **_turned(moved, motion, quaternion, axis, degrees))
            if _axes(moved) is BoxAxes.OWN
            else moved
            for moved in _mapped(singles, motion)
        ]

    bulk = partial(bulk_transforms.rotated, motion=motion, by=quaternion)
    return _change_items(items, motion, rotated, bulk, partial(rough_transforms.turned, motion=motion))


def scale_all(
    items: Sequence[Item], pivot: Vec3, factors: Vec3, frame: Frame = checked_shapes.IDENTITY, rough: bool = False
) -> list[Item]:
    """Scale items from a pivot by a factor along each unit axis of a frame (rows); a factor may be negative.

    A box stays a box where each of its axes is scaled by one factor, and else becomes a parallelepiped. Raises
    Fault for planes with a factor of zero, and for an item that cannot be scaled.
    """
    motion = changed(scaling(pivot, factors, frame), rough=rough)

    def scaled(singles: list[Single]) -> list[Single]:
        if not motion.keeps_axes:
            singles = list(map(_obb_of_aabb, singles))
        along = [
            factors_along(cast(Obb, item.plain).axes, factors, frame) if _axes(item) is BoxAxes.OWN else ()
            for item in singles
        ]
        pairs = zip(singles, along, strict=True)
        boxes = [parallelepiped_of_obb(item) if found is None else item for item, found in pairs]
        moved = zip(_mapped(boxes, motion), along, strict=True)
        return [_stretched(item, found) if found else item for item, found in moved]

    of_bulk = partial(bulk_transforms.scaled, motion=motion, factors=factors, frame=frame)
    of_boxes = partial(rough_transforms.scaled, motion=motion, factors=factors, frame=frame)
    return _change_items(items, motion, scaled, of_bulk, of_boxes)


def translate(item: Single, by: Vec3) -> Single:
    (moved,) = translate_all([item], by)
    assert isinstance(moved, Single)
    return moved


def nudge(item: Single, axis: int, up: bool) -> Single:
    """Move every point of an item to the next float64 along a coordinate axis."""

    def step(point: Vec3) -> Vec3:
        return vec3([next_float(value, up) if k == axis else value for k, value in enumerate(point)])

    def plane(normal: Vec3, offset: float) -> PlaneNumbers:
        return normal, next_float(offset, up == (normal[axis] > 0)) if normal[axis] else offset

    return _with_geometry(item, map(step, _points(item)), iter(_vectors(item)), plane)


def next_float(value: float, up: bool) -> float:
    """Return the next float64 above or below, the largest finite one for itself."""
    following = math.nextafter(value, math.inf if up else -math.inf)
    return following if math.isfinite(following) else value


def type_change(before: Item, after: Item) -> str:
    """Return how the type of an item changed, in words; empty where it did not."""
    if type(before) is type(after):
        return ""
    if isinstance(after, Bulk):
        return f"rotated {before.word} become {after.word}"
    if after.word == "obb":
        return f"a rotated {before.word} becomes an obb"
    return f"an {before.word} scaled across its axes becomes a {after.word}"


def _change_items(
    items: Sequence[Item],
    motion: AffineMap,
    of_singles: Callable[[list[Single]], list[Single]],
    of_bulk: Callable[[Bulk], Bulk],
    of_boxes: Callable[[list[Single]], list[Single]] | None = None,
) -> list[Item]:
    """Change each bulk item alone and all single ones together, by a rough map the plain boxes by `of_boxes`."""
    turning = (BoxAxes.OWN,) if motion.keeps_axes else (BoxAxes.OWN, BoxAxes.COORDINATE)
    singles = [item for item in items if isinstance(item, Single)]
    # A radius or a motion makes another shape of a box.
    is_plain = [
        of_boxes is not None and motion.rough and _axes(item) in turning and type(item.shape) is type(item.plain)
        for item in singles
    ]
    others = iter(of_singles([item for item, plain in zip(singles, is_plain, strict=True) if not plain]))
    boxes = iter(of_boxes(list(compress(singles, is_plain))) if of_boxes is not None and any(is_plain) else ())
    changed = iter([next(boxes if plain else others) for plain in is_plain])
    return [of_bulk(item) if isinstance(item, Bulk) else next(changed) for item in items]


def _mapped(items: Sequence[Single], motion: AffineMap) -> list[Single]:
    """Map every point, vector and plane of items; the map has to keep the axes of aabbs."""
    points = _map_together([_points(item) for item in items], motion.points)
    if motion.images == checked_shapes.IDENTITY:
        return [_moved(item, points, motion) for item in items]
    vectors = _map_together([_vectors(item) for item in items], motion.vectors)
    return [_with_geometry(item, points, vectors, motion.plane, motion.lengths) for item in items]


def _moved(item: Any, points: Iterator[Vec3], motion: AffineMap) -> Single:
    """Return the item with other points, without a check: a moved item keeps its form."""
    entry = SHAPE_ITEMS[type(item.shape)]
    if entry.half_spaces:
        return _with_geometry(item, points, iter(_vectors(item)), motion.plane)
    moved: Single = copy(item)
    for name, value in _set_fields(item, entry.points):
        force_setattr(moved, name, _new_value(value, points))
    if (shape := entry.translated(moved, item)) is not None:
        vars(moved)["shape"] = shape
    _ = moved.shape  # raises Fault for a box by its center that overflows float64
    return moved


def _map_together(rows: Sequence[Sequence[Vec3]], mapping: Callable[[Any], Any]) -> Iterator[Vec3]:
    flat = np.array([row for vectors in rows for row in vectors], dtype=np.float64).reshape(-1, 3)
    return map(vec3, mapping(flat).tolist())


def _set_fields(item: Single, names: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name in names if (value := getattr(item, name)) is not UNSET)


def _points(item: Single) -> list[Vec3]:
    """Return the points of an item, in the order in which `_with_geometry` takes them."""
    return _rows(item, SHAPE_ITEMS[type(item.shape)].points)


def _vectors(item: Single) -> list[Vec3]:
    """Return the vectors of an item, in the order in which `_with_geometry` takes them."""
    entry = SHAPE_ITEMS[type(item.shape)]
    return _rows(item, entry.vectors + entry.extents)


def _rows(item: Single, names: tuple[str, ...]) -> list[Vec3]:
    rows: list[Vec3] = []
    for _, value in _set_fields(item, names):
        rows += value if isinstance(value[0], tuple) else [value]
    return rows


def _new_value(value: Any, rows: Iterator[Vec3]) -> Any:
    """Return a new value of a field: as many vectors as the old value has, taken from rows."""
    return tuple(next(rows) for _ in value) if isinstance(value[0], tuple) else next(rows)


def _with_geometry(
    item: Any,
    points: Iterator[Vec3],
    vectors: Iterator[Vec3],
    plane: Callable[[Vec3, float], PlaneNumbers],
    lengths: Callable[[Array], Array] = np.copy,
) -> Single:
    """Return the item with other points, vectors, planes and lengths, the corners of an aabb put in order."""
    entry = SHAPE_ITEMS[type(item.shape)]
    changes = {name: _new_value(value, points) for name, value in _set_fields(item, entry.points)}
    changes |= {name: _new_value(value, vectors) for name, value in _set_fields(item, entry.vectors)}
    changes |= {name: vec3(map(abs, next(vectors))) for name, _ in _set_fields(item, entry.extents)}
    changes |= {name: float(lengths(np.array([value]))[0]) for name, value in _set_fields(item, entry.lengths)}
    if "min" in changes:
        corners = changes["min"], changes["max"]
        changes["min"], changes["max"] = vec3(map(min, *corners)), vec3(map(max, *corners))
    if hasattr(item, "normal"):
        changes["normal"], changes["offset"] = plane(item.normal, item.offset)
    if getattr(item, "matrix", UNSET) is not UNSET:
        planes = fields_of(item.plain)["planes"]
        changes |= {"matrix": UNSET, "depth": UNSET}
    else:
        planes = getattr(item, "planes", ())
    if planes:
        mapped = (plane(half_space.normal, half_space.offset) for half_space in planes)
        changes["planes"] = tuple(HalfSpace(normal=normal, offset=offset) for normal, offset in mapped)
    made: Single = copy(item)
    for name, value in changes.items():
        force_setattr(made, name, value)
    _ = made.shape  # raises Fault where the fields no longer define a shape
    return made


def _axes(item: Single) -> BoxAxes | None:
    return SHAPE_ITEMS[type(item.shape)].axes


def _obb_of_aabb(item: Single) -> Single:
    """Return an aabb as an obb, any other item unchanged."""
    return obb_of_aabb(item) if _axes(item) is BoxAxes.COORDINATE else item


def _stretched(item: Any, factors: Vec3) -> Single:
    """Return an obb with its half extents times a factor each."""
    pairs = zip(item.half_extents, factors, strict=True)
    stretched: Single = replace(item, half_extents=vec3(rounded(decimal(e) * abs(decimal(f))) for e, f in pairs))
    return stretched


def _turned(item: Any, motion: AffineMap, by: Quaternion, axis: Vec3, degrees: float) -> dict[str, Any]:
    """Return the field of a rotated box's rotation, in the form of the file where possible.

    A box without a rotation gets Euler angles for a coordinate axis, and a quaternion for any other.
    """
    about = [k for k in range(3) if axis[k]]
    if item.quaternion_xyzw or not (item.axes or item.euler_xyz_deg or len(about) == 1):
        return {"quaternion_xyzw": product(by, item.quaternion_xyzw or IDENTITY)}
    rows = vec3(motion.unit(row) for row in item.plain.axes)
    if item.axes:
        return {"axes": rows}
    angles = item.euler_xyz_deg or ORIGIN
    if len(about) == 1 and not any(math.fmod(angle, 360.0) for angle in angles[about[0] + 1 :]):
        # R = Rz Ry Rx: turning about an axis that no later factor turns adds to its angle.
        more = decimal(math.copysign(degrees, degrees * axis[about[0]]))
        added = [decimal(angle) + (more if k == about[0] else 0) for k, angle in enumerate(angles)]
        return {"euler_xyz_deg": vec3(rounded(_wrapped(angle)) for angle in added)}
    found = vec3(round(angle, SAFE_DIGITS - 2) + 0.0 for angle in rough_euler_of(rows))
    near = zip(checked_shapes.axes_from_euler(found), rows, strict=True)
    if all(abs(p - q) <= EULER_TOLERANCE for row, wanted in near for p, q in zip(row, wanted, strict=True)):
        return {"euler_xyz_deg": found}
    return {"euler_xyz_deg": UNSET, "axes": rows}


def _wrapped(degrees: Any) -> Any:
    """Return the same angle within (-180, 180]."""
    return degrees if -180 < degrees <= 180 else 180 - (180 - degrees) % 360

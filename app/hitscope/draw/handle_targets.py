"""The numbers of an item that a handle edits, as they are stored: none of them is rounded.

The handles are those of `draw.shape_drawings.handle_points`, in that order. A position is stored as it is, the
tip of a ray or an edge as a vector from the origin.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

import numpy as np
from msgspec import UNSET
from msgspec.structs import replace

from hitscope.draw import shape_drawings
from hitscope.errors import Fault
from hitscope.geometry import shapes
from hitscope.geometry.arrays import Array
from hitscope.geometry.exact import rounded
from hitscope.geometry.features.shape_features import BOX_FACES
from hitscope.geometry.kinds import ShapeTable
from hitscope.geometry.shapes import Vec3
from hitscope.geometry.vector import vec3
from hitscope.scene import items
from hitscope.scene.decimals import decimal, difference
from hitscope.scene.items import Single
from hitscope.scene.transforms import next_float, translate

T = TypeVar("T")
ORIGIN: Vec3 = (0.0, 0.0, 0.0)


class HandleTarget(NamedTuple):
    """A handle at `base` + `vector`; `store` returns the item with another vector, or unchanged with the same one.

    `pivot` is the start of the vector whose tip the handle is (the other end of a segment), `constraint` the unit
    direction along which a box's face or a sphere's radius moves.
    """

    vector: Vec3
    store: Callable[[Vec3], Single]
    base: Vec3 = ORIGIN
    pivot: Vec3 | None = None
    constraint: Array | None = None
    name: str = ""

    @property
    def point(self) -> Vec3:
        """The position of the handle, rounded."""
        return self.at(self.vector)

    def at(self, vector: Vec3) -> Vec3:
        """The position that the handle has with another vector, rounded."""
        return vec3(rounded(Fraction(b) + Fraction(v)) for b, v in zip(self.base, vector, strict=True))

    def nudged(self, axis: int, up: bool) -> Single:
        """The item with the handle at the next float64 along a coordinate axis."""
        return self.store(with_coordinate(self.vector, axis, next_float(self.vector[axis], up)))


def handle_target(item: Single, handle: int) -> HandleTarget:
    """The target of the handle with an index; raises TypeError for an item without handles."""
    handles = HANDLES[type(item.shape)]
    if handles is None:
        raise TypeError(f"a {item.word} has no handles")
    beside = dict(enumerate(item.points_beside, start=len(shape_drawings.handle_points(item.shape))))
    if handle in beside:
        return _of_view(item, beside[handle])
    return handles.target(item, handle)._replace(name=handles.name(handle))


def item_target(item: Single, pivot: Vec3) -> HandleTarget:
    """An item as a whole, moved by a pivot that moves with it."""

    def store(to: Vec3) -> Single:
        return translate(item, difference(to, pivot))

    return HandleTarget(pivot, store)


def _field(item: Single, name: str, base: Vec3 = ORIGIN, pivot: Vec3 | None = None) -> HandleTarget:
    """The handle whose vector is a field of the item."""
    return HandleTarget(getattr(item, name), lambda to: replace(item, **{name: to}), base, pivot)


def _field_part(item: Any, name: str, index: int, base: Vec3 = ORIGIN, pivot: Vec3 | None = None) -> HandleTarget:
    """The handle whose vector is one of three in a field of the item."""
    field = getattr(item, name)
    return HandleTarget(
        field[index], lambda to: replace(item, **{name: with_coordinate(field, index, to)}), base, pivot
    )


def _of_segment(item: items.SegmentProbe | items.CapsulePrimitive, handle: int) -> HandleTarget:
    return _field(item, "end", pivot=item.start) if handle else _field(item, "start", pivot=item.end)


def _of_ray(item: items.RayProbe | items.LineProbe, handle: int) -> HandleTarget:
    return _field(item, "direction", item.origin, item.origin) if handle else _field(item, "origin")


def _of_view(item: Single, name: str) -> HandleTarget:
    """The eye or the target of a view, which stays where it is without a direction between them."""

    def store(to: Vec3) -> Single:
        try:
            return replace(item, **{name: to})
        except Fault:
            return item

    pivot = getattr(item, "target" if name == "eye" else "eye")
    return HandleTarget(getattr(item, name), store, pivot=pivot, name=name)


def _of_parallelepiped(item: items.ParallelepipedPrimitive, handle: int) -> HandleTarget:
    return _field_part(item, "edges", handle - 1, item.origin, item.origin) if handle else _field(item, "origin")


def _center(item: items.AabbPrimitive | items.ObbPrimitive) -> HandleTarget:
    """The center of a box, or the box as a whole where its item stores no center."""
    if item.center is not UNSET:
        return _field(item, "center")
    return item_target(item, _handle_point(item, 0))


def _of_aabb(item: items.AabbPrimitive, handle: int) -> HandleTarget:
    """The center, or that of a face, which does not pass the opposite face."""
    if handle == 0:
        return _center(item)
    k, high = divmod(handle - 1, 2)
    # In the decimals of the file, which the corners of a box by its center are rounded from.
    if item.min is not UNSET and item.max is not UNSET:
        lo, hi = decimal(item.min[k]), decimal(item.max[k])
    else:
        assert item.center is not UNSET and item.half_extents is not UNSET
        middle, half = decimal(item.center[k]), decimal(item.half_extents[k])
        lo, hi = middle - half, middle + half
    point = with_coordinate(_handle_point(item, handle), k, rounded(hi if high else lo))

    def store(to: Vec3) -> Single:
        if to[k] == point[k]:
            return item
        moved = decimal(to[k])
        near, far = (lo, max(moved, lo)) if high else (min(moved, hi), hi)
        numbers = {"min": near, "max": far}
        if item.min is UNSET:
            numbers = {"center": (near + far) / 2, "half_extents": (far - near) / 2}
        return replace(
            item,
            **{name: with_coordinate(getattr(item, name), k, rounded(value)) for name, value in numbers.items()},
        )

    return HandleTarget(point, store, constraint=np.eye(3)[k])


def _of_obb(item: items.ObbPrimitive, handle: int) -> HandleTarget:
    """The center, or that of a face, which does not pass the opposite face."""
    if handle == 0:
        return _center(item)
    k, high = divmod(handle - 1, 2)
    axis = [Fraction(value) * (1 if high else -1) for value in item.plain.axes[k]]
    squared = sum(value * value for value in axis)
    extent = Fraction(item.half_extents[k])
    opposite = [Fraction(c) - extent * u for c, u in zip(item.center, axis, strict=True)]
    point = _handle_point(item, handle)

    def store(to: Vec3) -> Single:
        if to == point:
            return item
        along = sum((Fraction(p) - o) * u for p, o, u in zip(to, opposite, axis, strict=True))
        half = max(along / squared / 2, Fraction(0))
        x, y, z = (rounded(o + half * u) for o, u in zip(opposite, axis, strict=True))
        return replace(item, center=(x, y, z), half_extents=with_coordinate(item.half_extents, k, rounded(half)))

    return HandleTarget(point, store, constraint=np.array(item.plain.axes[k]))


def _radius(item: Single, point: Vec3, start: Iterable[Fraction], way: Array) -> HandleTarget:
    """The point at the radius from a start along a vector (3,); it does not pass the start."""
    middle, across = list(start), [Fraction(value) for value in way.tolist()]

    def store(to: Vec3) -> Single:
        if not any(u and new != old for new, old, u in zip(to, point, across, strict=True)):
            return item
        along = sum((decimal(p) - m) * u for p, m, u in zip(to, middle, across, strict=True))
        return replace(item, radius=rounded(max(along / sum(u * u for u in across), Fraction(0))))

    return HandleTarget(point, store, constraint=way)


def _of_sphere(item: items.SpherePrimitive, handle: int) -> HandleTarget:
    if handle == 0:
        return _field(item, "center")
    return _radius(item, _handle_point(item, handle), map(decimal, item.center), np.eye(3)[0])


def _of_capsule(item: items.CapsulePrimitive, handle: int) -> HandleTarget:
    """An end, or the point of the side."""
    if handle < 2:
        return _of_segment(item, handle)
    middle = ((decimal(a) + decimal(b)) / 2 for a, b in zip(item.start, item.end, strict=True))
    way = shape_drawings.across_axis(shapes.Capsule._make((item.start, item.end, item.radius)))
    return _radius(item, _handle_point(item, handle), middle, way)


def _of_radius(item: items.Roundable) -> HandleTarget:
    """The point at the radius along x from the last corner of the core."""
    x, y, z = shape_drawings.last_corner(item.plain).tolist()
    point = (rounded(decimal(x) + decimal(item.radius or 0.0)), y, z)
    return _radius(item, point, map(decimal, (x, y, z)), np.eye(3)[0])


def _of_motion(item: Any) -> HandleTarget:
    start = vec3(shape_drawings.reference_point(item.shape).tolist())
    return _field(item, "motion", start, start)


def _handle_point(item: Single, handle: int) -> Vec3:
    return vec3(shape_drawings.handle_points(item.plain)[handle].tolist())


def with_coordinate(vector: tuple[T, T, T], axis: int, value: T) -> tuple[T, T, T]:
    """A vector with another coordinate along an axis, or three vectors with another one."""
    return vec3(value if k == axis else old for k, old in enumerate(vector))


class ShapeHandles(NamedTuple):
    """The handles of one type of shape, counted as `handle_points` does."""

    target: Callable[[Any, int], HandleTarget]
    """The target of the handle of an item with an index."""
    name: Callable[[int], str]
    """The name of a handle in the scene file; of a ray's direction, the tip."""


def _with_handle(
    kind: type, entry: ShapeHandles, target: Callable[[Any], HandleTarget], name: str
) -> ShapeHandles:
    """The handles of a shape around another one, in the order of `handle_points`."""
    own = shape_drawings.handles_before(kind, shape_drawings.SHAPE_DRAWINGS[kind])
    return ShapeHandles(
        lambda item, handle: target(item) if handle == own else entry.target(item, handle - (handle > own)),
        lambda handle: name if handle == own else entry.name(handle - (handle > own)),
    )


def _box_handle(handle: int) -> str:
    return f"face {BOX_FACES[handle - 1]}" if handle else "center"


HANDLES: ShapeTable[ShapeHandles | None] = ShapeTable(
    f"{__name__}.HANDLES",
    {
        shapes.Point: ShapeHandles(lambda item, handle: _field(item, "position"), lambda handle: "position"),
        shapes.Segment: ShapeHandles(_of_segment, lambda handle: ("start", "end")[handle]),
        **dict.fromkeys(
            (shapes.Ray, shapes.Line), ShapeHandles(_of_ray, lambda handle: ("origin", "tip")[handle])
        ),
        shapes.Triangle: ShapeHandles(
            lambda item, handle: _field_part(item, "vertices", handle), lambda handle: f"vertex {handle}"
        ),
        shapes.Aabb: ShapeHandles(_of_aabb, _box_handle),
        shapes.Obb: ShapeHandles(_of_obb, _box_handle),
        shapes.Parallelepiped: ShapeHandles(
            _of_parallelepiped, lambda handle: f"tip of edge {handle - 1}" if handle else "origin"
        ),
        shapes.Plane: None,
        **dict.fromkeys(
            (shapes.Polyhedron, shapes.Frustum),
            ShapeHandles(
                lambda item, handle: item_target(item, _handle_point(item, handle)), lambda handle: "middle"
            ),
        ),
        shapes.Sphere: ShapeHandles(_of_sphere, lambda handle: ("center", "radius")[handle]),
        shapes.Capsule: ShapeHandles(_of_capsule, lambda handle: ("start", "end", "radius")[handle]),
    },
    rounded=lambda kind, entry: entry and _with_handle(kind, entry, _of_radius, "radius"),
    cast=lambda kind, entry: entry and _with_handle(kind, entry, _of_motion, "motion"),
)
"""The entry of each type of shape; None of one without handles."""

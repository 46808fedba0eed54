"""What a handle of an item holds: the numbers that its place is stored as, nothing of them rounded.

The handles are those of `draw.probes.handle_points`, in that order. A position is stored as it is, the tip of a
ray or an edge as a vector from the origin.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from msgspec import UNSET
from msgspec.structs import replace

from hitscope.draw.items import Array
from hitscope.draw.probes import handle_points
from hitscope.geometry.exact import rounded
from hitscope.geometry.shapes import Vec3
from hitscope.scene.items import (
    AabbFields,
    LineProbe,
    ObbFields,
    PointProbe,
    RayProbe,
    SegmentProbe,
    Single,
    SkewBoxFields,
    TriangleFields,
)
from hitscope.scene.transforms import beside, translate

ORIGIN: Vec3 = (0.0, 0.0, 0.0)


class Held(NamedTuple):
    """A handle at `base` + `vector`; `store` gives the item with another vector.

    `pivot` is where the vector that the handle is the tip of begins (the other end of a segment), `rail` the unit
    direction that a box's face is bound to.
    """

    vector: Vec3
    store: Callable[[Vec3], Single]
    base: Vec3 = ORIGIN
    pivot: Vec3 | None = None
    rail: Array | None = None

    @property
    def place(self) -> Vec3:
        """Where the handle is, rounded."""
        return self.at(self.vector)

    def at(self, vector: Vec3) -> Vec3:
        """Give where the handle is with another vector, rounded."""
        x, y, z = (rounded(Fraction(b) + Fraction(v)) for b, v in zip(self.base, vector, strict=True))
        return x, y, z

    def nudged(self, axis: int, up: bool) -> Single:
        """Give the item with the handle at the next float64 along a coordinate axis."""
        return self.store(_with(self.vector, axis, beside(self.vector[axis], up)))


def held(item: Single, handle: int) -> Held:
    """Give what a handle of an item holds."""
    match item:
        case PointProbe():
            return Held(item.position, lambda to: replace(item, position=to))
        case SegmentProbe():
            if handle == 0:
                return Held(item.start, lambda to: replace(item, start=to), pivot=item.end)
            return Held(item.end, lambda to: replace(item, end=to), pivot=item.start)
        case RayProbe() | LineProbe():
            if handle == 0:
                return Held(item.origin, lambda to: replace(item, origin=to))
            return Held(item.direction, lambda to: replace(item, direction=to), item.origin, item.origin)
        case TriangleFields():
            return Held(
                item.vertices[handle], lambda to: replace(item, vertices=_changed(item.vertices, handle, to))
            )
        case SkewBoxFields():
            if handle == 0:
                return Held(item.origin, lambda to: replace(item, origin=to))
            edge = handle - 1
            return Held(
                item.edges[edge],
                lambda to: replace(item, edges=_changed(item.edges, edge, to)),
                item.origin,
                item.origin,
            )
        case ObbFields() | AabbFields() if handle == 0:
            if item.center is not UNSET:
                return Held(item.center, lambda to: replace(item, center=to))
            return whole(item, _place(item, 0))
        case AabbFields():
            return _side(item, handle)
        case ObbFields():
            return _oblique_side(item, handle)
    raise TypeError(f"a {item.word} has no handles")


def whole(item: Single, pivot: Vec3) -> Held:
    """Hold an item as a whole by a point that moves with it."""

    def store(to: Vec3) -> Single:
        x, y, z = (rounded(Fraction(repr(p)) - Fraction(repr(q))) for p, q in zip(to, pivot, strict=True))
        return translate(item, (x, y, z))

    return Held(pivot, store)


def _side(item: AabbFields, handle: int) -> Held:
    """Hold a face of an aabb; it does not pass the opposite one."""
    k, high = divmod(handle - 1, 2)
    lo, hi = item.shape

    def store(to: Vec3) -> Single:
        near = max(to[k], lo[k]) if high else min(to[k], hi[k])
        if item.min is not UNSET and item.max is not UNSET:
            return (
                replace(item, max=_with(item.max, k, near))
                if high
                else replace(item, min=_with(item.min, k, near))
            )
        assert item.center is not UNSET and item.half_extents is not UNSET
        other, moved = Fraction(repr(lo[k] if high else hi[k])), Fraction(repr(near))
        return replace(
            item,
            center=_with(item.center, k, rounded((other + moved) / 2)),
            half_extents=_with(item.half_extents, k, rounded(abs(moved - other) / 2)),
        )

    return Held(_place(item, handle), store, rail=np.eye(3)[k])


def _oblique_side(item: ObbFields, handle: int) -> Held:
    """Hold a face of an obb; it does not pass the opposite one."""
    k, high = divmod(handle - 1, 2)
    axis = [Fraction(value) * (1 if high else -1) for value in item.shape.axes[k]]
    squared = sum(value * value for value in axis)
    extent = Fraction(item.half_extents[k])
    opposite = [Fraction(c) - extent * u for c, u in zip(item.center, axis, strict=True)]

    def store(to: Vec3) -> Single:
        along = sum((Fraction(p) - o) * u for p, o, u in zip(to, opposite, axis, strict=True))
        half = max(along / squared / 2, Fraction(0))
        x, y, z = (rounded(o + half * u) for o, u in zip(opposite, axis, strict=True))
        return replace(item, center=(x, y, z), half_extents=_with(item.half_extents, k, rounded(half)))

    return Held(_place(item, handle), store, rail=np.array(item.shape.axes[k]))


def _place(item: Single, handle: int) -> Vec3:
    x, y, z = handle_points(item.shape)[handle].tolist()
    return x, y, z


def _with(vector: Vec3, axis: int, value: float) -> Vec3:
    x, y, z = (value if k == axis else old for k, old in enumerate(vector))
    return x, y, z


def _changed(vectors: tuple[Vec3, Vec3, Vec3], place: int, vector: Vec3) -> tuple[Vec3, Vec3, Vec3]:
    a, b, c = (vector if k == place else old for k, old in enumerate(vectors))
    return a, b, c

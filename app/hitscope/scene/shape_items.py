"""The fields in which items hold each type of shape: those of its numbers, and which are points or vectors."""

from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
from msgspec import UNSET

from hitscope.geometry import shapes
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.kinds import ShapeTable
from hitscope.geometry.shapes import Shape
from hitscope.scene.checked_columns import aabbs_from_columns, obbs_from_columns
from hitscope.scene.items import HalfSpace
from hitscope.scene.tables import ROW_SHAPES, Columns, check_finite


class BoxAxes(Enum):
    """The axes of a box that may be given by its center and half extents."""

    COORDINATE = "the coordinate axes"
    OWN = "axes of its own"


class ShapeItem(NamedTuple):
    """The fields in which items hold one type of shape."""

    stored: tuple[str, ...]
    """The fields that hold just the shape's numbers, in their order."""
    points: tuple[str, ...] = ()
    """The fields of points, one or several, that a map of the space moves."""
    vectors: tuple[str, ...] = ()
    """The fields of vectors, one or several."""
    extents: tuple[str, ...] = ()
    """The fields of a vector whose signs do not count."""
    lengths: tuple[str, ...] = ()
    """The fields of lengths in every direction, which no map can hold that stretches one more than another."""
    half_spaces: bool = False
    """Whether there are half-spaces, which a map changes as a whole, among the fields."""
    axes: BoxAxes | None = None
    fields: Callable[[Any], dict[str, Any]] = lambda shape: shape._asdict()
    """The fields, by name, of an item that holds a shape's numbers as they are."""
    translated: Callable[[Any, Any], Shape | None] = lambda after, before: None
    """The shape of an item whose points were moved; None where its fields give it as fast as the item before."""
    from_columns: Callable[[Columns], Shapes] | None = None
    """The shapes of a bulk item in any of its forms; None for a type whose only form are its own numbers."""


def fields_of(shape: Shape) -> dict[str, Any]:
    """Return the fields, by name, of an item that holds the shape's numbers as they are."""
    return SHAPE_ITEMS[type(shape)].fields(shape)


def arrays_of(given: Shapes) -> dict[str, Any]:
    """Return the arrays, by name, of a bulk item that holds the numbers of these shapes as they are."""
    columns = Columns(SHAPE_ITEMS[given.kind].stored)
    columns.block = given.rows
    return {name: np.ascontiguousarray(columns[name].T).reshape(-1, *ROW_SHAPES[name]) for name in columns.names}


def shapes_of(kind: type[Shape], columns: Columns) -> Shapes:
    """Return the shapes that the fields of a bulk item define; raises Fault where they define none."""
    check_finite(columns)
    if (from_columns := SHAPE_ITEMS[kind].from_columns) is not None:
        return from_columns(columns)
    made = Shapes(kind, columns.block)
    made.check()
    return made


def _polyhedron_fields(body: shapes.Polyhedron) -> dict[str, Any]:
    if not body.planes:
        return {"vertices": body.vertices}
    return {"planes": tuple(HalfSpace(normal=normal, offset=offset) for normal, offset in body.planes)}


def _frustum_fields(frustum: shapes.Frustum) -> dict[str, Any]:
    planes = zip(frustum.normals, frustum.offsets, strict=True)
    halves = [HalfSpace(normal=normal, offset=offset) for normal, offset in planes]
    return {"planes": tuple(halves if any(frustum.normals[-1]) else halves[:-1])}


def _with_field(entry: ShapeItem, name: str, **changes: Any) -> ShapeItem:
    """Return the entry of a shape that is wrapped, which one field more makes another one."""
    return entry._replace(
        stored=(*entry.stored, name),
        fields=lambda shape: {**entry.fields(shape.inner), name: shape[-1]},
        translated=lambda after, before: None,
        from_columns=None,
        **changes,
    )


SHAPE_ITEMS: ShapeTable[ShapeItem] = ShapeTable(
    f"{__name__}.SHAPE_ITEMS",
    {
        shapes.Point: ShapeItem(("position",), points=("position",)),
        shapes.Segment: ShapeItem(("start", "end"), points=("start", "end")),
        shapes.Ray: ShapeItem(("origin", "direction"), points=("origin",), vectors=("direction",)),
        shapes.Line: ShapeItem(("origin", "direction"), points=("origin",), vectors=("direction",)),
        shapes.Triangle: ShapeItem(
            ("vertices",), points=("vertices",), fields=lambda triangle: {"vertices": tuple(triangle)}
        ),
        shapes.Aabb: ShapeItem(
            ("min", "max"),
            points=("min", "max", "center"),
            extents=("half_extents",),
            axes=BoxAxes.COORDINATE,
            fields=lambda box: {"min": box.lo, "max": box.hi},
            translated=lambda after, before: (
                None if after.min is UNSET else shapes.Aabb._make((after.min, after.max))
            ),
            from_columns=aabbs_from_columns,
        ),
        shapes.Obb: ShapeItem(
            ("center", "half_extents", "axes"),
            points=("center",),
            axes=BoxAxes.OWN,
            translated=lambda after, before: shapes.Obb._make(
                (after.center, after.half_extents, before.plain.axes)
            ),
            from_columns=obbs_from_columns,
        ),
        shapes.Parallelepiped: ShapeItem(("origin", "edges"), points=("origin",), vectors=("edges",)),
        shapes.Plane: ShapeItem(("normal", "offset"), half_spaces=True),
        shapes.Polyhedron: ShapeItem(
            ("planes", "vertices"), points=("vertices",), half_spaces=True, fields=_polyhedron_fields
        ),
        shapes.Sphere: ShapeItem(("center", "radius"), points=("center",), lengths=("radius",)),
        shapes.Capsule: ShapeItem(("start", "end", "radius"), points=("start", "end"), lengths=("radius",)),
        shapes.Frustum: ShapeItem(
            ("planes",),
            points=("eye", "target"),
            vectors=("up",),
            lengths=("near", "far"),
            half_spaces=True,
            fields=_frustum_fields,
        ),
    },
    rounded=lambda kind, entry: _with_field(entry, "radius", lengths=(*entry.lengths, "radius")),
    cast=lambda kind, entry: _with_field(entry, "motion", vectors=(*entry.vectors, "motion")),
)

"""The bulk items of a scene file: a type word for N shapes of one type, inline or in a file beside the scene.

An item holds one `Shapes`, whose arrays are shared by all scenes that edits make of it: a copy of the item with
the same arrays, even with another id, is not read or checked again.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeAlias

from msgspec import UNSET, Meta, Raw, UnsetType
from msgspec.structs import force_setattr

from hitscope.errors import Fault
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.kinds import word_of
from hitscope.geometry.shapes import Aabb, Capsule, Obb, Point, Ray, Segment, Shape, Sphere, Triangle, Vec3
from hitscope.scene.items import Item, Quaternion, Single
from hitscope.scene.reference import Reference
from hitscope.scene.shape_items import shapes_of
from hitscope.scene.tables import Columns, Origin, Table, source_of


def _numbers(*shape: int, **more: Any) -> Any:
    """Return the schema of an array of rows of such a shape; `tables` decodes the numbers, not msgspec."""
    row: dict[str, Any] = {"type": "number", **more}
    for size in reversed(shape):
        row = {"type": "array", "items": row, "minItems": size, "maxItems": size}
    return Meta(extra_json_schema={"type": "array", "items": row})


Vectors: TypeAlias = Annotated[Raw, _numbers(3)]
Extents: TypeAlias = Annotated[Raw, _numbers(3, minimum=0)]
Frames: TypeAlias = Annotated[Raw, _numbers(3, 3)]
Quaternions: TypeAlias = Annotated[Raw, _numbers(4)]
Radii: TypeAlias = Annotated[Raw, _numbers(minimum=0)]


File: TypeAlias = Annotated[Reference, Meta(extra_json_schema={"type": "string", "minLength": 1})]

IDENTITY: Quaternion = (0.0, 0.0, 0.0, 1.0)
ORIGIN: Vec3 = (0.0, 0.0, 0.0)


class Bulk(Item, frozen=True, kw_only=True):
    """N shapes of one type; N may be 0. Element i is called `ID[i]`.

    Built in Python, a field takes any array of numbers, and `file` a path relative to the working folder.
    """

    kind: ClassVar[type]
    """The type of each shape."""

    file: File | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Fault, its path relative to the item, where the fields or the file define no shapes."""
        super().__post_init__()
        _ = self.shapes

    @property
    def element_word(self) -> str:
        """The type word of each shape."""
        return word_of(self.kind)

    @cached_property
    def shapes(self) -> Shapes:
        """The shapes, their numbers in coordinate rows."""
        if self.file is not UNSET:
            return self._placed(self.file.read_once(self._read))
        names = [name for group in (*self.either, self.at_most_one) for name in group if name != "file"]
        given = {name: value for name in names if (value := getattr(self, name)) is not UNSET}
        origins = [value.origin if isinstance(value, Table) else None for value in given.values()]
        first = origins[0]
        if first and first.names == tuple(given) and all(origin is first for origin in origins):
            return first.shapes
        columns = Columns(given)
        for name, value in given.items():
            source = source_of(name, value)
            source.fill(columns.room(name, source.size))
        shapes = shapes_of(self.kind, columns)
        origin = Origin(columns.names, shapes)
        for name in given:
            force_setattr(self, name, Table(name, columns[name], origin))
        return shapes

    def _placed(self, shapes: Shapes) -> Shapes:
        return shapes

    def _read(self, path: Path) -> Shapes:
        """Read the shapes of the file."""
        from hitscope.scene import npz

        groups = [group for group in self.either if group != ("file",)]
        columns = npz.read(path, groups, [name for name in self.at_most_one if name != "file"])
        try:
            return shapes_of(self.kind, columns)
        except Fault as fault:
            raise npz.in_file(path, fault) from None


class AabbsPrimitive(Bulk, frozen=True, kw_only=True, tag_field="type", tag="aabbs"):
    """Boxes by `min` and `max`, or by `center` and `half_extents`, N rows each; or of an .npz `file`."""

    kind = Aabb
    either = (("min", "max"), ("center", "half_extents"), ("file",))

    min: Vectors | UnsetType = UNSET
    max: Vectors | UnsetType = UNSET
    center: Vectors | UnsetType = UNSET
    half_extents: Extents | UnsetType = UNSET


class ObbsPrimitive(Bulk, frozen=True, kw_only=True, tag_field="type", tag="obbs"):
    """Boxes by centre, half extents and at most one form of rotation, N rows each; or of an .npz `file`."""

    kind = Obb
    either = (("center", "half_extents"), ("file",))
    at_most_one = ("axes", "quaternion_xyzw", "euler_xyz_deg", "file")

    center: Vectors | UnsetType = UNSET
    half_extents: Extents | UnsetType = UNSET
    axes: Frames | UnsetType = UNSET
    quaternion_xyzw: Quaternions | UnsetType = UNSET
    euler_xyz_deg: Vectors | UnsetType = UNSET


class TrianglesPrimitive(Bulk, frozen=True, kw_only=True, tag_field="type", tag="triangles"):
    """Triangles by their three vertices, N rows; or of an .npz `file`."""

    kind = Triangle
    either = (("vertices",), ("file",))

    vertices: Frames | UnsetType = UNSET


class SpheresPrimitive(Bulk, frozen=True, kw_only=True, tag_field="type", tag="spheres"):
    """Balls by their centres and radii, N rows each; or of an .npz `file`."""

    kind = Sphere
    either = (("center", "radius"), ("file",))

    center: Vectors | UnsetType = UNSET
    radius: Radii | UnsetType = UNSET


class CapsulesPrimitive(Bulk, frozen=True, kw_only=True, tag_field="type", tag="capsules"):
    """Capsules by their two ends and radii, N rows each; or of an .npz `file`."""

    kind = Capsule
    either = (("start", "end", "radius"), ("file",))

    start: Vectors | UnsetType = UNSET
    end: Vectors | UnsetType = UNSET
    radius: Radii | UnsetType = UNSET


class MeshPrimitive(Bulk, frozen=True, kw_only=True, tag_field="type", tag="mesh"):
    """The triangles of a mesh file (OBJ, STL, PLY, glTF), first scaled, then rotated, then translated."""

    kind = Triangle

    file: File
    scale: float | Vec3 | UnsetType = UNSET
    quaternion_xyzw: Quaternion | UnsetType = UNSET
    translate: Vec3 | UnsetType = UNSET

    def _placed(self, shapes: Shapes) -> Shapes:
        from hitscope.scene import mesh

        if self.scale is self.quaternion_xyzw is self.translate is UNSET:
            return shapes
        scale = 1.0 if self.scale is UNSET else self.scale
        return mesh.placed(shapes, scale, self.quaternion_xyzw or IDENTITY, self.translate or ORIGIN)

    def _read(self, path: Path) -> Shapes:
        from hitscope.scene import mesh

        return mesh.read(path)


class SegmentsProbe(Bulk, frozen=True, kw_only=True, tag_field="type", tag="segments"):
    """Segments by their two ends, N rows each; or of an .npz `file`."""

    kind = Segment
    either = (("start", "end"), ("file",))

    start: Vectors | UnsetType = UNSET
    end: Vectors | UnsetType = UNSET
    enabled: bool = True


class RaysProbe(Bulk, frozen=True, kw_only=True, tag_field="type", tag="rays"):
    """Rays by origins and directions of any length, N rows each; or of an .npz `file`."""

    kind = Ray
    either = (("origin", "direction"), ("file",))

    origin: Vectors | UnsetType = UNSET
    direction: Vectors | UnsetType = UNSET
    enabled: bool = True


class PointsProbe(Bulk, frozen=True, kw_only=True, tag_field="type", tag="points"):
    """Points, N rows; or of an .npz `file`."""

    kind = Point
    either = (("position",), ("file",))

    position: Vectors | UnsetType = UNSET
    enabled: bool = True


BulkPrimitive: TypeAlias = (
    MeshPrimitive | AabbsPrimitive | ObbsPrimitive | TrianglesPrimitive | SpheresPrimitive | CapsulesPrimitive
)
BulkProbe: TypeAlias = SegmentsProbe | RaysProbe | PointsProbe


def shapes_in(items: Iterable[Item]) -> Iterator[Shape]:
    """Yield the shapes of items, in their order."""
    for item in items:
        if isinstance(item, Bulk):
            yield from item.shapes
        elif isinstance(item, Single):
            yield item.shape

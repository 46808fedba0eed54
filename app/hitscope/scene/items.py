"""The items of a scene file that are one shape each: one struct for each type word of a primitive or probe.

The fields keep the form that the file used (an aabb by corners or by centre), so that a file is saved as it was;
`shape` is the set that the numbers define. A key that the file does not give is UNSET, which is false.
A probe of a type that is a primitive, too, has the fields of the primitive, and those of a probe.
"""

from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from hitscope import progress
from hitscope.errors import Fault, quoted
from hitscope.geometry import checks, shapes
from hitscope.geometry.exact import check_half_spaces
from hitscope.geometry.kinds import word_of
from hitscope.geometry.shapes import Frame, Shape, Vec3
from hitscope.scene import checked_shapes
from hitscope.scene.checked_fields import CheckedFields

Id: TypeAlias = Annotated[str, Meta(pattern=r"^[^\[]+$", description='Unique; not empty and without "[".')]
NotNegative: TypeAlias = Annotated[float, Meta(ge=0)]
Positive: TypeAlias = Annotated[float, Meta(gt=0)]
Row4: TypeAlias = tuple[float, float, float, float]
HalfExtents: TypeAlias = tuple[NotNegative, NotNegative, NotNegative]
Quaternion: TypeAlias = Row4


class Item(CheckedFields, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """A primitive or a probe as the file has it."""

    either: ClassVar[tuple[tuple[str, ...], ...]] = ()
    """Groups of fields of which exactly one must be given."""
    at_most_one: ClassVar[tuple[str, ...]] = ()
    """Fields of which no two may be given."""

    id: Id | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Fault, its path relative to the item, for fields that exclude each other."""
        super().__post_init__()
        progress.advance(0)
        if self.either:
            given = tuple([name for group in self.either for name in group if getattr(self, name) is not UNSET])
            if given not in self.either:
                expected = "either " + " or ".join(names(group) for group in self.either)
                raise Fault((), expected, names(given) or "none of them")
        if self.at_most_one:
            given = tuple([name for name in self.at_most_one if getattr(self, name) is not UNSET])
            if len(given) > 1:
                expected = f"at most one of {names(self.at_most_one)}"
                raise Fault((given[1],), expected, names(given), at_key=True)

    @property
    def word(self) -> str:
        """The type word, e.g. "aabb"."""
        return str(self.__struct_config__.tag)

    @property
    def role(self) -> Literal["primitive", "probe"]:
        """Whether it is a primitive or a probe: only probes can be disabled."""
        return "probe" if hasattr(self, "enabled") else "primitive"

    @property
    def element_word(self) -> str:
        """The type word that its shape, or each of its shapes, has in the name of a pair."""
        return self.word


class Single(Item, frozen=True, kw_only=True):
    """An item that is one shape."""

    kind: ClassVar[Any]
    """The type of its shape without a radius and a motion."""
    is_roundable: ClassVar[bool] = False
    """Whether it has a radius only if that is given."""

    def __post_init__(self) -> None:
        """Raise Fault, its path relative to the item, where the fields define no shape."""
        super().__post_init__()
        _ = self.shape

    @property
    def element_word(self) -> str:
        """The word of its shape's type in the name of a pair, such as "cast_aabb" of an aabb with a motion."""
        return word_of(type(self.shape))

    @property
    def points_beside(self) -> tuple[str, ...]:
        """The fields that are points which the shape does not have."""
        return ()

    @cached_property
    def shape(self) -> Shape:
        """The set that the numbers define, float64, in the scene's length unit."""
        shape = self.plain
        if self.is_roundable and (radius := getattr(self, "radius", UNSET)):
            shape = checked_shapes.around(shapes.Rounded, "radius", shape, radius)
        motion = getattr(self, "motion", UNSET)
        return shape if motion is UNSET else checked_shapes.around(shapes.Cast, "motion", shape, motion)

    @cached_property
    def plain(self) -> Shape:
        """The shape without the radius of what has one only if it is given, and without its motion.

        Here that of a type whose fields are those of the item.
        """
        shape: Shape = self.kind._make(getattr(self, name) for name in self.kind._fields)
        return shape


class Roundable(Single, frozen=True, kw_only=True):
    """An item of a shape that a radius makes round: all points within it."""

    is_roundable = True

    radius: NotNegative | UnsetType = UNSET


class AabbPrimitive(Roundable, frozen=True, kw_only=True, tag_field="type", tag="aabb"):
    """A box by `min` and `max`, or by `center` and `half_extents`."""

    kind = shapes.Aabb
    either = (("min", "max"), ("center", "half_extents"))

    min: Vec3 | UnsetType = UNSET
    max: Vec3 | UnsetType = UNSET
    center: Vec3 | UnsetType = UNSET
    half_extents: HalfExtents | UnsetType = UNSET

    @cached_property
    def plain(self) -> shapes.Aabb:
        """The box, its corners rounded to nearest where it is given by its centre."""
        if self.min is not UNSET and self.max is not UNSET:
            return checked_shapes.aabb_from_corners(self.min, self.max)
        assert self.center is not UNSET and self.half_extents is not UNSET
        return checked_shapes.aabb_from_center(self.center, self.half_extents)


class ObbPrimitive(Roundable, frozen=True, kw_only=True, tag_field="type", tag="obb"):
    """A box by centre, half extents and at most one form of rotation."""

    kind = shapes.Obb
    at_most_one = ("axes", "quaternion_xyzw", "euler_xyz_deg")

    center: Vec3
    half_extents: HalfExtents
    axes: Frame | UnsetType = UNSET
    quaternion_xyzw: Quaternion | UnsetType = UNSET
    euler_xyz_deg: Vec3 | UnsetType = UNSET

    @cached_property
    def plain(self) -> shapes.Obb:
        """The box with its axes as float64, one in each row."""
        axes = checked_shapes.IDENTITY
        if self.axes is not UNSET:
            axes = self.axes
            checks.check_axes(axes)
        elif self.quaternion_xyzw is not UNSET:
            axes = checked_shapes.axes_from_quaternion(self.quaternion_xyzw)
        elif self.euler_xyz_deg is not UNSET:
            axes = checked_shapes.axes_from_euler(self.euler_xyz_deg)
        checks.check_half_extents(self.half_extents)
        return shapes.Obb._make((self.center, self.half_extents, axes))


class ParallelepipedPrimitive(Roundable, frozen=True, kw_only=True, tag_field="type", tag="parallelepiped"):
    """A box by one vertex and three edges from it, of any directions."""

    kind = shapes.Parallelepiped

    origin: Vec3
    edges: Frame


class TrianglePrimitive(Roundable, frozen=True, kw_only=True, tag_field="type", tag="triangle"):
    """A triangle by its three vertices; counter-clockwise is the front."""

    kind = shapes.Triangle

    vertices: Frame

    @cached_property
    def plain(self) -> shapes.Triangle:
        return shapes.Triangle._make(self.vertices)


class SpherePrimitive(Single, frozen=True, kw_only=True, tag_field="type", tag="sphere"):
    """A ball by its centre and its radius."""

    kind = shapes.Sphere

    center: Vec3
    radius: NotNegative


class CapsulePrimitive(Single, frozen=True, kw_only=True, tag_field="type", tag="capsule"):
    """All that is within a radius of the segment between two ends."""

    kind = shapes.Capsule

    start: Vec3
    end: Vec3
    radius: NotNegative


class PlanePrimitive(Single, frozen=True, kw_only=True, tag_field="type", tag="plane"):
    """The points with dot(normal, p) = offset; the normal need not be unit."""

    kind = shapes.Plane

    normal: Vec3
    offset: float

    @cached_property
    def plain(self) -> shapes.Plane:
        checks.check_normal(self.normal)
        return shapes.Plane._make((self.normal, self.offset))


class HalfSpace(CheckedFields, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The points with dot(normal, p) <= offset."""

    normal: Vec3
    offset: float


class PolyhedronPrimitive(Roundable, frozen=True, kw_only=True, tag_field="type", tag="polyhedron"):
    """A convex set by its `planes`, inside being dot(normal, p) <= offset, or by its `vertices`."""

    kind = shapes.Polyhedron
    either = (("planes",), ("vertices",))

    planes: Annotated[tuple[HalfSpace, ...], Meta(min_length=1)] | UnsetType = UNSET
    vertices: Annotated[tuple[Vec3, ...], Meta(min_length=1)] | UnsetType = UNSET

    @cached_property
    def plain(self) -> shapes.Polyhedron:
        """The polyhedron; raises Fault where its half-spaces have no common point."""
        if self.planes is not UNSET:
            planes = tuple(shapes.Plane._make((plane.normal, plane.offset)) for plane in self.planes)
            body = shapes.Polyhedron._make((planes, ()))
            check_half_spaces(body)
            return body
        assert self.vertices is not UNSET
        return shapes.Polyhedron._make(((), self.vertices))


class FrustumPrimitive(Single, frozen=True, kw_only=True, tag_field="type", tag="frustum"):
    """A frustum by the `matrix` that a camera projects with, by the camera, or by its planes."""

    kind = shapes.Frustum
    either = (("matrix",), ("eye", "target", "up", "fov_deg", "aspect", "near"), ("planes",))

    matrix: tuple[Row4, Row4, Row4, Row4] | UnsetType = UNSET
    """The rows of clip = matrix * (x, y, z, 1), with a `depth` from 0 or from -1 to 1."""
    depth: Literal["zero_to_one", "minus_one_to_one"] | UnsetType = UNSET
    eye: Vec3 | UnsetType = UNSET
    target: Vec3 | UnsetType = UNSET
    up: Vec3 | UnsetType = UNSET
    fov_deg: Annotated[float, Meta(gt=0, lt=180)] | UnsetType = UNSET
    """The vertical field of view."""
    aspect: Positive | UnsetType = UNSET
    near: Positive | UnsetType = UNSET
    far: Positive | UnsetType = UNSET
    """Without it, or a sixth plane, the frustum has no end."""
    planes: Annotated[tuple[HalfSpace, ...], Meta(min_length=5, max_length=6)] | UnsetType = UNSET
    """The left and right one, the bottom and top, the near and far; inside is dot(normal, p) <= offset."""

    @property
    def points_beside(self) -> tuple[str, ...]:
        return () if self.eye is UNSET else ("eye", "target")

    @cached_property
    def plain(self) -> shapes.Frustum:
        """The common part of its half-spaces, of which each number is rounded once."""
        if self.depth is not UNSET and self.matrix is UNSET:
            raise Fault(("depth",), '"matrix" beside it', "none", at_key=True)
        if self.far is not UNSET and self.near is UNSET:
            raise Fault(("far",), '"near" beside it', "none", at_key=True)
        if self.matrix is not UNSET:
            return checked_shapes.frustum_of_matrix(self.matrix, self.depth == "minus_one_to_one")
        if self.planes is not UNSET:
            return checked_shapes.frustum([(plane.normal, plane.offset) for plane in self.planes])
        assert self.eye is not UNSET and self.target is not UNSET and self.up is not UNSET
        assert self.fov_deg is not UNSET and self.aspect is not UNSET and self.near is not UNSET
        lens = self.fov_deg, self.aspect, self.near, None if self.far is UNSET else self.far
        return checked_shapes.frustum_of_camera(self.eye, self.target, self.up, *lens)


class PointProbe(Single, frozen=True, kw_only=True, tag_field="type", tag="point"):
    """A single point."""

    kind = shapes.Point

    position: Vec3
    enabled: bool = True


class SegmentProbe(Single, frozen=True, kw_only=True, tag_field="type", tag="segment"):
    """A segment by its two ends."""

    kind = shapes.Segment

    start: Vec3
    end: Vec3
    enabled: bool = True


class RayProbe(Single, frozen=True, kw_only=True, tag_field="type", tag="ray"):
    """A ray by its origin and a direction of any length."""

    kind = shapes.Ray

    origin: Vec3
    direction: Vec3
    enabled: bool = True


class LineProbe(Single, frozen=True, kw_only=True, tag_field="type", tag="line"):
    """A line by a point and a direction of any length."""

    kind = shapes.Line

    origin: Vec3
    direction: Vec3
    enabled: bool = True


class TriangleProbe(TrianglePrimitive, frozen=True, kw_only=True):
    """A triangle as a probe."""

    motion: Vec3 | UnsetType = UNSET
    enabled: bool = True


class AabbProbe(AabbPrimitive, frozen=True, kw_only=True):
    """An axis-aligned box as a probe."""

    motion: Vec3 | UnsetType = UNSET
    enabled: bool = True


class ObbProbe(ObbPrimitive, frozen=True, kw_only=True):
    """An oriented box as a probe."""

    motion: Vec3 | UnsetType = UNSET
    enabled: bool = True


class ParallelepipedProbe(ParallelepipedPrimitive, frozen=True, kw_only=True):
    """A parallelepiped as a probe."""

    motion: Vec3 | UnsetType = UNSET
    enabled: bool = True


class SphereProbe(SpherePrimitive, frozen=True, kw_only=True):
    """A ball as a probe."""

    motion: Vec3 | UnsetType = UNSET
    enabled: bool = True


class CapsuleProbe(CapsulePrimitive, frozen=True, kw_only=True):
    """A capsule as a probe."""

    motion: Vec3 | UnsetType = UNSET
    enabled: bool = True


class PolyhedronProbe(PolyhedronPrimitive, frozen=True, kw_only=True):
    """A polyhedron as a probe."""

    motion: Vec3 | UnsetType = UNSET
    enabled: bool = True


class FrustumProbe(FrustumPrimitive, frozen=True, kw_only=True):
    """A frustum as a probe."""

    motion: Vec3 | UnsetType = UNSET
    enabled: bool = True


_BoxPrimitive: TypeAlias = AabbPrimitive | ObbPrimitive | ParallelepipedPrimitive
_FlatPrimitive: TypeAlias = TrianglePrimitive | PlanePrimitive
_BodyPrimitive: TypeAlias = PolyhedronPrimitive | SpherePrimitive | CapsulePrimitive | FrustumPrimitive
SinglePrimitive: TypeAlias = _BoxPrimitive | _FlatPrimitive | _BodyPrimitive
_LinearProbe: TypeAlias = SegmentProbe | RayProbe | LineProbe
_BoxProbe: TypeAlias = AabbProbe | ObbProbe | ParallelepipedProbe
_BodyProbe: TypeAlias = PolyhedronProbe | SphereProbe | CapsuleProbe | FrustumProbe
SingleProbe: TypeAlias = PointProbe | _LinearProbe | TriangleProbe | _BoxProbe | _BodyProbe


def names(fields: tuple[str, ...] | list[str]) -> str:
    """Return names of fields as a message lists them."""
    return ", ".join(map(quoted, fields))

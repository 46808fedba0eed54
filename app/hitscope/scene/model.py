"""What a scene file says, as immutable values: one struct per type word, one field per key.

The fields keep the form that the file used (an aabb by corners or by centre), so that saving gives the file
back; `shape` is the set that the numbers define. A key that the file does not give is UNSET, which is false.

Whatever is built here is checked, loaded from a file or not: what contradicts the format raises a Fault. (Only
the types, and that numbers are finite, is msgspec's to see, when it decodes.)
A new type is a struct here, in AnyPrimitive or AnyProbe, and a shape in `geometry.shapes`.
"""

import json
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, field

from hitscope.errors import Fault, Path, json_path, quoted
from hitscope.geometry.registry import choose
from hitscope.geometry.shapes import (
    Aabb,
    Frame,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Segment,
    Shape,
    Triangle,
    Vec3,
)
from hitscope.scene import forms

Id: TypeAlias = Annotated[str, Meta(pattern=r"^[^\[]+$", description='Unique; not empty and without "[".')]
NotNegative: TypeAlias = Annotated[float, Meta(ge=0)]
HalfExtents: TypeAlias = tuple[NotNegative, NotNegative, NotNegative]
Quaternion: TypeAlias = tuple[float, float, float, float]


class Item(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """A primitive or a probe as the file has it."""

    either: ClassVar[tuple[tuple[str, ...], ...]] = ()
    """Groups of fields of which exactly one must be given."""
    at_most_one: ClassVar[tuple[str, ...]] = ()
    """Fields of which no two may be given."""

    id: Id | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise a Fault, its path relative to the item, where the fields define no shape."""
        given = tuple(name for group in self.either for name in group if getattr(self, name) is not UNSET)
        if self.either and given not in self.either:
            expected = "either " + " or ".join(_names(group) for group in self.either)
            raise Fault((), expected, _names(given) or "none of them")
        given = tuple(name for name in self.at_most_one if getattr(self, name) is not UNSET)
        if len(given) > 1:
            raise Fault((given[1],), f"at most one of {_names(self.at_most_one)}", _names(given), at_key=True)
        _ = self.shape

    @property
    def word(self) -> str:
        """The type word, e.g. "aabb"."""
        return str(self.__struct_config__.tag)

    @cached_property
    def shape(self) -> Shape:
        """The set that the numbers define, float64, in the scene's length unit."""
        raise NotImplementedError


class AabbFields(Item, frozen=True, kw_only=True):
    """A box by `min` and `max`, or by `center` and `half_extents`."""

    either = (("min", "max"), ("center", "half_extents"))

    min: Vec3 | UnsetType = UNSET
    max: Vec3 | UnsetType = UNSET
    center: Vec3 | UnsetType = UNSET
    half_extents: HalfExtents | UnsetType = UNSET

    @cached_property
    def shape(self) -> Aabb:
        """The box, its corners rounded to nearest where it is given by its centre."""
        if self.min is not UNSET and self.max is not UNSET:
            return forms.aabb_from_corners(self.min, self.max)
        assert self.center is not UNSET and self.half_extents is not UNSET
        return forms.aabb_from_center(self.center, self.half_extents)


class ObbFields(Item, frozen=True, kw_only=True):
    """A box by centre, half extents and at most one form of rotation."""

    at_most_one = ("axes", "quaternion_xyzw", "euler_xyz_deg")

    center: Vec3
    half_extents: HalfExtents
    axes: Frame | UnsetType = UNSET
    quaternion_xyzw: Quaternion | UnsetType = UNSET
    euler_xyz_deg: Vec3 | UnsetType = UNSET

    @cached_property
    def shape(self) -> Obb:
        """The box with its axes as float64, one in each row."""
        axes = forms.IDENTITY
        if self.axes is not UNSET:
            axes = forms.checked_axes(self.axes)
        elif self.quaternion_xyzw is not UNSET:
            axes = forms.axes_from_quaternion(self.quaternion_xyzw)
        elif self.euler_xyz_deg is not UNSET:
            axes = forms.axes_from_euler(self.euler_xyz_deg)
        return forms.obb(self.center, self.half_extents, axes)


class SkewBoxFields(Item, frozen=True, kw_only=True):
    """A box by one vertex and three edges from it, of any directions."""

    origin: Vec3
    edges: Frame

    @cached_property
    def shape(self) -> Parallelepiped:
        """The parallelepiped."""
        return Parallelepiped(self.origin, self.edges)


class TriangleFields(Item, frozen=True, kw_only=True):
    """A triangle by its three vertices; counter-clockwise is the front."""

    vertices: Frame

    @cached_property
    def shape(self) -> Triangle:
        """The triangle."""
        return Triangle(*self.vertices)


class AabbPrimitive(AabbFields, frozen=True, kw_only=True, tag_field="type", tag="aabb"):
    """A box by `min` and `max`, or by `center` and `half_extents`."""


class ObbPrimitive(ObbFields, frozen=True, kw_only=True, tag_field="type", tag="obb"):
    """A box by centre, half extents and at most one form of rotation."""


class ParallelepipedPrimitive(SkewBoxFields, frozen=True, kw_only=True, tag_field="type", tag="parallelepiped"):
    """A box by one vertex and three edges from it, of any directions."""


class TrianglePrimitive(TriangleFields, frozen=True, kw_only=True, tag_field="type", tag="triangle"):
    """A triangle by its three vertices; counter-clockwise is the front."""


class PlanePrimitive(Item, frozen=True, kw_only=True, tag_field="type", tag="plane"):
    """The points with dot(normal, p) = offset; the normal need not be unit."""

    normal: Vec3
    offset: float

    @cached_property
    def shape(self) -> Plane:
        """The plane."""
        return forms.plane(self.normal, self.offset)


class HalfSpace(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The points with dot(normal, p) <= offset."""

    normal: Vec3
    offset: float


class PolyhedronPrimitive(Item, frozen=True, kw_only=True, tag_field="type", tag="polyhedron"):
    """A convex set by its `planes`, inside being dot(normal, p) <= offset, or by its `vertices`."""

    either = (("planes",), ("vertices",))

    planes: Annotated[tuple[HalfSpace, ...], Meta(min_length=1)] | UnsetType = UNSET
    vertices: Annotated[tuple[Vec3, ...], Meta(min_length=1)] | UnsetType = UNSET

    @cached_property
    def shape(self) -> Polyhedron:
        """The polyhedron; planes that leave nothing are a Fault."""
        if self.planes is not UNSET:
            return forms.polyhedron([(plane.normal, plane.offset) for plane in self.planes])
        assert self.vertices is not UNSET
        return Polyhedron(vertices=self.vertices)


class PointProbe(Item, frozen=True, kw_only=True, tag_field="type", tag="point"):
    """A single point."""

    position: Vec3
    enabled: bool = True

    @cached_property
    def shape(self) -> Point:
        """The point."""
        return Point(self.position)


class SegmentProbe(Item, frozen=True, kw_only=True, tag_field="type", tag="segment"):
    """A segment by its two ends."""

    start: Vec3
    end: Vec3
    enabled: bool = True

    @cached_property
    def shape(self) -> Segment:
        """The segment."""
        return Segment(self.start, self.end)


class RayProbe(Item, frozen=True, kw_only=True, tag_field="type", tag="ray"):
    """A ray by its origin and a direction of any length."""

    origin: Vec3
    direction: Vec3
    enabled: bool = True

    @cached_property
    def shape(self) -> Ray:
        """The ray."""
        return Ray(self.origin, self.direction)


class LineProbe(Item, frozen=True, kw_only=True, tag_field="type", tag="line"):
    """A line by a point and a direction of any length."""

    origin: Vec3
    direction: Vec3
    enabled: bool = True

    @cached_property
    def shape(self) -> Line:
        """The line."""
        return Line(self.origin, self.direction)


class TriangleProbe(TriangleFields, frozen=True, kw_only=True, tag_field="type", tag="triangle"):
    """A triangle that is dragged."""

    enabled: bool = True


class AabbProbe(AabbFields, frozen=True, kw_only=True, tag_field="type", tag="aabb"):
    """An axis-aligned box that is dragged."""

    enabled: bool = True


class ObbProbe(ObbFields, frozen=True, kw_only=True, tag_field="type", tag="obb"):
    """An oriented box that is dragged."""

    enabled: bool = True


class ParallelepipedProbe(SkewBoxFields, frozen=True, kw_only=True, tag_field="type", tag="parallelepiped"):
    """A parallelepiped that is dragged."""

    enabled: bool = True


AnyPrimitive: TypeAlias = (
    AabbPrimitive
    | ObbPrimitive
    | ParallelepipedPrimitive
    | TrianglePrimitive
    | PlanePrimitive
    | PolyhedronPrimitive
)
AnyProbe: TypeAlias = (
    PointProbe | SegmentProbe | RayProbe | LineProbe | TriangleProbe | AabbProbe | ObbProbe | ParallelepipedProbe
)

PRIMITIVES: dict[str, type[Item]] = {kind.__struct_config__.tag: kind for kind in get_args(AnyPrimitive)}
"""The struct of each type word of a primitive."""
PROBES: dict[str, type[Item]] = {kind.__struct_config__.tag: kind for kind in get_args(AnyProbe)}
"""The struct of each type word of a probe."""

State: TypeAlias = Literal["apart", "coplanar", "inside", "touching", "crossing"]
Side: TypeAlias = Literal["front", "back", "on", "both"]
Up: TypeAlias = Literal["y", "z"]
MethodCall: TypeAlias = Annotated[
    dict[str, Any],
    Meta(
        extra_json_schema={
            "required": ["name"],
            "properties": {"name": {"type": "string"}},
            "additionalProperties": {"type": ["number", "string", "boolean"]},
        }
    ),
]
MethodChoice: TypeAlias = str | MethodCall
"""A method's name, or an object with `name` and the method's named arguments (numbers or booleans)."""


class Expectation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is expected of one pair (`primitive`) or of all hits of a probe (`hits`); null asserts null."""

    answers: ClassVar[tuple[str, ...]] = (
        "hit",
        "t_enter",
        "t_exit",
        "point",
        "normal",
        "distance",
        "state",
        "side",
    )
    """The fields that a pair's verdict is compared with."""

    probe: str
    primitive: str | UnsetType = UNSET
    hits: tuple[str, ...] | UnsetType = UNSET
    hit: bool | UnsetType = UNSET
    t_enter: float | UnsetType | None = UNSET
    t_exit: float | UnsetType | None = UNSET
    point: Vec3 | UnsetType | None = UNSET
    normal: Vec3 | UnsetType | None = UNSET
    distance: float | UnsetType | None = UNSET
    state: State | UnsetType | None = UNSET
    side: Side | UnsetType | None = UNSET
    tolerance: NotNegative = 1e-9
    method: MethodChoice | UnsetType = UNSET
    why: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise a Fault, its path relative to the expectation, where it checks nothing or two things."""
        answers = [name for name in self.answers if getattr(self, name) is not UNSET]
        if (self.primitive is UNSET) == (self.hits is UNSET):
            found = "none of them" if self.hits is UNSET else "both"
            raise Fault((), 'either "primitive" or "hits"', found)
        if self.primitive is not UNSET and not answers:
            raise Fault((), f"something to check ({', '.join(self.answers)})", "nothing")
        if self.hits is not UNSET and answers:
            expected = f'"primitive" beside {_names(answers[:1])}'
            raise Fault((answers[0],), expected, '"hits"', at_key=True)


class Camera(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where the picture is taken from; lengths in scene units, `fov_deg` is vertical."""

    eye: Vec3
    target: Vec3
    fov_deg: Annotated[float, Meta(gt=0, lt=180)] = 45.0

    def __post_init__(self) -> None:
        """Raise a Fault where the camera looks nowhere."""
        if self.eye == self.target:
            raise Fault(("target",), "a point other than eye", json.dumps(self.target))


class View(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How the scene is shown; never changes a verdict."""

    up: Up = "y"
    camera: Camera | None = None


class Scene(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """A whole scene file."""

    schema: str | UnsetType = field(default=UNSET, name="$schema")
    version: Literal[1]
    name: str = ""
    description: str = ""
    primitives: tuple[AnyPrimitive, ...]
    probes: tuple[AnyProbe, ...]
    methods: dict[str, MethodChoice] = {}
    expect: tuple[Expectation, ...] = ()
    view: View = View()

    def __post_init__(self) -> None:
        """Raise a Fault where ids clash or an expectation names none."""
        _check_ids("primitives", self.primitives, self.primitive_ids)
        _check_ids("probes", self.probes, self.probe_ids)
        for pair, choice in self.methods.items():
            _check_choice(pair, choice, ("methods", pair))
        probes = dict(zip(self.probe_ids, self.probes, strict=True))
        primitives = dict(zip(self.primitive_ids, self.primitives, strict=True))
        for i, expectation in enumerate(self.expect):
            if expectation.probe not in probes:
                path: Path = ("expect", i, "probe")
                raise Fault.unknown(path, "the id of a probe", self.probe_ids, expectation.probe)
            if expectation.primitive is not UNSET:
                named: list[tuple[Path, str]] = [(("expect", i, "primitive"), expectation.primitive)]
            else:
                hits = expectation.hits or ()
                named = [(("expect", i, "hits", j), hit) for j, hit in enumerate(hits)]
            for path, name in named:
                if name not in primitives:
                    raise Fault.unknown(path, "the id of a primitive", self.primitive_ids, name)
            if expectation.method is not UNSET:
                # Of `hits` the method is asked about every primitive, not only about those that are named.
                asked = {item.word for item in self.primitives}
                if expectation.primitive is not UNSET:
                    asked = {primitives[expectation.primitive].word}
                for word in sorted(asked):
                    pair = f"{probes[expectation.probe].word}_{word}"
                    _check_choice(pair, expectation.method, ("expect", i, "method"))

    @cached_property
    def primitive_ids(self) -> tuple[str, ...]:
        """The id of each primitive, in file order: the file's or the default TYPE-POSITION."""
        return _ids(self.primitives)

    @cached_property
    def probe_ids(self) -> tuple[str, ...]:
        """The id of each probe, in file order: the file's or the default TYPE-POSITION."""
        return _ids(self.probes)


def _names(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(map(quoted, names))


def _ids(items: tuple[Item, ...]) -> tuple[str, ...]:
    return tuple(item.id or f"{item.word}-{i}" for i, item in enumerate(items))


def _check_ids(key: str, items: tuple[Item, ...], ids: tuple[str, ...]) -> None:
    if len(set(ids)) == len(ids):
        return
    seen: dict[str, int] = {}
    for j, name in enumerate(ids):
        i = seen.setdefault(name, j)
        if i != j:
            # Of an id and a default that are equal, the written id is the wrong one.
            wrong, other = (j, i) if items[j].id else (i, j)
            origin = "the id" if items[other].id else "the default id"
            found = f"{quoted(name)}, {origin} of {json_path((key, other))}"
            raise Fault((key, wrong, "id"), f"an id that no other of the {key} has", found)


def _check_choice(pair: str, choice: MethodChoice, path: Path) -> None:
    try:
        choose(pair, choice)
    except Fault as fault:
        raise fault.below(path) from None

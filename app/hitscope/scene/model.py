"""The content of a scene file as immutable values: one struct per type word, one field per key.

Every value is checked, loaded from a file or not, and raises Fault where it contradicts the format.
A new type is a struct in `items`, in SinglePrimitive or SingleProbe there, and a shape in `geometry.shapes`.
"""

import json
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, cast, get_args

from msgspec import UNSET, Meta, UnsetType, field
from msgspec.structs import force_setattr, replace

from hitscope import numerals
from hitscope.errors import Fault, faults_below, quoted
from hitscope.geometry.registry import choose
from hitscope.geometry.shapes import Vec3
from hitscope.scene.bulk import Bulk, BulkPrimitive, BulkProbe
from hitscope.scene.checked_fields import CheckedFields
from hitscope.scene.items import Item, NotNegative, SinglePrimitive, SingleProbe, names
from hitscope.scene.named_items import NamedItems
from hitscope.scene.save import save

AnyPrimitive: TypeAlias = SinglePrimitive | BulkPrimitive

AnyProbe: TypeAlias = SingleProbe | BulkProbe

PRIMITIVES: dict[str, type[Item]] = {kind.__struct_config__.tag: kind for kind in get_args(AnyPrimitive)}
"""The struct of each type word of a primitive."""
PROBES: dict[str, type[Item]] = {kind.__struct_config__.tag: kind for kind in get_args(AnyProbe)}
"""The struct of each type word of a probe."""
STRUCTS = {"primitive": PRIMITIVES, "probe": PROBES}
"""The structs of each role."""

PairState: TypeAlias = Literal["apart", "coplanar", "inside", "touching", "crossing"]
Side: TypeAlias = Literal["front", "back", "on", "both"]
Up: TypeAlias = Literal["y", "z"]
Precision: TypeAlias = Literal["f32", "f64"]
Boundary: TypeAlias = Literal["closed", "open", "either"]
PRECONDITION = "^(unit-direction|non-degenerate|max-coordinate=[0-9]+([.][0-9]+)?(e[+-]?[0-9]+)?)$"
Precondition: TypeAlias = Annotated[str, Meta(pattern=PRECONDITION)]
"""Requirements of users' own code on the pairs that it is called on."""
MapAspect: TypeAlias = Literal["agreement", "verdict", "differences", "t", "feature", "line"]
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
Decider: TypeAlias = Annotated[
    str, Meta(pattern="^(face|edge|vertex|interior|plane|nearest points|start|end|origin|position|direction)")
]
"""The beginning of the name of a feature or axis as `exact.witness` gives it, such as "edge cross edge"."""


class Tolerance(CheckedFields, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The difference that is allowed between numbers: absolute + relative * |expected|, of each component."""

    absolute: NotNegative = 1e-9
    relative: NotNegative = 0.0


class Expectation(CheckedFields, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The expected verdict of one pair (`primitive`) or of all hits of a probe (`hits`); null asserts null."""

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
    state: PairState | UnsetType | None = UNSET
    side: Side | UnsetType | None = UNSET
    tolerance: NotNegative | Tolerance | UnsetType = UNSET
    """The scene's unless given; a number is absolute."""
    method: MethodChoice | UnsetType = UNSET
    why: str | UnsetType = UNSET

    @property
    def method_name(self) -> str:
        """The name of the method that it is of; empty for the one that decides."""
        method = self.method or ""
        return method if isinstance(method, str) else str(method["name"])

    @property
    def only_hit(self) -> bool:
        """Whether nothing but `hit` is expected: then `primitive` and `probe` may be whole bulk items."""
        for name in self.answers[1:]:  # all() of a generator takes three times as long, and a check asks often
            if getattr(self, name) is not UNSET:
                return False
        return True

    @property
    def why_single(self) -> str:
        """The reason, for a message, why neither may be a whole bulk item; "" where both may."""
        return "" if self.only_hit else 'to expect more than "hit"'

    def __post_init__(self) -> None:
        """Raise Fault, its path relative to the expectation, where it checks nothing or two things."""
        super().__post_init__()
        answers = [name for name in self.answers if getattr(self, name) is not UNSET]
        if (self.primitive is UNSET) == (self.hits is UNSET):
            found = "none of them" if self.hits is UNSET else "both"
            raise Fault((), 'either "primitive" or "hits"', found)
        if self.primitive is not UNSET and not answers:
            raise Fault((), f"something to check ({', '.join(self.answers)})", "nothing")
        if self.hits is not UNSET and answers:
            expected = f'"primitive" beside {names(answers[:1])}'
            raise Fault((answers[0],), expected, '"hits"', at_key=True)


class FileCamera(CheckedFields, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where the picture is taken from; lengths in scene units, `fov_deg` is vertical."""

    eye: Vec3
    target: Vec3
    fov_deg: Annotated[float, Meta(gt=0, lt=180)] = 45.0

    def __post_init__(self) -> None:
        """Raise Fault where the eye is at the target."""
        super().__post_init__()
        if self.eye == self.target:
            raise Fault(("target",), "a point other than eye", json.dumps(self.target))


class FileMap(CheckedFields, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The map that a scene opens with: what methods answer for every position of a handle."""

    handle: Annotated[str, Meta(pattern=r".\..")]
    """ID.NAME of a probe or primitive, such as "cut.end"."""
    scale: Annotated[float, Meta(gt=0)] | None = None
    """Scene units a pixel; as large as the picture unless given."""
    methods: tuple[str, ...] = ()
    """The methods side by side; those of the pair unless given."""
    show: MapAspect = "agreement"


class FileView(CheckedFields, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How the scene is shown; never changes a verdict."""

    up: Up = "y"
    camera: FileCamera | None = None
    hierarchy: Annotated[int, Meta(ge=0)] | None = None
    """The level of the hierarchies over the primitives that is shown, 0 being the one box around everything."""
    map: FileMap | None = None


class FileJudging(CheckedFields, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How users' own code was judged that a scene shows at fault, and how it is when it is checked again."""

    float: Precision = "f64"
    """The precision that it is given the numbers in."""
    boundary: Boundary = "closed"
    """With open, touching and coplanar pairs are misses; with either they are neither right nor wrong."""
    slack: NotNegative = 0.0
    """A wrong verdict counts only where the pair is further than so many of its ulps from the other answer."""
    t_tolerance: tuple[NotNegative, NotNegative] = (8.0, 0.0)
    """A t is wrong beyond so many ulps and so many scene units along the probe."""
    require: tuple[Precondition, ...] = ()
    """A pair that does not meet all of these is neither right nor wrong."""


class Named(CheckedFields, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A probe, a primitive, or one of each, by `ID` or `ID[i]`."""

    probe: str | UnsetType = UNSET
    primitive: str | UnsetType = UNSET

    @property
    def why_single(self) -> str:
        """The reason, for a message, why neither may be a whole bulk item; "" where both may."""
        return ""

    def __post_init__(self) -> None:
        """Raise Fault where neither is named."""
        super().__post_init__()
        if self.probe is UNSET and self.primitive is UNSET:
            raise Fault((), '"probe", "primitive" or both', "neither")


class Condition(Named, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The condition that solves a step of a lesson: all of its `parts` that are given.

    All but `selected` are about a pair. `decided_by` is how the name of the feature begins that decides it by
    exact geometry, or of the axis or one of its two features; `method` is the deciding one.
    """

    parts: ClassVar[tuple[str, ...]] = ("selected", "hit", "state", "t_enter_between", "decided_by", "method")
    """The fields that are conditions, in the order in which people see them."""

    hit: bool | UnsetType = UNSET
    state: PairState | UnsetType = UNSET
    decided_by: Decider | UnsetType = UNSET
    t_enter_between: tuple[float, float] | UnsetType = UNSET
    selected: bool | UnsetType = UNSET
    method: MethodChoice | UnsetType = UNSET

    @property
    def given(self) -> tuple[str, ...]:
        """The `parts` that are given."""
        return tuple(name for name in self.parts if getattr(self, name) is not UNSET)

    @property
    def about_elements(self) -> bool:
        """Whether it is about a single pair: then `primitive` and `probe` may not be whole bulk items."""
        return not {"selected", "hit", "method"}.issuperset(self.given)

    @property
    def why_single(self) -> str:
        return 'for more than "hit", "method" and "selected"' if self.about_elements else ""

    def __post_init__(self) -> None:
        """Raise Fault, its path relative to the condition, where it asks nothing, or of half a pair."""
        super().__post_init__()
        if not self.given:
            raise Fault((), f"something to reach ({', '.join(self.parts)})", "nothing")
        of_pair = [name for name in self.given if name != "selected"]
        if of_pair and (self.probe is UNSET or self.primitive is UNSET):
            missing = "primitive" if self.primitive is UNSET else "probe"
            raise Fault((of_pair[0],), f"{quoted(missing)} beside it", "none", at_key=True)
        if self.t_enter_between is not UNSET and self.t_enter_between[0] > self.t_enter_between[1]:
            found = json.dumps(self.t_enter_between)
            raise Fault(("t_enter_between",), "the least t before the greatest", found)


class LessonStep(CheckedFields, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A step of a lesson: what it says, and what must hold before the next one."""

    say: Annotated[str, Meta(min_length=1)]
    until: Literal["continue"] | Condition
    """The condition; "continue" where there is only something to read."""
    view: FileView | None = None
    """The view with which the step begins; its `up` is always the scene's."""
    select: Named | None = None
    """The selection when the step begins."""


class Scene(CheckedFields, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """A whole scene file.

    `hitscope.scene` makes one of shapes, `hitscope.load` of a file, and `hitscope.save` writes it to a file. It is
    immutable; a notebook shows its picture.

    >>> import hitscope
    >>> made = hitscope.scene({"ground": hitscope.Plane((0, 0, 1), 0)}, [hitscope.Point((0, 0, 1))])
    >>> made.primitive_ids, made.probe_ids, made.primitives[0].shape
    (('ground',), ('point-0',), Plane(normal=(0.0, 0.0, 1.0), offset=0.0))
    """

    schema: str | UnsetType = field(default=UNSET, name="$schema")
    version: Literal[1]
    name: str = ""
    description: str = ""
    primitives: tuple[AnyPrimitive, ...]
    probes: tuple[AnyProbe, ...]
    methods: dict[str, MethodChoice] = field(default_factory=dict)
    tolerance: NotNegative | Tolerance | UnsetType = UNSET
    """The tolerance of all expectations without one of their own; a number is absolute."""
    expect: tuple[Expectation, ...] = ()
    judged: FileJudging | UnsetType = UNSET
    view: FileView = FileView()
    lesson: tuple[LessonStep, ...] = ()
    """The steps of the lesson that the viewer gives with the scene; they change nothing that is checked."""

    def __post_init__(self) -> None:
        """Raise Fault for ids that clash, and for expectations and steps of a lesson with unknown ids.

        The ids are kept with the tuples of items, so that an edit looks up only the items that it changed.
        """
        super().__post_init__()
        for key in ("primitives", "probes"):
            items = getattr(self, key)
            if not self._is_checked(key, items):
                force_setattr(self, key, NamedItems(key, items))
        for pair, choice in self.methods.items():
            with faults_below(("methods", pair)):
                choose(pair, choice)
        for i, expectation in enumerate(self.expect):
            with faults_below(("expect", i)):
                self._check(expectation)
        if self.view.map is not None:
            name = self.view.map.handle.rpartition(".")[0]
            known = {*self.primitive_ids, *self.probe_ids}
            if name not in known:
                expected = "a handle, ID.NAME, of a probe or primitive"
                raise Fault.unknown(("view", "map", "handle"), expected, sorted(known), name)
        for i, step in enumerate(self.lesson):
            for key, named in (("until", step.until), ("select", step.select)):
                if isinstance(named, Named):
                    with faults_below(("lesson", i, key)):
                        self._check(named)

    def show(self, block: bool = False) -> None:
        """Open the viewer on a copy of the scene, in a process of its own, and return at once.

        With `block`, return when its window is closed. The window stays open when the script or the notebook ends;
        what is changed in it changes nothing here: save it there, and load the file. Raises HitscopeError where
        there is no display, and where a package is missing; with `block` also where no window opens.
        """
        from hitscope.scene import showing

        showing.show(lambda folder: save(self.with_files_in(folder), folder / showing.NAME), block)

    def with_files_in(self, folder: FilePath) -> "Scene":
        """Return a scene with the same elements that refers only to files in a folder, which are written."""
        from hitscope.scene.showing import with_files_in

        primitives = with_files_in(folder, "primitive", self.named_primitives)
        return replace(self, primitives=primitives, probes=with_files_in(folder, "probe", self.named_probes))

    def _repr_html_(self) -> str:
        """Return the picture of the scene, and its primitives and probes; without OpenGL these alone."""
        from hitscope import notebook

        items = notebook.table_of(self._named_items(), len(self.primitives) + len(self.probes))
        return notebook.picture_of(self) + notebook.paragraph(self._words) + items

    def __repr__(self) -> str:
        return f"<Scene {self._words}>"

    @property
    def _words(self) -> str:
        counts = ((len(self.primitives), "primitive"), (len(self.probes), "probe"))
        words = ", ".join(numerals.counted(count, word) for count, word in counts)
        return f"{self.name}: {words}" if self.name else words

    def _named_items(self) -> Iterator[dict[str, Any]]:
        for role, items in (("primitive", self.named_primitives), ("probe", self.named_probes)):
            for name, item in zip(items.ids, items, strict=True):
                size = len(item.shapes) if isinstance(item, Bulk) else 1
                yield {"id": name, "is a": role, "type": item.word, "elements": size}

    @property
    def judging(self) -> FileJudging:
        """How a target is judged that decides pairs of the scene."""
        return self.judged or FileJudging()

    def _is_checked(self, name: str, value: Any) -> bool:
        return isinstance(value, NamedItems) and value.key == name

    @property
    def named_primitives(self) -> NamedItems:
        """The primitives with their ids."""
        return cast(NamedItems, self.primitives)

    @property
    def named_probes(self) -> NamedItems:
        """The probes with their ids."""
        return cast(NamedItems, self.probes)

    @property
    def primitive_ids(self) -> tuple[str, ...]:
        """The id of each primitive, in file order: the file's or the default TYPE-INDEX."""
        return self.named_primitives.ids

    @property
    def probe_ids(self) -> tuple[str, ...]:
        """The id of each probe, in file order: the file's or the default TYPE-INDEX."""
        return self.named_probes.ids

    def _check(self, named: Expectation | Named) -> None:
        """Raise Fault, its path relative to what names them, for an unknown name and for several elements."""
        found: list[Item] = []
        for key, items in (("probe", self.named_probes), ("primitive", self.named_primitives)):
            if (name := getattr(named, key)) is not UNSET:
                item, element = items.find(name, (key,), f"a {key}")
                if isinstance(item, Bulk) and element is None and (why := named.why_single):
                    expected = f"one element, e.g. {quoted(f'{name}[0]')}, {why}"
                    raise Fault((key,), expected, f"{quoted(name)}, all its elements")
                found.append(item)
        for j, name in enumerate(getattr(named, "hits", ()) or ()):
            self.named_primitives.find(name, ("hits", j), "a primitive")
        if (method := getattr(named, "method", UNSET)) is not UNSET:
            # The method of `hits` runs for every primitive, not only for those that are named.
            words = {item.element_word for item in (found[1:] or self.primitives)}
            with faults_below(("method",)):
                for word in sorted(words):
                    choose(f"{found[0].element_word}_{word}", method)

"""One pair's verdict: the deciding method's answer beside the facts of exact geometry."""

from __future__ import annotations  # so that signatures are short in help()

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from math import isfinite
from typing import Any, TypeAlias

from hitscope.errors import ArgumentFault, Fault, Path, shown
from hitscope.float_mode import in_default_mode
from hitscope.geometry import exact, shapes, traits, vector
from hitscope.geometry.kinds import listed
from hitscope.geometry.registry import Chosen, checked_arguments, method_of, pair_of
from hitscope.geometry.shapes import PRIMITIVES, PROBES, Shape, Vec3, in_floats, word

Answer: TypeAlias = float | Vec3 | str | None


@dataclass(frozen=True)
class Verdict:
    """The verdict of one pair; None where the deciding method gives no answer.

    `hit`, `t_enter`, `t_exit`, `point` and `normal` are the deciding method's; `state`, `side` and `distance`
    are exact geometry's. t is a fraction of the given vector, a distance a length in scene units, a normal unit.

    `answered` is all that the deciding method itself answered beside `hit`, of a miss too, by the names of the
    catalogue of methods: its own `distance`, the `feature` that decided, by its name, or an `axis` (unit) that
    separates the two and the `gap` along it in scene units.

    >>> from hitscope import Aabb, Segment, intersect
    >>> verdict = intersect(Segment((0, 0, 0), (4, 0, 0)), Aabb((1, -1, -1), (2, 1, 1)))
    >>> verdict.hit, verdict.t_enter, verdict.t_exit, verdict.point, verdict.normal, verdict.state
    (True, 0.25, 0.5, (1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), 'crossing')
    """

    probe: str
    primitive: str
    method: str
    hit: bool
    state: str
    side: str | None
    t_enter: float | None
    t_exit: float | None
    point: Vec3 | None
    normal: Vec3 | None
    answered: Mapping[str, Answer] = field(hash=False)
    shapes: tuple[Shape, Shape] = field(repr=False, compare=False)

    def __bool__(self) -> bool:
        """Whether the deciding method found a hit."""
        return self.hit

    @cached_property
    @in_default_mode
    def distance(self) -> float:
        """The exact distance, whatever the method; of a point and a solid or plane it is signed. Computed once."""
        return exact.distance(*self.shapes)

    def _repr_html_(self) -> str:
        from hitscope import notebook

        parts = self.as_dict()
        del parts["answered"]
        shown = {item.name for item in fields(self)}
        parts |= {f"own {name}": part for name, part in self.answered.items() if name not in shown}
        return notebook.table(("", ""), parts.items())

    def as_dict(self) -> dict[str, Any]:
        """The verdict as `hitscope eval --json` prints it."""
        parts = {item.name: getattr(self, item.name) for item in fields(self) if item.name != "shapes"}
        return {**parts, "distance": self.distance}


def intersect(probe: Shape, primitive: Shape, method: str = "exact", **arguments: Any) -> Verdict:
    """Decide one pair of shapes; the ids of the verdict are the shapes' type words.

    `arguments` are the method's named arguments. Raises HitscopeError for shapes that are no probe and primitive,
    for an unknown method or argument, and for a number that is not finite.

    >>> from hitscope import Aabb, Ray, intersect
    >>> box = Aabb((1, -1, -1), (2, 1, 1))
    >>> if intersect(Ray((0, 0, 0), (1, 0, 0)), box):
    ...     print("hit")
    hit
    >>> intersect(Ray((0, 0, 0), (1, 0, 0)), box, method="slab_ericson", epsilon=1e-9).t_enter
    1.0
    """
    try:
        check_pair(probe, primitive)
        if not isinstance(method, str):
            raise Fault(("method",), "the name of a method", shown(method))
        entry = method_of(pair_of(probe, primitive), method, ("method",))
        chosen = Chosen(entry, checked_arguments(entry, arguments))
    except Fault as fault:
        raise ArgumentFault("intersect", fault) from None
    probe, primitive = in_floats(probe), in_floats(primitive)
    return verdict(word(probe), word(primitive), probe, primitive, chosen)


def check_pair(probe: object, primitive: object, below: Path = ()) -> None:
    """Raise a Fault, its path with `below` behind the name, unless the shapes are a probe and a primitive."""
    roles = {"probe": (PROBES, probe), "primitive": (PRIMITIVES, primitive)}
    for role, (kinds, shape) in roles.items():
        if type(shape) not in kinds.values():
            found = repr(shape) if type(shape) in (PROBES | PRIMITIVES).values() else shown(shape)
            if type(probe) in PRIMITIVES.values() and type(primitive) in PROBES.values():
                found = f"{found}: the probe comes first, then the primitive"
            raise Fault((f"{role}{'s' * bool(below)}", *below), f"a {role} ({listed(kinds.values())})", found)


@in_default_mode
def verdict(probe_id: str, primitive_id: str, probe: Shape, primitive: Shape, chosen: Chosen) -> Verdict:
    """Run a method on one pair and put exact geometry's facts beside its answer."""
    relation = exact.relation(probe, primitive)
    answer = chosen.method(probe, primitive, **chosen.arguments)
    parts = {name: part for name in chosen.method.parts if (part := getattr(answer, name)) is not None}
    answered = _answered(primitive, parts)
    return Verdict(
        probe=probe_id,
        primitive=primitive_id,
        method=chosen.method.name,
        hit=bool(answer.hit if chosen.method.parts else answer),
        state=relation.state,
        side=relation.side,
        t_enter=answered.get("t_enter"),  # type: ignore[arg-type]
        t_exit=answered.get("t_exit"),  # type: ignore[arg-type]
        point=point_at(probe, parts.get("t_enter"), primitive),
        normal=answered.get("normal"),  # type: ignore[arg-type]
        answered=answered,
        shapes=(probe, primitive),
    )


def _answered(primitive: Shape, parts: Mapping[str, Any]) -> dict[str, Answer]:
    """The parts of a method's answer, rounded, in scene units, with names for indices; None for unknown parts."""
    answered: dict[str, Answer] = {}
    for name, value in parts.items():
        if name == "feature":
            answered[name] = traits.feature_name(primitive, value)
        elif name == "gap":
            answered[name] = _gap(parts["axis"], value)
        elif isinstance(value, tuple):
            answered[name] = exact.unit(value) if all(map(_finite, value)) else None
        else:
            answered[name] = exact.rounded(value) if _finite(value) else None
    return answered


def _gap(axis: tuple[Any, Any, Any], gap: Fraction | float) -> float | None:
    """A gap along an axis of any length as a length in scene units; None of a miss that has none."""
    if not all(map(_finite, (gap, *axis))) or not any(axis):
        return None
    squared = sum((Fraction(number) ** 2 for number in axis), Fraction())
    return exact.rounded(Fraction(gap) / exact.square_root(squared))


def point_at(probe: Shape, t: Fraction | float | None, primitive: Shape) -> Vec3 | None:
    """The exact point of a t, rounded once, of a body that moves the middle of the first contact; else None."""
    if t is None or not _finite(t):
        return None
    if isinstance(probe, shapes.Cast):
        found = exact.relation(probe, primitive)
        if found.t_enter is None or exact.rounded(found.t_enter) != exact.rounded(t):
            return None
        at = exact.contact(probe, primitive, Fraction(found.t_enter), found.normal).point
        return vector.vec3(map(exact.rounded, at))
    if not shapes.is_linear(probe):
        return None
    origin, direction, *_ = shapes.linear(shapes.rational(probe))
    return vector.vec3(exact.rounded(a + Fraction(t) * b) for a, b in zip(origin, direction, strict=True))


def _finite(number: Fraction | float) -> bool:
    return isinstance(number, Fraction | int) or isfinite(number)

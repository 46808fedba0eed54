"""One pair's verdict: the deciding method's answer beside what exact geometry says of the pair."""

from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from math import isfinite
from typing import Any

from hitscope.geometry import exact
from hitscope.geometry.registry import Chosen, choose, pair_of
from hitscope.geometry.shapes import Shape, Vec3, in_floats, is_linear, linear, rational, word


@dataclass(frozen=True)
class Verdict:
    """What is known of one pair; None where the deciding method gives no answer.

    `hit`, `t_enter`, `t_exit`, `point` and `normal` are the deciding method's; `state`, `side` and `distance`
    are exact geometry's. t is a fraction of the given vector, `distance` a length in scene units, `normal` unit.
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
    shapes: tuple[Shape, Shape] = field(repr=False, compare=False)

    @cached_property
    def distance(self) -> float:
        """The distance, signed for a point against a solid or a plane; found when it is first asked for."""
        return exact.distance(*self.shapes)

    def as_dict(self) -> dict[str, Any]:
        """Give what `hitscope eval --json` prints."""
        answers = {item.name: getattr(self, item.name) for item in fields(self) if item.name != "shapes"}
        return {**answers, "distance": self.distance}


def intersect(probe: Shape, primitive: Shape, method: str = "exact", **arguments: Any) -> Verdict:
    """Decide one pair of shapes; the ids of the verdict are the shapes' type words.

    Vectors may be any sequences of three numbers. `arguments` are the method's named arguments. Raises
    HitscopeError for an unknown method or argument, and for a number that is not finite.
    """
    probe, primitive = in_floats(probe), in_floats(primitive)
    chosen = choose(pair_of(probe, primitive), {"name": method, **arguments})
    return verdict(word(probe), word(primitive), probe, primitive, chosen)


def verdict(probe_id: str, primitive_id: str, probe: Shape, primitive: Shape, chosen: Chosen) -> Verdict:
    """Ask a method about one pair and put exact geometry's facts beside its answer."""
    relation = exact.relation(probe, primitive)
    answer = ask(probe, primitive, chosen)
    t_enter = answer.get("t_enter")
    return Verdict(
        probe=probe_id,
        primitive=primitive_id,
        method=chosen.method.name,
        hit=answer["hit"],
        state=relation.state,
        side=relation.side,
        t_enter=_parameter(t_enter),
        t_exit=_parameter(answer.get("t_exit")),
        point=_point(probe, t_enter),
        normal=_normal(answer.get("normal")),
        shapes=(probe, primitive),
    )


def ask(probe: Shape, primitive: Shape, chosen: Chosen) -> dict[str, Any]:
    """Run a method and name what it answers; of a miss there is only `hit`."""
    answer = chosen.method(probe, primitive, **chosen.arguments)
    hit, *rest = answer if isinstance(answer, tuple) else (answer,)
    return {"hit": bool(hit), **(dict(zip(chosen.method.answers, rest, strict=True)) if hit else {})}


def _parameter(t: Fraction | float | None) -> float | None:
    """Round a t to float64; without a bound, or not a number, it is None."""
    return None if t is None or not _finite(t) else exact.rounded(t)


def _point(probe: Shape, t: Fraction | float | None) -> Vec3 | None:
    """Give the exact point of a t, rounded once."""
    if t is None or not _finite(t) or not is_linear(probe):
        return None
    origin, direction, *_ = linear(rational(probe))
    x, y, z = (exact.rounded(a + Fraction(t) * b) for a, b in zip(origin, direction, strict=True))
    return x, y, z


def _normal(vector: tuple[Any, Any, Any] | None) -> Vec3 | None:
    return None if vector is None or not all(map(_finite, vector)) else exact.unit(vector)


def _finite(number: Fraction | float) -> bool:
    return isinstance(number, Fraction | int) or isfinite(number)

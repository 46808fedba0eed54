"""Verdicts in words, of exact geometry's facts; where the deciding method differs, its answer comes first."""

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from hitscope.evaluate.verdict import Verdict
from hitscope.geometry import exact, kinds, vector
from hitscope.geometry.shapes import Line, Ray, Segment, Shape, is_linear, word
from hitscope.numerals import SHORT, digits_apart, label, typeset, typeset_name

STATES = {
    "apart": "no common point",
    "coplanar": "the primitive is flat and the probe lies wholly in its plane",
    "inside": "the probe is or starts in the open interior",
    "touching": "they have common points, but their interiors do not meet",
    "crossing": "their interiors meet",
}
LONG_NAME = 24
"""A name of more characters is cut to about this length inside a sentence."""
UP_AXES = {"x": 0, "y": 1, "z": 2}
AXIS_SIGNS = {"edge cross edge": " × ", "nearest points": " and "}
"""The sign between the features of probe and primitive that an axis comes from."""


class Decider(NamedTuple):
    """The feature or axis that decides a pair, as text."""

    brief: str
    whole: str
    along: str = ""
    """The kind of `gap` along the axis, "gap" or "overlap"; empty for an entry."""
    gap: float = 0.0


def hit_or_miss(hit: bool) -> str:
    return "hit" if hit else "miss"


def shortened(name: str) -> str:
    """Return a name in a sentence, a long one cut in the middle."""
    return f"{name[: LONG_NAME // 2]}…{name[-LONG_NAME // 2 :]}" if len(name) > LONG_NAME else name


def contradiction(verdict: Verdict) -> str:
    """Return the deciding method's answer and exact geometry's where they differ; "" where they agree."""
    if verdict.hit == (verdict.state != "apart"):
        return ""
    answer, truth = hit_or_miss(verdict.hit), hit_or_miss(not verdict.hit)
    return f"{verdict.method}: {answer}, exact: {truth} ({verdict.probe}, {verdict.primitive})"


def decider_of(verdict: Verdict, feature_text: Callable[[str], str] = str) -> Decider | None:
    """Return what decides a pair by exact geometry, in `feature_text`s; None of an entry at infinity."""
    if (witness := exact.witness(*verdict.shapes)) is None:
        return None
    return decider(witness, (verdict.probe, verdict.primitive), is_linear(verdict.shapes[0]), feature_text)


def decider(
    witness: exact.EntryFeature | exact.Axis,
    names: tuple[str, str],
    is_entry: bool,
    feature_text: Callable[[str], str] = str,
) -> Decider:
    """Return what a witness says of a probe and a primitive with these names; `is_entry`: the probe is linear."""
    probe, primitive = names
    if isinstance(witness, exact.EntryFeature):
        feature = feature_text(witness.feature)
        if witness.probe is not None:
            own = feature_text(witness.probe)
            verb = "starts at" if witness.starts else "reaches"
            return Decider(f"{own} → {feature}", f"{probe}'s {own} {verb} {primitive}'s {feature}")
        if is_entry and not witness.starts:
            return Decider(feature, f"{probe} enters {primitive} through its {feature}")
        verb, preposition = "starts" if is_entry else "lies", "in" if feature == "interior" else "on"
        return Decider(feature, f"{probe} {verb} {preposition} the {feature} of {primitive}")
    named = zip(names, (witness.probe, witness.primitive), strict=True)
    features = [(name, feature_text(said)) for name, said in named if said]
    brief, whole = [said for _, said in features], " and ".join(f"{name}'s {said}" for name, said in features)
    relation = "separated" if witness.gap > 0 else "overlapping least" if witness.gap < 0 else "touching"
    gap = "gap" if witness.gap > 0 else "overlap", abs(witness.gap)
    if witness.kind == "face normal":
        ((name, said),) = features
        return Decider(f"{said} of {name}", f"{relation} along the normal of {whole}", *gap)
    if witness.kind == "edge cross edge":
        return Decider(" × ".join(brief), f"{relation} along the cross product of {whole}", *gap)
    return Decider(" ↔ ".join(brief), f"{relation} along the line between the nearest points, {whole}", *gap)


_SPACE = re.compile(r"(?<!=)(?<!edge)(?<!face)(?<!plane)(?<!vertex) (?![=+\u2212])")
"""A space at which a line may break: not inside "t = 0.5" or "edge −x +y"."""


def unbroken(sentence: str) -> list[str]:
    """Return the parts of a sentence between which a line may break; the first one is its answer."""
    return _SPACE.split(sentence)


def sentence_of(verdict: Verdict, referee: Verdict, differs: str | None, up: str = "y") -> str:
    """Return the sentence of a verdict, with `exact` as referee, e.g. "hit: enters face −z at t = 0.7857"."""
    facts = _facts(referee, up)
    if differs is None:
        return f"{hit_or_miss(referee.hit)}: {facts}"
    if differs == "verdict":
        truth = f"{hit_or_miss(referee.hit)}, {facts}"
        return f"{hit_or_miss(verdict.hit)}, says {verdict.method}; exact disagrees: {truth}"
    way = "at" if differs == "t_enter" else "until"
    answered, right = getattr(verdict, differs), getattr(referee, differs)
    digits = SHORT if right is None else digits_apart([answered], [right])
    where = f"{way} t = {typeset(right, digits)}"
    facts = facts if where in facts else f"{where}, {facts}"
    return f"hit {way} t = {typeset(answered, digits)}, says {verdict.method}; exact disagrees: {facts}"


def _facts(referee: Verdict, up: str) -> str:
    """The facts of a pair by exact geometry, beside hit or miss."""
    if not referee.hit:
        return _of_miss(referee, up)
    if is_linear(referee.shapes[0]):
        return _of_linear_hit(referee)
    witness = exact.witness(*referee.shapes)
    if not isinstance(witness, exact.EntryFeature):
        return _of_body_hit(referee, witness)
    if witness.probe is not None:
        return _of_cast_hit(referee, witness)
    if referee.state == "inside":
        return f"lies inside, {label(-referee.distance)} deep"
    return f"lies on {_feature(witness.feature, referee.shapes[1])}"


def _of_cast_hit(referee: Verdict, witness: exact.EntryFeature) -> str:
    if referee.state == "inside":
        return "overlaps it at the start"
    feature = _feature(witness.feature, referee.shapes[1])
    if witness.starts:
        leaves = ", and leaves at once" if referee.t_exit == 0 else ""
        return f"touches {feature} at the start{leaves}"
    verb = "grazes" if referee.state == "touching" else "reaches"
    return f"{verb} {feature} with its {typeset_name(witness.probe or '')} at t = {label(referee.t_enter)}"


def _of_linear_hit(referee: Verdict) -> str:
    primitive, witness = referee.shapes[1], exact.witness(*referee.shapes)
    state, enter, leave = referee.state, referee.t_enter, referee.t_exit
    its_plane = "the plane" if exact.is_plane(primitive) else "its plane"
    if not isinstance(witness, exact.EntryFeature):
        verb = {"touching": "touches it", "coplanar": f"lies in {its_plane}"}.get(state, "runs inside it")
        return f"{verb} all along" if leave is None else f"{verb} until t = {label(leave)}"
    if state == "inside":
        return "starts inside"
    if state == "coplanar" and exact.is_plane(primitive):
        return "lies in the plane"
    feature, at = _feature(witness.feature, primitive), f"at t = {label(enter)}"
    if state == "touching":
        if leave is None or leave == enter:
            return f"touches {feature} at its start" if witness.starts else f"touches {feature} {at}"
        along = _feature(_feature_between(referee), primitive)
        return f"touches {along}, from t = {label(enter)} to t = {label(leave)}"
    before = f"lies in {its_plane}, " if state == "coplanar" else ""
    if witness.starts:
        return f"{before}starts on {feature}"
    crosses = not before and exact.dimension(primitive) < 3
    return f"{before}{'crosses' if crosses else 'enters'} {feature} {at}"


def _feature_between(referee: Verdict) -> str:
    """The feature of the primitive that a linear probe runs along, from where it enters to where it leaves."""
    probe, primitive = referee.shapes
    assert is_linear(probe)
    relation = exact.relation(probe, primitive)
    assert relation.t_enter is not None and relation.t_exit is not None
    middle = (Fraction(relation.t_enter) + Fraction(relation.t_exit)) / 2
    return exact.boundary_at(primitive, exact.linear_probe(probe).at(middle))


def _of_body_hit(referee: Verdict, witness: exact.Axis | None) -> str:
    probe, primitive = referee.shapes
    plane = exact.is_plane(primitive)
    if referee.state == "coplanar":
        return "lies in the plane" if plane else "overlaps, in the same plane"
    if referee.state == "touching":
        return "touches it" if witness is None else f"touches {_axis(referee, witness)}"
    if plane and witness:
        return f"crosses the plane, {label(-witness.gap)} deep"
    if exact.contains(primitive, probe):
        return "lies wholly inside"
    if exact.contains(probe, primitive):
        return "encloses all of it"
    if witness is None:
        return "overlaps it"
    way = "from" if witness.kind == "nearest points" else "along"
    return f"overlaps by {label(-witness.gap)}, least {way} {_axis(referee, witness)}"


def _of_miss(referee: Verdict, up: str) -> str:
    probe, primitive = referee.shapes
    distance = f"distance {label(abs(referee.distance))}"
    witness = exact.witness(probe, primitive)
    assert isinstance(witness, exact.Axis)
    if exact.is_plane(primitive):
        ahead = vector.dot(witness.vector, exact.normals(primitive)[0].vector) > 0
        return f"{'in front of' if ahead else 'behind'} the plane, {distance}"
    if not is_linear(probe) and exact.dimension(probe) > 0:
        verb, length = {"nearest points": ("nearest", "distance")}.get(witness.kind, ("separated by", "gap"))
        return f"{verb} {_axis(referee, witness)}, {length} {label(witness.gap)}"
    if is_linear(probe) and (beyond := _beyond_an_end(probe, primitive)):
        return f"{beyond}, {distance}"
    # A probe along a face is nearest to all of it, not only to the point found first.
    by_face = witness.kind == "face normal" and witness.primitive is not None
    is_nearest = by_face and math.isclose(witness.gap, abs(referee.distance), rel_tol=1e-12)
    between = witness if is_nearest else exact.nearest_points_axis(probe, primitive)
    nearest = _feature(between.primitive or "", primitive)
    away = exact.unit(between.vector)
    assert away is not None
    height = away[UP_AXES[up]]
    where = "beside it" if 2 * height * height < 1 else "above" if height > 0 else "below"
    return f"{'passes' if exact.dimension(probe) > 0 else 'lies'} {where}, nearest {nearest}, {distance}"


def _beyond_an_end(probe: Segment | Ray | Line, primitive: Shape) -> str:
    """How a probe misses what its whole line hits; empty where that misses, too."""
    if (meets := exact.line_range(probe, primitive)) is None:
        return ""
    line, (enter, leave) = exact.linear_probe(probe), meets
    ahead = enter > line.t_max
    t = Fraction(enter if ahead else leave)
    feature = _feature(exact.boundary_at(primitive, line.at(t)), primitive)
    where = f"t = {label(exact.rounded(t))}"
    return f"ends before {feature}, reached at {where}" if ahead else f"starts past {feature}, left at {where}"


def _axis(referee: Verdict, axis: exact.Axis) -> str:
    """The features that an axis comes from; that of one shape alone with the name of it."""
    sides = (axis.probe, referee.probe, referee.shapes[0]), (axis.primitive, referee.primitive, referee.shapes[1])
    features = [(said, name, shape) for said, name, shape in sides if said]
    if axis.kind == "face normal":
        ((said, name, shape),) = features
        return "the plane" if exact.is_plane(shape) else f"{typeset_name(said)} of {shortened(name)}"
    is_round = any(kinds.KINDS[type(shape)].core for shape in referee.shapes)
    sign = " to " if is_round and axis.kind == "nearest points" else AXIS_SIGNS[axis.kind]
    return sign.join(typeset_name(said) for said, _, _ in features)


def _feature(feature: str, primitive: Shape) -> str:
    """A feature of a primitive in words: all of a flat one inside its edges is the shape itself."""
    if exact.is_plane(primitive):
        return "the plane"
    if feature in kinds.KINDS[type(primitive)].core_features.values():
        return f"the {feature}"
    flat = feature == "interior" and exact.dimension(primitive) < 3
    return f"the {word(primitive)}" if flat else typeset_name(feature)

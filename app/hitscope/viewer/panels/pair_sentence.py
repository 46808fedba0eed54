"""The relation of a pair in one sentence, e.g. "hit: enters face −z at t = 0.786".

The facts are exact geometry's, whatever method decides; where that differs, its answer comes first.
"""

import math
import re
from fractions import Fraction

from hitscope.evaluate import Verdict
from hitscope.evaluate.method_differences import difference_from_exact
from hitscope.geometry import exact
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.shapes import Line, Ray, Segment, Shape, Vec3, is_linear, word
from hitscope.geometry.vector import dot
from hitscope.viewer.panels.expectation_text import shortened
from hitscope.viewer.panels.pair_details import with_minus_sign
from hitscope.viewer.panels.text import number

DIGITS = 3
"""The number of significant digits of a number in the sentence; the panel shows more below."""
UP_AXES = {"x": 0, "y": 1, "z": 2}
AXIS_SIGNS = {"edge cross edge": " \u00d7 ", "nearest points": " and "}
"""The sign between the features of probe and primitive that an axis comes from."""


_SPACE = re.compile(r"(?<!=)(?<!edge)(?<!face)(?<!plane)(?<!vertex) (?![=+\u2212])")
"""A space at which a line may break: not inside "t = 0.5" or "edge −x +y"."""


def unbroken(sentence: str) -> list[str]:
    """The parts of a sentence between which a line may break; the first one is its answer."""
    return _SPACE.split(sentence)


def sentence_of(verdict: Verdict, referee: Verdict, up: str = "y") -> str:
    """The sentence of a verdict; `referee` is the verdict of `exact` on the same pair, `up` the scene's up axis.

    Where the deciding method differs from exact, the sentence says first what the method answers.
    """
    facts, differs = _facts(referee, up), difference_from_exact(verdict, referee)
    if differs is None:
        return f"{answer_of(referee)}: {facts}"
    if differs == "verdict":
        truth = f"{answer_of(referee)}, {facts}"
        return f"{answer_of(verdict)}, says {verdict.method}; exact disagrees: {truth}"
    way = "at" if differs == "t_enter" else "until"
    said, truth = _told_apart(getattr(verdict, differs), getattr(referee, differs))
    where = f"{way} t = {truth}"
    facts = facts if where in facts else f"{where}, {facts}"
    return f"hit {way} t = {said}, says {verdict.method}; exact disagrees: {facts}"


def answer_of(verdict: Verdict) -> str:
    """The word that the sentence of a verdict begins with."""
    return "hit" if verdict.hit else "miss"


def _facts(referee: Verdict, up: str) -> str:
    """The facts of a pair by exact geometry, beside hit or miss."""
    if not referee.hit:
        return _of_miss(referee, up)
    if is_linear(referee.shapes[0]):
        return _of_linear_hit(referee)
    found = exact.witness(*referee.shapes)
    return _of_point(referee, found) if isinstance(found, exact.EntryFeature) else _of_body_hit(referee, found)


def _of_point(referee: Verdict, found: exact.EntryFeature) -> str:
    if referee.state == "inside":
        return f"lies inside, {_number(-referee.distance)} deep"
    return f"lies on {_feature(found.feature, referee.shapes[1])}"


def _of_linear_hit(referee: Verdict) -> str:
    primitive, found = referee.shapes[1], exact.witness(*referee.shapes)
    state, enter, leave = referee.state, referee.t_enter, referee.t_exit
    its_plane = "the plane" if exact.is_plane(primitive) else "its plane"
    if not isinstance(found, exact.EntryFeature):
        verb = {"touching": "touches it", "coplanar": f"lies in {its_plane}"}.get(state, "runs inside it")
        return f"{verb} all along" if leave is None else f"{verb} until t = {_number(leave)}"
    if state == "inside":
        return "starts inside"
    if state == "coplanar" and exact.is_plane(primitive):
        return "lies in the plane"
    feature, at = _feature(found.feature, primitive), f"at t = {_number(enter)}"
    if state == "touching":
        if leave is None or leave == enter:
            return f"touches {feature} at its start" if found.starts else f"touches {feature} {at}"
        along = _feature(_feature_between(referee), primitive)
        return f"touches {along}, from t = {_number(enter)} to t = {_number(leave)}"
    before = f"lies in {its_plane}, " if state == "coplanar" else ""
    if found.starts:
        return f"{before}starts on {feature}"
    crosses = not before and exact.dimension(primitive) < 3
    return f"{before}{'crosses' if crosses else 'enters'} {feature} {at}"


def _feature_between(referee: Verdict) -> str:
    """The feature of the primitive that a linear probe runs along, from where it enters to where it leaves."""
    probe, primitive = referee.shapes
    assert is_linear(probe)
    found = exact.relation(probe, primitive)
    assert found.t_enter is not None and found.t_exit is not None
    middle = (Fraction(found.t_enter) + Fraction(found.t_exit)) / 2
    return exact.boundary_at(primitive, exact.linear_probe(probe).at(middle))


def _of_body_hit(referee: Verdict, found: exact.Axis | None) -> str:
    probe, primitive = referee.shapes
    plane = exact.is_plane(primitive)
    if referee.state == "coplanar":
        return "lies in the plane" if plane else "overlaps, in the same plane"
    if referee.state == "touching":
        return "touches it" if found is None else f"touches {_axis(referee, found)}"
    if plane and found:
        return f"crosses the plane, {_number(-found.gap)} deep"
    if exact.contains(primitive, probe):
        return "lies wholly inside"
    if exact.contains(probe, primitive):
        return "encloses all of it"
    if found is None:
        return "overlaps it"
    along = "from" if found.kind == "nearest points" else "along"
    return f"overlaps by {_number(-found.gap)}, least {along} {_axis(referee, found)}"


def _of_miss(referee: Verdict, up: str) -> str:
    probe, primitive = referee.shapes
    distance = f"distance {_number(abs(referee.distance))}"
    found = exact.witness(probe, primitive)
    assert isinstance(found, exact.Axis)
    if exact.is_plane(primitive):
        ahead = dot(found.vector, exact.normals(primitive)[0].vector) > 0
        return f"{'in front of' if ahead else 'behind'} the plane, {distance}"
    if not is_linear(probe) and exact.dimension(probe) > 0:
        length = "distance" if found.kind == "nearest points" else "gap"
        verb = "nearest" if found.kind == "nearest points" else "separated by"
        return f"{verb} {_axis(referee, found)}, {length} {_number(found.gap)}"
    if is_linear(probe) and (beyond := _beyond_an_end(probe, primitive)):
        return f"{beyond}, {distance}"
    # A probe along a face is nearest to all of it, not only to the point found first.
    by_face = found.kind == "face normal" and found.primitive is not None
    is_nearest = by_face and math.isclose(found.gap, abs(referee.distance), rel_tol=1e-12)
    between = found if is_nearest else exact.nearest_points_axis(probe, primitive)
    nearest = _feature(between.primitive or "", primitive)
    passes = exact.dimension(probe) > 0
    away = exact.unit(between.vector)
    assert away is not None
    return f"{'passes' if passes else 'lies'} {_whereabouts(away, up)}, nearest {nearest}, {distance}"


def _beyond_an_end(probe: Segment | Ray | Line, primitive: Shape) -> str:
    """How a probe misses what its whole line hits; empty where that misses, too."""
    meets = exact.line_range(probe, primitive)
    if meets is None:
        return ""
    line, (enter, leave) = exact.linear_probe(probe), meets
    ahead = enter > line.t_max
    t = Fraction(enter if ahead else leave)
    feature = _feature(exact.boundary_at(primitive, line.at(t)), primitive)
    where = f"t = {_number(exact.rounded(t))}"
    return f"ends before {feature}, reached at {where}" if ahead else f"starts past {feature}, left at {where}"


def _axis(referee: Verdict, axis: exact.Axis) -> str:
    """The features that an axis comes from; that of one shape alone with the name of it."""
    sides = (axis.probe, referee.probe, referee.shapes[0]), (axis.primitive, referee.primitive, referee.shapes[1])
    given = [(said, name, shape) for said, name, shape in sides if said]
    if axis.kind == "face normal":
        ((said, name, shape),) = given
        return "the plane" if exact.is_plane(shape) else f"{with_minus_sign(said)} of {shortened(name)}"
    is_round = any(KINDS[type(shape)].core for shape in referee.shapes)
    sign = " to " if is_round and axis.kind == "nearest points" else AXIS_SIGNS[axis.kind]
    return sign.join(with_minus_sign(said) for said, _, _ in given)


def _feature(feature: str, primitive: Shape) -> str:
    """A feature of a primitive in words: all of a flat one inside its edges is the shape itself."""
    if exact.is_plane(primitive):
        return "the plane"
    if feature in KINDS[type(primitive)].core_features.values():
        return f"the {feature}"
    flat = feature == "interior" and exact.dimension(primitive) < 3
    return f"the {word(primitive)}" if flat else with_minus_sign(feature)


def _whereabouts(away: Vec3, up: str) -> str:
    """Above, below or beside, by the unit direction from the primitive to the probe."""
    height = away[UP_AXES[up]]
    if 2 * height * height < 1:
        return "beside it"
    return "above" if height > 0 else "below"


def _number(value: float | None) -> str:
    return number(value, DIGITS)


def _told_apart(answered: float, truth: float | None) -> tuple[str, str]:
    """Two different numbers with as few digits as tell them apart, at least `DIGITS`."""
    digits = (n for n in range(DIGITS, 18) if number(answered, n) != number(truth, n))
    most = next(digits, 17)
    return number(answered, most), number(truth, most)

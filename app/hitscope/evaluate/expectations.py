"""A Report against the scene's expectations: what differs, in words."""

from collections.abc import Iterator, Mapping, Sequence
from math import ulp
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from hitscope.evaluate.elements import Elements
from hitscope.evaluate.verdict import Verdict
from hitscope.geometry.group import HitMasks
from hitscope.scene.model import Expectation, Scene, Tolerance

MethodName: TypeAlias = str | Mapping[str, Any]
"""A method's name, or an object with `name` and the method's named arguments."""

LISTED = 10
"""The most elements or differences that are listed of one expectation; the rest is counted."""
ULPS = 4
"""The units in the last place of the expected value by which a number may differ, unless a target was judged."""

COMPARED_AS_NUMBERS = ("t_enter", "t_exit", "point", "normal", "distance")
COMPARED_AS_WORDS = ("state", "side")
FOUND_FROM = {"point": "t_enter"}
"""The parts of an answer that are computed from another one, which the method gives."""


class ReportLike(Protocol):
    """The part of `report.Report` that expectations are compared with: the answers for pairs and whole rows."""

    scene: Scene
    probes: Elements
    elements: Elements

    def tally(self, k: int, method: MethodName | None = None, indices: range | None = None) -> HitMasks: ...
    def row(self, i: int, method: MethodName | None = None, indices: range | None = None) -> NDArray[np.bool_]: ...
    def verdict(self, i: int, j: int, method: MethodName | None = None) -> Verdict: ...
    def is_decided_by_target(self, expectation: Expectation, found: Verdict) -> bool: ...


Kind: TypeAlias = Literal["differs", "not answered", "not evaluated"]


class Mismatch(NamedTuple):
    """A part of an expectation that does not hold: its index in `expect`, why, in words, and whose it is."""

    expectation_index: int
    sentence: str
    """Why, with the fields `probe`, `primitive` and `answer`."""
    probe: str
    primitive: str | None
    """By name, `ID` or `ID[i]`; None for a mismatch of several primitives, and of a disabled probe."""
    kind: Kind = "differs"
    """The others are no failures: the method does not give this part, or the probe is disabled."""
    answer: str = ""
    """The name of the answer that differs; empty for whether there is a hit."""

    @property
    def words(self) -> str:
        """Why, with all names as the scene file has them."""
        return self.sentence.format(probe=self.probe, primitive=self.primitive, answer=self.answer)


class Allowed(NamedTuple):
    """The difference that is allowed between numbers, absolute + relative * |expected|, and where that is said."""

    absolute: float
    relative: float
    source: str
    """As a phrase, such as "of the scene"."""
    ulps: int = ULPS
    """A difference of this many units in the last place of the expected value passes in any case."""


def allowed_by(
    report: ReportLike, expectation: Expectation, found: Verdict, given: Tolerance | None = None
) -> Allowed:
    """Return the tolerance of an expectation: its own, or else that `given`, the scene's, or the default.

    A target that decides a pair of a judged scene was judged by the scene's rules already: where it is right by
    them it answers what is exact, and any other number differs.
    """
    scene = report.scene
    if scene.judged and report.is_decided_by_target(expectation, found):
        from hitscope.targets.judging.rules import Rules

        rules = Rules(t_ulps=scene.judged.t_tolerance[0], t_distance=scene.judged.t_tolerance[1])
        return Allowed(0.0, 0.0, f"as it is judged, t within {rules.t_words}", ulps=0)
    sources = (
        (expectation.tolerance, "of the expectation"),
        (UNSET if given is None else given, "by --tolerance"),
        (scene.tolerance, "of the scene"),
        (Tolerance(), "by default"),
    )
    tolerance, source = next((tolerance, source) for tolerance, source in sources if tolerance is not UNSET)
    if isinstance(tolerance, Tolerance):
        return Allowed(tolerance.absolute, tolerance.relative, source)
    return Allowed(tolerance, 0.0, source)


def mismatches(report: ReportLike, given: Tolerance | None = None) -> Iterator[Mismatch]:
    """Yield what differs, and what cannot be compared; `given` is the tolerance of expectations without one."""
    for index, expectation in enumerate(report.scene.expect):
        method = expectation.method or None
        try:
            probes = report.probes.indices_of(expectation.probe)
        except KeyError:
            sentence = "expected {probe} to be evaluated, but it is disabled"
            yield Mismatch(index, sentence, expectation.probe, None, "not evaluated")
            continue
        if expectation.primitive is UNSET:
            yield from _differing_hits(report, index, expectation)
        elif expectation.only_hit:
            if (hit := any_hit(report, expectation, expectation.primitive)) != expectation.hit:
                yield _about_hit(index, expectation, expectation.primitive, not hit)
        else:
            verdict = report.verdict(probes[0], report.elements.index_of(expectation.primitive), method)
            allowed = allowed_by(report, expectation, verdict, given)
            yield from _differing_answers(index, expectation, verdict, allowed)


def any_hit(report: ReportLike, expectation: Expectation, primitive: str) -> bool:
    """Whether any of the probes that an expectation names hits any of the elements that `primitive` names."""
    elements = report.elements.indices_of(primitive)
    return bool(row_of(report, expectation, elements)[elements.start : elements.stop].any())


def row_of(report: ReportLike, expectation: Expectation, indices: range | None = None) -> NDArray[np.bool_]:
    """Whether each element is hit by the probe, or any probe of the bulk item, of an expectation; (N,)."""
    method = expectation.method or None
    k, element = report.probes.item_and_row(expectation.probe)
    if element is None:
        return report.tally(k, method, indices).primitives
    return report.row(report.probes.index_of(expectation.probe), method, indices)


def differing(expectation: Expectation, found: Verdict, allowed: Allowed) -> Iterator[str]:
    """The names of the answers, except `hit`, that differ from those expected of a pair."""
    for name in (*COMPARED_AS_NUMBERS, *COMPARED_AS_WORDS):
        expected = getattr(expectation, name)
        if expected is UNSET or not answers(found, name):
            continue
        actual = getattr(found, name)
        as_words = name in COMPARED_AS_WORDS or expected is None or actual is None
        if not (expected == actual if as_words else close(expected, actual, allowed)):
            yield name


def _differing_hits(report: ReportLike, index: int, expectation: Expectation) -> Iterator[Mismatch]:
    """The names in `hits` of which nothing is hit, and the elements hit that `hits` does not name, in words."""
    found = row_of(report, expectation)
    expected = np.zeros(len(found), dtype=np.bool_)
    wanting: list[tuple[int, str, bool]] = []
    for name in expectation.hits or ():
        indices = report.elements.indices_of(name)
        expected[indices.start : indices.stop] = True
        if not found[indices.start : indices.stop].any():
            wanting.append((indices.start, name, True))
    wrong = np.flatnonzero(found & ~expected)
    wanting += [(j, report.elements[j].id, False) for j in wrong[:LISTED].tolist()]
    for _, name, hit in sorted(wanting)[:LISTED]:
        yield _about_hit(index, expectation, name, hit)
    if (left := len(wanting) + max(0, len(wrong) - LISTED) - LISTED) > 0:
        sentence = f"and {left:,} more differences in the hits of {{probe}}{_by(expectation)}"
        yield Mismatch(index, sentence, expectation.probe, None)


def _differing_answers(
    index: int, expectation: Expectation, found: Verdict, allowed: Allowed
) -> Iterator[Mismatch]:
    subject = expectation.probe, found.primitive
    if expectation.hit is not UNSET and expectation.hit != found.hit:
        yield _about_hit(index, expectation, found.primitive, expectation.hit)
    of = f"of {{probe}} on {{primitive}}{_by(expectation)}"
    for name in differing(expectation, found, allowed):
        expected, actual = getattr(expectation, name), getattr(found, name)
        answer = "no {answer}" if expected is None else f"{{answer}} {as_text(expected)}"
        yield Mismatch(index, f"expected {answer} {of}, found {as_text(actual)}", *subject, answer=name)
    for name in COMPARED_AS_NUMBERS:
        if getattr(expectation, name) not in (UNSET, None) and not answers(found, name):
            sentence = f"{{answer}} not answered by {_literal(found.method)}"
            yield Mismatch(index, sentence, *subject, "not answered", name)


def answers(found: Verdict, name: str) -> bool:
    """Whether a verdict has this part of an answer: a miss that it is none, a hit where its method gives it."""
    if name not in COMPARED_AS_NUMBERS or name == "distance" or not found.hit:
        return True
    return FOUND_FROM.get(name, name) in found.answered


def _about_hit(index: int, expectation: Expectation, primitive: str, hit: bool) -> Mismatch:
    sentence = f"expected {{primitive}} to be {'hit' if hit else 'missed'} by {{probe}}{_by(expectation)}"
    return Mismatch(index, sentence, expectation.probe, primitive)


def _by(expectation: Expectation) -> str:
    """The words that name the expectation's method; "" where it names none."""
    return f" as {_literal(expectation.method_name)} has it" if expectation.method else ""


def _literal(text: str) -> str:
    """A text as a part of a `sentence`."""
    return text.replace("{", "{{").replace("}", "}}")


def close(expected: float | Sequence[float], actual: float | Sequence[float], allowed: Allowed) -> bool:
    """Whether numbers are the same within the tolerance."""
    if isinstance(expected, Sequence) and isinstance(actual, Sequence):
        return all(close(a, b, allowed) for a, b in zip(expected, actual, strict=True))
    assert isinstance(expected, float) and isinstance(actual, float)
    tolerance = allowed.absolute + allowed.relative * abs(expected)
    return abs(expected - actual) <= max(tolerance, allowed.ulps * ulp(expected))


def as_text(value: object, nothing: str = "none") -> str:
    """Return a value as the scene file writes it, `nothing` for null."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(as_text, value))}]"
    return nothing if value is None else repr(value) if isinstance(value, float) else str(value)

"""The failures of a scene: each pair that is not as expected, in words that need no picture."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from math import hypot, isclose, isfinite
from operator import attrgetter
from typing import Any

import numpy as np
from msgspec import UNSET

from hitscope import numerals
from hitscope.check.pair_commands import CheckedBy, pair_commands
from hitscope.check.selection import expectation_names
from hitscope.evaluate import Mismatch, Report, Verdict, verdict_words
from hitscope.evaluate.expectations import COMPARED_AS_NUMBERS, LISTED, Allowed, allowed_by, differing, row_of
from hitscope.evaluate.verdict import verdict
from hitscope.geometry import exact, shapes
from hitscope.geometry.registry import EXACT, choose, pair_of
from hitscope.scene.edits import Kind, ids_of, items_of
from hitscope.scene.items import Item, Single
from hitscope.scene.json_locations import element_lines
from hitscope.scene.model import Expectation, Tolerance
from hitscope.targets.method_text import method_text

OFFSETS = (1, -1, 2, -2, 3, -3)
"""The numbers of positions that items are taken to have moved by."""
MOST_TRIED = 64
"""The most expectations of a type of item that are tried at other positions."""
EVIDENCE = 2
"""The number of answers that have to hold at the other positions: a single `hit` holds there by chance."""


class MovedIds:
    """The ids by position of a report's scene; each type of item is looked at when one of its ids is asked for."""

    def __init__(self, report: Report, given: Tolerance | None) -> None:
        self._report, self._scene = report, report.scene
        self._given = given
        self._offset = cache(self._find_offset)
        self._by_position = cache(self._find_positions)

    def hint(self, role: Kind, expectation: Expectation) -> str:
        """Return the words about an id of an expectation whose item has moved; "" for any other one."""
        name = getattr(expectation, role) or ""
        if (position := self._by_position(role).get(name)) is None:
            return ""
        offset = self._offset(role, type(items_of(self._scene, role)[position]))
        if not offset or not self._holds(role, expectation, position + offset):
            return ""
        now = ids_of(self._scene, role)[position + offset]
        return f"{name} is an id by position, and {now} is as expected: it has moved"

    def _find_positions(self, role: Kind) -> dict[str, int]:
        """Return the position of each single shape that has an id by position, by that id."""
        items = enumerate(zip(ids_of(self._scene, role), items_of(self._scene, role), strict=True))
        return {name: k for k, (name, item) in items if item.id is UNSET and isinstance(item, Single)}

    def _find_offset(self, role: Kind, kind: type[Item]) -> int:
        """Return by how many positions all that is expected of a type of item has moved; 0 if it has not."""
        expected = [
            (expectation, position)
            for expectation in self._scene.expect
            if (position := self._by_position(role).get(getattr(expectation, role) or "")) is not None
            and type(items_of(self._scene, role)[position]) is kind
            and expectation.primitive is not UNSET
        ][:MOST_TRIED]
        if sum(1 if expectation.only_hit else EVIDENCE for expectation, _ in expected) < EVIDENCE:
            return 0
        for offset in OFFSETS:
            if all(self._holds(role, expectation, position + offset) for expectation, position in expected):
                return offset
        return 0

    def _holds(self, role: Kind, expectation: Expectation, position: int) -> bool:
        """Whether an expectation holds for the item at another position; not for one of another type."""
        items, report = items_of(self._scene, role), self._report
        if not 0 <= position < len(items):
            return False
        name = ids_of(self._scene, role)[position]
        named = {"probe": expectation.probe, "primitive": expectation.primitive, role: name}
        i, j = report.probes.find_index(str(named["probe"])), report.elements.find_index(str(named["primitive"]))
        old = getattr(expectation, role)
        if i is None or j is None or type(items[position]) is not type(items[self._by_position(role)[old]]):
            return False
        probe, primitive = report.probes[i].shape, report.elements[j].shape
        own = expectation.method
        chosen = report.chosen(probe, primitive) if own is UNSET else choose(pair_of(probe, primitive), own)
        found = verdict(str(named["probe"]), str(named["primitive"]), probe, primitive, chosen)
        if expectation.hit is not UNSET and expectation.hit != found.hit:
            return False
        return not any(differing(expectation, found, allowed_by(report, expectation, found, self._given)))


DIGITS = 3
"""The significant digits of a length in a message; what is compared has all of its own."""


@dataclass(frozen=True)
class Failure:
    """A pair, or several of a bulk item, that is not as one expectation of a scene says."""

    index: int
    name: str
    """The expectation's name, PROBE-PRIMITIVE[METHOD]."""
    line: int | None
    """The line of the expectation in the file, from 1; None where there is no file."""
    probe: str
    primitive: str | None
    """By name, `ID` or `ID[i]`; None for several, and for a disabled probe."""
    differences: tuple[str, ...]
    """The differences, each with the expected and the found value, in words."""
    facts: tuple[str, ...] = ()
    """By how much, what exact geometry says of the pair, what decides it, and by which method."""
    hints: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()

    def text(self, path: str) -> str:
        """Return the failure as one line that begins with FILE:LINE."""
        where = path if self.line is None else f"{path}:{self.line}"
        hint = f" ({'; '.join(self.hints)})" if self.hints else ""
        return f"{where}: {'; '.join((*self.differences, *self.facts))}{hint}"


def failures(
    report: Report,
    found: Iterable[Mismatch],
    path: str,
    data: bytes,
    by: CheckedBy,
    given: Tolerance | None,
) -> Iterator[Failure]:
    """Yield the failures of mismatches in the report of a file's `data`, with a `given` tolerance."""
    names, lines = expectation_names(report.scene), element_lines(data, "expect")
    moved = MovedIds(report, given)
    for (index, probe, primitive), group in groupby(found, attrgetter("expectation_index", "probe", "primitive")):
        expectation = report.scene.expect[index]
        differences = tuple(mismatch.words for mismatch in group)
        failure = Failure(index, names[index], lines[index], probe, primitive, differences)
        if primitive is not None and expectation.hit is False and expectation.only_hit:
            failure = replace(failure, facts=tuple(_words_of_hits(report, expectation, primitive)))
        i = report.probes.find_index(probe)
        j = None if primitive is None else report.elements.find_index(primitive)
        if i is not None and j is not None and primitive is not None:
            answered = report.find_verdict(i, j, expectation.method or None)
            allowed = allowed_by(report, expectation, answered, given)
            facts = tuple(_facts(expectation, answered, allowed))
            moves = filter(None, (moved.hint("primitive", expectation), moved.hint("probe", expectation)))
            own = _of_own_code(answered, by) if expectation.method is UNSET else ()
            slips = (*hints(expectation, answered, allowed), *moves, *own)
            method = "" if expectation.method is UNSET else method_text(expectation.method)
            commands = pair_commands(path, probe, primitive, pair_of(*answered.shapes), method, by)
            failure = replace(failure, facts=facts, hints=slips, commands=commands)
        yield failure


def _of_own_code(answered: Verdict, by: CheckedBy) -> Iterator[str]:
    """Yield the wrong line of a TARGET whose answer is wrong, and the method that errs alike, if known."""
    pair = pair_of(*answered.shapes)
    target = by.targets.get(pair)
    if target is None or answered.hit == exact.meet(*answered.shapes):
        return
    from hitscope.targets.fixes import Alike, Fixes, known_of  # which no check without TARGETs needs

    if (found := known_of(Fixes, target.text, pair)) and found.fix:
        yield found.fix.sentence
    if alike := known_of(Alike, target.text, pair):
        yield alike.sentence


def elements_hit(report: Report, expectation: Expectation, primitive: str) -> list[int]:
    """Return the indices of the elements of an item that an expectation's probe hits."""
    elements = report.elements.indices_of(primitive)
    found = np.flatnonzero(row_of(report, expectation, elements)[elements.start : elements.stop])
    indices: list[int] = (found + elements.start).tolist()
    return indices


def _words_of_hits(report: Report, expectation: Expectation, primitive: str) -> Iterator[str]:
    found = elements_hit(report, expectation, primitive)
    names = [report.elements[j].id for j in found[:LISTED]]
    if names and names != [primitive]:
        more = f" and {len(found) - LISTED:,} more" if len(found) > LISTED else ""
        yield f"hit are {', '.join(names)}{more}"


def _facts(expectation: Expectation, answered: Verdict, allowed: Allowed) -> Iterator[str]:
    if expectation.primitive is not UNSET:
        names = list(differing(expectation, answered, allowed))
        off = [f"{name} off by {by}" for name in names if (by := off_by(name, expectation, answered))]
        if off:
            yield f"{', '.join(off)}, allowed {allowed_words(allowed)}"
    probe, primitive = answered.shapes
    truth = answered
    if answered.method != EXACT:
        t = "" if answered.t_enter is None else f" at t = {answered.t_enter!r}"
        yield f"method {answered.method} says {f'hit{t}' if answered.hit else 'miss'}"
        chosen = choose(pair_of(probe, primitive), EXACT)
        truth = verdict(answered.probe, answered.primitive, probe, primitive, chosen)
    decider = verdict_words.decider_of(truth)
    decided = "" if decider is None else f", decided by {decider.brief}"
    yield f"{'' if truth is answered else 'exact: '}{_relation(truth)}{decided}"


def _relation(truth: Verdict) -> str:
    """The exact state of a pair, and how far it is from the other answer."""
    if not truth.hit:
        return f"apart by {numerals.short(abs(truth.distance), DIGITS)}"
    if truth.state == "touching":
        return "touching"
    depth, _ = exact.way_out(*truth.shapes)
    return f"{truth.state}, {numerals.short(depth, DIGITS)} deep" if isfinite(depth) and depth > 0 else truth.state


def off_by(name: str, expectation: Expectation, answered: Verdict) -> str:
    """Return the largest difference of a component of an answer in numbers; "" where there is none to compare."""
    expected, found = getattr(expectation, name), getattr(answered, name)
    if name not in COMPARED_AS_NUMBERS or expected is None or found is None:
        return ""
    pairs = zip(expected, found, strict=True) if isinstance(expected, tuple) else [(expected, found)]
    return numerals.short(max(abs(a - b) for a, b in pairs), DIGITS)


def allowed_words(allowed: Allowed) -> str:
    if not allowed.ulps:
        return allowed.source
    relative = f" + {numerals.short(allowed.relative, DIGITS)} relative" if allowed.relative else ""
    return f"{numerals.short(allowed.absolute, DIGITS)}{relative} {allowed.source}"


SAME_NUMBER = 1e-6
"""The relative difference up to which a number is taken for another one that was meant."""


def hints(expectation: Expectation, answered: Verdict, allowed: Allowed) -> Iterator[str]:
    """Yield the slips that would explain the difference of a pair's answer, in words."""
    if expectation.primitive is not UNSET:
        for name in differing(expectation, answered, allowed):
            yield from _of_answer(name, getattr(expectation, name), answered)
    if expectation.hit is False and answered.state == "touching":
        yield "touching is a hit: every shape is closed"


def _of_answer(name: str, expected: Any, answered: Verdict) -> Iterator[str]:
    found = getattr(answered, name)
    if expected is None or found is None:
        return
    if name in ("t_enter", "t_exit"):
        other = "t_exit" if name == "t_enter" else "t_enter"
        probe: Any = answered.shapes[0]
        size = hypot(*(shapes.linear(probe).direction if shapes.is_linear(probe) else probe.motion))
        length = numerals.short(size)
        if isclose(size, 1, rel_tol=SAME_NUMBER):
            pass
        elif found and isclose(expected, found * size, rel_tol=SAME_NUMBER):
            yield f"the expected {name} is a length: t is a fraction of the vector, whose length is {length}"
        elif found and isclose(expected * size, found, rel_tol=SAME_NUMBER):
            yield f"the expected {name} is divided by the length of the vector, {length}"
        elif (swapped := getattr(answered, other)) is not None and isclose(expected, swapped, rel_tol=SAME_NUMBER):
            yield f"that is {other}"
    elif name == "normal":
        if all(isclose(a, -b, abs_tol=SAME_NUMBER) for a, b in zip(expected, found, strict=True)):
            yield "the expected normal points the other way: it is the outward one of the face that is entered"
    elif name == "distance" and expected == -found:
        yield "a distance is negative inside a solid and behind a plane"
    with np.errstate(over="ignore"):
        is_in_float32 = isinstance(found, float) and expected == float(np.float32(found))
    if is_in_float32 and expected != found:
        yield 'the expected number is the found one in float32: a "tolerance" of the scene is meant for that'

"""The first comparison that two traced runs of one source decide differently."""

from collections.abc import Iterator
from math import isfinite, isnan
from numbers import Real
from typing import Any, NamedTuple

from hitscope.explain.trace import Call, Compared, Step, Trace, open_call

DEEPEST_CALL = 8
"""How many helpers deep a departure is looked for."""
ROUNDING = 1e-3
"""The relative difference of two numbers up to which a helper is taken to have gone the same way."""


class Departure(NamedTuple):
    """Where one run goes another way than the other: the same comparison in both, with two results."""

    step: int
    """The index of the step, the same in both runs; of a departure in a helper that of the step that calls it."""
    line: int
    source: str
    ours: Compared
    theirs: Compared
    calls: tuple[Call, ...] = ()
    """The helpers, the outermost first, in which our run departs; none where it does so in its own source."""


def departure(ours: Trace, theirs: Trace) -> Departure | None:
    """Return the first comparison of two runs of one source that has two results; None where there is none."""
    return _departure(ours, theirs, DEEPEST_CALL)


def _departure(ours: Trace, theirs: Trace, depth: int) -> Departure | None:
    for k, (step, other) in enumerate(zip(ours.steps, theirs.steps, strict=False)):
        if step.line != other.line:
            return None
        for mine, yours in zip(step.events, other.events, strict=False):
            if isinstance(mine, Compared) and isinstance(yours, Compared):
                if mine.line != yours.line or mine.text != yours.text:
                    return None
                if bool(mine.result) != bool(yours.result):
                    return Departure(k, mine.line, _line_of(step, mine.line), mine, yours)
            elif isinstance(mine, Call) and isinstance(yours, Call) and depth > 0:
                if found := _departure_in_call(mine, yours, depth - 1):
                    return found._replace(step=k, calls=(mine, *found.calls))
            else:
                return None
    return None


def _departure_in_call(mine: Call, yours: Call, depth: int) -> Departure | None:
    """Look for a departure in two calls of a helper whose answers differ in more than rounding."""
    if (
        mine.function is None
        or mine.function is not yours.function
        or not _differ_in_kind(mine.answer, yours.answer)
    ):
        return None
    opened, other = open_call(mine), open_call(yours)
    return None if opened is None or other is None else _departure(opened, other, depth)


def _differ_in_kind(mine: object, yours: object) -> bool:
    """Whether two answers differ in a truth value, a whole number, a text, or much of a number."""
    ours, theirs = list(_flat(mine)), list(_flat(yours))
    return len(ours) != len(theirs) or not all(map(_are_alike, ours, theirs))


def _are_alike(mine: Any, yours: Any) -> bool:
    if type(mine) is type(yours):
        return bool(mine == yours) or (isinstance(mine, float) and isnan(mine) and isnan(yours))
    if not (isinstance(mine, Real) and isinstance(yours, Real)) or not (isfinite(mine) and isfinite(yours)):
        return False
    ours, theirs = float(mine), float(yours)
    return abs(ours - theirs) <= ROUNDING * max(abs(ours), abs(theirs), 1.0)


def _flat(value: object) -> Iterator[object]:
    if isinstance(value, tuple | list):
        for part in value:
            yield from _flat(part)
    else:
        yield value


def _line_of(step: Step, line: int) -> str:
    """The line of a step's source that has a number, without indentation."""
    return step.source.splitlines()[line - step.line].strip()

"""The first comparison that two traced runs of one source decide differently."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import isfinite, isnan
from numbers import Rational, Real
from typing import Any, NamedTuple

import numpy as np

from hitscope.explain.trace import Call, Compared, Step, Trace, open_call
from hitscope.geometry import ieee, vector

DEEPEST_CALL = 8
"""How many helpers deep a departure is looked for."""
MOST_DEPARTURES = 8
"""How many departures are put right, one after the other, to find the one that makes the verdict wrong."""
ARITHMETIC = (ieee.__name__, vector.__name__)
"""The modules of helpers that decide nothing: what they answer is compared where they are called."""
ROUNDING = Fraction(1, 1000)
"""The relative difference of two numbers up to which a helper is taken to have gone the same way."""


class Departure(NamedTuple):
    """Where one run goes another way than the other: the same comparison in both, with two results."""

    step: int
    """The index of the step in our run; of a departure in a helper that of the step that calls it."""
    line: int
    source: str
    ours: Compared
    theirs: Compared
    calls: tuple[Call, ...] = ()
    """The helpers, the outermost first, in which our run departs; none where it does so in its own source."""


def decisive(
    ours: Trace, theirs: Trace, decided: Callable[[Sequence[bool]], Trace], truth: bool
) -> Departure | None:
    """Return the first comparison without whose departure our run would have the true verdict, as theirs has.

    `decided` runs ours anew with its first comparisons decided as given. Where that cannot tell, the first of all.
    """
    first = found = departure(ours, theirs)
    run = ours
    for _ in range(MOST_DEPARTURES):
        if found is None or found.calls or not isinstance(found.theirs.result, bool | np.bool_):
            break
        after = decided(_decisions(theirs, found))
        if after.error or after.hit == truth:
            return in_run(ours, run, found) or first
        run, found = after, departure(after, theirs)
    return first


def _decisions(run: Trace, until: Departure) -> list[bool]:
    """The results of a run's comparisons, up to that of a departure from it."""
    found = []
    for compared in (compared for step in run.steps[: until.step + 1] for compared in step.comparisons):
        found.append(bool(compared.result))
        if compared is until.theirs:
            break
    return found


def in_run(run: Trace, other: Trace, found: Departure) -> Departure | None:
    """Return a departure of another run of the source as one of this, which may have come there by other steps."""
    place = other.steps[found.step]
    for k, step in enumerate(run.steps):
        if (step.line, step.iterations) == (place.line, place.iterations):
            for mine in step.comparisons:
                is_same = (mine.line, mine.text) == (found.ours.line, found.ours.text)
                if is_same and mine.result != found.theirs.result:
                    return found._replace(step=k, ours=mine)
    return None


def departure(ours: Trace, theirs: Trace, depth: int = DEEPEST_CALL) -> Departure | None:
    """Return the first comparison of two runs of one source that has two results; None where there is none."""
    for k, (step, other) in enumerate(zip(ours.steps, theirs.steps, strict=False)):
        if step.line != other.line:
            return None
        for mine, yours in zip(step.events, other.events, strict=False):
            if isinstance(mine, Compared) and isinstance(yours, Compared):
                if mine.line != yours.line or mine.text != yours.text:
                    return None
                if mine.result != yours.result:
                    return Departure(k, mine.line, _line_of(step, mine.line), mine, yours)
            elif isinstance(mine, Call) and isinstance(yours, Call) and depth > 0:
                if found := _departure_in_call(mine, yours, depth - 1):
                    return found._replace(step=k, calls=(mine, *found.calls))
            else:
                return None
        if step.branch is not other.branch and step.tested is not None and other.tested is not None:
            return Departure(k, step.tested.line, _line_of(step, step.tested.line), step.tested, other.tested)
    return None


def _departure_in_call(mine: Call, yours: Call, depth: int) -> Departure | None:
    """Look for a departure in two calls of a helper whose answers differ in more than rounding."""
    if (
        mine.function is None
        or yours.function is None
        # A function inside a function is another one in each run, of the same code.
        or mine.function.__code__ is not yours.function.__code__
        or mine.function.__module__ in ARITHMETIC
        or not _differ_in_kind(mine.answer, yours.answer)
    ):
        return None
    opened, other = open_call(mine), open_call(yours)
    return None if opened is None or other is None else departure(opened, other, depth)


def _differ_in_kind(mine: object, yours: object) -> bool:
    """Whether two answers differ in a truth value, a whole number, a text, or much of a number."""
    ours, theirs = list(parts_of(mine)), list(parts_of(yours))
    return len(ours) != len(theirs) or not all(map(_are_alike, ours, theirs))


def _are_alike(mine: Any, yours: Any) -> bool:
    if type(mine) is type(yours):
        return bool(mine == yours) or (isinstance(mine, float) and isnan(mine) and isnan(yours))
    ours, theirs = _exactly(mine), _exactly(yours)
    if ours is None or theirs is None:
        return bool(mine == yours)
    return abs(ours - theirs) <= ROUNDING * max(abs(ours), abs(theirs), Fraction(1))


def _exactly(number: Any) -> Fraction | None:
    """The value of a finite number; None of anything else."""
    if isinstance(number, Rational):
        return Fraction(number)
    return Fraction(float(number)) if isinstance(number, Real) and isfinite(number) else None


def parts_of(value: object) -> Iterator[object]:
    """Yield what tuples and lists in each other hold, or the value if it is none."""
    if isinstance(value, tuple | list):
        for part in value:
            yield from parts_of(part)
    else:
        yield value


def _line_of(step: Step, line: int) -> str:
    """The line of a step's source that has a number, without indentation."""
    return step.source.splitlines()[line - step.line].strip()

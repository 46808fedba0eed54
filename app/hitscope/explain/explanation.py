"""Why a method answers as it does on one pair, and which of its lines is wrong where it errs."""

import inspect
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf
from numbers import Rational
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from hitscope.errors import HitscopeError
from hitscope.evaluate.verdict_words import STATES, decider, hit_or_miss
from hitscope.explain.departure import Departure, decisive, departure, in_run, parts_of
from hitscope.explain.statements import SourceText, source_text_of
from hitscope.explain.trace import Iteration, Reading, Step, Trace, trace
from hitscope.float_mode import in_default_mode
from hitscope.geometry import exact
from hitscope.geometry.answers import UNKNOWN
from hitscope.geometry.registry import EXACT, TOLERANCES, Chosen, choose, method_of, pair_of
from hitscope.geometry.shapes import Shape, is_linear, linear, replaced_numbers
from hitscope.targets.fixes import Alike, Fix, Fixes, Kept
from hitscope.targets.fixes import known as known_of_file
from hitscope.targets.target import OWN_CODE

NAMES = "the probe", "the primitive"


def exact_trace(probe: Shape, primitive: Shape) -> Trace:
    """The answer of `exact` to a pair, and one step for each fact that decides it, its values cumulative.

    A t is a Fraction, or infinite; an axis is not unit, of whole numbers; a gap is rounded once.
    """
    found = exact.relation(probe, primitive)
    values: dict[str, Any] = {}
    steps: list[Step] = []
    answer_words = f"{hit_or_miss(found.state != 'apart')}: {found.state}, {STATES[found.state]}"
    for source, facts in (*_facts(probe, primitive, found), (answer_words, {"state": found.state})):
        values = {**values, **facts}
        steps.append(Step(len(steps) + 1, source, values))
    return Trace(choose(pair_of(probe, primitive), EXACT).method(probe, primitive), tuple(steps))


def _facts(probe: Shape, primitive: Shape, found: exact.Relation) -> Iterator[tuple[str, dict[str, Any]]]:
    if (witness := exact.witness(probe, primitive)) is None:
        if found.t_enter is not None:
            yield "the probe comes from infinity, inside", {"t_enter": found.t_enter}
    elif isinstance(witness, exact.EntryFeature):
        facts: dict[str, Any] = {"feature": witness.feature, "t_enter": found.t_enter, "normal": found.normal}
        known = {name: value for name, value in facts.items() if value is not None}
        yield decider(witness, NAMES, is_linear(probe)).whole, known
    else:
        yield decider(witness, NAMES, is_linear(probe)).whole, {"axis": witness.vector, "gap": witness.gap}
    if found.t_exit is not None:
        ends = is_linear(probe) and found.t_exit == linear(probe).t_max
        leaves = "leaves" if not ends else "ends inside" if found.t_exit < inf else "goes to infinity, inside"
        yield f"the probe {leaves}", {"t_exit": found.t_exit}


Cause: TypeAlias = Literal["", "rounding", "zero sign", "nan", "tolerance", "logic", "unknown", "error"]
"""Why a verdict is wrong: without rounding, a zero's sign, a NaN or a tolerance it would be right; the logic is
wrong where nothing of this helps, which is unknown without an unrounded run. Empty of a verdict that is right."""

LEAST = math.ulp(0.0)
"""A tolerance that lets nothing in: with 0 a method may divide by zero."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """A traced run of a method on a pair, beside what is right and what the method does without rounding."""

    chosen: Chosen
    probe: Shape
    primitive: Shape
    reading: Reading
    """The numbers that it ran on: "interpreted" (float64) or "float32"."""
    trace: Trace

    @property
    def hit(self) -> bool:
        return self.trace.hit

    @property
    def source(self) -> SourceText:
        """The source of the method, or the facts of `exact`; raises OSError where it is not at hand."""
        if self.chosen.method.name == EXACT:
            facts = tuple(step.source for step in self.trace.steps)
            return SourceText(1, facts, frozenset(range(1, len(facts) + 1)))
        return source_text_of(self.chosen.method.function)

    @cached_property
    def truth(self) -> bool:
        """The exact verdict on the numbers that the method was given."""
        return exact.meet(*self.given)

    @property
    def given(self) -> tuple[Shape, Shape]:
        """The pair as the method was given it: in float32 its numbers are rounded, but for those that overflow."""
        if self.reading != "float32":
            return self.probe, self.primitive
        return rounded_to_float32(self.probe), rounded_to_float32(self.primitive)

    @property
    def is_wrong(self) -> bool:
        """Whether the verdict, hit or miss, is not the exact one, or there is none; t and normal do not count."""
        return bool(self.trace.error) or self.hit != self.truth

    @cached_property
    def unrounded(self) -> Trace | None:
        """The trace of the source run without rounding; None where it cannot be, as with a sine."""
        return self._unrounded(self.chosen)

    @cached_property
    def departs(self) -> Departure | None:
        """The first comparison that goes another way without rounding; of a wrong verdict the one that decides."""
        if self.unrounded is None:
            return None
        if not self.is_wrong or self.trace.error or self.unrounded.hit != self.truth:
            return self._first_departure
        return self._decisive(self.trace, self.unrounded)

    @cached_property
    def by_tolerance(self) -> Departure | None:
        """The first comparison that makes a verdict wrong, and does not with every tolerance next to zero."""
        given = {**self.chosen.method.arguments, **self.chosen.arguments}
        names = [name for name, value in given.items() if name.endswith(TOLERANCES) and value > LEAST]
        if not self.is_wrong or self.trace.error or not names:
            return None
        strict = self.chosen._replace(arguments={**self.chosen.arguments, **dict.fromkeys(names, LEAST)})
        rounded = trace(strict, self.probe, self.primitive, self.reading)
        if not rounded.error and rounded.hit == self.truth:
            return self._decisive(self.trace, rounded)
        unrounded = self._unrounded(strict)
        if self.unrounded is None or unrounded is None or unrounded.hit != self.truth:
            return None
        found = departure(self.unrounded, unrounded)
        return None if found is None else in_run(self.trace, self.unrounded, found)

    @cached_property
    def by_zero_sign(self) -> int | None:
        """The index of the first step that differs from a run with every zero positive, if that one is right."""
        if not self.is_wrong or self.trace.error:
            return None
        shapes = self.probe, self.primitive
        probe, primitive = (replaced_numbers(shape, lambda number: number + 0.0) for shape in shapes)
        if repr((probe, primitive)) == repr(shapes):
            return None
        run = trace(self.chosen, probe, primitive, self.reading)
        if run.error or run.hit != self.truth:
            return None
        pairs = enumerate(zip(self.trace.steps, run.steps, strict=False))
        return next((k for k, (ours, theirs) in pairs if _differ(ours, theirs)), None)

    @cached_property
    def fix(self) -> Fix | None:
        """The change that makes the user's function right, if a search has found one for its file as it is."""
        found = self.known(Fixes)
        return found.fix if found else None

    @cached_property
    def alike(self) -> Alike | None:
        """The method of the catalogue that is known to err as the user's function does, and errs on this pair."""
        found = self.known(Alike) if self.is_wrong else None
        if found is None:
            return None
        with suppress(HitscopeError):  # a method that is not there any more
            if method_of(self.chosen.method.pairs[0], found.method).hit(*self.given) != self.truth:
                return found
        return None

    def known(self, kind: type[Kept]) -> Kept | None:
        """Return what was found of the user's function, as its file is now."""
        method = self.chosen.method
        if method.source != OWN_CODE:
            return None
        code = inspect.unwrap(method.function).__code__
        return known_of_file(kind, Path(code.co_filename), code.co_name, method.pairs[0])

    @cached_property
    def first_nan(self) -> int | None:
        """The index of the first step that has a NaN which arose in the run; None where there is none."""
        return next((k for k, step in enumerate(self.trace.steps) if _has_nan(step.values.values())), None)

    @cached_property
    def cause(self) -> Cause:
        """Why the verdict is wrong; empty where it is right."""
        if self.trace.error:
            return "error"
        if not self.is_wrong:
            return ""
        if self.by_zero_sign is not None:
            return "zero sign"
        if self.unrounded is not None and self.unrounded.hit == self.truth:
            return "nan" if self.departs is not None and _has_nan(self.departs.ours.values) else "rounding"
        if self.by_tolerance is not None:
            return "tolerance"
        if self.first_nan is not None and not self._step_of_fault:
            return "nan"
        return "logic" if self.unrounded is not None or self.chosen.method.fault else "unknown"

    @cached_property
    def wrong_step(self) -> int | None:
        """The index of the step whose line makes the verdict wrong; None where it is right or the cause unknown.

        A NaN is blamed where it arises. Where the logic is wrong, it is the line that the catalogue names, or that
        a search has found; of a function of the user's none without a search.
        """
        steps = self.trace.steps
        match self.cause:
            case "rounding":
                return self._answering_step if self.departs is None else self.departs.step
            case "tolerance":
                return None if self.by_tolerance is None else self.by_tolerance.step
            case "zero sign":
                return self.by_zero_sign
            case "nan":
                return self._step_of_nan
            case "logic":
                is_unknown = self._step_of_fault is None and self.chosen.method.source != OWN_CODE
                return self._answering_step if is_unknown else self._step_of_fault
            case "error" if steps:
                return len(steps) - 1
        return None

    @property
    def wrong_line(self) -> tuple[int, str] | None:
        """The number and the text of the line that makes the verdict wrong; it may be one of a helper."""
        if self.cause == "logic" and self.fix:
            return self.fix.line, self.fix.source
        if self.wrong_step is None:
            return None
        step = self.trace.steps[self.wrong_step]
        departs = {"rounding": self.departs, "tolerance": self.by_tolerance}.get(self.cause)
        if departs is not None:
            return departs.line, departs.source
        lines = step.source.splitlines()
        fault = self.chosen.method.fault if self.cause == "logic" else ""
        k = next((k for k, line in enumerate(lines) if fault in line), 0)
        return step.line + k, lines[k].strip()

    def errors_in_ulps(self, step: int) -> Mapping[str, float]:
        """How far each number of a step is from its unrounded value, in ulps of it; those that are right left out.

        Empty past the departure, where the two runs do different things. Of a tuple the largest of its numbers.
        """
        departs = self._first_departure
        if self.unrounded is None or step >= len(self.unrounded.steps) or (departs and step > departs.step):
            return {}
        ours, theirs = self.trace.steps[step].values, self.unrounded.steps[step].values
        found = {name: ulps_between(value, theirs[name]) for name, value in ours.items() if name in theirs}
        return {name: ulps for name, ulps in found.items() if ulps}

    @cached_property
    def _first_departure(self) -> Departure | None:
        return None if self.unrounded is None else departure(self.trace, self.unrounded)

    def _decisive(self, ours: Trace, theirs: Trace) -> Departure | None:
        def decided(decisions: Sequence[bool]) -> Trace:
            return trace(self.chosen, self.probe, self.primitive, self.reading, decisions)

        return decisive(ours, theirs, decided, self.truth)

    def _unrounded(self, chosen: Chosen) -> Trace | None:
        if chosen.method.name == EXACT:
            return None
        run = trace(chosen, *self.given, "unrounded")
        return None if run.error else run

    @property
    def _step_of_nan(self) -> int | None:
        """The first step with a NaN, or the one that compares a NaN which no variable has."""
        if self.departs is None or not _has_nan(self.departs.ours.values):
            return self.first_nan
        return self.departs.step if self.first_nan is None else min(self.first_nan, self.departs.step)

    @cached_property
    def _step_of_fault(self) -> int | None:
        """The first step of a specimen's fault; of a loop over values the pass of the faulty one."""
        fault, steps = self.chosen.method.fault, self.trace.steps
        if (fix := self.fix) is not None:
            ends = ((step.line, step.line + step.source.count("\n")) for step in steps)
            return next((k for k, (first, last) in enumerate(ends) if first <= fix.line <= last), None)
        found = [k for k, step in enumerate(steps) if fault in step.source] if fault else []
        if not found:
            return None
        first = steps[found[0]]
        # The header of such a loop has one value a line.
        below = first.source[: first.source.index(fault)].count("\n")
        own = Iteration(first.line, below)
        return next((k for k in found if steps[k].iterations[-1:] == (own,)), found[0])

    @property
    def _answering_step(self) -> int | None:
        """The branch that leads to the answer where the answer compares nothing, else the answer."""
        last = len(self.trace.steps) - 1
        if last > 0 and not self.trace.steps[last].comparisons and self.trace.steps[last - 1].tested:
            return last - 1
        return last if last >= 0 else None


@in_default_mode
def explain(chosen: Chosen, probe: Shape, primitive: Shape, reading: Reading = "interpreted") -> Explanation:
    """Run a method on one pair, traced; raises OSError where the source of the method is not at hand."""
    is_exact = chosen.method.name == EXACT
    run = exact_trace(probe, primitive) if is_exact else trace(chosen, probe, primitive, reading)
    return Explanation(chosen, probe, primitive, "interpreted" if is_exact else reading, run)


def rounded_to_float32(shape: Shape) -> Shape:
    """Return a shape with its numbers rounded to float32; those beyond its range stay as they are."""
    rounded: Shape = replaced_numbers(shape, _in_float32)
    return rounded


def _in_float32(number: float) -> float:
    with np.errstate(over="ignore"):
        rounded = float(np.float32(number))
    return rounded if math.isfinite(rounded) else number


def _numbers(value: Any) -> list[Any]:
    kinds = int | float | np.floating | Fraction
    return [part for part in parts_of(value) if isinstance(part, kinds) and not isinstance(part, bool)]


def _has_nan(values: Any) -> bool:
    numbers = (number for number in _numbers(list(values)) if number is not UNKNOWN)
    return any(isinstance(number, float | np.floating) and math.isnan(number) for number in numbers)


def _differ(ours: Step, theirs: Step) -> bool:
    """Whether two steps are of different lines or have different values, of which a NaN is one."""
    mine, yours = (_numbers([*step.values.values()]) for step in (ours, theirs))
    if ours.line != theirs.line or len(mine) != len(yours):
        return True
    return any(a != b and (a == a or b == b) for a, b in zip(mine, yours, strict=True))  # noqa: PLR0124


def ulps_between(value: Any, unrounded: Any) -> float:
    """The largest distance of numbers from unrounded ones, in ulps of the rounded."""
    ours, theirs = _numbers(value), _numbers(unrounded)
    if len(ours) != len(theirs):
        return 0.0
    return max((_ulps_of(a, b) for a, b in zip(ours, theirs, strict=True)), default=0.0)


def _ulps_of(number: Any, unrounded: Any) -> float:
    is_rounded = isinstance(number, float | np.floating) and math.isfinite(number)
    if not is_rounded or not (isinstance(unrounded, Rational) or math.isfinite(unrounded)):
        return 0.0
    ulp = Fraction(float(np.spacing(np.abs(number))))
    return exact.rounded(abs(Fraction(float(number)) - Fraction(unrounded)) / ulp)

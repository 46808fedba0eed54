"""Why a method answers as it does on one pair, and which of its lines is wrong where it errs."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from hitscope.explain.departure import Departure, departure
from hitscope.explain.exact_steps import exact_trace
from hitscope.explain.trace import Reading, Trace, trace
from hitscope.geometry import exact
from hitscope.geometry.registry import EXACT, TOLERANCES, Chosen
from hitscope.geometry.shapes import Shape, replaced_numbers

Cause: TypeAlias = Literal["", "rounding", "tolerance", "nan", "logic", "unknown", "error"]
"""Why an answer is wrong; empty of one that is right."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """A traced run of a method on a pair, beside what is right and what the method does without rounding."""

    chosen: Chosen
    probe: Shape
    primitive: Shape
    reading: Reading
    """What it ran on: "interpreted" (float64) or "float32"."""
    trace: Trace

    @property
    def hit(self) -> bool:
        """The method's verdict."""
        return self.trace.hit

    @cached_property
    def truth(self) -> bool:
        """The exact verdict on the numbers that the method was given."""
        return exact.meet(*self.given)

    @property
    def given(self) -> tuple[Shape, Shape]:
        """The pair as the method was given it: in float32 its numbers are rounded."""
        if self.reading != "float32":
            return self.probe, self.primitive
        rounded = (replaced_numbers(shape, np.float32) for shape in (self.probe, self.primitive))
        first, second = (replaced_numbers(shape, float) for shape in rounded)
        return first, second

    @property
    def is_wrong(self) -> bool:
        """Whether the verdict is not the exact one, or there is none."""
        return bool(self.trace.error) or self.hit != self.truth

    @cached_property
    def unrounded(self) -> Trace | None:
        """The same source run on fractions; None where the method has no such reading."""
        return self._unrounded(self.chosen)

    @cached_property
    def departs(self) -> Departure | None:
        """The first comparison that goes another way without rounding; None where there is none."""
        return None if self.unrounded is None else departure(self.trace, self.unrounded)

    @cached_property
    def by_tolerance(self) -> Departure | None:
        """Of a wrong answer the first comparison that goes another way with every tolerance at zero."""
        names = [name for name in self.chosen.method.arguments if name.endswith(TOLERANCES)]
        if not self.is_wrong or not names:
            return None
        none_given = self.chosen._replace(arguments={**self.chosen.arguments, **dict.fromkeys(names, 0.0)})
        if self.unrounded is not None:
            strict = self._unrounded(none_given)
            return None if strict is None or strict.hit != self.truth else departure(self.unrounded, strict)
        strict = trace(none_given, self.probe, self.primitive, self.reading)
        return departure(self.trace, strict) if strict.hit == self.truth else None

    @cached_property
    def first_nan(self) -> int | None:
        """The index of the first step that has a NaN; None where there is none."""
        return next((k for k, step in enumerate(self.trace.steps) if _has_nan(step.values.values())), None)

    @cached_property
    def cause(self) -> Cause:
        """Why the answer is wrong; empty where it is right, unknown without an unrounded reading."""
        if self.trace.error:
            return "error"
        if not self.is_wrong:
            return ""
        if self.unrounded is not None and self.unrounded.hit == self.truth:
            return "rounding"
        if self.by_tolerance is not None:
            return "tolerance"
        if self.unrounded is not None or self.chosen.method.fault:
            return "logic"
        return "unknown" if self.first_nan is None else "nan"

    @cached_property
    def lying_step(self) -> int | None:
        """The index of the step whose line makes the answer wrong; None where it is right or none is known."""
        departs = {"rounding": self.departs, "tolerance": self.by_tolerance}.get(self.cause)
        if departs is not None:
            return departs.step
        if self.cause == "nan":
            return self.first_nan
        if self.cause == "logic":
            return self._step_of_fault()
        return len(self.trace.steps) - 1 if self.cause == "error" and self.trace.steps else None

    def errors_in_ulps(self, step: int) -> Mapping[str, float]:
        """How far each number of a step is from its unrounded value, in ulps of it; those that are right left out.

        Empty past the departure, where the two runs do different things. Of a tuple the largest of its numbers.
        """
        if self.unrounded is None or (self.departs is not None and step > self.departs.step):
            return {}
        if step >= len(self.unrounded.steps):
            return {}
        ours, theirs = self.trace.steps[step].values, self.unrounded.steps[step].values
        found = {name: _ulps(value, theirs[name]) for name, value in ours.items() if name in theirs}
        return {name: ulps for name, ulps in found.items() if ulps}

    def _unrounded(self, chosen: Chosen) -> Trace | None:
        if "unrounded" not in chosen.method.readings:
            return None
        try:
            return trace(chosen, *self.given, "unrounded")
        except ArithmeticError:
            return None

    def _step_of_fault(self) -> int | None:
        """The first step of the line that the catalogue names as a specimen's fault."""
        fault = self.chosen.method.fault
        if not fault:
            return None
        return next((k for k, step in enumerate(self.trace.steps) if fault in step.source), None)


def explain(chosen: Chosen, probe: Shape, primitive: Shape, reading: Reading = "interpreted") -> Explanation:
    """Run a method on one pair, traced; what is right and what is wrong is found when it is asked for.

    Raises OSError where the source of the method is not at hand.
    """
    is_exact = chosen.method.name == EXACT
    run = exact_trace(probe, primitive) if is_exact else trace(chosen, probe, primitive, reading)
    return Explanation(chosen, probe, primitive, "interpreted" if is_exact else reading, run)


def _numbers(value: Any) -> Iterator[Any]:
    """The numbers in a value."""
    if isinstance(value, tuple | list):
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, int | float | np.floating | Fraction) and not isinstance(value, bool):
        yield value


def _has_nan(values: Any) -> bool:
    return any(isinstance(number, float | np.floating) and math.isnan(number) for number in _numbers(list(values)))


def _ulps(value: Any, unrounded: Any) -> float:
    """The largest distance of numbers from unrounded ones, in ulps of the rounded."""
    ours, theirs = list(_numbers(value)), list(_numbers(unrounded))
    if len(ours) != len(theirs):
        return 0.0
    return max((_ulps_of(a, b) for a, b in zip(ours, theirs, strict=True)), default=0.0)


def _ulps_of(number: Any, unrounded: Any) -> float:
    if not isinstance(number, float | np.floating) or not (math.isfinite(number) and math.isfinite(unrounded)):
        return 0.0
    ulp = float(np.spacing(np.abs(number)))
    return float(abs(Fraction(float(number)) - Fraction(unrounded)) / Fraction(ulp))

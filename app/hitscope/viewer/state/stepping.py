"""The run of a method that is stepped through: its statements, and how many of them have run."""

import math
from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from hitscope.draw.step_marks import StepMarks
from hitscope.draw.target import Targets
from hitscope.explain import Call, Compared, Explanation, Iteration, Step, Trace, open_call
from hitscope.explain.statements import SourceText, source_text_of
from hitscope.explain.step_words import changed_values
from hitscope.explain.value_pictures import names_in
from hitscope.targets.deciding import DecidingTargets
from hitscope.targets.fixes import Alike, Fix, Fixes
from hitscope.targets.target import TargetSpec

STEPS_A_SECOND = 4
"""How many statements run a second while the run is played."""


class Place(NamedTuple):
    """Where the user is in a run, to be found in another run of the same source."""

    at: int
    step: Step | None
    """The statement that runs next; None at the end, and at the start until the user was elsewhere."""
    number: int
    """How often it has run before in the same passes."""


class WrongLine(NamedTuple):
    """The wrong line: the statement that makes the answer wrong."""

    at: int
    """How many statements have run where it is seen."""
    line: int
    ours: Compared | None
    """The comparison of the line; None where no comparison is known to be at fault."""
    calls: tuple[Call, ...]
    """The helpers, the outermost first, in which it is."""


class Searched(NamedTuple):
    """The last search for the wrong line of a function of the user's, which may have been stopped."""

    targets: DecidingTargets
    """The targets of the files that it has read."""
    spec: TargetSpec
    found: Fixes


class ShownValues(NamedTuple):
    """The facts about the values that are shown, beside the values themselves."""

    explanation: Explanation
    at: int
    rests: bool
    """Whether the scene rested, so that there was time to run the method on fractions."""
    ulps: Mapping[str, float]
    """How far they are from unrounded ones, in ulps, by name."""
    marks: StepMarks
    """The marks of the values in the scene."""


class Run:
    """The run of one function, and how many of its statements have run."""

    def __init__(self, name: str, trace: Trace, source: SourceText, call: int = 0) -> None:
        """Begin before the first statement; `call` is its place among the calls of the caller's statement."""
        self.name, self.trace, self.source, self.call = name, trace, source, call
        self.at = 0
        """The number of statements that have run: the next one has this index."""
        self.kept = Place(0, None, 0)
        """Where the user was last by a step of theirs, not by a change of the scene."""

    def go(self, at: int) -> None:
        """Go to where so many statements have run, at the user's wish."""
        self.at = min(max(at, 0), len(self.steps))
        step = self.next
        number = 0 if step is None else sum(_is_alike(other, step) for other in self.steps[: self.at])
        self.kept = Place(self.at, step, number)

    def go_near(self, kept: Place) -> None:
        """Go to a place of another run: the same statement in the same pass, else the nearest, else as far."""
        self.kept = kept
        step, steps = kept.step, self.steps
        if step is None:
            self.at = len(steps) if kept.at else 0
        elif alike := [k for k, other in enumerate(steps) if _is_alike(other, step)]:
            self.at = alike[min(kept.number, len(alike) - 1)]
        else:
            times = (k for k, other in enumerate(steps) if other.line == step.line)
            self.at = min(times, key=lambda k: abs(k - kept.at), default=min(kept.at, len(steps)))

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.trace.steps

    @property
    def next(self) -> Step | None:
        """The statement that runs next; None at the end."""
        return self.steps[self.at] if self.at < len(self.steps) else None

    @property
    def values(self) -> Mapping[str, Any]:
        """The values of the names now; before the first statement the arguments, unless it changes them."""
        return self.steps[self.at - 1].values if self.at else self._arguments

    @cached_property
    def _arguments(self) -> Mapping[str, Any]:
        if not self.steps:
            return {}
        after, changed = self.steps[0].values, names_in(self.steps[0].source)[0]
        return {name: after[name] for name in self.source.parameters if name in after and name not in changed}

    @property
    def changed(self) -> frozenset[str]:
        """The names whose values the last statement has set or changed."""
        if not self.at:
            return frozenset()
        before = self.steps[self.at - 2].values if self.at > 1 else self._arguments
        return frozenset(changed_values(self.steps[self.at - 1], before))

    @cached_property
    def not_finite(self) -> tuple[int, ...]:
        """How many statements have run where a NaN or an infinity comes up or is compared."""
        before: Mapping[str, Any] = {}
        found = set()
        for k, step in enumerate(self.steps):
            if any(_has_not_finite(value) for compared in step.comparisons for value in compared.values):
                found.add(k)
            if any(map(_has_not_finite, changed_values(step, before).values())):
                found.add(k + 1)
            before = step.values
        return tuple(sorted(found))

    @cached_property
    def passes(self) -> list[tuple[int, tuple[Iteration, ...]]]:
        """Where passes of loops begin, and which they are; where a loop has ended there are fewer."""
        passes = pairwise([(), *(step.iterations for step in self.steps)])
        return [(k, now) for k, (before, now) in enumerate(passes) if now != before]

    @cached_property
    def outer_passes(self) -> list[tuple[int, int, int]]:
        """The passes of the outermost loops: the first step, the first step behind it, and its number."""
        outer = [(k, passes[0] if passes else None) for k, passes in self.passes]
        starts = [one for i, one in enumerate(outer) if i == 0 or outer[i - 1][1] != one[1]]
        both = pairwise([*starts, (len(self.steps), None)])
        return [(first, last, passed.number) for (first, passed), (last, _) in both if passed is not None]


class Stepping:
    """The run stepped through. Written by `actions/stepping.py`, which follows the scene in each refresh."""

    def __init__(self) -> None:
        self.is_open = False
        self.pair: tuple[str, str] | None = None
        """The ids of the probe and the element."""
        self.method = ""
        """The name of the method that was chosen; empty for the deciding one."""
        self.seen: Targets = ()
        """The selection that the pair was taken from: another one may be another pair."""
        self.explanation: Explanation | None = None
        self.followed: tuple[object, ...] = ()
        """The last parts looked at: report, pair, method, whether the scene rests, the user's own files."""
        self.traced: tuple[object, ...] = ()
        """The call that was traced last: the method with its arguments and the texts of the shapes."""
        self.runs: list[Run] = []
        """The run of the method, and of the helpers that were opened in it, the innermost last."""
        self.others: tuple[str, ...] = ()
        """The methods of the pair that can be stepped, where the one that was asked for cannot."""
        self.problem = ""
        """Why there is no run."""
        self.wrong_line: WrongLine | None = None
        """Known while the scene rests."""
        self.is_wrong = False
        """Whether the answer is not the exact one."""
        self.own: TargetSpec | None = None
        """The user's own method, where the pair is stepped through it, or cannot be."""
        self.searched: Searched | None = None
        self.search: Fixes | None = None
        """The result of a search for the wrong line of that method, as its file is now, if there was one."""
        self.alike: Alike | None = None
        """The method of the catalogue that errs as that method does, if one is known."""
        self.shown: ShownValues | None = None
        """The facts about the values of the method; None without a run."""
        self.in_hex = False
        self.playing: tuple[int, float] | None = None
        """Where and when the run began to be played; None while it is not."""

    @property
    def run(self) -> Run | None:
        """The innermost run."""
        return self.runs[-1] if self.is_open and self.runs else None

    @property
    def fix(self) -> Fix | None:
        """The change that makes that method right, if the search has found one."""
        return self.search.fix if self.search else None

    def open(self, index: int, name: str) -> bool:
        """Open the helper of this name that the next statement calls; False where it cannot be run again."""
        step = self.runs[-1].next
        call = None if step is None or index >= len(step.calls) else step.calls[index]
        if call is None or call.name != name or call.function is None or (opened := open_call(call)) is None:
            return False
        self.runs.append(Run(name, opened, source_text_of(call.function), index))
        return True

    @property
    def shown_step(self) -> int | None:
        """The index of the step of the method whose values are shown; None before the first and without a run."""
        return self.runs[0].at - 1 if self.is_open and self.runs and self.runs[0].at else None

    @property
    def decision(self) -> int:
        """How many statements of the method have run where its decision is seen: before its comparison."""
        trace = self.runs[0].trace
        index = trace.deciding_step
        return index if index >= 0 and trace.steps[index].comparisons else index + 1

    def seconds_to_next(self, now: float) -> float:
        """The seconds from `now` to the next statement of a run that is played."""
        assert self.playing is not None
        elapsed = now - self.playing[1]
        return max(1.0 - (elapsed * STEPS_A_SECOND) % 1.0, 0.01) / STEPS_A_SECOND


def _is_alike(step: Step, other: Step) -> bool:
    """Whether two steps are of the same statement in the same passes."""
    return step.line == other.line and step.iterations == other.iterations


def _has_not_finite(value: Any) -> bool:
    if isinstance(value, tuple | list):
        return any(map(_has_not_finite, value))
    return isinstance(value, float | np.floating) and not math.isfinite(value)

"""The stepped reading: run a method under a line tracer, so that its own source explains itself."""

import inspect
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from functools import lru_cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from hitscope.explain.observed_code import REPORTERS, Comparison, observed, source_of
from hitscope.explain.snapshot import ObjectText, in_fractions, snapshot, unrounded
from hitscope.explain.statements import Statement, statements_by_line
from hitscope.geometry.registry import Chosen
from hitscope.geometry.shapes import Shape, replaced_numbers
from hitscope.unrounded import Unrounded, exact_math

Reading: TypeAlias = Literal["interpreted", "float32", "unrounded"]
"""The numbers that a method is run on: float64, float32, or fractions."""

LINE_EVENT: Final = "line"
"""The name of the event that a tracer gets before each line."""


class Limits(NamedTuple):
    """Limits that end a traced run: a user's own function may never end."""

    lines: int = 100_000
    """The most lines that it executes, those of helpers included."""
    copied: int = 4_000_000
    """The most elements of lists, dicts, sets and arrays that the values of a run have together."""


LIMITS = Limits()
LIBRARIES = (*{sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}, "<frozen")
"""The beginnings of the paths of functions that no one wants to step through."""
HITSCOPE = str(Path(__file__).parent.parent)
"""The folder of our own functions, which may be among the libraries."""
RECORDING = str(Path(__file__).parent), inspect.getfile(Unrounded)
"""The places of the functions that record, and that are not rounded."""
GENERATOR = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""The flags of functions that return before they run."""


class Compared(NamedTuple):
    """A comparison as it was decided: its text, operators, operands' texts and values, and its result."""

    line: int
    text: str
    operators: tuple[str, ...]
    operands: tuple[str, ...]
    values: tuple[Any, ...]
    """The values of the operands that were evaluated: a chain ends at its first comparison that fails."""
    result: Any


class Call(NamedTuple):
    """A call of a helper: its name, its arguments by name, and its answer. `open_call` traces it."""

    name: str
    function: Callable[..., Any] | None
    """None where it is not to be found by its name, as a method of an object."""
    arguments: Mapping[str, Any]
    answer: Any


class Iteration(NamedTuple):
    """A pass of a loop: the first line of the loop's header, and its number from 1."""

    line: int
    number: int


class Step(NamedTuple):
    """One executed statement: its first line in the file, its text, and snapshots of the values after it ran."""

    line: int
    source: str
    values: Mapping[str, Any]
    events: tuple[Compared | Call, ...] = ()
    """The comparisons and the calls of helpers, in order."""
    branch: bool | None = None
    """Which way the condition of an `if` or a `while` went; of a `for`, whether there was another pass."""
    iterations: tuple[Iteration, ...] = ()
    """The passes of the loops around it, the outermost first."""
    tested: Compared | None = None
    """The test of an `if` or a `while`, as a comparison of one value, without an operator."""

    @property
    def comparisons(self) -> tuple[Compared, ...]:
        return tuple(event for event in self.events if isinstance(event, Compared))

    @property
    def heads_loop(self) -> bool:
        return bool(self.iterations) and self.iterations[-1].line == self.line

    @property
    def ends_loop(self) -> bool:
        """Whether it is the header of a loop that had no other pass."""
        return self.branch is False and self.heads_loop

    @property
    def calls(self) -> tuple[Call, ...]:
        return tuple(event for event in self.events if isinstance(event, Call))


class Trace(NamedTuple):
    """The answer of a method, and the statements that it executed."""

    answer: Any
    steps: tuple[Step, ...]
    error: str = ""
    """Why there is no answer: the error that ended the run, in words."""

    @property
    def hit(self) -> bool:
        """Whether the method found a hit: its answer, the attribute `hit` of it, or the first of its parts."""
        answer = getattr(self.answer, "hit", self.answer)
        return bool(answer[0] if isinstance(answer, Sequence | np.ndarray) and len(answer) else answer)

    def _repr_html_(self) -> str:
        """Return the steps as a table: line, source and the values after it ran."""
        from hitscope import notebook
        from hitscope.explain.snapshot import value_text

        def values(step: Step) -> str:
            return ", ".join(f"{name} = {value_text(value)}" for name, value in step.values.items())

        rows = ({"line": step.line, "source": step.source, "values": values(step)} for step in self.steps)
        answer = notebook.paragraph(self.error or f"answer: {value_text(self.answer)}")
        return notebook.table_of(rows, len(self.steps)) + answer

    @property
    def deciding_step(self) -> int:
        """The index of the last step that compared something, the last of all where none did; -1 of no step."""
        last = len(self.steps) - 1
        return next((k for k in range(last, -1, -1) if self.steps[k].comparisons), last)


def trace(
    chosen: Chosen,
    probe: Shape,
    primitive: Shape,
    reading: Reading = "interpreted",
    decisions: Sequence[bool] = (),
) -> Trace:
    """Run a method on one pair and record each executed statement of its own source.

    `decisions` are what its first comparisons give, whatever they compare. Any method can be traced unrounded; one
    that needs more than arithmetic and roots ends in a RoundedError. An error of the method ends the trace, which
    has it in words. Raises OSError where the source is not at hand.
    """
    method, arguments = chosen.method, dict(chosen.arguments)
    with np.errstate(all="ignore"):
        if reading == "unrounded":
            probe, primitive = (replaced_numbers(shape, Unrounded) for shape in (probe, primitive))
            arguments = {name: _unrounded(value) for name, value in {**method.arguments, **arguments}.items()}
        elif reading == "float32":
            probe, primitive = (replaced_numbers(shape, np.float32) for shape in (probe, primitive))
        try:
            parameters = method.parameters(probe, primitive)
        except ArithmeticError as error:  # infinite numbers have no common form
            return Trace(None, (), _in_words(error))
        if reading != "unrounded":
            return trace_call(method.function, parameters, arguments, decisions)
        with exact_math(_globals_of(method.function)):
            return in_fractions(trace_call(method.function, parameters, arguments, decisions))


def open_call(call: Call) -> Trace | None:
    """Trace a helper on the arguments that it had; None where its source or an argument cannot be had again."""
    if call.function is None or any(type(value) is ObjectText for value in call.arguments.values()):
        return None
    try:
        with np.errstate(all="ignore"), exact_math(_globals_of(call.function)):
            return in_fractions(trace_call(call.function, (), unrounded(call.arguments)))
    except OSError:
        return None


def _globals_of(function: Callable[..., Any]) -> dict[str, Any]:
    return getattr(inspect.unwrap(function), "__globals__", {})


def trace_call(
    function: Callable[..., Any],
    positional: Sequence[Any],
    named: Mapping[str, Any],
    decisions: Sequence[bool] = (),
    limits: Limits = LIMITS,
) -> Trace:
    """Call a function and record its statements; raises OSError where their source is missing or has changed."""
    inner = inspect.unwrap(function)
    recorder = _Recorder(statements_by_line(source_of(inner)), decisions, limits)
    recorder.code = inner.__code__
    if found := observed(function, (recorder.note_operand, recorder.note_outcome, recorder.note_test)):
        function, (recorder.code, recorder.comparisons) = found
    before = sys.gettrace()
    answer: Any = None
    error = ""
    sys.settrace(recorder.watch_calls)
    try:
        with redirect_stdout(sys.stderr):
            answer = function(*positional, **named)
    except _TooManySteps:
        error = f"it was stopped after {recorder.line_count:,} lines"
    except (Exception, SystemExit) as raised:  # a user's own function may raise anything
        error = _in_words(raised)
    finally:
        sys.settrace(before)
    return Trace(answer, _with_branches_of_loops(recorder.steps), error)


def _in_words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")


class _TooManySteps(BaseException):
    """Ends a run that would not end, past any `except Exception` of the method."""


class _Recorder:
    """The steps of a run, as its frames report them."""

    def __init__(self, statements: Mapping[int, Statement], decisions: Sequence[bool], limits: Limits) -> None:
        self.steps: list[Step] = []
        self.code: CodeType
        self.comparisons: tuple[Comparison, ...] = ()
        self._statements = statements
        self._decisions = iter(decisions)
        self._limits = limits
        self._running: Statement | None = None
        self._events: list[Compared | Call] = []
        self._operands: list[list[Any]] = []
        self._tested: Compared | None = None
        self._passes: dict[int, int] = {}
        self.line_count = 0
        self._copied_count = 0
        self._unchangeable: dict[int, Any] = {}

    def note_operand(self, index: int, k: int, value: Any) -> Any:
        """Record a value that is about to be compared."""
        if k == 0:
            self._operands.append([])
        self._operands[-1].append(self._copy(value))
        return value

    def note_outcome(self, index: int, result: Any) -> Any:
        values = tuple(self._operands.pop())
        result = next(self._decisions, result)
        self._events.append(Compared(*self.comparisons[index], values, self._copy(result)))
        return result

    def note_test(self, index: int, value: Any) -> Any:
        """Record which way a branch goes."""
        # An `except` without a type catches what ended the tracing.
        self._stop_if_endless()
        self._tested = Compared(*self.comparisons[index], (self._copy(value),), bool(value))
        return value

    def watch_calls(self, frame: FrameType, event: str, _: Any) -> Any:
        """Follow the method line by line, and its helpers from call to return."""
        code = frame.f_code
        # A call of itself is a part of the statement that makes it.
        if code is self.code and self._running is None and not self.steps:
            return self._watch_lines
        if is_of_library(code.co_filename):
            return None
        if self._is_helper(frame):
            names, values = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], frame.f_locals
            return self._watch_helper(frame, {name: self._copy(values[name]) for name in names})
        return self._count_lines

    def _is_helper(self, frame: FrameType) -> bool:
        """Whether a frame was called by the method itself, not by a helper, and answers when it returns."""
        if frame.f_code.co_name.startswith("<") or frame.f_code.co_flags & GENERATOR:
            return False
        caller = frame.f_back
        while caller is not None and caller.f_code.co_name.startswith("<") and caller.f_code is not self.code:
            caller = caller.f_back
        return caller is not None and caller.f_code is self.code

    def _watch_helper(self, frame: FrameType, arguments: Mapping[str, Any]) -> Any:
        function = _function_of(frame)
        error = ""

        def watch(frame: FrameType, event: str, value: Any) -> Any:
            nonlocal error
            if event == "return":
                answer = ObjectText(f"raised {error}") if error else self._copy(value)
                self._events.append(Call(frame.f_code.co_name, function, arguments, answer))
            else:
                error = value[0].__name__ if event == "exception" else ""
                self._count_lines(frame, event, value)
            return watch

        return watch

    def _count_lines(self, frame: FrameType, event: str, _: Any) -> Any:
        self.line_count += event == LINE_EVENT
        self._stop_if_endless()
        return self._count_lines

    def _stop_if_endless(self) -> None:
        if self.line_count >= self._limits.lines or self._copied_count > self._limits.copied:
            raise _TooManySteps

    def _watch_lines(self, frame: FrameType, event: str, _: Any) -> Any:
        self._count_lines(frame, event, _)
        statement = self._statements.get(frame.f_lineno) if event == LINE_EVENT else None
        if event != "exception" and (statement is None or statement is not self._running):
            if self._running is not None:
                self._close_step(self._running, frame)
            self._running = statement
        return self._watch_lines

    def _close_step(self, statement: Statement, frame: FrameType) -> None:
        values = {name: self._copy(value) for name, value in frame.f_locals.items() if name not in REPORTERS}
        loops = statement.loops
        self._passes = {line: number for line, number in self._passes.items() if line in loops}
        if loops and loops[-1] == statement.line:  # the header of a loop is in the pass that it begins
            self._passes[statement.line] = self._passes.get(statement.line, 0) + 1
        iterations = tuple(Iteration(line, self._passes.get(line, 1)) for line in loops)
        events, tested = tuple(self._events), self._tested
        branch = None if tested is None else tested.result
        self.steps.append(Step(statement.line, statement.source, values, events, branch, iterations, tested))
        self._events, self._tested = [], None

    def _copy(self, value: Any) -> Any:
        copied = snapshot(value, self._unchangeable)
        if copied is not value and isinstance(value, (list, dict, set, frozenset, np.ndarray)):
            self._copied_count += int(np.size(value)) if isinstance(value, np.ndarray) else len(value)
        return copied


@lru_cache(maxsize=1024)
def is_of_library(path: str, libraries: tuple[str, ...] = LIBRARIES) -> bool:
    """Whether a source file is of a library, or records; helpers of hitscope are wherever it is installed."""
    return path.startswith(RECORDING) or (path.startswith(libraries) and not path.startswith(HITSCOPE))


def _function_of(frame: FrameType) -> Callable[..., Any] | None:
    """The function that a frame runs, where its caller or its module has it by its name."""
    assert frame.f_back is not None
    for scope in (frame.f_back.f_locals, frame.f_globals):
        named: Callable[..., Any] = inspect.unwrap(scope.get(frame.f_code.co_name))  # type: ignore[arg-type]
        if getattr(named, "__code__", None) is frame.f_code:
            return named
    return None


def _unrounded(value: Any) -> Any:
    """An argument of a method as the unrounded reading takes it; what is not finite has no fraction."""
    return Unrounded(value) if not isinstance(value, bool) and np.isfinite(value) else value


def _with_branches_of_loops(steps: list[Step]) -> tuple[Step, ...]:
    """Say of each header of a `for` whether another pass followed."""
    for k, step in enumerate(steps):
        if step.branch is None and step.heads_loop:
            following = steps[k + 1].iterations if k + 1 < len(steps) else ()
            steps[k] = step._replace(branch=step.iterations[-1] in following)
    return tuple(steps)

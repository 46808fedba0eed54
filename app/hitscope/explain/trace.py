"""The stepped reading: run a method under a line tracer, so that its own source explains itself."""

import inspect
import sys
from types import FrameType
from typing import Any, NamedTuple

from hitscope.explain.snapshot import snapshot
from hitscope.explain.statements import Statement, statements_by_line
from hitscope.geometry.registry import Chosen
from hitscope.geometry.shapes import Shape


class Step(NamedTuple):
    """One executed statement: its first line's number in the method's file, its text, and the values after it ran.

    The values are snapshots: what runs later does not change them.
    """

    line: int
    source: str
    values: dict[str, Any]


class Trace(NamedTuple):
    """The answer of a method, and the statements that it executed."""

    answer: Any
    steps: tuple[Step, ...]

    @property
    def hit(self) -> bool:
        """Whether the method found a hit."""
        return bool(self.answer[0] if isinstance(self.answer, tuple) else self.answer)


def trace(chosen: Chosen, probe: Shape, primitive: Shape) -> Trace:
    """Run a method on one pair and record each executed statement of its own source."""
    method = chosen.method
    code = inspect.unwrap(method.function).__code__
    statements = statements_by_line(inspect.findsource(code)[0])
    steps: list[Step] = []
    running: list[Statement] = []
    unchangeable: dict[int, Any] = {}

    def copy(value: Any) -> Any:
        # A polyhedron, which nothing can change, would be walked through again at each step.
        if id(value) in unchangeable:
            return value
        copied = snapshot(value)
        if copied is value:
            unchangeable[id(value)] = value
        return copied

    def close_step(frame: FrameType) -> None:
        if running:
            values = {name: copy(value) for name, value in frame.f_locals.items()}
            steps.append(Step(*running.pop(), values))

    def watch_lines(frame: FrameType, event: str, _: Any) -> Any:
        statement = statements.get(frame.f_lineno) if event == "line" else None
        if statement is None or statement not in running:
            close_step(frame)
            if statement is not None:
                running.append(statement)
        return watch_lines

    def watch_calls(frame: FrameType, event: str, _: Any) -> Any:
        # A call of itself is a part of the statement that makes it.
        return watch_lines if event == "call" and frame.f_code is code and not running else None

    before = sys.gettrace()
    sys.settrace(watch_calls)
    try:
        answer = method(probe, primitive, **chosen.arguments)
    finally:
        sys.settrace(before)
    return Trace(answer, tuple(steps))

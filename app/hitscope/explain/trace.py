"""The stepped reading: run a method under a line tracer, so that its own source explains itself."""

import inspect
import sys
from types import FrameType
from typing import Any, NamedTuple

from hitscope.geometry.registry import Chosen
from hitscope.geometry.shapes import Shape


class Step(NamedTuple):
    """One executed line: its number in the method's file, its text, and the values after it ran."""

    line: int
    source: str
    values: dict[str, Any]


class Trace(NamedTuple):
    """The answer of a method, and the lines that it executed."""

    answer: Any
    steps: tuple[Step, ...]

    @property
    def hit(self) -> bool:
        """Whether the method found a hit."""
        return bool(self.answer[0] if isinstance(self.answer, tuple) else self.answer)


def trace(chosen: Chosen, probe: Shape, primitive: Shape) -> Trace:
    """Run a method on one pair and record each executed line of its own source."""
    method = chosen.method
    code = inspect.unwrap(method.function).__code__
    lines, first = inspect.getsourcelines(code)
    steps: list[Step] = []
    running: list[int] = []

    def close_step(frame: FrameType) -> None:
        if running:
            line = running.pop()
            steps.append(Step(line, lines[line - first].rstrip("\n"), dict(frame.f_locals)))

    def watch_lines(frame: FrameType, event: str, _: Any) -> Any:
        close_step(frame)
        if event == "line":
            running.append(frame.f_lineno)
        return watch_lines

    def watch_calls(frame: FrameType, event: str, _: Any) -> Any:
        return watch_lines if event == "call" and frame.f_code is code else None

    before = sys.gettrace()
    sys.settrace(watch_calls)
    try:
        answer = method(probe, primitive, **chosen.arguments)
    finally:
        sys.settrace(before)
    return Trace(answer, tuple(steps))

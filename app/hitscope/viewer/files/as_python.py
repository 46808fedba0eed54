"""Pairs of a scene as a test in Python, which passes as it is: it asserts what hitscope answers today."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from hitscope.errors import quoted
from hitscope.evaluate import Report, Verdict
from hitscope.geometry.registry import Argument

WIDTH = 100
ANSWERS = ("hit", "state", "side", "t_enter", "t_exit", "point", "normal", "distance")


def as_test(report: Report, pairs: Iterable[tuple[int, int]]) -> str:
    """Give a module with one test of each pair (probe i, element j), by the method that decides it."""
    tests: dict[str, str] = {}
    for i, j in pairs:
        verdict = report.verdict(i, j)
        name = f"test_{_identifier(verdict.probe)}_on_{_identifier(verdict.primitive)}"
        while name in tests:  # "a-b" and "a_b" are one in Python
            name += "_too"
        tests[name] = _test(name, verdict, report.chosen(*verdict.shapes).arguments)
    return "import hitscope\n" + "".join(f"\n\n{test}" for test in tests.values())


def _test(name: str, verdict: Verdict, arguments: Mapping[str, Argument]) -> str:
    probe, primitive = verdict.shapes
    given = {"method": verdict.method, **arguments}
    ask = ["probe", "primitive", *(f"{key}={_literal(value, '    ')}" for key, value in given.items())]
    lines = [
        f"def {name}():",
        f"    probe = {_literal(probe, '    ')}",
        f"    primitive = {_literal(primitive, '    ')}",
        f"    verdict = {_bracketed('hitscope.intersect(', ask, ')', '    ')}",
    ]
    for answer in ANSWERS:
        value = getattr(verdict, answer)
        if isinstance(value, bool):
            lines.append(f"    assert verdict.{answer} is {value}")
        elif value is not None:
            lines.append(f"    assert verdict.{answer} == {_literal(value, '    ')}")
    return "\n".join(lines) + "\n"


def _literal(value: Any, indent: str) -> str:
    """Write a shape, or a number, a word or a tuple of them, in Python: it reads back as exactly the same."""
    inner = indent + "    "
    if hasattr(value, "_fields"):
        parts = [
            f"{key}={_literal(part, inner)}"
            for key, part in value._asdict().items()
            if part != value._field_defaults.get(key)
        ]
        return _bracketed(f"hitscope.{type(value).__name__}(", parts, ")", indent)
    if not isinstance(value, tuple):
        return quoted(value) if isinstance(value, str) else repr(value)
    parts = [_literal(part, inner) for part in value]
    return f"({parts[0]},)" if len(parts) == 1 else _bracketed("(", parts, ")", indent)


def _bracketed(opening: str, parts: list[str], closing: str, indent: str) -> str:
    """Put parts between brackets, on one line if they fit."""
    line = f"{opening}{', '.join(parts)}{closing}"
    if len(indent + line) <= WIDTH and "\n" not in line:
        return line
    inside = "".join(f"{indent}    {part},\n" for part in parts)
    return f"{opening}\n{inside}{indent}{closing}"


def _identifier(name: str) -> str:
    """Make a name part of a Python name."""
    return re.sub(r"\W+", "_", name).strip("_") or "it"

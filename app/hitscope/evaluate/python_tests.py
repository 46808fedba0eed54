"""Pairs of a scene as Python tests that assert their right answers."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from hitscope.errors import escaped
from hitscope.evaluate import Report, Verdict
from hitscope.evaluate.acceptance import right_verdict
from hitscope.evaluate.verdict_words import hit_or_miss
from hitscope.geometry.registry import EXACT, of_pair, pair_of

WIDTH = 100
ANSWERS = ("hit", "state", "side", "t_enter", "t_exit", "point", "normal", "distance")


def as_test(report: Report, pairs: Iterable[tuple[int, int]]) -> str:
    """The source of a module with one test for each pair (probe i, element j).

    It asks the deciding method or, where that is wrong or a user's own code, exact geometry.
    """
    tests: dict[str, str] = {}
    for i, j in pairs:
        found, verdict = report.verdict(i, j), right_verdict(report, i, j)
        method, given = report.chosen(*found.shapes)
        if of_pair(pair_of(*found.shapes)).get(method.name) is not method:
            verdict = report.find_verdict(i, j, EXACT)
        name = f"test_{_identifier(verdict.probe)}_on_{_identifier(verdict.primitive)}"
        while name in tests:  # "a-b" and "a_b" are the same name in Python
            name += "_too"
        by = {"method": verdict.method, **(given if verdict.method == found.method else {})}
        tests[name] = _test(name, verdict, found, by)
    return "import hitscope\n" + "".join(f"\n\n{test}" for test in tests.values())


def _test(name: str, verdict: Verdict, found: Verdict, given: Mapping[str, Any]) -> str:
    """A test of the right verdict by a method with its arguments, beside the answer found by the deciding one."""
    probe, primitive = verdict.shapes
    said = hit_or_miss(found.hit)
    arguments_of_call = [
        "probe",
        "primitive",
        *(f"{key}={_literal(value, '    ')}" for key, value in given.items()),
    ]
    lines = [
        f"def {name}():",
        f"    probe = {_literal(probe, '    ')}",
        f"    primitive = {_literal(primitive, '    ')}",
        *(
            []
            if verdict.method == found.method
            else [f"    # {escaped(found.method)} says {said}; exact geometry:"]
        ),
        f"    verdict = {_bracketed('hitscope.intersect(', arguments_of_call, ')', '    ')}",
    ]
    for answer in ANSWERS:
        value = getattr(verdict, answer)
        if isinstance(value, bool):
            lines.append(f"    assert verdict.{answer} is {value}")
        elif value is not None:
            lines.append(f"    assert verdict.{answer} == {_literal(value, '    ')}")
    return "\n".join(lines) + "\n"


def _literal(value: Any, indent: str) -> str:
    """A shape, number, string or tuple as a Python expression that evaluates to exactly the same value."""
    inner = indent + "    "
    if hasattr(value, "_fields"):
        parts = [
            f"{key}={_literal(part, inner)}"
            for key, part in value._asdict().items()
            if part != value._field_defaults.get(key)
        ]
        return _bracketed(f"hitscope.{type(value).__name__}(", parts, ")", indent)
    if not isinstance(value, tuple):
        return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
    parts = [_literal(part, inner) for part in value]
    return f"({parts[0]},)" if len(parts) == 1 else _bracketed("(", parts, ")", indent)


def _bracketed(opening: str, parts: list[str], closing: str, indent: str) -> str:
    """The parts between brackets, on one line if they fit."""
    line = f"{opening}{', '.join(parts)}{closing}"
    if len(indent + line) <= WIDTH and "\n" not in line:
        return line
    inside = "".join(f"{indent}    {part},\n" for part in parts)
    return f"{opening}\n{inside}{indent}{closing}"


def _identifier(name: str) -> str:
    """An id as part of a Python identifier."""
    return re.sub(r"\W+", "_", name).strip("_") or "it"

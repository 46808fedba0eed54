"""Pairs of a scene as Python tests that assert their right answers."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from hitscope.errors import escaped
from hitscope.evaluate import Report, Verdict
from hitscope.evaluate.acceptance import right_verdict
from hitscope.evaluate.verdict_words import hit_or_miss
from hitscope.geometry.registry import EXACT, of_pair, pair_of
from hitscope.targets.languages import INDENT, SHAPES, bracketed, literal

PYTHON = SHAPES._replace(made=("hitscope.{type}(", *SHAPES.made[1:]))
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
    arguments = [
        "probe",
        "primitive",
        *(f"{key}={literal(PYTHON, value, INDENT)}" for key, value in given.items()),
    ]
    lines = [
        f"def {name}():",
        f"    probe = {literal(PYTHON, probe, INDENT)}",
        f"    primitive = {literal(PYTHON, primitive, INDENT)}",
        *(
            []
            if verdict.method == found.method
            else [f"    # {escaped(found.method)} says {said}; exact geometry:"]
        ),
        f"    verdict = {bracketed('hitscope.intersect(', arguments, ')', INDENT, PYTHON.last_comma)}",
    ]
    for answer in ANSWERS:
        value = getattr(verdict, answer)
        if isinstance(value, bool):
            lines.append(f"    assert verdict.{answer} is {value}")
        elif value is not None:
            lines.append(f"    assert verdict.{answer} == {literal(PYTHON, value, INDENT)}")
    return "\n".join(lines) + "\n"


def _identifier(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_") or "it"

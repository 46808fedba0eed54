"""What `explain` prints, read back: the values shown decide each comparison as the run did."""

import ast
import inspect
import json
import math
import re
from fractions import Fraction
from itertools import chain, islice, pairwise

import numpy as np
import pytest
from rich.cells import cell_len

from hitscope.check.tables import plain
from hitscope.check.trace_listing import print_trace
from hitscope.evaluate import evaluate
from hitscope.explain import Step, Trace, trace
from hitscope.geometry.registry import choose, methods, of_pair, pair_of
from hitscope.resources import SCENES
from hitscope.scene import load

NAMES = {"inf": math.inf, "nan": math.nan, "np": np, "array": np.array, "Fraction": Fraction}
NUMBERED = re.compile(r" *(\d+)  ( *)(.*)")
MOST_ELEMENTS = 30
"""The probes and the elements of a scene that are explained, at most: bulk scenes have thousands."""
MOST_RUNS = 8
"""The runs of a method on a pair of types, at most."""


def gallery_pairs():
    """Yield the pairs of shapes in the gallery's scenes."""
    for path in sorted(SCENES.rglob("*.scene.json")):
        report = evaluate(load(path))
        for probe in islice(report.probes, MOST_ELEMENTS):
            for element in islice(report.elements, MOST_ELEMENTS):
                yield probe.shape, element.shape


@pytest.fixture(scope="module")
def runs():
    """The traced runs of every method on the gallery's pairs, by the method's name."""
    found = {}
    for probe, primitive in dict.fromkeys(gallery_pairs()):
        for name in of_pair(pair_of(probe, primitive)):
            chosen = choose(pair_of(probe, primitive), name)
            of_types = found.setdefault(name, {}).setdefault(pair_of(probe, primitive), [])
            if "stepped" in chosen.method.readings and len(of_types) < MOST_RUNS:
                of_types.append((chosen.method, trace(chosen, probe, primitive)))
    return {name: list(chain.from_iterable(by_types.values())) for name, by_types in found.items()}


def listing(method, run, capsys, monkeypatch, columns=80):
    monkeypatch.setenv("COLUMNS", str(columns))
    print_trace(method, run)
    return capsys.readouterr().out.splitlines()


def types_in(value):
    """Yield the named tuples inside a value, by name."""
    if isinstance(value, tuple | list):
        if hasattr(value, "_fields"):
            yield type(value).__name__, type(value)
        for part in value:
            yield from types_in(part)


def read_back(lines, run):
    """Return the values that a listing of 80 columns shows after each step."""
    names = NAMES | dict(types_in([*values_of(run).values()]))
    starts = [k for k, line in enumerate(lines) if NUMBERED.match(line)]
    blocks = iter(lines[start:end] for start, end in zip(starts, [*starts[1:], -1], strict=True))
    shown, values = [], {}
    for step in run.steps:
        for number, source in enumerate(step.source.splitlines(), step.line):
            first, *rest = next(blocks)
            assert int(NUMBERED.match(first)[1]) == number
            below = [k for k, line in enumerate(rest) if line.lstrip().startswith("# ")]
            code = unfolded([NUMBERED.match(first)[3], *rest[: below[0] if below else None]])
            # The source is whole, and the values beside it are all that follows it.
            assert code.startswith(source.strip())
            text = code.removeprefix(source.strip()).removeprefix("  # ")
            for k in below:
                part = rest[k].lstrip().removeprefix("# ")
                if part.startswith(" "):
                    text += joint(rest[k - 1]) + part.lstrip()
                else:
                    text += f", {part}"
            values.update(eval(f"dict({text.removeprefix(', ')})", names))
        shown.append(dict(values))
    return shown


def unfolded(lines):
    """Join the lines of a folded source."""
    return lines[0] + "".join(joint(before) + line.lstrip() for before, line in pairwise(lines))


def joint(line):
    """Return what was between a line and its rest: a full one may end in the middle of a word."""
    return "" if cell_len(line) == 80 else " "


def decisions(method, run):
    """Yield the index of each executed `if` or `while`, its test, and whether it held."""
    tree = ast.parse("".join(inspect.findsource(inspect.unwrap(method.function))[0]))
    branches = {node.lineno: node for node in ast.walk(tree) if isinstance(node, ast.If | ast.While)}
    for k, (step, following) in enumerate(zip(run.steps, run.steps[1:], strict=False)):
        node = branches.get(step.line)
        if node is not None:
            yield k, node.test, following.line == node.body[0].lineno


def is_of_names(test):
    """Whether a test has no operands but names and constants."""
    kinds = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Name, ast.Constant)
    return all(isinstance(node, kinds) for node in ast.walk(test) if isinstance(node, ast.expr))


def decided(method, test, values):
    """Return what a test of a method gives on values alone."""
    known = inspect.unwrap(method.function).__globals__
    return bool(eval(compile(ast.Expression(test), "test", "eval"), known, values))


def values_of(run):
    """Return the values of a run by their identity: most steps leave most of them as they are."""
    return {id(value): value for step in run.steps for value in step.values.values()}


def through_json(value):
    return from_json(json.loads(json.dumps(plain(value), allow_nan=False)))


def from_json(value):
    if isinstance(value, list):
        return [from_json(part) for part in value]
    if isinstance(value, dict):
        return {key: from_json(part) for key, part in value.items()}
    return float(value) if value in ("inf", "-inf", "nan") else value


@pytest.mark.parametrize("name", sorted({method.name for method in methods() if "stepped" in method.readings}))
def test_the_values_shown_decide_each_comparison_as_the_run_did(name, runs, capsys, monkeypatch):
    compared = 0
    for method, run in runs[name]:
        lines = listing(method, run, capsys, monkeypatch)
        assert lines[-1] == ("hit" if run.hit else "miss")
        assert all(cell_len(line) <= 80 for line in lines)
        read = {key: through_json(value) for key, value in values_of(run).items()}
        in_json = [{name: read[id(value)] for name, value in step.values.items()} for step in run.steps]
        in_text = read_back(lines, run)
        for k, test, held in decisions(method, run):
            assert decided(method, test, in_text[k]) == held, (run.steps[k], in_text[k])
            compared += 1
            if is_of_names(test):
                assert decided(method, test, in_json[k]) == held, (run.steps[k], in_json[k])
    own = ast.parse(inspect.getsource(inspect.unwrap(method.function)))
    assert compared or not any(isinstance(node, ast.If | ast.While) for node in ast.walk(own))


def run_of(*steps):
    return Trace(True, tuple(Step(*step) for step in steps))


METHOD = choose("triangle_plane", "vertex_heights").method


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal_and_nothing_is_cut(columns, capsys, monkeypatch):
    value = tuple(k / 7 for k in range(40))
    source = (
        "        " + " or ".join(f"first_of_two[{k}] > second_of_two[{k}]" for k in range(9)) + "  # 日本語" * 9
    )
    run = run_of((7, source, {"value": value, "long": "x" * 300}))
    lines = listing(METHOD, run, capsys, monkeypatch, columns)
    assert all(cell_len(line) <= columns for line in lines)
    text = "".join("".join(line.split()).lstrip("#") for line in lines)
    assert "".join(repr(value).split()) in text and "x" * 300 in text
    assert "".join(source.split()).replace("#", "") in text.replace("#", "")


def test_numbers_are_shown_in_full(capsys, monkeypatch):
    values = {"a": 0.1 + 0.2, "b": 0.5000000000000001, "c": -0.0, "d": 5e-324, "e": math.inf}
    (line,) = (line for line in listing(METHOD, run_of((3, "a", values)), capsys, monkeypatch, 200) if "#" in line)
    assert line == "    3  a  # a = 0.30000000000000004, b = 0.5000000000000001, c = -0.0, d = 5e-324, e = inf"


def test_control_characters_are_escaped(capsys, monkeypatch):
    class Rude:
        def __repr__(self):
            return "\x1b[2J\n\u202e"

    run = run_of((3, "\tx = '\x1b[31m'\x07", {"x": "\x1b[31m\x07", "y": Rude()}))
    lines = listing(METHOD, run, capsys, monkeypatch)
    assert all(line.isprintable() for line in lines)
    assert lines[1:-1] == [
        r"    3          x = '\u001b[31m'\u0007",
        r"               # x = '\x1b[31m\x07'",
        r"               # y = \u001b[2J\n\u202e",
    ]


def test_a_statement_of_several_lines_is_numbered_line_by_line(capsys, monkeypatch):
    run = run_of((9, "    if (\n        a\n    ):", {"a": 1.0}), (12, "        return a", {"a": 1.0}))
    lines = listing(METHOD, run, capsys, monkeypatch)
    assert lines[1:] == [
        "    9      if (",
        "   10          a",
        "   11      ):  # a = 1.0",
        "   12          return a",
        "hit",
    ]

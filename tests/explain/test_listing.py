"""What `explain` prints, read back: the values shown decide each comparison as the run did."""

import ast
import inspect
import json
import math
import re
from fractions import Fraction
from functools import cache
from itertools import chain, islice, pairwise

import numpy as np
import pytest
from rich.cells import cell_len

import hitscope
from hitscope.cli.tables import plain
from hitscope.evaluate import evaluate
from hitscope.explain import Compared, Departure, Explanation, Step, Trace, trace
from hitscope.explain.listing import Style, listing, trace_lines
from hitscope.explain.step_words import departure_words
from hitscope.geometry.registry import choose, methods, of_pair, pair_of
from hitscope.geometry.shapes import Aabb, Plane, Ray, Triangle
from hitscope.resources import SCENES
from hitscope.scene import load

NAMES = {"inf": math.inf, "nan": math.nan, "np": np, "array": np.array, "Fraction": Fraction}
NUMBERED = re.compile(r"[ *!] *(\d+)  ( *)(.*)")
MOST_ELEMENTS = 30
"""The probes and the elements of a scene that are explained, at most: bulk scenes have thousands."""
MOST_RUNS = 2
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


NOTE = re.compile(r"  ([#?~]) ")
"""What stands between a source and the notes beside it, and between two of them."""


def lines_of(explanation, columns=80):
    return list(listing(explanation, Style(columns)))


def types_in(value):
    """Yield the functions that make the named tuples inside a value, by name, of whatever numbers they have."""
    if isinstance(value, tuple | list):
        if hasattr(value, "_fields"):
            kind = type(value)
            yield kind.__name__, lambda **named: kind._make(named[field] for field in kind._fields)
        for part in value:
            yield from types_in(part)


def read_back(lines, run):
    """Return the values that a listing of 80 columns shows after each step."""
    names = NAMES | dict(types_in([*values_of(run).values()]))
    starts = [k for k, line in enumerate(lines) if NUMBERED.match(line)]
    blocks = iter(lines[start:end] for start, end in zip(starts, [*starts[1:], len(lines)], strict=True))
    shown, values = [], {}
    for step in run.steps:
        assignments = []
        for number, source in enumerate(step.source.splitlines(), step.line):
            first, *rest = next(blocks)
            assert int(NUMBERED.match(first)[1]) == number
            below = [k for k, line in enumerate(rest) if line.lstrip()[:2] in ("# ", "? ", "~ ")]
            code = unfolded([NUMBERED.match(first)[3], *rest[: below[0] if below else None]])
            # The source is whole, and the notes beside it are all that follows it.
            assert code.startswith(source.strip())
            _, *beside = NOTE.split(code.removeprefix(source.strip()))
            assignments += [text for sign, text in zip(beside[::2], beside[1::2], strict=True) if sign == "#"]
            for k in below:
                sign, part = rest[k].lstrip()[0], rest[k].lstrip()[2:]
                if sign == "#" and part.startswith(" "):
                    assignments[-1] += joint(rest[k - 1]) + part.lstrip()
                elif sign == "#":
                    assignments.append(part)
        for text in assignments:
            if not re.fullmatch(r"pass \d+|no more passes", text):
                values.update(eval(f"dict({text.replace('≈', '')})", names))
        shown.append(dict(values))
    return shown


def unfolded(lines):
    """Join the lines of a folded source."""
    return lines[0] + "".join(joint(before) + line.lstrip() for before, line in pairwise(lines))


def joint(line):
    """Return what was between a line and its rest: a full one may end in the middle of a word."""
    return "" if cell_len(line) == 80 else " "


@cache
def branches_of(source):
    """Return each `if` and `while` of a source text by its line."""
    return {node.lineno: node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.If | ast.While)}


def decisions(method, run):
    """Yield the index of each executed `if` or `while`, its test, and whether it held."""
    branches = branches_of("".join(inspect.findsource(inspect.unwrap(method.function))[0]))
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


@pytest.mark.thorough
@pytest.mark.xdist_group("listing")  # so that the methods are run by one worker alone
@pytest.mark.parametrize("name", sorted({method.name for method in methods() if "stepped" in method.readings}))
def test_the_values_shown_decide_each_comparison_as_the_run_did(name, runs):
    compared = 0
    for method, run in runs[name]:
        lines = list(trace_lines(run, Style()))
        assert all(cell_len(line) <= 80 for line in lines)
        read = {key: through_json(value) for key, value in values_of(run).items()}
        in_json = [{name: read[id(value)] for name, value in step.values.items()} for step in run.steps]
        in_text = read_back(lines, run)
        for k, test, held in decisions(method, run):
            assert decided(method, test, in_text[k]) == held, (run.steps[k], in_text[k])
            compared += 1
            if is_of_names(test):
                assert decided(method, test, in_json[k]) == held, (run.steps[k], in_json[k])
    assert compared or not branches_of(inspect.getsource(inspect.unwrap(method.function)))


METHOD = choose("triangle_plane", "vertex_heights")
SHAPES = Triangle((0, 0, 0), (1, 0, 0), (0, 1, 0)), Plane((0, 0, 1), 0)


def explained(*steps):
    """Return the explanation of a run of these steps that found a hit."""
    return Explanation(METHOD, *SHAPES, "interpreted", Trace(True, tuple(Step(*step) for step in steps)))


def step_lines(explanation, columns=80):
    """Return the lines of the steps."""
    return list(trace_lines(explanation.trace, Style(columns)))


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal_and_nothing_is_cut(columns):
    value = tuple(k / 7 for k in range(40))
    source = (
        "        " + " or ".join(f"first_of_two[{k}] > second_of_two[{k}]" for k in range(9)) + "  # 日本語" * 9
    )
    compared = Compared(7, "a > b", (">",), ("a", "b"), (1 / 3, value), True)
    lines = lines_of(explained((7, source, {"value": value, "long": "x" * 300}, (compared,))), columns)
    assert all(cell_len(line) <= columns for line in lines)
    text = "".join("".join(line.split()).lstrip("#?") for line in lines)
    assert "".join(repr(value).split()) in text and "x" * 300 in text
    assert f"{1 / 3}>({value[0]}" in text.replace("?", "")
    assert "".join(source.split()).replace("#", "") in text.replace("#", "")


def test_numbers_are_shown_in_full():
    values = {"a": 0.1 + 0.2, "b": 0.5000000000000001, "c": -0.0, "d": 5e-324, "e": math.inf}
    assert step_lines(explained((3, "a", values)), 200) == [
        "    3  a  # a = 0.30000000000000004  # b = 0.5000000000000001  # c = -0.0  # d = 5e-324  # e = inf"
    ]


def test_floats_are_shown_by_their_bits_on_demand():
    values = {"a": 0.1, "b": (np.float32(0.1), 3, True, Fraction(1, 3)), "c": [math.nan]}
    (line,) = (line for line in listing(explained((3, "a", values)), Style(200, as_hex=True)) if "# a" in line)
    assert line == f"*   3  a  # a = {(0.1).hex()}  # b = (0x1.99999ap-4, 3, True, 1/3)  # c = [nan]"
    shown = re.findall(r"0x\S+?p-\d", line)
    assert list(map(float.fromhex, shown)) == [0.1, float(np.float32(0.1))]


def test_control_characters_are_escaped():
    class Rude:
        def __repr__(self):
            return "\x1b[2J\n\u202e"

    explanation = explained((3, "\tx = '\x1b[31m'\x07", {"x": "\x1b[31m\x07", "y": Rude()}))
    assert all(line.isprintable() for line in lines_of(explanation))
    assert step_lines(explanation, 60) == [
        r"    3          x = '\u001b[31m'\u0007",
        r"               # x = '\x1b[31m\x07'",
        r"               # y = \u001b[2J\n\u202e",
    ]


def test_a_statement_of_several_lines_is_numbered_line_by_line():
    explanation = explained((9, "    if (\n        a\n    ):", {"a": 1.0}), (12, "        return a", {"a": 1.0}))
    assert step_lines(explanation) == [
        "    9      if (",
        "   10          a",
        "   11      ):  # a = 1.0",
        "   12          return a",
    ]


def slab(ray, box):
    """A slab test whose comparison is strict, and whose divisions round."""
    near, far = 0.0, math.inf
    for k in range(3):
        a = (box.lo[k] - ray.origin[k]) / ray.direction[k]
        b = (box.hi[k] - ray.origin[k]) / ray.direction[k]
        near, far = max(near, min(a, b)), min(far, max(a, b))
        if near > far:
            return False
    return True


FIRST = inspect.getsourcelines(slab)[1]


def test_the_line_that_rounding_sends_another_way_is_marked_with_both_values():
    probe, primitive = Ray((0.0, 0.0, 0.0), (49.0, 1.0, 1.0)), Aabb((1.0, 0.0, -1.0), (2.0, 1 / 49, 1.0))
    found = next(
        explanation
        for direction in (49.0, 3.0, 7.0, 11.0, 93.0, 103.0, 107.0)
        for high in (1 / direction,)
        for sign in (1.0, 3.0, 5.0, 7.0, 9.0)
        if (
            explanation := hitscope.explain(
                probe._replace(direction=(direction * sign, sign, 1.0)),
                primitive._replace(hi=(2.0, high, 1.0)),
                slab,
            )
        ).cause
        == "rounding"
    )
    lines = repr(found).splitlines()
    (marked,) = (line for line in lines if line.startswith("!"))
    assert marked == f"!{FIRST + 7:4}          if near > far:"
    near, far = found.departs.ours.values
    text = " ".join(" ".join(line.split()).removeprefix("! ") for line in lines)
    assert f"near > far: {near} > {far} → {str(near > far).lower()}; without rounding " in text
    assert re.search(r"\(off: (near|far) by [\d.e-]+ ulps?", text)
    assert f"Rounding is the cause: without it line {FIRST + 7} goes the other way" in text


def test_passes_of_loops_are_counted_and_the_deciding_line_is_marked():
    lines = repr(hitscope.explain(Ray((0, 0, 0), (1, 1, 1)), Aabb((1, 1, 1), (2, 2, 2)), slab)).splitlines()
    of_loop = [line.split("for k in range(3):")[1] for line in lines if "for k in range(3):" in line]
    assert of_loop == ["  # pass 1  # k = 0", "  # pass 2  # k = 1", "  # pass 3  # k = 2", "  # no more passes"]
    (marked,) = (line for line in lines if line.startswith("*"))
    assert marked.endswith("if near > far:  ? 1.0 > 2.0 → false")
    assert lines[-2:] == ["Hit, which is right: exact geometry says so too.", "(* decides)"]


def inner(value):
    doubled = 2 * value
    return doubled


def calls_a_helper(ray, box):
    return inner(box.lo[0]) < inner(box.hi[0])


def test_helpers_are_folded_and_opened_on_demand():
    explanation = hitscope.explain(Ray((0, 0, 0), (1, 1, 1)), Aabb((1, 1, 1), (2, 2, 2)), calls_a_helper)
    assert [line.split("  ~ ")[1] for line in lines_of(explanation) if "  ~ " in line] == [
        "inner(…) → 2.0",
        "inner(…) → 4.0",
    ]
    opened = [line for line in listing(explanation, Style(full=True)) if line.startswith("      |")]
    assert [line.split("|")[1].split("  #")[0].split() for line in opened] == [
        ["inner"],
        [str(inspect.getsourcelines(inner)[1] + 1), "doubled", "=", "2", "*", "value"],
        [str(inspect.getsourcelines(inner)[1] + 2), "return", "doubled"],
    ] * 2


def test_unrounded_sides_that_look_alike_are_told_apart_by_their_difference():
    def departed(*theirs):
        ours = Compared(3, "a > b", (">",), ("a", "b"), (0.1, 0.1), False)
        return Departure(0, 3, "if a > b:", ours, ours._replace(values=theirs, result=True))

    near = Fraction(0.1) + Fraction(1, 2**60)
    words = departure_words(departed(near, Fraction(0.1)))
    assert words == (
        "a > b: 0.1 > 0.1 → false; without rounding ≈0.1 > 0.1 → true, by 8.67e-19 (off: a by 0.0625 ulp)"
    )
    assert "without rounding both sides are equal → true" in departure_words(departed(near, near))
    assert "without rounding 1/3 > 0.1 → true (off: a by " in departure_words(
        departed(Fraction(1, 3), Fraction(0.1))
    )
    assert "; without the tolerance 0.2 > 0.1 → true" in departure_words(
        departed(0.2, 0.1), "without the tolerance"
    )


def test_the_fault_of_a_specimen_is_named_by_its_own_line_of_a_long_statement():
    triangle, box = (
        Triangle((3.0, 2.5, -3.5), (-1.5, 4.0, 2.5), (-0.5, 1.0, -1.5)),
        Aabb((0, 0.5, -4.25), (1, 2.5, -3.25)),
    )
    explanation = hitscope.explain(triangle, box, "sat13_printed")
    number, text = explanation.wrong_line or (0, "")
    assert text == "cross(u2, f2)," and number != explanation.trace.steps[explanation.wrong_step].line
    words = " ".join(" ".join(lines_of(explanation)).split())
    fault = f"the logic of line {number} is wrong, not the rounding"
    assert f"! {fault}: {text}" in words and f"{fault.capitalize()}: without rounding" in words

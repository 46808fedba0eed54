"""A traced run: whole statements, and values that stay what they were when they were recorded."""

import json
import math
import sys
from collections import OrderedDict, deque, namedtuple
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from hitscope.cli.tables import plain
from hitscope.explain import trace
from hitscope.explain.snapshot import snapshot
from hitscope.explain.statements import statements_by_line
from hitscope.geometry.registry import Chosen, Method, choose
from hitscope.geometry.shapes import Aabb, Point, Polyhedron, Segment

PROBE, BOX = Point((0.0, 0.0, 0.0)), Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
Pair = namedtuple("Pair", "first second")


def steps_of(function, probe=PROBE, primitive=BOX):
    """Trace a function as if it were a method."""
    method = Method(function.__name__, function, ("point_aabb",), "a test", (), ("stepped",), {}, None)
    return trace(Chosen(method, {}), probe, primitive).steps


def values_of(function, name):
    """Return the texts of a variable, one a step from where it is first set."""
    return [repr(step.values[name]) for step in steps_of(function) if name in step.values]


def test_a_list_is_shown_as_it_was_and_not_as_it_became():
    def clip(probe, box):
        clipped = []
        for k in (1.0, 2.0):
            clipped.append(k)
        return bool(clipped)

    texts = values_of(clip, "clipped")
    assert texts == ["[]", "[]", "[1.0]", "[1.0]", "[1.0, 2.0]", "[1.0, 2.0]", "[1.0, 2.0]"]


@dataclass
class Counter:
    """An object that is changed in place."""

    count: int = 0


class Plain:
    """An object without a text of its own."""

    def __init__(self):
        self.parts = []


@pytest.mark.parametrize(
    ("value", "change", "before"),
    [
        ([[1.0]], lambda value: value[0].append(2.0), "[[1.0]]"),
        ({"a": [1]}, lambda value: value["a"].append(2), "{'a': [1]}"),
        ({1}, lambda value: value.add(2), "{1}"),
        (([1], 2), lambda value: value[0].append(2), "([1], 2)"),
        (Pair([1], 2), lambda value: value.first.append(2), "Pair(first=[1], second=2)"),
        (np.array([[0.1, 1 / 3]]), lambda value: value.fill(2), "array([[0.1, 0.3333333333333333]])"),
        (np.array(0.5), lambda value: value.fill(2), "array(0.5)"),
        ([np.zeros(2)], lambda value: value[0].fill(2), "[array([0.0, 0.0])]"),
        (deque([1]), lambda value: value.append(2), "deque([1])"),
        (OrderedDict(a=1), lambda value: value.update(a=2), repr(OrderedDict(a=1))),
        (Counter(), lambda value: setattr(value, "count", 1), "Counter(count=0)"),
        (Plain(), lambda value: value.parts.append(1), "Plain(parts=[])"),
        ({"a": Plain()}, lambda value: value["a"].parts.append(1), "{'a': Plain(parts=[])}"),
    ],
    ids=lambda case: type(case).__name__,
)
def test_a_snapshot_does_not_change_with_its_object(value, change, before):
    taken = snapshot(value)
    assert repr(taken) == before
    change(value)
    assert repr(taken) == before != repr(snapshot(value))


def test_what_cannot_be_copied_is_shown_by_its_text():
    class Silent:
        def __repr__(self):
            raise ValueError

    generator = (k for k in range(3))
    assert repr(snapshot(generator)) == repr(generator) and "generator object" in repr(generator)
    assert next(generator) == 0
    assert "Silent without a text: ValueError" in repr(snapshot([Silent()]))
    assert repr(snapshot(math)) == repr(math)


def test_a_value_that_contains_itself_is_shown_once():
    loop: list[object] = [1]
    loop.append(loop)
    assert repr(snapshot(loop)) == "[1, ...]"
    plain_loop = Plain()
    plain_loop.parts.append(plain_loop)
    assert repr(snapshot(plain_loop)) == "Plain(parts=[...])"
    same = [1]
    assert repr(snapshot([same, same])) == "[[1], [1]]"


def test_a_large_shape_is_not_copied_at_each_step(monkeypatch):
    calls = 0

    def counted(value, *parents):
        nonlocal calls
        calls += 1
        return snapshot(value, *parents)

    def loop(probe, body):
        for _ in range(100):
            pass
        return True

    for module in ("snapshot", "trace"):
        monkeypatch.setattr(sys.modules[f"hitscope.explain.{module}"], "snapshot", counted)
    vertices = tuple((float(k), 0.0, 0.0) for k in range(1000))
    body = Polyhedron((), vertices)
    steps = steps_of(loop, PROBE, body)
    assert len(steps) > 200 and steps[-1].values["body"].vertices is body.vertices
    assert calls < 10 * len(vertices)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([np.float64(0.5), np.float32(0.1), np.int64(3), np.bool_(True)], "[0.5, 0.10000000149011612, 3, true]"),
        ({"a": (1.0, [2.0]), (1, 2): {3}}, '{"a": [1.0, [2.0]], "(1, 2)": [3]}'),
        ([math.inf, -math.inf, math.nan, np.float32(math.inf)], '["inf", "-inf", "nan", "inf"]'),
        (np.array([[0.1], [math.nan]]), '[[0.1], ["nan"]]'),
        ([Fraction(1, 3), Counter(), None], '["1/3", "Counter(count=0)", null]'),
        (1e22 + 1j, '"(1e+22+1j)"'),
    ],
)
def test_every_snapshot_is_valid_json(value, text):
    assert json.dumps(plain(snapshot(value)), allow_nan=False) == text


SOURCE = '''\
@decorated(
    1,
)
def function(a,
             b):
    # no statement
    if (a
            and b
            ):
        # a comment
        c = [
            a,

            b,  # kept
        ]; d = 1
    elif a: return (a,
                    b)
    else:
        try:
            pass
        except (ValueError,
                TypeError):
            text = """
  # of a text
"""
    match a:
        case (1 |
              2) if b:
            pass
    with (a as e,
          b):

        return 0
'''


def test_a_statement_has_all_its_lines():
    statements = statements_by_line(SOURCE)
    spans = {(statement.line, statement.line + statement.source.count("\n")) for statement in statements.values()}
    assert spans == {
        (1, 5),
        (7, 9),
        (11, 15),
        (16, 17),
        (19, 19),
        (20, 20),
        (21, 22),
        (23, 25),
        (26, 26),
        (27, 28),
        (29, 29),
        (30, 31),
        (33, 33),
    }
    lines = SOURCE.splitlines()
    for line, statement in statements.items():
        assert lines[line - 1] in statement.source.split("\n")
    assert {line for line in range(1, len(lines) + 1) if line not in statements} == {6, 10, 18, 32}


def test_a_statement_of_several_lines_is_one_step_and_whole():
    def method(probe, box):
        total = (
            probe.position[0]
            + box.lo[0]
        )  # fmt: skip
        for k in (
            1,
            2,
        ):
            total += k
        return bool(
            total
        )  # fmt: skip

    sources = [step.source.split() for step in steps_of(method)]
    assert [source[0] for source in sources] == ["total", "for", "total", "for", "total", "for", "return"]
    assert sources[1] == ["for", "k", "in", "(", "1,", "2,", "):"]
    assert sources[-1][:4] == ["return", "bool(", "total", ")"]


def test_a_call_of_itself_is_a_part_of_its_statement():
    def method(probe, box, depth=2):
        below = depth and method(probe, box, depth - 1)
        return not below

    steps = steps_of(method)
    assert [step.source.split()[0] for step in steps] == ["below", "return"]
    assert all(step.values["depth"] == 2 for step in steps)


def test_an_explained_clipping_shows_the_empty_list_first():
    body = Polyhedron((), ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    run = trace(choose("aabb_polyhedron", "clip_faces"), BOX, body)
    emptied = [step.values["clipped"] for step in run.steps if step.source.strip() == "clipped = []"]
    assert emptied and all(value == [] for value in emptied)
    assert any(step.values.get("clipped") for step in run.steps)


def test_steps_of_a_segment_hold_the_arguments():
    run = trace(
        choose("segment_aabb", {"name": "slab_ericson", "epsilon": 0.1 + 0.2}),
        Segment((-1.0, 0.5, 0.5), (2.0, 0.5, 0.5)),
        BOX,
    )
    assert run.hit and run.steps[0].values["epsilon"] == 0.1 + 0.2

"""What a trace records of any Python function: comparisons, branches, passes of loops, helper calls, the end."""

import functools
import importlib.util
import inspect
import sys
import tracemalloc
from collections import namedtuple
from fractions import Fraction

import numpy as np
import pytest

from hitscope.explain import Call, open_call, trace
from hitscope.explain import trace as trace_of
from hitscope.explain.trace import HITSCOPE, RECORDING, Limits, is_of_library, trace_call
from hitscope.geometry.registry import Chosen, Method
from hitscope.geometry.shapes import Aabb, Point

PROBE, BOX = Point((0.25, 2.0, -1.0)), Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))


def run(function, *arguments, **named):
    """Trace a function, and check that its answer is the one without tracing."""
    traced = trace_call(function, arguments, named)
    if not traced.error:
        assert repr(traced.answer) == repr(function(*arguments, **named))
    return traced


def compared(traced):
    """Return the (text, operators, values, result) of each comparison of a run."""
    return [(c.text, c.operators, c.values, c.result) for step in traced.steps for c in step.comparisons]


def sources(traced):
    return [step.source.strip() for step in traced.steps]


def test_a_comparison_has_both_sides():
    def method(p, radius):
        if min(p) > radius:
            return False
        return max(p) >= -radius

    traced = run(method, (1.0, 3.0), 2.0)
    first, second = (step.comparisons[0] for step in (traced.steps[0], traced.steps[1]))
    assert first._replace(line=0) == (0, "min(p) > radius", (">",), ("min(p)", "radius"), (1.0, 2.0), False)
    assert second.operands == ("max(p)", "-radius") and second.values == (3.0, -2.0) and second.result is True


def test_a_chain_ends_where_it_fails():
    def method(x, other=5):
        return 0 <= x < 2 != other

    assert compared(run(method, 1)) == [("0 <= x < 2 != other", ("<=", "<", "!="), (0, 1, 2, 5), True)]
    assert compared(run(method, 3)) == [("0 <= x < 2 != other", ("<=", "<", "!="), (0, 3, 2), False)]
    assert compared(run(method, -1)) == [("0 <= x < 2 != other", ("<=", "<", "!="), (0, -1), False)]


def test_only_what_is_evaluated_is_recorded():
    def method(a, b):
        return (a > 0 and b > 0) or not a != b  # noqa: SIM202

    texts = [text for text, *_ in compared(run(method, 1, 2))]
    assert texts == ["a > 0", "b > 0"]
    assert [text for text, *_ in compared(run(method, -1, 2))] == ["a > 0", "a != b"]


def test_membership_and_identity_are_comparisons():
    def method(x, names):
        return x in names, x not in names, x is None, x is not None

    found = compared(run(method, "b", ("a", "b")))
    assert [(operators, result) for _, operators, _, result in found] == [
        (("in",), True),
        (("not in",), False),
        (("is",), False),
        (("is not",), True),
    ]
    assert found[0][2] == ("b", ("a", "b"))


def test_conditions_inside_expressions_are_recorded():
    def method(xs):
        low = [x if x < 2 else -x for x in xs if x != 1]
        some = any(x > 2 for x in low)
        key = sorted(xs, key=lambda x: x > 1)
        return low, some, key, {x: x == 0 for x in xs}

    traced = run(method, (0, 1, 3))
    texts = [[c.text for c in step.comparisons] for step in traced.steps]
    assert texts[0] == ["x != 1", "x < 2", "x != 1", "x != 1", "x < 2"]
    assert texts[1] == ["x > 2", "x > 2"]
    # A function inside is another one.
    assert texts[2] == [] and texts[3] == ["x == 0"] * 3


def test_nested_comparisons_end_from_the_inside():
    def method(a, b):
        return (a < b) == (b < (a if a > 5 else 9))

    assert compared(run(method, 1, 2)) == [
        ("a < b", ("<",), (1, 2), True),
        ("a > 5", (">",), (1, 5), False),
        ("b < (a if a > 5 else 9)", ("<",), (2, 9), True),
        ("(a < b) == (b < (a if a > 5 else 9))", ("==",), (True, True), True),
    ]


def test_the_branch_taken_and_what_it_tests():
    def method(a, b):
        if a or b > 1:
            a = 0
        elif not a:
            a = 1
        while a < 2:
            a += 1
        return a

    traced = run(method, 0, 0)
    taken = [(step.source.strip(), step.branch) for step in traced.steps if step.branch is not None]
    assert taken == [
        ("if a or b > 1:", False),
        ("elif not a:", True),
        ("while a < 2:", True),
        ("while a < 2:", False),
    ]
    assert traced.steps[0].tested[1:] == ("a or b > 1", (), ("a or b > 1",), (False,), False)
    assert all(step.tested is None for step in traced.steps if step.branch is None)


def test_the_passes_of_loops_are_counted_and_inner_ones_restart():
    def method():
        total = 0
        for _ in range(2):
            k = 0
            while k < 2:
                k += 1
                total += k
                if total < 0:
                    break
            else:
                total += 10
        return total

    traced = run(method)
    first = inspect.getsourcelines(method)[1]
    loop, inner = first + 2, first + 4
    assert [tuple(step.iterations) for step in traced.steps if step.source.strip() == "total += k"] == [
        ((loop, 1), (inner, 1)),
        ((loop, 1), (inner, 2)),
        ((loop, 2), (inner, 1)),
        ((loop, 2), (inner, 2)),
    ]
    assert [step.iterations for step in traced.steps if step.source.strip() == "total += 10"] == [
        ((loop, 1),),
        ((loop, 2),),
    ]
    headers = [step.branch for step in traced.steps if step.line == loop]
    assert headers == [True, True, False]


def test_a_loop_that_is_left_or_skipped_early_counts_its_passes():
    def method(xs):
        for x in xs:
            if x < 0:
                continue
            if x > 5:
                break
        while True:
            return x

    traced = run(method, (1, -1, 9, 3))
    passes = [step.iterations[0].number for step in traced.steps if step.source.strip() == "if x < 0:"]
    assert passes == [1, 2, 3]
    assert sources(traced)[-2:] == ["while True:", "return x"] and traced.steps[-2].branch is True


def far(x, limit=2.0, *, factor=1.0):
    return x * factor > limit


def outer(x):
    return far(x) or far(-x, factor=2.0)


def test_a_helper_call_is_folded_and_can_be_opened():
    def method(x):
        a = outer(x)
        return a, far(x, 9.0)

    traced = run(method, 3.0)
    assert sources(traced) == ["a = outer(x)", "return a, far(x, 9.0)"]
    (call,), (other,) = (step.calls for step in traced.steps)
    assert call == Call("outer", outer, {"x": 3.0}, True)
    assert other == Call("far", far, {"x": 3.0, "limit": 9.0, "factor": 1.0}, False)
    opened = open_call(call)
    assert opened.answer is True
    assert [inner.name for step in opened.steps for inner in step.calls] == ["far"]
    deepest = open_call(opened.steps[0].calls[0])
    assert deepest.answer is True and compared(deepest) == [("x * factor > limit", (">",), (3.0, 2.0), True)]


def test_the_calls_and_comparisons_of_a_step_are_in_order():
    def method(x):
        return x > 1 and far(x) and x < 5

    events = run(method, 3.0).steps[0].events
    assert [getattr(event, "text", None) or event.name for event in events] == ["x > 1", "far", "x < 5"]


def test_closures_defaults_and_keyword_only_arguments_are_those_of_the_function():
    limit = 2.0

    def method(x, scale=3.0, *, shift=limit):
        def inner(y):
            return y > limit

        return inner(x * scale), x + shift > limit

    traced = run(method, 1.0)
    assert traced.answer == (True, True)
    (call,) = traced.steps[-1].calls
    assert call.name == "inner" and call.arguments == {"y": 3.0}
    assert compared(open_call(call)) == [("y > limit", (">",), (3.0, 2.0), True)]
    assert run(method, 1.0, shift=-5.0).answer == (True, False)


def decorated(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return "wrapped", function(*arguments)

    return wrapper


@decorated
@decorated
def twice_decorated(x):
    return x > 1


@functools.lru_cache
def cached(x):
    return x > 1


def test_decorators_stay_and_what_is_inside_is_recorded():
    traced = run(twice_decorated, 2)
    assert traced.answer == ("wrapped", ("wrapped", True))
    assert compared(traced) == [("x > 1", (">",), (2, 1), True)]


def test_a_decorator_in_c_stays_too_with_its_comparisons_unseen():
    cached.cache_clear()
    traced = trace_call(cached, (2,), {})
    assert traced.answer is True and sources(traced) == ["return x > 1"] and compared(traced) == []


def test_a_lambda_is_traced():
    method = lambda x: x > 1  # noqa: E731
    assert compared(run(method, 2)) == [("x > 1", (">",), (2, 1), True)]


def test_recursion_is_a_part_of_its_statement():
    def depth_of(x):
        return 0 if x < 1 else 1 + depth_of(x / 2)

    traced = run(depth_of, 8.0)
    assert traced.answer == 4 and len(traced.steps) == 1 and len(traced.steps[0].comparisons) == 1


def test_try_and_except_and_early_return():
    def method(x):
        try:
            y = 1 / x
        except ZeroDivisionError:
            return x == 0
        finally:
            x = None
        return y > 0

    assert sources(run(method, 0)) == [
        "try:",
        "y = 1 / x",
        "except ZeroDivisionError:",
        "return x == 0",
        "x = None",
    ]
    assert compared(run(method, 0)) == [("x == 0", ("==",), (0, 0), True)]
    assert sources(run(method, 2))[-1] == "return y > 0"


def generated(n):
    yield from range(n)


def test_a_generator_is_no_call_that_answers():
    def method(n):
        return sum(k for k in generated(n) if k > 1)

    traced = run(method, 4)
    assert traced.answer == 5 and [step.calls for step in traced.steps] == [()]
    assert [text for text, *_ in compared(traced)] == ["k > 1"] * 4


def failing(x):
    raise ValueError(x)


def test_a_helper_that_raises_has_no_answer():
    def method(x):
        try:
            failing(x)
        except ValueError as error:
            return str(error) == "3"

    (call,) = (call for step in run(method, 3).steps for call in step.calls)
    assert call.name == "failing" and repr(call.answer) == "raised ValueError"
    assert open_call(call).error == "ValueError: 3"


def test_an_operand_that_raises_leaves_the_other_comparisons_in_order():
    def method(x):
        try:
            return x < 1 / 0
        except ZeroDivisionError:
            return x < 2

    assert compared(run(method, 1)) == [("x < 2", ("<",), (1, 2), True)]


@pytest.mark.parametrize(
    ("error", "words"),
    [(ValueError("no"), "ValueError: no"), (SystemExit(3), "SystemExit: 3"), (KeyError(), "KeyError")],
)
def test_a_method_that_raises_ends_its_trace(error, words):
    def method(x):
        y = x + 1
        if y:
            raise error

    before = sys.gettrace()
    traced = trace_call(method, (1,), {})
    assert sys.gettrace() is before
    assert traced.error == words and traced.answer is None and not traced.hit
    assert traced.steps[-1].values["y"] == 2 and sources(traced)[-1] == "raise error"


def test_an_interrupt_by_the_user_is_not_the_methods_error():
    def method():
        raise KeyboardInterrupt

    before = sys.gettrace()
    with pytest.raises(KeyboardInterrupt):
        trace_call(method, (), {})
    assert sys.gettrace() is before


def endless_loop():
    k = 0
    while True:
        try:
            k += 1
        except:  # noqa: E722
            k -= 1


def endless_list():
    found = []
    while True:
        found.append(len(found))


def endless_generator():
    return sum(0 for _ in iter(int, 1))


def counts(k):
    while k >= 0:
        k += 1


def endless_helper():
    return counts(0)


def halvings(x):
    return 0 if x < 1 else 1 + halvings(x / 2)


def test_a_function_of_a_module_may_call_itself():
    traced = run(halvings, 8.0)
    assert traced.answer == 4 and compared(traced) == [("x < 1", ("<",), (8.0, 1), False)]


def endless_recursion(depth=0):
    return endless_recursion(depth + 1)


@pytest.mark.parametrize("method", [endless_loop, endless_generator, endless_helper])
def test_a_method_that_never_ends_is_stopped(method):
    traced = trace_call(method, (), {}, limits=Limits(lines=500))
    assert traced.error == "it was stopped after 500 lines" and len(traced.steps) <= 500
    assert sys.gettrace() is None or "hitscope" not in str(sys.gettrace())


def test_a_list_that_never_ends_does_not_fill_the_memory():
    tracemalloc.start()
    try:
        traced = trace_call(endless_list, (), {}, limits=Limits(copied=10_000))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert traced.error.startswith("it was stopped after") and len(traced.steps) < 400
    assert peak < 4_000_000


def test_endless_recursion_is_an_error():
    assert trace_call(endless_recursion, (), {}).error.startswith("RecursionError")


COUNTER = {"runs": 0}


def test_a_method_may_print_and_change_its_arguments_and_a_global(capsys):
    def method(xs):
        xs.append(4)
        COUNTER["runs"] += 1
        print("seen", len(xs))
        return len(xs) > 1

    xs = [1]
    traced = trace_call(method, (xs,), {})
    assert traced.answer is True and xs == [1, 4] and COUNTER["runs"] == 1
    assert [step.values["xs"] for step in traced.steps] == [[1, 4]] * 4
    # A command's own output stays readable.
    assert capsys.readouterr() == ("", "seen 2\n")


def test_the_values_of_a_comparison_are_those_of_that_moment():
    def method(xs):
        same = xs == [1]
        xs.append(2)
        return same

    (found,) = compared(trace_call(method, ([1],), {}))
    assert found[2] == ([1], [1])


def test_line_numbers_are_those_of_the_file():
    def method(x):
        y = (
            x
            + 1
        )  # fmt: skip

        return y > 1

    first = inspect.getsourcelines(method)[1]
    traced = run(method, 1)
    assert [step.line for step in traced.steps] == [first + 1, first + 6]
    assert traced.steps[-1].comparisons[0].line == first + 6


def loaded(path):
    """Load a file as a new module and return its function `method`."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.method


def test_a_file_that_changes_between_two_loads_shows_what_was_loaded(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / "own.py"
    path.write_text("def method(x):\n    return x > 1\n", encoding="utf-8")
    first = loaded(path)
    assert compared(run(first, 2)) == [("x > 1", (">",), (2, 1), True)]
    path.write_text("# edited\n\ndef method(x):\n    return x >= 12\n", encoding="utf-8")
    second = loaded(path)
    traced = run(second, 2)
    assert compared(traced) == [("x >= 12", (">=",), (2, 12), False)] and traced.steps[0].line == 4
    with pytest.raises(OSError, match=r"own\.py has changed since method was loaded"):
        trace_call(first, (2,), {})
    path.write_text("def method(x):\n    return x < 1\n", encoding="utf-8")
    with pytest.raises(OSError, match="has changed"):
        trace_call(second, (2,), {})


@pytest.mark.parametrize("function", [len, functools.partial(far, 1.0), int])
def test_what_has_no_source_is_refused_in_words(function):
    with pytest.raises(OSError, match="has no source in Python"):
        trace_call(function, ((1, 2),), {})


def test_work_is_proportional_to_the_lines_that_run(monkeypatch):
    def method(n):
        total = 0
        for k in range(n):
            total += k > 1
        return total

    taken = []

    def counted(value, *parents):
        taken.append(value)
        return snapshot(value, *parents)

    module = sys.modules["hitscope.explain.trace"]
    snapshot = module.snapshot
    monkeypatch.setattr(module, "snapshot", counted)
    run(method, 10)
    few = len(taken)
    run(method, 100)
    assert len(taken) - few < 11 * few


Verdict = namedtuple("Verdict", "hit t_enter")


@pytest.mark.parametrize(
    ("answer", "hit"),
    [
        (True, True),
        (np.bool_(False), False),
        (Verdict(False, 1.0), False),
        ((True, 0.5), True),
        ([False, 0.5, None], False),
        (np.array([1.0, 0.5]), True),
        (None, False),
        ({"hit": True}, True),
    ],
)
def test_the_verdict_is_read_from_any_answer(answer, hit):
    def method(probe, box):
        return answer

    chosen = Chosen(Method("method", method, ("point_aabb",), "a test"), {})
    assert trace(chosen, PROBE, BOX).hit is hit


def test_our_own_helpers_are_recorded_where_hitscope_is_installed():
    installed = (HITSCOPE,)
    assert not is_of_library(f"{HITSCOPE}/geometry/vector.py", installed)
    assert all(is_of_library(path, installed) for path in RECORDING)


def test_an_unrounded_run_stays_exact_beside_literals_and_infinities():
    def method(probe, box):
        third = 1.0 / (3.0 * probe.position[0] * 4.0)
        best = float("inf")
        least = max(0.0, third) - 0.5
        gap = best * probe.position[0]
        return third + third + third == 1, least, gap

    chosen = Chosen(Method("method", method, ("point_aabb",), "a test"), {})
    values = trace_of(chosen, PROBE, BOX, "unrounded").steps[-1].values
    assert values["third"] == Fraction(1, 3) and type(values["third"]) is Fraction
    assert values["least"] == Fraction(-1, 6) and values["gap"] == float("inf")


def test_a_run_that_would_go_on_rounded_is_ended():
    def method(probe, box):
        import math

        return math.sqrt(probe.position[0]) > 0.5

    chosen = Chosen(Method("method", method, ("point_aabb",), "a test"), {})
    assert trace_of(chosen, PROBE, BOX, "unrounded").error.startswith("RoundedError")

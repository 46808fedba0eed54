"""Python functions, of one pair of shapes and of arrays."""

import os
import sys

import numpy as np
import pytest

from hitscope.errors import HitscopeError
from hitscope.targets.runners.python_function import function_of
from hitscope.targets.target import FAILED, OUTSIDE, Failure, TargetSpec
from tests.targets.case_rows import right

IMPORTS = "import hitscope, numpy as np\nfrom unittest.mock import ANY\nnan = float('nan')\n"
ANSWERS = {
    "True": (1, nan := float("nan"), [nan] * 3),
    "np.True_": (1, nan, [nan] * 3),
    "np.False_": (0, nan, [nan] * 3),
    "1": (1, nan, [nan] * 3),
    "None": (OUTSIDE, nan, [nan] * 3),
    "(True,)": (1, nan, [nan] * 3),
    "[True, 0.5]": (1, 0.5, [nan] * 3),
    "(True, None)": (1, nan, [nan] * 3),
    "(True, 0.5, (0, 1, 0))": (1, 0.5, [0, 1, 0]),
    "(np.True_, np.float32(0.5), np.array([0, 1, 0]))": (1, 0.5, [0, 1, 0]),
    "(False, nan, None)": (0, nan, [nan] * 3),
    "(None, nan)": (OUTSIDE, nan, [nan] * 3),
    "np.array([1, 0.5])": (1, 0.5, [nan] * 3),
    "hitscope.intersect(hitscope.Ray((-1, 0, 0), (2, 0, 0)), box)": (1, 0.5, [-1, 0, 0]),
    "ANY": (1, nan, [nan] * 3),
}
NO_ANSWERS = {
    "2": "expected a bool, None or a sequence hit[, t_enter[, normal]], found 2",
    "'yes'": "found 'yes'",
    "()": "found ()",
    "(True, 1, 2, 3)": "found (True, 1, 2, 3)",
    "(True, 0.5, 1.5)": "TypeError: ",
    "(True, 0.5, (1, 0))": "expected a normal of three numbers, found (1, 0)",
    "(True, 'late')": "ValueError: ",
    "nan": "found nan",
}
RAISED = {
    "SystemExit(0)": "SystemExit: 0",
    "KeyboardInterrupt()": "KeyboardInterrupt",
    "ValueError('a\\x1b[2J\\nb')": "ValueError: a\\u001b[2J b",
    "ValueError('\\udc80\\u202e\\0')": r"ValueError: \udc80\u202e\u0000",
    "type('E', (BaseException,), {'__str__': lambda self: exit()})()": "E: an exception that cannot be shown",
}


def by_case(actions):
    """Return the code of a function that does the action of a case's own."""
    functions = "".join(f"def action_{k}(box):\n    {action}\n" for k, action in enumerate(actions))
    return f"{IMPORTS}{functions}def f(point, box): return globals()[f'action_{{int(point.position[0])}}'](box)"


def test_answers_of_many_forms_are_understood(call):
    answers = call("mine.py", by_case(f"return {answer}" for answer in ANSWERS), n=len(ANSWERS))
    hit, t_enter, normal = zip(*ANSWERS.values(), strict=True)
    assert (answers.failures, answers.hit.tolist()) == ({}, [*hit])
    np.testing.assert_array_equal(answers.t_enter, t_enter)
    np.testing.assert_array_equal(answers.normal, normal)


def test_what_is_no_answer_is_a_failure_of_its_case(call):
    code = by_case(f"return {answer}" for other in NO_ANSWERS for answer in (other, True))
    answers = call("mine.py", code, n=2 * len(NO_ANSWERS))
    assert [*answers.failures] == [*range(0, 2 * len(NO_ANSWERS), 2)]
    for words, failure in zip(NO_ANSWERS.values(), answers.failures.values(), strict=True):
        assert words in failure.words
    assert answers.hit.tolist() == [FAILED, 1] * len(NO_ANSWERS) and np.isnan(answers.t_enter).all()


def test_what_a_function_raises_is_a_failure_of_its_case_in_one_line(call):
    code = by_case(action for error in RAISED for action in (f"raise {error}", "return True"))
    answers = call("mine.py", code, n=2 * len(RAISED))
    first = IMPORTS.count("\n") + 2  # the line of the first action; each takes two
    assert answers.failures == {
        2 * k: Failure(False, f"{words} at mine.py:{first + 4 * k}") for k, words in enumerate(RAISED.values())
    }
    assert answers.hit.tolist() == [FAILED, 1] * len(RAISED)


def test_skipping_is_no_failure(call):
    code = (
        "import hitscope\ndef f(point, box):\n    if point.position[0] > 1: raise hitscope.Skip\n    return True"
    )
    answers = call("mine.py", code, n=3)
    assert (answers.hit.tolist(), answers.failures) == ([1, 1, OUTSIDE], {})


def test_shapes_hold_the_numbers_in_the_precision_of_the_cases(call):
    code = "def f(point, box): return True, point.position[0] / 10\n"
    assert call("mine.py", code).t_enter.tolist() == [k / 10 for k in range(20)]
    code = "import hitscope\ndef f(point, box): return type(point) is hitscope.Point, box.hi[0]"
    answers = call("mine.py", code, real="float32")
    assert answers.hit.all() and answers.t_enter.dtype == np.float32 and (answers.t_enter == 9.5).all()


def test_a_users_file_does_not_stand_in_for_a_module_of_python(call, tmp_path):
    for name in ("random", "numbers", "json", "msgspec"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('not this one')", encoding="utf-8")
    assert call("mine.py", "def f(point, box): return True").hit.all()


def test_a_module_and_its_neighbours_are_imported(call, tmp_path):
    (tmp_path / "near.py").write_text("limit = 9", encoding="utf-8")
    code = "import near\ndef f(point, box): return point.position[0] <= near.limit"
    assert call("mine.py", code).hit.tolist() == right(20)


@pytest.mark.parametrize(
    ("code", "message", "batch"),
    [
        ("def g(): pass\nF = 1", 'expected a function of mine.py (g), found "f"', False),
        ("f = 1", 'expected a function of mine.py (there is none), found "f"', False),
        ("1 +", "mine.py:f: expected a module that can be imported, found SyntaxError: ", False),
        ("raise SystemExit(0)", "mine.py:f: expected a module that can be imported, found SystemExit: 0", False),
        (
            "raise KeyboardInterrupt",
            "mine.py:f: expected a module that can be imported, found KeyboardInterrupt",
            False,
        ),
        ("import no_such_module", "found ModuleNotFoundError: No module named 'no_such_module'", False),
        ("def g(): pass\nF = 1", 'expected a function of mine.py (g), found "f"', True),
        ("1 +", "mine.py:f: expected a module that can be imported, found SyntaxError: ", True),
    ],
)
def test_a_function_that_cannot_be_judged_is_one_line(call, code, message, batch):
    with pytest.raises(HitscopeError) as caught:
        call("mine.py", code, batch=batch)
    assert message in caught.value.message and "\n" not in caught.value.message


@pytest.mark.parametrize("real", ["float64", "float32"])
def test_arrays_arrive_and_answers_come_back(call, real):
    code = (
        "import numpy as np\n"
        f"def f(points, boxes):\n    assert points.dtype == boxes.dtype == np.{real}\n"
        "    assert points.shape == (20, 3) and boxes.shape == (20, 6)\n"
        "    return points[:, 0] <= boxes[:, 3], points[:, 0] / 2"
    )
    answers = call("mine.py", code, batch=True, real=real)
    assert (answers.hit.tolist(), answers.failures, answers.normal) == (right(20), {}, None)
    assert answers.t_enter.tolist() == [k / 2 for k in range(20)]


def test_verdicts_alone_may_be_a_list_of_integers(call):
    answers = call("mine.py", "def f(points, boxes): return [1, 0, -1]", batch=True, n=3)
    assert answers.hit.tolist() == [1, 0, OUTSIDE]


FAULTS = {
    "raise ValueError('late')": "ValueError: late",
    "return hit[1:]": "expected hit of shape (1,), found (0,)",
    "return hit, hit[1:]": "expected t of shape (1,), found (0,)",
    "return hit * 0 + 256": "expected booleans, or 1, 0 and -1, as hit, found ",
    "return [None] * len(hit)": "expected booleans, or 1, 0 and -1, as hit, found None",
    "return hit, [[]]": "expected t of shape (1,), found (1, 0)",
    "exit(3)": "SystemExit: 3",
    "os._exit(3)": "exit status 3",
}


def test_the_case_at_fault_is_found_in_an_array(call):
    code = "import os\ndef f(points, boxes):\n    hit = (points[:, 0] <= boxes[:, 3]).astype(int)\n"
    at = {250 + 300 * k: action for k, action in enumerate(FAULTS)}
    code += "".join(f"    if {case} in points[:, 0]:\n        {action}\n" for case, action in at.items())
    answers = call("mine.py", f"{code}    return hit", batch=True, n=300 * len(FAULTS))
    assert [*answers.failures] == [*at]
    for case, action in at.items():
        assert answers.failures[case].words.startswith(FAULTS[action])
    assert answers.hit.tolist() == right(300 * len(FAULTS), dict.fromkeys(at, FAILED))


def test_a_file_that_is_saved_twice_in_a_second_is_loaded_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "path", [*sys.path])
    file = tmp_path / "saved_twice.py"
    for answer in (1, 2):
        file.write_text(f"def hit(probe, primitive): return {answer}\n")
        os.utime(file, (1e9, 1e9))
        assert function_of(TargetSpec(f"{file}:hit", "point_aabb")).function(None, None) == answer
    assert [each.name for each in tmp_path.iterdir()] == ["saved_twice.py"]

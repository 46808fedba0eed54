"""A user's function in its own process: whatever it does there, the judge passes nothing it has not judged."""

import json
import os
import signal
import subprocess
import sys

import pytest

HELPERS = """
import ctypes, logging, os, subprocess, sys, time
calls = 0

def right(point, box):
    return all(a <= x <= b for a, x, b in zip(box.lo, point.position, box.hi))

def on_fifth_call(action):
    def function(point, box):
        global calls
        calls += 1
        if calls == 5:
            action()
        return right(point, box)
    return function

def raising(error):
    def function(point, box):
        raise error
    return function
"""
ENDINGS = {
    "os._exit(0)": "exit status 0",
    "os.abort()": "signal 6",
    "ctypes.string_at(0)": "signal 11",
    "os.kill(os.getpid(), 9)": "signal 9",
    "os.execv(sys.executable, [sys.executable, '-c', 'pass'])": "exit status 0",
    "os.closerange(3, 100)": "ended its process",
    "os.fork() and os._exit(0)": "exit status 0",
    "ctypes.CDLL(None).fork() and os._exit(0)": "exit status 0",
}
HARMLESS = (
    "os.close(1)",
    "os.close(2)",
    "os.closerange(0, 3)",
    "os.fork()",
    "ctypes.CDLL(None).fork()",
    "__import__('atexit').register(os._exit, 0)",
    "setattr(sys, 'exitfunc', lambda: os._exit(0))",
)
RAISED = ("SystemExit(0)", "KeyboardInterrupt()", "GeneratorExit()", "type('E', (BaseException,), {})()")
PRINTING = (
    "print('by print')",
    "os.write(1, b'by descriptor')",
    "subprocess.run([sys.executable, '-c', 'print(\"by subprocess\")'])",
    "ctypes.CDLL(None).puts(b'by C')",
    "ctypes.CDLL(None).fflush(None)",
    "print('by the original stdout', file=sys.__stdout__, flush=True)",
    "logging.warning('by logging')",
)


def judge(folder, code, *arguments, cases=2):
    (folder / "mine.py").write_text(HELPERS + code, encoding="utf-8")
    command = [sys.executable, "-m", "hitscope", "judge", "mine.py:f", "--pair", "point_aabb"]
    return subprocess.run(
        [*command, "--cases", str(cases), *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("action", ENDINGS)
def test_a_function_that_ends_the_process_is_not_passed(tmp_path, action):
    run = judge(tmp_path, f"f = on_fifth_call(lambda: {action})")
    assert (run.returncode, run.stdout) == (2, "")
    (line,) = run.stderr.splitlines()
    # Two cases of each generator: the fifth is the first of integer_grid.
    assert line.startswith("mine.py:f ended its process on Point(position=(3.0, 1.0, -1.0)), Aabb(")
    assert ENDINGS[action] in line


@pytest.mark.parametrize("code", ["os._exit(0)", "ctypes.string_at(0)", "os.fork() and os._exit(0)"])
def test_a_module_that_ends_the_process_is_not_passed(tmp_path, code):
    run = judge(tmp_path, code)
    assert (run.returncode, run.stdout) == (2, "")
    (line,) = run.stderr.splitlines()
    assert line.startswith("mine.py:f ended its process when it was imported: ")


@pytest.mark.parametrize("error", RAISED)
def test_what_exits_or_interrupts_is_a_crash_of_its_case(tmp_path, error):
    run = judge(tmp_path, f"f = raising({error})", "--json")
    assert (run.returncode, run.stderr) == (1, "")
    document = json.loads(run.stdout)
    assert all(row["crashes"] == row["cases"] == 2 for row in document["tallies"])
    name = "E" if error.startswith("type") else error.partition("(")[0]
    assert all(f"crashes: {name}" in finding["why"] for finding in document["findings"])


@pytest.mark.parametrize("error", RAISED)
def test_a_module_that_exits_or_interrupts_cannot_be_imported(tmp_path, error):
    run = judge(tmp_path, f"raise {error}")
    assert (run.returncode, run.stdout) == (2, "")
    (line,) = run.stderr.splitlines()
    assert line.startswith("mine.py:f: expected a module that can be imported, found ")


@pytest.mark.parametrize("action", HARMLESS)
def test_a_function_that_still_answers_is_judged_as_before(tmp_path, action):
    run = judge(tmp_path, f"f = on_fifth_call(lambda: {action})", "--json")
    assert run.returncode == 0, run.stderr
    assert [row["cases"] for row in json.loads(run.stdout)["tallies"]] == [2] * 9


@pytest.mark.parametrize("where", ["import", "call", "exit"])
def test_what_a_function_prints_stays_out_of_the_report(tmp_path, where):
    quiet = judge(tmp_path, "f = right", "--json", cases=1)
    printing = f"lambda: ({', '.join(PRINTING)})"
    code = {
        "import": f"({printing})()\nf = right",
        "call": f"f = on_fifth_call({printing})",
        "exit": f"import atexit; atexit.register({printing})\nf = right",
    }[where]
    run = judge(tmp_path, code, "--json", cases=1)
    assert (run.returncode, run.stdout) == (0, quiet.stdout)
    for way in ("print", "descriptor", "subprocess", "C", "the original stdout", "logging"):
        assert f"by {way}" in run.stderr


@pytest.mark.parametrize("message", ["\\x1b[2J", "\\udc80", "\\u202e", "a\\nb", "\\0"])
def test_a_crash_is_one_line_of_printable_characters(tmp_path, message):
    run = judge(tmp_path, f"f = raising(ValueError('{message}'))", cases=1)
    assert (run.returncode, run.stderr) == (1, "")
    assert all(line.isprintable() for line in run.stdout.splitlines())


@pytest.mark.parametrize("method", ["__str__", "__repr__"])
def test_an_answer_or_error_that_cannot_be_shown_is_a_crash(tmp_path, method):
    code = f"class E(Exception):\n    def {method}(self): sys.exit(0)\n"
    for f in ("raising(E())", "lambda point, box: E()"):
        run = judge(tmp_path, f"{code}f = {f}", "--json", cases=1)
        assert run.returncode == 1, run.stderr
        assert all(row["crashes"] == 1 for row in json.loads(run.stdout)["tallies"])


def test_an_answer_that_equals_everything_is_one_verdict(tmp_path):
    run = judge(tmp_path, "from unittest.mock import ANY\nf = lambda point, box: ANY", "--json", cases=5)
    rows = json.loads(run.stdout)["tallies"]
    assert run.returncode == 1
    assert sum(row["wrong_hits"] for row in rows) == sum(row["cases"] - row["hits"] for row in rows)


def test_a_function_cannot_change_the_exact_verdict(tmp_path):
    code = "from hitscope.geometry import exact\nexact.meet = lambda *pair: True\nf = lambda point, box: True"
    assert judge(tmp_path, code).returncode == 1


def test_a_users_file_does_not_stand_in_for_a_module_of_python(tmp_path):
    for name in ("random", "numbers", "json", "msgspec"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('not this one')", encoding="utf-8")
    (tmp_path / "mine.py").write_text(HELPERS + "f = right", encoding="utf-8")
    script = "import sys; from hitscope.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-P", "-c", script, "judge", "mine.py:f", "--pair", "point_aabb", "--cases", "1"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


@pytest.fixture
def ctrl_c():
    """Ctrl+C as a terminal gives it to what is started: whoever runs the tests may have it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_the_judge_and_the_function(tmp_path):
    (tmp_path / "mine.py").write_text(
        HELPERS + "def f(point, box):\n    print(os.getpid(), flush=True)\n    time.sleep(600)", encoding="utf-8"
    )
    command = [sys.executable, "-m", "hitscope", "judge", "mine.py:f", "--pair", "point_aabb"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as run:
        assert run.stderr and run.stdout
        function = int(run.stderr.readline())
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does
        assert run.wait(60) == 130
        assert (run.stdout.read(), run.stderr.read()) == ("", "")
    with pytest.raises(ProcessLookupError):
        os.kill(function, 0)

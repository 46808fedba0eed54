"""The process of a target: whatever the target does to it, the very case is named, and the others are answered."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from hitscope.errors import HitscopeError
from hitscope.targets import case_arrays, process
from hitscope.targets.case_arrays import MOST_CASES
from hitscope.targets.options import target_specs
from hitscope.targets.process import MOST_BYTES, open_target
from hitscope.targets.target import FAILED, NOT_CALLED, Failure
from tests.targets.case_rows import PAIR, right, row

C_CODE = """
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int deep(volatile int *above) { volatile int here[64]; here[0] = *above; return deep(here) + here[0]; }
int f(const double *p, const double *box, double *t) {
    switch ((int)p[0]) { case 5: ACTION; }
    *t = p[0];
    return p[0] <= box[3];
}
"""
PYTHON_CODE = """
import atexit, ctypes, os, subprocess, sys, time
def f(point, box):
    if point.position[0] == 5:
        ACTION
    return point.position[0] <= box.hi[0], point.position[0]
"""
ENDINGS = {
    "*(volatile int *)0 = 1": "signal 11 (Segmentation fault)",
    "abort()": "signal 6 (Aborted)",
    "raise(SIGKILL)": "signal 9 (Killed)",
    "exit(3)": "exit status 3",
    "_exit(0)": "exit status 0",
    "int zero = 0; deep(&zero)": "signal 11 (Segmentation fault)",
    'execl("/bin/sh", "sh", "-c", "exit 4", (char *)0)': "exit status 4",
    'execl("/bin/sh", "sh", "-c", "sleep 600", (char *)0)': "it closed its pipe",
    "if (fork()) _exit(7)": "exit status 7",
    "memset((void *)p, 255, (size_t)1 << 40)": "signal 11 (Segmentation fault)",
}
PYTHON_ENDINGS = {
    "os._exit(3)": "exit status 3",
    "os.abort()": "signal 6 (Aborted)",
    "ctypes.string_at(0)": "signal 11 (Segmentation fault)",
    "os.execv(sys.executable, [sys.executable, '-c', 'pass'])": "exit status 0",
    "os.fork() and os._exit(0)": "exit status 0",
    "ctypes.CDLL(None).fork() and os._exit(0)": "exit status 0",
    "os.closerange(3, 100)": "exit status 0",
}
HARMLESS = (
    "os.close(0)",
    "os.close(1)",
    "os.close(2)",
    "os.closerange(0, 3)",
    "os.fork()",
    "ctypes.CDLL(None).fork()",
    "atexit.register(os._exit, 0)",
    "subprocess.run([sys.executable, '-c', 'pass'])",
)
SCRIBBLING = """
int f(const double *p, const double *box, double *t) {
    int hit = p[0] <= box[3];
    if (p[0] == 5) for (int k = 0; k < 9 * 15; k++) ((double *)p)[k] = 1e9;
    return hit;
}
"""
WITHOUT_DENORMALS = """
#ifdef __SSE2__
#include <xmmintrin.h>
static void flush(void) { _mm_setcsr(_mm_getcsr() | 0x8040); }
#else
static void flush(void) { __asm__ volatile("msr fpcr, %0" : : "r"(1ull << 24)); }
#endif
int f(const double *p, const double *box, double *t) {
    flush();
    volatile double denormal = 1e-310;
    *t = denormal * 0.5;
    return p[0] <= box[3];
}
"""


def test_code_that_ends_its_process_costs_the_very_case(call):
    cases = {5 + 2 * k: action for k, action in enumerate(ENDINGS)}
    actions = "; break; ".join(f"case {case}: {action}" for case, action in cases.items())
    answers = call("mine.c", C_CODE.replace("case 5: ACTION", actions), n=30)
    assert answers.failures == {case: Failure(False, ENDINGS[action]) for case, action in cases.items()}
    assert answers.hit.tolist() == right(30, dict.fromkeys(cases, FAILED))
    np.testing.assert_array_equal(answers.t_enter, [np.nan if k in cases else k for k in range(30)])


def test_a_python_function_that_ends_its_process_costs_the_very_case(call):
    cases = {5 + 2 * k: action for k, action in enumerate(PYTHON_ENDINGS)}
    answers = call("mine.py", by_case(cases))
    assert answers.failures == {case: Failure(False, PYTHON_ENDINGS[action]) for case, action in cases.items()}
    assert answers.hit.tolist() == right(20, dict.fromkeys(cases, FAILED))


def by_case(actions):
    """Return the code of a Python function that does something at some of its cases."""
    first, _, last = PYTHON_CODE.partition("    if point.position[0] == 5:\n        ACTION\n")
    middle = (f"    if point.position[0] == {case}:\n        {action}\n" for case, action in actions.items())
    return f"{first}{''.join(middle)}{last}"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere its parent is the judge")
def test_a_function_that_ends_its_parent_ends_itself_at_the_very_case(call):
    answers = call("mine.py", PYTHON_CODE.replace("ACTION", "os.kill(os.getppid(), 9) or time.sleep(600)"))
    assert answers.failures == {5: Failure(False, "signal 9 (Killed)")}
    assert answers.hit.tolist() == right(20, {5: FAILED})


@pytest.mark.parametrize("action", HARMLESS)
def test_a_function_that_still_answers_has_no_failure(call, action):
    answers = call("mine.py", PYTHON_CODE.replace("ACTION", action))
    assert (answers.failures, answers.hit.tolist()) == ({}, right(20))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("mine.c", C_CODE.replace("ACTION", "for (volatile int i = 0;;) i++")),
        ("mine.py", PYTHON_CODE.replace("ACTION", "while True: pass")),
        ("mine.py", PYTHON_CODE.replace("ACTION", "time.sleep(600)")),
    ],
    ids=["C", "Python", "asleep"],
)
def test_a_call_without_end_costs_the_very_case(call, name, code):
    answers = call(name, code, timeout=0.75)
    assert answers.failures == {5: Failure(True, "no case finished in 0.75 s")}
    assert answers.hit.tolist() == right(20, {5: FAILED})


def test_a_slow_target_does_not_hang(call):
    slow = PYTHON_CODE.replace("ACTION", "pass").replace("    if", "    time.sleep(0.05)\n    if")
    answers = call("mine.py", slow, timeout=0.75)
    assert answers.failures == {} and answers.seconds >= 1
    code = "import time\ndef f(p, b):\n    time.sleep(0.1 * len(p))\n    return p[:, 0] <= b[:, 3]"
    answers = call("slow.py", code, batch=True, n=8, timeout=0.75)
    assert (answers.failures, answers.hit.tolist()) == ({}, right(8))


def test_what_follows_so_many_failures_is_not_called(call):
    code = "def f(point, box):\n    print(int(point.position[0]))\n    raise ValueError(point.position[0])"
    answers = call("mine.py", code, most={"most_crashes": 3})
    assert list(answers.failures) == [0, 1, 2]
    assert answers.hit.tolist() == [FAILED] * 3 + [NOT_CALLED] * 17
    ending = (
        "int f(const double *p, const double *b, double *t) { if (p[0] > 2) __builtin_trap(); return *t = 1; }"
    )
    answers = call("mine.c", ending, most={"most_crashes": 2})
    assert answers.hit.tolist() == [1, 1, 1, FAILED, FAILED] + [NOT_CALLED] * 15
    hanging = PYTHON_CODE.replace(" == 5", " > 2").replace("ACTION", "time.sleep(600)")
    answers = call("hanging.py", hanging, most={"most_hangs": 1}, timeout=0.75)
    assert answers.hit.tolist() == [1, 1, 1, FAILED] + [NOT_CALLED] * 16


def test_failures_before_a_crash_keep_their_words(call):
    code = PYTHON_CODE.replace("ACTION", "os._exit(1)\n    if point.position[0] == 3: raise ValueError('three')")
    failures = {3: Failure(False, "ValueError: three at mine.py:6"), 5: Failure(False, "exit status 1")}
    assert call("mine.py", code).failures == failures


def test_a_target_cannot_change_the_numbers_of_the_judge(call, tmp_path):
    (tmp_path / "mine.c").write_text(SCRIBBLING, encoding="utf-8")
    cases = row(20)
    before = cases.numbers.copy()
    (spec,) = target_specs("mine.c:f", PAIR)
    with open_target(spec) as target:
        target.answer(cases)
        assert (cases.numbers == before).all()


@pytest.mark.parametrize(
    ("code", "flags", "t"),
    [(WITHOUT_DENORMALS, "", 0.0), (C_CODE.replace("ACTION", ""), "-ffast-math", 1.0)],
    ids=["by itself", "-ffast-math"],
)
def test_denormals_of_the_judge_stay_when_a_target_switches_them_off(call, code, flags, t):
    answers = call("mine.c", code, flags=[flags])
    assert answers.t_enter[1] == t
    assert (answers.hit.tolist(), answers.failures) == (right(20), {})
    assert np.array([1e-310])[0] * 0.5 == 5e-311 and sys.float_info.min / 2 != 0


def test_what_a_target_prints_goes_to_standard_error_up_to_a_bound(call, capsys):
    flood = "for _ in range(1000): print('x' * 10_000)"
    answers = call("mine.py", PYTHON_CODE.replace("ACTION", f"print('first')\n        {flood}"))
    assert (answers.failures, answers.hit.tolist()) == ({}, right(20))
    printed, errors = capsys.readouterr()
    assert printed == "" and errors.startswith("first\n") and len(errors) < MOST_BYTES + 200
    assert errors.endswith("mine.py:f printed more than 64 KiB: the rest is left out\n")


PRINTING = (
    "print('by print')",
    "os.write(1, b'by descriptor')",
    "subprocess.run([sys.executable, '-S', '-c', 'print(\"by subprocess\")'])",
    "ctypes.CDLL(None).puts(b'by C')",
    "ctypes.CDLL(None).fflush(None)",
    "print('by the original stdout', file=sys.__stdout__, flush=True)",
    "logging.warning('by logging')",
)


@pytest.mark.parametrize("where", ["import", "call", "exit"])
def test_what_a_target_prints_in_any_way_stays_out_of_standard_output(call, where, capfd):
    printing = f"import logging\nprinting = lambda: ({', '.join(PRINTING)})\n"
    code = printing + {"import": "printing()", "call": "", "exit": "atexit.register(printing)"}[where]
    action = "printing()" if where == "call" else "pass"
    answers = call("mine.py", PYTHON_CODE.replace("def f", f"{code}\ndef f").replace("ACTION", action))
    assert (answers.failures, answers.hit.tolist()) == ({}, right(20))
    printed, errors = capfd.readouterr()
    assert printed == ""
    for way in ("print", "descriptor", "subprocess", "C", "the original stdout", "logging"):
        assert f"by {way}" in errors


def test_standard_input_of_a_target_is_empty(call):
    code = PYTHON_CODE.replace("ACTION", "assert sys.stdin.read() == ''")
    assert call("mine.py", code).failures == {}


def test_memory_has_an_end_at_the_case_that_eats_it(call, monkeypatch):
    monkeypatch.setattr(process, "most_memory", lambda: 1 << 30)
    answers = call("mine.py", PYTHON_CODE.replace("ACTION", "eaten = [bytes(1 << 24) for _ in range(1 << 16)]"))
    assert answers.failures == {5: Failure(False, "MemoryError at mine.py:5")}
    eat = (
        "for (char *eaten = (char *)1; eaten; ) if ((eaten = malloc(1 << 24))) memset(eaten, 1, 1 << 24); abort()"
    )
    answers = call("mine.c", C_CODE, flags=[f"-DACTION='{eat}'"])
    assert answers.failures == {5: Failure(False, "signal 6 (Aborted)")}


def test_the_bound_of_memory_is_a_share_of_this_machines():
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert 0 < process.most_memory() <= total / 2


def test_a_target_that_ends_its_process_when_it_is_loaded_cannot_be_judged(call):
    with pytest.raises(HitscopeError, match=r"^mine\.py:f ended its process when it was loaded: exit status 5$"):
        call("mine.py", "import os\nos._exit(5)")


def test_a_function_of_several_that_ends_its_process_is_called_no_more(tmp_path):
    (tmp_path / "mine.c").write_text(C_CODE.replace("(int)p[0]", "(int)p[0] % 10").replace("ACTION", "abort()"))
    (spec,) = target_specs(f"{tmp_path}/mine.c:f", PAIR)
    with open_target(spec) as target:
        answers = target.answer(row(40), most_crashes=40, functions=np.arange(40) // 20)
    assert [k for k in range(40) if answers.hit[k] == FAILED] == [*range(5, 20), *range(25, 40)]
    assert answers.failures.keys() == {5, 25}


def test_what_an_ended_process_said_is_heard_when_its_pipe_is_read_late(tmp_path, monkeypatch):
    read = process._Process._read

    def read_late(self):
        while not self._process.has_ended():
            time.sleep(0.01)
        time.sleep(4 * process.POLL_SECONDS)
        read(self)

    monkeypatch.setattr(process._Process, "_read", read_late)
    (tmp_path / "mine.py").write_text("def f(point, box:\n    pass\n")
    (spec,) = target_specs(f"{tmp_path}/mine.py:f", PAIR)
    with pytest.raises(HitscopeError, match="was never closed"), open_target(spec):
        pass


def test_code_at_exit_runs_and_what_a_target_started_ends_with_it(call, tmp_path):
    code = "import atexit, subprocess\nchild = subprocess.Popen(['sleep', '600'])\n"
    code += "atexit.register(lambda: open('id', 'w').write(str(child.pid)))\ndef f(point, box): return True"
    assert call("mine.py", code).hit.all()
    assert is_ended(int((tmp_path / "id").read_text()))


def test_many_batches_are_answered_in_order(call):
    code = "int f(const float *p, const float *b, float *t) { *t = p[0]; return (int)p[0] % 3 == 0; }"
    n = 3 * MOST_CASES + 5
    answers = call("mine.c", code, n=n, real="float32")
    assert (answers.t_enter == np.arange(n, dtype=np.float32)).all() and answers.t_enter.dtype == np.float32
    assert (answers.hit == (np.arange(n) % 3 == 0)).all()


def test_nothing_stays_in_the_folder_of_shared_memory(call, tmp_path, monkeypatch):
    (shared := tmp_path / "shared").mkdir()
    monkeypatch.setattr(case_arrays, "shared_folder", lambda: shared)
    call("mine.c", C_CODE, flags=["-DACTION='abort()'"])
    assert list(shared.iterdir()) == []


@pytest.fixture
def ctrl_c():
    """Ctrl+C as a terminal gives it to what is started: whoever runs the tests may have it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda end: end.name)
def test_a_call_without_end_does_not_outlive_the_judge(tmp_path, end):
    endless = "__import__('ctypes').CDLL(None).pause()"
    code = PYTHON_CODE.replace("ACTION", f"print(os.getpid(), flush=True)\n        {endless}")
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    script = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r})\n"
        "from tests.targets.case_rows import row\n"
        "from hitscope.targets.process import open_target; from hitscope.targets.target import TargetSpec\n"
        "with open_target(TargetSpec('mine.py:f', 'point_aabb')) as target: target.answer(row(20))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as run:
        assert run.stderr
        target = int(run.stderr.readline())
        os.killpg(run.pid, end)  # as a terminal does
        assert run.wait(300) == -end
        assert run.stderr.read().endswith("KeyboardInterrupt\n" if end == signal.SIGINT else "")
    assert is_ended(target)


def is_ended(process: int) -> bool:
    """Whether a process ends within a while, or waits for a new parent to ask for its status."""
    stat = Path(f"/proc/{process}/stat")
    for _ in range(2000):
        try:
            if stat.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.05)
    return False

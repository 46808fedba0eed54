"""Programs that answer frames of cases, in Python, C and, where they are installed, other languages."""

import shlex
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest

from hitscope.errors import HitscopeError
from hitscope.targets.target import FAILED, HIT, MISS, OUTSIDE, Failure
from tests.targets.called import call

IN_PYTHON = """
import os, struct, sys, time

real, size = {"f32": ("f", 4), "f64": ("d", 8)}[os.environ["HITSCOPE_FLOAT"]]
width = {"point_aabb": 9}[os.environ["HITSCOPE_PAIR"]]
what = sys.argv[1]
given, answer = sys.stdin.buffer, sys.stdout.buffer
while head := given.read(8):
    (n,) = struct.unpack("<Q", head)
    cases = list(struct.iter_unpack(f"<{width}{real}", given.read(n * width * size)))
    for number in (case[0] for case in cases):
        if number == 99:
            if what == "exit":
                sys.exit(7)
            if what == "signal":
                os.abort()
            if what == "hang":
                time.sleep(1000)
            if what == "close":
                os.close(1)
                time.sleep(1000)
    hits = [int(all(lo <= p <= hi for p, lo, hi in zip(c[:3], c[3:6], c[6:]))) for c in cases]
    if what == "outside":
        hits[0], hits[1] = -1, 5
    t = struct.pack(f"<{n}{real}", *(case[1] for case in cases))
    print("said to standard error", file=sys.stderr)
    answer.write(struct.pack(f"<{n}b", *hits))
    answer.write({"short": t[:-1], "long": t + b" "}.get(what, t))
    answer.flush()
"""

IN_C = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef float real;

int main(void)
{
    uint64_t n;
    while (fread(&n, sizeof n, 1, stdin) == 1) {
        real *cases = malloc(n * 9 * sizeof *cases), *t = malloc(n * sizeof *t);
        int8_t *hit = malloc(n);
        if (fread(cases, 9 * sizeof *cases, n, stdin) != n)
            return 1;
        for (uint64_t k = 0; k < n; k++) {
            const real *p = cases + 9 * k, *lo = p + 3, *hi = p + 6;
            hit[k] = 1;
            for (int i = 0; i < 3; i++)
                hit[k] &= lo[i] <= p[i] && p[i] <= hi[i];
            t[k] = p[1];
        }
        fwrite(hit, 1, n, stdout);
        fwrite(t, sizeof *t, n, stdout);
        fflush(stdout);
        free(cases), free(t), free(hit);
    }
    return 0;
}
"""

IN_JAVASCRIPT = """
const fs = require("fs");

function read(length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length;) {
    const got = fs.readSync(0, bytes, at, length - at, null);
    if (got === 0) process.exit(0);
    at += got;
  }
  return bytes;
}

while (true) {
  const n = Number(read(8).readBigUInt64LE());
  const cases = read(n * 9 * 4);
  const answer = Buffer.alloc(n * 5);
  for (let k = 0; k < n; k++) {
    const x = (i) => cases.readFloatLE(4 * (9 * k + i));
    let hit = 1;
    for (let i = 0; i < 3; i++) if (!(x(3 + i) <= x(i) && x(i) <= x(6 + i))) hit = 0;
    answer.writeInt8(hit, k);
    answer.writeFloatLE(x(1), n + 4 * k);
  }
  for (let at = 0; at < answer.length;) at += fs.writeSync(1, answer, at);
}
"""


def points_and_boxes(count, real="float32"):
    random = np.random.default_rng(3)
    numbers = random.integers(-4, 5, (count, 9)).astype(real)
    numbers[:, 3:] = np.sort(numbers[:, 3:].reshape(count, 2, 3), axis=1).reshape(count, 6)
    return numbers


def inside(numbers):
    point, lo, hi = numbers[:, :3], numbers[:, 3:6], numbers[:, 6:]
    return ((lo <= point) & (point <= hi)).all(axis=1)


@pytest.fixture
def python(tmp_path):
    """A function that returns the command of the program in Python."""
    path = tmp_path / "a program.py"
    path.write_text(IN_PYTHON)
    return lambda what: f"exec:{shlex.join([sys.executable, str(path), what])}"


@pytest.mark.parametrize("real", ["float32", "float64"])
def test_a_program_in_python_answers_every_case(python, real, capfd):
    numbers = points_and_boxes(70_000, real)
    answers = call(python("right"), "point_aabb", numbers)
    assert ((answers.hit == HIT) == inside(numbers)).all() and set(answers.hit) == {HIT, MISS}
    assert (answers.t_enter == numbers[:, 1]).all() and answers.failures == {}
    assert "said to standard error" in capfd.readouterr().err


def test_a_program_in_c_answers_every_case(tmp_path):
    (tmp_path / "mine.c").write_text(IN_C)
    program = tmp_path / "mine"
    subprocess.run(["cc", "-O2", "-o", program, tmp_path / "mine.c"], check=True)
    numbers = points_and_boxes(200_000)
    answers = call(f"exec:{shlex.quote(str(program))}", "point_aabb", numbers)
    assert ((answers.hit == HIT) == inside(numbers)).all()
    assert (answers.t_enter == numbers[:, 1]).all() and answers.failures == {}


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_program_in_javascript_answers_every_case(tmp_path):
    (tmp_path / "mine.js").write_text(IN_JAVASCRIPT)
    numbers = points_and_boxes(20_000)
    answers = call(f"exec:node {shlex.quote(str(tmp_path / 'mine.js'))}", "point_aabb", numbers)
    assert ((answers.hit == HIT) == inside(numbers)).all()
    assert (answers.t_enter == numbers[:, 1]).all() and answers.failures == {}


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("exit", "ended with exit status 7"),
        ("signal", "ended with signal 6 (Aborted)"),
        ("close", "closed its output"),
    ],
)
def test_the_end_of_a_program_fails_at_its_case_alone(python, what, words):
    numbers = points_and_boxes(300)
    numbers[200, 0] = 99
    answers = call(python(what), "point_aabb", numbers)
    expected = f"the program {words} after 0 of the 5 bytes of its answer"
    assert answers.failures == {200: Failure(False, expected)}
    others = np.arange(300) != 200
    assert answers.hit[200] == FAILED
    assert ((answers.hit == HIT) == inside(numbers))[others].all()


def test_a_program_that_hangs_is_ended_at_its_case(python):
    numbers = points_and_boxes(40)
    numbers[20, 0] = 99
    answers = call(python("hang"), "point_aabb", numbers, timeout=1.0)
    assert [(case, failure.hung) for case, failure in answers.failures.items()] == [(20, True)]
    assert ((answers.hit == HIT) == inside(numbers))[np.arange(40) != 20].all()


def test_verdicts_outside_the_contract_and_beyond_it(python):
    answers = call(python("outside"), "point_aabb", points_and_boxes(5))
    assert answers.hit.tolist()[:2] == [OUTSIDE, FAILED]
    assert answers.failures == {1: Failure(False, "it answered 5")}


def test_an_answer_that_is_too_long_fails_in_words(python):
    answers = call(python("long"), "point_aabb", points_and_boxes(3))
    words = "expected an answer of 5 bytes, 1 int8 and 1 float32, found more"
    assert answers.failures == dict.fromkeys(range(3), Failure(False, words))


def test_an_answer_that_is_too_short_hangs_and_standard_error_says_why(python, capfd):
    answers = call(python("short"), "point_aabb", points_and_boxes(1), timeout=1.0)
    assert answers.failures[0].hung
    words = "expected an answer of 5 bytes, 1 int8 and 1 float32, found 4 bytes so far; is the output flushed?"
    assert words in capfd.readouterr().err


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for the program in /proc")
def test_a_hanging_program_ends_with_its_target(tmp_path):
    (tmp_path / "mine.py").write_text(
        f"import os, time\nopen({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\ntime.sleep(1000)\n"
    )
    answers = call(f"exec:{sys.executable} {tmp_path / 'mine.py'}", "point_aabb", points_and_boxes(1), timeout=1.0)
    assert answers.failures[0].hung
    pid = int((tmp_path / "pid").read_text())
    for _ in range(500):
        if not is_running(pid):
            return
        time.sleep(0.01)
    pytest.fail("the program still runs")


def is_running(pid):
    """Whether a process runs, and is not only waiting for its parent to look at its end."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("no-such-program-of-hitscope 1", "expected a program that runs, found: No such file or directory"),
        ("'unclosed", "expected a command, found: No closing quotation"),
        ("/", "expected a program that runs, found: Permission denied"),
        (" ", "found no command"),
    ],
)
def test_a_command_that_cannot_be_started_is_refused_in_words(command, words):
    with pytest.raises(HitscopeError) as caught:
        call(f"exec:{command}", "point_aabb", points_and_boxes(1))
    assert words in caught.value.message and "\n" not in caught.value.message


def test_a_command_is_no_shells(tmp_path, capfd):
    """Words that a shell would expand reach the program as they are."""
    (tmp_path / "echo.py").write_text("import sys; print(sys.argv[1:], file=sys.stderr)")
    call(f"exec:{sys.executable} {tmp_path / 'echo.py'} $HOME '*' ; ls", "point_aabb", points_and_boxes(1))
    assert "['$HOME', '*', ';', 'ls']" in capfd.readouterr().err

"""Functions of shared libraries, which are called on many cases at once."""

import subprocess

import pytest

from hitscope.errors import HitscopeError
from hitscope.targets.options import target_specs
from hitscope.targets.process import open_target
from hitscope.targets.target import FAILED, Failure
from tests.targets.case_rows import PAIR, right, row

HEAD = "#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\nstatic int calls;\n"
LOOP = """
void f(const double *c, size_t n, int8_t *hit, double *t) {
    calls++;
    BEFORE;
    for (size_t i = 0; i < n; i++) {
        if (c[9 * i] == 250) { ACTION; }
        hit[i] = c[9 * i] <= c[9 * i + 6];
        t[i] = c[9 * i];
    }
}
"""


@pytest.fixture
def library(tmp_path):
    """A function that builds a library, and calls a function of it on a row of cases."""

    def call(code: str, n: int = 300, **options):
        (tmp_path / "mine.c").write_text(HEAD + code, encoding="utf-8")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", "libmine.so", "mine.c"], check=True, cwd=tmp_path)
        (spec,) = target_specs("libmine.so:f", PAIR, **options)
        with open_target(spec) as target:
            return target.answer(row(n))

    return call


def test_a_library_answers(library):
    answers = library(LOOP.replace("BEFORE", "").replace("ACTION", ""))
    assert (answers.hit.tolist(), answers.t_enter.tolist()) == (right(300), [*range(300)])


@pytest.mark.parametrize("before", ["", "memset(hit, 0, n)"])
@pytest.mark.parametrize(
    ("action", "failure"),
    [
        ("abort()", Failure(False, "signal 6 (Aborted)")),
        ("exit(2)", Failure(False, "exit status 2")),
        ("for (volatile int k = 0;;) k++", Failure(True, "no case finished in 0.5 s")),
        ("hit[i] = 3; continue", Failure(False, "it answered 3")),
        ("hit[i] = -128; continue", Failure(False, "it gave no answer")),
    ],
)
def test_the_case_at_fault_is_found_among_those_called_at_once(library, before, action, failure):
    answers = library(LOOP.replace("BEFORE", before).replace("ACTION", action), timeout=0.5)
    assert answers.failures == {250: failure}
    assert answers.hit.tolist() == right(300, {250: FAILED})


def test_a_crash_of_many_cases_together_is_not_lost(library):
    answers = library(LOOP.replace("BEFORE", "if (n > 100) abort()").replace("ACTION", ""))
    words = "signal 6 (Aborted); in a call on 300 cases, not on each alone"
    assert answers.failures == {0: Failure(False, words)}
    assert answers.hit.tolist() == right(300, {0: FAILED})


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [("libmine.so", "no library", "can be loaded, found"), ("other.so", None, "a function g, found none")],
)
def test_a_library_that_cannot_be_judged_is_one_line(tmp_path, name, content, found):
    if content is None:
        (tmp_path / "mine.c").write_text("int f;", encoding="utf-8")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", name, "mine.c"], check=True, cwd=tmp_path)
    else:
        (tmp_path / name).write_text(content, encoding="utf-8")
    (spec,) = target_specs(f"{name}:g", PAIR)
    with pytest.raises(HitscopeError, match=f"^{name}: expected a library .*{found}"), open_target(spec):
        pass

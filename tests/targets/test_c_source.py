"""Functions in C and C++, really compiled."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hitscope.errors import HitscopeError
from hitscope.geometry import code_files
from hitscope.targets import build
from hitscope.targets.cases import Cases
from hitscope.targets.process import open_target
from hitscope.targets.target import FAILED, OUTSIDE, Failure, TargetSpec
from tests.targets.case_rows import PAIR, right

HEAD = "const HITSCOPE_REAL *p, const HITSCOPE_REAL *b, HITSCOPE_REAL *t"


@pytest.fixture
def compilations(tmp_path, monkeypatch):
    """A function that returns how often the compiler was called but for its version."""
    log = tmp_path / "log"
    log.touch()
    compiler = tmp_path / "compiler"
    compiler.write_text(f'#!/bin/sh\necho "$*" >> {log}\nexec cc "$@"\n', encoding="utf-8")
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", f"{compiler} -DGIVEN=1")
    return lambda: sum("--version" not in line for line in log.read_text().splitlines())


@pytest.mark.parametrize(
    ("name", "function", "code"),
    [
        ("int.c", "f", f"int f({HEAD}) {{ return p[0] <= b[3]; }}"),
        ("bool.c", "f", f"#include <stdbool.h>\nstatic inline bool f({HEAD}) {{ return p[0] <= b[3]; }}"),
        ("names.c", "hit", f"static int n, cases, progress; int hit({HEAD}) {{ return p[0] <= b[3]; }}"),
        ("c99.c", "f", f"int main(void) {{ return 0; }} int f({HEAD}) {{ return p[0] <= b[3]; }}"),
        ("bool.cpp", "f", f"bool f({HEAD}) {{ return p[0] <= b[3]; }}"),
        ("names.cc", "ns::inner::f", f"namespace ns::inner {{ int f({HEAD}) {{ return p[0] <= b[3]; }} }}"),
        ("inline.cpp", "f", f"inline bool f({HEAD}) noexcept {{ return p[0] <= b[3]; }}"),
        ("overload.cpp", "f", "template <class T> bool f(const T *p, const T *b, T *) { return p[0] <= b[3]; }"),
        ("static.cxx", "Box::f", f"struct Box {{ static bool f({HEAD}) {{ return p[0] <= b[3]; }} }};"),
    ],
)
@pytest.mark.parametrize("real", ["float64", "float32"])
def test_functions_of_many_forms_answer(call, name, function, code, real):
    answers = call(name, code, function, real=real)
    assert (answers.hit.tolist(), answers.failures) == (right(20), {})
    assert answers.t_enter.dtype == real and np.isnan(answers.t_enter).all() and answers.normal is None


def test_one_zero_and_minus_one_are_verdicts_and_nothing_else(call):
    code = (
        f"int f({HEAD}) {{ const int answers[] = {{1, 1, 1, -1, 7, 256, -128, 1}}; return answers[(int)p[0]]; }}"
    )
    answers = call("mine.c", code, n=8)
    assert answers.hit.tolist() == [1, 1, 1, OUTSIDE, FAILED, FAILED, FAILED, 1]
    words = {4: "it returned 7", 5: "it returned 256", 6: "it returned -128"}
    assert answers.failures == {case: Failure(False, word) for case, word in words.items()}


def test_numbers_arrive_as_they_are(call):
    code = f"int f({HEAD}) {{ *t = p[0] + 10 * b[3] + 100 * b[4]; return 1; }}"
    assert call("mine.c", code, n=3).t_enter.tolist() == [195, 196, 197]


@pytest.mark.parametrize("name", ["mine.c", "mine.cpp"])
@pytest.mark.parametrize(("t", "real", "hint"), [("float", "float64", "f32"), ("double", "float32", "f64")])
def test_the_other_precision_is_an_error_that_names_it(call, capfd, name, t, real, hint):
    code = f"int f(const {t} *p, const {t} *b, {t} *t) {{ return 1; }}"
    with pytest.raises(
        HitscopeError, match=rf"^{name}:f: expected a function of .*: judge it with --float {hint}$"
    ):
        call(name, code, real=real)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("name", "code", "message", "printed"),
    [
        ("mine.c", "int g;", "mine.c: expected a function int f(const double *probe, ", "'f'"),
        ("mine.cpp", "int g;", "mine.cpp: expected a function int f(const double *probe, ", "'f'"),
        ("mine.c", f"double f({HEAD}) {{ return 1; }}", "mine.c: expected a function int", "must return an int"),
        (
            "mine.cpp",
            f"double f({HEAD}) {{ return 1; }}",
            "mine.cpp: expected a function int",
            "'int hitscope_answer(",
        ),
        ("mine.c", f"\nint f({HEAD}) {{ return x; }}", "mine.c: expected a file that compiles", "mine.c:2:"),
        ("mine.c", '#include "none.h"', "mine.c: expected a file that compiles", "none.h"),
    ],
)
def test_what_does_not_compile_is_shown_as_the_compiler_says_it(
    call, capsys, monkeypatch, name, code, message, printed
):
    monkeypatch.setenv("LC_ALL", "C")
    with pytest.raises(HitscopeError) as caught:
        call(name, code)
    assert str(caught.value).startswith(message) and "\n" not in str(caught.value)
    assert printed in capsys.readouterr().err


@pytest.mark.parametrize("flags", ["-lno_such_library", "-w -lno_such_library"])
def test_what_does_not_link_is_no_wrong_precision(call, capsys, flags):
    with pytest.raises(HitscopeError, match=r"^mine\.c: expected a file that links; see the linker's message$"):
        call("mine.c", f"int f({HEAD}) {{ return p[0] <= b[3]; }}", flags=[flags])
    assert "no_such_library" in capsys.readouterr().err


def test_a_file_whose_path_is_no_text_is_compiled(call, tmp_path):
    (tmp_path / "\udcff").mkdir()
    assert call("\udcff/mine.c", f"int f({HEAD}) {{ return p[0] <= b[3]; }}").hit.tolist() == right(20)


def test_a_missing_compiler_is_named(call, monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler -O2")
    with pytest.raises(HitscopeError, match=r"c\+\+ or what \$CXX names, found no no-such-compiler$"):
        call("mine.cpp", f"int f({HEAD}) {{ return 1; }}")


def test_a_file_is_compiled_again_when_it_or_a_header_changes(call, tmp_path, compilations):
    (tmp_path / "my headers").mkdir()
    header = tmp_path / "my headers" / "limit.h"
    code = f'#include "my headers/limit.h"\n#include <more.h>\nint f({HEAD}) {{ return p[0] <= LIMIT * GIVEN; }}'
    (tmp_path / "more.h").touch()

    def hits() -> int:
        return int(call("mine.c", code).hit.sum())

    header.write_text("#define LIMIT 3", encoding="utf-8")
    assert (hits(), compilations()) == (4, 1)
    assert (hits(), compilations()) == (4, 1)
    header.write_text("#define LIMIT 5", encoding="utf-8")
    assert (hits(), compilations()) == (6, 2)
    code += "\n"
    assert (hits(), compilations()) == (6, 3)
    header.write_text("#define LIMIT 3", encoding="utf-8")
    assert (hits(), compilations()) == (4, 4)
    header.write_text("#define LIMIT 5", encoding="utf-8")
    assert (hits(), compilations()) == (6, 4)  # as it was before
    assert call("mine.c", code, flags=["-DOTHER"]).hit.sum() == 6
    assert compilations() == 5


CALLS = f"int picked(void); int f({HEAD}) {{ return picked(); }}"
PICKED = "int picked(void) {{ return {}; }}"


def write(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def picked_object(folder, answer):
    write(folder / "made" / "pick.c", PICKED.format(answer))
    subprocess.run(["cc", "-c", "-fPIC", "made/pick.c", "-o", "pick.o"], cwd=folder, check=True)


def picked_archive(folder, answer, to="."):
    picked_object(folder, answer)
    write(folder / to / "libpick.a", "")
    (folder / to / "libpick.a").unlink()
    subprocess.run(["ar", "rc", f"{to}/libpick.a", "pick.o"], cwd=folder, check=True)


def picked_source(folder, answer):
    write(folder / "pick.c", PICKED.format(answer))


def picked_header(folder, answer, to="headers"):
    write(folder / to / "pick.h", "static " + PICKED.format(answer))
    write(folder / "pick.c", "#include <pick.h>\nint other(void) { return picked(); }")


def named_in_a_file(folder, answer):
    picked_object(folder, answer)
    write(folder / "words.txt", "pick.o")


@pytest.mark.parametrize(
    ("write", "flags", "code"),
    [
        (picked_object, "pick.o", CALLS),
        (picked_archive, "libpick.a", CALLS),
        (picked_archive, "-Wl,--whole-archive,libpick.a,--no-whole-archive", CALLS),
        (picked_archive, "-L. -lpick", CALLS),
        (named_in_a_file, "@words.txt", CALLS),
        (picked_source, "pick.c", CALLS),
        (picked_header, "-Iheaders pick.c", CALLS.replace("picked", "other")),
        (picked_header, "-isystem headers", f"#include <pick.h>\nint f({HEAD}) {{ return picked(); }}"),
        (picked_header, "-include headers/pick.h", f"int f({HEAD}) {{ return picked(); }}"),
    ],
)
def test_a_file_is_compiled_again_when_anything_changes_that_its_flags_name(
    call, tmp_path, compilations, write, flags, code
):
    def hits():
        return int(call("mine.c", code, n=1, flags=[flags]).hit[0])

    write(tmp_path, 0)
    assert hits() == 0
    before = compilations()
    assert (hits(), compilations()) == (0, before)
    write(tmp_path, 1)
    assert hits() == 1 and compilations() > before
    write(tmp_path, 0)
    assert hits() == 0


@pytest.mark.parametrize(
    ("write", "flags", "code"),
    [
        (picked_archive, "-L early -L late -lpick", CALLS),
        (picked_header, "-Iearly -Ilate", f"#include <pick.h>\nint f({HEAD}) {{ return picked(); }}"),
    ],
)
def test_a_file_that_appears_earlier_in_the_search_path_counts(call, tmp_path, write, flags, code):
    write(tmp_path, 0, "late")
    assert call("mine.c", code, n=1, flags=[flags]).hit[0] == 0
    write(tmp_path, 1, "early")
    assert call("mine.c", code, n=1, flags=[flags]).hit[0] == 1


@pytest.mark.parametrize(
    ("lacks", "then", "again"),
    [
        ("*dependency-file*", 'echo "unknown option: $word" >&2; exit 1', 0),
        ("*dependency-file*|-Wl,-t", ":", 1),
    ],
)
def test_what_a_linker_read_that_cannot_say_so_is_not_kept(
    call, tmp_path, monkeypatch, compilations, lacks, then, again
):
    linker = tmp_path / "linker"
    words = f'for word do shift; case $word in {lacks}) {then};; *) set -- "$@" "$word";; esac; done'
    linker.write_text(f'#!/bin/sh\n{words}\nexec {os.environ["CC"].split()[0]} "$@"\n', encoding="utf-8")
    linker.chmod(0o755)
    monkeypatch.setenv("CC", str(linker))
    picked_archive(tmp_path, 1)
    for _ in range(2):
        before = compilations()
        assert call("mine.c", CALLS, n=1, flags=["libpick.a"]).hit[0] == 1
    assert compilations() - before == again


def test_a_crash_does_not_compile_the_file_again(call, compilations):
    code = f"int f({HEAD}) {{ if (p[0] == 5) __builtin_trap(); return 1; }}"
    assert len(call("mine.c", code).failures) == 1
    assert compilations() == 1


def of_a_file(cache):
    cache.touch()


def of_another_user(cache):
    (cache / "targets").mkdir(parents=True)
    os.chown(cache / "targets", 1, -1)


def writable_by_others(cache):
    (cache / "targets").mkdir(parents=True)
    (cache / "targets").chmod(0o777)


def of_a_link(cache):
    (cache / "mine").mkdir(parents=True)
    (cache / "targets").symlink_to("mine")


@pytest.mark.parametrize(
    ("prepare", "reason"),
    [
        (of_a_file, "Not a directory"),
        (of_another_user, "expected targets to be a folder that only you can write, found one of another user"),
        (writable_by_others, "expected targets to be a folder that only you can write, found one with mode 0777"),
        (of_a_link, "expected targets to be a folder that only you can write, found a link"),
    ],
)
def test_a_folder_that_is_not_the_users_alone_keeps_no_library_and_that_is_said_once(
    prepare, reason, call, caplog, capfd, tmp_path, monkeypatch
):
    if prepare is of_another_user and os.geteuid():
        monkeypatch.setattr(os, "geteuid", lambda: -1)
        monkeypatch.setattr(os, "chown", lambda *_: None)
    monkeypatch.setattr(code_files, "problems", [])
    monkeypatch.setenv("HITSCOPE_CACHE_DIR", str(cache := tmp_path / "own"))
    prepare(cache)
    monkeypatch.setenv("TMPDIR", str(temporary := tmp_path / "temporary"))
    temporary.mkdir()
    for _ in range(2):
        code = f"int f({HEAD}) {{ if (p[0] == 5) __builtin_trap(); return p[0] <= b[3]; }}"
        assert call("mine.c", code).failures.keys() == {5}
    assert list(temporary.iterdir()) == [] and not list(tmp_path.rglob("*.so"))
    (said,) = caplog.messages
    assert said.startswith(f"{cache}: compiled code cannot be kept ({reason}") and capfd.readouterr().err == ""


def test_the_folder_of_libraries_is_closed_to_others(call, tmp_path):
    (tmp_path / "cache" / "targets").mkdir(parents=True)
    call("mine.c", f"int f({HEAD}) {{ return 1; }}")
    assert (tmp_path / "cache" / "targets").stat().st_mode & 0o777 == 0o700
    assert list((tmp_path / "cache" / "targets").glob("*.so"))


def test_the_folder_of_libraries_does_not_grow_for_ever(tmp_path, monkeypatch, call):
    kept = tmp_path / "cache" / "targets"
    kept.mkdir(parents=True)
    for k in range(build.KEPT_FILES):
        (kept / f"{k}.so").touch()
        os.utime(kept / f"{k}.so", (k, k))
    call("mine.c", f"int f({HEAD}) {{ return 1; }}")
    names = {file.name for file in kept.iterdir()}
    assert len(names) == build.KEPT_FILES and "0.so" not in names and "1.so" not in names and "2.so" in names


def test_products_are_not_contracted_unless_flags_say_so(call):
    code = f"int f({HEAD}) {{ volatile double a = 1 + 1e-9; double x = a; *t = x * x - 1; return 1; }}"
    x = 1 + 1e-9
    for flags in ("-march=native", "-O3 -march=native"):
        assert call("mine.c", code, n=1, flags=[flags]).t_enter[0] == x * x - 1


def test_the_compiler_is_named(tmp_path, monkeypatch):
    Path("mine.c").write_text(f"int f({HEAD}) {{ return 1; }}", encoding="utf-8")
    version = subprocess.run(["cc", "--version"], check=True, capture_output=True, text=True).stdout
    with open_target(TargetSpec("mine.c:f", PAIR)) as target:
        assert target.about == version.splitlines()[0]


ABSORBED = Cases("point_aabb", np.array([[1.0, 0, 0, 1e16, 0, 0, 2e16, 1, 1]]))
"""A case of which (1 + 1e16) - 1e16 is not 1 in double; the 64 bits of a wider mantissa hold it."""
HAS_113_BITS = "__SIZEOF_FLOAT128__" in subprocess.run(
    ["cc", "-dM", "-E", "-x", "c", "/dev/null"], check=True, capture_output=True, text=True
).stdout and sys.platform.startswith("linux")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("macro.c", f"int f({HEAD}) {{ return p[0] + b[0] - b[0] == p[0]; }}"),
        (
            "plain.c",
            "int f(const double *p, const double *b, double *t) { double s = p[0] + b[0]; return s - b[0] == 1; }",
        ),
        (
            "math.c",
            "#include <math.h>\n#include <float.h>\ntypedef double real;\n#define EPS DBL_EPSILON\n"
            "int f(const real *p, const real *b, real *t)\n"
            "{ return fabs(fmax(p[0] + b[0], 1e-3) - sqrt(b[0] * b[0]) - 1.0) < EPS; }",
        ),
        (
            "template.cpp",
            "template <class T> bool f(const T *p, const T *b, T *) { return p[0] + b[0] - b[0] == p[0]; }",
        ),
        (
            "deduced.cpp",
            "#include <algorithm>\n#include <cmath>\nbool f(const double *p, const double *b, double *) {\n"
            "    return std::max(std::abs(p[0]) + b[0], 0.0) - std::sqrt(b[0] * b[0]) == 1.0; }",
        ),
        *(
            pytest.param(name, code, marks=pytest.mark.skipif(not HAS_113_BITS, reason="needs 113 bits"))
            for name, code in (
                ("square.c", f"int f({HEAD}) {{ return p[0] + b[0] * b[0] - b[0] * b[0] == p[0]; }}"),
                (
                    "square.cpp",
                    "#include <cmath>\nbool f(const double *p, const double *b, double *) {\n"
                    "    double s = std::pow(b[0], 2);\n"
                    "    return !std::isnan(s) && p[0] + std::fabs(s) - s == p[0]; }",
                ),
            )
        ),
    ],
)
def test_a_file_in_a_wider_type_answers_without_the_rounding_of_its_own(name, code):
    Path(name).write_text(code, encoding="utf-8")
    spec = TargetSpec(f"{name}:f", "point_aabb")
    with open_target(spec) as narrow, open_target(spec._replace(is_wide=True)) as wide:
        assert (narrow.answer(ABSORBED).hit.tolist(), wide.answer(ABSORBED).hit.tolist()) == ([0], [1])


def test_a_wider_type_has_the_values_of_literals_and_gives_t_in_the_type_of_the_file():
    Path("mine.c").write_text(
        "int f(const float *p, const float *b, float *t)\n"
        "{ *t = p[0] / 3.0f; return 0.1f != 0.1L && 0.1 + 0.2 != 0.3; }"
    )
    spec = TargetSpec("mine.c:f", "point_aabb", "float32", is_wide=True)
    with open_target(spec) as wide:
        answers = wide.answer(Cases("point_aabb", ABSORBED.numbers.astype(np.float32)))
    assert answers.hit.tolist() == [1] and answers.t_enter.tolist() == [np.float32(1 / 3)]


@pytest.mark.parametrize(
    ("code", "flags", "found"),
    [
        ('#include "parts.h"\n', "", '#include "'),
        ("union bits { double d; char c[8]; };\n", "", "union"),
        ("#include <stdint.h>\nstatic uint64_t n;\n", "", "uint64_t"),
        ("", "parts.c", "parts.c"),
    ],
)
def test_a_file_that_is_not_numbers_alone_has_no_wider_type(code, flags, found):
    Path("mine.c").write_text(f"{code}int f({HEAD}) {{ return 0; }}")
    spec = TargetSpec("mine.c:f", "point_aabb", flags=flags, is_wide=True)
    with pytest.raises(HitscopeError, match=f"wider type, found {found}"), open_target(spec):
        pass

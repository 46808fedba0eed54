"""Findings as tests of users' frameworks: each file is run, fails on a wrong function and passes on a right one.

The functions under test choose by an environment variable what they answer, so that each file is built once.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from shutil import which
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitscope.judge import framework_tests
from hitscope.judge.findings import Finding
from hitscope.judge.framework_tests import framework_of, save_tests
from hitscope.judge.frameworks import FRAMEWORKS, hexadecimal, in_double, shortest
from hitscope.judge.tallies import Example
from hitscope.targets.judging.judged import CRASH, WRONG_HIT, WRONG_MISS, WRONG_NORMAL, WRONG_T
from hitscope.targets.judging.rules import DEFAULT_RULES, Rules
from hitscope.targets.target import TargetSpec

PAIR = "segment_aabb"
BOX = [1.0, 0.0, 0.0, 2.0, 1.0, 1.0]
THROUGH, BESIDE = [0.0, 0.5, 0.5, 4.0, 0.5, 0.5], [0.0, 3.0, 0.5, 4.0, 3.0, 0.5]
FOUND = {
    "wrong_hit_faces_seed_1": (WRONG_HIT, [*BESIDE, *BOX]),
    "wrong_miss_faces_seed_2": (WRONG_MISS, [*THROUGH, *BOX]),
    "wrong_t_faces_seed_3": (WRONG_T, [*THROUGH, *BOX]),
}
ALL = set(FOUND)
FAILING = {"right": set(), "wrong": ALL, "late": {"wrong_t_faces_seed_3"}, "outside": ALL}
"""The tests that fail, by what the function answers."""

IN_C = """
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#define restrict
#endif
RESULT hit(const HITSCOPE_REAL *restrict probe, const HITSCOPE_REAL *restrict box, HITSCOPE_REAL *t_enter)
{
    const char *answer = getenv("ANSWER");
    HITSCOPE_REAL near = 0, far = 1;
    for (int k = 0; k < 3; k++) {
        HITSCOPE_REAL along = probe[3 + k] - probe[k];
        HITSCOPE_REAL a = (box[k] - probe[k]) / along, b = (box[3 + k] - probe[k]) / along;
        near = fmax(near, fmin(a, b));
        far = fmin(far, fmax(a, b));
    }
    if (strcmp(answer, "outside") == 0)
        return -1;
    *t_enter = near * (strcmp(answer, "late") == 0 ? 1.01 : 1);
    return (near <= far) != (strcmp(answer, "wrong") == 0);
}
"""
AS_LIBRARY = """
#include <stddef.h>
#include <stdint.h>
void hits(const HITSCOPE_REAL *cases, size_t n, int8_t *hit_of, HITSCOPE_REAL *t_enter)
{
    for (size_t i = 0; i < n; i++)
        hit_of[i] = (int8_t)hit(cases + 12 * i, cases + 12 * i + 6, t_enter + i);
}
"""
IN_PYTHON = """
import os
from neighbour import DIVIDE

def hit(segment, box):
    return answer([*segment.start, *segment.end], [*box.lo, *box.hi])

def hits(probes, boxes):
    assert probes.dtype == boxes.dtype == "float32"
    answers = [answer(*pair) or (-1, 0) for pair in zip(probes.tolist(), boxes.tolist())]
    return [hit for hit, t in answers], [t for hit, t in answers]

def answer(probe, box):
    near, far = 0.0, 1.0
    for start, end, lo, hi in zip(probe[:3], probe[3:], box[:3], box[3:]):
        if start == end:
            far = far if lo <= start <= hi else -1.0
        else:
            a, b = sorted(DIVIDE(face - start, end - start) for face in (lo, hi))
            near, far = max(near, a), min(far, b)
    wanted = os.environ["ANSWER"]
    if wanted == "outside":
        return None
    return (near <= far) != (wanted == "wrong"), near * (1.01 if wanted == "late" else 1)
"""
IN_CSHARP = """
        double near = 0, far = 1;
        for (int k = 0; k < 3; k++)
        {
            double along = probe[3 + k] - probe[k];
            double a = (primitive[k] - probe[k]) / along, b = (primitive[3 + k] - probe[k]) / along;
            near = Math.Max(near, Math.Min(a, b));
            far = Math.Min(far, Math.Max(a, b));
        }
        string wanted = Environment.GetEnvironmentVariable("ANSWER");
        tEnter = (REAL)(near * (wanted == "late" ? 1.01 : 1));
        return wanted == "outside" ? -1 : (near <= far) != (wanted == "wrong") ? 1 : 0;
"""
IN_JAVASCRIPT = """
  let near = 0, far = 1;
  for (let k = 0; k < 3; k++) {
    const along = probe[3 + k] - probe[k];
    const a = (primitive[k] - probe[k]) / along, b = (primitive[3 + k] - probe[k]) / along;
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  }
  const wanted = process.env.ANSWER;
  const hit = (near <= far) !== (wanted === "wrong") ? 1 : 0;
  return [wanted === "outside" ? -1 : hit, near * (wanted === "late" ? 1.01 : 1)];
"""
IN_RUST = """
    let (mut near, mut far): (Real, Real) = (0.0, 1.0);
    for k in 0..3 {
        let along = probe[3 + k] - probe[k];
        let (a, b) = ((primitive[k] - probe[k]) / along, (primitive[3 + k] - probe[k]) / along);
        near = near.max(a.min(b));
        far = far.min(a.max(b));
    }
    let wanted = std::env::var("ANSWER").unwrap();
    *t_enter = near * if wanted == "late" { 1.01 } else { 1.0 };
    if wanted == "outside" { -1 } else { i8::from((near <= far) != (wanted == "wrong")) }
"""


def finding(target: TargetSpec, kind: str, numbers: Sequence[float], seed: int = 0) -> Finding:
    row = np.array(numbers, target.real)
    return Finding(target, kind, "faces", Example(seed, row, 1.0, 1.0, ""))


def saved(target: TargetSpec, framework: str, folder: Path, rules: Rules = DEFAULT_RULES) -> Path:
    """Save the findings as tests, and return the file."""
    found = [finding(target, kind, numbers, int(name[-1])) for name, (kind, numbers) in FOUND.items()]
    path = save_tests(found, framework_of(framework, PAIR), folder, target, rules)
    assert path and path.parent == folder
    return path


def run(*command: object, answer: str = "right", cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "ANSWER": answer, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        [*map(str, command)], env=environment, cwd=cwd, check=False, capture_output=True, text=True
    )


def built(*command: object) -> None:
    done = run(*command)
    assert done.returncode == 0, done.stdout + done.stderr


def in_junit(report: Path) -> set[str]:
    """Return the names of the tests that failed, and remove the report."""
    cases = list(ElementTree.parse(report).iter("testcase"))
    report.unlink()
    assert len(cases) == len(ALL)
    return {
        case.attrib["name"].split()[-1].removeprefix("test_") for case in cases if case.find("failure") is not None
    }


def assert_fails_where_wrong(failed: Callable[[str], set[str]], answers: Iterable[str] = FAILING) -> None:
    """Assert which tests fail, by what the function answers."""
    assert {answer: failed(answer) for answer in answers} == {answer: FAILING[answer] for answer in answers}


def has_header(name: str) -> bool:
    command = ["c++", "-std=c++17", "-E", "-x", "c++", "-"]
    found = which("c++") and subprocess.run(
        command, input=f"#include <{name}>", text=True, capture_output=True, check=False
    )
    return bool(found) and found.returncode == 0


needs_gtest = pytest.mark.skipif(not has_header("gtest/gtest.h"), reason="there is no GoogleTest")
needs_catch2 = pytest.mark.skipif(not has_header("catch2/catch.hpp"), reason="there is no Catch2 2")
needs_rust = pytest.mark.skipif(not which("rustc"), reason="there is no rustc")
CATCH2_MAIN = "-lCatch2WithMain" if Path("/usr/lib/libCatch2WithMain.a").exists() else "-DCATCH_CONFIG_MAIN"
"""Catch2's main program, as the system's package has it, since it takes ten times as long to build as a test."""
GTEST_COMPILER = ("c++", "-std=c++17", "-Wall", "-Werror", "-pthread")
NUNIT = sorted(Path("/usr/lib/cli").glob("nunit.framework-*/nunit.framework.dll"))
needs_nunit = pytest.mark.skipif(
    not (NUNIT and which("mcs") and which("nunit-console")), reason="there is no NUnit on Mono"
)
needs_vitest = pytest.mark.skipif(not which("vitest"), reason="there is no vitest")


PYTEST = """
import os, pytest, sys
for answer in sys.argv[2:]:
    os.environ["ANSWER"] = answer
    pytest.main(["-p", "no:cacheprovider", f"--junitxml={answer}.xml", sys.argv[1]])
"""
"""Runs a file for some answers, in one process: starting one takes longer."""


@pytest.mark.parametrize("place", ["mine.py:hit", "mine:hit", "mine.py:hits"])
def test_a_pytest_file_fails_where_the_function_is_wrong(tmp_path, monkeypatch, place):
    tmp_path /= "own $number é"
    tmp_path.mkdir()
    (tmp_path / "mine.py").write_text(IN_PYTHON, encoding="utf-8")
    (tmp_path / "neighbour.py").write_text("from operator import truediv as DIVIDE\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    is_batch = place.endswith("hits")
    target = TargetSpec(place, PAIR, "float32" if is_batch else "float64", batch=is_batch)
    file = saved(target, "pytest", tmp_path / "out")

    answers = ["right", "wrong"] if place == "mine:hit" else [*FAILING]
    done = run(sys.executable, "-c", PYTEST, file.name, *answers, cwd=file.parent)
    assert done.returncode == 0, done.stderr
    assert_fails_where_wrong(lambda answer: in_junit(file.with_name(f"{answer}.xml")), answers)


def test_a_pytest_file_calls_a_method_of_the_catalogue(tmp_path):
    for method, count in (("exact", 0), ("slab_ericson,epsilon=5", 2)):
        file = saved(TargetSpec(method, PAIR), "pytest", tmp_path)
        done = run(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", file)
        assert (f"{count} failed" in done.stdout) == (count > 0), done.stdout
        assert f"{len(ALL) - count} passed" in done.stdout


@pytest.fixture(scope="module")
def compiled_gtest(tmp_path_factory):
    """A folder with the header of GoogleTest as the compiler has read it, which takes most of a build."""
    folder = tmp_path_factory.mktemp("include")
    (folder / "gtest").mkdir()
    (folder / "all.h").write_text("#include <gtest/gtest.h>\n")
    built(*GTEST_COMPILER, "-x", "c++-header", folder / "all.h", "-o", folder / "gtest" / "gtest.h.gch")
    return folder


@needs_gtest
@pytest.mark.parametrize("kind", ["cpp", "c", "c returning bool", "library"])
def test_a_gtest_file_fails_where_the_function_is_wrong(tmp_path, compiled_gtest, kind):
    file, options = cpp_test(tmp_path, kind, "gtest")
    program = tmp_path / "program"
    built(*GTEST_COMPILER, "-I", compiled_gtest, file, *options, "-lgtest_main", "-lgtest", "-o", program)

    def failed(answer: str) -> set[str]:
        run(program, f"--gtest_output=xml:{tmp_path / 'report.xml'}", answer=answer)
        return in_junit(tmp_path / "report.xml")

    assert_fails_where_wrong(failed, ["right", "wrong"] if "bool" in kind else FAILING)


@needs_catch2
def test_a_catch2_file_fails_where_the_function_is_wrong(tmp_path):
    file, options = cpp_test(tmp_path, "cpp", "catch2")
    program = tmp_path / "program"
    built("c++", "-std=c++17", "-Wall", file, *options, CATCH2_MAIN, "-o", program)

    def failed(answer: str) -> set[str]:
        run(program, "-r", "junit", "-o", tmp_path / "report.xml", answer=answer)
        return in_junit(tmp_path / "report.xml")

    assert_fails_where_wrong(failed)


def cpp_test(folder: Path, kind: str, framework: str) -> tuple[Path, list[object]]:
    """Write the function and its tests, and return their file, and what it takes to compile and link them."""
    code = IN_C.replace("RESULT", "bool" if "bool" in kind else "int")
    if kind == "cpp":
        source = folder / "own $number é" / "mine.cpp"
        source.parent.mkdir()
        includes = "".join(re.findall("#include.*\n", code))
        source.write_text(f"{includes}namespace own {{ {code} }}\n", encoding="utf-8")
        return saved(TargetSpec(f"{source}:own::hit", PAIR), framework, folder / "out"), []
    source = folder / "mine.c"
    source.write_text("#include <stdbool.h>\n" + code + AS_LIBRARY * (kind == "library"), encoding="utf-8")
    if kind == "library":
        library = folder / "libmine.so"
        built("cc", "-DHITSCOPE_REAL=double", "-shared", "-fPIC", source, "-lm", "-o", library)
        file = saved(TargetSpec(f"{library}:hits", PAIR), framework, folder / "out")
        return file, [library, f"-Wl,-rpath,{folder}"]
    built("cc", "-DHITSCOPE_REAL=float", "-c", source, "-o", folder / "mine.o")
    return saved(TargetSpec(f"{source}:hit", PAIR, "float32"), framework, folder / "out"), [folder / "mine.o"]


@needs_rust
@pytest.mark.parametrize("kind", ["libmine.so", "mine.so", "filled in"])
def test_a_rust_file_fails_where_the_function_is_wrong(tmp_path, kind):
    options: list[object] = []
    if kind == "filled in":
        file = saved(TargetSpec("exec:./mine", PAIR, "float32"), "rust", tmp_path / "out")
        fill_in(file, r"    let _ = .*\n    panic!.*\n", IN_RUST)
    else:
        (tmp_path / "mine.c").write_text(IN_C.replace("RESULT", "int") + AS_LIBRARY, encoding="utf-8")
        library = tmp_path / kind
        built("cc", "-DHITSCOPE_REAL=double", "-shared", "-fPIC", tmp_path / "mine.c", "-lm", "-o", library)
        file = saved(TargetSpec(f"{library}:hits", PAIR), "rust", tmp_path / "out")
        options = ["-L", tmp_path, "-C", f"link-arg=-Wl,-rpath,{tmp_path}"]
    program = tmp_path / "program"
    built("rustc", "--edition=2021", "--test", file, *options, "-o", program)

    def failed(answer: str) -> set[str]:
        done = run(program, answer=answer)
        assert f"running {len(ALL)} tests" in done.stdout
        return set(re.findall(r"test (\w+) \.\.\. FAILED", done.stdout))

    assert_fails_where_wrong(failed)


@needs_nunit
def test_an_nunit_file_fails_where_the_function_is_wrong(tmp_path):
    file = saved(TargetSpec("exec:./mine", PAIR, "float32"), "nunit", tmp_path / "out")

    def failed(answer: str) -> set[str]:
        report = tmp_path / "report.xml"
        run("nunit-console", "-nologo", f"-xml:{report}", tmp_path / "tests.dll", answer=answer, cwd=tmp_path)
        cases = list(ElementTree.parse(report).iter("test-case"))
        report.unlink()
        assert len(cases) == len(ALL)
        return {case.attrib["name"].split(".")[-1] for case in cases if case.attrib["success"] == "False"}

    def build() -> None:
        built("mcs", "-target:library", f"-r:{NUNIT[-1]}", f"-out:{tmp_path / 'tests.dll'}", file)

    build()
    assert failed("right") == ALL
    fill_in(file, r"        throw new .*\n", IN_CSHARP.replace("REAL", "float"))
    build()
    assert_fails_where_wrong(failed)


@needs_vitest
def test_a_vitest_file_fails_where_the_function_is_wrong(tmp_path):
    (tmp_path / "node_modules").symlink_to(Path(which("vitest") or "").resolve().parents[1])
    file = saved(TargetSpec("exec:./mine", PAIR), "vitest", tmp_path / "out")

    def failed(answer: str) -> set[str]:
        report = tmp_path / "report.xml"
        run("vitest", "run", "--reporter=junit", f"--outputFile={report}", answer=answer, cwd=tmp_path)
        return in_junit(report)

    assert failed("right") == ALL
    fill_in(file, r"  throw new .*\n", IN_JAVASCRIPT)
    assert_fails_where_wrong(failed)


def fill_in(file: Path, place: str, code: str) -> None:
    text = file.read_text(encoding="utf-8")
    filled, count = re.subn(place, code.replace("\\", r"\\"), text)
    assert count == 1
    file.write_text(filled, encoding="utf-8")


@pytest.mark.parametrize(
    ("framework", "words"),
    [
        ("pytest", "raise NotImplementedError"),
        ("gtest", "throw std::logic_error"),
        ("catch2", "throw std::logic_error"),
        ("rust", "panic!"),
        ("nunit", "throw new NotImplementedException"),
        ("vitest", "throw new Error"),
    ],
)
def test_a_target_that_a_framework_cannot_call_is_a_function_to_fill_in(tmp_path, framework, words):
    text = saved(TargetSpec("exec:./mine --fast", PAIR), framework, tmp_path).read_text(encoding="utf-8")
    head = text.partition(framework_tests.MARK)[0]
    assert f'{words}("fill in `' in head and "./mine --fast" in head


def test_a_method_of_the_catalogue_in_float32_is_not_tested_in_float64(tmp_path):
    file = saved(TargetSpec("slab_ericson", PAIR, "float32"), "pytest", tmp_path)
    assert "NotImplementedError" in file.read_text(encoding="utf-8")


def test_a_later_run_keeps_what_the_user_filled_in(tmp_path):
    target = TargetSpec("exec:./mine", PAIR)
    file = saved(target, "vitest", tmp_path)
    fill_in(file, r"  throw new .*\n", "  return own(probe, primitive);\n")
    first = file.read_text(encoding="utf-8")
    framework = framework_of("vitest", PAIR)
    fewer = [finding(target, WRONG_HIT, [*BESIDE, *BOX])]
    assert save_tests(fewer, framework, tmp_path, target, DEFAULT_RULES) == file
    second = file.read_text(encoding="utf-8")
    assert second.partition(framework_tests.MARK)[0] == first.partition(framework_tests.MARK)[0]
    assert (first.count("\ntest("), second.count("\ntest(")) == (3, 1)
    assert save_tests([], framework, tmp_path, target, DEFAULT_RULES) is None
    assert file.read_text(encoding="utf-8") == second


def test_without_a_finding_an_own_earlier_file_is_removed_and_no_other(tmp_path):
    target = TargetSpec("exec:./mine", PAIR)
    framework = framework_of("rust", PAIR)
    other = tmp_path / "mine_segment_aabb_test.rs"
    other.write_text("// My own tests.\n", encoding="utf-8")
    file = saved(target, "rust", tmp_path)
    assert file.name == "mine_segment_aabb_test_2.rs"
    assert saved(target, "rust", tmp_path) == file
    single = saved(target._replace(real="float32"), "rust", tmp_path)
    assert save_tests([], framework, tmp_path, target, DEFAULT_RULES) is None
    assert {path.name for path in tmp_path.iterdir()} == {other.name, single.name}
    assert other.read_text(encoding="utf-8") == "// My own tests.\n"


def test_the_frameworks_of_a_language_keep_files_of_their_own(tmp_path):
    target = TargetSpec("exec:./mine", PAIR)
    files = [saved(target, framework, tmp_path) for framework in ("gtest", "catch2")]
    assert len({*files}) == 2
    assert [saved(target, framework, tmp_path) for framework in ("gtest", "catch2")] == files


def test_a_path_that_is_no_text_is_called_and_known_again(tmp_path):
    folder = tmp_path / "\udcff"
    folder.mkdir()
    (folder / "mine.py").write_text("def hit(segment, box):\n    return True, 0.25\n", encoding="utf-8")
    (folder / "mine.cpp").write_text("", encoding="utf-8")
    file = saved(TargetSpec(f"{folder / 'mine.py'}:hit", PAIR), "pytest", tmp_path)
    assert "1 failed, 2 passed" in run(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", file).stdout
    file = saved(TargetSpec(f"{folder / 'mine.cpp'}:hit", PAIR), "gtest", tmp_path)
    assert b'#include "\xff/mine.cpp"' in file.read_bytes()
    assert saved(TargetSpec(f"{folder / 'mine.cpp'}:hit", PAIR), "gtest", tmp_path) == file


def test_the_expected_answer_follows_the_rules(tmp_path):
    target = TargetSpec("exec:./mine", PAIR)
    touching = finding(target, CRASH, [0, 1, 0, 4, 1, 0, *BOX])
    expected = {"closed": "toBe(1)", "open": "toBe(0)", "either": "[0, 1]).toContain(hit)"}
    for boundary, check in expected.items():
        path = save_tests([touching], framework_of("vitest", PAIR), tmp_path, target, Rules(boundary))
        assert check in path.read_text(encoding="utf-8")
    tolerant = saved(target, "vitest", tmp_path, Rules("closed", 0.0, 8.0, 0.5)).read_text(encoding="utf-8")
    assert "toBeGreaterThanOrEqual(0.125)" in tolerant and "toBeLessThanOrEqual(0.375)" in tolerant


def test_a_t_beyond_the_largest_number_may_be_infinite(tmp_path):
    target = TargetSpec("exec:./mine", "ray_aabb", "float32")
    far = finding(target, WRONG_T, [0, 0, 0, 1e-20, 0, 0, 1e30, 0, 0, 2e30, 1, 1])
    path = save_tests([far], framework_of("vitest", "ray_aabb"), tmp_path, target, DEFAULT_RULES)
    text = path.read_text(encoding="utf-8")
    assert "toBeLessThanOrEqual(Infinity)" in text and "toBeGreaterThanOrEqual(3.40282" in text


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_the_failure_of_a_test_says_by_how_many_ulps(name):
    found = [finding(TargetSpec("mine.c:hit", PAIR), WRONG_MISS, [*THROUGH, *BOX])]
    text = framework_tests.tests(found, FRAMEWORKS[name], DEFAULT_RULES)
    code = [line for line in text.splitlines() if not line.strip().startswith(FRAMEWORKS[name].comment)]
    assert '"judged: expected a hit, found a miss (1 units, 1 ulps deep)"' in "".join(code)


def test_a_wrong_normal_is_a_test_of_pytest_alone(tmp_path):
    (tmp_path / "mine.py").write_text("def hit(segment, box):\n    return True, 0.25, NORMAL\n", encoding="utf-8")
    target = TargetSpec(f"{tmp_path / 'mine.py'}:hit", PAIR)
    found = [finding(target, WRONG_NORMAL, [*THROUGH, *BOX])]
    assert save_tests(found, framework_of("gtest", PAIR), tmp_path, target, DEFAULT_RULES) is None
    file = save_tests(found, framework_of("pytest", PAIR), tmp_path, target, DEFAULT_RULES)
    for normal, status in (("(-1, 0, 0)", 0), ("(1, 0, 0)", 1)):
        (tmp_path / "mine.py").write_text(
            f"def hit(segment, box):\n    return True, 0.25, {normal}\n", encoding="utf-8"
        )
        assert run(sys.executable, "-B", "-m", "pytest", "-p", "no:cacheprovider", file).returncode == status


def test_a_polyhedron_is_a_shape_of_pytest_and_of_no_other(hitscope, tmp_path):
    code = "def hit(point, body):\n    return False\n"
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    few = ("--cases", "3", "--generator", "uniform", "--generator", "vertices")
    command = ("judge", "mine.py:hit", "--pair", "point_polyhedron", *few, "-o", "out", "--as")
    refused = hitscope(*command, "rust", cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (2, "") and "polyhedron" in refused.stderr
    assert hitscope(*command, "pytest", cwd=tmp_path).returncode == 1
    (file,) = (tmp_path / "out").glob("*.py")
    done = run(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", file)
    assert " failed" in done.stdout and "error" not in done.stdout and " passed" not in done.stdout


STRICT = "def f(point, box):\n    return all(a < x < b for a, x, b in zip(box.lo, point.position, box.hi))\n"


def test_judge_writes_tests_that_fail_until_the_function_is_right(hitscope, tmp_path):
    few = ("--cases", "6", "--generator", "faces", "--generator", "integer_grid")
    command = ("judge", "mine.py:f", "--pair", "point_aabb", *few)
    (tmp_path / "mine.py").write_text(STRICT, encoding="utf-8")
    printed = hitscope(*command, "--as", "pytest", cwd=tmp_path)
    assert (printed.returncode, printed.stderr) == (1, "")
    (tmp_path / "test_printed.py").write_text(printed.stdout, encoding="utf-8")
    judged = hitscope(*command, "--as", "pytest", "-o", "out", cwd=tmp_path)
    assert judged.returncode == 1 and "tests: out" in judged.stderr
    files = [tmp_path / "test_printed.py", tmp_path / "out" / "test_f_point_aabb.py"]
    scenes = list((tmp_path / "out").glob("*.scene.json"))
    done = run(sys.executable, "-B", "-m", "pytest", "-p", "no:cacheprovider", *files)
    assert f"{2 * len(scenes)} failed" in done.stdout and " passed" not in done.stdout
    (tmp_path / "mine.py").write_text(STRICT.replace("<", "<="), encoding="utf-8")
    done = run(sys.executable, "-B", "-m", "pytest", "-p", "no:cacheprovider", *files)
    assert f"{2 * len(scenes)} passed" in done.stdout and " failed" not in done.stdout
    for options in ((), ("-o", "out")):
        fixed = hitscope(*command, "--as", "pytest", *options, cwd=tmp_path)
        assert fixed.returncode == 0 and "there is no finding to write a test of" in fixed.stderr
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (("--as", "junit"), "pytest, gtest, catch2, rust, nunit, vitest"),
        (("--as", "pytest", "--json"), "no --json"),
    ],
)
def test_tests_that_cannot_be_written_are_refused_before_the_work(hitscope, options, found):
    done = hitscope("judge", "exact", "--pair", PAIR, "--cases", "9999999", *options)
    assert (done.returncode, done.stdout) == (2, "") and found in done.stderr


FLOATS_32 = st.floats(width=32, allow_nan=False, allow_infinity=False).map(np.float32)
FLOATS_64 = st.floats(allow_nan=False, allow_infinity=False).map(np.float64)


@given(FLOATS_32 | FLOATS_64)
def test_the_text_of_a_number_reads_back_to_the_same_bits(number):
    real = type(number)
    bits = number.tobytes()
    assert real(float.fromhex(hexadecimal(number))).tobytes() == bits
    assert real(shortest(number)).tobytes() == bits
    assert real(float(shortest(number))).tobytes() == bits
    assert np.float64(in_double(number)).tobytes() == np.float64(number).tobytes()


EDGES = {
    "float32": [0.0, -0.0, 0.1, -1.0, 1e-45, -1e-45, 1.1754942e-38, 1.17549435e-38, 3.4028235e38, -3.4028235e38,
                16777217.0, 8388608.5, 7.0385307e-26, 1e16, 1e17, 1.0000001],
    "float64": [0.0, -0.0, 0.1, -1.0, 5e-324, -5e-324, 2.2250738585072009e-308, 2.2250738585072014e-308,
                1.7976931348623157e308, -1.7976931348623157e308, 9007199254740993.0, 1e16, 1e22, 1e23,
                1.0000000000000002],
}  # fmt: skip
PRINTING = {
    "gtest": (
        "#include <cstdio>\n#include <cstring>\nint main() { const float a[] = {$float32}; const double b[] = "
        "{$float64};\nfor (float x : a) { unsigned u; memcpy(&u, &x, 4); printf(\"%x\\n\", u); }\n"
        "for (double x : b) { unsigned long long u; memcpy(&u, &x, 8); printf(\"%llx\\n\", u); } }",
        "numbers.cpp", [["c++", "-std=c++17", "numbers.cpp", "-o", "numbers"], ["./numbers"]],
    ),
    "rust": (
        "fn main() { for x in [$float32] { let x: f32 = x; println!(\"{:x}\", x.to_bits()); }\n"
        "for x in [$float64] { let x: f64 = x; println!(\"{:x}\", x.to_bits()); } }",
        "numbers.rs", [["rustc", "numbers.rs"], ["./numbers"]],
    ),
    "nunit": (
        "using System; class P { static void Main() {\n"
        "foreach (float x in new float[] {$float32})"
        " Console.WriteLine(BitConverter.ToUInt32(BitConverter.GetBytes(x), 0).ToString(\"x\"));\n"
        "foreach (double x in new double[] {$float64})"
        " Console.WriteLine(BitConverter.DoubleToInt64Bits(x).ToString(\"x\")); } }",
        "numbers.cs", [["mcs", "numbers.cs"], ["mono", "numbers.exe"]],
    ),
    "vitest": (
        "for (const x of [$float32])"
        " console.log(new Uint32Array(new Float32Array([x]).buffer)[0].toString(16));\n"
        "for (const x of [$float64])"
        " console.log(new BigUint64Array(new Float64Array([x]).buffer)[0].toString(16));",
        "numbers.js", [["node", "numbers.js"]],
    ),
}  # fmt: skip
"""For a framework's language, a program that prints the bits of numbers, its file, and what builds and runs it."""


@pytest.mark.parametrize("name", PRINTING)
def test_a_compiler_reads_numbers_back_to_the_same_bits(tmp_path, name):
    code, file, commands = PRINTING[name]
    if missing := [
        command[0] for command in commands if not command[0].startswith("./") and not which(command[0])
    ]:
        pytest.skip(f"there is no {missing[0]}")
    framework, expected = framework_of(name, PAIR), []
    for real, kind in (("float32", np.uint32), ("float64", np.uint64)):
        numbers = np.array(EDGES[real], real)
        texts = [framework.numbers(number) + framework.suffixes[real] for number in numbers]
        code = code.replace(f"${real}", ", ".join(texts))
        expected += [f"{bits:x}" for bits in numbers.view(kind).tolist()]
    (tmp_path / file).write_text(code, encoding="utf-8")
    for command in commands:
        done = run(*command, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert done.stdout.split() == expected

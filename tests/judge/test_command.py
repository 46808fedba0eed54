"""`hitscope judge` as users meet it: what it prints, writes and exits with."""

import json
import os
import re
import shlex
import subprocess
import sys

import pytest

from hitscope.cli import main

MINE = """
import math
from neighbour import strict

def right(probe, primitive):
    print("a user's own print")
    return all(a <= p <= b for a, p, b in zip(primitive.lo, probe.position, primitive.hi)), None

def raising(probe, primitive):
    return math.sqrt(-1)
"""
NEIGHBOUR = """
def strict(probe, primitive):
    return all(a < p < b for a, p, b in zip(primitive.lo, probe.position, primitive.hi))
"""


@pytest.fixture
def here(tmp_path):
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    (tmp_path / "neighbour.py").write_text(NEIGHBOUR, encoding="utf-8")
    return tmp_path


@pytest.fixture
def judge(hitscope, here):
    return lambda *arguments, **options: hitscope("judge", *arguments, cwd=here, **options)


@pytest.mark.parametrize("target", ["mine.py:right", "mine:right"])
def test_a_right_function_exits_0(judge, target):
    run = judge(target, "--pair", "point_aabb", "--cases", "20")
    assert run.returncode == 0, run.stderr
    assert "no difference from the exact verdict" in run.stdout
    assert "a user's own print" not in run.stdout


def test_a_wrong_function_exits_1_and_its_scenes_pass(hitscope, judge, here):
    run = judge("mine.py:strict", "--pair", "point_aabb", "--cases", "40", "--json", "-o", "found")
    assert run.returncode == 1 and run.stderr == ""
    document = json.loads(run.stdout)
    assert sum(row["wrong_misses"] for row in document["tallies"]) > 0
    assert {(finding["method"], finding["kind"]) for finding in document["findings"]} == {
        ("mine.py:strict", "wrong_miss")
    }
    files = [finding["file"] for finding in document["findings"]]
    assert files and hitscope("check", *files, cwd=here).returncode == 0


def test_a_raising_function_is_a_crash_with_an_example(judge):
    run = judge("mine.py:raising", "--pair", "point_aabb", "--cases", "3")
    assert run.returncode == 1
    assert "crash: ValueError: math domain error" in run.stdout
    assert "Point(position=(" in run.stdout
    assert "Traceback" not in run.stdout + run.stderr


def test_the_same_seed_gives_the_same_output_and_another_one_another(judge):
    def output(seed):
        few = ("--cases", "20", "--generator", "uniform", "--generator", "extreme")
        return judge("smits", "--pair", "ray_aabb", *few, "--seed", seed, "--json").stdout

    def without_times(text):
        return re.sub(r'"(seconds|ns_per_call)": [^,]*', "", text)

    assert without_times(output("5")) == without_times(output("5")) != without_times(output("500"))


def test_builtin_judges_a_pairs_methods_and_names_the_generators_where_they_err(judge, here):
    run = judge("--builtin", "--pair", "triangle_aabb", "--cases", "20", "--seed", "610", "-o", "found")
    assert run.returncode == 1
    (row,) = [line for line in run.stdout.splitlines() if line.startswith(" sat13_printed")]
    (seed,) = re.findall(r"integer_grid \d+ \((\d+)\)", row)
    # The printed seed alone shows the same.
    again = judge("sat13_printed", "--pair", "triangle_aabb", "--cases", "1", "--seed", seed)
    assert "wrong hit: expected a miss, found a hit" in again.stdout
    names = {path.name for path in (here / "found").iterdir()}
    assert "sat13_printed-triangle_aabb-wrong_hit-integer_grid.scene.json" in names


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "expected TARGET and --pair PAIR, or --builtin"),
        (("sat13",), "expected TARGET and --pair PAIR, or --builtin"),
        (("sat13", "--builtin"), "expected TARGET and --pair PAIR, or --builtin"),
        (("--builtin", "--pair", "aabb_capsule"), "expected TARGET: aabb_capsule has no method but exact"),
        (("sat31", "--pair", "triangle_aabb"), 'did you mean "sat13"?'),
        (("sat13", "--pair", "triangle_aab"), 'did you mean "triangle_aabb"?'),
        (("mine.py:right", "--pair", "point_box"), "expected a pair PROBE_PRIMITIVE"),
        (("slab_ericson,eps=0", "--pair", "ray_aabb"), 'did you mean "epsilon"?'),
        (("mine.py:rihgt", "--pair", "point_aabb"), 'did you mean "right"?'),
        (("absent.py:f", "--pair", "point_aabb"), "absent.py: expected a file, found none"),
        (("broken.py:f", "--pair", "point_aabb"), "broken.py:f: expected a module that can be imported"),
        (("absent:f", "--pair", "point_aabb"), "absent:f: expected a module that can be imported"),
        (("sat13", "--pair", "triangle_aabb", "--cases", "0"), "expected a positive integer"),
        (("sat13", "--pair", "triangle_aabb", "--generator", "gird"), "a generator (uniform, "),
        (("sat13", "--pair", "triangle_aabb", "--slack", "-1"), "expected a number, at least 0"),
        (("sat13", "--pair", "triangle_aabb", "--t-tolerance", "1,x"), "expected a number, at least 0"),
        (("sat13", "--pair", "triangle_aabb", "--timeout", "0"), "expected a number above 0"),
        (("sat13", "--pair", "triangle_aabb", "-j", "0"), "expected a positive integer"),
        (("smits", "--pair", "ray_aabb", "--cases", "9", "-o", "mine.py"), "mine.py: expected a folder"),
    ],
)
def test_bad_usage_exits_2_with_one_line_and_no_traceback(here, arguments, message, monkeypatch, capfd):
    (here / "broken.py").write_text("def f(:\n", encoding="utf-8")
    monkeypatch.chdir(here)
    assert main(["judge", *arguments]) == 2
    printed, errors = capfd.readouterr()
    assert message in errors.splitlines()[-1]
    assert "Traceback" not in errors
    assert printed == ""


def test_a_scheduler_that_does_not_answer_is_said_in_one_line(judge):
    patience = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "100ms"}
    run = judge("smits", "--pair", "ray_aabb", "--dask", "127.0.0.1:1", env=os.environ | patience)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("--dask 127.0.0.1:1: expected a Dask scheduler, found ")
    assert run.stderr.count("\n") == 1


def test_judge_imports_no_window_and_no_compiler(here, bare_environment):
    code = (
        "import sys; from hitscope.cli import main; main(sys.argv[1:]);"
        "names = {name.split('.')[0] for name in sys.modules};"
        "print(sorted(names & {'OpenGL', 'imgui_bundle', 'moderngl', 'numba', 'pyglet', 'pyrr'}), file=sys.stderr)"
    )
    arguments = ["judge", "smits", "--pair", "ray_aabb", "--cases", "2"]
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=here,
        env=bare_environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stderr.strip() == "[]"


POINT_IN_C = """
// hitscope: flags=-DEDGE='<' boundary=closed
int hit(const double *p, const double *b, double *t) {
    for (int i = 0; i < 3; i++) if (!(b[i] EDGE p[i] && p[i] EDGE b[3 + i])) return 0;
    return 1;
}
"""


@pytest.mark.parametrize("named", ["carried", "given", "by a name"])
def test_the_commands_after_a_finding_can_be_pasted(hitscope, tmp_path, named):
    (tmp_path / "my code").mkdir()
    code = POINT_IN_C if named == "carried" else POINT_IN_C.replace("hitscope:", "")
    (tmp_path / "my code" / "mine.c").write_text(code)
    table = '[targets.mine]\nfile = "my code/mine.c:hit"\nflags = "-DEDGE=\'<\'"\n'
    flags: tuple[str, ...] = ()
    target, method = "my code/mine.c:hit", "'point_aabb=my code/mine.c:hit'"
    if named == "given":
        flags = ("--flags", "-DEDGE='<'")
        method += " '--flags=-DEDGE='\"'\"'<'\"'\"''"
    elif named == "by a name":
        (tmp_path / "hitscope.toml").write_text(table)
        target, method = "mine", "point_aabb=mine"
    few = ("--cases", "40", "--generator", "integer_grid", "-o", "found")
    done = hitscope("judge", target, "--pair", "point_aabb", *flags, *few, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    opening, check = [line.strip() for line in done.stdout.splitlines() if line.startswith("    hitscope ")]
    assert opening.startswith("hitscope open found/") and opening.endswith(f" --method {method}")
    assert check == f"hitscope check found --method {method}"
    checked = hitscope(*shlex.split(check)[1:], cwd=tmp_path)
    assert checked.returncode == 1 and "expected aabb-0 to be hit by point-0" in checked.stdout, checked.stderr

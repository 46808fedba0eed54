"""The command `hitscope collect`: from a program that is not ours to a failing test."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from hitscope.cli import main
from hitscope.collect import exporters
from hitscope.scene import load
from tests.collect.logged import call

CASTER = Path(__file__).with_name("caster.c")
"""A program by somebody else."""
INCLUDE = '#include "hitscope_capture.h"\n'
CALL = (
    "HITSCOPE(ray_aabb, HITSCOPE_XYZ(r->org), HITSCOPE_XYZ(r->dir), "
    "HITSCOPE_012(b->min), HITSCOPE_012(b->max), hit, *dist);\n"
)
TARGET = """
#define main main_of_caster
#include "caster.c"
int test(const float *ray, const float *box, float *t)
{
    ray_t r = {{ray[0], ray[1], ray[2]}, {ray[3], ray[4], ray[5]}};
    box_t b = {{box[0], box[1], box[2]}, {box[3], box[4], box[5]}};
    return intersect(&r, &b, t);
}
"""
FAULT, REPAIR = (
    "for (i = 0; i < 3; i++) {\n",
    "for (i = 0; i < 3; i++) {\n        if (inside(o, d, b, i)) continue;\n",
)
INSIDE = """
static int inside(const float *o, const float *d, const box_t *b, int i)
{
    return d[i] == 0 && o[i] >= b->min[i] && o[i] <= b->max[i];
}
"""


@pytest.fixture(scope="module")
def caster(tmp_path_factory):
    """A folder with the program, its log and its source, two lines longer; and what it printed before."""
    folder = tmp_path_factory.mktemp("caster")
    shutil.copy(CASTER, folder)
    shutil.copy(Path(exporters.__file__).with_name("hitscope_capture.h"), folder)
    before = built(folder, "no.log")
    source = CASTER.read_text()
    assert source.count("    return hit;\n") == 1
    (folder / "caster.c").write_text(INCLUDE + source.replace("    return hit;\n", f"    {CALL}    return hit;\n"))
    assert built(folder, "calls.log") == before and not (folder / "no.log").exists()
    (folder / "target.c").write_text(TARGET)
    return folder


def built(folder, log):
    """Build the program as it is, run it with a log, and return what it prints."""
    subprocess.run(["cc", "-DHITSCOPE_CAPTURE", "caster.c", "-o", "caster"], cwd=folder, check=True)
    environment = {**os.environ, "HITSCOPE_LOG": log}
    return subprocess.run(["./caster"], cwd=folder, env=environment, check=True, capture_output=True).stdout


class Done(NamedTuple):
    """What a command did."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(monkeypatch, capsys):
    """A function that runs hitscope in a folder, in this process: starting one takes longest."""

    def run(folder, *words):
        monkeypatch.chdir(folder)
        monkeypatch.setenv("HITSCOPE_CACHE_DIR", str(folder / "cache"))
        return Done(main(words), *capsys.readouterr())

    return run


def test_a_fault_in_a_program_becomes_a_failing_test_until_it_is_repaired(caster, run):
    done = run(caster, "collect", "calls.log", "-o", "scenes")
    assert (done.returncode, done.stderr) == (1, "")
    assert "calls.log: 459 calls\n" in done.stdout
    (scene,) = (caster / "scenes").iterdir()
    opening, check = [line.split() for line in done.stdout.splitlines() if line.startswith("    hitscope ")]
    assert opening == ["hitscope", "open", f"scenes/{scene.name}"]
    assert check == ["hitscope", "check", "scenes", "--method", "ray_aabb=TARGET"]
    (truth,) = load(scene).expect
    assert truth.hit is False and load(scene).judged.float == "f32"
    check = [word.replace("TARGET", "target.c:test") for word in check[1:]]
    done = run(caster, *check)
    assert done.returncode == 1 and scene.name in done.stdout
    faulty = (caster / "caster.c").read_text()
    try:
        repaired = faulty.replace(FAULT, REPAIR).replace("static int intersect", INSIDE + "static int intersect")
        (caster / "caster.c").write_text(repaired)
        assert run(caster, *check).returncode == 0
    finally:
        (caster / "caster.c").write_text(faulty)


def test_calls_are_shrunk_with_the_code_that_was_called(caster, run):
    done = run(
        caster,
        "collect",
        "calls.log",
        "--shrink",
        "ray_aabb=target.c:test",
        "--json",
        "--boundary",
        "either",
        "--slack",
        "1",
    )
    assert (done.returncode, done.stderr) == (1, "")
    document = json.loads(done.stdout)
    assert document["rules"] == {"boundary": "either", "slack": 1, "t_tolerance": [8, 0], "require": []}
    assert document["logs"] == [
        {"file": "calls.log", "calls": 459, "cut_off": False, "skipped_bytes": 0, "full": False}
    ]
    (tally,) = document["tallies"]
    (finding,) = document["findings"]
    assert (tally["calls"], tally["wrong_hits"], tally["wrong_misses"]) == (459, finding["count"], 0)
    assert (finding["kind"], finding["file"]) == ("wrong_hit", None)
    numbers = [*finding["scene"]["probes"][0].values(), *finding["scene"]["primitives"][0].values()]
    assert {abs(number) for row in numbers if isinstance(row, list) for number in row} <= {0, 1, 2}
    assert "shrunk from call" in finding["scene"]["description"]


def test_calls_are_judged_by_the_conventions_that_the_code_carries(caster, run):
    table = '[targets.caster]\nfile = "target.c:test"\nboundary = "either"\nslack = 1\n'
    (caster / "hitscope.toml").write_text(table)
    try:
        done = run(caster, "collect", "calls.log", "--shrink", "ray_aabb=caster", "--json")
    finally:
        (caster / "hitscope.toml").unlink()
    assert (done.returncode, done.stderr) == (1, "hitscope.toml: caster is target.c:test\n")
    assert json.loads(done.stdout)["rules"]["boundary"] == "either"


def test_the_commands_name_the_code_that_shrank_the_calls(caster, run, tmp_path):
    done = run(caster, "collect", "calls.log", "--shrink", "ray_aabb=target.c:test", "-o", str(tmp_path))
    assert f"    hitscope check {tmp_path} --method ray_aabb=target.c:test\n" in done.stdout


def test_a_call_that_the_code_answers_rightly_is_not_shrunk(caster, run):
    done = run(caster, "collect", "calls.log", "--shrink", "ray_aabb=exact", "--float", "f64")
    assert done.returncode == 1
    assert done.stderr.startswith("exact has no wrong hit on call ") and done.stderr.endswith("not shrunk\n")
    assert "shrunk" not in done.stdout and done.stdout.count("of calls.log") == 1


def test_logs_of_right_calls_pass_and_what_is_not_judged_is_told(run, tmp_path):
    right = call("point_plane", 0, 0, 1, 0, 0, 1, 1, 1)
    infinite = call("point_plane", float("inf"), 0, 1, 0, 0, 1, 1, 1)
    (tmp_path / "a.log").write_bytes(right * 2 + infinite + right[:-1])
    (tmp_path / "b.log").write_bytes(right + b"??")
    done = run(tmp_path, "collect", "a.log", "b.log", "-o", "scenes")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:2] == [
        "a.log: 3 calls, the last one is cut off and left out",
        "b.log: 1 call, 2 bytes that are no call are left out",
    ]
    assert lines[-2:] == [
        "not judged: 1 call of point_plane in f64 with numbers that are not finite",
        "no difference from the exact verdict",
    ]


def test_calls_that_cannot_be_understood_end_in_status_2_and_the_others_are_judged(run, tmp_path):
    right = call("point_plane", 0, 0, 1, 0, 0, 1, 1, 0)
    (tmp_path / "a.log").write_bytes(right + call("point_plain", 1, 2))
    done = run(tmp_path, "collect", "a.log", "-o", "scenes")
    assert done.returncode == 2 and len(list((tmp_path / "scenes").iterdir())) == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("a.log: call 2: expected a pair (") and 'found "point_plain"' in done.stderr


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ((), "expected LOG, or --new LANG"),
        (("a.txt", "--new", "c"), "expected LOG, or --new LANG"),
        (("a.txt",), "a.txt: expected a log of calls, found other bytes"),
        (
            ("b.log", "--shrink", "point_plan=exact"),
            'expected --shrink PAIR=TARGET with a logged pair (point_plane), found "point_plan" '
            '(did you mean "point_plane"?)',
        ),
        (("none.log",), "none.log: expected a log of calls, found: No such file or directory"),
    ],
)
def test_what_is_no_log_is_one_line_and_status_2(words, error, run, tmp_path):
    (tmp_path / "a.txt").write_text("hello")
    (tmp_path / "b.log").write_bytes(call("point_plane", 0, 0, 1, 0, 0, 1, 1, 0))
    done = run(tmp_path, "collect", *words)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{error}\n")


def test_no_window_and_no_gl_is_imported(tmp_path, bare_environment):
    (tmp_path / "a.log").write_bytes(call("point_plane", 0, 0, 1, 0, 0, 1, 1, 0))
    code = (
        "import sys; from hitscope.cli import main; status = main(['collect', 'a.log']); "
        "sys.exit(status if not {'moderngl', 'pyglet', 'imgui_bundle', 'numba'} & {*sys.modules} else 9)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=bare_environment, check=False, capture_output=True
    )
    assert done.returncode == 1, done.stderr

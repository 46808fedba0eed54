"""The commands that a failing check names: they explain its pairs when a shell runs them."""

import json
import os
import shlex
import subprocess
import sys

import pytest

CODE = "def strict(point, box): return all(a < x < b for a, x, b in zip(box.lo, point.position, box.hi))\n"
BOX = {"type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]}
POINT = {"type": "point", "position": [1, 0.5, 0.5]}


@pytest.fixture
def check(hitscope, tmp_path):
    """A function that checks a scene of a point on a box, and returns the commands that it names."""
    (tmp_path / "mine.py").write_text(CODE, encoding="utf-8")

    def check(*options, name="a b.scene.json", box="box 1", point="-p", **expected):
        document = {
            "version": 1,
            "primitives": [{**BOX, "id": box}],
            "probes": [{**POINT, "id": point}],
            "expect": [{"probe": point, "primitive": box, "hit": False, "distance": 7, **expected}] * 2,
        }
        (tmp_path / name).write_text(json.dumps(document), encoding="utf-8")
        run = hitscope("check", name, *options, cwd=tmp_path)
        assert (run.returncode, run.stderr) == (1, "")
        return [line.strip() for line in run.stdout.splitlines() if "hitscope explain" in line]

    return check


def explained(command, folder):
    """Run a command as a shell would, and return what it explains."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    words = shlex.split(command)
    assert words[0] == "hitscope"
    run = subprocess.run(
        [sys.executable, "-m", *words, "--json"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    return json.loads(run.stdout)


def test_a_failing_pair_is_named_once_with_a_command_that_explains_it(check, tmp_path):
    (command,) = check()
    assert command == "hitscope explain 'a b.scene.json' --probe=-p --primitive 'box 1'"
    assert explained(command, tmp_path)["method"] == "exact"


def test_the_command_names_the_method_that_fails(check, tmp_path):
    (command,) = check(method={"name": "sd_box"})
    found = explained(command, tmp_path)
    assert (found["method"], found["hit"]) == ("sd_box", True)
    (command,) = check("--method", "point_aabb=mine.py:strict", hit=True)
    assert command.endswith(" --method mine.py:strict")
    found = explained(command, tmp_path)
    assert (found["method"], found["hit"], found["truth"], found["cause"]) == (
        "mine.py:strict",
        False,
        True,
        "logic",
    )


def test_code_that_cannot_be_stepped_through_has_no_command(check, tmp_path):
    (tmp_path / "mine.c").write_text(
        "int miss(const double *p, const double *b, double *t) { return 0; }", encoding="utf-8"
    )
    assert check("--method", "point_aabb=mine.c:miss", hit=True) == []


def test_a_command_that_cannot_be_shown_as_it_is_is_left_out(check):
    assert check(box="x" * 2000) == []
    assert check(point="a\x1b31m") == []

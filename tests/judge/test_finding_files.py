"""The files of `judge -o`: named shortly and stably, replaced by the next run, and nobody else's files touched."""

import json
import subprocess
import sys

import pytest

from hitscope.judge.finding_scenes import save_findings
from hitscope.judge.findings import examples
from hitscope.scene import load
from hitscope.targets.judging.rules import Rules
from hitscope.targets.target import TargetSpec
from tests.judge.campaigns import judge

STRICT = "def f(point, box):\n    return all(a < x < b for a, x, b in zip(box.lo, point.position, box.hi))\n"
RIGHT = STRICT.replace("<", "<=")
PAIR = "point_aabb"


def save(spec, folder, seeds=6):
    """Judge a target, and return the names of the files that its findings are saved in."""
    findings = examples(judge([spec], range(seeds)), one_each=False)
    return {path.name for path in save_findings(findings, folder, [spec], Rules()).values()}


def names(folder):
    return {path.name for path in folder.iterdir()}


def checksums(folder):
    return {name.split("-")[1] for name in names(folder)}


def function(file, text=STRICT):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return TargetSpec(f"{file}:f", PAIR)


@pytest.mark.parametrize(
    "place", ["x" * 150 + "/" + "y" * 150, "a b", "é/日本", "-", "a/../a/b", "[x]*?"], ids=range(6)
)
def test_the_path_of_a_target_is_not_in_the_names_of_its_findings(tmp_path, place):
    found = save(function(tmp_path / place / "mine.py"), tmp_path / "out")
    assert found == names(tmp_path / "out") != set()
    assert all(name.startswith("f-") and name.isascii() and len(name) < 70 for name in found)
    assert len({name.split("-")[1] for name in found}) == 1


def test_a_long_name_of_a_function_is_cut(tmp_path):
    (tmp_path / "mine.py").write_text(STRICT.replace("def f", f"def {'f' * 300}"), encoding="utf-8")
    spec = TargetSpec(f"{tmp_path / 'mine.py'}:{'f' * 300}", PAIR)
    assert all(len(name) < 110 for name in save(spec, tmp_path / "out"))


def test_functions_of_the_same_name_in_different_files_keep_their_findings(tmp_path):
    first = save(function(tmp_path / "a" / "mine.py"), tmp_path / "out")
    second = save(function(tmp_path / "b" / "mine.py"), tmp_path / "out")
    assert not first & second
    assert names(tmp_path / "out") == first | second


def test_a_function_has_the_same_files_under_every_spelling_and_place(hitscope, tmp_path, monkeypatch):
    save(function(tmp_path / "a" / "mine.py"), tmp_path / "a" / "out")
    save(function(tmp_path / "moved" / "mine.py"), tmp_path / "moved" / "out")
    assert names(tmp_path / "a" / "out") == names(tmp_path / "moved" / "out")
    monkeypatch.chdir(tmp_path / "a")
    for text in ("mine.py:f", "../a/./mine.py:f", "mine:f"):
        few = ("--cases", "6", "--generator", "integer_grid", "-o", "new")
        assert hitscope("judge", text, "--pair", PAIR, *few).returncode == 1
        assert checksums(tmp_path / "a" / "new") == checksums(tmp_path / "a" / "out")


def test_methods_that_differ_in_a_digit_of_an_argument_keep_their_findings(tmp_path):
    found = [
        save(TargetSpec(f"slab_ericson,epsilon={epsilon}", "segment_aabb"), tmp_path, 30)
        for epsilon in (0.5, 0.50000001, 5.0)
    ]
    assert found[0] and not found[0] & found[1] and not found[0] & found[2]
    assert names(tmp_path) == set.union(*found)


def test_a_second_run_leaves_exactly_its_own_findings(tmp_path):
    out = tmp_path / "out"
    first = save(function(tmp_path / "mine.py"), out)
    assert len(first) > 1
    crashing = save(function(tmp_path / "mine.py", "def f(point, box):\n    return 'no'\n"), out)
    assert crashing and names(out) == crashing != first
    assert save(function(tmp_path / "mine.py", RIGHT), out) == names(out) == set()


def test_a_second_run_touches_no_file_that_is_not_its_own(tmp_path):
    out = tmp_path / "out"
    target = function(tmp_path / "mine.py")
    (own, *_) = sorted(save(target, out))
    (out / "kept.scene.json").write_bytes((out / own).read_bytes())
    others = {
        own.replace("-point_aabb-", "-point_obb-"): (out / own).read_text(encoding="utf-8"),
        own.replace("wrong", "mine"): "not a scene",
        own.replace("wrong", "empty"): json.dumps({"version": 1, "primitives": [], "probes": []}),
        f"{own}.bak": "a copy",
        "notes.txt": "notes",
    }
    for name, text in others.items():
        (out / name).write_text(text, encoding="utf-8")
    (out / own.replace("wrong", "folder")).mkdir()
    other = save(function(tmp_path / "other.py"), out)
    save(function(tmp_path / "mine.py", RIGHT), out)
    assert names(out) == {*others, *other, "kept.scene.json", own.replace("wrong", "folder")}
    assert all((out / name).read_text(encoding="utf-8") == text for name, text in others.items())


def test_a_finding_does_not_replace_a_file_that_is_none(tmp_path):
    out = tmp_path / "out"
    target = function(tmp_path / "mine.py")
    first = save(target, out)
    edited = out / min(first)
    text = edited.read_text(encoding="utf-8").replace("From `hitscope judge`", "Issue 12, once found")
    edited.write_text(text, encoding="utf-8")
    for _ in range(2):
        assert len(save(target, out)) == len(first)
        assert len(names(out)) == len(first) + 1
        assert edited.read_text(encoding="utf-8") == text
    assert load(out / edited.name.replace(".scene", "-2.scene")).expect


def test_a_target_whose_path_is_no_text_is_judged_and_saved(tmp_path):
    (tmp_path / "mine.py").write_text(STRICT, encoding="utf-8")
    folder = tmp_path / "\udcff\x1b"
    folder.mkdir()
    (folder / "mine.py").write_text(STRICT, encoding="utf-8")
    command = [sys.executable, "-m", "hitscope", "judge", "\udcff\x1b/mine.py:f", "--pair", PAIR, "--cases", "6"]
    run = subprocess.run([*command, "--json", "-o", "out"], cwd=tmp_path, capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (1, b"")
    (method,) = {row["method"] for row in json.loads(run.stdout)["tallies"]}
    assert method == r"\udcff\u001b/mine.py:f"
    assert all(load(tmp_path / "out" / name).name.startswith("f: ") for name in names(tmp_path / "out"))

"""`hitscope review` without a window lists, accepts or rejects what differs."""

import os

import pytest

from hitscope import viewer
from hitscope.cli import main
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.messages import Decided

SCENE = """{"version": 1,
"probes": [{"id": "cut", "type": "segment", "start": [-1, 0.5, 0.5], "end": [3, 0.5, 0.5]}],
"primitives": [{"id": "near", "type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]}],
"expect": [
  {"probe": "cut", "primitive": "near", "hit": HIT, "t_enter": 0.25}
]}
"""
GOOD, WRONG = SCENE.replace("HIT", "true"), SCENE.replace("HIT", "false")


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """A function that runs `hitscope review` on three scenes, of which two differ; status, output, errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    for name, text in {"a": WRONG, "b": GOOD, "c": WRONG}.items():
        (tmp_path / f"{name}.scene.json").write_text(text)

    def run(*options):
        status = main(["review", ".", *options])
        captured = capsys.readouterr()
        return status, captured.out.splitlines(), captured.err.splitlines()

    return run


def test_list_prints_the_lines_of_the_failing_check(run):
    status, printed, errors = run("--list")
    assert (status, errors) == (1, [])
    assert [line.partition(" ")[0] for line in printed[:-1]] == ["a.scene.json:5:", "c.scene.json:5:"]
    assert "expected near to be missed by cut" in printed[0]
    assert printed[-1] == "2 of 3 scenes differ"


def test_accept_updates_all_and_then_nothing_differs(run, tmp_path):
    status, printed, errors = run("--accept")
    assert (status, errors) == (0, [])
    assert printed == [
        "a.scene.json:5: cut-near: hit false -> true",
        "c.scene.json:5: cut-near: hit false -> true",
        "2 values updated in 2 of 2 scenes",
    ]
    assert [(tmp_path / f"{name}.scene.json").read_text() for name in "abc"] == [GOOD] * 3
    for option in (("--list",), ("--accept",), ("--reject",), ()):
        assert run(*option) == (0, ["0 of 3 scenes differ"], [])


def test_reject_leaves_the_files_and_fails(run, tmp_path):
    status, printed, errors = run("--reject")
    assert (status, errors) == (1, [])
    assert [line.split()[:2] for line in printed] == [
        ["rejected", "a.scene.json"],
        ["rejected", "c.scene.json"],
        ["2", "of"],
    ]
    assert (tmp_path / "a.scene.json").read_text() == WRONG


def test_nothing_is_accepted_in_ci(run, tmp_path, monkeypatch):
    monkeypatch.setenv("CI", "true")
    for options in (("--accept",), ()):
        status, printed, (error,) = run(*options)
        assert (status, printed) == (2, []) and "CI" in error
    assert (tmp_path / "a.scene.json").read_text() == WRONG
    assert run("--list")[0] == 1


def test_a_broken_file_is_reported_and_the_others_are_accepted(run, tmp_path):
    (tmp_path / "b.scene.json").write_text(GOOD[:-3])
    status, printed, (error,) = run("--accept")
    assert status == 2 and error.startswith("b.scene.json:6:")
    assert printed[-1] == "2 values updated in 2 of 2 scenes"
    assert run("--list")[:2] == (2, ["0 of 3 scenes differ, 1 broken"])


def test_the_window_has_the_failing_pairs_and_its_decisions_are_printed(run, monkeypatch):
    given = []

    def window(paths, size, review):
        given.append((list(map(str, paths)), [tuple(t.id for t in pair) for pair in review.pairs.values()]))
        review.decided.append(Decided(Document(paths[0]), "rejected"))

    monkeypatch.setattr(viewer, "run", window)
    status, printed, errors = run()
    assert given == [(["a.scene.json", "c.scene.json"], [("cut", "near")] * 2)]
    assert (status, errors) == (1, [])
    assert printed == ["rejected  a.scene.json", "1 rejected, 1 not decided, of 2 scenes that differed"]


def test_without_a_display_one_line_names_the_options_that_need_none(hitscope, tmp_path):
    (tmp_path / "a.scene.json").write_text(WRONG)
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "CI")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    done = hitscope("review", "a.scene.json", cwd=tmp_path, env=environment)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "no display" in done.stderr and "--list, --accept and --reject" in done.stderr


def test_standard_input_is_listed_but_cannot_be_accepted(hitscope, tmp_path):
    environment = {**os.environ, "CI": ""}
    listed = hitscope("review", "-", "--list", stdin=WRONG, env=environment)
    assert (listed.returncode, listed.stdout.splitlines()[-1]) == (1, "1 of 1 scenes differ")
    for options in (["--accept"], []):
        done = hitscope("review", "-", *options, stdin=WRONG, env=environment)
        assert done.returncode == 2 and "found standard input" in done.stderr

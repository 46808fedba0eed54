"""The commands on scenes of many shapes: elements by name, and of much the hits alone, or all as they come."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hitscope.resources import SCENES


def hitscope(*arguments, stdin: str | None = None, cwd: Path | None = None):
    command = [sys.executable, "-m", "hitscope", *map(str, arguments)]
    return subprocess.run(command, input=stdin, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.fixture
def row_of_crates(tmp_path):
    """Give a scene of a file with 20,000 crates and a segment that hits two of them."""
    low = np.zeros((20_000, 3))
    low[:, 0] = 2 * np.arange(20_000)
    np.savez(tmp_path / "crates.npz", min=low, max=low + 1)
    path = tmp_path / "crates.scene.json"
    document = {
        "version": 1,
        "primitives": [{"id": "crates", "type": "aabbs", "file": "crates.npz"}],
        "probes": [{"id": "cut", "type": "segment", "start": [1.5, 0.5, 0.5], "end": [4.5, 0.5, 0.5]}],
        "expect": [{"probe": "cut", "hits": ["crates[1]", "crates[3]"]}],
    }
    path.write_text(json.dumps(document))
    return path


def test_eval_of_much_lists_the_hits_and_says_what_it_leaves_out(row_of_crates):
    run = hitscope("eval", row_of_crates)
    assert (run.returncode, run.stderr) == (0, "")
    assert [line.split()[1] for line in run.stdout.splitlines() if line.split()[:1] == ["cut"]] == [
        *("crates[1]", "crates[2]")
    ]
    assert run.stdout.splitlines()[-1] == (
        "of 20,000 pairs only the hits are listed (--json gives all): "
        "2 of 20,000 primitives are hit, 1 of 1 probes hit any"
    )


def test_eval_json_gives_every_pair_as_it_comes(row_of_crates):
    command = [sys.executable, "-m", "hitscope", "eval", str(row_of_crates), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        # Long before the last of them is decided the first are printed, and nobody must wait for the rest.
        start = run.stdout.read(2000)
        run.stdout.close()
    assert start.startswith(f'{{"scene": {json.dumps(str(row_of_crates))}, "version": 1, "verdicts": [{{"probe"')
    first, _ = json.JSONDecoder().raw_decode(start[start.index("[") + 1 :])
    assert (first["primitive"], first["hit"]) == ("crates[0]", False)
    assert run.returncode == 0


def test_eval_json_of_a_bulk_scene_is_one_document():
    run = hitscope("eval", SCENES / "bulk" / "turned-crates.scene.json", "--json")
    document = json.loads(run.stdout)
    assert len(document["verdicts"]) == 36
    assert [row["primitive"] for row in document["verdicts"] if row["hit"]] == [
        "crates[2]",
        "crates[3]",
        "crates[4]",
    ]


def test_check_of_a_bulk_scene_says_which_elements_differ(row_of_crates):
    run = hitscope("check", row_of_crates)
    assert run.returncode == 1
    assert run.stdout.splitlines()[1:] == [
        "      expected crates[2] NOT to be hit by cut",
        "      expected crates[3] to be hit by cut",
    ]


def test_explain_takes_elements_by_their_names(row_of_crates):
    arguments = ("--probe", "cut", "--method", "slab_halfspaces", "--json")
    run = hitscope("explain", row_of_crates, "--primitive", "crates[2]", *arguments)
    assert json.loads(run.stdout)["hit"] is True
    for name in ("crates", "crates[20000]", "crate[1]"):
        run = hitscope("explain", row_of_crates, "--primitive", name, *arguments)
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr.startswith(f"expected a primitive of {row_of_crates} (crates[0]), found ")


def test_a_file_that_lies_is_refused_without_a_traceback(row_of_crates):
    (row_of_crates.parent / "crates.npz").write_bytes(b"PK")
    run = hitscope("check", row_of_crates)
    assert (run.returncode, run.stdout) == (2, "")
    assert "$.primitives[0].file: expected an .npz file that can be read at " in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_files_of_a_scene_from_standard_input_are_those_of_the_working_folder(row_of_crates):
    text = row_of_crates.read_text()
    run = hitscope("eval", "-", stdin=text, cwd=row_of_crates.parent)
    assert (run.returncode, run.stderr) == (0, "")
    run = hitscope("eval", "-", stdin=text, cwd=row_of_crates.parent.parent)
    assert run.returncode == 2
    assert "-:1:" in run.stderr and "no such file" in run.stderr

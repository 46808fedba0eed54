"""The commands on scenes of many shapes: elements by name, hits alone in the table, every pair in JSON."""

import json
import subprocess
import sys

import numpy as np
import pytest

from hitscope.resources import SCENES


@pytest.fixture
def row_of_crates(tmp_path):
    """A scene of a file with 20,000 crates and a segment that hits two of them."""
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


def test_eval_of_many_pairs_lists_the_hits_and_counts_the_rest(hitscope, row_of_crates):
    run = hitscope("eval", row_of_crates)
    assert (run.returncode, run.stderr) == (0, "")
    assert [line.split()[1] for line in run.stdout.splitlines() if line.split()[:1] == ["cut"]] == [
        *("crates[1]", "crates[2]")
    ]
    assert run.stdout.splitlines()[-1] == (
        "of 20,000 pairs only the hits are listed (--json gives all): "
        "2 of 20,000 primitives are hit, 1 of 1 probes hit any"
    )


def test_eval_json_prints_every_pair_as_soon_as_it_is_decided(row_of_crates):
    command = [sys.executable, "-m", "hitscope", "eval", str(row_of_crates), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        # The first are printed long before the last is decided, and the reader may stop there.
        start = run.stdout.read(2000)
        run.stdout.close()
    assert start.startswith(f'{{"scene": {json.dumps(str(row_of_crates))}, "version": 1, "verdicts": [{{"probe"')
    first, _ = json.JSONDecoder().raw_decode(start[start.index("[") + 1 :])
    assert (first["primitive"], first["hit"]) == ("crates[0]", False)
    assert run.returncode == 0


def test_eval_json_of_a_bulk_scene_is_one_document(hitscope):
    run = hitscope("eval", SCENES / "bulk" / "turned-crates.scene.json", "--json")
    document = json.loads(run.stdout)
    assert len(document["verdicts"]) == 36
    assert [row["primitive"] for row in document["verdicts"] if row["hit"]] == [
        "crates[2]",
        "crates[3]",
        "crates[4]",
    ]


def test_check_of_a_bulk_scene_names_the_elements_that_differ(hitscope, row_of_crates):
    run = hitscope("check", row_of_crates)
    assert run.returncode == 1
    assert run.stdout.splitlines()[1:] == [
        f"{row_of_crates}:1: expected crates[2] to be missed by cut; crossing, 0.5 deep, decided by face -x",
        f"      hitscope open {row_of_crates} --probe cut --primitive 'crates[2]'",
        f"      hitscope explain {row_of_crates} --probe cut --primitive 'crates[2]'",
        f"{row_of_crates}:1: expected crates[3] to be hit by cut; apart by 1.5, decided by face -x of crates[3]",
        f"      hitscope open {row_of_crates} --probe cut --primitive 'crates[3]'",
        f"      hitscope explain {row_of_crates} --probe cut --primitive 'crates[3]'",
    ]


def test_explain_takes_elements_by_their_names(hitscope, row_of_crates):
    arguments = ("--probe", "cut", "--method", "slab_halfspaces", "--json")
    run = hitscope("explain", row_of_crates, "--primitive", "crates[2]", *arguments)
    assert json.loads(run.stdout)["hit"] is True
    for name in ("crates", "crates[20000]", "crate[1]"):
        run = hitscope("explain", row_of_crates, "--primitive", name, *arguments)
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr.startswith(f"expected a primitive of {row_of_crates} (crates[0]), found ")


def test_a_broken_file_is_refused_without_a_traceback(hitscope, row_of_crates):
    (row_of_crates.parent / "crates.npz").write_bytes(b"PK")
    run = hitscope("check", row_of_crates)
    assert (run.returncode, run.stdout) == (2, "")
    assert "$.primitives[0].file: expected an .npz file that can be read at " in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_files_of_a_scene_from_standard_input_are_those_of_the_working_folder(hitscope, row_of_crates):
    text = row_of_crates.read_text()
    run = hitscope("eval", "-", stdin=text, cwd=row_of_crates.parent)
    assert (run.returncode, run.stderr) == (0, "")
    run = hitscope("eval", "-", stdin=text, cwd=row_of_crates.parent.parent)
    assert run.returncode == 2
    assert "-:1:" in run.stderr and "no such file" in run.stderr

"""`judge --cases-from`: the user's own cases as a generator, of logs and of scenes."""

import json
from pathlib import Path

import numpy as np
import pytest

import hitscope
from hitscope.errors import HitscopeError
from hitscope.judge.campaign import Campaign
from hitscope.judge.own_cases import own_cases
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.options import target_specs
from tests.collect.logged import call

BOX = (0, 0, 0, 1, 1, 1)
STRICT = """
def strict(point, box):
    return all(a < x < b for a, x, b in zip(box.lo, point.position, box.hi))
"""
SCENE = {
    "version": 1,
    "primitives": [
        {"type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]},
        {"type": "triangle", "vertices": np.eye(3).tolist()},
    ],
    "probes": [
        {"type": "point", "position": [0.5, 0.5, 0.5]},
        {"type": "points", "position": [[1, 0.5, 0.5], [0.1, 2, 3]]},
        {"type": "point", "position": [9, 9, 9], "enabled": False},
        {"type": "segment", "start": [0, 0, 0], "end": [1, 1, 1]},
    ],
}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """A log and a folder of scenes, in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(STRICT)
    points = [
        (0.5, 0.5, 0.5),
        (1, 0.5, 0.5),
        (0.5, 0.5, 0.5),
        (-0.0, 0.5, 0.5),
        (0, 0.5, 0.5),
        (float("nan"), 0, 0),
    ]
    calls = [call("point_aabb", *point, *BOX, 1) for point in points]
    Path("calls.log").write_bytes(b"".join([*calls, call("point_plane", 0, 0, 1, 0, 0, 1, 1, 0)]))
    Path("scenes/deep").mkdir(parents=True)
    Path("scenes/deep/a.scene.json").write_text(json.dumps(SCENE))


def test_a_log_has_each_of_its_judgeable_calls_of_the_pair_once(capsys):
    found = own_cases([Path("calls.log")], "point_aabb", "float32")
    assert found.numbers.dtype == np.float32
    assert found.numbers[:, 0].tolist() == [0.5, 1.0, -0.0, 0.0] and np.signbit(found.numbers[2, 0])
    expected = "calls.log: left out 1 of 6 cases of point_aabb: numbers that are not finite\n"
    assert capsys.readouterr().err == expected


def test_scenes_have_every_enabled_probe_with_every_primitive_of_the_pair():
    found = own_cases([Path("scenes"), Path("scenes/deep/a.scene.json")], "point_aabb", "float64")
    assert found.numbers.tolist() == [
        [0.5, 0.5, 0.5, *map(float, BOX)],
        [1.0, 0.5, 0.5, *map(float, BOX)],
        [0.1, 2.0, 3.0, *map(float, BOX)],
    ]
    with pytest.raises(HitscopeError, match="scenes: expected cases of ray_aabb, found none"):
        own_cases([Path("scenes")], "ray_aabb", "float64")


def test_own_cases_are_a_generator_of_the_command(hitscope):
    own = ("--cases-from", "calls.log", "--cases-from", "scenes")
    few = ("--cases", "20", "--generator", "uniform")
    done = hitscope("judge", "mine.py:strict", "--pair", "point_aabb", *own, *few, "--json", cwd=Path.cwd())
    assert done.returncode == 1, done.stderr
    document = json.loads(done.stdout)
    counts = [(row["generator"], row["cases"], row["wrong_misses"]) for row in document["tallies"]]
    assert counts == [("cases", 5, 3), ("uniform", 20, 0)]
    (finding,) = document["findings"]
    assert (finding["generator"], finding["seed"]) == ("cases", 1)
    alone = hitscope(
        "judge", "mine.py:strict", "--pair", "point_aabb", *own, "--generator", "cases", cwd=Path.cwd()
    )
    assert "mine.py:strict on point_aabb in f64: 5 of your own cases\n" in alone.stdout
    unknown = hitscope("judge", "mine.py:strict", "--pair", "point_aabb", "--generator", "cases", cwd=Path.cwd())
    assert (unknown.returncode, unknown.stdout) == (2, "")


def test_own_cases_are_a_generator_in_python():
    found = hitscope.judge("mine.py:strict", "point_aabb", cases_from="scenes", generator="cases")
    assert [(row["generator"], row["cases"], row["wrong_misses"]) for row in found.rows()] == [("cases", 3, 1)]


def test_own_cases_in_other_processes_are_those_of_one_process():
    (spec,) = target_specs("mine.py:strict", "point_aabb")
    own = own_cases([Path("calls.log")], "point_aabb", "float64")
    many = type(own)("point_aabb", np.tile(own.numbers, (5000, 1)))
    rows = []
    for workers, alone in ((1, 1.0), (2, 0.0)):
        campaign = Campaign([spec], range(10), generators=["uniform"], own=many)
        with OpenTargets() as opened:
            campaign.run(opened, workers, alone_seconds=alone)
        rows.append(
            [(row.generator, row.tally.cases, row.tally.counts, row.tally.worst.keys()) for row in campaign.rows]
        )
    assert rows[0] == rows[1] and rows[0][0][1] == 20_000

"""Scenes, reports, verdicts and errors are pickled, copied and sent between processes."""

import copy
import multiprocessing
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from hitscope import Aabb, HitscopeError, Report, Scene, SceneError, evaluate, load
from hitscope.errors import ArgumentFault, Fault
from hitscope.scene import dump, loads
from hitscope.scene.bulk import AabbsPrimitive
from hitscope.scene.tables import UndecodedError
from hitscope.targets.build import CompileError
from hitscope.targets.target import Failure, TargetFailed
from hitscope.viewer.window.launch import NoWindow

SCENE = """{"$schema": "x", "version": 1, "primitives": [
  {"type": "mesh", "file": "m.obj", "scale": 2},
  {"type": "aabbs", "file": "boxes.npz"},
  {"type": "aabbs", "center": [[0, 0, 0], [1, 1, 1]], "half_extents": [[1, 1, 1], [2, 2, 2]]},
  {"type": "obbs", "center": [[0, 0, 0]], "half_extents": [[1, 1, 1]], "euler_xyz_deg": [[1, 2, 3]]},
  {"type": "polyhedron", "planes": [{"normal": [1, 0, 0], "offset": 1}]},
  {"type": "aabb", "id": "box", "min": [0, 0, 0], "max": [1, 1, 1]}], "probes": [
  {"type": "segment", "start": [0, 0, -3], "end": [0.1, 0.1, 3]},
  {"type": "segments", "start": [[0, 0, -3], [9, 9, 9]], "end": [[0.1, 0.1, 3], [9, 9, 9]]},
  {"type": "ray", "origin": [0, 0, -3], "direction": [0.1, 0.1, 3], "enabled": false}],
 "methods": {"segment_aabb": "exact"},
 "expect": [{"probe": "segment-0", "primitive": "box", "hit": false}], "view": {"up": "z"}}"""
COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{f"protocol {p}": lambda value, p=p: pickle.loads(pickle.dumps(value, p)) for p in range(2, 6)},
}


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    (tmp_path / "m.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n")
    np.savez(tmp_path / "boxes.npz", min=np.zeros((3, 3)), max=np.ones((3, 3)))
    (tmp_path / "s.scene.json").write_text(SCENE)
    return load(tmp_path / "s.scene.json")


@pytest.fixture(scope="module")
def worker() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        yield pool


def assert_alike(found: Report, report: Report) -> None:
    assert found.scene == report.scene
    assert (found.hits == report.hits).all()
    assert list(found.verdicts()) == list(report.verdicts())
    assert found.mismatches == report.mismatches
    assert [tally.primitives.flags.writeable for tally in found._tallies] == [False] * len(found._tallies)


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_a_scene_comes_back_equal_and_evaluates_alike(scene: Scene, copied: Callable[[Any], Any]) -> None:
    found = copied(scene)
    assert found == scene
    assert (found.primitive_ids, found.probe_ids) == (scene.primitive_ids, scene.probe_ids)
    assert copied(scene.primitives) == scene.primitives
    assert not found.primitives[2].shapes.rows.flags.writeable
    assert_alike(evaluate(found), evaluate(scene))


@pytest.mark.thorough
@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_a_report_and_its_verdicts_come_back(scene: Scene, copied: Callable[[Any], Any]) -> None:
    report = evaluate(scene)
    list(report.hierarchies(build=True))
    assert_alike(copied(report), report)
    for verdict in report.verdicts():
        assert copied(verdict) == verdict
        assert copied(verdict).distance == verdict.distance


def test_a_scene_that_is_sent_does_not_read_its_files_again(scene: Scene, tmp_path: Path) -> None:
    sent = pickle.dumps(scene)
    for file in tmp_path.iterdir():
        file.unlink()
    assert pickle.loads(sent) == scene


def test_the_numbers_of_a_bulk_item_travel_once() -> None:
    rows = np.zeros((10_000, 3))
    item = AabbsPrimitive(min=rows, max=rows)
    scene = Scene(version=1, primitives=(item,), probes=())
    assert len(pickle.dumps(scene)) < 2 * rows.nbytes + 2_000
    assert len(pickle.dumps(evaluate(scene))) < 2 * rows.nbytes + 2_000


ERRORS = [
    HitscopeError("a message"),
    SceneError("x.json:1:2: a message"),
    TargetFailed("mine.py:f", Failure(False, "a message"), 3, ((0.0,), (1.0,))),
    Fault(("a", 1), "b", "c", at_key=True, offset=4),
    ArgumentFault("Aabb", Fault(("lo", 0), "b", "c")),
    UndecodedError("min", msgspec.ValidationError("a message")),
    NoWindow("a message"),
    CompileError("a message\nof two lines"),
]


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_comes_back_whole(error: Exception, copied: Callable[[Any], Any]) -> None:
    found = copied(error)
    assert type(found) is type(error)
    assert (str(found), repr(found.args)) == (str(error), repr(error.args))
    assert repr(vars(found)) == repr(vars(error))


def every_kind(kind: type) -> Iterator[type]:
    yield kind
    for below in kind.__subclasses__():
        yield from every_kind(below)


def test_every_kind_of_error_is_among_those_tested() -> None:
    assert set(every_kind(HitscopeError)) <= {type(error) for error in ERRORS}


def make_a_box_that_is_none() -> None:
    Aabb((0, 0, 0), (0, 0, -1))


def make_a_scene_that_is_none() -> None:
    Scene(version=2, primitives=(), probes=())


def test_a_scene_and_its_report_go_to_a_process_and_back(scene: Scene, worker: ProcessPoolExecutor) -> None:
    assert_alike(worker.submit(evaluate, scene).result(), evaluate(scene))


def test_an_error_of_a_process_arrives_whole(worker: ProcessPoolExecutor, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"version": 1,\n "primitives": [3], "probes": []}')
    with pytest.raises(SceneError) as of_file:
        worker.submit(load, broken).result()
    assert str(of_file.value) == f"{broken}:2:17: $.primitives[0]: expected an object, found 3"
    with pytest.raises(ArgumentFault) as of_shape:
        worker.submit(make_a_box_that_is_none).result()
    assert (
        str(of_shape.value) == "Aabb: hi[2]: expected a number >= lo[2] = 0, found -1 (are lo and hi exchanged?)"
    )
    with pytest.raises(Fault) as of_scene:
        worker.submit(make_a_scene_that_is_none).result()
    assert (of_scene.value.path, of_scene.value.found) == (("version",), "2")


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_what_comes_back_is_saved_without_the_defaults_that_the_file_did_not_give(
    copied: Callable[[Any], Any],
) -> None:
    text = (
        '{"version": 1, "primitives": [], "probes": [{"type": "point", "position": [0, 0, 0]}], '
        '"expect": [{"probe": "point-0", "hits": []}, {"probe": "point-0", "hits": [], "tolerance": 0.5}], '
        '"view": {"camera": {"eye": [1, 1, 1], "target": [0, 0, 0]}}}'
    )
    scene = loads(text.encode(), "x")
    assert dump(copied(scene)) == dump(scene)
    assert dump(scene).count("tolerance") == 1

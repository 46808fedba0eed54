"""Saving: the text reads back as the same scene, and no failure costs the file that was there."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import force_setattr, replace

from hitscope.errors import HitscopeError
from hitscope.scene import AnyPrimitive, AnyProbe, Expectation, Scene, dump, load, loads, save
from hitscope.scene.bulk import AabbsPrimitive, Bulk, ObbsPrimitive, PointsProbe, RaysProbe, TrianglesPrimitive
from hitscope.scene.items import (
    AabbPrimitive,
    AabbProbe,
    HalfSpace,
    LineProbe,
    ObbPrimitive,
    ParallelepipedPrimitive,
    ParallelepipedProbe,
    PlanePrimitive,
    PointProbe,
    PolyhedronPrimitive,
    RayProbe,
    SegmentProbe,
    TrianglePrimitive,
    TriangleProbe,
)
from hitscope.scene.model import FileCamera, FileJudging, FileView
from tests.scene.scene_files import EXAMPLE, GOOD
from tests.scene.scene_files import scene as scene_text

finite = st.floats(allow_nan=False, allow_infinity=False)
points = st.tuples(finite, finite, finite)
frames = st.tuples(points, points, points)
extents = st.tuples(*[st.floats(0, 1e300)] * 3)
texts = st.text(st.characters(codec="utf-8"))
row_lists = st.lists(points, max_size=3).map(lambda rows: np.reshape(rows, (-1, 3)))
primitives: st.SearchStrategy[AnyPrimitive] = st.one_of(
    row_lists.map(lambda rows: AabbsPrimitive(min=rows, max=rows)),
    st.lists(extents, max_size=3).map(
        lambda rows: ObbsPrimitive(
            center=np.reshape(rows, (-1, 3)),
            half_extents=np.reshape(rows, (-1, 3)),
            euler_xyz_deg=np.reshape(rows, (-1, 3)),
        )
    ),
    st.lists(frames, max_size=3).map(lambda rows: TrianglesPrimitive(vertices=np.reshape(rows, (-1, 3, 3)))),
    points.map(lambda p: AabbPrimitive(min=p, max=p)),
    st.builds(AabbPrimitive, center=st.tuples(*[st.floats(-1e300, 1e300)] * 3), half_extents=extents),
    st.builds(ObbPrimitive, center=points, half_extents=extents),
    st.builds(ObbPrimitive, center=points, half_extents=extents, euler_xyz_deg=points),
    st.builds(
        ObbPrimitive,
        center=points,
        half_extents=extents,
        quaternion_xyzw=st.tuples(finite, finite, finite, st.floats(1e-320, allow_infinity=False)),
    ),
    st.builds(TrianglePrimitive, vertices=frames),
    st.builds(ParallelepipedPrimitive, origin=points, edges=frames),
    st.builds(PlanePrimitive, normal=points.filter(any), offset=finite),
    st.builds(PolyhedronPrimitive, vertices=st.lists(points, min_size=1, max_size=4).map(tuple)),
    st.builds(
        PolyhedronPrimitive,
        planes=st.tuples(st.builds(HalfSpace, normal=points.filter(any), offset=finite)),
    ),
)
probes: st.SearchStrategy[AnyProbe] = st.one_of(
    row_lists.map(lambda rows: RaysProbe(origin=rows, direction=rows, enabled=False)),
    row_lists.map(lambda rows: PointsProbe(position=rows)),
    st.builds(SegmentProbe, start=points, end=points, enabled=st.booleans()),
    st.builds(RayProbe, origin=points, direction=points),
    st.builds(LineProbe, origin=points, direction=points),
    st.builds(PointProbe, position=points),
    points.map(lambda p: AabbProbe(min=p, max=p)),
    st.builds(ParallelepipedProbe, origin=points, edges=frames, enabled=st.booleans()),
    st.builds(TriangleProbe, vertices=frames, id=texts.filter(lambda text: text and "[" not in text)),
)
tolerances = finite.map(abs) | st.integers(0, 2**63)
epsilons = tolerances.map(lambda value: {"name": "slab_ericson", "epsilon": value})
methods = st.dictionaries(
    st.sampled_from(["segment_aabb", "ray_aabb", "line_aabb"]), st.just("slab_halfspaces") | epsilons
)
nullable = st.none() | finite


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """Draw a scene with at most one probe of each id."""
    things = tuple(draw(st.lists(primitives, max_size=4)))
    draggable = tuple(draw(st.lists(probes, max_size=4, unique_by=lambda probe: probe.id or object())))
    scene = Scene(version=1, primitives=things, probes=draggable)
    expect = []
    for probe in scene.probe_ids:
        expect.append(Expectation(probe=probe, hits=scene.primitive_ids, why=draw(texts)))
        for primitive, item in zip(scene.primitive_ids, scene.primitives, strict=True):
            if isinstance(item, Bulk) or isinstance(scene.probes[scene.probe_ids.index(probe)], Bulk):
                expect.append(Expectation(probe=probe, primitive=primitive, hit=draw(st.booleans())))
                continue
            pair = Expectation(
                probe=probe,
                primitive=primitive,
                t_enter=draw(nullable),
                point=draw(st.none() | points),
                state="apart",
            )
            expect.append(pair)
    eye, target = draw(st.tuples(points, points).filter(lambda ends: ends[0] != ends[1]))
    return Scene(
        version=1,
        name=draw(texts),
        description=draw(texts),
        primitives=things,
        probes=draggable,
        methods=draw(methods),
        expect=tuple(expect),
        view=FileView(up="z", camera=FileCamera(eye=eye, target=target)),
    )


@given(scenes())
def test_what_is_written_reads_back_as_the_same_scene(scene: Scene) -> None:
    text = dump(scene)
    again = loads(text.encode(), "f")
    assert again == scene
    assert repr(again.primitives) == repr(scene.primitives)  # == does not see the sign of a zero
    assert dump(again) == text


def test_how_code_was_judged_is_written_where_it_is_not_as_usual() -> None:
    empty = Scene(version=1, primitives=(), probes=())
    assert "judged" not in dump(empty)
    text = dump(replace(empty, judged=FileJudging(float="f32", t_tolerance=(16.0, 0.0))))
    assert '"judged": {"float": "f32", "t_tolerance": [16, 0]}' in text


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_good_files_survive(text: str) -> None:
    scene = loads(text.encode(), "f")
    assert loads(dump(scene).encode(), "f") == scene


def test_the_example_keeps_its_layout() -> None:
    text = EXAMPLE.replace('"up": "y", ', "")
    assert dump(loads(text.encode(), "f")) == text


def test_rows_are_written_one_a_line() -> None:
    rows = np.array([[1, -0.0, 0.1], [-10, 1e22, 5e-324]])
    assert dump(Scene(version=1, primitives=(), probes=(PointsProbe(position=rows, id="p"),))) == (
        """{
  "version": 1,
  "primitives": [],
  "probes": [
    {
      "id": "p",
      "type": "points",
      "position": [
        [1, -0.0, 0.1],
        [-10, 1e22, 5e-324]
      ]
    }
  ]
}
"""
    )


def test_a_file_is_saved_as_the_reference_it_is(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    np.savez(tmp_path / "in" / "a.npz", position=np.zeros((2, 3)))
    text = scene_text(probes='{"type": "points", "file": "in/a.npz"}')
    (tmp_path / "x.scene.json").write_text(text)
    scene = load(tmp_path / "x.scene.json")
    save(scene, tmp_path / "copy.scene.json")
    assert load(tmp_path / "copy.scene.json") == scene
    assert '"file": "in/a.npz"' in (tmp_path / "copy.scene.json").read_text()


def test_in_another_folder_a_file_is_named_as_seen_from_there(tmp_path: Path) -> None:
    inner, outer = tmp_path / "a" / "b", tmp_path / "a"
    inner.mkdir(parents=True)
    np.savez(inner / "x.npz", position=np.zeros((2, 3)))
    (inner / "x.scene.json").write_text(scene_text(probes='{"type": "points", "file": "x.npz"}'))
    scene = load(inner / "x.scene.json")
    save(scene, outer / "y.scene.json")
    again = load(outer / "y.scene.json")
    assert again.probes[0].file.name == "b/x.npz"
    assert len(again.probes[0].shapes) == 2
    elsewhere = tmp_path / "c"
    elsewhere.mkdir()
    with pytest.raises(HitscopeError, match=r"c: expected a folder that .*/a/b/x\.npz lies in or below"):
        save(scene, elsewhere / "y.scene.json")
    assert list(elsewhere.iterdir()) == []


def test_layout_of_what_is_long_and_of_what_is_empty() -> None:
    third = 1 / 3
    box = ObbPrimitive(
        center=(-0.0, 1e22, 5e-324),
        half_extents=(third, third, 2.0**53),
        axes=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
        id="ü",
    )
    assert dump(Scene(version=1, primitives=(box,), probes=())) == (
        """{
  "version": 1,
  "primitives": [
    {
      "id": "ü",
      "type": "obb",
      "center": [-0.0, 1e+22, 5e-324],
      "half_extents": [0.3333333333333333, 0.3333333333333333, 9007199254740992.0],
      "axes": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    }
  ],
  "probes": []
}
"""
    )


def test_numbers_that_are_none_are_not_written(tmp_path: Path) -> None:
    path = tmp_path / "x.scene.json"
    path.write_text(EXAMPLE)
    probe = SegmentProbe(start=(0, 0, 0), end=(0, 0, 0))
    force_setattr(probe, "start", (0, 0, float("nan")))
    with pytest.raises(ValueError, match="JSON"):
        save(Scene(version=1, primitives=(), probes=(probe,)), path)
    assert path.read_text() == EXAMPLE


@pytest.fixture
def scene() -> Scene:
    return loads(EXAMPLE.encode(), "f")


def test_save_writes_what_load_reads(scene: Scene, tmp_path: Path) -> None:
    path = tmp_path / "x.scene.json"
    save(scene, path)
    assert load(path) == scene
    assert path.read_bytes() == dump(scene).encode()
    assert os.listdir(tmp_path) == ["x.scene.json"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_keeps_the_old_file(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "x.scene.json"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OSError, match="disk full"):
        save(scene, path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["x.scene.json"]


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_process_killed_before_the_last_step_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.scene.json"
    path.write_text(EXAMPLE)
    program = (
        "import os, signal, sys; from hitscope.scene import load, save; scene = load(sys.argv[1]);"
        "os.fsync = lambda file: os.kill(os.getpid(), signal.SIGKILL); save(scene, sys.argv[1])"
    )
    result = subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert result.returncode == -signal.SIGKILL
    assert path.read_text() == EXAMPLE


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_the_mode_of_the_file_is_kept(scene: Scene, tmp_path: Path) -> None:
    path = tmp_path / "x.scene.json"
    path.touch()
    path.chmod(0o640)
    save(scene, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_a_new_file_has_the_usual_mode(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    save(scene, tmp_path / "x.scene.json")
    assert (tmp_path / "x.scene.json").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_protected_file_is_not_replaced(scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.scene.json"
    path.write_text("old")
    # Root may write everything, so the answer of the system is what is put on.
    monkeypatch.setattr(os, "access", lambda file, mode: mode != os.W_OK)
    with pytest.raises(PermissionError, match="write-protected"):
        save(scene, path)
    assert path.read_text() == "old"


@pytest.mark.skipif(os.name != "posix", reason="symbolic links need a right on Windows")
def test_a_link_stays_a_link(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real, link = tmp_path / "real" / "x.scene.json", tmp_path / "link.scene.json"
    real.write_text("old")
    link.symlink_to(real)
    save(scene, link)
    assert link.is_symlink()
    assert load(real) == scene

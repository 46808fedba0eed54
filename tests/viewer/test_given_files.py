"""Files that the user gives, on the command line, by a drop or in the dialog: opened alike, and recent ones."""

import json
from pathlib import Path

import pytest

from hitscope import viewer
from hitscope.cli import main
from hitscope.viewer.actions.cancel import finish_job
from hitscope.viewer.files.file_inputs import recorded_file
from hitscope.viewer.interface.recording import Recording, recording_start
from hitscope.viewer.state.inputs import HostEvent
from hitscope.viewer.window.replay import state_of
from tests.viewer.user import SIZE

PLY = """ply
format ascii 1.0
element vertex 3
property float x
property float y
property float z
element face 1
property list uchar int vertex_indices
end_header
0 0 0
1 0 0
0 1 0
3 0 1 2
"""


def recent(home):
    return [Path(name).name for name in json.loads((home / "settings.json").read_text())["recent"]]


def drop(user, *paths):
    user.take(HostEvent, "drop", tuple(recorded_file(path) for path in paths))


def test_a_mesh_is_opened_from_the_command_line_as_in_the_window(open_paths, work):
    given = open_paths("wedge.obj").state.session.document
    user = open_paths("a.scene.json")
    drop(user, work / "wedge.obj")
    dropped = user.state.session.document
    assert given.scene == dropped.scene and given.scene.primitive_ids == ("wedge",)
    assert given.path == dropped.path == work / "wedge.scene.json"
    assert not given.changed and not dropped.changed


def test_a_recording_on_a_mesh_begins_with_its_triangles(work):
    start = recording_start([work / "wedge.obj"], work, SIZE)
    state = state_of(Recording(start, folder=work))
    while state.jobs.opening is not None:
        finish_job(state, "opening")
    assert state.session.scene.primitive_ids == ("wedge",)


@pytest.mark.parametrize("arguments", [("open", "{}"), ("{}",)], ids=["open", "alone"])
@pytest.mark.parametrize("name", ["boxes.npz", "picture.png", "notes"])
def test_a_file_that_no_window_opens_is_one_clear_line_before_any_window(hitscope, work, arguments, name):
    (work / name).write_bytes(b"\x89PNG")
    done = hitscope(*(argument.format(name) for argument in arguments))
    assert done.returncode == 2
    assert done.stderr == (f'expected a scene (.json) or a mesh (.obj, .stl, .ply, .gltf, .glb), found "{name}"\n')


def test_the_files_given_on_the_command_line_are_recent_when_they_are_shown(open_paths, work, home):
    (work / "broken.scene.json").write_text("{}")
    user = open_paths("broken.scene.json", "b.scene.json", "wedge.obj")
    assert recent(home) == ["b.scene.json"]
    user.keys("]")
    assert user.state.session.scene.primitive_ids == ("wedge",)
    assert recent(home) == ["wedge.obj", "b.scene.json"]
    user.keys("[", "]")
    assert recent(home) == ["wedge.obj", "b.scene.json"]


def test_of_files_given_at_once_the_one_that_is_shown_is_the_latest(open_paths, work, home):
    user = open_paths("a.scene.json")
    drop(user, work / "b.scene.json", work / "wedge.obj", work / "a.scene.json")
    assert user.state.session.scene.name == "a"
    assert recent(home) == ["a.scene.json", "wedge.obj", "b.scene.json"]


def test_a_mesh_that_is_given_again_is_the_latest_and_is_there_once(open_paths, work, home):
    user = open_paths("a.scene.json")
    drop(user, work / "wedge.obj")
    drop(user, work / "b.scene.json")
    drop(user, work / "wedge.obj")
    assert recent(home) == ["wedge.obj", "b.scene.json", "a.scene.json"]
    assert [d.path.name for d in user.state.session.listed.documents].count("wedge.scene.json") == 1


def test_a_recent_mesh_is_opened_from_the_list(open_paths, work, home):
    drop(open_paths("a.scene.json"), work / "wedge.obj")
    user = open_paths("b.scene.json")
    user.keys("Ctrl+O")
    user.click_on(f"recent {work / 'wedge.obj'}")
    assert user.state.session.scene.primitive_ids == ("wedge",)


def test_two_meshes_of_one_name_are_two_scenes(open_paths, work):
    (work / "wedge.ply").write_text(PLY)
    user = open_paths("wedge.obj", "wedge.ply")
    paths = [document.path.name for document in user.state.session.listed.documents]
    assert paths == ["wedge.scene.json", "wedge-2.scene.json"]
    other = open_paths("a.scene.json")
    drop(other, work / "wedge.obj", work / "wedge.ply")
    assert len(other.state.session.open_documents) == 3


@pytest.mark.parametrize("arguments", [("open",), ()], ids=["open", "alone"])
def test_one_file_that_is_missing_keeps_no_other_from_opening(work, monkeypatch, arguments):
    opened = []
    monkeypatch.setattr(viewer, "run", lambda paths, *rest, problem: opened.append((paths, problem)))
    assert main([*arguments, "a.scene.json", "gone.scene.json", "b.scene.json"]) == 0
    ((paths, problem),) = opened
    assert [path.name for path in paths] == ["a.scene.json", "b.scene.json"]
    assert problem.startswith("gone.scene.json: expected a scene or a mesh")
    assert main([*arguments, "gone.scene.json"]) == 2 and len(opened) == 1

"""Paths: where to save, what a dropped file is, and pictures that overwrite nothing."""

import errno
import os
from pathlib import Path

import pytest

from hitscope.errors import HitscopeError
from hitscope.scene import load, save
from hitscope.viewer.files.file_inputs import resolve_save_path, save_new, visit
from hitscope.viewer.state import paths
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.paths import openable, picture_path, unused


class Full:
    """A new file on a disk that is full."""

    def __init__(self, file):
        self.file = file

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def write(self, data):
        raise OSError(errno.ENOSPC, "No space left on device")


TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


@pytest.fixture
def document(tmp_path):
    """The path of a document that was saved."""
    path = tmp_path / "crate.scene.json"
    path.write_text("{}")
    return path


@pytest.mark.parametrize(
    "typed, name",
    [
        ("box", "box.scene.json"),
        (" box ", "box.scene.json"),
        ("box.scene", "box.scene.json"),
        ("box.json", "box.json"),
        ("box.scene.json", "box.scene.json"),
        ("box.v2", "box.v2.scene.json"),
        ("below/box", "below/box.scene.json"),
    ],
)
def test_a_name_is_completed_and_seen_from_the_documents_folder(document, typed, name):
    (document.parent / "below").mkdir()
    assert resolve_save_path(typed, document) == (document.parent / name, False)
    assert resolve_save_path(str(document.parent / typed.strip()), document)[0] == document.parent / name


def test_whether_another_file_is_overwritten_is_known(document):
    (document.parent / "taken.scene.json").write_text("{}")
    assert resolve_save_path("taken", document)[1]
    assert not resolve_save_path("crate", document)[1]


def test_a_home_folder_is_found(document, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert resolve_save_path("~/box", document)[0] == tmp_path / "box.scene.json"


@pytest.mark.parametrize(
    "typed, says",
    [
        ("", "found none"),
        ("below", "found a folder"),
        ("below/", "found a folder"),
        ("nowhere/", "found a folder"),
        ("nowhere/box", "expected a folder to save in, found none"),
        ("crate.scene.json/box", "expected a folder to save in, found none"),
        ("folder.scene.json", "found a folder"),
        ("folder", "found a folder"),
        ("~nobody-of-this-name/box", "expected a folder to save in, found none"),
    ],
)
def test_where_nothing_can_be_saved_is_refused(document, typed, says):
    (document.parent / "below").mkdir()
    (document.parent / "folder.scene.json").mkdir()
    with pytest.raises(HitscopeError, match=says):
        resolve_save_path(typed, document)


def test_a_picture_overwrites_nothing(tmp_path):
    path = tmp_path / "crate.png"
    assert [save_new(path, data).name for data in (b"1", b"2", b"3")] == [
        "crate.png",
        "crate-2.png",
        "crate-3.png",
    ]
    assert [(tmp_path / name).read_bytes() for name in ("crate.png", "crate-2.png")] == [b"1", b"2"]
    with pytest.raises(HitscopeError, match=r"cannot save .*: No such file or directory"):
        save_new(tmp_path / "nowhere" / "crate.png", b"")


def test_a_picture_lies_beside_its_document_and_that_of_an_example_in_the_working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert picture_path(Path("/scenes/crate.v2.scene.json"), example=False) == Path("/scenes/crate.png")
    assert picture_path(Path("/scenes/crate.scene.json"), example=True) == tmp_path / "crate.png"


def test_the_number_of_a_free_name_stands_before_the_endings(document):
    assert unused(document).name == "crate-2.scene.json"
    assert unused(document.with_name("other.scene.json")).name == "other.scene.json"


def test_a_dropped_scene_is_itself(document):
    assert openable(document) == (document, None)
    assert openable(Path(os.path.relpath(document)))[0].is_absolute()


def test_a_dropped_mesh_is_the_primitive_of_a_new_scene_beside_it(tmp_path):
    mesh = tmp_path / "bunny.OBJ"
    mesh.write_text(TRIANGLE)
    path, read = openable(mesh, up="z")
    assert read
    scene = read()
    assert path == tmp_path / "bunny.scene.json"
    assert scene.primitive_ids == ("bunny",)
    assert scene.view.up == "z"
    save(scene, path)
    assert load(path) == scene
    assert openable(mesh)[0] == tmp_path / "bunny-2.scene.json"


def test_a_file_that_cannot_be_opened_is_reported(tmp_path):
    with pytest.raises(HitscopeError, match=r'expected a scene \(.json\) or a mesh \(.obj, .*\), found "a.txt"'):
        openable(tmp_path / "a.txt")
    with pytest.raises(HitscopeError, match="found a folder"):
        openable(tmp_path)
    (tmp_path / "broken.obj").write_text("f 1 2 3")
    read = openable(tmp_path / "broken.obj")[1]
    assert read
    with pytest.raises(HitscopeError, match=r"broken.obj: expected "):
        read()


@pytest.mark.parametrize("name", ["pipe.scene.json", "pipe.obj"])
def test_what_may_never_end_is_refused(tmp_path, name):
    os.mkfifo(tmp_path / name)
    (tmp_path / "zero.scene.json").symlink_to("/dev/zero")
    for path in (tmp_path / name, tmp_path / "zero.scene.json"):
        with pytest.raises(HitscopeError, match="expected a file, found a pipe or a device"):
            openable(path)
        with pytest.raises(HitscopeError, match="expected a file, found a pipe or a device"):
            paths.load(path)


def test_a_mesh_that_a_scene_cannot_name_is_refused(tmp_path):
    path = tmp_path / os.fsdecode(b"bad\xff.obj")
    path.write_text(TRIANGLE)
    with pytest.raises(HitscopeError, match="expected a mesh with a name in UTF-8"):
        openable(path)


def test_a_picture_that_does_not_fit_on_the_disk_leaves_nothing(tmp_path, monkeypatch):
    opened = Path.open
    monkeypatch.setattr(Path, "open", lambda path, mode: Full(opened(path, mode)))
    with pytest.raises(HitscopeError, match=r"cannot save .*crate.png: No space left"):
        save_new(tmp_path / "crate.png", b"1")
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_an_unknown_user_is_a_name_like_any_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    listed = visit(Path("~nobody-at-all"), (), 0)
    assert listed.problem == f"expected a file or a folder, found none: {tmp_path / '~nobody-at-all'}"


def test_a_copy_of_an_example_whose_name_is_too_long_is_no_crash(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = "a" * 300 + ".scene.json"
    assert Document(tmp_path / name, example=True).save_path == tmp_path / name


def test_a_path_that_is_too_long_is_no_crash():
    name = f"{'a' * 5000}.json"
    assert openable(Path(name))[0].name == name
    with pytest.raises(HitscopeError, match="expected a scene file that can be read, found: File name too long"):
        paths.load(Path(name))

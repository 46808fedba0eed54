"""The scenes that `hitscope check` finds in folders: whatever one of them is, the others are checked."""

import json
import os

import pytest

from hitscope.resources import SCENES

SCENE = SCENES / "triangle-aabb-szauer" / "unit-test.scene.json"


@pytest.fixture
def folder(tmp_path):
    """A folder with one scene, in a subfolder."""
    path = tmp_path / "f" / "sub" / "a.scene.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(SCENE.read_bytes())
    return tmp_path / "f"


def checked(run, folder) -> str:
    """Return the error of a run that has checked the scene of the folder all the same."""
    assert run.returncode == 2
    assert f"ok    {folder / 'sub' / 'a.scene.json'}  (7 expectations)\n" in run.stdout
    assert run.stdout.endswith("1 of 2 scenes pass\n") and run.stderr.count("\n") == 1
    return run.stderr.rstrip("\n")


def test_a_subfolder_that_cannot_be_read_is_an_error(hitscope, as_any_user, folder):
    locked = folder / "locked"
    locked.mkdir(mode=0)
    error = checked(hitscope("check", folder, preexec_fn=as_any_user), folder)
    assert error == f"{locked}: expected a folder that can be read, found: Permission denied"


@pytest.mark.parametrize("is_given", [False, True], ids=["found", "given"])
def test_a_pipe_named_like_a_scene_is_refused_and_not_waited_on(hitscope, folder, is_given):
    pipe = folder / "p.scene.json"
    os.mkfifo(pipe)
    run = hitscope("check", *([pipe] if is_given else []), folder / "sub" if is_given else folder, timeout=60)
    assert checked(run, folder) == f"{pipe}: expected a scene file that can be read, found: a pipe"


@pytest.mark.parametrize("is_given", [False, True], ids=["found", "given"])
def test_a_folder_named_like_a_scene_is_refused(hitscope, folder, is_given):
    named = folder / "f.scene.json"
    named.mkdir()
    run = hitscope("check", *([named] if is_given else []), folder / "sub" if is_given else folder)
    assert checked(run, folder) == f"{named}: expected a scene file that can be read, found: a folder"


def test_an_empty_folder_does_not_stop_the_rest(hitscope, folder, tmp_path):
    (tmp_path / "empty").mkdir()
    words = f"{tmp_path / 'empty'}: expected at least one *.scene.json below this folder, found none"
    assert checked(hitscope("check", tmp_path / "empty", folder), folder) == words
    assert checked(hitscope("check", folder, tmp_path / "empty"), folder) == words
    document = json.loads(hitscope("check", "--json", folder, tmp_path / "empty").stdout)
    assert [entry["error"] for entry in document["scenes"]] == [None, words]


def test_a_link_to_nothing_or_to_itself_is_an_error(hitscope, folder):
    link = folder / "l.scene.json"
    link.symlink_to("nowhere")
    error = checked(hitscope("check", folder), folder)
    assert error == f"{link}: expected a scene file that can be read, found: {os.strerror(2)}"
    link.unlink()
    link.symlink_to(link.name)
    assert checked(hitscope("check", folder), folder).startswith(f"{link}: expected a scene file that can be read")


def test_links_that_lead_in_circles_end(hitscope, folder):
    (folder / "sub" / "up").symlink_to("..")
    (folder / "sub" / "self").symlink_to("self")
    run = hitscope("check", folder)
    assert (run.returncode, run.stdout) == (0, f"ok    {folder / 'sub' / 'a.scene.json'}  (7 expectations)\n")


def test_the_pipe_of_a_shell_is_read(hitscope):
    read, write = os.pipe()
    with open(write, "wb") as file:
        file.write(SCENE.read_bytes())
    run = hitscope("check", f"/dev/fd/{read}", pass_fds=[read])
    os.close(read)
    assert (run.returncode, run.stdout) == (0, f"ok    /dev/fd/{read}  (7 expectations)\n")


def test_standard_input_is_read_by_its_path(hitscope):
    run = hitscope("check", "/dev/stdin", stdin=SCENE.read_text("utf-8"))
    assert run.returncode == 0

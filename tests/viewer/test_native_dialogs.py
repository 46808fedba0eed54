"""The operating system's file dialogs: a stand-in for zenity answers as a user would."""

import os
import shutil
import sys

import pytest

from hitscope.scene import Scene, load, save
from hitscope.scene.items import AabbPrimitive, SegmentProbe
from hitscope.viewer.interface.recording import Recording
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.state.inputs import HostEvent, NativeDialog, SavePathResolved
from hitscope.viewer.window import native_dialogs
from hitscope.viewer.window.native_dialogs import FileDialog
from hitscope.viewer.window.replay import replay, state_of
from tests.viewer.driver import Screen, Viewer, wait_until

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Xvfb, xdotool and zenity are Linux programs"),
    pytest.mark.xdist_group("window"),
]

ZENITY = """#!/bin/sh
echo $$ >'{folder}/pid'
printf '%s\\n' "$@" >'{folder}/asked'
until [ -e '{folder}/answer' ]; do {sleep} 0.02; done
{cat} '{folder}/answer'
{remove} '{folder}/answer' '{folder}/asked'
"""


class Zenity:
    """A program that is called zenity: it is shown until the test answers."""

    def __init__(self, folder):
        """Put it into a folder of programs, together with the one that finds it."""
        self.folder = folder
        folder.mkdir()
        tools = {name: shutil.which(tool) for name, tool in (("sleep", "sleep"), ("cat", "cat"), ("remove", "rm"))}
        (folder / "zenity").write_text(ZENITY.format(folder=folder, **tools))
        (folder / "zenity").chmod(0o755)
        (folder / "which").symlink_to(shutil.which("which"))

    def asked(self):
        """Wait until it is shown, and return its arguments."""
        wait_until(lambda: (self.folder / "asked").exists() and (self.folder / "asked").read_text(), "the dialog")
        return (self.folder / "asked").read_text().splitlines()

    def answer(self, *paths):
        """Choose files; none of them cancels it."""
        draft = self.folder / "draft"
        draft.write_text("".join(f"{path}\n" for path in paths))
        draft.rename(self.folder / "answer")
        wait_until(lambda: not (self.folder / "asked").exists(), "the dialog to be closed")

    @property
    def ended(self):
        """Whether its process is gone."""
        try:
            os.kill(int((self.folder / "pid").read_text()), 0)
        except ProcessLookupError:
            return True
        return False


@pytest.fixture
def zenity(tmp_path, monkeypatch):
    zenity = Zenity(tmp_path / "programs")
    monkeypatch.setenv("PATH", str(zenity.folder), prepend=":")
    return zenity


def test_files_to_open_are_chosen_from_a_folder_among_scenes_and_meshes(zenity, tmp_path):
    assert native_dialogs.available()
    dialog = FileDialog.to_open(tmp_path)
    asked = zenity.asked()
    assert f"--filename={tmp_path}/" in asked and "--multiple" in asked
    assert any("*.json" in given and "*.obj" in given for given in asked)
    assert dialog.answer is None
    zenity.answer(tmp_path / "a b.scene.json", tmp_path / "c.obj")
    wait_until(lambda: dialog.answer is not None, "the answer")
    assert dialog.answer == (tmp_path / "a b.scene.json", tmp_path / "c.obj")


def test_a_file_to_save_is_suggested_and_a_cancelled_dialog_answers_with_none(zenity, tmp_path):
    dialog = FileDialog.to_save(tmp_path / "a.scene.json")
    asked = zenity.asked()
    assert {"--save", f"--filename={tmp_path}/a.scene.json", "--confirm-overwrite"} <= {*asked}
    zenity.answer()
    wait_until(lambda: dialog.answer is not None, "the answer")
    assert dialog.answer == ()


def test_a_closed_dialog_is_ended(zenity, tmp_path):
    dialog = FileDialog.to_open(tmp_path)
    zenity.asked()
    dialog.close()
    wait_until(lambda: zenity.ended, "its end")


def test_without_a_program_that_shows_them_there_are_none(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not native_dialogs.available()


def a_scene(name):
    return Scene(
        version=1,
        name=name,
        primitives=(AabbPrimitive(id="box", center=(0.0, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0)),),
        probes=(SegmentProbe(id="s", start=(-3.0, 2.0, 0.0), end=(3.0, 2.0, 0.0)),),
    )


def test_the_window_opens_and_saves_what_is_chosen_and_a_recording_has_it(zenity, tmp_path):
    first, second, copy = (tmp_path / f"{name}.scene.json" for name in ("first", "second", "copy"))
    save(a_scene("first"), first)
    save(a_scene("second"), second)
    recording = tmp_path / "session.rec"
    with Screen() as screen, Viewer(screen, first, "--record", recording, programs=zenity.folder) as viewer:
        viewer.key("ctrl+o")
        assert f"--filename={tmp_path}/" in zenity.asked()
        zenity.answer()
        viewer.key("ctrl+o")
        zenity.asked()
        viewer.key("Escape")
        wait_until(lambda: zenity.ended, "the end of a dialog that was cancelled in the window")
        (zenity.folder / "asked").unlink()
        viewer.key("ctrl+o")
        zenity.asked()
        zenity.answer(second)
        wait_until(lambda: viewer.title.startswith("second"), "the chosen scene")
        viewer.key("ctrl+shift+s")
        assert f"--filename={second}" in zenity.asked()
        zenity.answer(copy)
        wait_until(copy.exists, "the copy")
        viewer.close()
        assert viewer.exit_status() == 0
    assert load(copy).name == "second"
    second.unlink()
    played = Recording.read(recording)
    kinds = [given for given in played.inputs if isinstance(given, NativeDialog | HostEvent | SavePathResolved)]
    assert [type(given) for given in kinds] == [*[NativeDialog] * 4, HostEvent, NativeDialog, SavePathResolved]
    assert [given.shown for given in kinds if isinstance(given, NativeDialog)] == [True, False, True, True, True]
    with UserInterface(state_of(played)) as interface:
        replay(played, interface)
        assert (interface.state.session.scene.name, interface.state.session.document.path) == ("second", copy)

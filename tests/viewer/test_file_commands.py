"""Files as a user handles them: save as, open, drop, reload, the gallery, copy and paste; the disk is a real one.

What is done is recorded as the window does, and must come out the same when it is played without the disk.
"""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.geometry import code_files
from hitscope.resources import SCENES
from hitscope.scene import dump, load, loads, save
from hitscope.scene.items import AabbPrimitive
from hitscope.viewer.actions import opening, recovery
from hitscope.viewer.actions.opening import title_of
from hitscope.viewer.files.autosave import Autosave
from hitscope.viewer.files.file_inputs import recorded_file
from hitscope.viewer.files.settings_file import SettingsFile
from hitscope.viewer.interface.open_state import open_state
from hitscope.viewer.interface.recording import Recorder, Recording, recording_start
from hitscope.viewer.interface.user_interface import UserInterface, press_key
from hitscope.viewer.state.dialogs import Conflict, Gallery, OpenFile, Overwrite, Recovery, SaveAs
from hitscope.viewer.state.documents import UNTITLED, Document, DocumentList
from hitscope.viewer.state.gallery import OWN, START, START_HERE, examples
from hitscope.viewer.state.inputs import Clipboard, HostEvent, KeyDown
from hitscope.viewer.state.settings import Limits
from hitscope.viewer.window.host import DesktopHost
from hitscope.viewer.window.replay import replay, state_of
from tests.viewer.samples import box_and_two_probes
from tests.viewer.user import SIZE, WINDOWED, DiskUser

FRESH = {"first_start_seen": True}
"""The settings of one who is not greeted."""
PIXELS = np.full((2, 3, 3), 7, np.uint8)


def a_scene():
    """A segment that passes above a box and a ray that hits it."""
    return box_and_two_probes()


@pytest.fixture
def work(tmp_path, monkeypatch):
    """The working folder, with the scene in a.scene.json."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    save(a_scene(), work / "a.scene.json")
    return work


@pytest.fixture
def user(home, work, tmp_path, widgets):
    """A user who has opened the scene; the recording must end as the user did."""
    path, file = work / "a.scene.json", SettingsFile()
    start = recording_start([path], tmp_path, SIZE)
    host = DesktopHost(file, lambda state, options: PIXELS)
    state = open_state(DocumentList([Document(path)]), SIZE, files=host.files, limits=WINDOWED)
    user = DiskUser(state, host, Recorder(tmp_path / "it.recording", start), widgets)
    yield user
    user.wait()
    user.end()
    host.close()
    if not user.replayable:
        return
    recording = Recording.read(tmp_path / "it.recording")
    with UserInterface(state_of(recording)) as interface:
        replay(recording, interface)
        assert ending(interface.state) == ending(state)


def ending(state):
    """What a replay must have in common with what was recorded."""
    return (
        state.session.scene,
        state.session.document.path,
        state.selection.targets,
        type(state.dialogs.dialog),
        state.display.viewpoint.camera,
        state.messages.notice,
        state.messages.problem,
    )


def moved(scene, z):
    """The scene with its first probe elsewhere."""
    first = replace(scene.probes[0], end=(3.0, 2.0, z))
    return replace(scene, probes=(first, *scene.probes[1:]))


def click_on_ray(user):
    """Select the probe «ray»."""
    user.click(user.pixel((-2.0, -0.5, 0.5)))
    assert user.state.selection.last == Target("probe", "ray")


# Saving


def test_save_as_writes_another_file_and_goes_on_with_it(user, work):
    click_on_ray(user)
    user.keys("Delete")
    user.keys("Ctrl+Shift+S")
    assert user.state.dialogs.dialog == SaveAs(user.state.session.document, work, "a.scene.json")
    user.clear_and_type("other")
    assert user.state.dialogs.dialog is None
    assert user.state.session.document.path == work / "other.scene.json"
    assert not user.state.session.document.changed
    assert [probe.id for probe in load(work / "other.scene.json").probes] == ["above"]
    assert load(work / "a.scene.json") == a_scene()


def test_save_as_asks_before_it_overwrites_another_file(user, work):
    other = work / "b.scene.json"
    other.write_text("precious")
    user.keys("Ctrl+Shift+S")
    user.clear_and_type("b.scene.json")
    assert user.state.dialogs.dialog.overwrites == other
    user.keys("Escape")
    assert user.state.dialogs.dialog.overwrites is None
    assert other.read_text() == "precious"
    user.clear_and_type("b.scene.json")
    user.click_on("Overwrite")
    assert user.state.dialogs.dialog is None
    assert load(other) == a_scene()


def test_a_new_scene_is_saved_at_the_typed_path(user, work):
    user.keys("Ctrl+N", "Ctrl+S")
    assert user.state.dialogs.dialog == SaveAs(user.state.session.document, work, "untitled.scene.json")
    assert not (work / "untitled.scene.json").exists()
    user.clear_and_type("mine")
    assert user.state.dialogs.dialog is None
    assert (user.state.session.document.path, user.state.session.document.changed) == (
        work / "mine.scene.json",
        False,
    )
    user.keys("Ctrl+S")
    assert user.state.dialogs.dialog is None


def test_closing_asks_where_to_save_a_new_scene_that_is_not_shown(user, work):
    user.keys("Ctrl+N")
    user.state.host.clipboard = dump(a_scene())
    user.replayable = False
    user.keys("Ctrl+V")
    new = user.state.session.document
    user.keys("[")
    assert user.state.session.document is not new
    user.close()
    user.keys("Enter")
    assert user.state.dialogs.dialog == SaveAs(new, work, "untitled.scene.json")
    user.clear_and_type("mine")
    assert user.state.host.closed
    assert len(load(work / "mine.scene.json").probes) == 2


def test_a_copy_of_an_example_goes_into_the_working_folder_by_its_bare_name(user, work):
    opening.open_example(user.state, examples()[0].path)
    user.replayable = False
    user.wait_for_work()
    user.keys("Ctrl+Shift+S")
    assert user.state.dialogs.dialog == SaveAs(user.state.session.document, work, examples()[0].path.name)
    user.clear_and_type("copy")
    assert user.state.session.document.path == work / "copy.scene.json"


def test_where_nothing_can_be_saved_the_dialog_says_why_and_stays(user):
    user.keys("Ctrl+Shift+S")
    user.clear_and_type("missing/b.scene.json")
    assert "expected a folder to save in, found none" in user.state.dialogs.dialog.problem
    user.keys("Escape")
    assert user.state.dialogs.dialog is None


def test_keys_typed_into_a_dialog_do_nothing_else(user):
    before = user.state.session.scene
    user.keys("Ctrl+Shift+S", "N", "S", "Delete", "Ctrl+B")
    assert (user.state.tool.armed, user.state.session.scene, user.state.display.panels) == (None, before, True)


def test_a_name_that_is_too_long_is_reported_in_the_dialog(user):
    user.keys("Ctrl+Shift+S")
    user.clear_and_type("x" * 260)
    assert "File name too long" in user.state.dialogs.dialog.problem
    user.keys("Escape")
    assert not user.state.messages.problem


def test_the_longest_name_that_there_is_can_be_saved_to(user, work):
    name = "x" * 250 + ".json"
    user.keys("Ctrl+Shift+S")
    user.clear_and_type(name)
    assert user.state.dialogs.dialog is None
    assert load(work / name) == a_scene()


def test_whether_to_overwrite_is_answered_by_keyboard_and_enter_alone_overwrites_nothing(user, work):
    other = work / "b.scene.json"
    other.write_text("precious")
    user.keys("Ctrl+Shift+S")
    user.clear_and_type("b.scene.json")
    user.keys("Enter")
    assert user.state.dialogs.dialog.overwrites is None
    user.clear_and_type("b.scene.json")
    assert user.state.dialogs.dialog.overwrites == other
    assert other.read_text() == "precious"
    user.keys("Left", "Enter")
    assert user.state.dialogs.dialog is None
    assert load(other) == a_scene()


def test_what_another_program_writes_after_the_question_is_not_overwritten(user, work):
    other = work / "b.scene.json"
    other.write_text("precious")
    user.keys("Ctrl+Shift+S")
    user.clear_and_type("b.scene.json")
    other.write_text("more precious")
    user.keys("Left", "Enter")
    assert "another program has written it" in user.state.dialogs.dialog.problem
    assert other.read_text() == "more precious"


def test_with_a_dialog_the_keys_of_the_scene_do_nothing(user):
    before = user.state.session.scene
    click_on_ray(user)
    user.keys("Delete")
    user.close()
    user.keys("N", "P", "Delete", "Ctrl+Z", "T", "Space")
    assert user.state.host.closed and user.state.tool.armed is None
    assert load(user.state.session.document.path) == user.state.session.scene != before


@pytest.mark.parametrize(
    "keys, done, kept",
    [
        (["Enter"], True, False),
        (["Tab", "Enter"], True, True),
        (["Right", "Right", "Enter"], False, True),
        (["Escape"], False, True),
    ],
)
def test_the_question_before_closing_is_answered_by_keyboard(user, work, keys, done, kept):
    click_on_ray(user)
    user.keys("Delete")
    user.close()
    user.keys(*keys)
    assert user.state.host.closed == done
    assert user.state.dialogs.closing is None
    assert (load(work / "a.scene.json") == a_scene()) == kept


def test_f12_saves_a_picture_under_a_free_name_and_shows_it(user, work):
    user.keys("F12", "F12")
    assert sorted(path.name for path in work.glob("*.png")) == ["a-2.png", "a.png"]
    assert user.state.messages.notice == f"Saved {work / 'a-2.png'}"


# Settings


def test_what_is_chosen_in_the_window_is_in_the_settings_file_at_once(user, home):
    user.keys("T")
    assert json.loads((home / "settings.json").read_text()) == {"theme": "light"} | FRESH
    user.keys("C", "T")
    assert json.loads((home / "settings.json").read_text()) == {"theme": "dark", "palette": "blue-orange"} | FRESH


# Opening


def test_a_file_is_opened_by_its_path_and_remembered(user, work, home):
    other = replace(a_scene(), name="other")
    (work / "sub").mkdir()
    save(other, work / "sub" / "b.scene.json")
    user.keys("Ctrl+O")
    assert isinstance(user.state.dialogs.dialog, OpenFile)
    listing = user.state.dialogs.dialog.listing
    assert (Path(listing.folder), listing.folders, listing.files) == (work, ("sub",), ("a.scene.json",))
    user.type("sub")
    user.keys("Enter")
    assert user.state.dialogs.dialog.listing.files == ("b.scene.json",)
    user.type("b.scene.json")
    user.keys("Enter")
    assert user.state.dialogs.dialog is None
    assert user.state.session.scene == other
    assert json.loads((home / "settings.json").read_text())["recent"] == [str(work / "sub" / "b.scene.json")]
    user.keys("Ctrl+O")
    assert user.state.dialogs.dialog.listing.recent == (str(work / "sub" / "b.scene.json"),)


def test_a_file_is_chosen_by_keyboard(user, work):
    save(replace(a_scene(), name="b"), work / "b.scene.json")
    user.keys("Ctrl+O", "Down", "Down", "Down", "Enter")
    assert user.state.session.scene.name == "b"


def test_a_path_that_was_typed_is_opened_by_the_button_too(user, work):
    save(replace(a_scene(), name="b"), work / "b.scene.json")
    user.keys("Ctrl+O")
    user.click_on("Open")
    assert isinstance(user.state.dialogs.dialog, OpenFile)
    user.type("b.scene.json")
    user.click_on("Open")
    assert (user.state.dialogs.dialog, user.state.session.scene.name) == (None, "b")


def test_g_hides_the_grid_and_that_is_kept(user, home):
    ruled = user.state.display.picture_theme
    user.keys("G")
    assert (
        user.state.display.picture_theme.grid_minor_opacity,
        user.state.display.picture_theme.grid_major_opacity,
    ) == (0.0, 0.0)
    assert json.loads((home / "settings.json").read_text())["grid"] is False
    user.keys("G")
    assert user.state.display.picture_theme == ruled
    assert json.loads((home / "settings.json").read_text())["grid"] is True


def test_a_path_that_was_typed_is_gone_in_the_folder_that_it_led_to(user, work):
    (work / "sub").mkdir()
    user.keys("Ctrl+O")
    user.type("sub")
    user.keys("Enter")
    assert Path(user.state.dialogs.dialog.listing.folder) == work / "sub"
    user.type("x")
    assert user.state.dialogs.dialog.typed == "x"


def test_a_missing_file_is_reported_in_the_dialog(user):
    user.keys("Ctrl+O")
    user.type("nothing")
    user.keys("Enter")
    assert "expected a file or a folder, found none" in user.state.dialogs.dialog.problem


def test_a_file_that_is_open_is_not_opened_twice(user, work):
    click_on_ray(user)
    user.keys("Delete")
    after = user.state.session.scene
    user.take(HostEvent, "drop", (recorded_file(work / "a.scene.json"),))
    assert len(user.state.session.listed.documents) == 1
    assert user.state.session.scene == after


def test_a_dropped_scene_is_shown_and_the_one_before_keeps_its_edits(user, work):
    click_on_ray(user)
    user.keys("Delete")
    first = user.state.session.document
    save(replace(a_scene(), name="b"), work / "b.scene.json")
    user.take(HostEvent, "drop", (recorded_file(work / "b.scene.json"),))
    assert user.state.session.scene.name == "b"
    assert user.state.session.unsaved == [first]
    user.keys("[")
    assert user.state.session.document is first


def test_a_dropped_mesh_is_a_new_scene_that_is_saved_on_demand_and_asked_about_once_it_is_edited(user, work):
    (work / "tetra.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    user.take(HostEvent, "drop", (recorded_file(work / "tetra.obj"),))
    assert [primitive.id for primitive in user.state.session.scene.primitives] == ["tetra"]
    assert len(user.state.session.report.elements) == 4
    assert not user.state.session.unsaved, "it was looked at only"
    user.keys("Ctrl+A", "Ctrl+D")
    assert user.state.session.unsaved == [user.state.session.document]
    user.keys("Ctrl+S")
    assert load(work / "tetra.scene.json") == user.state.session.scene
    user.replayable = False  # the name that was free is taken now


def test_a_mesh_that_cannot_be_read_is_reported_and_leaves_no_document(user, work):
    (work / "broken.obj").write_text("f 1 2 3")
    before = user.state.session.document
    user.take(HostEvent, "drop", (recorded_file(work / "broken.obj"),))
    assert "broken.obj: expected" in user.state.messages.problem
    assert user.state.session.document is before
    assert user.state.session.listed.documents == [before] and user.state.session.listed.index == 0


def test_a_file_that_is_neither_scene_nor_mesh_is_reported(user, work):
    (work / "notes.txt").write_text("")
    user.take(HostEvent, "drop", (recorded_file(work / "notes.txt"),))
    assert "expected a scene (.json) or a mesh" in user.state.messages.problem


# The gallery


def test_the_gallery_shows_the_example_that_is_clicked(user):
    user.keys("Ctrl+G")
    assert isinstance(user.state.dialogs.dialog, Gallery)
    first = user.state.dialogs.dialog.examples[0]
    user.click((150, 220))
    assert user.state.dialogs.dialog is None
    assert user.state.session.document.path == first.path
    assert user.state.session.document.example
    assert user.state.session.scene == load(first.path)


def test_the_gallery_is_searched_by_typing_and_one_escape_closes_it(user):
    user.keys("Ctrl+G")
    user.type("sign of zero")
    assert user.state.dialogs.dialog.typed == "sign of zero"
    user.click((150, 220))
    assert "slabs-ieee" in user.state.session.document.path.parts
    user.keys("Ctrl+G")
    user.type("no such words")
    user.click((150, 220))
    user.keys("Escape")
    assert user.state.dialogs.dialog is None


def test_the_gallery_is_searched_and_its_first_scene_opened_by_keyboard(user):
    user.keys("Ctrl+G")
    user.type("sign of zero")
    user.keys("Enter")
    assert user.state.dialogs.dialog is None
    assert "slabs-ieee" in user.state.session.document.path.parts


def test_the_gallery_is_searched_by_the_names_of_folders_and_files_too(user):
    for typed in ("degenerate/touch", "IRLAN scene"):
        user.keys("Ctrl+G")
        user.type(typed)
        user.keys("Enter")
        assert user.state.dialogs.dialog is None
        found = user.state.session.document.path.relative_to(SCENES).as_posix()
        assert all(word in found for word in typed.casefold().split())


def test_a_search_of_the_gallery_that_finds_nothing_can_be_typed_over(user):
    user.keys("Ctrl+G")
    user.type("zzz")
    user.keys("Enter", "Ctrl+A")
    user.type("sign of zero")
    assert user.state.dialogs.dialog.typed == "sign of zero"


def test_a_scene_of_the_gallery_is_chosen_with_the_arrows(user):
    user.keys("Ctrl+G", "Down", "Right", "Enter")
    assert user.state.dialogs.dialog is None
    assert user.state.session.document.path in [example.path for example in examples()[1:3]]


def test_the_gallery_shows_what_the_survey_found(user):
    first, second = (SCENES / f"{name}.scene.json" for name in START_HERE[:2])
    user.keys("Ctrl+G")
    user.wait_for(lambda: {first, second} <= set(user.state.dialogs.findings))
    assert {finding.problem for finding in user.state.dialogs.findings.values()} == {""}
    user.keys("Escape")
    assert user.state.dialogs.dialog is None


def test_the_gallery_has_the_users_scenes_after_those_to_start_with(user, work):
    save(replace(a_scene(), name="Bridge", description="A bridge. And more."), work / "b.scene.json")
    user.host._settings.remember_file(work / "gone.scene.json")
    user.host._settings.remember_file(work / "b.scene.json")
    user.host._settings.remember_file(work / "a.scene.json")
    user.click(user.pixel((0.5, 0.8, 1.0)))
    user.keys("Up", "Ctrl+N", "Ctrl+G")
    dialog = user.state.dialogs.dialog
    paths = [work / "a.scene.json", UNTITLED, work / "b.scene.json", work / "gone.scene.json"]
    assert [scene.path for scene in dialog.own] == paths
    assert [scene.unsaved for scene in dialog.own] == [True, False, False, False]
    assert [scene.missing for scene in dialog.own] == [False, False, False, True]
    assert (dialog.own[2].name, dialog.own[2].line) == ("Bridge", "A bridge.")
    assert list(dict.fromkeys(scene.theme for scene in dialog.all))[:2] == [START, OWN]
    user.wait_for(lambda: {work / "a.scene.json", work / "b.scene.json"} <= set(user.state.dialogs.findings))
    assert user.state.dialogs.findings[work / "b.scene.json"].thumbnail is not None


def test_an_open_scene_that_is_chosen_in_the_gallery_is_shown_with_its_changes(user, work):
    user.click(user.pixel((0.5, 0.8, 1.0)))
    user.keys("Up")
    changed = user.state.session.document
    user.keys("Ctrl+N")
    untitled = user.state.session.document
    user.keys("Ctrl+G")
    user.click_on(str(work / "a.scene.json"))
    assert user.state.session.document is changed and changed.changed
    user.keys("Ctrl+G")
    user.click_on(str(untitled.path))
    assert user.state.session.document is untitled
    user.keys("[", "Ctrl+Z")


def test_a_recent_file_is_searched_and_opened_in_the_gallery_and_a_missing_one_is_not(user, work):
    save(replace(a_scene(), name="Bridge"), work / "b.scene.json")
    for name in ("b", "gone"):
        user.host._settings.remember_file(work / f"{name}.scene.json")
    user.keys("Ctrl+G")
    user.type("gone")
    user.keys("Enter")
    user.click_on(str(work / "gone.scene.json"))
    assert isinstance(user.state.dialogs.dialog, Gallery)
    user.click_on("sought")
    user.keys("Ctrl+A")
    user.type("bridge")
    user.keys("Enter")
    assert user.state.dialogs.dialog is None
    assert user.state.session.document.path == work / "b.scene.json"
    assert user.state.session.scene.name == "Bridge"


def test_a_recent_file_that_goes_while_the_gallery_is_open_is_reported(user, work):
    save(a_scene(), work / "b.scene.json")
    user.host._settings.remember_file(work / "b.scene.json")
    user.keys("Ctrl+G")
    (work / "b.scene.json").unlink()
    user.click_on(str(work / "b.scene.json"))
    assert user.state.messages.problem.endswith(f"found none: {work / 'b.scene.json'}")
    assert user.state.session.document.path == work / "a.scene.json"


# Changes on disk


def test_a_file_that_changed_is_loaded_again_and_camera_and_selection_stay(user, work):
    click_on_ray(user)
    user.scroll(3.0, (500.0, 400.0))
    seen = user.state.display.viewpoint.camera
    save(moved(a_scene(), 1.0), work / "a.scene.json")
    user.wait_for(lambda: user.state.session.scene == moved(a_scene(), 1.0))
    assert user.state.selection.last == Target("probe", "ray")
    assert user.state.display.viewpoint.camera == seen
    assert not user.state.session.document.changed
    user.keys("Ctrl+Z")
    assert user.state.session.scene == a_scene()
    assert user.state.messages.notice == "Undone: reload"


def test_what_changed_while_another_document_was_shown_is_loaded_when_it_is_shown_again(user, work):
    user.move((500.0, 500.0))
    save(replace(a_scene(), name="b"), work / "b.scene.json")
    user.take(HostEvent, "drop", (recorded_file(work / "b.scene.json"),))
    save(moved(a_scene(), 1.0), work / "a.scene.json")
    user.keys("[")
    user.wait_for(lambda: user.state.session.scene == moved(a_scene(), 1.0))


def test_a_broken_file_is_reported_and_the_last_good_scene_stays_until_it_is_mended(user, work):
    text = (work / "a.scene.json").read_text()
    (work / "a.scene.json").write_text(text[:-20])
    user.wait_for(lambda: user.state.messages.problem)
    assert "a.scene.json:" in user.state.messages.problem
    assert user.state.session.scene == a_scene()
    (work / "a.scene.json").write_text(text)
    user.wait_for(lambda: not user.state.messages.problem)
    assert user.state.session.document.undo_name is None


def test_a_file_that_could_not_be_opened_is_as_soon_as_it_is_mended(user, work):
    broken = work / "b.scene.json"
    broken.write_text("{")
    user.take(HostEvent, "drop", (recorded_file(broken),))
    assert "b.scene.json:1:2" in user.state.messages.problem
    user.wait_for_looks(2)
    save(replace(a_scene(), name="b"), broken)
    user.wait_for(lambda: user.state.session.scene.name == "b")
    assert not user.state.messages.problem


def test_a_pipe_is_refused_in_the_dialog(user, work):
    os.mkfifo(work / "p.scene.json")
    user.keys("Ctrl+O")
    user.clear_and_type("p.scene.json")
    assert (
        user.state.dialogs.dialog.problem == f"{work / 'p.scene.json'}: expected a file, found a pipe or a device"
    )
    assert len(user.state.session.listed.documents) == 1


def test_a_pipe_that_is_dropped_or_replaces_the_file_is_refused(user, work):
    says = "expected a file, found a pipe or a device"
    os.mkfifo(work / "p.scene.json")
    user.take(HostEvent, "drop", (recorded_file(work / "p.scene.json"),))
    assert user.state.messages.problem == f"{work / 'p.scene.json'}: {says}"
    os.mkfifo(work / "q")
    (work / "q").replace(work / "a.scene.json")
    user.wait_for(lambda: user.state.messages.problem == f"{work / 'a.scene.json'}: {says}")
    assert user.state.session.scene == a_scene()


def test_all_errors_of_dropped_files_are_reported_and_none_of_these_files_stays(user, work):
    (work / "broken.scene.json").write_text("{")
    (work / "empty.scene.json").write_text("")
    (work / "notes.txt").write_text("")
    save(replace(a_scene(), name="b"), work / "b.scene.json")
    save(replace(a_scene(), name="c"), work / "c.scene.json")
    names = (
        "broken.scene.json",
        "b.scene.json",
        "notes.txt",
        "missing.scene.json",
        "c.scene.json",
        "empty.scene.json",
    )
    user.take(HostEvent, "drop", tuple(recorded_file(work / name) for name in names))
    for name in ("broken.scene.json:1:2", "empty.scene.json:1:1", "notes.txt", "missing.scene.json"):
        assert name in user.state.messages.problem
    assert [document.path.name[0] for document in user.state.session.listed.documents] == ["a", "b", "c"]
    assert (user.state.session.scene.name, user.state.session.position) == ("c", "3 / 3")
    assert user.state.messages.notice == "empty.scene.json is not open: this is c.scene.json"
    user.keys("[", "[")
    assert (user.state.session.document.path.name, user.state.session.position) == ("a.scene.json", "1 / 3")


def test_the_counter_and_the_status_say_what_is_shown_where_a_named_scene_is_broken(home, work):
    for name, text in (("b", "{"), ("c", None)):
        path = work / f"{name}.scene.json"
        save(replace(a_scene(), name=name), path) if text is None else path.write_text(text)
    state = open_state(DocumentList.of([work / f"{name}.scene.json" for name in "abc"]), SIZE)
    assert (state.session.position, title_of(state)) == ("1 / 3", "a.scene.json")
    press_key(state, "]")
    assert (state.session.position, title_of(state)) == ("1 / 3", "a.scene.json")
    assert state.messages.notice == "b.scene.json is not open: this is a.scene.json"
    press_key(state, "]")
    assert (state.session.position, title_of(state), state.messages.notice) == (
        "3 / 3",
        "c",
        "",
    )
    press_key(state, "[")
    assert state.session.position == "3 / 3"
    press_key(state, "[")
    assert state.session.position == "1 / 3"


def test_a_file_that_was_broken_when_the_window_was_opened_is_opened_as_soon_as_it_is_mended(home, work):
    path = work / "a.scene.json"
    path.write_text("{")
    host = DesktopHost(SettingsFile(), lambda state, options: PIXELS)
    state = open_state(DocumentList([Document(path)]), SIZE, files=host.files)
    host.begin(state)
    assert title_of(state) == "a.scene.json: not opened" and "a.scene.json:1:2" in state.messages.problem
    user = DiskUser(state, host)
    user.wait_for_looks(2)
    save(a_scene(), path)
    user.wait_for(lambda: state.session.scene == a_scene())
    assert (title_of(state), state.messages.problem) == ("a.scene.json", "")
    user.end()
    host.close()


def test_a_conflict_after_a_broken_file_clears_the_message(user, work):
    click_on_ray(user)
    user.keys("Delete")
    (work / "a.scene.json").write_text("{")
    user.wait_for(lambda: user.state.messages.problem)
    save(moved(a_scene(), 1.0), work / "a.scene.json")
    user.wait_for(lambda: user.state.dialogs.dialog)
    user.keys("Escape")
    assert user.state.messages.problem == ""


def test_saving_asks_first_where_another_program_has_just_written_the_file(user, work):
    click_on_ray(user)
    user.keys("Delete")
    after = user.state.session.scene
    save(moved(a_scene(), 1.0), work / "a.scene.json")
    user.keys("Ctrl+S")
    assert isinstance(user.state.dialogs.dialog, Conflict)
    assert load(work / "a.scene.json") == moved(a_scene(), 1.0)
    user.keys("Escape", "Ctrl+S")
    assert load(work / "a.scene.json") == after


def test_a_half_written_file_of_another_program_is_not_overwritten_before_it_was_reported(user, work):
    click_on_ray(user)
    user.keys("Delete")
    (work / "a.scene.json").write_text("{")
    user.keys("Ctrl+S")
    assert "another program has written it" in user.state.messages.problem
    assert (work / "a.scene.json").read_text() == "{"
    user.wait_for(lambda: "a.scene.json:1:2" in user.state.messages.problem)
    user.keys("Ctrl+S")
    assert (user.state.dialogs.dialog, (work / "a.scene.json").read_text()) == (
        Overwrite(user.state.session.document),
        "{",
    )
    user.keys("Escape")
    assert (user.state.dialogs.dialog, (work / "a.scene.json").read_text()) == (None, "{")
    user.keys("Ctrl+S", "Left", "Enter")
    assert load(work / "a.scene.json") == user.state.session.scene
    assert (user.state.dialogs.dialog, user.state.messages.problem, user.state.session.document.changed) == (
        None,
        "",
        False,
    )


def test_over_a_broken_file_nothing_is_saved_without_a_question_and_enter_alone_overwrites_nothing(user, work):
    user.wait_for_looks(1)
    (work / "a.scene.json").write_text("{")
    user.wait_for(lambda: user.state.messages.problem)
    assert not user.state.session.document.changed
    user.keys("Ctrl+S")
    assert user.state.dialogs.dialog == Overwrite(user.state.session.document)
    user.keys("Enter")
    assert user.state.dialogs.dialog is None
    assert (work / "a.scene.json").read_text() == "{"
    save(moved(a_scene(), 1.0), work / "a.scene.json")
    user.wait_for(lambda: user.state.session.scene == moved(a_scene(), 1.0))
    user.keys("Ctrl+S")
    assert user.state.dialogs.dialog is None


def test_save_as_asks_before_it_overwrites_the_documents_own_broken_file(user, work):
    user.wait_for_looks(1)
    (work / "a.scene.json").write_text("{")
    user.wait_for(lambda: user.state.messages.problem)
    user.keys("Ctrl+Shift+S", "Enter")
    assert user.state.dialogs.dialog.overwrites == work / "a.scene.json"
    assert (work / "a.scene.json").read_text() == "{"


def test_a_broken_file_is_reported_however_fast_keys_are_pressed(user, work):
    click_on_ray(user)
    user.keys("Delete")
    user.wait_for_looks(1)
    (work / "a.scene.json").write_text("{")
    for _ in range(8):
        user.keys("Shift")
    assert "a.scene.json:1:2" in user.state.messages.problem
    user.keys("Ctrl+S")
    assert user.state.dialogs.dialog == Overwrite(user.state.session.document)


def test_before_closing_a_broken_file_opens_a_question_and_the_window_stays_open_without_an_answer(user, work):
    click_on_ray(user)
    user.keys("Delete")
    (work / "a.scene.json").write_text("{")
    user.wait_for(lambda: user.state.messages.problem)
    user.close()
    user.keys("Enter")
    assert user.state.dialogs.dialog == Overwrite(user.state.session.document)
    user.keys("Escape")
    assert (user.state.host.closed, user.state.jobs.closing, user.state.messages.notice) == (
        False,
        None,
        "The window stays open",
    )
    assert (work / "a.scene.json").read_text() == "{"
    user.close()
    user.keys("Enter")
    user.keys("Left", "Enter")
    assert user.state.host.closed
    assert load(work / "a.scene.json") == user.state.session.scene


def test_a_broken_file_is_reported_again_when_its_document_is_shown_again(user, work):
    user.wait_for_looks(1)
    (work / "a.scene.json").write_text("{")
    user.wait_for(lambda: user.state.messages.problem)
    save(replace(a_scene(), name="b"), work / "b.scene.json")
    user.take(HostEvent, "drop", (recorded_file(work / "b.scene.json"),))
    assert (user.state.session.scene.name, user.state.messages.problem) == ("b", "")
    user.keys("[")
    assert "a.scene.json:1:2" in user.state.messages.problem


def test_a_file_that_breaks_after_a_reload_is_no_longer_reported_as_loaded(user, work):
    save(moved(a_scene(), 1.0), work / "a.scene.json")
    user.wait_for(lambda: "loaded again" in user.state.messages.notice)
    (work / "a.scene.json").write_text("{")
    user.wait_for(lambda: user.state.messages.problem)
    assert (
        user.state.messages.notice
        == "a.scene.json was changed on disk and cannot be read: this is its last readable content"
    )


def test_changes_of_a_hidden_document_by_another_program_open_a_question_before_closing_saves_it(user, work):
    click_on_ray(user)
    user.keys("Delete")
    first = user.state.session.document
    save(replace(a_scene(), name="b"), work / "b.scene.json")
    user.take(HostEvent, "drop", (recorded_file(work / "b.scene.json"),))
    theirs = moved(a_scene(), 1.0)
    save(theirs, work / "a.scene.json")
    user.wait_for_looks(3)
    user.close()
    user.keys("Enter")
    assert (user.state.host.closed, (user.state.dialogs.closing is not None)) == (False, False)
    assert user.state.dialogs.dialog == Conflict(first, theirs)
    assert load(work / "a.scene.json") == theirs
    user.keys("Enter")
    assert (first.scene, first.changed, user.state.session.scene.name) == (theirs, False, "b")
    user.close()
    assert user.state.host.closed


@pytest.mark.parametrize("mine", [True, False])
def test_where_file_and_document_both_changed_a_dialog_asks_which_to_keep(user, work, mine):
    click_on_ray(user)
    user.keys("Delete")
    after = user.state.session.scene
    save(moved(a_scene(), 1.0), work / "a.scene.json")
    user.wait_for(lambda: user.state.dialogs.dialog)
    assert isinstance(user.state.dialogs.dialog, Conflict)
    if mine:
        user.keys("Escape")
        assert (user.state.session.scene, user.state.session.document.changed) == (after, True)
        assert user.state.messages.notice == "Kept this scene; saving overwrites a.scene.json"
        user.keys("Ctrl+Z")
        assert (user.state.session.scene, user.state.session.document.changed) == (a_scene(), True)
    else:
        user.click_on("Load from disk")
        assert (user.state.session.scene, user.state.session.document.changed) == (moved(a_scene(), 1.0), False)
    assert user.state.dialogs.dialog is None


def test_a_reload_that_another_document_came_before_is_done_when_the_first_is_shown_again(user, work, monkeypatch):
    user.move((500.0, 500.0))
    save(replace(a_scene(), name="b"), work / "b.scene.json")
    user.take(HostEvent, "drop", (recorded_file(work / "b.scene.json"),))
    user.keys("[")
    user.wait_for_looks(1)
    user.state.limits = Limits(patience_s=0.0, background_from=1)
    monkeypatch.setattr(DiskUser, "wait_for_work", lambda self: None)
    box = AabbPrimitive(id="new", min=(0.0, 0.0, 0.0), max=(9.0, 9.0, 9.0))
    after = replace(a_scene(), primitives=(*a_scene().primitives, box))
    save(after, work / "a.scene.json")
    user.wait_for(lambda: user.state.jobs.opening)
    assert user.state.session.scene == a_scene()
    user.take(KeyDown, "]", ())
    monkeypatch.undo()
    user.wait_for_work()
    assert user.state.session.scene.name == "b"
    user.keys("[")
    assert user.state.session.scene == a_scene()
    user.wait_for(lambda: user.state.session.scene == after)
    assert not user.state.session.document.changed


def test_what_hitscope_saves_is_not_loaded_again(user, work):
    click_on_ray(user)
    user.keys("Delete", "Ctrl+S")
    user.wait_for_looks(5)
    assert user.state.session.document.undo_name == "delete ray"
    assert not user.state.session.document.changed


def test_a_file_that_was_removed_counts_as_not_saved_and_saving_writes_it_again(user, work):
    user.wait_for_looks(1)
    os.unlink(work / "a.scene.json")
    user.wait_for(lambda: user.state.session.document.changed)
    assert "was removed" in user.state.messages.notice
    user.keys("Ctrl+S")
    assert load(work / "a.scene.json") == a_scene()


def test_why_a_save_failed_is_still_shown_when_the_file_is_found_to_be_removed(user, work):
    user.wait_for_looks(1)
    click_on_ray(user)
    user.keys("Delete")
    work.rename(work.with_name("elsewhere"))
    user.keys("Ctrl+S")
    refused = user.state.messages.problem
    assert refused.startswith("cannot save ")
    user.wait_for(lambda: "was removed" in user.state.messages.notice)
    assert user.state.messages.problem == refused


def test_that_compiled_code_cannot_be_kept_is_shown_once(user, monkeypatch):
    monkeypatch.setattr(code_files, "problems", ["/cache: compiled code cannot be kept"])
    user.wait_for(lambda: user.state.messages.problem == "/cache: compiled code cannot be kept")
    user.keys("Ctrl+S")
    user.wait_for_looks(2)
    assert user.state.messages.problem == ""


@pytest.mark.parametrize("now", [a_scene(), moved(a_scene(), 1.0)])
def test_a_file_that_was_removed_and_comes_back_is_followed_without_a_question(user, work, now):
    user.wait_for_looks(1)
    os.unlink(work / "a.scene.json")
    user.wait_for(lambda: user.state.session.document.changed)
    save(now, work / "a.scene.json")
    user.wait_for(lambda: not user.state.session.document.changed)
    assert user.state.session.scene == now
    assert user.state.dialogs.dialog is None
    assert "removed" not in user.state.messages.notice


def test_a_file_whose_name_is_not_unicode_is_opened_listed_and_saved(user, work, home):
    path = work / os.fsdecode(b"bad\xff.scene.json")
    save(a_scene(), path)
    user.replayable = False  # a recording has no way to name it
    user.recorder.take = lambda given: None
    user.take(HostEvent, "open", (recorded_file(path),))
    click_on_ray(user)
    user.keys("Delete")
    user.wait_for(lambda: list((home / "state").rglob("*.autosave")))
    user.keys("Ctrl+S")
    assert load(path) == user.state.session.scene
    user.keys("Ctrl+O")
    assert path.name in user.state.dialogs.dialog.listing.files
    user.keys("Escape", "Ctrl+Shift+S")
    assert user.state.dialogs.dialog.typed == "bad\ufffd.scene.json"
    user.clear_and_type("good")
    assert load(work / "good.scene.json") == user.state.session.scene


def test_a_recording_ends_with_an_error_where_a_name_is_not_unicode(user, work):
    path = work / os.fsdecode(b"bad\xff.scene.json")
    with pytest.raises(HitscopeError, match="a file name is not valid UTF-8; rename the file"):
        user.recorder.take(HostEvent(0, "open", (recorded_file(path),)))


# After a crash


def crash(home, path, scene):
    """Leave the autosave of a session that was killed after it changed a document into `scene`."""
    document = Document(path)
    document.begin(load(document.path))
    document.edit(scene)
    autosave = Autosave()
    autosave.update({document: document.scene}, now=0.0)
    while not list((home / "state").rglob("*.autosave")):
        pass
    autosave._lock.release()


def test_what_a_crash_left_is_offered_while_it_is_recorded_and_restored_in_the_recording_too(
    home, work, tmp_path, widgets
):
    crash(home, work / "a.scene.json", moved(a_scene(), 1.0))
    path, start = tmp_path / "it.recording", recording_start([work / "a.scene.json"], tmp_path, SIZE)
    host = DesktopHost(SettingsFile(), lambda state, options: PIXELS)
    state = open_state(DocumentList([Document(work / "a.scene.json")]), SIZE, files=host.files, limits=WINDOWED)
    host.begin(state)
    user = DiskUser(state, host, Recorder(path, start), widgets)
    user.wait_for(lambda: state.dialogs.dialog)
    user.click_on("Restore")
    user.wait_for(lambda: state.session.scene == moved(a_scene(), 1.0))
    user.click(user.pixel((-2.0, -0.5, 0.5)))
    user.keys("Delete")
    user.end()
    host.close()
    assert state.session.document.undo_name == "delete ray"
    shutil.rmtree(home)
    with UserInterface(state_of(Recording.read(path))) as interface:
        replay(Recording.read(path), interface)
        assert ending(interface.state) == ending(state)


def test_a_drag_has_its_autosave_while_it_lasts_and_none_after_escape(user, home):
    click_on_ray(user)
    user.drag(user.pixel((-3.0, -0.5, 0.5)), (300, 500), release=False)
    user.wait_for(lambda: list((home / "state").rglob("*.autosave")))
    dragged = user.state.session.scene
    assert dragged.probes[1].origin != a_scene().probes[1].origin
    (autosave,) = (home / "state").rglob("*.autosave")
    assert loads(autosave.read_bytes().partition(b"\n")[2], "it") == dragged
    user.keys("Escape")
    user.wait_for_looks(2)
    assert not list((home / "state").rglob("*.autosave"))
    user.release()


def test_what_is_recorded_has_its_autosave(user, home):
    click_on_ray(user)
    user.keys("Delete")
    user.wait_for(lambda: list((home / "state").rglob("*.autosave")))


def test_what_a_crash_left_is_offered_and_restored_as_an_edit(home, work):
    crash(home, work / "a.scene.json", moved(a_scene(), 1.0))
    host = DesktopHost(SettingsFile(), lambda state, options: PIXELS)
    state = open_state(DocumentList([Document(work / "a.scene.json")]), SIZE, files=host.files)
    host.begin(state)
    user = DiskUser(state, host)
    user.wait_for(lambda: state.dialogs.dialog)
    assert isinstance(state.dialogs.dialog, Recovery)
    user.keys("F12")  # does nothing before it is answered
    assert state.host.requests == []
    recovery.restore(state, state.dialogs.dialog.leftovers[0])
    user.wait_for(lambda: state.dialogs.dialog is None and not state.host.requests)
    assert state.session.scene == moved(a_scene(), 1.0)
    assert state.session.document.undo_name == "restore the autosave"
    user.keys("Ctrl+S")
    user.end()
    assert load(work / "a.scene.json") == moved(a_scene(), 1.0)
    assert list((home / "state").rglob("*.autosave")) == []
    host.close()


# The clipboard


def test_what_is_copied_is_pasted_under_a_free_name_and_selected(user):
    click_on_ray(user)
    user.keys("Ctrl+C")
    assert json.loads(user.state.host.clipboard)["probes"][0]["id"] == "ray"
    user.keys("Ctrl+V")
    assert user.state.session.scene.probe_ids == ("above", "ray", "ray-2")
    assert user.state.selection.targets == (Target("probe", "ray-2"),)
    assert user.state.session.scene.probes[2].origin == user.state.session.scene.probes[1].origin
    user.keys("Ctrl+Z")
    assert user.state.messages.notice == "Undone: paste ray-2"
    assert user.state.session.scene == a_scene()


def test_what_is_cut_is_gone_and_comes_back_by_paste(user):
    click_on_ray(user)
    user.keys("Ctrl+X")
    assert user.state.session.scene.probe_ids == ("above",)
    assert user.state.session.document.undo_name == "cut ray"
    user.keys("Ctrl+V")
    assert user.state.session.scene.probe_ids == ("above", "ray")


def test_with_nothing_selected_the_view_is_copied_and_pasted(user):
    before = user.state.display.viewpoint.camera
    user.keys("Ctrl+C")
    user.drag((500.0, 500.0), (650.0, 430.0))
    assert user.state.display.viewpoint.camera.eye != before.eye
    user.keys("Ctrl+V")
    assert user.state.display.viewpoint.camera.eye == pytest.approx(before.eye)
    assert user.state.session.document.undo_name is None


def test_the_clipboard_of_another_program_is_pasted_or_refused_with_a_reason(user):
    user.take(Clipboard, '{"type": "point", "position": [0, 0, 5]}')
    user.keys("Ctrl+V")
    assert user.state.session.scene.probes[-1].position == (0.0, 0.0, 5.0)
    user.take(Clipboard, "shopping list")
    user.keys("Ctrl+V")
    assert user.state.messages.problem.startswith("clipboard: expected numbers such as (1, 2, 3), or as JSON a")


@pytest.mark.parametrize("probe, is_hit", [((-2.0, -0.5, 0.5), True), ((-2.0, 2.0, 0.0), False)])
def test_a_selected_probe_is_copied_as_a_test_that_passes(user, probe, is_hit):
    user.click(user.pixel(probe))
    user.keys("Ctrl+Shift+C")
    assert f"assert verdict.hit is {is_hit}" in user.state.host.clipboard
    made = {}
    exec(user.state.host.clipboard, made)
    tests = [value for name, value in made.items() if name.startswith("test_")]
    assert len(tests) == 1
    tests[0]()


def test_with_nothing_selected_every_hit_is_a_test(user):
    user.keys("Ctrl+Shift+C")
    assert user.state.host.clipboard.count("def test_") == 1
    assert "test_ray_on_box" in user.state.host.clipboard

"""The dialog that opens a file: typing filters its list, and a double click acts once."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from hitscope.scene import save
from hitscope.viewer.state.dialogs import OpenFile
from hitscope.viewer.state.inputs import Press, Release
from tests.viewer.samples import box_and_two_probes


@pytest.fixture
def user(open_paths, work):
    """A user with the dialog open on a folder with folders in it."""
    for folder in ("alpha/alpha/alpha", "beta"):
        (work / folder).mkdir(parents=True)
    save(replace(box_and_two_probes(), name="deep"), work / "alpha" / "deep.scene.json")
    (work / "a.txt").write_text("")
    user = open_paths("a.scene.json")
    user.keys("Ctrl+O")
    return user


def names(user):
    """The rows, without those of recent files."""
    return [entry.name for entry in user.state.dialogs.dialog.entries if entry.kind != "recent"]


def double_click(user, label):
    """Click twice on a widget, without looking where it is the second time."""
    pixel = user.middle_of(label)
    for _ in range(2):
        user.take(Press, "Left", *pixel)
        user.take(Release, "Left", *pixel)


def test_a_double_click_on_a_folder_opens_one_folder(user, work):
    double_click(user, "folder alpha")
    assert Path(user.state.dialogs.dialog.listing.folder) == work / "alpha"
    user.pass_time(1000)
    user.click_on("folder alpha")
    assert Path(user.state.dialogs.dialog.listing.folder) == work / "alpha" / "alpha"


def test_what_is_typed_after_a_double_click_goes_into_the_field(user):
    double_click(user, "folder alpha")
    user.type("de")
    assert user.state.dialogs.dialog.typed == "de"
    user.keys("Enter")
    assert user.state.session.scene.name == "deep"


def test_a_double_click_on_a_file_leaves_the_scene_under_it_alone(user):
    user.type("b.scene")
    double_click(user, "file b.scene.json")
    assert user.state.session.scene.name == "b"
    assert user.state.tool.drag is None and user.selected == []


def test_a_double_click_on_save_does_not_overwrite_another_file(user, work):
    user.keys("Escape", "Ctrl+Shift+S", "Ctrl+A")
    user.type("b.scene.json")
    before = (work / "b.scene.json").read_bytes()
    double_click(user, "Save")
    assert user.state.dialogs.dialog.overwrites is not None
    assert (work / "b.scene.json").read_bytes() == before


def test_typed_text_filters_the_list_and_enter_opens_the_best_match(user):
    assert names(user) == ["..", "alpha", "beta", "a.scene.json", "b.scene.json", "wedge.obj"]
    user.type("B")
    assert names(user) == ["beta", "b.scene.json", "wedge.obj"]
    user.type(".")
    assert names(user) == ["b.scene.json"]
    assert not user.sees("folder alpha") and user.sees("file b.scene.json")
    user.keys("Enter")
    assert user.state.session.scene.name == "b"


def test_arrow_keys_choose_among_what_is_filtered(user):
    user.type("b")
    user.keys("Down", "Up", "Down")
    assert user.state.dialogs.dialog.chosen_entry.name == "b.scene.json"
    user.type("e")
    assert user.state.dialogs.dialog.typed == "be"
    assert user.state.dialogs.dialog.chosen_entry.name == "beta"


def test_tab_completes_a_folder_and_a_file(user, work):
    user.type("alp")
    user.keys("Tab")
    dialog = user.state.dialogs.dialog
    assert (Path(dialog.listing.folder), dialog.typed) == (work / "alpha", "")
    user.type("d")
    user.keys("Down", "Tab")
    assert user.state.dialogs.dialog.typed == "deep.scene.json"
    user.type("!")
    assert user.state.dialogs.dialog.typed == "deep.scene.json!"


def test_the_folder_of_a_typed_path_is_listed_and_the_rest_filters_it(user, work):
    user.type("alpha/d")
    dialog = user.state.dialogs.dialog
    assert (Path(dialog.listing.folder), dialog.typed) == (work / "alpha", "d")
    assert names(user) == ["deep.scene.json"]
    user.type("e")
    assert (dialog.typed, names(user)) == ("de", ["deep.scene.json"])


def test_a_tilde_is_the_home_folder(user, work, monkeypatch):
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(work / "alpha"))
    user.type("~/")
    assert Path(user.state.dialogs.dialog.listing.folder) == work / "alpha"
    user.keys("Escape", "Ctrl+O")
    user.type("~")
    user.keys("Enter")
    assert Path(user.state.dialogs.dialog.listing.folder) == work / "alpha"


def test_a_file_is_no_folder_of_a_typed_path(user):
    user.type("b.scene.json/")
    assert isinstance(user.state.dialogs.dialog, OpenFile)
    assert "expected a folder, found a file" in user.state.dialogs.dialog.problem
    assert user.state.dialogs.dialog.typed == "b.scene.json/"


def test_what_is_typed_while_a_folder_is_listed_is_kept(user, work):
    answer, user.host.poll = user.host.poll, lambda state, at: ()
    user.type("alpha/")
    user.type("dee")
    user.host.poll = answer
    user.move((5.0, 5.0))
    assert Path(user.state.dialogs.dialog.listing.folder) == work / "alpha"
    assert user.state.dialogs.dialog.typed == "dee"
    user.type("p")
    assert user.state.dialogs.dialog.typed == "deep"

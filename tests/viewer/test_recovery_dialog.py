"""The dialog that offers the autosaves of crashed sessions."""

import pytest

from hitscope.viewer.state.host import Discard, Restore
from hitscope.viewer.state.inputs import CrashFound, Leftover


@pytest.fixture
def leftovers(tmp_path):
    return tuple(
        Leftover(str(tmp_path / f"{name}.autosave"), str(tmp_path / f"{name}.scene.json"), 1e9, "1 probe changed")
        for name in "abc"
    )


@pytest.fixture
def user(open_viewer, leftovers):
    """A user who is asked about three autosaves."""
    user = open_viewer()
    user.take(CrashFound, leftovers)
    return user


def test_what_is_found_late_takes_no_keys(open_viewer, leftovers):
    user = open_viewer()
    user.keys("N", "P")
    user.take(CrashFound, leftovers)
    assert user.state.dialogs.dialog is None and user.state.tool.armed is not None
    user.keys("Escape", "Enter", "T")
    assert user.state.dialogs.dialog is None and user.state.host.requests == []
    user.click_on("Show them")
    assert user.state.dialogs.dialog.unanswered == list(leftovers)
    user.keys("Escape")
    user.take(CrashFound, leftovers)
    user.click_on("Later")
    assert user.state.dialogs.dialog is None and not user.sees("Show them")


def test_the_rows_keep_their_place_when_one_is_answered(user, leftovers):
    last_row = user.find("Restore")
    user.click_on("Restore")
    assert user.state.host.requests == [Restore(leftovers[2])]
    assert user.find("Restore all") is not None
    row_before = user.find("Restore")
    assert row_before.bottom < last_row.top
    before = user.find("Discard all")
    user.click_on("Discard")
    assert user.state.host.requests[1:] == [Discard(leftovers[1])]
    assert user.find("Discard all") == before
    assert user.state.dialogs.dialog.unanswered == [leftovers[0]]
    user.click_on("Discard")
    assert user.state.dialogs.dialog is None


@pytest.mark.parametrize("label, kind", [("Restore all", Restore), ("Discard all", Discard)])
def test_one_button_answers_for_all_that_are_left(user, leftovers, label, kind):
    user.click_on("Discard")
    user.click_on(label)
    assert user.state.host.requests == [Discard(leftovers[2]), kind(leftovers[0]), kind(leftovers[1])]
    assert user.state.dialogs.dialog is None


def test_many_autosaves_leave_the_buttons_in_the_window(open_viewer, leftovers):
    user = open_viewer(size=(800, 600))
    many = tuple(Leftover(f"{i}", f"/tmp/{i}.scene.json", 1e9, "1 probe changed") for i in range(30))
    user.take(CrashFound, many)
    assert user.find("Discard all").bottom < 600


def test_the_mouse_can_leave_them_to_the_next_start(user):
    user.click_on("Later")
    assert user.state.dialogs.dialog is None and user.state.host.requests == []

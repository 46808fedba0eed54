"""The scene's name and description in the outliner: text fields after a click, and the unfolding of a long one."""

import pytest

from tests.viewer.samples import box_and_two_probes, two_boxes

LONG = "A description of many words, which says all that there is to say about it. " * 12


@pytest.mark.replayed
def test_a_click_on_the_name_renames_the_scene_and_undo_brings_it_back(open_viewer):
    user = open_viewer(box_and_two_probes(name="Box"))
    user.click_on("scene name")
    rename(user, "Crate")
    document = user.state.session.document
    assert (user.state.session.scene.name, document.title) == ("Crate", "Crate")
    assert document.undo_name == "rename the scene" and user.state.dialogs.heading is None
    user.keys("Ctrl+Z")
    assert user.state.session.scene.name == "Box"


def rename(user, words):
    user.keys("Ctrl+A")
    user.type(words)
    user.keys("Enter")


def test_a_click_on_the_description_edits_it(open_viewer):
    user = open_viewer(box_and_two_probes(description="What it shows"))
    user.click_on("scene description")
    assert user.interface.gui.takes_text, "what is typed now would run commands"
    rename(user, "What it does not show")
    document = user.state.session.document
    assert user.state.session.scene.description == "What it does not show"
    assert not user.selected
    assert document.undo_name == "describe the scene" and user.state.dialogs.heading is None


@pytest.mark.replayed
def test_ctrl_enter_begins_a_new_line_of_the_description(open_viewer):
    user = open_viewer(box_and_two_probes(description="What it shows"))
    user.click_on("scene description")
    user.keys("End", "Ctrl+Enter")
    user.type("and why")
    user.keys("Enter")
    assert user.state.session.scene.description == "What it shows\nand why"


def test_escape_leaves_the_name_and_closes_the_field(open_viewer):
    user = open_viewer(box_and_two_probes(name="Box"))
    user.click_on("scene name")
    user.type("Crate")
    user.keys("Escape")
    assert user.state.session.scene.name == "Box" and user.state.session.document.undo_name is None
    assert user.state.dialogs.heading is None and user.sees("scene name")


@pytest.mark.replayed
def test_a_half_typed_name_is_kept_when_something_else_is_clicked(open_viewer):
    user = open_viewer(box_and_two_probes(name="Box"))
    user.click_on("scene name")
    user.keys("Ctrl+A")
    user.type("Crate")
    user.click_on("probe above")
    assert user.state.session.scene.name == "Crate"
    assert user.selected == ["above"] and user.state.dialogs.heading is None


def test_a_scene_without_a_description_gets_one_by_the_command(open_viewer):
    user = open_viewer(box_and_two_probes())
    assert not user.sees("scene description")
    user.keys("Ctrl+Shift+P")
    user.type("describe")
    user.keys("Enter")
    user.type("A box")
    user.keys("Enter")
    assert user.state.session.scene.description == "A box" and user.sees("scene description")


def test_the_field_is_closed_when_another_scene_is_shown(open_viewer):
    user = open_viewer(box_and_two_probes(name="First"), two_boxes(name="Second"))
    user.click_on("scene name")
    user.type("F")
    user.click_on("next_scene")
    assert user.state.session.scene.name == "Second" and user.sees("scene name")
    user.click_on("previous_scene")
    assert user.state.session.scene.name == "F" and user.sees("scene name")


def test_a_long_description_unfolds_and_folds_again(open_viewer):
    user = open_viewer(box_and_two_probes(description=LONG))
    cut = user.find("scene description")
    user.click_on("more")
    whole = user.find("scene description")
    assert user.state.dialogs.heading is None
    assert whole.bottom - whole.top > 2 * (cut.bottom - cut.top)
    assert user.find("search").top <= 0.6 * user.state.display.size[1]
    user.click_on("less")
    assert user.find("scene description") == cut


def test_a_short_description_has_nothing_to_unfold(open_viewer):
    user = open_viewer(box_and_two_probes(description="Short"))
    assert user.sees("scene description") and not user.sees("more")


def test_unfolding_needs_no_room_of_its_own(open_viewer):
    long, short = (open_viewer(box_and_two_probes(description=words)) for words in (LONG, "\n".join("abcdef")))
    tops = [user.find("search").top for user in (short, long)]
    assert tops[0] == tops[1]

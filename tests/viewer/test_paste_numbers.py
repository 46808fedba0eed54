"""Numbers that are pasted or typed: shown in a dialog before they become items or change one."""

import pytest

from hitscope.scene.bulk import PointsProbe
from hitscope.viewer.panels.paste_dialog import take_label, title
from hitscope.viewer.state.dialogs import PasteNumbers
from hitscope.viewer.state.inputs import Clipboard
from tests.viewer.samples import BOX, RAY


@pytest.fixture
def user(open_items):
    """A user of a box, a segment above it and a ray that hits it."""
    return open_items(BOX)


def paste(user, text):
    """Paste what another program has copied; the dialog that shows it."""
    user.take(Clipboard, text)
    user.keys("Ctrl+V")
    return user.state.dialogs.dialog


def select(user, label):
    """Select an item by its row in the outliner."""
    user.click_on(label)


def new_items(user):
    """The items that were added, those of probes first."""
    scene = user.state.session.scene
    return [*scene.probes[2:], *scene.primitives[1:]]


def test_pasted_numbers_are_shown_and_enter_takes_them(user):
    dialog = paste(user, "[12:03:04] INFO hit at (1.5f, −2, 1e-3)\n")
    assert isinstance(dialog, PasteNumbers) and take_label(dialog) == "Paste a point"
    assert len(user.state.session.scene.probes) == 2
    user.keys("Enter")
    assert user.state.dialogs.dialog is None
    assert [item.position for item in new_items(user)] == [(1.5, -2.0, 1e-3)]
    assert user.selected == ["point-1"]
    assert user.state.messages.notice == "Pasted point-1"
    user.keys("Ctrl+Z")
    assert new_items(user) == []


def test_escape_discards_pasted_numbers(user):
    paste(user, "1 2 3")
    user.keys("Escape")
    assert user.state.dialogs.dialog is None
    assert new_items(user) == [] and not user.state.session.document.changed


def test_a_scene_is_pasted_at_once_and_a_broken_one_is_not_read_as_numbers(user):
    assert paste(user, '{"type": "point", "position": [0, 0, 5]}') is None
    assert len(new_items(user)) == 1
    assert paste(user, '{"type": "aabb", "min": [0, 0, 5], "max": [1, 1, 1]}') is None
    assert "number >= min[2]" in user.state.messages.problem


def test_what_is_no_number_is_refused_with_what_was_found(user):
    assert paste(user, "1 2 3 4 5") is None
    assert user.state.messages.problem == (
        "clipboard: expected three, six or nine numbers, such as (1, 2, 3), found 5 in a line"
    )


def test_the_arrows_choose_what_six_numbers_mean(user):
    dialog = paste(user, "1 0 0 1 2 3")
    assert title(dialog.reading) == "a segment"
    user.keys("Down", "Down")
    assert (title(dialog.reading), dialog.reading.note) == ("a ray", "through the second point")
    user.keys("Up", "Up", "Up")
    assert title(dialog.reading) == "2 points"
    user.keys("Enter")
    assert [item.word for item in new_items(user)] == ["point", "point"]


def test_a_click_chooses_what_numbers_become(user):
    dialog = paste(user, "AABB(min=(0, 0, 0), max=(1, 2, 3))")
    user.click_on("reading 1 segment")
    assert dialog.chosen == 1
    user.click_on("reading 0 box")
    assert dialog.role == "primitive"
    user.click_on("role New probe")
    assert dialog.role == "probe"
    user.click_on("Paste a box")
    (box,) = new_items(user)
    assert (box.word, box.max, user.state.session.scene.probe_ids[2]) == ("aabb", (1.0, 2.0, 3.0), "aabb-1")


def test_numbers_that_fit_change_the_selected_item(user):
    select(user, "probe ray")
    dialog = paste(user, "1 2 3 4 5 6")
    assert take_label(dialog) == "Change ray" and title(dialog.reading) == "a ray"
    user.keys("Enter")
    ray = user.item("ray")
    assert (ray.origin, ray.direction) == ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))
    assert user.state.session.document.undo_name == "paste into ray"
    assert new_items(user) == []
    user.keys("Ctrl+Z")
    assert user.item("ray") == RAY


def test_the_arrows_choose_whether_an_item_is_changed_or_added(user):
    select(user, "primitive box")
    dialog = paste(user, "min=(1, 2, 3) max=(4, 5, 6)")
    roles = [dialog.role]
    for key in ("Right", "Right", "Right", "Left"):
        user.keys(key)
        roles.append(dialog.role)
    assert roles == ["change", "primitive", "probe", "change", "probe"]
    user.keys("Enter")
    assert user.item("box") == BOX and [item.min for item in new_items(user)] == [(1.0, 2.0, 3.0)]


def test_some_numbers_of_the_selected_item_are_changed_by_name(user):
    select(user, "probe ray")
    paste(user, "dir = vec3(0, 0, -1)")
    user.keys("Enter")
    assert (user.item("ray").origin, user.item("ray").direction) == (RAY.origin, (0.0, 0.0, -1.0))


def test_numbers_that_are_named_as_something_else_do_not_change_the_selected_item(user):
    select(user, "probe ray")
    dialog = paste(user, "AABB((0,0,0), (1,1,1))")
    assert take_label(dialog) == "Paste a box"
    user.keys("Enter")
    assert user.item("ray") == RAY and len(new_items(user)) == 1


def test_numbers_that_define_no_shape_are_refused_in_the_dialog(user):
    select(user, "primitive box")
    dialog = paste(user, "extents = (-1, 1, 1)")
    user.keys("Enter")
    assert dialog.problem.startswith("expected") and user.state.dialogs.dialog is dialog
    assert user.item("box") == BOX


def test_a_table_of_thousands_of_lines_is_pasted_as_one_item(user):
    dialog = paste(user, "id,x,y,z\n" + "".join(f"{i},{i}.5,{i},0\n" for i in range(2000)))
    assert take_label(dialog) == "Paste 2,000 points"
    user.keys("Enter")
    (points,) = new_items(user)
    assert isinstance(points, PointsProbe) and len(points.shapes) == 2000


def test_numbers_are_typed_or_pasted_into_the_field_of_the_command(user):
    user.keys("Ctrl+Shift+P")
    user.type("type numbers")
    user.keys("Enter")
    dialog = user.state.dialogs.dialog
    assert isinstance(dialog, PasteNumbers) and dialog.has_field and not dialog.readings
    user.keys("Enter")
    assert user.state.dialogs.dialog is dialog
    user.type("1, 2, ")
    assert "found 2 in a line" in dialog.problem
    user.take(Clipboard, "3\n4 5 6\n7\t8 9")
    user.keys("Ctrl+V")
    assert dialog.typed == "1, 2, 3\n4 5 6\n7 8 9" and title(dialog.readings[0]) == "3 points"
    user.keys("Enter")
    assert [item.position[0] for item in new_items(user)] == [1.0, 4.0, 7.0]


def test_the_command_shows_the_numbers_of_the_clipboard(user):
    user.take(Clipboard, "(7, 8, 9)")
    user.keys("Ctrl+Shift+P")
    user.type("type numbers")
    user.keys("Enter", "Enter")
    assert [item.position for item in new_items(user)] == [(7.0, 8.0, 9.0)]


def test_numbers_are_pasted_into_an_empty_scene(open_viewer):
    user = open_viewer()
    paste(user, "Ray(0,0,0 -> 1,1,1)")
    user.keys("Enter")
    assert user.state.session.scene.probe_ids == ("ray-1",)


def are_in_sight(user, *points):
    """Whether points of the scene are in the picture."""
    user.wait()
    left, top, width, height = user.state.display.layout.picture
    pixels = map(user.pixel, points)
    return all(left <= x < left + width and top <= y < top + height for x, y in pixels)


def test_pasted_numbers_are_seen_as_a_whole(open_viewer):
    user = open_viewer()
    for text, far in (("Ray(0,0,0 -> 1,1,1)", (1, 1, 1)), ("AABB min=(3, 0, 0) max=(40, 2, 2)", (40, 2, 2))):
        assert not are_in_sight(user, far) or far == (1, 1, 1)
        paste(user, text)
        user.keys("Enter")
        assert are_in_sight(user, (0, 0, 0), far)


def test_pasted_numbers_that_are_in_sight_leave_the_camera(user):
    before = user.camera
    paste(user, "(1, 1, 1)")
    user.keys("Enter")
    user.wait()
    assert user.camera == before


def test_a_copy_that_is_pasted_leaves_the_camera(user):
    select(user, "primitive box")
    user.keys("Ctrl+C")
    user.drag((600.0, 700.0), (1000.0, 700.0), modifiers=("Shift",))
    before = user.camera
    assert not are_in_sight(user, BOX.shape.lo, BOX.shape.hi)
    user.keys("Ctrl+V")
    user.wait()
    assert user.camera == before and len(new_items(user)) == 1


@pytest.mark.parametrize("pasted", ["vec3(1.f, -2.f, 3e-1f)", "{X:1 Y:-2 Z:0.3}", "<1; −2; 0,3>", "x=1 y=-2 z=.3"])
def test_a_vector_in_the_form_of_a_program_is_pasted_over_a_row(user, pasted):
    select(user, "primitive box")
    user.enter("field primitive box $.center[1]", pasted)
    assert user.item("box").center == (1.0, -2.0, 0.3)


# Copying as code


def run_command(user, words):
    """Run a command by its search."""
    user.keys("Ctrl+Shift+P")
    user.type(words)
    user.keys("Enter")


def test_the_selection_is_copied_as_code_in_each_language(user):
    user.keys("Ctrl+A")
    beginnings = {"c++": "struct Vec3 {", "c#": "public struct", "rust": "#[derive", "glsl": "#version"}
    for label, beginning in beginnings.items():
        run_command(user, f"copy as {label}")
        assert user.state.host.clipboard.startswith(beginning)
        assert user.state.messages.notice == f"Copied 3 items as {label.upper().replace('RUST', 'Rust')}"
    run_command(user, "copy as py named")
    made = {}
    exec(user.state.host.clipboard, made)
    assert made["probe_ray"].direction == RAY.direction
    assert (made["probe_ray_hits_primitive_box"], made["probe_above_hits_primitive_box"]) == (True, False)


def test_an_item_is_copied_as_code_with_the_other_half_of_its_pair(user):
    user.click_on("probe ray")
    run_command(user, "copy as c++")
    assert "const bool probe_ray_hits_primitive_box = true;" in user.state.host.clipboard
    assert user.state.messages.notice == "Copied ray and box as C++"


def test_without_a_selection_nothing_is_copied_as_code(user):
    user.state.host.clipboard = "kept"
    run_command(user, "copy as rust")
    assert user.state.host.clipboard == "kept"
    assert user.state.messages.notice == "Select something to copy it as Rust"

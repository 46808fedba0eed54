"""What a mouse does in the panels and dialogs, done by the keyboard alone."""

import pytest

from hitscope.geometry.registry import of_pair
from hitscope.viewer.state.dialogs import ExportPicture
from tests.viewer.samples import ABOVE, BEHIND, BOX, CLOUD


@pytest.fixture
def user(open_items):
    """A user of two boxes, a segment above one of them and a ray that hits it."""
    return open_items(BOX, BEHIND)


def pair_of(user):
    """The ids of the current pair."""
    state = user.state
    probe, element = state.selection.pair(state.session.picture)
    return state.session.report.probes[probe].id, state.session.report.elements[element].id


def run(user, words):
    """Run the command that a search finds first."""
    user.keys("F1")
    user.type(words)
    user.keys("Enter")


def test_items_are_selected_in_the_order_of_the_lists_and_round(user):
    walked = []
    for _ in range(5):
        user.keys("Ctrl+Down")
        walked += user.selected
    assert walked == ["above", "ray", "box", "behind", "above"]
    user.keys("Ctrl+Up", "Ctrl+Up")
    assert user.selected == ["box"]


def test_the_last_item_is_first_upwards_and_hidden_ones_are_left_out(user):
    user.keys("Ctrl+Up")
    assert user.selected == ["behind"]
    user.keys("Shift+H", "Ctrl+Up")
    assert user.selected == ["box"]


def test_in_an_empty_scene_there_is_nothing_to_select(open_viewer):
    user = open_viewer()
    user.keys("Ctrl+Down")
    assert user.selected == [] and user.state.messages.notice == "There is nothing to select"
    user.keys("N", "P")
    user.click((640.0, 400.0))
    user.keys("Ctrl+Right")
    assert user.state.messages.notice == "There is no primitive to pair it with"


def test_the_selection_is_paired_with_one_shape_after_the_other(open_items):
    user = open_items(BOX, CLOUD)
    user.keys("Ctrl+Down", "Ctrl+Right")
    first = pair_of(user)
    user.keys("Ctrl+Right")
    pairs = {first, pair_of(user)}
    user.keys("Ctrl+Right")
    pairs.add(pair_of(user))
    assert pairs == {("above", "box"), ("above", "cloud[0]"), ("above", "cloud[1]")}
    user.keys("Ctrl+Right")
    assert pair_of(user) == first and user.selected == ["above"]
    user.keys("Ctrl+Right", "Ctrl+Left")
    assert pair_of(user) == first


def test_a_primitive_is_paired_with_one_probe_after_the_other(user):
    user.keys("Ctrl+Up")
    pairs = []
    for _ in range(3):
        user.keys("Ctrl+Right")
        pairs.append(pair_of(user))
    assert set(pairs) == {("above", "behind"), ("ray", "behind")} and pairs[0] == pairs[2]


def test_each_method_decides_in_turn_as_its_row_is_below(user):
    user.keys("Ctrl+Down", "Ctrl+Down", "Ctrl+Right")
    names = list(of_pair("ray_aabb"))
    decided = []
    for _ in names:
        user.keys("Ctrl+.")
        pair = user.state.selection.pair(user.state.session.picture)
        decided.append(user.state.session.report.verdict(*pair).method)
    assert decided == [*names[1:], names[0]]
    user.keys("Ctrl+,")
    assert user.state.messages.notice == f"{names[-1]} decides"


def test_without_a_pair_no_method_is_chosen_and_nothing_expected(user):
    user.keys("Ctrl+.")
    assert not user.state.session.document.changed
    user.keys("Ctrl+E")
    assert user.state.messages.notice == "Select a probe and a primitive to expect their answer"


def test_an_answer_is_expected_and_accepted(user):
    user.keys("Ctrl+Down", "Ctrl+Right")
    if pair_of(user) != ("above", "box"):
        user.keys("Ctrl+Right")
    user.keys("Ctrl+E")
    (expected,) = user.state.session.scene.expect
    assert (expected.probe, expected.primitive, expected.hit) == ("above", "box", False)
    assert user.state.messages.notice == "Expected from now on: a miss of above on box"
    run(user, "accept")
    assert user.state.messages.notice == "Every expectation holds"
    user.keys("Down", "Down")
    assert user.state.session.report.mismatches
    run(user, "accept")
    (accepted,) = user.state.session.scene.expect
    assert accepted.hit and user.state.messages.notice == "Accepted 1 expectation"


def focus(user, label):
    """Press Tab until a widget has the focus."""
    passed = []
    while user.widgets.focused != label:
        user.keys("Tab")
        passed.append(user.widgets.focused)
        assert len(passed) < 60, f"Tab does not reach {label}, but {passed}"


@pytest.mark.replayed
def test_tab_goes_through_buttons_fields_and_rows_and_f6_to_the_next_panel(user):
    focus(user, "gallery")
    focus(user, "add")
    user.keys("Enter")
    assert user.sees("New segment")
    user.keys("Escape", "F6")
    focus(user, "primitive behind")
    user.keys("Space")
    assert user.selected == ["behind"]
    user.keys("F6")
    focus(user, "Expect this")
    user.keys("Enter")
    assert len(user.state.session.scene.expect) == 1


def test_in_the_panels_the_arrows_move_nothing_in_the_scene_until_escape(user):
    user.keys("Ctrl+Down", "F6", "Tab", "Down", "Right")
    assert not user.state.session.document.changed
    user.keys("Escape", "Up")
    assert user.item("above") != ABOVE
    user.keys("Ctrl+Z", "Tab", "Ctrl+Down")
    assert user.selected == ["ray"], "with Ctrl they are no keys of the panels"
    user.click((640.0, 300.0))
    user.keys("Ctrl+Down", "Up")
    assert user.state.session.document.changed, "a click leaves the panels, too"


@pytest.mark.parametrize("size", [(1280, 800), (800, 600)])
def test_numbers_are_typed_one_after_the_other(open_items, size):
    user = open_items(BOX)
    user.resize(*size)
    user.keys("Ctrl+Down", "F9")
    for number in ("4", "5", "6"):
        user.keys("Ctrl+A")
        user.type(number)
        user.keys("Tab")
    user.keys("Escape")
    assert user.item("above").start == (4.0, 5.0, 6.0)
    user.keys("Ctrl+Down")
    assert user.selected == ["ray"]


def test_numbers_are_typed_after_the_search_of_commands(user):
    user.keys("Ctrl+Down")
    run(user, "type the numbers")
    user.keys("Ctrl+A")
    user.type("-7")
    user.keys("Enter")
    assert user.item("above").start == (-7.0, *ABOVE.start[1:])


def test_without_a_selection_there_are_no_numbers_to_type(user):
    user.keys("F9", "G")
    assert not user.state.dialogs.types_numbers and not user.state.display.grid


def test_size_form_and_ground_of_a_picture_are_chosen(user):
    user.keys("Shift+F12")
    assert isinstance(user.state.dialogs.dialog, ExportPicture)
    user.keys(*["Shift+Tab"] * 4, "Space", *["Shift+Tab"] * 3, "Space")
    assert (user.state.dialogs.picture.transparent, user.state.dialogs.picture.scale) == (True, 2)
    user.keys("Up", "Space")
    assert user.state.dialogs.picture.form == ".gif"


def test_what_was_deleted_is_named_with_the_key_that_undoes_it(user):
    user.keys("Ctrl+A", "Delete")
    assert user.state.messages.notice == "Deleted 4 items; Ctrl+Z undoes it"
    user.keys("Ctrl+Z")
    assert len(user.state.session.scene.primitives) == 2

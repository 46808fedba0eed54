"""Commands by mouse and by search: the bar, its menus, the context menu and the search of commands."""

import pytest

from hitscope.viewer.interface.bindings import COMMANDS, commands_of
from hitscope.viewer.interface.recording import Recording
from hitscope.viewer.panels.command_bar import BUTTONS
from hitscope.viewer.state.dialogs import Gallery, Help, Palette
from hitscope.viewer.window.replay import state_of
from tests.viewer.samples import BOX, FRONT, box_and_two_probes, two_boxes

GROUPS = list(dict.fromkeys(command.group for command in COMMANDS))
EMPTY_SPACE = (300.0, 700.0)


@pytest.fixture
def user(open_viewer):
    """The user of a viewer on a box and two probes."""
    return open_viewer(box_and_two_probes())


def right_click(user, pixel):
    user.press(pixel, "Right")
    user.release("Right")


@pytest.mark.parametrize("group", GROUPS)
def test_the_menu_has_every_command_of_the_groups_that_apply(user, group):
    user.click_on("menu")
    applies = any(command.is_possible(user.state) for command in COMMANDS if command.group == group)
    assert user.sees(group) == applies == (group not in ("While stepping", "Lesson", "Review"))
    if not applies:
        return
    user.click_on(group)
    for command in COMMANDS:
        if command.group == group:
            assert user.sees(command.label), command.name


def test_a_command_of_the_menu_acts_as_its_keys_do(user):
    user.click_on("menu")
    user.click_on("Window")
    user.click_on("Show or hide the grid")
    assert not user.state.display.grid
    assert not user.sees("Window"), "the menu is closed"


@pytest.mark.replayed
def test_keys_act_again_once_escape_has_closed_a_menu_with_an_open_submenu(user):
    user.click_on("menu")
    user.click_on("Window")
    user.move(user.middle_of("Select and edit"))
    user.keys("Escape")
    assert not user.sees("Window"), "the menu is closed"
    user.keys("G")
    assert not user.state.display.grid


@pytest.mark.replayed
def test_the_buttons_of_the_bar_run_their_commands(user):
    click = user.click_on
    click("gallery")
    assert isinstance(user.state.dialogs.dialog, Gallery)
    user.keys("Escape")
    click("help")
    assert isinstance(user.state.dialogs.dialog, Help)
    user.keys("Escape")
    before = user.state.session.scene
    user.click(user.pixel(FRONT))
    user.keys("Delete")
    click("undo")
    assert user.state.session.scene is before
    click("redo")
    assert user.state.session.scene.primitives == ()


def test_a_button_that_would_do_nothing_does_nothing(user):
    user.click_on("undo")
    assert user.state.messages.notice == ""
    user.keys("Ctrl+Z")
    assert user.state.messages.notice == "Nothing to undo"


def test_every_button_is_a_command_or_a_menu(user):
    known = {command.name for command in COMMANDS}
    assert {*BUTTONS} - known == {"add", "view"}


def test_add_lists_what_can_be_drawn_and_arms_it(user):
    user.click_on("add")
    user.click_on("New triangle primitive")
    assert user.state.tool.armed == ("primitive", "triangle")


def test_the_arrows_beside_the_title_show_the_other_scenes(open_viewer):
    user = open_viewer(box_and_two_probes(name="first"), two_boxes(name="second"))
    user.click_on("next_scene")
    assert user.state.session.document.title == "second"
    user.click_on("previous_scene")
    assert user.state.session.document.title == "first"


@pytest.mark.replayed
def test_a_right_click_selects_the_item_and_opens_its_menu(user):
    camera = user.camera
    right_click(user, user.pixel(FRONT))
    assert (user.selected, user.camera) == (["box"], camera)
    user.click_on("Duplicate")
    assert [item.word for item in user.state.session.scene.primitives] == ["aabb", "aabb"]


def test_a_right_click_on_one_of_several_selected_items_keeps_them_all(user):
    user.keys("Ctrl+A")
    right_click(user, user.pixel(FRONT))
    assert len(user.selected) == 3


def test_a_right_click_beside_everything_offers_new_shapes(user):
    user.click(user.pixel(FRONT))
    right_click(user, EMPTY_SPACE)
    assert user.selected == []
    user.click_on("New ray")
    assert user.state.tool.armed == ("probe", "ray")


def test_a_flight_opens_no_menu(user):
    user.drag(EMPTY_SPACE, (400.0, 600.0), "Right")
    assert user.state.dialogs.context_menu is None
    user.press(EMPTY_SPACE, "Right")
    user.keys("W")
    user.release("Right")
    assert user.state.dialogs.context_menu is None


def test_while_a_menu_is_open_keys_reach_nothing_behind_it(user):
    right_click(user, user.pixel(FRONT))
    user.keys("Delete")
    assert user.item("box") == BOX
    user.keys("Escape")
    assert (user.selected, user.state.dialogs.context_menu) == (["box"], None)
    user.keys("Delete")
    assert user.state.session.scene.primitives == ()


def test_a_click_beside_the_menu_closes_it_and_does_nothing_else(user):
    right_click(user, user.pixel(FRONT))
    user.click(EMPTY_SPACE)
    assert (user.selected, user.state.dialogs.context_menu) == (["box"], None)


# The search


@pytest.mark.parametrize(
    "typed, first",
    [
        ("undo", "undo"),
        ("screenshot", "picture"),
        ("raycast", "new_ray"),
        ("colour-blind", "toggle_palette"),
        ("dark", "toggle_theme"),
        ("bvh", "show_deeper"),
        ("shortcuts", "help"),
        ("exam", "gallery"),
        ("zoom fit", "frame_selection"),
        ("clone", "duplicate"),
    ],
)
def test_commands_are_found_by_what_people_call_them(typed, first):
    assert commands_of({}).matching(typed)[0].name == first


def test_nothing_typed_lists_every_command_and_nonsense_none():
    assert {command.name for command in commands_of({}).matching("")} == {command.name for command in COMMANDS}
    assert commands_of({}).matching("undo nonsense") == []


@pytest.mark.replayed
@pytest.mark.parametrize("keys", ["F1", "Ctrl+Shift+P"])
def test_enter_runs_the_first_command_found(user, keys):
    user.keys(keys)
    user.type("light")
    user.keys("Enter")
    assert user.state.display.theme.name == "light"
    assert user.state.dialogs.dialog is None


@pytest.mark.replayed
def test_the_arrow_keys_choose_among_what_is_found(user):
    user.keys("F1")
    user.type("view from the")
    names = [command.name for command in user.state.commands.matching("view from the")]
    user.keys("Down", "Down", "Up")
    palette = user.state.dialogs.dialog
    assert isinstance(palette, Palette) and names[palette.chosen] == names[1] == "look_from_back"
    user.keys("Enter")
    user.wait()
    assert user.camera.eye[2] < 0


def test_escape_closes_the_search_and_keeps_the_selection(user):
    user.click(user.pixel(FRONT))
    user.keys("F1")
    user.type("delete")
    user.keys("Escape")
    assert user.state.dialogs.dialog is None and user.selected == ["box"]


# Open scenes


@pytest.fixture
def three(open_viewer):
    """The user of a viewer with three scenes, each of which was shown."""
    user = open_viewer(*(box_and_two_probes(name=name) for name in ("one", "two", "three")))
    user.keys("]", "]", "]")
    return user


def title(user):
    return user.state.session.document.title


def test_ctrl_tab_goes_through_the_open_scenes(three):
    seen = []
    for keys in ("Ctrl+Tab", "Ctrl+Tab", "Ctrl+Tab", "Ctrl+Shift+Tab"):
        three.keys(keys)
        seen.append(title(three))
    assert seen == ["two", "three", "one", "three"]


@pytest.mark.replayed
def test_the_menu_of_the_title_lists_the_open_scenes_with_the_unsaved_marked(three):
    three.click(three.pixel(FRONT))
    three.keys("Delete")
    three.click_on("scenes")
    assert three.sees("\N{BULLET} one") and three.sees("two")
    three.click_on("three")
    assert title(three) == "three"


def test_a_closed_scene_leaves_the_list(three):
    three.keys("Ctrl+W")
    assert title(three) == "three"
    assert [document.title for document in three.state.session.open_documents] == ["two", "three"]
    three.keys("Ctrl+W", "Ctrl+W")
    assert three.state.session.document.is_untitled
    assert three.state.session.scene.primitives == ()


def test_an_unsaved_scene_is_closed_only_after_a_question(three):
    three.click(three.pixel(FRONT))
    three.keys("Delete", "Ctrl+W")
    assert title(three) == "one"
    three.keys("Escape")
    assert title(three) == "one" and three.state.session.document.changed
    three.keys("Ctrl+W")
    three.click_on("Discard")
    assert title(three) == "three"


def test_one_question_saves_several_scenes_before_all_are_closed(three):
    paths = [document.path for document in three.state.session.open_documents]
    for _ in range(2):
        three.click(three.pixel(FRONT))
        three.keys("Delete", "Ctrl+Tab")
    three.keys("Ctrl+Shift+W")
    assert [document.title for document in three.state.dialogs.closing.unsaved] == ["one", "two"]
    three.click_on("Save")
    assert three.state.dialogs.closing is None
    assert ['"primitives": []' in path.read_text() for path in paths] == [True, True, False]
    assert three.state.session.document.is_untitled and not three.state.host.closed


def test_recordings_from_before_the_bar_replay_without_it(tmp_path):
    path = tmp_path / "old.recording"
    path.write_text('{"version":1,"size":[640,480]}\n')
    assert state_of(Recording.read(path)).display.layout.picture.top == 0
    path.write_text('{"version":1,"size":[640,480],"layout":2}\n')
    assert state_of(Recording.read(path)).display.layout.picture.top > 0

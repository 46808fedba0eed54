"""The buttons in the middle of an empty scene."""

import pytest

from hitscope.viewer.interface.bindings import COMMANDS
from hitscope.viewer.panels.empty_scene import PRIMITIVES, ROWS
from hitscope.viewer.state.dialogs import OpenFile
from hitscope.viewer.state.settings import Settings
from tests.viewer.samples import ABOVE, box_and_two_probes

LABELS = {name: words for row in ROWS.values() for name, (_, words) in row.items()}
KNOWN = [words for name, words in LABELS.items() if name in {command.name for command in COMMANDS}]


@pytest.fixture
def user(open_viewer):
    """A user who has made a new, empty scene."""
    user = open_viewer(box_and_two_probes())
    assert not any(user.sees(words) for words in KNOWN)
    user.keys("Ctrl+N")
    return user


def offered(user):
    """The words of the buttons that are there."""
    return [words for words in LABELS.values() if user.sees(words)]


def test_an_empty_scene_offers_what_the_viewer_has_commands_for(user):
    assert {"Segment", "Ray", "A mesh"} <= set(KNOWN)
    assert offered(user) == KNOWN
    picture = user.state.display.layout.picture
    for words in KNOWN:
        left, top, right, bottom = user.find(words)
        assert picture.left < left < right < picture.left + picture.width
        assert picture.top < top < bottom < picture.top + picture.height


@pytest.mark.replayed
def test_a_button_arms_its_tool_and_beside_a_probe_the_list_offers_the_primitives(user):
    user.click_on("Segment")
    assert user.state.tool.armed is not None
    assert not offered(user)
    user.keys("Escape")
    assert offered(user) == KNOWN
    user.click_on("Ray")
    middle = user.state.display.layout.picture
    x, y = middle.left + middle.width / 2, middle.top + middle.height / 2
    user.drag((x, y), (x + 80.0, y - 40.0))
    assert len(user.state.session.scene.probes) == 1
    assert offered(user) == [words for _, words in ROWS[PRIMITIVES].values()]
    assert all(user.find(words).right < middle.left for words in offered(user))
    user.keys("Ctrl+Z")
    assert offered(user) == KNOWN


def test_a_mesh_is_opened_by_the_dialog_of_files(user):
    user.click_on("A mesh")
    assert isinstance(user.state.dialogs.dialog, OpenFile)


def test_without_panels_or_with_an_item_nothing_is_offered(user):
    user.keys("Ctrl+B")
    assert not offered(user)
    user.keys("Ctrl+B", "[")
    assert user.state.session.scene.probes[0] == ABOVE and not offered(user)


@pytest.mark.parametrize("size", [(800, 600), (640, 480)])
def test_the_buttons_fit_into_a_narrow_window(open_viewer, size):
    user = open_viewer(box_and_two_probes(), size=size)
    user.keys("Ctrl+N")
    picture = user.state.display.layout.picture
    for words in KNOWN:
        left, _, right, _ = user.find(words)
        assert picture.left <= left < right <= picture.left + picture.width


def test_the_first_steps_wait_until_there_is_something_to_drag(open_viewer):
    user = open_viewer(box_and_two_probes(), settings=Settings())
    assert user.sees("Skip")
    user.keys("Ctrl+N")
    assert offered(user) == KNOWN and not user.sees("Skip")
    user.keys("[")
    assert user.sees("Skip")

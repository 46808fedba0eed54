"""Text that is still in a field when the mouse is pressed elsewhere is kept, and moves nothing else."""

import pytest

from hitscope.draw.target import Target
from hitscope.viewer.tools.gizmo import gizmo_of
from tests.viewer.samples import two_boxes

FIELD = "field probe cut $.{}[{}]"


pytestmark = pytest.mark.replayed


@pytest.fixture
def user(open_viewer):
    """A user of the viewer on two boxes."""
    return open_viewer(two_boxes())


def half_type(user, field, index, text):
    """Type into a field of the segment without Enter."""
    user.click_on("probe cut")
    user.click_on(FIELD.format(field, index))
    user.type(text)


def test_an_unfinished_text_is_kept_when_another_handle_is_dragged(user):
    half_type(user, "end", 1, "1.5")
    x, y = user.pixel((-6.0, 0.25, 0.0))
    user.drag((x, y), (x + 20, y - 30))
    cut = user.state.session.scene.probes[0]
    assert cut.end == (2.0, 1.5, 0.0) and cut.start != (-6.0, 0.25, 0.0)
    assert user.state.session.document.undo_name == "move cut"
    user.keys("Ctrl+Z")
    assert (
        user.state.session.scene.probes[0].end == (2.0, 1.5, 0.0)
        and user.state.session.document.undo_name == "set end y of cut"
    )
    user.keys("Ctrl+Z")
    assert user.state.session.scene.probes[0] == two_boxes().probes[0]


def test_a_handle_is_dragged_from_where_the_text_in_its_field_puts_it(user):
    half_type(user, "end", 1, "0.5")
    x, y = user.pixel((2.0, 0.25, 0.0))
    user.press((x, y))
    user.move((x + 6, y))
    user.keys("Y", "2")
    user.release()
    assert user.state.session.scene.probes[0].end == (2.0, 2.5, 0.0)


def test_a_gizmo_moves_what_was_typed(user):
    user.click_on("probe cut")
    user.keys("W")
    x, y = user.pixel(gizmo_of(user.state).pivot)
    user.click_on(FIELD.format("end", 2))
    user.type("0.25")
    user.press((x, y))
    user.move((x + 30, y))
    user.keys("X", "1")
    user.release()
    assert user.state.session.scene.probes[0].end == (3.0, 0.25, 0.25)


@pytest.mark.parametrize("text", ["1.5", "no number"])
def test_a_click_beside_everything_keeps_what_can_be_kept(user, text):
    half_type(user, "end", 1, text)
    left, top, width, height = user.state.display.layout.picture
    user.click((left + width - 60, top + height - 60))
    kept = text == "1.5"
    assert user.state.session.scene.probes[0].end == (2.0, 1.5 if kept else 0.25, 0.0)
    assert user.state.session.document.changed == kept


def test_a_number_typed_during_a_drag_is_cancelled_with_the_drag(user):
    user.click_on("probe cut")
    x, y = user.pixel((2.0, 0.25, 0.0))
    user.press((x, y))
    user.move((x + 10, y))
    user.keys("X", "5")
    assert "5 typed" in user.state.tool.drag.hint or "5" in user.state.tool.drag.hint
    user.keys("Escape")
    user.release()
    assert not user.state.session.document.changed
    user.press((x, y))
    user.move((x + 10, y))
    user.release()
    assert user.state.session.scene.probes[0].end[0] < 3.0, "the five was taken back with the drag"


@pytest.mark.parametrize("typed", ["-", "."])
def test_half_a_number_moves_as_the_mouse_does(user, typed):
    user.click_on("probe cut")
    x, y = user.pixel((2.0, 0.25, 0.0))
    user.drag((x, y), (x + 30, y), release=False)
    user.keys("X")
    by_mouse = user.state.session.scene.probes[0].end
    user.keys(typed)
    user.release()
    assert user.state.session.scene.probes[0].end == by_mouse != two_boxes().probes[0].end
    assert user.state.session.exists(Target("probe", "cut"))

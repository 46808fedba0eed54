"""What is selected outside of the picture: the arrow at the picture's edge, and the message with the key."""

import math

import pytest

from hitscope.scene.items import LineProbe, PointProbe, RayProbe, SegmentProbe
from hitscope.viewer.state.inputs import Clipboard
from hitscope.viewer.state.picture_marks import edge_arrow
from tests.viewer.samples import BOX
from tests.viewer.user import status_of

SIZE = 1000.0


def arrow_of(user):
    """The arrow; None if there is none."""
    return edge_arrow(user.state)


def open_on(open_items, probe):
    """A user with a probe that is selected by its row."""
    user = open_items(BOX, probes=(probe,))
    user.click_on(f"probe {probe.id}")
    return user


@pytest.mark.parametrize(
    "position, way",
    [
        ((SIZE, 0.0, 0.0), (1, 0)),
        ((-SIZE, 0.0, 0.0), (-1, 0)),
        ((0.0, SIZE, 0.0), (0, -1)),
        ((0.0, -SIZE, 0.0), (0, 1)),
        ((SIZE, 0.0, 1e9), (1, 0)),
        ((1e308, 0.0, 0.0), (1, 0)),
    ],
)
def test_the_arrow_points_to_what_is_outside_of_the_picture(open_items, position, way):
    user = open_on(open_items, PointProbe(id="far", position=position))
    arrow = arrow_of(user)
    left, top, width, height = user.state.display.layout.picture
    assert left < arrow.x < left + width and top < arrow.y < top + height
    if position[2] == 0:
        assert arrow.right * way[0] + arrow.down * way[1] > 0.8
    assert math.hypot(arrow.right, arrow.down) == pytest.approx(1)
    assert status_of(user.state) == "far is out of the picture: F frames it"


def test_pasted_numbers_out_of_sight_are_announced_and_framed_by_the_key(open_items):
    user = open_items(BOX)
    user.take(Clipboard, "(4000, 3, 9)")
    user.keys("Ctrl+V", "Enter")
    assert status_of(user.state) == "Pasted point-1   ·   point-1 is out of the picture: F frames it"
    user.keys("F")
    user.wait()
    assert arrow_of(user) is None
    assert "out of the picture" not in status_of(user.state)


def test_typed_numbers_out_of_sight_are_announced(open_items):
    user = open_on(open_items, PointProbe(id="near", position=(0.0, 0.0, 0.0)))
    assert arrow_of(user) is None
    user.enter("field probe near $.position[0]", "5000")
    assert status_of(user.state) == "near is out of the picture: F frames it"


def test_a_click_on_the_arrow_frames_what_is_selected(open_items):
    user = open_on(open_items, PointProbe(id="far", position=(SIZE, 0.0, 0.0)))
    arrow = arrow_of(user)
    user.move(arrow[:2])
    assert user.interface.pointer == "hand"
    user.click(arrow[:2])
    user.wait()
    assert user.selected == ["far"] and arrow_of(user) is None
    x, y = user.pixel((SIZE, 0.0, 0.0))
    left, top, width, height = user.state.display.layout.picture
    assert left < x < left + width and top < y < top + height


def test_a_drag_that_begins_at_the_arrow_turns_the_camera(open_items):
    user = open_on(open_items, PointProbe(id="far", position=(SIZE, 0.0, 0.0)))
    before, (x, y, _, _) = user.camera, arrow_of(user)
    user.drag((x, y), (x - 80, y))
    assert user.camera.target == before.target and user.camera.eye != before.eye


@pytest.mark.parametrize(
    "probe",
    [
        SegmentProbe(id="across", start=(-SIZE, 0.0, 0.0), end=(SIZE, 0.0, 0.0)),
        RayProbe(id="into", origin=(SIZE, 0.0, 0.0), direction=(-1.0, 0.0, 0.0)),
        LineProbe(id="through", origin=(SIZE, 0.0, 0.0), direction=(1.0, 0.0, 0.0)),
        RayProbe(id="still", origin=(0.0, 0.0, 0.0), direction=(0.0, 0.0, 0.0)),
    ],
)
def test_there_is_no_arrow_to_what_crosses_the_picture(open_items, probe):
    assert arrow_of(open_on(open_items, probe)) is None


def test_there_is_an_arrow_to_a_ray_that_leads_away_from_the_picture(open_items):
    user = open_on(open_items, RayProbe(id="away", origin=(SIZE, 0.0, 0.0), direction=(1.0, 0.0, 0.0)))
    assert arrow_of(user).right > 0.8


def test_there_is_no_arrow_without_a_selection_or_to_what_is_hidden(open_items):
    user = open_on(open_items, PointProbe(id="far", position=(SIZE, 0.0, 0.0)))
    user.state.selection.hidden = frozenset({("probe", "far")})
    assert arrow_of(user) is None
    user.state.selection.hidden = frozenset()
    assert arrow_of(user) is not None
    user.keys("Escape")
    assert arrow_of(user) is None

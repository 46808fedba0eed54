"""What a scene opens with, and what Home and F show: all of it, with room around, however far it reaches."""

import numpy as np
import pytest

from hitscope.draw.target import Target
from hitscope.scene import Scene
from hitscope.scene.items import AabbPrimitive, SegmentProbe
from hitscope.viewer.actions import view
from hitscope.viewer.actions.refresh import refresh
from hitscope.viewer.tools.pointer import zoom
from tests.viewer.user import SIZE, target_at

CUBE = np.array(np.meshgrid(*[(0.0, 1.0)] * 3)).reshape(3, -1).T


def box(name, low, high):
    return AabbPrimitive(id=name, min=low, max=high)


@pytest.fixture
def opened(open_viewer):
    """A function that opens a viewer on items in a scene without a view, and returns its state."""

    def open_scene(*items, size=SIZE):
        probes = tuple(item for item in items if isinstance(item, SegmentProbe))
        primitives = tuple(item for item in items if item not in probes)
        return open_viewer(Scene(version=1, primitives=primitives, probes=probes), size=size).state

    return open_scene


def gaps(state, *items):
    """The gaps between items and the left, right, top and bottom of the picture, as parts of its size."""
    corners = np.concatenate([np.array(i.min) + CUBE * (np.array(i.max) - i.min) for i in items])
    left, top, width, height = state.display.layout.picture
    x, y, depth = state.display.view.project(corners).T
    assert (depth > 0).all()
    across, down = (x - left) / width, (y - top) / height
    return across.min(), 1 - across.max(), down.min(), 1 - down.max()


ROW = [box(f"b{i}", (3 * i, 0, 0), (3 * i + 1, 1, 1)) for i in range(6)]
TOWER = [box(f"t{i}", (0, 3 * i, 0), (1, 3 * i + 1, 1)) for i in range(6)]


@pytest.mark.parametrize("size", [(1280, 800), (1920, 700), (700, 900)])
@pytest.mark.parametrize("items", [ROW, TOWER])
def test_a_scene_opens_with_room_on_all_sides_and_in_the_middle(opened, items, size):
    state = opened(*items, size=size)
    assert min(gaps(state, *items)) > 0.04
    left, right, top, bottom = gaps(state, *items)
    assert min(max(left, right), max(top, bottom)) < 0.2, "it fills the picture one way"
    assert abs(left - right) < 0.005 and abs(top - bottom) < 0.005


@pytest.mark.parametrize("size", [(1280, 800), (1280, 775), (700, 900)])
def test_the_visible_shapes_are_centered_not_the_empty_corners_of_their_bounds(opened, size):
    items = [box("right", (1, 0, -1), (3, 2, 1)), box("far", (1, 0, -5), (3, 2, -3))]
    items.append(box("left", (-4, 0, 0), (-3, 2, 1)))
    state = opened(*items, SegmentProbe(id="s", start=(0, 1, 0), end=(3, 1, 0)), size=size)
    left, right, top, bottom = gaps(state, *items)
    assert abs(left - right) < 0.005 and abs(top - bottom) < 0.005
    state.display.viewpoint.set(state.display.viewpoint.camera.zoom(4).pan(300, 200, state.display.full))
    view.frame_all(state)
    state.display.viewpoint.finish()
    assert gaps(state, *items) == pytest.approx((left, right, top, bottom), abs=1e-6)


def test_a_window_of_another_size_shows_all_again_until_the_user_has_looked_elsewhere(opened):
    state = opened(*ROW)
    state.display.resize((640, 480), 1.0, state.session.corners)
    assert np.allclose(
        state.display.viewpoint.camera.eye, opened(*ROW, size=(640, 480)).display.viewpoint.camera.eye
    )
    assert min(gaps(state, *ROW)) > 0.04
    zoom(state, 3, 300, 200)
    own = state.display.viewpoint.camera
    state.display.resize((1280, 800), 1.0, state.session.corners)
    assert state.display.viewpoint.camera == own


def test_one_box_alone_fills_no_more_than_three_fifths_of_the_height(opened):
    one = box("one", (0, 0, 0), (2, 2, 2))
    _, _, top, bottom = gaps(opened(one), one)
    assert 0.35 < 1 - top - bottom < 0.6


@pytest.mark.parametrize("far", [1e2, 1e8, 1e15, 1e300])
def test_a_thing_is_framed_and_picked_however_far_away_another_is(opened, far):
    near, beyond = box("near", (1, -1, -1), (3, 1, 1)), box("far", (far, far, far), (2 * far, 2 * far, 2 * far))
    state = opened(near, beyond, SegmentProbe(id="s", start=(-1, 0.5, 0.5), end=(9, 0.5, 0.5)))
    for item in (near, beyond, near):
        state.selection.select(Target("primitive", item.id))
        view.frame_selection(state)
        state.display.viewpoint.finish()
        refresh(state)
        left, right, top, bottom = gaps(state, item)
        assert min(left, right, top, bottom) > 0.02
        assert max(1 - left - right, 1 - top - bottom) > 0.35
        x, y = state.display.view.project(np.add(item.min, item.max) / 2)[0, :2]
        assert target_at(state, x + 30, y + 30) == Target("primitive", item.id)
    start = state.display.view.project((9, 0.5, 0.5))[0, :2]
    assert target_at(state, *start) == Target("probe", "s", 1)


def test_a_point_is_framed_with_what_is_nearest_to_it(opened):
    mote, near = box("mote", (0, 0, 0), (5e-324, 0, 0)), box("near", (2, 0, 0), (3, 1, 1))
    state = opened(mote, near, box("far", (1e300, 0, 0), (2e300, 1e300, 1e300)))
    state.selection.select(Target("primitive", "mote"))
    view.frame_selection(state)
    state.display.viewpoint.finish()
    assert min(gaps(state, near)) > 0
    assert state.display.viewpoint.camera.distance < 100


def test_the_first_ray_drawn_in_an_empty_scene_is_seen_at_once_and_framed(open_viewer):
    user = open_viewer(Scene(version=1, primitives=(), probes=()))
    user.keys("N", "R")
    start, end = (600.0, 500.0), (760.0, 420.0)
    user.drag(start, end, release=False)

    def drawn_pixels():
        strokes = user.interface.draw_list.strokes
        ends = user.state.display.view.project(np.concatenate([strokes.starts, strokes.ends]))[:, :2]
        return float(np.ptp(ends, axis=0).max())

    assert drawn_pixels() > 100, "while it is drawn"
    user.release()
    assert drawn_pixels() > 100
    for key in ("F", "Home"):
        user.keys(key)
        user.wait()
        assert drawn_pixels() > 200, key
        handles = user.state.display.view.project(user.interface.draw_list.markers.positions)[:, :2]
        assert (handles > 50).all() and (handles < np.array(SIZE) - 50).all(), key

"""The viewpoint: sides, projections, the axis that is up, flying, and the orientation gizmo."""

import math
from dataclasses import replace

import numpy as np
import pytest

from hitscope.draw.items import NO_SOLIDS
from hitscope.render.offscreen import picture
from hitscope.render.palette import DARK
from hitscope.render.renderer import Settings
from hitscope.resources import SCENES
from hitscope.scene import Scene, load
from hitscope.scene.items import ObbPrimitive, TrianglePrimitive
from hitscope.viewer.interface.user_interface import draw_list
from hitscope.viewer.tools import compass
from hitscope.viewer.tools.picking.pick import pick
from hitscope.viewer.tools.picking.surfaces import pickable_of

pytestmark = pytest.mark.without_panels

BOXES = SCENES / "matrix" / "obb.scene.json"
MIDDLE = (400.0, 300.0)
"""A pixel of the picture."""


@pytest.fixture
def user(open_viewer):
    """A user of a scene of oriented boxes."""
    return open_viewer(BOXES)


@pytest.mark.parametrize(
    ("key", "right", "back"),
    [
        ("1", (1, 0, 0), (0, 0, 1)),
        ("Ctrl+1", (-1, 0, 0), (0, 0, -1)),
        ("3", (0, 0, -1), (1, 0, 0)),
        ("Ctrl+3", (0, 0, 1), (-1, 0, 0)),
        ("7", (1, 0, 0), (0, 1, 0)),
        ("Ctrl+7", (1, 0, 0), (0, -1, 0)),
    ],
)
def test_a_key_looks_from_each_side(user, key, right, back):
    before = user.camera
    user.keys(key)
    user.pass_time(1000)
    np.testing.assert_allclose(user.camera.axes[[0, 2]], [right, back], atol=1e-9)
    assert user.camera.target == before.target
    assert user.camera.distance == pytest.approx(before.distance)


@pytest.mark.parametrize("keys", [("1", "F"), ("7", "1", "F"), ("Home", "1"), ("F", "3")])
def test_keys_that_follow_one_another_at_once_end_where_slow_ones_do(open_viewer, keys):
    ends = []
    for pause in (40, 1000):
        user = open_viewer(BOXES)
        user.keys("3")
        user.pass_time(1000)
        for key in keys:
            user.keys(key)
            user.pass_time(pause / 2)
            user.pass_time(pause / 2, frames=0)
        user.pass_time(1000)
        ends.append(user.camera)
    np.testing.assert_allclose(ends[0].eye, ends[1].eye, atol=1e-9)
    np.testing.assert_allclose(ends[0].target, ends[1].target, atol=1e-9)


def test_on_its_way_to_another_side_the_camera_goes_around_the_target(user):
    user.keys("1")
    user.pass_time(1000)
    distance = user.camera.distance
    user.key_down("Ctrl+1")
    seen = []
    for _ in range(6):
        user.pass_time(20)
        seen.append(user.camera)
    assert all(camera.distance == pytest.approx(distance) for camera in seen)
    assert len({camera.eye for camera in seen}) == 6


def test_how_often_it_is_drawn_does_not_change_where_a_move_ends_that_is_interrupted(open_viewer):
    ends = []
    for frames in (1, 7):
        user = open_viewer(BOXES)
        user.keys("3")
        user.pass_time(40, frames)
        user.drag(MIDDLE, (MIDDLE[0] + 50, MIDDLE[1]), "Middle")
        user.pass_time(1000)
        ends.append(user.camera)
    assert ends[0] == ends[1]


def test_orthographic_shows_what_is_at_the_target_as_large_and_all_else_too(user):
    state = user.state
    _, up, back = state.display.view.camera.axes
    target, size = np.array(user.camera.target), user.camera.distance / 8

    def height(away):
        ends = target + away * back + np.outer((0, size), up)
        return float(np.ptp(state.display.view.project(ends)[:, 1]))

    before, nearer = height(0), height(2 * size)
    user.keys("5")
    assert height(0) == pytest.approx(before) and height(2 * size) == pytest.approx(before) and nearer > before
    user.keys("5")
    assert height(2 * size) == pytest.approx(nearer)


def test_in_an_orthographic_picture_the_mouse_picks_what_is_drawn_there(open_viewer):
    turned = ObbPrimitive(center=(2, 1, -1), half_extents=(1, 0.4, 0.7), euler_xyz_deg=(20, 30, 10), id="box")
    flat = TrianglePrimitive(vertices=((-2, 0, 0), (0, 0.3, 1), (-1, 2, -1)), id="flat")
    user = open_viewer(Scene(version=1, primitives=(turned, flat), probes=()), size=(640, 480))
    state = user.state
    user.keys("5")
    view = state.display.view
    size = view.viewport.width, view.viewport.height
    full = draw_list(state)
    empty = replace(full, single=NO_SOLIDS)
    plain = replace(DARK, shadow_opacity=0.0)
    drawn, bare = (picture(what, view.camera, Settings(size, theme=plain)).astype(int) for what in (full, empty))
    covered = np.abs(drawn - bare).max(axis=2) > 2
    found, pickable = set(), pickable_of(state)
    for y in range(3, size[1] - 3, 32):
        for x in range(3, size[0] - 3, 32):
            around = covered[y - 3 : y + 4, x - 3 : x + 4]
            if around.all() or not around.any():
                target = pick(pickable, view.viewport.left + x + 0.5, view.viewport.top + y + 0.5)
                assert (target is not None) == around.all(), (x, y)
                found.add(target)
    assert {target.id for target in found if target} == {"box", "flat"}


def test_the_axis_that_is_up_is_an_edit_that_turns_the_camera_and_is_undone(user):
    azimuth_and_height = user.camera.angles
    user.keys("U")
    assert user.state.session.scene.view.up == "z" == user.camera.up
    assert user.camera.angles == pytest.approx(azimuth_and_height)
    assert user.state.session.document.undo_name == "set z up"
    user.keys("Ctrl+Z")
    assert user.camera.up == "y" and user.camera.angles == pytest.approx(azimuth_and_height)


def test_the_view_can_be_kept_in_the_scene(user, tmp_path):
    user.keys("7")
    user.pass_time(1000)
    user.keys("Ctrl+U")
    kept = user.state.session.scene.view.camera
    assert (kept.eye, kept.target) == (user.camera.eye, user.camera.target)
    path = tmp_path / "kept.scene.json"
    user.state.session.document.path = path
    user.keys("Ctrl+S")
    assert load(path).view.camera == kept


def test_home_frames_everything_in_either_projection(user):
    user.keys("5")
    user.keys("Home")
    user.pass_time(1000)
    assert user.camera.orthographic


# Flying


def test_a_flight_goes_ahead_for_as_long_as_the_key_is_held_however_often_it_is_drawn(open_viewer):
    ends = []
    for frames in (0, 1, 9):
        user = open_viewer(BOXES)
        begin = user.camera
        user.press(MIDDLE, "Right")
        user.key_down("W")
        user.pass_time(480, frames)
        user.key_up("W")
        user.release("Right")
        ahead = np.subtract(begin.target, begin.eye) / begin.distance
        way = np.subtract(user.camera.eye, begin.eye)
        np.testing.assert_allclose(way / np.linalg.norm(way), ahead, atol=1e-9)
        assert np.linalg.norm(way) == pytest.approx(0.5 * 0.8 * begin.distance)
        user.pass_time(1000)
        ends.append(user.camera)
    assert ends[0] == ends[1] == ends[2]


def test_in_flight_the_mouse_looks_around_from_where_the_camera_is(user):
    begin = user.camera
    user.drag(MIDDLE, (MIDDLE[0] + 80, MIDDLE[1]), "Right")
    np.testing.assert_allclose(user.camera.eye, begin.eye)
    ahead = -user.camera.axes[2]
    assert ahead @ begin.axes[0] > 0.2, "it does not look to the right"


def test_shift_flies_faster_and_escape_brings_the_camera_back(user):
    begin = user.camera
    user.press(MIDDLE, "Right")
    user.key_down("Shift+E")
    user.pass_time(480, frames=0)
    user.key_up("E")
    assert math.dist(user.camera.eye, begin.eye) == pytest.approx(0.5 * 4 * 0.8 * begin.distance)
    user.keys("Escape")
    assert user.camera == begin


# The orientation gizmo


def test_a_click_on_an_end_looks_from_there_and_another_click_from_the_other_side(user):
    end = next(end for end in compass.ends(user.state.display) if (end.axis, end.sign) == (0, 1))
    user.click((end.x, end.y))
    user.pass_time(1000)
    np.testing.assert_allclose(user.camera.axes[2], [1, 0, 0], atol=1e-9)
    x, y = compass.middle(user.state.display)
    user.click((x, y))
    user.pass_time(1000)
    np.testing.assert_allclose(user.camera.axes[2], [-1, 0, 0], atol=1e-9)


def test_the_gizmo_is_within_the_picture_and_leaves_a_small_one_alone(user):
    left, top, width, height = user.state.display.layout.picture
    for end in compass.ends(user.state.display):
        assert left < end.x < left + width and top < end.y < top + height
    user.resize(560, 200)
    assert compass.ends(user.state.display) == []


def test_a_drag_on_the_gizmo_turns_the_camera(user):
    before = user.camera
    end = compass.ends(user.state.display)[-1]
    user.drag((end.x, end.y), (end.x - 40, end.y))
    assert user.camera.eye != before.eye and user.camera.distance == pytest.approx(before.distance)

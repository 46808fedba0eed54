"""Where the scene is seen from: sides, projections, what is up, flying, and the orientation gizmo."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hitscope.draw.items import NO_BOXES, NO_TRIANGLES
from hitscope.render.offscreen import picture
from hitscope.render.palette import DARK
from hitscope.scene import Scene, load, save
from hitscope.scene.items import ObbPrimitive, TrianglePrimitive
from hitscope.viewer.interface.open_state import open_state
from hitscope.viewer.interface.picture import draw_list
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.state.documents import Document, DocumentList
from hitscope.viewer.state.inputs import Key, LetGo, Move, Press, Release
from hitscope.viewer.tools import compass
from hitscope.viewer.tools.picking import target_at

SCENES = Path(__file__).parents[2] / "scenes"
MIDDLE = (400.0, 300.0)


class Seat:
    """A user in front of a scene, who says when each input comes."""

    def __init__(self, path=SCENES / "matrix" / "obb.scene.json"):
        self.state = open_state(DocumentList([Document(path)]), (1280, 800))
        self.interface = UserInterface(self.state)
        self.at = 0

    def take(self, kind, *details, after=20):
        self.at += after
        self.interface.take(kind(self.at, *details))

    def key(self, key, after=20):
        *held, name = key.split("+")
        self.take(Key, name, tuple(held), after=after)
        self.take(LetGo, name, tuple(held))

    def rest(self):
        self.at += 1000
        self.interface.advance(self.at / 1000)

    def click(self, x, y):
        self.take(Move, x, y)
        self.take(Press, "Left", x, y)
        self.take(Release, "Left", x, y)

    @property
    def camera(self):
        return self.state.display.viewpoint.camera


@pytest.fixture
def seat():
    with (taken := Seat()).interface:
        yield taken


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
def test_a_key_looks_from_each_side(seat, key, right, back):
    before = seat.camera
    seat.key(key)
    seat.rest()
    np.testing.assert_allclose(seat.camera.axes[[0, 2]], [right, back], atol=1e-9)
    assert seat.camera.target == before.target
    assert seat.camera.distance == pytest.approx(before.distance)


@pytest.mark.parametrize("keys", [("1", "F"), ("7", "1", "F"), ("Home", "1"), ("F", "3")])
def test_keys_that_follow_one_another_at_once_end_where_slow_ones_do(keys):
    ends = []
    for pause in (40, 1000):
        with (seat := Seat()).interface:
            seat.take(Key, "3", ())
            seat.rest()
            for key in keys:
                seat.key(key, after=pause)
                seat.interface.advance((seat.at + pause / 2) / 1000)
            seat.rest()
            ends.append(seat.camera)
    np.testing.assert_allclose(ends[0].eye, ends[1].eye, atol=1e-9)
    np.testing.assert_allclose(ends[0].target, ends[1].target, atol=1e-9)


def test_on_its_way_to_another_side_the_camera_goes_around_the_target(seat):
    seat.key("1")
    seat.rest()
    distance = seat.camera.distance
    seat.take(Key, "1", ("Ctrl",))
    seen = []
    for _ in range(6):
        seat.at += 20
        seat.interface.advance(seat.at / 1000)
        seen.append(seat.camera)
    assert all(camera.distance == pytest.approx(distance) for camera in seen)
    assert len({camera.eye for camera in seen}) == 6


def test_how_often_it_is_drawn_does_not_change_where_a_move_ends_that_is_interrupted():
    ends = []
    for frames in (1, 7):
        with (seat := Seat()).interface:
            seat.key("3")
            start = seat.at
            for i in range(1, frames + 1):
                seat.interface.advance((start + 60 * i / frames) / 1000)
            seat.take(Press, "Middle", *MIDDLE, after=60)
            seat.take(Move, MIDDLE[0] + 50, MIDDLE[1])
            seat.take(Release, "Middle", MIDDLE[0] + 50, MIDDLE[1])
            seat.rest()
            ends.append(seat.camera)
    assert ends[0] == ends[1]


def test_orthographic_shows_what_is_at_the_target_as_large_and_all_else_too(seat):
    state = seat.state
    _, up, back = state.display.view.camera.axes
    target, size = np.array(seat.camera.target), seat.camera.distance / 8

    def height(away):
        ends = target + away * back + np.outer((0, size), up)
        return float(np.ptp(state.display.view.project(ends)[:, 1]))

    before, nearer = height(0), height(2 * size)
    seat.key("5")
    assert height(0) == pytest.approx(before) and height(2 * size) == pytest.approx(before) and nearer > before
    seat.key("5")
    assert height(2 * size) == pytest.approx(nearer)


def test_in_an_orthographic_picture_the_mouse_picks_what_is_drawn_there(tmp_path):
    turned = ObbPrimitive(center=(2, 1, -1), half_extents=(1, 0.4, 0.7), euler_xyz_deg=(20, 30, 10), id="box")
    flat = TrianglePrimitive(vertices=((-2, 0, 0), (0, 0.3, 1), (-1, 2, -1)), id="flat")
    path = tmp_path / "two.scene.json"
    save(Scene(version=1, primitives=(turned, flat), probes=()), path)
    with (seat := Seat(path)).interface:
        state = seat.state
        seat.key("5")
        view = state.display.view
        size = view.viewport.width, view.viewport.height
        full = draw_list(state)
        empty = replace(full, boxes=NO_BOXES, triangles=NO_TRIANGLES)
        plain = replace(DARK, shadow_opacity=0.0)
        drawn, bare = (picture(what, view.camera, size, theme=plain).astype(int) for what in (full, empty))
        covered = np.abs(drawn - bare).max(axis=2) > 2
        found = set()
        for y in range(3, size[1] - 3, 9):
            for x in range(3, size[0] - 3, 9):
                around = covered[y - 3 : y + 4, x - 3 : x + 4]
                if around.all() or not around.any():
                    target = target_at(state, view.viewport.left + x + 0.5, view.viewport.top + y + 0.5)
                    assert (target is not None) == around.all(), (x, y)
                    found.add(target)
        assert {target.id for target in found if target} == {"box", "flat"}


def test_the_axis_that_is_up_is_an_edit_that_turns_the_camera_and_is_undone(seat):
    azimuth_and_height = seat.camera.angles
    seat.key("U")
    assert seat.state.session.scene.view.up == "z" == seat.camera.up
    assert seat.camera.angles == pytest.approx(azimuth_and_height)
    assert seat.state.session.document.undo_name == "z up"
    seat.key("Ctrl+Z")
    assert seat.camera.up == "y" and seat.camera.angles == pytest.approx(azimuth_and_height)


def test_the_view_can_be_kept_in_the_scene(seat, tmp_path):
    seat.key("7")
    seat.rest()
    seat.key("Ctrl+U")
    kept = seat.state.session.scene.view.camera
    assert (kept.eye, kept.target) == (seat.camera.eye, seat.camera.target)
    path = tmp_path / "kept.scene.json"
    seat.state.session.document.path = path
    seat.key("Ctrl+S")
    assert load(path).view.camera == kept


def test_home_frames_everything_in_either_projection(seat):
    seat.key("5")
    seat.key("Home")
    seat.rest()
    assert seat.camera.orthographic


# Flying


def test_a_flight_goes_ahead_for_as_long_as_the_key_is_held_however_often_it_is_drawn():
    ends = []
    for frames in (0, 1, 9):
        with (seat := Seat()).interface:
            begin = seat.camera
            seat.take(Press, "Right", *MIDDLE)
            seat.take(Key, "W", ())
            start = seat.at
            for i in range(1, frames + 1):
                seat.interface.advance((start + 500 * i / frames) / 1000)
            seat.take(LetGo, "W", (), after=500)
            seat.take(Release, "Right", *MIDDLE)
            ahead = np.subtract(begin.target, begin.eye) / begin.distance
            way = np.subtract(seat.camera.eye, begin.eye)
            np.testing.assert_allclose(way / np.linalg.norm(way), ahead, atol=1e-9)
            assert np.linalg.norm(way) == pytest.approx(0.5 * 0.8 * begin.distance)
            seat.rest()
            ends.append(seat.camera)
    assert ends[0] == ends[1] == ends[2]


def test_in_flight_the_mouse_looks_around_from_where_the_camera_is(seat):
    begin = seat.camera
    seat.take(Press, "Right", *MIDDLE)
    seat.take(Move, MIDDLE[0] + 80, MIDDLE[1])
    seat.take(Release, "Right", MIDDLE[0] + 80, MIDDLE[1])
    np.testing.assert_allclose(seat.camera.eye, begin.eye)
    ahead = -seat.camera.axes[2]
    assert ahead @ begin.axes[0] > 0.2, "it does not look to the right"


def test_shift_flies_faster_and_escape_brings_the_camera_back(seat):
    begin = seat.camera
    seat.take(Press, "Right", *MIDDLE)
    seat.take(Key, "E", ("Shift",))
    seat.take(LetGo, "E", ("Shift",), after=500)
    assert math.dist(seat.camera.eye, begin.eye) == pytest.approx(0.5 * 4 * 0.8 * begin.distance)
    seat.key("Escape")
    assert seat.camera == begin


# The orientation gizmo


def test_a_click_on_an_end_looks_from_there_and_another_click_from_the_other_side(seat):
    end = next(end for end in compass.ends(seat.state.display.view) if (end.axis, end.sign) == (0, 1))
    seat.click(end.x, end.y)
    seat.rest()
    np.testing.assert_allclose(seat.camera.axes[2], [1, 0, 0], atol=1e-9)
    x, y = compass.middle(seat.state.display.view)
    seat.click(x, y)
    seat.rest()
    np.testing.assert_allclose(seat.camera.axes[2], [-1, 0, 0], atol=1e-9)


def test_the_gizmo_is_within_the_picture_and_leaves_a_small_one_alone(seat):
    left, top, width, height = seat.state.display.view.viewport
    for end in compass.ends(seat.state.display.view):
        assert left < end.x < left + width and top < end.y < top + height
    small = seat.state.display.view._replace(viewport=seat.state.display.view.viewport._replace(width=200))
    assert compass.ends(small) == []


def test_a_drag_on_the_gizmo_turns_the_camera(seat):
    before = seat.camera
    end = compass.ends(seat.state.display.view)[-1]
    seat.take(Press, "Left", end.x, end.y)
    seat.take(Move, end.x - 40, end.y)
    seat.take(Release, "Left", end.x - 40, end.y)
    assert seat.camera.eye != before.eye and seat.camera.distance == pytest.approx(before.distance)

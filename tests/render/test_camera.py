"""The camera's arithmetic: what is where in the picture, and what the mouse does to it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from hitscope.render.camera import Camera, Viewport
from hitscope.render.view import View

WIDE = Viewport(0, 0, 640, 400)
BESIDE_A_PANEL = Viewport(300, 20, 500, 600)
CAMERA = Camera((3.0, 4.0, 9.0), (1.0, 0.5, -2.0), "y", 40.0)
FLAT = replace(CAMERA, orthographic=True)
BOTH = pytest.mark.parametrize("camera", [CAMERA, FLAT], ids=["perspective", "orthographic"])


@BOTH
def test_as_far_away_as_float64_reaches_the_camera_says_nothing_of_overflow_and_stays_finite(camera):
    far = replace(camera, eye=(0.0, 0.0, 1.6e308), target=(0.0, 0.0, 0.0))
    x, y, depth = View(far, WIDE).project([(0.0, 0.0, -1.6e308)])[0]
    assert (x, y, depth) == (WIDE.width / 2, WIDE.height / 2, math.inf)
    assert np.linalg.norm(View(far, WIDE).ray_through(310.0, 33.0)[1]) == pytest.approx(1)
    zoomed = far.zoom(-5.0, View(far, WIDE).beside_target(310.0, 33.0))
    assert all(map(math.isfinite, (*zoomed.eye, *zoomed.target)))


@pytest.mark.parametrize("up", ["y", "z"])
@pytest.mark.parametrize("height", [-90, -30, 0, 45, 90])
def test_a_camera_turned_to_angles_has_these_angles(up, height):
    camera = replace(CAMERA, up=up)
    for azimuth in (0, 80, -120, 180):
        angles = math.radians(azimuth), math.radians(height)
        turned = camera.seen_from(*angles)
        assert turned.distance == pytest.approx(camera.distance)
        straight = abs(height) == 90
        assert turned.angles[1] == pytest.approx(angles[1])
        if not straight:
            assert math.remainder(turned.angles[0] - angles[0], math.tau) == pytest.approx(0, abs=1e-9)


def test_orbit_keeps_target_and_distance_and_stops_short_of_the_poles():
    for dx, dy in ((40, 0), (0, 25), (-300, 5000), (10, -5000)):
        turned = CAMERA.orbit(dx, dy)
        assert turned.target == CAMERA.target
        assert turned.distance == pytest.approx(CAMERA.distance)
        height = abs(turned.axes[2] @ [0, 1, 0])
        assert height < 1 and np.isfinite(turned.axes).all()


def test_a_drag_to_the_right_turns_the_scene_to_the_right():
    nearer = np.array(CAMERA.target) + 0.5 * CAMERA.axes[2]
    before, after = View(CAMERA, WIDE).project([nearer])[0], View(CAMERA.orbit(20, 0), WIDE).project([nearer])[0]
    assert after[0] > before[0]


@BOTH
def test_pan_moves_the_target_with_the_mouse(camera):
    moved = camera.pan(30, -12, WIDE)
    x, y, _ = View(moved, WIDE).project([camera.target])[0]
    assert (x, y) == pytest.approx((320 + 30, 200 - 12), abs=1e-6)
    assert moved.distance == pytest.approx(camera.distance)


@BOTH
def test_zoom_keeps_the_point_under_the_mouse_and_can_be_undone(camera):
    point = np.array([2.0, 1.0, -1.0])
    nearer = camera.zoom(3, point)
    assert nearer.distance < camera.distance
    assert View(nearer, WIDE).project([point])[0, :2] == pytest.approx(View(camera, WIDE).project([point])[0, :2])
    assert nearer.zoom(-3, point).eye == pytest.approx(camera.eye)


def test_zoom_never_reaches_the_target():
    camera = CAMERA
    for _ in range(500):
        camera = camera.zoom(20)
    assert camera.eye != camera.target
    assert np.isfinite(camera.axes).all()


@pytest.mark.parametrize("viewport", [WIDE, BESIDE_A_PANEL, Viewport(0, 0, 100, 900)])
@pytest.mark.parametrize("size", [1e-9, 1.0, 1e30, 1e150])
def test_frame_shows_every_corner_and_does_not_waste_the_picture(viewport, size):
    lo, hi = np.array([-3.0, 0.0, -1.0]) * size, np.array([2.0, 4.0, 1.0]) * size
    corners = np.array(np.meshgrid(*zip(lo, hi, strict=True))).reshape(3, -1).T
    camera = CAMERA.frame(corners, viewport)
    x, y, depth = View(camera, viewport).project(corners).T
    assert (depth > 0).all()
    across = (x - viewport.left) / viewport.width
    down = (y - viewport.top) / viewport.height
    assert min(across.min(), down.min()) > 0 and max(across.max(), down.max()) < 1
    assert max(np.ptp(across), np.ptp(down)) > 0.5


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("number", [8, 40])
def test_what_is_framed_is_in_the_middle_of_the_picture_and_fills_it_one_way(number, orthographic):
    rng = np.random.default_rng(number)
    for _ in range(50):
        points = rng.normal(size=(number, 3)) * rng.uniform(0.1, 5.0, 3) + rng.normal(size=3) * 10
        camera = (
            replace(CAMERA, orthographic=orthographic).seen_from(*rng.uniform(-1.5, 1.5, 2)).frame(points, WIDE)
        )
        x, y, depth = View(camera, WIDE).project(points).T
        assert (depth > 0).all()
        left, right, top, bottom = x.min(), WIDE.width - x.max(), y.min(), WIDE.height - y.max()
        assert left == pytest.approx(right, abs=0.1) and top == pytest.approx(bottom, abs=0.1)
        assert min(left, top) > 0.03 * WIDE.height
        if not orthographic:
            assert left < 0.06 * WIDE.width or top < 0.06 * WIDE.height


def test_points_along_the_sight_are_framed_with_all_of_them_before_the_eye():
    front = Camera((0.0, 0.0, 9.0), (0.0, 0.0, 0.0)).frame([(0, 0, -2), (0, 0, 3)], WIDE)
    assert front.eye[2] > 3.1 and front.eye[:2] == (0.0, 0.0)


def test_frame_of_a_single_point_stands_off_from_it():
    camera = CAMERA.frame([(5, 5, 5)], WIDE)
    assert camera.target == (5, 5, 5) and camera.distance > 0.5


@pytest.mark.parametrize("up", ["y", "z"])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_straight_from_above_or_below_the_picture_has_a_top(up, side):
    eye = (0.0, side, 0.0) if up == "y" else (0.0, 0.0, side)
    axes = Camera(eye, (0.0, 0.0, 0.0), up).axes
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1)

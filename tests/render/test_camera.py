"""The camera's arithmetic: what is where in the picture, and what the mouse does to it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from hitscope.render.camera import Camera, Viewport

WIDE = Viewport(0, 0, 640, 400)
BESIDE_A_PANEL = Viewport(300, 20, 500, 600)
CAMERA = Camera((3.0, 4.0, 9.0), (1.0, 0.5, -2.0), "y", 40.0)
FLAT = replace(CAMERA, orthographic=True)
BOTH = pytest.mark.parametrize("camera", [CAMERA, FLAT], ids=["perspective", "orthographic"])


@pytest.mark.parametrize("viewport", [WIDE, BESIDE_A_PANEL])
def test_the_target_is_in_the_middle_of_the_viewport(viewport):
    x, y, depth = CAMERA.project([CAMERA.target], viewport)[0]
    assert (x, y) == pytest.approx(
        (viewport.left + viewport.width / 2, viewport.top + viewport.height / 2), abs=1e-6
    )
    assert depth == pytest.approx(math.dist(CAMERA.eye, CAMERA.target))


@BOTH
def test_project_agrees_with_the_matrices_of_the_renderer(camera):
    points = np.random.default_rng(1).normal(size=(50, 3))
    anchor, scale = np.array([0.3, -0.2, 0.1]), 7.0
    view = camera.view_matrix(anchor, scale)
    stage = np.c_[(points - anchor) / scale, np.ones(50)]
    clip = stage @ view @ camera.projection_matrix(WIDE.width / WIDE.height, 0.1, 10.0, scale)
    x = (clip[:, 0] / clip[:, 3] + 1) / 2 * WIDE.width
    y = (1 - clip[:, 1] / clip[:, 3]) / 2 * WIDE.height
    np.testing.assert_allclose(camera.project(points, WIDE)[:, :2], np.c_[x, y], atol=1e-6)
    if not camera.orthographic:
        np.testing.assert_allclose(camera.project(points, WIDE)[:, 2], clip[:, 3] * scale, atol=1e-6)


def test_what_is_behind_the_eye_has_no_pixel():
    behind = 2 * np.array(CAMERA.eye) - np.array(CAMERA.target)
    x, y, depth = CAMERA.project([behind], WIDE)[0]
    assert math.isnan(x) and math.isnan(y) and depth < 0


def test_what_is_farther_to_the_side_than_float64_reaches_is_out_of_every_picture():
    assert not np.abs(CAMERA.project([(1e308, 1e308, -1e300)], WIDE)[0, :2]).min() < 1e6


@BOTH
def test_as_far_away_as_float64_reaches_the_camera_says_nothing_of_overflow_and_stays_finite(camera):
    far = replace(camera, eye=(0.0, 0.0, 1.6e308), target=(0.0, 0.0, 0.0))
    x, y, depth = far.project([(0.0, 0.0, -1.6e308)], WIDE)[0]
    assert (x, y, depth) == (WIDE.width / 2, WIDE.height / 2, math.inf)
    assert np.linalg.norm(far.ray_through(310.0, 33.0, WIDE)[1]) == pytest.approx(1)
    zoomed = far.zoom(-5.0, far.beside_target(310.0, 33.0, WIDE))
    assert all(map(math.isfinite, (*zoomed.eye, *zoomed.target)))


@BOTH
@pytest.mark.parametrize("viewport", [WIDE, BESIDE_A_PANEL])
def test_the_ray_through_a_pixel_projects_to_that_pixel(camera, viewport):
    for x, y in ((310.0, 33.0), (420.5, 390.0), (5.0, 5.0)):
        origin, direction = camera.ray_through(x, y, viewport)
        assert np.linalg.norm(direction) == pytest.approx(1)
        for away in (5, 2e4):
            seen = camera.project([origin + away * direction], viewport)[0]
            assert seen[:2] == pytest.approx((x, y), abs=1e-6)
        beside = camera.beside_target(x, y, viewport)
        assert camera.project([beside], viewport)[0, :2] == pytest.approx((x, y), abs=1e-6)
        assert (beside - camera.target) @ camera.axes[2] == pytest.approx(0, abs=1e-9)


def test_an_orthographic_picture_keeps_sizes_and_has_nothing_behind_the_eye():
    target, right, back = np.array(FLAT.target), *FLAT.axes[[0, 2]]
    behind = target + 3 * FLAT.distance * back
    ends = FLAT.project([target, target + right, behind, behind + right], WIDE)
    apart = ends[1, 0] - ends[0, 0]
    assert apart == pytest.approx(ends[3, 0] - ends[2, 0])
    assert apart == pytest.approx(np.diff(CAMERA.project([target, target + right], WIDE)[:, 0])[0])
    assert 1 / FLAT.pixel(1.0, WIDE) == pytest.approx(apart)
    assert (ends[:, 2] > 0).all() and ends[0, 2] > ends[2, 2]


@pytest.mark.parametrize("up", ["y", "z"])
@pytest.mark.parametrize("height", [-90, -30, 0, 45, 90])
def test_a_camera_is_seen_from_the_angles_that_it_says(up, height):
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
    before, after = CAMERA.project([nearer], WIDE)[0], CAMERA.orbit(20, 0).project([nearer], WIDE)[0]
    assert after[0] > before[0]


@BOTH
def test_pan_moves_the_target_with_the_mouse(camera):
    moved = camera.pan(30, -12, WIDE)
    x, y, _ = moved.project([camera.target], WIDE)[0]
    assert (x, y) == pytest.approx((320 + 30, 200 - 12), abs=1e-6)
    assert moved.distance == pytest.approx(camera.distance)


@BOTH
def test_zoom_keeps_the_point_under_the_mouse_and_can_be_undone(camera):
    point = np.array([2.0, 1.0, -1.0])
    nearer = camera.zoom(3, point)
    assert nearer.distance < camera.distance
    assert nearer.project([point], WIDE)[0, :2] == pytest.approx(camera.project([point], WIDE)[0, :2])
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
    x, y, depth = camera.project(corners, viewport).T
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
        x, y, depth = camera.project(points, WIDE).T
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

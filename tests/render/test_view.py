"""The view's arithmetic: the pixels of points, and the points of pixels."""

import math
from dataclasses import replace

import numpy as np
import pytest

from hitscope.draw.extent import Stage
from hitscope.render.camera import Camera, Viewport
from hitscope.render.view import View, ViewRay

WIDE = Viewport(0, 0, 640, 400)
BESIDE_A_PANEL = Viewport(300, 20, 500, 600)
CAMERA = Camera((3.0, 4.0, 9.0), (1.0, 0.5, -2.0), "y", 40.0)
FLAT = replace(CAMERA, orthographic=True)
BOTH = pytest.mark.parametrize("camera", [CAMERA, FLAT], ids=["perspective", "orthographic"])


@pytest.mark.parametrize("viewport", [WIDE, BESIDE_A_PANEL])
def test_the_target_is_in_the_middle_of_the_viewport(viewport):
    x, y, depth = View(CAMERA, viewport).project([CAMERA.target])[0]
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
    np.testing.assert_allclose(View(camera, WIDE).project(points)[:, :2], np.c_[x, y], atol=1e-6)
    if not camera.orthographic:
        np.testing.assert_allclose(View(camera, WIDE).project(points)[:, 2], clip[:, 3] * scale, atol=1e-6)


def test_what_is_behind_the_eye_has_no_pixel():
    behind = 2 * np.array(CAMERA.eye) - np.array(CAMERA.target)
    x, y, depth = View(CAMERA, WIDE).project([behind])[0]
    assert math.isnan(x) and math.isnan(y) and depth < 0


def test_what_is_farther_to_the_side_than_float64_reaches_is_out_of_every_picture():
    assert not np.abs(View(CAMERA, WIDE).project([(1e308, 1e308, -1e300)])[0, :2]).min() < 1e6


@BOTH
@pytest.mark.parametrize("viewport", [WIDE, BESIDE_A_PANEL])
def test_the_ray_through_a_pixel_projects_to_that_pixel(camera, viewport):
    for x, y in ((310.0, 33.0), (420.5, 390.0), (5.0, 5.0)):
        origin, direction = View(camera, viewport).ray_through(x, y)
        assert np.linalg.norm(direction) == pytest.approx(1)
        for away in (5, 2e4):
            seen = View(camera, viewport).project([origin + away * direction])[0]
            assert seen[:2] == pytest.approx((x, y), abs=1e-6)
        beside = View(camera, viewport).beside_target(x, y)
        assert View(camera, viewport).project([beside])[0, :2] == pytest.approx((x, y), abs=1e-6)
        assert (beside - camera.target) @ camera.axes[2] == pytest.approx(0, abs=1e-9)


def test_an_orthographic_picture_keeps_sizes_and_has_nothing_behind_the_eye():
    target, (right, back) = np.array(FLAT.target), FLAT.axes[[0, 2]]
    behind = target + 3 * FLAT.distance * back
    ends = View(FLAT, WIDE).project([target, target + right, behind, behind + right])
    apart = ends[1, 0] - ends[0, 0]
    assert apart == pytest.approx(ends[3, 0] - ends[2, 0])
    assert apart == pytest.approx(np.diff(View(CAMERA, WIDE).project([target, target + right])[:, 0])[0])
    assert 1 / View(FLAT, WIDE).pixel_size_at(1.0) == pytest.approx(apart)
    assert (ends[:, 2] > 0).all() and ends[0, 2] > ends[2, 2]


@BOTH
def test_the_point_under_a_pixel_on_a_plane_or_a_line_projects_to_that_pixel(camera):
    view, start, normal = View(camera, WIDE), np.array([0.5, 0.0, -1.0]), np.array([0.0, 1.0, 0.0])
    corner = start + np.array([1.5, 0.0, 2.0])
    x, y, _ = view.project(corner)[0]
    for stage in (Stage(np.zeros(3), 1.0), Stage(np.array([5.0, -3.0, 2.0]), 7.0)):
        ray = view.ray_through(x, y).in_stage(stage)
        depth = ray.depth_on_plane(stage.to_stage(start), normal)
        np.testing.assert_allclose(stage.to_scene(ray.at(depth)), corner, atol=1e-9)
    axis = np.array([0.6, 0.0, 0.8])
    x, y, _ = view.project(start + 2 * axis)[0]
    assert view.ray_through(x, y).nearest_on_line(start, axis, 0.01) == pytest.approx(2)


def test_what_is_behind_or_seen_end_on_has_no_point_under_a_pixel():
    ray = ViewRay(np.zeros(3), np.array([0.0, 0.0, -1.0]))
    up, back = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
    assert ray.depth_on_plane((0.0, 0.0, -2.0), back) == 2
    assert ray.depth_on_plane((0.0, 0.0, 2.0), back) is None
    assert ray.depth_on_plane((0.0, 1.0, 0.0), up) is None
    tilted = np.array([0.0, math.sqrt(0.99), 0.1])
    assert ray.depth_on_plane((0.0, 1.0, 0.0), tilted, 0.2) is None
    assert ray.depth_on_plane((0.0, -1.0, 0.0), tilted, 0.05) == pytest.approx(math.sqrt(99))
    assert ray.nearest_on_line((1.0, 0.0, -5.0), back, 0.01) is None
    assert ray.nearest_on_line((1.0, 3.0, -5.0), up, 0.01) == -3


def test_the_nearest_point_of_a_segment_is_within_it():
    ray = ViewRay(np.zeros(3), np.array([0.0, 0.0, -1.0]))
    starts = np.array([[-1.0, 1.0, -5.0], [2.0, 0.0, -5.0], [1.0, 1.0, -5.0]])
    ends = np.array([[3.0, 1.0, -9.0], [4.0, 0.0, -5.0], [1.0, 1.0, -7.0]])
    np.testing.assert_allclose(
        ray.nearest_on_segments(starts, ends), [[0.0, 1.0, -6.0], [2.0, 0.0, -5.0], [1.0, 1.0, -5.0]]
    )


@BOTH
def test_distances_in_pixels_are_those_of_the_picture_and_infinite_behind_the_eye(camera):
    view, right = View(camera, WIDE), camera.axes[0]
    x, y, depth = view.project(camera.target)[0]
    points = [np.add(camera.target, 30 * view.pixel_size_at(depth) * right), camera.target]
    np.testing.assert_allclose(view.pixels_from(points, x, y), [30, 0], atol=1e-9)
    if not camera.orthographic:
        assert view.pixels_from([2 * np.array(camera.eye) - camera.target], x, y) == [math.inf]


@BOTH
def test_a_pixel_is_worth_its_size_and_no_more_decimals_than_are_seen(camera):
    view, up = View(camera, WIDE), camera.axes[1]
    size = view.pixel_size(camera.target)
    (_, above, _), (_, below, _) = view.project([np.add(camera.target, size * up), camera.target])
    assert below - above == pytest.approx(1)
    decimals = view.decimals(camera.target)
    assert 10.0**-decimals <= size < 10.0 ** (1 - decimals)
    assert view.rounded(np.array(camera.target) + 0.1 * size) == pytest.approx(camera.target)
    assert View(camera, WIDE, 2.0).pixel_size(camera.target) == size


def test_behind_the_eye_no_decimals_are_seen():
    assert View(CAMERA, WIDE).decimals(2 * np.array(CAMERA.eye) - CAMERA.target) == 0


def test_the_way_to_the_eye_ends_there_and_in_an_orthographic_view_nowhere():
    point = (1e200, 2.0, -3.0)
    way, distance = View(CAMERA, WIDE).toward_eye(point)
    assert np.linalg.norm(way) == pytest.approx(1) and distance == pytest.approx(1e200)
    way, distance = View(CAMERA, WIDE).toward_eye((1.0, 1.0, 1.0))
    np.testing.assert_allclose((1.0, 1.0, 1.0) + distance * way, CAMERA.eye)
    way, distance = View(FLAT, WIDE).toward_eye(point)
    assert distance == math.inf and (way == FLAT.axes[2]).all()


@BOTH
def test_the_frontmost_spheres_near_a_pixel_are_found_in_order(camera):
    view, (right, _, back) = View(camera, WIDE), camera.axes
    x, y, _ = view.project(camera.target)[0]
    aside = 40 * view.pixel_size(camera.target) * right
    centers = np.array([np.add(camera.target, way) for way in (0 * back, 2 * back, 100 * aside, -3 * back, aside)])
    found = view.frontmost_near(centers, np.full(5, 0.01), x, y, 50.0, 9)
    assert found.tolist() in ([1, 0, 4, 3], [1, 4, 0, 3])
    assert view.frontmost_near(centers, np.full(5, 0.01), x, y, 20.0, 2).tolist() == [1, 0]

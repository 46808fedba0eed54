"""Ctrl and a click shoot a ray from the camera."""

import math

import numpy as np
import pytest

from hitscope.geometry.shapes import Ray
from hitscope.scene import Scene
from hitscope.scene.items import AabbPrimitive, RayProbe
from hitscope.viewer.interface.bindings import commands_of
from hitscope.viewer.tools.picking.surfaces import pickable_of, surface_at
from tests.viewer.samples import BEHIND, BOX, FRONT, SAIL
from tests.viewer.user import target_at

pytestmark = pytest.mark.without_panels


@pytest.fixture
def user(open_items):
    """A user of two boxes and a triangle, without any probe."""
    return open_items(BOX, BEHIND, SAIL, probes=())


def shoot(user, pixel):
    """Click with Ctrl at a pixel."""
    user.key_down("Ctrl")
    user.click(pixel, modifiers=("Ctrl",))
    user.key_up("Ctrl")


def shot(user):
    """The ray that was shot last."""
    ray = user.state.session.scene.probes[-1]
    assert isinstance(ray, RayProbe)
    return ray


def in_front(user, pixel):
    """The element under a pixel, None if there is none."""
    state = user.state
    surface = surface_at(pickable_of(state), *pixel)
    return None if surface is None else state.session.report.elements.find_index(surface.target.id)


@pytest.mark.replayed
def test_a_click_with_ctrl_shoots_a_ray_from_the_eye(user):
    user.keys("Ctrl+A")
    pixel = user.pixel(FRONT)
    shoot(user, pixel)
    ray = shot(user)
    assert math.dist(ray.origin, user.camera.eye) < 0.01
    assert user.selected == [user.state.session.scene.probe_ids[-1]]
    assert user.state.session.report.hits.tolist() == [[True, True, False]]
    assert user.state.session.document.undo_name == "shoot a ray"
    user.keys("Ctrl+Z")
    assert not user.state.session.scene.probes


@pytest.mark.parametrize("keys", [(), ("5",), ("1", "5"), ("U",), ("7",)])
def test_the_ray_goes_through_the_pixel_and_hits_what_is_there(user, keys):
    user.keys(*keys)
    user.wait()
    random = np.random.default_rng(1)
    middle = user.pixel((0.5, 0.0, 0.0))
    hits = 0
    for _ in range(10):
        pixel = tuple(np.add(middle, random.uniform(-130, 130, 2)).tolist())
        target = target_at(user.state, *pixel)
        if target is not None and target.handle is not None:
            continue
        element = in_front(user, pixel)
        shoot(user, pixel)
        ray = shot(user)
        for t in (0.5, 1.0, 1.5):
            point = np.array(ray.origin) + t * np.array(ray.direction)
            assert math.dist(user.pixel(point), pixel) < 0.75
        if element is not None:
            hits += 1
            assert user.state.session.report.row(0)[element]
            assert user.state.session.report.verdict(0, element).t_enter == pytest.approx(1.0, abs=0.01)
        user.keys("Ctrl+Z")
    assert hits > 2


@pytest.mark.parametrize("way", [(300, 40), (-300, 10), (300, -70), (-300, -30)])
def test_a_ray_hits_what_is_under_a_pixel_at_its_very_edge(user, way):
    inside, element = np.array(user.pixel((3.0, 0.0, 0.0))), 2
    assert in_front(user, inside) == element
    step = np.array(way, float)
    while np.abs(step).max() > 1e-3:
        step /= 2
        inside += step * (in_front(user, tuple(inside + step)) == element)
    shoot(user, tuple(inside.tolist()))
    assert user.state.session.report.row(0)[element]


def test_an_orthographic_ray_begins_outside_of_the_scene_and_hits_all_under_the_pixel(user):
    user.keys("1", "5")
    user.wait()
    shoot(user, user.pixel((0.5, 0.5, 1.0)))
    ray = shot(user)
    assert ray.origin[2] > 1.0 and ray.direction[:2] == (0.0, 0.0)
    assert user.state.session.report.hits.tolist() == [[True, True, False]]


def test_the_numbers_of_a_ray_are_short(user):
    shoot(user, user.pixel(FRONT))
    for number in (*shot(user).origin, *shot(user).direction):
        assert round(number, 5) == number


def test_a_ray_into_the_sky_goes_to_the_depth_of_the_target(user):
    pixel = user.pixel((-3.0, 3.5, 0.0))
    assert in_front(user, pixel) is None
    shoot(user, pixel)
    assert not user.state.session.report.hits.any()
    assert math.dist(user.pixel(np.add(shot(user).origin, shot(user).direction)), pixel) < 0.5


@pytest.mark.parametrize("scale", [1e-9, 1e9, 1e-200, 1e200])
def test_a_ray_is_shot_in_a_scene_of_any_size(open_viewer, scale):
    box = AabbPrimitive(id="box", min=(-scale,) * 3, max=(scale,) * 3)
    user = open_viewer(Scene(version=1, primitives=(box,), probes=()))
    x, y = user.pixel((0.3 * scale, 0.2 * scale, scale))
    shoot(user, (x, y))
    assert user.state.session.report.hits.tolist() == [[True]]
    assert Ray(shot(user).origin, shot(user).direction) == shot(user).shape


def test_a_drag_with_ctrl_turns_the_camera_and_a_handle_snaps_as_before(open_items):
    user = open_items(BOX)
    eye, scene = user.camera.eye, user.state.session.scene
    user.drag((600, 200), (700, 260), modifiers=("Ctrl",))
    assert user.camera.eye != eye and user.state.session.scene is scene
    start = user.pixel((-3.0, 2.0, 0.0))
    user.key_down("Ctrl")
    user.drag(start, (start[0] + 60, start[1]), modifiers=("Ctrl",))
    user.key_up("Ctrl")
    assert len(user.state.session.scene.probes) == 2 and user.state.session.document.undo_name != "shoot a ray"


def test_the_help_lists_the_gesture():
    gestures = {keys: gesture.description for gesture in commands_of({}).gestures for keys in gesture.keys}
    assert "shoot a ray" in gestures["Ctrl+Left"]

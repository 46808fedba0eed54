"""A sphere in the window: wherever a box is, a sphere is."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from hitscope.draw.target import Target
from hitscope.evaluate import intersect
from hitscope.evaluate.verdict_words import decider_of
from hitscope.geometry import exact
from hitscope.geometry.exact import meet
from hitscope.geometry.shapes import Point, Sphere
from hitscope.scene.items import AabbPrimitive, SegmentProbe, SpherePrimitive, SphereProbe
from hitscope.viewer.panels.paste_dialog import take_label
from hitscope.viewer.state.inputs import Clipboard
from hitscope.viewer.tools.gizmo import gizmo_of
from tests.viewer.user import WINDOWED, status_of, target_at

BALL = SpherePrimitive(id="ball", center=(0.3, 0.2, 0.1), radius=1.5)
PROBE = SphereProbe(id="probe", center=(-3.0, 0.0, 0.0), radius=0.5)
CUT = SegmentProbe(id="cut", start=(-4.0, 0.5, 0.0), end=(4.0, 0.75, 0.5))
FLOOR = AabbPrimitive(id="floor", min=(-3.0, -1.0, -3.0), max=(3.0, 0.0, 3.0))
NEAR_RIM, BEYOND_RIM = 0.99, 1.01
"""Parts of the radius just inside and outside of a silhouette."""


def rim(user, ball, part, turn):
    """The pixel of a point at a part of the apparent radius of a sphere from its middle, in a direction."""
    camera = user.camera
    eye, center = np.array(camera.eye), np.array(ball.center)
    away = np.linalg.norm(center - eye)
    # The silhouette is the circle where the sight touches the sphere, nearer to the eye than the center.
    middle = center + (eye - center) * (ball.radius / away) ** 2
    right = np.cross(eye - center, (0.0, 1.0, 0.0))
    right /= np.linalg.norm(right)
    up = np.cross(right, (eye - center) / away)
    size = part * ball.radius * math.sqrt(1 - (ball.radius / away) ** 2)
    return user.pixel(tuple((middle + size * (math.cos(turn) * right + math.sin(turn) * up)).tolist()))


@pytest.mark.parametrize("turn", [0.8, 1.6, 2.3, 4.0, 4.7, 5.5])
def test_a_click_selects_a_sphere_up_to_its_silhouette_and_not_beyond(open_items, turn):
    user = open_items(BALL, probes=(PROBE,))
    for ball, kind in ((BALL, "primitive"), (PROBE, "probe")):
        assert target_at(user.state, *rim(user, ball, NEAR_RIM, turn))[:2] == (kind, ball.id)
        assert target_at(user.state, *rim(user, ball, BEYOND_RIM, turn)) is None
    user.click(rim(user, BALL, 0.7, turn))
    assert user.state.selection.last == Target("primitive", "ball")


def test_of_two_spheres_the_one_in_front_is_picked_and_a_second_click_picks_the_other(open_items):
    behind = SpherePrimitive(id="behind", center=(0.3, 0.2, -6.0), radius=2.0)
    user = open_items(BALL, behind, probes=())
    pixel = user.pixel((0.6, 0.9, 0.1))
    user.click(pixel)
    assert user.selected == ["ball"]
    user.click(pixel)
    assert user.selected == ["behind"]


def test_handles_move_the_center_and_change_the_radius(open_items):
    user = open_items(BALL, probes=(PROBE,))
    user.drag(user.pixel((-3.0, 0.0, 0.0)), user.pixel((-2.0, 1.0, 0.0)))
    moved = user.item("probe")
    np.testing.assert_allclose(moved.center[:2], (-2.0, 1.0), atol=0.2)
    assert moved.radius == 0.5
    user.keys("Ctrl+Z")
    user.drag(user.pixel((-2.5, 0.0, 0.0)), user.pixel((-2.0, 0.0, 0.0)), release=False)
    assert "radius" in status_of(user.state) and "along x" in status_of(user.state)
    user.release()
    assert user.item("probe").center == (-3.0, 0.0, 0.0)
    assert user.item("probe").radius == pytest.approx(1.0, abs=0.02)
    user.keys("Ctrl+Z", "Ctrl+Y")
    assert user.item("probe").radius == pytest.approx(1.0, abs=0.02)
    user.drag(user.pixel((user.item("probe").radius - 3.0, 0.0, 0.0)), user.pixel((-6.0, 0.0, 0.0)))
    assert user.item("probe").radius == 0.0, "it does not pass the center"
    assert user.state.session.report.verdict(0, 0).hit is False


@pytest.mark.replayed
def test_the_gizmo_moves_a_sphere_and_turns_it_about_a_pivot_with_its_radius(open_items):
    user = open_items(BALL, probes=(PROBE,))
    user.click_on("probe probe")
    user.keys("W")
    x, y = user.arrow()
    user.drag((x, y), (x + 30, y), release=False)
    user.keys("2", "Enter")
    user.release()
    assert user.item("probe") == SphereProbe(id="probe", center=(-1.0, 0.0, 0.0), radius=0.5)
    user.click_on("primitive ball", modifiers=("Ctrl",))
    user.keys("E")
    user.wait()
    pivot = np.array(gizmo_of(user.state).pivot)
    before = {name: np.array(user.item(name).center) for name in ("probe", "ball")}
    user.drag(user.ring(), (300.0, 200.0), release=False)
    user.keys("9", "0", "Enter")
    user.release()
    for name, center in before.items():
        now = user.item(name)
        assert now.radius == {"probe": 0.5, "ball": 1.5}[name]
        assert np.linalg.norm(now.center - pivot) == pytest.approx(np.linalg.norm(center - pivot))
        assert np.linalg.norm(now.center - center) == pytest.approx(
            math.sqrt(2) * np.linalg.norm(center - pivot), rel=0.3
        )


def test_a_sphere_alone_turns_about_its_center_and_stays_to_the_last_bit(open_items):
    ball = SpherePrimitive(id="ball", center=(0.1, 0.7, 1e-17), radius=0.3)
    user = open_items(ball, probes=())
    user.click_on("primitive ball")
    user.keys("E")
    user.drag(user.ring(), (300.0, 200.0))
    assert user.item("ball") == ball


def test_the_gizmo_scales_the_radius_evenly_and_refuses_one_axis_in_words(open_items):
    user = open_items(BALL, probes=(PROBE,))
    user.click_on("primitive ball")
    user.keys("R")
    scene = user.state.session.scene
    x, y = user.arrow()
    user.drag((x, y), (x + 60, y), release=False)
    assert "the same factor along every axis" in status_of(user.state)
    assert user.state.session.scene is scene, "nothing is changed while it is dragged"
    user.release()
    assert user.state.session.scene is scene and not user.state.session.document.changed
    assert "the same factor along every axis" in status_of(user.state)
    middle = user.pixel(BALL.center)
    user.drag(middle, (middle[0] + 30, middle[1]), release=False)
    assert user.state.session.scene is not scene and "×" in status_of(user.state)
    user.keys("X")
    assert user.state.session.scene is scene and "the same factor" in status_of(user.state)
    user.keys("X", "2", "Enter")
    user.release()
    assert user.item("ball") == SpherePrimitive(id="ball", center=BALL.center, radius=3.0)
    user.keys("Ctrl+Z")
    assert user.item("ball") == BALL


def test_many_spheres_are_scaled_roughly_while_they_are_dragged_and_exactly_in_the_end(open_items):
    balls = [SpherePrimitive(id=f"b{i}", center=(0.1 * i, 0.3, 0.0), radius=0.1) for i in range(4)]
    user = open_items(*balls, probes=(), limits=replace(WINDOWED, rough_from=3))
    user.keys("Ctrl+A", "R")
    pivot = [Fraction(repr(value)) for value in gizmo_of(user.state).pivot]
    middle = user.pixel(tuple(map(float, pivot)))
    user.drag(middle, (middle[0] + 30, middle[1]), release=False)
    user.keys("3", "Enter")
    user.release()
    for ball in balls:
        now = user.item(ball.id)
        assert now.radius == 0.3
        expected = [float(p + 3 * (Fraction(repr(c)) - p)) for p, c in zip(pivot, ball.center, strict=True)]
        assert list(now.center) == expected
    scene = user.state.session.scene
    x, y = user.arrow()
    user.drag((x, y), (x + 60, y))
    assert user.state.session.scene is scene and "the same factor" in status_of(user.state)


def test_the_inspector_has_the_numbers_of_a_sphere_and_refuses_a_negative_radius(open_items):
    user = open_items(BALL, probes=(PROBE, CUT))
    user.click_on("primitive ball")
    radius = "field primitive ball $.radius"
    user.enter(radius, "-1")
    assert user.item("ball") == BALL and user.refusal[0] == radius and ">= 0" in user.refusal[1]
    user.enter(radius, "2/3")
    assert user.item("ball").radius == 2 / 3 and user.refusal is None
    user.enter("field primitive ball $.center[1]", "1, 2, 3")
    assert user.item("ball").center == (1.0, 2.0, 3.0)
    user.keys("Ctrl+Z")
    assert (user.item("ball").center, user.item("ball").radius) == (BALL.center, 2 / 3)


@pytest.mark.replayed
def test_a_sphere_changes_its_type_and_its_role_and_back(open_items):
    user = open_items(BALL, probes=(PROBE, CUT))
    user.click_on("primitive ball")
    user.keys("M")
    (_, _, turned), primitives = user.state.session.scene.probes, user.state.session.scene.primitives
    assert turned == SphereProbe(id="ball", center=BALL.center, radius=BALL.radius) and primitives == ()
    user.keys("M")
    assert user.item("ball") == BALL


def test_the_panel_of_a_pair_expects_and_decides_by_the_surface(open_items):
    user = open_items(BALL, probes=(CUT,))
    user.click_on("primitive ball")
    user.keys("Ctrl+E")
    (expected,) = user.state.session.scene.expect
    assert (expected.probe, expected.primitive, expected.hit) == ("cut", "ball", True)
    verdict = user.state.session.report.verdict(0, 0)
    assert decider_of(verdict).whole == "cut enters ball through its surface"
    assert verdict.t_enter == intersect(CUT.shape, BALL.shape).t_enter and 0 < verdict.t_enter < 0.5


@pytest.mark.replayed
def test_a_sphere_is_pasted_as_json_and_as_numbers_and_copied(open_items):
    user = open_items(BALL, probes=(PROBE,))
    user.take(Clipboard, '{"type": "sphere", "center": [1, 2, 3], "radius": 0.25}')
    user.keys("Ctrl+V")
    assert user.state.session.scene.primitives[-1].shape == ((1.0, 2.0, 3.0), 0.25)
    user.keys("Escape")
    user.take(Clipboard, "sphere center: (1.5, 2, 3) radius: 0.75")
    user.keys("Ctrl+V")
    assert take_label(user.state.dialogs.dialog) == "Paste a sphere"
    user.keys("Enter")
    scene = user.state.session.scene
    assert any(item.word == "sphere" and item.radius == 0.75 for item in (*scene.primitives, *scene.probes))


def test_a_map_around_the_center_and_the_radius(open_items):
    user = open_items(BALL, probes=(PROBE,))
    view = user.state.session.map_view
    view.size = 16
    user.click(user.pixel(PROBE.center))
    user.keys("Shift+M")
    assert view.problem == "" and view.found is not None and view.target.handle == 0
    user.click(user.pixel((-2.5, 0.0, 0.0)))
    user.wait()
    assert view.problem == "" and view.found is not None and view.target.handle == 1


def test_the_steps_of_a_pair_with_a_sphere_are_shown(open_items):
    user = open_items(BALL, probes=(CUT,))
    user.click_on("primitive ball")
    user.keys("D")
    assert user.state.display.stepping.is_open
    user.keys("J")
    assert user.state.display.stepping.shown_step is not None


def test_a_press_is_the_center_of_a_new_sphere_and_the_drag_its_radius(open_items):
    user = open_items(FLOOR, probes=(CUT,))
    user.keys("N", "O")
    user.drag(user.pixel((1.0, 0.0, 2.0)), user.pixel((2.0, 0.0, 2.0)))
    ball = user.item(user.selected[0])
    np.testing.assert_allclose(ball.center, (1.0, 0.0, 2.0), atol=0.02)
    assert ball.radius == pytest.approx(1.0, abs=0.02) and len(f"{ball.radius}") <= 5
    user.keys("Ctrl+Z", "N", "O")
    user.drag(user.pixel((1.0, 0.0, 2.0)), user.pixel((2.0, 0.0, 2.0)), release=False)
    user.keys("1", ".", "2", "5", "Enter")
    user.release()
    assert user.item(user.selected[0]).radius == 1.25


@pytest.mark.replayed
def test_a_new_sphere_that_snaps_to_a_corner_contains_it_and_hardly_more(open_items):
    user = open_items(FLOOR, probes=(CUT,))
    user.keys("N", "O")
    user.press(user.pixel((1.1, 0.0, 2.3)))
    user.key_down("Ctrl")
    for corner in ((3.0, 0.0, 2.9), (3.0, 0.0, 3.0)):
        user.move(user.pixel(corner))
    assert "corner of floor" in status_of(user.state)
    user.release()
    user.key_up("Ctrl")
    ball = user.item(user.selected[0])
    vertex = Point((3.0, 0.0, 3.0))
    assert meet(vertex, ball.shape)
    assert not meet(vertex, Sphere(ball.center, math.nextafter(ball.radius, 0.0)))


@pytest.mark.replayed
def test_a_ray_shot_at_a_sphere_and_a_shape_begun_on_one_end_on_its_surface(open_items):
    user = open_items(BALL, probes=())
    pixel = user.pixel((0.6, 0.9, 1.4))
    user.keys("N", "P")
    user.click(pixel)
    point = user.item(user.selected[0])
    assert meet(point.shape, BALL.shape) and exact.distance(point.shape, BALL.shape) > -1e-14
    user.keys("N", "T")
    user.drag(pixel, (pixel[0] + 80, pixel[1]))
    a, b, _ = user.item(user.selected[0]).vertices
    assert exact.distance(Point(a), BALL.shape) == pytest.approx(0.0, abs=1e-14)
    out = np.subtract(a, BALL.center)
    assert abs(np.subtract(b, a) @ out) < 0.02, "it begins in the plane that touches the sphere there"


def test_a_selection_box_around_the_center_selects_the_sphere(open_items):
    user = open_items(BALL, probes=())
    x, y = user.pixel(BALL.center)
    user.keys("B")
    user.drag((x - 10, y - 10), (x + 10, y + 10))
    assert user.selected == ["ball"]

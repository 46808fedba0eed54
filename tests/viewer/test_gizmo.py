"""Gizmos without a window: the part at a pixel, what a drag does, and the sketches that are drawn."""

import math
from itertools import product

import numpy as np
import pytest

from hitscope.render.camera import Camera, Viewport
from hitscope.render.view import View
from hitscope.scene.items import AabbPrimitive, ObbPrimitive, PointProbe
from hitscope.viewer.state.tool import GizmoPart
from hitscope.viewer.tools.drags.edit_drag import parse_number, typed_text
from hitscope.viewer.tools.edit_commands import ARROWS, arrow, nudge_by
from hitscope.viewer.tools.gizmo import (
    CENTER,
    PARTS,
    SIZE,
    VIEW,
    Gizmo,
    Rotation,
    Scaling,
    Translation,
    gizmo_change,
)

VIEWPORT = Viewport(0, 0, 1280, 800)
OBLIQUE = View(Camera((6.0, 5.0, 8.0), (0.0, 0.0, 0.0)), VIEWPORT)
FRONT = View(Camera((0.0, 0.0, 10.0), (0.0, 0.0, 0.0)), VIEWPORT)
PIVOT = (1.0, 0.5, -0.5)
TILTED = ((0.6, 0.8, 0.0), (-0.8, 0.6, 0.0), (0.0, 0.0, 1.0))
MODES = ("move", "rotate", "scale")


def pixel(view, point):
    x, y, _ = view.project(point)[0].tolist()
    return x, y


def gizmo(mode, view=OBLIQUE, **more):
    return Gizmo(mode, PIVOT, view, **more)


def axis_part(k):
    return GizmoPart("axis", k)


# Parts


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "frame", [((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), TILTED], ids=["world", "local"]
)
def test_every_part_is_drawn_and_found_where_it_is_drawn(mode, frame):
    view = View(Camera((-2.0, 5.0, 8.0), (0.0, 0.0, 0.0)), VIEWPORT)
    shown = gizmo(mode, view, frame=frame)
    sketches = {sketch.part: sketch for sketch in shown.sketches()}
    assert set(sketches) == set(PARTS[mode])
    for part, sketch in sketches.items():
        middle = sketch.points.mean(axis=0) if sketch.filled else sketch.points[2 * len(sketch.points) // 3]
        tip = sketch.points[-1] if sketch.tip else middle
        assert shown.part_at(*pixel(view, tip)) == part


@pytest.mark.parametrize("distance", [2.0, 50.0, 1e6])
@pytest.mark.parametrize("points", [1.0, 2.0])
def test_an_axis_is_as_long_on_the_screen_at_any_distance(distance, points):
    view = View(Camera((0.0, 0.0, distance), (0.0, 0.0, 0.0)), VIEWPORT, points)
    (sketch,) = [s for s in Gizmo("move", (0.0, 0.0, 0.0), view).sketches() if s.part == axis_part(0)]
    start, end = (np.array(pixel(view, point)) for point in sketch.points)
    assert np.linalg.norm(end - start) == pytest.approx(SIZE * points)
    assert sketch.tip == "arrow"


def test_what_is_seen_end_on_is_not_offered():
    parts = {sketch.part for sketch in Gizmo("move", (0.0, 0.0, 0.0), FRONT).sketches()}
    assert parts == {CENTER, axis_part(0), axis_part(1), GizmoPart("plane", 2)}


@pytest.mark.parametrize("mode", MODES)
def test_beside_the_gizmo_and_behind_the_eye_there_is_no_part(mode):
    x, y = pixel(OBLIQUE, PIVOT)
    assert gizmo(mode).part_at(x + 300, y) is None
    assert Gizmo(mode, (12.0, 10.0, 16.0), OBLIQUE).part_at(640.0, 400.0) is None


def test_of_a_ring_the_near_half_is_drawn():
    for sketch in gizmo("rotate").sketches():
        if sketch.part.kind == "ring":
            toward = np.subtract(OBLIQUE.camera.eye, PIVOT)
            assert ((sketch.points - PIVOT) @ toward >= -1e-6).all() and len(sketch.points) in (32, 33)
            gaps = np.linalg.norm(np.diff(sketch.points, axis=0), axis=1)
            assert gaps.max() == pytest.approx(gaps.min()), "one line without a jump"


# Moving


@pytest.mark.parametrize("k", range(3))
def test_an_arrow_moves_along_its_axis_by_what_the_mouse_shows(k):
    shown = gizmo("move")
    to = np.array(PIVOT) + 0.75 * np.eye(3)[k]
    change = gizmo_change(shown, axis_part(k), pixel(OBLIQUE, PIVOT), pixel(OBLIQUE, to))
    assert change.by[k] == pytest.approx(0.75, abs=0.005)
    assert [value for i, value in enumerate(change.by) if i != k] == [0.0, 0.0]
    assert len(repr(change.by[k])) <= 6


def test_a_local_arrow_moves_along_the_local_axis():
    to = np.array(PIVOT) + 0.5 * np.array(TILTED[0])
    change = gizmo_change(gizmo("move", frame=TILTED), axis_part(0), pixel(OBLIQUE, PIVOT), pixel(OBLIQUE, to))
    assert change.by == pytest.approx((0.3, 0.4, 0.0), abs=0.005)


@pytest.mark.parametrize("k", range(3))
def test_a_square_moves_in_its_plane(k):
    way = np.array([0.4, -0.3, 0.5]) * (1 - np.eye(3)[k])
    change = gizmo_change(
        gizmo("move"), GizmoPart("plane", k), pixel(OBLIQUE, PIVOT), pixel(OBLIQUE, np.array(PIVOT) + way)
    )
    assert change.by == pytest.approx(tuple(way), abs=0.01) and change.by[k] == 0.0


def test_the_middle_moves_in_the_plane_that_faces_the_eye():
    right, up, back = OBLIQUE.camera.axes
    to = np.array(PIVOT) + 0.5 * right - 0.25 * up
    change = gizmo_change(gizmo("move"), CENTER, pixel(OBLIQUE, PIVOT), pixel(OBLIQUE, to))
    assert np.array(change.by) @ back == pytest.approx(0, abs=0.01)
    assert np.array(change.by) @ right == pytest.approx(0.5, abs=0.01)


def test_with_ctrl_a_move_is_a_multiple_of_the_step():
    to = pixel(OBLIQUE, np.add(PIVOT, (0.33, 0.0, 0.0)))
    assert gizmo_change(gizmo("move"), axis_part(0), pixel(OBLIQUE, PIVOT), to, snap=True, step=0.1).by == (
        0.3,
        0.0,
        0.0,
    )


def test_a_typed_number_is_the_distance():
    shown = gizmo("move")
    press, now = pixel(OBLIQUE, PIVOT), pixel(OBLIQUE, np.add(PIVOT, (0.3, 0.0, 0.0)))
    assert gizmo_change(shown, axis_part(1), press, now, number=-0.1).by == (0.0, -0.1, 0.0)
    assert gizmo_change(shown, axis_part(1), press, press, number=2.0).by == (0.0, 2.0, 0.0)
    free = gizmo_change(shown, GizmoPart("plane", 1), press, now, number=2.0)
    assert math.hypot(*free.by) == pytest.approx(2.0) and free.by[0] == pytest.approx(2.0, abs=0.01)
    assert gizmo_change(shown, CENTER, press, press, number=2.0) is None, "there is no way to go"


@pytest.mark.parametrize("mode", ["move", "scale"])
def test_axis_keys_lock_to_an_axis_and_with_shift_to_the_plane_across_it(mode):
    assert gizmo(mode).locked(1) == GizmoPart("axis", 1)
    assert gizmo(mode).locked(1, plane=True) == GizmoPart("plane", 1)
    assert gizmo("rotate").locked(2) == GizmoPart("ring", 2)


def test_an_axis_towards_the_eye_cannot_be_dragged_along():
    center = Gizmo("move", (0.0, 0.0, 0.0), FRONT)
    assert gizmo_change(center, axis_part(2), (640.0, 400.0), (700.0, 420.0)) is None
    assert gizmo_change(center, axis_part(2), (640.0, 400.0), (700.0, 420.0), number=1.0).by == (0.0, 0.0, 1.0)


# Turning


def around(axis, degrees, radius=1.5):
    """A point about the pivot at an angle in the ring's plane."""
    u, v = np.roll(np.eye(3), -axis - 1, axis=0)[:2]
    return np.array(PIVOT) + radius * (math.cos(math.radians(degrees)) * u + math.sin(math.radians(degrees)) * v)


@pytest.mark.parametrize("k", range(3))
@pytest.mark.parametrize(("start", "degrees"), [(10.0, 50.0), (170.0, 40.0), (-20.0, -100.0), (0.0, 179.0)])
def test_a_ring_turns_by_the_angle_that_the_mouse_goes(k, start, degrees):
    press, now = (pixel(OBLIQUE, around(k, angle)) for angle in (start, start + degrees))
    change = gizmo_change(gizmo("rotate"), GizmoPart("ring", k), press, now)
    assert change.degrees == pytest.approx(degrees, abs=0.11) and change.axis == tuple(np.eye(3)[k])
    assert change.pivot == PIVOT
    assert (
        gizmo_change(gizmo("rotate"), GizmoPart("ring", k), press, now, snap=True).degrees
        == round(degrees / 15) * 15
    )


def test_what_is_turned_follows_the_mouse():
    press, now = (pixel(OBLIQUE, around(1, angle)) for angle in (20.0, 65.0))
    point = PointProbe(position=tuple(around(1, 20.0)))
    turned = gizmo_change(gizmo("rotate"), GizmoPart("ring", 1), press, now).apply([point])[0]
    assert math.dist(pixel(OBLIQUE, turned.position), now) < 1.0


def test_a_ring_seen_from_its_side_is_turned_by_pulling_its_near_half():
    shown = Gizmo("rotate", (0.0, 0.0, 0.0), FRONT)
    near = (640.0, 400.0)
    for k, now in ((1, (640.0 + SIZE, 400.0)), (0, (640.0, 400.0 + SIZE))):
        change = gizmo_change(shown, GizmoPart("ring", k), near, now)
        assert change.degrees == pytest.approx(57.3, abs=0.1)
        turned = Rotation((0.0, 0.0, 0.0), change.axis, 10.0).apply([PointProbe(position=(0.0, 0.0, 1.0))])[0]
        moved = np.subtract(pixel(FRONT, turned.position), near)
        assert moved @ np.subtract(now, near) > 0, "what is near the eye goes with the mouse"


def test_the_outer_ring_turns_about_the_line_of_sight():
    shown = Gizmo("rotate", (0.0, 0.0, 0.0), FRONT)
    change = gizmo_change(shown, VIEW, (740.0, 400.0), (640.0, 300.0))
    assert change.axis == (0.0, 0.0, 1.0) and change.degrees == 90.0
    assert gizmo_change(shown, VIEW, (740.0, 400.0), (640.0, 300.0), number=30.0).degrees == 30.0


# Scaling


@pytest.mark.parametrize("k", range(3))
def test_a_cube_scales_along_its_axis(k):
    shown = gizmo("scale")
    a, b = (pixel(OBLIQUE, np.array(PIVOT) + size * np.eye(3)[k]) for size in (0.8, 1.2))
    change = gizmo_change(shown, axis_part(k), a, b)
    assert change.factors[k] == pytest.approx(1.5, abs=0.006)
    assert [f for i, f in enumerate(change.factors) if i != k] == [1.0, 1.0]
    assert gizmo_change(shown, axis_part(k), a, pixel(OBLIQUE, np.array(PIVOT) - 0.4 * np.eye(3)[k])).factors[
        k
    ] == pytest.approx(-0.5, abs=0.006)
    assert gizmo_change(shown, axis_part(k), a, b, snap=True).factors[k] == 1.5
    assert gizmo_change(shown, axis_part(k), a, b, number=-2.0).factors[k] == -2.0


def test_the_middle_scales_evenly_and_a_square_along_two_axes():
    shown = gizmo("scale", frame=TILTED)
    x, y = pixel(OBLIQUE, PIVOT)
    assert gizmo_change(shown, CENTER, (x, y), (x + SIZE, y)) == Scaling(PIVOT, (2.0, 2.0, 2.0), TILTED)
    assert gizmo_change(shown, CENTER, (x, y), (x, y + SIZE / 2)).factors == (0.5, 0.5, 0.5)
    assert gizmo_change(shown, GizmoPart("plane", 1), (x + 50, y), (x + 75, y)).factors == (1.5, 1.0, 1.5)


def test_from_the_pivot_an_axis_length_doubles():
    shown = gizmo("scale")
    to = np.array(PIVOT) + shown.unit * np.eye(3)[0]
    assert gizmo_change(shown, axis_part(0), pixel(OBLIQUE, PIVOT), pixel(OBLIQUE, to)).factors[
        0
    ] == pytest.approx(2.0, abs=0.006)


def test_changes_are_applied_to_any_item():
    box = AabbPrimitive(id="b", min=(0.0, 0.0, 0.0), max=(1.0, 1.0, 1.0))
    assert Translation((0.1, 0.0, 0.0)).apply([box])[0] == AabbPrimitive(
        id="b", min=(0.1, 0.0, 0.0), max=(1.1, 1.0, 1.0)
    )
    assert isinstance(Rotation(PIVOT, (0.0, 0.0, 1.0), 30.0).apply([box])[0], ObbPrimitive)
    world = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    assert Scaling((0.0, 0.0, 0.0), (2.0, 1.0, 1.0), world).apply([box])[0].max == (2.0, 1.0, 1.0)


# Typed numbers


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        ("1 2 . 5", 12.5),
        ("- 3", -3.0),
        ("3 -", -3.0),
        ("- 3 -", 3.0),
        (". 5 .", 0.5),
        ("-", None),
        (".", None),
        ("", None),
        ("1 2 Backspace", 1.0),
        ("1 Backspace", None),
    ],
)
def test_keys_make_a_number(keys, value):
    text: str | None = ""
    for key in keys.split():
        text = typed_text(text, key)
    assert parse_number(text) == value


@pytest.mark.parametrize("key", ["X", "Enter", "Escape", "", "12", "Ctrl+Z"])
def test_other_keys_are_no_part_of_a_number(key):
    assert typed_text("1", key) is None
    assert typed_text("", "Backspace") is None


# Nudging


@pytest.mark.parametrize(
    "eye", [(0.0, 0.0, 10.0), (10.0, 1.0, 0.0), (3.0, 8.0, -4.0), (-3.0, -0.1, -4.0), (1.0, 1.0, 1.0)]
)
@pytest.mark.parametrize("up", ["y", "z"])
def test_arrow_keys_go_where_they_point_along_different_axes(eye, up):
    camera = Camera(eye, (0.0, 0.0, 0.0), up)
    found = {key: arrow(camera, key) for key in ARROWS}
    assert {axis for axis, _ in found.values()} == {0, 1, 2}
    for key, opposite in (("Right", "Left"), ("Up", "Down"), ("PageUp", "PageDown")):
        assert found[key] == (found[opposite][0], -found[opposite][1])
        assert np.array(nudge_by(camera, key, 0.5)) @ camera.axes[ARROWS[key][0]] >= 0
    assert np.array(nudge_by(camera, "Right", 0.5)) @ camera.axes[0] > 0.25
    assert nudge_by(Camera((0.0, 0.0, 9.0), (0.0, 0.0, 0.0)), "Left", 0.1) == (-0.1, 0.0, 0.0)


@pytest.mark.parametrize("mode", MODES)
def test_no_pixel_gives_numbers_that_are_not_finite(mode):
    shown = gizmo(mode, FRONT)
    for part, x, y in product(PARTS[mode], (-50.0, 640.0, 1300.0), (-50.0, 400.0, 900.0)):
        change = gizmo_change(shown, part, (640.0, 400.0), (x, y))
        if change is not None:
            assert all(map(math.isfinite, change.apply([PointProbe(position=(1.0, 2.0, 3.0))])[0].position))

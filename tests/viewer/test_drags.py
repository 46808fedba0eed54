"""What drags and nudges of handles and gizmos do and what the status line says of them, without a window."""

import math

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.draw.handle_targets import handle_target
from hitscope.draw.shape_drawings import handle_points
from hitscope.draw.target import Target
from hitscope.scene.items import AabbPrimitive, AabbProbe, ObbPrimitive, SegmentProbe, SphereProbe
from hitscope.viewer.interface.user_interface import draw_list
from hitscope.viewer.panels.gui import SETTLING_FRAMES
from hitscope.viewer.state.tool import GizmoPart
from hitscope.viewer.tools.gizmo import CENTER, CENTER_REACH, gizmo_of
from tests.viewer.samples import ABOVE, BOX, FRONT, SAIL
from tests.viewer.user import status_of, target_at

pytestmark = pytest.mark.without_panels

OFF = AabbPrimitive(id="off", center=(-1.99, -3.01, 0.0), half_extents=(0.94, 0.94, 0.94))


@pytest.fixture
def user(open_items):
    """A user of a box, a triangle, a segment that misses both and a ray."""
    return open_items(BOX, SAIL)


def ring_around(user, radius):
    """Pixels around the middle of the gizmo."""
    x, y = user.pixel(gizmo_of(user.state).pivot)
    return [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in np.linspace(0, 6, 13)]


# Gizmos


@pytest.mark.parametrize("key", ["W", "R"])
def test_the_middle_of_a_gizmo_is_grabbed_all_around_it(user, key):
    user.click(user.pixel(FRONT))
    user.keys(key)
    gizmo = gizmo_of(user.state)
    for radius in (0.0, 3.0, CENTER_REACH - 0.1):
        assert {gizmo.part_at(*at) for at in ring_around(user, radius)} == {CENTER}
    assert CENTER not in {gizmo.part_at(*at) for at in ring_around(user, CENTER_REACH + 0.1)}


def test_beside_the_middle_a_drag_moves_in_the_plane_that_faces_the_eye_and_scales_evenly(user):
    user.click(user.pixel(FRONT))
    user.keys("W")
    x, y = user.pixel((0.0, 0.0, 0.0))
    user.drag((x + 2, y + 2), (x + 62, y - 38))
    center = user.item("box").center
    np.testing.assert_allclose(user.pixel(center), (x + 60, y - 40), atol=1.5)
    assert sum(value != 0.0 for value in center) == 3
    user.keys("Ctrl+Z", "R")
    user.drag((x + 2, y + 1), (x + 42, y + 1))
    (half,) = set(user.item("box").half_extents)
    assert half > 1.2


def test_a_key_of_a_gizmo_keeps_it_and_escape_hides_it(user):
    user.click(user.pixel(FRONT))
    user.keys("W", "W")
    assert user.state.tool.gizmo_mode == "move"
    user.keys("E")
    assert user.state.tool.gizmo_mode == "rotate"
    user.keys("Escape")
    assert user.state.tool.gizmo_mode is None and user.selected == ["box"]


def test_the_faces_of_a_box_have_no_handles_while_a_gizmo_is_shown(user):
    user.click(user.pixel(FRONT))
    face = user.pixel((0.0, -1.0, 0.0))
    assert target_at(user.state, *face).handle is not None
    shown = len(draw_list(user.state).markers.positions)
    user.keys("R")
    assert target_at(user.state, *face).handle is None
    assert len(draw_list(user.state).markers.positions) == shown - 6
    user.keys("Escape")
    assert target_at(user.state, *face).handle is not None


def test_the_angle_of_a_box_that_becomes_an_oriented_one_is_shown(user):
    user.click(user.pixel(FRONT))
    user.keys("E")
    x, y = user.ring()
    user.drag((x, y), (x - 10, y - 60), release=False)
    user.keys("1", "5")
    assert "a rotated aabb becomes an obb   ·   by 15° about the line of sight" in user.state.tool.drag.hint
    user.keys("Escape")


def test_the_factors_of_all_axes_are_shown_unless_they_are_equal(user):
    user.click(user.pixel(FRONT))
    user.keys("R")
    for axis, words in ((0, "× 2  1  1"), (1, "× 1  2  1"), (2, "× 1  1  2")):
        at = user.arrow(axis)
        user.drag(at, (at[0] + 9, at[1] - 9), release=False)
        user.keys("2")
        assert words in user.state.tool.drag.hint
        user.keys("Escape")
        user.release()
    x, y = user.pixel((0.0, 0.0, 0.0))
    user.drag((x, y), (x + 30, y), release=False)
    user.keys("2")
    assert "× 2" in user.state.tool.drag.hint and "× 2  " not in user.state.tool.drag.hint


def ring(user, axis):
    """A pixel of the ring about one of the gizmo's axes, beside those of the others."""
    (found,) = [sketch for sketch in gizmo_of(user.state).sketches() if sketch.part == GizmoPart("ring", axis)]
    pixels = [user.pixel(point) for point in found.points]
    return next(at for at in pixels if gizmo_of(user.state).part_at(*at) == GizmoPart("ring", axis))


def test_the_axis_of_a_turn_is_shown_and_whose_axis_it_is(open_items):
    tilted = ObbPrimitive(
        id="tilted", center=(0.0, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0), euler_xyz_deg=(0.0, 0.0, 30.0)
    )
    user = open_items(tilted)
    user.state.selection.select(Target("primitive", "tilted"))
    user.keys("E")
    assert status_of(user.state) == "Rotates about the world's axes   ·   L for its own   ·   Esc cancels"
    for key, words in (("E", "by 15° about y"), ("L", "by 15° about its own y")):
        user.keys(key)
        x, y = ring(user, 1)
        user.drag((x, y), (x + 10, y + 4), release=False)
        assert "type an angle   ·   Ctrl snaps" in user.state.tool.drag.hint
        user.keys("1", "5")
        assert user.state.tool.drag.hint.split("   ·   ")[1] == words
        user.keys("Escape")
        user.release()
    user.keys("Escape", "R")
    assert status_of(user.state) == "Scales along its own axes   ·   L for the world's   ·   Esc cancels"


@pytest.mark.parametrize(("key", "number"), [("E", "90"), ("R", "2")])
def test_a_box_turned_or_scaled_about_its_own_centre_keeps_every_bit_of_it(open_items, key, number):
    center = (0.3, 1.0, 0.1)
    tilted = ObbPrimitive(
        id="tilted", center=center, half_extents=(1.0, 0.5, 0.7), euler_xyz_deg=(10.0, 20.0, 30.0)
    )
    user = open_items(tilted)
    user.state.selection.select(Target("primitive", "tilted"))
    user.keys(key)
    x, y = ring(user, 1) if key == "E" else user.pixel(center)
    user.drag((x, y), (x + 10, y + 4), release=False)
    user.keys(*number)
    user.release()
    assert user.item("tilted") != tilted and user.item("tilted").center == center


# Locks


def test_the_status_line_says_how_far_a_handle_goes_from_where_and_what_locks_it(user):
    x, y = user.pixel(ABOVE.end)
    user.drag((x, y), (x + 60, y - 20), release=False)
    words = user.state.tool.drag.hint
    far, *keys, where = words.split("   ·   ")
    assert far.startswith("end by ") and where.startswith("from (3, 2, 0) to (")
    assert keys == ["X Y Z axis, Shift+ plane", "type a distance", "Ctrl snaps", "Esc cancels"]
    assert user.state.tool.drag.directions.shape == (0, 3)
    user.keys("X", "2", ".", "5")
    assert (
        user.state.tool.drag.hint == "2.5 typed   ·   along x   ·   end by 2.5   ·   from (3, 2, 0) to (5.5, 2, 0)"
    )
    assert (
        user.state.tool.drag.directions.tolist() == [[1.0, 0.0, 0.0]] and user.state.tool.drag.start == ABOVE.end
    )
    user.keys("Shift+Y")
    assert "in the xz plane" in user.state.tool.drag.hint
    assert user.state.tool.drag.directions.tolist() == [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    user.keys("Escape")


def test_only_the_keys_of_axes_lock_a_drag(user):
    x, y = user.pixel(ABOVE.end)
    user.drag((x, y), (x + 60, y - 20), release=False)
    user.keys("+", "Ctrl++")
    assert user.state.tool.drag.directions.shape == (0, 3)
    user.keys("Escape")


def test_a_face_moves_along_its_normal_as_the_status_line_says(open_items):
    tilted = ObbPrimitive(
        id="tilted", center=(0.0, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0), euler_xyz_deg=(0.0, 0.0, 30.0)
    )
    for box, said in ((BOX, "along x"), (tilted, "along its normal")):
        user = open_items(box)
        user.click(user.pixel((0.1, 0.3, 1.0)))
        handle = handle_points(box.shape)[2]
        user.drag(user.pixel(handle), user.pixel(handle * 1.5), release=False)
        assert said in user.state.tool.drag.hint and "face +x by " in user.state.tool.drag.hint
        np.testing.assert_allclose(user.state.tool.drag.directions, [handle / np.linalg.norm(handle)])
        user.keys("Y")
        assert said in user.state.tool.drag.hint, "whatever is locked"


def test_a_gizmo_has_the_line_of_the_part_that_counts(user):
    user.click(user.pixel(FRONT))
    user.keys("E")
    at = user.ring()
    user.drag(at, (at[0], at[1] - 30), release=False)
    assert user.state.tool.drag.directions.shape == (0, 3)
    user.keys("Z")
    assert user.state.tool.drag.directions.tolist() == [[0.0, 0.0, 1.0]] and "about z" in user.state.tool.drag.hint
    user.keys("Escape")
    user.release()
    user.keys("W")
    at = user.arrow(1)
    user.drag(at, (at[0], at[1] - 30), release=False)
    assert user.state.tool.drag.part == GizmoPart("axis", 1) and user.state.tool.drag.directions.tolist() == [
        [0.0, 1.0, 0.0]
    ]
    user.keys("Shift+Y")
    assert user.state.tool.drag.directions.tolist() == [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]


def test_ctrl_and_z_cancel_a_drag_and_ctrl_with_x_or_y_does_nothing(user):
    before = user.state.session.scene
    x, y = user.pixel(ABOVE.end)
    user.drag((x, y), (x + 60, y - 20), release=False)
    free = user.state.session.scene
    for key in ("X", "Y"):
        user.key_down("Ctrl")
        user.keys(f"Ctrl+{key}")
        user.key_up("Ctrl")
        assert user.state.tool.drag.lock is None and user.state.session.scene == free
    user.key_down("Ctrl")
    user.keys("Ctrl+Z")
    assert user.state.tool.drag is None and user.state.session.scene is before
    user.key_up("Ctrl")
    user.release()
    assert user.state.session.scene is before and not user.state.session.document.changed


def test_where_ctrl_is_held_to_snap_the_keys_of_axes_lock(user):
    x, y = user.pixel(ABOVE.end)
    user.drag((x, y), (x + 60, y - 20), release=False)
    user.key_down("Ctrl")
    user.move((x + 70, y - 20))
    user.keys("Ctrl+Z")
    assert user.state.tool.drag.lock == (2, False)
    user.key_up("Ctrl")
    user.key_down("Ctrl")
    user.keys("Ctrl+X")
    assert user.state.tool.drag.lock == (2, False), "it was let go and has not snapped anything since"


# Boundaries


def test_a_probe_parallel_to_an_axis_snaps_to_the_boundary(open_items):
    box = AabbPrimitive(id="boxa", center=(-3.0, 0.9, 0.0), half_extents=(0.9, 0.9, 0.9))
    seg = SegmentProbe(id="seg", start=(-6.0, 1.0, 0.0), end=(-4.5, 1.3, 0.0))
    user = open_items(box, probes=(seg,))
    user.press(user.pixel(seg.end))
    user.key_down("Ctrl")
    x, y = user.pixel((-3.9, 1.0, 0.0))
    user.move((x - 3, y + 1))
    assert "parallel to the x axis, on the boundary of boxa: one ulp further misses" in user.state.tool.drag.hint
    user.release()
    user.key_up("Ctrl")
    assert user.item("seg").end == (-3.9, 1.0, 0.0)
    assert user.state.session.report.verdict(0, 0).state == "touching"


# Handles of boxes


@pytest.mark.parametrize("center", [-1.99, 0.1, 5.51, 1e16, 0.0])
@pytest.mark.parametrize("half", [0.94, 0.3, 1e-3, 0.0])
@pytest.mark.parametrize("kind", [AabbPrimitive, AabbProbe, ObbPrimitive])
def test_a_face_that_is_stored_where_it_is_changes_nothing(center, half, kind):
    box = kind(id="box", center=(center, -3.01, 0.7), half_extents=(half, 0.94, 0.2))
    for handle in range(1, 7):
        hold = handle_target(box, handle)
        assert hold.store(hold.vector) == box
        beside = tuple(value + (k != (handle - 1) // 2) for k, value in enumerate(hold.vector))
        if kind is not ObbPrimitive:
            assert hold.store(beside) == box, "a face moves along its normal only"


def test_the_face_of_a_box_is_where_its_numbers_say():
    hold = handle_target(OFF, 2)
    assert hold.vector[0] == -1.05 and hold.name == "face +x"
    moved = hold.store((-0.05, 7.0, 7.0))
    assert (moved.center, moved.half_extents) == ((-1.49, -3.01, 0.0), (1.44, 0.94, 0.94))
    assert hold.store((-99.0, 0.0, 0.0)).half_extents[0] == 0.0


def test_the_radius_of_a_sphere_is_as_long_as_its_handle_is_far_from_the_center_along_x():
    ball = SphereProbe(id="ball", center=(0.1, 2.0, -3.0), radius=0.2)
    hold = handle_target(ball, 1)
    assert (hold.name, hold.store(hold.vector)) == ("radius", ball)
    np.testing.assert_allclose(hold.vector, (0.3, 2.0, -3.0))
    assert hold.store((0.8, 7.0, 7.0)).radius == 0.7, "in the decimals of the file"
    assert hold.store((hold.vector[0], 7.0, 7.0)) == ball
    assert hold.store((-99.0, 0.0, 0.0)).radius == 0.0
    assert handle_target(ball, 0).store((1.0, 0.0, 0.0)).center == (1.0, 0.0, 0.0)


# Nudging


def test_arrows_move_what_is_selected_whatever_is_under_the_mouse_and_tell_it(open_items):
    user = open_items(OFF, probes=())
    user.state.selection.select(Target("primitive", "off"))
    user.move(user.pixel((-1.05, -3.01, 0.0)))
    assert user.state.selection.hovered == Target("primitive", "off", 2)
    user.keys("Up")
    assert user.item("off") == replace(OFF, center=(-1.99, -2.01, 0.0))
    assert status_of(user.state) == "off nudged by 1 along +y"
    user.keys("Alt+Down")
    assert status_of(user.state) == "off nudged by one ulp along -y"


def test_a_face_that_was_clicked_is_nudged_along_its_normal_only(open_items):
    user = open_items(OFF, probes=())
    user.state.selection.select(Target("primitive", "off"))
    user.click(user.pixel((-1.05, -3.01, 0.0)))
    assert user.state.selection.handle == Target("primitive", "off", 2)
    assert status_of(user.state) == "Arrow keys nudge the face +x of off"
    user.keys("Up")
    assert status_of(user.state) == "The face +x of off moves only along x"
    assert user.item("off") == OFF and not user.state.session.document.changed
    user.keys("Right")
    assert status_of(user.state) == "face +x of off nudged by 1 along +x"
    assert user.item("off") == replace(OFF, center=(-1.49, -3.01, 0.0), half_extents=(1.44, 0.94, 0.94))


def test_a_handle_is_forgotten_with_what_it_belongs_to(user):
    user.click(user.pixel(ABOVE.end))
    assert user.state.selection.handle == Target("probe", "above", 1)
    user.keys("Delete")
    assert user.state.selection.handle is None
    user.keys("Ctrl+Z", "Right")
    assert user.item("above") in (ABOVE, replace(ABOVE, start=(-2.0, 2.0, 0.0), end=(4.0, 2.0, 0.0)))


# Flight


def test_in_an_orthographic_picture_w_and_s_zoom(user):
    user.keys("5")
    user.wait()
    before = user.state.display.viewpoint.camera
    for key, nearer in (("W", True), ("S", False)):
        distance = user.state.display.viewpoint.camera.distance
        user.press((700, 300), button="Right")
        user.key_down(key)
        user.at += 500
        user.key_up(key)
        user.release("Right")
        after = user.state.display.viewpoint.camera
        assert after.orthographic and after.target == before.target
        assert (after.distance < 0.8 * distance) == nearer
    assert user.state.display.viewpoint.camera.distance == pytest.approx(before.distance, rel=0.1)


# Panels


def test_the_panels_finish_when_a_drag_selects_something_else(user, monkeypatch):
    shown = []
    frames = user.interface.gui.frames

    def recorded(*given):
        shown.append(given[-1])
        frames(*given)

    monkeypatch.setattr(user.interface.gui, "frames", recorded)
    x, y = user.pixel(ABOVE.end)
    user.press((x, y))
    user.move((x + 20, y))
    assert user.selected == ["above"] and shown[-1] == SETTLING_FRAMES
    user.move((x + 30, y))
    assert shown[-1] == 1

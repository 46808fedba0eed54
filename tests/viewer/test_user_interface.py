"""The viewer without its window: mouse and keys in, scenes, selection and camera out."""

import math

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.draw.items import Cue, Role
from hitscope.draw.selection_geometry import framed
from hitscope.draw.target import Target
from hitscope.evaluate import Report
from hitscope.geometry.registry import of_pair
from hitscope.render.camera import Camera, Viewport
from hitscope.render.view import View
from hitscope.resources import SCENES
from hitscope.scene import Scene, load
from hitscope.scene.bulk import AabbsPrimitive, RaysProbe
from hitscope.scene.items import (
    AabbPrimitive,
    AabbProbe,
    HalfSpace,
    LineProbe,
    ObbProbe,
    ParallelepipedPrimitive,
    ParallelepipedProbe,
    PlanePrimitive,
    PointProbe,
    PolyhedronPrimitive,
    RayProbe,
    SegmentProbe,
    TrianglePrimitive,
    TriangleProbe,
)
from hitscope.scene.model import Expectation, FileCamera, FileView
from hitscope.viewer.actions import inspector_edits
from hitscope.viewer.actions.refresh import refresh
from hitscope.viewer.interface.user_interface import draw_list
from hitscope.viewer.panels.pair_panel import method_verdicts
from hitscope.viewer.tools import edit_commands
from tests.viewer.samples import VIEW, box_and_two_probes
from tests.viewer.user import SIZE, target_at

CAMERA = VIEW.camera


def a_scene(**fields):
    """A segment that passes above a box and a ray that hits it, and what is expected of the segment."""
    expect = (Expectation(probe="above", primitive="box", hit=False),)
    return box_and_two_probes(**({"expect": expect} | fields))


@pytest.fixture
def user(open_viewer):
    """A user of the viewer on the scene."""
    return open_viewer(a_scene())


@pytest.mark.replayed
def test_dragging_a_handle_puts_it_under_the_mouse_in_the_plane_that_faces_the_camera(user):
    start = (-3.0, 2.0, 0.0)
    from_pixel, to_pixel = user.pixel(start), (300.0, 500.0)
    user.drag(from_pixel, to_pixel)
    moved = user.state.session.scene.probes[0].start
    assert user.state.session.scene.probes[0].end == (3.0, 2.0, 0.0)
    np.testing.assert_allclose(user.pixel(moved), to_pixel, atol=0.5)
    before, after = user.state.display.view.project([start, moved])[:, 2]
    assert after == pytest.approx(before, abs=0.02)


def test_verdicts_follow_the_drag(open_viewer):
    user = open_viewer(a_scene(probes=a_scene().probes[:1]))
    assert user.state.session.report.hit_elements.tolist() == [False]
    user.drag(user.pixel((-3.0, 2.0, 0.0)), user.pixel((-3.0, -2.5, 0.0)), release=False)
    assert user.state.session.report.hit_elements.tolist() == [True]
    assert [mismatch.words for mismatch in user.state.session.report.mismatches] == [
        "expected box to be missed by above"
    ]
    user.release()
    assert user.state.session.report.hit_elements.tolist() == [True]


def test_a_grip_beside_the_handle_does_not_make_it_jump(user):
    x, y = user.pixel((-3.0, 2.0, 0.0))
    user.drag((x + 5, y - 3), (x + 105, y + 47))
    np.testing.assert_allclose(user.pixel(user.state.session.scene.probes[0].start), (x + 100, y + 50), atol=0.5)


@pytest.mark.parametrize("axis, name", [(0, "X"), (1, "Y"), (2, "Z")])
def test_an_axis_held_keeps_the_other_coordinates_to_the_bit(user, axis, name):
    user.key_down(name)
    start = (-3.0, 2.0, 0.0)
    x, y = user.pixel(start)
    user.drag((x, y), (x + 90, y + 70))
    user.key_up(name)
    moved = user.state.session.scene.probes[0].start
    assert moved[axis] != start[axis]
    assert [moved[i] for i in range(3) if i != axis] == [start[i] for i in range(3) if i != axis]


@pytest.mark.replayed
def test_a_drag_is_one_entry_of_the_history(user):
    before = user.state.session.scene
    user.drag(user.pixel((3.0, 2.0, 0.0)), (500, 300))
    after = user.state.session.scene
    user.keys("Ctrl+Z")
    assert user.state.session.scene is before
    user.keys("Ctrl+Z")
    assert user.state.session.scene is before
    user.keys("Ctrl+Y")
    assert user.state.session.scene is after


@pytest.mark.replayed
def test_a_ray_moves_by_its_origin_and_turns_by_its_tip(user):
    user.key_down("Y")
    user.drag(user.pixel((-3.0, -0.5, 0.5)), user.pixel((-3.0, 1.5, 0.5)))
    assert user.state.session.scene.probes[1].direction == (1.5, 0.0, 0.0)
    assert user.state.session.scene.probes[1].origin == pytest.approx((-3.0, 1.5, 0.5), abs=0.02)
    origin = user.state.session.scene.probes[1].origin
    user.drag(user.pixel(np.add(origin, (1.5, 0, 0))), user.pixel(np.add(origin, (1.5, -1, 0))))
    assert user.state.session.scene.probes[1].origin == origin
    assert user.state.session.scene.probes[1].direction == pytest.approx((1.5, -1.0, 0.0), abs=0.02)


def test_lines_and_triangles_have_handles_too(open_viewer):
    line = LineProbe(origin=(-2.0, 2.0, 0.0), direction=(1.0, 0.0, 0.0))
    triangle = TriangleProbe(vertices=((0.0, 2.0, 0.0), (2.0, 2.0, 0.0), (1.0, 3.5, 0.0)))
    user = open_viewer(a_scene(probes=(line, triangle), expect=()))
    user.key_down("Y")
    user.drag(user.pixel((-1.0, 2.0, 0.0)), user.pixel((-1.0, 3.0, 0.0)))
    assert user.state.session.scene.probes[0].direction == pytest.approx((1.0, 1.0, 0.0), abs=0.02)
    user.drag(user.pixel((1.0, 3.5, 0.0)), user.pixel((1.0, 2.5, 0.0)))
    assert user.state.session.scene.probes[1].vertices[2] == pytest.approx((1.0, 2.5, 0.0), abs=0.02)
    assert user.state.session.scene.probes[1].vertices[:2] == triangle.vertices[:2]


def test_a_point_is_moved_by_its_only_handle(open_viewer):
    user = open_viewer(a_scene(probes=(PointProbe(position=(-2.0, 0.5, 0.0)),), expect=()))
    assert user.state.session.report.hit_elements.tolist() == [False]
    user.key_down("X")
    user.drag(user.pixel((-2.0, 0.5, 0.0)), user.pixel((0.2, 0.5, 0.0)))
    assert user.state.session.scene.probes[0].position[0] == pytest.approx(0.2, abs=0.02)
    assert user.state.session.report.hit_elements.tolist() == [True]


CORNERS = AabbProbe(min=(-3.1, 1.5, -0.3), max=(-2.0, 2.5, 0.7))
CENTERED = AabbProbe(center=(-2.5, 2.0, 0.2), half_extents=(0.5, 0.5, 0.5))


@pytest.mark.parametrize("probe", [CORNERS, CENTERED], ids=["corners", "center"])
def test_a_box_moves_by_its_centre_and_keeps_its_form_and_size(open_viewer, probe):
    user = open_viewer(a_scene(probes=(probe,), expect=()))
    lo, hi = (np.array(corner) for corner in probe.shape)
    middle = (lo + hi) / 2
    user.key_down("X")
    user.drag(user.pixel(middle), user.pixel(np.add(middle, (2.0, 0, 0))))
    moved = user.state.session.scene.probes[0]
    np.testing.assert_allclose(moved.shape.lo, np.add(lo, (2, 0, 0)), atol=0.02)
    np.testing.assert_allclose(np.subtract(*moved.shape[::-1]), hi - lo, atol=1e-12)
    assert bool(moved.min) == bool(probe.min) and bool(moved.center) == bool(probe.center)
    written = [getattr(moved, name) for name in ("min", "max", "center", "half_extents")]
    assert all(len(repr(value)) <= 6 for vector in written if vector for value in vector), written


@pytest.mark.parametrize("probe", [CORNERS, CENTERED], ids=["corners", "center"])
@pytest.mark.parametrize("axis, high", [(0, True), (1, True), (1, False), (2, False)])
def test_a_face_of_a_box_moves_alone(open_viewer, probe, axis, high):
    user = open_viewer(a_scene(probes=(probe,), expect=()))
    lo, hi = (np.array(corner) for corner in probe.shape)
    face = (lo + hi) / 2
    face[axis] = (hi if high else lo)[axis]
    to = face + np.eye(3)[axis] * (0.75 if high else -0.75)
    user.drag(user.pixel(face), user.pixel(to))
    moved = user.state.session.scene.probes[0].shape
    expected = [lo.copy(), hi.copy()]
    expected[high][axis] = to[axis]
    np.testing.assert_allclose(moved, expected, atol=0.03)
    untouched = np.array(moved) == [lo, hi]
    assert untouched[:, np.arange(3) != axis].all()
    assert moved[1 - high][axis] == pytest.approx([lo, hi][1 - high][axis], abs=1e-12)


def test_a_face_stops_at_the_opposite_one(open_viewer):
    user = open_viewer(a_scene(probes=(CORNERS,), expect=()))
    user.drag(user.pixel((-2.0, 2.0, 0.2)), user.pixel((-5.0, 2.0, 0.2)))
    assert user.state.session.scene.probes[0].max == (-3.1, 2.5, 0.7)
    assert user.state.session.scene.probes[0].min == CORNERS.min


def test_a_face_of_an_oriented_box_moves_along_its_own_axis(open_viewer):
    probe = ObbProbe(center=(-2.5, 2.0, 0.0), half_extents=(1.0, 0.5, 0.5), euler_xyz_deg=(0.0, 0.0, 30.0))
    user = open_viewer(a_scene(probes=(probe,), expect=()))
    axis = np.array(probe.shape.axes[0])
    near, far = np.array(probe.center) - axis, np.array(probe.center) + axis
    user.drag(user.pixel(far), user.pixel(far + 0.5 * axis))
    moved = user.state.session.scene.probes[0]
    assert moved.euler_xyz_deg == probe.euler_xyz_deg
    assert moved.half_extents[0] == pytest.approx(1.25, abs=0.02)
    assert moved.half_extents[1:] == probe.half_extents[1:]
    np.testing.assert_allclose(np.array(moved.center) - moved.half_extents[0] * axis, near, atol=1e-9)


def test_a_parallelepiped_moves_by_its_origin_and_leans_by_its_tips(open_viewer):
    edges = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    user = open_viewer(a_scene(probes=(ParallelepipedProbe(origin=(-3.0, 1.5, 0.0), edges=edges),), expect=()))
    user.key_down("X")
    user.drag(user.pixel((-3.0, 2.5, 0.0)), user.pixel((-2.5, 2.5, 0.0)))
    leaning = user.state.session.scene.probes[0]
    assert leaning.edges[1] == pytest.approx((0.5, 1.0, 0.0), abs=0.02)
    assert (leaning.origin, leaning.edges[0], leaning.edges[2]) == ((-3.0, 1.5, 0.0), edges[0], edges[2])
    user.drag(user.pixel(leaning.origin), user.pixel((-2.0, 1.5, 0.0)))
    assert user.state.session.scene.probes[0].origin == pytest.approx((-2.0, 1.5, 0.0), abs=0.02)
    assert user.state.session.scene.probes[0].edges == leaning.edges


def test_dragged_numbers_have_no_more_digits_than_the_picture_shows(user):
    user.drag(user.pixel((-3.0, 2.0, 0.0)), (333, 444))
    assert all(len(repr(value)) <= 6 for value in user.state.session.scene.probes[0].start)


def test_escape_cancels_a_drag(user):
    before = user.state.session.scene
    user.drag(user.pixel((-3.0, 2.0, 0.0)), (300, 500), release=False)
    assert user.state.session.scene is not before
    user.keys("Escape")
    assert user.state.session.scene is before
    user.release()
    assert user.state.session.scene is before
    assert not user.state.session.document.changed


@pytest.mark.replayed
def test_escape_cancels_one_thing_at_a_time(user):
    user.click(user.pixel((0.0, 2.0, 0.0)))
    user.keys("N", "S")
    user.drag((400, 600), (600, 500), release=False)
    assert len(user.state.session.scene.probes) == 3
    user.keys("Escape")
    assert (len(user.state.session.scene.probes), user.state.tool.armed) == (2, ("probe", "segment"))
    user.keys("Escape")
    assert (user.state.tool.armed, user.state.selection.last) == (None, Target("probe", "above"))
    user.keys("Escape")
    assert user.state.selection.last is None
    user.keys("Escape")
    assert not user.state.host.closed


@pytest.mark.replayed
def test_a_click_selects_a_handle_then_a_probe_then_a_primitive_then_nothing(user):
    for point, target in (
        ((3.0, 2.0, 0.0), Target("probe", "above")),
        ((-1.0, -0.5, 0.5), Target("probe", "ray")),
        ((0.0, 2.0, 0.0), Target("probe", "above")),
        ((0.5, 0.8, 1.0), Target("primitive", "box")),
        ((0.0, -3.0, 0.0), None),
    ):
        user.click(user.pixel(point))
        assert user.state.selection.last == target
    assert not user.state.session.document.changed


@pytest.mark.replayed
def test_pointing_hovers_a_handle_by_its_number(user):
    user.move(user.pixel((3.0, 2.0, 0.0)))
    assert user.state.selection.hovered == Target("probe", "above", 1)
    user.leave()
    assert user.state.selection.hovered is None


def test_a_flat_box_and_a_triangle_can_be_clicked(open_viewer):
    flat = AabbPrimitive(id="flat", min=(-1.0, 0.0, -1.0), max=(1.0, 0.0, 1.0))
    triangle = TrianglePrimitive(id="sail", vertices=((2.0, -1.0, 0.0), (4.0, -1.0, 0.0), (3.0, 1.0, 0.0)))
    user = open_viewer(a_scene(primitives=(flat, triangle), probes=(), expect=()))
    user.click(user.pixel((0.3, 0.0, 0.3)))
    assert user.state.selection.last == Target("primitive", "flat")
    user.click(user.pixel((3.0, 0.0, 0.0)))
    assert user.state.selection.last == Target("primitive", "sail")


def test_planes_polyhedra_and_parallelepipeds_can_be_clicked_where_they_are_drawn(open_viewer):
    tent = PolyhedronPrimitive(id="tent", vertices=((2, -1, -1), (2, -1, 1), (4, -1, 1), (4, -1, -1), (3, 1, 0)))
    skew = ParallelepipedPrimitive(id="skew", origin=(-4.0, -1.0, 0.0), edges=((1, 0, 0), (1, 2, 0), (0, 0, 1)))
    wall = PlanePrimitive(id="wall", normal=(0.0, 0.0, 1.0), offset=-2.0)
    half = PolyhedronPrimitive(id="half", planes=(HalfSpace(normal=(0.0, 1.0, 0.0), offset=-1.5),))
    user = open_viewer(a_scene(primitives=(tent, skew, wall, half), probes=(), expect=()))
    # The front of the tent, beside which the wall is seen; the half-space's face is in front of the wall.
    for point, name in (
        ((3.0, -0.4, 0.7), "tent"),
        ((-2.7, 0.2, 1.0), "skew"),
        ((0.0, 1.0, -2.0), "wall"),
        ((0.0, -1.5, 1.0), "half"),
    ):
        user.click(user.pixel(point))
        assert user.state.selection.last == Target("primitive", name)
    user.click((260, 40))
    assert user.state.selection.last is None


def test_a_box_probe_can_be_clicked_where_it_is_in_front(open_viewer):
    user = open_viewer(a_scene(probes=(replace(CENTERED, id="mine", center=(0.0, 0.0, 2.0)),), expect=()))
    user.click(user.pixel((0.3, 0.3, 2.5)))
    assert user.state.selection.last == Target("probe", "mine")
    assert draw_list(user.state).probes.boxes.cues.tolist() == [Cue.SELECTED | Cue.HOVERED]


def test_left_drag_on_empty_space_orbits_and_keeps_the_selection(user):
    user.click(user.pixel((0.5, 0.8, 1.0)))
    before = user.state.display.viewpoint.camera
    user.drag((350, 100), (450, 130))
    assert user.state.display.viewpoint.camera.target == before.target
    assert user.state.display.viewpoint.camera.distance == pytest.approx(before.distance)
    assert user.state.display.viewpoint.camera.eye != before.eye
    assert user.state.selection.last == Target("primitive", "box")


@pytest.mark.replayed
def test_alt_left_orbits_even_on_a_handle(user):
    before = user.state.session.scene
    user.drag(user.pixel((3.0, 2.0, 0.0)), (500, 500), modifiers=("Alt",))
    assert user.state.session.scene is before


@pytest.mark.replayed
@pytest.mark.parametrize("button, held", [("Middle", ()), ("Left", ("Shift",))])
def test_pan_takes_what_is_at_the_targets_depth_along(user, button, held):
    x, y = user.pixel(CAMERA.target)
    user.drag((350, 100), (430, 130), button, held)
    np.testing.assert_allclose(user.pixel(CAMERA.target), (x + 80, y + 30), atol=1e-6)


@pytest.mark.replayed
def test_the_wheel_zooms_to_what_is_under_the_mouse(user):
    corner = (1.0, 1.0, 1.0)
    at = user.pixel((0.9, 0.9, 1.0))
    before = math.dist(user.state.display.viewpoint.camera.eye, corner)
    user.scroll(3, at)
    np.testing.assert_allclose(user.pixel((0.9, 0.9, 1.0)), at, atol=1e-6)
    assert math.dist(user.state.display.viewpoint.camera.eye, corner) < before


def test_one_large_turn_of_the_wheel_does_not_take_the_camera_past_where_the_scene_is_a_dot(user):
    before = user.camera
    user.scroll(-200.0, (400.0, 300.0))
    assert user.camera == before
    user.scroll(-1.0, (400.0, 300.0))
    assert user.camera.distance > before.distance


@pytest.mark.replayed
def test_home_shows_all_again_and_f_the_selection(user):
    user.click(user.pixel((0.0, 2.0, 0.0)))
    user.drag((300, 100), (900, 300), "Middle")
    user.keys("Home")
    user.wait()
    for point in ((-3.0, 2.0, 0.0), (3.0, 2.0, 0.0), (1.0, -1.0, 1.0)):
        x, y = user.pixel(point)
        left, top, width, height = user.state.display.view.viewport
        assert left < x < left + width and top < y < top + height
    whole = user.state.display.viewpoint.camera.distance
    user.click(user.pixel((-2.0, -0.5, 0.5)))
    assert user.state.selection.last == Target("probe", "ray")
    user.keys("F")
    user.wait()
    assert user.state.display.viewpoint.camera.distance < whole
    assert user.state.display.viewpoint.camera.target == pytest.approx((-2.25, -0.5, 0.5))


@pytest.mark.replayed
def test_a_drag_interrupts_a_camera_move(user):
    user.keys("Home")
    assert user.interface.advance(user.state.display.now)
    user.drag((350, 100), (450, 100))
    assert not user.interface.advance(user.state.display.now)


@pytest.mark.parametrize("key, kind", [("S", SegmentProbe), ("R", RayProbe), ("L", LineProbe)])
def test_n_and_a_key_and_a_drag_draw_a_new_probe_and_select_it(user, key, kind):
    user.keys("N", key)
    user.drag(user.pixel((-2.0, 0.0, 3.0)), (700.0, 300.0))
    probe = user.state.session.scene.probes[2]
    assert isinstance(probe, kind)
    start = probe.start if kind is SegmentProbe else probe.origin
    end = probe.end if kind is SegmentProbe else np.add(probe.origin, probe.direction)
    assert start == pytest.approx((-2.0, 0.0, 3.0), abs=0.02)
    np.testing.assert_allclose(user.pixel(end), (700, 300), atol=10)
    np.testing.assert_allclose(end, np.round(end, 1), atol=1e-12)
    assert user.state.selection.last == Target("probe", user.state.session.scene.probe_ids[2])
    assert user.state.tool.armed is None


@pytest.mark.replayed
def test_a_new_point_needs_only_a_click(user):
    user.keys("N", "P")
    user.click(user.pixel((0.5, 0.8, 1.0)))
    assert user.state.session.scene.probes[2].position == pytest.approx((0.5, 0.8, 1.0), abs=0.02)
    assert (user.state.tool.armed, user.state.selection.last) == (
        None,
        Target("probe", user.state.session.scene.probe_ids[2]),
    )
    user.keys("Ctrl+Z")
    assert len(user.state.session.scene.probes) == 2


@pytest.mark.replayed
def test_a_new_triangle_has_the_line_that_was_drawn_as_its_base(user):
    user.keys("N", "T")
    end = user.pixel((2.02, 0.0, 5.03))
    user.drag(user.pixel((-2.0, 0.0, 3.0)), end)
    a, b, c = user.state.session.scene.probes[2].vertices
    assert a == pytest.approx((-2.0, 0.0, 3.0), abs=0.02)
    assert b == (2.0, 0.0, 5.0), "tenths of the grid's step"
    np.testing.assert_allclose(user.pixel(b), end, atol=6)
    assert math.dist(a, c) == pytest.approx(math.dist(b, c), rel=0.02)
    assert user.pixel(c)[1] < min(user.pixel(a)[1], user.pixel(b)[1]) - 50


def test_a_new_box_stands_on_the_base_that_is_drawn(user):
    user.keys("N", "B")
    user.drag(user.pixel((-2.0, 0.0, 3.0)), user.pixel((-1.0, 0.0, 2.0)))
    box = user.state.session.scene.probes[2]
    assert box.min == pytest.approx((-2.0, 0.0, 2.0), abs=0.02) and box.min[1] == 0.0
    assert box.max == pytest.approx((-1.0, 1.0, 3.0), abs=0.02)


def test_drawing_onto_a_primitive_hits_it(open_viewer):
    user = open_viewer(a_scene(probes=(), expect=()))
    user.keys("N", "S")
    user.drag(user.pixel((-3.0, 0.0, 3.0)), user.pixel((0.5, 0.8, 1.0)))
    assert user.state.session.report.hit_elements.tolist() == [True]


def test_drawing_begins_on_the_surface_under_the_mouse(user):
    user.keys("N", "S")
    user.drag(user.pixel((0.5, 0.8, 1.0)), (900, 200))
    assert user.state.session.scene.probes[2].start == pytest.approx((0.5, 0.8, 1.0), abs=0.02)


def test_a_click_with_the_tool_places_a_probe(user):
    user.keys("N", "S")
    user.click((300, 600))
    assert (len(user.state.session.scene.probes), user.state.tool.armed) == (3, None)


def test_keys_w_e_r_and_s_alone_do_nothing(user):
    before = user.state.session.scene
    user.keys("W", "E", "R", "S")
    assert (user.state.session.scene, user.state.tool.armed, user.state.tool.key_prefix) == (before, None, "")


@pytest.mark.replayed
def test_delete_removes_the_selected_probe_and_undo_brings_it_back(user):
    user.keys("Delete")
    assert len(user.state.session.scene.probes) == 2
    user.click(user.pixel((0.0, 2.0, 0.0)))
    user.keys("Delete")
    assert user.state.session.scene.probe_ids == ("ray",)
    assert user.state.selection.last is None
    user.keys("Ctrl+Z")
    assert user.state.session.scene.probe_ids == ("above", "ray")


def test_delete_removes_a_primitive_too(user):
    user.click(user.pixel((0.5, 0.8, 1.0)))
    user.keys("Delete")
    assert user.state.session.scene.primitives == ()
    user.keys("Ctrl+Z")
    assert len(user.state.session.scene.primitives) == 1


@pytest.mark.replayed
def test_walking_through_the_gallery_loses_no_change_and_no_view(open_viewer):
    user = open_viewer(a_scene(name="one"), a_scene(name="two", probes=(), expect=()))
    user.drag(user.pixel((-3.0, 2.0, 0.0)), (300, 500))
    user.drag((350, 100), (450, 130))
    changed, camera = user.state.session.scene, user.state.display.viewpoint.camera
    user.keys("]")
    assert (user.state.session.scene.name, user.state.session.document.changed) == ("two", False)
    user.keys("]")
    assert user.state.session.scene is changed
    assert user.state.display.viewpoint.camera == camera
    user.keys("[", "[")
    assert user.state.session.scene is changed
    assert user.state.session.document.changed


BROKEN = '{"version": 1, "primitives": [], "probs": []}'


@pytest.mark.replayed
def test_a_broken_scene_is_reported_with_its_line_and_the_last_good_one_stays(open_viewer):
    user = open_viewer(a_scene(name="one"), BROKEN, a_scene(name="three"))
    good = user.state.session.scene
    user.keys("]")
    assert "1.scene.json:1:" in user.state.messages.problem
    assert user.state.session.scene is good
    user.keys("]")
    assert (user.state.session.scene.name, user.state.messages.problem) == ("three", "")


def test_the_first_good_scene_is_shown_and_the_broken_ones_are_reported(open_viewer):
    user = open_viewer(BROKEN, a_scene(name="two"))
    assert user.state.session.scene.name == "two"
    assert "0.scene.json:1:" in user.state.messages.problem


def test_with_nothing_good_there_is_an_empty_scene_and_the_message(open_viewer):
    user = open_viewer(BROKEN, BROKEN)
    assert user.state.session.scene.primitives == ()
    assert "0.scene.json:1:" in user.state.messages.problem and "1.scene.json:1:" in user.state.messages.problem
    draw_list(user.state)


def test_an_unknown_method_is_reported_like_a_broken_file(open_viewer):
    user = open_viewer('{"version": 1, "primitives": [], "probes": [], "methods": {"segment_aabb": "slabby"}}')
    assert "slabby" in user.state.messages.problem


@pytest.mark.replayed
def test_saving_writes_the_file_and_clears_the_mark(user):
    user.drag(user.pixel((-3.0, 2.0, 0.0)), (300, 500))
    assert user.state.session.document.changed
    user.keys("Ctrl+S")
    assert not user.state.session.document.changed
    assert load(user.state.session.document.path) == user.state.session.scene
    user.keys("Ctrl+Z")
    assert user.state.session.document.changed
    user.keys("Ctrl+Y")
    assert not user.state.session.document.changed


def test_an_example_is_saved_as_a_copy_in_the_working_folder(open_viewer, tmp_path, monkeypatch):
    example = SCENES / "triangle-aabb-szauer" / "unit-test.scene.json"
    original = example.read_bytes()
    user = open_viewer(example, example=True)
    (tmp_path / "unit-test.scene.json").write_text("something else")
    monkeypatch.chdir(tmp_path)
    user.keys("Ctrl+A", "Delete")
    user.keys("Ctrl+S")
    assert example.read_bytes() == original
    assert (tmp_path / "unit-test.scene.json").read_text() == "something else"
    assert load(tmp_path / "unit-test-2.scene.json") == user.state.session.scene != load(example)
    assert "unit-test-2.scene.json" in user.state.messages.notice


def test_a_failed_save_is_reported_and_loses_nothing(user, tmp_path):
    user.drag(user.pixel((-3.0, 2.0, 0.0)), (300, 500))
    user.state.session.document.path = tmp_path / "missing" / "x.scene.json"
    user.keys("Ctrl+S")
    assert "cannot save" in user.state.messages.problem
    assert user.state.session.document.changed
    assert user.state.session.document.path == tmp_path / "missing" / "x.scene.json"


def test_closing_asks_only_where_something_is_not_saved(user):
    user.close()
    assert user.state.host.closed


@pytest.mark.replayed
def test_closing_with_changes_asks_and_escape_goes_back(user):
    user.drag(user.pixel((-3.0, 2.0, 0.0)), (300, 500))
    user.close()
    assert user.state.dialogs.closing is not None and not user.state.host.closed
    user.keys("Delete", "]", "Escape")
    assert user.state.dialogs.closing is None and not user.state.host.closed
    user.close()
    user.click_on("Save")
    assert user.state.host.closed
    assert load(user.state.session.document.path) == user.state.session.scene


def test_without_panels_the_picture_is_the_one_that_render_makes(user):
    user.keys("Ctrl+B")
    assert user.state.display.view.viewport == Viewport(0, 0, *SIZE)
    assert user.state.display.view.camera == Camera(CAMERA.eye, CAMERA.target)


@pytest.mark.parametrize("size", [SIZE, (640, 480), (480, 320), (2560, 1600)])
def test_beside_panels_everything_stays_in_sight(open_viewer, size):
    wide = SegmentProbe(start=(-6.0, 0.0, 0.0), end=(6.0, 0.0, 0.0))
    user = open_viewer(a_scene(probes=(wide,), expect=()), size=size)
    full = View(user.state.display.viewpoint.camera, user.state.display.full).project(wide.start)[0, 0]
    x, _ = user.pixel(wide.start)
    assert x > min(full, 0) - 1
    assert user.state.display.layout.panel.width <= max(0.45 * size[0], 220) + 1


def test_drawing_and_dragging_work_at_any_size(open_viewer):
    for size in (1e-200, 1e-3, 1e6, 1e200):
        box = AabbPrimitive(id="box", min=(-size,) * 3, max=(size,) * 3)
        segment = SegmentProbe(start=(-3 * size, 0.0, 0.0), end=(3 * size, 2 * size, 0.0))
        user = open_viewer(Scene(version=1, primitives=(box,), probes=(segment,)))
        draw_list(user.state)
        user.drag(user.pixel(segment.start), (300, 600))
        np.testing.assert_allclose(user.pixel(user.state.session.scene.probes[0].start), (300, 600), atol=0.7)
        user.keys("N", "S")
        user.drag((350, 600), (550, 650))
        assert len(user.state.session.scene.probes) == 2


def test_what_is_as_large_as_numbers_go_can_be_framed_and_walked_around(open_viewer):
    far = 1.7e308
    user = open_viewer(
        Scene(version=1, primitives=(), probes=(SegmentProbe(start=(-far, 0, 0), end=(far, 0, 0)),))
    )
    user.keys("Home", "F")
    user.wait()
    user.drag((350, 100), (450, 130))
    user.drag((350, 100), (450, 130), "Middle")
    user.scroll(-3, (400, 300))
    assert np.isfinite([user.state.display.viewpoint.camera.eye, user.state.display.viewpoint.camera.target]).all()


def flat_scene():
    """A segment in the plane of the triangle that it crosses, which Moeller and Trumbore's method misses."""
    triangle = TrianglePrimitive(id="sail", vertices=((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0)))
    segment = SegmentProbe(id="in", start=(-3.0, 1.0, 0.0), end=(3.0, 1.0, 0.0))
    return a_scene(primitives=(triangle,), probes=(segment,), expect=())


@pytest.mark.replayed
def test_choosing_a_method_changes_the_colours_and_can_be_undone(open_viewer):
    user = open_viewer(flat_scene())
    assert user.state.session.report.hit_elements.tolist() == [True]
    assert (draw_list(user.state).single.triangles.roles == Role.HIT).all()
    inspector_edits.decide_by(user.state, "segment_triangle", "moller_trumbore")
    refresh(user.state)
    assert user.state.session.scene.methods == {"segment_triangle": "moller_trumbore"}
    assert (draw_list(user.state).single.triangles.roles == Role.MISS).all()
    assert user.state.session.document.changed
    user.keys("Ctrl+Z")
    assert (draw_list(user.state).single.triangles.roles == Role.HIT).all()
    assert not user.state.session.document.changed


def test_choosing_exact_again_takes_the_choice_out_of_the_file(open_viewer):
    user = open_viewer(replace(flat_scene(), methods={"segment_triangle": "moller_trumbore", "ray_aabb": "smits"}))
    inspector_edits.decide_by(user.state, "segment_triangle", "exact")
    refresh(user.state)
    assert user.state.session.scene.methods == {"ray_aabb": "smits"}
    assert user.state.session.report.hit_elements.tolist() == [True]


def test_all_methods_of_a_pair_are_compared_once_for_each_scene(open_viewer, monkeypatch):
    user = open_viewer(flat_scene())
    said = method_verdicts(user.state.session.report, (0, 0))
    assert next(iter(said)) == "exact"
    assert said["exact"].hit and not said["moller_trumbore"].hit
    assert set(said) == set(of_pair("segment_triangle"))
    monkeypatch.setattr(Report, "verdict", None)
    assert method_verdicts(user.state.session.report, (0, 0)) is said


def test_the_deciding_method_is_compared_with_its_arguments(open_viewer):
    choice = {"name": "angle_sum", "tolerance": 7.0}
    user = open_viewer(replace(flat_scene(), methods={"segment_triangle": choice}))
    said = method_verdicts(user.state.session.report, (0, 0))
    assert said["angle_sum"] == user.state.session.report.verdict(0, 0)


def test_a_pair_is_what_is_selected_one_after_the_other(user):
    user.state.selection.select(Target("probe", "above"))
    assert user.state.selection.pair(user.state.session.picture) == (0, 0), "the only primitive there is"
    user.state.selection.select(Target("primitive", "box"))
    assert user.state.selection.pair(user.state.session.picture) == (0, 0)
    user.state.selection.select(Target("probe", "ray"))
    assert user.state.selection.pair(user.state.session.picture) == (1, 0)
    user.state.selection.select(None)
    assert user.state.selection.pair(user.state.session.picture) is None


def test_a_pair_does_not_outlive_its_probe(user):
    user.click(user.pixel((0.0, 2.0, 0.0)))
    user.keys("Delete", "Ctrl+Z")
    user.click(user.pixel((0.0, 2.0, 0.0)))
    user.click(user.pixel((0.5, 0.8, 1.0)))
    assert user.state.selection.partner(user.state.session.picture) == Target("probe", "above")
    user.keys("Ctrl+Y")
    assert user.state.selection.partner(user.state.session.picture) is None
    assert user.state.selection.pair(user.state.session.picture) == (0, 0)


@pytest.mark.replayed
def test_one_element_of_a_bulk_item_is_clicked_looked_at_and_framed(open_viewer):
    lows = np.array([[x, 0.0, 0.0] for x in range(0, 600, 2)])
    cloud = AabbsPrimitive(id="cloud", min=lows, max=lows + 1)
    probe = SegmentProbe(id="seg", start=(4.0, 0.5, -2.0), end=(4.5, 0.5, 3.0))
    camera = FileCamera(eye=(4.5, 3.0, 12.0), target=(4.5, 0.5, 0.5))
    user = open_viewer(a_scene(primitives=(cloud,), probes=(probe,), expect=(), view=FileView(camera=camera)))
    user.click(user.pixel((4.47, 0.5, 2.7)))
    assert user.state.selection.last == Target("probe", "seg")
    user.click(user.pixel((6.5, 0.6, 1.0)))
    assert user.state.selection.last == Target("primitive", "cloud[3]")
    assert user.state.selection.pair(user.state.session.picture) == (0, 3)
    assert user.state.session.exists(user.state.selection.last) and not user.state.session.exists(
        Target("primitive", "cloud[300]")
    )
    bounds = framed(user.state.session.picture, [user.state.selection.last], user.state.session.extent)
    assert (bounds.lo < [6, 0, 0]).all() and (bounds.hi > [7, 1, 1]).all()
    assert user.state.session.report.hit_elements[2] and not user.state.session.report.hit_elements[3]


def test_a_bundle_is_selected_as_one_and_has_no_handles(open_viewer):
    rays = RaysProbe(id="rays", origin=[[-3.0, 0.0, 0.0], [-3.0, 0.5, 0.0]], direction=[[1.0, 0.0, 0.0]] * 2)
    user = open_viewer(a_scene(probes=(rays,), expect=()))
    user.state.selection.select(Target("probe", "rays"))
    assert user.state.session.exists(user.state.selection.last)
    assert framed(user.state.session.picture, [user.state.selection.last], user.state.session.extent).lo[0] <= -3
    x, y = user.pixel((-3.0, 0.0, 0.0))
    assert target_at(user.state, x, y) == Target("probe", "rays[0]"), "no handle, but a line"
    assert user.state.selection.pair(user.state.session.picture) is None
    edit_commands.delete(user.state)
    assert user.state.session.scene.probes == ()

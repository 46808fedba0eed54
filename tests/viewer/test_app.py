"""The viewer's state without a window: mouse and keys in, scenes, selection and camera out."""

import math

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.draw.items import Cue, Role
from hitscope.draw.target import Target
from hitscope.evaluate import Report
from hitscope.geometry.registry import of_pair
from hitscope.render.camera import Camera, Viewport
from hitscope.scene import Scene, load, save
from hitscope.scene.model import (
    AabbPrimitive,
    AabbProbe,
    AabbsPrimitive,
    Expectation,
    HalfSpace,
    LineProbe,
    ObbProbe,
    ParallelepipedPrimitive,
    ParallelepipedProbe,
    PlanePrimitive,
    PointProbe,
    PolyhedronPrimitive,
    RayProbe,
    RaysProbe,
    SegmentProbe,
    TrianglePrimitive,
    TriangleProbe,
    View,
)
from hitscope.scene.model import Camera as FileCamera
from hitscope.viewer import commands, keyboard
from hitscope.viewer.app import App
from hitscope.viewer.bindings import gesture
from hitscope.viewer.documents import Document, Shelf
from hitscope.viewer.pairs import Comparison, looked_at

SIZE = (1280, 800)
NONE = frozenset()
CAMERA = FileCamera(eye=(3.0, 4.0, 12.0), target=(0.0, 0.0, 0.0))


def a_scene(**fields):
    """Give a segment that passes above a box and a ray that hits it."""
    parts = {
        "primitives": (AabbPrimitive(id="box", center=(0.0, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0)),),
        "probes": (
            SegmentProbe(id="above", start=(-3.0, 2.0, 0.0), end=(3.0, 2.0, 0.0)),
            RayProbe(id="ray", origin=(-3.0, -0.5, 0.5), direction=(1.5, 0.0, 0.0)),
        ),
        "expect": (Expectation(probe="above", primitive="box", hit=False),),
        "view": View(camera=CAMERA),
    }
    return Scene(version=1, **(parts | fields))


@pytest.fixture
def open_app(tmp_path):
    """Give a function that opens scenes from files."""

    def open_scenes(*scenes, size=SIZE, **options):
        documents = []
        for i, scene in enumerate(scenes):
            path = tmp_path / f"{i}.scene.json"
            path.write_text(scene) if isinstance(scene, str) else save(scene, path)
            documents.append(Document(path, **options))
        return App(Shelf(documents), size)

    return open_scenes


@pytest.fixture
def app(open_app):
    """Give the app on the scene."""
    return open_app(a_scene())


def pixel(app, point):
    """Give the pixel of a point."""
    return tuple(app.eye.camera.project(point, app.eye.viewport)[0, :2].tolist())


def drag(app, start, end, button="Left", modifiers=NONE, release=True):
    """Drag the mouse from pixel to pixel."""
    app.point_at(*start)
    app.press(gesture(button, modifiers).begin, *start)
    app.point_at((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    app.settle()
    app.point_at(*end)
    app.settle()
    if release:
        app.release()


def click(app, at):
    """Click at a pixel."""
    drag(app, at, at)


def keys(app, *pressed):
    """Press and let go keys one after the other."""
    for name in pressed:
        keyboard.press(app, name)
        keyboard.release(app, name)


def test_dragging_a_handle_puts_it_under_the_mouse_in_the_plane_that_faces_the_camera(app):
    start = (-3.0, 2.0, 0.0)
    from_pixel, to_pixel = pixel(app, start), (300.0, 500.0)
    drag(app, from_pixel, to_pixel)
    moved = app.scene.probes[0].start
    assert app.scene.probes[0].end == (3.0, 2.0, 0.0)
    np.testing.assert_allclose(pixel(app, moved), to_pixel, atol=0.5)
    before, after = app.eye.camera.project([start, moved], app.eye.viewport)[:, 2]
    assert after == pytest.approx(before, abs=0.02)


def test_verdicts_follow_the_drag(app):
    assert app.report.green.tolist() == [True]
    app.edit(replace(app.scene, probes=app.scene.probes[:1]))
    assert app.report.green.tolist() == [False]
    drag(app, pixel(app, (-3.0, 2.0, 0.0)), pixel(app, (-3.0, -2.5, 0.0)), release=False)
    assert app.report.green.tolist() == [True]
    assert [mismatch.words for mismatch in app.report.mismatches] == ["expected box NOT to be hit by above"]
    app.release()
    assert app.report.green.tolist() == [True]


def test_a_grip_beside_the_handle_does_not_make_it_jump(app):
    x, y = pixel(app, (-3.0, 2.0, 0.0))
    drag(app, (x + 5, y - 3), (x + 105, y + 47))
    np.testing.assert_allclose(pixel(app, app.scene.probes[0].start), (x + 100, y + 50), atol=0.5)


@pytest.mark.parametrize("axis, name", [(0, "X"), (1, "Y"), (2, "Z")])
def test_an_axis_held_keeps_the_other_coordinates_to_the_bit(app, axis, name):
    keyboard.press(app, name)
    start = (-3.0, 2.0, 0.0)
    x, y = pixel(app, start)
    drag(app, (x, y), (x + 90, y + 70))
    keyboard.release(app, name)
    moved = app.scene.probes[0].start
    assert moved[axis] != start[axis]
    assert [moved[i] for i in range(3) if i != axis] == [start[i] for i in range(3) if i != axis]


def test_a_drag_is_one_entry_of_the_history(app):
    before = app.scene
    drag(app, pixel(app, (3.0, 2.0, 0.0)), (500, 300))
    after = app.scene
    keys(app, "Ctrl+Z")
    assert app.scene is before
    keys(app, "Ctrl+Z")
    assert app.scene is before
    keys(app, "Ctrl+Y")
    assert app.scene is after


def test_a_ray_moves_by_its_origin_and_turns_by_its_tip(app):
    keyboard.press(app, "Y")
    drag(app, pixel(app, (-3.0, -0.5, 0.5)), pixel(app, (-3.0, 1.5, 0.5)))
    assert app.scene.probes[1].direction == (1.5, 0.0, 0.0)
    assert app.scene.probes[1].origin == pytest.approx((-3.0, 1.5, 0.5), abs=0.02)
    origin = app.scene.probes[1].origin
    drag(app, pixel(app, np.add(origin, (1.5, 0, 0))), pixel(app, np.add(origin, (1.5, -1, 0))))
    assert app.scene.probes[1].origin == origin
    assert app.scene.probes[1].direction == pytest.approx((1.5, -1.0, 0.0), abs=0.02)


def test_lines_and_triangles_have_handles_too(open_app):
    line = LineProbe(origin=(-2.0, 2.0, 0.0), direction=(1.0, 0.0, 0.0))
    triangle = TriangleProbe(vertices=((0.0, 2.0, 0.0), (2.0, 2.0, 0.0), (1.0, 3.5, 0.0)))
    app = open_app(a_scene(probes=(line, triangle), expect=()))
    keyboard.press(app, "Y")
    drag(app, pixel(app, (-1.0, 2.0, 0.0)), pixel(app, (-1.0, 3.0, 0.0)))
    assert app.scene.probes[0].direction == pytest.approx((1.0, 1.0, 0.0), abs=0.02)
    drag(app, pixel(app, (1.0, 3.5, 0.0)), pixel(app, (1.0, 2.5, 0.0)))
    assert app.scene.probes[1].vertices[2] == pytest.approx((1.0, 2.5, 0.0), abs=0.02)
    assert app.scene.probes[1].vertices[:2] == triangle.vertices[:2]


def test_a_point_is_moved_by_its_only_handle(open_app):
    app = open_app(a_scene(probes=(PointProbe(position=(-2.0, 0.5, 0.0)),), expect=()))
    assert app.report.green.tolist() == [False]
    keyboard.press(app, "X")
    drag(app, pixel(app, (-2.0, 0.5, 0.0)), pixel(app, (0.2, 0.5, 0.0)))
    assert app.scene.probes[0].position[0] == pytest.approx(0.2, abs=0.02)
    assert app.report.green.tolist() == [True]


CORNERS = AabbProbe(min=(-3.1, 1.5, -0.3), max=(-2.0, 2.5, 0.7))
CENTERED = AabbProbe(center=(-2.5, 2.0, 0.2), half_extents=(0.5, 0.5, 0.5))


@pytest.mark.parametrize("probe", [CORNERS, CENTERED], ids=["corners", "center"])
def test_a_box_moves_by_its_centre_and_keeps_its_form_and_size(open_app, probe):
    app = open_app(a_scene(probes=(probe,), expect=()))
    lo, hi = (np.array(corner) for corner in probe.shape)
    middle = (lo + hi) / 2
    keyboard.press(app, "X")
    drag(app, pixel(app, middle), pixel(app, np.add(middle, (2.0, 0, 0))))
    moved = app.scene.probes[0]
    np.testing.assert_allclose(moved.shape.lo, np.add(lo, (2, 0, 0)), atol=0.02)
    np.testing.assert_allclose(np.subtract(*moved.shape[::-1]), hi - lo, atol=1e-12)
    assert bool(moved.min) == bool(probe.min) and bool(moved.center) == bool(probe.center)
    written = [getattr(moved, name) for name in ("min", "max", "center", "half_extents")]
    assert all(len(repr(value)) <= 6 for vector in written if vector for value in vector), written


@pytest.mark.parametrize("probe", [CORNERS, CENTERED], ids=["corners", "center"])
@pytest.mark.parametrize("axis, high", [(0, True), (1, True), (1, False), (2, False)])
def test_a_face_of_a_box_moves_alone(open_app, probe, axis, high):
    app = open_app(a_scene(probes=(probe,), expect=()))
    lo, hi = (np.array(corner) for corner in probe.shape)
    face = (lo + hi) / 2
    face[axis] = (hi if high else lo)[axis]
    to = face + np.eye(3)[axis] * (0.75 if high else -0.75)
    drag(app, pixel(app, face), pixel(app, to))
    moved = app.scene.probes[0].shape
    expected = [lo.copy(), hi.copy()]
    expected[high][axis] = to[axis]
    np.testing.assert_allclose(moved, expected, atol=0.03)
    untouched = np.array(moved) == [lo, hi]
    assert untouched[:, np.arange(3) != axis].all()
    assert moved[1 - high][axis] == pytest.approx([lo, hi][1 - high][axis], abs=1e-12)


def test_a_face_stops_at_the_opposite_one(open_app):
    app = open_app(a_scene(probes=(CORNERS,), expect=()))
    drag(app, pixel(app, (-2.0, 2.0, 0.2)), pixel(app, (-5.0, 2.0, 0.2)))
    assert app.scene.probes[0].max == (-3.1, 2.5, 0.7)
    assert app.scene.probes[0].min == CORNERS.min


def test_a_face_of_an_oriented_box_moves_along_its_own_axis(open_app):
    probe = ObbProbe(center=(-2.5, 2.0, 0.0), half_extents=(1.0, 0.5, 0.5), euler_xyz_deg=(0.0, 0.0, 30.0))
    app = open_app(a_scene(probes=(probe,), expect=()))
    axis = np.array(probe.shape.axes[0])
    near, far = np.array(probe.center) - axis, np.array(probe.center) + axis
    drag(app, pixel(app, far), pixel(app, far + 0.5 * axis))
    moved = app.scene.probes[0]
    assert moved.euler_xyz_deg == probe.euler_xyz_deg
    assert moved.half_extents[0] == pytest.approx(1.25, abs=0.02)
    assert moved.half_extents[1:] == probe.half_extents[1:]
    np.testing.assert_allclose(np.array(moved.center) - moved.half_extents[0] * axis, near, atol=1e-9)


def test_a_parallelepiped_moves_by_its_origin_and_leans_by_its_tips(open_app):
    edges = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    app = open_app(a_scene(probes=(ParallelepipedProbe(origin=(-3.0, 1.5, 0.0), edges=edges),), expect=()))
    keyboard.press(app, "X")
    drag(app, pixel(app, (-3.0, 2.5, 0.0)), pixel(app, (-2.5, 2.5, 0.0)))
    leaning = app.scene.probes[0]
    assert leaning.edges[1] == pytest.approx((0.5, 1.0, 0.0), abs=0.02)
    assert (leaning.origin, leaning.edges[0], leaning.edges[2]) == ((-3.0, 1.5, 0.0), edges[0], edges[2])
    drag(app, pixel(app, leaning.origin), pixel(app, (-2.0, 1.5, 0.0)))
    assert app.scene.probes[0].origin == pytest.approx((-2.0, 1.5, 0.0), abs=0.02)
    assert app.scene.probes[0].edges == leaning.edges


def test_dragged_numbers_have_no_more_digits_than_the_picture_shows(app):
    drag(app, pixel(app, (-3.0, 2.0, 0.0)), (333, 444))
    assert all(len(repr(value)) <= 6 for value in app.scene.probes[0].start)


def test_escape_cancels_a_drag(app):
    before = app.scene
    drag(app, pixel(app, (-3.0, 2.0, 0.0)), (300, 500), release=False)
    assert app.scene is not before
    keys(app, "Escape")
    assert app.scene is before
    app.release()
    assert app.scene is before
    assert not app.document.changed


def test_escape_peels_one_layer_at_a_time(app):
    click(app, pixel(app, (0.0, 2.0, 0.0)))
    keys(app, "N", "S")
    drag(app, (400, 600), (600, 500), release=False)
    assert len(app.scene.probes) == 3
    keys(app, "Escape")
    assert (len(app.scene.probes), app.tool) == (2, "segment")
    keys(app, "Escape")
    assert (app.tool, app.selected) == (None, Target("probe", "above"))
    keys(app, "Escape")
    assert app.selected is None
    keys(app, "Escape")
    assert not app.done


def test_a_click_selects_a_handle_then_a_probe_then_a_primitive_then_nothing(app):
    for point, target in (
        ((3.0, 2.0, 0.0), Target("probe", "above")),
        ((-1.0, -0.5, 0.5), Target("probe", "ray")),
        ((0.0, 2.0, 0.0), Target("probe", "above")),
        ((0.5, 0.8, 1.0), Target("primitive", "box")),
        ((0.0, -3.0, 0.0), None),
    ):
        click(app, pixel(app, point))
        assert app.selected == target
    assert not app.document.changed


def test_pointing_hovers_a_handle_by_its_number(app):
    app.point_at(*pixel(app, (3.0, 2.0, 0.0)))
    app.settle()
    assert app.hovered == Target("probe", "above", 1)
    app.leave()
    assert app.hovered is None


def test_a_flat_box_and_a_triangle_can_be_clicked(open_app):
    flat = AabbPrimitive(id="flat", min=(-1.0, 0.0, -1.0), max=(1.0, 0.0, 1.0))
    triangle = TrianglePrimitive(id="sail", vertices=((2.0, -1.0, 0.0), (4.0, -1.0, 0.0), (3.0, 1.0, 0.0)))
    app = open_app(a_scene(primitives=(flat, triangle), probes=(), expect=()))
    click(app, pixel(app, (0.3, 0.0, 0.3)))
    assert app.selected == Target("primitive", "flat")
    click(app, pixel(app, (3.0, 0.0, 0.0)))
    assert app.selected == Target("primitive", "sail")


def test_planes_polyhedra_and_parallelepipeds_can_be_clicked_where_they_are_drawn(open_app):
    tent = PolyhedronPrimitive(id="tent", vertices=((2, -1, -1), (2, -1, 1), (4, -1, 1), (4, -1, -1), (3, 1, 0)))
    skew = ParallelepipedPrimitive(id="skew", origin=(-4.0, -1.0, 0.0), edges=((1, 0, 0), (1, 2, 0), (0, 0, 1)))
    wall = PlanePrimitive(id="wall", normal=(0.0, 0.0, 1.0), offset=-2.0)
    half = PolyhedronPrimitive(id="half", planes=(HalfSpace(normal=(0.0, 1.0, 0.0), offset=-1.5),))
    app = open_app(a_scene(primitives=(tent, skew, wall, half), probes=(), expect=()))
    # The front of the tent, beside which the wall is seen; the half-space's face is in front of the wall.
    for point, name in (
        ((3.0, -0.4, 0.7), "tent"),
        ((-2.7, 0.2, 1.0), "skew"),
        ((0.0, 1.0, -2.0), "wall"),
        ((0.0, -1.5, 1.0), "half"),
    ):
        click(app, pixel(app, point))
        assert app.selected == Target("primitive", name)
    click(app, (2, 2))
    assert app.selected is None


def test_a_box_probe_can_be_clicked_where_it_is_in_front(open_app):
    app = open_app(a_scene(probes=(replace(CENTERED, id="mine", center=(0.0, 0.0, 2.0)),), expect=()))
    click(app, pixel(app, (0.3, 0.3, 2.5)))
    assert app.selected == Target("probe", "mine")
    assert app.draw_list().probe_boxes.cues.tolist() == [Cue.SELECTED | Cue.HOVERED]


def test_left_drag_on_empty_space_orbits_and_keeps_the_selection(app):
    click(app, pixel(app, (0.5, 0.8, 1.0)))
    before = app.viewpoint.camera
    drag(app, (100, 100), (200, 130))
    assert app.viewpoint.camera.target == before.target
    assert app.viewpoint.camera.distance == pytest.approx(before.distance)
    assert app.viewpoint.camera.eye != before.eye
    assert app.selected == Target("primitive", "box")


def test_alt_left_orbits_even_on_a_handle(app):
    before = app.scene
    drag(app, pixel(app, (3.0, 2.0, 0.0)), (500, 500), modifiers=frozenset({"Alt"}))
    assert app.scene is before


@pytest.mark.parametrize("button, modifiers", [("Middle", NONE), ("Left", frozenset({"Shift"}))])
def test_pan_takes_what_is_at_the_targets_depth_along(app, button, modifiers):
    x, y = pixel(app, CAMERA.target)
    drag(app, (100, 100), (180, 130), button, modifiers)
    np.testing.assert_allclose(pixel(app, CAMERA.target), (x + 80, y + 30), atol=1e-6)


def test_the_wheel_zooms_to_what_is_under_the_mouse(app):
    corner = (1.0, 1.0, 1.0)
    at = pixel(app, (0.9, 0.9, 1.0))
    before = math.dist(app.viewpoint.camera.eye, corner)
    app.zoom(3, *at)
    np.testing.assert_allclose(pixel(app, (0.9, 0.9, 1.0)), at, atol=1e-6)
    assert math.dist(app.viewpoint.camera.eye, corner) < before


def settle_flight(app):
    """Wait until a camera move has ended."""
    while app.advance():
        pass


def test_home_shows_all_again_and_f_the_selection(app):
    click(app, pixel(app, (0.0, 2.0, 0.0)))
    drag(app, (100, 100), (900, 300), "Middle")
    keys(app, "Home")
    settle_flight(app)
    for point in ((-3.0, 2.0, 0.0), (3.0, 2.0, 0.0), (1.0, -1.0, 1.0)):
        x, y = pixel(app, point)
        assert 0 < x < app.eye.viewport.width and 0 < y < app.eye.viewport.height
    whole = app.viewpoint.camera.distance
    app.select(Target("probe", "ray"))
    keys(app, "F")
    settle_flight(app)
    assert app.viewpoint.camera.distance < whole
    assert app.viewpoint.camera.target == pytest.approx((-2.25, -0.5, 0.5))


def test_a_drag_interrupts_a_camera_move(app):
    keys(app, "Home")
    app.advance()
    drag(app, (100, 100), (200, 100))
    assert not app.advance()


@pytest.mark.parametrize("key, kind", [("S", SegmentProbe), ("R", RayProbe), ("L", LineProbe)])
def test_n_and_a_key_and_a_drag_draw_a_new_probe_and_select_it(app, key, kind):
    keys(app, "N", key)
    drag(app, pixel(app, (-2.0, 0.0, 3.0)), (700.0, 300.0))
    probe = app.scene.probes[2]
    assert isinstance(probe, kind)
    start = probe.start if kind is SegmentProbe else probe.origin
    end = probe.end if kind is SegmentProbe else np.add(probe.origin, probe.direction)
    assert start == pytest.approx((-2.0, 0.0, 3.0), abs=0.02)
    np.testing.assert_allclose(pixel(app, end), (700, 300), atol=0.7)
    assert app.selected == Target("probe", app.scene.probe_ids[2])
    assert app.tool is None


def test_a_new_point_needs_only_a_click(app):
    keys(app, "N", "P")
    click(app, pixel(app, (0.5, 0.8, 1.0)))
    assert app.scene.probes[2].position == pytest.approx((0.5, 0.8, 1.0), abs=0.02)
    assert (app.tool, app.selected) == (None, Target("probe", app.scene.probe_ids[2]))
    keys(app, "Ctrl+Z")
    assert len(app.scene.probes) == 2


def test_a_new_triangle_has_the_line_that_was_drawn_as_its_base(app):
    keys(app, "N", "T")
    drag(app, pixel(app, (-2.0, 0.0, 3.0)), (700.0, 600.0))
    a, b, c = app.scene.probes[2].vertices
    assert a == pytest.approx((-2.0, 0.0, 3.0), abs=0.02)
    np.testing.assert_allclose(pixel(app, b), (700, 600), atol=0.7)
    assert math.dist(a, c) == pytest.approx(math.dist(b, c), rel=0.02)
    assert pixel(app, c)[1] < min(pixel(app, a)[1], pixel(app, b)[1]) - 50


def test_a_new_box_is_a_cube_around_where_the_drag_began(app):
    keys(app, "N", "B")
    drag(app, pixel(app, (-2.0, 0.0, 3.0)), pixel(app, (-1.0, 0.0, 3.0)))
    box = app.scene.probes[2]
    assert box.center == pytest.approx((-2.0, 0.0, 3.0), abs=0.02)
    assert len(set(box.half_extents)) == 1 and 0.8 < box.half_extents[0] < 1.2


def test_drawing_onto_a_primitive_hits_it(app):
    app.edit(replace(app.scene, probes=(), expect=()))
    keys(app, "N", "S")
    drag(app, pixel(app, (-3.0, 0.0, 3.0)), pixel(app, (0.5, 0.8, 1.0)))
    assert app.report.green.tolist() == [True]


def test_drawing_begins_on_the_surface_under_the_mouse(app):
    keys(app, "N", "S")
    drag(app, pixel(app, (0.5, 0.8, 1.0)), (900, 200))
    assert app.scene.probes[2].start == pytest.approx((0.5, 0.8, 1.0), abs=0.02)


def test_a_click_with_the_tool_draws_nothing_and_keeps_it(app):
    keys(app, "N", "S")
    click(app, (300, 600))
    assert (len(app.scene.probes), app.tool) == (2, "segment")


def test_keys_w_e_r_and_s_alone_do_nothing(app):
    before = app.scene
    keys(app, "W", "E", "R", "S")
    assert (app.scene, app.tool, app.prefix) == (before, None, "")


def test_delete_removes_the_selected_probe_and_undo_brings_it_back(app):
    keys(app, "Delete")
    assert len(app.scene.probes) == 2
    click(app, pixel(app, (0.0, 2.0, 0.0)))
    keys(app, "Delete")
    assert app.scene.probe_ids == ("ray",)
    assert app.selected is None
    keys(app, "Ctrl+Z")
    assert app.scene.probe_ids == ("above", "ray")


def test_a_primitive_is_not_deleted(app):
    click(app, pixel(app, (0.5, 0.8, 1.0)))
    keys(app, "Delete")
    assert len(app.scene.primitives) == 1
    assert app.message


def test_walking_through_the_gallery_loses_no_change_and_no_view(open_app):
    app = open_app(a_scene(name="one"), a_scene(name="two", probes=(), expect=()))
    drag(app, pixel(app, (-3.0, 2.0, 0.0)), (300, 500))
    drag(app, (100, 100), (200, 130))
    changed, camera = app.scene, app.viewpoint.camera
    keys(app, "]")
    assert (app.scene.name, app.document.changed) == ("two", False)
    keys(app, "]")
    assert app.scene is changed
    assert app.viewpoint.camera == camera
    keys(app, "[", "[")
    assert app.scene is changed
    assert app.document.changed


BROKEN = '{"version": 1, "primitives": [], "probs": []}'


def test_a_broken_scene_says_where_and_the_last_good_one_stays(open_app):
    app = open_app(a_scene(name="one"), BROKEN, a_scene(name="three"))
    good = app.scene
    keys(app, "]")
    assert "1.scene.json:1:" in app.problem
    assert app.scene is good
    keys(app, "]")
    assert (app.scene.name, app.problem) == ("three", "")


def test_the_first_good_scene_is_shown_and_the_broken_ones_are_told(open_app):
    app = open_app(BROKEN, a_scene(name="two"))
    assert app.scene.name == "two"
    assert "0.scene.json:1:" in app.problem


def test_with_nothing_good_there_is_an_empty_scene_and_the_message(open_app):
    app = open_app(BROKEN, BROKEN)
    assert app.scene.primitives == ()
    assert "0.scene.json:1:" in app.problem and "1.scene.json:1:" in app.problem
    app.draw_list()


def test_an_unknown_method_is_told_as_a_broken_file_is(open_app):
    app = open_app('{"version": 1, "primitives": [], "probes": [], "methods": {"segment_aabb": "slabby"}}')
    assert "slabby" in app.problem


def test_saving_writes_the_file_and_clears_the_mark(app):
    drag(app, pixel(app, (-3.0, 2.0, 0.0)), (300, 500))
    assert app.document.changed
    keys(app, "Ctrl+S")
    assert not app.document.changed
    assert load(app.document.path) == app.scene
    keys(app, "Ctrl+Z")
    assert app.document.changed
    keys(app, "Ctrl+Y")
    assert not app.document.changed


def test_an_example_is_saved_as_a_copy_in_the_working_folder(open_app, tmp_path, monkeypatch):
    app = open_app(a_scene(), example=True)
    original = app.document.path.read_bytes()
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "0.scene.json").write_text("something else")
    monkeypatch.chdir(folder)
    drag(app, pixel(app, (-3.0, 2.0, 0.0)), (300, 500))
    path = app.document.path
    keys(app, "Ctrl+S")
    assert path.read_bytes() == original
    assert (folder / "0.scene.json").read_text() == "something else"
    assert load(folder / "0-2.scene.json") == app.scene
    assert "0-2.scene.json" in app.message


def test_a_failed_save_is_told_and_loses_nothing(app, tmp_path):
    drag(app, pixel(app, (-3.0, 2.0, 0.0)), (300, 500))
    app.document.path = tmp_path / "missing" / "x.scene.json"
    keys(app, "Ctrl+S")
    assert "cannot save" in app.problem
    assert app.document.changed


def test_closing_asks_only_where_something_is_not_saved(app):
    commands.close(app)
    assert app.done


def test_closing_with_changes_asks_and_escape_goes_back(app):
    drag(app, pixel(app, (-3.0, 2.0, 0.0)), (300, 500))
    commands.close(app)
    assert app.asks_to_close and not app.done
    keys(app, "Delete", "]", "Escape")
    assert not app.asks_to_close and not app.done
    commands.close(app)
    commands.save_all_and_close(app)
    assert app.done
    assert load(app.document.path) == app.scene


def test_without_panels_the_picture_is_the_one_that_render_makes(app):
    keys(app, "Tab")
    assert app.eye.viewport == Viewport(0, 0, *SIZE)
    assert app.eye.camera == Camera(CAMERA.eye, CAMERA.target)


@pytest.mark.parametrize("size", [SIZE, (640, 480), (480, 320), (2560, 1600)])
def test_beside_panels_everything_stays_in_sight(open_app, size):
    wide = SegmentProbe(start=(-6.0, 0.0, 0.0), end=(6.0, 0.0, 0.0))
    app = open_app(a_scene(probes=(wide,), expect=()), size=size)
    full = app.viewpoint.camera.project(wide.start, app.full)[0, 0]
    x, _ = pixel(app, wide.start)
    assert x > min(full, 0) - 1
    assert app.layout.panel.width <= 0.45 * size[0] + 1


def test_drawing_and_dragging_work_at_any_size(open_app):
    for size in (1e-200, 1e-3, 1e6, 1e200):
        box = AabbPrimitive(id="box", min=(-size,) * 3, max=(size,) * 3)
        segment = SegmentProbe(start=(-3 * size, 0.0, 0.0), end=(3 * size, 2 * size, 0.0))
        app = open_app(Scene(version=1, primitives=(box,), probes=(segment,)))
        app.draw_list()
        drag(app, pixel(app, segment.start), (200, 600))
        np.testing.assert_allclose(pixel(app, app.scene.probes[0].start), (200, 600), atol=0.7)
        keys(app, "N", "S")
        drag(app, (100, 600), (300, 650))
        assert len(app.scene.probes) == 2


def flat_scene():
    """Give a segment in the plane of the triangle that it crosses, which Moeller and Trumbore's method misses."""
    triangle = TrianglePrimitive(id="sail", vertices=((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0)))
    segment = SegmentProbe(id="in", start=(-3.0, 1.0, 0.0), end=(3.0, 1.0, 0.0))
    return a_scene(primitives=(triangle,), probes=(segment,), expect=())


def test_choosing_a_method_changes_the_colours_and_can_be_undone(open_app):
    app = open_app(flat_scene())
    assert app.report.green.tolist() == [True]
    assert (app.draw_list().triangles.roles == Role.HIT).all()
    commands.decide_by(app, "segment_triangle", "moller_trumbore")
    assert app.scene.methods == {"segment_triangle": "moller_trumbore"}
    assert (app.draw_list().triangles.roles == Role.MISS).all()
    assert app.document.changed
    keys(app, "Ctrl+Z")
    assert (app.draw_list().triangles.roles == Role.HIT).all()
    assert not app.document.changed


def test_choosing_exact_again_takes_the_choice_out_of_the_file(open_app):
    app = open_app(replace(flat_scene(), methods={"segment_triangle": "moller_trumbore", "ray_aabb": "smits"}))
    commands.decide_by(app, "segment_triangle", "exact")
    assert app.scene.methods == {"ray_aabb": "smits"}
    assert app.report.green.tolist() == [True]


def test_all_methods_of_a_pair_are_compared_once_for_each_scene(open_app, monkeypatch):
    app = open_app(flat_scene())
    comparison = Comparison()
    said = comparison.of(app.report, (0, 0))
    assert next(iter(said)) == "exact"
    assert said["exact"].hit and not said["moller_trumbore"].hit
    assert set(said) == set(of_pair("segment_triangle"))
    monkeypatch.setattr(Report, "verdict", None)
    assert comparison.of(app.report, (0, 0)) is said


def test_the_deciding_method_is_compared_with_its_arguments(open_app):
    choice = {"name": "angle_sum", "tolerance": 7.0}
    app = open_app(replace(flat_scene(), methods={"segment_triangle": choice}))
    said = Comparison().of(app.report, (0, 0))
    assert said["angle_sum"] == app.report.verdict(0, 0)


def test_a_pair_is_what_is_selected_one_after_the_other(app):
    app.select(Target("probe", "above"))
    assert looked_at(app) == (0, 0), "the only primitive there is"
    app.select(Target("primitive", "box"))
    assert looked_at(app) == (0, 0)
    app.select(Target("probe", "ray"))
    assert looked_at(app) == (1, 0)
    app.select(None)
    assert looked_at(app) is None


def test_a_pair_does_not_outlive_its_probe(app):
    app.select(Target("probe", "above"))
    app.select(Target("primitive", "box"))
    app.edit(replace(app.scene, probes=app.scene.probes[1:], expect=()))
    assert app.partner is None
    assert looked_at(app) == (0, 0)


def test_one_element_of_a_bulk_item_is_clicked_looked_at_and_framed(open_app):
    lows = np.array([[x, 0.0, 0.0] for x in range(0, 6000, 2)])
    cloud = AabbsPrimitive(id="cloud", min=lows, max=lows + 1)
    probe = SegmentProbe(id="seg", start=(4.0, 0.5, -2.0), end=(4.5, 0.5, 3.0))
    camera = FileCamera(eye=(4.5, 3.0, 12.0), target=(4.5, 0.5, 0.5))
    app = open_app(a_scene(primitives=(cloud,), probes=(probe,), expect=(), view=View(camera=camera)))
    app.select(Target("probe", "seg"))
    x, y = pixel(app, (6.5, 0.6, 1.0))
    app.press(gesture("Left", NONE).begin, x, y)
    app.release()
    assert app.selected == Target("primitive", "cloud[3]")
    assert looked_at(app) == (0, 3)
    assert app.exists(app.selected) and not app.exists(Target("primitive", "cloud[3000]"))
    framed = app.extent_of(app.selected)
    assert (framed.lo < [6, 0, 0]).all() and (framed.hi > [7, 1, 1]).all()
    assert app.report.green[2] and not app.report.green[3]


def test_a_bundle_is_selected_as_one_and_has_no_handles(open_app):
    rays = RaysProbe(id="rays", origin=[[-3.0, 0.0, 0.0], [-3.0, 0.5, 0.0]], direction=[[1.0, 0.0, 0.0]] * 2)
    app = open_app(a_scene(probes=(rays,), expect=()))
    app.select(Target("probe", "rays"))
    assert app.exists(app.selected)
    assert app.extent_of(app.selected).lo[0] <= -3
    x, y = pixel(app, (-3.0, 0.0, 0.0))
    assert app.target_at(x, y) is None
    assert looked_at(app) is None
    commands.delete_probe(app)
    assert app.scene.probes == ()

"""The viewer's state without a window: mouse and keys in, scenes, selection and camera out."""

import math

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.draw.target import Target
from hitscope.render.camera import Camera, Viewport
from hitscope.scene import Scene, load, save
from hitscope.scene.model import (
    AabbPrimitive,
    Expectation,
    LineProbe,
    RayProbe,
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


@pytest.mark.parametrize("key, kind", [("S", SegmentProbe), ("R", RayProbe)])
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

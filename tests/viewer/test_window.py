"""The real window: dragged with the real mouse, its colours read from screenshots."""

import os
import signal
import sys

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.draw.builder import Builder
from hitscope.draw.element_arrays import element_arrays_of
from hitscope.evaluate import evaluate
from hitscope.geometry import exact
from hitscope.geometry.shapes import Point
from hitscope.render.camera import Viewport
from hitscope.render.view import View
from hitscope.scene import Scene, load, save
from hitscope.scene.items import AabbPrimitive, SegmentProbe
from hitscope.scene.model import Expectation, FileCamera, FileView
from hitscope.viewer.interface.recording import Recording
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.inputs import Move
from hitscope.viewer.state.settings import PLAIN
from hitscope.viewer.state.viewpoint import Viewpoint
from hitscope.viewer.window.launch import TITLE_BAR
from hitscope.viewer.window.replay import replay, screenshot, state_of
from tests.viewer.driver import SCREEN, Viewer
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Xvfb and xdotool are Linux programs"),
    pytest.mark.xdist_group("window"),
]

SIZE = (1280, 800)
LAST_PLACE = (700, 200)
"""Where the mouse ends, so that it is known when all input has arrived."""
START, END = (-6.0, 0.0, 0.0), (-4.5, 0.0, 0.0)


def three_boxes(**fields):
    """Three boxes in a row, and a segment at their left that hits none of them."""
    boxes = [
        AabbPrimitive(id=f"box{x}", center=(x, 0.0, 0.0), half_extents=(0.9, 0.9, 0.9)) for x in (-3.0, 0.0, 3.0)
    ]
    parts = {
        "name": "three boxes",
        "primitives": tuple(boxes),
        "probes": (SegmentProbe(id="seg", start=START, end=END),),
        "expect": (Expectation(probe="seg", hits=()),),
        "view": FileView(camera=FileCamera(eye=(0.0, 3.0, 16.0), target=(0.0, 0.0, 0.0))),
    }
    return Scene(version=1, **(parts | fields))


@pytest.fixture
def path(tmp_path):
    """The file of the scene."""
    path = tmp_path / "three.scene.json"
    save(three_boxes(), path)
    return path


@pytest.fixture
def viewer(screen, path):
    """The window on the scene."""
    with Viewer(screen, path, "--size", f"{SIZE[0]}x{SIZE[1]}", cwd=path.parent) as started:
        yield started


def pixels_of(points, size=SIZE):
    """The pixels (n, 2) of points of the scene in a window of a size."""
    width, height = size
    report, full = evaluate(three_boxes()), Viewport(0, 0, width, height)
    picture = Display(size, 1.0, PLAIN).layout.picture
    camera = Viewpoint(report.scene.view, Builder().corners(report), full).camera_for(picture, full)
    return View(camera, picture).project(points)[:, :2]


def colours(viewer, size=SIZE):
    """ "hit" or "miss" for every primitive, by its color in the picture."""
    # Off the middle, where no probe, label or axis passes.
    boxes = element_arrays_of(evaluate(three_boxes()).elements).batches[0].boxes
    points = boxes.origins + boxes.edges.sum(axis=1) * (0.3, 0.2, 1.0)
    picture = viewer.screenshot().astype(int)
    said = []
    for x, y in pixels_of(points, size).round().astype(int):
        red, green, _ = np.median(picture[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3), axis=0)
        said.append("hit" if green > red + 15 else "miss" if red > green + 15 else "neither")
    return said


def verdicts(path):
    """ "hit" or "miss" for every primitive of a saved scene."""
    return ["hit" if green else "miss" for green in evaluate(load(path)).hit_elements]


def saved(viewer, path):
    """Save with Ctrl+S and wait for the file."""
    before = path.read_bytes()
    viewer.key("ctrl+s")
    wait_until(lambda: path.read_bytes() != before, "the saved file")


def test_dragging_a_handle_recolours_what_the_segment_meets_and_a_saved_scene_closes_at_once(viewer, path):
    wait_until(lambda: colours(viewer) == ["miss", "miss", "miss"], "three red boxes")
    end, middle, right = pixels_of([END, (0.0, 0.0, 0.0), (5.0, 0.0, 0.0)])
    viewer.press(*end)
    viewer.point(*middle)
    wait_until(lambda: colours(viewer) == ["hit", "hit", "miss"], "colours that follow the drag")
    viewer.point(*right)
    viewer.release()
    wait_until(lambda: viewer.title.startswith("*three boxes"), "the mark of a change")
    wait_until(lambda: colours(viewer) == ["hit", "hit", "hit"], "three green boxes")
    saved(viewer, path)
    np.testing.assert_allclose(load(path).probes[0].end, (5.0, 0.0, 0.0), atol=0.05)
    assert verdicts(path) == ["hit", "hit", "hit"]
    wait_until(lambda: viewer.title.startswith("three boxes"), "the mark to go")
    viewer.close()
    assert viewer.exit_status() == 0


def test_a_segment_is_drawn_and_deleted_and_a_capsule_drawn_and_dragged_by_an_end_and_by_its_radius(viewer, path):
    start, end = pixels_of([(-2.0, -1.4, 2.0), (2.0, -1.4, 2.0)])
    viewer.key("n", "s")
    viewer.drag(start, end)
    saved(viewer, path)
    drawn = load(path).probes[1]
    found = pixels_of([drawn.start, drawn.end])
    # The ends are at tenths of the grid's step, of which half a diagonal is 4.2 pixels here.
    np.testing.assert_allclose(found, [start, end], atol=4.5)
    numbers = np.array([drawn.start, drawn.end])
    assert np.array_equal(numbers, numbers.round(1))
    viewer.key("Delete")
    saved(viewer, path)
    assert load(path) == three_boxes()

    def capsule():
        saved(viewer, path)
        return load(path).primitives[3]

    viewer.key("ctrl+shift+p")
    viewer.key(*"capsule", "space", *"prim", "Return")
    viewer.drag(*pixels_of([(-1.5, 3.0, 0.0), (0.5, 3.0, 0.0)]))
    drawn = capsule()
    np.testing.assert_allclose(
        pixels_of([drawn.start, drawn.end]), pixels_of([(-1.5, 3.0, 0.0), (0.5, 3.0, 0.0)]), atol=12
    )
    side = np.add(drawn.start, drawn.end) / 2 + (0.0, drawn.radius, 0.0)
    viewer.drag(*pixels_of([side.tolist(), np.add(side, (0.0, 0.4, 0.0)).tolist()]))
    wider = capsule()
    assert (wider.start, wider.end) == (drawn.start, drawn.end)
    assert wider.radius == pytest.approx(drawn.radius + 0.4, abs=0.05)
    to = np.add(wider.end, (1.0, -1.0, 0.0)).tolist()
    viewer.drag(*pixels_of([wider.end, to]))
    longer = capsule()
    assert (longer.start, longer.radius) == (wider.start, wider.radius)
    np.testing.assert_allclose(pixels_of([longer.end]), pixels_of([to]), atol=12)
    x, y = (int(value) for value in pixels_of([np.add(longer.start, longer.end) / 2])[0])
    shot = viewer.screenshot()
    assert shot[y, x].max() > shot[5, 400].max() + 10, "the middle of the axis is within the drawn capsule"


def test_a_sphere_is_drawn_dragged_snapped_to_scaled_undone_saved_and_opened_again(viewer, path, screen):
    def sphere():
        saved(viewer, path)
        return load(path).primitives[3]

    def moved(x, y=0.0, z=0.0):
        return tuple(np.add(drawn.center, (x, y, z)).tolist())

    viewer.key("ctrl+shift+p")
    viewer.key(*"sphere", "space", *"prim", "Return")
    viewer.drag(*pixels_of([(-1.5, 3.0, 0.0), (-0.2, 3.0, 0.0)]))
    drawn = sphere()
    np.testing.assert_allclose(
        pixels_of([drawn.center, moved(drawn.radius)]), pixels_of([(-1.5, 3.0, 0.0), (-0.2, 3.0, 0.0)]), atol=12
    )
    viewer.drag(*pixels_of([moved(drawn.radius), moved(1.75)]))
    drawn = sphere()
    assert drawn.radius == pytest.approx(1.75, abs=0.02)
    viewer.drag(*pixels_of([drawn.center, moved(1.5, -1.0)]))
    drawn = sphere()
    end, beside, on = pixels_of([END, moved(-0.5, 0.5, 1.6), moved(-0.5, 0.6, 1.5)])
    viewer.press(*end)
    viewer.key_down("ctrl")
    viewer.point(*beside)
    viewer.point(*on)
    viewer.release()
    viewer.key_up("ctrl")
    saved(viewer, path)
    end = Point(load(path).probes[0].end)
    assert -1e-14 < exact.distance(end, drawn.shape) <= 0.0, "the end is on the surface, and hits it"
    (middle,) = pixels_of([drawn.center])
    viewer.click(*np.add(middle, (30, 40)))
    viewer.key("r")
    viewer.press(*middle)
    viewer.point(*np.add(middle, (30, 0)))
    viewer.key("2", "Return")
    viewer.release()
    assert sphere() == replace(drawn, radius=2 * drawn.radius)
    viewer.key("ctrl+z")
    assert sphere() == drawn
    with Viewer(screen, path, "--size", f"{SIZE[0]}x{SIZE[1]}", cwd=path.parent) as other:
        x, y = np.add(middle, (30, 40)).round().astype(int)
        wait_until(lambda: other.screenshot()[y, x, 1] > other.screenshot()[y, x, 0] + 15, "a green sphere")


def test_the_picture_follows_the_size_of_the_window_which_asks_before_it_drops_a_change(viewer):
    viewer.resize(700, 500)
    wait_until(lambda: viewer.size == (700, 500), "the new size")
    wait_until(lambda: colours(viewer, (700, 500)) == ["miss", "miss", "miss"], "the picture at that size")
    end, right = pixels_of([END, (5.0, 0.0, 0.0)], (700, 500))
    viewer.drag(end, right)
    wait_until(lambda: viewer.title.startswith("*"), "the mark of a change")
    wait_until(lambda: colours(viewer, (700, 500)) == ["hit", "hit", "hit"], "colours after a drag")
    viewer.close()
    wait_until(lambda: colours(viewer, (700, 500)) != ["hit", "hit", "hit"], "the question over the picture")
    assert viewer.process.poll() is None
    viewer.key("Escape")
    wait_until(lambda: colours(viewer, (700, 500)) == ["hit", "hit", "hit"], "the question to go")
    assert viewer.process.poll() is None


def everything_by_hand(viewer, user):
    """Use the mouse and the keyboard for all that they are for, in the picture and in the panel.

    `user` has the same scene open without a window, and knows where the widgets are.
    """
    end, right = pixels_of([END, (5.0, 0.0, 0.0)])
    viewer.key_down("x")
    viewer.drag(end, right)
    viewer.key_up("x")
    viewer.drag((350, 200), (450, 300))
    user.key_down("X")
    user.drag(end, right)
    user.key_up("X")
    user.drag((350, 200), (450, 300))
    for label in ("primitive box0.0", "field primitive box0.0 $.center[0]"):
        viewer.click(*user.middle_of(label))
        user.click_on(label)
    viewer.key("ctrl+a", "2", "period", "5", "5", "BackSpace", "Return")
    viewer.point(600, 400)
    viewer.wheel(2)
    viewer.key("f", "n", "s")
    viewer.drag((300, 600), (700, 500))
    user.keys("N", "S")
    user.drag((300, 600), (700, 500))
    viewer.click(*user.middle_of("method slab_"))
    viewer.resize(1000, 700)
    wait_until(lambda: viewer.size == (1000, 700), "the new size")
    viewer.drag((400, 600), (500, 300), button=2)
    viewer.key("Escape", "n", "ctrl+z", "ctrl+y", "bracketright")
    viewer.point(*LAST_PLACE)


def ended_at(recorded):
    """The pixel of the last mouse movement in a recording."""
    return [(given.x, given.y) for given in Recording.read(recorded).inputs if isinstance(given, Move)][-1]


def difference(shot, other):
    """The largest difference of two pictures in a color of a pixel."""
    return np.abs(shot.astype(int) - other).max()


def test_a_recording_ends_in_the_same_picture_without_a_window_and_in_another_one(
    screen, path, tmp_path, open_viewer
):
    recorded = tmp_path / "by-hand.recording"
    with Viewer(screen, path, "--size", "1280x800", "--record", recorded) as viewer:
        everything_by_hand(viewer, open_viewer(path))
        wait_until(lambda: ended_at(recorded) == LAST_PLACE, "the last movement")
        recording = Recording.read(recorded)
        with UserInterface(state_of(recording)) as interface:
            replay(recording, interface)
            state, replayed = interface.state, screenshot(interface)
        assert (len(state.session.scene.probes), state.display.size) == (2, (1000, 700))
        assert state.session.scene.primitives[1].center == (2.5, 0.0, 0.0)
        # The screen is drawn upside down, so a few pixels on an edge are rounded the other way.
        wait_until(lambda: difference(viewer.screenshot(), replayed) <= 1, "the picture that the replay ends in")
        shown, title = viewer.screenshot(), viewer.title
        assert title == f"*{state.session.document.title} – hitscope"
    with Viewer(screen, "--play", recorded) as viewer:
        wait_until(lambda: np.array_equal(viewer.screenshot(), shown), "the same picture in a window")
        assert viewer.title == title
        viewer.close()
        wait_until(lambda: difference(viewer.screenshot(), shown) > 0, "the question, now that it is the user's")


def test_a_file_that_is_dropped_is_opened_and_is_in_the_recording(screen, path, tmp_path):
    other = tmp_path / "other.scene.json"
    save(three_boxes(name="the other"), other)
    code = """
def drop(_):
    if shows("three boxes"):
        the_window().dispatch_event("on_file_drop", 300, 300, [sys.argv[2]])
    elif shows("the other"):
        the_window().dispatch_event("on_close")
pyglet.clock.schedule_interval(drop, 0.1)
launch.run([Path(sys.argv[1])], (640, 480), Path(sys.argv[3]))
"""
    recorded = tmp_path / "dropped.recording"
    screen.run(code, path, other, recorded, home=tmp_path)
    other.unlink()
    recording = Recording.read(recorded)
    with UserInterface(state_of(recording)) as interface:
        replay(recording, interface)
        assert interface.state.session.document.title == "the other"
        assert interface.state.host.closed


def test_the_first_picture_of_a_small_scene_needs_no_compiler_and_no_mesh_library(screen, path):
    code = """
def stop(_):
    if shows("three boxes"):
        print({"numba", "trimesh"} & set(sys.modules))
        pyglet.app.exit()
pyglet.clock.schedule_interval(stop, 0.01)
launch.run([Path(sys.argv[1])], (640, 480))
"""
    assert screen.run(code, path, home=path.parent) == "set()\n"


def test_killed_after_an_edit_it_offers_the_edit_at_the_next_start_and_brings_it_back(screen, path, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    with Viewer(screen, path, cwd=path.parent, home=home) as viewer:
        viewer.key("n", "p")
        viewer.click(560, 620)
        wait_until(lambda: viewer.title.startswith("*"), "the mark of a change")
        wait_until(lambda: list(home.rglob("*.autosave")), "the autosave")
        os.kill(viewer.process.pid, signal.SIGKILL)
    assert load(path) == three_boxes()
    with Viewer(screen, path, cwd=path.parent, home=home) as viewer:

        def is_restored():
            viewer.key("Return")  # which restores, as soon as the question is there
            return viewer.title.startswith("*")

        wait_until(is_restored, "the edit to come back")
        saved(viewer, path)
        assert [probe.word for probe in load(path).probes] == ["segment", "point"]
        viewer.close()
        assert viewer.exit_status() == 0
    assert list(home.rglob("*.autosave")) == []


def test_the_window_opens_no_larger_than_the_screen_and_then_where_and_as_large_as_it_was_closed(
    screen, path, tmp_path
):
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.json").write_text('{"first_start_seen": true, "window": [0, 0, 3000, 2000]}')
    with Viewer(screen, path, home=home) as viewer:
        assert viewer.size == (SCREEN[0], SCREEN[1] - TITLE_BAR)
        viewer.resize(777, 555)
        wait_until(lambda: viewer.size == (777, 555), "the new size")
        viewer.move_window(120, 60)
        viewer.close()
        assert viewer.exit_status() == 0
    with Viewer(screen, path, home=home) as viewer:
        assert (viewer.size, viewer.place) == ((777, 555), (120, 60))


def test_saving_the_users_own_method_recolours_the_scene(screen, path, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("def hit(segment, box):\n    return False\n")
    size = f"{SIZE[0]}x{SIZE[1]}"
    with Viewer(screen, path, "--method", f"segment_aabb={mine}:hit", "--size", size) as viewer:
        wait_until(lambda: colours(viewer) == ["miss", "miss", "miss"], "three red boxes")
        mine.write_text("def hit(segment, box):\n    return True\n")
        wait_until(lambda: colours(viewer) == ["hit", "hit", "hit"], "three green boxes")
        mine.write_text("def hit(segment, box)\n")
        mine.write_text("def hit(segment, box):\n    return box.lo[0] > 0\n")
        wait_until(lambda: colours(viewer) == ["miss", "miss", "hit"], "the third box green")

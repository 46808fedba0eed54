"""The real window: dragged with the real mouse, its colours read from screenshots."""

import os
import subprocess
import sys

import numpy as np
import pytest
from driver import Screen, Viewer, wait_until

from hitscope.draw.bodies import bodies_of
from hitscope.draw.build import extent
from hitscope.evaluate import evaluate
from hitscope.geometry.registry import of_pair
from hitscope.render.camera import Viewport
from hitscope.scene import Scene, load, save
from hitscope.scene.model import AabbPrimitive, Camera, Expectation, SegmentProbe, View
from hitscope.viewer.layout import lay_out
from hitscope.viewer.viewpoint import Viewpoint

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Xvfb and xdotool are Linux programs"),
    pytest.mark.xdist_group("window"),
]

SIZE = (1280, 800)
START, END = (-6.0, 0.0, 0.0), (-4.5, 0.0, 0.0)


@pytest.fixture(scope="module")
def screen():
    """Give a virtual screen."""
    with Screen() as started:
        yield started


def three_boxes(**fields):
    """Give three boxes in a row, and a segment at their left that hits none of them."""
    boxes = [
        AabbPrimitive(id=f"box{x}", center=(x, 0.0, 0.0), half_extents=(0.9, 0.9, 0.9)) for x in (-3.0, 0.0, 3.0)
    ]
    parts = {
        "name": "three boxes",
        "primitives": tuple(boxes),
        "probes": (SegmentProbe(id="seg", start=START, end=END),),
        "expect": (Expectation(probe="seg", hits=()),),
        "view": View(camera=Camera(eye=(0.0, 3.0, 16.0), target=(0.0, 0.0, 0.0))),
    }
    return Scene(version=1, **(parts | fields))


@pytest.fixture
def path(tmp_path):
    """Give the file of the scene."""
    path = tmp_path / "three.scene.json"
    save(three_boxes(), path)
    return path


@pytest.fixture
def viewer(screen, path):
    """Give the window on the scene."""
    with Viewer(screen, path, "--size", f"{SIZE[0]}x{SIZE[1]}", cwd=path.parent) as started:
        yield started


def pixels_of(points, size=SIZE):
    """Give where points of the scene are in a window of a size that was opened on it."""
    report, picture, full = (
        evaluate(three_boxes()),
        lay_out(*size, 1.0, panels=True).picture,
        Viewport(0, 0, *size),
    )
    camera = Viewpoint(report.scene.view, extent(report), full).seen(picture, full)
    return camera.project(points, picture)[:, :2]


def colours(viewer, size=SIZE):
    """Give "hit" or "miss" of every primitive, as the picture shows it."""
    # Off the middle, where no probe, label or axis passes.
    bodies = bodies_of(evaluate(three_boxes()).elements)
    places = bodies.box_origins + bodies.box_edges.sum(axis=1) * (0.3, 0.2, 1.0)
    picture = viewer.screenshot().astype(int)
    said = []
    for x, y in pixels_of(places, size).round().astype(int):
        red, green, _ = np.median(picture[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3), axis=0)
        said.append("hit" if green > red + 15 else "miss" if red > green + 15 else "neither")
    return said


def verdicts(path):
    """Give "hit" or "miss" of every primitive of a saved scene."""
    return ["hit" if green else "miss" for green in evaluate(load(path)).green]


def saved(viewer, path):
    """Save with Ctrl+S and wait for the file."""
    before = path.read_bytes()
    viewer.key("ctrl+s")
    wait_until(lambda: path.read_bytes() != before, "the saved file")


def test_dragging_a_handle_recolours_what_the_segment_meets(viewer, path):
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


def test_an_axis_key_held_keeps_the_drag_on_the_axis(viewer, path):
    end, far = pixels_of([END, (1.0, 2.0, 0.0)])
    viewer.hold("x")
    viewer.drag(end, far)
    viewer.let_go("x")
    saved(viewer, path)
    assert load(path).probes[0].end[0] == pytest.approx(1.0, abs=0.1)
    assert load(path).probes[0].end[1:] == END[1:]
    wait_until(lambda: colours(viewer) == verdicts(path) == ["hit", "hit", "miss"], "the colours of the file")


def test_escape_takes_the_drag_back_and_never_closes(viewer, path):
    end, right = pixels_of([END, (5.0, 0.0, 0.0)])
    viewer.press(*end)
    viewer.point(*right)
    wait_until(lambda: colours(viewer) == ["hit", "hit", "hit"], "three green boxes")
    viewer.key("Escape")
    wait_until(lambda: colours(viewer) == ["miss", "miss", "miss"], "three red boxes again")
    viewer.release()
    viewer.key("Escape", "Escape", "Escape")
    viewer.key("bracketright")
    assert viewer.process.poll() is None
    assert colours(viewer) == ["miss", "miss", "miss"]


def test_n_s_and_a_drag_draw_a_segment_that_delete_removes(viewer, path):
    start, end = pixels_of([(-2.0, -1.4, 2.0), (2.0, -1.4, 2.0)])
    viewer.key("n", "s")
    viewer.drag(start, end)
    saved(viewer, path)
    drawn = load(path).probes[1]
    found = pixels_of([drawn.start, drawn.end])
    np.testing.assert_allclose(found, [start, end], atol=2)
    viewer.key("Delete")
    saved(viewer, path)
    assert load(path) == three_boxes()


def test_a_click_selects_a_probe_and_delete_removes_it(viewer, path):
    ((x, y),) = pixels_of([(-5.25, 0.0, 0.0)])
    viewer.click(x, y)
    viewer.key("Delete")
    saved(viewer, path)
    assert load(path).probes == ()


def test_a_click_on_a_method_lets_it_decide(viewer, path):
    end, right = pixels_of([END, (5.0, 0.0, 0.0)])
    viewer.drag(end, right)
    saved(viewer, path)
    left, top, width, height = lay_out(*SIZE, 1.0, panels=True).panel
    # The methods are the lowest lines of the panel but for the legend; the deciding one is clicked in vain.
    for y in range(top + height // 2, top + height - 70, 14):
        viewer.click(left + width / 3, y)
        if viewer.title.startswith("*"):
            break
    saved(viewer, path)
    ((pair, method),) = load(path).methods.items()
    assert pair == "segment_aabb" and method in of_pair(pair)
    wait_until(lambda: colours(viewer) == ["hit", "hit", "hit"], "its verdict")


def test_the_next_scene_keeps_the_changes_of_this_one(screen, path, tmp_path):
    other, broken = tmp_path / "u.scene.json", tmp_path / "v.scene.json"
    save(three_boxes(name="another"), other)
    broken.write_text("{")
    with Viewer(screen, path, other, broken, "--size", "900x600") as viewer:
        end, right = pixels_of([END, (5.0, 0.0, 0.0)], (900, 600))
        viewer.drag(end, right)
        wait_until(lambda: viewer.title.startswith("*three boxes"), "the mark of a change")
        viewer.key("bracketright")
        wait_until(lambda: viewer.title.startswith("another"), "the next scene")
        viewer.key("bracketright")
        viewer.key("bracketright")
        wait_until(lambda: viewer.title.startswith("*three boxes"), "the first scene again, past the broken one")
        wait_until(lambda: colours(viewer, (900, 600)) == ["hit", "hit", "hit"], "the changed colours")


def test_the_picture_follows_the_size_of_the_window(viewer, path):
    viewer.resize(700, 500)
    wait_until(lambda: viewer.size == (700, 500), "the new size")
    wait_until(lambda: colours(viewer, (700, 500)) == ["miss", "miss", "miss"], "the picture at that size")
    end, right = pixels_of([END, (5.0, 0.0, 0.0)], (700, 500))
    viewer.drag(end, right)
    wait_until(lambda: colours(viewer, (700, 500)) == ["hit", "hit", "hit"], "colours after a drag")


def test_tab_gives_the_picture_all_of_the_window(viewer, path):
    def panel_colours():
        return {tuple(pixel) for pixel in viewer.screenshot()[400:700, 1270]}

    wait_until(lambda: len(panel_colours()) == 1, "the plain panel")
    viewer.key("Tab")
    wait_until(lambda: len(panel_colours()) > 1, "the picture under it")


def test_an_idle_window_costs_no_time(viewer, path):
    wait_until(lambda: colours(viewer) == ["miss", "miss", "miss"], "the picture")
    busy = viewer.busy_seconds
    with pytest.raises(subprocess.TimeoutExpired):
        viewer.process.wait(2)
    assert viewer.busy_seconds - busy < 0.05


def test_without_changes_the_window_closes_at_once(viewer):
    viewer.close()
    assert viewer.exit_status() == 0


def test_with_changes_the_window_asks_first(viewer, path):
    end, right = pixels_of([END, (5.0, 0.0, 0.0)])
    viewer.drag(end, right)
    wait_until(lambda: viewer.title.startswith("*"), "the mark of a change")
    plain = viewer.screenshot()
    viewer.close()
    wait_until(lambda: not np.array_equal(viewer.screenshot(), plain), "the question")
    assert viewer.process.poll() is None
    viewer.key("Escape")
    wait_until(lambda: colours(viewer) == ["hit", "hit", "hit"], "the question to go")
    assert viewer.process.poll() is None


def test_the_first_picture_of_a_small_scene_needs_no_compiler_and_no_mesh_library(screen, path):
    code = (
        "import sys, pyglet\n"
        "from hitscope.viewer import launch\n"
        "from hitscope.viewer.window import Window\n"
        "def stop(*_):\n"
        "    print(sorted({'numba', 'trimesh'} & set(sys.modules)))\n"
        "    pyglet.app.exit()\n"
        "draw = Window.draw\n"
        "def drawn(self, seconds):\n"
        "    draw(self, seconds)\n"
        "    assert self.app.document.title == 'three boxes'\n"
        "    stop()\n"
        "Window.draw = drawn\n"
        "from pathlib import Path\n"
        "launch.run([Path(sys.argv[1])], (640, 480))\n"
    )
    environment = os.environ | {"DISPLAY": screen.display}
    code = "import pyglet; pyglet.options.shadow_window = False\n" + code
    command = [sys.executable, "-c", code, str(path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert set(done.stdout.split()) == {"[]"}, done.stderr

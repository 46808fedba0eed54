"""A drag takes the way that the docstring of the viewer tells, and the scene is evaluated once on it."""

import re
import sys
from pathlib import Path

import pytest

from hitscope import viewer
from hitscope.scene import Scene, save
from tests.viewer.samples import ABOVE, BOX, VIEW

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Xvfb is a Linux program"),
    pytest.mark.xdist_group("window"),
]

HOPS = re.findall(r"^\d+\. `([\w/]+\.py)`, `([\w.]+)`", viewer.__doc__, re.MULTILINE)
"""The file and the function of each hop."""
FOLDER = Path(viewer.__file__).parent

DRAG = """
from hitscope.evaluate import evaluate
hops = [tuple(hop.split(":")) for hop in sys.argv[2:]]
called = []

def trace(frame, event, _):
    if event == "call":
        code = frame.f_code
        if code is evaluate.__code__:
            called.append("evaluate")
        called.extend(
            name for file, name in hops if code.co_qualname == name and code.co_filename.endswith("viewer/" + file)
        )

def drag(shown, by):
    x, y, _ = shown.interface.state.display.view.project((3.0, 2.0, 0.0))[0]
    position = round(x) + by, shown.get_size()[1] - 1 - round(y)
    if not by:
        shown.dispatch_event("on_mouse_press", *position, mouse.LEFT, 0)
    shown.dispatch_event("on_mouse_drag", *position, 0, 0, mouse.LEFT, 0)

def go_on(_):
    shown = the_window()
    if not (shows("a") and is_at_rest()):
        return
    if not begun:
        drag(shown, 0)
        drag(shown, 40)
        begun.append(True)
    elif not called:
        sys.setprofile(trace)
        drag(shown, 80)
    else:
        sys.setprofile(None)
        print(*called)
        pyglet.app.exit()

begun = []
pyglet.clock.schedule_interval(go_on, 0.01)
launch.run([Path(sys.argv[1])], (640, 480))
"""


def test_the_docstring_has_seven_hops_and_names_existing_files():
    assert len(HOPS) == 7
    files = re.findall(r"`([\w/]+\.py)`", viewer.__doc__)
    assert [file for file in files if not (FOLDER / file).is_file()] == []


def test_a_drag_takes_these_hops_in_their_order_and_evaluates_the_scene_once(screen, tmp_path):
    path = tmp_path / "a.scene.json"
    save(Scene(version=1, name="a", primitives=(BOX,), probes=(ABOVE,), view=VIEW), path)
    called = screen.run(DRAG, path, *map(":".join, HOPS), home=tmp_path).split()
    names = [name for _, name in HOPS]
    names.insert(names.index("refresh") + 1, "evaluate")
    assert list(dict.fromkeys(called)) == names
    assert called.count("evaluate") == 1
    assert called[-1] == names[-1]

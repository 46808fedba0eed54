"""The real keyboard during a drag: numbers are typed while Shift is held, and on the keypad whatever its lock."""

from hitscope.scene import Scene, load, save
from hitscope.scene.items import SegmentProbe
from hitscope.scene.model import FileCamera, FileView
from hitscope.viewer.interface.recording import Recording
from hitscope.viewer.state.inputs import KeyDown, KeyUp
from tests.viewer.driver import Viewer
from tests.waiting import wait_until


def test_a_number_is_typed_while_shift_is_held(screen, tmp_path):
    path, recording = tmp_path / "it.scene.json", tmp_path / "made.recording"
    probe = SegmentProbe(id="s", start=(-1.0, 0.0, 0.0), end=(0.0, 0.0, 0.0))
    view = FileView(camera=FileCamera(eye=(0.0, 0.0, 8.0), target=(0.0, 0.0, 0.0)))
    save(Scene(version=1, primitives=(), probes=(probe,), view=view), path)

    def keys(kind):  # xdotool turns the lock for numbers on and off
        inputs = Recording.read(recording).inputs
        return [given.key for given in inputs if isinstance(given, kind) and given.key != "NUMLOCK"]

    with Viewer(screen, path, "--size", "700x500", "--record", recording) as viewer:
        viewer.key("ctrl+b")  # without panels the target is in the middle of the window
        viewer.press(350, 250)
        for x in range(350, 391, 8):
            viewer.point(x, 250)
        viewer.key_down("shift")
        viewer.key("z", "2", "period", "KP_5")
        viewer.key_up("shift")
        viewer.key("KP_Begin")
        wait_until(lambda: keys(KeyUp)[-6:] == ["Z", "2", ".", "5", "Shift", "5"], "the keys let go")
        assert keys(KeyDown) == ["Ctrl", "B", "Shift", "Z", "2", ".", "5", "5"]
        viewer.release()
        viewer.key("ctrl+s")
        wait_until(lambda: load(path).probes[0].end == (2.55, 0.0, 0.0), "the end as far away as was typed")
        viewer.key("shift+2")
        wait_until(lambda: keys(KeyDown)[-1] == "AT", "the key as it is otherwise")

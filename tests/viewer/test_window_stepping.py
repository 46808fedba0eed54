"""Stepping in a real window: the real keyboard, and a run that plays by itself."""

import numpy as np
import pytest

from hitscope.scene import Scene, save
from hitscope.scene.items import AabbPrimitive, SegmentProbe
from hitscope.viewer.interface.recording import Recording
from hitscope.viewer.state.inputs import KeyDown
from tests.judge.slab import SLAB
from tests.viewer.driver import Viewer
from tests.viewer.samples import VIEW, box_and_two_probes
from tests.waiting import wait_until


def test_shift_and_a_full_stop_are_a_key_and_a_run_plays_by_itself(screen, tmp_path):
    path, recording = tmp_path / "it.scene.json", tmp_path / "made.recording"
    save(box_and_two_probes(), path)

    def keys():
        return [
            (given.key, given.modifiers) for given in Recording.read(recording).inputs if type(given) is KeyDown
        ]

    with Viewer(screen, path, "--size", "900x700", "--record", recording) as viewer:
        viewer.key("ctrl+Down", "ctrl+Right", "d")
        viewer.key("shift+period", "shift+comma", "F11")
        wait_until(lambda: ("F11", ()) in keys(), "the keys")
        assert (".", ("Shift",)) in keys() and (",", ("Shift",)) in keys()
        viewer.key("space")
        before = viewer.screenshot()
        wait_until(lambda: not np.array_equal(viewer.screenshot(), before), "the next statement")


WRONG = "# hitscope: generators=integer_grid\n" + SLAB.replace("<= box.hi[k]:", "< box.hi[k]:")


@pytest.mark.thorough
def test_a_real_click_finds_the_wrong_line_and_draws_its_fix_below_it(screen, tmp_path):
    box = AabbPrimitive(id="box", min=(0, 0, 0), max=(2, 2, 2))
    grazing = SegmentProbe(id="grazing", start=(-1, 2, 1), end=(3, 2, 1))
    path, own = tmp_path / "it.scene.json", tmp_path / "mine.py"
    save(Scene(version=1, primitives=(box,), probes=(grazing,), view=VIEW), path)
    own.write_text(f"{WRONG}# {tmp_path}")  # of which no search before this one knows
    with Viewer(screen, path, "--method", f"segment_aabb={own}:hit", "--size", "1280x800") as viewer:
        viewer.key("ctrl+Down", "ctrl+Right", "d")
        first, last = wait_until(lambda: strip(viewer), "the strip with the button")
        assert not changed_rows(viewer, last)
        viewer.click(viewer.size[0] - 70, (first + last) / 2)
        removed, put = wait_until(lambda: changed_rows(viewer, last), "the lines that are changed", poll_s=0.2)
    assert len(removed) == len(put) > 10 and put[0] - removed[-1] == 1
    assert own.read_text().startswith(WRONG)


def strip(viewer):
    """The first and the last row of the orange bar at the left of the panel of steps; None without it."""
    red, green, blue = viewer.screenshot()[:, 11].T.astype(int)
    rows = np.flatnonzero((red > 200) & (green > 120) & (blue < 100))
    return (rows[0], rows[-1]) if len(rows) else None


def changed_rows(viewer, top):
    """The rows of pixels behind a line that is taken out, and behind one that is put in; None without them."""
    red, green, blue = viewer.screenshot()[top:, 530].T.astype(int)
    found = [np.flatnonzero(mask) for mask in (red > green + 15, green > np.maximum(red, blue) + 5)]
    return found if all(map(len, found)) else None

"""Stepping in a real window: the real keyboard, and a run that plays by itself."""

import numpy as np

from hitscope.scene import save
from hitscope.viewer.interface.recording import Recording
from hitscope.viewer.state.inputs import KeyDown
from tests.viewer.driver import Viewer
from tests.viewer.samples import box_and_two_probes
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

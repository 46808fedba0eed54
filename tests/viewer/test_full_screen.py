"""The window on the full screen and back."""

import json
import sys

import numpy as np
import pytest

from hitscope.scene import save
from tests.viewer.driver import SCREEN, Viewer, wait_until
from tests.viewer.samples import box_and_two_probes


@pytest.mark.replayed
def test_f11_asks_the_window_for_the_full_screen_and_back(open_viewer):
    user = open_viewer(box_and_two_probes())
    command = user.state.commands["full_screen"]
    assert not command.is_on(user.state)
    user.keys("F11")
    assert user.state.host.full_screen and command.is_on(user.state)
    user.keys("Escape")
    assert user.state.host.full_screen, "Escape cancels, and leaves the window as it is"
    user.keys("F11")
    assert not user.state.host.full_screen


@pytest.mark.xdist_group("window")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Xvfb and xdotool are Linux programs")
def test_a_window_fills_the_screen_goes_back_and_is_remembered_as_a_window(screen, tmp_path):
    path, home = tmp_path / "box.scene.json", tmp_path / "home"
    save(box_and_two_probes(), path)
    home.mkdir()
    with Viewer(screen, path, home=home) as viewer:
        viewer.resize(777, 555)
        wait_until(lambda: viewer.size == (777, 555), "the new size")
        for size in (SCREEN, (777, 555), SCREEN):
            viewer.key("F11")
            wait_until(lambda size=size: find_size(viewer) == size, f"a window of {size}")
            wait_until(lambda: np.any(viewer.screenshot()[-30:, -30:]), "a picture as large")
            viewer._do("windowfocus", viewer.window)  # there is no window manager
        viewer.close()
        assert viewer.exit_status() == 0
    assert json.loads((home / "settings.json").read_text())["window"][2:] == [777, 555]


def find_size(viewer):
    """The size of the window, which the system makes anew when it begins or ends to fill the screen."""
    found = viewer._find()
    viewer.window = found or viewer.window
    said = viewer._do("getwindowgeometry", "--shell", viewer.window, check=False)
    known = dict(line.split("=") for line in said.split())
    return tuple(int(known[name]) for name in ("WIDTH", "HEIGHT")) if known else None

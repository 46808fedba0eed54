"""The user's scale of everything in the window."""

import json

import pytest

from hitscope.viewer.files.settings_file import SettingsFile
from hitscope.viewer.state.inputs import Resize
from hitscope.viewer.state.settings import LARGEST_SCALE, SMALLEST_SCALE, Settings
from hitscope.viewer.window.host import DesktopHost
from tests.viewer.samples import box_and_two_probes
from tests.viewer.user import SIZE


@pytest.mark.replayed
def test_ctrl_plus_and_minus_scale_panels_and_picture_and_ctrl_0_resets(open_viewer):
    user = open_viewer(box_and_two_probes())
    display, camera = user.state.display, user.camera
    width, row = display.layout.panel.width, user.find("probe above")
    user.keys("Ctrl+=")
    assert (display.pixel_ratio, display.view.pixel_ratio) == (1.1, 1.1)
    assert display.layout.panel.width == pytest.approx(1.1 * width, abs=1)
    assert user.state.messages.notice == "Everything is shown at 110%"
    user.keys("Ctrl+Plus", "Ctrl+Shift+=")
    assert display.pixel_ratio == 1.5
    larger = user.find("probe above")
    assert larger.bottom - larger.top > 1.3 * (row.bottom - row.top)
    user.keys("Ctrl+-")
    assert display.pixel_ratio == 1.25
    user.keys("Ctrl+0")
    assert (display.pixel_ratio, display.layout.panel.width, user.find("probe above")) == (1.0, width, row)
    assert user.camera == camera


def test_the_scale_ends_at_its_limits(open_viewer):
    user = open_viewer(box_and_two_probes())
    user.keys(*["Ctrl+="] * 20)
    assert user.state.display.ui_scale == LARGEST_SCALE
    user.keys(*["Ctrl+-"] * 20)
    assert user.state.display.ui_scale == SMALLEST_SCALE


@pytest.mark.replayed
def test_a_resize_brings_the_ratio_of_the_screen_and_keeps_the_scale(open_viewer):
    user = open_viewer(box_and_two_probes(), settings=Settings(ui_scale=2.0, first_start_seen=True))
    user.take(Resize, *SIZE, 1.5)
    assert user.state.display.pixel_ratio == 3.0


def test_the_scale_is_kept_in_the_settings(open_viewer, tmp_path):
    file = SettingsFile(tmp_path / "settings.json")
    user, host = open_viewer(box_and_two_probes()), DesktopHost(file, None)
    user.keys("Ctrl+=")
    list(host.poll(user.state, user.at))
    assert json.loads(file.path.read_text())["ui_scale"] == 1.1


def test_a_scale_out_of_range_is_reported(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text('{"ui_scale": 9}')
    file = SettingsFile(path)
    assert file.settings.ui_scale == 1.0
    assert file.problem_text == f"{path}:1:14: $.ui_scale: expected a number from 0.5 to 3, found 9"


@pytest.mark.parametrize("size", [(1280, 800), (800, 600)])
def test_at_twice_the_size_a_row_of_each_list_can_be_clicked(open_viewer, size):
    user = open_viewer(box_and_two_probes(), size=size, settings=Settings(ui_scale=2.0, first_start_seen=True))
    user.click_on("probe above")
    assert user.selected == ["above"]
    assert user.state.display.layout.picture.width >= 0.4 * size[0]
    assert user.find("view").right <= size[0], "the buttons of the bar are cut off"

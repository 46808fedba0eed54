"""A recording as an animation: its frames and durations, as they are read back."""

import numpy as np
import pytest
from PIL import Image

from hitscope.render.animation import RATES
from hitscope.scene import load, save
from hitscope.viewer.interface.open_state import open_state
from hitscope.viewer.interface.recording import Recorder, recording_start
from hitscope.viewer.state.documents import DocumentList
from hitscope.viewer.window.replay import play_offscreen
from tests.viewer.samples import RAY, box_and_two_probes
from tests.viewer.user import User

SIZE = (480, 320)


@pytest.fixture
def recording(tmp_path):
    """A recording: a handle is dragged, and after 2 seconds in which nothing happens the theme is switched."""
    path = tmp_path / "box.scene.json"
    save(box_and_two_probes(), path)
    recorder = Recorder(tmp_path / "a.recording", recording_start([path], tmp_path, SIZE))
    user = User(open_state(DocumentList.of([path]), SIZE), recorder)
    start = user.pixel(RAY.origin)
    user.drag(start, (start[0] + 20, start[1] + 30))
    user.leave()  # so that the end has no pointer
    user.at += 2000
    user.keys("T")
    user.end()
    return tmp_path / "a.recording"


@pytest.mark.parametrize("ending", RATES)
def test_an_animation_lasts_as_long_as_the_recording_and_shows_its_end(
    recording, tmp_path, read_animation, ending
):
    path = tmp_path / f"a{ending}"
    play_offscreen(recording, [], [path, tmp_path / "a.png", tmp_path / "a.json"])
    frames, durations = read_animation(path)
    assert all(frame.shape == (*SIZE[::-1], 3) for frame in frames)
    assert 3 <= sum(durations) <= 3.5, "the recording, and a second of its end"
    with Image.open(tmp_path / "a.png") as end:
        assert np.abs(frames[-1] - np.array(end)).mean() < 2
    assert np.abs(frames[0] - frames[-1]).mean() > 50, "the theme is another one"
    play_offscreen(recording, [], [tmp_path / "b.json"])
    assert load(tmp_path / "a.json") == load(tmp_path / "b.json")


def test_frames_in_which_nothing_changes_are_one_in_a_gif_file(recording, tmp_path, read_animation):
    play_offscreen(recording, [], [tmp_path / "a.gif"])
    frames, durations = read_animation(tmp_path / "a.gif")
    assert 3 <= len(frames) <= 10 and 1.8 <= max(durations[:-1]) <= 2.5
    assert min(durations) >= 1 / RATES[".gif"] - 0.01, "a frame is shown for less time than there is between two"

"""A recording as an animation: its frames and durations, as they are read back."""

import numpy as np
import pytest
from PIL import Image
from samples import RAY, box_and_two_probes
from user import User

from hitscope.scene import load, save
from hitscope.viewer.interface.open_state import open_state
from hitscope.viewer.interface.recording import Recorder, recording_start
from hitscope.viewer.state.documents import DocumentList
from hitscope.viewer.window.replay import RATE, play_offscreen

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
    user.at += 2000
    user.keys("T")
    user.end()
    return tmp_path / "a.recording"


def read(path):
    """The frames of an animation as pixels, and their durations in milliseconds."""
    frames, durations = [], []
    with Image.open(path) as picture:
        for k in range(picture.n_frames):
            picture.seek(k)
            frames.append(np.array(picture.convert("RGB")).astype(int))
            durations.append(picture.info["duration"])
    return frames, durations


def test_an_animation_lasts_as_long_as_the_recording_and_shows_its_end(recording, tmp_path):
    play_offscreen(recording, [], [tmp_path / "a.gif", tmp_path / "a.png", tmp_path / "a.json"])
    frames, durations = read(tmp_path / "a.gif")
    assert all(frame.shape == (*SIZE[::-1], 3) for frame in frames)
    assert 3 <= len(frames) <= 10, "frames in which nothing changes are one"
    assert 2000 <= sum(durations[:-1]) <= 2500 and max(durations[:-1]) >= 1800
    assert all(duration % 10 == 0 and duration >= 1000 // RATE - 10 for duration in durations)
    with Image.open(tmp_path / "a.png") as end:
        assert np.abs(frames[-1] - np.array(end)).mean() < 2
    assert np.abs(frames[0] - frames[-1]).mean() > 50, "the theme is another one"
    play_offscreen(recording, [], [tmp_path / "b.json"])
    assert load(tmp_path / "a.json") == load(tmp_path / "b.json")

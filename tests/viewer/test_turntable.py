"""Turntables that the window exports, as they are read back, and the process that draws them."""

import re
import signal
import subprocess
import sys

import numpy as np
import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from hitscope.errors import HitscopeError
from hitscope.evaluate import evaluate
from hitscope.offscreen_context import offscreen_context
from hitscope.render.animation import RATES
from hitscope.render.offscreen import write_turntable as draw_turntable
from hitscope.render.renderer import Settings
from hitscope.resources import SCENES
from hitscope.scene import ENDING, load, save
from hitscope.viewer.actions import cancel, closing, saving
from hitscope.viewer.actions.cancel import finish_job
from hitscope.viewer.files.document_files import DocumentFiles
from hitscope.viewer.files.settings_file import SettingsFile
from hitscope.viewer.files.turntable import write_turntable
from hitscope.viewer.interface.open_state import open_state
from hitscope.viewer.interface.recording import Recorder, Recording, recording_start
from hitscope.viewer.panels.progress import progress_text
from hitscope.viewer.state.dialogs import PictureOptions
from hitscope.viewer.state.documents import Document, DocumentList
from hitscope.viewer.state.turntable import estimated_bytes
from hitscope.viewer.window.host import DesktopHost
from hitscope.viewer.window.painter import Painter
from tests.viewer.samples import box_and_two_probes
from tests.viewer.user import WINDOWED, DiskUser
from tests.waiting import PATIENCE_S, wait_until

SIZE = (640, 480)


@pytest.fixture(scope="module")
def painter():
    """The painter of a window."""
    with offscreen_context() as context:
        yield Painter(context)


@pytest.fixture
def user(tmp_path, home, widgets, painter):
    """A user of a box and two probes whose view is theirs, and who exports from it."""
    path = tmp_path / "box.scene.json"
    save(box_and_two_probes(), path)
    host = DesktopHost(SettingsFile(), painter.picture)
    user = DiskUser(open_state(DocumentList([Document(path)]), SIZE, files=host.files), host, widgets=widgets)
    user.keys("T")
    user.click_on("probe above")
    user.keys("Shift+H", "Escape", "3")
    user.wait()
    user.picture = lambda options: painter.picture(user.state, options)
    user.keys("Shift+F12")
    yield user
    user.end()


@pytest.fixture
def state(tmp_path):
    """The state of a window on a box and two probes whose files are on the disk."""
    path = tmp_path / "box.scene.json"
    save(box_and_two_probes(), path)
    files = DocumentFiles(lambda path: None).files
    state = open_state(DocumentList([Document(path)]), SIZE, files=files, limits=WINDOWED)
    while state.jobs.running:
        finish_job(state, state.jobs.running[0])
    state.dialogs.picture = PictureOptions(".gif", turn_scale=0.5, seconds=12)
    return state


@pytest.mark.parametrize(("form", "ending"), [("Turntable, GIF", ".gif"), ("Turntable, MP4", ".mp4")])
def test_a_turntable_begins_as_the_window_shows_the_scene_and_turns_once(
    user, tmp_path, read_animation, form, ending
):
    user.click_on(f"form {form}")
    user.click_on("seconds 3 s")
    assert user.state.dialogs.dialog.typed == f"box{ending}"
    user.click_on("Save")
    assert user.state.messages.notice == f"Saved {tmp_path / 'box'}{ending}"
    frames, seconds = read_animation(tmp_path / f"box{ending}")
    assert (len(frames), sum(seconds)) == (3 * RATES[ending], pytest.approx(3))
    shown = user.picture(PictureOptions())
    height, width = shown.shape[:2]
    assert np.abs((frames[0][:height, :width] - shown).mean(axis=(0, 1))).max() < 2
    assert np.abs(frames[0][:height, :width] - shown).mean() < 3
    quarters = [np.abs(frames[len(frames) * k // 4] - frames[0]).mean() for k in (1, 3)]
    assert min(quarters) > 2, "it does not turn"


def test_a_turntable_has_fewer_choices_than_a_picture(user):
    user.click_on("scale 4×")
    assert user.sees("Labels") and user.sees("Transparent background")
    user.click_on("form Turntable, GIF")
    assert not user.sees("Labels") and not user.sees("Transparent background") and user.sees("Grid")
    assert user.state.dialogs.picture.factor == 1, "a file of that size would be too large"
    user.click_on("form Picture")
    assert user.state.dialogs.picture.factor == 4
    assert user.state.dialogs.dialog.typed == "box.png"


@pytest.mark.parametrize("form", ["Turntable, GIF", "Turntable, MP4"])
def test_the_dialog_says_about_how_large_the_file_becomes(user, form, monkeypatch):
    words = []
    draw = imgui.text_colored
    monkeypatch.setattr(imgui, "text_colored", lambda colour, said: words.append(said) or draw(colour, said))
    user.click_on(f"form {form}")
    user.click_on("scale 2×")
    user.click_on("seconds 12 s")
    assert re.fullmatch(
        r"[\d,]+ × [\d,]+ pixels, about \d+ MB", next(line for line in reversed(words) if "pixels" in line)
    )


SIZES = [("lessons/08-jumping-point", ".gif"), ("matrix/triangle", ".gif"), ("bulk/towers", ".gif")]


@pytest.mark.parametrize("name, ending", [*SIZES, ("matrix/triangle", ".mp4")])
def test_the_estimate_of_a_file_is_true_within_a_factor_of_two(tmp_path, name, ending):
    report, path, size = evaluate(load(SCENES / f"{name}{ENDING}")), tmp_path / f"turn{ending}", (360, 300)
    draw_turntable(report, path, Settings(size), 1)
    about = estimated_bytes(ending, size, 1, len(report.elements) + len(report.probes))
    assert about / 2 < path.stat().st_size < 2 * about


def test_a_video_without_ffmpeg_is_refused_in_the_dialog(user, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    user.click_on("form Turntable, MP4")
    user.click_on("Save")
    path = tmp_path / "box.mp4"
    assert user.state.dialogs.dialog.problem == f"{path}: an MP4 file needs ffmpeg: pip install 'hitscope[video]'"


def test_escape_stops_a_turntable_and_its_process_and_leaves_the_file(state, tmp_path):
    path = tmp_path / "turn.gif"
    path.write_text("mine")
    saving.write_picture(state, path)
    job = state.jobs.exporting
    wait_until(lambda: job.fraction, "a first frame")
    assert progress_text(job).startswith("Writing turn.gif, ")
    cancel.cancel_topmost(state)
    assert (state.jobs.running, state.messages.notice) == ([], "Stopped: Writing turn.gif")
    assert job.done(PATIENCE_S) and job.fraction < 1
    assert path.read_text() == "mine"


def test_a_second_turntable_waits_for_the_first_one(state, tmp_path):
    saving.write_picture(state, tmp_path / "a.gif")
    job = state.jobs.exporting
    saving.write_picture(state, tmp_path / "b.gif")
    assert state.messages.notice == "The animation before is still being written"
    assert state.jobs.exporting is job
    cancel.cancel_topmost(state)


def test_the_window_closes_when_the_turntable_is_written(state, tmp_path):
    state.dialogs.picture = PictureOptions(".gif", turn_scale=0.5, seconds=1)
    saving.write_picture(state, tmp_path / "turn.gif")
    closing.close(state)
    assert (state.host.closed, state.messages.notice) == (False, closing.CLOSES_LATER)
    finish_job(state, "exporting")
    assert state.host.closed and (tmp_path / "turn.gif").exists()


def test_a_turntable_that_cannot_be_written_is_one_line(state, tmp_path):
    state.dialogs.picture = PictureOptions(".gif", turn_scale=0.5, seconds=1)
    path = tmp_path / "nowhere" / "turn.gif"
    saving.write_picture(state, path)
    finish_job(state, "exporting")
    assert state.messages.problem == f"{path}: cannot be written: No such file or directory"


def test_a_problem_of_the_process_is_the_turntables(state, tmp_path):
    scene, turntable = state.session.scene, replace(saving.turntable_of(state), size=(99999, 10))
    with pytest.raises(HitscopeError, match=r"^a picture is 1 to \d+ pixels wide and high, not 99999x10$"):
        write_turntable(scene, turntable, tmp_path / "turn.gif")


def tell_on(tell, path):
    """Tell something again and again, and write a file at the end."""
    try:
        while True:
            tell(path)
    finally:
        path.write_text("ended")


def test_the_process_ends_with_the_window_even_when_that_is_killed(tmp_path):
    code = (
        "import os, pathlib, signal, sys\n"
        "from hitscope.worker_processes import Background\n"
        "from tests.viewer.test_turntable import tell_on\n"
        "process = Background(tell_on, pathlib.Path(sys.argv[1]))\n"
        "next(filter(None, process.results()))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "end")], check=False)
    assert done.returncode == -signal.SIGKILL
    wait_until((tmp_path / "end").exists, "the end of the process")


def test_a_replay_writes_no_turntable(state, tmp_path):
    recorder = Recorder(tmp_path / "a.recording", recording_start([tmp_path / "box.scene.json"], tmp_path, SIZE))
    recorder.close()
    state.session.files = Recording.read(tmp_path / "a.recording").files
    saving.write_picture(state, tmp_path / "turn.gif")
    finish_job(state, "exporting")
    assert not (tmp_path / "turn.gif").exists() and not state.messages.problem

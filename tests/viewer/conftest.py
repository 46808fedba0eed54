"""One way to test the viewer: open it on a scene, act as its user, and look at what it has become."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.scene import Scene, save
from hitscope.viewer.files.settings_file import SettingsFile
from hitscope.viewer.interface.open_state import open_state
from hitscope.viewer.interface.recording import Recorder, Recording, recording_start
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.state.documents import Document, DocumentList
from hitscope.viewer.state.inputs import JobDone
from hitscope.viewer.state.settings import PLAIN
from hitscope.viewer.window.host import DesktopHost
from hitscope.viewer.window.replay import replay, state_of
from tests.viewer.driver import Screen
from tests.viewer.samples import ABOVE, RAY, VIEW, WEDGE, box_and_two_probes
from tests.viewer.user import SIZE, WINDOWED, DiskUser, User
from tests.viewer.widgets import Widgets


def pytest_configure(config):
    """Make the mark known."""
    config.addinivalue_line("markers", "replayed: a recording of the test must end as the test did")
    config.addinivalue_line("markers", "without_panels: the picture alone is shown, which is faster")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder for the user's own files: settings, autosaves."""
    home = tmp_path / "home"
    monkeypatch.setenv("HITSCOPE_CONFIG_DIR", str(home))
    monkeypatch.setenv("HITSCOPE_STATE_DIR", str(home / "state"))
    return home


@pytest.fixture
def widgets():
    """Where the widgets of the last frame are."""
    with pytest.MonkeyPatch.context() as patch:
        yield Widgets(patch)


@pytest.fixture
def open_viewer(request, tmp_path, widgets):
    """A function that opens a viewer on scenes, on paths or on the text of files, and returns its user.

    Without any it opens an empty scene.

    In tests marked `replayed`, the users act by input alone, and a recording of it must end as they did.
    """
    replayed, without_panels = (name in request.keywords for name in ("replayed", "without_panels"))
    numbers, users = itertools.count(), []

    def open_scenes(*scenes, size=SIZE, settings=PLAIN, limits=WINDOWED, own=None, **options):
        paths = [_file(tmp_path / f"{next(numbers)}.scene.json", scene) for scene in scenes]
        recorder = None
        if replayed:
            start = recording_start(paths, tmp_path, size, settings=settings)
            recorder = Recorder(tmp_path / f"{len(users)}.recording", start)
        listed = DocumentList([Document(path, **options) for path in paths])
        state = open_state(listed, size, settings=settings, limits=limits, own=own)
        state.display.panels = not without_panels
        users.append(User(state, recorder, widgets))
        return users[-1]

    yield open_scenes
    for user in users:
        user.wait()
        user.end()
    if replayed:
        for i, user in enumerate(users):
            recording = Recording.read(tmp_path / f"{i}.recording")
            state = state_of(recording)
            state.display.panels = not without_panels
            with UserInterface(state) as interface:
                replay(recording, interface)
                if any(not isinstance(given, JobDone) for given in recording.inputs):
                    assert outcome(interface.state) == outcome(user.state)


@pytest.fixture
def open_items(open_viewer):
    """A function that opens a viewer on primitives and probes, seen from the front, and returns its user."""

    def open_scene(*primitives, probes=(ABOVE, RAY), limits=WINDOWED, **fields):
        return open_viewer(
            Scene(version=1, primitives=primitives, probes=probes, view=VIEW, **fields), limits=limits
        )

    return open_scene


@pytest.fixture
def work(tmp_path, monkeypatch):
    """The working folder, with two scenes and a mesh."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    for name in "ab":
        save(replace(box_and_two_probes(), name=name), work / f"{name}.scene.json")
    (work / "wedge.obj").write_text(WEDGE)
    return work


@pytest.fixture
def open_paths(home, widgets):
    """A function that opens a viewer as the command line does, and returns its user."""
    users = []

    def opened(*names, own=None):
        host = DesktopHost(SettingsFile(), lambda *_: np.zeros((2, 3, 3), np.uint8))
        listed = DocumentList.of([Path(name) for name in names])
        state = open_state(listed, SIZE, files=host.files, limits=WINDOWED, own=own)
        users.append(DiskUser(state, host, widgets=widgets))
        users[-1].move((1.0, 1.0))
        return users[-1]

    yield opened
    for user in users:
        user.end()
        user.host.close()


@pytest.fixture(scope="module")
def screen():
    """A virtual screen for real windows; each module has its own, as the locks of a keyboard outlast a window."""
    with Screen() as started:
        yield started


def outcome(state):
    """What a replay must have in common with what was recorded."""
    return (
        state.session.scene,
        state.selection.targets,
        state.selection.partner(state.session.picture),
        state.selection.hovered,
        state.tool.armed,
        state.display.viewpoint.camera,
        state.display.layout,
        state.host.closed,
        [(one.index, one.solved, one.unmet, one.shown) for one in state.messages.lessons.progress.values()],
    )


def _file(path, scene):
    """The path of a scene, which is written to `path` where it is not one yet."""
    if isinstance(scene, Path):
        return scene
    path.write_text(scene) if isinstance(scene, str) else save(scene, path)
    return path

"""The first minute: the scene at the opening, and the first steps that tick themselves off."""

import numpy as np
import pytest

from hitscope.resources import SCENES
from hitscope.viewer.files.settings_file import SettingsFile
from hitscope.viewer.interface.open_state import open_state
from hitscope.viewer.interface.recording import Recorder, Recording, recording_start
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.panels import first_steps
from hitscope.viewer.state.dialogs import Gallery, Help
from hitscope.viewer.state.documents import DocumentList
from hitscope.viewer.state.gallery import START_HERE, scenes_in_order
from hitscope.viewer.state.messages import STEPS
from hitscope.viewer.state.settings import PLAIN, Settings
from hitscope.viewer.window.host import DesktopHost
from hitscope.viewer.window.replay import replay, state_of
from tests.viewer.samples import ABOVE, RAY, box_and_two_probes
from tests.viewer.user import SIZE, WINDOWED, User

FIRST = SCENES / f"{START_HERE[0]}.scene.json"


@pytest.fixture
def open_gallery(widgets):
    """A function that opens a viewer without scenes and returns its user."""
    users = []

    def open_without_scenes(size=(1280, 800), settings=PLAIN):
        state = open_state(DocumentList.of([]), size, settings=settings, limits=WINDOWED)
        users.append(User(state, widgets=widgets))
        return users[-1]

    yield open_without_scenes
    for user in users:
        user.wait()
        user.end()


@pytest.fixture
def beginner(open_viewer):
    """The user of a first start, with a box, a segment above it and a ray that hits it."""
    return open_viewer(box_and_two_probes(), settings=Settings())


def done(user):
    """The steps that are ticked off."""
    return user.state.messages.introduction.done


# The opening


def test_without_scenes_the_scene_of_the_readme_is_opened_with_a_probe_and_its_pair(open_gallery):
    user = open_gallery()
    session = user.state.session
    assert session.document.path == FIRST
    assert session.position == f"1 / {len(scenes_in_order())}"
    assert user.selected == ["upper"]
    i, j = user.state.selection.pair(session.picture)
    assert session.report.verdict(i, j).hit and session.report.probes[i].id == "upper"


def test_a_selection_at_the_opening_is_no_edit(open_gallery):
    user = open_gallery()
    document = user.state.session.document
    assert not document.changed and document.undo_name is None
    user.keys("Ctrl+Q")
    assert user.state.dialogs.closing is None and user.state.host.closed


def test_only_the_first_scene_is_opened_with_a_selection_and_only_once(open_gallery):
    user = open_gallery()
    user.keys("]")
    assert user.state.session.document.path == SCENES / f"{START_HERE[1]}.scene.json"
    assert not user.selected
    user.keys("[")
    assert user.state.session.document.path == FIRST
    assert not user.selected


def test_a_narrow_window_opens_with_the_pair_of_the_selected_probe(open_gallery, open_viewer):
    assert open_gallery((800, 600)).sees("part Numbers")
    assert not open_viewer(box_and_two_probes(), size=(800, 600)).sees("part Numbers")


@pytest.mark.parametrize("layout", [1, 2])
def test_recordings_from_before_the_first_steps_replay_without_them(tmp_path, layout):
    path = tmp_path / "old.recording"
    path.write_text(
        f'{{"version":1,"size":[640,480],"layout":{layout},"settings":{{"first_start_seen":false}}}}\n'
    )
    state = state_of(Recording.read(path))
    paths = [document.path for document in state.session.listed.documents]
    assert paths == scenes_in_order(begins=False)
    assert not state.messages.introduction.shown and not state.messages.introduction.offers
    user = User(state)
    assert not user.selected
    user.end()


# The steps


@pytest.mark.replayed
def test_the_three_steps_done_with_the_mouse_and_a_key_close_the_strip(beginner):
    user = beginner
    assert user.sees("Skip") and not done(user)
    user.drag(user.pixel(ABOVE.end), (700.0, 200.0))
    assert done(user) == {"drag"}
    user.keys("Delete", "Ctrl+Z")
    assert done(user) == {"drag"}
    user.click(user.pixel(user.item("above").start))
    user.click(user.pixel((0.5, 0.8, 1.0)))
    assert user.selected == ["box"]
    assert done(user) == {"drag", "why"}
    user.keys("Ctrl+G")
    assert isinstance(user.state.dialogs.dialog, Gallery)
    user.keys("Escape")
    assert done(user) == set(STEPS)
    assert not user.sees("Skip")


def test_a_recording_of_the_first_minute_replays(widgets, tmp_path):
    path, settings = tmp_path / "minute.recording", Settings()
    state = open_state(DocumentList.of([]), SIZE, settings=settings, limits=WINDOWED)
    recorder = Recorder(path, recording_start([], tmp_path, SIZE, settings=settings))
    user = User(state, recorder, widgets)
    dot = first_steps._point_of(state, "drag")
    user.drag(dot, (dot[0] - 120.0, dot[1] - 60.0))
    user.click(first_steps._point_of(state, "why"))
    user.click_on("first step gallery")
    user.keys("Escape")
    user.end()
    assert done(user) == set(STEPS) and not state.messages.introduction.shown
    recording = Recording.read(path)
    with UserInterface(state_of(recording)) as interface:
        replay(recording, interface)
        again = interface.state
    assert again.session.scene == state.session.scene and again.session.document.changed
    assert again.selection.targets == state.selection.targets != ()
    assert again.messages.introduction.done == set(STEPS) and again.messages.introduction.seen


def test_a_hidden_box_is_not_pointed_at(open_viewer):
    user = open_viewer(box_and_two_probes(probes=(ABOVE,)), settings=Settings())
    assert first_steps._point_of(user.state, "why") is not None
    user.click_on("primitive box")
    user.keys("Shift+H")
    assert first_steps._point_of(user.state, "why") is None


def test_steps_are_ticked_off_whichever_way_they_are_done(beginner):
    user = beginner
    user.click_on("probe above")
    user.enter("field probe above $.end[1]", "2.5")
    assert done(user) == {"drag"}
    user.click_on("primitive box")
    assert done(user) == {"drag", "why"}
    user.click_on("first step gallery")
    assert isinstance(user.state.dialogs.dialog, Gallery)
    assert not user.state.messages.introduction.shown


def test_what_is_no_step_ticks_none_off(beginner):
    user = beginner
    user.drag((600.0, 100.0), (700.0, 140.0))
    user.click_on("probe ray")
    user.keys("Shift+E", "Delete", "Ctrl+Z", "Ctrl+Z")
    user.drag(user.pixel(ABOVE.end), (700.0, 200.0), release=False)
    user.keys("Escape")
    user.release()
    assert done(user) == set()


def test_skipping_is_remembered_and_selects_nothing(beginner, tmp_path):
    user = beginner
    file = SettingsFile(tmp_path / "settings.json")
    host = DesktopHost(file, lambda *_: np.zeros((1, 1, 3), np.uint8))
    list(host.poll(user.state, 0))
    assert not SettingsFile(file.path).settings.first_start_seen
    user.click_on("Skip")
    assert not user.selected and user.state.tool.drag is None
    assert not user.state.messages.introduction.shown
    list(host.poll(user.state, 0))
    host.close()
    assert SettingsFile(file.path).settings.first_start_seen


def test_the_first_steps_come_back_from_the_help_and_stay_remembered(open_viewer):
    user = open_viewer(box_and_two_probes())
    assert not user.sees("Skip")
    user.drag(user.pixel(ABOVE.end), (700.0, 200.0))
    user.keys("H")
    assert isinstance(user.state.dialogs.dialog, Help)
    user.click_on("Show the first steps")
    assert user.state.dialogs.dialog is None
    assert user.sees("Skip") and not done(user)
    assert user.state.messages.introduction.seen
    user.keys("Ctrl+Shift+P")
    user.type("tutorial")
    user.keys("Enter")
    assert user.state.messages.introduction.shown


def test_the_steps_name_the_colour_that_is_shown(open_viewer):
    user = open_viewer(box_and_two_probes(probes=(ABOVE,)), settings=Settings())
    assert first_steps._label(user.state, "why", True) == "Click a red shape: why?"
    user.keys("C")
    assert first_steps._label(user.state, "why", True) == "Click an orange shape: why?"


def test_where_all_is_hit_the_steps_ask_for_what_is_hit(open_viewer):
    user = open_viewer(box_and_two_probes(probes=(RAY,)), settings=Settings())
    assert first_steps._label(user.state, "why", True) == "Click a green shape: why?"
    user.state.messages.introduction.done |= {"drag"}
    user.click(first_steps._point_of(user.state, "why"))
    assert user.selected == ["box"] and done(user) == {"drag", "why"}


@pytest.mark.parametrize("size, words", [((1280, 800), STEPS), ((800, 600), ("drag",)), ((640, 480), ("drag",))])
def test_the_steps_are_below_the_picture_all_or_the_current_one(open_gallery, monkeypatch, size, words):
    drawn, step = [], first_steps._step
    monkeypatch.setattr(first_steps, "_step", lambda *given: drawn.append(given[1]) or step(*given))
    user = open_gallery(size, Settings())
    layout = user.state.display.layout
    assert tuple(dict.fromkeys(drawn)) == words
    assert layout.strip.top == layout.picture.top + layout.picture.height and layout.strip.height > 0
    left, top, right, bottom = user.find("Skip")
    assert layout.strip.left <= left < right <= layout.strip.left + layout.strip.width
    assert layout.strip.top <= top < bottom <= layout.strip.top + layout.strip.height
    user.click_on("Skip")
    assert user.state.display.layout.strip.height == 0


@pytest.mark.parametrize("scale", [1.5, 2.0, 3.0])
def test_the_steps_are_shown_at_the_scale_of_a_projector(open_gallery, scale):
    assert open_gallery(settings=Settings(ui_scale=scale)).sees("Skip")

"""Recordings played without a window, panels included: the same scene and the same picture as they left behind."""

import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from hitscope.draw.target import Target
from hitscope.geometry.registry import of_pair
from hitscope.scene import Scene, dump, load
from hitscope.scene.items import AabbPrimitive, SegmentProbe
from hitscope.scene.model import FileCamera, FileView
from hitscope.viewer.interface.recording import Recorder, Recording
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.state.inputs import (
    Clipboard,
    Close,
    JobDone,
    KeyDown,
    KeyUp,
    LoseFocus,
    Move,
    Press,
    RecordedFile,
    RecordingStart,
    Release,
    Resize,
    Scroll,
    Text,
)
from hitscope.viewer.state.tool import Drag
from hitscope.viewer.tools.pointer import press
from hitscope.viewer.window.replay import replay, screenshot, state_of

SIZE = (900, 600)
SEG = SegmentProbe(id="seg", start=(-6.0, 0.0, 0.0), end=(5.0, 0.0, 0.0))
BOXES = tuple(
    AabbPrimitive(id=f"box{x}", center=(x, 0.0, 0.0), half_extents=(0.9, 0.9, 0.9)) for x in (-3.0, 0.0, 3.0)
)
VIEW = FileView(camera=FileCamera(eye=(0.0, 3.0, 16.0), target=(0.0, 0.0, 0.0)))
SCENE = Scene(version=1, name="three boxes", primitives=BOXES, probes=(SEG,), view=VIEW)
CENTER_X = "field primitive box0.0 $.center[0]"
"""The field with the first number of the box in the middle."""


def recording_of(*inputs, scene=SCENE, size=SIZE):
    """The recording of inputs on an open scene."""
    opening = RecordingStart(1, size, 1.0, (RecordedFile("three.scene.json", dump(scene)),))
    return Recording(opening, (JobDone(0, "opening"), *inputs))


def click(at, x, y, held=()):
    """The inputs of a click."""
    return Move(at, x, y), Press(at, "Left", x, y, held), Release(at, "Left", x, y)


def key(at, name, *held):
    """The inputs of a key that is pressed and let go after the modifiers."""
    return KeyDown(at, name, held), KeyUp(at, name)


@pytest.fixture
def play():
    """A function that plays a recording and returns the user interface after it."""

    def played(recording):
        interfaces.append(UserInterface(state_of(recording)))
        replay(recording, interfaces[-1])
        return interfaces[-1]

    interfaces = []
    yield played
    for interface in interfaces:
        interface.gui.close()


@pytest.fixture
def middle_of(play, widgets):
    """A function that gives the middle of a widget, by its label, after inputs."""

    def middle(label, *inputs):
        play(recording_of(*inputs))
        return widgets.find(label).middle

    return middle


@pytest.fixture
def selected(middle_of):
    """Inputs that select the box in the middle and show what is known of it."""
    return (*click(0, *middle_of("primitive box0.0")), *click(20, *middle_of("tab Item")))


@pytest.fixture
def focused(middle_of, selected):
    """Inputs that select the box in the middle and all of the text in the field with its first number."""
    return (*selected, *click(40, *middle_of(CENTER_X, *selected)), *key(60, "A", "Ctrl"))


def test_the_lists_of_the_panel_hover_and_select(play, middle_of):
    for target in (Target("probe", "seg"), *(Target("primitive", box.id) for box in BOXES)):
        row = middle_of(f"{target.kind} {target.id}")
        assert play(recording_of(Move(0, *row))).state.selection.hovered == target
        assert play(recording_of(*click(0, *row))).state.selection.last == target
        assert play(recording_of(*click(0, *row), *click(900, *row))).state.selection.last == target


def test_a_press_and_release_at_the_same_moment_is_a_click_and_the_next_key_knows_it(play, middle_of):
    state = play(recording_of(*click(0, *middle_of("probe seg")), *key(0, "Delete"))).state
    assert state.session.scene.probes == ()


def test_a_click_on_a_method_lets_it_decide(play, middle_of, selected):
    state = play(recording_of(*selected, *click(900, *middle_of("method exact", *selected)))).state
    assert (state.session.scene.methods, state.session.document.changed) == ({}, False)
    state = play(recording_of(*selected, *click(900, *middle_of("method slab_", *selected)))).state
    assert state.session.scene.methods["segment_aabb"] in of_pair("segment_aabb")
    assert state.session.document.changed


def test_while_a_number_is_typed_no_key_does_anything_else(play, focused):
    bound = (*key(60, "Delete"), *key(60, "N"), *key(60, "P"), *key(60, "Tab"), *key(60, "S", "Ctrl"))
    state = play(recording_of(*focused, *bound)).state
    assert (
        len(state.session.scene.primitives),
        state.tool.key_prefix,
        state.tool.armed,
        state.display.panels,
    ) == (3, "", None, True)
    state = play(recording_of(*focused, Text(70, "1.25"), *key(80, "Enter"))).state
    assert state.session.scene.primitives[1].center == (1.25, 0.0, 0.0)
    state = play(recording_of(*focused, Text(70, "1.25"), *key(80, "Enter"), *key(90, "Z", "Ctrl"))).state
    assert state.session.scene.primitives[1].center == (0.0, 0.0, 0.0), "the keyboard is not the field's any more"


def test_a_key_that_is_held_takes_one_character_after_the_other_back(play, focused):
    held = (
        KeyDown(80, "Backspace"),
        KeyDown(580, "Backspace"),
        KeyDown(620, "Backspace"),
        KeyUp(640, "Backspace"),
    )
    state = play(recording_of(*focused, Text(70, "2.7531"), *held, *key(700, "Enter"))).state
    assert state.session.scene.primitives[1].center[0] == 2.7


def test_a_scene_whose_opening_was_stopped_is_not_there_in_the_recording_either(play):
    stopped = Recording(recording_of().start, key(300, "Escape"))
    assert play(stopped).state.session.scene.primitives == ()
    late = Recording(recording_of().start, (*key(300, "Escape"), JobDone(310, "opening")))
    assert play(late).state.session.scene.primitives == ()


def test_modifiers_are_pressed_until_they_are_released_or_the_window_is_left(play):
    assert play(recording_of(KeyDown(0, "Ctrl"), KeyDown(5, "Shift", ("Ctrl",)))).state.tool.modifiers == {
        "Ctrl",
        "Shift",
    }
    assert play(recording_of(KeyDown(0, "Ctrl"), KeyUp(5, "Ctrl", ("Ctrl",)))).state.tool.modifiers == set()
    assert play(recording_of(KeyDown(0, "Ctrl"), LoseFocus(5))).state.tool.modifiers == set()
    assert play(recording_of(KeyDown(0, "A", ("Alt",)), KeyDown(5, "B"))).state.tool.modifiers == set()


class Keen(Drag):
    """A drag that uses the key K and records its keys."""

    hint = ""

    def __init__(self, *_):
        self.heard = []

    def move(self, x, y):
        """Do nothing."""

    def key_down(self, keys):
        """Take K alone."""
        self.heard.append(keys)
        return keys == "K"

    def key_up(self, key):
        """Note it."""
        self.heard.append(f"{key} up")


def test_a_drag_hears_of_keys_before_the_bindings_and_of_all_that_are_let_go(play):
    interface = play(recording_of(Move(0, 300.0, 300.0)))
    state = interface.state
    press(state, Keen, 300.0, 300.0)
    held = (KeyDown(10, "K"), KeyDown(20, "X"), KeyDown(30, "Shift"), KeyDown(40, "W", ("Shift",)), KeyUp(50, "K"))
    for given in (*held, LoseFocus(60)):
        interface.take(given)
    assert state.tool.drag.heard == ["K", "X", "Shift+W", "K up", "X up", "W up"]
    assert state.tool.held_axis is None


def test_over_a_panel_nothing_happens_in_the_picture(play):
    before = play(recording_of()).state.display.viewpoint.camera
    left, top, width, height = play(recording_of()).state.display.layout.panel
    over = left + width / 2, top + height / 2
    inputs = (Press(0, "Middle", *over), Move(20, 100.0, 100.0), Release(40, "Middle", 100.0, 100.0))
    state = play(recording_of(*inputs, Scroll(60, 3.0, *over))).state
    assert state.display.viewpoint.camera == before


def test_the_question_before_closing_takes_clicks_and_escape(play, middle_of):
    drawn = (*key(0, "N"), *key(0, "P"), *click(20, 300.0, 400.0))
    closing = (*drawn, Close(40))
    assert play(recording_of(*drawn)).state.session.document.changed
    assert play(recording_of(*closing)).state.dialogs.closing is not None
    save, discard, cancel = (middle_of(label, *closing) for label in ("Save", "Discard", "Cancel"))
    state = play(recording_of(*closing, *click(60, *save))).state
    assert (state.host.closed, state.session.document.changed) == (True, False)
    state = play(recording_of(*closing, *click(60, *discard))).state
    assert (state.host.closed, state.session.document.changed) == (True, True)
    for answer in (click(60, *cancel), key(60, "Escape")):
        state = play(recording_of(*closing, *answer)).state
        assert (state.host.closed, (state.dialogs.closing is not None)) == (False, False)


def test_the_clipboard_is_input_too(play):
    assert play(recording_of(Clipboard(0, "1.5"))).state.host.clipboard == "1.5"


def a_bit_of_everything():
    """A recording with drags, clicks, keys, a camera move that is interrupted, and another size."""
    return recording_of(
        *click(0, 750.0, 150.0),
        Scroll(50, 2.0, 200.0, 200.0),
        Press(60, "Left", 300.0, 500.0),
        Move(80, 333.0, 480.0),
        Move(95, 340.5, 470.0),
        Release(101, "Left", 341.0, 470.0),
        *key(110, "Home"),
        *click(170, 300.0, 300.0),
        *key(200, "N"),
        *key(210, "B"),
        Press(300, "Left", 100.0, 450.0),
        Move(320, 180.0, 430.0),
        Release(333, "Left", 180.0, 430.0),
        *key(340, "F"),
        Resize(400, 800, 640, 1.25),
        Scroll(420, -1.0, 200.0, 200.0),
        *key(430, "S", "Ctrl"),
        JobDone(431, "saving"),
        *key(440, "F"),
        Move(450, 300.0, 300.0),
    )


def test_how_often_the_viewer_is_drawn_changes_nothing(play):
    recording = a_bit_of_everything()
    still = play(recording)
    drawn = play(recording_of())
    times = iter(range(0, 2000, 7))
    for given in recording.inputs:
        while (now := next(times)) < given.at:
            drawn.advance(now / 1000)
        drawn.take(given)
    for now in times:
        drawn.advance(now / 1000)
    for state in (still.state, drawn.state):
        assert len(state.session.scene.probes) == 2
    assert still.state.session.scene == drawn.state.session.scene
    assert still.state.display.viewpoint.camera == drawn.state.display.viewpoint.camera
    assert np.array_equal(screenshot(still), screenshot(drawn))


def write(recording, path):
    """Write a recording."""
    recorder = Recorder(path, recording.start)
    for given in recording.inputs:
        recorder.take(given)
    recorder.close()


@pytest.fixture
def run(hitscope, monkeypatch, tmp_path):
    """A function that runs a command in the temporary folder, where there is no display."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    return lambda *arguments: hitscope(*arguments, cwd=tmp_path)


def test_the_command_writes_the_scene_and_the_picture_without_a_display(play, run, tmp_path):
    recording = a_bit_of_everything()
    write(recording, tmp_path / "a.recording")
    done = run("open", "--play", "a.recording", "-o", "a.png", "-o", "a.scene.json")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    interface = play(recording)
    assert load(tmp_path / "a.scene.json") == interface.state.session.scene
    assert np.array_equal(np.array(Image.open(tmp_path / "a.png")), screenshot(interface))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.png", "a.recording", "a.scene.json"]


def test_a_recording_can_be_played_on_another_scene(run, tmp_path):
    write(recording_of(*key(0, "N"), *key(0, "P"), *click(20, 300.0, 400.0)), tmp_path / "a.recording")
    (tmp_path / "other.scene.json").write_text('{"version": 1, "name": "other", "primitives": [], "probes": []}')
    done = run("other.scene.json", "--play", "a.recording", "-o", "out.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert (load(tmp_path / "out.json").name, len(load(tmp_path / "out.json").probes)) == ("other", 1)


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--play", "missing", "-o", "a.png"], "missing: expected a recording that can be read"),
        (["--play", "broken", "-o", "a.png"], "broken:1:1: $: expected"),
        (["--play", "broken", "-o", "a.avi"], "a.avi: expected a name that ends in .png or .json or .gif"),
        (["-o", "a.png"], "expected --play FILE with -o"),
        (["--play", "broken", "--record", "more"], "expected --play without --record"),
        (["--play", "broken"], "broken:1:1: $: expected"),
    ],
)
def test_errors_of_the_command_are_one_line(run, tmp_path, arguments, said):
    (tmp_path / "broken").write_text("")
    done = run("open", *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(said)


def test_playing_without_a_window_loads_no_window_library(tmp_path):
    write(a_bit_of_everything(), tmp_path / "a.recording")
    code = (
        "import sys, hitscope.cli\n"
        "hitscope.cli.main(['open', '--play', 'a.recording', '-o', 'a.png'])\n"
        "print({'pyglet', 'OpenGL'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout == "set()\n"

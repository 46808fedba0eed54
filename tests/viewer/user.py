"""A user of the viewer, without a window: what is done is input, as a window or a recording gives it."""

import math

from hitscope.viewer.files.document_files import CHECK_SECONDS
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.panels import status_line
from hitscope.viewer.state.inputs import (
    Close,
    JobDone,
    KeyDown,
    KeyUp,
    Leave,
    Move,
    Press,
    Release,
    Resize,
    Scroll,
    Text,
)
from hitscope.viewer.state.settings import Limits
from hitscope.viewer.state.tool import GizmoPart
from hitscope.viewer.tools.gizmo import gizmo_of
from hitscope.viewer.tools.picking.pick import pick
from hitscope.viewer.tools.picking.surfaces import pickable_of
from tests.waiting import wait_until

SIZE = (1280, 800)
"""Pixels of the window, width and height."""
WINDOWED = Limits(patience_s=0.0)
"""Those of a window, in which whatever takes time goes on in the background."""


def status_of(state):
    """The text of the status line."""
    return status_line.status_text(state)


class User:
    """Gives input to a state through the user interface, one every 20 ms; positions are pixels."""

    def __init__(self, state, recorder=None, widgets=None):
        """Begin at a state; `recorder` takes the inputs, and `widgets` knows where the widgets are."""
        self.state = state
        self.interface = UserInterface(state)
        self.recorder = recorder
        self.widgets = widgets
        self.at = 0
        self.mouse = (0.0, 0.0)
        self.wait_for_work()

    def take(self, kind, *details):
        """An input of a kind."""
        given = kind(self.at, *details)
        self.at += 20
        self._pass(given)
        if kind is not JobDone:
            self.wait_for_work()

    def _pass(self, given):
        if self.recorder is not None:
            self.recorder.take(given)
        self.interface.take(given)

    def wait_for_work(self):
        """Wait for what is done in the background."""
        while self.state.jobs.running:
            work = self.state.jobs.running[0]
            self.state.jobs.of(work).done(math.inf)
            self.take(JobDone, work, self.state.jobs.save_error(work))

    def pass_time(self, milliseconds, frames=1):
        """Let time go by without input, and draw so many frames."""
        for i in range(1, frames + 1):
            self.interface.advance((self.at + milliseconds * i / frames) / 1000)
        self.at += round(milliseconds)

    def wait(self):
        """Wait until nothing moves."""
        while self.interface.advance(self.at / 1000):
            self.at += 20

    def end(self):
        """Stop recording and give Dear ImGui back."""
        if self.recorder is not None:
            self.recorder.close()
        self.interface.gui.close()

    # The mouse

    def move(self, pixel):
        """Move the mouse."""
        x, y = pixel
        self.mouse = float(x), float(y)
        self.take(Move, *self.mouse)

    def leave(self):
        """Move the mouse out of the window."""
        self.take(Leave)

    def press(self, pixel, button="Left", modifiers=()):
        """Press a mouse button down."""
        if tuple(map(float, pixel)) != self.mouse:
            self.move(pixel)
        self.take(Press, button, *self.mouse, modifiers)

    def release(self, button="Left"):
        """Release a mouse button where the mouse is."""
        self.take(Release, button, *self.mouse)

    def drag(self, start, end, button="Left", modifiers=(), release=True):
        """Drag the mouse."""
        self.press(start, button, modifiers)
        self.move([(a + b) / 2 for a, b in zip(start, end, strict=True)])
        self.move(end)
        if release:
            self.release(button)

    def click(self, pixel, modifiers=()):
        """Click."""
        self.press(pixel, modifiers=modifiers)
        self.release()

    def scroll(self, by, pixel):
        """Turn the wheel."""
        self.take(Scroll, by, *pixel)

    # The keyboard

    def key_down(self, key):
        """Press a key down, written as in the table of bindings."""
        *modifiers, name = key.split("+")
        self.take(KeyDown, name, tuple(modifiers))

    def key_up(self, key):
        """Release a key, after its modifiers."""
        self.take(KeyUp, key.split("+")[-1])

    def keys(self, *pressed):
        """Press and release keys one after the other."""
        for key in pressed:
            self.key_down(key)
            self.key_up(key)

    def type(self, text):
        """Type a text."""
        self.take(Text, text)

    # The window

    def resize(self, width, height):
        """Resize the window."""
        self.take(Resize, width, height)

    def close(self):
        """Click the window's close button."""
        self.take(Close)

    # The panels

    def find(self, label):
        """The rectangle of a widget in the last frame, by its label or how that begins; None if there is none.

        After a change of the state that is no input of this user, a frame has to be made first: `take(Refresh)`.
        """
        return self.widgets.find(label)

    def sees(self, label):
        """Whether there is a widget whose label is or begins with `label`."""
        return self.find(label) is not None

    def middle_of(self, label):
        """The middle of a widget, (x, y)."""
        found = self.find(label)
        assert found is not None, f"no {label!r} among {sorted(self.widgets.rectangles)}"
        return found.middle

    def click_on(self, label, modifiers=()):
        """Click on a widget."""
        self.click(self.middle_of(label), modifiers)

    def open_row(self, label):
        """Click on the arrow of a row."""
        row = self.find(label)
        self.click((row.left + 12, row.middle[1]))

    def click_eye(self, label):
        """Click on the eye of a row, which hides or shows it."""
        row = self.find(label)
        self.click((row.right - 12, row.middle[1]))

    def enter(self, label, text):
        """Type a text into a field in place of what is there, and press Enter."""
        self.click_on(label)
        self.keys("Ctrl+A")
        self.type(text)
        self.keys("Enter")

    @property
    def refusal(self):
        """The field with an invalid text and the message; None if there is none."""
        return self.interface._side_panels._inspector._problem

    # The scene

    @property
    def camera(self):
        """The camera of the document that is shown."""
        return self.state.display.viewpoint.camera

    def pixel(self, point):
        """The pixel of a point of the scene."""
        return tuple(self.state.display.view.project(point)[0, :2].tolist())

    def item(self, name):
        """The item of the shown scene with this id."""
        scene = self.state.session.scene
        ids, items = (*scene.primitive_ids, *scene.probe_ids), (*scene.primitives, *scene.probes)
        return dict(zip(ids, items, strict=True))[name]

    @property
    def selected(self):
        """The ids of what is selected."""
        return [target.id for target in self.state.selection.targets]

    def arrow(self, axis=0):
        """The pixel of the end of one of the gizmo's axes."""
        return self.pixel(self._sketch(GizmoPart("axis", axis)).points[1])

    def ring(self):
        """A pixel of the gizmo's ring that faces the eye."""
        return self.pixel(self._sketch(GizmoPart("view")).points[0])

    def _sketch(self, part):
        (found,) = [sketch for sketch in gizmo_of(self.state).sketches() if sketch.part == part]
        return found


class DiskUser(User):
    """A user whose files are on the disk, through a host."""

    def __init__(self, state, host, recorder=None, widgets=None):
        """Begin at a state; `host` reads and writes the files."""
        self.host = host
        self.replayable = True
        """Whether what was done is input alone."""
        super().__init__(state, recorder, widgets)

    def take(self, kind, *details):
        """An input of a kind, after the host's events that must come before it, and then those that follow."""
        if kind in (KeyDown, Press, Close):
            for given in self.host.check_unsaved(self.state, self.at):
                self._pass(given)
        super().take(kind, *details)
        for given in self.host.poll(self.state, self.at):
            self._pass(given)
        self.wait_for_work()

    def key_up(self, key):
        """Release a key and its modifiers: no text could be typed while they are held."""
        super().key_up(key)
        for modifier in key.split("+")[:-1]:
            super().key_up(modifier)

    def wait_for(self, condition, what="an event of the host"):
        """Let time go by until `condition()` is true."""

        def looked():
            if condition():
                return True
            self.at += round(CHECK_SECONDS * 1000)
            self.move(self.mouse)
            return False

        wait_until(looked, what)

    def wait_for_looks(self, times):
        """Let time go by until the host has looked at the disk `times` times."""
        left = iter(range(times, -1, -1))
        self.wait_for(lambda: next(left) == 0)

    def clear_and_type(self, text):
        """Type into the field that has the keyboard, in place of what is there, and press Enter."""
        self.keys("Ctrl+A")
        self.type(text)
        self.keys("Enter")


def target_at(state, x, y):
    """The target at a pixel of the picture."""
    return pick(pickable_of(state), x, y)

"""A user of the viewer, without a window: what is done is input, as a window or a recording gives it."""

import math

from hitscope.viewer.frontend import Frontend
from hitscope.viewer.inputs import Close, Done, Key, Leave, LetGo, Move, Press, Release, Resize, Scroll, Text
from hitscope.viewer.state.limits import Limits

WINDOWED = Limits(patience_s=0.0)
"""Those of a window, in which whatever takes time goes on in the background."""


class User:
    """Drives an app through its frontend; places are pixels, each input comes 20 ms after the last."""

    def __init__(self, app, recorder):
        """Sit down at an app."""
        self.app = app
        self.frontend = Frontend(app)
        self.recorder = recorder
        self.at = 0
        self.place = (0.0, 0.0)
        self.wait_for_work()

    def take(self, kind, *details):
        """Give an input of a kind."""
        given = kind(self.at, *details)
        self.at += 20
        self.recorder.take(given)
        self.frontend.take(given)
        if kind is not Done:
            self.wait_for_work()

    def wait_for_work(self):
        """Wait for what is done in the background."""
        while self.app.works:
            work = self.app.works[0]
            self.app.job(work).done(math.inf)
            self.take(Done, work, self.app.refusal(work))

    def pixel(self, point):
        """Give the pixel of a point of the scene."""
        return tuple(self.app.view.project(point)[0, :2].tolist())

    def move(self, place):
        """Move the mouse."""
        self.place = tuple(map(float, place))
        self.take(Move, *self.place)

    def leave(self):
        """Move the mouse out of the window."""
        self.take(Leave)

    def press(self, place, button="Left", held=()):
        """Press a mouse button down."""
        self.move(place)
        self.take(Press, button, *self.place, held)

    def release(self, button="Left"):
        """Let a mouse button go where the mouse is."""
        self.take(Release, button, *self.place)

    def drag(self, start, end, button="Left", held=(), release=True):
        """Drag the mouse."""
        self.press(start, button, held)
        self.move([(a + b) / 2 for a, b in zip(start, end, strict=True)])
        self.move(end)
        if release:
            self.release(button)

    def click(self, place):
        """Click."""
        self.drag(place, place)

    def scroll(self, by, place):
        """Turn the wheel."""
        self.take(Scroll, by, *place)

    def hold(self, key):
        """Press a key down, written as in the table of bindings."""
        *held, name = key.split("+")
        self.take(Key, name, tuple(held))

    def let_go(self, key):
        """Let a key go, after the modifiers."""
        self.take(LetGo, key.split("+")[-1])

    def keys(self, *pressed):
        """Press and let go keys one after the other."""
        for key in pressed:
            self.hold(key)
            self.let_go(key)

    def type(self, text):
        """Type a text."""
        self.take(Text, text)

    def resize(self, width, height):
        """Give the window another size."""
        self.take(Resize, width, height)

    def close(self):
        """Click the window's close button."""
        self.take(Close)

    def wait(self):
        """Wait until nothing moves."""
        while self.frontend.advance(self.at / 1000):
            self.at += 20

    def stand_up(self):
        """Leave the viewer as it is."""
        self.recorder.close()
        self.frontend.gui.close()

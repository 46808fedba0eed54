"""The pyglet window: its events to the frontend, the frontend to the screen, and nothing while nothing happens."""

import sys
import time
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Protocol, get_args

import moderngl
import pyglet
from pyglet.window import key, mouse

from hitscope.errors import HitscopeError
from hitscope.resources import ASSETS
from hitscope.viewer.actions.opening import title_of
from hitscope.viewer.files.recorded_file import recorded_file
from hitscope.viewer.interface.recording import Recorder
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.panels.gui import Pointer
from hitscope.viewer.state.inputs import (
    Button,
    Clipboard,
    Close,
    HostEvent,
    Input,
    JobDone,
    KeyDown,
    KeyUp,
    Leave,
    LoseFocus,
    Modifier,
    Modifiers,
    Move,
    Press,
    Release,
    Resize,
    Scroll,
    Text,
)
from hitscope.viewer.state.job import Job
from hitscope.viewer.state.paths import readable
from hitscope.viewer.state.state import State
from hitscope.viewer.tools.drags.camera_drags import Fly
from hitscope.viewer.tools.drags.edit_drag import EditDrag
from hitscope.viewer.window.painter import Painter

SystemWindow: Any = pyglet.window.Window
if sys.platform == "linux":
    from hitscope.viewer.window.digits import DigitsWindow as SystemWindow

SMALLEST = (480, 320)
FRAME_SECONDS = 1 / 60
SHORTEST = 1e-3
PATIENCE = 0.05
"""A scene that is opened or saved may hold the window up for so many seconds; longer, it goes on behind it."""
PROGRESS_SECONDS = 0.1
"""While something goes on, the window is drawn so often."""
LATEST = 0.2
"""However fast keys come, a picture follows within so many seconds of the one before."""
LOOK_SECONDS = 0.25
"""What is around the window is looked at so often."""

BUTTONS: Final[dict[int, Button]] = {mouse.LEFT: "Left", mouse.MIDDLE: "Middle", mouse.RIGHT: "Right"}
MODIFIERS: Final[dict[Modifier, int]] = {"Ctrl": key.MOD_ACCEL, "Alt": key.MOD_ALT, "Shift": key.MOD_SHIFT}
ACCELERATORS: Final = (key.LCTRL, key.RCTRL) if key.MOD_ACCEL == key.MOD_CTRL else (key.LCOMMAND, key.RCOMMAND)
KEYS: Final = {
    **dict.fromkeys(ACCELERATORS, "Ctrl"),
    **dict.fromkeys((key.LALT, key.RALT), "Alt"),
    **dict.fromkeys((key.LSHIFT, key.RSHIFT), "Shift"),
    **{key._0 + digit: str(digit) for digit in range(10)},
    **{key.NUM_0 + digit: str(digit) for digit in range(10)},
    **dict.fromkeys((key.PERIOD, key.NUM_DECIMAL), "."),
    **dict.fromkeys((key.MINUS, key.NUM_SUBTRACT), "-"),
    **dict.fromkeys((key.SLASH, key.NUM_DIVIDE), "/"),
    **dict.fromkeys((key.RETURN, key.NUM_ENTER), "Enter"),
    **dict.fromkeys((key.INSERT, key.NUM_INSERT), "Insert"),
    **dict.fromkeys((key.DELETE, key.NUM_DELETE), "Delete"),
    # Without the lock for numbers, too, the keypad looks from the sides.
    **{key.NUM_HOME: "7", key.NUM_END: "1", key.NUM_PAGE_DOWN: "3", key.NUM_BEGIN: "5"},
    key.HOME: "Home",
    key.END: "End",
    **dict.fromkeys((key.PAGEUP, key.NUM_PAGE_UP), "PageUp"),
    key.PAGEDOWN: "PageDown",
    **dict.fromkeys((key.LEFT, key.NUM_LEFT), "Left"),
    **dict.fromkeys((key.RIGHT, key.NUM_RIGHT), "Right"),
    **dict.fromkeys((key.UP, key.NUM_UP), "Up"),
    **dict.fromkeys((key.DOWN, key.NUM_DOWN), "Down"),
    key.BRACKETLEFT: "[",
    key.BRACKETRIGHT: "]",
    key.COMMA: ",",
    key.SEMICOLON: ";",
    key.APOSTROPHE: "'",
    key.BACKSLASH: "\\",
    key.GRAVE: "`",
    key.EQUAL: "=",
    key.QUESTION: "?",
    key.ESCAPE: "Escape",
    key.SPACE: "Space",
    key.BACKSPACE: "Backspace",
    key.TAB: "Tab",
}
"""What keys are called; those that are not here by pyglet's names."""
REPEATED: Final = {
    key.MOTION_LEFT: "Left",
    key.MOTION_RIGHT: "Right",
    key.MOTION_UP: "Up",
    key.MOTION_DOWN: "Down",
    key.MOTION_PREVIOUS_PAGE: "PageUp",
    key.MOTION_NEXT_PAGE: "PageDown",
    key.MOTION_BACKSPACE: "Backspace",
    key.MOTION_DELETE: "Delete",
}
"""The keys that the system repeats while they are held."""

POINTERS: Final[dict[Pointer, str | None]] = {
    "arrow": pyglet.window.BaseWindow.CURSOR_DEFAULT,
    "hand": pyglet.window.BaseWindow.CURSOR_HAND,
    "cross": pyglet.window.BaseWindow.CURSOR_CROSSHAIR,
    "all_ways": pyglet.window.BaseWindow.CURSOR_SIZE,
    "sideways": pyglet.window.BaseWindow.CURSOR_SIZE_LEFT_RIGHT,
    "text": pyglet.window.BaseWindow.CURSOR_TEXT,
}
PASTE: Final = (("V", ("Ctrl",)), ("Insert", ("Shift",)))


class HostProtocol(Protocol):
    """What is around the window: the disk, the user's settings."""

    def check_unsaved(self, state: State, at: int) -> Iterable[Input]:
        """Give what must be known before what the user does at the time `at` is done."""

    def poll(self, state: State, at: int) -> Iterable[Input]:
        """Do what the state asks for, and give what has come of it and else, all of it at the time `at`."""

    def close(self) -> None:
        """The window is closed, as its user wants it."""


class Window(SystemWindow):  # type: ignore[misc]
    """The one window."""

    _frontend: UserInterface | None = None

    def __init__(self, size: tuple[int, int]) -> None:
        """Make it, with nothing in it yet."""
        config = pyglet.gl.Config(  # type: ignore[abstract]
            double_buffer=True, depth_size=0, major_version=3, minor_version=3, forward_compatible=True
        )
        super().__init__(*size, caption="hitscope", resizable=True, config=config, visible=False, file_drops=True)
        self.set_minimum_size(*SMALLEST)
        self.set_icon(pyglet.image.load(str(ASSETS / "icon.png")))
        self._moderngl = moderngl.create_context(require=330)
        self.painter = Painter(self._moderngl)
        self._recorder: Recorder | None = None
        self._host: HostProtocol | None = None
        self._started = time.monotonic()
        self._awake = False
        self._drawn = 0.0
        self._moved: Move | None = None
        self._pointer: Pointer = "arrow"
        self._beyond = (0.0, 0.0)
        """How far out of the window a mouse would be that looks around and has gone on at the other edge."""
        self._jump: tuple[tuple[float, float], tuple[float, float]] | None = None
        """The place to which it was put, and how far out it is from then on."""
        self._fresh = ""
        self._waited_for: Job[Any] | None = None
        self._to_play: deque[Input] = deque()

    def open(
        self,
        frontend: UserInterface,
        recorder: Recorder | None = None,
        host: HostProtocol | None = None,
        played: Iterable[Input] = (),
    ) -> None:
        """Show a frontend, after playing to it what was recorded, at the speed at which it was."""
        self._frontend, self._recorder, self._host = frontend, recorder, host
        self._to_play.extend(played)
        self._started = time.monotonic()
        self.set_visible(True)
        if self._to_play:
            pyglet.clock.schedule_once(self._play, 0)
        else:
            self._follow_up()
        if host is not None:
            pyglet.clock.schedule_interval(self._look, LOOK_SECONDS)
        self.wake()

    @property
    def pixels(self) -> tuple[int, int]:
        """Its width and height."""
        return self.get_framebuffer_size()  # type: ignore[no-any-return]

    @property
    def points(self) -> float:
        """How many pixels a point has; in quarters, because screens report all sorts of sizes."""
        return min(max(round(float(self.scale) * 4) / 4, 1.0), 4.0)

    @property
    def _now(self) -> int:
        return round((time.monotonic() - self._started) * 1000)

    def _pixel(self, x: float, y: float) -> tuple[float, float]:
        """Give the pixel, from the top left, of a place in window units, from the bottom left."""
        width, height = self.get_size()
        pixels_wide, pixels_high = self.pixels
        return x * pixels_wide / width, (height - 1 - y) * pixels_high / height

    # Frames

    def wake(self) -> None:
        """Draw a frame; without being woken, nothing is drawn. pyglet asks for some before there is anything."""
        if self._frontend is not None:
            self.painter.texture.note_input()
            if not self._awake:
                self._awake = True
                self._draw_after(0.0)

    def _draw_after(self, seconds: float) -> None:
        pyglet.clock.unschedule(self._frame)
        pyglet.clock.schedule_once(self._frame, seconds)

    def _frame(self, seconds: float) -> None:
        if self._frontend is None:
            return
        self._flush()
        if not self._to_play:
            self._follow_up()
        self._awake, texture = False, self.painter.texture
        moves = self._frontend.advance(self._now / 1000)
        if moves:
            texture.note_input()
        began = time.monotonic()
        self.draw(seconds)
        self._shape_pointer()
        self._drawn = time.monotonic()
        # pyglet counts from when this frame began, and takes no input before what is due by then.
        drawing = self._drawn - began
        if self._frontend.state.host.closed:
            self._close()
        elif moves:
            self._draw_after(max(FRAME_SECONDS, drawing + SHORTEST))
        elif texture.unfinished:
            self._draw_after(drawing + max(texture.seconds_to_rest, SHORTEST))
        elif self._frontend.state.jobs.running:
            self._draw_after(PROGRESS_SECONDS)

    def _shape_pointer(self) -> None:
        if self._frontend is not None and self._frontend.pointer != self._pointer:
            self._pointer = self._frontend.pointer
            self.set_mouse_cursor(self.get_system_mouse_cursor(POINTERS[self._pointer]))

    def _close(self) -> None:
        if self._host is not None:
            self._host.close()
        self.close()

    def on_draw(self) -> None:
        """Draw the viewer as it is now."""
        if self._frontend is None:
            return
        self.painter.paint(self._frontend, self._moderngl.screen)
        state = self._frontend.state
        caption = readable(
            f"{'*' if state.session.document.changed else ''}{title_of(state.session, state.jobs)} – hitscope"
        )
        if caption != self.caption:
            self.set_caption(caption)

    # Input

    def _take(self, given: Input) -> None:
        """Pass on what the user does, and what comes of it; while a recording is played, nothing."""
        if self._to_play or self._frontend is None:
            return
        self._flush()
        if self._host is not None and isinstance(given, KeyDown | Press | Close):
            for news in self._host.check_unsaved(self._frontend.state, given.at):
                self._deliver(news)
        self._deliver(given)
        self._follow_up()
        self._look()
        # pyglet draws nothing while input is waiting, and keys may come faster than they are dealt with.
        if self._awake and time.monotonic() - self._drawn > LATEST:
            pyglet.clock.unschedule(self._frame)
            self._frame(0.0)

    def _flush(self) -> None:
        """Pass on where the mouse is; it moves more often than anything can be drawn."""
        moved, self._moved = self._moved, None
        if moved is not None:
            self._deliver(moved)

    def _follow_up(self) -> None:
        """Pass on what was done in the background, waiting a little for what has just begun."""
        assert self._frontend is not None
        state = self._frontend.state
        while True:
            begun = state.jobs.of("opening") or state.jobs.of("saving")
            if begun is not None and begun is not self._waited_for:
                self._waited_for = begun
                begun.done(PATIENCE)
            done = state.jobs.done(state.tool.drag is not None)
            if done is None:
                break
            self._deliver(JobDone(self._now, done, state.jobs.save_error(done)))

    def _look(self, _: float = 0.0) -> None:
        """Pass on what has come from outside."""
        if self._host is not None and self._frontend is not None:
            self._flush()
            # What comes of them is passed on after them all: their time is that of the look.
            for given in self._host.poll(self._frontend.state, self._now):
                self._deliver(given)
            self._follow_up()

    def _deliver(self, given: Input) -> None:
        assert self._frontend is not None
        state = self._frontend.state
        if self._recorder is not None:
            try:
                self._recorder.take(given)
            except HitscopeError as error:
                self._recorder, state.messages.problem = None, str(error)
        clipboard = state.host.clipboard
        self._frontend.take(given)
        if state.host.clipboard != clipboard and not isinstance(given, Clipboard):
            self.set_clipboard_text(state.host.clipboard)
        self.wake()

    def _play(self, seconds: float) -> None:
        """Pass on what was recorded up to now."""
        while self._to_play and self._to_play[0].at <= self._now:
            given = self._to_play.popleft()
            if isinstance(given, Resize):
                wide, high = (of / to for of, to in zip(self.get_size(), self.pixels, strict=True))
                self.set_size(round(given.width * wide), round(given.height * high))
            self._deliver(given)
        if self._to_play:
            pyglet.clock.schedule_once(self._play, self._to_play[0].at / 1000 - self._now / 1000)
        else:
            self._follow_size()
            self._follow_up()

    def _follow_size(self) -> None:
        if self._frontend is not None:
            state = self._frontend.state
            if (state.display.size, state.display.pixel_ratio) != (self.pixels, self.points):
                self._take(Resize(self._now, *self.pixels, self.points))

    # Events

    def on_resize(self, width: int, height: int) -> Any:
        """Follow the window's size."""
        super().on_resize(width, height)
        self._follow_size()
        self.wake()

    def on_expose(self) -> None:
        """Draw what something else had covered."""
        self.wake()

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        """Follow the mouse."""
        if not self._to_play:
            self._moved = Move(self._now, *self._pixel(*self._unbounded(x, y)))
            self.wake()

    def _unbounded(self, x: float, y: float) -> tuple[float, float]:
        """Give where the mouse is; while it looks around, as if the window and the screen had no edges."""
        width, height = self.get_size()
        if self._frontend is None or not isinstance(self._frontend.state.tool.drag, Fly):
            self._beyond, self._jump = (0.0, 0.0), None
        elif self._jump is not None:
            (to_x, to_y), beyond = self._jump
            if abs(x - to_x) < width / 2 and abs(y - to_y) < height / 2:
                self._beyond, self._jump = beyond, None
        elif not (0 < x < width - 1 and 0 < y < height - 1):  # at the edge of a screen it goes no further
            to_x, to_y = (x - 1) % (width - 2) + 1, (y - 1) % (height - 2) + 1
            self._jump = (to_x, to_y), (self._beyond[0] + x - to_x, self._beyond[1] + y - to_y)
            self.set_mouse_position(int(to_x), int(to_y))
        return x + self._beyond[0], y + self._beyond[1]

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        """Follow the mouse with a button down."""
        self.on_mouse_motion(x, y, dx, dy)

    def on_mouse_leave(self, x: int, y: int) -> None:
        """The mouse is over another window."""
        self._take(Leave(self._now))

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        """Press in the picture or in a panel."""
        if button in BUTTONS:
            self._take(Press(self._now, BUTTONS[button], *self._pixel(x, y), _held(modifiers)))

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        """Let a mouse button go."""
        if button in BUTTONS:
            self._take(Release(self._now, BUTTONS[button], *self._pixel(*self._unbounded(x, y))))

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        """Zoom in the picture, or scroll a panel."""
        self._take(Scroll(self._now, scroll_y, *self._pixel(x, y), scroll_x))

    @property
    def takes_numbers(self) -> bool:
        """Whether a number may be typed, for which Shift, held for a plane, is not to be let go."""
        return self._frontend is not None and isinstance(self._frontend.state.tool.drag, EditDrag)

    def on_key_press(self, symbol: int, modifiers: int) -> Any:
        """Follow a key; pyglet's own answer to Escape is to close the window."""
        name, held = _name(symbol), _held(modifiers)
        self._fresh = name
        if (name, held) in PASTE and self._frontend is not None:
            text = self.get_clipboard_text()
            if text != self._frontend.state.host.clipboard:
                self._take(Clipboard(self._now, text))
        self._take(KeyDown(self._now, name, held))
        return pyglet.event.EVENT_HANDLED

    def on_text_motion(self, motion: int) -> None:
        """Follow a key that is held; the first time it comes as a key, too."""
        self._repeat(motion, ())

    def on_text_motion_select(self, motion: int) -> None:
        """Follow a key that is held with Shift."""
        self._repeat(motion, ("Shift",))

    def _repeat(self, motion: int, held: Modifiers) -> None:
        name, fresh, self._fresh = REPEATED.get(motion), self._fresh, ""
        if name is not None and name != fresh:
            self._take(KeyDown(self._now, name, held))

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        """Follow a key."""
        self._take(KeyUp(self._now, _name(symbol), _held(modifiers)))

    def on_text(self, text: str) -> None:
        """Follow what is typed; keys that type nothing come here, too."""
        if text.isprintable():
            self._take(Text(self._now, text))

    def on_file_drop(self, x: int, y: int, paths: list[str]) -> None:
        """Follow files that are dropped."""
        self._take(HostEvent(self._now, "drop", tuple(recorded_file(Path(path).absolute()) for path in paths)))

    def on_deactivate(self) -> None:
        """Let go of what is held, because its release goes to another window."""
        self._take(LoseFocus(self._now))

    def on_close(self) -> Any:
        """Close, after a question where something is not saved; what is only played is no reason to ask."""
        if self._to_play:
            self.close()
        self._take(Close(self._now))
        return pyglet.event.EVENT_HANDLED


def _name(symbol: int) -> str:
    return KEYS.get(symbol) or key.symbol_string(symbol)


def _held(modifiers: int) -> Modifiers:
    return tuple(name for name in get_args(Modifier) if modifiers & MODIFIERS[name])

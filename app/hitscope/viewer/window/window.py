"""The pyglet window: events become inputs of the user interface, which is drawn when something has changed."""

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import moderngl
import pyglet

from hitscope.errors import HitscopeError
from hitscope.resources import ASSETS
from hitscope.viewer.actions.opening import title_of
from hitscope.viewer.files.file_inputs import recorded_file
from hitscope.viewer.interface.recording import Recorder
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.panels.gui import Pointer
from hitscope.viewer.state import inputs
from hitscope.viewer.state.jobs import Job
from hitscope.viewer.state.paths import readable
from hitscope.viewer.tools.drags.camera_drags import Fly
from hitscope.viewer.tools.drags.edit_drag import EditDrag
from hitscope.viewer.window.host import DesktopHost
from hitscope.viewer.window.keys import BUTTONS, PASTE, REPEATED, key_name, modifiers_of
from hitscope.viewer.window.painter import Painter

SystemWindow: Any = pyglet.window.Window
if sys.platform == "linux":
    from hitscope.viewer.window.x11_window import X11Window as SystemWindow

MINIMUM_SIZE = (480, 320)
FRAME_SECONDS = 1 / 60
SHORTEST_DELAY = 1e-3
PATIENCE_SECONDS = 0.05
"""The longest wait for an opening, saving or call that has just begun; a longer one goes on in the background."""
PROGRESS_SECONDS = 0.1
"""The time between two frames while jobs go on in the background."""
SMOOTHING = 0.2
"""The part that the last picture has in the time that pictures take."""
LONGEST_WITHOUT_FRAME = 0.2
"""The seconds after which a frame is drawn however fast keys come."""
GRABBED = 100
"""From the left end of a window's title to where it can be grabbed, in window units."""
POLL_SECONDS = 0.25
CODE_POLL_SECONDS = 0.05
"""The time between two polls where the user's own code is watched, and between two frames while it is called."""
POINTERS: Final[dict[Pointer, str | None]] = {
    "arrow": pyglet.window.BaseWindow.CURSOR_DEFAULT,
    "hand": pyglet.window.BaseWindow.CURSOR_HAND,
    "cross": pyglet.window.BaseWindow.CURSOR_CROSSHAIR,
    "all_ways": pyglet.window.BaseWindow.CURSOR_SIZE,
    "sideways": pyglet.window.BaseWindow.CURSOR_SIZE_LEFT_RIGHT,
    "up_down": pyglet.window.BaseWindow.CURSOR_SIZE_UP_DOWN,
    "text": pyglet.window.BaseWindow.CURSOR_TEXT,
}


class Window(SystemWindow):  # type: ignore[misc]
    """The window of one user interface."""

    interface: UserInterface | None = None

    def __init__(self, size: tuple[int, int]) -> None:
        """Make a hidden window of this size, without a user interface."""
        config = pyglet.gl.Config(  # type: ignore[abstract]
            double_buffer=True, depth_size=0, major_version=3, minor_version=3, forward_compatible=True
        )
        super().__init__(*size, caption="hitscope", resizable=True, config=config, visible=False, file_drops=True)
        self.set_minimum_size(*MINIMUM_SIZE)
        self.set_icon(pyglet.image.load(str(ASSETS / "icon.png")))
        self._moderngl = moderngl.create_context(require=330)
        self.painter = Painter(self._moderngl)
        self._recorder: Recorder | None = None
        self._host: DesktopHost | None = None
        self._started = time.monotonic()
        self._frame_is_due = False
        self._drawn_at = 0.0
        self._moved: inputs.Move | None = None
        self._pointer: Pointer = "arrow"
        self._endless_mouse = EndlessMouse(self.set_mouse_position)
        self._place: tuple[int, int, int, int] | None = None
        """Left, top, width and height of the window before it filled the screen; None while it does not."""
        self._new_key = ""
        """The name of the key that has just gone down, until the system repeats it."""
        self._waited_for: Job[Any] | None = None
        self._to_play: deque[inputs.Input] = deque()

    def open(
        self,
        interface: UserInterface,
        recorder: Recorder | None = None,
        host: DesktopHost | None = None,
        played: Iterable[inputs.Input] = (),
    ) -> None:
        """Show a user interface; it gets the recorded inputs `played`, each at its time, and then the user's."""
        self.interface, self._recorder, self._host = interface, recorder, host
        self._to_play.extend(played)
        self._started = time.monotonic()
        self.set_visible(True)
        if self._to_play:
            pyglet.clock.schedule_once(self._play, 0)
        else:
            self._finish_jobs()
        if host is not None:
            seconds = CODE_POLL_SECONDS if interface.state.session.own.files else POLL_SECONDS
            pyglet.clock.schedule_interval(self._poll_host, seconds)
        self.wake()

    def place(self, left: int, top: int) -> None:
        """Move the window to a place, if its title could be grabbed there: a screen may be gone since."""
        for screen in self.display.get_screens():
            if screen.x <= left + GRABBED < screen.x + screen.width and screen.y <= top < screen.y + screen.height:
                self.set_location(left, top)

    @property
    def pixels(self) -> tuple[int, int]:
        return self.get_framebuffer_size()  # type: ignore[no-any-return]

    @property
    def pixel_ratio(self) -> float:
        """Pixels per point, rounded to quarters, because screens report all sorts of sizes."""
        return min(max(round(float(self.scale) * 4) / 4, 1.0), 4.0)

    @property
    def _now(self) -> int:
        """Milliseconds since the window was opened."""
        return round((time.monotonic() - self._started) * 1000)

    @property
    def _current_place(self) -> tuple[int, int, int, int]:
        return (*self.get_location(), *self.get_size())

    def _pixel(self, x: float, y: float) -> tuple[float, float]:
        """The pixel, from the top left, at a position in window units, from the bottom left."""
        width, height = self.get_size()
        pixels_wide, pixels_high = self.pixels
        return x * pixels_wide / width, (height - 1 - y) * pixels_high / height

    # Frames

    def wake(self) -> None:
        """Draw a frame soon; there are no others. Without a user interface nothing is drawn."""
        if self.interface is not None:
            self.painter.texture.note_input()
            if not self._frame_is_due:
                self._frame_is_due = True
                self._draw_after(0.0)

    def _draw_after(self, seconds: float) -> None:
        pyglet.clock.unschedule(self._frame)
        pyglet.clock.schedule_once(self._frame, seconds)

    def _frame(self, seconds: float) -> None:
        if self.interface is None:
            return
        started = time.monotonic()
        self._flush()
        if not self._to_play:
            self._finish_jobs()
        self._frame_is_due, texture = False, self.painter.texture
        moves = self.interface.advance(self._now / 1000)
        if moves:
            texture.note_input()
        began = time.monotonic()
        self.draw(seconds)
        if self.interface.pointer != self._pointer:
            self._pointer = self.interface.pointer
            self.set_mouse_cursor(self.get_system_mouse_cursor(POINTERS[self._pointer]))
        self._drawn_at = time.monotonic()
        # pyglet counts from the start of this frame, and calls all functions due by then before it takes input.
        drawing, host = self._drawn_at - began, self.interface.state.host
        host.picture_seconds += SMOOTHING * (self._drawn_at - started - host.picture_seconds)
        if host.closed:
            if self._host is not None:
                self._host.close(self._place or self._current_place)
            self.close()
        elif moves:
            self._draw_after(max(FRAME_SECONDS, drawing + SHORTEST_DELAY))
        elif texture.unfinished:
            self._draw_after(drawing + max(texture.seconds_to_rest, SHORTEST_DELAY))
        elif self.interface.state.jobs.running:
            self._draw_after(PROGRESS_SECONDS)
        elif (stepping := self.interface.state.display.stepping).playing is not None:
            self._draw_after(stepping.seconds_to_next(self._now / 1000))

    def on_draw(self) -> None:
        if self.interface is None:
            return
        self.painter.paint(self.interface, self._moderngl.screen)
        mark = "*" if self.interface.state.session.document.changed else ""
        caption = readable(f"{mark}{title_of(self.interface.state)} – hitscope")
        if caption != self.caption:
            self.set_caption(caption)

    # Input

    def _take(self, given: inputs.Input) -> None:
        """Pass on an input of the user and what follows from it; nothing while a recording is played."""
        if self._to_play or self.interface is None:
            return
        self._flush()
        if self._host is not None and isinstance(given, inputs.KeyDown | inputs.Press | inputs.Close):
            for event in self._host.check_unsaved(self.interface.state, given.at):
                self._deliver(event)
        self._deliver(given)
        self._finish_jobs()
        self._poll_host()
        # pyglet draws nothing while events are waiting, and keys may come faster than they are handled.
        if self._frame_is_due and time.monotonic() - self._drawn_at > LONGEST_WITHOUT_FRAME:
            pyglet.clock.unschedule(self._frame)
            self._frame(0.0)

    def _flush(self) -> None:
        """Pass on the last position of the mouse, which moves more often than frames are drawn."""
        if self._moved is not None:
            moved, self._moved = self._moved, None
            self._deliver(moved)

    def _finish_jobs(self) -> None:
        """Pass on which jobs are done, after a short wait for one that has just begun."""
        assert self.interface is not None
        state = self.interface.state
        while True:
            begun = state.jobs.of("opening") or state.jobs.of("saving") or state.jobs.of("calling")
            if begun is not None and begun is not self._waited_for:
                self._waited_for = begun
                begun.done(PATIENCE_SECONDS)
            done = state.jobs.done(state.tool.drag is not None)
            if done is None:
                break
            self._deliver(inputs.JobDone(self._now, done, state.jobs.save_error(done)))

    def _poll_host(self, _: float = 0.0) -> None:
        if self._host is not None and self.interface is not None:
            self._flush()
            # What follows from them is passed on after them all: they have the time of the poll.
            for given in self._host.poll(self.interface.state, self._now):
                self._deliver(given)
            self._finish_jobs()

    def _deliver(self, given: inputs.Input) -> None:
        assert self.interface is not None
        state = self.interface.state
        if self._recorder is not None:
            try:
                self._recorder.take(given)
            except HitscopeError as error:
                self._recorder, state.messages.problem = None, str(error)
        clipboard = state.host.clipboard
        self.interface.take(given)
        if state.host.clipboard != clipboard and not isinstance(given, inputs.Clipboard):
            self.set_clipboard_text(state.host.clipboard)
        if self._host is not None and state.host.full_screen != self.fullscreen:
            # After the event: pyglet notes only then that the key is pressed.
            pyglet.clock.schedule_once(self._fill_screen, 0)
        self.wake()
        if isinstance(given, inputs.Release):
            self.painter.texture.note_end()

    def _fill_screen(self, seconds: float) -> None:
        """Show the window on the full screen, or where it was; the system may make it anew for that."""
        if self.interface is None or self.interface.state.host.full_screen == self.fullscreen:
            return
        self._place = None if self.fullscreen else self._current_place
        self.set_fullscreen(not self.fullscreen)
        self._pointer = "arrow"
        # The release of the key went to the old window: the next press would count as a repetition.
        getattr(self, "pressed_keys", set()).clear()

    def _play(self, seconds: float) -> None:
        while self._to_play and self._to_play[0].at <= self._now:
            given = self._to_play.popleft()
            if isinstance(given, inputs.Resize):
                wide, high = (of / to for of, to in zip(self.get_size(), self.pixels, strict=True))
                self.set_size(round(given.width * wide), round(given.height * high))
            self._deliver(given)
        if self._to_play:
            pyglet.clock.schedule_once(self._play, self._to_play[0].at / 1000 - self._now / 1000)
        else:
            self._follow_size()
            self._finish_jobs()

    def _follow_size(self) -> None:
        if self.interface is not None:
            state = self.interface.state
            if (state.display.size, state.display.screen_ratio) != (self.pixels, self.pixel_ratio):
                self._take(inputs.Resize(self._now, *self.pixels, self.pixel_ratio))

    # Events

    def on_resize(self, width: int, height: int) -> Any:
        super().on_resize(width, height)
        self._follow_size()
        self.wake()

    def on_expose(self) -> None:
        self.wake()

    def on_mouse_motion(self, x: int, y: int, *_: int) -> None:
        """Keep the mouse's position as the next input, and draw a frame."""
        if not self._to_play:
            self._moved = inputs.Move(self._now, *self._pixel(*self._mouse_position(x, y)))
            self.wake()

    on_mouse_drag = on_mouse_motion

    def _mouse_position(self, x: float, y: float) -> tuple[float, float]:
        """The mouse's position in window units, outside of the window only in a flight."""
        if self.interface is None or not isinstance(self.interface.state.tool.drag, Fly):
            self._endless_mouse.reset()
            return x, y
        return self._endless_mouse.position(x, y, self.get_size())

    def on_mouse_leave(self, x: int, y: int) -> None:
        self._take(inputs.Leave(self._now))

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        if self.interface is not None and self.interface.lists_commands:
            self._take_clipboard()
        if button in BUTTONS:
            self._take(inputs.Press(self._now, BUTTONS[button], *self._pixel(x, y), modifiers_of(modifiers)))

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        if button in BUTTONS:
            self._take(inputs.Release(self._now, BUTTONS[button], *self._pixel(*self._mouse_position(x, y))))

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        self._take(inputs.Scroll(self._now, scroll_y, *self._pixel(x, y), scroll_x))

    @property
    def takes_numbers(self) -> bool:
        """Whether a drag takes typed numbers, while Shift may be pressed to keep it in a plane."""
        return self.interface is not None and isinstance(self.interface.state.tool.drag, EditDrag)

    def on_key_press(self, symbol: int, modifiers: int) -> Any:
        """Press a key; pyglet's default handler would close the window on Escape."""
        self._new_key = name = key_name(symbol)
        pressed = modifiers_of(modifiers)
        if (name, pressed) in PASTE:
            self._take_clipboard()
        self._take(inputs.KeyDown(self._now, name, pressed))
        return pyglet.event.EVENT_HANDLED

    def _take_clipboard(self) -> None:
        """Pass on what another program put on the clipboard, which a press may paste."""
        if self.interface is not None:
            text = self.get_clipboard_text()
            if text != self.interface.state.host.clipboard:
                self._take(inputs.Clipboard(self._now, text))

    def on_text_motion(self, motion: int, modifiers: inputs.Modifiers = ()) -> None:
        """Repeat a key; its first press comes here, too."""
        name, new, self._new_key = REPEATED.get(motion), self._new_key, ""
        if name is not None and name != new:
            self._take(inputs.KeyDown(self._now, name, modifiers))

    def on_text_motion_select(self, motion: int) -> None:
        """Repeat a key that is pressed with Shift."""
        self.on_text_motion(motion, ("Shift",))

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        self._take(inputs.KeyUp(self._now, key_name(symbol), modifiers_of(modifiers)))

    def on_text(self, text: str) -> None:
        """Type text; keys without text come here, too."""
        if text.isprintable():
            self._take(inputs.Text(self._now, text))

    def on_file_drop(self, x: int, y: int, paths: list[str]) -> None:
        files = tuple(recorded_file(Path(path).absolute()) for path in paths)
        self._take(inputs.HostEvent(self._now, "drop", files))

    def on_deactivate(self) -> None:
        """Release all keys, because their releases go to another window."""
        self._take(inputs.LoseFocus(self._now))

    def on_close(self) -> Any:
        """Close, after a question if there are unsaved changes; a recording that is played is closed at once."""
        if self._to_play:
            self.close()
        self._take(inputs.Close(self._now))
        return pyglet.event.EVENT_HANDLED


class EndlessMouse:
    """The mouse of a window without edges: at an edge, the system's mouse is moved to the opposite one."""

    def __init__(self, move_to: Callable[[int, int], None]) -> None:
        """Begin inside the window; `move_to` moves the system's mouse to a position in the window."""
        self._move_to = move_to
        self.reset()

    def reset(self) -> None:
        """Return to the position of the system's mouse."""
        self._offset = 0.0, 0.0
        """The offset added to the system's position."""
        self._jump: tuple[tuple[float, float], tuple[float, float]] | None = None
        """The position to which the system's mouse is being moved, and the offset there."""

    def position(self, x: float, y: float, size: tuple[int, int]) -> tuple[float, float]:
        """The mouse's position when the system reports x, y in a window of this size."""
        width, height = size
        if self._jump is not None:
            (to_x, to_y), offset = self._jump
            if abs(x - to_x) < width / 2 and abs(y - to_y) < height / 2:
                self._offset, self._jump = offset, None
        elif not (0 < x < width - 1 and 0 < y < height - 1):  # the edge of a screen stops the system's mouse
            to_x, to_y = (x - 1) % (width - 2) + 1, (y - 1) % (height - 2) + 1
            self._jump = (to_x, to_y), (self._offset[0] + x - to_x, self._offset[1] + y - to_y)
            self._move_to(int(to_x), int(to_y))
        return x + self._offset[0], y + self._offset[1]

"""The pyglet window: its events to the app, the app to the screen, and nothing while nothing happens."""

import time
from typing import Any, Final

import moderngl
import pyglet
from imgui_bundle import ImVec2, imgui
from pyglet.window import key, mouse

from hitscope.render.renderer import Renderer
from hitscope.resources import ASSETS
from hitscope.viewer import commands, keyboard, labels, progress, question, status
from hitscope.viewer.app import App
from hitscope.viewer.bindings import gesture
from hitscope.viewer.documents import Shelf
from hitscope.viewer.gui import Gui
from hitscope.viewer.panel import Panel
from hitscope.viewer.paper import Paper

SMALLEST = (480, 320)
SETTLING_FRAMES = 3
"""Dear ImGui answers an input over so many frames."""
FRAME_SECONDS = 1 / 60
SHORTEST = 1e-3
PATIENCE = 0.2
"""Opening a scene may hold the window up for so many seconds; what takes longer goes on behind it."""
PROGRESS_SECONDS = 0.1
"""While something goes on, the window is drawn so often."""

BUTTONS: Final = {mouse.LEFT: "Left", mouse.MIDDLE: "Middle", mouse.RIGHT: "Right"}
KEYS: Final = {
    key.BRACKETLEFT: "[",
    key.BRACKETRIGHT: "]",
    key.ESCAPE: "Escape",
    key.DELETE: "Delete",
    key.BACKSPACE: "Backspace",
    key.HOME: "Home",
    key.TAB: "Tab",
}
MODIFIERS: Final = {key.MOD_ACCEL: "Ctrl", key.MOD_ALT: "Alt", key.MOD_SHIFT: "Shift"}


class Window(pyglet.window.Window):  # type: ignore[misc]
    """The one window."""

    _frames = 0
    """So many are still to be drawn."""

    def __init__(self, shelf: Shelf, size: tuple[int, int]) -> None:
        """Open it on the documents of a shelf."""
        config = pyglet.gl.Config(  # type: ignore[abstract]
            double_buffer=True, depth_size=0, major_version=3, minor_version=3, forward_compatible=True
        )
        super().__init__(*size, caption="hitscope", resizable=True, config=config, visible=False)
        self.set_minimum_size(*SMALLEST)
        self.set_icon(pyglet.image.load(str(ASSETS / "icon.png")))
        self._moderngl = moderngl.create_context(require=330)
        self._renderer = Renderer(self._moderngl)
        self._paper = Paper(self._moderngl, self._renderer)
        self.app = App(shelf, self.get_framebuffer_size(), self._points, PATIENCE, self._renderer.pack)
        self._gui = Gui(self, self._points)
        self._panel = Panel(self._gui.fonts)
        self._last_frame = time.monotonic()
        self._pressed: str | None = None
        self.set_visible(True)

    @property
    def _points(self) -> float:
        """How many pixels a point has; in quarters, because screens report all sorts of sizes."""
        return min(max(round(float(self.scale) * 4) / 4, 1.0), 4.0)

    def _pixel(self, x: float, y: float) -> tuple[float, float]:
        """Give the pixel, from the top left, of a place in window units, from the bottom left."""
        width, height = self.get_size()
        pixels_wide, pixels_high = self.get_framebuffer_size()
        return x * pixels_wide / width, (height - 1 - y) * pixels_high / height

    # Frames

    def wake(self, frames: int = SETTLING_FRAMES) -> None:
        """Draw so many frames after an input; without being woken, nothing is drawn."""
        self._paper.disturb()
        self._ask_for(frames)

    def _ask_for(self, frames: int, after: float = 0.0) -> None:
        if self._frames == 0:
            pyglet.clock.unschedule(self._frame)
            pyglet.clock.schedule_once(self._frame, after)
        self._frames = max(self._frames, frames)

    def _frame(self, seconds: float) -> None:
        self._frames = max(self._frames, 1)
        busy = self.app.follow_up()
        if self.app.advance():
            self._paper.disturb()
            self._frames = max(self._frames, 2)
        began = time.monotonic()
        self.draw(seconds)
        self._frames -= 1
        # pyglet counts from when this frame began, and takes no input before what is due by then.
        drawing = time.monotonic() - began
        if self.app.done:
            self.close()
        elif self._frames > 0:
            pyglet.clock.schedule_once(self._frame, FRAME_SECONDS)
        elif self._paper.unfinished:
            pyglet.clock.schedule_once(self._frame, drawing + max(self._paper.seconds_to_rest, SHORTEST))
        elif busy:
            pyglet.clock.schedule_once(self._frame, PROGRESS_SECONDS)

    def on_draw(self) -> None:
        """Draw the app as it is now."""
        app = self.app
        app.resize(self.get_framebuffer_size(), self._points)
        app.settle()
        now = time.monotonic()
        self._gui.begin(app.size, app.points, now - self._last_frame)
        self._last_frame = now
        self._draw_picture()
        labels.show(app)
        progress.show(app)
        if app.panels:
            self._panel.show(app)
            status.show(app)
        question.show(app)
        self._moderngl.screen.use()
        self._gui.end()
        caption = f"{'*' if app.document.changed else ''}{app.document.title} – hitscope"
        if caption != self.caption:
            self.set_caption(caption)

    def _draw_picture(self) -> None:
        """Put the picture behind the panels."""
        eye = self.app.eye
        left, top, width, height = eye.viewport
        colours = self.app.colours()
        if colours is not None:
            self._paper.colour(colours)
        texture = self._paper.show(self.app.draw_list(), eye)
        corners = ImVec2(left, top), ImVec2(left + width, top + height)
        picture = imgui.ImTextureRef(texture.glo)
        imgui.get_background_draw_list().add_image(picture, *corners, ImVec2(0, 1), ImVec2(1, 0))

    # Events

    def on_resize(self, width: int, height: int) -> Any:
        """Follow the window's size."""
        super().on_resize(width, height)
        self.wake()

    def on_expose(self) -> None:
        """Draw what something else had covered."""
        self.wake()

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        """Follow the mouse."""
        pixel = self._pixel(x, y)
        self._gui.move(*pixel)
        if self.app.drag is not None or self._in_picture(*pixel):
            self.app.point_at(*pixel)
        else:
            self.app.leave()
        self.wake()

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        """Follow the mouse with a button down."""
        self.on_mouse_motion(x, y, dx, dy)

    def on_mouse_leave(self, x: int, y: int) -> None:
        """Point at nothing."""
        self.app.leave()
        self.wake()

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        """Begin a drag in the picture, or press in a panel."""
        pixel, name = self._pixel(x, y), BUTTONS.get(button, "")
        self._gui.move(*pixel)
        self._gui.button(name, True)
        held = frozenset(said for bit, said in MODIFIERS.items() if modifiers & bit)
        begun = gesture(name, held)
        if begun is not None and self.app.drag is None and self._in_picture(*pixel):
            self.app.point_at(*pixel)
            self.app.press(begun.begin, *pixel)
            self._pressed = name
        self.wake()

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        """End the drag that the button began."""
        pixel, name = self._pixel(x, y), BUTTONS.get(button, "")
        self._gui.move(*pixel)
        self._gui.button(name, False)
        if name == self._pressed:
            self._pressed = None
            self.app.point_at(*pixel)
            self.app.release()
        self.wake()

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        """Zoom in the picture, or scroll a panel."""
        pixel = self._pixel(x, y)
        if self._in_picture(*pixel):
            self.app.zoom(scroll_y, *pixel)
        else:
            self._gui.wheel(scroll_x, scroll_y)
        self.wake()

    def on_key_press(self, symbol: int, modifiers: int) -> Any:
        """Do what the table of bindings says; pyglet's own answer to Escape is to close the window."""
        self._gui.key(symbol, True)
        if not self._gui.takes_text:
            keyboard.press(self.app, _keys(symbol, modifiers))
        self.wake()
        return pyglet.event.EVENT_HANDLED

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        """Let an axis go."""
        self._gui.key(symbol, False)
        keyboard.release(self.app, _keys(symbol, 0))
        self.wake()

    def on_text(self, text: str) -> None:
        """Type into a text field."""
        self._gui.text(text)
        self.wake()

    def on_deactivate(self) -> None:
        """Let go of what is held, because its release goes to another window."""
        self.app.hold_axis(None)
        self.wake()

    def on_close(self) -> Any:
        """Close, after a question where something is not saved."""
        commands.close(self.app)
        self.wake()
        return pyglet.event.EVENT_HANDLED

    def _in_picture(self, x: float, y: float) -> bool:
        left, top, width, height = self.app.layout.picture
        return not self.app.asks_to_close and left <= x < left + width and top <= y < top + height


def _keys(symbol: int, modifiers: int) -> str:
    """Give a key as the table of bindings writes it."""
    name = KEYS.get(symbol) or key.symbol_string(symbol)
    held = [said for bit, said in MODIFIERS.items() if modifiers & bit]
    # Some layouts have the brackets on a key with a modifier.
    return name if name in "[]" else "+".join([*held, name])

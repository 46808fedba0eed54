"""Dear ImGui in the pyglet window: its context, its input and its frames."""

import os
import sys

from imgui_bundle import ImVec2, imgui
from pyglet.window import BaseWindow

from hitscope.viewer import style

BUTTONS = {"Left": 0, "Right": 1, "Middle": 2}


class Gui:
    """Dear ImGui; all coordinates are pixels from the top left, so the screen's scale is only in the style."""

    def __init__(self, window: BaseWindow, points: float) -> None:
        if sys.platform.startswith("linux"):
            # PyOpenGL would take EGL in a Wayland session, but pyglet's context is GLX there, too.
            os.environ.setdefault("PYOPENGL_PLATFORM", "glx")
        from imgui_bundle.python_backends import pyglet_backend

        self._context = imgui.create_context()
        self._io = imgui.get_io()
        self._io.set_ini_filename("")
        # The backend could set the cursor only of a window that it had attached itself to.
        self._io.config_flags |= imgui.ConfigFlags_.no_mouse_cursor_change
        self._points = points
        style.apply(points)
        self.fonts = style.Fonts()
        self._backend = pyglet_backend.create_renderer(window, attach_callbacks=False)  # type: ignore[attr-defined]

    @property
    def takes_text(self) -> bool:
        """Whether a text field has the keyboard."""
        return bool(self._io.want_text_input)

    def move(self, x: float, y: float) -> None:
        """Follow the mouse."""
        self._io.add_mouse_pos_event(x, y)

    def button(self, name: str, down: bool) -> None:
        """Follow a mouse button."""
        if name in BUTTONS:
            self._io.add_mouse_button_event(BUTTONS[name], down)

    def wheel(self, x: float, y: float) -> None:
        """Follow the wheel."""
        self._io.add_mouse_wheel_event(x, y)

    def key(self, symbol: int, down: bool) -> None:
        """Follow a key, by pyglet's number."""
        handler = self._backend.on_key_press if down else self._backend.on_key_release
        handler(symbol, 0)

    def text(self, text: str) -> None:
        """Follow what is typed."""
        self._backend.on_text(text)

    def begin(self, size: tuple[int, int], points: float, seconds: float) -> None:
        """Begin a frame of so many pixels, so long after the last one."""
        if points != self._points:
            self._points = points
            style.apply(points)
        self._io.display_size = ImVec2(*size)
        self._io.display_framebuffer_scale = ImVec2(1.0, 1.0)
        self._io.delta_time = max(seconds, 1e-4)
        imgui.new_frame()

    def end(self) -> None:
        """End the frame and draw it."""
        imgui.render()
        self._backend.render(imgui.get_draw_data())

"""Dear ImGui without a window: its context, its input and its frames. `window.painter` draws them."""

import ctypes
import re
from collections.abc import Callable, Collection
from string import ascii_uppercase, digits
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from imgui_bundle import ImVec2, imgui
from numpy.typing import NDArray

from hitscope.render.palette import Theme
from hitscope.viewer.panels import style
from hitscope.viewer.state.display import Display

PICTURE, FIRST_IMAGE, FIRST_CANVAS = 1, 1 << 20, 1 << 21
"""The texture ids of the picture of the scene, of the first image file and of the first canvas; those of Dear
ImGui's glyphs are between the first two."""
SETTLING_FRAMES = 3
"""The most frames that Dear ImGui needs after an input: to click, to show what changed, and to scroll to it."""
MORE_FRAMES = 3
"""The largest number of frames beyond those, while one after the other has to follow."""
SHORTEST, NEVER = 1e-4, 1e9
"""Seconds between consecutive frames, which Dear ImGui does not accept as zero, and of a delay that never ends."""
NOWHERE = -3.4e38
"""Dear ImGui's coordinate of a mouse outside the window."""

BUTTONS: Final = {"Left": 0, "Right": 1, "Middle": 2}
MODIFIERS: Final = {"Ctrl": imgui.Key.mod_ctrl, "Alt": imgui.Key.mod_alt, "Shift": imgui.Key.mod_shift}
KEYS: Final = {
    **{digit: imgui.Key[f"_{digit}"] for digit in digits},
    **{name: imgui.Key[name.lower()] for name in (*ascii_uppercase, "Tab", "Backspace", "Enter", "Escape")},
    **{name: imgui.Key[name.lower()] for name in ("Insert", "Delete", "Space", "Home", "End")},
    **{name: imgui.Key[f"{name.lower()}_arrow"] for name in ("Left", "Right", "Up", "Down")},
    **{f"Page{way}": imgui.Key[f"page_{way.lower()}"] for way in ("Up", "Down")},
}
"""The keys that text fields and lists react to."""


Pointer: TypeAlias = Literal["arrow", "hand", "cross", "all_ways", "sideways", "up_down", "text"]

PANELS: Final = ("commands", "outliner", "lesson", "review", "panel", "steps")
"""The names of the panels' windows, in the order in which a key goes through them."""
_POINTERS: Final[dict[int, Pointer]] = {
    imgui.MouseCursor_.text_input: "text",
    imgui.MouseCursor_.resize_ew: "sideways",
    imgui.MouseCursor_.resize_ns: "up_down",
    imgui.MouseCursor_.resize_all: "all_ways",
    imgui.MouseCursor_.hand: "hand",
}


class Gui:
    """A Dear ImGui context; all coordinates are pixels from the top left, the screen's scale is in the style."""

    def __init__(self, display: Display, paste: Callable[[], str], copy: Callable[[str], None]) -> None:
        """Create the context of a display, with functions that read and write the clipboard."""
        self._display = display
        self._context = imgui.create_context()
        self._io = self._use()
        self._io.set_ini_filename("")
        self._io.config_flags |= imgui.ConfigFlags_.no_mouse_cursor_change
        # The same keys everywhere: on a Mac, the key that is called Ctrl here is Command.
        self._io.config_mac_osx_behaviors = False
        # Frames are made for inputs only: the operating system repeats keys, and nothing blinks.
        self._io.key_repeat_delay = self._io.key_repeat_rate = NEVER
        self._io.config_input_text_cursor_blink = False
        self._io.backend_flags |= imgui.BackendFlags_.renderer_has_textures
        self.navigates = False
        """Whether Tab and the arrow keys move the focus through buttons and fields."""
        self.keeps_lines = False
        """Whether the field that has the keyboard takes several lines."""
        platform = imgui.get_platform_io()
        # Dear ImGui would drop tabs, and ends of lines.
        platform.platform_get_clipboard_text_fn = lambda _: re.sub(
            r"[^\S\n]" if self.keeps_lines else r"\s", " ", paste()
        )
        platform.platform_set_clipboard_text_fn = lambda _, text: copy(text)
        self.images: list[str] = []
        """The image files shown in the panels; the first has the texture id `FIRST_IMAGE`."""
        self.canvases: dict[str, NDArray[np.uint8]] = {}
        """The pixels (h, w, 3) of pictures that the panels compute, by name; the first has `FIRST_CANVAS`."""
        self._before: tuple[object, ...] | None = None
        """`_what_is_drawn` of the last frame, if no other has to follow it."""
        self._styled_for: tuple[float, Theme] | None = None
        """The pixel ratio and the theme of the current style."""
        self._apply_style()
        style.load_fonts()

    def close(self) -> None:
        imgui.destroy_context(self._context)

    def _use(self) -> imgui.IO:
        imgui.set_current_context(self._context)
        return imgui.get_io()

    def _apply_style(self) -> None:
        wanted = self._display.pixel_ratio, self._display.theme
        if wanted != self._styled_for:
            self._styled_for = wanted
            style.apply(*wanted)
            # Frames are made for inputs only, so a tooltip must not wait.
            shape = imgui.get_style()
            shape.hover_stationary_delay = shape.hover_delay_short = shape.hover_delay_normal = 0.0

    def image(self, file: str) -> int:
        """The texture id of an image file, which is read when it is first drawn."""
        if file not in self.images:
            self.images.append(file)
        return FIRST_IMAGE + self.images.index(file)

    def canvas(self, name: str, pixels: NDArray[np.uint8]) -> int:
        """The texture id of computed pixels (h, w, 3), row 0 at the top; another array replaces them."""
        self.canvases[name] = pixels
        return FIRST_CANVAS + list(self.canvases).index(name)

    @property
    def takes_mouse(self) -> bool:
        """Whether the mouse is over a panel or a dialog, as of the last frame or move."""
        return bool(self._io.want_capture_mouse)

    @property
    def pointer(self) -> Pointer:
        """The mouse pointer's shape over the panels, as of the last frame."""
        self._use()
        return _POINTERS.get(imgui.get_mouse_cursor(), "arrow")

    @property
    def has_popup(self) -> bool:
        """Whether a menu or a modal window is open, as of the last frame."""
        self._use()
        return bool(imgui.is_popup_open("", imgui.PopupFlags_.any_popup.value))

    @property
    def takes_text(self) -> bool:
        return bool(self._io.want_text_input)

    def focus(self, window: str | None) -> None:
        """Let the next Tab move the focus to the first button or field of a window; None takes the focus away."""
        self._use()
        imgui.set_window_focus(window)
        imgui.set_nav_cursor_visible(False)

    def is_shown(self, window: str) -> bool:
        """Whether there is a window of this name, as of the last frame."""
        self._use()
        found = imgui.internal.find_window_by_name(window)
        return found is not None and bool(found.was_active)

    def move(self, x: float, y: float) -> None:
        self._use()
        self._io.add_mouse_pos_event(x, y)
        imgui.internal.update_hovered_window_and_capture_flags(ImVec2(x, y))

    def button(self, name: str, down: bool) -> None:
        self._io.add_mouse_button_event(BUTTONS[name], down)

    def wheel(self, x: float, y: float) -> None:
        self._io.add_mouse_wheel_event(x, y)

    def hold(self, pressed: Collection[str]) -> None:
        for modifier, key in MODIFIERS.items():
            self._io.add_key_event(key, modifier in pressed)

    def key(self, name: str, down: bool) -> None:
        """Pass on a key that goes down or up; keys that no widget reacts to are left out."""
        if name in KEYS:
            self._io.add_key_event(KEYS[name], down)

    def text(self, text: str) -> None:
        self._io.add_input_characters_utf8(text)

    def frames(
        self, show: Callable[[], None], follow: Callable[[], bool], seconds: float, fewest: int, most: int
    ) -> None:
        """Make frames by calling `show`, the first one `seconds` after the last, until one is as that before.

        They are at least `fewest` and at most `most`, but for those that have to follow one.
        """
        self._use()
        self._apply_style()
        navigable = imgui.ConfigFlags_.nav_enable_keyboard
        self._io.config_flags = self._io.config_flags & ~navigable | (navigable if self.navigates else 0)
        self._io.display_size = ImVec2(*self._display.size)
        self._io.display_framebuffer_scale = ImVec2(1.0, 1.0)
        for i in range(most + MORE_FRAMES):
            self._io.delta_time = max(0.0 if i else seconds, SHORTEST)
            imgui.new_frame()
            show()
            imgui.render()
            drawn, follows = self._what_is_drawn(), follow()
            is_settled = drawn == self._before and not follows
            self._before = None if follows else drawn
            if not follows and i >= (fewest if is_settled else most) - 1:
                break

    def _what_is_drawn(self) -> tuple[object, ...]:
        """Return the vertices of the last frame, and what Dear ImGui knows that need not be seen in it."""
        parts = self.drawn.cmd_lists
        vertices = [array_bytes(part.vtx_buffer, imgui.VERTEX_SIZE).tobytes() for part in parts]
        io, is_active = self._io, imgui.is_any_item_active()
        flags = io.want_text_input, io.want_capture_mouse, is_active, self.has_popup, self.pointer
        return vertices, io.metrics_active_windows, *flags

    @property
    def drawn(self) -> imgui.ImDrawData:
        self._use()
        return imgui.get_draw_data()


def array_bytes(vector: Any, item_size: int) -> NDArray[np.uint8]:
    """Return a view of the memory of one of Dear ImGui's arrays."""
    if not (length := vector.size() * item_size):
        return np.empty(0, np.uint8)
    return np.frombuffer((ctypes.c_uint8 * length).from_address(vector.data_address()), np.uint8)

"""Dear ImGui without a window: its context, its input and its frames. `gui_painter` draws them."""

import re
from collections.abc import Callable, Collection
from string import ascii_uppercase, digits
from typing import Final, NamedTuple

from imgui_bundle import ImVec2, imgui

from hitscope.render.palette import Theme
from hitscope.viewer.panels import style
from hitscope.viewer.tools.pointer import Pointer, over_panels

PICTURE: Final = 1
"""The name of the picture's texture in the frames."""
FIRST_IMAGE: Final = 1 << 20
"""The name of the first texture that is a picture's file; those of the glyphs are below."""
SETTLING_FRAMES = 3
"""Dear ImGui answers an input over so many frames: it clicks, shows what that changed, and scrolls to it."""
SHORTEST = 1e-4
"""Seconds between frames that follow each other at once; Dear ImGui takes no zero."""
NEVER = 1e9
"""Seconds."""
NOWHERE = -3.4e38
"""Dear ImGui's place of a mouse that is out of the window."""

BUTTONS: Final = {"Left": 0, "Right": 1, "Middle": 2}
MODIFIERS: Final = {"Ctrl": imgui.Key.mod_ctrl, "Alt": imgui.Key.mod_alt, "Shift": imgui.Key.mod_shift}
KEYS: Final = {
    **{letter: imgui.Key[letter.lower()] for letter in ascii_uppercase},
    **{digit: imgui.Key[f"_{digit}"] for digit in digits},
    "Tab": imgui.Key.tab,
    "Backspace": imgui.Key.backspace,
    "Enter": imgui.Key.enter,
    "Escape": imgui.Key.escape,
    "Insert": imgui.Key.insert,
    "Delete": imgui.Key.delete,
    "Space": imgui.Key.space,
    "Left": imgui.Key.left_arrow,
    "Right": imgui.Key.right_arrow,
    "Up": imgui.Key.up_arrow,
    "Down": imgui.Key.down_arrow,
    "PageUp": imgui.Key.page_up,
    "PageDown": imgui.Key.page_down,
    "Home": imgui.Key.home,
    "End": imgui.Key.end,
}
"""The keys that text fields and lists listen to."""


class Look(NamedTuple):
    """What the panels are made for."""

    points: float
    """Pixels a point."""
    theme: Theme


class Gui:
    """Dear ImGui; all coordinates are pixels from the top left, so the screen's scale is only in the style."""

    def __init__(self, look: Look, paste: Callable[[], str], copy: Callable[[str], None]) -> None:
        """Begin with a look, and with the ways from and to the clipboard."""
        self._context = imgui.create_context()
        self._io = self._use()
        self._io.set_ini_filename("")
        self._io.config_flags |= imgui.ConfigFlags_.no_mouse_cursor_change
        # The same keys everywhere: on a Mac, the key that is called Ctrl here is Command.
        self._io.config_mac_osx_behaviors = False
        # What comes without an input would need frames without one: the system repeats keys, nothing blinks.
        self._io.key_repeat_delay = self._io.key_repeat_rate = NEVER
        self._io.config_input_text_cursor_blink = False
        self._io.backend_flags |= imgui.BackendFlags_.renderer_has_textures
        platform = imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda _: re.sub(r"\s", " ", paste())  # it would drop tabs
        platform.platform_set_clipboard_text_fn = lambda _, text: copy(text)
        self.images: list[str] = []
        """The files of the pictures in the panels, from `FIRST_IMAGE` on."""
        self._look: Look | None = None
        self._follow(look)
        self.fonts = style.Fonts()

    def close(self) -> None:
        """Give everything back."""
        imgui.destroy_context(self._context)

    def _use(self) -> imgui.IO:
        """Make this the one that Dear ImGui's functions mean."""
        imgui.set_current_context(self._context)
        return imgui.get_io()

    def _follow(self, look: Look) -> None:
        if look != self._look:
            self._look = look
            style.apply(look.points, look.theme)
            # What comes without an input would need frames without one.
            shape = imgui.get_style()
            shape.hover_stationary_delay = shape.hover_delay_short = shape.hover_delay_normal = 0.0

    def image(self, file: str) -> int:
        """Give the name of the texture with a picture, which is read when it is drawn."""
        if file not in self.images:
            self.images.append(file)
        return FIRST_IMAGE + self.images.index(file)

    @property
    def takes_mouse(self) -> bool:
        """Whether the mouse is over a panel or answers a question, as of the last frame."""
        return bool(self._io.want_capture_mouse)

    @property
    def pointer(self) -> Pointer:
        """The shape that the panels ask for, as of the last frame."""
        self._use()
        return over_panels()

    @property
    def takes_text(self) -> bool:
        """Whether a text field has the keyboard."""
        return bool(self._io.want_text_input)

    def move(self, x: float, y: float) -> None:
        """Follow the mouse."""
        self._io.add_mouse_pos_event(x, y)

    def leave(self) -> None:
        """The mouse is out of the window."""
        self._io.add_mouse_pos_event(NOWHERE, NOWHERE)

    def button(self, name: str, down: bool) -> None:
        """Follow a mouse button."""
        self._io.add_mouse_button_event(BUTTONS[name], down)

    def wheel(self, x: float, y: float) -> None:
        """Follow the wheel."""
        self._io.add_mouse_wheel_event(x, y)

    def hold(self, held: Collection[str]) -> None:
        """Follow the modifiers."""
        for modifier, key in MODIFIERS.items():
            self._io.add_key_event(key, modifier in held)

    def key(self, name: str, down: bool) -> None:
        """Follow a key."""
        if name in KEYS:
            self._io.add_key_event(KEYS[name], down)

    def text(self, text: str) -> None:
        """Follow what is typed."""
        self._io.add_input_characters_utf8(text)

    def frames(
        self,
        show: Callable[[], None],
        size: tuple[int, int],
        look: Look,
        seconds: float,
        number: int,
    ) -> None:
        """Make frames of so many pixels with what `show` shows, the first one so long after the last before."""
        self._use()
        self._follow(look)
        self._io.display_size = ImVec2(*size)
        self._io.display_framebuffer_scale = ImVec2(1.0, 1.0)
        for i in range(number):
            self._io.delta_time = max(0.0 if i else seconds, SHORTEST)
            imgui.new_frame()
            show()
            imgui.render()

    @property
    def drawn(self) -> imgui.ImDrawData:
        """What the last frame is to look like."""
        self._use()
        return imgui.get_draw_data()

"""A window under X11 in which numbers can be typed while Shift is held."""

from typing import Any

from pyglet.libs.x11 import xlib
from pyglet.window import key

from hitscope.viewer.window.dropping import XdndWindow

OF_NUMBERS = frozenset(
    (*range(key._0, key._9 + 1), *range(key.NUM_0, key.NUM_9 + 1), key.PERIOD, key.NUM_DECIMAL, key.MINUS)
)
LEVELS = (0, 1)
"""What a key is without Shift, and with it."""


class DigitsWindow(XdndWindow):
    """A window of pyglet in which a key that has a digit on it can stand for that, whatever else is on it."""

    @property
    def takes_numbers(self) -> bool:
        """Whether such a key does."""
        return False

    def _event_text_symbol(self, event: Any) -> tuple[str | None, int]:
        """Give what a key types and what it is; what went down as a digit comes up as one."""
        text, symbol = super()._event_text_symbol(event)
        known = [xlib.XKeycodeToKeysym(self._x_display, event.xkey.keycode, level) for level in LEVELS]
        digit = next((found for found in known if found in OF_NUMBERS), None)
        if digit is not None and (self.takes_numbers or digit in self.pressed_keys):
            return text, digit
        return text, symbol

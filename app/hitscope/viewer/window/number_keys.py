"""An X11 window in which numbers can be typed while Shift is pressed."""

from typing import Any

from pyglet.libs.x11 import xlib
from pyglet.window import key

from hitscope.viewer.window.xdnd import XdndWindow

NUMBER_KEYS = frozenset(
    (*range(key._0, key._9 + 1), *range(key.NUM_0, key.NUM_9 + 1), key.PERIOD, key.NUM_DECIMAL, key.MINUS)
)
LEVELS = (0, 1)
"""The shift levels of a key: without Shift, and with it."""


class NumberKeysWindow(XdndWindow):
    """A pyglet window in which a key with a digit on it can mean the digit at any shift level."""

    @property
    def takes_numbers(self) -> bool:
        """Whether such a key means the digit now."""
        return False

    def _event_text_symbol(self, event: Any) -> tuple[str | None, int]:
        """The text and the symbol of a key; one that was pressed as a digit is released as one."""
        text, own_symbol = super()._event_text_symbol(event)
        symbols = [xlib.XKeycodeToKeysym(self._x_display, event.xkey.keycode, level) for level in LEVELS]
        digit = next((symbol for symbol in symbols if symbol in NUMBER_KEYS), None)
        if digit is not None and (self.takes_numbers or digit in self.pressed_keys):
            return text, digit
        return text, own_symbol

"""The names that inputs and the table of bindings have for pyglet's keys, modifiers and mouse buttons."""

from typing import Final, get_args

from pyglet.window import key, mouse

from hitscope.viewer.state.inputs import Button, Modifier, Modifiers

BUTTONS: Final[dict[int, Button]] = {mouse.LEFT: "Left", mouse.MIDDLE: "Middle", mouse.RIGHT: "Right"}
_MODIFIERS: Final[dict[Modifier, int]] = {"Ctrl": key.MOD_ACCEL, "Alt": key.MOD_ALT, "Shift": key.MOD_SHIFT}
_ACCELERATORS: Final = (key.LCTRL, key.RCTRL) if key.MOD_ACCEL == key.MOD_CTRL else (key.LCOMMAND, key.RCOMMAND)
_KEYS: Final = {
    **dict.fromkeys(_ACCELERATORS, "Ctrl"),
    **dict.fromkeys((key.LALT, key.RALT), "Alt"),
    **dict.fromkeys((key.LSHIFT, key.RSHIFT), "Shift"),
    # Pyglet's symbol of each of these is its character code.
    **{ord(sign): sign for sign in "0123456789[],;'\\`=?"},
    **{key.NUM_0 + digit: str(digit) for digit in range(10)},
    **dict.fromkeys((key.PERIOD, key.NUM_DECIMAL), "."),
    **dict.fromkeys((key.MINUS, key.NUM_SUBTRACT), "-"),
    **dict.fromkeys((key.SLASH, key.NUM_DIVIDE), "/"),
    **dict.fromkeys((key.RETURN, key.NUM_ENTER), "Enter"),
    **dict.fromkeys((key.INSERT, key.NUM_INSERT), "Insert"),
    **dict.fromkeys((key.DELETE, key.NUM_DELETE), "Delete"),
    # The viewpoint commands of the keypad work with Num Lock off, too.
    **{key.NUM_HOME: "7", key.NUM_END: "1", key.NUM_PAGE_DOWN: "3", key.NUM_BEGIN: "5"},
    **{key.HOME: "Home", key.END: "End", key.PAGEDOWN: "PageDown"},
    **dict.fromkeys((key.PAGEUP, key.NUM_PAGE_UP), "PageUp"),
    **dict.fromkeys((key.LEFT, key.NUM_LEFT), "Left"),
    **dict.fromkeys((key.RIGHT, key.NUM_RIGHT), "Right"),
    **dict.fromkeys((key.UP, key.NUM_UP), "Up"),
    **dict.fromkeys((key.DOWN, key.NUM_DOWN), "Down"),
    # With Shift, X11 has a name of its own for what a US keyboard writes.
    **{key.GREATER: ".", key.LESS: ","},
    **dict.fromkeys((key.PLUS, key.NUM_ADD), "Plus"),
    **{key.ESCAPE: "Escape", key.SPACE: "Space", key.BACKSPACE: "Backspace", key.TAB: "Tab"},
}
"""The names of keys; others have pyglet's."""
REPEATED: Final = {
    **{key.MOTION_LEFT: "Left", key.MOTION_RIGHT: "Right", key.MOTION_UP: "Up", key.MOTION_DOWN: "Down"},
    **{key.MOTION_PREVIOUS_PAGE: "PageUp", key.MOTION_NEXT_PAGE: "PageDown"},
    **{key.MOTION_BACKSPACE: "Backspace", key.MOTION_DELETE: "Delete"},
}
"""The names of the keys that edit text; the system repeats them while they are pressed."""
PASTE: Final = (("V", ("Ctrl",)), ("Insert", ("Shift",)))
"""The keys that paste, with their modifiers."""


def key_name(symbol: int) -> str:
    return _KEYS.get(symbol) or key.symbol_string(symbol)


def modifiers_of(bits: int) -> Modifiers:
    return tuple(name for name in get_args(Modifier) if bits & _MODIFIERS[name])

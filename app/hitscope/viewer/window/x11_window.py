"""X11 windows for what pyglet gets wrong: dropped files by the XDND specification, and numbers typed with Shift.

https://www.freedesktop.org/wiki/Specifications/XDND
"""

import os
from ctypes import POINTER, byref, cast, string_at
from typing import Any
from urllib.parse import unquote_to_bytes

from pyglet.libs.x11 import xlib
from pyglet.window import key
from pyglet.window.xlib import XDND_VERSION, XlibEventHandler, XlibWindow

MORE_TYPES = 1
"""The bit of an enter event for a drag that offers more types than the three in the event itself."""
_DIGITS = (*range(key._0, key._9 + 1), *range(key.NUM_0, key.NUM_9 + 1))
NUMBER_KEYS = frozenset((*_DIGITS, key.PERIOD, key.NUM_DECIMAL, key.MINUS))
LEVELS = (0, 1)
"""The shift levels of a key: without Shift, and with it."""


class X11Window(XlibWindow):
    """A pyglet window that takes dropped files, and in which a key with a digit can mean it at any shift level."""

    def _event_drag_enter(self, event: Any) -> None:
        """Note the source of a drag and whether it offers files; pyglet mistakes the three types for a pointer."""
        data = event.xclient.data.l
        if data[1] & MORE_TYPES:
            super()._event_drag_enter(event)
            return
        files = self._xdnd_atoms["text/uri-list"]
        self._xdnd_source, version = data[0], data[1] >> 24
        self._xdnd_version = version
        self._xdnd_format = files if version <= XDND_VERSION and files in data[2:5] else None

    def _event_drag_position(self, event: Any) -> None:
        """Answer whether a drop is accepted; ignore a drag without a source."""
        if self._xdnd_source:
            super()._event_drag_position(event)

    def _event_drag_drop(self, event: Any) -> None:
        """Request the dropped files; refuse anything else, on which pyglet fails."""
        if self._xdnd_format:
            super()._event_drag_drop(event)
        else:
            self._finish(taken=False)

    @XlibEventHandler(xlib.SelectionNotify)
    def _event_selection_notification(self, event: Any) -> None:
        given = event.xselection
        if given.selection != self._xdnd_atoms["XdndSelection"] or not self._xdnd_source:
            return
        paths = []
        if given.property:
            data, count, _ = self.get_single_property(given.requestor, given.property, given.target)
            paths = dropped_paths(string_at(data, count))
            xlib.XFree(data)
        self._finish(taken=bool(paths))
        if paths:
            x, y = self._xdnd_position
            self.dispatch_event("on_file_drop", x, self._height - y, paths)

    def _finish(self, taken: bool) -> None:
        """Tell the source that the drag is over; pyglet tells the root window, and some sources wait forever."""
        source, self._xdnd_source, self._xdnd_format = self._xdnd_source, None, None
        if not source:
            return
        event = xlib.XEvent()
        event.xclient.type = xlib.ClientMessage
        event.xclient.message_type = self._xdnd_atoms["XdndFinished"]
        event.xclient.display = cast(self._x_display, POINTER(xlib.Display))
        event.xclient.window = source
        event.xclient.format = 32
        event.xclient.data.l[0] = self._window
        event.xclient.data.l[1] = int(taken)
        event.xclient.data.l[2] = self._xdnd_atoms["XdndActionCopy"] if taken else 0
        xlib.XSendEvent(self._x_display, source, False, xlib.NoEventMask, byref(event))
        xlib.XFlush(self._x_display)

    @property
    def takes_numbers(self) -> bool:
        """Whether a key with a digit means the digit now."""
        return False

    def _event_text_symbol(self, event: Any) -> tuple[str | None, int]:
        """The text and the symbol of a key; one that was pressed as a digit is released as one."""
        text, own_symbol = super()._event_text_symbol(event)
        symbols = [xlib.XKeycodeToKeysym(self._x_display, event.xkey.keycode, level) for level in LEVELS]
        digit = next((symbol for symbol in symbols if symbol in NUMBER_KEYS), None)
        if digit is not None and (self.takes_numbers or digit in self.pressed_keys):
            return text, digit
        return text, own_symbol


def dropped_paths(uris: bytes) -> list[str]:
    """The paths in a `text/uri-list`; an entry that is not a file URI stays as it is."""
    return [_path(line) for line in uris.rstrip(b"\0").splitlines() if line and not line.startswith(b"#")]


def _path(uri: bytes) -> str:
    if not uri.startswith(b"file:"):
        return os.fsdecode(uri)
    path = uri.removeprefix(b"file:")
    if path.startswith(b"//"):  # a host name comes first; an empty one means this host
        path = b"/" + path[2:].partition(b"/")[2]
    return os.fsdecode(unquote_to_bytes(path))

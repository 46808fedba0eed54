"""A window under X11 onto which files are dropped as the XDND specification has it where pyglet has not.

https://www.freedesktop.org/wiki/Specifications/XDND
"""

import os
from ctypes import POINTER, byref, cast, string_at
from typing import Any
from urllib.parse import unquote_to_bytes

from pyglet.libs.x11 import xlib
from pyglet.window.xlib import XDND_VERSION, XlibEventHandler, XlibWindow

MORE = 1
"""Set where the drag offers more types than the three that come with the event itself."""


class XdndWindow(XlibWindow):
    """A window of pyglet that takes what other programs drop."""

    def _event_drag_enter(self, event: Any) -> None:
        """Note who drags, and whether it is files; pyglet takes the three types for a pointer to some."""
        data = event.xclient.data.l
        if data[1] & MORE:
            super()._event_drag_enter(event)
            return
        files = self._xdnd_atoms["text/uri-list"]
        self._xdnd_source, version = data[0], data[1] >> 24
        self._xdnd_version = version
        self._xdnd_format = files if version <= XDND_VERSION and files in data[2:5] else None

    def _event_drag_position(self, event: Any) -> None:
        """Say whether it may be dropped here; nothing where nobody has begun to drag."""
        if self._xdnd_source:
            super()._event_drag_position(event)

    def _event_drag_drop(self, event: Any) -> None:
        """Ask for what is dropped; pyglet breaks where it is no files."""
        if self._xdnd_format:
            super()._event_drag_drop(event)
        else:
            self._finish(taken=False)

    @XlibEventHandler(xlib.SelectionNotify)
    def _event_selection_notification(self, event: Any) -> None:
        """Take what was asked for."""
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
        """Tell who dragged that it is over; pyglet tells the root window, and so some wait for ever."""
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


def dropped_paths(uris: bytes) -> list[str]:
    """Give the paths of a list of URIs, as `text/uri-list` has it; what is no file stays as it is."""
    return [_path(line) for line in uris.rstrip(b"\0").splitlines() if line and not line.startswith(b"#")]


def _path(uri: bytes) -> str:
    if not uri.startswith(b"file:"):
        return os.fsdecode(uri)
    path = uri.removeprefix(b"file:")
    if path.startswith(b"//"):  # then a host comes first, or nothing, which is this one
        path = b"/" + path[2:].partition(b"/")[2]
    return os.fsdecode(unquote_to_bytes(path))

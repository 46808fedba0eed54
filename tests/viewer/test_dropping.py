"""Drags from other programs under X11: what they offer, and which files they mean."""

import os
import sys

import pytest

if sys.platform != "linux":
    pytest.skip("there is no X11", allow_module_level=True)

from pyglet.libs.x11 import xlib

FILES, TEXT, SOURCE, FINISHED, COPY = 11, 12, 0x77, 13, 14


@pytest.fixture
def x11_window(monkeypatch):
    """The module `x11_window`, which needs no display."""
    import pyglet

    monkeypatch.setattr(pyglet.options, "shadow_window", False)
    from hitscope.viewer.window import x11_window

    return x11_window


@pytest.fixture
def target(x11_window):
    """A window that knows only what it is sent."""
    target = x11_window.X11Window.__new__(x11_window.X11Window)
    target._x_display, target._window = None, 0x99
    target._xdnd_source = target._xdnd_version = target._xdnd_format = None
    target._xdnd_atoms = {"text/uri-list": FILES, "XdndFinished": FINISHED, "XdndActionCopy": COPY}
    return target


def entering(*types, version=5):
    """The message of a source that offers at most three types."""
    event = xlib.XEvent()
    for i, value in enumerate((SOURCE, version << 24, *types)):
        event.xclient.data.l[i] = value
    return event


@pytest.mark.parametrize("types", [(FILES,), (TEXT, FILES), (TEXT, TEXT, FILES)])
def test_files_are_found_among_the_types_that_come_with_a_drag(target, types):
    target._event_drag_enter(entering(*types))
    assert (target._xdnd_source, target._xdnd_version, target._xdnd_format) == (SOURCE, 5, FILES)


@pytest.mark.parametrize("event", [entering(TEXT), entering(), entering(FILES, version=6)])
def test_a_drag_without_files_or_of_another_protocol_is_none(target, event):
    target._event_drag_enter(event)
    assert target._xdnd_format is None


def test_a_source_that_drops_no_file_is_answered(target, monkeypatch):
    sent = []
    monkeypatch.setattr(xlib, "XSendEvent", lambda display, window, *event: sent.append((window, event[-1]._obj)))
    monkeypatch.setattr(xlib, "XFlush", lambda display: None)
    target._event_drag_drop(xlib.XEvent())
    assert sent == []
    target._event_drag_enter(entering(TEXT))
    target._event_drag_drop(xlib.XEvent())
    ((window, event),) = sent
    assert (window, event.xclient.window, event.xclient.message_type) == (SOURCE, SOURCE, FINISHED)
    assert list(event.xclient.data.l) == [0x99, 0, 0, 0, 0]


@pytest.mark.parametrize(
    "uris, paths",
    [
        (b"file:///a/b.json\r\nfile:///c%20d.obj\r\n", ["/a/b.json", "/c d.obj"]),
        (b"file://host/a.json", ["/a.json"]),
        (b"file:/a.json\0", ["/a.json"]),
        (b"# two files\nfile:///a%23b%3F%5B.json\n", ["/a#b?[.json"]),
        ("file:///ä.json".encode(), ["/ä.json"]),
        (b"file:///bad%ff.json", [os.fsdecode(b"/bad\xff.json")]),
        (b"file:///bad\xff.json", [os.fsdecode(b"/bad\xff.json")]),
        (b"http://[/a", ["http://[/a"]),
        (b"", []),
    ],
)
def test_uris_are_paths_whatever_is_in_their_names(x11_window, uris, paths):
    assert x11_window.dropped_paths(uris) == paths

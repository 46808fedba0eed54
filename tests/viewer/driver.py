"""The real window on a virtual screen, driven by the real mouse and keyboard (Xvfb and xdotool)."""

import ctypes
import ctypes.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import ImageGrab

from tests.waiting import PATIENCE_S, wait_until

SCREEN = (1400, 900)
CLIENT_MESSAGE = 33
PREAMBLE = """
import sys, time
from pathlib import Path
from types import SimpleNamespace
import pyglet
pyglet.options.shadow_window = False
from pyglet.window import key, mouse
from hitscope.viewer.files.file_inputs import recorded_file
from hitscope.viewer.state.inputs import HostEvent
from hitscope.viewer.window import host, launch, window

draw, drawn = window.Window.draw, []
window.Window.draw = lambda self, seconds: (draw(self, seconds), drawn.append(seconds))

def the_window():
    return next(iter(pyglet.app.windows))

def shows(title):
    return the_window().caption.startswith(title + " ")

def is_at_rest():
    window = the_window()
    return not (window._frame_is_due or window.painter.texture.unfinished)
"""
"""What code in a window begins with: the frames that were drawn are in `drawn`."""


class _ClientMessage(ctypes.Structure):
    """Xlib's XClientMessageEvent, as large as an XEvent."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("message_type", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
        ("rest", ctypes.c_long * 24),
    )


class Screen:
    """An X server of its own."""

    def __enter__(self):
        """Start it on a free display, whose number it writes to a pipe."""
        reading, writing = os.pipe()
        size = f"{SCREEN[0]}x{SCREEN[1]}x24"
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp", "-noreset"],
            pass_fds=[writing],
            stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        with os.fdopen(reading) as pipe:
            self.display = f":{pipe.readline().strip()}"
        return self

    def __exit__(self, *_):
        """Stop it."""
        self.server.terminate()
        self.server.wait()

    def run(self, code, *arguments, home):
        """Run code after the `PREAMBLE` in a process of its own; its output, and the user's files in `home`."""
        folders = {"HITSCOPE_CONFIG_DIR": str(home), "HITSCOPE_STATE_DIR": str(home)}
        done = subprocess.run(
            [sys.executable, "-c", PREAMBLE + code, *map(str, arguments)],
            env=os.environ | folders | {"DISPLAY": self.display},
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE_S,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout


class Viewer:
    """`hitscope open` in its own process; coordinates are pixels of its window, which lies at (0, 0)."""

    def __init__(self, screen, *arguments, cwd=None, home=None, programs=None):
        """Start it and wait for its first picture.

        Its settings and what a crash leaves are in a folder `home`; the programs that it finds, such as those that
        show file dialogs, are in a folder `programs`, of which it has none otherwise.
        """
        self.own = tempfile.TemporaryDirectory() if home is None else None
        home = Path(self.own.name if home is None else home)
        if not (home / "settings.json").exists():
            (home / "settings.json").write_text('{"first_start_seen": true}')
        folders = {"HITSCOPE_CONFIG_DIR": str(home), "HITSCOPE_STATE_DIR": str(home / "state")}
        self.environment = os.environ | {"DISPLAY": screen.display} | folders
        path = {"PATH": str(programs or home / "no programs")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "hitscope", "open", *map(str, arguments)],
            env=self.environment | path,
            cwd=cwd,
            stderr=subprocess.PIPE,
            text=True,
        )
        # It takes more than a second, in which a look takes time from it.
        self.window = wait_until(self._find, "the window", poll_s=0.1)
        wait_until(lambda: self.screenshot().any(), "the first picture", poll_s=0.1)
        self._do("windowfocus", self.window)

    def __enter__(self):
        """Be used in a with statement."""
        return self

    def __exit__(self, *_):
        """End the process."""
        self.process.kill()
        self.process.communicate()
        if self.own is not None:
            self.own.cleanup()

    @property
    def title(self):
        """The window's title."""
        return self._do("getwindowname", self.window)

    def screenshot(self):
        """The window's pixels (height, width, 3)."""
        width, height = self.size
        return np.array(ImageGrab.grab(xdisplay=self.environment["DISPLAY"]))[:height, :width, :3]

    @property
    def size(self):
        """The window's width and height."""
        return self._geometry("WIDTH", "HEIGHT")

    @property
    def place(self):
        """The window's left and top edge on the screen."""
        return self._geometry("X", "Y")

    def _geometry(self, *names):
        said = dict(line.split("=") for line in self._do("getwindowgeometry", "--shell", self.window).split())
        return tuple(int(said[name]) for name in names)

    def move_window(self, left, top):
        """Move the window on the screen."""
        self._do("windowmove", "--sync", self.window, left, top)

    def resize(self, width, height):
        """Resize the window."""
        self._do("windowsize", self.window, width, height)

    def key(self, *keys):
        """Press keys one after the other."""
        self._do("key", "--delay", 40, *keys)

    def key_down(self, key):
        """Press a key down."""
        self._do("keydown", key)

    def key_up(self, key):
        """Release a key."""
        self._do("keyup", key)

    def point(self, x, y):
        """Move the mouse."""
        self._do("mousemove", "--window", self.window, round(x), round(y))

    def click(self, x, y, button=1):
        """Click."""
        self.point(x, y)
        self._do("click", button)

    def wheel(self, steps):
        """Turn the wheel by steps, up being positive."""
        self._do("click", "--repeat", abs(steps), 4 if steps > 0 else 5)

    def press(self, x, y, button=1):
        """Press a mouse button down at a pixel."""
        self.point(x, y)
        self._do("mousedown", button)

    def release(self, button=1):
        """Release a mouse button."""
        self._do("mouseup", button)

    def drag(self, start, end, button=1, steps=8):
        """Drag the mouse, in steps as a hand does."""
        x, y = start
        self.press(x, y, button)
        for i in range(1, steps + 1):
            self.point(*(a + (b - a) * i / steps for a, b in zip(start, end, strict=True)))
        self.release(button)

    def close(self):
        """Ask the window to close, as its close button does."""
        xlib = ctypes.CDLL(ctypes.util.find_library("X11"))
        xlib.XOpenDisplay.restype = ctypes.c_void_p
        display = ctypes.c_void_p(xlib.XOpenDisplay(self.environment["DISPLAY"].encode()))
        protocols, delete = (
            xlib.XInternAtom(display, name, False) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW")
        )
        window = int(self.window)
        message = _ClientMessage(CLIENT_MESSAGE, 0, 1, display, window, protocols, 32, (delete, 0, 0, 0, 0))
        xlib.XSendEvent(display, ctypes.c_ulong(window), False, ctypes.c_long(0), ctypes.byref(message))
        xlib.XCloseDisplay(display)

    def exit_status(self):
        """Wait for the process to end."""
        return self.process.wait(PATIENCE_S)

    def _find(self):
        assert self.process.poll() is None, self.process.stderr.read()
        found = self._do("search", "--onlyvisible", "--name", "hitscope", check=False)
        return found.split()[0] if found else None

    def _do(self, *words, check=True):
        command = ["xdotool", *map(str, words)]
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=check, timeout=PATIENCE_S
        )
        return done.stdout.strip()

"""Opening a window on paths or on a recording, with an error in one line where that fails."""

import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hitscope.errors import HitscopeError

if TYPE_CHECKING:
    from hitscope.draw.target import Targets
    from hitscope.viewer.state.messages import Review
    from hitscope.viewer.state.own_code import OwnCode
    from hitscope.viewer.window.window import Window

NO_WINDOW = "cannot open a window: {}; `hitscope render` and `hitscope check` need none"
INSTALL = (
    "install the Mesa packages (Debian and Ubuntu: apt-get install libgl1 libgl1-mesa-dri)"
    if sys.platform.startswith("linux")
    else "install a graphics driver with OpenGL 3.3"
)


class NoWindow(HitscopeError):  # noqa: N818 - users meet its message
    """An error where no window can be opened."""


SIZE = (1280, 800)
"""The size of the first window."""
TITLE_BAR = 40
"""The height of the screen that a window leaves to its title bar."""
GC_THRESHOLDS = (20_000, 50, 100)
"""The thresholds of the garbage collector: new objects, then collections before those of older generations."""
SWITCH_SECONDS = 5e-4
"""The time that a thread in the background may hold the interpreter while the window waits for it."""


def run(
    paths: Sequence[Path],
    size: tuple[int, int] | None,
    record: Path | None = None,
    own: "OwnCode | None" = None,
    pair: "Targets" = (),
    review: "Review | None" = None,
    problem: str = "",
) -> None:
    """Open the scenes, or the gallery, and return when the window is closed; its inputs are written to `record`.

    `own` are the methods of the command line; `pair` is selected and framed in the first scene; `review` takes
    what is decided about the scenes; a `problem` is shown. Without a size the window is where it was when one was
    closed last.

    Raises NoWindow where there is no display or no OpenGL 3.3, and HitscopeError where there can be no recording.
    """
    from hitscope.viewer.files.settings_file import SettingsFile

    file = SettingsFile()
    known = file.settings.window
    window = _window(size or (known[2:] if known else SIZE), fits=not size)
    if known and not size:
        window.place(*known[:2])
    from hitscope.viewer.interface.bindings import rebound
    from hitscope.viewer.interface.open_state import open_state
    from hitscope.viewer.interface.recording import Recorder, recording_start
    from hitscope.viewer.interface.user_interface import UserInterface
    from hitscope.viewer.state.documents import DocumentList
    from hitscope.viewer.state.settings import Limits
    from hitscope.viewer.window.host import DesktopHost

    _, faults = rebound(file.settings.bindings)
    for fault in faults:
        file.add_problem(fault.below(("bindings",)))
    host = DesktopHost(file, window.painter.picture, use_native_dialogs=True)
    recorder, settings = None, file.settings
    if record is not None:
        start = recording_start(paths, record.parent, window.pixels, window.pixel_ratio, settings)
        recorder, settings = Recorder(record, start), start.settings
    listed = DocumentList.of(paths, settings.up)
    listed.documents[0].pair = pair
    parts = listed, window.pixels, window.pixel_ratio, host.files, settings, Limits(patience_s=0.0)
    state = open_state(*parts, pack=window.painter.pack, own=own, review=review)
    state.messages.problem = "\n".join(filter(None, [problem, state.messages.problem]))
    host.begin(state)
    with UserInterface(state) as interface:
        window.open(interface, recorder, host)
        _until_closed()


def play(source: Path, paths: Sequence[Path], own: "OwnCode | None" = None) -> None:
    """Play a recording in a window, on its scenes or on `paths`, until it is closed; raises HitscopeError."""
    from hitscope.viewer.interface.recording import Recording

    recording = Recording.read(source)
    window = _window(recording.start.size)
    from hitscope.viewer.interface.user_interface import UserInterface
    from hitscope.viewer.window.replay import state_of

    with UserInterface(state_of(recording, paths, own)) as interface:
        window.open(interface, played=recording.inputs)
        _until_closed()


def _window(size: tuple[int, int], fits: bool = False) -> "Window":
    """Make a hidden window, no larger than the screen if it `fits` that; raises NoWindow."""
    import pyglet

    # pyglet would open a second, hidden window on import, which fails where there is no display.
    pyglet.options.shadow_window = False
    pyglet.options.debug_gl = False
    try:
        from pyglet import display, gl

        screen = display.get_display().get_default_screen()
    except ImportError as error:
        raise NoWindow(NO_WINDOW.format(f"a library is missing ({error}): {INSTALL}")) from error
    except Exception as error:  # every platform has its own exceptions for this
        raise NoWindow(NO_WINDOW.format("there is no display")) from error

    from hitscope.viewer.window.window import Window

    if fits:
        size = min(size[0], screen.width), min(size[1], screen.height - TITLE_BAR)
    try:
        return Window(size)
    except (gl.ContextException, gl.ConfigException, pyglet.window.WindowException) as error:
        raise NoWindow(NO_WINDOW.format(f"there is no OpenGL 3.3 ({error}): {INSTALL}")) from error


def _until_closed() -> None:
    import pyglet

    # Scenes have no cycles; collecting at every 700 new tuples would slow down a drag of many items.
    gc.set_threshold(*GC_THRESHOLDS)
    sys.setswitchinterval(SWITCH_SECONDS)
    pyglet.app.run(interval=None)

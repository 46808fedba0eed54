"""From paths to an open window, or to one line that says why there is none."""

import sys
from pathlib import Path

from hitscope.errors import HitscopeError
from hitscope.resources import SCENES

ENDING = ".scene.json"
NO_WINDOW = "cannot open a window: {}; `hitscope render` and `hitscope check` need none"
INSTALL = (
    "install the Mesa packages (Debian and Ubuntu: apt-get install libgl1 libgl1-mesa-dri)"
    if sys.platform.startswith("linux")
    else "install a graphics driver with OpenGL 3.3"
)


def run(paths: list[Path], size: tuple[int, int]) -> int:
    """Open the scenes, or the gallery that ships with hitscope; gives the exit status when the window is closed.

    Raises HitscopeError where there is no display or no OpenGL 3.3.
    """
    import pyglet

    # A second, hidden window would be opened on import, and fail on import where there is no display.
    pyglet.options.shadow_window = False
    pyglet.options.debug_gl = False
    try:
        from pyglet import display, gl

        display.get_display()
    except ImportError as error:
        raise HitscopeError(NO_WINDOW.format(f"a library is missing ({error}): {INSTALL}")) from error
    except Exception as error:  # every platform has its own exceptions for this
        raise HitscopeError(NO_WINDOW.format("there is no display")) from error

    from hitscope.viewer.documents import Document, Shelf
    from hitscope.viewer.window import Window

    if paths:
        shelf = Shelf([Document(path) for path in paths])
    else:
        shelf = Shelf([Document(path, example=True) for path in sorted(SCENES.rglob(f"*{ENDING}"))])
    try:
        window = Window(shelf, size)
    except (gl.ContextException, gl.ConfigException, pyglet.window.WindowException) as error:
        raise HitscopeError(NO_WINDOW.format(f"there is no OpenGL 3.3 ({error}): {INSTALL}")) from error
    window.wake()
    pyglet.app.run(interval=None)
    return 0

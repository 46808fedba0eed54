"""OpenGL without a window."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import moderngl

from hitscope.errors import HitscopeError

INSTALL = (
    "install the Mesa packages (Debian and Ubuntu: apt-get install libegl1 libgl1 libgl1-mesa-dri)"
    if sys.platform.startswith("linux")
    else "install a graphics driver with OpenGL 3.3"
)


@contextmanager
def offscreen_context() -> Iterator[moderngl.Context]:
    """The context that `new_context` makes, released at the end."""
    context = new_context()
    try:
        yield context
    finally:
        context.release()


def new_context() -> moderngl.Context:
    """Return an OpenGL 3.3 context without a window; raises HitscopeError where there is no such context."""
    settings = {"backend": "egl"} if sys.platform.startswith("linux") else {}
    try:
        return moderngl.create_context(require=330, standalone=True, **settings)  # type: ignore[arg-type]
    except Exception as error:  # moderngl and glcontext raise exceptions of many types
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise HitscopeError(f"there is no OpenGL 3.3 ({reason}): {INSTALL}") from error

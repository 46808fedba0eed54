"""The viewer as an animated GIF file."""

from collections.abc import Iterator
from io import BytesIO

import moderngl
import numpy as np
from PIL import Image, ImageOps

from hitscope.errors import HitscopeError
from hitscope.render.offscreen import offscreen_context
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.window.painter import Painter

LAST_SECONDS = 1.0
"""How long the end is shown before the animation begins again."""
TICK_MS = 10
"""The unit in which the file keeps durations."""


def gif(times: Iterator[float], interface: UserInterface) -> bytes:
    """Draw the viewer at each of the `times`, in seconds; the bytes of a GIF file, which repeats.

    Raises HitscopeError where it cannot be drawn.
    """
    data = BytesIO()
    with offscreen_context() as context:
        painter = Painter(context)
        frames = _with_durations(times, interface, context, painter)
        try:
            next(frames).save(data, format="GIF", save_all=True, append_images=frames, loop=0)
        except (moderngl.Error, MemoryError) as error:
            raise HitscopeError(f"the animation cannot be drawn: {error}") from error
    return data.getvalue()


def _with_durations(
    times: Iterator[float], interface: UserInterface, context: moderngl.Context, painter: Painter
) -> Iterator[Image.Image]:
    """The frames of 256 colours, each with its duration, in the size of the first one."""
    size = interface.state.display.size
    shown, began = None, 0.0
    for time in times:
        frame = _drawn(interface, context, painter, size)
        if shown is not None:
            shown.info["duration"] = _ticks(time) - _ticks(began)
            yield shown
        shown, began = frame, time
    assert shown is not None
    shown.info["duration"] = round(LAST_SECONDS * 1000)
    yield shown


def _ticks(seconds: float) -> int:
    """Milliseconds, rounded to what the file can keep."""
    return round(seconds * 1000 / TICK_MS) * TICK_MS


def _drawn(
    interface: UserInterface, context: moderngl.Context, painter: Painter, size: tuple[int, int]
) -> Image.Image:
    width, height = interface.state.display.size
    target = context.simple_framebuffer((width, height), components=3)
    painter.paint(interface, target, whole=True)
    pixels = np.frombuffer(target.read(components=3, alignment=1), np.uint8)
    target.release()
    image = Image.fromarray(np.ascontiguousarray(pixels.reshape(height, width, 3)[::-1]))
    return ImageOps.pad(image, size).quantize(256, dither=Image.Dither.NONE)

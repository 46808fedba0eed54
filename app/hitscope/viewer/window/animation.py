"""The viewer as an animated file."""

from collections.abc import Iterator

import moderngl
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from hitscope.errors import HitscopeError
from hitscope.offscreen_context import offscreen_context
from hitscope.render.animation import Frames, animation
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.window.painter import Painter

POINTER = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12))
"""The arrow of the mouse in points from its tip: the system draws that one, and no recording has it."""
LAST_SECONDS = 1.0
"""How long the end is shown before the animation begins again."""


def animated(times: Iterator[float], interface: UserInterface, ending: str) -> bytes:
    """Draw the viewer at each of the `times`, in seconds; the bytes of a file with this `ending`.

    Raises HitscopeError where it cannot be drawn.
    """
    with offscreen_context() as context:
        try:
            return animation(_frames(times, interface, context), ending)
        except (moderngl.Error, MemoryError) as error:
            raise HitscopeError(f"the animation cannot be drawn: {error}") from error


def _frames(times: Iterator[float], interface: UserInterface, context: moderngl.Context) -> Frames:
    """The frames, each with the second at which it ends."""
    painter, time = Painter(context), next(times)
    shown = _drawn(interface, painter, context)
    for time in times:
        yield shown, time
        shown = _drawn(interface, painter, context)
    yield shown, time + LAST_SECONDS


def _drawn(interface: UserInterface, painter: Painter, context: moderngl.Context) -> NDArray[np.uint8]:
    width, height = interface.state.display.size
    target = context.simple_framebuffer((width, height), components=3)
    painter.paint(interface, target, whole=True)
    pixels = np.frombuffer(target.read(components=3, alignment=1), np.uint8)
    target.release()
    picture = Image.fromarray(np.ascontiguousarray(pixels.reshape(height, width, 3)[::-1]))
    if interface.mouse is not None:
        (x, y), ratio = interface.mouse, interface.state.display.pixel_ratio
        arrow = [(x + ratio * right, y + ratio * down) for right, down in POINTER]
        ImageDraw.Draw(picture).polygon(arrow, fill="white", outline="black")
    return np.asarray(picture)

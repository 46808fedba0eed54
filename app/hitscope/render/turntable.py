"""A scene that turns once around its up axis, as an animated file."""

import math
from pathlib import Path

import moderngl

from hitscope import progress
from hitscope.draw.builder import Builder, build
from hitscope.draw.target import Hidden
from hitscope.evaluate import Report
from hitscope.offscreen_context import offscreen_context
from hitscope.outputs import write_output
from hitscope.render.animation import RATES, Frames, animation
from hitscope.render.camera import Camera, Viewport
from hitscope.render.offscreen import check_size, draw_pixels
from hitscope.render.palette import Theme
from hitscope.render.renderer import Renderer


def write_turntable(
    report: Report,
    path: Path,
    size: tuple[int, int],
    theme: Theme,
    seconds: float,
    samples: int = 4,
    pixel_ratio: float = 1.0,
    camera: Camera | None = None,
    hidden: Hidden = frozenset(),
) -> None:
    """Write a turn to a file whose name has one of the animation `ENDINGS`, as `write_output` does.

    It begins at `camera`, by default that of the scene's view. Raises HitscopeError where it cannot be drawn, and
    counts the frames as progress.
    """
    ending, builder = path.suffix.lower(), Builder()
    start = camera or Camera.of_view(report.scene.view, builder.corners(report), Viewport(0, 0, *size))
    number = round(seconds * RATES[ending])
    progress.begin(number)

    def frames(context: moderngl.Context) -> Frames:
        renderer = Renderer(context)
        azimuth, height = start.angles
        for k in range(number):
            turned = start.seen_from(azimuth + math.tau * k / number, height) if k else start
            drawn = build(report, hidden=hidden, seen_from=(turned.eye, turned.target), builder=builder)
            pixels = draw_pixels(
                context, renderer, drawn, turned, size, theme, samples, pixel_ratio, transparent=False
            )
            yield pixels, seconds * (k + 1) / number
            progress.advance(1)

    check_size(size, samples)
    with offscreen_context() as context:
        data = animation(frames(context), ending)
    write_output(path, [data])

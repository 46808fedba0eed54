"""Pictures without a window, and a scene that turns once around its up axis as an animated file."""

import math
from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path

import moderngl
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hitscope import progress
from hitscope.draw.builder import Builder
from hitscope.draw.items import DrawList
from hitscope.draw.target import Hidden, Marked
from hitscope.errors import HitscopeError
from hitscope.evaluate import Report, evaluate
from hitscope.offscreen_context import offscreen_context
from hitscope.outputs import write_output
from hitscope.render.animation import RATES, Frames, animation
from hitscope.render.camera import Camera, Viewport
from hitscope.render.renderer import Renderer, Settings
from hitscope.scene.model import Scene

LARGEST_SIDE = 16384


def picture(draw_list: DrawList, camera: Camera, settings: Settings) -> NDArray[np.uint8]:
    """Draw a picture without a window, as `draw_pixels`; raises HitscopeError where there is no OpenGL, too."""
    check_size(settings)
    with offscreen_context() as context:
        return draw_pixels(context, Renderer(context), draw_list, camera, settings)


def draw_pixels(
    context: moderngl.Context, renderer: Renderer, draw_list: DrawList, camera: Camera, settings: Settings
) -> NDArray[np.uint8]:
    """Draw a picture in the context of a renderer: (height, width, 3), row 0 at the top.

    A transparent one has a fourth channel, alpha. Raises HitscopeError for a size or a number of samples that
    cannot be drawn.
    """
    check_size(settings, int(context.info["GL_MAX_TEXTURE_SIZE"]))
    draw = partial(renderer.draw, draw_list, camera, settings)
    pixels = pixels_of(context, settings.size, 4 if settings.transparent else 3, draw)
    return straight(pixels) if settings.transparent else pixels


def pixels_of(
    context: moderngl.Context, size: tuple[int, int], channels: int, draw: Callable[[moderngl.Framebuffer], object]
) -> NDArray[np.uint8]:
    """Draw into a clear framebuffer: (height, width, channels), row 0 at the top; raises HitscopeError."""
    width, height = size
    try:
        target = context.simple_framebuffer(size, components=channels)
        target.clear()
        draw(target)
        pixels = np.frombuffer(target.read(components=channels, alignment=1), np.uint8)
        target.release()
    except (moderngl.Error, MemoryError) as error:
        raise HitscopeError(f"a picture of {width}x{height} pixels cannot be drawn: {error}") from error
    return np.ascontiguousarray(pixels.reshape(height, width, channels)[::-1])


def straight(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The pixels (height, width, 4) of premultiplied colours as PNG has them: not multiplied by alpha."""
    alpha = np.maximum(pixels[..., 3:], 1).astype(np.uint16)
    colours = np.minimum((pixels[..., :3].astype(np.uint16) * 255 + alpha // 2) // alpha, 255)
    return np.concatenate([colours.astype(np.uint8), pixels[..., 3:]], axis=-1)


def evaluate_to_draw(scene: Scene) -> Report:
    """The report of a scene with all that is drawn; raises HitscopeError."""
    report = evaluate(scene)
    if report.lacks_hierarchies:
        report.hierarchies(build=True)
    return report


def picture_of(report: Report, settings: Settings) -> NDArray[np.uint8]:
    """Draw a report in the view of its scene; raises as `picture` does."""
    check_size(settings)
    builder = Builder()
    camera = Camera.of_view(report.scene.view, builder.corners(report), Viewport(0, 0, *settings.size))
    builder.set_camera(camera.eye, camera.target)
    return picture(builder.build(report), camera, settings)


def write_png(path: Path, pixels: NDArray[np.uint8]) -> None:
    """Write a picture (height, width, 3 or 4) as PNG, as `write_output` does; raise HitscopeError."""
    write_output(path, [png(pixels)])


def png(pixels: NDArray[np.uint8]) -> bytes:
    """The bytes of a PNG file of a picture (height, width, 3 or 4)."""
    data = BytesIO()
    Image.fromarray(pixels).save(data, format="PNG")
    return data.getvalue()


def check_size(settings: Settings, most: int = LARGEST_SIDE) -> None:
    """Raise HitscopeError for a picture larger than `most` pixels on a side, or without samples."""
    size, samples = settings.size, settings.samples
    largest = min(most, LARGEST_SIDE)
    if not all(1 <= side <= largest for side in size):
        raise HitscopeError(f"a picture is 1 to {largest} pixels wide and high, not {size[0]}x{size[1]}")
    if samples < 1:
        raise HitscopeError(f"a picture has 1 or more samples a pixel, not {samples}")


def write_turntable(
    report: Report,
    path: Path,
    settings: Settings,
    seconds: float,
    camera: Camera | None = None,
    hidden: Hidden = frozenset(),
) -> None:
    """Write a turn to a file whose name has one of the animation `ENDINGS`, as `write_output` does.

    It begins at `camera`, by default that of the scene's view. Raises HitscopeError where it cannot be drawn, and
    counts the frames as progress.
    """
    ending, builder = path.suffix.lower(), Builder()
    viewport = Viewport(0, 0, *settings.size)
    start = camera or Camera.of_view(report.scene.view, builder.corners(report), viewport)
    number = round(seconds * RATES[ending])
    progress.begin(number)

    def frames(context: moderngl.Context) -> Frames:
        renderer = Renderer(context)
        azimuth, height = start.angles
        for k in range(number):
            turned = start.seen_from(azimuth + math.tau * k / number, height) if k else start
            builder.set_camera(turned.eye, turned.target)
            drawn = builder.build(report, Marked(hidden=hidden))
            yield draw_pixels(context, renderer, drawn, turned, settings), seconds * (k + 1) / number
            progress.advance(1)

    check_size(settings)
    with offscreen_context() as context:
        data = animation(frames(context), ending)
    write_output(path, [data])

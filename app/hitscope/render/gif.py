"""Animated GIF files."""

from collections.abc import Iterator
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

TICK_MS = 10
"""The unit in which the file keeps durations."""


def gif(frames: Iterator[tuple[NDArray[np.uint8], float]]) -> bytes:
    """The bytes of a file that shows pictures (height, width, 3) one after the other, and repeats.

    Each comes with the second at which it ends. All have the size of the first one.
    """
    data, images = BytesIO(), _images(frames)
    next(images).save(data, format="GIF", save_all=True, append_images=images, loop=0)
    return data.getvalue()


def _images(frames: Iterator[tuple[NDArray[np.uint8], float]]) -> Iterator[Image.Image]:
    """The frames in 256 colours with their durations, one at a time: many would not fit into memory."""
    size, began = None, 0
    for pixels, end in frames:
        image = Image.fromarray(pixels)
        size = size or image.size
        image = ImageOps.pad(image, size).quantize(256, dither=Image.Dither.NONE)
        ended = round(end * 1000 / TICK_MS) * TICK_MS
        image.info["duration"], began = ended - began, ended
        yield image

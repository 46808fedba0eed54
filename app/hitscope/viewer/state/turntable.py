"""The turntable: the scene turning once, as an animated file; and an estimate of the file's size."""

import math
from pathlib import Path

from msgspec import Struct

from hitscope.draw.target import Hidden
from hitscope.render.animation import RATES
from hitscope.render.camera import Camera
from hitscope.render.palette import Theme

MEASURED_PIXELS, FINER = 525_400, 0.25
"""The pixels of the frames that were measured, and the exponent by which each pixel of larger ones takes less."""
PLAIN, PER_SHAPE = 0.07, 0.04
"""The bytes of such a pixel in a GIF file of one shape, and those by which the logarithm of their number adds."""
VIDEO, VIDEO_SECONDS, SLOWER = 0.25, 3, 0.35
"""The part of it in an MP4 file that turns in so many seconds, and the exponent by which slower ones take less."""


def estimated_bytes(ending: str, size: tuple[int, int], seconds: int, shapes: int) -> float:
    """About the size of a file that shows so many shapes, within a factor of two for those of the gallery."""
    pixels = size[0] * size[1]
    of_pixel = (PLAIN + PER_SHAPE * math.log(max(shapes, 1))) * math.pow(MEASURED_PIXELS / max(pixels, 1), FINER)
    if ending == ".mp4":
        of_pixel *= VIDEO * math.pow(VIDEO_SECONDS / seconds, SLOWER)
    return pixels * seconds * RATES[ending] * of_pixel


class Turntable(Struct, frozen=True):
    """The look of the scene while it turns."""

    size: tuple[int, int]
    """Width and height in pixels."""
    pixel_ratio: float
    theme: Theme
    camera: Camera
    """Where the turn begins and ends."""
    hidden: Hidden
    seconds: int

    def frames(self, path: Path) -> int:
        """The number of frames in a file of this name."""
        return self.seconds * RATES[path.suffix.lower()]

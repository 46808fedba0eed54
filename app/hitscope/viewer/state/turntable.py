"""What a turntable shows: the scene turning once, as an animated file."""

from pathlib import Path

from msgspec import Struct

from hitscope.draw.target import Hidden
from hitscope.render.animation import RATES
from hitscope.render.camera import Camera
from hitscope.render.palette import Theme


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

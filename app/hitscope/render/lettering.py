"""Text on pictures that are drawn without a window: in a fixed-width typeface, with a halo or on a panel."""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, TypeAlias

from PIL import Image, ImageDraw, ImageFont

from hitscope.render.palette import rgb8

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels."""
Run: TypeAlias = tuple[str, str]
"""A text, and its colour written as #rrggbb."""

FONT = Path("assets", "fonts", "Inconsolata-Medium.ttf")
"""In the package imgui_bundle, whose window has the same typeface; it is not imported for it."""
LEADING = 1.35
"""The height of a line in sizes of the font."""


class Sheet(NamedTuple):
    """A picture to write on, with its alpha channel if it has one."""

    image: Image.Image
    size: float
    """The size of the font, in pixels."""

    @property
    def font(self) -> ImageFont.FreeTypeFont:
        return _font(self.size)

    @property
    def line_height(self) -> float:
        return LEADING * self.size

    def width(self, text: str) -> float:
        return self.font.getlength(text)

    def columns(self, width: float) -> int:
        return max(int(width / self.width("0")), 1)

    def write(self, left: float, top: float, runs: list[Run], halo: str | None = None) -> None:
        """Write runs of text beside one another; with a halo of a colour around the letters."""
        draw = ImageDraw.Draw(self.image, "RGBA")
        for text, colour in runs:
            stroke = round(self.size / 8) if halo else 0
            draw.text((left, top), text, colour, self.font, stroke_width=stroke, stroke_fill=halo)
            left += self.width(text)

    def panel(self, box: Box, colour: str, opacity: float, line: str) -> None:
        """Fill a translucent rectangle with rounded corners and a fine outline."""
        draw = ImageDraw.Draw(self.image, "RGBA")
        draw.rounded_rectangle(box, self.size / 2, (*rgb8(colour), round(255 * opacity)), (*rgb8(line), 90))


@lru_cache(maxsize=8)
def _font(size: float) -> ImageFont.FreeTypeFont:
    package = find_spec("imgui_bundle")
    for folder in (package and package.submodule_search_locations) or ():
        return ImageFont.truetype(Path(folder, FONT), size)
    raise FileNotFoundError(FONT)

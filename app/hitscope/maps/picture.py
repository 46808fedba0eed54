"""The picture of a map: a square for each method, with its counts, a legend and the scale."""

from io import BytesIO

from PIL import Image

from hitscope import numerals
from hitscope.draw.items import Role
from hitscope.maps.colours import legend, square
from hitscope.maps.position_map import MethodMap, PositionMap
from hitscope.render.lettering import Sheet
from hitscope.render.palette import DARK, Theme

GAP = 24
"""The pixels between two squares, and around them."""
NARROWEST = 640
"""The least pixels of a picture's width: the legend has to fit."""
FONT_SIZE = 15.0
COLUMNS = 3
SWATCH = 14
"""The pixels of a colour's side in the legend."""


def map_image(found: PositionMap, theme: Theme = DARK) -> Image.Image:
    squares = [square(found, method, found.aspect, theme) for method in found.methods]
    side, columns = squares[0].shape[0], min(COLUMNS, len(squares))
    measured = Sheet(Image.new("RGB", (1, 1)), FONT_SIZE)
    line = round(measured.line_height)
    height = side + 2 * line + GAP
    rows = -(-len(squares) // columns)
    entries = list(legend(found, found.aspect, theme))
    width = max(columns * (side + GAP) + GAP, NARROWEST)
    places, below = _flow([measured.width(words) for _, words, _ in entries], width, line)
    top = rows * height + GAP
    image = Image.new("RGB", (width, round(top + below + 2.5 * line)), theme.background_bottom)
    sheet = Sheet(image, FONT_SIZE)
    ink, faint = theme.roles[Role.REFERENCE], theme.roles[Role.NEUTRAL]
    for k, (method, pixels) in enumerate(zip(found.methods, squares, strict=True)):
        left, above = GAP + k % columns * (side + GAP), GAP + k // columns * height
        image.paste(Image.fromarray(pixels), (left, above))
        sheet.write(left, above + side + line / 4, [(method.name, theme.core)])
        sheet.write(left, above + side + line * 1.2, [(counts(method), ink)])
    for (colour, words, cue), (x, y) in zip(entries, places, strict=True):
        left, above = round(x), round(top + y + 2)
        image.paste(colour, (left, above, left + SWATCH, above + SWATCH))
        if cue is not None:
            image.paste(cue, (left + 5, above + 5, left + SWATCH - 5, above + SWATCH - 5))
        sheet.write(x + SWATCH + 8, top + y, [(words, faint)])
    sheet.write(GAP, top + below + line / 2, [(scale_text(found), faint)])
    return image


def _flow(widths: list[float], room: float, line: float) -> tuple[list[tuple[float, float]], float]:
    """Return where entries of a legend stand in lines, and the height of all."""
    places, x, y = [], float(GAP), 0.0
    for width in widths:
        if x > GAP and x + SWATCH + 8 + width > room - GAP:
            x, y = float(GAP), y + line
        places.append((x, y))
        x += SWATCH + 8 + width + GAP
    return places, y + line


def counts(method: MethodMap) -> str:
    if not method.wrong:
        return "nothing wrong here"
    return f"{method.wrong:,} wrong: {method.wrong_hits:,} hits, {method.wrong_misses:,} misses"


def scale_text(found: PositionMap) -> str:
    """Return what a map shows, and its scale in scene units and in ulps, in words."""
    plane = found.plane
    scale = f"{numerals.short(plane.scale)} units = {numerals.ulps(plane.ulps)} a pixel"
    return f"{found.handle.name}, {plane.size} × {plane.size} positions, {scale}"


def png_bytes(found: PositionMap) -> bytes:
    data = BytesIO()
    map_image(found).save(data, "PNG", optimize=True)
    return data.getvalue()

"""Text in the panels: fonts, colours, alignment, and cutting to a width."""

from bisect import bisect
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from functools import lru_cache, partial
from unicodedata import category

from imgui_bundle import ImVec2, ImVec4, imgui, imgui_ctx

from hitscope import numerals
from hitscope.viewer.panels import style

INVISIBLE = ("Cc", "Cf", "Cs")
"""The Unicode categories of invisible characters: control, format, surrogate."""
PLAIN = frozenset(filter(str.isprintable, map(chr, range(128)))) | {"\n"}
"""The characters that every font has, and the line break."""
SAMPLE = "Handglove 0123"
"""A text whose width tells fonts of one size apart."""


def written(font: int | None, size: float = 0.0) -> AbstractContextManager[object]:
    """Write in a font of `style`, by default in the one before, and in a size, by default the one before."""
    return imgui_ctx.push_font(None if font is None else style.font(font), size)


small, body = partial(written, None, style.SMALL), partial(written, None, style.BODY)
bold, large = partial(written, style.BOLD), partial(written, style.BOLD, style.LARGE)
mono = partial(written, style.MONO)


def escaped(text: str) -> str:
    """The text with an escape such as \\u4e2d for each character that is invisible or has no glyph."""
    if text.isascii() and text.isprintable():
        return text
    return _escaped(text, imgui.get_font().font_id)


@lru_cache(maxsize=1024)  # the texts of a frame are those of the frame before
def _escaped(text: str, _font: int) -> str:
    font, found = imgui.get_font(), []
    for char in text:
        code = ord(char)
        if char in PLAIN or (category(char) not in INVISIBLE and font.is_glyph_in_font(code)):
            found.append(char)
        else:
            found.append(f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
    return "".join(found)


def paragraph(text: str, colour: ImVec4, room: float | None = None) -> None:
    """Draw text at the cursor, wrapped to `room` pixels, or to the width that is free there."""
    room = imgui.get_content_region_avail().x if room is None else room
    # A word that is wider than all the room is left to Dear ImGui.
    end = imgui.get_cursor_pos_x() + room
    with imgui_ctx.push_style_color(imgui.Col_.text, colour), imgui_ctx.push_text_wrap_pos(end):
        imgui.text_unformatted(wrapped(text, room))


def flow(pieces: Iterable[tuple[str, ImVec4]], room: float | None = None) -> None:
    """Draw texts side by side, each in its colour, on as many lines as they need.

    They have `room` pixels, or the width that is free at the cursor. No text is broken; one wider than the line is
    cut in its middle.
    """
    start = imgui.get_cursor_screen_pos()
    room = imgui.get_content_region_avail().x if room is None else room
    space, line = width(" "), imgui.get_text_line_height()
    x = y = 0.0
    for words, colour in pieces:
        fitted = cut_middle(words, room)
        if x + width(fitted) > room:
            x, y = 0.0, y + line
        x = draw_at(start.x + x, start.y + y, fitted, colour) - start.x + space
    imgui.dummy(ImVec2(room, y + line))


def wrapped(text: str, room: float) -> str:
    """The text with line breaks in place of spaces, so that its words fit into `room` pixels.

    Dear ImGui would also break behind a point and behind a quotation mark, be it an opening one.
    """
    return _wrapped(escaped(text), room, imgui.get_font_size(), _escaped_width(SAMPLE))


@lru_cache(maxsize=1024)  # the texts of a frame are those of the frame before
def _wrapped(text: str, room: float, *_font: float) -> str:
    lines = []
    for line in text.split("\n"):
        first, *words = line.split(" ")
        lines.append(first)
        for word in words:
            longer = f"{lines[-1]} {word}"
            if _escaped_width(longer) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
    return "\n".join(lines)


def sentence(words: str) -> str:
    """The words with a capital letter at the beginning."""
    return words[:1].upper() + words[1:]


def draw_at(x: float, y: float, text: str, colour: ImVec4) -> float:
    """Draw text with its top left corner at a pixel, and return the x of its right edge."""
    text = escaped(text)
    imgui.get_window_draw_list().add_text(ImVec2(round(x), round(y)), imgui.get_color_u32(colour), text)
    return x + _escaped_width(text)


def draw_centred(x: float, y: float, text: str, colour: ImVec4) -> None:
    draw_at(x - width(text) / 2, y, text, colour)


def draw_right_aligned(x: float, y: float, text: str, colour: ImVec4) -> float:
    """Draw text with its top right corner at a pixel, and return the x of its left edge."""
    left = x - width(text)
    draw_at(left, y, text, colour)
    return left


def width(text: str) -> float:
    return _escaped_width(escaped(text))


def _escaped_width(text: str) -> float:
    return float(imgui.calc_text_size(text).x)


def cut_end(text: str, room: float) -> str:
    """The text, its end cut if it is wider than `room` pixels."""
    text = escaped(text)
    return _longest(text, room, lambda kept: text[:kept] + "…")


def cut_middle(text: str, room: float) -> str:
    """The text, its middle cut if it is wider than `room` pixels: long names often differ only at their ends."""
    text = escaped(text)
    return _longest(text, room, lambda kept: text[: kept - kept // 2] + "…" + text[len(text) - kept // 2 :])


def pair_to_fit(first: str, sign: str, second: str, room: float) -> str:
    """Two names with a sign between them, of which long ones are cut in their middle to fit into `room` pixels."""
    room -= width(sign)
    first_room, second_room = (max(room / 2, room - width(other)) for other in (second, first))
    return cut_middle(first, first_room) + sign + cut_middle(second, second_room)


def _longest(text: str, room: float, cut: Callable[[int], str]) -> str:
    """The text if it fits, else `cut(n)` with the largest n of kept characters that fits."""
    if _escaped_width(text) <= room:
        return text
    return cut(bisect(range(1, len(text)), False, key=lambda kept: _escaped_width(cut(kept)) > room))


def cut_lines(text: str, most: int, room: float | None = None, aside: str = "") -> str:
    """As many words of the text as fit on `most` lines of `room` pixels, or of the width free at the cursor.

    Where some are cut, the last line has room for the word `aside` at its end.
    """
    text, room = escaped(text), imgui.get_content_region_avail().x if room is None else room
    height = (most + 0.5) * imgui.get_text_line_height()
    if _height(text, room) <= height:
        return text
    words = text.split(" ")

    def is_too_high(kept: int) -> bool:
        return _height(" ".join(words[:kept]) + f" …\u00a0{aside}", room) > height

    return " ".join(words[: bisect(range(1, len(words) + 1), False, key=is_too_high)]) + " …"


def _height(text: str, room: float) -> float:
    return float(imgui.calc_text_size(wrapped(text, room), False, room).y)


def number_to_fit(number_text: str, room: float) -> str:
    """The text of a number, marked with ≈ and rounded if it is wider than `room` pixels; a hex one is cut."""
    text = number_text.replace("-", "−")
    if width(text) <= room:
        return text
    if "x" in text:
        return cut_middle(text, room)
    value = float(number_text)
    texts = (f"≈{numerals.typeset(value, digits)}" for digits in range(numerals.MOST_DIGITS, 1, -1))
    return next((words for words in texts if width(words) <= room), f"≈{numerals.typeset(value, 1)}")

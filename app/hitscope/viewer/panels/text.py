"""Text in the panels: small, quiet, right-aligned, cut to fit."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unicodedata import category

from imgui_bundle import ImVec2, ImVec4, imgui

from hitscope.viewer.panels import style

UNSEEN = ("Cc", "Cf", "Cs")
"""The kinds of characters that are not to be seen: control, direction, halves of characters."""
PLAIN = frozenset(filter(str.isprintable, map(chr, range(128)))) | {"\n"}
"""What every font has, and the end of a line."""


@contextmanager
def small() -> Iterator[None]:
    """Write in the smaller size."""
    imgui.push_font(None, style.SMALL)
    yield
    imgui.pop_font()


@contextmanager
def bold(fonts: style.Fonts) -> Iterator[None]:
    """Write in bold."""
    imgui.push_font(fonts.bold, 0.0)
    yield
    imgui.pop_font()


def escaped(text: str) -> str:
    """Give a text with an escape, e.g. \\u4e2d, for each character that is not to be seen or has no glyph."""
    if text.isascii() and text.isprintable():
        return text
    font = imgui.get_font()

    def is_seen(char: str) -> bool:
        return category(char) not in UNSEEN and font.is_glyph_in_font(ord(char))

    return "".join(char if char in PLAIN or is_seen(char) else _escape(char) for char in text)


def _escape(char: str) -> str:
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def paragraph(text: str, colour: ImVec4) -> None:
    """Write in a colour, on as many lines as it takes."""
    imgui.push_style_color(imgui.Col_.text, colour)
    imgui.push_text_wrap_pos(0.0)
    imgui.text_unformatted(escaped(text))
    imgui.pop_text_wrap_pos()
    imgui.pop_style_color()


def draw_at(x: float, y: float, text: str, colour: ImVec4) -> None:
    """Write at a place of the window that is being made."""
    imgui.get_window_draw_list().add_text(ImVec2(round(x), round(y)), imgui.get_color_u32(colour), escaped(text))


def draw_centred(x: float, y: float, text: str, colour: ImVec4) -> None:
    """Write with its middle at x."""
    draw_at(x - width(text) / 2, y, text, colour)


def draw_right_aligned(x: float, y: float, text: str, colour: ImVec4) -> None:
    """Write so that it ends at x."""
    draw_at(x - width(text), y, text, colour)


def width(text: str) -> float:
    """Give how wide a text is, in pixels."""
    return _width_as_shown(escaped(text))


def _width_as_shown(text: str) -> float:
    return float(imgui.calc_text_size(text).x)


def cut_end(text: str, room: float) -> str:
    """Give the text, its end cut where it is wider than there is room for."""
    text = escaped(text)
    return _longest(text, room, lambda kept: text[:kept] + "…")


def cut_middle(text: str, room: float) -> str:
    """Give a name, its middle cut where it is too wide: long names often differ only at their ends."""
    text = escaped(text)
    return _longest(text, room, lambda kept: text[: kept - kept // 2] + "…" + text[len(text) - kept // 2 :])


def _longest(text: str, room: float, cut: Callable[[int], str]) -> str:
    """Give the text, or what is cut of it with the most characters for which there is room."""
    if _width_as_shown(text) <= room:
        return text
    fits, least = 0, len(text)
    while least - fits > 1:
        kept = (fits + least) // 2
        fits, least = (kept, least) if _width_as_shown(cut(kept)) <= room else (fits, kept)
    return cut(fits)


def cut_lines(text: str, most: int, room: float | None = None) -> str:
    """Give as much of the text as takes so many lines where it is written next, or in so much room."""
    text, room = escaped(text), imgui.get_content_region_avail().x if room is None else room
    height = (most + 0.5) * imgui.get_text_line_height()
    if imgui.calc_text_size(text, False, room).y <= height:
        return text
    words = text.split(" ")
    fits = 0
    for step in (1 << i for i in reversed(range(len(words).bit_length()))):
        cut = " ".join(words[: fits + step]) + " …"
        if fits + step <= len(words) and imgui.calc_text_size(cut, False, room).y <= height:
            fits += step
    return " ".join(words[:fits]) + " …"


def rounded_to_fit(value: float | None, room: float, most: int = 6) -> str:
    """Give a number to as many digits as there is room for; its magnitude is always told."""
    return next(
        (said for digits in range(most, 1, -1) if width(said := number(value, digits)) <= room), number(value, 1)
    )


def number_to_fit(number_text: str, room: float) -> str:
    """Give a number that is written in full, marked and rounded where there is no room for all of it."""
    text = number_text.replace("-", "−")
    if width(text) <= room:
        return text
    if "x" in text:
        return cut_middle(text, room)
    return "≈" + rounded_to_fit(float(number_text), room - width("≈"), 17)


def number(value: float | None, digits: int = 6) -> str:
    """Give a number to so many digits; what is not answered is a dash."""
    return "–" if value is None else f"{value:.{digits}g}".replace("-", "−").replace("e+", "e")

"""Text in the panels: small, quiet, right-aligned, cut to fit."""

from collections.abc import Iterator
from contextlib import contextmanager

from imgui_bundle import ImVec2, ImVec4, imgui

from hitscope.viewer import style


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


def coloured(text: str, colour: ImVec4) -> None:
    """Write in a colour, on as many lines as it takes."""
    imgui.push_style_color(imgui.Col_.text, colour)
    imgui.push_text_wrap_pos(0.0)
    imgui.text_unformatted(text)
    imgui.pop_text_wrap_pos()
    imgui.pop_style_color()


def at(x: float, y: float, text: str, colour: ImVec4) -> None:
    """Write at a place of the window that is being made."""
    imgui.get_window_draw_list().add_text(ImVec2(round(x), round(y)), imgui.get_color_u32(colour), text)


def centred_at(x: float, y: float, text: str, colour: ImVec4) -> None:
    """Write with its middle at x."""
    at(x - width(text) / 2, y, text, colour)


def right_at(x: float, y: float, text: str, colour: ImVec4) -> None:
    """Write so that it ends at x."""
    at(x - width(text), y, text, colour)


def width(text: str) -> float:
    """Give how wide a text is, in pixels."""
    return float(imgui.calc_text_size(text).x)


def fitted(text: str, room: float) -> str:
    """Give the text, its end cut where it is wider than there is room for."""
    if width(text) <= room:
        return text
    while text and width(text + "…") > room:
        text = text[:-1]
    return text + "…"


def in_lines(text: str, most: int) -> str:
    """Give as much of the text as takes so many lines where it is written next."""
    room = imgui.get_content_region_avail().x
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


def rounded(value: float | None, room: float) -> str:
    """Give a number to as many digits as there is room for, 6 at most."""
    for digits in range(6, 2, -1):
        if width(number(value, digits)) <= room:
            return number(value, digits)
    return fitted(number(value, 2), room)


def number(value: float | None, digits: int = 6) -> str:
    """Give a number to so many digits; what is not answered is a dash."""
    return "–" if value is None else f"{value:.{digits}g}".replace("-", "−")

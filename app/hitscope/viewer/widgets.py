"""What the panels are made of beside rows: headings, text fields, and choices of a few words."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from imgui_bundle import ImVec2, ImVec4, imgui

from hitscope.viewer import style, text
from hitscope.viewer.style import FAINT, QUIET, TEXT

Word = TypeVar("Word", bound=str)

TOOLTIP_WIDTH = 320
"""At most, in points."""
TOOLTIP_AWAY = 24
"""From the rows to what is told of them, in points."""


def heading(words: str, aside: str = "", colour: ImVec4 = QUIET) -> None:
    """Begin a part of a panel."""
    imgui.dummy(ImVec2(0, imgui.get_style().item_spacing.y * 1.5))
    with text.small():
        start = imgui.get_cursor_screen_pos()
        edge = start.x + imgui.get_content_region_avail().x - imgui.get_style().item_spacing.x * 0.75
        text.right_at(edge, start.y, aside, colour)
        text.coloured(words, QUIET)


def gap(lines: float = 0.5) -> None:
    """Leave so much room, in lines."""
    imgui.dummy(ImVec2(0, imgui.get_text_line_height() * lines))


@contextmanager
def tooltip(points: float) -> Iterator[None]:
    """Tell something beside the panel that the mouse is over, where there is room, else at the mouse."""
    place, width, mouse = imgui.get_window_pos(), imgui.get_window_width(), imgui.get_mouse_pos()
    whole, wide = imgui.get_io().display_size, TOOLTIP_WIDTH * points
    away = wide + TOOLTIP_AWAY * points
    low = float(mouse.y > whole.y / 2)
    if place.x > away:
        beside = ImVec2(place.x - TOOLTIP_AWAY * points, mouse.y)
        imgui.set_next_window_pos(beside, imgui.Cond_.always, ImVec2(1.0, low))
    elif whole.x - place.x - width > away:
        beside = ImVec2(place.x + width + TOOLTIP_AWAY * points, mouse.y)
        imgui.set_next_window_pos(beside, imgui.Cond_.always, ImVec2(0.0, low))
    imgui.begin_tooltip()
    imgui.push_text_wrap_pos(wide)
    yield
    imgui.pop_text_wrap_pos()
    imgui.end_tooltip()


def hint(words: str, points: float) -> None:
    """Say what the last thing is, while the mouse is over it."""
    if imgui.is_item_hovered():
        with tooltip(points):
            imgui.text_unformatted(words)


def button(words: str, points: float, says: str = "", enabled: bool = True) -> bool:
    """Make a small button and say whether it was clicked."""
    imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(8 * points, 3 * points))
    imgui.begin_disabled(not enabled)
    with text.small():
        clicked = imgui.button(words)
    imgui.end_disabled()
    imgui.pop_style_var()
    if says:
        hint(says, points)
    return bool(clicked)


def choice(key: str, options: Mapping[Word, str], chosen: Word, points: float) -> Word:
    """Make a row of words of which one is chosen, and give the one that is now; `options` is what each means."""
    room = imgui.get_content_region_avail().x
    start, height = imgui.get_cursor_screen_pos(), imgui.get_text_line_height() + 6 * points
    paper = imgui.get_window_draw_list()
    shade = imgui.get_color_u32(style.FIELD)
    paper.add_rect_filled(start, ImVec2(start.x + room, start.y + height), shade, 5 * points)
    with text.small():
        widths = [text.width(words) + 14 * points for words in options]
        more = max(room - sum(widths), 0) / len(widths)
        shrink = min(1.0, room / sum(widths))
        x = start.x
        for words, width in zip(options, widths, strict=True):
            breadth = width * shrink + more
            imgui.set_cursor_screen_pos(ImVec2(x, start.y))
            if imgui.invisible_button(f"##{key} {words}", ImVec2(breadth, height)):
                chosen = words
            if options[words]:
                hint(options[words], points)
            if words == chosen:
                grey = imgui.get_color_u32(imgui.Col_.button_hovered)
                paper.add_rect_filled(ImVec2(x, start.y), ImVec2(x + breadth, start.y + height), grey, 5 * points)
            colour = TEXT if words == chosen or imgui.is_item_hovered() else QUIET
            y = start.y + (height - imgui.get_text_line_height()) / 2
            text.centred_at(x + breadth / 2, y, text.fitted(words, breadth - 2 * points), colour)
            x += breadth
    imgui.set_cursor_screen_pos(ImVec2(start.x, start.y + height))
    imgui.dummy(ImVec2(0, 0))
    return chosen


class Entry:
    """Text fields of which each gives its text when it is left, or when Enter is pressed; Escape takes it back."""

    def __init__(self) -> None:
        self._drafts: dict[str, str] = {}
        self._active = ""

    def show(
        self,
        key: str,
        known: str,
        width: float,
        points: float,
        *,
        label: str = "",
        read_only: bool = False,
        right: bool = False,
    ) -> str | None:
        """Make a field `width` pixels wide and give what was typed into it, where that is another text.

        With `right`, the text ends at the right edge as long as nobody types.
        """
        active = key == self._active
        flags = imgui.InputTextFlags_.auto_select_all.value
        if read_only:
            flags |= imgui.InputTextFlags_.read_only.value
        imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(6 * points, 3 * points))
        imgui.set_next_item_width(width)
        unseen = right and not active
        if unseen:
            imgui.push_style_color(imgui.Col_.text, ImVec4(0, 0, 0, 0))
        changed, typed = imgui.input_text(f"##{key}", self._drafts.get(key, known), flags)
        if unseen:
            imgui.pop_style_color()
        imgui.pop_style_var()
        lo, hi = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        y = lo.y + 3 * points
        edge = 6 * points
        if label and not active:
            text.at(lo.x + edge, y, label, FAINT)
            edge += text.width(label) + 4 * points
        if unseen:
            said = text.fitted(known.replace("-", "−"), hi.x - lo.x - edge - 6 * points)
            text.right_at(hi.x - 6 * points, y, said, QUIET if read_only else TEXT)
        if changed:
            self._drafts[key] = typed
        if imgui.is_item_active():
            self._active = key
        elif active:
            self._active = ""
        if imgui.is_item_deactivated():
            draft = self._drafts.pop(key, known)
            return None if draft == known or read_only else draft
        return None


def columns(count: int, points: float) -> float:
    """Give how wide each of some fields is that stand side by side."""
    return (imgui.get_content_region_avail().x - (count - 1) * 4 * points) / count


def beside(points: float) -> None:
    """Put the next field beside the last one."""
    imgui.same_line(0, 4 * points)


def lines(words: Iterable[str], colour: ImVec4) -> None:
    """Write in the small size, a paragraph each."""
    with text.small():
        for line in words:
            text.coloured(line, colour)

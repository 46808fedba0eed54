"""A line of a list in the panel: icon, name and kind, and at the right what is known of it."""

from collections.abc import Sequence
from typing import NamedTuple

from imgui_bundle import ImVec2, ImVec4, imgui

from hitscope.viewer import style, text
from hitscope.viewer.style import FAINT, TEXT

LEAST = 36.0
"""Where there is less room, in points, the kind is left out."""


class Said(NamedTuple):
    """A few words in a colour."""

    words: str
    colour: ImVec4
    width: float = 0.0
    """In points; where it takes less, it ends where something so wide would."""


def row(
    key: str,
    name: str,
    icon: Said,
    asides: Sequence[Said],
    points: float,
    *,
    selected: bool,
    hovered: bool = False,
    quiet: bool = False,
    kind: str = "",
) -> bool:
    """Make a line and say whether it was clicked; imgui's last item is the line.

    `key` tells it from the other lines; the `kind` is cut or left out where there is no room for it. A `quiet`
    line is grey.
    """
    start = imgui.get_cursor_screen_pos()
    height = imgui.get_text_line_height_with_spacing()
    edge = start.x + imgui.get_content_region_avail().x
    if hovered and not selected:
        end = ImVec2(edge, start.y + height)
        shade = imgui.get_color_u32(imgui.Col_.header_hovered)
        imgui.get_window_draw_list().add_rect_filled(start, end, shade, 3 * points)
    clicked, _ = imgui.selectable(f"##{key}", selected, 0, ImVec2(0, height))
    y = start.y + (height - imgui.get_text_line_height()) / 2
    left, right = start.x + 24 * points, edge - 6 * points
    text.centred_at(start.x + 12 * points, y, icon.words, icon.colour)
    for aside in reversed(asides):
        text.right_at(right, y, aside.words, aside.colour)
        right -= max(text.width(aside.words), aside.width * points) + 8 * points
    fitted = text.fitted(name, right - left)
    text.at(left, y, fitted, FAINT if quiet else TEXT)
    after = left + text.width(fitted) + 8 * points
    if kind and right - after > LEAST * points:
        with text.small():
            text.at(after, y + (style.BODY - style.SMALL) * 0.8 * points, text.fitted(kind, right - after), FAINT)
    return bool(clicked)

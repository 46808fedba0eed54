"""The rows of lists in panels: icon, name and kind, captions at the right, and which rows are in sight."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from imgui_bundle import ImVec2, ImVec4, imgui

from hitscope.viewer.panels import style, text, widgets
from hitscope.viewer.panels.style import FAINT, TEXT, pixels

ICON = 24.0
"""The width of the icon, in points."""
BUTTON = 18.0
"""The width of a button over a row, in points."""
MARGIN = 6.0
"""The space at the right of the last caption, in points."""
LEAST_KIND = 36.0
"""With less space than this, in points, the kind is left out."""


class Caption(NamedTuple):
    """A short text in a colour."""

    words: str
    colour: ImVec4
    width: float = 0.0
    """The least width in points; a shorter text is right-aligned in it."""
    brief: str | None = None
    """A shorter text, used where the name would be cut otherwise."""


def rows_in_sight(count: int, also: int | None = None) -> Iterator[int]:
    """The indices of the rows in sight, of `count` rows of one height, and the index of a row to scroll to."""
    clipper = imgui.ListClipper()
    clipper.begin(count)
    if also is not None:
        clipper.include_item_by_index(also)
    while clipper.step():
        yield from range(clipper.display_start, clipper.display_end)


def row(
    key: str,
    name: str,
    icon: Caption,
    asides: Sequence[Caption],
    *,
    selected: bool,
    hovered: bool = False,
    quiet: bool = False,
    kind: str = "",
    indent: float = 0.0,
) -> bool:
    """Draw a row and return whether it was clicked; imgui's last item is the row.

    `key` is its ImGui id. A name that is cut appears in full in a tooltip; `kind` is cut or left out where there
    is no space for it. A `quiet` row is grey; `indent` is in points.
    """
    start = imgui.get_cursor_screen_pos()
    height = imgui.get_text_line_height_with_spacing()
    edge = start.x + imgui.get_content_region_avail().x
    if hovered and not selected:
        style.fill(start.x, start.y, edge - start.x, height, imgui.Col_.header_hovered, pixels(3))
    if selected:
        # Dear ImGui would draw a selected row under the mouse as one that is only hovered.
        imgui.push_style_color(imgui.Col_.header_hovered, imgui.get_style_color_vec4(imgui.Col_.header_active))
    clicked, _ = imgui.selectable(f"##{text.escaped(key)}", selected, 0, ImVec2(0, height))
    if selected:
        imgui.pop_style_color()
    y = start.y + (height - imgui.get_text_line_height()) / 2
    left, right = start.x + pixels(ICON + indent), edge - pixels(MARGIN)
    text.draw_centred(left - pixels(ICON) / 2, y, icon.words, icon.colour)
    (asides,) = fitted_alike([(name, asides)], edge - start.x - pixels(indent))
    for aside in reversed(asides):
        text.draw_right_aligned(right, y, aside.words, aside.colour)
        right -= _width(aside)
    fitted = text.cut_middle(name, right - left)
    text.draw_at(left, y, fitted, FAINT if quiet else TEXT)
    after = left + text.width(fitted) + pixels(8)
    if kind and right - after > pixels(LEAST_KIND):
        ascent = imgui.get_font_baked().ascent
        with text.small():
            baseline = y + ascent - imgui.get_font_baked().ascent
            text.draw_at(after, baseline, text.cut_end(kind, right - after), FAINT)
    if fitted != text.escaped(name) and imgui.is_item_hovered() and left <= imgui.get_mouse_pos().x < after:
        widgets.show_tooltip(name)
    return bool(clicked)


def row_button(key: str, corner: ImVec2, icon: str, meaning: str, *, is_seen: bool) -> bool:
    """Draw a button over a row that allows it, from its top right corner, and return whether it was clicked.

    It is imgui's last item, and seen under the mouse or with the focus in any case.
    """
    below, size = imgui.get_cursor_screen_pos(), ImVec2(pixels(BUTTON), imgui.get_text_line_height_with_spacing())
    start = ImVec2(corner.x - size.x - pixels(2), corner.y)
    clicked = widgets.flat_button(key, start, size, icon, meaning, has_ground=False, is_seen=is_seen)
    imgui.set_cursor_screen_pos(below)
    return clicked


def fitted_alike(rows: Sequence[tuple[str, Sequence[Caption]]], width: float) -> list[list[Caption]]:
    """The captions of the rows (name, captions) of a list `width` pixels wide.

    From the right as many of them are in brief, the same in each row, as it takes for every name to fit.
    """
    room = width - pixels(ICON + MARGIN)
    most = max((len(asides) for _, asides in rows), default=0)
    for number in range(most + 1):
        fitted = [_in_brief(asides, number) for _, asides in rows]
        if all(
            text.width(name) + sum(map(_width, own)) <= room for (name, _), own in zip(rows, fitted, strict=True)
        ):
            break
    return fitted


def _in_brief(asides: Sequence[Caption], number: int) -> list[Caption]:
    """The captions, the last `number` of them in brief."""
    kept = len(asides) - number
    return [
        aside if k < kept or aside.brief is None else aside._replace(words=aside.brief)
        for k, aside in enumerate(asides)
    ]


def _width(aside: Caption) -> float:
    """The width of a caption with the space before it, in pixels."""
    return max(text.width(aside.words), pixels(aside.width)) + pixels(8) if aside.words or aside.width else 0.0

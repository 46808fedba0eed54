"""The widgets of the panels: sections that close, buttons, text fields, choices, tooltips, rows of lists."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

from imgui_bundle import ImVec2, ImVec4, imgui, imgui_ctx
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.draw.items import Role
from hitscope.viewer.actions import appearance, command_palette
from hitscope.viewer.panels import signs, style, text
from hitscope.viewer.panels.style import ACCENT, FAINT, QUIET, TEXT, WARNING, pixels
from hitscope.viewer.state.state import State

Option = TypeVar("Option", bound=Hashable)

TOOLTIP_WIDTH, TOOLTIP_AWAY = 320, 24
"""The largest width of a tooltip, and from a panel to the one beside it, in points."""
LEAST_SEGMENT = 6.0
"""Segments that are not wider than this, in points, are left out."""
CHEVRON, SCROLLBAR = 17.0, 8.0
"""The widths of a heading's arrow and of a scrollbar in the style, in points."""
TOP = ImVec2(0, 0)
"""The scroll position of the beginning of a list."""


def section(
    state: State,
    name: str,
    aside: str = "",
    colour: ImVec4 = QUIET,
    *,
    words: str = "",
    meaning: str = "",
    adds: str = "",
) -> bool:
    """Begin a section of a panel and return whether it is open; a click on its heading opens and closes it.

    `words` are drawn instead of its name; `meaning` is the tooltip of the `aside` at the right. With `adds`, the
    tooltip of a + beside the name, a click there opens the popup "add NAME".
    """
    closed = name in state.display.closed_parts
    if heading(name, closed, words or name, aside, colour, meaning, adds):
        state.do(appearance.toggle_section, name)
    return not closed


def heading(
    key: str, closed: bool, words: str, aside: str = "", colour: ImVec4 = QUIET, meaning: str = "", adds: str = ""
) -> bool:
    """Draw the heading of a section, whose ImGui id is `key`; return whether it was clicked. See `section`."""
    imgui.dummy(ImVec2(0, imgui.get_style().item_spacing.y * 1.5))
    with text.small():
        start, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
        if adds:
            imgui.set_next_item_allow_overlap()
        size = ImVec2(room, imgui.get_text_line_height())
        clicked = imgui.invisible_button(f"##part {key}", size, style.NAVIGABLE)
        over = imgui.is_item_hovered()
        shade = TEXT if over else QUIET
        text.draw_at(start.x, start.y, icons.ICON_FA_ANGLE_RIGHT if closed else icons.ICON_FA_ANGLE_DOWN, shade)
        left, edge = start.x + pixels(CHEVRON), start.x + room - imgui.get_style().item_spacing.x * 0.75
        text.draw_right_aligned(edge, start.y, aside, colour)
        text.draw_at(left, start.y, text.cut_end(words, edge - left - text.width(aside) - pixels(8)), shade)
        if adds:
            below, corner = imgui.get_cursor_screen_pos(), ImVec2(left + text.width(words) + pixels(4), start.y)
            size = ImVec2(pixels(CHEVRON), imgui.get_text_line_height())
            if flat_button(f"add {key}", corner, size, icons.ICON_FA_PLUS, adds, has_ground=False):
                imgui.open_popup(f"add {key}")
            imgui.set_cursor_screen_pos(below)
    if over:
        show_tooltip("\n".join(filter(None, [meaning, "Click to open." if closed else "Click to close."])))
    return bool(clicked)


def arrow_steps(back: imgui.Key = imgui.Key.up_arrow, on: imgui.Key = imgui.Key.down_arrow) -> int:
    """1, -1 or 0 as one of two arrow keys is pressed, such as those that choose the next row of a list."""
    return int(imgui.is_key_pressed(on)) - int(imgui.is_key_pressed(back))


@contextmanager
def child(name: str, size: ImVec2, flags: int = 0, window_flags: int = 0) -> Iterator[None]:
    """A part of the window that scrolls; an error in it goes on as it is, which Dear ImGui's own would mask."""
    imgui.begin_child(name, size, flags, window_flags)
    yield
    imgui.end_child()


@contextmanager
def scroll_area(name: str, height: float, to_top: bool = False) -> Iterator[None]:
    """A scrolling area, with `to_top` at its beginning, whose content is as wide with a scrollbar beside it."""
    if to_top:
        imgui.set_next_window_scroll(TOP)
    room, bar = imgui.get_content_region_avail().x, pixels(SCROLLBAR - 1)
    imgui.set_next_window_content_size(ImVec2(room, 0))
    with child(name, ImVec2(room + bar, height), imgui.ChildFlags_.nav_flattened):
        yield
        imgui.dummy(TOP)  # Dear ImGui wants an item after a moved cursor


def is_line_hovered(start: ImVec2, right: float, height: float) -> bool:
    """Whether the mouse is over the rectangle from `start` to the x `right`, of this height, in pixels."""
    is_inside = imgui.is_mouse_hovering_rect(start, ImVec2(right, start.y + height), clip=False)
    return is_inside and imgui.is_window_hovered()


def vertical_space(lines: float = 0.4) -> None:
    """Leave vertical space, in lines of text."""
    imgui.dummy(ImVec2(0, imgui.get_text_line_height() * lines))


@contextmanager
def tooltip_window() -> Iterator[None]:
    """A tooltip beside the current panel where it fits, else at the mouse."""
    left, mouse, display = imgui.get_window_pos().x, imgui.get_mouse_pos(), imgui.get_io().display_size
    right, widest, away = left + imgui.get_window_width(), pixels(TOOLTIP_WIDTH), pixels(TOOLTIP_AWAY)
    is_left = left > widest + away
    if is_left or display.x - right > widest + away:
        beside = ImVec2(left - away if is_left else right + away, mouse.y)
        imgui.set_next_window_pos(beside, imgui.Cond_.always, ImVec2(is_left, mouse.y > display.y / 2))
    imgui.begin_tooltip()
    with imgui_ctx.push_text_wrap_pos(widest), text.body():
        yield
    imgui.end_tooltip()


def show_tooltip(*paragraphs: str | tuple[str, ImVec4]) -> None:
    """Show a tooltip of paragraphs, some in a colour."""
    with tooltip_window():
        room = pixels(TOOLTIP_WIDTH) - imgui.get_style().window_padding.x
        for part in paragraphs:
            words, colour = (part, TEXT) if isinstance(part, str) else part
            text.paragraph(words, colour, room)


def tooltip(words: str) -> None:
    """Show a tooltip while the mouse is over imgui's last item."""
    if imgui.is_item_hovered():
        show_tooltip(words)


@contextmanager
def lit(is_main: bool) -> Iterator[None]:
    """The colours of a button that is the main one of several."""
    if is_main:
        imgui.push_style_color(imgui.Col_.button, style.faded(ACCENT, 0.38))
        imgui.push_style_color(imgui.Col_.button_hovered, style.faded(ACCENT, 0.55))
    yield
    if is_main:
        imgui.pop_style_color(2)


def button_width(label: str) -> float:
    return text.width(label) + 2 * imgui.get_style().frame_padding.x


def command_button(state: State, name: str, label: str, *, enabled: bool = True) -> None:
    """Draw a button that runs a command, whose hint is its tooltip."""
    imgui.begin_disabled(not enabled)
    if imgui.button(label):
        state.do(command_palette.run, name)
    imgui.end_disabled()
    tooltip(state.commands.hint(name))


def tick(x: float, y: float, is_done: bool, colour: ImVec4) -> None:
    """Draw a tick at the beginning of a line of what is done, else a ring in a colour."""
    line = imgui.get_text_line_height()
    if is_done:
        text.draw_at(x, y, icons.ICON_FA_CIRCLE_CHECK, style.role(Role.HIT))
    else:
        radius = 0.36 * line
        middle = ImVec2(x + radius + 1, y + line / 2)
        imgui.get_window_draw_list().add_circle(middle, radius, imgui.get_color_u32(colour), 0, pixels(1.5))


def button(label: str, meaning: str = "", enabled: bool = True, *, main: bool = False) -> bool:
    """Draw a small button with an optional tooltip, and return whether it was clicked; a `main` one is lit."""
    padding = ImVec2(pixels(8), pixels(3))
    imgui.begin_disabled(not enabled)
    with imgui_ctx.push_style_var(imgui.StyleVar_.frame_padding, padding), lit(main), text.small():
        clicked = imgui.button(label)
    imgui.end_disabled()
    if meaning:
        tooltip(meaning)
    return bool(clicked)


def flat_button(
    key: str,
    corner: ImVec2,
    size: ImVec2,
    label: str,
    meaning: str,
    *,
    enabled: bool = True,
    is_on: bool = False,
    colour: ImVec4 | None = None,
    has_ground: bool = True,
    is_seen: bool = True,
) -> bool:
    """Draw a button without a frame, lit under the mouse and while it is on, and return whether it was clicked.

    What it is lit by is its ground or, if it has none, only its colour. One that is not seen is so under the mouse
    or with the focus.
    """
    imgui.set_cursor_screen_pos(corner)
    clicked = imgui.invisible_button(f"##{key}", size, style.NAVIGABLE) and enabled
    tooltip(meaning)
    lit = enabled and (is_on or imgui.is_item_hovered())
    if lit and has_ground:
        shade = imgui.Col_.button if is_on else imgui.Col_.header_hovered
        style.fill(corner.x, corner.y, size.x, size.y, shade, pixels(4))
    colour = style.faded(FAINT, 0.5) if not enabled else colour or (TEXT if lit else QUIET)
    if is_seen or imgui.is_item_hovered() or imgui.is_item_focused():
        y = corner.y + (size.y - imgui.get_text_line_height()) / 2
        text.draw_at(corner.x + (size.x - text.width(label)) / 2, y, label, colour)
    return bool(clicked)


def resize_edge(
    state: State, panel: str, corner: ImVec2, size: ImVec2, far: float, least: float, *, at_end: bool = False
) -> None:
    """Draw the edge by which a panel is resized, at the beginning of a strip or at its end.

    A drag makes the panel reach from the pixel `far` of its other edge to the mouse, but at least `least` points.
    A double click resets it.
    """
    imgui.set_cursor_screen_pos(corner)
    imgui.invisible_button(f"##{panel} edge", size)
    active, hovered, is_upright = imgui.is_item_active(), imgui.is_item_hovered(), size.y > size.x
    if active or hovered:
        imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew if is_upright else imgui.MouseCursor_.resize_ns)
    x, y = (corner.x + (size.x - 1) * at_end, corner.y) if is_upright else (corner.x, corner.y)
    end_x, end_y = (x, corner.y + size.y) if is_upright else (corner.x + size.x, y)
    style.line(x, y, end_x, end_y, ACCENT if active or hovered else style.LINE, pixels(1) if active else 1)
    if hovered and imgui.is_mouse_double_clicked(0):
        state.do(appearance.set_panel_width, panel, None)
    elif active and imgui.is_mouse_dragging(0):
        mouse = imgui.get_mouse_pos()
        wanted = ((mouse.x if is_upright else mouse.y) - far) * (1 if at_end else -1) / pixels(1)
        state.do(appearance.set_panel_width, panel, max(float(round(wanted)), least))


def segments(first: float, last: float, y: float, colours: Sequence[ImVec4]) -> None:
    """Draw a thin segment in each of the colours, side by side from `first` to `last`, unless they were tiny."""
    part = (last - first) / len(colours)
    for i, colour in enumerate(colours if part > pixels(LEAST_SEGMENT) else ()):
        style.fill(first + i * part, y - pixels(1.5), part - pixels(3), pixels(3), colour, pixels(1.5))


def choice(
    key: str,
    options: Mapping[Option, str],
    chosen: Option,
    width: float | None = None,
    labels: Mapping[Option, str] = {},
) -> Option:
    """Draw options side by side, of which one is chosen, and return the one chosen after this frame.

    `options` maps each to its tooltip, `labels` to its words where it is none; `width` is in pixels.
    """
    room = imgui.get_content_region_avail().x if width is None else width
    start, height = imgui.get_cursor_screen_pos(), imgui.get_text_line_height() + pixels(6)
    style.fill(start.x, start.y, room, height, style.FIELD, pixels(5))
    with text.small():
        written = {option: labels.get(option, str(option)) for option in options}
        widths = {option: text.width(text.sentence(words)) + pixels(14) for option, words in written.items()}
        extra, shrink = max(room - sum(widths.values()), 0) / len(widths), min(1.0, room / sum(widths.values()))
        x = start.x
        for option, words in written.items():
            breadth = widths[option] * shrink + extra
            imgui.set_cursor_screen_pos(ImVec2(x, start.y))
            if imgui.invisible_button(f"##{key} {words}", ImVec2(breadth, height), style.NAVIGABLE):
                chosen = option
            if options[option]:
                tooltip(options[option])
            if option == chosen:
                style.fill(x, start.y, breadth, height, imgui.Col_.button_hovered, pixels(5))
            colour = TEXT if option == chosen or imgui.is_item_hovered() else QUIET
            y = start.y + (height - imgui.get_text_line_height()) / 2
            fitted = text.cut_end(text.sentence(words), breadth - pixels(2))
            text.draw_centred(x + breadth / 2, y, fitted, colour)
            x += breadth
    imgui.set_cursor_screen_pos(ImVec2(start.x, start.y + height))
    imgui.dummy(TOP)
    return chosen


def dropdown(
    key: str, options: Mapping[Option, str], chosen: Option, width: float, impossible: Collection[Option] = ()
) -> Option:
    """Draw a box `width` pixels wide that opens the options, and return the one chosen after this frame.

    `options` maps each to its label; those that are `impossible` are grey.
    """
    start = imgui.get_cursor_screen_pos()
    imgui.set_next_item_width(width)
    with (
        imgui_ctx.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(pixels(6), pixels(3))),
        imgui_ctx.push_style_var(imgui.StyleVar_.window_padding, ImVec2(pixels(6), pixels(6))),
    ):
        opened = imgui.begin_combo(f"##{key}", options[chosen], imgui.ComboFlags_.no_arrow_button.value)
    if opened:
        for option, label in options.items():
            flags = imgui.SelectableFlags_.disabled.value if option in impossible else 0
            if imgui.selectable(f"{label}##{key} {option}", option == chosen, flags)[0]:
                chosen = option
        if imgui.is_key_pressed(imgui.Key.escape):
            imgui.close_current_popup()
        imgui.end_combo()
    text.draw_right_aligned(start.x + width - pixels(6), start.y + pixels(3), icons.ICON_FA_CARET_DOWN, QUIET)
    return chosen


class TextField:
    """Text fields that return an edit when they lose the keyboard or Enter is pressed; Escape reverts it."""

    def __init__(self) -> None:
        self._drafts: dict[str, str] = {}
        self._active = ""

    def show(
        self,
        key: str,
        known: str,
        width: float,
        *,
        label: str = "",
        read_only: bool = False,
        right: bool = False,
        refused: str | None = None,
        font: imgui.ImFont | None = None,
        lines: int = 1,
    ) -> str | None:
        """Draw a field `width` pixels wide with the ImGui id `key` and return the text typed, if it is a new one.

        With `right`, the text is a number and is right-aligned while it is not edited. A `refused` text stays in
        the field; Escape brings `known` back. With several `lines` Ctrl+Enter begins a new one.
        """
        active, current = key == self._active, known if refused is None else refused
        flags = imgui.InputTextFlags_.auto_select_all.value
        if read_only:
            flags |= imgui.InputTextFlags_.read_only.value
        imgui.set_next_item_width(width)
        redrawn, padding = right and not active, ImVec2(pixels(6), pixels(3))
        shade = ImVec4(0, 0, 0, 0) if redrawn else TEXT if refused is None else WARNING
        draft = self._drafts.get(key, current)
        with (
            imgui_ctx.push_style_var(imgui.StyleVar_.frame_padding, padding),
            imgui_ctx.push_style_color(imgui.Col_.text, shade),
            imgui_ctx.push_font(font, 0.0),
        ):
            if lines > 1:
                flags |= imgui.InputTextFlags_.ctrl_enter_for_new_line | imgui.InputTextFlags_.word_wrap
                size = ImVec2(width, lines * imgui.get_text_line_height() + pixels(6))
                changed, typed = imgui.input_text_multiline(f"##{key}", draft, size, flags)
            else:
                changed, typed = imgui.input_text(f"##{key}", draft, flags)
            lo, hi = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            y, room = lo.y + pixels(3), hi.x - lo.x - pixels(12)
            if redrawn:
                if refused is None:
                    words = text.number_to_fit(known, room - _label_width(label))
                    colour = QUIET if read_only else TEXT
                else:
                    words, colour = text.cut_end(refused, room), WARNING
                room = text.draw_right_aligned(hi.x - pixels(6), y, words, colour) - lo.x - pixels(6)
        if label and not active and _label_width(label) <= room + 1:
            text.draw_at(lo.x + pixels(6), y, label, FAINT)
        if changed:
            self._drafts[key] = typed
        if imgui.is_item_active():
            self._active = key
        elif active:
            self._active = ""
        if imgui.is_item_deactivated():
            draft = self._drafts.pop(key, current)
            if refused is not None and imgui.is_key_pressed(imgui.Key.escape):
                return known
            return None if draft == current or read_only else draft
        return None


def _label_width(label: str) -> float:
    return text.width(label) + pixels(4) if label else 0.0


def paragraphs(words: Iterable[str], colour: ImVec4) -> None:
    """Draw wrapped paragraphs in the small font."""
    with text.small():
        for line in words:
            text.paragraph(line, colour)


ICON, BUTTON, MARGIN = 24.0, 18.0, 6.0
"""The widths of the icon, of a button over a row, and of the space at the right of the last caption, in points."""
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


def sign_of(hit: bool) -> Caption:
    return Caption(signs.HIT, style.role(Role.HIT)) if hit else Caption(signs.MISS, style.role(Role.MISS))


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
    # Dear ImGui would draw a selected row under the mouse as one that is only hovered.
    shade = imgui.get_style_color_vec4(imgui.Col_.header_active if selected else imgui.Col_.header_hovered)
    with imgui_ctx.push_style_color(imgui.Col_.header_hovered, shade):
        clicked, _ = imgui.selectable(f"##{text.escaped(key)}", selected, 0, ImVec2(0, height))
    y = start.y + (height - imgui.get_text_line_height()) / 2
    left, right = start.x + pixels(ICON + indent), edge - pixels(MARGIN)
    text.draw_centred(left - pixels(ICON) / 2, y, icon.words, icon.colour)
    (asides,) = fitted_alike([(name, asides)], edge - start.x - pixels(indent))
    for aside in reversed(asides):
        text.draw_right_aligned(right, y, aside.words, aside.colour)
        right -= _width(aside)
    fitted = text.cut_middle(name, right - left)
    after = text.draw_at(left, y, fitted, FAINT if quiet else TEXT) + pixels(8)
    if kind and right - after > pixels(LEAST_KIND):
        ascent = imgui.get_font_baked().ascent
        with text.small():
            baseline = y + ascent - imgui.get_font_baked().ascent
            text.draw_at(after, baseline, text.cut_end(kind, right - after), FAINT)
    if fitted != text.escaped(name) and imgui.is_item_hovered() and left <= imgui.get_mouse_pos().x < after:
        show_tooltip(name)
    return bool(clicked)


def row_button(key: str, corner: ImVec2, icon: str, meaning: str, *, is_seen: bool) -> bool:
    """Draw a button over a row that allows it, from its top right corner, and return whether it was clicked.

    It is imgui's last item, and seen under the mouse or with the focus in any case.
    """
    below, size = imgui.get_cursor_screen_pos(), ImVec2(pixels(BUTTON), imgui.get_text_line_height_with_spacing())
    start = ImVec2(corner.x - size.x - pixels(2), corner.y)
    clicked = flat_button(key, start, size, icon, meaning, has_ground=False, is_seen=is_seen)
    imgui.set_cursor_screen_pos(below)
    return clicked


def fitted_alike(rows: Sequence[tuple[str, Sequence[Caption]]], width: float) -> list[list[Caption]]:
    """The captions of the rows (name, captions) of a list `width` pixels wide.

    From the right as many of them are in brief, the same in each row, as it takes for every name to fit.
    """
    room = width - pixels(ICON + MARGIN)
    for number in range(max((len(asides) for _, asides in rows), default=0) + 1):
        fitted = [
            [_in_brief(aside) if k >= len(asides) - number else aside for k, aside in enumerate(asides)]
            for _, asides in rows
        ]
        widths = (text.width(name) + sum(map(_width, own)) for (name, _), own in zip(rows, fitted, strict=True))
        if all(width <= room for width in widths):
            break
    return fitted


def _in_brief(aside: Caption) -> Caption:
    return aside if aside.brief is None else aside._replace(words=aside.brief)


def _width(aside: Caption) -> float:
    """The width of a caption with the space before it, in pixels."""
    return max(text.width(aside.words), pixels(aside.width)) + pixels(8) if aside.words or aside.width else 0.0

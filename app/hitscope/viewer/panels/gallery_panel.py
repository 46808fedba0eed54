"""The gallery dialog: the scenes that ship with hitscope, and the user's own, as cards grouped by theme."""

from functools import lru_cache
from itertools import groupby, islice
from operator import attrgetter

from imgui_bundle import ImVec2, ImVec4, imgui, imgui_ctx
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.draw.items import Role
from hitscope.resources import SCENES
from hitscope.viewer.actions import cancel, opening, saving
from hitscope.viewer.panels import signs, style, text, widgets
from hitscope.viewer.panels.command_bar import UNSAVED
from hitscope.viewer.panels.gui import Gui
from hitscope.viewer.panels.style import FAINT, LINE, PANEL, QUIET, TEXT, WARNING, pixels
from hitscope.viewer.state.dialogs import Gallery
from hitscope.viewer.state.gallery import OWN, Example, name_of
from hitscope.viewer.state.inputs import SceneSurveyed
from hitscope.viewer.state.state import State

CARD_WIDTH, TEXT_HEIGHT, GAP = 212.0, 114.0, 12.0
"""The smallest width of a card, the height below its picture, and the space between two, in points."""
MOST_COLUMNS = 6
"""Most themes have no more scenes."""
PICTURE_RATIO = 120 / 212
"""The height of a card's picture over its width; the thumbnails themselves are 8 to 5."""
MOST_OWN = 10
"""The number of the user's scenes that are shown, unless they are searched."""
TITLE_LINES = 2
PLACEHOLDER = 2.5
"""The size of the sign on a card without a picture, as a multiple of the font's."""


def show(state: State, gui: Gui, dialog: Gallery) -> None:
    do = state.do
    with text.bold():
        imgui.text_unformatted("Gallery")
    imgui.same_line(0, pixels(18))
    imgui.set_next_item_width(min(pixels(260), 0.4 * state.display.size[0]))
    if imgui.is_window_appearing():
        imgui.set_keyboard_focus_here()
    with imgui_ctx.push_style_color(imgui.Col_.frame_bg, PANEL):
        changed, typed = imgui.input_text_with_hint("##sought", "Search", dialog.typed)
    if changed:
        do(saving.type_text, dialog, typed)
    entered = imgui.is_item_focused() and imgui.is_key_pressed(imgui.Key.enter)
    sought = typed.casefold().split()
    found = [example for example in dialog.all if all(word in _words_of(example) for word in sought)]
    present = next((example for example in found if not example.missing), None)
    if entered and present is None:
        imgui.set_keyboard_focus_here(-1)
    imgui.same_line(0, pixels(12))
    if imgui.button("Close"):
        do(cancel.cancel_dialog, dialog)
    widgets.tooltip("Close the gallery (Esc).")
    if entered and sought and present is not None:
        do(opening.open_example, present.path)
    if changed:
        imgui.set_next_window_scroll(widgets.TOP)
    with widgets.child("cards", widgets.TOP, imgui.ChildFlags_.nav_flattened):
        for theme, examples in groupby(found, attrgetter("theme")):
            imgui.dummy(ImVec2(0, pixels(4)))
            with text.bold():
                text.paragraph(theme, TEXT)
            most = MOST_OWN if theme == OWN and not sought else None
            _cards(state, gui, list(islice(examples, most)))
        if not found:
            text.paragraph("No scene matches", QUIET)


@lru_cache(maxsize=1024)  # every frame asks for those of all examples
def _words_of(example: Example) -> str:
    """The text in which an example is searched."""
    path = example.path
    file = (path.relative_to(SCENES) if path.is_relative_to(SCENES) else path).as_posix()
    return f"{example.theme} {example.name} {example.line} {file}".casefold()


def _cards(state: State, gui: Gui, examples: list[Example]) -> None:
    room = imgui.get_content_region_avail().x
    gap = pixels(GAP)
    columns = min(max(int((room + gap) / (pixels(CARD_WIDTH) + gap)), 1), MOST_COLUMNS)
    width = (room - gap * (columns - 1)) / columns
    height = PICTURE_RATIO * width + pixels(TEXT_HEIGHT)
    start = imgui.get_cursor_screen_pos()
    for i, example in enumerate(examples):
        corner = ImVec2(start.x + i % columns * (width + gap), start.y + i // columns * (height + gap))
        imgui.set_cursor_screen_pos(corner)
        imgui.begin_disabled(example.missing)
        if imgui.invisible_button(f"{example.theme}##{example.path}", ImVec2(width, height), style.NAVIGABLE):
            state.do(opening.open_example, example.path)
        if imgui.is_item_visible():
            finding = state.dialogs.findings.get(example.path)
            _card(gui, example, finding, corner, ImVec2(corner.x + width, corner.y + height))
            if name_of(example.path) in state.messages.lessons.solved:
                _solved(corner)
        imgui.end_disabled()
    rows = -(-len(examples) // columns)
    imgui.set_cursor_screen_pos(ImVec2(start.x, start.y + rows * (height + gap)))
    imgui.dummy(ImVec2(0, 0))


def _card(gui: Gui, example: Example, finding: SceneSurveyed | None, start: ImVec2, end: ImVec2) -> None:
    hovered, draw, rounding = imgui.is_item_hovered(), imgui.get_window_draw_list(), pixels(5)
    bottom = start.y + PICTURE_RATIO * (end.x - start.x)
    draw.add_rect_filled(start, end, imgui.get_color_u32(PANEL), rounding)
    if finding is not None and finding.thumbnail is not None:
        _picture(gui.image(finding.thumbnail), start, ImVec2(end.x, bottom))
    else:
        sign, size = icons.ICON_FA_CUBES, PLACEHOLDER * imgui.get_font_size()
        wide = PLACEHOLDER * text.width(sign)
        corner = ImVec2((start.x + end.x - wide) / 2, (start.y + bottom - size) / 2)
        draw.add_text(imgui.get_font(), size, corner, imgui.get_color_u32(LINE), sign)
    draw.add_rect(start, end, imgui.get_color_u32(style.ACCENT if hovered else LINE), rounding)
    pad = pixels(10)
    left, top, width = start.x + pad, bottom + 0.8 * pad, end.x - start.x - 2 * pad
    icon, colour, meaning = _sign(example, finding)
    text.draw_right_aligned(end.x - pad, top, icon, colour)
    room = width - pixels(22)
    title = f"{UNSAVED} {example.name}" if example.unsaved else example.name
    name = text.cut_lines(title, TITLE_LINES, room)
    y = _draw_wrapped(name, ImVec2(left, top), TEXT, room) + 0.4 * pad
    problem = "" if finding is None else finding.problem
    line = _line(example, problem)
    with text.small():
        shown = text.cut_lines(line, int((end.y - 0.5 * pad - y) // imgui.get_text_line_height()), width)
        _draw_wrapped(shown, ImVec2(left, y), colour if problem else QUIET, width)
    mouse = imgui.get_mouse_pos()
    if hovered and meaning and mouse.x > left + room and top <= mouse.y < top + imgui.get_text_line_height():
        widgets.show_tooltip(meaning)
    elif hovered and (name != text.escaped(title) or shown != text.escaped(line)):
        widgets.show_tooltip(f"{example.name}\n{line}")


def _draw_wrapped(words: str, corner: ImVec2, colour: ImVec4, room: float) -> float:
    """Draw text on `room` pixels and return the y below it."""
    words, font, size = text.wrapped(words, room), imgui.get_font(), imgui.get_font_size()
    imgui.get_window_draw_list().add_text(font, size, corner, imgui.get_color_u32(colour), words, room)
    return corner.y + float(imgui.calc_text_size(words, False, room).y)


def _solved(corner: ImVec2) -> None:
    """Draw the mark of a lesson that was solved into the corner of its picture."""
    with text.small():
        words, line = "Solved", imgui.get_text_line_height()
        x, y = corner.x + pixels(14), corner.y + pixels(11)
        wide = pixels(18) + text.width(words) + pixels(13)
        style.fill(x - pixels(6), y - pixels(3), wide, line + pixels(6), style.LABEL, pixels(4))
        text.draw_at(x, y, signs.SOLVED, style.role(Role.HIT))
        text.draw_at(x + pixels(18), y, words, TEXT)


def _picture(image: int, start: ImVec2, end: ImVec2) -> None:
    """Fill a rectangle with the central part of a thumbnail."""
    ratio = (end.x - start.x) / (end.y - start.y) / (8 / 5)
    aside, above = max(0.0, 1 - ratio) / 2, max(0.0, 1 - 1 / ratio) / 2
    corners = ImVec2(aside, above), ImVec2(1 - aside, 1 - above)
    imgui.get_window_draw_list().add_image(imgui.ImTextureRef(image), start, end, *corners)


def _line(example: Example, problem: str) -> str:
    """The words below the name; of the user's own scene its file and whether that is up to date, too."""
    words = problem or example.line
    if example.theme != OWN:
        return words
    path = example.path
    file = path.name if path.name != example.name else ""
    how = "not saved" if example.unsaved else f"no longer in {path.parent}" if example.missing else ""
    head = f"{file}, {how}" if file and how else file or text.sentence(how)
    return "\n".join(filter(None, [head, words]))


def _sign(example: Example, finding: SceneSurveyed | None) -> tuple[str, ImVec4, str]:
    """The sign of a card, its colour and its meaning."""
    if finding is None and example.theme == OWN:
        return "", FAINT, ""
    if finding is None:
        return icons.ICON_FA_ELLIPSIS, FAINT, "Its checks have not run yet."
    if finding.fails:
        return signs.FAILS, style.role(Role.MISS), "A check of it fails."
    if finding.problem:
        return signs.PROBLEM, WARNING, "It cannot be shown."
    return signs.HOLDS, QUIET, "All its checks hold."

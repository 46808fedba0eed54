"""The help dialog, which lists every key and mouse gesture."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from imgui_bundle import ImVec2, imgui

from hitscope.viewer.actions import cancel, clipboard, command_palette
from hitscope.viewer.panels import gui, modal, text, widgets
from hitscope.viewer.panels.style import QUIET, TEXT, pixels
from hitscope.viewer.state import dialogs, rebinding
from hitscope.viewer.state.state import Commands, State

GROUPS = (
    *("Mouse", "Camera", "While flying", "New", "Move", "While dragging", "Files", "Window", "Lists", "Panels"),
    *("Pair", "While stepping", "Lesson", "Review", "Select and edit"),
)
"""The headings of commands and gestures, in the order in which they fill the columns."""
COLUMN, KEYS_WIDTH = 290, 112
"""The width of a column, and of the keys inside one, in points."""
GAP = 0.6
"""Between two groups, in lines."""
HIGHEST = 0.86
"""The largest part of the window's height that the help takes; it scrolls."""
ARROWS = {"Arrows": ("Left", "Right", "Up", "Down"), "PageUp/Down": ("PageUp", "PageDown")}
"""Groups of keys that are written as one word if all of them have the same function."""


class HelpLine(NamedTuple):
    """A line of the help: keys or gestures, and what they do."""

    keys: tuple[str, ...]
    description: str
    names: tuple[str, ...] = ()
    """The commands' names in the settings file."""


def grouped_lines(commands: Commands) -> dict[str, list[HelpLine]]:
    """Every key and gesture of the user, by group; bindings that do the same share a line."""
    found: dict[str, dict[str, HelpLine]] = {group: {} for group in GROUPS}
    lines = [(gesture.when, HelpLine(gesture.keys, gesture.description)) for gesture in commands.gestures]
    for command in commands.all:
        if command.keys:
            lines.append((command.group, HelpLine(command.keys, command.label, (command.name,))))
    for group, line in lines:
        before = found[group].get(line.description, HelpLine((), line.description))
        names = tuple(dict.fromkeys((*before.names, *line.names)))
        found[group][line.description] = HelpLine((*before.keys, *line.keys), line.description, names)
    return {group: list(alike.values()) for group, alike in found.items() if alike}


def keys_text(keys: tuple[str, ...]) -> str:
    """The keys as one text, comma-separated; a full set of `ARROWS` is written as its word."""
    left = list(dict.fromkeys(keys))
    for word, several in ARROWS.items():
        for before in dict.fromkeys(others.removesuffix(others.split("+")[-1]) for others in keys):
            whole = [before + one for one in several]
            if set(whole) <= set(left):
                left[left.index(whole[0])] = before + word
                left = [others for others in left if others not in whole]
    return ", ".join(map(rebinding.display_keys, left))


def show(state: State, _: gui.Gui, dialog: dialogs.Help) -> None:
    groups, settings_path = grouped_lines(state.commands), state.host.settings_path
    width, height = state.display.size
    across = max(1, min(4, int((width - pixels(60)) // pixels(COLUMN))))
    wide = across * pixels(COLUMN)
    heights = {group: _height(lines) for group, lines in groups.items()}
    columns = _in_columns(heights, across)
    with text.bold():
        imgui.text_unformatted("Keys and mouse")
    widgets.vertical_space(GAP / 2)
    around = imgui.get_frame_height_with_spacing() * 2.5 + pixels(30)
    highest = max(HIGHEST * height - around, 3 * imgui.get_text_line_height())
    longest = max(sum(heights[group] for group in column) for column in columns)
    where = f"the settings file, {settings_path}," if settings_path else "the settings file"
    about = f'To change keys, edit "bindings" in {where} by the command names that appear under the mouse.'
    below = _paragraph_height(about, wide - imgui.get_style().scrollbar_size)
    with widgets.child("keys", ImVec2(wide, min(longest + below, highest))):
        _scroll()
        start = imgui.get_cursor_screen_pos()
        for i, column in enumerate(columns):
            imgui.set_cursor_screen_pos(ImVec2(start.x + i * pixels(COLUMN), start.y))
            imgui.begin_group()
            for group in column:
                with text.bold():
                    imgui.text_unformatted(group)
                for line in groups[group]:
                    _line(line)
                widgets.vertical_space(GAP)
            imgui.end_group()
        imgui.set_cursor_screen_pos(ImVec2(start.x, start.y + longest))
        text.paragraph(about, QUIET)
    steps = state.commands["first_steps"].label, command_palette.run, "first_steps"
    copy = [("Copy settings path", clipboard.copy_text, str(settings_path))] if settings_path else []
    modal.answers(state, ("Close", cancel.cancel_dialog, dialog), steps, *copy)


def _scroll() -> None:
    """Scroll the current window by the keys, with which Dear ImGui would move between the buttons."""
    line = imgui.get_text_line_height_with_spacing()
    page, whole = imgui.get_window_height() - line, imgui.get_scroll_max_y()
    for back, on, by in (
        (imgui.Key.up_arrow, imgui.Key.down_arrow, line),
        (imgui.Key.page_up, imgui.Key.page_down, page),
        (imgui.Key.home, imgui.Key.end, whole),
    ):
        if steps := widgets.arrow_steps(back, on):
            imgui.set_scroll_y(min(max(imgui.get_scroll_y() + steps * by, 0.0), whole))


def _paragraph_height(words: str, width: float) -> float:
    return float(imgui.calc_text_size(words, False, width).y) + imgui.get_style().item_spacing.y


def _height(lines: Iterable[HelpLine]) -> float:
    """The height of a group with its title and the gap below, in pixels."""
    keys = (_paragraph_height(keys_text(line.keys), pixels(KEYS_WIDTH - 8)) for line in lines)
    others = (_paragraph_height(line.description, pixels(COLUMN - 20 - KEYS_WIDTH)) for line in lines)
    around = imgui.get_text_line_height() * (1 + GAP) + 2 * imgui.get_style().item_spacing.y
    return sum(map(max, keys, others)) + around


def _line(line: HelpLine) -> None:
    """Draw keys and their description side by side, each wrapped."""
    start, top = imgui.get_cursor_pos_x(), imgui.get_cursor_pos_y()
    left, width, bottom = pixels(KEYS_WIDTH), pixels(COLUMN - 20), top
    columns = (0.0, left - pixels(8), keys_text(line.keys), TEXT), (left, width, line.description, QUIET)
    imgui.begin_group()
    for x, end, words, colour in columns:
        imgui.set_cursor_pos(ImVec2(start + x, top))
        text.paragraph(words, colour, end - x)
        bottom = max(bottom, imgui.get_cursor_pos_y())
    imgui.end_group()
    if line.names and imgui.is_item_hovered():
        imgui.set_tooltip("\n".join(line.names))
    imgui.set_cursor_pos(ImVec2(start, bottom))


def _in_columns(heights: Mapping[str, float], across: int) -> list[list[str]]:
    """The groups in at most `across` columns, in their order, with the longest column as short as possible."""
    limit, columns = max(heights.values()), [[""]] * (across + 1)
    while len(columns) > across:
        columns = [[]]
        for group, height in heights.items():
            if sum(heights[other] for other in columns[-1]) + height > limit:
                columns.append([])
            columns[-1].append(group)
        limit *= 1.03
    return columns

"""The search of commands by what people call them, with the keys beside."""

from imgui_bundle import ImVec2, imgui

from hitscope.viewer.actions import command_palette
from hitscope.viewer.panels import text, widgets
from hitscope.viewer.panels.list_row import Caption, row
from hitscope.viewer.panels.modal import just_appeared, modal
from hitscope.viewer.panels.style import FAINT, QUIET, pixels
from hitscope.viewer.state.dialogs import Palette
from hitscope.viewer.state.rebinding import display_keys
from hitscope.viewer.state.state import Command, State

WIDTH = 460.0
"""The width of the list, in points."""
ROWS = 12
"""The number of rows that are visible."""


def show(state: State) -> None:
    with modal(state, "Commands", Palette) as palette:
        if palette is None:
            return
        found = state.commands.matching(palette.typed)
        width = min(pixels(WIDTH), 0.8 * state.display.size[0])
        imgui.set_next_item_width(width)
        if just_appeared("search"):
            imgui.set_keyboard_focus_here()
        changed, typed = imgui.input_text_with_hint("##command", state.commands["palette"].label, palette.typed)
        if changed:
            state.do(command_palette.type_text, palette, typed)
        _follow_keys(state, palette, found)
        height = imgui.get_text_line_height_with_spacing() + imgui.get_style().item_spacing.y
        imgui.begin_child("found", ImVec2(width, ROWS * height))
        for i, command in enumerate(found):
            _row(state, command, i == palette.chosen)
            if i == palette.chosen and (changed or widgets.arrow_steps()):
                imgui.set_scroll_here_y()
        if not found:
            text.paragraph("No command matches", QUIET)
        imgui.end_child()


def _follow_keys(state: State, palette: Palette, found: list[Command]) -> None:
    """Choose by the arrow keys, and run the chosen command by Enter."""
    if found and (by := widgets.arrow_steps()):
        state.do(command_palette.choose, palette, (palette.chosen + by) % len(found))
    if imgui.is_key_pressed(imgui.Key.enter):
        if found:
            state.do(command_palette.run, found[palette.chosen].name)
        else:
            imgui.set_keyboard_focus_here(-1)


def _row(state: State, command: Command, chosen: bool) -> None:
    keys = ", ".join(map(display_keys, command.keys))
    asides = [Caption(command.group, FAINT, brief=""), Caption(keys, QUIET)]
    quiet = not command.is_possible(state)
    label = command.label
    if row(command.name, label, Caption("", FAINT), asides, selected=chosen, quiet=quiet):
        state.do(command_palette.run, command.name)
    widgets.tooltip(command.tooltip)

"""The menus: of all commands by group, of what can be added, of the selection; and the search of commands."""

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from typing import Final

from imgui_bundle import ImVec2, imgui, imgui_ctx

from hitscope.viewer.actions import command_palette
from hitscope.viewer.panels import gui, modal, text, widgets
from hitscope.viewer.panels.style import FAINT, QUIET, pixels
from hitscope.viewer.panels.widgets import Caption, row
from hitscope.viewer.state import dialogs, rebinding
from hitscope.viewer.state.state import Command, State

NEW: Final = "New"
"""The group of the commands that add a shape."""
SEPARATOR: Final = ""
WIDEST, PALETTE_WIDTH = 220.0, 460.0
"""The width at which a name over the menu is cut, and that of the list of commands that are found, in points."""
ROWS = 12
"""The number of commands that are found and visible."""
ON_SELECTION: Final = (
    *("step_through", SEPARATOR, "frame_selection", "isolate", "hide", SEPARATOR),
    *("move", "rotate", "scale", SEPARATOR),
    *("exchange", "toggle_enabled", "duplicate", SEPARATOR, "cut", "copy", "paste", "copy_as_test", "delete"),
)
"""The names of the commands in the menu of the selection."""
ON_NOTHING: Final = (
    *("paste", "paste_numbers", "select_all", "select_by_box", SEPARATOR),
    *("frame_all", "show_all", "toggle_grid"),
)
"""The names of the commands in the menu of the empty space, below those that add a shape."""
ON_VIEW: Final = (
    *("toggle_grid", "toggle_labels", "toggle_nearest_only", SEPARATOR),
    *("orthographic", "toggle_up", "frame_all", "frame_selection", SEPARATOR),
    *("toggle_theme", "toggle_palette", "enlarge", "reduce", "reset_scale", SEPARATOR),
    *("toggle_panels", "full_screen", "picture_rate"),
)
"""The names of the commands in the menu of how the scene and the window are shown."""


def item(state: State, command: Command) -> None:
    """Draw a row of a menu: a command with its first keys, grey where it would do nothing, ticked if it is on."""
    keys = rebinding.display_keys(command.keys[0]) if command.keys else ""
    is_on = command.is_on is not None and command.is_on(state)
    if imgui.menu_item(command.label, keys, is_on, command.is_possible(state))[0]:
        state.do(command_palette.run, command.name)
    widgets.tooltip(command.tooltip)


def items(state: State, names: Iterable[str]) -> None:
    for name in names:
        if name == SEPARATOR:
            imgui.separator()
        else:
            item(state, state.commands[name])


def group_items(state: State, group: str, section: str | None = None) -> None:
    """Draw the rows of a group of commands: of one section, or of all, each below its heading."""
    commands = (command for command in state.commands.all if command.group == group)
    for k, (name, several) in enumerate(groupby(commands, attrgetter("section"))):
        if section is None and name:
            if k:
                imgui.separator()
            with text.small():
                imgui.text_colored(QUIET, name)
        for command in several if section in (None, name) else ():
            item(state, command)


def all_commands(state: State) -> None:
    """Draw a submenu for each group of commands of which any is possible now."""
    for group in dict.fromkeys(command.group for command in state.commands.all if command.is_possible(state)):
        if imgui.begin_menu(group):
            group_items(state, group)
            imgui.end_menu()
    imgui.separator()
    item(state, state.commands["palette"])


class ContextMenu:
    """The menu at the mouse: of the selection, or of the empty space."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._shown: tuple[float, float] | None = None

    def show(self) -> None:
        """Draw the menu, if it is open; a click beside it closes it."""
        state, pixel = self._state, self._state.dialogs.context_menu
        if pixel is not None and pixel != self._shown:
            imgui.set_next_window_pos(ImVec2(*pixel))
            imgui.open_popup("context menu")
        self._shown = pixel
        if begin("context menu"):
            if pixel is None:
                imgui.close_current_popup()
            elif targets := state.selection.targets:
                with text.small():
                    names = targets[-1].id if len(targets) == 1 else f"{len(targets):,} selected"
                    imgui.text_colored(QUIET, text.cut_middle(names, pixels(WIDEST)))
                items(state, ON_SELECTION)
            else:
                group_items(state, NEW)
                imgui.separator()
                items(state, ON_NOTHING)
            imgui.end_popup()
        elif pixel is not None:
            state.do(command_palette.show_context_menu, None)


def begin(name: str) -> bool:
    """Begin the popup of a menu and return whether it is open; Escape closes it."""
    with imgui_ctx.push_style_var(imgui.StyleVar_.window_padding, ImVec2(pixels(8), pixels(8))):
        opened = imgui.begin_popup(name)
    if opened and imgui.is_key_pressed(imgui.Key.escape):
        # An open submenu that is drawn below a closed popup opens again, and without a parent it never closes.
        imgui.close_current_popup()
        imgui.end_popup()
        return False
    return bool(opened)


def show_palette(state: State, _: gui.Gui, palette: dialogs.Palette) -> None:
    found = state.commands.matching(palette.typed)
    width = min(pixels(PALETTE_WIDTH), 0.8 * state.display.size[0])
    imgui.set_next_item_width(width)
    if modal.just_appeared("search"):
        imgui.set_keyboard_focus_here()
    changed, typed = imgui.input_text_with_hint("##command", state.commands["palette"].label, palette.typed)
    if changed:
        state.do(command_palette.type_text, palette, typed)
    if found and (by := widgets.arrow_steps()):
        state.do(command_palette.choose, palette, (palette.chosen + by) % len(found))
    if imgui.is_key_pressed(imgui.Key.enter):
        if found:
            state.do(command_palette.run, found[palette.chosen].name)
        else:
            imgui.set_keyboard_focus_here(-1)
    height = imgui.get_text_line_height_with_spacing() + imgui.get_style().item_spacing.y
    with widgets.child("found", ImVec2(width, ROWS * height)):
        for i, command in enumerate(found):
            keys = Caption(", ".join(map(rebinding.display_keys, command.keys)), QUIET)
            asides = [Caption(command.group, FAINT, brief=""), keys]
            quiet, chosen = not command.is_possible(state), i == palette.chosen
            if row(command.name, command.label, Caption("", FAINT), asides, selected=chosen, quiet=quiet):
                state.do(command_palette.run, command.name)
            widgets.tooltip(command.tooltip)
            if chosen and (changed or widgets.arrow_steps()):
                imgui.set_scroll_here_y()
        if not found:
            text.paragraph("No command matches", QUIET)

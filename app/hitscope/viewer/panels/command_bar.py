"""The bar above the panels: the menu, the commands that are used most, the open scenes and the help."""

from collections.abc import Callable
from typing import Final

from imgui_bundle import ImVec2, imgui, imgui_ctx
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.viewer.actions import command_palette, opening
from hitscope.viewer.panels import menus, style, text, widgets
from hitscope.viewer.panels.style import pixels
from hitscope.viewer.state.state import State

BUTTONS: Final = {
    "gallery": (icons.ICON_FA_TABLE_CELLS_LARGE, "Gallery"),
    "open": (icons.ICON_FA_FOLDER_OPEN, "Open"),
    "new": (icons.ICON_FA_FILE, "New"),
    "add": (icons.ICON_FA_PLUS, "Add"),
    "undo": (icons.ICON_FA_ROTATE_LEFT, "Undo"),
    "redo": (icons.ICON_FA_ROTATE_RIGHT, "Redo"),
    "save": (icons.ICON_FA_FLOPPY_DISK, "Save"),
    "view": (icons.ICON_FA_EYE, "View"),
}
"""The buttons by the names of their commands, with icon and word; "add" and "view" open menus."""
END: Final = {"palette": icons.ICON_FA_MAGNIFYING_GLASS, "help": icons.ICON_FA_QUESTION}
"""The icons of the commands at the right."""
PADDING, BETWEEN = 7.0, 2.0
"""Beside the words of a button, and between two buttons, in points."""
UNSAVED: Final = "\N{BULLET}"


def show(state: State) -> None:
    """Draw the bar; a narrow window leaves out its words, and then the scenes."""
    left, top, width, height = rect = state.display.layout.bar
    if height:
        with style.window("commands", rect, (6, 0)), text.small():
            style.line(left, top + height - 1, left + width, top + height - 1, style.LINE)
            _show_parts(_Row(state, height), width)


class _Row:
    """The buttons while they are drawn side by side; `x` is where the next one begins."""

    def __init__(self, state: State, height: float) -> None:
        self.state, self.height, self.x = state, height, pixels(6)

    def button(self, key: str, label: str, meaning: str, enabled: bool = True) -> bool:
        """Draw a flat button and return whether it was clicked."""
        corner = ImVec2(self.x, pixels(4))
        width = _width(label)
        self.x += width
        size = ImVec2(width - pixels(BETWEEN), self.height - 2 * corner.y)
        return widgets.flat_button(key, corner, size, label, meaning, enabled=enabled)

    def command(self, name: str, label: str) -> None:
        command, document = self.state.commands[name], self.state.session.document
        edit = {"undo": document.undo_name, "redo": document.redo_name}.get(name)
        hint = self.state.commands.hint(name) + (f"\nNext: {edit}." if edit else "")
        if self.button(name, label, hint, command.is_possible(self.state)):
            self.state.do(command_palette.run, name)

    def popup(self, name: str, label: str, meaning: str, show: Callable[[State], None]) -> None:
        """Draw a button that opens a menu below it."""
        x = self.x
        if self.button(name, label, meaning):
            imgui.open_popup(name)
        if imgui.is_popup_open(name):
            imgui.set_next_window_pos(ImVec2(x, self.height))
        if menus.begin(name):
            with text.body():
                show(self.state)
            imgui.end_popup()


def _show_parts(row: _Row, width: float) -> None:
    state, folded = row.state, row.state.display.folded
    menu_of: dict[str, tuple[str, Callable[[State], None]]] = {
        "add": ("Add a probe or a primitive", lambda state: menus.group_items(state, menus.NEW)),
        "view": ("How the scene and the window are shown", lambda state: menus.items(state, menus.ON_VIEW)),
    }
    words = {name: f"{icon}  {word}" for name, (icon, word) in BUTTONS.items()}
    words |= {name: f"{words[name]}  {icons.ICON_FA_CARET_DOWN}" for name in menu_of}
    # The icons of the buttons that fold a panel point to where its edge goes.
    left, right = icons.ICON_FA_ANGLES_LEFT, icons.ICON_FA_ANGLES_RIGHT
    fold_outliner = right if "outliner" in folded else left
    end = {**END, "fold_panel": left if "panel" in folded else right}
    at_right = sum(map(_width, end.values()))
    arrows = 2 * _width(icons.ICON_FA_ANGLE_LEFT) if len(state.session.listed.documents) > 1 else 0.0
    scenes = arrows + _width(_scenes_label(state))
    others = _width(icons.ICON_FA_BARS) + _width(fold_outliner) + at_right + scenes + pixels(24)
    if sum(map(_width, words.values())) + others > width:
        words = {name: icon for name, (icon, _) in BUTTONS.items()}
    row.popup("menu", icons.ICON_FA_BARS, "All commands", menus.all_commands)
    if not state.display.has_one_panel:
        row.command("fold_outliner", fold_outliner)
    for name, label in words.items():
        if name in menu_of:
            row.popup(name, label, *menu_of[name])
        else:
            row.command(name, label)
    x, row.x = row.x, width - pixels(6) - at_right
    free = row.x - scenes
    for name, icon in end.items():
        row.command(name, icon)
    if x <= free:
        row.x = max(x, min((width - scenes) / 2, free))
        if arrows:
            row.command("previous_scene", icons.ICON_FA_ANGLE_LEFT)
        row.popup("scenes", _scenes_label(state), "Open scenes", _list_scenes)
        if arrows:
            row.command("next_scene", icons.ICON_FA_ANGLE_RIGHT)


def _width(label: str) -> float:
    """The width of a button with the space beside it, in pixels."""
    return text.width(label) + pixels(2 * PADDING + BETWEEN)


def _scenes_label(state: State) -> str:
    title, position = text.cut_middle(opening.title_of(state), pixels(260)), state.session.position
    mark = f"{UNSAVED} " if state.session.document.changed else ""
    return f"{mark}{title}{f'   {position}' if position else ''}  {icons.ICON_FA_CARET_DOWN}"


def _list_scenes(state: State) -> None:
    """Draw the open documents, each of which can be shown and closed, and the commands for all."""
    for i, document in enumerate(state.session.open_documents):
        mark = UNSAVED if document.changed else " "
        label = f"{mark} {text.cut_middle(document.title, pixels(300))}"
        with imgui_ctx.push_id(str(i)):
            if imgui.menu_item(label, "", document is state.session.document)[0]:
                state.do(opening.show_document, document)
        widgets.tooltip(text.escaped(str(document.path)))
    imgui.separator()
    menus.items(state, ("next_open_scene", "close_scene", "close_all_scenes"))

"""The bar above the panels: the menu, the commands that are used most, the open scenes and the help."""

from collections.abc import Callable
from typing import Final

from imgui_bundle import ImVec2, imgui
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


class CommandBar:
    """The bar; a narrow window leaves out its words, and then the position in the list of scenes."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._height = 0.0

    def show(self) -> None:
        left, top, width, height = self._state.display.layout.bar
        if height == 0:
            return
        self._height = height
        with style.window("commands", (left, top, width, height), (6, 0)):
            style.line(left, top + height - 1, left + width, top + height - 1, style.LINE)
            with text.small():
                self._show_parts(width)

    def _show_parts(self, width: float) -> None:
        words = {name: f"{icon}  {word}" for name, (icon, word) in BUTTONS.items()}
        menu_of: dict[str, tuple[str, Callable[[], None]]] = {
            "add": ("Add a probe or a primitive", lambda: menus.group_items(self._state, menus.NEW)),
            "view": ("How the scene and the window are shown", lambda: menus.items(self._state, menus.ON_VIEW)),
        }
        words |= {name: f"{words[name]}  {icons.ICON_FA_CARET_DOWN}" for name in menu_of}
        folds = self._folds()
        at_right = sum(map(self._width, (*END.values(), folds["fold_panel"])))
        ends = self._width(icons.ICON_FA_BARS) + self._width(folds["fold_outliner"]) + at_right
        scenes = self._scenes_width()
        if sum(map(self._width, words.values())) + ends + scenes + pixels(24) > width:
            words = {name: icon for name, (icon, _) in BUTTONS.items()}
        x = pixels(6)
        x = self._popup("menu", x, icons.ICON_FA_BARS, "All commands", lambda: menus.all_commands(self._state))
        if not self._state.display.has_one_panel:
            x = self._command("fold_outliner", x, folds["fold_outliner"])
        for name in BUTTONS:
            if name in menu_of:
                x = self._popup(name, x, words[name], *menu_of[name])
            else:
                x = self._command(name, x, words[name])
        right = after = width - pixels(6) - at_right
        for name, icon in (*END.items(), ("fold_panel", folds["fold_panel"])):
            after = self._command(name, after, icon)
        if x + scenes <= right:
            self._show_scenes(max(x, min((width - scenes) / 2, right - scenes)))

    def _folds(self) -> dict[str, str]:
        """The icons of the buttons that fold a panel: they point to where its edge goes."""
        left, right = icons.ICON_FA_ANGLES_LEFT, icons.ICON_FA_ANGLES_RIGHT
        folded = self._state.display.folded
        return {
            "fold_outliner": right if "outliner" in folded else left,
            "fold_panel": left if "panel" in folded else right,
        }

    def _width(self, label: str) -> float:
        return text.width(label) + pixels(2 * PADDING + BETWEEN)

    def _button(self, key: str, x: float, label: str, meaning: str, enabled: bool = True) -> tuple[bool, float]:
        """Draw a flat button at x; returns whether it was clicked, and the x of the next one."""
        width, inset = text.width(label) + pixels(2 * PADDING), pixels(4)
        corner, size = ImVec2(x, inset), ImVec2(width, self._height - 2 * inset)
        clicked = widgets.flat_button(key, corner, size, label, meaning, enabled=enabled)
        return clicked, x + width + pixels(BETWEEN)

    def _command(self, name: str, x: float, label: str) -> float:
        """Draw the button of a command at x; returns the x of the next one."""
        command, document = self._state.commands[name], self._state.session.document
        edit = {"undo": document.undo_name, "redo": document.redo_name}.get(name)
        hint = self._state.commands.hint(name) + (f"\nNext: {edit}." if edit else "")
        clicked, x = self._button(name, x, label, hint, command.is_possible(self._state))
        if clicked:
            self._state.do(command_palette.run, name)
        return x

    def _popup(self, name: str, x: float, label: str, meaning: str, show: Callable[[], None]) -> float:
        """Draw a button at x that opens a menu below it; returns the x of the next one."""
        clicked, after = self._button(name, x, label, meaning)
        if clicked:
            imgui.open_popup(name)
        if imgui.is_popup_open(name):
            imgui.set_next_window_pos(ImVec2(x, self._height))
        if menus.begin(name):
            imgui.push_font(None, style.BODY)
            show()
            imgui.pop_font()
            imgui.end_popup()
        return after

    # The open scenes

    def _scenes_width(self) -> float:
        arrows = (
            2 * self._width(icons.ICON_FA_ANGLE_LEFT) if len(self._state.session.listed.documents) > 1 else 0.0
        )
        return arrows + self._width(self._scenes_label())

    def _scenes_label(self) -> str:
        session = self._state.session
        title = text.cut_middle(opening.title_of(self._state), pixels(260))
        mark = f"{UNSAVED} " if session.document.changed else ""
        position = f"   {session.position}" if session.position else ""
        return f"{mark}{title}{position}  {icons.ICON_FA_CARET_DOWN}"

    def _show_scenes(self, x: float) -> None:
        """Draw the title of the scene, whose menu lists the open ones, between the arrows to the next ones."""
        several = len(self._state.session.listed.documents) > 1
        if several:
            x = self._command("previous_scene", x, icons.ICON_FA_ANGLE_LEFT)
        x = self._popup("scenes", x, self._scenes_label(), "Open scenes", self._list_scenes)
        if several:
            self._command("next_scene", x, icons.ICON_FA_ANGLE_RIGHT)

    def _list_scenes(self) -> None:
        """Draw the open documents, each of which can be shown and closed, and the commands for all."""
        state = self._state
        for i, document in enumerate(state.session.open_documents):
            imgui.push_id(i)
            mark = UNSAVED if document.changed else " "
            label = f"{mark} {text.cut_middle(document.title, pixels(300))}"
            shown = document is state.session.document
            clicked, _ = imgui.menu_item(label, "", shown)
            widgets.tooltip(text.escaped(str(document.path)))
            if clicked:
                state.do(opening.show_document, document)
            imgui.pop_id()
        imgui.separator()
        menus.items(state, ("next_open_scene", "close_scene", "close_all_scenes"))

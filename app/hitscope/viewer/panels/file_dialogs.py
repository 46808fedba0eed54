"""The file dialogs: open a scene or a mesh, save as."""

from itertools import groupby
from pathlib import Path

from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.viewer.actions import cancel, opening, saving
from hitscope.viewer.panels import text, widgets
from hitscope.viewer.panels.gui import Gui
from hitscope.viewer.panels.list_row import Caption, row
from hitscope.viewer.panels.modal import answer, answers, just_appeared, vertical_space
from hitscope.viewer.panels.style import FAINT, PANEL, QUIET, WARNING, pixels
from hitscope.viewer.panels.widgets import TOP
from hitscope.viewer.state.dialogs import OpenFile, SaveAs, SaveDialog
from hitscope.viewer.state.paths import is_mesh
from hitscope.viewer.state.state import State

SIZE = (620.0, 380.0)
"""The largest width and height of the list of files, in points."""
PATH = "##path"
"""The Dear ImGui label of the text field."""
ICONS = {
    "recent": icons.ICON_FA_CLOCK_ROTATE_LEFT,
    "up": icons.ICON_FA_TURN_UP,
    "folder": icons.ICON_FA_FOLDER,
    "file": icons.ICON_FA_CUBE,
}
MESH_ICON = icons.ICON_FA_SHAPES


def show_open(state: State, _: Gui, dialog: OpenFile) -> None:
    if dialog.native:
        _show_native(state, dialog)
    else:
        _show_open(state, dialog)


def show_save(state: State, _: Gui, dialog: SaveAs) -> None:
    if not asks_otherwise(state, dialog):
        _show_save(state, dialog)


def asks_otherwise(state: State, dialog: SaveDialog) -> bool:
    """Draw what is asked in place of a path: the system's dialog asks, or whether to overwrite; False for none."""
    if dialog.native:
        _show_native(state, dialog)
    elif dialog.overwrites is not None:
        _ask_to_overwrite(state, dialog, dialog.overwrites)
    return dialog.native or dialog.overwrites is not None


def _show_native(state: State, dialog: OpenFile | SaveDialog) -> None:
    """Draw a hint to the operating system's dialog, which is no part of the window."""
    imgui.text_unformatted("Choose a file in the system's file dialog")
    vertical_space()
    chosen = answers("Type a path instead", "Cancel")
    if chosen == "Cancel":
        state.do(cancel.cancel_dialog, dialog)
    elif chosen and isinstance(dialog, OpenFile):
        state.do(opening.list_here, dialog)
    elif chosen and isinstance(dialog, SaveDialog):
        state.do(saving.type_instead, dialog)


def _show_open(state: State, dialog: OpenFile) -> None:
    width, height = (min(pixels(s), 0.75 * of) for s, of in zip(SIZE, state.display.size, strict=True))
    imgui.text_unformatted(state.commands["open"].label)
    is_new = _show_path(state, dialog, width)
    _problem(dialog.problem, width)
    if is_new:
        imgui.set_next_window_scroll(TOP)
    if imgui.begin_child("files", ImVec2(width, height)):
        # Only the mouse clicks on a row: the keyboard stays in the field, whose arrow keys choose one.
        imgui.push_item_flag(imgui.ItemFlags_.no_nav, True)
        _entries(state, dialog)
        imgui.pop_item_flag()
    imgui.end_child()
    vertical_space()
    imgui.begin_disabled(not dialog.typed.strip() and dialog.chosen is None)
    if answer("Open"):
        state.do(opening.open_chosen, dialog)
    imgui.end_disabled()
    imgui.same_line()
    if answer("Cancel"):
        state.do(cancel.cancel_dialog, dialog)


def _show_path(state: State, dialog: OpenFile, width: float) -> bool:
    """Draw the field of the path, whose arrow keys choose in the list; Tab completes a name, Enter opens.

    Returns whether its text, or with it the folder that is listed, is new.
    """
    is_rewritten = _reload(dialog.rewritten)
    flags = imgui.InputTextFlags_.callback_history
    if dialog.typed:
        flags |= imgui.InputTextFlags_.callback_completion
    entered, typed = _field(dialog.typed, "Type to search, or a path; choose below, or drop a file", width, flags)
    if imgui.is_item_activated() and (field := imgui.internal.get_input_text_state(imgui.get_item_id())):
        field.reload_user_buf_and_move_to_end()
    if typed != dialog.typed:
        state.do(opening.type_path, dialog, typed)
    if imgui.is_item_active():
        if by := widgets.arrow_steps():
            state.do(opening.choose, dialog, by)
        elif dialog.typed and imgui.is_key_pressed(imgui.Key.tab):
            state.do(opening.complete, dialog)
    if entered:
        state.do(opening.open_chosen, dialog)
    return is_rewritten or typed != dialog.typed


def _entries(state: State, dialog: OpenFile) -> None:
    room = imgui.get_content_region_avail().x - pixels(40)
    entries, chosen = dialog.entries, dialog.chosen_entry
    folder = "." if dialog.listing is None else dialog.listing.folder
    for is_recent, group in groupby(entries, lambda entry: entry.kind == "recent"):
        with text.small():
            words = "Recent" if is_recent else text.cut_middle(folder, room)
            imgui.text_colored(QUIET, text.escaped(words))
        for entry in group:
            icon = MESH_ICON if is_mesh(entry.path) and entry.kind == "file" else ICONS[entry.kind]
            kind = str(entry.path.parent) if is_recent else ""
            key = f"{entry.kind} {entry.path if is_recent else entry.name}"
            if row(key, entry.name, Caption(icon, QUIET), (), selected=entry == chosen, kind=kind):
                state.do(opening.visit, dialog, entry)
            if entry == chosen and widgets.arrow_steps():
                imgui.set_scroll_here_y()
        vertical_space()
    if not any(entry.kind != "recent" for entry in entries):
        imgui.text_colored(FAINT, "No name matches" if dialog.typed else "No folder, scene or mesh here")


def _show_save(state: State, dialog: SaveAs) -> None:
    width = _width(state)
    imgui.text_unformatted(text.cut_end(f"Save {dialog.document.path.name} as", width))
    entered = path_field(state, dialog, width)
    vertical_space()
    chosen = answers("Save", "Cancel")
    if chosen == "Save" or entered:
        state.do(saving.resolve_path, dialog)
    elif chosen:
        state.do(cancel.cancel_dialog, dialog)


def _width(state: State) -> float:
    return min(pixels(SIZE[0]), 0.75 * state.display.size[0])


def path_field(state: State, dialog: SaveDialog, width: float) -> bool:
    """Draw the folder, the field for a path and the problem with that; return whether Enter was pressed."""
    with text.small():
        imgui.text_colored(QUIET, text.cut_middle(f"in {dialog.folder}", width))
    _reload(dialog.rewritten)
    entered, typed = _field(dialog.typed, "Type a name or a path", width, imgui.InputTextFlags_.auto_select_all)
    if typed != dialog.typed:
        state.do(saving.type_text, dialog, typed)
    _problem(dialog.problem, width)
    return entered


def _ask_to_overwrite(state: State, dialog: SaveDialog, path: Path) -> None:
    imgui.text_unformatted("This file already exists")
    imgui.text_colored(QUIET, text.cut_middle(str(path), _width(state)))
    vertical_space()
    chosen = answers("Overwrite", "Back", default="Back")
    if chosen == "Overwrite":
        state.do(saving.write_to, dialog, path)
    elif chosen:
        state.do(cancel.cancel_dialog, dialog)


def _reload(rewritten: int) -> bool:
    """Let the field show a text that replaced what was typed; return whether `rewritten` has changed."""
    storage, key = imgui.get_state_storage(), imgui.get_id("rewritten")
    field = imgui.internal.get_input_text_state(imgui.get_id(PATH))
    is_new = bool(storage.get_int(key, -1) != rewritten)
    if is_new and field is not None:
        # Dear ImGui keeps the text of a field that has the keyboard.
        field.reload_user_buf_and_move_to_end()
    storage.set_int(key, rewritten)
    return is_new


def _field(typed: str, hint: str, width: float, flags: int) -> tuple[bool, str]:
    """Draw a text field that takes the keyboard; return whether Enter was pressed, and its text."""
    imgui.set_next_item_width(width)
    imgui.push_style_color(imgui.Col_.frame_bg, PANEL)
    flags |= imgui.InputTextFlags_.enter_returns_true.value
    entered, now = imgui.input_text_with_hint(PATH, hint, typed, flags, lambda _: 0)
    imgui.pop_style_color()
    elsewhere = imgui.is_any_item_focused() and not imgui.is_item_focused()
    # A button under a pressed mouse becomes active only when it is drawn, below.
    if just_appeared("field") or not (imgui.is_any_item_active() or elsewhere or imgui.is_any_mouse_down()):
        imgui.set_keyboard_focus_here(-1)
    return entered, now


def _problem(words: str, width: float) -> None:
    if words:
        text.paragraph(words, WARNING, width)

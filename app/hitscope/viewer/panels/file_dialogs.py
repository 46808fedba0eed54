"""The file dialogs: open a scene or a mesh, save as."""

import os
from pathlib import Path

from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.viewer.actions import cancel, dialog_input, opening, saving
from hitscope.viewer.panels import text
from hitscope.viewer.panels.list_row import Caption, row
from hitscope.viewer.panels.modal import answer, front_dialog, just_appeared, modal, vertical_space
from hitscope.viewer.panels.style import FAINT, PANEL, QUIET, WARNING, pixels
from hitscope.viewer.state.dialogs import Dialogs, FolderListing, OpenFile, SaveAs
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.state import Do

SIZE = (620.0, 380.0)
"""The largest width and height of the list of files, in points."""
SHOWN_RECENT = 5
"""The number of recent files in the list."""


def show(display: Display, dialogs: Dialogs, do: Do) -> None:
    """Draw the open file dialog, if any."""
    dialog = front_dialog(dialogs)
    with modal(display, do, "Open", isinstance(dialog, OpenFile)) as opened:
        if opened and isinstance(dialog, OpenFile):
            if dialog.native:
                _show_native(do, dialog)
            else:
                _show_open(display, do, dialog)
    with modal(display, do, "Save as", isinstance(dialog, SaveAs)) as opened:
        if opened and isinstance(dialog, SaveAs):
            if dialog.native:
                _show_native(do, dialog)
            else:
                _show_save(display, do, dialog)


def _show_native(do: Do, dialog: OpenFile | SaveAs) -> None:
    """Draw a hint to the operating system's dialog, which is no part of the window."""
    imgui.text_unformatted("Choose a file in the system's file dialog")
    vertical_space()
    if answer("Type a path instead"):
        do(opening.type_path, dialog)
    imgui.same_line()
    if answer("Cancel"):
        do(cancel.cancel_dialog, dialog)


def _show_open(display: Display, do: Do, dialog: OpenFile) -> None:
    width, height = (min(pixels(s), 0.75 * of) for s, of in zip(SIZE, display.size, strict=True))
    listing = dialog.listing or FolderListing(Path())
    imgui.text_unformatted("Open a scene or a mesh")
    # Dear ImGui keeps the text of a field that has the keyboard; a field per folder starts empty.
    imgui.push_id(text.escaped(str(listing.folder)))
    entered, typed = _field(dialog.typed, "Type a path, choose below, or drop a file", width)
    if typed != dialog.typed:
        do(dialog_input.type_text, dialog, typed)
    imgui.pop_id()
    _problem(dialog.problem, width)
    if imgui.begin_child("files", ImVec2(width, height), imgui.ChildFlags_.nav_flattened):
        _entries(do, listing)
    imgui.end_child()
    vertical_space()
    typed = typed.strip()
    imgui.begin_disabled(not typed)
    if (answer("Open") or entered) and typed:
        do(opening.visit, listing.folder / os.path.expanduser(typed))
    imgui.end_disabled()
    imgui.same_line()
    if answer("Cancel"):
        do(dialog_input.close_dialog)


def _entries(do: Do, listing: FolderListing) -> None:
    room = imgui.get_content_region_avail().x - pixels(40)
    if listing.recent:
        _heading("Recent")
        for name in listing.recent[:SHOWN_RECENT]:
            path = Path(name)
            if _entry(f"recent {name}", icons.ICON_FA_CLOCK_ROTATE_LEFT, path.name, str(path.parent)):
                do(opening.visit, path)
        vertical_space()
    _heading(text.cut_middle(str(listing.folder), room))
    if listing.folder.parent != listing.folder and _entry("up", icons.ICON_FA_TURN_UP, ".."):
        do(opening.visit, listing.folder.parent)
    for name in listing.folders:
        if _entry(f"folder {name}", icons.ICON_FA_FOLDER, name):
            do(opening.visit, listing.folder / name)
    for name in listing.files:
        icon = icons.ICON_FA_CUBE if name.lower().endswith(".json") else icons.ICON_FA_SHAPES
        if _entry(f"file {name}", icon, name):
            do(opening.visit, listing.folder / name)
    if not listing.folders and not listing.files:
        imgui.text_colored(FAINT, "No folder, scene or mesh here")


def _entry(key: str, icon: str, name: str, kind: str = "") -> bool:
    return row(key, name, Caption(icon, QUIET), (), selected=False, kind=kind)


def _heading(words: str) -> None:
    with text.small():
        imgui.text_colored(QUIET, text.escaped(words))


def _show_save(display: Display, do: Do, dialog: SaveAs) -> None:
    width = min(pixels(SIZE[0]), 0.75 * display.size[0])
    if dialog.overwrites is None:
        imgui.text_unformatted(text.cut_end(f"Save {dialog.document.path.name} as", width))
        with text.small():
            imgui.text_colored(QUIET, text.cut_middle(f"in {dialog.folder}", width))
        entered, typed = _field(dialog.typed, "Type a name or a path", width)
        if typed != dialog.typed:
            do(dialog_input.type_text, dialog, typed)
        _problem(dialog.problem, width)
        vertical_space()
        if answer("Save") or entered:
            do(saving.resolve_path, dialog)
        imgui.same_line()
        if answer("Cancel"):
            do(cancel.cancel_dialog, dialog)
    else:
        imgui.text_unformatted("This file already exists")
        imgui.text_colored(QUIET, text.cut_middle(str(dialog.overwrites), width))
        vertical_space()
        if answer("Overwrite"):
            do(saving.save_to, dialog, dialog.overwrites)
        imgui.same_line()
        if answer("Back", default=True):
            do(dialog_input.choose_other_path, dialog)


def _field(typed: str, hint: str, width: float) -> tuple[bool, str]:
    """Draw a text field that takes the keyboard; return whether Enter was pressed, and its text."""
    imgui.set_next_item_width(width)
    flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all
    imgui.push_style_color(imgui.Col_.frame_bg, PANEL)
    entered, now = imgui.input_text_with_hint("##path", hint, typed, flags)
    imgui.pop_style_color()
    elsewhere = imgui.is_any_item_focused() and not imgui.is_item_focused()
    # A button under a pressed mouse becomes active only when it is drawn, below.
    if just_appeared("field") or not (imgui.is_any_item_active() or elsewhere or imgui.is_any_mouse_down()):
        imgui.set_keyboard_focus_here(-1)
    return entered, now


def _problem(words: str, width: float) -> None:
    if words:
        imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + width)
        imgui.text_colored(WARNING, text.escaped(words))
        imgui.pop_text_wrap_pos()

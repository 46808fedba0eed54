"""The questions in the middle of the window: what is not saved, changed on disk as well, or left by a crash."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from imgui_bundle import ImVec2, imgui

from hitscope.viewer import commands
from hitscope.viewer.app import App
from hitscope.viewer.files import filing
from hitscope.viewer.panels import text
from hitscope.viewer.panels.dialogs import Conflict, Dialog, Overwrite, Recovery
from hitscope.viewer.panels.style import DIM, FAINT, LINE, QUIET, RAISED, WARNING

WIDTH = 560
"""Of what is told, in points at most."""


@contextmanager
def asked(app: App, name: str, wanted: bool, whole: bool = False) -> Iterator[bool]:
    """Make a window over all others, which has the mouse and the keys, and say whether to fill it.

    It is to be called in every frame, `wanted` or not: Dear ImGui closes such a window only from within. `whole`
    is as large as the window can be.
    """
    if wanted and not imgui.is_popup_open(name):
        imgui.open_popup(name)
    if not imgui.is_popup_open(name):
        yield False
        return
    width, height = app.size
    imgui.set_next_window_pos(ImVec2(width / 2, height / 2), imgui.Cond_.always, ImVec2(0.5, 0.5))
    flags = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_move
    if whole:
        imgui.set_next_window_size(ImVec2(width - 32 * app.points, height - 32 * app.points))
    else:
        flags |= imgui.WindowFlags_.always_auto_resize
    imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(22 * app.points, 18 * app.points))
    opened, _ = imgui.begin_popup_modal(name, None, flags)
    imgui.pop_style_var()
    if opened:
        _dim_the_rest(app)
    before = app.asks_to_close, app.dialog
    yield opened and wanted
    if opened:
        # While a text field has the keyboard, no binding acts.
        if imgui.is_key_pressed(imgui.Key.escape) and imgui.get_io().want_text_input:
            commands.peel(app)
        if not wanted or (app.asks_to_close, app.dialog) != before:
            imgui.close_current_popup()
        imgui.end_popup()


def _dim_the_rest(app: App) -> None:
    """Darken all around the window that is being made, at once; Dear ImGui would take its time."""
    start, size = imgui.get_window_pos(), imgui.get_window_size()
    end = ImVec2(start.x + size.x, start.y + size.y)
    draw = imgui.get_window_draw_list()
    draw.push_clip_rect_full_screen()
    draw.add_rect_filled(ImVec2(0, 0), ImVec2(*app.size), imgui.get_color_u32(DIM))
    draw.add_rect_filled(start, end, imgui.get_color_u32(RAISED), imgui.get_style().popup_rounding)
    draw.add_rect(start, end, imgui.get_color_u32(LINE), imgui.get_style().popup_rounding)
    draw.pop_clip_rect()


def asking(app: App) -> Dialog | None:
    """Give the dialog that is in front."""
    return None if app.asks_to_close else app.dialog


def gap(app: App) -> None:
    """Leave some room."""
    imgui.dummy(ImVec2(0, 6 * app.points))


def appears(name: str) -> bool:
    """Say whether what has a name in the window that is being made was not there in the last frame."""
    storage, key, now = imgui.get_state_storage(), imgui.get_id(f"{name} in frame"), imgui.get_frame_count()
    before = storage.get_int(key, 0)
    storage.set_int(key, now)
    return before != now - 1


def answer(label: str, default: bool = False) -> bool:
    """Make a button and say whether it was chosen; Enter chooses the `default` at once."""
    chosen = imgui.button(label)
    if default and appears(label):
        imgui.set_keyboard_focus_here(-1)
        imgui.set_nav_cursor_visible(True)
    return chosen


def show(app: App) -> None:
    """Ask, while something is to be asked; only then Tab and the arrows go from one answer to the next."""
    io, navigable = imgui.get_io(), imgui.ConfigFlags_.nav_enable_keyboard
    io.config_flags = io.config_flags | navigable if app.asks else io.config_flags & ~navigable
    with asked(app, "Save changes?", app.asks_to_close) as opened:
        if opened:
            _before_closing(app)
    dialog = asking(app)
    with asked(app, "Changed on disk", isinstance(dialog, Conflict)) as opened:
        if opened and isinstance(dialog, Conflict):
            _whose_word(app, dialog)
    with asked(app, "Broken on disk", isinstance(dialog, Overwrite)) as opened:
        if opened and isinstance(dialog, Overwrite):
            _whether_to_overwrite(app, dialog)
    with asked(app, "Restore", isinstance(dialog, Recovery)) as opened:
        if opened and isinstance(dialog, Recovery):
            _what_to_restore(app, dialog)


def _before_closing(app: App) -> None:
    imgui.text_unformatted("Save the changes before closing?")
    for document in app.unsaved:
        imgui.text_colored(QUIET, text.cut_end(document.title, _room(app)))
    gap(app)
    if answer("Save", default=True):
        commands.save_all_and_close(app)
    imgui.same_line()
    if answer("Discard"):
        app.done = True
    imgui.same_line()
    if answer("Cancel"):
        app.asks_to_close = False


def _whose_word(app: App, conflict: Conflict) -> None:
    name = conflict.document.path.name
    imgui.text_unformatted(text.cut_end(f"{name} was changed on disk, and here, too.", _room(app)))
    imgui.text_colored(QUIET, "Take the file's: what was done here can be had back by undo.")
    imgui.text_colored(QUIET, "Keep mine: the next save overwrites what the file says now.")
    gap(app)
    if answer("Take the file's", default=True):
        filing.take_theirs(app, conflict)
    imgui.same_line()
    if answer("Keep mine"):
        filing.keep_mine(app, conflict)


def _whether_to_overwrite(app: App, dialog: Overwrite) -> None:
    name = dialog.document.path.name
    imgui.text_unformatted(text.cut_end(f"{name} was changed on disk, and cannot be read any more.", _room(app)))
    imgui.text_colored(QUIET, "Overwrite: what the file says now is lost.")
    imgui.text_colored(QUIET, "Cancel: it stays, and is loaded again when it is mended.")
    gap(app)
    if answer("Overwrite"):
        filing.overwrite(app, dialog.document)
    imgui.same_line()
    if answer("Cancel", default=True):
        filing.peel(app, dialog)


def _what_to_restore(app: App, recovery: Recovery) -> None:
    imgui.text_unformatted("hitscope ended before these changes were saved:")
    for i, leftover in enumerate(tuple(recovery.leftovers)):
        gap(app)
        gap(app)
        imgui.push_id(i)
        imgui.text_unformatted(text.cut_end(leftover.path, _room(app)))
        with text.small():
            said = f"{datetime.fromtimestamp(leftover.time):%d %b %Y %H:%M:%S}: {leftover.difference}"
            imgui.text_colored(QUIET, text.cut_end(said, _room(app)))
            if leftover.outdated:
                imgui.text_colored(WARNING, "The file has been changed since.")
        gap(app)
        if answer("Restore", default=i == 0):
            filing.restore(app, leftover)
        imgui.same_line()
        if answer("Discard"):
            filing.discard(app, leftover)
        imgui.pop_id()
    gap(app)
    with text.small():
        imgui.text_colored(FAINT, "Esc decides later: they are offered at the next start again.")


def _room(app: App) -> float:
    return min(WIDTH * app.points, 0.8 * app.size[0])

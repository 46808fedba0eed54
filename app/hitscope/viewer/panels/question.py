"""The questions about documents: unsaved ones before closing, changed ones on disk, those left by a crash."""

from datetime import datetime
from functools import partial

from imgui_bundle import imgui

from hitscope.viewer.actions import cancel, disk_changes, recovery, saving
from hitscope.viewer.panels import text
from hitscope.viewer.panels.modal import answer, front_dialog, modal, vertical_space
from hitscope.viewer.panels.style import FAINT, QUIET, WARNING
from hitscope.viewer.state.dialogs import Conflict, Overwrite, Recovery
from hitscope.viewer.state.state import State

WIDTH = 560
"""The largest width of a text, in points."""


def show(state: State) -> None:
    """Draw the open question, if any; Tab and the arrows move between buttons only while a dialog is open."""
    io, navigable = imgui.get_io(), imgui.ConfigFlags_.nav_enable_keyboard
    io.config_flags = io.config_flags | navigable if state.dialogs.is_open else io.config_flags & ~navigable
    with modal(state, "Save changes?", state.dialogs.asks_to_close) as opened:
        if opened:
            _show_unsaved(state)
    dialog = front_dialog(state)
    with modal(state, "Changed on disk", isinstance(dialog, Conflict)) as opened:
        if opened and isinstance(dialog, Conflict):
            _show_conflict(state, dialog)
    with modal(state, "Broken on disk", isinstance(dialog, Overwrite)) as opened:
        if opened and isinstance(dialog, Overwrite):
            _show_overwrite(state, dialog)
    with modal(state, "Restore", isinstance(dialog, Recovery)) as opened:
        if opened and isinstance(dialog, Recovery):
            _show_recovery(state, dialog)


def _show_unsaved(state: State) -> None:
    imgui.text_unformatted("Save changes before closing?")
    for document in state.session.unsaved:
        imgui.text_colored(QUIET, text.cut_end(document.title, _text_width(state)))
    vertical_space(state)
    if answer("Save", default=True):
        state.do(partial(saving.save_all_and_close, state))
    imgui.same_line()
    if answer("Discard"):
        state.host.closed = True
    imgui.same_line()
    if answer("Cancel"):
        state.dialogs.asks_to_close = False


def _show_conflict(state: State, conflict: Conflict) -> None:
    name = conflict.document.path.name
    imgui.text_unformatted(text.cut_end(f"{name} was changed both on disk and here.", _text_width(state)))
    imgui.text_colored(QUIET, "Load from disk: replaces your changes; undo brings them back.")
    imgui.text_colored(QUIET, "Keep mine: the next save overwrites the file.")
    vertical_space(state)
    if answer("Load from disk", default=True):
        state.do(partial(disk_changes.take_theirs, state, conflict))
    imgui.same_line()
    if answer("Keep mine"):
        state.do(partial(disk_changes.keep_mine, state, conflict))


def _show_overwrite(state: State, dialog: Overwrite) -> None:
    name = dialog.document.path.name
    imgui.text_unformatted(
        text.cut_end(f"{name} was changed on disk and can no longer be read.", _text_width(state))
    )
    imgui.text_colored(QUIET, "Overwrite: the file's present content is lost.")
    imgui.text_colored(QUIET, "Cancel: the file stays, and is loaded again once it is valid.")
    vertical_space(state)
    if answer("Overwrite"):
        state.do(partial(saving.overwrite, state, dialog.document))
    imgui.same_line()
    if answer("Cancel", default=True):
        state.do(partial(cancel.cancel_dialog, state, dialog))


def _show_recovery(state: State, dialog: Recovery) -> None:
    imgui.text_unformatted("hitscope ended before these changes were saved")
    for i, leftover in enumerate(tuple(dialog.leftovers)):
        vertical_space(state)
        vertical_space(state)
        imgui.push_id(i)
        imgui.text_unformatted(text.cut_end(leftover.path, _text_width(state)))
        with text.small():
            words = f"{datetime.fromtimestamp(leftover.time):%d %b %Y %H:%M:%S}: {leftover.difference}"
            imgui.text_colored(QUIET, text.cut_end(words, _text_width(state)))
            if leftover.outdated:
                imgui.text_colored(WARNING, "The file has changed since")
        vertical_space(state)
        if answer("Restore", default=i == 0):
            state.do(partial(recovery.restore, state.dialogs, state.host, leftover))
        imgui.same_line()
        if answer("Discard"):
            state.do(partial(recovery.discard, state.dialogs, state.host, leftover))
        imgui.pop_id()
    vertical_space(state)
    with text.small():
        imgui.text_colored(FAINT, "Esc: ask again at the next start")


def _text_width(state: State) -> float:
    return min(WIDTH * state.display.pixel_ratio, 0.8 * state.display.size[0])

"""The questions about documents: unsaved ones before closing, changed ones on disk, those left by a crash."""

from datetime import datetime

from imgui_bundle import imgui

from hitscope.viewer import commands
from hitscope.viewer.app import App
from hitscope.viewer.files import filing
from hitscope.viewer.panels import text
from hitscope.viewer.panels.dialogs import Conflict, Overwrite, Recovery
from hitscope.viewer.panels.modal import answer, front_dialog, modal, vertical_space
from hitscope.viewer.panels.style import FAINT, QUIET, WARNING

WIDTH = 560
"""The largest width of a text, in points."""


def show(app: App) -> None:
    """Draw the open question, if any; Tab and the arrows move between buttons only while a dialog is open."""
    io, navigable = imgui.get_io(), imgui.ConfigFlags_.nav_enable_keyboard
    io.config_flags = io.config_flags | navigable if app.asks else io.config_flags & ~navigable
    with modal(app, "Save changes?", app.asks_to_close) as opened:
        if opened:
            _show_unsaved(app)
    dialog = front_dialog(app)
    with modal(app, "Changed on disk", isinstance(dialog, Conflict)) as opened:
        if opened and isinstance(dialog, Conflict):
            _show_conflict(app, dialog)
    with modal(app, "Broken on disk", isinstance(dialog, Overwrite)) as opened:
        if opened and isinstance(dialog, Overwrite):
            _show_overwrite(app, dialog)
    with modal(app, "Restore", isinstance(dialog, Recovery)) as opened:
        if opened and isinstance(dialog, Recovery):
            _show_recovery(app, dialog)


def _show_unsaved(app: App) -> None:
    imgui.text_unformatted("Save changes before closing?")
    for document in app.unsaved:
        imgui.text_colored(QUIET, text.cut_end(document.title, _text_width(app)))
    vertical_space(app)
    if answer("Save", default=True):
        commands.save_all_and_close(app)
    imgui.same_line()
    if answer("Discard"):
        app.done = True
    imgui.same_line()
    if answer("Cancel"):
        app.asks_to_close = False


def _show_conflict(app: App, conflict: Conflict) -> None:
    name = conflict.document.path.name
    imgui.text_unformatted(text.cut_end(f"{name} was changed both on disk and here.", _text_width(app)))
    imgui.text_colored(QUIET, "Load from disk: replaces your changes; undo brings them back.")
    imgui.text_colored(QUIET, "Keep mine: the next save overwrites the file.")
    vertical_space(app)
    if answer("Load from disk", default=True):
        filing.take_theirs(app, conflict)
    imgui.same_line()
    if answer("Keep mine"):
        filing.keep_mine(app, conflict)


def _show_overwrite(app: App, dialog: Overwrite) -> None:
    name = dialog.document.path.name
    imgui.text_unformatted(
        text.cut_end(f"{name} was changed on disk and can no longer be read.", _text_width(app))
    )
    imgui.text_colored(QUIET, "Overwrite: the file's present content is lost.")
    imgui.text_colored(QUIET, "Cancel: the file stays, and is loaded again once it is valid.")
    vertical_space(app)
    if answer("Overwrite"):
        filing.overwrite(app, dialog.document)
    imgui.same_line()
    if answer("Cancel", default=True):
        filing.peel(app, dialog)


def _show_recovery(app: App, recovery: Recovery) -> None:
    imgui.text_unformatted("hitscope ended before these changes were saved")
    for i, leftover in enumerate(tuple(recovery.leftovers)):
        vertical_space(app)
        vertical_space(app)
        imgui.push_id(i)
        imgui.text_unformatted(text.cut_end(leftover.path, _text_width(app)))
        with text.small():
            words = f"{datetime.fromtimestamp(leftover.time):%d %b %Y %H:%M:%S}: {leftover.difference}"
            imgui.text_colored(QUIET, text.cut_end(words, _text_width(app)))
            if leftover.outdated:
                imgui.text_colored(WARNING, "The file has changed since")
        vertical_space(app)
        if answer("Restore", default=i == 0):
            filing.restore(app, leftover)
        imgui.same_line()
        if answer("Discard"):
            filing.discard(app, leftover)
        imgui.pop_id()
    vertical_space(app)
    with text.small():
        imgui.text_colored(FAINT, "Esc: ask again at the next start")


def _text_width(app: App) -> float:
    return min(WIDTH * app.points, 0.8 * app.size[0])

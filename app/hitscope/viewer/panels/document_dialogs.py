"""The questions about documents: unsaved ones before closing, changed ones on disk, those left by a crash."""

from datetime import datetime

from imgui_bundle import ImVec2, imgui

from hitscope.viewer.actions import cancel, disk_changes, recovery, saving
from hitscope.viewer.actions import closing as closing_actions
from hitscope.viewer.panels import style, text, widgets
from hitscope.viewer.panels.gui import Gui
from hitscope.viewer.panels.modal import answers, vertical_space
from hitscope.viewer.panels.style import QUIET, WARNING, pixels
from hitscope.viewer.state.dialogs import Closing, Conflict, Overwrite, Recovery
from hitscope.viewer.state.inputs import Leftover
from hitscope.viewer.state.state import State

WIDTH = 560
"""The largest width of a text, in points."""
CARD_SPACE = 14.0
"""The space around the card in a corner, and inside it, in points."""


def _width(state: State) -> float:
    return min(pixels(WIDTH), 0.8 * state.display.size[0])


def show_unsaved(state: State, _: Gui, closing: Closing) -> None:
    imgui.text_unformatted("Save changes before closing?")
    for document in closing.unsaved:
        imgui.text_colored(QUIET, text.cut_end(document.title, _width(state)))
    vertical_space()
    chosen = answers("Save", "Discard", "Cancel", default="Save")
    if chosen == "Save":
        state.do(closing_actions.save_and_close, closing)
    elif chosen == "Discard":
        state.do(closing_actions.discard_and_close, closing)
    elif chosen:
        state.do(cancel.cancel_topmost)


def show_conflict(state: State, _: Gui, conflict: Conflict) -> None:
    name = conflict.document.path.name
    imgui.text_unformatted(text.cut_end(f"{name} was changed both on disk and here.", _width(state)))
    imgui.text_colored(QUIET, "Load from disk: replaces your changes; undo brings them back.")
    imgui.text_colored(QUIET, "Keep mine: the next save overwrites the file.")
    vertical_space()
    if chosen := answers("Load from disk", "Keep mine", default="Load from disk"):
        state.do(disk_changes.keep_mine if chosen == "Keep mine" else disk_changes.take_theirs, conflict)


def show_overwrite(state: State, _: Gui, dialog: Overwrite) -> None:
    question = f"{dialog.document.path.name} was changed on disk and can no longer be read."
    imgui.text_unformatted(text.cut_end(question, _width(state)))
    imgui.text_colored(QUIET, "Overwrite: the file's present content is lost.")
    imgui.text_colored(QUIET, "Cancel: the file stays, and is loaded again once it is valid.")
    vertical_space()
    chosen = answers("Overwrite", "Cancel", default="Cancel")
    if chosen == "Overwrite":
        state.do(saving.overwrite, dialog.document)
    elif chosen:
        state.do(cancel.cancel_dialog, dialog)


def offer_recovery(state: State) -> None:
    """Draw the card in a corner of the picture that offers to restore autosaves which were found late."""
    if state.dialogs.late_recovery is None:
        return
    left, top, _, height = state.display.layout.picture
    corner = ImVec2(left + pixels(CARD_SPACE), top + height - pixels(CARD_SPACE))
    with style.card("recovery", corner, ImVec2(0, 0), CARD_SPACE, pivot=ImVec2(0, 1)):
        imgui.text_unformatted("hitscope ended before all changes were saved")
        vertical_space()
        if widgets.button("Show them…", "Show what was not saved, to restore or discard it.", main=True):
            state.do(recovery.answer_offer, True)
        imgui.same_line(0, pixels(8))
        if widgets.button("Later", "Ask again at the next start."):
            state.do(recovery.answer_offer, False)


def show_recovery(state: State, _: Gui, dialog: Recovery) -> None:
    width = _width(state)
    imgui.text_unformatted("hitscope ended before these changes were saved")
    vertical_space()
    imgui.set_next_window_size_constraints(ImVec2(width, 0), ImVec2(width, 0.6 * state.display.size[1]))
    flags = imgui.ChildFlags_.auto_resize_y | imgui.ChildFlags_.nav_flattened
    if imgui.begin_child("autosaves", ImVec2(width, 0), flags):
        for leftover in dialog.leftovers:
            imgui.push_id(leftover.autosave)
            _show_leftover(state, dialog, leftover)
            imgui.pop_id()
    imgui.end_child()
    vertical_space()
    if len(dialog.leftovers) > 1:
        chosen = answers("Restore all", "Discard all")
        if chosen == "Restore all":
            state.do(recovery.restore_all, dialog)
        elif chosen:
            for leftover in dialog.unanswered:
                state.do(recovery.discard, leftover)
        vertical_space()
    if widgets.button("Later", "Ask again at the next start (Esc)."):
        state.do(cancel.cancel_dialog, dialog)


def _show_leftover(state: State, dialog: Recovery, leftover: Leftover) -> None:
    """Draw the row of an autosave, as high with the answer as with the buttons."""
    room = imgui.get_content_region_avail().x
    vertical_space()
    imgui.text_unformatted(text.cut_middle(leftover.path, room))
    with text.small():
        words = f"{datetime.fromtimestamp(leftover.time):%d %b %Y %H:%M:%S}: {leftover.difference}"
        imgui.text_colored(QUIET, text.cut_end(words, room))
        if leftover.outdated:
            imgui.text_colored(WARNING, "The file has changed since")
    vertical_space()
    if (answered := dialog.answers.get(leftover)) is not None:
        imgui.align_text_to_frame_padding()
        imgui.text_colored(QUIET, answered.capitalize())
    else:
        default = "Restore" if leftover == dialog.leftovers[0] else ""
        if chosen := answers("Restore", "Discard", default=default):
            state.do(recovery.restore if chosen == "Restore" else recovery.discard, leftover)
    vertical_space()

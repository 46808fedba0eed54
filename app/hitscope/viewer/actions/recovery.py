"""Restoring the autosaves of a crashed session."""

from pathlib import Path
from typing import Literal

from hitscope.scene import Scene
from hitscope.viewer.actions.opening import document_of, open_documents
from hitscope.viewer.actions.scene_change import turn_to
from hitscope.viewer.state.dialogs import Recovery
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.host import Adopt, Discard, Restore
from hitscope.viewer.state.inputs import Leftover
from hitscope.viewer.state.state import State


def offer(state: State, dialog: Recovery) -> None:
    """Ask which autosaves to restore; once the user is at work, a card offers to ask."""
    if state.dialogs.has_acted:
        state.dialogs.late_recovery = dialog
    else:
        state.dialogs.dialog = dialog


def answer_offer(state: State, opens: bool) -> None:
    """Ask what the card offers to ask, or leave it to the next start."""
    offered, state.dialogs.late_recovery = state.dialogs.late_recovery, None
    if opens:
        state.dialogs.dialog = offered


def restore(state: State, leftover: Leftover) -> None:
    _answer(state, leftover, "restored")
    state.host.requests.append(Restore(leftover))


def restore_all(state: State, dialog: Recovery) -> None:
    """Restore all autosaves without an answer, that of the document that is shown last."""

    def is_shown(leftover: Leftover) -> bool:
        return document_of(state, Path(leftover.path)) is state.session.document

    # What is restored next would stop the evaluation of a large scene, which has to come before its edit.
    for leftover in sorted(dialog.unanswered, key=is_shown):
        restore(state, leftover)


def restored(state: State, leftover: Leftover, scene: Scene) -> None:
    """Show the scene of an autosave; where its file is open, as an edit of that document."""
    path = Path(leftover.path)
    document = document_of(state, path)
    if document is None:
        document = Document(path, leftover.example)
        state.session.listed.insert(document)

    def take() -> None:
        document.note_selection(state.selection.targets)
        document.edit(scene, "restore the autosave")
        state.host.requests.append(Adopt(document, leftover))

    if document is state.session.document:
        turn_to(state, scene, f"Restoring {path.name}", take)
        return
    if document.loaded:
        document.edit(scene, "restore the autosave")
    else:
        document.begin(scene, is_saved=False)
    state.host.requests.append(Adopt(document, leftover))
    open_documents(state, document)


def discard(state: State, *leftovers: Leftover) -> None:
    for leftover in leftovers:
        _answer(state, leftover, "discarded")
        state.host.requests.append(Discard(leftover))


def _answer(state: State, leftover: Leftover, answer: Literal["restored", "discarded"]) -> None:
    """Note the answer for an autosave, and close the dialog with the last one."""
    if isinstance(dialog := state.dialogs.dialog, Recovery):
        dialog.answers[leftover] = answer
        if not dialog.unanswered:
            state.dialogs.dialog = None

"""Restoring the autosaves of a crashed session."""

from pathlib import Path

from hitscope.scene import Scene
from hitscope.viewer.actions.opening import document_of, open_documents
from hitscope.viewer.actions.scene_change import turn_to
from hitscope.viewer.state.dialogs import Dialogs, Recovery
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.host import Adopt, Discard, Restore
from hitscope.viewer.state.inputs import Leftover
from hitscope.viewer.state.state import State


def restore(state: State, leftover: Leftover) -> None:
    """Ask the host for an autosave, to restore it."""
    _remove(state.dialogs, leftover)
    state.host.requests.append(Restore(leftover))


def restored(state: State, leftover: Leftover, scene: Scene) -> None:
    """Show the scene of an autosave; where its file is open, as an edit of that document."""
    path = Path(leftover.path)
    document = document_of(state.session, path)
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
        document.restore(scene)
    state.host.requests.append(Adopt(document, leftover))
    open_documents(state, document)


def discard(state: State, leftover: Leftover) -> None:
    """Ask the host to remove an autosave."""
    _remove(state.dialogs, leftover)
    state.host.requests.append(Discard(leftover))


def _remove(dialogs: Dialogs, leftover: Leftover) -> None:
    """Remove an autosave from the dialog, and the dialog with the last one."""
    if isinstance(dialogs.dialog, Recovery):
        dialogs.dialog.leftovers.remove(leftover)
        if not dialogs.dialog.leftovers:
            dialogs.dialog = None

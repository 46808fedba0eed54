"""Following a document's file that another program changed, broke or removed."""

from pathlib import Path

from hitscope.errors import HitscopeError
from hitscope.scene import Scene
from hitscope.viewer.actions.opening import document_of
from hitscope.viewer.actions.scene_change import Action, turn_to
from hitscope.viewer.state.dialogs import Conflict
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.inputs import HostEvent
from hitscope.viewer.state.state import State


def follow(state: State, event: HostEvent) -> None:
    """Load a document's file again that was changed; note of any other that it is broken, removed or mended."""
    path = Path(event.files[0].path) if event.files else state.session.document.path
    # In a recording from another folder it is the document that is shown.
    document = document_of(state, path) or state.session.document
    if event.about == "changed":
        try:
            reload(state, document, state.session.files.load(document.path))
        except HitscopeError as error:
            state.messages.problem = str(error)
        return
    if event.about == "broken":
        document.problem = event.message
        words = "was changed on disk and cannot be read: this is its last readable content"
    else:
        _clear_problem(state, document)
        document.mark_removed(event.about == "removed")
        removed, mended = "was removed from the disk; saving writes it again", "is readable again and unchanged"
        words = removed if event.about == "removed" else mended
    if document is state.session.document:
        state.messages.problem = document.problem or state.messages.problem
        state.messages.notice = f"{path.name} {words}"


def reload(state: State, document: Document, scene: Scene) -> None:
    """Replace a document's scene by that of its file; ask first where the document was edited."""
    state.messages.problem = ""

    def take() -> None:
        if document.edited:
            state.dialogs.dialog = Conflict(document, scene)
        else:
            _take_from_disk(state, document, scene)

    if document.edited:
        take()
    else:
        _turn_document_to(state, document, scene, take)


def take_theirs(state: State, conflict: Conflict) -> None:
    """Replace the document's scene by that of the file; undo brings the edits back."""
    state.dialogs.dialog = None
    document, scene = conflict.document, conflict.scene
    _turn_document_to(state, document, scene, lambda: _take_from_disk(state, document, scene))


def _turn_document_to(state: State, document: Document, scene: Scene, take: Action) -> None:
    """Call `take`: at once or, for the document that is shown, when the scene in its file is evaluated."""
    if document is state.session.document:
        turn_to(state, scene, f"Loading {document.path.name} again", take, lambda: _keep_unsaved(state, document))
    else:
        take()


def keep_mine(state: State, conflict: Conflict) -> None:
    """Keep the document's scene as unsaved; the next save overwrites the file."""
    state.dialogs.dialog = None
    _keep_unsaved(state, conflict.document)


def _keep_unsaved(state: State, document: Document) -> None:
    document.mark_unsaved()
    state.messages.notice = f"Kept this scene; saving overwrites {document.path.name}"


def _take_from_disk(state: State, document: Document, scene: Scene) -> None:
    if document is state.session.document:
        state.tool.cancel_drag()
        document.note_selection(state.selection.targets)
    _clear_problem(state, document)
    document.reload(scene)
    state.messages.notice = f"{document.path.name} was changed on disk and loaded again"


def _clear_problem(state: State, document: Document) -> None:
    """Remove from the messages why a document's file could not be read; other problems stay."""
    state.messages.problem = state.messages.problem.replace(document.problem, "").strip()

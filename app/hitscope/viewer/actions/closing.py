"""Closing documents and the window, after one question about what is not saved."""

from collections.abc import Sequence

from hitscope.viewer.actions.opening import new_scene, show_document
from hitscope.viewer.actions.saving import save, still_saving
from hitscope.viewer.state.dialogs import Closing
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.state import State, command

CLOSES_LATER = "The window closes when the file is written"


@command("quit", "Quit; ask if something is not saved", keys="Ctrl+Q", synonyms="exit close")
def close(state: State) -> None:
    """Close the window, after a question where a document is unsaved, and after the file that is being written."""
    state.tool.cancel_drag()
    if state.jobs.saving is not None or state.jobs.exporting is not None:
        state.jobs.closing = state.jobs.closing or (lambda: close(state))
        state.messages.notice = CLOSES_LATER
    elif state.session.unsaved:
        state.dialogs.closing = Closing(tuple(state.session.unsaved), window=True)
    else:
        state.host.closed = True


@command("close_scene", "Close the scene", keys="Ctrl+W", synonyms="document tab")
def close_scene(state: State) -> None:
    """Close the document that is shown, after a question if it is unsaved."""
    _close_documents(state, [state.session.document])


@command("close_all_scenes", "Close all scenes", keys="Ctrl+Shift+W", synonyms="documents tabs")
def close_all_scenes(state: State) -> None:
    """Close all open documents, after one question about the unsaved ones."""
    _close_documents(state, state.session.open_documents)


def _close_documents(state: State, documents: Sequence[Document]) -> None:
    if still_saving(state):
        return
    closing = Closing(tuple(documents), window=False)
    if closing.unsaved:
        state.dialogs.closing = closing
    else:
        discard_and_close(state, closing)


def save_and_close(state: State, closing: Closing) -> None:
    """Save every unsaved document and close; where one cannot be saved, or needs an answer, close nothing."""
    state.dialogs.closing = None
    if state.dialogs.dialog is not None:
        return
    unsaved = state.session.unsaved if closing.window else closing.unsaved
    if not unsaved:
        discard_and_close(state, closing)
        return
    state.jobs.closing = lambda: save_and_close(state, closing)
    if closing.window:
        state.messages.notice = CLOSES_LATER
    save(state, unsaved[0])


def discard_and_close(state: State, closing: Closing) -> None:
    """Close the documents, or the window, without saving."""
    state.dialogs.closing = None
    if closing.window:
        state.host.closed = True
        return
    session, listed = state.session, state.session.listed
    for document in closing.documents:
        session.shown_before.pop(document, None)
        state.display.viewpoints.pop(document, None)
        state.messages.lessons.progress.pop(document, None)
        if document in listed.documents:
            index = listed.documents.index(document)
            # A listed scene of the gallery stays in the list, as it was shipped.
            again = [Document(document.path, example=True)] if document.ships else []
            listed.documents[index : index + 1] = again
    listed.index = min(listed.index, max(len(listed.documents) - 1, 0))
    if session.document in closing.documents:
        left = session.open_documents or listed.documents
        show_document(state, left[-1]) if left else new_scene(state)


def keep_open(state: State) -> bool:
    """Cancel the close that waits for the current save; True if one was waiting."""
    if state.jobs.closing is None:
        return False
    state.jobs.closing, state.messages.notice = None, "The window stays open"
    return True

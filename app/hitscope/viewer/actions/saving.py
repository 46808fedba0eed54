"""Saving documents and pictures."""

import time
from collections.abc import Callable
from pathlib import Path

from hitscope import progress
from hitscope.errors import HitscopeError
from hitscope.scene import ENDING
from hitscope.viewer.state.dialogs import Dialogs, ExportPicture, Overwrite, PictureOptions, SaveAs, SaveDialog
from hitscope.viewer.state.documents import Document, write
from hitscope.viewer.state.host import (
    CopyPicture,
    Host,
    RememberFile,
    ResolveSavePath,
    SavePicture,
    ShowSaveDialog,
    WritePicture,
)
from hitscope.viewer.state.job import Job
from hitscope.viewer.state.jobs import Jobs, Saving
from hitscope.viewer.state.messages import Messages
from hitscope.viewer.state.paths import readable
from hitscope.viewer.state.state import State

PICTURE_ENDING = ".png"
PAUSE_SECONDS = 0.003
"""The pause between two pieces of a file that is written, which leaves the interpreter to the window."""


def save_shown(state: State) -> None:
    """Save the file of the document that is shown."""
    save(state, state.session.document)


def save(state: State, document: Document) -> None:
    """Save a document's file; ask first where there is none yet, or where it can no longer be read."""
    if still_saving(state.jobs, state.messages):
        return
    if document.is_untitled:
        _ask_for_path(state.dialogs, state.host, document)
    elif document.problem:
        state.dialogs.dialog = Overwrite(document)
    else:
        write_document(state, document)


def overwrite(state: State, document: Document) -> None:
    """Save a document over the present content of its file."""
    state.dialogs.dialog = None
    write_document(state, document)


def save_as(state: State) -> None:
    """Show the dialog that saves the document as another file."""
    if not still_saving(state.jobs, state.messages):
        _ask_for_path(state.dialogs, state.host, state.session.document)


def _ask_for_path(dialogs: Dialogs, host: Host, document: Document) -> None:
    path = document.save_path.absolute()
    dialogs.dialog = SaveAs(document, path.parent, readable(path.name))
    host.requests.append(ShowSaveDialog(path))


def resolve_path(state: State, dialog: SaveDialog) -> None:
    """Ask the host for the path that was typed."""
    request = ResolveSavePath(dialog.typed, dialog.folder, dialog.document.path, ending_of(dialog))
    state.host.requests.append(request)


def path_resolved(state: State, path: Path, overwrites: bool, problem: str) -> None:
    """Save at the path that was typed, after a question where another file is there."""
    dialog = state.dialogs.dialog
    if not isinstance(dialog, SaveDialog):
        return
    dialog.problem, dialog.native = problem, False
    # Overwriting its own file needs a confirmation, too, where another program has made it unreadable.
    own = path.absolute() == dialog.document.path.absolute()
    if overwrites or (own and dialog.document.problem):
        dialog.overwrites = path
    elif not problem:
        write_to(state, dialog, path)


def write_to(state: State, dialog: SaveDialog, path: Path) -> None:
    """Write what the dialog is about to a file."""
    if isinstance(dialog, ExportPicture):
        state.dialogs.dialog = None
        state.host.requests.append(WritePicture(path, state.dialogs.picture))
    else:
        _save_to(state, dialog, path)


def _save_to(state: State, dialog: SaveDialog, path: Path) -> None:
    """Save the document as another file; where that fails, open the dialog again with the reason."""
    document = dialog.document

    def take(problem: str) -> None:
        if not problem:
            state.host.requests.append(RememberFile(path))
        elif state.session.document is document and not state.dialogs.is_open and state.tool.drag is None:
            dialog.overwrites, dialog.problem = None, problem
            state.dialogs.dialog, state.messages.problem = dialog, ""

    state.dialogs.dialog = None
    write_document(state, document, path, take)


def save_picture(state: State) -> None:
    """Ask the host to write a picture of the scene in the current view."""
    document = state.session.document
    state.host.requests.append(SavePicture(document.path, document.example))


def export_picture(state: State) -> None:
    """Show the dialog that exports a picture."""
    document = state.session.document
    path = document.save_path.absolute()
    name = readable(path.name).partition(".")[0] + PICTURE_ENDING
    state.dialogs.dialog = ExportPicture(document, path.parent, name)


def choose_picture(state: State, options: PictureOptions) -> None:
    """Set the choices of the exported picture."""
    state.dialogs.picture = options


def browse(state: State, dialog: SaveDialog) -> None:
    """Ask the host for the operating system's dialog, which begins at the suggested path."""
    state.host.requests.append(ShowSaveDialog(dialog.folder / dialog.typed, needed=True))


def copy_picture(state: State) -> None:
    """Ask the host to copy the picture to the clipboard, and close the dialog."""
    state.dialogs.dialog = None
    state.host.requests.append(CopyPicture(state.dialogs.picture))


def ending_of(dialog: SaveDialog) -> str:
    """The ending of the files that a dialog writes."""
    return PICTURE_ENDING if isinstance(dialog, ExportPicture) else ENDING


def still_saving(jobs: Jobs, messages: Messages) -> bool:
    """Whether a file is still being written, with a notice that another one has to wait."""
    if jobs.saving is None:
        return False
    messages.notice = "The file is still being written"
    return True


def write_document(
    state: State, document: Document, path: Path | None = None, then: Callable[[str], None] = lambda problem: None
) -> None:
    """Write a document's present scene to its file, or to another one, in the background.

    `then` is called at the end with the reason why it could not be written, or "".
    """
    jobs, messages, files = state.jobs, state.messages, state.session.files
    if still_saving(jobs, messages):
        return
    scene, target = document.scene, path or document.save_path

    def write_with_pauses(_: Job[None]) -> None:
        with progress.reporting_to(lambda _: time.sleep(PAUSE_SECONDS)):
            write(files.save, scene, target)

    def take(problem: str) -> None:
        messages.problem = problem
        if not problem:
            document.mark_saved(scene, target)
            messages.notice = f"Saved {target}"
        then(problem)

    jobs.saving = Saving(Job(f"Saving {target.name}", write_with_pauses, state.display.now), take)
    if jobs.saving.job.done_within(state.limits.patience_s):
        finish_saving(jobs, messages)


def finish_saving(jobs: Jobs, messages: Messages, problem: str = "") -> None:
    """Note that a file was written, or why it could not be; then close the window if it waits for the file.

    `problem` is why it could not be written in the session whose recording is played.
    """
    saving, jobs.saving = jobs.saving, None
    closing, jobs.closing = jobs.closing, None
    assert saving is not None
    try:
        saving.job.answer()
    except HitscopeError as error:
        problem = problem or str(error)
    saving.take(problem)
    if closing is not None and problem:
        messages.notice = ""
    elif closing is not None:
        closing()

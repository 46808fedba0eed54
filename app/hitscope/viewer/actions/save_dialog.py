"""The dialogs that choose a file to write; the host resolves the path, and an existing file is asked for."""

from pathlib import Path

from hitscope.scene import ENDING
from hitscope.viewer.actions import exporting, saving
from hitscope.viewer.state.dialogs import ExportPicture, Gallery, SaveDialog
from hitscope.viewer.state.host import RememberFile, ResolveSavePath, ShowSaveDialog
from hitscope.viewer.state.state import State


def resolve_path(state: State, dialog: SaveDialog) -> None:
    request = ResolveSavePath(dialog.typed, dialog.folder, dialog.document.path, ending_of(state))
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
        exporting.write(state, path)
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
    saving.write_document(state, document, path, take)


def browse(state: State, dialog: SaveDialog) -> None:
    """Ask the host for the operating system's dialog, which begins at the suggested path."""
    state.host.requests.append(ShowSaveDialog(dialog.folder / dialog.typed, needed=True))


def ending_of(state: State) -> str:
    return state.dialogs.picture.form if isinstance(state.dialogs.dialog, ExportPicture) else ENDING


def type_text(state: State, dialog: SaveDialog | Gallery, typed: str) -> None:
    dialog.typed = typed


def type_instead(state: State, dialog: SaveDialog) -> None:
    """Ask for a path here instead of in the operating system's dialog."""
    dialog.native = False


def copy_settings_path(state: State) -> None:
    state.host.clipboard = str(state.host.settings_path)

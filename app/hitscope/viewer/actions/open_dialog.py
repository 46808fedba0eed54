"""The dialog that opens a file: folders are listed by the host, and what is typed filters the list."""

import os
from pathlib import Path

from hitscope.viewer.state.dialogs import Entry, OpenFile
from hitscope.viewer.state.host import ShowOpenDialog, Visit
from hitscope.viewer.state.inputs import FolderListed
from hitscope.viewer.state.state import State, command


@command("open", "Open a scene or a mesh", keys="Ctrl+O", synonyms="load import file")
def open_file(state: State) -> None:
    """Show the dialog that opens a file."""
    state.dialogs.dialog = OpenFile()
    state.host.requests.append(ShowOpenDialog(_folder(state)))


def list_here(state: State, dialog: OpenFile) -> None:
    """List the document's folder here instead of in the operating system's dialog."""
    dialog.native = False
    state.host.requests.append(Visit(_folder(state)))


def _folder(state: State) -> Path | None:
    """The folder of the document; of an example None, for the working folder."""
    return None if state.session.document.example else state.session.document.path.absolute().parent


def show_listing(state: State, listing: FolderListed | None, problem: str) -> None:
    """Show the content of a folder, or why it cannot be listed; what was typed since it was asked for stays."""
    dialog = state.dialogs.dialog
    if isinstance(dialog, OpenFile) and not dialog.native:
        dialog.problem = problem
        if listing is not None:
            dialog.listing = listing
            _write(dialog, dialog.typed.removeprefix(dialog.visiting))
        dialog.visiting = ""
        return
    state.messages.problem = problem
    if isinstance(dialog, OpenFile):
        state.dialogs.dialog = None


def type_path(state: State, dialog: OpenFile, typed: str) -> None:
    """Take what is in the text field: the path of a folder is listed, and what follows it filters the list."""
    dialog.typed, dialog.problem = typed, ""
    dialog.chosen = 0 if typed.strip() else None
    folder, name = os.path.split(typed)
    if folder:
        dialog.visiting = typed[: len(typed) - len(name)]
        state.host.requests.append(Visit(_path(dialog, folder), opens=False))


def choose(state: State, dialog: OpenFile, by: int) -> None:
    """Choose the next entry of the list, or the previous one; before the first the next is the first."""
    if count := len(dialog.entries):
        before = -1 if by > 0 else count
        dialog.chosen = max(min((before if dialog.chosen is None else dialog.chosen) + by, count - 1), 0)


def complete(state: State, dialog: OpenFile) -> None:
    """Complete the typed name by the chosen entry: list a folder, write the name of a file."""
    entry = dialog.chosen_entry
    if entry is not None and entry.kind in ("up", "folder"):
        visit(state, dialog, entry)
    elif entry is not None:
        _write(dialog, str(entry.path) if entry.kind == "recent" else entry.name)


def open_chosen(state: State, dialog: OpenFile) -> None:
    """Open the chosen entry, or where there is none, the path that was typed."""
    typed = dialog.typed.strip()
    if dialog.chosen_entry is not None:
        visit(state, dialog, dialog.chosen_entry)
    elif typed:
        dialog.visiting = dialog.typed
        state.host.requests.append(Visit(_path(dialog, typed)))


def visit(state: State, dialog: OpenFile, entry: Entry) -> None:
    dialog.visiting = dialog.typed
    state.host.requests.append(Visit(entry.path))


def _path(dialog: OpenFile, typed: str) -> Path:
    """A typed path, from the listed folder; `~` is the home folder."""
    return Path(dialog.listing.folder if dialog.listing else "", os.path.expanduser(typed))


def _write(dialog: OpenFile, typed: str) -> None:
    dialog.typed, dialog.chosen = typed, 0 if typed.strip() else None
    dialog.rewritten += 1

"""Saving documents, exporting pictures and turntables, and the dialogs that choose a file to write."""

import time
from collections.abc import Callable
from pathlib import Path

from hitscope import progress
from hitscope.errors import HitscopeError
from hitscope.render.palette import without_grid_and_axes
from hitscope.scene import ENDING, Scene
from hitscope.viewer.actions.scene_change import finish_if_done
from hitscope.viewer.state.dialogs import ExportPicture, Gallery, Overwrite, PictureOptions, SaveAs, SaveDialog
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.host import RememberFile, ResolveSavePath, ShowSaveDialog, WritePicture
from hitscope.viewer.state.jobs import Job
from hitscope.viewer.state.paths import picture_path, readable
from hitscope.viewer.state.state import State, command
from hitscope.viewer.state.turntable import Turntable


@command("picture", "Save a picture", keys="F12", synonyms="screenshot image png export")
def save_picture(state: State) -> None:
    """Write a picture of the scene in the current view."""
    document = state.session.document
    state.host.requests.append(WritePicture(picture_path(document.path, document.example), is_new=True))


@command(
    "export_picture",
    "Export a picture…",
    keys="Shift+F12",
    synonyms="image png transparent scale legend labels copy clipboard",
)
def export_picture(state: State) -> None:
    """Show the dialog that exports a picture."""
    document = state.session.document
    path = document.save_path.absolute()
    name = readable(path.name).partition(".")[0] + state.dialogs.picture.form
    state.dialogs.dialog = ExportPicture(document, path.parent, name)


def choose_picture(state: State, options: PictureOptions) -> None:
    """Set the choices of the exported picture; the ending of the suggested name follows them."""
    dialog, before = state.dialogs.dialog, state.dialogs.picture
    if isinstance(dialog, ExportPicture) and dialog.typed.endswith(before.form):
        dialog.typed = dialog.typed.removesuffix(before.form) + options.form
        dialog.rewritten += 1
    state.dialogs.picture = options


def copy_picture(state: State) -> None:
    state.dialogs.dialog = None
    state.host.requests.append(WritePicture(None, state.dialogs.picture))


def write_picture(state: State, path: Path) -> None:
    """Write what the export dialog has chosen to a file: a picture at once, a turntable in the background."""
    options, jobs, messages = state.dialogs.picture, state.jobs, state.messages
    if not options.turns:
        state.dialogs.dialog = None
        state.host.requests.append(WritePicture(path, options))
        return
    if jobs.exporting is not None:
        messages.notice = "The animation before is still being written"
        return
    scene, turntable, files = state.session.scene, turntable_of(state), state.session.files

    def draw(_: Job[None]) -> None:
        files.write_turntable(scene, turntable, path)

    def finish(problem: str | None) -> None:
        messages.note_saved(path, problem or "")

    state.dialogs.dialog = None
    jobs.exporting = Job(f"Writing {path.name}", draw, state.display.now, take=finish, refuse=finish)


def turntable_of(state: State) -> Turntable:
    """The shown view, turning, with the choices of the export dialog."""
    display, options = state.display, state.dialogs.picture
    view = display.view
    return Turntable(
        size=size_in_pixels(state, options),
        pixel_ratio=view.pixel_ratio * options.factor,
        theme=display.picture_theme if options.grid else without_grid_and_axes(display.picture_theme),
        camera=view.camera,
        hidden=state.selection.hidden,
        seconds=options.seconds,
    )


def size_in_pixels(state: State, options: PictureOptions) -> tuple[int, int]:
    """The width and height of the exported picture, without what is written below it."""
    _, _, width, height = state.display.layout.picture
    return round(width * options.factor), round(height * options.factor)


PAUSE_SECONDS = 0.003
"""The pause between two pieces of a file that is written, which leaves the interpreter to the window."""


@command("save", "Save", keys="Ctrl+S", synonyms="write store")
def save_shown(state: State) -> None:
    """Save the file of the document that is shown."""
    save(state, state.session.document)


def save(state: State, document: Document) -> None:
    """Save a document's file; ask first where there is none yet, as of a lesson, or where it cannot be read."""
    if still_saving(state):
        return
    if document.is_untitled or document.is_lesson:
        _ask_for_path(state, document)
    elif document.problem:
        state.dialogs.dialog = Overwrite(document)
    else:
        write_document(state, document)


def overwrite(state: State, document: Document) -> None:
    state.dialogs.dialog = None
    write_document(state, document)


@command("save_as", "Save as another file", keys="Ctrl+Shift+S", synonyms="rename copy export")
def save_as(state: State) -> None:
    """Show the dialog that saves the document as another file."""
    if not still_saving(state):
        _ask_for_path(state, state.session.document)


def _ask_for_path(state: State, document: Document) -> None:
    path = document.save_path.absolute()
    state.dialogs.dialog = SaveAs(document, path.parent, readable(path.name))
    state.host.requests.append(ShowSaveDialog(path))


def still_saving(state: State) -> bool:
    """Whether a file is still being written, with a notice that another one has to wait."""
    if state.jobs.saving is None:
        return False
    state.messages.notice = "The file is still being written"
    return True


def write_document(
    state: State, document: Document, path: Path | None = None, then: Callable[[str], None] = lambda problem: None
) -> None:
    """Write a document to its file, or to another one, in the background; `then` gets the problem, or ""."""
    if still_saving(state):
        return
    scene, target, files = document.scene, path or document.save_path, state.session.files

    def work(_: Job[None]) -> None:
        with progress.reporting_to(lambda _: time.sleep(PAUSE_SECONDS)):
            write(files.save, scene, target)

    def finish(problem: str | None) -> None:
        if not problem:
            document.mark_saved(scene, target)
        state.messages.note_saved(target, problem or "")
        then(problem or "")

    state.jobs.saving = Job(f"Saving {target.name}", work, state.display.now, take=finish, refuse=finish)
    finish_if_done(state, "saving")


def write(save: Callable[[Scene, Path], None], scene: Scene, path: Path) -> None:
    """Save a scene by `save`; raises HitscopeError, also in place of an OSError."""
    try:
        save(scene, path)
    except OSError as error:
        raise HitscopeError(f"cannot save {path}: {error.strerror or error}") from None


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
    """Write a picture or the document to a file; where saving fails, open the dialog again with the reason."""
    if isinstance(dialog, ExportPicture):
        write_picture(state, path)
        return
    document = dialog.document

    def take(problem: str) -> None:
        if not problem:
            state.host.requests.append(RememberFile(path))
        elif state.session.document is document and not state.dialogs.is_open and state.tool.drag is None:
            dialog.overwrites, dialog.problem = None, problem
            state.dialogs.dialog, state.messages.problem = dialog, ""

    state.dialogs.dialog = None
    write_document(state, document, path, take)


def browse(state: State, dialog: SaveDialog) -> None:
    state.host.requests.append(ShowSaveDialog(dialog.folder / dialog.typed, needed=True))


def ending_of(state: State) -> str:
    return state.dialogs.picture.form if isinstance(state.dialogs.dialog, ExportPicture) else ENDING


def type_text(state: State, dialog: SaveDialog | Gallery, typed: str) -> None:
    dialog.typed = typed

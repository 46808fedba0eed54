"""Exporting pictures and turntables of the shown scene."""

from pathlib import Path

from hitscope.render.palette import without_grid_and_axes
from hitscope.viewer.state.dialogs import ExportPicture, PictureOptions
from hitscope.viewer.state.host import CopyPicture, SavePicture, WritePicture
from hitscope.viewer.state.jobs import Job
from hitscope.viewer.state.paths import readable
from hitscope.viewer.state.state import State, command
from hitscope.viewer.state.turntable import Turntable


@command("picture", "Save a picture", keys="F12", synonyms="screenshot image png export")
def save_picture(state: State) -> None:
    """Write a picture of the scene in the current view."""
    document = state.session.document
    state.host.requests.append(SavePicture(document.path, document.example))


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
    """Ask the host to copy the picture to the clipboard, and close the dialog."""
    state.dialogs.dialog = None
    state.host.requests.append(CopyPicture(state.dialogs.picture))


def write(state: State, path: Path) -> None:
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

    def take(_: None) -> None:
        messages.problem, messages.notice = "", f"Saved {path}"

    def refuse(problem: str) -> None:
        messages.problem, messages.notice = problem, ""

    def draw(_: Job[None]) -> None:
        files.write_turntable(scene, turntable, path)

    state.dialogs.dialog = None
    jobs.exporting = Job(f"Writing {path.name}", draw, state.display.now, take=take, refuse=refuse)


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

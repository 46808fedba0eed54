"""The host's inputs, applied to the state."""

from collections.abc import Sequence
from pathlib import Path

from hitscope.errors import HitscopeError
from hitscope.resources import SCENES
from hitscope.viewer.actions import cancel, disk_changes, open_dialog, opening, recovery, save_dialog
from hitscope.viewer.state import inputs
from hitscope.viewer.state.dialogs import FolderListing, Recovery
from hitscope.viewer.state.gallery import SurveyFinding
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.state import State


def apply(state: State, event: inputs.HostReport) -> None:
    """Apply an input of the host to the state."""
    match event:
        case inputs.FolderListed(folder=folder, folders=folders, files=files, recent=recent, problem=problem):
            listing = None if problem else FolderListing(Path(folder), folders, files, recent)
            open_dialog.show_listing(state, listing, problem)
        case inputs.SavePathResolved(path=path, overwrites=overwrites, problem=problem):
            save_dialog.path_resolved(state, Path(path), overwrites, problem)
        case inputs.NativeDialog(shown=shown):
            cancel.follow_native_dialog(state, shown)
        case inputs.SceneSurveyed(path=path, problem=problem, thumbnail=thumbnail, fails=fails):
            state.dialogs.findings[SCENES / path] = SurveyFinding(
                path=path, problem=problem, fails=fails, thumbnail=thumbnail
            )
        case inputs.RecentListed(files=files):
            opening.list_recent(state, files)
        case inputs.CrashFound(leftovers=leftovers):
            state.dialogs.dialog = Recovery(leftovers)
        case inputs.AutosaveRead(leftover=leftover, scene=scene):
            state.session.files.see((scene,))
            _restore(state, leftover, scene)
        case inputs.HostEvent(about="drop" | "open", files=files):
            state.session.files.see(files)
            opening.open_given(state, [Path(file.path) for file in files])
        case inputs.HostEvent(about="changed", files=files):
            state.session.files.see(files)
            disk_changes.changed(state, _path(state.session, files))
        case inputs.HostEvent(about="broken", files=files, message=message):
            disk_changes.broken(state, _path(state.session, files), message)
        case inputs.HostEvent(about="mended" | "removed" as about, files=files):
            disk_changes.mark(state, _path(state.session, files), about)
        case inputs.HostEvent(about="code"):
            state.session.own.is_changed = state.session.own.targets is not None
        case inputs.HostEvent(about="told", message=message):
            state.messages.notice = message
        case inputs.HostEvent(about="failed", message=message):
            state.messages.problem, state.messages.notice = message, ""


def _path(session: Session, files: Sequence[inputs.RecordedFile]) -> Path:
    """The file of an event; where it names none, that of the shown document."""
    return Path(files[0].path) if files else session.document.path


def _restore(state: State, leftover: inputs.Leftover, scene: inputs.RecordedFile) -> None:
    try:
        recovery.restored(state, leftover, state.session.files.load(Path(scene.path)))
    except HitscopeError as error:
        state.messages.problem = str(error)

"""What comes from outside and is neither mouse nor keyboard: what the state does then."""

from collections.abc import Sequence
from pathlib import Path

from hitscope.errors import HitscopeError
from hitscope.resources import SCENES
from hitscope.viewer.actions import cancel, disk_changes, opening, recovery, saving
from hitscope.viewer.state.dialogs import Listing
from hitscope.viewer.state.gallery import Finding
from hitscope.viewer.state.inputs import (
    Found,
    Left,
    Leftover,
    Listed,
    NativeDialog,
    News,
    Opened,
    Placed,
    Restored,
)
from hitscope.viewer.state.state import State


def take(state: State, news: News | Listed | Placed | NativeDialog | Found | Left | Restored) -> None:
    """Do what news mean."""
    match news:
        case Listed(folder=folder, folders=folders, files=files, recent=recent, problem=problem):
            opening.show_listing(
                state, None if problem else Listing(Path(folder), folders, files, recent), problem
            )
        case Placed(path=path, overwrites=overwrites, problem=problem):
            saving.path_resolved(state, Path(path), overwrites, problem)
        case NativeDialog(shown=shown):
            cancel.follow_native_dialog(state, shown)
        case Found(path=path, problem=problem, thumbnail=thumbnail):
            state.dialogs.findings[SCENES / path] = Finding(path=path, problem=problem, thumbnail=thumbnail)
        case Left(leftovers=leftovers):
            recovery.offer(state.dialogs, leftovers)
        case Restored(leftover=leftover, scene=scene):
            state.session.files.see((scene,))
            _restore(state, leftover, scene)
        case News(about="drop" | "open", files=files):
            state.session.files.see(files)
            opening.open_given(state, [Path(file.path) for file in files])
        case News(about="changed", files=files):
            state.session.files.see(files)
            disk_changes.changed(state, _path(state, files))
        case News(about="broken", files=files, says=says):
            disk_changes.broken(state, _path(state, files), says)
        case News(about="mended", files=files):
            disk_changes.readable_again(state, _path(state, files))
        case News(about="removed", files=files):
            disk_changes.removed(state, _path(state, files))
        case News(about="told", says=says):
            state.messages.notice = says
        case News(about="failed", says=says):
            state.messages.problem, state.messages.notice = says, ""


def _path(state: State, files: Sequence[Opened]) -> Path:
    """Give the file that news are of; where they do not say, that of the document that is shown."""
    return Path(files[0].path) if files else state.session.document.path


def _restore(state: State, leftover: Leftover, scene: Opened) -> None:
    try:
        recovery.restored(state, leftover, state.session.files.load(Path(scene.path)))
    except HitscopeError as error:
        state.messages.problem = str(error)

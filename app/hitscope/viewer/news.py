"""What comes from outside and is neither mouse nor keyboard: what the app does then."""

from collections.abc import Sequence
from pathlib import Path

from hitscope.errors import HitscopeError
from hitscope.viewer.app import App
from hitscope.viewer.files import filing
from hitscope.viewer.files.gallery import Finding
from hitscope.viewer.inputs import Found, Left, Leftover, Listed, NativeDialog, News, Opened, Placed, Restored
from hitscope.viewer.panels.dialogs import Listing


def take(app: App, news: News | Listed | Placed | NativeDialog | Found | Left | Restored) -> None:
    """Do what news mean."""
    match news:
        case Listed(folder=folder, folders=folders, files=files, recent=recent, problem=problem):
            filing.listed(app, None if problem else Listing(Path(folder), folders, files, recent), problem)
        case Placed(path=path, overwrites=overwrites, problem=problem):
            filing.placed(app, Path(path), overwrites, problem)
        case NativeDialog(shown=shown):
            filing.follow_native_dialog(app, shown)
        case Found(path=path, problem=problem, thumbnail=thumbnail):
            filing.found(app, Finding(path=path, problem=problem, thumbnail=thumbnail))
        case Left(leftovers=leftovers):
            filing.offer(app, leftovers)
        case Restored(leftover=leftover, scene=scene):
            app.files.see((scene,))
            _restore(app, leftover, scene)
        case News(about="drop" | "open", files=files):
            app.files.see(files)
            filing.open_given(app, [Path(file.path) for file in files])
        case News(about="changed", files=files):
            app.files.see(files)
            filing.changed(app, _path(app, files))
        case News(about="broken", files=files, says=says):
            filing.broken(app, _path(app, files), says)
        case News(about="mended", files=files):
            filing.regained(app, _path(app, files))
        case News(about="removed", files=files):
            filing.lost(app, _path(app, files))
        case News(about="told", says=says):
            app.message = says
        case News(about="failed", says=says):
            app.problem, app.message = says, ""


def _path(app: App, files: Sequence[Opened]) -> Path:
    """Give the file that news are of; where they do not say, that of the document that is shown."""
    return Path(files[0].path) if files else app.document.path


def _restore(app: App, leftover: Leftover, scene: Opened) -> None:
    try:
        filing.restored(app, leftover, app.files.load(Path(scene.path)))
    except HitscopeError as error:
        app.problem = str(error)

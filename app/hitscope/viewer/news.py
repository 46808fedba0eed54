"""What comes from outside and is neither mouse nor keyboard: what the app does then."""

from pathlib import Path

from hitscope.errors import HitscopeError
from hitscope.viewer.app import App
from hitscope.viewer.files import filing
from hitscope.viewer.files.gallery import Finding
from hitscope.viewer.inputs import Found, Left, Leftover, Listed, News, Opened, Placed, Restored
from hitscope.viewer.panels.dialogs import Listing


def take(app: App, news: News | Listed | Placed | Found | Left | Restored) -> None:
    """Do what news mean."""
    match news:
        case Listed(folder=folder, folders=folders, files=files, recent=recent, problem=problem):
            filing.listed(app, None if problem else Listing(Path(folder), folders, files, recent), problem)
        case Placed(path=path, overwrites=overwrites, problem=problem):
            filing.placed(app, Path(path), overwrites, problem)
        case Found(path=path, problem=problem, thumbnail=thumbnail):
            filing.found(app, Finding(path=path, problem=problem, thumbnail=thumbnail))
        case Left(leftovers=leftovers):
            filing.offer(app, leftovers)
        case Restored(leftover=leftover, scene=scene):
            app.files.see((scene,))
            _restore(app, leftover, scene)
        case News(about="drop" | "open", files=files):
            app.files.see(files)
            for file in files:
                filing.open_given(app, Path(file.path))
        case News(about="changed", files=files):
            app.files.see(files)
            filing.changed(app, Path(files[0].path))
        case News(about="mended"):
            filing.regained(app)
        case News(about="removed"):
            filing.lost(app)
        case News(about="told", says=says):
            app.message = says
        case News(about="failed", says=says):
            app.problem = says


def _restore(app: App, leftover: Leftover, scene: Opened) -> None:
    try:
        filing.restored(app, leftover, app.files.load(Path(scene.path)))
    except HitscopeError as error:
        app.problem = str(error)

"""What comes from outside and is neither mouse nor keyboard: what the app does then."""

from pathlib import Path

from hitscope.errors import HitscopeError
from hitscope.viewer import filing
from hitscope.viewer.app import App
from hitscope.viewer.dialogs import Listing
from hitscope.viewer.gallery import Finding
from hitscope.viewer.inputs import Found, Listed, News, Placed


def take(app: App, news: News | Listed | Placed | Found) -> None:
    """Do what news mean."""
    match news:
        case Listed(folder=folder, folders=folders, files=files, recent=recent, problem=problem):
            filing.listed(app, None if problem else Listing(Path(folder), folders, files, recent), problem)
        case Placed(path=path, overwrites=overwrites, problem=problem):
            filing.placed(app, Path(path), overwrites, problem)
        case Found(path=path, problem=problem, thumbnail=thumbnail):
            filing.found(app, Finding(path=path, problem=problem, thumbnail=thumbnail))
        case News(about="drop" | "open", files=files):
            app.files.see(files)
            for file in files:
                filing.open_given(app, Path(file.path))
        case News(about="changed", files=files):
            app.files.see(files)
            _reload(app)
        case News(about="mended"):
            app.problem = ""
        case News(about="removed"):
            filing.lost(app)
        case News(about="told", says=says):
            app.message = says
        case News(about="failed", says=says):
            app.problem = says


def _reload(app: App) -> None:
    try:
        filing.reload(app, app.files.load(app.document.path))
    except HitscopeError as error:
        app.problem = str(error)

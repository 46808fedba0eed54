"""What keys and buttons do: functions of the app."""

from typing import TYPE_CHECKING

from hitscope.scene import edits
from hitscope.viewer.files import filing
from hitscope.viewer.panels.dialogs import Conflict

if TYPE_CHECKING:
    from hitscope.viewer.app import App

CLOSES_LATER = "the window closes when the file is written"


def undo(app: "App") -> None:
    """Take the last edit back."""
    _step(app, -1, "undo", "undone", app.document.undo_name)


def redo(app: "App") -> None:
    """Do again what was taken back."""
    _step(app, 1, "redo", "redone", app.document.redo_name)


def _step(app: "App", by: int, word: str, past: str, name: str | None) -> None:
    """Go an edit back or forward, as soon as what is there is decided."""
    document, scene = app.document, app.document.beside(by)
    if scene is None:
        app.message = f"nothing to {word}"
        return

    def step() -> None:
        if document.beside(by) is not scene:
            app.message = f"not {past}, because the scene was changed meanwhile: {name}"
            return
        app.message = f"{past}: {name}"
        document.selection = app.selection
        document.redo() if by > 0 else document.undo()
        app.select(*document.selection)
        app.forget_missing()

    app.turn_to(scene, f"{word}: {name}", step)


def next_scene(app: "App") -> None:
    """Show the next scene of the gallery, after the last one the first."""
    _walk(app, 1)


def previous_scene(app: "App") -> None:
    """Show the previous scene of the gallery, before the first one the last."""
    _walk(app, -1)


def _walk(app: "App", by: int) -> None:
    documents = app.shelf.documents
    if documents:
        app.tool = None
        app.open(documents[(app.shelf.place + by) % len(documents)])


def frame_all(app: "App") -> None:
    """Go back to the scene's own view; from there, or where it has none, show everything."""
    app.viewpoint.return_to(app.scene.view, app.corners, app.full, app.now)


def frame_selection(app: "App") -> None:
    """Show what is selected, or everything."""
    app.viewpoint.frame(app.extent_of(*app.selection).corners, app.full, app.now)


def toggle_panels(app: "App") -> None:
    """Hide the panels, or show them."""
    app.panels = not app.panels


def show_deeper(app: "App") -> None:
    """Show the hierarchies over the primitives, one level deeper than now."""
    now, shown = app.viewpoint.hierarchy or 0, app.picture.level
    # As long as there is no level to see, nobody goes deeper.
    _show_level(app, now if shown is None else min(now + 1, shown.deepest))


def show_shallower(app: "App") -> None:
    """Show the hierarchies over the primitives one level less deep, above the first none."""
    now = app.viewpoint.hierarchy
    _show_level(app, now - 1 if now else None)


def _show_level(app: "App", level: int | None) -> None:
    app.viewpoint.hierarchy = level
    app.message = "no hierarchy is shown" if level is None else ""


def decide_by(app: "App", pair: str, method: str) -> None:
    """Let a method decide all pairs of these two types, e.g. of "segment_aabb"."""
    app.edit(edits.decide_by(app.document.scene, pair, method), f"decide by {method}")


def peel(app: "App") -> None:
    """Take the topmost of these away.

    They are the question, the drag, what goes on in the background, the tool or half a key sequence, what is told
    to be wrong, the gizmo, the selection, the hierarchy.
    """
    if app.asks_to_close:
        app.asks_to_close = False
    elif isinstance(app.dialog, Conflict):
        filing.keep_mine(app, app.dialog)
    elif app.dialog is not None:
        filing.peel(app, app.dialog)
    elif app.cancel() or app.stop():
        pass
    elif app.prefix or app.tool:
        app.prefix, app.tool = "", None
    elif app.problem:
        app.problem = ""
    elif app.mode is not None:
        app.mode = None
        app.again()
    elif app.selection:
        app.select()
    elif app.viewpoint.hierarchy is not None:
        _show_level(app, None)


def close(app: "App") -> None:
    """Close the window, after a question where something is not saved, and after what is being written."""
    app.cancel()
    if app.saving is not None:
        app.closing = app.closing or (lambda: close(app))
        app.message = CLOSES_LATER
    elif app.unsaved:
        app.asks_to_close = True
    else:
        app.done = True


def save_all_and_close(app: "App") -> None:
    """Save every changed scene and close; where one cannot be saved, or is asked about, the window stays open."""
    app.asks_to_close = False
    if app.dialog is not None:
        return
    if not app.unsaved:
        app.done = True
        return
    app.closing, app.message = lambda: save_all_and_close(app), CLOSES_LATER
    filing.save(app, app.unsaved[0])

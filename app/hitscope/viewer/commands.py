"""What keys and buttons do: functions of the app."""

from typing import TYPE_CHECKING

from hitscope.scene import edits
from hitscope.viewer import filing
from hitscope.viewer.dialogs import peeled

if TYPE_CHECKING:
    from hitscope.viewer.app import App


def undo(app: "App") -> None:
    """Take the last edit back."""
    name = app.document.undo_name
    app.message = "nothing to undo" if name is None else f"undone: {name}"
    app.document.undo()
    app.forget_missing()


def redo(app: "App") -> None:
    """Do again what was taken back."""
    name = app.document.redo_name
    app.message = "nothing to redo" if name is None else f"redone: {name}"
    app.document.redo()
    app.forget_missing()


def next_scene(app: "App") -> None:
    """Show the next scene of the gallery, after the last one the first."""
    _walk(app, 1)


def previous_scene(app: "App") -> None:
    """Show the previous scene of the gallery, before the first one the last."""
    _walk(app, -1)


def _walk(app: "App", by: int) -> None:
    if app.shelf.documents:
        app.tool = None
        app.open((app.shelf.place + by) % len(app.shelf.documents))


def frame_all(app: "App") -> None:
    """Show everything, from the side that the scene opened with."""
    app.viewpoint.frame_all(app.extent_of(), app.full, app.now)


def frame_selection(app: "App") -> None:
    """Show what is selected, or everything."""
    app.viewpoint.frame(app.extent_of(*app.selection), app.full, app.now)


def toggle_panels(app: "App") -> None:
    """Hide the panels, or show them."""
    app.panels = not app.panels


def show_deeper(app: "App") -> None:
    """Show the hierarchies over the primitives, one level deeper than now."""
    now, shown = app.scene.view.hierarchy, app.picture.level
    deeper = 0 if now is None else now + 1
    _show_level(app, deeper if shown is None else min(deeper, shown.deepest))


def show_shallower(app: "App") -> None:
    """Show the hierarchies over the primitives one level less deep, above the first none."""
    now = app.scene.view.hierarchy
    _show_level(app, now - 1 if now else None)


def _show_level(app: "App", level: int | None) -> None:
    app.edit(edits.show_hierarchy(app.document.scene, level), "show the hierarchy")
    app.message = "no hierarchy is shown" if level is None else ""


def decide_by(app: "App", pair: str, method: str) -> None:
    """Let a method decide all pairs of these two types, e.g. of "segment_aabb"."""
    app.edit(edits.decide_by(app.document.scene, pair, method), f"decide by {method}")


def peel(app: "App") -> None:
    """Take the topmost of these away.

    They are the question, the drag, the tool or half a key sequence, the gizmo, the selection.
    """
    if app.asks_to_close:
        app.asks_to_close = False
    elif app.dialog is not None:
        app.dialog = peeled(app.dialog)
    elif app.cancel() or app.cancel_opening():
        pass
    elif app.prefix or app.tool:
        app.prefix, app.tool = "", None
    elif app.mode is not None:
        app.mode = None
        app.again()
    else:
        app.select()


def close(app: "App") -> None:
    """Close the window, after a question where something is not saved."""
    app.cancel()
    if app.unsaved:
        app.asks_to_close = True
    else:
        app.done = True


def save_all_and_close(app: "App") -> None:
    """Save every changed scene; where that fails, the window stays open and says why."""
    app.asks_to_close = False
    for document in app.unsaved:
        filing.save(app, document)
    app.done = not app.unsaved

"""What keys and buttons do: functions of the app."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from hitscope.errors import HitscopeError
from hitscope.scene import edits, save

if TYPE_CHECKING:
    from hitscope.viewer.app import App
    from hitscope.viewer.documents import Document


def save_scene(app: "App") -> None:
    """Save the scene's file."""
    _save(app, app.document)


def _save(app: "App", document: "Document") -> None:
    try:
        document.save(save)
    except HitscopeError as error:
        app.problem = str(error)
    else:
        app.problem = ""
        app.message = f"saved {document.path}"


def undo(app: "App") -> None:
    """Take the last edit back."""
    _step(app, app.document.undo(), "nothing to undo")


def redo(app: "App") -> None:
    """Do again what was taken back."""
    _step(app, app.document.redo(), "nothing to redo")


def _step(app: "App", done: bool, otherwise: str) -> None:
    app.forget_missing()
    if not done:
        app.message = otherwise


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
    app.viewpoint.frame_all(app.extent_of(None), app.full, time.monotonic())


def frame_selection(app: "App") -> None:
    """Show what is selected, or everything."""
    app.viewpoint.frame(app.extent_of(app.selected), app.full, time.monotonic())


def toggle_panels(app: "App") -> None:
    """Hide the panels, or show them."""
    app.panels = not app.panels


def draw(kind: str) -> Callable[["App"], None]:
    """Give the command after which the next drag draws a probe of a kind."""

    def command(app: "App") -> None:
        app.tool = kind

    return command


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
    app.edit(edits.show_hierarchy(app.document.scene, level))
    app.message = "no hierarchy is shown" if level is None else ""


def decide_by(app: "App", pair: str, method: str) -> None:
    """Let a method decide all pairs of these two types, e.g. of "segment_aabb"."""
    app.edit(edits.decide_by(app.document.scene, pair, method))


def delete_probe(app: "App") -> None:
    """Remove the selected probe."""
    if app.selected is None or app.selected.kind != "probe":
        app.message = "select a probe to delete it"
    else:
        app.edit(edits.remove_probe(app.document.scene, app.probe_index(app.selected.id)))


def peel(app: "App") -> None:
    """Take the topmost of these away: the question, the drag, the tool or half a key sequence, the selection."""
    if app.asks_to_close:
        app.asks_to_close = False
    elif app.cancel() or app.cancel_opening():
        pass
    elif app.prefix or app.tool:
        app.prefix, app.tool = "", None
    else:
        app.selected = None


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
        _save(app, document)
    app.done = not app.unsaved

"""What is selected, and which items are shown: commands that change no scene."""

from typing import TYPE_CHECKING

from hitscope.draw.target import Target
from hitscope.scene.edits import Kind, ids_of
from hitscope.scene.named import split
from hitscope.viewer.tools.drags import SELECTION

if TYPE_CHECKING:
    from hitscope.viewer.app import App

KINDS: tuple[Kind, ...] = ("primitive", "probe")
NOTHING = "nothing is selected"


def name_of(selection: tuple[Target, ...]) -> str:
    """Give the name of what is selected, or how many things that are."""
    return selection[0].id if len(selection) == 1 else f"{len(selection)} items"


def select_all(app: "App") -> None:
    """Select all items that are shown."""
    scene = app.document.scene
    every = [Target(kind, name) for kind in KINDS for name in ids_of(scene, kind)]
    app.select(*(target for target in every if target[:2] not in app.hidden))


def select_by_box(app: "App") -> None:
    """Let the next drag select what is in a rectangle."""
    app.tool = SELECTION


def hide(app: "App") -> None:
    """Hide what is selected, each item as a whole, and select nothing."""
    if not app.selection:
        app.message = NOTHING
        return
    app.message = f"{name_of(app.selection)} hidden"
    app.hidden |= {(target.kind, split(target.id)[0]) for target in app.selection}
    _let_go(app)


def isolate(app: "App") -> None:
    """Show only what is selected; done again, everything."""
    if app.hidden:
        show_all(app)
        return
    if not app.selection:
        app.message = NOTHING
        return
    kept = {(target.kind, split(target.id)[0]) for target in app.selection}
    scene = app.document.scene
    app.hidden = frozenset({(kind, name) for kind in KINDS for name in ids_of(scene, kind)} - kept)
    app.message = f"only {name_of(app.selection)} shown"
    _let_go(app)


def show_all(app: "App") -> None:
    """Show everything again."""
    app.hidden = frozenset()
    app.message = "everything shown"
    app.again()


def _let_go(app: "App") -> None:
    """Select nothing that is hidden."""
    app.select(*(target for target in app.selection if app.shown.shows(target)))
    app.again()

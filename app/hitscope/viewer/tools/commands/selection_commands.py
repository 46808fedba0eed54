"""Commands that select and hide items; they change no scene."""

from hitscope.draw.target import Target, Targets
from hitscope.scene.edits import ids_of
from hitscope.scene.named_items import split
from hitscope.viewer.state.edit_targets import KINDS
from hitscope.viewer.state.state import State

NOTHING = "Nothing is selected"


def name_of(targets: Targets) -> str:
    """The name of a single target, else the number of targets, e.g. "3 items"."""
    return targets[0].id if len(targets) == 1 else f"{len(targets)} items"


def select_all(state: State) -> None:
    """Select all items that are not hidden."""
    selection, scene = state.selection, state.session.document.scene
    every = [Target(kind, name) for kind in KINDS for name in ids_of(scene, kind)]
    selection.select(*(target for target in every if target[:2] not in selection.hidden))


def hide(state: State) -> None:
    """Hide the selected items as a whole, and deselect them."""
    selection, messages = state.selection, state.messages
    if not selection.targets:
        messages.notice = NOTHING
        return
    messages.notice = f"Hidden: {name_of(selection.targets)}"
    selection.hidden |= {(target.kind, split(target.id)[0]) for target in selection.targets}
    selection.select()
    state.tool.reapply_pointer()


def isolate(state: State) -> None:
    """Show only the selected items; show everything if any item is hidden already."""
    selection, messages = state.selection, state.messages
    if selection.hidden:
        show_all(state)
        return
    if not selection.targets:
        messages.notice = NOTHING
        return
    kept = {(target.kind, split(target.id)[0]) for target in selection.targets}
    scene = state.session.document.scene
    selection.hidden = frozenset({(kind, name) for kind in KINDS for name in ids_of(scene, kind)} - kept)
    messages.notice = f"Showing only {name_of(selection.targets)}"
    selection.select(*selection.targets)
    state.tool.reapply_pointer()


def show_all(state: State) -> None:
    """Show everything again."""
    state.selection.hidden = frozenset()
    state.messages.notice = "Showing everything"
    state.tool.reapply_pointer()

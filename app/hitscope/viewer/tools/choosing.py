"""What is selected, and which items are shown: commands that change no scene."""

from hitscope.draw.target import Target
from hitscope.scene.edits import ids_of
from hitscope.scene.named_items import split
from hitscope.viewer.state.edit_targets import KINDS
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import SELECTION_BOX
from hitscope.viewer.tools.picking import pickable

NOTHING = "Nothing is selected"


def name_of(selection: tuple[Target, ...]) -> str:
    """Give the name of what is selected, or how many things that are."""
    return selection[0].id if len(selection) == 1 else f"{len(selection)} items"


def select_all(state: State) -> None:
    """Select all items that are shown."""
    scene = state.session.document.scene
    every = [Target(kind, name) for kind in KINDS for name in ids_of(scene, kind)]
    state.selection.select(*(target for target in every if target[:2] not in state.selection.hidden))


def select_by_box(state: State) -> None:
    """Let the next drag select what is in a rectangle."""
    state.tool.armed = SELECTION_BOX


def hide(state: State) -> None:
    """Hide what is selected, each item as a whole, and select nothing."""
    if not state.selection.targets:
        state.messages.notice = NOTHING
        return
    state.messages.notice = f"Hidden: {name_of(state.selection.targets)}"
    state.selection.hidden |= {(target.kind, split(target.id)[0]) for target in state.selection.targets}
    _let_go(state)


def isolate(state: State) -> None:
    """Show only what is selected; done again, everything."""
    if state.selection.hidden:
        show_all(state)
        return
    if not state.selection.targets:
        state.messages.notice = NOTHING
        return
    kept = {(target.kind, split(target.id)[0]) for target in state.selection.targets}
    scene = state.session.document.scene
    state.selection.hidden = frozenset({(kind, name) for kind in KINDS for name in ids_of(scene, kind)} - kept)
    state.messages.notice = f"Showing only {name_of(state.selection.targets)}"
    _let_go(state)


def show_all(state: State) -> None:
    """Show everything again."""
    state.selection.hidden = frozenset()
    state.messages.notice = "Showing everything"
    state.tool.reapply()


def _let_go(state: State) -> None:
    """Select nothing that is hidden."""
    state.selection.select(
        *(
            target
            for target in state.selection.targets
            if pickable(state.session, state.selection, state.display, state.tool).shows(target)
        )
    )
    state.tool.reapply()

"""Selecting and hiding items, and hovering them in the outliner."""

from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.scene.conversions import OTHER
from hitscope.scene.edits import Kind, ids_of
from hitscope.viewer.state.edit_targets import KINDS
from hitscope.viewer.state.state import State, command

NOTHING = "Nothing is selected"


def has_selection(state: State) -> bool:
    return bool(state.selection.targets)


def select(state: State, *targets: Target, toggle: bool = False) -> None:
    """Select targets; with `toggle`, add them to the selection or remove them from it."""
    state.selection.select(*targets, toggle=toggle)


def select_pair(state: State, *pair: Target) -> list[Target]:
    """Select a target with the other one beside it; leave out, and do not return, one that does not exist."""
    found = [target for target in pair if state.session.exists(target)]
    state.selection.select(*found[:1], beside=found[-1] if len(found) > 1 else None)
    return found


def hover(state: State, target: Target) -> None:
    state.selection.hovered = target


def toggle_hidden(state: State, target: Target) -> None:
    """Hide an item in the picture, or show it again; of a bulk item, all of it."""
    state.selection.hidden ^= {target.item}


@command("select_all", "Select all", keys="Ctrl+A")
def select_all(state: State) -> None:
    """Select all items that are not hidden."""
    state.selection.select(*(target for kind in KINDS for target in _in_sight(state, kind)))


def _in_sight(state: State, kind: Kind) -> list[Target]:
    """The items of a kind that are not hidden, in the order of their list."""
    targets = (Target(kind, name) for name in ids_of(state.session.document.scene, kind))
    return [target for target in targets if target[:2] not in state.selection.hidden]


def select_neighbour(state: State, by: int) -> None:
    """Select the item below or above the selected one in the lists."""
    selection = state.selection
    listed = [target for kind in KINDS[::-1] for target in _in_sight(state, kind)]
    if not listed:
        raise HitscopeError("There is nothing to select")
    last = selection.last
    now = None if last is None else Target(*last.item)
    index = listed.index(now) + by if now in listed else min(by, 0)
    selection.select(listed[index % len(listed)])


def pair_with_neighbour(state: State, by: int) -> None:
    """Pair the selection with the next or the previous shape of the other kind."""
    selection, report = state.selection, state.session.report
    if selection.last is None:
        raise HitscopeError(NOTHING)
    of_probe = selection.last.kind == "probe"
    others, kind = (report.elements, OTHER["probe"]) if of_probe else (report.probes, OTHER["primitive"])
    if not len(others):
        raise HitscopeError(f"There is no {kind} to pair it with")
    pair = selection.pair(state.session.picture)
    index = min(by, 0) if pair is None else pair[int(of_probe)] + by
    selection.select(selection.last, beside=Target(kind, others[index % len(others)].id))


@command("hide", "Hide", keys="Shift+H", synonyms="invisible", is_possible=has_selection)
def hide(state: State) -> None:
    """Hide the selected items as a whole, and deselect them."""
    selection = state.selection
    if not selection.targets:
        raise HitscopeError(NOTHING)
    state.messages.notice = f"Hidden: {selection.title}"
    selection.hidden |= {target.item for target in selection.targets}
    selection.select()
    state.tool.reapply_pointer()


@command("isolate", "Show only the selection, or all again", keys="/", synonyms="solo focus local view")
def isolate(state: State) -> None:
    """Show only the selected items; show everything if any item is hidden already."""
    selection = state.selection
    if selection.hidden:
        show_all(state)
        return
    if not selection.targets:
        raise HitscopeError(NOTHING)
    every = frozenset(target.item for kind in KINDS for target in _in_sight(state, kind))
    selection.hidden = every - {target.item for target in selection.targets}
    state.messages.notice = f"Showing only {selection.title}"
    selection.select(*selection.targets)
    state.tool.reapply_pointer()


@command(
    "show_all",
    "Show everything hidden",
    keys="Alt+H",
    synonyms="unhide",
    is_possible=lambda state: bool(state.selection.hidden),
)
def show_all(state: State) -> None:
    """Show everything again."""
    state.selection.hidden = frozenset()
    state.messages.notice = "Showing everything"
    state.tool.reapply_pointer()

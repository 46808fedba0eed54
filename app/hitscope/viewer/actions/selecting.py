"""Selecting, hovering and hiding by the rows of the outliner."""

from hitscope.draw.target import Target
from hitscope.viewer.state.state import State


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

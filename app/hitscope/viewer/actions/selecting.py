"""Selecting, hovering and hiding by the rows of the outliner."""

from hitscope.draw.target import Target
from hitscope.scene.named_items import split
from hitscope.viewer.state.state import State


def has_selection(state: State) -> bool:
    """Whether anything is selected."""
    return bool(state.selection.targets)


def select(state: State, *targets: Target, toggle: bool = False) -> None:
    """Select targets; with `toggle`, add them to the selection or remove them from it."""
    state.selection.select(*targets, toggle=toggle)


def hover(state: State, target: Target) -> None:
    """Hover a target whose row is under the mouse."""
    state.selection.hovered = target


def toggle_hidden(state: State, target: Target) -> None:
    """Hide an item in the picture, or show it again; of a bulk item, all of it."""
    state.selection.hidden ^= {(target.kind, split(target.id)[0])}

"""Selecting, hovering and hiding by the rows of the outliner."""

from hitscope.draw.selection_geometry import framed
from hitscope.draw.target import Target
from hitscope.scene.named_items import split
from hitscope.viewer.actions.view import frame_selection
from hitscope.viewer.state.state import State


def has_selection(state: State) -> bool:
    """Whether anything is selected."""
    return bool(state.selection.targets)


def has_hidden(state: State) -> bool:
    """Whether any item is hidden."""
    return bool(state.selection.hidden)


def select(state: State, *targets: Target, toggle: bool = False) -> None:
    """Select targets; with `toggle`, add them to the selection or remove them from it."""
    state.selection.select(*targets, toggle=toggle)


def select_and_frame(state: State, target: Target) -> None:
    """Select a target and turn the camera to it."""
    state.selection.select(target)
    frame_selection(state)


def show_pair(state: State, *pair: Target) -> None:
    """Select a probe, with the primitive beside it, and turn the camera to both; leave out what does not exist."""
    session, display = state.session, state.display
    found = [target for target in pair if session.exists(target)]
    state.selection.select(*found[:1], beside=found[-1] if len(found) > 1 else None)
    if found:
        corners = framed(session.picture, found, session.extent).corners
        display.viewpoint.frame(corners, display.full, display.now)


def hover(state: State, target: Target) -> None:
    """Hover a target whose row is under the mouse."""
    state.selection.hovered = target


def toggle_hidden(state: State, target: Target) -> None:
    """Hide an item in the picture, or show it again; of a bulk item, all of it."""
    state.selection.hidden ^= {(target.kind, split(target.id)[0])}

"""Edits of the scene's name and description."""

from typing import Literal

from msgspec.structs import replace

from hitscope.viewer.state.dialogs import EditedHeading
from hitscope.viewer.state.state import State


def edit_name(state: State) -> None:
    """Show a text field in place of the scene's name."""
    _edit(state, "name")


def edit_description(state: State) -> None:
    """Show a text field in place of the scene's description."""
    _edit(state, "description")


def _edit(state: State, part: Literal["name", "description"]) -> None:
    state.display.panels = True
    state.dialogs.heading = EditedHeading(state.session.document, part)


def stop(state: State, heading: EditedHeading) -> None:
    """Show the heading again in place of its field."""
    if state.dialogs.heading == heading:
        state.dialogs.heading = None


def take(state: State, heading: EditedHeading, typed: str) -> None:
    """Make a typed text the scene's name or description."""
    session = state.session
    if heading.document is not session.document:
        return
    if heading.part == "name":
        session.edit(replace(session.document.scene, name=typed.strip()), "rename the scene")
    else:
        session.edit(replace(session.document.scene, description=typed.strip()), "describe the scene")

"""Undo and redo."""

from hitscope.viewer.actions.scene_change import change, turn_to
from hitscope.viewer.state.state import State


def can_undo(state: State) -> bool:
    """Whether there is an edit to undo."""
    return state.session.document.undo_name is not None


def can_redo(state: State) -> bool:
    """Whether there is an edit to redo."""
    return state.session.document.redo_name is not None


def undo(state: State) -> None:
    """Undo the last edit."""
    _move(state, -1, "undo", "undone", state.session.document.undo_name)


def redo(state: State) -> None:
    """Redo the edit that was undone last."""
    _move(state, 1, "redo", "redone", state.session.document.redo_name)


def go_back_to_saved(state: State) -> None:
    """Show the scene again that was loaded or saved last, as an edit that can be undone."""
    saved = state.session.document.saved
    if saved is not None:
        change(state, saved, "go back to the saved scene")


def _move(state: State, by: int, word: str, past: str, name: str | None) -> None:
    """Undo (`by` -1) or redo (1) an edit of the shown document, once the scene there is evaluated."""
    document, scene = state.session.document, state.session.document.scene_at(by)
    if scene is None:
        state.messages.notice = f"Nothing to {word}"
        return

    def step() -> None:
        if document.scene_at(by) is not scene:
            state.messages.notice = f"Cancelled: {word} {name}, because the scene changed meanwhile"
            return
        state.messages.notice = f"{past.capitalize()}: {name}"
        document.note_selection(state.selection.targets)
        document.redo() if by > 0 else document.undo()
        state.selection.select(*document.selection)

    turn_to(state, scene, f"{word}: {name}", step)

"""Typing and clicking in dialogs, up to the buttons that open, save or restore something."""

from hitscope.viewer.state.dialogs import Gallery, SaveDialog
from hitscope.viewer.state.state import State


def close_dialog(state: State) -> None:
    """Close the dialog."""
    state.dialogs.dialog = None


def type_text(state: State, dialog: SaveDialog | Gallery, typed: str) -> None:
    """Set the text of a dialog's text field."""
    dialog.typed = typed


def type_instead(state: State, dialog: SaveDialog) -> None:
    """Ask for a path here instead of in the operating system's dialog."""
    dialog.native = False


def choose_other_path(state: State, dialog: SaveDialog) -> None:
    """Close the question about an existing file and show the text field again."""
    dialog.overwrites = None


def copy_settings_path(state: State) -> None:
    """Copy the path of the settings file to the clipboard."""
    state.host.clipboard = str(state.host.settings_path)

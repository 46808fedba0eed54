"""What is typed and clicked in dialogs, where it opens, saves and restores nothing."""

from hitscope.viewer.state.dialogs import Gallery, OpenFile, SaveAs
from hitscope.viewer.state.state import State


def close_dialog(state: State) -> None:
    """Close the dialog."""
    state.dialogs.dialog = None


def type_text(state: State, dialog: OpenFile | SaveAs | Gallery, typed: str) -> None:
    """Follow what is typed into a dialog's text field."""
    dialog.typed = typed


def choose_other_path(state: State, dialog: SaveAs) -> None:
    """Go back to the path field, without overwriting the file that is there."""
    dialog.overwrites = None


def discard_and_close(state: State) -> None:
    """Close the window without saving."""
    state.host.closed = True


def keep_window_open(state: State) -> None:
    """Close the question about unsaved scenes, and not the window."""
    state.dialogs.asks_to_close = False


def copy_settings_path(state: State) -> None:
    """Copy the path of the settings file to the clipboard."""
    state.host.clipboard = str(state.host.settings_path)

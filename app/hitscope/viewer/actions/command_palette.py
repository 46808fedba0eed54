"""The search of commands, and running a command that was chosen in a menu."""

from hitscope.viewer.state.dialogs import Palette
from hitscope.viewer.state.state import State, command


@command("palette", "Search all commands", keys=("Ctrl+Shift+P", "F1"), synonyms="find menu action launcher")
def show(state: State) -> None:
    """Show the search of commands."""
    state.dialogs.dialog = Palette()


def type_text(state: State, palette: Palette, typed: str) -> None:
    palette.typed, palette.chosen = typed, 0


def choose(state: State, palette: Palette, chosen: int) -> None:
    palette.chosen = chosen


def run(state: State, name: str) -> None:
    """Run the command of a name, as its keys do; the dialog or menu that it was chosen in is closed."""
    state.dialogs.dialog, state.dialogs.context_menu = None, None
    state.messages.notice = state.tool.key_prefix = ""
    state.commands[name](state)


def show_context_menu(state: State, pixel: tuple[float, float] | None) -> None:
    """Show the menu of the selection, or of the empty space, at a pixel; or close it."""
    state.dialogs.context_menu = pixel

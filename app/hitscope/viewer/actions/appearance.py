"""How the window looks, and what it tells: commands."""

from hitscope.draw.target import Target
from hitscope.render.palette import THEMES
from hitscope.scene.named import split
from hitscope.viewer.state.dialogs import Help
from hitscope.viewer.state.state import State

OTHER_COLOURS = "-blue-orange"
"""At the end of the name of a theme whose hit and miss are not green and red."""


def toggle_theme(state: State) -> None:
    """Take the light theme, or the dark one."""
    base, ending = _parts(state)
    state.display.theme = THEMES[("dark" if base == "light" else "light") + ending]


def toggle_palette(state: State) -> None:
    """Take blue and orange for hit and miss, or green and red."""
    base, ending = _parts(state)
    state.display.theme = THEMES[base + ("" if ending else OTHER_COLOURS)]


def toggle_labels(state: State) -> None:
    """Write the ids into the picture, and the numbers of the vertices of what is selected, or do not."""
    state.display.labels = not state.display.labels


def toggle_grid(state: State) -> None:
    """Show the grid, or do not."""
    state.display.grid = not state.display.grid


def toggle_hidden(state: State, target: Target) -> None:
    """Hide an item in the picture, or show it again; of a bulk item, all of it."""
    state.selection.hidden ^= {(target.kind, split(target.id)[0])}


def toggle_help(state: State) -> None:
    """Show all keys, or no longer."""
    state.messages.greets = False
    state.dialogs.dialog = None if isinstance(state.dialogs.dialog, Help) else Help()


def understand(state: State) -> None:
    """Take the hint of the first start away for good."""
    state.messages.greets = False


def toggle_panels(state: State) -> None:
    """Hide the panels, or show them."""
    state.display.panels = not state.display.panels


def _parts(state: State) -> tuple[str, str]:
    name = state.display.theme.name
    return name.removesuffix(OTHER_COLOURS), OTHER_COLOURS if name.endswith(OTHER_COLOURS) else ""

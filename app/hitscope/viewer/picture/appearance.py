"""How the window looks, and what it tells: commands."""

from typing import TYPE_CHECKING

from hitscope.draw.target import Target
from hitscope.render.palette import THEMES
from hitscope.scene.named import split
from hitscope.viewer.panels.dialogs import Help

if TYPE_CHECKING:
    from hitscope.viewer.app import App

OTHER_COLOURS = "-blue-orange"
"""At the end of the name of a theme whose hit and miss are not green and red."""


def toggle_theme(app: "App") -> None:
    """Take the light theme, or the dark one."""
    base, ending = _parts(app)
    app.theme = THEMES[("dark" if base == "light" else "light") + ending]


def toggle_palette(app: "App") -> None:
    """Take blue and orange for hit and miss, or green and red."""
    base, ending = _parts(app)
    app.theme = THEMES[base + ("" if ending else OTHER_COLOURS)]


def toggle_labels(app: "App") -> None:
    """Write the ids into the picture, and the numbers of the vertices of what is selected, or do not."""
    app.labels = not app.labels


def toggle_grid(app: "App") -> None:
    """Show the grid, or do not."""
    app.grid = not app.grid


def toggle_hidden(app: "App", target: Target) -> None:
    """Hide an item in the picture, or show it again; of a bulk item, all of it."""
    app.hidden ^= {(target.kind, split(target.id)[0])}


def toggle_help(app: "App") -> None:
    """Show all keys, or no longer."""
    app.greets = False
    app.dialog = None if isinstance(app.dialog, Help) else Help()


def understand(app: "App") -> None:
    """Take the hint of the first start away for good."""
    app.greets = False


def _parts(app: "App") -> tuple[str, str]:
    name = app.theme.name
    return name.removesuffix(OTHER_COLOURS), OTHER_COLOURS if name.endswith(OTHER_COLOURS) else ""

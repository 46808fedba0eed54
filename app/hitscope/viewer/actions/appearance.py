"""The appearance of the window: theme, colours, grid, labels, panels and their sections."""

from hitscope.render.palette import THEMES
from hitscope.viewer.state.dialogs import Help
from hitscope.viewer.state.messages import hints
from hitscope.viewer.state.settings import LARGEST_SCALE, SMALLEST_SCALE, SnapKind
from hitscope.viewer.state.state import State, command

OTHER_COLOURS = "-blue-orange"
"""The end of the name of a theme whose hit and miss are not green and red."""

SCALES = (SMALLEST_SCALE, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, float(LARGEST_SCALE))
"""The sizes of everything in the window between which commands step."""


@command("toggle_theme", "Switch light and dark", keys="T", synonyms="theme mode")
def toggle_theme(state: State) -> None:
    """Switch the light and the dark theme."""
    base, dash, palette = state.display.theme.name.partition("-")
    state.display.theme = THEMES[("dark" if base == "light" else "light") + dash + palette]


@command(
    "toggle_palette", "Switch green-red and blue-orange", keys="C", synonyms="colours colors colour-blind palette"
)
def toggle_palette(state: State) -> None:
    """Switch the colours of hit and miss between green and red, and blue and orange."""
    base, _, palette = state.display.theme.name.partition("-")
    state.display.theme = THEMES[base if palette else base + OTHER_COLOURS]


@command(
    "toggle_labels",
    "Show or hide ids and vertex numbers",
    keys="I",
    synonyms="names labels",
    is_on=lambda state: state.display.labels,
)
def toggle_labels(state: State) -> None:
    """Show or hide all ids, and the vertex numbers of the selected shape, in the picture."""
    state.display.labels = not state.display.labels


@command(
    "toggle_grid",
    "Show or hide the grid",
    keys="G",
    synonyms="ground floor",
    is_on=lambda state: state.display.grid,
)
def toggle_grid(state: State) -> None:
    """Show or hide the grid."""
    state.display.grid = not state.display.grid


@command(
    "full_screen",
    "Full screen",
    keys="F11",
    synonyms="fullscreen projector maximise maximize",
    is_on=lambda state: state.host.full_screen,
)
def toggle_full_screen(state: State) -> None:
    """Show the window on the full screen, or where and as large as it was before."""
    state.host.full_screen = not state.host.full_screen


@command(
    "picture_rate",
    "Show or hide the pictures a second",
    synonyms="fps frames per second performance speed",
    is_on=lambda state: state.host.shows_rate,
)
def toggle_rate(state: State) -> None:
    """Show in the status line how many pictures a second the window can draw, and how long one takes."""
    state.host.shows_rate = not state.host.shows_rate


@command(
    "enlarge",
    "Show everything larger",
    keys=("Ctrl+=", "Ctrl+Plus", "Ctrl+Shift+="),
    synonyms="ui scale zoom in font size bigger",
)
def enlarge(state: State) -> None:
    """Show everything in the window larger, up to the largest size."""
    _set_scale(state, min((scale for scale in SCALES if scale > state.display.ui_scale), default=SCALES[-1]))


@command("reduce", "Show everything smaller", keys="Ctrl+-", synonyms="ui scale zoom out font size")
def reduce(state: State) -> None:
    """Show everything in the window smaller, down to the smallest size."""
    _set_scale(state, max((scale for scale in SCALES if scale < state.display.ui_scale), default=SCALES[0]))


@command("reset_scale", "Show everything at 100%", keys="Ctrl+0", synonyms="ui scale font original size")
def reset_scale(state: State) -> None:
    """Show everything in the window in the size that the screen suggests."""
    _set_scale(state, 1.0)


def _set_scale(state: State, scale: float) -> None:
    state.display.ui_scale = scale
    state.messages.notice = f"Everything is shown at {scale:.0%}"


@command(
    "toggle_nearest_only",
    "Show only the nearest hits, or all",
    keys="Shift+N",
    synonyms="first closest raycast hit",
    is_on=lambda state: state.display.nearest_only,
)
def toggle_nearest_only(state: State) -> None:
    """Show only the nearest hit of each segment, ray and line, as a ray caster finds it, or all hits again."""
    state.display.nearest_only = not state.display.nearest_only
    how = state.commands.phrase("toggle_nearest_only", "shows all")
    only = hints("Only the nearest hit of each segment, ray and line is shown", how)
    state.messages.notice = only if state.display.nearest_only else "All hits are shown"


@command("help", "Show all keys", keys=("H", "?"), synonyms="shortcuts manual about")
def toggle_help(state: State) -> None:
    """Open or close the help."""
    state.dialogs.dialog = None if isinstance(state.dialogs.dialog, Help) else Help()


@command("toggle_panels", "Show or hide the panels", keys="Ctrl+B", synonyms="sidebar")
def toggle_panels(state: State) -> None:
    """Show or hide the panels."""
    state.display.panels = not state.display.panels


def fold(state: State, name: str) -> None:
    """Fold the panel, so that the picture has its place, or show it again."""
    state.display.folding.folded[state.display.stepping.is_open] ^= {name}


def is_unfolded(state: State, name: str) -> bool:
    return name not in state.display.folded


def set_panel_width(state: State, name: str, width: float | None) -> None:
    """Set the width of a panel, in points; None lets it be as wide, or as high, as it was at first."""
    others = {other: known for other, known in state.display.panel_widths.items() if other != name}
    state.display.panel_widths = others if width is None else {**others, name: width}


def set_strip_height(state: State, height: float) -> None:
    """Set the height of the strip below the picture, in points."""
    state.display.folding.strip = height


def toggle_section(state: State, name: str) -> None:
    state.display.closed_parts ^= {name}


def toggle_snap_kind(state: State, kind: SnapKind) -> None:
    state.tool.snap_to ^= {kind}


def dismiss_problem(state: State) -> None:
    state.messages.problem = ""
